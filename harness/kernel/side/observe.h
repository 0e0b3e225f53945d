/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Forced into every file of the kernel: where it would hit a tracepoint it calls an observer, with the
 * arguments that it gives to the tracepoint. The event headers come first; their guards make later
 * inclusions empty.
 */
#ifndef KERNEL_SIDE_OBSERVE_H
#define KERNEL_SIDE_OBSERVE_H

#include <linux/memcontrol.h>
#include <linux/mm.h>
#include <linux/swap.h>
#include <linux/suspend.h>
#include <linux/fault-inject.h>
#if __has_include("internal.h")
#include "internal.h"
/* Facts that a header decides when it is compiled; here the case does. */
bool side_can_spin_trylock(void);
bool side_pm_suspended_storage(void);
bool side_should_fail_alloc_page(gfp_t gfp, unsigned int order);
/* Kernel memory is accounted, to nobody: whoever asks for it takes the way of an accounted request. */
#define memcg_kmem_online() true
#define can_spin_trylock() side_can_spin_trylock()
#define pm_suspended_storage() side_pm_suspended_storage()
#define should_fail_alloc_page(gfp, order) side_should_fail_alloc_page(gfp, order)

#endif
#include <trace/events/kmem.h>
#include <trace/events/oom.h>
#include <trace/events/page_isolation.h>
#include <trace/events/compaction.h>

void observe_alloc(struct page *page, unsigned int order, gfp_t gfp, int mt);
void observe_free(struct page *page, unsigned int order);
void observe_free_batched(struct page *page);
void observe_pcpu_drain(struct page *page, unsigned int order, int mt);
void observe_zone_locked(struct page *page, unsigned int order, int mt, int percpu_refill);
void observe_extfrag(struct page *page, int alloc_order, int fallback_order, int start_mt,
		     int fallback_mt);
void observe_reclaim_retry_zone(struct zoneref *ref, int order, unsigned long reclaimable,
				unsigned long available, unsigned long min_wmark, int loops,
				bool wmark);
void observe_compact_retry(int order, int priority, int result, int retries, int max_retries,
			   bool ret);
void observe_pages_isolated(unsigned long start, unsigned long end, unsigned long fin);
void observe_wmarks(struct zone *z);

#define trace_mm_page_alloc(page, order, gfp, mt) observe_alloc(page, order, gfp, mt)
#define trace_mm_page_free(page, order) observe_free(page, order)
#define trace_mm_page_free_batched(page) observe_free_batched(page)
#define trace_mm_page_pcpu_drain(page, order, mt) observe_pcpu_drain(page, order, mt)
#define trace_mm_page_alloc_zone_locked(page, order, mt, refill) \
	observe_zone_locked(page, order, mt, refill)
#define trace_mm_page_alloc_extfrag(page, alloc_order, fallback_order, start_mt, fallback_mt) \
	observe_extfrag(page, alloc_order, fallback_order, start_mt, fallback_mt)
#define trace_reclaim_retry_zone(ref, order, reclaimable, available, min_wmark, loops, wmark) \
	observe_reclaim_retry_zone(ref, order, reclaimable, available, min_wmark, loops, wmark)
#define trace_compact_retry(order, priority, result, retries, max_retries, ret) \
	observe_compact_retry(order, priority, result, retries, max_retries, ret)
#define trace_test_pages_isolated(start, end, fin) observe_pages_isolated(start, end, fin)
#define trace_mm_setup_per_zone_wmarks(zone) observe_wmarks(zone)

/* Facts that a header decides when it is compiled; here the case does. */
bool side_can_spin_trylock(void);
bool side_pm_suspended_storage(void);
bool side_should_fail_alloc_page(gfp_t gfp, unsigned int order);
/* Kernel memory is accounted, to nobody: whoever asks for it takes the way of an accounted request. */
#define memcg_kmem_online() true
#define can_spin_trylock() side_can_spin_trylock()
#define pm_suspended_storage() side_pm_suspended_storage()
#define should_fail_alloc_page(gfp, order) side_should_fail_alloc_page(gfp, order)

#endif
