/* SPDX-License-Identifier: GPL-2.0-only */
/* Is another round of the slow path worth it? (spec 6.6, 6.7) */
#include "model/internal.h"

/* The request works for a whole block instead of its own order (spec 6.1 step 14). */
static bool order_defrag_promoted(const struct alloc_context *ac, u32 order)
{
	return ac->reclaim_compact_order != order;
}

/* If all that can be reclaimed were free, would the MIN mark of some zone pass? */
static bool some_zone_could_pass(struct memory *m, u32 gfp, u32 order,
				 const struct alloc_context *ac, u32 alloc_flags, u32 loops)
{
	u32 pos;

	for_each_zone_ac (m, ac, 0, pos) {
		const struct zone *z = zonelist_zone(m, ac->zonelist, pos);
		u64 reclaimable = zone_reclaimable_pages(z);
		u64 available = reclaimable + zone_page_state(z, NR_FREE_PAGES);
		u32 min = wmark_pages(z, WMARK_MIN);
		bool ok;

		if (cpusets_enabled(m) && (alloc_flags & ALLOC_CPUSET) &&
		    !cpuset_zone_allowed(m, z, gfp))
			continue;
		ok = __zone_watermark_ok(m, z, order, min, ac->highest_zoneidx, alloc_flags,
					 (s64)available);
		EMIT(m, EV_RECLAIM_RETRY_ZONE, .zone = z->index, .order = (s8)order,
		     .pfn = (u32)reclaimable, .gfp = ok, .a = (u32)available, .b = min, .c = loops);
		if (ok)
			return true;
	}
	return false;
}

bool should_reclaim_retry(struct memory *m, u32 gfp, u32 order, struct alloc_context *ac,
			  u32 alloc_flags, bool did_some_progress, u32 *no_progress_loops)
{
	/* Freed order-0 pages are no progress for those that need a run of them. */
	if (did_some_progress && order <= PAGE_ALLOC_COSTLY_ORDER &&
	    !order_defrag_promoted(ac, order))
		*no_progress_loops = 0;
	else
		++*no_progress_loops;

	if (*no_progress_loops <= MAX_RECLAIM_RETRIES &&
	    some_zone_could_pass(m, gfp, order, ac, alloc_flags, *no_progress_loops))
		return true;
	/* Before anybody is killed, the reserve is used up. */
	return unreserve_highatomic_pageblock(m, ac, true);
}

bool should_compact_retry(struct memory *m, struct alloc_context *ac, u32 order,
			  enum compact_result result, enum compact_priority *priority,
			  u32 *compaction_retries)
{
	bool costly = order > PAGE_ALLOC_COSTLY_ORDER;
	u32 max_retries = MAX_COMPACT_RETRIES;
	/* The event shows what the decision was made with. */
	const u32 old_retries = *compaction_retries;
	const enum compact_priority old_priority = *priority;
	enum compact_priority min_priority =
		costly ? COMPACT_PRIO_SYNC_LIGHT : COMPACT_PRIO_SYNC_FULL;
	bool ret = false;

	if (!ac->reclaim_compact_order || task_is(m, TASK_FATAL_SIGNAL))
		return false;

	/* Skipped for a lack of free pages: retry if reclaim can help. */
	if (result == COMPACT_SKIPPED) {
		if (!order_defrag_promoted(ac, order))
			ret = compaction_zonelist_suitable(m, ac, order);
		goto out;
	}
	/* It made room, and somebody else was faster: retry some. */
	if (result == COMPACT_SUCCESS) {
		if (costly)
			max_retries /= 4;
		if (++*compaction_retries <= max_retries) {
			ret = true;
			goto out;
		}
	}
	/* It failed: try harder. */
	if (*priority > min_priority) {
		--*priority;
		*compaction_retries = 0;
		ret = true;
	}
out:
	EMIT(m, EV_COMPACT_RETRY, .zone = ZONE_ANY, .order = (s8)order, .pfn = max_retries,
	     .gfp = ret, .a = old_priority, .b = result, .c = old_retries);
	return ret;
}
