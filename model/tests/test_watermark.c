/* SPDX-License-Identifier: GPL-2.0-only */
/* Watermark checks: spec 5.1 - 5.3 and the vectors W8, W9. Marks are set by hand. */
#include "model/tests/zone_fixture.h"

static struct machine machine;
static struct recorder rec;
static struct observer observer;
static struct memory *m;
static struct zone *z;

static int set_up(void **state)
{
	(void)state;
	machine_init(&machine);
	add_zone(&machine, 0, ZONE_NORMAL, 8 * BLOCK);
	machine.mobility = MOBILITY_ON;
	m = boot_machine(&machine, &rec, &observer);
	z = zone_at(m, 0);
	empty_zone(m, z);
	set_marks_of(m, z, 100, 100, 100);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	shut_down(m);
	return 0;
}

/* 138 free pages, 50 of them CMA, in buddies of the given least order only. */
static void draw_w8(void)
{
	set_block(m, 0, MIGRATE_MOVABLE);
	put_buddy(m, 0, 6); /* 64 + 16 + 8 = 88 */
	put_buddy(m, 64, 4);
	put_buddy(m, 96, 3);
	set_block(m, 1, MIGRATE_CMA);
	put_buddy(m, BLOCK, 5); /* 32 + 16 + 2 = 50 */
	put_buddy(m, BLOCK + 32, 4);
	put_buddy(m, BLOCK + 64, 1);
	assert_int_equal(z->vm_stat[NR_FREE_PAGES], 138);
	assert_int_equal(z->vm_stat[NR_FREE_CMA_PAGES], 50);
}

static bool both_say(u32 order, u32 mark, u32 alloc_flags)
{
	bool ok = zone_watermark_ok(m, z, order, mark, ZONE_NORMAL, alloc_flags);

	assert_int_equal(zone_watermark_fast(m, z, order, mark, ZONE_NORMAL, alloc_flags), ok);
	return ok;
}

/* W8: CMA pages count only for movable requests; atomic ones go below the mark. */
static void test_w8_order_0(void **state)
{
	(void)state;
	draw_w8();
	/* unmovable: 138 - 50 = 88 <= 100 */
	assert_false(both_say(0, 100, ALLOC_WMARK_LOW));
	/* GFP_ATOMIC: 100 - 50 = 50, 50 - 12 = 38; 88 > 38 */
	assert_true(both_say(0, 100, ALLOC_WMARK_LOW | ALLOC_MIN_RESERVE | ALLOC_NON_BLOCK));
	/* movable: 138 > 100 */
	assert_true(both_say(0, 100, ALLOC_WMARK_LOW | ALLOC_CMA));
}

/* W9: order 2 gives up 3 pages and needs a buddy of order >= 2: 138 - 3 = 135. */
static void test_w9_order_2(void **state)
{
	(void)state;
	draw_w8();
	assert_true(both_say(2, 134, ALLOC_WMARK_LOW | ALLOC_CMA));
	assert_false(both_say(2, 135, ALLOC_WMARK_LOW | ALLOC_CMA));
}

/*
 * A buddy of order 2 counts only if its list is usable; 8 pages in order 0 give
 * the room that the mark of 0 asks for.
 */
static void test_high_order_lists(void **state)
{
	static const struct {
		u32 mt, alloc_flags;
		bool ok;
	} rows[] = {
		{MIGRATE_UNMOVABLE, 0, true},
		{MIGRATE_MOVABLE, 0, true},
		{MIGRATE_RECLAIMABLE, ALLOC_NOFRAGMENT, true}, /* whatever the request may touch */
		{MIGRATE_CMA, 0, false},
		{MIGRATE_CMA, ALLOC_CMA, true},
		{MIGRATE_HIGHATOMIC, 0, false},
		{MIGRATE_HIGHATOMIC, ALLOC_NON_BLOCK, false},
		{MIGRATE_HIGHATOMIC, ALLOC_MIN_RESERVE, false},
		{MIGRATE_HIGHATOMIC, ALLOC_HIGHATOMIC, true},
		{MIGRATE_HIGHATOMIC, ALLOC_OOM, true},
		{MIGRATE_ISOLATE, ALLOC_CMA | ALLOC_OOM, false}, /* though nr_free counts it */
	};

	(void)state;
	for (u32 i = 0; i < 8; i++)
		put_buddy(m, 2 * i, 0);
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		set_block(m, 1, MIGRATE_MOVABLE);
		if (rows[i].mt == MIGRATE_ISOLATE)
			set_pageblock_isolate(m, BLOCK, true);
		else
			set_block(m, 1, rows[i].mt);
		put_buddy(m, BLOCK, 2);
		assert_int_equal(z->nr_free[2], 1);
		assert_int_equal(both_say(2, 0, rows[i].alloc_flags), rows[i].ok);
		/* An order-3 request cannot be cut from it. */
		assert_false(both_say(3, 0, rows[i].alloc_flags));
		del_page_from_free_list(m, z, BLOCK, 2, rows[i].mt);
	}
}

/* The discount table of 5.2 for M = 160, a multiple of 16. */
static void test_discounts(void **state)
{
	static const struct {
		u32 alloc_flags, limit;
	} rows[] = {
		{0, 160},
		{ALLOC_HIGHATOMIC, 160},
		{ALLOC_NON_BLOCK, 160}, /* nothing by itself */
		{ALLOC_MIN_RESERVE, 80},
		{ALLOC_MIN_RESERVE | ALLOC_NON_BLOCK, 60}, /* 3M/8 */
		{ALLOC_OOM, 80},
		{ALLOC_OOM | ALLOC_MIN_RESERVE, 40},
		{ALLOC_OOM | ALLOC_NON_BLOCK, 80},
		{ALLOC_OOM | ALLOC_MIN_RESERVE | ALLOC_NON_BLOCK, 30}, /* 3M/16 */
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		for (u32 w = WMARK_MIN; w <= WMARK_HIGH; w++) {
			u32 flags = rows[i].alloc_flags | w;

			assert_false(__zone_watermark_ok(m, z, 0, 160, ZONE_NORMAL, flags,
							 rows[i].limit));
			assert_true(__zone_watermark_ok(m, z, 0, 160, ZONE_NORMAL, flags,
							rows[i].limit + 1));
		}
	}
}

/* Integer division, step by step: 7 -> 7 - 3 = 4 -> 4 - 1 = 3 -> 3 - 1 = 2. */
static void test_discounts_round(void **state)
{
	const u32 all = ALLOC_MIN_RESERVE | ALLOC_NON_BLOCK | ALLOC_OOM;

	(void)state;
	assert_false(__zone_watermark_ok(m, z, 0, 7, ZONE_NORMAL, all, 2));
	assert_true(__zone_watermark_ok(m, z, 0, 7, ZONE_NORMAL, all, 3));
}

/* Room left for others is not discounted, and is chosen by the highest zone asked for. */
static void test_lowmem_reserve(void **state)
{
	(void)state;
	SET(m, z->lowmem_reserve[ZONE_NORMAL], 0);
	SET(m, z->lowmem_reserve[ZONE_MOVABLE], 40);
	assert_true(__zone_watermark_ok(m, z, 0, 100, ZONE_NORMAL, 0, 101));
	assert_false(__zone_watermark_ok(m, z, 0, 100, ZONE_MOVABLE, 0, 140));
	assert_true(__zone_watermark_ok(m, z, 0, 100, ZONE_MOVABLE, 0, 141));
	assert_false(__zone_watermark_ok(m, z, 0, 100, ZONE_MOVABLE, ALLOC_MIN_RESERVE, 90));
	assert_true(__zone_watermark_ok(m, z, 0, 100, ZONE_MOVABLE, ALLOC_MIN_RESERVE, 91));
}

/* 150 free, 64 of them HIGHATOMIC: 86 for those without any reserve flag. */
static void test_highatomic_is_unusable(void **state)
{
	static const u32 reserves[] = {ALLOC_NON_BLOCK, ALLOC_MIN_RESERVE, ALLOC_HIGHATOMIC,
				       ALLOC_OOM};

	(void)state;
	put_buddy(m, 0, 6); /* 64 + 16 + 4 + 2 = 86 */
	put_buddy(m, 64, 4);
	put_buddy(m, 96, 2);
	put_buddy(m, 104, 1);
	set_block(m, 1, MIGRATE_HIGHATOMIC);
	put_buddy(m, BLOCK, 6);
	assert_int_equal(z->nr_free_highatomic, 64);
	assert_false(both_say(0, 86, ALLOC_WMARK_LOW));
	assert_true(both_say(0, 85, ALLOC_WMARK_LOW));
	assert_false(both_say(0, 86, ALLOC_WMARK_LOW | ALLOC_KSWAPD | ALLOC_CMA | ALLOC_CPUSET));
	for (u32 i = 0; i < ARRAY_SIZE(reserves); i++)
		assert_true(both_say(0, 86, ALLOC_WMARK_LOW | reserves[i]));
}

/* More unusable than free: the difference is negative and fails against a mark of 0. */
static void test_negative_free(void **state)
{
	(void)state;
	set_block(m, 0, MIGRATE_CMA);
	put_buddy(m, 0, 3);
	assert_false(both_say(0, 0, ALLOC_WMARK_LOW));
	assert_false(both_say(5, 0, ALLOC_WMARK_LOW));
	assert_true(both_say(0, 7, ALLOC_WMARK_LOW | ALLOC_CMA));
	/* The counters are read one after the other and need not agree. */
	SET(m, z->nr_free_highatomic, 20);
	assert_false(both_say(0, 7, ALLOC_WMARK_LOW | ALLOC_CMA));
}

/*
 * 5.3: with a boost of 512, 100 free pages pass neither 100 + 512 nor its half,
 * 306, but they pass the half of the raw MIN, 50. The second chance asks for the
 * MIN bits of the flags, whichever mark was passed.
 */
static void test_boost_second_chance(void **state)
{
	u32 boosted_high;

	(void)state;
	put_buddy(m, 0, 6); /* 64 + 32 + 4 = 100 */
	put_buddy(m, 64, 5);
	put_buddy(m, 96, 2);
	SET(m, z->watermark_boost, 512);
	boosted_high = wmark_pages(z, WMARK_HIGH);
	assert_int_equal(boosted_high, 612);

	assert_true(zone_watermark_fast(m, z, 0, boosted_high, ZONE_NORMAL,
					ALLOC_WMARK_MIN | ALLOC_MIN_RESERVE));
	/* Only the fast check gives it, ... */
	assert_false(zone_watermark_ok(m, z, 0, boosted_high, ZONE_NORMAL,
				       ALLOC_WMARK_MIN | ALLOC_MIN_RESERVE));
	/* ... for order 0, with MIN_RESERVE, with MIN bits, ... */
	assert_false(zone_watermark_fast(m, z, 1, boosted_high, ZONE_NORMAL,
					 ALLOC_WMARK_MIN | ALLOC_MIN_RESERVE));
	assert_false(zone_watermark_fast(m, z, 0, boosted_high, ZONE_NORMAL,
					 ALLOC_WMARK_MIN | ALLOC_NON_BLOCK));
	assert_false(zone_watermark_fast(m, z, 0, boosted_high, ZONE_NORMAL,
					 ALLOC_WMARK_LOW | ALLOC_MIN_RESERVE));
	/* ... while there is a boost. */
	SET(m, z->watermark_boost, 0);
	assert_false(zone_watermark_fast(m, z, 0, boosted_high, ZONE_NORMAL,
					 ALLOC_WMARK_MIN | ALLOC_MIN_RESERVE));
}

/* The second chance keeps the discounts: 100 free > 60 = 3/8 of a raw MIN of 160, not of 272. */
static void test_boost_second_chance_discounts(void **state)
{
	const u32 flags = ALLOC_WMARK_MIN | ALLOC_MIN_RESERVE | ALLOC_NON_BLOCK;

	(void)state;
	put_buddy(m, 0, 6);
	put_buddy(m, 64, 5);
	put_buddy(m, 96, 2);
	SET(m, z->watermark_boost, 512);
	SET(m, z->_watermark[WMARK_MIN], 160);
	assert_true(zone_watermark_fast(m, z, 0, 672, ZONE_NORMAL, flags));
	/* 272 - 136 = 136, 136 - 34 = 102 >= 100 */
	SET(m, z->_watermark[WMARK_MIN], 272);
	assert_false(zone_watermark_fast(m, z, 0, 784, ZONE_NORMAL, flags));
}

#define WATERMARK_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WATERMARK_TEST(test_w8_order_0),
		WATERMARK_TEST(test_w9_order_2),
		WATERMARK_TEST(test_high_order_lists),
		WATERMARK_TEST(test_discounts),
		WATERMARK_TEST(test_discounts_round),
		WATERMARK_TEST(test_lowmem_reserve),
		WATERMARK_TEST(test_highatomic_is_unusable),
		WATERMARK_TEST(test_negative_free),
		WATERMARK_TEST(test_boost_second_chance),
		WATERMARK_TEST(test_boost_second_chance_discounts),
	};

	return cmocka_run_group_tests_name("watermark", tests, NULL, NULL);
}
