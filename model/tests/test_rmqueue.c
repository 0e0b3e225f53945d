/* SPDX-License-Identifier: GPL-2.0-only */
/* Taking pages off the lists: spec 4.4, 4.7 - 4.9 and the vector W1. */
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

/* ---- 4.9: smallest ------------------------------------------------------- */

/* W1: an order-10 buddy at 0 gives 0, then 1, then 2; the upper halves stay. */
static void test_w1_split(void **state)
{
	(void)state;
	put_buddy(m, 0, 10);
	assert_int_equal(__rmqueue_smallest(m, z, 0, MIGRATE_MOVABLE), 0);
	for (u32 order = 0; order < 10; order++)
		assert_int_equal(head_of(m, z, order, MIGRATE_MOVABLE), 1U << order);
	assert_int_equal(z->vm_stat[NR_FREE_PAGES], 1023);
	assert_int_equal(__rmqueue_smallest(m, z, 0, MIGRATE_MOVABLE), 1);
	assert_int_equal(__rmqueue_smallest(m, z, 0, MIGRATE_MOVABLE), 2);
	assert_int_equal(head_of(m, z, 0, MIGRATE_MOVABLE), 3);
	assert_int_equal(head_of(m, z, 1, MIGRATE_MOVABLE), PFN_NONE);
}

/* The least order that suffices, its list head, no other type. */
static void test_smallest_choice(void **state)
{
	(void)state;
	put_buddy(m, 64, 4);
	put_buddy(m, 16, 3);
	put_buddy(m, 32, 3);
	put_buddy(m, 0, 1);
	assert_int_equal(__rmqueue_smallest(m, z, 2, MIGRATE_MOVABLE), 16);
	assert_int_equal(head_of(m, z, 2, MIGRATE_MOVABLE), 20);
	assert_int_equal(__rmqueue_smallest(m, z, 2, MIGRATE_UNMOVABLE), PFN_NONE);
	assert_int_equal(__rmqueue_smallest(m, z, 5, MIGRATE_MOVABLE), PFN_NONE);
}

/* zone_locked says "pcp-able order and pcp type", whoever asked. */
static void test_zone_locked_event(void **state)
{
	static const struct {
		u32 block, mt, order, refill;
	} rows[] = {
		{0, MIGRATE_MOVABLE, 3, 1},	{1, MIGRATE_UNMOVABLE, 4, 0},
		{2, MIGRATE_CMA, 0, 0},		{3, MIGRATE_HIGHATOMIC, 1, 0},
		{4, MIGRATE_RECLAIMABLE, 9, 1},
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct event *ev;

		set_block(m, rows[i].block, rows[i].mt);
		put_buddy(m, rows[i].block * BLOCK, rows[i].order);
		assert_int_equal(__rmqueue_smallest(m, z, rows[i].order, rows[i].mt),
				 rows[i].block * BLOCK);
		ev = event_at(&rec, EV_MM_PAGE_ALLOC_ZONE_LOCKED, i);
		assert_non_null(ev);
		assert_int_equal(ev->pfn, rows[i].block * BLOCK);
		assert_int_equal(ev->order, rows[i].order);
		assert_int_equal(ev->a, rows[i].mt);
		assert_int_equal(ev->b, rows[i].refill);
	}
}

/* ---- 4.8: modes ---------------------------------------------------------- */

/* Row 1: an own page leaves NORMAL; neither CMA nor other types are touched. */
static void test_mode_normal(void **state)
{
	(void)state;
	put_buddy(m, 0, 0);
	put_buddy(m, 2, 3);
	set_block(m, 1, MIGRATE_CMA);
	put_buddy(m, BLOCK, 0);
	assert_int_equal(take(0, MIGRATE_MOVABLE, ALLOC_CMA), 0);
	assert_int_equal(mode, RMQUEUE_NORMAL);
}

/*
 * Row 2: own list empty -> CMA, and CMA again even when an own page came back
 * meanwhile. 3 CMA pages of 11 free ones: the balance does not interfere.
 */
static void test_mode_cma(void **state)
{
	(void)state;
	set_block(m, 1, MIGRATE_CMA);
	put_buddy(m, BLOCK, 1);
	put_buddy(m, BLOCK + 2, 0);
	set_block(m, 2, MIGRATE_UNMOVABLE);
	put_buddy(m, 2 * BLOCK, 3);
	assert_int_equal(take(0, MIGRATE_MOVABLE, ALLOC_CMA), BLOCK + 2);
	assert_int_equal(mode, RMQUEUE_CMA);
	put_buddy(m, 4, 0);
	assert_int_equal(take(0, MIGRATE_MOVABLE, ALLOC_CMA), BLOCK);
	assert_int_equal(mode, RMQUEUE_CMA);
	/* An unmovable request never sees CMA: it would rather fail. */
	del_page_from_free_list(m, z, 4, 0, MIGRATE_MOVABLE);
	del_page_from_free_list(m, z, 2 * BLOCK, 3, MIGRATE_UNMOVABLE);
	mode = RMQUEUE_NORMAL;
	assert_int_equal(take(0, MIGRATE_UNMOVABLE, 0), PFN_NONE);
	assert_int_equal(mode, RMQUEUE_NORMAL);
}

/* Row 3: after a claim the own list is full, so the next search starts there. */
static void test_mode_claim(void **state)
{
	(void)state;
	mode = RMQUEUE_CMA;
	put_buddy(m, 0, 9);
	assert_int_equal(take(0, MIGRATE_UNMOVABLE, 0), 0);
	assert_int_equal(mode, RMQUEUE_NORMAL);
	assert_int_equal(count_events(&rec, EV_MM_PAGE_ALLOC_EXTFRAG), 1);
	assert_int_equal(take(0, MIGRATE_UNMOVABLE, 0), 1);
	assert_int_equal(count_events(&rec, EV_MM_PAGE_ALLOC_EXTFRAG), 1);
}

/*
 * Row 4: a steal sticks. Later pages are stolen although the own list and a
 * whole block are free by then.
 */
static void test_mode_steal_sticks(void **state)
{
	(void)state;
	set_block(m, 1, MIGRATE_RECLAIMABLE);
	put_buddy(m, BLOCK, 2);
	assert_int_equal(take(0, MIGRATE_MOVABLE, 0), BLOCK);
	assert_int_equal(mode, RMQUEUE_STEAL);
	put_buddy(m, 0, 0);
	set_block(m, 2, MIGRATE_UNMOVABLE);
	put_buddy(m, 2 * BLOCK, 9);
	assert_int_equal(take(0, MIGRATE_MOVABLE, 0), BLOCK + 1);
	assert_int_equal(mode, RMQUEUE_STEAL);
	assert_int_equal(get_pfnblock_migratetype(m, 2 * BLOCK), MIGRATE_UNMOVABLE);
}

/* Total failure leaves every mode as it was, and NOFRAGMENT forbids the steal. */
static void test_mode_failure(void **state)
{
	(void)state;
	set_block(m, 1, MIGRATE_RECLAIMABLE);
	put_buddy(m, BLOCK, 2);
	for (mode = RMQUEUE_NORMAL; mode <= RMQUEUE_STEAL; mode++) {
		enum rmqueue_mode before = mode;

		assert_int_equal(take(0, MIGRATE_MOVABLE, ALLOC_NOFRAGMENT), PFN_NONE);
		assert_int_equal(mode, before);
		assert_int_equal(take(3, MIGRATE_MOVABLE, 0), PFN_NONE);
		assert_int_equal(mode, before);
	}
}

/*
 * Step 0: CMA first while it is more than half of what is free, in every mode,
 * and the mode stays. 3 CMA of 5: 3 > 2. Then 2 of 4: 2 > 2 is false.
 */
static void test_cma_balance(void **state)
{
	(void)state;
	set_block(m, 1, MIGRATE_CMA);
	for (u32 i = 0; i < 3; i++)
		put_buddy(m, BLOCK + 2 * i, 0);
	set_block(m, 2, MIGRATE_RECLAIMABLE);
	put_buddy(m, 0, 0);
	put_buddy(m, 2 * BLOCK, 0);

	mode = RMQUEUE_STEAL;
	assert_int_equal(take(0, MIGRATE_MOVABLE, ALLOC_CMA), BLOCK);
	assert_int_equal(mode, RMQUEUE_STEAL);
	/* Balanced now: the mode decides again. */
	assert_int_equal(take(0, MIGRATE_MOVABLE, ALLOC_CMA), 2 * BLOCK);
	/* 2 CMA of 3: 2 > 1. Without the flag the balance is not asked. */
	mode = RMQUEUE_NORMAL;
	assert_int_equal(take(0, MIGRATE_MOVABLE, ALLOC_CMA), BLOCK + 2);
	assert_int_equal(mode, RMQUEUE_NORMAL);
	put_buddy(m, BLOCK + 8, 0);
	assert_int_equal(take(0, MIGRATE_MOVABLE, 0), 0);
}

/* CMA is due but its buddies are too small: the search goes on as if it were not. */
static void test_cma_balance_misses(void **state)
{
	(void)state;
	set_block(m, 1, MIGRATE_CMA);
	for (u32 i = 0; i < 16; i++)
		put_buddy(m, BLOCK + 2 * i, 0);
	put_buddy(m, 8, 2);
	assert_int_equal(take(2, MIGRATE_MOVABLE, ALLOC_CMA), 8);
	assert_int_equal(mode, RMQUEUE_NORMAL);
}

/* ---- 4.4, 4.7: rmqueue --------------------------------------------------- */

static u32 buddy_take(u32 order, u32 mt, u32 alloc_flags)
{
	return rmqueue(m, z, z, order, alloc_flags, mt);
}

/* HIGHATOMIC lists come first for HIGHATOMIC, last for OOM and NON_BLOCK, else never. */
static void test_highatomic_lists(void **state)
{
	(void)state;
	set_block(m, 1, MIGRATE_HIGHATOMIC);
	for (u32 i = 0; i < 3; i++)
		put_buddy(m, BLOCK + 32 * i, 4);
	put_buddy(m, 0, 4);
	assert_int_equal(buddy_take(4, MIGRATE_MOVABLE, ALLOC_WMARK_LOW | ALLOC_HIGHATOMIC), BLOCK);
	assert_int_equal(buddy_take(4, MIGRATE_MOVABLE, ALLOC_NON_BLOCK), 0);
	assert_int_equal(buddy_take(4, MIGRATE_MOVABLE, ALLOC_NON_BLOCK), BLOCK + 32);
	assert_int_equal(buddy_take(4, MIGRATE_MOVABLE, ALLOC_MIN_RESERVE), PFN_NONE);
	assert_int_equal(buddy_take(4, MIGRATE_MOVABLE, ALLOC_OOM), BLOCK + 64);
	assert_int_equal(z->nr_free_highatomic, 0);
}

/* Also for order 0, where the pcp had nothing. */
static void test_highatomic_last_resort_order_0(void **state)
{
	(void)state;
	set_block(m, 1, MIGRATE_HIGHATOMIC);
	put_buddy(m, BLOCK, 0);
	assert_int_equal(buddy_take(0, MIGRATE_UNMOVABLE, 0), PFN_NONE);
	assert_int_equal(buddy_take(0, MIGRATE_UNMOVABLE, ALLOC_NON_BLOCK), BLOCK);
}

/* A page taken counts 2^order in PGALLOC and one in the NUMA counters; a miss nothing. */
static void test_rmqueue_counts(void **state)
{
	u64 before = m->global->vm_event[PGALLOC + ZONE_NORMAL];

	(void)state;
	put_buddy(m, 0, 5);
	assert_int_equal(buddy_take(5, MIGRATE_MOVABLE, 0), 0);
	assert_int_equal(buddy_take(5, MIGRATE_MOVABLE, 0), PFN_NONE);
	assert_int_equal(m->global->vm_event[PGALLOC + ZONE_NORMAL] - before, 32);
	assert_int_equal(z->vm_stat[NUMA_HIT], 1);
	assert_int_equal(z->vm_stat[NUMA_LOCAL], 1);
	assert_int_equal(z->vm_stat[NUMA_MISS] + z->vm_stat[NUMA_FOREIGN] + z->vm_stat[NUMA_OTHER],
			 0);
	assert_int_equal(count_events(&rec, EV_ZONE_LOCK), 2);
	assert_int_equal(count_events(&rec, EV_ZONE_UNLOCK), 2);
}

/* The wake that a boost asked for: by the next request with KSWAPD, also if it fails. */
static void test_rmqueue_wakes_kswapd(void **state)
{
	const struct event *ev;

	(void)state;
	zone_set_flags(m, z, ZONE_BOOSTED_WATERMARK, 0);
	assert_int_equal(buddy_take(5, MIGRATE_MOVABLE, 0), PFN_NONE);
	assert_true(z->flags & ZONE_BOOSTED_WATERMARK);
	assert_int_equal(buddy_take(5, MIGRATE_MOVABLE, ALLOC_KSWAPD), PFN_NONE);
	assert_int_equal(z->flags & ZONE_BOOSTED_WATERMARK, 0);
	assert_int_equal(count_events(&rec, EV_WAKEUP_KSWAPD), 1);
	ev = event_at(&rec, EV_WAKEUP_KSWAPD, 0);
	assert_int_equal(ev->order, 0);
	assert_int_equal(ev->gfp, 0);
	assert_int_equal(ev->a, ZONE_NORMAL);
	assert_int_equal(buddy_take(5, MIGRATE_MOVABLE, ALLOC_KSWAPD), PFN_NONE);
	assert_int_equal(count_events(&rec, EV_WAKEUP_KSWAPD), 1);
}

#define RMQUEUE_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		RMQUEUE_TEST(test_w1_split),
		RMQUEUE_TEST(test_smallest_choice),
		RMQUEUE_TEST(test_zone_locked_event),
		RMQUEUE_TEST(test_mode_normal),
		RMQUEUE_TEST(test_mode_cma),
		RMQUEUE_TEST(test_mode_claim),
		RMQUEUE_TEST(test_mode_steal_sticks),
		RMQUEUE_TEST(test_mode_failure),
		RMQUEUE_TEST(test_cma_balance),
		RMQUEUE_TEST(test_cma_balance_misses),
		RMQUEUE_TEST(test_highatomic_lists),
		RMQUEUE_TEST(test_highatomic_last_resort_order_0),
		RMQUEUE_TEST(test_rmqueue_counts),
		RMQUEUE_TEST(test_rmqueue_wakes_kswapd),
	};

	return cmocka_run_group_tests_name("rmqueue", tests, NULL, NULL);
}
