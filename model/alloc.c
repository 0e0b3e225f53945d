/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The entries of an allocation and the fast path (spec 1.6 a, 4.1, 4.2).
 *
 *      alloc_pages -> __alloc_frozen_pages -+-> get_page_from_freelist (LOW mark)
 *                                           `-> __alloc_pages_slowpath, which calls
 *                                               get_page_from_freelist again and again
 */
#include "model/internal.h"

/* node_reclaim() does not touch nodes farther than this; topology.h of the kernel. */
#define RECLAIM_DISTANCE 30

/* What get_page_from_freelist() remembers of the node limits while it walks the zones. */
struct node_checks {
	bool skip_kswapd_nodes;
	bool skipped_kswapd_nodes;
	bool last_dirty_ok;
	u32 last_dirty_node;
};

static struct zone *preferred_zone(struct memory *m, const struct alloc_context *ac)
{
	if (ac->preferred >= ac->zonelist->nr)
		return NULL;
	return zonelist_zone(m, ac->zonelist, ac->preferred);
}

/* For events: the zone of a result. */
static u8 zone_of(const struct memory *m, u32 pfn)
{
	return pfn == PFN_NONE ? ZONE_ANY : m->pages[pfn].zone;
}

/* The dirty limit is per node, so it is asked once for each run of zones of a node (L3856). */
static bool dirty_ok(struct memory *m, const struct zone *z, struct node_checks *nc)
{
	if (nc->last_dirty_node != z->node) {
		nc->last_dirty_node = z->node;
		nc->last_dirty_ok = !env_says(m, ENV_NODE_DIRTY, NULL);
	}
	return nc->last_dirty_ok;
}

/* Prefer nodes whose kswapd sleeps: an awake one says that the node is short (L3889). */
static bool kswapd_is_busy(const struct memory *m, const struct zone *z, struct node_checks *nc)
{
	if (!nc->skip_kswapd_nodes || !m->nodes[z->node].kswapd_awake)
		return false;
	nc->skipped_kswapd_nodes = true;
	return true;
}

static bool zone_allows_reclaim(const struct memory *m, const struct zone *local,
				const struct zone *z)
{
	return m->global->sysctl[SYSCTL_NODE_RECLAIM_MODE] &&
	       m->machine.distance[local->node][z->node] <= RECLAIM_DISTANCE;
}

/*
 * Steps 5 - 7 of spec 4.2. A zone that is not known to be below its high mark is
 * taken without a look at the requested one; where the high mark fails, the free
 * path is told to keep less on the pcp lists (BELOW_HIGH).
 */
static bool zone_admits(struct memory *m, struct zone *z, const struct zone *preferred, u32 gfp,
			u32 order, u32 alloc_flags, u32 highest_zoneidx)
{
	u32 mark;

	if (!(z->flags & ZONE_BELOW_HIGH)) {
		mark = wmark_pages(z, WMARK_HIGH);
		if (zone_watermark_fast(m, z, order, mark, highest_zoneidx, alloc_flags))
			return true;
		zone_set_flags(m, z, ZONE_BELOW_HIGH, 0);
	}
	mark = wmark_pages(z, alloc_flags & ALLOC_WMARK_MASK);
	if (zone_watermark_fast(m, z, order, mark, highest_zoneidx, alloc_flags))
		return true;
	if (alloc_flags & ALLOC_NO_WATERMARKS)
		return true;
	return zone_allows_reclaim(m, preferred, z) && node_reclaim(m, z->node, gfp, order) &&
	       zone_watermark_ok(m, z, order, mark, highest_zoneidx, alloc_flags);
}

/*
 * Spec 4.2 ("GPFF"): the first zone of the list that admits the request and has
 * a page for it. NOFRAGMENT is given up before a remote node is used and before
 * the search fails, except under defrag_mode; the caller's flags keep it.
 */
u32 get_page_from_freelist(struct memory *m, u32 gfp, u32 order, u32 alloc_flags,
			   const struct alloc_context *ac)
{
	const struct zonelist *zl = ac->zonelist;
	struct zone *preferred = preferred_zone(m, ac);
	struct node_checks nc = {
		.skip_kswapd_nodes = m->nr_nodes > 1,
		.last_dirty_node = MACHINE_MAX_NODES,
	};
	bool may_drop_nofragment;
	u32 pos, pfn = PFN_NONE;

retry:
	may_drop_nofragment = (alloc_flags & ALLOC_NOFRAGMENT) && !defrag_mode(m);
	EMIT(m, EV_GPFF, .zone = preferred ? preferred->index : ZONE_ANY, .order = (s8)order,
	     .pfn = PFN_NONE, .gfp = gfp, .a = alloc_flags, .b = ac->highest_zoneidx,
	     .c = ac->nodemask);
	for_each_zone_ac (m, ac, ac->preferred, pos) {
		struct zone *z = zonelist_zone(m, zl, pos);

		if ((alloc_flags & ALLOC_CPUSET) && !cpuset_zone_allowed(m, z, gfp))
			continue;
		if (ac->spread_dirty_pages && !dirty_ok(m, z, &nc))
			continue;
		/* Locality is worth more than unmixed blocks (L3866). */
		if (may_drop_nofragment && z->node != preferred->node) {
			alloc_flags &= ~ALLOC_NOFRAGMENT;
			goto retry;
		}
		if (kswapd_is_busy(m, z, &nc))
			continue;
		if (!zone_admits(m, z, preferred, gfp, order, alloc_flags, ac->highest_zoneidx))
			continue;
		pfn = rmqueue(m, preferred, z, order, alloc_flags, ac->migratetype);
		if (pfn != PFN_NONE) {
			prep_new_page(m, pfn, order, gfp, alloc_flags);
			goto out;
		}
	}
	if (nc.skip_kswapd_nodes && nc.skipped_kswapd_nodes) {
		nc.skip_kswapd_nodes = false;
		goto retry;
	}
	if (may_drop_nofragment) {
		alloc_flags &= ~ALLOC_NOFRAGMENT;
		goto retry;
	}
out:
	EMIT(m, EV_GPFF_END, .zone = zone_of(m, pfn), .order = (s8)order, .pfn = pfn, .gfp = gfp,
	     .a = alloc_flags);
	return pfn;
}

u32 current_gfp_context(const struct memory *m, u32 gfp)
{
	if (task_is(m, TASK_NOIO))
		gfp &= ~(__GFP_IO | __GFP_FS);
	else if (task_is(m, TASK_NOFS))
		gfp &= ~__GFP_FS;
	if (task_is(m, TASK_PIN))
		gfp &= ~__GFP_MOVABLE;
	return gfp;
}

/*
 * Without defrag_mode, unmixed blocks are asked for only where a lower zone of
 * the node can take the request instead: the preferred zone is Normal and has a
 * DMA32 zone below it (L3766-3790).
 */
u32 alloc_flags_nofragment(struct memory *m, const struct zone *preferred, u32 gfp)
{
	u32 kswapd = (gfp & __GFP_KSWAPD_RECLAIM) ? ALLOC_KSWAPD : 0;

	if (defrag_mode(m))
		return kswapd | m->alloc_nofragment;
	if (!m->alloc_nofragment || !preferred || preferred->type != ZONE_NORMAL)
		return kswapd;
	/* With a single node the kernel does not look whether that zone has memory. */
	if (m->nr_nodes > 1) {
		const struct zone *below = find_zone(m, preferred->node, ZONE_DMA32);

		if (!below || !below->present_pages)
			return kswapd;
	}
	return kswapd | ALLOC_NOFRAGMENT;
}

/* L5124-5134; the caller's gfp stays as it is, for the slow path. */
static void prepare_cpuset(const struct memory *m, struct alloc_context *ac, u32 *alloc_gfp,
			   u32 *alloc_flags)
{
	*alloc_gfp |= __GFP_HARDWALL;
	if (!task_is(m, TASK_IN_INTERRUPT | TASK_IN_SOFTIRQ) && ac->nodemask == NODEMASK_NULL)
		ac->nodemask = m->global->task.mems_allowed;
	else
		*alloc_flags |= ALLOC_CPUSET;
}

bool prepare_alloc_pages(struct memory *m, u32 gfp, u32 nid, u32 nodemask, struct alloc_context *ac,
			 u32 *alloc_gfp, u32 *alloc_flags)
{
	ac->highest_zoneidx = gfp_zone(m, gfp);
	ac->zonelist = node_zonelist(m, nid, gfp);
	ac->nodemask = nodemask;
	ac->migratetype = gfp_migratetype(m, gfp);
	if (cpusets_enabled(m))
		prepare_cpuset(m, ac, alloc_gfp, alloc_flags);
	if (!(*alloc_flags & ALLOC_NOLOCK) && env_says(m, ENV_FAULT, NULL))
		return false;
	if (ac->migratetype == MIGRATE_MOVABLE && m->machine.config_cma)
		*alloc_flags |= ALLOC_CMA;
	ac->spread_dirty_pages = gfp & __GFP_WRITE;
	ac->preferred = next_zones_zonelist(m, ac->zonelist, 0, ac->highest_zoneidx, ac->nodemask);
	return true;
}

/* L5353. The kernel warns where a caller with locks asks for too much. */
static bool order_is_valid(struct memory *m, u32 gfp, u32 order, u32 alloc_flags)
{
	if (alloc_flags & ALLOC_NOLOCK)
		return pcp_allowed_order(m, order);
	if (order <= m->max_page_order)
		return true;
	if (!(gfp & __GFP_NOWARN))
		warn(m, WARN_ORDER_TOO_LARGE);
	return false;
}

/* Spec 1.6 (a): what a fast path that may take locks has besides its mark. */
static u32 fast_path_flags(struct memory *m, u32 gfp, u32 order, const struct alloc_context *ac)
{
	u32 flags = alloc_flags_nofragment(m, preferred_zone(m, ac), gfp);

	if (order && (gfp & __GFP_HIGH) && !(gfp & (__GFP_DIRECT_RECLAIM | __GFP_NOMEMALLOC)))
		flags |= ALLOC_HIGHATOMIC;
	return flags;
}

u32 __alloc_frozen_pages(struct memory *m, u32 gfp, u32 order, u32 nid, u32 nodemask,
			 u32 alloc_flags)
{
	struct alloc_context ac = {.alloc_flags = alloc_flags};
	bool nolock = alloc_flags & ALLOC_NOLOCK;
	u32 fast_flags = alloc_flags | (nolock ? ALLOC_WMARK_MIN : ALLOC_WMARK_LOW);
	u32 alloc_gfp, pfn;

	if (alloc_flags & ~ALLOC_NOLOCK) {
		warn(m, WARN_BAD_ALLOC_FLAGS);
		return PFN_NONE;
	}
	if (!order_is_valid(m, gfp, order, alloc_flags))
		return PFN_NONE;
	if (nolock) {
		if (!can_trylock(m))
			return PFN_NONE;
		gfp |= GFP_NOLOCK;
	}
	gfp = current_gfp_context(m, gfp);
	alloc_gfp = gfp;
	if (!prepare_alloc_pages(m, gfp, nid, nodemask, &ac, &alloc_gfp, &fast_flags))
		return PFN_NONE;
	if (!nolock)
		fast_flags |= fast_path_flags(m, gfp, order, &ac);

	pfn = get_page_from_freelist(m, alloc_gfp, order, fast_flags, &ac);
	if (pfn == PFN_NONE && !nolock) {
		/* The limits of the fast path end here: dirty spreading and the cpuset's mask. */
		alloc_gfp = gfp;
		ac.spread_dirty_pages = false;
		ac.nodemask = nodemask;
		pfn = __alloc_pages_slowpath(m, gfp, order, &ac);
	}
	/* Also for a failure, and with the caller's gfp whatever the slow path made of it. */
	EMIT(m, EV_MM_PAGE_ALLOC, .zone = zone_of(m, pfn), .order = (s8)order, .pfn = pfn,
	     .gfp = alloc_gfp, .a = ac.migratetype);
	return pfn;
}

static u32 set_page_refcounted(struct memory *m, u32 pfn)
{
	if (pfn != PFN_NONE)
		set_page_count(m, pfn, 1);
	return pfn;
}

u32 alloc_frozen_pages(struct memory *m, u32 gfp, u32 order, u32 nid, u32 nodemask)
{
	return __alloc_frozen_pages(m, gfp, order, nid, nodemask, 0);
}

u32 alloc_pages(struct memory *m, u32 gfp, u32 order, u32 nid, u32 nodemask)
{
	return set_page_refcounted(m, __alloc_frozen_pages(m, gfp, order, nid, nodemask, 0));
}

u32 alloc_pages_nolock(struct memory *m, u32 gfp, u32 nid, u32 order)
{
	return set_page_refcounted(m, __alloc_frozen_pages(m, gfp, order, nid, NODEMASK_NULL,
							   ALLOC_NOLOCK));
}
