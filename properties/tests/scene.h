/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decisions made by hand on the state of world.h: zone 0 as it was, what is done to it,
 * and the events that say so. Tests then ask one property about it.
 *
 *      scene_begin()   scene_lock()   take(), claim(), ...   scene_verdict()
 *         world           was              view, event
 */
#ifndef PROPERTIES_TESTS_SCENE_H
#define PROPERTIES_TESTS_SCENE_H

#include "properties/shot.h"
#include "properties/tests/world.h"

struct scene {
	struct world w;
	struct request request;
	struct event pass, event, claimed;
	struct zone_shot was;
	struct decision d;
	struct shot before; /* for steps */
	struct event events[8];
	u32 nr_events;
	char why[WHY_SIZE];
};

/* The world, whose watermarks are 0, and an order-0 GFP_KERNEL request in a pass with the LOW mark. */
void scene_begin(struct scene *s);
void scene_end(struct scene *s);

/* From here on it is "after": the zone for decisions, the small state for steps. */
void scene_lock(struct scene *s);

/* The request and its pass have this gfp, order and flags. */
void scene_ask(struct scene *s, u32 gfp, u32 order, u32 alloc_flags);

/*
 * Off the list, as an allocator does it: the buddy headed by @head gives its first 2^order pages,
 * its other pieces become the heads of the lists of @mt.
 *
 *      [ p . . . . . . . ]  ->  p [1][ 2  ][  4  ]
 */
void cut(struct scene *s, u32 head, u32 order, u32 mt);
/* The same, reported as a page of the list of the block's type. */
void take_listed(struct scene *s, u32 head, u32 order);
/* Reported as a steal for a request of type @start. */
void steal(struct scene *s, u32 head, u32 order, u32 start);
/*
 * The block of the buddy @head goes to @start, then the page is the first of its smallest free
 * buddy; a buddy of a block or more goes to it as a whole.
 */
void claim(struct scene *s, u32 head, u32 order, u32 start);

/* The type of the block of @pfn, and the lists of its free pages, become @mt. */
void retype_block(struct scene *s, u32 pfn, u32 mt);

/* What the property says; the text is in s->why. */
int scene_verdict(struct scene *s, const struct property *property);
/* The same of a step: s->request, s->events. */
int scene_step_verdict(struct scene *s, const struct property *property);
/* And of the state. */
bool scene_holds(struct scene *s, const struct property *property);

#endif
