/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a request may use, computed from its gfp, its task and the machine: the
 * part of spec 1.2 - 1.4 and 2.1 that needs no allocator.
 *
 *      gfp, node  ->  zonelist:  1 Movable, 1 Normal | 0 Movable, 0 Normal, 0 DMA32
 *                                   ^ above hidx         ^ not in the nodemask
 */
#ifndef PROPERTIES_WANTS_H
#define PROPERTIES_WANTS_H

#include "properties/step.h"

struct wants {
	const struct view *view;
	u32 gfp; /* after the scopes of the task (NOIO, NOFS, PIN) */
	u32 order;
	u32 mt;
	u32 hidx; /* highest zone type */
	u32 nodemask; /* the caller's, or NODEMASK_NULL */
	const struct zonelist *zonelist;
};

/*
 * What @r wants in the task context @task_flags. False if it is a caller's mistake that has no
 * defined meaning: two zone selectors, two mobility bits, no such node.
 */
bool wants_read(struct wants *w, const struct view *view, const struct request *r, u32 task_flags);

/* 1.4: the type that a request with @gfp, after those scopes, is served from. */
u32 wants_migratetype(const struct view *view, u32 gfp);

static inline bool wants_has(const struct wants *w, u32 gfp)
{
	return (w->gfp & gfp) == gfp;
}

static inline const struct zone *wants_zone(const struct wants *w, u32 pos)
{
	return &w->view->zones[w->zonelist->zones[pos]];
}

/* Position of the first eligible zone at or after @pos, or zonelist->nr. */
static inline u32 wants_next(const struct wants *w, u32 pos, u32 nodemask)
{
	for (; pos < w->zonelist->nr; pos++) {
		const struct zone *z = wants_zone(w, pos);

		if (z->type <= w->hidx && (nodemask & BIT(z->node)))
			break;
	}
	return pos;
}

#define for_each_wanted_zone(w, nodemask, pos)                                  \
	for ((pos) = wants_next((w), 0, (nodemask)); (pos) < (w)->zonelist->nr; \
	     (pos) = wants_next((w), (pos) + 1, (nodemask)))

/* spec 6.9: may the task, as it is in @view now, use the node of @z? */
bool cpuset_admits(const struct view *view, const struct zone *z, u32 gfp);

#endif
