/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a request looks when its own type has nothing left, computed from the zone as it
 * was (spec 4.10 to 4.12): one candidate an order, the head of the first foreign list that
 * is not empty.
 *
 *      order     9   8   7   ...   4   3   2   1   0
 *      claim   ------------------> |                    movable requests stop half-way
 *      steal                                    <-----
 */
#ifndef PROPERTIES_FOREIGN_H
#define PROPERTIES_FOREIGN_H

#include "properties/take.h"

struct candidate {
	u32 order;
	u32 pfn; /* head of the list */
	u32 type;
};

/* The candidate of @order; false: no foreign list has one. */
bool candidate_at(struct candidate *c, const struct zone_shot *was, u32 order, u32 mt);

/* Spec 4.10: may a request for @mt claim the block of a buddy of @order? */
bool claims_at(const struct view *view, u32 order, u32 mt);

/* The smallest order that @t may claim at. */
u32 claim_floor(const struct take *t);

/*
 * Spec 4.12: was the block of @c worth claiming for @t? What @t has taken counts as free, as it
 * was; other pages of the block have not changed.
 */
bool claim_is_due(const struct take *t, const struct candidate *c);

/* Spec 4.12 step B1: how many candidates smaller than a block @t has looked at to claim them. */
u32 small_candidates(const struct take *t);

#endif
