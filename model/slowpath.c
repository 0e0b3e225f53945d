/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The slow path (spec 6.1): what a request does after the fast path failed. The
 * numbers in comments are the steps of spec 6.1.
 *
 *      RESTART   2-6    compose the flags, find the preferred zone
 *         |
 *      RETRY     7-8    wake kswapd, look at the free lists
 *         |      9-13   reserves; those that must not block leave here
 *         |      14-17  reclaim, compact
 *         |      18-24  give up, retry, or allow mixed blocks
 *         |      25-27  OOM killer
 *         v
 *      NOPAGE    28-29  the last resort of a request that must not fail
 *
 * Steps return an edge of this graph, NEXT for "go on". The kernel bounds the
 * loop by progress only; here every round burns fuel (spec 6.9).
 */
#include "model/internal.h"

enum edge { NEXT, RETRY, RESTART, NOPAGE, DONE };

/* One request on its way. */
struct slowpath {
	struct alloc_context *ac;
	u32 gfp;
	u32 order;
	u32 alloc_flags;
	bool can_direct_reclaim;
	bool can_compact;
	bool nofail;
	bool costly;
	/* These two outlive a RESTART. */
	bool compact_first;
	bool can_retry_reserves;
	u32 did_some_progress; /* pages, of the last reclaim; 1 after the OOM killer helped */
	u32 no_progress_loops;
	u32 compaction_retries;
	enum compact_result compact_result;
	enum compact_priority compact_priority;
	u32 pfn; /* the page, with DONE */
	enum slowpath_exit exit; /* set with NOPAGE and with DONE */
};

static enum edge nopage(struct slowpath *s, enum slowpath_exit why)
{
	s->exit = why;
	return NOPAGE;
}

/* DONE if @pfn is a page. */
static enum edge done_with(struct slowpath *s, u32 pfn, enum slowpath_exit where)
{
	if (pfn == PFN_NONE)
		return NEXT;
	s->pfn = pfn;
	s->exit = where;
	return DONE;
}

/* Somebody changed the cpuset or the zonelists since RESTART. */
static bool cookies_changed(struct memory *m)
{
	return env_says(m, ENV_CPUSET_COOKIE, NULL) || env_says(m, ENV_ZONELIST_COOKIE, NULL);
}

static u32 first_zones_zonelist(const struct memory *m, const struct alloc_context *ac,
				u32 nodemask)
{
	return next_zones_zonelist(m, ac->zonelist, 0, ac->highest_zoneidx, nodemask);
}

static bool in_interrupt(const struct memory *m)
{
	return task_is(m, TASK_IN_INTERRUPT | TASK_IN_SOFTIRQ);
}

/* ---- flags (spec 1.6 b, c) ----------------------------------------------- */

static u32 alloc_flags_slowpath(const struct memory *m, const struct slowpath *s)
{
	u32 flags = ALLOC_WMARK_MIN | ALLOC_CPUSET;

	if (s->gfp & __GFP_HIGH)
		flags |= ALLOC_MIN_RESERVE;
	if (s->gfp & __GFP_KSWAPD_RECLAIM)
		flags |= ALLOC_KSWAPD;
	if (!s->can_direct_reclaim) {
		if (!(s->gfp & __GFP_NOMEMALLOC)) {
			flags |= ALLOC_NON_BLOCK;
			if (s->order && (s->gfp & __GFP_HIGH))
				flags |= ALLOC_HIGHATOMIC;
		}
		/* Better a page of a foreign node than a failure in an interrupt. */
		if (flags & ALLOC_MIN_RESERVE)
			flags &= ~ALLOC_CPUSET;
	} else if (task_is(m, TASK_RT) && !in_interrupt(m)) {
		flags |= ALLOC_MIN_RESERVE;
	}
	if (s->ac->migratetype == MIGRATE_MOVABLE && m->machine.config_cma)
		flags |= ALLOC_CMA;
	if (defrag_mode(m))
		flags |= m->alloc_nofragment;
	return flags | s->ac->alloc_flags;
}

static u32 __gfp_pfmemalloc_flags(const struct memory *m, u32 gfp)
{
	if (gfp & __GFP_NOMEMALLOC)
		return 0;
	if (gfp & __GFP_MEMALLOC)
		return ALLOC_NO_WATERMARKS;
	if (task_is(m, TASK_IN_SOFTIRQ) && task_is(m, TASK_PF_MEMALLOC))
		return ALLOC_NO_WATERMARKS;
	if (in_interrupt(m))
		return 0;
	if (task_is(m, TASK_PF_MEMALLOC))
		return ALLOC_NO_WATERMARKS;
	return task_is(m, TASK_OOM_VICTIM) ? ALLOC_OOM : 0;
}

/* ---- RESTART ------------------------------------------------------------- */

/* Steps 2-6. */
static enum edge restart(struct memory *m, struct slowpath *s)
{
	struct alloc_context *ac = s->ac;

	s->compaction_retries = 0;
	s->no_progress_loops = 0;
	s->compact_result = COMPACT_SKIPPED;
	s->compact_priority = COMPACT_PRIO_SYNC_LIGHT;
	if (s->can_compact && (s->costly || (s->order && ac->migratetype != MIGRATE_MOVABLE))) {
		s->compact_first = true;
		s->compact_priority = COMPACT_PRIO_ASYNC;
	}
	s->alloc_flags = alloc_flags_slowpath(m, s);

	/* The fast path may have used another nodemask. */
	ac->preferred = first_zones_zonelist(m, ac, ac->nodemask);
	if (ac->preferred >= ac->zonelist->nr)
		return nopage(s, SLOW_EXIT_NO_ZONE);
	if (task_is(m, TASK_CPUSETS_INSANE) && (s->gfp & __GFP_HARDWALL) &&
	    first_zones_zonelist(m, ac, m->global->task.mems_allowed) >= ac->zonelist->nr)
		return nopage(s, SLOW_EXIT_CPUSET_INSANE);
	return RETRY;
}

/* ---- RETRY --------------------------------------------------------------- */

static void wake_all_kswapds(struct memory *m, const struct slowpath *s)
{
	const struct alloc_context *ac = s->ac;
	u32 order = defrag_mode(m) ? max_u32(s->order, m->pageblock_order) : s->order;
	u32 last_node = MACHINE_MAX_NODES;
	u32 pos;

	for_each_zone_ac (m, ac, 0, pos) {
		struct zone *z = zonelist_zone(m, ac->zonelist, pos);

		if (!z->managed_pages || z->node == last_node)
			continue;
		last_node = z->node;
		wakeup_kswapd(m, z, s->gfp, order, ac->highest_zoneidx);
	}
}

/* Steps 7-8. */
static enum edge wake_and_look(struct memory *m, struct slowpath *s)
{
	if (s->alloc_flags & ALLOC_KSWAPD)
		wake_all_kswapds(m, s);
	return done_with(s, get_page_from_freelist(m, s->gfp, s->order, s->alloc_flags, s->ac),
			 SLOW_EXIT_GPFF);
}

/*
 * Steps 9-10: those that may use reserves, or need not keep to the cpuset, look
 * once more, with all nodes and with what they may use. The new flags keep
 * almost nothing of the old ones.
 */
static enum edge use_reserves(struct memory *m, struct slowpath *s)
{
	u32 reserve_flags = __gfp_pfmemalloc_flags(m, s->gfp);
	struct alloc_context *ac = s->ac;

	if (reserve_flags) {
		u32 cma =
			ac->migratetype == MIGRATE_MOVABLE && m->machine.config_cma ? ALLOC_CMA : 0;

		s->alloc_flags =
			cma | reserve_flags | ac->alloc_flags | (s->alloc_flags & ALLOC_KSWAPD);
	}
	if ((s->alloc_flags & ALLOC_CPUSET) && !reserve_flags)
		return NEXT;
	ac->nodemask = NODEMASK_NULL;
	ac->preferred = first_zones_zonelist(m, ac, NODEMASK_NULL);
	if (!s->can_retry_reserves)
		return NEXT;
	s->can_retry_reserves = false;
	return RETRY;
}

/* Steps 11-12. */
static enum edge may_block(struct memory *m, struct slowpath *s)
{
	if (!s->can_direct_reclaim) {
		bool relax = defrag_mode(m) && (s->alloc_flags & ALLOC_NOFRAGMENT) &&
			     (s->gfp & __GFP_KSWAPD_RECLAIM);

		/* V2: whoever has a fallback leaves the blocks unmixed. */
		if (m->machine.policy.v2 && (s->gfp & __GFP_NORETRY))
			relax = false;
		if (!relax)
			return nopage(s, SLOW_EXIT_NO_DIRECT_RECLAIM);
		s->alloc_flags &= ~ALLOC_NOFRAGMENT;
		return RETRY;
	}
	/* Reclaim must not recurse. */
	if (task_is(m, TASK_PF_MEMALLOC))
		return nopage(s, SLOW_EXIT_PF_MEMALLOC);
	return NEXT;
}

/* Steps 14-17. */
static enum edge reclaim_and_compact(struct memory *m, struct slowpath *s)
{
	const u32 local_only = __GFP_NORETRY | __GFP_THISNODE;
	struct alloc_context *ac = s->ac;
	u32 pfn;

	/* Without mixing, a request that is not movable needs a whole block: ask for one. */
	ac->reclaim_compact_order = s->order;
	if ((s->alloc_flags & ALLOC_NOFRAGMENT) && ac->migratetype != MIGRATE_MOVABLE)
		ac->reclaim_compact_order = max_u32(s->order, m->pageblock_order);

	if (!s->compact_first) {
		pfn = __alloc_pages_direct_reclaim(m, s->gfp, s->order, s->alloc_flags, ac,
						   &s->did_some_progress);
		if (done_with(s, pfn, SLOW_EXIT_RECLAIM) == DONE)
			return DONE;
	}
	pfn = __alloc_pages_direct_compact(m, s->gfp, s->order, s->alloc_flags, ac,
					   s->compact_priority, &s->compact_result);
	if (done_with(s, pfn, SLOW_EXIT_COMPACT) == DONE)
		return DONE;

	if (!s->compact_first)
		return NEXT;
	/* The local attempt of a huge page: another node is cheaper than reclaim (L4969). */
	if ((s->gfp & local_only) == local_only)
		return nopage(s, SLOW_EXIT_NORETRY_THISNODE);
	if (!(s->gfp & __GFP_NORETRY))
		s->compact_priority = COMPACT_PRIO_SYNC_LIGHT;
	s->compact_first = false;
	return RETRY;
}

/* Steps 18-24. */
static enum edge decide_retry(struct memory *m, struct slowpath *s)
{
	struct alloc_context *ac = s->ac;

	if (s->gfp & __GFP_NORETRY)
		return nopage(s, SLOW_EXIT_NORETRY);
	if (s->costly && (!s->can_compact || !(s->gfp & __GFP_RETRY_MAYFAIL)))
		return nopage(s, SLOW_EXIT_COSTLY);
	if (cookies_changed(m))
		return RESTART;
	if (should_reclaim_retry(m, s->gfp, s->order, ac, s->alloc_flags, s->did_some_progress > 0,
				 &s->no_progress_loops))
		return RETRY;
	if (s->did_some_progress && s->can_compact &&
	    should_compact_retry(m, ac, s->order, s->compact_result, &s->compact_priority,
				 &s->compaction_retries))
		return RETRY;
	if (defrag_mode(m) && (s->alloc_flags & ALLOC_NOFRAGMENT)) {
		s->alloc_flags &= ~ALLOC_NOFRAGMENT;
		/* What failed for a whole block says nothing about the order itself. */
		if (ac->reclaim_compact_order != s->order) {
			s->no_progress_loops = 0;
			s->compaction_retries = 0;
		}
		return RETRY;
	}
	return cookies_changed(m) ? RESTART : NEXT;
}

/* Steps 25-27. */
static enum edge try_oom(struct memory *m, struct slowpath *s)
{
	u32 pfn = __alloc_pages_may_oom(m, s->gfp, s->order, s->ac, &s->did_some_progress);

	if (done_with(s, pfn, SLOW_EXIT_OOM_PAGE) == DONE)
		return DONE;
	/* A victim that has used its reserves gets out of the way. */
	if (task_is(m, TASK_OOM_VICTIM) &&
	    ((s->alloc_flags & ALLOC_OOM) || (s->gfp & __GFP_NOMEMALLOC)))
		return nopage(s, SLOW_EXIT_OOM_VICTIM);
	if (!s->did_some_progress)
		return nopage(s, SLOW_EXIT_NO_OOM_PROGRESS);
	s->no_progress_loops = 0;
	return RETRY;
}

static enum edge retry(struct memory *m, struct slowpath *s)
{
	static enum edge (*const steps[])(struct memory *, struct slowpath *) = {
		wake_and_look, use_reserves, may_block, reclaim_and_compact, decide_retry, try_oom,
	};
	enum edge edge = NEXT;

	for (u32 i = 0; edge == NEXT; i++) {
		nest(m, NEST_SLOWPATH);
		edge = steps[i](m, s);
	}
	return edge;
}

/* ---- NOPAGE -------------------------------------------------------------- */

/* Steps 28-30; s->exit says where the request gave up. */
static enum edge last_resort(struct memory *m, struct slowpath *s)
{
	u32 pfn;

	if (cookies_changed(m))
		return RESTART;
	if (!s->nofail || !s->can_direct_reclaim)
		return DONE;
	pfn = __alloc_pages_cpuset_fallback(m, s->gfp, s->order, ALLOC_MIN_RESERVE, s->ac);
	return done_with(s, pfn, SLOW_EXIT_NOFAIL_PAGE) == DONE ? DONE : RETRY;
}

/* ---- all of it ----------------------------------------------------------- */

static void slowpath_loop(struct memory *m, struct slowpath *s)
{
	enum edge edge = RESTART;

	while (edge != DONE) {
		if (!m->fuel) {
			m->env.report.out_of_fuel = true;
			s->exit = SLOW_EXIT_FUEL;
			return;
		}
		m->fuel--;
		if (edge == RESTART)
			edge = restart(m, s);
		if (edge == RETRY)
			edge = retry(m, s);
		if (edge == NOPAGE)
			edge = last_resort(m, s);
	}
}

u32 __alloc_pages_slowpath(struct memory *m, u32 gfp, u32 order, struct alloc_context *ac)
{
	struct slowpath s = {
		.ac = ac,
		.gfp = gfp,
		.order = order,
		.costly = order > PAGE_ALLOC_COSTLY_ORDER,
		.nofail = gfp & __GFP_NOFAIL,
		.can_retry_reserves = true,
		.pfn = PFN_NONE,
	};

	/* V1: a costly request that has a fallback is not worth reclaim (spec 6.2). */
	if (m->machine.policy.v1 && s.costly && (gfp & __GFP_NORETRY) && !(gfp & __GFP_THISNODE))
		s.gfp &= ~__GFP_DIRECT_RECLAIM;
	s.can_direct_reclaim = s.gfp & __GFP_DIRECT_RECLAIM;
	s.can_compact = s.can_direct_reclaim && m->machine.config_compaction && (gfp & __GFP_IO);

	if (s.nofail && !s.can_direct_reclaim)
		warn(m, WARN_NOFAIL_NO_RECLAIM);
	if (s.nofail && task_is(m, TASK_PF_MEMALLOC))
		warn(m, WARN_NOFAIL_PF_MEMALLOC);
	slowpath_loop(m, &s);
	EMIT(m, EV_SLOWPATH_EXIT, .zone = ZONE_ANY, .order = (s8)order, .pfn = PFN_NONE, .gfp = gfp,
	     .a = s.exit);
	return s.pfn;
}
