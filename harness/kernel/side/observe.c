// SPDX-License-Identifier: GPL-2.0-only
/* Tracepoints, and warnings, as events. What is watched inside of functions is in watch.c. */
#include <linux/bug.h>

#include "side.h"

void side_emit(struct event event)
{
	event.cpu = side.cpu;
	side.host.event(&event);
}

static unsigned int zone_of(struct page *page)
{
	return page ? zone_number(page_zone(page)) : KERNEL_NO_ZONE;
}

static unsigned int pfn_of(struct page *page)
{
	return page ? page_to_pfn(page) : KERNEL_NO_PFN;
}

void observe_alloc(struct page *page, unsigned int order, gfp_t gfp, int mt)
{
	EMIT(EV_MM_PAGE_ALLOC, .zone = zone_of(page), .order = order, .pfn = pfn_of(page),
	     .gfp = gfp_from_kernel(gfp), .a = mt);
}

void observe_free(struct page *page, unsigned int order)
{
	EMIT(EV_MM_PAGE_FREE, .zone = zone_of(page), .order = order, .pfn = pfn_of(page));
}

void observe_free_batched(struct page *page)
{
	EMIT(EV_MM_PAGE_FREE_BATCHED, .zone = zone_of(page), .pfn = pfn_of(page));
}

void observe_pcpu_drain(struct page *page, unsigned int order, int mt)
{
	EMIT(EV_MM_PAGE_PCPU_DRAIN, .zone = zone_of(page), .order = order, .pfn = pfn_of(page),
	     .a = mt);
}

void observe_zone_locked(struct page *page, unsigned int order, int mt, int percpu_refill)
{
	EMIT(EV_MM_PAGE_ALLOC_ZONE_LOCKED, .zone = zone_of(page), .order = order,
	     .pfn = pfn_of(page), .a = mt, .b = percpu_refill);
}

/* The event says, as the tracepoint does, whether the block is of the wanted type now. */
void observe_extfrag(struct page *page, int alloc_order, int fallback_order, int start_mt,
		     int fallback_mt)
{
	EMIT(EV_MM_PAGE_ALLOC_EXTFRAG, .zone = zone_of(page), .order = alloc_order,
	     .pfn = pfn_of(page), .gfp = start_mt == get_pageblock_migratetype(page),
	     .a = fallback_order, .b = start_mt, .c = fallback_mt);
}

void observe_reclaim_retry_zone(struct zoneref *ref, int order, unsigned long reclaimable,
				unsigned long available, unsigned long min_wmark, int loops,
				bool wmark)
{
	EMIT(EV_RECLAIM_RETRY_ZONE, .zone = zone_number(zonelist_zone(ref)), .order = order,
	     .pfn = reclaimable, .gfp = wmark, .a = available, .b = min_wmark, .c = loops);
}

void observe_compact_retry(int order, int priority, int result, int retries, int max_retries,
			   bool ret)
{
	EMIT(EV_COMPACT_RETRY, .order = order, .pfn = max_retries, .gfp = ret, .a = priority,
	     .b = result, .c = retries);
}

void observe_pages_isolated(unsigned long start, unsigned long end, unsigned long fin)
{
	EMIT(EV_TEST_PAGES_ISOLATED, .pfn = start, .a = end, .b = fin);
}

void observe_wmarks(struct zone *z)
{
	if (populated_zone(z))
		EMIT(EV_MM_SETUP_PER_ZONE_WMARKS, .zone = zone_number(z), .a = z->_watermark[WMARK_MIN],
		     .b = z->_watermark[WMARK_LOW], .c = z->_watermark[WMARK_HIGH]);
}

/* ---- warnings ------------------------------------------------------------ */

extern struct bug_entry kernel_bug_table_start[], kernel_bug_table_end[];

static unsigned long bug_address(const struct bug_entry *bug)
{
	return (unsigned long)&bug->bug_addr_disp + bug->bug_addr_disp;
}

static const char *bug_file(const struct bug_entry *bug)
{
#ifdef CONFIG_DEBUG_BUGVERBOSE
	return (const char *)&bug->file_disp + bug->file_disp;
#else
	return "";
#endif
}

static unsigned int bug_line(const struct bug_entry *bug)
{
#ifdef CONFIG_DEBUG_BUGVERBOSE
	return bug->line;
#else
	return 0;
#endif
}

static const char *bug_format(const struct bug_entry *bug)
{
#ifdef HAVE_ARCH_BUG_FORMAT
	return (const char *)&bug->format_disp + bug->format_disp;
#else
	return "";
#endif
}

extern char kernel_once_start[], kernel_once_end[];

/* What warns once warns every time: every op is judged by itself. */
static void warn(const struct bug_entry *bug, const char *format, const unsigned long *args)
{
	memset(kernel_once_start, 0, kernel_once_end - kernel_once_start);
	side.host.warn(bug_file(bug), bug_line(bug), 0, format, args);
}

/* A trap at @address: 1 it is a warning, which is told; 0 it is a BUG; -1 none of ours. */
int side_trap(unsigned long address)
{
	for (const struct bug_entry *bug = kernel_bug_table_start; bug < kernel_bug_table_end;
	     bug++) {
		if (bug_address(bug) != address)
			continue;
		if (!(bug->flags & BUGFLAG_WARNING)) {
			side.host.warn(bug_file(bug), bug_line(bug), 1, "", NULL);
			return 0;
		}
		warn(bug, bug_format(bug), NULL);
		return 1;
	}
	return -1;
}

/* Where a tree warns with a call instead of a trap: what it has to say comes along. */
void side_warn_call(const struct bug_entry *bug, const unsigned long *args)
{
	warn(bug, bug_format(bug), args);
}
