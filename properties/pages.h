/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pages that nobody uses, counted from what a zone says of itself or found by PFN:
 * what rules about frees, isolation and contiguous ranges share.
 *
 *      listed   on the free lists, whatever their type
 *      cached   on the pcp lists of all CPUs
 *      waiting  on the trylock list
 */
#ifndef PROPERTIES_PAGES_H
#define PROPERTIES_PAGES_H

#include "properties/step.h"

struct unused {
	s64 listed, cached, waiting;
};

/* By how many pages those of zone number @zone grew in a step. */
struct unused unused_growth(const struct step *s, u32 zone);

static inline s64 unused_pages(struct unused u)
{
	return u.listed + u.cached + u.waiting;
}

/* The listed ones of a zone alone; the cached ones of all zones. */
s64 listed_growth(const struct step *s, u32 zone);
s64 cached_growth(const struct step *s);

/* Pages on the trylock list of a zone. */
u32 trylock_pages(const struct view *view, u32 zone);

/* The free buddy that @pfn is part of, or PFN_NONE. */
u32 free_buddy_of(const struct view *view, u32 pfn);
/* The first page of something in [start, end) that is cached in @zone, or PFN_NONE. */
u32 cached_in(const struct view *view, u32 zone, u32 start, u32 end);

/* Free buddies of different types became one, and a block got the type of the others (3.9 step 2e). */
bool block_was_unified(const struct view *view, u32 block, u8 was);
/* Did it get another type or isolate bit? */
static inline bool block_changed(const struct view *view, u32 block, u8 was)
{
	return (view->pageblock_flags[block] ^ was) & (PB_MIGRATETYPE_MASK | PB_ISOLATE);
}

/* Part of a step's deltas belongs to others, or is not all seen: they cannot be judged. */
static inline bool step_is_blurred(const struct step *s)
{
	return s->interleaved || s->events_lost || s->request->out_of_fuel;
}

/* ---- pcp lists ----------------------------------------------------------- */

static inline bool pcp_allows_order(const struct machine *m, u32 order)
{
	return order <= PAGE_ALLOC_COSTLY_ORDER || (m->pmd_order && order == m->pmd_order);
}

/* Order of what a pcp list holds (spec 2.5). */
static inline u32 pcp_list_order(const struct machine *m, u32 list)
{
	return list < NR_LOWORDER_PCP_LISTS ? list / MIGRATE_PCPTYPES : m->pmd_order;
}

/* The pcp of @zone that the caller's CPU uses, as it is and as it was. */
static inline const struct per_cpu_pages *pcp_now(const struct step *s, u32 zone)
{
	return view_pcp(s->view, zone, s->view->global->task.cpu);
}

static inline const struct per_cpu_pages *pcp_before(const struct step *s, u32 zone)
{
	return &s->before->pcps[zone * s->view->machine->nr_cpus + s->view->global->task.cpu];
}

/* Was the request's page, as a whole and alone, put on a pcp list? That pcp is @before and @now. */
bool freed_to_pcp(const struct step *s, const struct per_cpu_pages **before,
		  const struct per_cpu_pages **now);

#endif
