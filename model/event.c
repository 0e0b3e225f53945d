/* SPDX-License-Identifier: GPL-2.0-only */
/* Delivery of events, and their names. */
#include "model/internal.h"

const char *const event_names[NR_EVENTS] = {
	[EV_MM_PAGE_ALLOC] = "mm_page_alloc",
	[EV_MM_PAGE_FREE] = "mm_page_free",
	[EV_MM_PAGE_FREE_BATCHED] = "mm_page_free_batched",
	[EV_MM_PAGE_PCPU_DRAIN] = "mm_page_pcpu_drain",
	[EV_MM_PAGE_ALLOC_ZONE_LOCKED] = "mm_page_alloc_zone_locked",
	[EV_MM_PAGE_ALLOC_EXTFRAG] = "mm_page_alloc_extfrag",
	[EV_RECLAIM_RETRY_ZONE] = "reclaim_retry_zone",
	[EV_COMPACT_RETRY] = "compact_retry",
	[EV_MM_VMSCAN_WAKEUP_KSWAPD] = "mm_vmscan_wakeup_kswapd",
	[EV_MM_VMSCAN_DIRECT_RECLAIM_BEGIN] = "mm_vmscan_direct_reclaim_begin",
	[EV_MM_VMSCAN_DIRECT_RECLAIM_END] = "mm_vmscan_direct_reclaim_end",
	[EV_TEST_PAGES_ISOLATED] = "test_pages_isolated",
	[EV_MM_SETUP_PER_ZONE_WMARKS] = "mm_setup_per_zone_wmarks",
	[EV_GPFF] = "gpff",
	[EV_GPFF_END] = "gpff_end",
	[EV_WAKEUP_KSWAPD] = "wakeup_kswapd",
	[EV_WAKEUP_KCOMPACTD] = "wakeup_kcompactd",
	[EV_DRAIN_ALL_PAGES] = "drain_all_pages",
	[EV_UNRESERVE_HIGHATOMIC] = "unreserve_highatomic",
	[EV_RESERVE_HIGHATOMIC] = "reserve_highatomic",
	[EV_ZONE_LOCK] = "zone_lock",
	[EV_ZONE_UNLOCK] = "zone_unlock",
	[EV_SLOWPATH_EXIT] = "slowpath_exit",
	[EV_CAPTURE] = "capture",
	[EV_WARN] = "warn",
	[EV_CONTIG_RANGE] = "contig_range",
	[EV_CONTIG_RANGE_END] = "contig_range_end",
	[EV_ENV_CALL] = "env_call",
	[EV_ENV_FREED] = "env_freed",
	[EV_ENV_MOVED] = "env_moved",
};

const char *const warn_names[NR_WARNS] = {
	[WARN_GFP_MOVABLE_RECLAIMABLE] = "gfp_movable_reclaimable",
	[WARN_ORDER_TOO_LARGE] = "order_too_large",
	[WARN_NOFAIL_NO_RECLAIM] = "nofail_no_reclaim",
	[WARN_NOFAIL_PF_MEMALLOC] = "nofail_pf_memalloc",
	[WARN_OOM_NOFAIL] = "oom_nofail",
	[WARN_HIGHATOMIC_CLAMP] = "highatomic_clamp",
	[WARN_ISOLATE_STATE] = "isolate_state",
	[WARN_CONTIG_COMP_MISMATCH] = "contig_comp_mismatch",
	[WARN_BAD_ALLOC_FLAGS] = "bad_alloc_flags",
	[WARN_GFP_ZONE] = "gfp_zone",
	[WARN_CONTIG_COMP] = "contig_comp",
	[WARN_KERNEL] = "kernel",
};

/* The one thing of its frame is the event: AddressSanitizer's care for it would cost more than all the rest. */
__attribute__((no_sanitize("address"))) void emit_event(struct memory *m, enum event_type type,
							u8 zone, s8 order, u32 pfn, u32 gfp, u32 a,
							u32 b, u32 c)
{
	const struct event ev = {
		.type = (u8)type,
		.cpu = (u8)m->global->task.cpu,
		.zone = zone,
		.order = order,
		.pfn = pfn,
		.gfp = gfp,
		.a = a,
		.b = b,
		.c = c,
	};

	m->observer->event(m->observer->ctx, &ev);
}

void warn(struct memory *m, u32 warn_id)
{
	warn_range(m, warn_id, PFN_NONE, 0);
}

void warn_range(struct memory *m, u32 warn_id, u32 start, u32 end)
{
	m->env.report.warnings++;
	EMIT(m, EV_WARN, .zone = ZONE_ANY, .order = -1, .pfn = start, .a = warn_id, .b = end);
}
