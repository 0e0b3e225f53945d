/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Claiming and stealing: spec 4.10 - 4.13 and the vectors W6, W7, W12, W16. In the
 * pictures a letter is the type of a block: M movable, U unmovable, R
 * reclaimable; a number is the order of a free buddy, x is in use.
 */
#include "model/tests/zone_fixture.h"

static struct machine machine;
static struct recorder rec;
static struct observer observer;
static struct memory *m;
static struct zone *z;
static enum rmqueue_mode mode;

/* Eight blocks of a Normal zone, all of them in use and movable; marks 1000. */
static int set_up(void **state)
{
	(void)state;
	machine_init(&machine);
	add_zone(&machine, 0, ZONE_NORMAL, 8 * BLOCK);
	machine.mobility = MOBILITY_ON;
	m = boot_machine(&machine, &rec, &observer);
	z = zone_at(m, 0);
	empty_zone(m, z);
	set_marks_of(m, z, 1000, 1000, 1000);
	mode = RMQUEUE_NORMAL;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	shut_down(m);
	return 0;
}

static u32 take(u32 order, u32 mt, u32 alloc_flags)
{
	return __rmqueue(m, z, order, mt, alloc_flags, &mode);
}

static void assert_extfrag(u32 n, u32 pfn, u32 order, u32 fallback_order, u32 start_mt,
			   u32 fallback_mt, bool change_ownership)
{
	const struct event *ev = event_at(&rec, EV_MM_PAGE_ALLOC_EXTFRAG, n);

	assert_non_null(ev);
	assert_int_equal(ev->pfn, pfn);
	assert_int_equal(ev->order, order);
	assert_int_equal(ev->a, fallback_order);
	assert_int_equal(ev->b, start_mt);
	assert_int_equal(ev->c, fallback_mt);
	assert_int_equal(ev->gfp, change_ownership);
}

/* Looks for a free buddy while the lock was held the last time. */
static u32 looks(void)
{
	return event_at(&rec, EV_ZONE_UNLOCK, count_events(&rec, EV_ZONE_UNLOCK) - 1)->a;
}

/*
 * What a lock hold tells: with all free memory in one order-10 buddy of Movable, an unmovable page
 * looks at its own 11 lists, at the fallback lists of order 10 and at the head found there. What the
 * claim has left, the next one finds in its own list of order 0.
 */
static void test_looks(void **state)
{
	(void)state;
	put_buddy(m, 0, 10);
	rmqueue(m, z, z, 4, ALLOC_WMARK_LOW, MIGRATE_MOVABLE);
	assert_int_equal(looks(), 10 - 4 + 1);
	empty_zone(m, z);
	put_buddy(m, 0, 10);
	zone_lock(m, z);
	take(0, MIGRATE_UNMOVABLE, 0);
	zone_unlock(m, z);
	assert_int_equal(looks(), 11 + 1 + 1);
	zone_lock(m, z);
	take(0, MIGRATE_UNMOVABLE, 0);
	zone_unlock(m, z);
	assert_int_equal(looks(), 1);
}

/* ---- 4.10: fallback search ----------------------------------------------- */

/* The table: for each wanted type the two others, in the kernel's order. */
static void test_fallback_order(void **state)
{
	static const u32 table[3][3] = {
		{MIGRATE_UNMOVABLE, MIGRATE_RECLAIMABLE, MIGRATE_MOVABLE},
		{MIGRATE_MOVABLE, MIGRATE_RECLAIMABLE, MIGRATE_UNMOVABLE},
		{MIGRATE_RECLAIMABLE, MIGRATE_UNMOVABLE, MIGRATE_MOVABLE},
	};

	(void)state;
	set_block(m, 0, MIGRATE_UNMOVABLE);
	set_block(m, 1, MIGRATE_MOVABLE);
	set_block(m, 2, MIGRATE_RECLAIMABLE);
	for (u32 block = 0; block < 3; block++)
		put_buddy(m, block * BLOCK, 5);
	for (u32 i = 0; i < 3; i++) {
		u32 first = table[i][1], second = table[i][2];

		assert_int_equal(find_suitable_fallback(m, z, 5, table[i][0], true), first);
		/* Blocks 0..2 stand for types 0..2. */
		del_page_from_free_list(m, z, first * BLOCK, 5, first);
		assert_int_equal(find_suitable_fallback(m, z, 5, table[i][0], true), second);
		put_buddy(m, first * BLOCK, 5);
	}
}

/* Pages of other types keep nr_free above 0 but are no fallback. */
static void test_fallback_never(void **state)
{
	static const u32 never[] = {MIGRATE_MOVABLE, MIGRATE_HIGHATOMIC, MIGRATE_CMA};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(never); i++) {
		set_block(m, i, never[i]);
		put_buddy(m, i * BLOCK, 5);
	}
	set_pageblock_isolate(m, 3 * BLOCK, true);
	put_buddy(m, 3 * BLOCK, 5);
	assert_int_equal(z->nr_free[5], 4);
	assert_int_equal(find_suitable_fallback(m, z, 5, MIGRATE_MOVABLE, true), FALLBACK_EMPTY);
	assert_int_equal(find_suitable_fallback(m, z, 5, MIGRATE_MOVABLE, false), FALLBACK_EMPTY);
}

/*
 * W7, pageblock_order 9: a movable claim looks at orders 10..4 (9 / 2 = 4) and
 * gives up at 3, empty or not. Other types, steals, and a machine without
 * mobility grouping look at all.
 */
static void test_w7_noclaim(void **state)
{
	(void)state;
	set_block(m, 1, MIGRATE_RECLAIMABLE);
	assert_int_equal(find_suitable_fallback(m, z, 4, MIGRATE_MOVABLE, true), FALLBACK_EMPTY);
	assert_int_equal(find_suitable_fallback(m, z, 3, MIGRATE_MOVABLE, true), FALLBACK_NOCLAIM);
	put_buddy(m, BLOCK, 3);
	put_buddy(m, BLOCK + 16, 4);
	assert_int_equal(find_suitable_fallback(m, z, 4, MIGRATE_MOVABLE, true),
			 MIGRATE_RECLAIMABLE);
	assert_int_equal(find_suitable_fallback(m, z, 3, MIGRATE_MOVABLE, true), FALLBACK_NOCLAIM);
	assert_int_equal(find_suitable_fallback(m, z, 3, MIGRATE_MOVABLE, false),
			 MIGRATE_RECLAIMABLE);
	assert_int_equal(find_suitable_fallback(m, z, 3, MIGRATE_UNMOVABLE, true),
			 MIGRATE_RECLAIMABLE);
	assert_int_equal(find_suitable_fallback(m, z, 0, MIGRATE_RECLAIMABLE, true),
			 FALLBACK_EMPTY);
	SET(m, m->global->page_group_by_mobility_disabled, 1);
	assert_int_equal(find_suitable_fallback(m, z, 3, MIGRATE_MOVABLE, true),
			 MIGRATE_RECLAIMABLE);
}

/* ---- 4.11, 4.12: claim --------------------------------------------------- */

/*
 * A free buddy of two blocks:  [ M . . . | . . . . ] -> both become U, the rest
 * of it is on U lists, nothing is boosted, and no zone_locked event tells of it.
 */
static void test_claim_whole_blocks(void **state)
{
	(void)state;
	put_buddy(m, 2 * BLOCK, 10);
	assert_int_equal(take(3, MIGRATE_UNMOVABLE, ALLOC_KSWAPD | ALLOC_NOFRAGMENT), 2 * BLOCK);
	assert_int_equal(get_pfnblock_migratetype(m, 2 * BLOCK), MIGRATE_UNMOVABLE);
	assert_int_equal(get_pfnblock_migratetype(m, 3 * BLOCK), MIGRATE_UNMOVABLE);
	for (u32 order = 3; order < 10; order++)
		assert_int_equal(head_of(m, z, order, MIGRATE_UNMOVABLE), 2 * BLOCK + BIT(order));
	assert_int_equal(z->vm_stat[NR_FREE_PAGES], 1024 - 8);
	assert_int_equal(z->vm_stat[NR_FREE_PAGES_BLOCKS], 512);
	assert_int_equal(z->watermark_boost, 0);
	assert_int_equal(z->flags & ZONE_BOOSTED_WATERMARK, 0);
	assert_int_equal(count_events(&rec, EV_MM_PAGE_ALLOC_ZONE_LOCKED), 0);
	assert_extfrag(0, 2 * BLOCK, 3, 10, MIGRATE_UNMOVABLE, MIGRATE_MOVABLE, true);
}

/* A buddy of exactly one block is taken in the same way. */
static void test_claim_one_block(void **state)
{
	(void)state;
	put_buddy(m, BLOCK, 9);
	assert_int_equal(take(9, MIGRATE_RECLAIMABLE, ALLOC_KSWAPD), BLOCK);
	assert_int_equal(get_pfnblock_migratetype(m, BLOCK), MIGRATE_RECLAIMABLE);
	assert_int_equal(z->watermark_boost, 0);
	assert_int_equal(count_events(&rec, EV_MM_PAGE_ALLOC_ZONE_LOCKED), 0);
	assert_extfrag(0, BLOCK, 9, 9, MIGRATE_RECLAIMABLE, MIGRATE_MOVABLE, true);
}

/*
 * W6: one movable block, 200 pages free, 100 on the LRU, 212 slab:
 *
 *      0        128    192 200      300             512
 *      |   7    |   6  | 3 | LRU... | x x x x x x x |
 *
 * An unmovable request finds order 7. 200 + 212 = 412 >= 256: the block is
 * claimed, and the page comes from the smallest buddy in it.
 */
static void draw_w6(u32 lru)
{
	put_buddy(m, 0, 7);
	put_buddy(m, 128, 6);
	put_buddy(m, 192, 3);
	look_movable(m, 200, lru);
}

static void test_w6_claim(void **state)
{
	(void)state;
	draw_w6(100);
	assert_int_equal(take(0, MIGRATE_UNMOVABLE, ALLOC_KSWAPD), 192);
	assert_int_equal(mode, RMQUEUE_NORMAL);
	assert_int_equal(get_pfnblock_migratetype(m, 0), MIGRATE_UNMOVABLE);
	assert_int_equal(head_of(m, z, 7, MIGRATE_UNMOVABLE), 0);
	assert_int_equal(head_of(m, z, 6, MIGRATE_UNMOVABLE), 128);
	assert_int_equal(head_of(m, z, 2, MIGRATE_UNMOVABLE), 196);
	assert_int_equal(z->vm_stat[NR_FREE_PAGES], 199);
	assert_int_equal(z->watermark_boost, 512);
	assert_true(z->flags & ZONE_BOOSTED_WATERMARK);
	assert_extfrag(0, 192, 0, 7, MIGRATE_UNMOVABLE, MIGRATE_MOVABLE, true);
	assert_int_equal(count_events(&rec, EV_MM_PAGE_ALLOC_ZONE_LOCKED), 1);
}

/* W6 with 140 on the LRU, 72 slab, 100 on a pcp list: 512 - 340 = 172, 372 >= 256. */
static void test_w6_pcp_counts_as_kin(void **state)
{
	(void)state;
	draw_w6(140);
	assert_int_equal(take(0, MIGRATE_UNMOVABLE, 0), 192);
	/* The boost is there, but nobody asked for kswapd. */
	assert_int_equal(z->watermark_boost, 512);
	assert_int_equal(z->flags & ZONE_BOOSTED_WATERMARK, 0);
}

/* The limit is half a block: 200 + 56 = 256 is enough, 200 + 55 is not. */
static void test_claim_threshold(void **state)
{
	(void)state;
	draw_w6(257); /* alike = 512 - 457 = 55 */
	assert_int_equal(__rmqueue_claim(m, z, 0, MIGRATE_UNMOVABLE, 0), PFN_NONE);
	assert_int_equal(get_pfnblock_migratetype(m, 0), MIGRATE_MOVABLE);
	page_set_flags(m, 200, 0, PG_LRU); /* 56 */
	assert_int_equal(__rmqueue_claim(m, z, 0, MIGRATE_UNMOVABLE, 0), 192);
	assert_int_equal(get_pfnblock_migratetype(m, 0), MIGRATE_UNMOVABLE);
}

/* A movable request counts movable pages in use as kin: 16 + 240 = 256. */
static void test_claim_movable(void **state)
{
	(void)state;
	set_block(m, 1, MIGRATE_UNMOVABLE);
	put_buddy(m, BLOCK, 4);
	look_movable(m, BLOCK + 16, 239);
	assert_int_equal(__rmqueue_claim(m, z, 0, MIGRATE_MOVABLE, 0), PFN_NONE);
	look_movable(m, BLOCK + 16 + 239, 1);
	assert_int_equal(__rmqueue_claim(m, z, 0, MIGRATE_MOVABLE, 0), BLOCK);
	assert_int_equal(get_pfnblock_migratetype(m, BLOCK), MIGRATE_MOVABLE);
}

/*
 * W6, a reclaimable block that holds one buddy of each order 7..0, 255 pages:
 * nothing in it counts as kin of an unmovable request, 255 < 256. Each of the
 * eight candidates boosts before it is refused, then the smallest is stolen.
 */
static void test_w6_eight_boosts(void **state)
{
	(void)state;
	set_marks_of(m, z, 1000, 1000, 4000); /* limit of the boost: 6000 */
	set_block(m, 0, MIGRATE_RECLAIMABLE);
	for (u32 order = 0; order <= 7; order++)
		put_buddy(m, 1U << order, order);
	assert_int_equal(take(0, MIGRATE_UNMOVABLE, 0), 1);
	assert_int_equal(mode, RMQUEUE_STEAL);
	assert_int_equal(z->watermark_boost, 8 * 512);
	assert_int_equal(get_pfnblock_migratetype(m, 0), MIGRATE_RECLAIMABLE);
	assert_extfrag(0, 1, 0, 0, MIGRATE_UNMOVABLE, MIGRATE_RECLAIMABLE, false);
}

/*
 * One candidate an order: R at order 7 is refused, M at the same order, which
 * would qualify, is not tried; the R at order 5 is, in vain.
 */
static void test_claim_skips_second_type(void **state)
{
	(void)state;
	set_marks_of(m, z, 1000, 1000, 4000);
	put_buddy(m, 0, 7); /* M, kin 384 */
	set_block(m, 1, MIGRATE_RECLAIMABLE);
	put_buddy(m, BLOCK, 7);
	put_buddy(m, BLOCK + 128, 5);
	assert_int_equal(__rmqueue_claim(m, z, 0, MIGRATE_UNMOVABLE, 0), PFN_NONE);
	assert_int_equal(z->watermark_boost, 2 * 512);
	assert_int_equal(get_pfnblock_migratetype(m, 0), MIGRATE_MOVABLE);
}

/* The largest candidate that qualifies wins, and only list heads are candidates. */
static void test_claim_largest_first(void **state)
{
	(void)state;
	put_buddy(m, 0, 5);
	put_buddy(m, BLOCK, 6);
	put_buddy(m, 2 * BLOCK, 6);
	look_movable(m, BLOCK + 64, 448); /* block 1: nothing but movable pages */
	assert_int_equal(take(0, MIGRATE_UNMOVABLE, 0), 0);
	assert_int_equal(get_pfnblock_migratetype(m, 0), MIGRATE_UNMOVABLE);
	assert_int_equal(get_pfnblock_migratetype(m, 2 * BLOCK), MIGRATE_MOVABLE);
	assert_extfrag(0, 0, 0, 5, MIGRATE_UNMOVABLE, MIGRATE_MOVABLE, true);
	assert_int_equal(z->watermark_boost, 1024); /* orders 6 and 5; the limit is 1500 */
}

/* Claims are bounded below by the block with NOFRAGMENT, else by the request. */
static void test_claim_lower_bound(void **state)
{
	(void)state;
	put_buddy(m, 0, 8);
	assert_int_equal(take(0, MIGRATE_UNMOVABLE, ALLOC_NOFRAGMENT), PFN_NONE);
	assert_int_equal(z->watermark_boost, 0); /* not even looked at */
	assert_int_equal(__rmqueue_claim(m, z, 9, MIGRATE_UNMOVABLE, 0), PFN_NONE);
	assert_int_equal(z->watermark_boost, 0);
	assert_int_equal(__rmqueue_claim(m, z, 8, MIGRATE_UNMOVABLE, 0), 0);
	/* An order above the block may be claimed with NOFRAGMENT; order 9 is too small. */
	put_buddy(m, 2 * BLOCK, 9);
	assert_int_equal(take(10, MIGRATE_UNMOVABLE, ALLOC_NOFRAGMENT), PFN_NONE);
	put_buddy(m, 4 * BLOCK, 10);
	assert_int_equal(take(10, MIGRATE_UNMOVABLE, ALLOC_NOFRAGMENT), 4 * BLOCK);
}

/* Without mobility grouping any block will do, however little of it is free. */
static void test_claim_mobility_disabled(void **state)
{
	(void)state;
	set_block(m, 1, MIGRATE_RECLAIMABLE);
	put_buddy(m, BLOCK, 0);
	assert_int_equal(__rmqueue_claim(m, z, 0, MIGRATE_UNMOVABLE, 0), PFN_NONE);
	SET(m, m->global->page_group_by_mobility_disabled, 1);
	assert_int_equal(__rmqueue_claim(m, z, 0, MIGRATE_UNMOVABLE, 0), BLOCK);
	assert_int_equal(get_pfnblock_migratetype(m, BLOCK), MIGRATE_UNMOVABLE);
}

/* ---- boost --------------------------------------------------------------- */

/* Steps of a block up to max(block, HIGH * factor / 10000); still true when full. */
static void test_boost_steps(void **state)
{
	(void)state;
	set_marks_of(m, z, 100, 100, 1001); /* 1001 * 15000 / 10000 = 1501 */
	assert_true(boost_watermark(m, z));
	assert_int_equal(z->watermark_boost, 512);
	assert_true(boost_watermark(m, z));
	assert_int_equal(z->watermark_boost, 1024);
	assert_true(boost_watermark(m, z));
	assert_int_equal(z->watermark_boost, 1501);
	assert_true(boost_watermark(m, z));
	assert_int_equal(z->watermark_boost, 1501);
}

/* The limit comes from the raw HIGH mark, and is at least a block. */
static void test_boost_limits(void **state)
{
	(void)state;
	set_marks_of(m, z, 1, 1, 1); /* 1 * 15000 / 10000 = 1, so a block */
	assert_true(boost_watermark(m, z));
	assert_true(boost_watermark(m, z));
	assert_int_equal(z->watermark_boost, 512);
}

/* Not at all: factor 0; HIGH * factor rounds to 0; less than four blocks managed. */
static void test_boost_refused(void **state)
{
	(void)state;
	SET(m, m->global->sysctl[SYSCTL_WATERMARK_BOOST_FACTOR], 0);
	assert_false(boost_watermark(m, z));
	SET(m, m->global->sysctl[SYSCTL_WATERMARK_BOOST_FACTOR], 9);
	assert_false(boost_watermark(m, z)); /* 1000 * 9 / 10000 */
	SET(m, m->global->sysctl[SYSCTL_WATERMARK_BOOST_FACTOR], 15000);
	SET(m, z->managed_pages, 4 * BLOCK - 1);
	assert_false(boost_watermark(m, z));
	assert_int_equal(z->watermark_boost, 0);
	SET(m, z->managed_pages, 4 * BLOCK);
	assert_true(boost_watermark(m, z));
}

/* ---- 4.13: steal --------------------------------------------------------- */

/* The smallest buddy of the best type; its rest and its block keep their type. */
static void test_steal(void **state)
{
	(void)state;
	set_block(m, 1, MIGRATE_RECLAIMABLE);
	set_block(m, 2, MIGRATE_UNMOVABLE);
	put_buddy(m, BLOCK, 3);
	put_buddy(m, 2 * BLOCK, 3);
	put_buddy(m, 2 * BLOCK + 16, 1); /* too small */
	assert_int_equal(__rmqueue_steal(m, z, 2, MIGRATE_MOVABLE), BLOCK);
	assert_int_equal(head_of(m, z, 2, MIGRATE_RECLAIMABLE), BLOCK + 4);
	assert_int_equal(get_pfnblock_migratetype(m, BLOCK), MIGRATE_RECLAIMABLE);
	assert_int_equal(z->vm_stat[NR_FREE_PAGES], 4 + 8 + 2);
	assert_int_equal(z->watermark_boost, 0);
	assert_extfrag(0, BLOCK, 2, 3, MIGRATE_MOVABLE, MIGRATE_RECLAIMABLE, false);
	assert_int_equal(__rmqueue_steal(m, z, 2, MIGRATE_MOVABLE), BLOCK + 4);
	assert_int_equal(__rmqueue_steal(m, z, 2, MIGRATE_MOVABLE), 2 * BLOCK);
	assert_int_equal(count_events(&rec, EV_MM_PAGE_ALLOC_ZONE_LOCKED), 0);
}

/*
 * W12: a movable refill of 4 finds orders 3..0 of R only. The claim loop ends at
 * order 3, so all four are stolen, smallest first, and nothing is boosted.
 */
static void test_w12_bulk_steals(void **state)
{
	struct per_cpu_pages *pcp = this_pcp(m, z);
	u32 list = pcp_list_head(pcp, order_to_pindex(MIGRATE_MOVABLE, 0));
	u32 pfn = list;

	(void)state;
	set_block(m, 1, MIGRATE_RECLAIMABLE);
	for (u32 order = 0; order <= 3; order++)
		put_buddy(m, BLOCK + (1U << order), order);
	assert_int_equal(rmqueue_bulk(m, z, 0, 4, list, MIGRATE_MOVABLE, 0), 4);
	for (u32 i = 1; i <= 4; i++) {
		pfn = m->links[pfn].next;
		assert_int_equal(pfn, BLOCK + i); /* order 0; both of order 1; half of order 2 */
	}
	assert_int_equal(count_events(&rec, EV_MM_PAGE_ALLOC_EXTFRAG), 4);
	assert_extfrag(3, BLOCK + 4, 0, 2, MIGRATE_MOVABLE, MIGRATE_RECLAIMABLE, false);
	assert_int_equal(z->watermark_boost, 0);
}

/*
 * W16, a refill of order 2 as a real kernel traced it: batch 3 gives 2 pages. All that is free is an
 * order-4 buddy of a movable block, at the offset of pfn 0x40b0 in its block; the rest of the block
 * is movable, so no claim. The first steal splits it, the second takes the remainder of order 2,
 * which is the smallest buddy then.
 *
 *      176      180      184                192
 *      | taken  | taken  |     order 3      |
 */
static void test_w16_refill_steals_on(void **state)
{
	(void)state;
	put_buddy(m, BLOCK + 0xb0, 4);
	look_movable(m, BLOCK + 0xc0, BLOCK - 0xc0);
	__zone_set_pageset_high_and_batch(m, z, 12, 12, 3);
	assert_int_equal(rmqueue(m, z, z, 2, 0, MIGRATE_UNMOVABLE), BLOCK + 0xb0);
	assert_int_equal(count_events(&rec, EV_MM_PAGE_ALLOC_EXTFRAG), 2);
	assert_extfrag(0, BLOCK + 0xb0, 2, 4, MIGRATE_UNMOVABLE, MIGRATE_MOVABLE, false);
	assert_extfrag(1, BLOCK + 0xb4, 2, 2, MIGRATE_UNMOVABLE, MIGRATE_MOVABLE, false);
	assert_int_equal(count_events(&rec, EV_MM_PAGE_ALLOC_ZONE_LOCKED), 0);
	assert_int_equal(head_of(m, z, 3, MIGRATE_MOVABLE), BLOCK + 0xb8);
	assert_int_equal(this_pcp(m, z)->count, 4);
}

#define FALLBACK_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FALLBACK_TEST(test_looks),
		FALLBACK_TEST(test_fallback_order),
		FALLBACK_TEST(test_fallback_never),
		FALLBACK_TEST(test_w7_noclaim),
		FALLBACK_TEST(test_claim_whole_blocks),
		FALLBACK_TEST(test_claim_one_block),
		FALLBACK_TEST(test_w6_claim),
		FALLBACK_TEST(test_w6_pcp_counts_as_kin),
		FALLBACK_TEST(test_claim_threshold),
		FALLBACK_TEST(test_claim_movable),
		FALLBACK_TEST(test_w6_eight_boosts),
		FALLBACK_TEST(test_claim_skips_second_type),
		FALLBACK_TEST(test_claim_largest_first),
		FALLBACK_TEST(test_claim_lower_bound),
		FALLBACK_TEST(test_claim_mobility_disabled),
		FALLBACK_TEST(test_boost_steps),
		FALLBACK_TEST(test_boost_limits),
		FALLBACK_TEST(test_boost_refused),
		FALLBACK_TEST(test_steal),
		FALLBACK_TEST(test_w12_bulk_steals),
		FALLBACK_TEST(test_w16_refill_steals_on),
	};

	return cmocka_run_group_tests_name("fallback", tests, NULL, NULL);
}
