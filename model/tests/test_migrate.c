/* SPDX-License-Identifier: GPL-2.0-only */
/* Moving one folio (spec 6.9, 7.5). */
#include "model/tests/slow_fixture.h"

#define MIGRATE_GFP (GFP_KERNEL | __GFP_MOVABLE | __GFP_RETRY_MAYFAIL)

/*
 *      src 64 [ F F F F ]    one free buddy of order 4 at 1024 is all that there is
 */
static void test_moves_to_an_allocation(void **state)
{
	const struct event *moved;

	(void)state;
	set_all_marks(0, 0, 0);
	put_buddy(m, 1024, 4);
	put_folio(64, 2);
	put_folio(80, 0);
	mark_page(m, 64, 2, PG_CLEAN | PG_MLOCKED, 0);
	assert_true(migrate_folio(m, 64, PFN_NONE, MIGRATE_GFP));
	moved = event_at(&rec, EV_ENV_MOVED, 0);
	assert_int_equal(moved->pfn, 64);
	assert_int_equal(moved->a, 1024);
	assert_int_equal(moved->order, 2);
	/* It is an ordinary allocation, of a compound page. */
	assert_int_equal(event_at(&rec, EV_MM_PAGE_ALLOC, 0)->pfn, 1024);
	assert_int_equal(compound_order(m, 1024), 2);
	assert_int_equal(m->pages[1024].refcount, 1);
	/* All that was known of the folio goes with it, and nothing is left behind. */
	assert_int_equal(m->pages[1024].flags & (PG_LRU | PG_CLEAN | PG_MLOCKED),
			 PG_LRU | PG_CLEAN | PG_MLOCKED);
	assert_int_equal(m->pages[64].flags, PG_ONLINE);
	assert_int_equal(m->pages[64].refcount, 0);
	/* Moving is no munlock. */
	assert_int_equal(zone_page_state(normal, NR_MLOCK), 4);
	assert_int_equal(vm_event(UNEVICTABLE_PGCLEARED), 0);
	/* It is the youngest now. */
	assert_int_equal(list_first(m, m->global->lru_list), 80);
	assert_int_equal(list_last(m, m->global->lru_list), 1024);
	assert_int_equal(zone_page_state(normal, NR_ZONE_LRU), 5);
	/* The old pages went through the free path. */
	assert_int_equal(event_at(&rec, EV_MM_PAGE_FREE, 0)->pfn, 64);
	assert_int_equal(event_at(&rec, EV_MM_PAGE_FREE, 0)->order, 2);
}

/* The destination is looked for on the folio's node first. */
static void test_node(void **state)
{
	u32 here = normal->zone_start_pfn, there = find_zone(m, 1, ZONE_NORMAL)->zone_start_pfn;

	(void)state;
	set_all_marks(0, 0, 0);
	put_buddy(m, here, 5);
	put_buddy(m, there, 5);
	put_folio(there + 100, 4);
	assert_true(migrate_folio(m, there + 100, PFN_NONE, MIGRATE_GFP));
	assert_int_equal(event_at(&rec, EV_ENV_MOVED, 0)->a, there);
}

/* What may not move stays as it is, and nothing is allocated for it. */
static void test_stays(void **state)
{
	const struct answer answer = {.call = ENV_MIGRATE, .value = 1};

	(void)state;
	set_all_marks(0, 0, 0);
	put_buddy(m, 1024, 4);
	put_folio(64, 0);
	mark_page(m, 64, 0, PG_PINNED, 0);
	assert_false(migrate_folio(m, 64, PFN_NONE, MIGRATE_GFP));
	mark_page(m, 64, 0, 0, PG_PINNED);
	get_page(m, 64);
	assert_false(migrate_folio(m, 64, PFN_NONE, MIGRATE_GFP));
	set_page_count(m, 64, 1);
	next_op(&answer, 1);
	assert_false(migrate_folio(m, 64, PFN_NONE, MIGRATE_GFP));
	assert_int_equal(count_events(&rec, EV_MM_PAGE_ALLOC), 0);
	assert_true(page_has(m, 64, PG_LRU));
	assert_int_equal(zone_page_state(normal, NR_FREE_PAGES), 16);
	assert_true(migrate_folio(m, 64, PFN_NONE, MIGRATE_GFP));
}

/* No destination: the allocation fails as any other, and the folio stays. */
static void test_no_destination(void **state)
{
	(void)state;
	put_folio(64, 2);
	assert_false(migrate_folio(m, 64, PFN_NONE, MIGRATE_GFP));
	assert_int_equal(event_at(&rec, EV_MM_PAGE_ALLOC, 0)->pfn, PFN_NONE);
	assert_true(page_has(m, 64, PG_LRU));
	/* What the buddy allocator cannot have is not even asked for. */
	put_folio(2048, 11);
	assert_false(migrate_folio(m, 2048, PFN_NONE, MIGRATE_GFP));
	assert_int_equal(count_events(&rec, EV_WARN), 0);
	assert_int_equal(count_events(&rec, EV_MM_PAGE_ALLOC), 1);
}

/* A hugetlb folio that waits in the pool has no reference, before and after. */
static void test_frozen(void **state)
{
	(void)state;
	set_all_marks(0, 0, 0);
	put_buddy(m, 1024, 9);
	prep_compound_page(m, 0, 9);
	mark_page(m, 0, 9, PG_HUGETLB, 0);
	assert_true(migrate_folio(m, 0, PFN_NONE, MIGRATE_GFP));
	assert_true(page_has(m, 1024, PG_HUGETLB));
	assert_int_equal(m->pages[1024].refcount, 0);
	assert_int_equal(event_at(&rec, EV_MM_PAGE_FREE, 0)->pfn, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_moves_to_an_allocation), TEST_NUMA(test_node), TEST(test_stays),
		TEST(test_no_destination),	   TEST(test_frozen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
