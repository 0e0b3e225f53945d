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
static inline void side_free_frozen(struct page *page, unsigned int order)
{
	set_page_count(page, 1);
	__free_pages(page, order);
}
#define K_FREE_FROZEN side_free_frozen
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
/* The one that all contiguous allocations go through, and what it is told besides the range. */
#ifdef HAVE_CONTIG_FROZEN
#define K_CONTIG_CORE(prefix) prefix##alloc_contig_frozen_range_noprof
#elif defined(HAVE_CONTIG_NOPROF)
#define K_CONTIG_CORE(prefix) prefix##alloc_contig_range_noprof
#else
#define K_CONTIG_CORE(prefix) prefix##alloc_contig_range
#endif
#ifdef HAVE_ACR_FLAGS
#define K_CONTIG_HOW acr_flags_t
#define K_CONTIG_IS_CMA(how) ((how) == ACR_FLAGS_CMA)
#else
#define K_CONTIG_HOW unsigned int
#define K_CONTIG_IS_CMA(how) ((how) == MIGRATE_CMA)
#endif

#ifdef HAVE_CONTIG_FROZEN
#define K_CONTIG_FROZEN_RANGE(start, end, cma, gfp) \
	alloc_contig_frozen_range_noprof((start), (end), (cma) ? ACR_FLAGS_CMA : ACR_FLAGS_NONE, (gfp))
#define K_CONTIG_FROZEN_PAGES alloc_contig_frozen_pages_noprof
#define K_FREE_CONTIG_FROZEN free_contig_frozen_range
#else
/* Older kernels hand out pages with a reference only. */
static inline void side_set_counts(unsigned long pfn, unsigned long nr, int count)
{
	for (unsigned long i = 0; i < nr; i++)
		if (!PageTail(pfn_to_page(pfn + i)))
			set_page_count(pfn_to_page(pfn + i), count);
}

static inline int side_contig_frozen_range(unsigned long start, unsigned long end, bool cma,
					   gfp_t gfp)
{
	int err = K_CONTIG_RANGE(start, end, cma, gfp);

	if (!err)
		side_set_counts(start, end - start, 0);
	return err;
}

static inline struct page *side_contig_frozen_pages(unsigned long nr, gfp_t gfp, int nid,
						    nodemask_t *mask)
{
	struct page *page = K_CONTIG_PAGES(nr, gfp, nid, mask);

	if (page)
		side_set_counts(page_to_pfn(page), nr, 0);
	return page;
}

static inline void side_free_contig_frozen(unsigned long pfn, unsigned long nr)
{
	side_set_counts(pfn, nr, 1);
	free_contig_range(pfn, nr);
}
#define K_CONTIG_FROZEN_RANGE side_contig_frozen_range
#define K_CONTIG_FROZEN_PAGES side_contig_frozen_pages
#define K_FREE_CONTIG_FROZEN side_free_contig_frozen
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

/* What node_reclaim() returns for so many pages; 0: another zone is next. */
#ifdef HAVE_NODE_RECLAIM_PAGES
#define K_NODE_RECLAIM unsigned long
#define K_NODE_RECLAIMED(pages) (pages)
#else
#define K_NODE_RECLAIM int
#define K_NODE_RECLAIMED(pages) ((pages) ? NODE_RECLAIM_SUCCESS : NODE_RECLAIM_FULL)
#endif

#ifdef HAVE_CONST_CTL_HANDLER
#define K_HANDLED_TABLE const struct ctl_table
#else
#define K_HANDLED_TABLE struct ctl_table
#endif

/* ---- watched functions: their parameters, and what the kernel's own is called with ---- */

#ifdef HAVE_RESERVE_ORDER_SECOND
#define K_RESERVE_PARAMS struct page *page, int order, struct zone *z
#define K_RESERVE_ARGS page, order, z
#else
#define K_RESERVE_PARAMS struct page *page, struct zone *z, unsigned int order
#define K_RESERVE_ARGS page, z, order
#endif

#ifdef HAVE_MOVE_FROM_TYPE /* a list knows which type it is left for */
#define K_MOVE_BLOCK_PARAMS struct zone *z, struct page *page, int old_mt, int new_mt
#define K_MOVE_BLOCK_ARGS z, page, old_mt, new_mt
#define K_MOVE_PARAMS struct page *page, struct zone *z, unsigned int order, int old_mt, int new_mt
#define K_MOVE_ARGS page, z, order, old_mt, new_mt
#else
#define K_MOVE_BLOCK_PARAMS struct zone *z, struct page *page, int new_mt, int *num_movable
#define K_MOVE_BLOCK_ARGS z, page, new_mt, num_movable
#define K_MOVE_PARAMS struct page *page, struct zone *z, unsigned int order, int new_mt
#define K_MOVE_ARGS page, z, order, new_mt
#endif

#ifdef HAVE_CONTIG_MIGRATE_TYPE
#define K_CONTIG_MIGRATE_PARAMS \
	struct compact_control *cc, unsigned long start, unsigned long end, int mt
#define K_CONTIG_MIGRATE_ARGS cc, start, end, mt
#else
#define K_CONTIG_MIGRATE_PARAMS \
	struct compact_control *cc, unsigned long start, unsigned long end
#define K_CONTIG_MIGRATE_ARGS cc, start, end
#endif

/* ---- folios ---- */

#ifndef HAVE_NEW_FOLIO_T
typedef struct folio *new_folio_t(struct folio *folio, unsigned long private);
typedef void free_folio_t(struct folio *folio, unsigned long private);
#endif

/* Pages that their owner can move: a type of page, or a mapping that is none. */
#ifdef HAVE_MOVABLE_OPS_FLAG
static inline void side_set_movable_ops(struct page *page)
{
	__SetPageZsmalloc(page);
	SetPageMovableOps(page);
}

static inline void side_clear_movable_ops(struct page *page)
{
	page->flags.f &= ~((1UL << PG_movable_ops) | (1UL << PG_movable_ops_isolated));
	__ClearPageZsmalloc(page);
}
#define K_HAS_MOVABLE_OPS page_has_movable_ops
#define K_SET_ISOLATED SetPageMovableOpsIsolated
#define K_CLEAR_ISOLATED ClearPageMovableOpsIsolated
#else
static inline void side_set_movable_ops(struct page *page)
{
	page->mapping = (void *)PAGE_MAPPING_MOVABLE;
}

static inline void side_clear_movable_ops(struct page *page)
{
	ClearPageIsolated(page);
	page->mapping = NULL;
}
#define K_HAS_MOVABLE_OPS __PageMovable
#define K_SET_ISOLATED SetPageIsolated
#define K_CLEAR_ISOLATED ClearPageIsolated
#endif

/* isolate_movable_page() says 0 where others say true. */
#ifdef HAVE_ISOLATE_MOVABLE_ERROR
#define K_ISOLATED(done) ((done) ? 0 : -EBUSY)
#else
#define K_ISOLATED(done) (done)
#endif

/* Hugetlb is a type of folio, or what the destructor of a compound page says. */
#ifdef HAVE_HUGETLB_TYPE
#define K_SET_HUGETLB(folio) __folio_set_hugetlb(folio)
#define K_CLEAR_HUGETLB(folio) __folio_clear_hugetlb(folio)
#else
#define K_SET_HUGETLB(folio) set_compound_page_dtor(&(folio)->page, HUGETLB_PAGE_DTOR)
#define K_CLEAR_HUGETLB(folio) set_compound_page_dtor(&(folio)->page, COMPOUND_PAGE_DTOR)
#endif

/* ---- per-CPU lists ---- */

#ifdef HAVE_PAGESET_HIGH_MIN
#define K_PCP_HIGH_MIN(from) ((from)->pageset_high_min)
#define K_PCP_HIGH_MAX(from) ((from)->pageset_high_max)
#else
#define K_PCP_HIGH_MIN(from) ((from)->pageset_high)
#define K_PCP_HIGH_MAX(from) ((from)->pageset_high)
#endif

#endif
