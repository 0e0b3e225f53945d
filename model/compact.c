/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Direct compaction and kcompactd, zone by zone: who is tried at all, and who is
 * left alone for a while after it failed (spec 6.5, 5.8). What happens inside a
 * zone is the environment's answer, or compact_zone() in a closed environment.
 *
 *      try_to_compact_pages   for each zone:  deferred?  -> next zone
 *                                             suitable?  -> SUCCESS or SKIPPED at once
 *                                             run, with capture armed
 */
#include "model/internal.h"

/* Below it, a failure is for want of memory and not of order; sysctl default. */
#define EXTFRAG_THRESHOLD 500

/* ---- deferral ------------------------------------------------------------ */

/* A compaction of @order failed: let 2^shift requests pass before the next one. */
static void defer_compaction(struct memory *m, struct zone *z, u32 order)
{
	SET(m, z->compact_considered, 0);
	if (z->compact_defer_shift < COMPACT_MAX_DEFER_SHIFT)
		SET(m, z->compact_defer_shift, z->compact_defer_shift + 1);
	SET(m, z->compact_order_failed, min_s32(z->compact_order_failed, (s32)order));
}

static bool compaction_deferred(struct memory *m, struct zone *z, u32 order)
{
	u32 limit = BIT(z->compact_defer_shift);

	if ((s32)order < z->compact_order_failed)
		return false;
	SET(m, z->compact_considered, min_u32(z->compact_considered + 1, limit));
	return z->compact_considered < limit;
}

/* Compaction of @order succeeded; @alloc_success: and the request got a page. */
void compaction_defer_reset(struct memory *m, struct zone *z, u32 order, bool alloc_success)
{
	if (alloc_success) {
		SET(m, z->compact_considered, 0);
		SET(m, z->compact_defer_shift, 0);
	}
	SET(m, z->compact_order_failed, max_s32(z->compact_order_failed, (s32)order + 1));
}

/* ---- suitability --------------------------------------------------------- */

/*
 * Why would a request of @order fail? Near 0: too little memory; near 1000: it is
 * in pieces; -1000: it would not fail.
 */
static s64 fragmentation_index(const struct memory *m, const struct zone *z, u32 order)
{
	u64 free_pages = 0;
	u64 free_blocks = 0;

	for (u32 o = 0; o <= m->max_page_order; o++) {
		if (o >= order && z->nr_free[o])
			return -1000;
		free_blocks += z->nr_free[o];
		free_pages += (u64)z->nr_free[o] << o;
	}
	if (!free_blocks)
		return 0;
	return 1000 - (s64)((1000 + free_pages * 1000 / BIT(order)) / free_blocks);
}

/* Room to move things: order-0 pages above @mark (spec 5.8). */
static bool __compaction_suitable(const struct memory *m, const struct zone *z, u32 order, u32 mark,
				  u32 highest_zoneidx, u64 free_pages)
{
	mark += compact_gap(order);
	if (order > PAGE_ALLOC_COSTLY_ORDER)
		mark += wmark_pages(z, WMARK_LOW) - wmark_pages(z, WMARK_MIN);
	return __zone_watermark_ok(m, z, 0, mark, highest_zoneidx, ALLOC_CMA, (s64)free_pages);
}

static bool compaction_suitable(const struct memory *m, const struct zone *z, u32 order, u32 mark,
				u32 highest_zoneidx)
{
	s64 index;

	if (!__compaction_suitable(m, z, order, mark, highest_zoneidx,
				   zone_page_state(z, NR_FREE_PAGES)))
		return false;
	if (order <= PAGE_ALLOC_COSTLY_ORDER)
		return true;
	index = fragmentation_index(m, z, order);
	return index < 0 || index > EXTFRAG_THRESHOLD;
}

/* SUCCESS: the page is there already; SKIPPED: no room; CONTINUE: compact. */
static enum compact_result compaction_suit_allocation_order(const struct memory *m,
							    const struct zone *z,
							    const struct compact_control *cc)
{
	u32 mark = wmark_pages(z, cc->alloc_flags & ALLOC_WMARK_MASK);
	u32 item = !cc->direct && defrag_mode(m) ? NR_FREE_PAGES_BLOCKS : NR_FREE_PAGES;

	if (__zone_watermark_ok(m, z, cc->order, mark, cc->highest_zoneidx, cc->alloc_flags,
				(s64)zone_page_state(z, item)))
		return COMPACT_SUCCESS;
	/* Free CMA pages take movable ones, which does not help a request that may not use CMA. */
	if (cc->order > PAGE_ALLOC_COSTLY_ORDER && cc->direct &&
	    cc->priority == COMPACT_PRIO_ASYNC && !(cc->alloc_flags & ALLOC_CMA) &&
	    !zone_watermark_ok(m, z, 0, mark + compact_gap(cc->order), cc->highest_zoneidx, 0))
		return COMPACT_SKIPPED;
	if (!compaction_suitable(m, z, cc->order, mark, cc->highest_zoneidx))
		return COMPACT_SKIPPED;
	return COMPACT_CONTINUE;
}

/*
 * Would compaction have room somewhere if part of the reclaimable pages were free?
 * Where compaction is answered as a whole, nothing is known below it: false.
 */
bool compaction_zonelist_suitable(struct memory *m, const struct alloc_context *ac, u32 order)
{
	u32 pos;

	if (m->machine.env.kind[ENV_COMPACT] == ENV_WHOLE)
		return false;
	for_each_zone_ac (m, ac, 0, pos) {
		const struct zone *z = zonelist_zone(m, ac->zonelist, pos);
		u64 available =
			zone_page_state(z, NR_FREE_PAGES) + zone_reclaimable_pages(z) / order;

		if (__compaction_suitable(m, z, order, wmark_pages(z, WMARK_MIN),
					  ac->highest_zoneidx, available))
			return true;
	}
	return false;
}

/* ---- direct -------------------------------------------------------------- */

/* The compaction of @z, or of everything (NULL), as the case says it went. */
static enum compact_result answer_compaction(struct memory *m, struct zone *z, u32 order, u32 gfp,
					     enum compact_priority priority)
{
	struct answer answer = env_ask(m, ENV_COMPACT, z, (s32)order, gfp, priority);

	if (answer.extra) {
		reclaim_lru(m, z ? BIT(z->index) : UINT32_MAX, answer.extra);
		drain_local_pages(m, z);
	}
	return answer.value;
}

/* Only pages of one zone are captured: where all zones are one call, the preferred one's. */
static void arm_capture(struct memory *m, struct capture_control *capc, struct zone *z)
{
	capc->zone = z;
	m->capture = capc;
}

static enum compact_result disarm_capture(struct memory *m, enum compact_result result)
{
	bool captured = m->capture->pfn != PFN_NONE;

	m->capture = NULL;
	return captured ? COMPACT_SUCCESS : result;
}

static enum compact_result compact_zone_order(struct memory *m, struct zone *z,
					      const struct compact_control *cc,
					      struct capture_control *capc)
{
	enum compact_result result = compaction_suit_allocation_order(m, z, cc);

	if (result != COMPACT_CONTINUE)
		return result;
	arm_capture(m, capc, z);
	if (m->machine.env.kind[ENV_COMPACT] == ENV_CLOSED) {
		result = compact_zone(m, z, cc);
		env_note_call(m, ENV_COMPACT, z, (s32)cc->order, cc->gfp, cc->priority, result);
	} else {
		result = answer_compaction(m, z, cc->order, cc->gfp, cc->priority);
	}
	return disarm_capture(m, result);
}

static enum compact_result compact_zones(struct memory *m, const struct alloc_context *ac,
					 const struct compact_control *cc,
					 struct capture_control *capc)
{
	enum compact_result rc = COMPACT_SKIPPED;
	u32 pos;

	if (!(cc->gfp & __GFP_IO))
		return COMPACT_SKIPPED;
	for_each_zone_ac (m, ac, 0, pos) {
		struct zone *z = zonelist_zone(m, ac->zonelist, pos);
		enum compact_result status;

		if (cpusets_enabled(m) && (cc->alloc_flags & ALLOC_CPUSET) &&
		    !cpuset_zone_allowed(m, z, cc->gfp))
			continue;
		/* The last attempt asks everybody. */
		if (cc->priority > COMPACT_PRIO_SYNC_FULL && compaction_deferred(m, z, cc->order)) {
			rc = rc > COMPACT_DEFERRED ? rc : COMPACT_DEFERRED;
			continue;
		}
		status = compact_zone_order(m, z, cc, capc);
		rc = rc > status ? rc : status;
		if (status == COMPACT_SUCCESS) {
			compaction_defer_reset(m, z, cc->order, false);
			break;
		}
		if (cc->priority != COMPACT_PRIO_ASYNC &&
		    (status == COMPACT_COMPLETE || status == COMPACT_PARTIAL_SKIPPED))
			defer_compaction(m, z, cc->order);
		if (task_is(m, TASK_FATAL_SIGNAL))
			break;
	}
	return rc;
}

enum compact_result try_to_compact_pages(struct memory *m, u32 gfp, u32 order, u32 alloc_flags,
					 const struct alloc_context *ac,
					 enum compact_priority priority,
					 struct capture_control *capc)
{
	struct compact_control cc = {
		.order = order,
		.migratetype = ac->migratetype,
		.gfp = gfp,
		.alloc_flags = alloc_flags,
		.highest_zoneidx = ac->highest_zoneidx,
		.priority = priority,
		.direct = true,
	};
	enum compact_result result;

	if (m->machine.env.kind[ENV_COMPACT] == ENV_WHOLE) {
		/* A request without an eligible zone has none to capture from. */
		bool eligible = ac->preferred < ac->zonelist->nr;

		arm_capture(m, capc,
			    eligible ? zonelist_zone(m, ac->zonelist, ac->preferred) : NULL);
		return disarm_capture(m, answer_compaction(m, NULL, order, gfp, priority));
	}
	result = compact_zones(m, ac, &cc, capc);
	env_note_call(m, ENV_COMPACT, NULL, (s32)order, gfp, priority, result);
	return result;
}

/* ---- kcompactd ----------------------------------------------------------- */

void wakeup_kcompactd(struct memory *m, u32 nid, u32 order, u32 highest_zoneidx)
{
	struct node *node = &m->nodes[nid];

	if (!order || !m->machine.config_compaction)
		return;
	EMIT(m, EV_WAKEUP_KCOMPACTD, .zone = ZONE_ANY, .order = (s8)order, .pfn = PFN_NONE,
	     .a = highest_zoneidx, .b = nid);
	SET(m, node->kcompactd_max_order, (u8)max_u32(node->kcompactd_max_order, order));
	SET(m, node->kcompactd_highest_zoneidx,
	    (u8)min_u32(node->kcompactd_highest_zoneidx, highest_zoneidx));
	SET(m, node->kcompactd_awake, 1);
}

static enum compact_result kcompactd_zone(struct memory *m, struct zone *z,
					  const struct compact_control *cc)
{
	enum compact_result result;

	if (compaction_deferred(m, z, cc->order))
		return COMPACT_DEFERRED;
	result = compaction_suit_allocation_order(m, z, cc);
	if (result != COMPACT_CONTINUE)
		return result;
	result = compact_zone(m, z, cc);
	if (result == COMPACT_SUCCESS) {
		compaction_defer_reset(m, z, cc->order, false);
	} else if (result == COMPACT_COMPLETE) {
		/* Pages on per-cpu lists may be what is missing. */
		drain_all_pages(m, z);
		defer_compaction(m, z, cc->order);
	}
	return result;
}

static void kcompactd_sleep(struct memory *m, u32 nid)
{
	struct node *node = &m->nodes[nid];

	SET(m, node->kcompactd_awake, 0);
	SET(m, node->kcompactd_max_order, 0);
	SET(m, node->kcompactd_highest_zoneidx, MAX_NR_ZONES - 1);
}

/* Woken by nobody, it makes whole blocks. It sleeps after a pass that took no break. */
void kcompactd_run(struct memory *m, u32 nid, u32 blocks)
{
	const struct node *node = &m->nodes[nid];
	struct compact_control cc = {
		.order = node->kcompactd_max_order ? node->kcompactd_max_order : m->pageblock_order,
		.migratetype = MIGRATE_UNMOVABLE,
		.gfp = GFP_KERNEL,
		.alloc_flags = defrag_mode(m) ? ALLOC_WMARK_HIGH : ALLOC_WMARK_MIN,
		.highest_zoneidx = node->kcompactd_highest_zoneidx,
		.priority = COMPACT_PRIO_SYNC_LIGHT,
		.blocks = blocks,
	};
	bool took_break = false;

	if (!m->machine.config_compaction)
		return;
	count_vm_events(m, KCOMPACTD_WAKE, 1);
	for (u32 i = 0; i < m->nr_zones; i++) {
		struct zone *z = &m->zones[i];

		if (z->node != nid || z->type > cc.highest_zoneidx || !z->managed_pages)
			continue;
		if (kcompactd_zone(m, z, &cc) == COMPACT_CONTINUE)
			took_break = true;
	}
	if (!took_break)
		kcompactd_sleep(m, nid);
}
