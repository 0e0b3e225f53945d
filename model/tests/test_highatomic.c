/* SPDX-License-Identifier: GPL-2.0-only */
/* The HIGHATOMIC reserve: spec 4.14 and the vector W13. */
#include "model/tests/zone_fixture.h"

/* One percent of it is 2621 pages, rounded up to six blocks (W13). */
#define PAGES 262144U

static struct machine machine;
static struct recorder rec;
static struct observer observer;
static struct memory *m;
static struct zone *z;

static int set_up(void **state)
{
	(void)state;
	machine_init(&machine);
	add_zone(&machine, 0, ZONE_NORMAL, PAGES);
	m = boot_machine(&machine, &rec, &observer);
	z = zone_at(m, 0);
	empty_zone(m, z);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	shut_down(m);
	return 0;
}

static bool unreserve(u32 mt, bool force)
{
	const struct zonelist *zl = node_zonelist(m, 0, GFP_KERNEL);
	struct alloc_context ac = {.zonelist = zl,
				   .nodemask = NODEMASK_NULL,
				   .migratetype = mt,
				   .highest_zoneidx = ZONE_NORMAL};

	return unreserve_highatomic_pageblock(m, &ac, force);
}

/* W13: the block joins with its free pages; the seventh block is one too many. */
static void test_w13_cap(void **state)
{
	(void)state;
	for (u32 block = 0; block < 7; block++) {
		put_buddy(m, block * BLOCK + 4, 2);
		reserve_highatomic_pageblock(m, block * BLOCK, 1, z);
	}
	assert_int_equal(z->nr_reserved_highatomic, 6 * BLOCK);
	assert_int_equal(z->nr_free_highatomic, 6 * 4);
	assert_int_equal(get_pfnblock_migratetype(m, 5 * BLOCK), MIGRATE_HIGHATOMIC);
	assert_int_equal(get_pfnblock_migratetype(m, 6 * BLOCK), MIGRATE_MOVABLE);
	assert_int_equal(count_events(&rec, EV_RESERVE_HIGHATOMIC), 6);
	assert_int_equal(event_at(&rec, EV_RESERVE_HIGHATOMIC, 0)->a, BLOCK);
}

/* A large request is reserved whole, so the last one may pass the cap. */
static void test_large_order_passes_cap(void **state)
{
	(void)state;
	for (u32 block = 0; block < 5; block++)
		reserve_highatomic_pageblock(m, block * BLOCK, 1, z);
	reserve_highatomic_pageblock(m, 6 * BLOCK, 10, z);
	assert_int_equal(z->nr_reserved_highatomic, 7 * BLOCK);
	assert_int_equal(get_pfnblock_migratetype(m, 7 * BLOCK), MIGRATE_HIGHATOMIC);
}

/* One percent must make a block: 51199 / 100 = 511 does not, 51200 / 100 does, one block. */
static void test_small_zone(void **state)
{
	(void)state;
	SET(m, z->managed_pages, 51199);
	reserve_highatomic_pageblock(m, 0, 1, z);
	assert_int_equal(z->nr_reserved_highatomic, 0);
	SET(m, z->managed_pages, 51200);
	reserve_highatomic_pageblock(m, 0, 1, z);
	reserve_highatomic_pageblock(m, BLOCK, 1, z);
	assert_int_equal(z->nr_reserved_highatomic, BLOCK);
}

/* Only mergeable types join: no CMA, no isolated block, no block twice. */
static void test_reserve_refused(void **state)
{
	(void)state;
	set_block(m, 0, MIGRATE_CMA);
	reserve_highatomic_pageblock(m, 0, 1, z);
	set_pageblock_isolate(m, BLOCK, true);
	reserve_highatomic_pageblock(m, BLOCK, 1, z);
	assert_int_equal(z->nr_reserved_highatomic, 0);
	reserve_highatomic_pageblock(m, 2 * BLOCK, 1, z);
	reserve_highatomic_pageblock(m, 2 * BLOCK + 8, 1, z);
	assert_int_equal(z->nr_reserved_highatomic, BLOCK);
	assert_int_equal(get_pfnblock_migratetype(m, 0), MIGRATE_CMA);
}

/* A block that the zone has only a part of is never moved as a whole, so it does not join. */
static void test_reserve_partial_block(void **state)
{
	(void)state;
	SET(m, z->zone_start_pfn, 4);
	reserve_highatomic_pageblock(m, 8, 1, z);
	assert_int_equal(z->nr_reserved_highatomic, 0);
	assert_int_equal(get_pfnblock_migratetype(m, 8), MIGRATE_MOVABLE);
	reserve_highatomic_pageblock(m, BLOCK, 1, z);
	assert_int_equal(z->nr_reserved_highatomic, BLOCK);
}

/* The whole block goes to the type of the request; the last block only with force. */
static void test_unreserve(void **state)
{
	const struct event *ev;

	(void)state;
	for (u32 block = 0; block < 2; block++) {
		put_buddy(m, block * BLOCK + 4, 2);
		put_buddy(m, block * BLOCK + 16, 3);
		reserve_highatomic_pageblock(m, block * BLOCK, 1, z);
	}
	assert_true(unreserve(MIGRATE_RECLAIMABLE, false));
	assert_int_equal(get_pfnblock_migratetype(m, 0), MIGRATE_RECLAIMABLE);
	assert_int_equal(head_of(m, z, 2, MIGRATE_RECLAIMABLE), 4);
	assert_int_equal(head_of(m, z, 3, MIGRATE_RECLAIMABLE), 16);
	assert_int_equal(z->nr_reserved_highatomic, BLOCK);
	assert_int_equal(z->nr_free_highatomic, 12);
	assert_int_equal(z->vm_stat[NR_FREE_PAGES], 24);

	assert_false(unreserve(MIGRATE_RECLAIMABLE, false));
	assert_true(unreserve(MIGRATE_UNMOVABLE, true));
	assert_int_equal(get_pfnblock_migratetype(m, BLOCK), MIGRATE_UNMOVABLE);
	assert_int_equal(z->nr_reserved_highatomic, 0);
	assert_false(unreserve(MIGRATE_UNMOVABLE, true));

	assert_int_equal(count_events(&rec, EV_UNRESERVE_HIGHATOMIC), 2);
	ev = event_at(&rec, EV_UNRESERVE_HIGHATOMIC, 1);
	assert_int_equal(ev->pfn, BLOCK + 4);
	assert_int_equal(ev->order, 2);
	assert_int_equal(ev->a, true);
	assert_int_equal(ev->b, MIGRATE_UNMOVABLE);
	assert_int_equal(ev->c, BLOCK);
}

/* A reserved block with nothing free in it cannot be found. */
static void test_unreserve_needs_a_free_page(void **state)
{
	(void)state;
	reserve_highatomic_pageblock(m, 0, 1, z);
	assert_int_equal(z->nr_reserved_highatomic, BLOCK);
	assert_false(unreserve(MIGRATE_MOVABLE, true));
	assert_int_equal(z->nr_reserved_highatomic, BLOCK);
}

/*
 * Wholly free blocks are moved as they are: block 1 does not merge with block 0,
 * which has the same type then (spec 10, item 10).
 */
static void test_unreserve_whole_block(void **state)
{
	(void)state;
	put_buddy(m, 0, 9);
	put_buddy(m, BLOCK, 9);
	reserve_highatomic_pageblock(m, BLOCK, 9, z);
	assert_int_equal(z->nr_reserved_highatomic, BLOCK);
	/* change_pageblock_range() does not move pages: the request held them all. */
	del_page_from_free_list(m, z, BLOCK, 9, MIGRATE_MOVABLE);
	put_buddy(m, BLOCK, 9);
	assert_true(unreserve(MIGRATE_MOVABLE, true));
	assert_int_equal(z->nr_free[9], 2);
	assert_int_equal(z->nr_free[10], 0);
	assert_int_equal(list_last(m, free_list_head(z, 9, MIGRATE_MOVABLE)), BLOCK);
	assert_int_equal(get_pfnblock_migratetype(m, BLOCK), MIGRATE_MOVABLE);
}

/* An order-10 buddy takes two blocks out of the reserve at once. */
static void test_unreserve_two_blocks(void **state)
{
	(void)state;
	reserve_highatomic_pageblock(m, 2 * BLOCK, 10, z);
	put_buddy(m, 2 * BLOCK, 10);
	assert_true(unreserve(MIGRATE_MOVABLE, false));
	assert_int_equal(z->nr_reserved_highatomic, 0);
	assert_int_equal(get_pfnblock_migratetype(m, 3 * BLOCK), MIGRATE_MOVABLE);
	assert_int_equal(z->nr_free_highatomic, 0);
}

/* More is given back than was counted: all that was, and a warning. */
static void test_unreserve_clamps(void **state)
{
	(void)state;
	put_buddy(m, 4, 2);
	reserve_highatomic_pageblock(m, 0, 1, z);
	SET(m, z->nr_reserved_highatomic, BLOCK - 1);
	assert_true(unreserve(MIGRATE_MOVABLE, true));
	assert_int_equal(z->nr_reserved_highatomic, 0);
	assert_int_equal(event_at(&rec, EV_WARN, 0)->a, WARN_HIGHATOMIC_CLAMP);
	assert_int_equal(event_at(&rec, EV_UNRESERVE_HIGHATOMIC, 0)->c, BLOCK - 1);
}

/* Only a page that came with HIGHATOMIC and the MIN mark, from the buddy lists, reserves. */
static void test_rmqueue_reserves(void **state)
{
	(void)state;
	put_buddy(m, 0, 4);
	put_buddy(m, 32, 4);
	put_buddy(m, BLOCK, 4);
	rmqueue(m, z, z, 4, ALLOC_WMARK_LOW | ALLOC_HIGHATOMIC, MIGRATE_MOVABLE);
	rmqueue(m, z, z, 4, ALLOC_WMARK_MIN | ALLOC_NON_BLOCK, MIGRATE_MOVABLE);
	assert_int_equal(z->nr_reserved_highatomic, 0);
	assert_int_equal(rmqueue(m, z, z, 4, ALLOC_WMARK_MIN | ALLOC_HIGHATOMIC, MIGRATE_MOVABLE),
			 BLOCK);
	assert_int_equal(z->nr_reserved_highatomic, BLOCK);
	assert_int_equal(get_pfnblock_migratetype(m, BLOCK), MIGRATE_HIGHATOMIC);
}

#define HIGHATOMIC_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		HIGHATOMIC_TEST(test_w13_cap),
		HIGHATOMIC_TEST(test_large_order_passes_cap),
		HIGHATOMIC_TEST(test_small_zone),
		HIGHATOMIC_TEST(test_reserve_refused),
		HIGHATOMIC_TEST(test_reserve_partial_block),
		HIGHATOMIC_TEST(test_unreserve),
		HIGHATOMIC_TEST(test_unreserve_needs_a_free_page),
		HIGHATOMIC_TEST(test_unreserve_whole_block),
		HIGHATOMIC_TEST(test_unreserve_two_blocks),
		HIGHATOMIC_TEST(test_unreserve_clamps),
		HIGHATOMIC_TEST(test_rmqueue_reserves),
	};

	return cmocka_run_group_tests_name("highatomic", tests, NULL, NULL);
}
