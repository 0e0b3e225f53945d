// SPDX-License-Identifier: GPL-2.0-only
/*
 * The environment (spec 6.9, model/environment.h): what page_alloc.c calls outside of itself and the
 * case answers, in the same three ways and with the same rules as the port's vmscan.c, kswapd.c and
 * oom.c. What is freed goes through the kernel's own free path.
 */
#include "side.h"

unsigned int env_ask(unsigned int call, struct zone *z, int order, gfp_t gfp, unsigned int arg,
		     unsigned int *extra)
{
	unsigned int ignored;

	return side.host.ask(call, zone_number(z), order, gfp_from_kernel(gfp), arg,
			     extra ? extra : &ignored);
}

static void env_note(unsigned int call, struct zone *z, int order, gfp_t gfp, unsigned int arg,
		     unsigned int answer)
{
	side.host.note(call, zone_number(z), order, gfp_from_kernel(gfp), arg, answer);
}

static bool is_closed(unsigned int call)
{
	return side.machine.env_kind[call] == ENV_CLOSED;
}

/* ---- the one LRU --------------------------------------------------------- */

#define UNRECLAIMABLE (SIDE_PG_PINNED | SIDE_PG_MLOCKED | SIDE_PG_HUGETLB | SIDE_PG_HWPOISON)

static bool folio_is_reclaimable(struct page *page, unsigned int zone_mask)
{
	return (zone_mask & (1U << zone_number(page_zone(page)))) &&
	       !(side_marks(page) & UNRECLAIMABLE) && page_ref_count(page) == 1;
}

unsigned int reclaim_lru(unsigned int zone_mask, unsigned int nr)
{
	struct page *page, *next;
	unsigned int freed = 0;

	list_for_each_entry_safe(page, next, &side.lru, lru) {
		unsigned int order = side_order(page);

		if (freed >= nr)
			break;
		if (!folio_is_reclaimable(page, zone_mask))
			continue;
		EMIT(EV_ENV_FREED, .zone = zone_number(page_zone(page)), .order = order,
		     .pfn = page_to_pfn(page));
		side_put_page(page, order);
		freed += 1U << order;
	}
	return freed;
}

unsigned long zone_reclaimable_pages(struct zone *z)
{
	unsigned long pages = 0;

	for (int lru = LRU_INACTIVE_ANON; lru <= LRU_ACTIVE_FILE; lru++)
		pages += zone_page_state(z, NR_ZONE_LRU_BASE + lru);
	return pages;
}

/* ---- direct reclaim ------------------------------------------------------ */

static unsigned int reclaim_zone_mask(struct zonelist *zonelist, gfp_t gfp, K_CONST_MASK *nodemask)
{
	struct zoneref *ref;
	struct zone *z;
	unsigned int mask = 0;

	for_each_zone_zonelist_nodemask(z, ref, zonelist, gfp_zone(gfp), nodemask)
		if (cpuset_zone_allowed(z, GFP_KERNEL | __GFP_HARDWALL))
			mask |= 1U << zone_number(z);
	return mask;
}

static void revive_kswapds(unsigned int zone_mask)
{
	for (unsigned int i = 0; i < side.machine.nr_zones; i++)
		if (zone_mask & (1U << i))
			side.daemons[zone_to_nid(side.zones[i])].kswapd_failures = 0;
}

unsigned long try_to_free_pages(struct zonelist *zonelist, int order, gfp_t gfp,
				K_CONST_MASK *nodemask)
{
	unsigned int highest = gfp_zone(gfp);
	unsigned int mask = reclaim_zone_mask(zonelist, gfp, nodemask);
	unsigned int progress, extra;

	EMIT(EV_MM_VMSCAN_DIRECT_RECLAIM_BEGIN, .order = order, .gfp = gfp_from_kernel(gfp));
	__count_zid_vm_events(ALLOCSTALL, highest, 1);
	side_nest(NEST_RECLAIM);
	if (is_closed(ENV_RECLAIM)) {
		progress = reclaim_lru(mask, SWAP_CLUSTER_MAX);
		if (progress)
			revive_kswapds(mask);
		env_note(ENV_RECLAIM, NULL, order, gfp, highest, progress);
	} else {
		progress = env_ask(ENV_RECLAIM, NULL, order, gfp, highest, &extra);
		reclaim_lru(mask, extra);
	}
	side_nest(NEST_RECLAIM);
	EMIT(EV_MM_VMSCAN_DIRECT_RECLAIM_END, .a = progress);
	return progress;
}

K_NODE_RECLAIM node_reclaim(struct pglist_data *node, gfp_t gfp, unsigned int order)
{
	unsigned int mask = 0, extra, answer;

	if (!(gfp & __GFP_DIRECT_RECLAIM) || side_task.flags & PF_MEMALLOC)
		return K_NODE_RECLAIMED(0);
	answer = env_ask(ENV_NODE_RECLAIM, NULL, order, gfp, node->node_id, &extra);
	for (unsigned int i = 0; i < side.machine.nr_zones; i++)
		if (side.zones[i]->zone_pgdat == node)
			mask |= 1U << i;
	reclaim_lru(mask, extra);
	return K_NODE_RECLAIMED(answer);
}

bool node_dirty_ok(struct pglist_data *node)
{
	return !env_ask(ENV_NODE_DIRTY, NULL, -1, 0, 0, NULL);
}

/* ---- the OOM killer ------------------------------------------------------ */

#define OOM_CURRENT_IS_VICTIM (1U << 31)

bool out_of_memory(struct oom_control *oc)
{
	unsigned int killed, extra;

	if (is_closed(ENV_OOM)) {
		killed = reclaim_lru(~0U, SWAP_CLUSTER_MAX) != 0;
		env_note(ENV_OOM, NULL, oc->order, oc->gfp_mask, 0, killed);
		return killed;
	}
	killed = env_ask(ENV_OOM, NULL, oc->order, oc->gfp_mask, 0, &extra);
	if (extra & OOM_CURRENT_IS_VICTIM)
		side_set_task(side.task_flags | SIDE_OOM_VICTIM);
	reclaim_lru(~0U, extra & ~OOM_CURRENT_IS_VICTIM);
	return killed;
}

/* ---- direct compaction, answered as a whole ------------------------------ */

static enum compact_result compact_whole(gfp_t gfp, unsigned int order,
					 enum compact_priority priority, struct page **captured)
{
	unsigned int extra;
	enum compact_result result;

	side_nest(NEST_COMPACT);
	result = env_ask(ENV_COMPACT, NULL, order, gfp, priority, &extra);
	if (extra) {
		reclaim_lru(~0U, extra);
		drain_local_pages(NULL);
	}
	side_nest(NEST_COMPACT);
	return *captured ? COMPACT_SUCCESS : result;
}

#ifdef HAVE_CAPTURE_ZONE
enum compact_result side_try_to_compact_pages(gfp_t gfp, unsigned int order,
					      unsigned int alloc_flags,
					      const struct alloc_context *ac,
					      enum compact_priority priority,
					      struct capture_control *capc)
{
	capc->zone = zonelist_zone(ac->preferred_zoneref);
	return compact_whole(gfp, order, priority, &capc->page);
}
#else
/* Where compact_zone_order() lets pages be captured. */
enum compact_result side_try_to_compact_pages(gfp_t gfp, unsigned int order,
					      unsigned int alloc_flags,
					      const struct alloc_context *ac,
					      enum compact_priority priority, struct page **capture)
{
	struct compact_control cc = {
		.order = order,
		.zone = zonelist_zone(ac->preferred_zoneref),
		.migratetype = gfp_migratetype(gfp),
	};
	struct capture_control capc = {.cc = &cc};
	enum compact_result result;

	side_task.capture_control = &capc;
	result = compact_whole(gfp, order, priority, &capc.page);
	side_task.capture_control = NULL;
	*capture = capc.page;
	return result;
}
#endif

/* Below a compaction that is answered as a whole nothing is known. */
bool side_compaction_zonelist_suitable(void)
{
	return false;
}

/* ---- kswapd -------------------------------------------------------------- */

/* zone->lock is not looked at; a zone without pages never fails. */
static bool pgdat_balanced(unsigned int nid, unsigned int order, unsigned int highest)
{
	bool any = false;

	for (unsigned int i = 0; i < side.machine.nr_zones; i++) {
		struct zone *z = side.zones[i];
		unsigned long free;

		if (zone_to_nid(z) != nid || zone_idx(z) > highest || !managed_zone(z))
			continue;
		any = true;
#ifdef HAVE_FREE_PAGES_BLOCKS
		free = zone_page_state(z, side_defrag_mode() && order ? NR_FREE_PAGES_BLOCKS :
								       NR_FREE_PAGES);
#else
		free = zone_page_state(z, NR_FREE_PAGES);
#endif
		if (__zone_watermark_ok(z, order, high_wmark_pages(z), highest, 0, free))
			return true;
	}
	return !any;
}

static bool pgdat_boosted(unsigned int nid, unsigned int highest)
{
	for (unsigned int i = 0; i < side.machine.nr_zones; i++)
		if (zone_to_nid(side.zones[i]) == nid && zone_idx(side.zones[i]) <= highest &&
		    managed_zone(side.zones[i]) && side.zones[i]->watermark_boost)
			return true;
	return false;
}

/* As the kernel's own; nothing runs until the op has ended. */
static void side_wakeup_kcompactd(unsigned int nid, unsigned int order, unsigned int highest)
{
	struct side_daemons *d = &side.daemons[nid];

	if (!order)
		return;
	EMIT(EV_WAKEUP_KCOMPACTD, .order = order, .a = highest, .b = nid);
	if (d->kcompactd_max_order < order)
		d->kcompactd_max_order = order;
	if (d->kcompactd_highest_zoneidx > highest)
		d->kcompactd_highest_zoneidx = highest;
	d->kcompactd_awake = 1;
}

/* An awake kswapd does not wait on its queue; a sleeping one is the queue's only entry. */
static void kswapd_set_awake(unsigned int nid, bool awake)
{
	static struct list_head waiter[SIDE_MAX_NODES];
	struct list_head *queue = &node_data[nid]->kswapd_wait.head;

	if (awake && !list_empty(queue))
		list_del_init(queue->next);
	if (!awake && list_empty(queue)) {
		INIT_LIST_HEAD(&waiter[nid]);
		list_add(&waiter[nid], queue);
	}
	side.daemons[nid].kswapd_awake = awake;
}

void side_kswapd_boot(unsigned int nid)
{
	INIT_LIST_HEAD(&node_data[nid]->kswapd_wait.head);
	kswapd_set_awake(nid, false);
	side.daemons[nid].kswapd_highest_zoneidx = MAX_SIDE_ZONES;
}

static bool kswapd_is_hopeless(const struct side_daemons *d)
{
	return d->kswapd_failures >= MAX_RECLAIM_RETRIES;
}

static bool kswapd_is_needed(struct zone *z, gfp_t gfp, unsigned int order, unsigned int highest)
{
	unsigned int nid = zone_to_nid(z);
	struct side_daemons *d = &side.daemons[nid];

	if (!managed_zone(z) || !cpuset_zone_allowed(z, gfp))
		return false;
	if (d->kswapd_highest_zoneidx == MAX_SIDE_ZONES || d->kswapd_highest_zoneidx < highest)
		d->kswapd_highest_zoneidx = highest;
	if (d->kswapd_order < order)
		d->kswapd_order = order;
	if (d->kswapd_awake)
		return false;
	if (!kswapd_is_hopeless(d) &&
	    (!pgdat_balanced(nid, order, highest) || pgdat_boosted(nid, highest)))
		return true;
	if (!(gfp & __GFP_DIRECT_RECLAIM))
		side_wakeup_kcompactd(nid, order, highest);
	return false;
}

void wakeup_kswapd(struct zone *z, gfp_t gfp, int order, enum zone_type highest)
{
	unsigned int kind = side.machine.env_kind[ENV_WAKE];
	unsigned int nid = zone_to_nid(z);
	bool awake = true;

	EMIT(EV_WAKEUP_KSWAPD, .zone = zone_number(z), .order = order, .gfp = gfp_from_kernel(gfp),
	     .a = highest, .b = nid);
	side.kswapd_wakes++;
	if (kind != ENV_WHOLE) {
		if (!kswapd_is_needed(z, gfp, order, highest))
			return;
		EMIT(EV_MM_VMSCAN_WAKEUP_KSWAPD, .zone = zone_number(z), .order = order,
		     .gfp = gfp_from_kernel(gfp), .a = nid, .b = highest);
	}
	if (kind == ENV_CLOSED)
		env_note(ENV_WAKE, z, order, gfp, highest, awake);
	else
		awake = env_ask(ENV_WAKE, z, order, gfp, highest, NULL);
	if (awake)
		kswapd_set_awake(nid, true);
}

bool kswapd_test_hopeless(pg_data_t *node)
{
	return kswapd_is_hopeless(&side.daemons[node->node_id]);
}

#ifdef HAVE_KSWAPD_CLEAR_HOPELESS
void kswapd_clear_hopeless(pg_data_t *node, enum kswapd_clear_hopeless_reason reason)
{
	side.daemons[node->node_id].kswapd_failures = 0;
}
#endif

static unsigned int kswapd_shrink_node(unsigned int nid, unsigned int *order, unsigned int highest,
				       unsigned int max)
{
	unsigned int gap = min_t(unsigned int, compact_gap(*order), max);
	unsigned int mask = 0, freed = 0;

	for (unsigned int i = 0; i < side.machine.nr_zones; i++) {
		struct zone *z = side.zones[i];

		if (zone_to_nid(z) != nid || zone_idx(z) > highest || !managed_zone(z))
			continue;
		mask |= 1U << i;
		set_bit(ZONE_RECLAIM_ACTIVE, &z->flags);
	}
	while (freed < max && !pgdat_balanced(nid, *order, highest)) {
		unsigned int nr = reclaim_lru(mask, min(SWAP_CLUSTER_MAX, (unsigned long)(max - freed)));

		if (!nr)
			break;
		freed += nr;
		if (freed >= gap)
			*order = 0;
	}
	for (unsigned int i = 0; i < side.machine.nr_zones; i++)
		if (mask & (1U << i))
			clear_bit(ZONE_RECLAIM_ACTIVE, &side.zones[i]->flags);
	return freed;
}

static void lower_boosts(unsigned int nid, unsigned int highest)
{
	unsigned long flags;

	for (unsigned int i = 0; i < side.machine.nr_zones; i++) {
		struct zone *z = side.zones[i];

		if (zone_to_nid(z) != nid || zone_idx(z) > highest || !managed_zone(z) ||
		    !z->watermark_boost)
			continue;
		spin_lock_irqsave(&z->lock, flags);
		z->watermark_boost = 0;
		spin_unlock_irqrestore(&z->lock, flags);
	}
	side_wakeup_kcompactd(nid, pageblock_order, highest);
}

static void kswapd_sleep(unsigned int nid)
{
	kswapd_set_awake(nid, false);
	side.daemons[nid].kswapd_order = 0;
	side.daemons[nid].kswapd_highest_zoneidx = MAX_SIDE_ZONES;
}

void side_kswapd_run(unsigned int nid, unsigned int max)
{
	struct side_daemons *d = &side.daemons[nid];
	unsigned int highest = min_t(unsigned int, d->kswapd_highest_zoneidx, MAX_SIDE_ZONES - 1);
	unsigned int wanted = d->kswapd_order;
	unsigned int order = wanted;
	unsigned int freed;

	count_vm_event(PAGEOUTRUN);
	freed = kswapd_shrink_node(nid, &order, highest, max ? max : ~0U);
	if (pgdat_boosted(nid, highest))
		lower_boosts(nid, highest);
	if (freed)
		d->kswapd_failures = 0;
	if (pgdat_balanced(nid, order, highest)) {
		kswapd_sleep(nid);
		side_wakeup_kcompactd(nid, wanted, highest);
		return;
	}
	if (!freed && !kswapd_is_hopeless(d))
		d->kswapd_failures++;
	if (kswapd_is_hopeless(d))
		kswapd_sleep(nid);
}

/* Whoever was woken in a closed environment works a little after each op. */
void side_end_op(void)
{
	if (!is_closed(ENV_WAKE) || !side.machine.kswapd_pages)
		return;
	for (unsigned int nid = 0; nid < side.machine.nr_nodes; nid++)
		if (side.daemons[nid].kswapd_awake)
			side_kswapd_run(nid, side.machine.kswapd_pages);
}
