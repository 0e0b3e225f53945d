/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The entries of the free path and the state of single pages (spec 2.2, 3.1, 3.2, 3.7,
 * 4.3). Two zones of 4096 pages: DMA32 (PFN 0) and NORMAL (PFN 4096), blocks of 512,
 * MOVABLE; everything looks allocated at first.
 */
#include "model/tests/zone_fixture.h"

struct fixture {
	struct recorder r;
	struct observer observer;
	struct memory *m;
	struct zone *dma32, *normal;
};

static void set_up(struct fixture *f)
{
	struct machine machine;

	machine_init(&machine);
	machine.mobility = MOBILITY_ON;
	machine.pcp_batch = 4;
	machine.pcp_high_min = 1000;
	machine.pcp_high_max = 1000;
	add_zone(&machine, 0, ZONE_DMA32, 8 * BLOCK);
	add_zone(&machine, 0, ZONE_NORMAL, 8 * BLOCK);
	f->m = boot_machine(&machine, &f->r, &f->observer);
	f->dma32 = zone_at(f->m, 0);
	f->normal = zone_at(f->m, 1);
	empty_zone(f->m, f->dma32);
	empty_zone(f->m, f->normal);
}

/* The head of a pcp list of this CPU, or PFN_NONE. */
static u32 pcp_head(const struct fixture *f, struct zone *z, u32 order, u32 mt)
{
	const struct per_cpu_pages *pcp = this_pcp(f->m, z);

	return list_first(f->m, pcp_list_head(pcp, order_to_pindex(mt, order)));
}

static s32 pcp_count(const struct fixture *f, struct zone *z)
{
	return this_pcp(f->m, z)->count;
}

/* ---- references (spec 3.1) ----------------------------------------------- */

/* The last reference frees. */
static void last_reference_frees(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	set_page_count(f.m, 8, 1);
	get_page(f.m, 8);
	__free_pages(f.m, 8, 0);
	assert_int_equal(f.m->pages[8].refcount, 1);
	assert_int_equal(count_events(&f.r, EV_MM_PAGE_FREE), 0);
	__free_pages(f.m, 8, 0);
	assert_int_equal(f.m->pages[8].refcount, 0);
	assert_int_equal(pcp_head(&f, f.dma32, 0, MIGRATE_MOVABLE), 8);
	shut_down(f.m);
}

/*
 * A page of order 3 that is not compound and still has a user: its upper parts go now, the
 * largest first; the first page when its user is done.
 *
 *      [ 8 ][ 9 ][ 10 11 ][ 12 13 14 15 ]
 *       stays 3rd   2nd        1st
 */
static void pieces_of_a_shared_page(void **state)
{
	static const struct {
		u32 pfn;
		s32 order;
	} pieces[] = {{12, 2}, {10, 1}, {9, 0}};
	struct fixture f;

	(void)state;
	set_up(&f);
	set_page_count(f.m, 8, 2);
	__free_pages(f.m, 8, 3);
	assert_int_equal(count_events(&f.r, EV_MM_PAGE_FREE), 3);
	for (u32 i = 0; i < 3; i++) {
		const struct event *ev = event_at(&f.r, EV_MM_PAGE_FREE, i);

		assert_int_equal(ev->pfn, pieces[i].pfn);
		assert_int_equal(ev->order, pieces[i].order);
	}
	assert_int_equal(pcp_count(&f, f.dma32), 7);
	assert_int_equal(f.m->pages[8].refcount, 1);
	shut_down(f.m);
}

/* A compound page stays whole as long as it has a user; a reference through a tail counts. */
static void compound_page_stays_whole(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	prep_compound_page(f.m, 8, 3);
	set_page_count(f.m, 8, 1);
	get_page(f.m, 13);
	assert_int_equal(f.m->pages[8].refcount, 2);
	__free_pages(f.m, 8, 3);
	assert_int_equal(count_events(&f.r, EV_MM_PAGE_FREE), 0);
	put_page(f.m, 8, 3);
	assert_int_equal(pcp_head(&f, f.dma32, 3, MIGRATE_MOVABLE), 8);
	shut_down(f.m);
}

/* After a split every page has a reference of its own, unless it was frozen. */
static void split_pages(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	set_page_count(f.m, 8, 1);
	split_page(f.m, 8, 2);
	split_page(f.m, 16, 2);
	for (u32 i = 0; i < 4; i++) {
		assert_int_equal(f.m->pages[8 + i].refcount, 1);
		assert_int_equal(f.m->pages[16 + i].refcount, 0);
	}
	assert_int_equal(f.m->pages[12].refcount, 0);
	for (u32 i = 0; i < 4; i++)
		__free_pages(f.m, 8 + i, 0);
	assert_int_equal(pcp_count(&f, f.dma32), 4);
	shut_down(f.m);
}

/* ---- pages --------------------------------------------------------------- */

/* COMP makes head and tails, and only COMP; the mark of an emergency is on the head. */
static void prepared_for_use(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	prep_new_page(f.m, 8, 2, __GFP_COMP, ALLOC_NO_WATERMARKS);
	assert_int_equal(f.m->pages[8].flags, PG_ONLINE | PG_HEAD | PG_PFMEMALLOC);
	assert_int_equal(compound_order(f.m, 8), 2);
	for (u32 pfn = 9; pfn < 12; pfn++) {
		assert_int_equal(f.m->pages[pfn].flags, PG_ONLINE | PG_TAIL);
		assert_int_equal(f.m->pages[pfn].compound_head, 8);
		assert_int_equal(f.m->pages[pfn].zone, 0);
		assert_int_equal(compound_head(f.m, pfn), 8);
	}
	assert_int_equal(f.m->pages[12].flags, PG_ONLINE);
	prep_new_page(f.m, 16, 2, 0, 0);
	prep_new_page(f.m, 20, 0, __GFP_COMP, 0);
	for (u32 pfn = 16; pfn < 21; pfn++)
		assert_int_equal(f.m->pages[pfn].flags, PG_ONLINE);
	shut_down(f.m);
}

/* Freed, a folio leaves nothing behind: compound, LRU, mlocked, any mark, any reference. */
static void freed_pages_are_plain(void **state)
{
	struct fixture f;
	struct page before[8];

	(void)state;
	set_up(&f);
	memcpy(before, &f.m->pages[8], sizeof(before));
	prep_new_page(f.m, 8, 3, __GFP_COMP, ALLOC_NO_WATERMARKS);
	set_page_count(f.m, 8, 1);
	mark_page(f.m, 8, 3, PG_LRU | PG_MLOCKED | PG_PINNED | PG_CLEAN | PG_HUGETLB, 0);
	assert_int_equal(list_last(f.m, f.m->global->lru_list), 8);
	assert_int_equal(f.m->global->lru_pages, 8);
	assert_int_equal(f.dma32->vm_stat[NR_ZONE_LRU], 8);
	assert_int_equal(f.dma32->vm_stat[NR_MLOCK], 8);
	__free_pages(f.m, 8, 3);
	assert_memory_equal(before, &f.m->pages[8], sizeof(before));
	assert_true(list_empty(f.m, f.m->global->lru_list));
	assert_int_equal(f.m->global->lru_pages, 0);
	assert_int_equal(f.dma32->vm_stat[NR_ZONE_LRU], 0);
	assert_int_equal(f.dma32->vm_stat[NR_MLOCK], 0);
	assert_int_equal(f.m->global->vm_event[UNEVICTABLE_PGCLEARED], 8);
	shut_down(f.m);
}

/* A folio larger than MAX_PAGE_ORDER loses all its tails, too. */
static void gigantic_folio(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	prep_new_page(f.m, 0, 11, __GFP_COMP, 0);
	assert_int_equal(compound_head(f.m, 2047), 0);
	free_frozen_pages(f.m, 0, 11);
	assert_int_equal(count_events(&f.r, EV_MM_PAGE_FREE), 1);
	assert_int_equal(event_at(&f.r, EV_MM_PAGE_FREE, 0)->order, 11);
	for (u32 pfn = 1; pfn < 2048; pfn++)
		assert_false(page_has(f.m, pfn, PG_TAIL));
	assert_int_equal(f.dma32->nr_free[10], 2);
	assert_int_equal(f.m->global->vm_event[PGFREE], 2048);
	shut_down(f.m);
}

/* The LRU is in order of marking; taking the mark away takes the folio off. */
static void lru_marks(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	prep_compound_page(f.m, 16, 2);
	mark_page(f.m, 8, 0, PG_LRU, 0);
	mark_page(f.m, 16, 2, PG_LRU, 0);
	mark_page(f.m, 4096, 0, PG_LRU, 0);
	mark_page(f.m, 8, 0, PG_LRU, 0); /* it is there already */
	assert_int_equal(list_first(f.m, f.m->global->lru_list), 8);
	assert_int_equal(list_last(f.m, f.m->global->lru_list), 4096);
	assert_int_equal(f.m->global->lru_pages, 6);
	mark_page(f.m, 8, 0, 0, PG_LRU | PG_MLOCKED);
	assert_int_equal(list_first(f.m, f.m->global->lru_list), 16);
	assert_int_equal(f.m->global->lru_pages, 5);
	assert_int_equal(f.normal->vm_stat[NR_ZONE_LRU], 1);
	/* Several pages that are not compound are no folio: no LRU, but they may be pinned. */
	mark_page(f.m, 32, 2, PG_LRU | PG_PINNED, 0);
	assert_int_equal(f.m->pages[32].flags, PG_ONLINE | PG_PINNED);
	assert_int_equal(f.m->global->lru_pages, 5);
	shut_down(f.m);
}

/*
 * A folio is on the LRU, or of movable_ops, or of hugetlb: the flags of a second kind have no meaning for it. Pages with
 * movable_ops are single ones, hugetlb folios are not.
 */
static void one_kind_of_folio(void **state)
{
	static const struct {
		u32 order, before, set, want;
	} rows[] = {
		{0, 0, PG_LRU | PG_MOVABLE_OPS, PG_LRU},
		{0, PG_LRU, PG_MOVABLE_OPS, PG_LRU},
		{0, PG_MOVABLE_OPS, PG_LRU, PG_MOVABLE_OPS},
		{0, 0, PG_HUGETLB, 0},
		{2, 0, PG_MOVABLE_OPS, 0},
		{2, 0, PG_HUGETLB, PG_HUGETLB},
		{2, 0, PG_LRU | PG_HUGETLB, PG_LRU},
		{2, PG_HUGETLB, PG_LRU | PG_PINNED, PG_HUGETLB | PG_PINNED},
	};
	struct fixture f;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		set_up(&f);
		if (rows[i].order)
			prep_compound_page(f.m, 8, rows[i].order);
		mark_page(f.m, 8, rows[i].order, rows[i].before, 0);
		mark_page(f.m, 8, rows[i].order, rows[i].set, 0);
		assert_int_equal(f.m->pages[8].flags,
				 PG_ONLINE | (rows[i].order ? PG_HEAD : 0) | rows[i].want);
		assert_int_equal(f.m->global->lru_pages,
				 rows[i].want & PG_LRU ? BIT(rows[i].order) : 0);
		shut_down(f.m);
	}
}

/* The mark of a page that came without watermarks is where the links of a list are: the LRU's overwrite it. */
static void pfmemalloc_is_lost_on_the_lru(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	prep_new_page(f.m, 8, 0, 0, ALLOC_NO_WATERMARKS);
	mark_page(f.m, 8, 0, PG_PINNED, 0);
	assert_true(page_has(f.m, 8, PG_PFMEMALLOC));
	mark_page(f.m, 8, 0, PG_LRU, 0);
	assert_false(page_has(f.m, 8, PG_PFMEMALLOC));
	mark_page(f.m, 8, 0, 0, PG_LRU);
	assert_false(page_has(f.m, 8, PG_PFMEMALLOC));
	shut_down(f.m);
}

/* A poisoned single page is swallowed; of a larger one the rest must live (L1353). */
static void poisoned_pages(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	set_page_count(f.m, 8, 1);
	mark_page(f.m, 8, 0, PG_HWPOISON | PG_LRU, 0);
	__free_pages(f.m, 8, 0);
	assert_int_equal(count_events(&f.r, EV_MM_PAGE_FREE), 1);
	assert_int_equal(pcp_count(&f, f.dma32), 0);
	assert_int_equal(f.m->pages[8].flags, PG_ONLINE | PG_HWPOISON);
	assert_int_equal(f.m->global->vm_event[PGFREE], 0);

	mark_page(f.m, 16, 3, PG_HWPOISON, 0);
	free_frozen_pages(f.m, 16, 3);
	assert_int_equal(pcp_count(&f, f.dma32), 8);
	shut_down(f.m);
}

/* ---- where a free goes (spec 3.2) ---------------------------------------- */

/* HIGHATOMIC and CMA pages wait on the MOVABLE list, isolated ones do not wait. */
static void list_by_block_type(void **state)
{
	static const struct {
		u32 mt, list;
	} cases[] = {
		{MIGRATE_UNMOVABLE, MIGRATE_UNMOVABLE},
		{MIGRATE_RECLAIMABLE, MIGRATE_RECLAIMABLE},
		{MIGRATE_HIGHATOMIC, MIGRATE_MOVABLE},
		{MIGRATE_CMA, MIGRATE_MOVABLE},
	};
	struct fixture f;

	(void)state;
	set_up(&f);
	for (u32 i = 0; i < ARRAY_SIZE(cases); i++) {
		set_block(f.m, i, cases[i].mt);
		free_frozen_pages(f.m, i * BLOCK, 0);
		assert_int_equal(pcp_head(&f, f.dma32, 0, cases[i].list), i * BLOCK);
	}
	assert_int_equal(pcp_count(&f, f.dma32), 4);
	assert_int_equal(f.dma32->vm_stat[NR_FREE_PAGES], 0);

	set_pageblock_isolate(f.m, 5 * BLOCK, true);
	free_frozen_pages(f.m, 5 * BLOCK, 0);
	assert_int_equal(pcp_count(&f, f.dma32), 4);
	assert_int_equal(head_of(f.m, f.dma32, 0, MIGRATE_ISOLATE), 5 * BLOCK);
	assert_int_equal(f.dma32->vm_stat[NR_FREE_PAGES], 0);
	assert_int_equal(f.m->global->vm_event[PGFREE], 5);
	shut_down(f.m);
}

/* Order 4 is no pcp order, and without the pcp lock no order is. */
static void straight_to_the_buddies(void **state)
{
	static const struct answer busy = {.call = ENV_LOCK_PCP, .value = 1};
	struct fixture f;

	(void)state;
	set_up(&f);
	free_frozen_pages(f.m, 64, 4);
	assert_int_equal(head_of(f.m, f.dma32, 4, MIGRATE_MOVABLE), 64);
	memory_begin_op(f.m, &busy, 1);
	free_frozen_pages(f.m, 8, 0);
	assert_int_equal(head_of(f.m, f.dma32, 0, MIGRATE_MOVABLE), 8);
	assert_int_equal(pcp_count(&f, f.dma32), 0);
	free_frozen_pages(f.m, 4 * BLOCK, 9);
	assert_int_equal(pcp_head(&f, f.dma32, 9, MIGRATE_MOVABLE), 4 * BLOCK);
	shut_down(f.m);
}

/* NOLOCK: to the pcp if the context can try locks, else to the zone's trylock list. */
static void nolock_free(void **state)
{
	static const struct answer cannot[] = {{.call = ENV_NO_TRYLOCK, .value = 1},
					       {.call = ENV_NO_TRYLOCK, .value = 1}};
	struct fixture f;

	(void)state;
	set_up(&f);
	set_page_count(f.m, 8, 1);
	free_pages_nolock(f.m, 8, 0);
	assert_int_equal(pcp_head(&f, f.dma32, 0, MIGRATE_MOVABLE), 8);

	memory_begin_op(f.m, cannot, ARRAY_SIZE(cannot));
	free_frozen_pages_nolock(f.m, 16, 2);
	free_frozen_pages_nolock(f.m, 64, 5);
	assert_int_equal(list_first(f.m, f.dma32->trylock_list), 64);
	assert_int_equal(list_last(f.m, f.dma32->trylock_list), 16);
	assert_int_equal(f.m->pages[16].private, 2);
	assert_int_equal(f.m->global->vm_event[PGFREE], 1);
	assert_int_equal(count_events(&f.r, EV_MM_PAGE_FREE), 3);
	shut_down(f.m);
}

/* PREPARED: the caller has done it; no second event, and the page is taken as it is. */
static void prepared_free(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	__free_frozen_pages(f.m, 16, 2, FPI_PREPARED);
	assert_int_equal(count_events(&f.r, EV_MM_PAGE_FREE), 0);
	assert_int_equal(pcp_head(&f, f.dma32, 2, MIGRATE_MOVABLE), 16);
	shut_down(f.m);
}

/* ---- batches (spec 3.7) -------------------------------------------------- */

/*
 * All folios are prepared first (and those without a pcp order are gone then), before any
 * reaches a pcp:
 *
 *      8      order 0, MOVABLE block
 *      64     order 4                     to the buddies in the first pass
 *      16     order 0, poisoned           swallowed in the first pass
 *      2048   order 2, isolated block     to the buddies in the second pass
 *      4096   order 0, other zone
 *      3072   order 1, CMA block
 */
static void batch_in_two_passes(void **state)
{
	static const u32 pfns[] = {8, 64, 16, 2048, 4096, 3072};
	static const u8 orders[] = {0, 4, 0, 2, 0, 1};
	static const struct {
		u32 type, pfn;
	} want[] = {
		{EV_MM_PAGE_FREE, 8},
		{EV_MM_PAGE_FREE, 64},
		{EV_ZONE_LOCK, PFN_NONE},
		{EV_ZONE_UNLOCK, PFN_NONE},
		{EV_MM_PAGE_FREE, 16},
		{EV_MM_PAGE_FREE, 2048},
		{EV_MM_PAGE_FREE, 4096},
		{EV_MM_PAGE_FREE, 3072},
		{EV_MM_PAGE_FREE_BATCHED, 8},
		{EV_ZONE_LOCK, PFN_NONE},
		{EV_ZONE_UNLOCK, PFN_NONE},
		{EV_MM_PAGE_FREE_BATCHED, 4096},
		{EV_MM_PAGE_FREE_BATCHED, 3072},
	};
	struct fixture f;

	(void)state;
	set_up(&f);
	for (u32 i = 0; i < ARRAY_SIZE(pfns); i++)
		if (orders[i])
			prep_compound_page(f.m, pfns[i], orders[i]);
	mark_page(f.m, 16, 0, PG_HWPOISON, 0);
	set_page_count(f.m, 8, 1); /* the batch drops it */
	set_pageblock_isolate(f.m, 2048, true);
	set_block(f.m, 6, MIGRATE_CMA);
	free_unref_folios(f.m, pfns, orders, ARRAY_SIZE(pfns));

	assert_int_equal(f.r.nr, ARRAY_SIZE(want));
	for (u32 i = 0; i < ARRAY_SIZE(want); i++) {
		assert_int_equal(f.r.events[i].type, want[i].type);
		assert_int_equal(f.r.events[i].pfn, want[i].pfn);
	}
	assert_int_equal(head_of(f.m, f.dma32, 4, MIGRATE_MOVABLE), 64);
	assert_int_equal(head_of(f.m, f.dma32, 2, MIGRATE_ISOLATE), 2048);
	assert_int_equal(pcp_head(&f, f.dma32, 0, MIGRATE_MOVABLE), 8);
	assert_int_equal(pcp_head(&f, f.dma32, 1, MIGRATE_MOVABLE), 3072);
	assert_int_equal(pcp_head(&f, f.normal, 0, MIGRATE_MOVABLE), 4096);
	assert_int_equal(f.m->pages[3072].private, 0);
	assert_int_equal(f.m->pages[8].refcount, 0);
	assert_int_equal(f.m->global->vm_event[PGFREE], 1 + 16 + 4 + 1 + 2);
	shut_down(f.m);
}

/*
 * The pcp lock is kept from folio to folio of a zone; another zone and an isolated block give
 * it up. A folio that cannot get it goes to the buddies, without the batched event.
 *
 *      folio   8     9   4096   2048 isolated   10    11
 *      asked   busy  ok  ok     -               busy  ok
 */
static void batch_and_the_lock(void **state)
{
	static const u32 pfns[] = {8, 9, 4096, 2048, 10, 11};
	static const u8 orders[ARRAY_SIZE(pfns)];
	static const struct answer answers[] = {
		{.call = ENV_LOCK_PCP, .value = 1}, {.call = ENV_LOCK_PCP, .value = 0},
		{.call = ENV_LOCK_PCP, .value = 0}, {.call = ENV_LOCK_PCP, .value = 1},
		{.call = ENV_LOCK_PCP, .value = 0},
	};
	struct fixture f;
	struct op_report report;

	(void)state;
	set_up(&f);
	set_pageblock_isolate(f.m, 2048, true);
	memory_begin_op(f.m, answers, ARRAY_SIZE(answers));
	free_unref_folios(f.m, pfns, orders, ARRAY_SIZE(pfns));
	assert_true(page_is_buddy(f.m, 8, 0, 0));
	assert_true(page_is_buddy(f.m, 10, 0, 0));
	assert_true(page_is_buddy(f.m, 2048, 0, 0));
	assert_int_equal(pcp_count(&f, f.dma32), 2);
	assert_int_equal(pcp_count(&f, f.normal), 1);
	assert_int_equal(count_events(&f.r, EV_MM_PAGE_FREE_BATCHED), 3);
	memory_end_op(f.m, &report);
	assert_int_equal(report.calls[ENV_LOCK_PCP], 5);
	shut_down(f.m);
}

/* Where a drain within the batch loses the lock, the next folio asks for it again. */
static void batch_loses_the_lock(void **state)
{
	static const u32 pfns[] = {8, 9, 10};
	static const u8 orders[ARRAY_SIZE(pfns)];
	static const struct answer answers[] = {
		{.call = ENV_LOCK_PCP, .value = 0}, /* 8 */
		{.call = ENV_LOCK_PCP, .value = 1}, /* 9 fills the list: after the first step */
		{.call = ENV_LOCK_PCP, .value = 1}, /* 10 */
	};
	struct fixture f;
	struct per_cpu_pages *pcp;

	(void)state;
	set_up(&f);
	pcp = this_pcp(f.m, f.dma32);
	SET(f.m, pcp->batch, 1);
	SET(f.m, pcp->high_min, 4);
	SET(f.m, pcp->high_max, 4);
	SET(f.m, pcp->free_count, 3); /* at the 4th page: free clamp(5, 1, 3) */
	free_frozen_pages(f.m, 100, 0);
	free_frozen_pages(f.m, 102, 0);
	memory_begin_op(f.m, answers, ARRAY_SIZE(answers));
	free_unref_folios(f.m, pfns, orders, ARRAY_SIZE(pfns));
	assert_int_equal(pcp->count, 3);
	assert_true(page_is_buddy(f.m, 100, 0, 0));
	assert_true(page_is_buddy(f.m, 10, 0, 0));
	assert_int_equal(count_events(&f.r, EV_MM_PAGE_FREE_BATCHED), 2);
	shut_down(f.m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(last_reference_frees),
		cmocka_unit_test(pieces_of_a_shared_page),
		cmocka_unit_test(compound_page_stays_whole),
		cmocka_unit_test(split_pages),
		cmocka_unit_test(prepared_for_use),
		cmocka_unit_test(freed_pages_are_plain),
		cmocka_unit_test(gigantic_folio),
		cmocka_unit_test(lru_marks),
		cmocka_unit_test(one_kind_of_folio),
		cmocka_unit_test(pfmemalloc_is_lost_on_the_lru),
		cmocka_unit_test(poisoned_pages),
		cmocka_unit_test(list_by_block_type),
		cmocka_unit_test(straight_to_the_buddies),
		cmocka_unit_test(nolock_free),
		cmocka_unit_test(prepared_free),
		cmocka_unit_test(batch_in_two_passes),
		cmocka_unit_test(batch_and_the_lock),
		cmocka_unit_test(batch_loses_the_lock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
