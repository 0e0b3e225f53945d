/* SPDX-License-Identifier: GPL-2.0-only */
/* One name for what trees call differently; which is which the builder has found out (HAVE_*). */
#ifndef KERNEL_SIDE_TREES_H
#define KERNEL_SIDE_TREES_H

#ifdef HAVE_NR_PAGE_ORDERS
#define K_NR_ORDERS NR_PAGE_ORDERS
#define K_TOP MAX_PAGE_ORDER
#else
#define K_NR_ORDERS MAX_ORDER /* exclusive there */
#define K_TOP (MAX_ORDER - 1)
#endif

#ifdef HAVE_ALLOC_PAGES_FLAGS
#define K_ALLOC_PAGES(gfp, order, nid, mask) \
	__alloc_pages_noprof((gfp), (order), (nid), (mask), ALLOC_DEFAULT)
#define K_ALLOC_FROZEN(gfp, order, nid, mask) \
	__alloc_frozen_pages_noprof((gfp), (order), (nid), (mask), ALLOC_DEFAULT)
#elif defined(HAVE_ALLOC_PAGES_NOPROF)
#define K_ALLOC_PAGES(gfp, order, nid, mask) __alloc_pages_noprof((gfp), (order), (nid), (mask))
#else
#define K_ALLOC_PAGES(gfp, order, nid, mask) __alloc_pages((gfp), (order), (nid), (mask))
#endif
#ifndef K_ALLOC_FROZEN
/* Older kernels hand out pages with a reference only. */
static inline struct page *side_alloc_frozen(gfp_t gfp, unsigned int order, int nid,
					     nodemask_t *mask)
{
	struct page *page = K_ALLOC_PAGES(gfp, order, nid, mask);

	if (page)
		set_page_count(page, 0);
	return page;
}
#define K_ALLOC_FROZEN side_alloc_frozen
#endif

#ifdef HAVE_FREE_FROZEN_PAGES
#define K_FREE_FROZEN(page, order) free_frozen_pages((page), (order))
#else
#define K_FREE_FROZEN(page, order) free_unref_page((page), (order))
#endif

#ifdef HAVE_CONTIG_NOPROF
#define K_CONTIG_PAGES alloc_contig_pages_noprof
#define K_CONTIG_RANGE_ alloc_contig_range_noprof
#define K_ALLOC_BULK_(...) alloc_pages_bulk_noprof(__VA_ARGS__)
#else
#define K_CONTIG_PAGES alloc_contig_pages
#define K_CONTIG_RANGE_ alloc_contig_range
#define K_ALLOC_BULK_(...) __alloc_pages_bulk(__VA_ARGS__)
#endif
#ifdef HAVE_ACR_FLAGS
#define K_CONTIG_RANGE(start, end, cma, gfp) \
	K_CONTIG_RANGE_((start), (end), (cma) ? ACR_FLAGS_CMA : ACR_FLAGS_NONE, (gfp))
#else
#define K_CONTIG_RANGE(start, end, cma, gfp) \
	K_CONTIG_RANGE_((start), (end), (cma) ? MIGRATE_CMA : MIGRATE_MOVABLE, (gfp))
#endif
#ifdef HAVE_BULK_LIST /* with a list as one more way to return pages */
#define K_ALLOC_BULK(gfp, nid, mask, nr, pages) \
	K_ALLOC_BULK_((gfp), (nid), (mask), (nr), NULL, (pages))
#else
#define K_ALLOC_BULK(gfp, nid, mask, nr, pages) K_ALLOC_BULK_((gfp), (nid), (mask), (nr), (pages))
#endif

#ifdef HAVE_FREE_CORE_CONTEXT
#define K_FREE_CORE(page, order) __free_pages_core((page), (order), MEMINIT_EARLY)
#else
#define K_FREE_CORE(page, order) __free_pages_core((page), (order))
#endif

#ifdef HAVE_PB_ISOLATE_MODE
#define K_ISOLATE_RANGE(start, end, mode) start_isolate_page_range((start), (end), (mode))
#define K_UNISOLATE_RANGE(start, end) undo_isolate_page_range((start), (end))
#else
/* MEM_OFFLINE is 0, CMA_ALLOC 1, OTHER 2. */
#define K_ISOLATE_RANGE(start, end, mode)                                                      \
	start_isolate_page_range((start), (end),                                               \
				 (mode) == 1 ? MIGRATE_CMA : MIGRATE_MOVABLE,                  \
				 (mode) == 0 ? MEMORY_OFFLINE : 0, GFP_KERNEL)
#define K_UNISOLATE_RANGE(start, end) undo_isolate_page_range((start), (end), MIGRATE_MOVABLE)
#endif

#ifdef HAVE_CONST_NODEMASK
#define K_CONST_MASK const nodemask_t
#else
#define K_CONST_MASK nodemask_t
#endif

#ifdef HAVE_PAGESET_HIGH_MIN
#define K_PCP_HIGH_MIN(from) ((from)->pageset_high_min)
#define K_PCP_HIGH_MAX(from) ((from)->pageset_high_max)
#else
#define K_PCP_HIGH_MIN(from) ((from)->pageset_high)
#define K_PCP_HIGH_MAX(from) ((from)->pageset_high)
#endif

#endif
