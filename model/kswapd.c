/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kswapd: who wakes it, and what one pass of it does (spec 5.4, 5.8, 6.1, 6.9).
 *
 * The rule of a pass, which frees at most @max pages:
 *
 *   - free the oldest folios of the node's zones up to the highest one that it was
 *     woken for, SWAP_CLUSTER_MAX pages at a time, until the node is balanced;
 *   - once a compaction gap is freed, order 0 is enough: the rest is kcompactd's;
 *   - take back the boost of each zone;
 *   - sleep and wake kcompactd if the node is balanced now; sleep as well after
 *     MAX_RECLAIM_RETRIES passes in a row that freed nothing ("hopeless").
 */
#include "model/internal.h"

/* First managed zone of the node at or after @index, up to type @highest_zoneidx, or NULL. */
static struct zone *managed_zone_from(struct memory *m, u32 nid, u32 highest_zoneidx, u32 index)
{
	for (u32 i = index; i < m->nr_zones; i++) {
		struct zone *z = &m->zones[i];

		if (z->node == nid && z->type <= highest_zoneidx && z->managed_pages)
			return z;
	}
	return NULL;
}

#define for_each_zone(m, nid, highest_zoneidx, z)                          \
	for ((z) = managed_zone_from((m), (nid), (highest_zoneidx), 0); z; \
	     (z) = managed_zone_from((m), (nid), (highest_zoneidx), (z)->index + 1U))

/*
 * One zone with enough pages will do. Under defrag_mode an order counts in whole
 * free blocks, so that requests need not mix types (spec 5.8).
 */
static bool pgdat_balanced(struct memory *m, u32 nid, u32 order, u32 highest_zoneidx)
{
	u32 item = defrag_mode(m) && order ? NR_FREE_PAGES_BLOCKS : NR_FREE_PAGES;
	bool any = false;
	struct zone *z;

	for_each_zone (m, nid, highest_zoneidx, z) {
		any = true;
		if (__zone_watermark_ok(m, z, order, wmark_pages(z, WMARK_HIGH), highest_zoneidx, 0,
					(s64)zone_page_state(z, item)))
			return true;
	}
	return !any;
}

static bool pgdat_watermark_boosted(struct memory *m, u32 nid, u32 highest_zoneidx)
{
	struct zone *z;

	for_each_zone (m, nid, highest_zoneidx, z) {
		if (z->watermark_boost)
			return true;
	}
	return false;
}

/* ---- wake ---------------------------------------------------------------- */

static bool kswapd_is_hopeless(const struct node *node)
{
	return node->kswapd_failures >= MAX_RECLAIM_RETRIES;
}

/* What kswapd is asked for grows until it has slept. */
static void raise_kswapd_target(struct memory *m, struct node *node, u32 order, u32 highest_zoneidx)
{
	if (node->kswapd_highest_zoneidx == MAX_NR_ZONES ||
	    node->kswapd_highest_zoneidx < highest_zoneidx)
		SET(m, node->kswapd_highest_zoneidx, (u8)highest_zoneidx);
	if (node->kswapd_order < order)
		SET(m, node->kswapd_order, (u8)order);
}

/* The kernel's own decision (vmscan.c:7578); true: kswapd is to be woken. */
static bool kswapd_is_needed(struct memory *m, const struct zone *z, u32 gfp, u32 order,
			     u32 highest_zoneidx)
{
	struct node *node = &m->nodes[z->node];

	if (!z->managed_pages || (cpusets_enabled(m) && !cpuset_zone_allowed(m, z, gfp)))
		return false;
	raise_kswapd_target(m, node, order, highest_zoneidx);
	if (node->kswapd_awake)
		return false;
	if (!kswapd_is_hopeless(node) && (!pgdat_balanced(m, z->node, order, highest_zoneidx) ||
					  pgdat_watermark_boosted(m, z->node, highest_zoneidx)))
		return true;
	/* There are pages, only not in one piece, and the caller will not compact. */
	if (!(gfp & __GFP_DIRECT_RECLAIM))
		wakeup_kcompactd(m, z->node, order, highest_zoneidx);
	return false;
}

void wakeup_kswapd(struct memory *m, struct zone *z, u32 gfp, u32 order, u32 highest_zoneidx)
{
	struct node *node = &m->nodes[z->node];
	u8 kind = m->machine.env.kind[ENV_WAKE];
	bool awake = true;

	m->env.report.kswapd_wakes++;
	EMIT(m, EV_WAKEUP_KSWAPD, .zone = z->index, .order = (s8)order, .pfn = PFN_NONE, .gfp = gfp,
	     .a = highest_zoneidx, .b = z->node);
	if (kind != ENV_WHOLE) {
		if (!kswapd_is_needed(m, z, gfp, order, highest_zoneidx))
			return;
		EMIT(m, EV_MM_VMSCAN_WAKEUP_KSWAPD, .zone = z->index, .order = (s8)order,
		     .pfn = PFN_NONE, .gfp = gfp, .a = z->node, .b = highest_zoneidx);
	}
	if (kind == ENV_CLOSED)
		env_note_call(m, ENV_WAKE, z, (s32)order, gfp, highest_zoneidx, awake);
	else
		awake = env_ask(m, ENV_WAKE, z, (s32)order, gfp, highest_zoneidx).value;
	if (awake && !node->kswapd_awake)
		SET(m, node->kswapd_awake, 1);
}

/* ---- a pass -------------------------------------------------------------- */

/* Pages freed; *@order becomes 0 where the rest is kcompactd's work. */
static u32 kswapd_shrink_node(struct memory *m, u32 nid, u32 *order, u32 highest_zoneidx, u32 max)
{
	u32 gap = min_u32(compact_gap(*order), max);
	u32 zone_mask = 0;
	u32 freed = 0;
	struct zone *z;

	for_each_zone (m, nid, highest_zoneidx, z) {
		zone_mask |= BIT(z->index);
		zone_set_flags(m, z, ZONE_RECLAIM_ACTIVE, 0);
	}
	while (freed < max && !pgdat_balanced(m, nid, *order, highest_zoneidx)) {
		u32 nr = reclaim_lru(m, zone_mask, min_u32(SWAP_CLUSTER_MAX, max - freed));

		if (!nr)
			break;
		freed += nr;
		if (freed >= gap)
			*order = 0;
	}
	for_each_zone (m, nid, highest_zoneidx, z)
		zone_set_flags(m, z, 0, ZONE_RECLAIM_ACTIVE);
	return freed;
}

/* By what it was when the pass began, which is all of it: nothing boosts during a pass. */
static void lower_boosts(struct memory *m, u32 nid, u32 highest_zoneidx)
{
	struct zone *z;

	for_each_zone (m, nid, highest_zoneidx, z) {
		if (!z->watermark_boost)
			continue;
		zone_lock(m, z);
		SET(m, z->watermark_boost, 0);
		zone_unlock(m, z);
	}
	/* The boost said that types are being mixed: make whole blocks. */
	wakeup_kcompactd(m, nid, m->pageblock_order, highest_zoneidx);
}

static void kswapd_sleep(struct memory *m, u32 nid)
{
	struct node *node = &m->nodes[nid];

	SET(m, node->kswapd_awake, 0);
	SET(m, node->kswapd_order, 0);
	SET(m, node->kswapd_highest_zoneidx, MAX_NR_ZONES);
}

void kswapd_run(struct memory *m, u32 nid, u32 max)
{
	struct node *node = &m->nodes[nid];
	u32 highest_zoneidx = min_u32(node->kswapd_highest_zoneidx, MAX_NR_ZONES - 1);
	u32 wanted_order = node->kswapd_order;
	u32 order = wanted_order;
	u32 freed;

	count_vm_events(m, PAGEOUTRUN, 1);
	freed = kswapd_shrink_node(m, nid, &order, highest_zoneidx, max ? max : UINT32_MAX);
	if (pgdat_watermark_boosted(m, nid, highest_zoneidx))
		lower_boosts(m, nid, highest_zoneidx);

	if (freed && node->kswapd_failures)
		SET(m, node->kswapd_failures, 0);
	if (pgdat_balanced(m, nid, order, highest_zoneidx)) {
		kswapd_sleep(m, nid);
		wakeup_kcompactd(m, nid, wanted_order, highest_zoneidx);
		return;
	}
	if (!freed && !kswapd_is_hopeless(node))
		SET(m, node->kswapd_failures, (u16)(node->kswapd_failures + 1));
	if (kswapd_is_hopeless(node))
		kswapd_sleep(m, nid);
}
