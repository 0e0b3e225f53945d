/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The per-cpu lists at work: where a freed page is put, when it may not be, and what
 * their limits and memories do (spec 10.26 to 10.29, 10.31, 10.32). How much a free gives
 * back stands in pcp_excess.c.
 *
 *                   free, alloc         refill
 *                       v                 v
 *      list (mt,order): first <-> ... <-> last
 *                                          v
 *                                        drain
 */
#include <string.h>

#include "properties/list.h"
#include "properties/pages.h"
#include "properties/walk.h"

/* ---- 26, 27: where a freed page goes ------------------------------------- */

static bool freed_here(const struct step *s, u32 pfn)
{
	const struct request *r = s->request;

	if (r->kind == REQUEST_CONTIG_FREE)
		return pfn - r->pfn < r->nr;
	if (r->kind == REQUEST_FREE)
		return pfn - r->pfn < BIT(r->order);
	for (u32 i = 0; i < s->nr_events; i++) {
		const struct event *e = &s->events[i];

		if (e->type == EV_MM_PAGE_FREE && pfn - e->pfn < BIT((u32)e->order))
			return true;
	}
	return false;
}

/* A page that this step freed, at the head of a pcp list. */
struct cached {
	u32 zone, list, pfn;
};

/* The next one after @c; begin with .list = UINT32_MAX. False: no more. */
static bool next_cached(const struct step *s, struct cached *c)
{
	for (; c->zone < s->view->machine->nr_zones; c->zone++, c->list = UINT32_MAX) {
		const struct link *heads = &s->view->links[pcp_now(s, c->zone)->lists];

		while (++c->list < NR_PCP_LISTS) {
			c->pfn = heads[c->list].next;
			if (c->pfn < s->view->nr_pages && freed_here(s, c->pfn))
				return true;
		}
	}
	return false;
}

/* HighAtomic and CMA pages wait among the movable ones. */
static u32 list_for(u32 order, u32 mt)
{
	if (mt >= MIGRATE_PCPTYPES)
		mt = MIGRATE_MOVABLE;
	if (order > PAGE_ALLOC_COSTLY_ORDER)
		return NR_LOWORDER_PCP_LISTS + (mt == MIGRATE_MOVABLE);
	return order * MIGRATE_PCPTYPES + mt;
}

/*
 * While a page of it is cached, its block cannot change its type by merging: what it is now it
 * was when the page was freed.
 */
static int pcp_list_type(const struct step *s, char why[WHY_SIZE])
{
	struct cached c = {.list = UINT32_MAX};
	int verdict = VERDICT_MEANINGLESS;

	if (s->interleaved || s->events_lost)
		return VERDICT_MEANINGLESS;
	while (next_cached(s, &c)) {
		u32 mt = block_type(s->view, c.pfn);
		u32 list = list_for(pcp_list_order(s->view->machine, c.list), mt);

		if (mt == MIGRATE_ISOLATE)
			continue;
		if (c.list != list)
			return breaks(why, "page %u of a %s block went to pcp list %u, not to %u",
				      c.pfn, type_name(mt), c.list, list);
		verdict = VERDICT_HOLDS;
	}
	return verdict;
}

const struct property prop_pcp_list_type = {
	.id = "pcp-list-type",
	.rule = "spec 10.26",
	.sentence =
		"A freed page that is cached goes to the pcp list of its block's type, those of "
		"HighAtomic and CMA blocks to the movable one.",
	.needs = "view, public",
	.promise = PROMISE_ALL,
	.requests = REQUEST_FREES,
	.step = pcp_list_type,
};

/* A page that this step freed into an isolated block, or PFN_NONE. */
static u32 freed_isolated(const struct step *s)
{
	for (const struct event *e = step_find(s, EV_MM_PAGE_FREE, 0); e;
	     e = step_find(s, EV_MM_PAGE_FREE, step_index(s, e) + 1)) {
		if (block_type(s->view, e->pfn) == MIGRATE_ISOLATE)
			return e->pfn;
	}
	return PFN_NONE;
}

static int isolated_not_cached(const struct step *s, char why[WHY_SIZE])
{
	struct cached c = {.list = UINT32_MAX};

	if (s->interleaved || s->events_lost || freed_isolated(s) == PFN_NONE)
		return VERDICT_MEANINGLESS;
	while (next_cached(s, &c)) {
		if (block_type(s->view, c.pfn) == MIGRATE_ISOLATE)
			return breaks(why, "page %u of an isolated block went to pcp list %u",
				      c.pfn, c.list);
	}
	return VERDICT_HOLDS;
}

const struct property prop_isolated_not_cached = {
	.id = "isolated-not-cached",
	.rule = "spec 10.27",
	.sentence = "A page that is freed into an isolated block does not stay on the pcp lists.",
	.needs = "view, public",
	.promise = PROMISE_ALL,
	.requests = REQUEST_FREES,
	.step = isolated_not_cached,
};

/* 7.2 steps 4 to 8: isolated, drained, then tested; nobody can have cached a page in between. */
static int isolated_drained(const struct decision *d, char why[WHY_SIZE])
{
	const struct event *e = d->event;
	u32 pfn;

	/* A drain waits for the CPU whose op this one runs in; an op inside may end the isolation. */
	if (d->nested || d->interleaved || e->pfn >= d->view->nr_pages)
		return VERDICT_MEANINGLESS;
	pfn = cached_in(d->view, d->view->pages[e->pfn].zone, e->pfn, e->a);
	if (pfn != PFN_NONE)
		return breaks(why, "pages %u..%u are isolated and drained, but %u is cached",
			      e->pfn, e->a - 1, pfn);
	return VERDICT_HOLDS;
}

const struct property prop_isolated_drained = {
	.id = "isolated-drained",
	.rule = "spec 10.27, 7.2",
	.sentence =
		"When a contiguous range is tested for being free, nothing of it is left on the "
		"pcp lists.",
	.needs = "view, public",
	.promise = PROMISE_ALL,
	.events = EV_BIT(EV_TEST_PAGES_ISOLATED),
	.decision = isolated_drained,
};

/* ---- 28, 29: limits ------------------------------------------------------ */

/*
 * A pcp that has grown has been refilled, or a page was put on it: both bring high into its band.
 * In a small zone high_min, from the LOW mark, can be above high_max, a part of managed (5.7).
 */
static int pcp_high_band(const struct step *s, char why[WHY_SIZE])
{
	bool frees = REQUEST_BIT(s->request->kind) & REQUEST_FREES;
	int verdict = VERDICT_MEANINGLESS;
	char name[NAME_SIZE];

	if (step_is_blurred(s) || s->request->nolock)
		return VERDICT_MEANINGLESS;
	for (u32 z = 0; z < s->view->machine->nr_zones; z++) {
		const struct per_cpu_pages *pcp = pcp_now(s, z), *before = pcp_before(s, z);

		if (pcp->count <= before->count && !(frees && pcp->count < before->count))
			continue;
		if (pcp->high < min_s32(pcp->high_min, pcp->high_max) ||
		    pcp->high > max_s32(pcp->high_min, pcp->high_max))
			return breaks(why, "%s: high is %d, its limits are %d and %d",
				      zone_name(s->view, z, name), pcp->high, pcp->high_min,
				      pcp->high_max);
		verdict = VERDICT_HOLDS;
	}
	return verdict;
}

const struct property prop_pcp_high_band = {
	.id = "pcp-high-band",
	.rule = "spec 10.28",
	.sentence = "After a refill, and after a free that put a page on the lists, a pcp's high "
		    "lies between its high_min and high_max.",
	.needs = "view",
	.promise = PROMISE_TUNED_PCP,
	.requests = REQUEST_ALLOCATES | REQUEST_BIT(REQUEST_BULK) | REQUEST_FREES | REQUEST_CONTIG,
	.step = pcp_high_band,
};

/* A disabled pcp has a batch of 1, but a free_count from when it had its own. */
static s64 free_count_limit(const struct machine *m, const struct zone *z,
			    const struct per_cpu_pages *pcp)
{
	s64 batch = max_s32(pcp->batch, (s32)z->pageset_batch);
	u32 largest = max_u32(m->pmd_order, PAGE_ALLOC_COSTLY_ORDER);

	return (batch << m->pcp_batch_scale_max) + BIT(largest);
}

static bool pcp_factors(const struct walk *w, char why[WHY_SIZE])
{
	const struct machine *m = w->view->machine;
	char name[NAME_SIZE];
	u32 z;

	for_each_zone (w, z) {
		for (u32 cpu = 0; cpu < m->nr_cpus; cpu++) {
			const struct per_cpu_pages *pcp = view_pcp(w->view, z, cpu);

			if (pcp->alloc_factor < 0 || pcp->alloc_factor > m->pcp_batch_scale_max)
				return fails(why, "%s CPU %u: alloc_factor is %d, at most %u",
					     zone_name(w->view, z, name), cpu, pcp->alloc_factor,
					     m->pcp_batch_scale_max);
			if (pcp->free_count < 0 ||
			    pcp->free_count >= free_count_limit(m, &w->view->zones[z], pcp))
				return fails(why, "%s CPU %u: free_count is %d, below %lld",
					     zone_name(w->view, z, name), cpu, pcp->free_count,
					     (long long)free_count_limit(m, &w->view->zones[z],
									 pcp));
		}
	}
	return true;
}

const struct property prop_pcp_factors = {
	.id = "pcp-factors",
	.rule = "spec 10.29",
	.sentence = "alloc_factor is at most pcp_batch_scale_max, and free_count ends where batch "
		    "times its power is passed.",
	.needs = "view",
	.promise = PROMISE_TUNED_PCP,
	.holds = pcp_factors,
	.judges = JUDGES_ZONES,
};

/* ---- 31: what frees and allocations forget ------------------------------- */

static int free_halves_alloc_factor(const struct step *s, char why[WHY_SIZE])
{
	const struct per_cpu_pages *before, *now;

	if (!freed_to_pcp(s, &before, &now) || !before->alloc_factor)
		return VERDICT_MEANINGLESS;
	if (now->alloc_factor != before->alloc_factor >> 1)
		return breaks(why, "page %u was freed: alloc_factor was %d and is %d",
			      s->request->pfn, before->alloc_factor, now->alloc_factor);
	return VERDICT_HOLDS;
}

const struct property prop_free_halves_alloc_factor = {
	.id = "free-halves-alloc-factor",
	.rule = "spec 10.31",
	.sentence = "A page that is freed to a pcp halves its alloc_factor.",
	.needs = "view, public",
	.promise = PROMISE_TUNED_PCP,
	.requests = REQUEST_BIT(REQUEST_FREE),
	.step = free_halves_alloc_factor,
};

/*
 * Nodes whose kswapd is at work are passed over at first, and the pass begins anew for them. A kernel does not
 * tell of that (harness/kernel/README.md).
 */
static bool may_have_begun_anew(const struct step *s)
{
	return s->view->machine->nr_nodes > 1 &&
	       step_find(s, EV_GPFF, 0)->zone != s->view->pages[s->request->result_pfn].zone;
}

/*
 * In one pass each zone is asked at most once. The one that gives the page was asked; others
 * may have been, before it, or have been below the mark.
 */
static int alloc_halves_free_count(const struct step *s, char why[WHY_SIZE])
{
	const struct request *r = s->request;
	int verdict = VERDICT_MEANINGLESS;
	char name[NAME_SIZE];

	if (step_is_blurred(s) || s->nested || r->result_pfn >= s->view->nr_pages ||
	    !pcp_allows_order(s->view->machine, r->order) || step_count(s, EV_GPFF) != 1 ||
	    (s->seen & (EV_BIT(EV_MM_PAGE_FREE) | EV_BIT(EV_ENV_CALL))) || may_have_begun_anew(s))
		return VERDICT_MEANINGLESS;
	for (u32 z = 0; z < s->view->machine->nr_zones; z++) {
		s32 before = pcp_before(s, z)->free_count, now = pcp_now(s, z)->free_count;
		bool asked = z == s->view->pages[r->result_pfn].zone;

		if (now != before >> 1 && (asked || now != before))
			return breaks(why, "%s: free_count was %d and is %d",
				      zone_name(s->view, z, name), before, now);
		if (asked && before)
			verdict = VERDICT_HOLDS;
	}
	return verdict;
}

const struct property prop_alloc_halves_free_count = {
	.id = "alloc-halves-free-count",
	.rule = "spec 10.31",
	.sentence =
		"An allocation that asks a zone's pcp halves its free_count, whether it finds a "
		"page there or not.",
	.needs = "view, public, inner",
	.promise = PROMISE_TUNED_PCP,
	.requests = REQUEST_ALLOCATES,
	.step = alloc_halves_free_count,
};

/* ---- 32: drains ---------------------------------------------------------- */

/* A pcp list whose ends are not what they were. */
struct changed_list {
	u32 cpu, list;
	struct link was, now; /* next is the first page, prev the last one */
};

/* The first one of the zone; false: there is none. */
static bool find_changed_list(struct changed_list *c, const struct decision *d)
{
	for (u32 cpu = 0; cpu < d->view->machine->nr_cpus; cpu++) {
		const struct link *was = &d->was->pcp_ends[cpu * NR_PCP_LISTS];
		const struct link *now =
			&d->view->links[view_pcp(d->view, d->zone->index, cpu)->lists];
		u32 list = 0;

		if (!memcmp(was, now, NR_PCP_LISTS * sizeof(*now)))
			continue;
		while (was[list].next == now[list].next && was[list].prev == now[list].prev)
			list++;
		*c = (struct changed_list){cpu, list, was[list], now[list]};
		return true;
	}
	return false;
}

/*
 *      first <-> ... <-> x <-> last     drain: last leaves, x is the last one now,
 *                                       first is still the first one
 */
static int drain_from_tail(const struct decision *d, char why[WHY_SIZE])
{
	u32 pfn = d->event->pfn;
	struct changed_list c;

	if (!find_changed_list(&c, d)) {
		/* Between a capture's report and this one the list does not change. */
		if (d->nr_before)
			return VERDICT_MEANINGLESS;
		return breaks(why, "page %u was drained, but no pcp list has other ends", pfn);
	}
	if (c.was.prev != pfn)
		return breaks(why,
			      "page %u was drained from pcp list %u of CPU %u, the last was %u",
			      pfn, c.list, c.cpu, c.was.prev);
	if (c.was.next != pfn && c.now.next != c.was.next)
		return breaks(why,
			      "page %u was drained from pcp list %u of CPU %u: the first was %u "
			      "and is %u",
			      pfn, c.list, c.cpu, c.was.next, c.now.next);
	return VERDICT_HOLDS;
}

const struct property prop_drain_from_tail = {
	.id = "drain-from-tail",
	.rule = "spec 10.32",
	.sentence = "A drain takes the last page of a pcp list, and the first one stays the first.",
	.needs = "view, public",
	.promise = PROMISE_ALL,
	.events = EV_BIT(EV_MM_PAGE_PCPU_DRAIN),
	.decision = drain_from_tail,
};
