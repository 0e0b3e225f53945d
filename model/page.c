/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One page, or one folio, apart from any list: prepared for use, prepared for
 * the free lists, marked (spec 2.2, 3.1, 4.3).
 *
 *      compound, order 2         H T T T     every tail names its head
 *      not compound, order 2     p . . .     the rest has no state of its own
 */
#include "model/internal.h"

/* Marks that only a folio can have: its head stands for all of its pages. */
#define FOLIO_MARKS (FOLIO_KINDS | PG_MLOCKED)

/* Give the 2^order - 1 pages after @head one and the same word. */
static void set_tails(struct memory *m, u32 head, u32 order, struct page tail)
{
	for (u32 pfn = head + 1; pfn < head + BIT(order); pfn++)
		SET(m, m->pages[pfn].word, tail.word);
}

void prep_compound_page(struct memory *m, u32 pfn, u32 order)
{
	struct page tail = {
		.compound_head = pfn, .flags = PG_ONLINE | PG_TAIL, .zone = m->pages[pfn].zone};

	set_tails(m, pfn, order, tail);
	/* Here a folio has its mappers; other tails keep what the trylock list has left there. */
	set_page_private(m, pfn + 1, 0);
	page_set_flags(m, pfn, PG_HEAD, 0);
	SET(m, m->pages[pfn].compound_order, (u8)order);
}

static void destroy_compound_page(struct memory *m, u32 pfn)
{
	struct page tail = {.flags = PG_ONLINE, .zone = m->pages[pfn].zone};

	set_tails(m, pfn, m->pages[pfn].compound_order, tail);
	page_set_flags(m, pfn, 0, PG_HEAD);
	SET(m, m->pages[pfn].compound_order, 0);
}

void post_alloc_hook(struct memory *m, u32 pfn)
{
	set_page_private(m, pfn, 0);
}

void prep_new_page(struct memory *m, u32 pfn, u32 order, u32 gfp, u32 alloc_flags)
{
	post_alloc_hook(m, pfn);
	if (order && (gfp & __GFP_COMP))
		prep_compound_page(m, pfn, order);
	/* Also when the watermark would have passed (L1893). */
	if (alloc_flags & ALLOC_NO_WATERMARKS)
		page_set_flags(m, pfn, PG_PFMEMALLOC, 0);
}

void split_page(struct memory *m, u32 pfn, u32 order)
{
	/* Frozen pages have no count, and then there is nothing to hand on. */
	if (!m->pages[pfn].refcount)
		return;
	for (u32 i = 1; i < BIT(order); i++)
		set_page_count(m, pfn + i, 1);
}

u32 hole_zone_link(const struct memory *m, u32 pfn)
{
	u32 i = 0;

	while (i < m->nr_zones - 1U && m->zones[i].zone_start_pfn < pfn)
		i++;
	return i;
}

/* ---- marks --------------------------------------------------------------- */

static void account_lru(struct memory *m, u32 pfn, s32 nr)
{
	mod_zone_page_state(m, page_zone(m, pfn), NR_ZONE_LRU, nr);
	SET(m, m->global->lru_pages, m->global->lru_pages + (u32)nr);
}

/* The mark of a page that came without watermarks is kept where a list's links are. */
void lru_add(struct memory *m, u32 pfn)
{
	page_set_flags(m, pfn, PG_LRU, PG_PFMEMALLOC);
	list_add_tail(m, pfn, m->global->lru_list);
	account_lru(m, pfn, 1 << compound_order(m, pfn));
}

void lru_del(struct memory *m, u32 pfn)
{
	page_set_flags(m, pfn, 0, PG_LRU);
	list_del(m, pfn);
	account_lru(m, pfn, -(1 << compound_order(m, pfn)));
}

static void clear_marks(struct memory *m, u32 pfn, u32 marks)
{
	marks &= m->pages[pfn].flags;
	if (marks & PG_LRU)
		lru_del(m, pfn);
	if (marks & PG_MLOCKED)
		mod_zone_page_state(m, page_zone(m, pfn), NR_MLOCK, -(1 << compound_order(m, pfn)));
	if (marks)
		page_set_flags(m, pfn, 0, marks);
}

/* A folio is on the LRU, or of movable_ops, or of hugetlb: of several the first, and of one that it is. */
static u32 with_one_kind(u32 have, u32 marks)
{
	u32 kinds = marks & FOLIO_KINDS;

	if (have & FOLIO_KINDS)
		return marks & ~(u32)FOLIO_KINDS;
	return (marks & ~(u32)FOLIO_KINDS) | (kinds & -kinds);
}

static void set_marks(struct memory *m, u32 pfn, u32 marks)
{
	marks = with_one_kind(m->pages[pfn].flags, marks & ~(u32)m->pages[pfn].flags);
	if (marks & PG_LRU)
		lru_add(m, pfn);
	if (marks & PG_MLOCKED)
		mod_zone_page_state(m, page_zone(m, pfn), NR_MLOCK, 1 << compound_order(m, pfn));
	if (marks)
		page_set_flags(m, pfn, marks, 0);
}

void mark_page(struct memory *m, u32 pfn, u32 order, u32 set, u32 clear)
{
	/* Several pages that are not compound are no folio. */
	if (compound_order(m, pfn) != order)
		set &= ~(u32)FOLIO_MARKS;
	/* Hugetlb folios are large, and pages with movable_ops are single ones. */
	set &= ~(u32)(order ? PG_MOVABLE_OPS : PG_HUGETLB);
	clear_marks(m, pfn, clear);
	set_marks(m, pfn, set);
}

/* ---- on the way to the free lists ---------------------------------------- */

/* Make @pfn a plain page again; false: it is poisoned and must not be used any more. */
static bool free_marks(struct memory *m, u32 pfn, u32 order)
{
	bool poisoned = page_has(m, pfn, PG_HWPOISON) && !order;

	if (page_has(m, pfn, PG_MLOCKED))
		count_vm_events(m, UNEVICTABLE_PGCLEARED, BIT(compound_order(m, pfn)));
	clear_marks(m, pfn, ~(u32)(PG_ONLINE | PG_HEAD | (poisoned ? PG_HWPOISON : 0)));
	if (page_has(m, pfn, PG_HEAD))
		destroy_compound_page(m, pfn);
	return !poisoned;
}

bool __free_pages_prepare(struct memory *m, u32 pfn, u32 order, fpi_t fpi)
{
	const struct page *page = pfn_page(m, pfn);

	if (fpi & FPI_PREPARED)
		return true;
	EMIT(m, EV_MM_PAGE_FREE, .zone = page->zone, .order = (s8)order, .pfn = pfn);
	if (page->refcount)
		set_page_count(m, pfn, 0);
	set_page_private(m, pfn, 0);
	return page->flags == PG_ONLINE || free_marks(m, pfn, order);
}
