/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which slots are live at a place in a case, decided from the ops alone (every
 * allocation is taken to succeed). Bytes refer to objects by index modulo the live
 * slots; the script decoder and the generator use the same rule.
 *
 *   an op that creates adds its slot at the end; ops nested in an op come before it
 *   OP_GET adds a reference; OP_FREE of all extents drops one, and the last one removes the slot:
 *   the last live slot takes its place
 */
#ifndef HARNESS_LIVE_H
#define HARNESS_LIVE_H

#include "harness/case.h"

struct live {
	u32 *slots; /* live slots, in this set's own order; the arrays are one piece of memory */
	u32 nr;
	u32 *pos; /* [slot]: its position in slots, or SLOT_NONE */
	u32 *refs; /* [slot] */
	u32 *pages; /* [slot]: pages that OP_FREE_PIECE may name; 0: never created */
	u32 *extents; /* [slot]: extents that OP_FREE may name one by one */
	u32 cap; /* slots that the arrays have room for */
};

void live_init(struct live *l);
void live_free(struct live *l);
/* Make room for slots 0 to @slots - 1. */
void live_reserve(struct live *l, u32 slots);
/* Follow one op, without those nested in it. */
void live_apply(struct live *l, const struct op *op);
/* Follow op @i of @c: first the ops nested in it, as if they ran, then the op. */
void live_step(struct live *l, const struct testcase *c, u32 i);
static inline bool live_has(const struct live *l, u32 slot)
{
	return slot < l->cap && l->pos[slot] != SLOT_NONE;
}

#endif
