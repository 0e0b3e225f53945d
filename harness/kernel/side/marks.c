// SPDX-License-Identifier: GPL-2.0-only
/*
 * Folios in use, as their owners mark them (spec 6.9). What the kernel can see is made so that it sees
 * it; what only the environment knows is kept beside the page.
 *
 *      LRU          PageLRU, swap backed, on the one list in order of age; its size is counted
 *      movable_ops  a typed page whose owner can move it
 *      hugetlb      the folio type
 *      pinned, clean                                              side.marks[pfn]
 */
#include "side.h"

#define FOLIO_KINDS (SIDE_PG_LRU | SIDE_PG_MOVABLE_OPS | SIDE_PG_HUGETLB)
#define FOLIO_MARKS (FOLIO_KINDS | SIDE_PG_MLOCKED)
#define OWN_MARKS (SIDE_PG_PINNED | SIDE_PG_CLEAN)

/* More mappings than anybody takes references: isolation refuses folios with fewer. */
#define MANY_MAPPINGS 0x100000

unsigned int side_order(struct page *page)
{
	return PageHead(page) ? compound_order(page) : 0;
}

static void set_mapped(struct folio *folio, bool on)
{
	int count = on ? MANY_MAPPINGS : -1;

#ifdef HAVE_LARGE_MAPCOUNT
	if (folio_test_large(folio)) {
		atomic_set(&folio->_large_mapcount, count);
		return;
	}
#elif defined(HAVE_FOLIO_MAPCOUNT_PTR)
	if (folio_test_large(folio)) {
		atomic_set(folio_mapcount_ptr(folio), count);
		return;
	}
#endif
	atomic_set(&folio->_mapcount, count);
}

#ifdef HAVE_FOLIO_MAPCOUNT_PTR
int folio_mapcount(struct folio *folio)
{
	atomic_t *count = folio_test_large(folio) ? folio_mapcount_ptr(folio) : &folio->_mapcount;

	return atomic_read(count) + 1;
}
#endif

#ifndef HAVE_HUGETLB_TYPE
int PageHeadHuge(struct page *head)
{
	return PageHead(head) && head[1].compound_dtor == HUGETLB_PAGE_DTOR;
}

int PageHuge(struct page *page)
{
	return PageHeadHuge(compound_head(page));
}
#endif

/* The folio is on no list of the kernel's: lruvec_del_folio() takes it off ours just as well. */
static void lru_add(struct folio *folio)
{
	__folio_set_swapbacked(folio);
	set_mapped(folio, true);
	folio_set_lru(folio);
	update_lru_size(&folio_pgdat(folio)->__lruvec, folio_lru_list(folio), folio_zonenum(folio),
			folio_nr_pages(folio));
	list_add_tail(&folio->lru, &side.lru);
}

static void lru_del(struct folio *folio)
{
	lruvec_del_folio(&folio_pgdat(folio)->__lruvec, folio);
	folio_clear_lru(folio);
	__folio_clear_swapbacked(folio);
	set_mapped(folio, false);
}

unsigned int side_marks(struct page *page)
{
	unsigned int marks = side.marks[page_to_pfn(page)];

	if (PageLRU(page))
		marks |= SIDE_PG_LRU;
	if (K_HAS_MOVABLE_OPS(page))
		marks |= SIDE_PG_MOVABLE_OPS;
	if (PageHuge(page))
		marks |= SIDE_PG_HUGETLB;
	if (PageReserved(page))
		marks |= SIDE_PG_RESERVED;
	if (PageHWPoison(page))
		marks |= SIDE_PG_HWPOISON;
	if (folio_test_mlocked((struct folio *)page))
		marks |= SIDE_PG_MLOCKED;
	return marks;
}

static void count_mlocked(struct folio *folio, long sign)
{
	zone_stat_mod_folio(folio, NR_MLOCK, sign * folio_nr_pages(folio));
}

/* The bit itself: a tree with DEBUG_VM has no reserved compound page, and a case may ask for one. */
static void set_reserved(struct page *page, bool on)
{
	unsigned long *flags = (unsigned long *)&page->flags;

	if (on)
		__set_bit(PG_reserved, flags);
	else
		__clear_bit(PG_reserved, flags);
}

static void clear_marks(struct page *page, unsigned int marks)
{
	struct folio *folio = (struct folio *)page;

	marks &= side_marks(page);
	side.marks[page_to_pfn(page)] &= ~marks;
	if (marks & SIDE_PG_LRU)
		lru_del(folio);
	if (marks & SIDE_PG_MOVABLE_OPS)
		side_clear_movable_ops(page);
	if (marks & SIDE_PG_HUGETLB)
		K_CLEAR_HUGETLB(folio);
	if (marks & SIDE_PG_RESERVED)
		set_reserved(page, false);
	if (marks & SIDE_PG_HWPOISON)
		ClearPageHWPoison(page);
	if (marks & SIDE_PG_MLOCKED) {
		__folio_clear_mlocked(folio);
		count_mlocked(folio, -1);
	}
}

/* A folio has one kind: of several the first, and of one that it has already none more. */
static unsigned int with_one_kind(unsigned int have, unsigned int marks)
{
	unsigned int kinds = marks & FOLIO_KINDS;

	if (have & FOLIO_KINDS)
		return marks & ~FOLIO_KINDS;
	return (marks & ~FOLIO_KINDS) | (kinds & -kinds);
}

static void set_marks(struct page *page, unsigned int marks)
{
	struct folio *folio = (struct folio *)page;

	marks = with_one_kind(side_marks(page), marks & ~side_marks(page));
	side.marks[page_to_pfn(page)] |= marks & OWN_MARKS;
	if (marks & SIDE_PG_LRU)
		lru_add(folio);
	if (marks & SIDE_PG_MOVABLE_OPS)
		side_set_movable_ops(page);
	if (marks & SIDE_PG_HUGETLB)
		K_SET_HUGETLB(folio);
	if (marks & SIDE_PG_RESERVED)
		set_reserved(page, true);
	if (marks & SIDE_PG_HWPOISON)
		SetPageHWPoison(page);
	if (marks & SIDE_PG_MLOCKED) {
		folio_set_mlocked(folio);
		count_mlocked(folio, 1);
	}
}

void side_mark(struct page *page, unsigned int order, unsigned int set, unsigned int clear)
{
	/* Several pages that are not compound are no folio. */
	if (side_order(page) != order)
		set &= ~FOLIO_MARKS;
	/* Hugetlb folios are large, and pages with movable_ops are single ones. */
	set &= ~(order ? SIDE_PG_MOVABLE_OPS : SIDE_PG_HUGETLB);
	clear_marks(page, clear);
	set_marks(page, set);
}

/* A lost mlock and a poisoned single page are the free path's business. */
void side_unmark(struct page *page, unsigned int order)
{
	unsigned int keep = SIDE_PG_MLOCKED | (order ? 0 : SIDE_PG_HWPOISON);

	clear_marks(page, ~keep);
	/* Nobody reads it of a free page, which may be linked nowhere and so keep it. */
	if (page_is_pfmemalloc(page))
		clear_page_pfmemalloc(page);
}

void side_put_page(struct page *page, unsigned int order)
{
	if (!put_page_testzero(page))
		return;
	side_unmark(page, order);
	K_FREE_FROZEN(page, order);
}

void __folio_put(struct folio *folio)
{
	side_unmark(&folio->page, folio_order(folio));
	K_FREE_FROZEN(&folio->page, folio_order(folio));
}

/* ---- for migrate.c: what compaction.c took off the LRU ------------------- */

void side_forget_lru(struct folio *folio)
{
	node_stat_mod_folio(folio, NR_ISOLATED_ANON + folio_is_file_lru(folio),
			    -folio_nr_pages(folio));
	__folio_clear_swapbacked(folio);
	set_mapped(folio, false);
}

void side_lru_add(struct folio *folio)
{
	lru_add(folio);
}
