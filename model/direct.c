/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reclaim and compaction on behalf of a request, and the looks at the free lists
 * that follow them (spec 6.4, 6.5). Both work for ac->reclaim_compact_order, which
 * may be a whole block; what is taken in the end has the request's own order.
 */
#include "model/internal.h"

/* No progress: not even a look at the lists (spec 13, item 20). */
u32 __alloc_pages_direct_reclaim(struct memory *m, u32 gfp, u32 order, u32 alloc_flags,
				 const struct alloc_context *ac, u32 *did_some_progress)
{
	u32 pfn;

	*did_some_progress = try_to_free_pages(m, ac, ac->reclaim_compact_order, gfp);
	if (!*did_some_progress)
		return PFN_NONE;
	pfn = get_page_from_freelist(m, gfp, order, alloc_flags, ac);
	if (pfn != PFN_NONE)
		return pfn;
	/* What was freed may be pinned down on per-cpu lists or in the reserve. */
	unreserve_highatomic_pageblock(m, ac, false);
	drain_all_pages(m, NULL);
	return get_page_from_freelist(m, gfp, order, alloc_flags, ac);
}

u32 __alloc_pages_direct_compact(struct memory *m, u32 gfp, u32 order, u32 alloc_flags,
				 const struct alloc_context *ac, enum compact_priority priority,
				 enum compact_result *result)
{
	/* Captured is what fits the request, whatever order is compacted for. */
	struct capture_control capc = {
		.order = order, .migratetype = ac->migratetype, .pfn = PFN_NONE};
	u32 compact_order = ac->reclaim_compact_order;
	struct zone *z;

	if (!m->machine.config_compaction) {
		*result = COMPACT_SKIPPED;
		return PFN_NONE;
	}
	if (!compact_order)
		return PFN_NONE;
	nest(m, NEST_COMPACT);
	*result = try_to_compact_pages(m, gfp, compact_order, alloc_flags, ac, priority, &capc);
	nest(m, NEST_COMPACT);
	if (*result == COMPACT_SKIPPED || *result == COMPACT_DEFERRED)
		return PFN_NONE;

	count_vm_events(m, COMPACTSTALL, 1);
	if (capc.pfn != PFN_NONE)
		prep_new_page(m, capc.pfn, order, gfp, alloc_flags);
	else
		capc.pfn = get_page_from_freelist(m, gfp, order, alloc_flags, ac);
	if (capc.pfn == PFN_NONE) {
		count_vm_events(m, COMPACTFAIL, 1);
		return PFN_NONE;
	}
	z = page_zone(m, capc.pfn);
	SET(m, z->compact_blockskip_flush, 0);
	compaction_defer_reset(m, z, compact_order, true);
	count_vm_events(m, COMPACTSUCCESS, 1);
	return capc.pfn;
}
