/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The properties' own watermark arithmetic on the worked examples of the spec.
 *
 *      free 138, of which 50 in CMA blocks; mark 100
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "properties/wmark.h"

#define ATOMIC (ALLOC_MIN_RESERVE | ALLOC_NON_BLOCK)

static struct zone zone;
static struct wmark mark;
static struct link heads[NR_ORDERS * MIGRATE_TYPES];
#define NR_PAGES 16

static void make_zone(u32 free_pages, u32 cma, u32 highatomic)
{
	zone = (struct zone){.nr_free_highatomic = highatomic, .flags = ZONE_BELOW_HIGH};
	zone.vm_stat[NR_FREE_PAGES] = free_pages;
	zone.vm_stat[NR_FREE_CMA_PAGES] = cma;
	for (u32 i = 0; i < ARRAY_SIZE(heads); i++)
		heads[i] = (struct link){.next = NR_PAGES + i, .prev = NR_PAGES + i};
	mark = (struct wmark){.zone = &zone, .heads = heads, .nr_pages = NR_PAGES};
}

/* The lists of @order that have a page: @types, and no others. */
static void fill_lists(u32 order, u32 types)
{
	for (u32 mt = 0; mt < MIGRATE_TYPES; mt++) {
		u32 head = order * MIGRATE_TYPES + mt;

		heads[head].next = types & BIT(mt) ? 8 : NR_PAGES + head;
	}
}

/* W8: an unmovable request may not use CMA, GFP_ATOMIC has 3/8 of the mark, a movable one CMA. */
static void test_order_0(void **state)
{
	(void)state;
	make_zone(138, 50, 0);
	assert_false(wmark_fast(&mark, 0, 100, ZONE_NORMAL, 0));
	assert_true(wmark_fast(&mark, 0, 100, ZONE_NORMAL, ATOMIC));
	assert_true(wmark_fast(&mark, 0, 100, ZONE_NORMAL, ALLOC_CMA));
	/* More than the mark, and nothing less (rule 38). */
	assert_false(wmark_fast(&mark, 0, 88, ZONE_NORMAL, 0));
	assert_true(wmark_fast(&mark, 0, 87, ZONE_NORMAL, 0));
	zone.lowmem_reserve[ZONE_NORMAL] = 1;
	assert_false(wmark_fast(&mark, 0, 87, ZONE_NORMAL, 0));
}

/* W9: order 2 needs 3 pages more, and a buddy of a list that the flags open. */
static void test_order_2(void **state)
{
	(void)state;
	make_zone(138, 0, 0);
	assert_false(wmark_fast(&mark, 2, 100, ZONE_NORMAL, 0));
	fill_lists(1, BIT(MIGRATE_MOVABLE));
	assert_false(wmark_fast(&mark, 2, 100, ZONE_NORMAL, 0));
	fill_lists(2, BIT(MIGRATE_RECLAIMABLE));
	assert_true(wmark_fast(&mark, 2, 134, ZONE_NORMAL, 0));
	assert_false(wmark_fast(&mark, 2, 135, ZONE_NORMAL, 0));
	fill_lists(2, BIT(MIGRATE_ISOLATE) | BIT(MIGRATE_CMA) | BIT(MIGRATE_HIGHATOMIC));
	assert_false(wmark_fast(&mark, 2, 100, ZONE_NORMAL, ALLOC_NON_BLOCK));
	assert_true(wmark_fast(&mark, 2, 100, ZONE_NORMAL, ALLOC_CMA));
	assert_true(wmark_fast(&mark, 2, 100, ZONE_NORMAL, ALLOC_HIGHATOMIC));
	assert_true(wmark_fast(&mark, 2, 100, ZONE_NORMAL, ALLOC_OOM));
}

/* Spec 5.2: the table of discounts, for a mark of 160; and of 101, where division rounds. */
static void test_discounts(void **state)
{
	(void)state;
	assert_int_equal(wmark_discounted(160, 0), 160);
	assert_int_equal(wmark_discounted(160, ALLOC_NON_BLOCK), 160);
	assert_int_equal(wmark_discounted(160, ALLOC_MIN_RESERVE), 80);
	assert_int_equal(wmark_discounted(160, ATOMIC), 60);
	assert_int_equal(wmark_discounted(160, ALLOC_OOM), 80);
	assert_int_equal(wmark_discounted(160, ALLOC_OOM | ALLOC_MIN_RESERVE), 40);
	assert_int_equal(wmark_discounted(160, ALLOC_OOM | ATOMIC), 30);
	assert_int_equal(wmark_discounted(101, ATOMIC), 39); /* 101 - 50 = 51, 51 - 12 */
}

/* Spec 5.1: any reserve flag opens HIGHATOMIC pages. */
static void test_unusable(void **state)
{
	(void)state;
	make_zone(1000, 10, 200);
	assert_int_equal(wmark_unusable(&zone, 3, 0), 7 + 10 + 200);
	assert_int_equal(wmark_unusable(&zone, 0, ALLOC_CMA), 200);
	assert_int_equal(wmark_unusable(&zone, 0, ALLOC_NON_BLOCK), 10);
	assert_int_equal(wmark_unusable(&zone, 0, ALLOC_CMA | ALLOC_OOM), 0);
}

/* Spec 5.3 and 4.2: a boost is part of every mark, but MIN_RESERVE may go back to the raw MIN. */
static void test_boost(void **state)
{
	(void)state;
	make_zone(138, 0, 0);
	zone._watermark[WMARK_MIN] = zone._watermark[WMARK_LOW] = zone._watermark[WMARK_HIGH] = 100;
	zone.watermark_boost = 512;
	assert_int_equal(wmark_boosted(&zone, WMARK_LOW), 612);
	assert_false(wmark_admits(&mark, 0, ZONE_NORMAL, ALLOC_WMARK_MIN));
	assert_true(wmark_admits(&mark, 0, ZONE_NORMAL, ALLOC_WMARK_MIN | ALLOC_MIN_RESERVE));
	assert_false(wmark_admits(&mark, 0, ZONE_NORMAL, ALLOC_WMARK_LOW | ALLOC_MIN_RESERVE));
	assert_true(wmark_admits(&mark, 0, ZONE_NORMAL, ALLOC_NO_WATERMARKS));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order_0),	  cmocka_unit_test(test_order_2),
		cmocka_unit_test(test_discounts), cmocka_unit_test(test_unusable),
		cmocka_unit_test(test_boost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
