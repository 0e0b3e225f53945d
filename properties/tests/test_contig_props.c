/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Isolation and contiguous ranges (spec 10.74 - 10.80): for each property what the port does in the
 * nearest legal case, and the same with one thing spoiled by hand. The zone has 4,096 pages in 8
 * blocks of 512.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "properties/tests/port_case.h"

/* ---- ways to spoil ------------------------------------------------------- */

static void block_isolated(struct port_case *c, struct event *e)
{
	(void)e;
	*the_block(c, 512) |= PB_ISOLATE;
}

static void block_reclaimable(struct port_case *c, struct event *e)
{
	(void)e;
	*the_block(c, 512) = MIGRATE_RECLAIMABLE;
}

static void one_isolated_more(struct port_case *c, struct event *e)
{
	(void)e;
	the_zone(c)->nr_isolate_pageblock++;
}

static void one_less_free(struct port_case *c, struct event *e)
{
	(void)e;
	the_zone(c)->vm_stat[NR_FREE_PAGES]--;
}

static void one_less_listed(struct port_case *c, struct event *e)
{
	(void)e;
	the_zone(c)->nr_free[0]--;
}

/* ---- folios in the way --------------------------------------------------- */

static u32 movable_folio(struct port_case *c, u32 order)
{
	u32 pfn = do_alloc(c, MOVABLE | __GFP_COMP, order);

	assert_int_not_equal(pfn, PFN_NONE);
	mark_page(c->m, pfn, order, PG_LRU, 0);
	return pfn;
}

static u32 hugetlb_folio(struct port_case *c, u32 order)
{
	u32 pfn = do_alloc(c, MOVABLE | __GFP_COMP, order);

	assert_int_not_equal(pfn, PFN_NONE);
	mark_page(c->m, pfn, order, PG_HUGETLB, 0);
	return pfn;
}

/* ---- isolation.c --------------------------------------------------------- */

/*
 *      0         512        1024
 *      [ folio of order 10  ]           it reaches across the edge of the range
 */
static void isolate_fails(struct port_case *c)
{
	assert_int_equal(movable_folio(c, 10), 0);
	spoil_now(c);
	assert_int_not_equal(do_isolate(c, 512, 1024), 0);
}

static void isolate_works(struct port_case *c)
{
	assert_int_equal(do_isolate(c, 512, 1024), 0);
}

static void test_isolate_fails(void **state)
{
	const struct trial trials[] = {
		TRIAL("all is as it was", isolate_fails, HOLDS),
		SPOILED("the block stays isolated", isolate_fails, SPOIL_END, block_isolated,
			FAILS),
		SPOILED("it has another type", isolate_fails, SPOIL_END, block_reclaimable, FAILS),
		SPOILED("one block is counted", isolate_fails, SPOIL_END, one_isolated_more, FAILS),
		TRIAL("success", isolate_works, SILENT),
	};

	(void)state;
	JUDGE(prop_isolate_fails_clean, trials);
}

static void there_and_back(struct port_case *c)
{
	assert_int_equal(do_isolate(c, 512, 1536), 0);
	spoil_now(c);
	do_unisolate(c, 512, 1536);
}

/* The second range is wider: what was isolated before is taken back as well. */
static void back_too_far(struct port_case *c)
{
	assert_int_equal(do_isolate(c, 512, 1024), 0);
	do_unisolate(c, 512, 1536);
}

/* 1024 was isolated before, so this is not a way back to where it began. */
static void back_of_others(struct port_case *c)
{
	assert_int_equal(do_isolate(c, 1024, 1536), 0);
	assert_int_equal(do_isolate(c, 512, 1024), 0);
	do_unisolate(c, 512, 1024);
}

static void with_traffic(struct port_case *c)
{
	assert_int_equal(do_isolate(c, 512, 1536), 0);
	do_alloc(c, GFP_KERNEL, 4);
	do_unisolate(c, 512, 1536);
}

/* A pinned page: isolated, tested, given up; nothing was moved or freed. */
static void contig_gives_up(struct port_case *c)
{
	assert_int_equal(movable_folio(c, 0), 0);
	mark_page(c->m, 0, 0, PG_PINNED, 0);
	do_drain(c);
	spoil_now(c);
	assert_int_not_equal(do_contig_range(c, 0, 512), 0);
}

static void contig_works(struct port_case *c)
{
	spoil_now(c);
	assert_int_equal(do_contig_range(c, 512, 1536), 0);
}

static void test_isolate_undone(void **state)
{
	const struct trial trials[] = {
		TRIAL("there and back", there_and_back, HOLDS),
		SPOILED("another type", there_and_back, SPOIL_END, block_reclaimable, FAILS),
		SPOILED("one page less", there_and_back, SPOIL_END, one_less_free, FAILS),
		TRIAL("another range", back_too_far, SILENT),
		TRIAL("beside another isolated block", back_of_others, HOLDS),
		TRIAL("an allocation in between", with_traffic, SILENT),
		TRIAL("an isolation that fails half way", isolate_fails, HOLDS),
		SPOILED("and changes a type", isolate_fails, SPOIL_END, block_reclaimable, FAILS),
		TRIAL("a contiguous allocation that gives up", contig_gives_up, HOLDS),
		SPOILED("one that loses a page", contig_gives_up, SPOIL_END, one_less_free, FAILS),
		TRIAL("one that gets its range", contig_works, SILENT),
	};

	(void)state;
	JUDGE(prop_isolate_undone, trials);
}

/* ---- contig.c ------------------------------------------------------------ */

static void page_700_free(struct port_case *c, struct event *e)
{
	(void)e;
	the_page(c, 700)->flags |= PG_BUDDY;
	the_page(c, 700)->private = 2;
}

static void page_700_cached(struct port_case *c, struct event *e)
{
	struct link *links = (struct link *)c->view->links;
	u32 head = pcp_list_head(the_pcp(c), 0);

	(void)e;
	links[700] = (struct link){.next = head, .prev = head};
	links[head] = (struct link){.next = 700, .prev = 700};
}

/* A buddy that begins before the range reaches into it. */
static void buddy_reaches_in(struct port_case *c, struct event *e)
{
	(void)e;
	the_page(c, 0)->flags |= PG_BUDDY;
	the_page(c, 0)->private = 10;
}

static void test_has_range(void **state)
{
	const struct trial trials[] = {
		TRIAL("512..1535", contig_works, HOLDS),
		SPOILED("a page is free", contig_works, SPOIL_END, page_700_free, FAILS),
		SPOILED("a page is cached", contig_works, SPOIL_END, page_700_cached, FAILS),
		SPOILED("a buddy from before", contig_works, SPOIL_END, buddy_reaches_in, FAILS),
		SPOILED("still isolated", contig_works, SPOIL_END, block_isolated, FAILS),
		TRIAL("failure", contig_gives_up, SILENT),
	};

	(void)state;
	JUDGE(prop_contig_has_range, trials);
}

/* The page is moved out of the range: as many pages as before are in use, and the range. */
static void contig_moves(struct port_case *c)
{
	assert_int_equal(movable_folio(c, 0), 0);
	spoil_now(c);
	assert_int_equal(do_contig_range(c, 0, 512), 0);
}

/* Clean page cache is dropped: one page less in use. */
static void contig_drops(struct port_case *c)
{
	assert_int_equal(movable_folio(c, 0), 0);
	mark_page(c->m, 0, 0, PG_CLEAN, 0);
	assert_int_equal(do_contig_range(c, 0, 512), 0);
}

static void one_waits(struct port_case *c, struct event *e)
{
	struct link *links = (struct link *)c->view->links;
	u32 head = the_zone(c)->trylock_list;

	one_less_listed(c, e);
	links[700] = (struct link){.next = head, .prev = head};
	links[head] = (struct link){.next = 700, .prev = 700};
}

static void test_loses_nothing(void **state)
{
	const struct trial trials[] = {
		TRIAL("takes its range", contig_works, HOLDS),
		SPOILED("and one page more", contig_works, SPOIL_END, one_less_listed, FAILS),
		TRIAL("moves a page", contig_moves, HOLDS),
		TRIAL("drops a page", contig_drops, HOLDS),
		TRIAL("gives up", contig_gives_up, HOLDS),
		SPOILED("gives up, a page is lost", contig_gives_up, SPOIL_END, one_less_listed,
			FAILS),
		SPOILED("gives up, a page waits", contig_gives_up, SPOIL_END, one_waits, FAILS),
	};

	(void)state;
	JUDGE(prop_contig_loses_nothing, trials);
}

static void pages_256(struct port_case *c)
{
	spoil_now(c);
	assert_int_equal(do_contig_pages(c, 256) % 256, 0);
}

/* Not a power of two: no rule about where it begins. */
static void pages_96(struct port_case *c)
{
	spoil_now(c);
	assert_int_not_equal(do_contig_pages(c, 96), PFN_NONE);
}

static void one_page_later(struct port_case *c, struct event *e)
{
	(void)e;
	c->request.result_pfn++;
}

static void one_reserved(struct port_case *c, struct event *e)
{
	(void)e;
	the_page(c, c->request.result_pfn + 95)->flags |= PG_RESERVED;
}

static void one_elsewhere(struct port_case *c, struct event *e)
{
	(void)e;
	the_page(c, c->request.result_pfn + 95)->zone = 1;
}

static void test_place(void **state)
{
	const struct trial trials[] = {
		TRIAL("256 pages", pages_256, HOLDS),
		SPOILED("256 pages not aligned", pages_256, SPOIL_END, one_page_later, FAILS),
		SPOILED("96 pages anywhere", pages_96, SPOIL_END, one_page_later, HOLDS),
		SPOILED("a reserved page", pages_96, SPOIL_END, one_reserved, FAILS),
		SPOILED("a page of another zone", pages_96, SPOIL_END, one_elsewhere, FAILS),
	};

	(void)state;
	JUDGE(prop_contig_place, trials);
}

/* ---- contig_search.c ----------------------------------------------------- */

/* Pages that cannot move, @nr times 1,024 of them. */
static void fill(struct port_case *c, u32 nr)
{
	while (nr--)
		assert_int_not_equal(do_alloc(c, GFP_KERNEL | __GFP_MEMALLOC, 10), PFN_NONE);
}

/* No hugetlb page anywhere: one look. */
static void search_in_vain(struct port_case *c)
{
	fill(c, 4);
	spoil_now(c);
	assert_int_equal(do_contig_pages(c, 2048), PFN_NONE);
}

/*
 *      3072        3584        4096
 *      [ hugetlb  ][ in use   ]       as large as the range: skipped by pass 1, refused by pass 2
 */
static void search_twice(struct port_case *c)
{
	fill(c, 3);
	assert_int_equal(hugetlb_folio(c, 9), 3072);
	assert_int_equal(do_contig_pages(c, 512), 3584);
	spoil_now(c);
	assert_int_equal(do_contig_pages(c, 512), PFN_NONE);
}

/*
 *      2048                    3072     3080      3584     4096
 *      [ movable, order 10    ][hugetlb][  free  ][ in use ]    both are tried, and nothing can be
 *                                                               moved: there is no room
 */
static void try_twice(struct port_case *c)
{
	fill(c, 2);
	assert_int_equal(movable_folio(c, 10), 2048);
	assert_int_equal(hugetlb_folio(c, 3), 3072);
	assert_int_equal(do_contig_pages(c, 512), 3584);
	spoil_now(c);
	assert_int_equal(do_contig_pages(c, 512), PFN_NONE);
}

static void looks_again(struct port_case *c, struct event *e)
{
	(void)e;
	/* As if a zone had been gone through once more. */
	judge_event(c->judge, &(struct event){.type = EV_ZONE_LOCK});
	judge_event(c->judge, &(struct event){.type = EV_ZONE_UNLOCK});
}

static void hugetlb_and_free(struct port_case *c, struct event *e)
{
	(void)e;
	for (u32 pfn = 2048; pfn < 4096; pfn++)
		*the_page(c, pfn) = (struct page){.flags = PG_ONLINE};
	the_page(c, 2100)->flags |= PG_HUGETLB;
}

static void no_hugetlb(struct port_case *c, struct event *e)
{
	(void)e;
	for (u32 pfn = 0; pfn < 4096; pfn++)
		the_page(c, pfn)->flags &= (u16)~PG_HUGETLB;
}

static void test_second_pass(void **state)
{
	const struct trial trials[] = {
		TRIAL("one look in vain", search_in_vain, HOLDS),
		SPOILED("two without a reason", search_in_vain, SPOIL_END, looks_again, FAILS),
		SPOILED("one, though a hugetlb page is in the way", search_in_vain, SPOIL_END,
			hugetlb_and_free, FAILS),
		TRIAL("two for a hugetlb page", search_twice, HOLDS),
		SPOILED("two for one that is not there", search_twice, SPOIL_END, no_hugetlb,
			FAILS),
		TRIAL("ranges are tried in both", try_twice, HOLDS),
		SPOILED("and no hugetlb page is there", try_twice, SPOIL_END, no_hugetlb, FAILS),
		SPOILED("three", search_twice, SPOIL_END, looks_again, FAILS),
		TRIAL("the first look has it", pages_256, SILENT),
	};

	(void)state;
	JUDGE(prop_contig_second_pass, trials);
}

static void hugeskip(struct machine *m)
{
	m->policy.contig_valid = CONTIG_VALID_HUGESKIP;
}

/* The first candidate has the hugetlb page and is passed over. */
static void passes_over(struct port_case *c)
{
	assert_int_equal(hugetlb_folio(c, 3), 0);
	spoil_now(c);
	assert_int_equal(do_contig_pages(c, 512), 512);
}

static void tried_is_hugetlb(struct port_case *c, struct event *e)
{
	the_page(c, e->pfn + 7)->flags |= PG_HUGETLB;
}

static void test_no_hugetlb(void **state)
{
	const struct trial trials[] = {
		TRIAL("passed over", passes_over, HOLDS, .machine = hugeskip),
		SPOILED("tried", passes_over, EV_CONTIG_RANGE, tried_is_hugetlb, FAILS,
			.machine = hugeskip),
		TRIAL("none in the zone", pages_256, SILENT, .machine = hugeskip),
	};

	(void)state;
	JUDGE(prop_no_hugetlb_tried, trials);
}

/* All other candidates are in use: the page may be moved. */
static void hugetlb_last(struct port_case *c)
{
	assert_int_equal(hugetlb_folio(c, 3), 0);
	for (u32 i = 0; i < 7; i++)
		assert_int_equal(do_contig_pages(c, 512), 512 * (i + 1));
	spoil_now(c);
	do_contig_pages(c, 512);
}

/* Its head says that it is as large as the range. */
static void large_folio(struct port_case *c, struct event *e)
{
	the_page(c, e->pfn)->compound_order = 9;
}

static void test_hugetlb_last(void **state)
{
	const struct trial trials[] = {
		TRIAL("when nothing else is left", hugetlb_last, HOLDS),
		SPOILED("one that is not smaller", hugetlb_last, EV_CONTIG_RANGE, large_folio,
			FAILS),
		TRIAL("passed over", passes_over, HOLDS),
		TRIAL("none in the zone", pages_256, SILENT),
		SPOILED("while others are free", passes_over, EV_CONTIG_RANGE, tried_is_hugetlb,
			FAILS),
	};

	(void)state;
	JUDGE(prop_hugetlb_tried_last, trials);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_isolate_fails), cmocka_unit_test(test_isolate_undone),
		cmocka_unit_test(test_has_range),     cmocka_unit_test(test_loses_nothing),
		cmocka_unit_test(test_place),	      cmocka_unit_test(test_second_pass),
		cmocka_unit_test(test_no_hugetlb),    cmocka_unit_test(test_hugetlb_last),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
