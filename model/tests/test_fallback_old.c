/* SPDX-License-Identifier: GPL-2.0-only */
/* Policies A, B and C of fallback: spec 9.2 - 9.5. */
#include "model/tests/zone_fixture.h"

static struct machine machine;
static struct recorder rec;
static struct observer observer;
static struct memory *m;
static struct zone *z;
static enum rmqueue_mode mode;

/* Eight blocks of a Normal zone, all of them in use and movable; marks 1000. */
static void start(enum fallback_policy fallback)
{
	machine_init(&machine);
	add_zone(&machine, 0, ZONE_NORMAL, 8 * BLOCK);
	machine.mobility = MOBILITY_ON;
	machine.policy.fallback = (u8)fallback;
	m = boot_machine(&machine, &rec, &observer);
	z = zone_at(m, 0);
	empty_zone(m, z);
	set_marks_of(m, z, 1000, 1000, 1000);
	mode = RMQUEUE_NORMAL;
}

static u32 take(u32 order, u32 mt, u32 alloc_flags)
{
	return __rmqueue(m, z, order, mt, alloc_flags, &mode);
}

/*
 * A movable block that is not worth claiming: its other pages are movable folios.
 *
 *      0    [ 3 ]8   [ lru ... ]32   [    5    ]64   [ lru ... ]512
 */
static void unworthy_block(u32 block)
{
	u32 first = block * BLOCK;

	put_buddy(m, first, 3);
	put_buddy(m, first + 32, 5);
	look_movable(m, first + 8, 24);
	look_movable(m, first + 64, BLOCK - 64);
}

static void assert_extfrag(u32 pfn, u32 fallback_order, bool change_ownership)
{
	const struct event *ev = event_at(&rec, EV_MM_PAGE_ALLOC_EXTFRAG, 0);

	assert_int_equal(count_events(&rec, EV_MM_PAGE_ALLOC_EXTFRAG), 1);
	assert_int_equal(ev->pfn, pfn);
	assert_int_equal(ev->a, fallback_order);
	assert_int_equal(ev->b, MIGRATE_UNMOVABLE);
	assert_int_equal(ev->c, MIGRATE_MOVABLE);
	assert_int_equal(ev->gfp, change_ownership);
}

/* ---- the block is not worth it ------------------------------------------- */

/* C steals from the smallest buddy, as D does (9.4). */
static void test_c_steals_smallest(void **state)
{
	(void)state;
	start(FALLBACK_C);
	unworthy_block(0);
	assert_int_equal(take(0, MIGRATE_UNMOVABLE, 0), 0);
	assert_extfrag(0, 3, false);
	assert_int_equal(head_of(m, z, 5, MIGRATE_MOVABLE), 32);
	shut_down(m);
}

/* B splits the largest one; what is left of it stays with the block's type (9.3 h). */
static void test_b_splits_largest(void **state)
{
	(void)state;
	start(FALLBACK_B);
	unworthy_block(0);
	assert_int_equal(take(0, MIGRATE_UNMOVABLE, 0), 32);
	assert_extfrag(32, 5, false);
	for (u32 order = 0; order < 5; order++)
		assert_int_equal(head_of(m, z, order, MIGRATE_MOVABLE),
				 order == 3 ? 40 : 32 + BIT(order));
	assert_int_equal(list_last(m, free_list_head(z, 3, MIGRATE_MOVABLE)), 0);
	assert_int_equal(get_pfnblock_migratetype(m, 0), MIGRATE_MOVABLE);
	shut_down(m);
}

/* A has moved all free pages of the block by then, and takes the smallest of them (9.2 h). */
static void test_a_keeps_what_it_moved(void **state)
{
	(void)state;
	start(FALLBACK_A);
	unworthy_block(0);
	assert_int_equal(take(0, MIGRATE_UNMOVABLE, 0), 0);
	assert_extfrag(32, 5, false);
	assert_int_equal(head_of(m, z, 5, MIGRATE_UNMOVABLE), 32);
	assert_int_equal(head_of(m, z, 5, MIGRATE_MOVABLE), PFN_NONE);
	for (u32 order = 0; order < 3; order++)
		assert_int_equal(head_of(m, z, order, MIGRATE_UNMOVABLE), BIT(order));
	assert_int_equal(get_pfnblock_migratetype(m, 0), MIGRATE_MOVABLE);
	assert_int_equal(z->vm_stat[NR_FREE_PAGES], 8 + 32 - 1);
	shut_down(m);
}

/* ---- the block is worth it, or more than a block ------------------------- */

/* Pages that neither are free nor can move count as kin: both take the block. */
static void test_claim(void **state)
{
	static const enum fallback_policy policies[] = {FALLBACK_A, FALLBACK_B, FALLBACK_C};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(policies); i++) {
		start(policies[i]);
		put_buddy(m, 0, 3);
		put_buddy(m, 32, 5);
		assert_int_equal(take(0, MIGRATE_UNMOVABLE, 0), 0);
		assert_extfrag(policies[i] == FALLBACK_A ? 32 : 0, 5, true);
		assert_int_equal(get_pfnblock_migratetype(m, 0), MIGRATE_UNMOVABLE);
		assert_int_equal(head_of(m, z, 5, MIGRATE_UNMOVABLE), 32);
		shut_down(m);
	}
}

/* A buddy of two blocks makes both of them the caller's. */
static void test_whole_blocks(void **state)
{
	static const enum fallback_policy policies[] = {FALLBACK_A, FALLBACK_B, FALLBACK_C};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(policies); i++) {
		start(policies[i]);
		put_buddy(m, 0, 10);
		assert_int_equal(take(3, MIGRATE_UNMOVABLE, ALLOC_NOFRAGMENT), 0);
		assert_extfrag(0, 10, true);
		assert_int_equal(get_pfnblock_migratetype(m, 0), MIGRATE_UNMOVABLE);
		assert_int_equal(get_pfnblock_migratetype(m, BLOCK), MIGRATE_UNMOVABLE);
		assert_int_equal(head_of(m, z, 9, MIGRATE_UNMOVABLE), BLOCK);
		assert_int_equal(z->vm_stat[NR_FREE_PAGES], 1024 - 8);
		shut_down(m);
	}
}

/* NOFRAGMENT leaves buddies smaller than a block alone. */
static void test_nofragment(void **state)
{
	static const enum fallback_policy policies[] = {FALLBACK_A, FALLBACK_B, FALLBACK_C};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(policies); i++) {
		start(policies[i]);
		put_buddy(m, 0, 8);
		assert_int_equal(take(3, MIGRATE_UNMOVABLE, ALLOC_NOFRAGMENT), PFN_NONE);
		assert_int_equal(head_of(m, z, 8, MIGRATE_MOVABLE), 0);
		shut_down(m);
	}
}

/* ---- movable requests ---------------------------------------------------- */

/*
 * Where the largest buddy is too small for a claim (below order 4), a movable request takes the
 * smallest: B a page of it, A the whole buddy, to the tail of its lists, where the rest stays.
 */
static void test_movable_takes_smallest(void **state)
{
	(void)state;
	for (u32 a = 0; a < 2; a++) {
		start(a ? FALLBACK_A : FALLBACK_B);
		set_block(m, 0, MIGRATE_UNMOVABLE);
		put_buddy(m, 0, 3);
		put_buddy(m, 64, 2);
		assert_int_equal(take(1, MIGRATE_MOVABLE, 0), 64);
		assert_int_equal(head_of(m, z, 1, a ? MIGRATE_MOVABLE : MIGRATE_UNMOVABLE), 66);
		assert_int_equal(head_of(m, z, 3, MIGRATE_UNMOVABLE), 0);
		assert_int_equal(get_pfnblock_migratetype(m, 0), MIGRATE_UNMOVABLE);
		shut_down(m);
	}
}

/* The order that is asked for is no reason to look for a smaller one. */
static void test_movable_of_that_order(void **state)
{
	(void)state;
	start(FALLBACK_B);
	set_block(m, 0, MIGRATE_UNMOVABLE);
	put_buddy(m, 0, 3);
	assert_int_equal(take(3, MIGRATE_MOVABLE, 0), 0);
	shut_down(m);
}

/* A page that may not claim boosts the marks all the same (9.2 c, 9.3 c). */
static void test_boost(void **state)
{
	(void)state;
	for (u32 a = 0; a < 2; a++) {
		start(a ? FALLBACK_A : FALLBACK_B);
		SET(m, m->global->sysctl[SYSCTL_WATERMARK_BOOST_FACTOR], 15000);
		set_block(m, 0, MIGRATE_UNMOVABLE);
		put_buddy(m, 0, 3);
		take(0, MIGRATE_MOVABLE, ALLOC_KSWAPD);
		assert_int_equal(z->watermark_boost, BLOCK);
		assert_true(z->flags & ZONE_BOOSTED_WATERMARK);
		shut_down(m);
	}
}

/* ---- a batch ------------------------------------------------------------- */

/* After a steal D goes on stealing; the others look at their own lists first. */
static void test_memory_of_a_batch(void **state)
{
	(void)state;
	for (u32 policy = FALLBACK_D; policy <= FALLBACK_A; policy++) {
		start(policy);
		unworthy_block(0);
		take(0, MIGRATE_UNMOVABLE, 0);
		set_block(m, 7, MIGRATE_UNMOVABLE);
		put_buddy(m, 7 * BLOCK, 0);
		if (policy == FALLBACK_D)
			assert_int_not_equal(take(0, MIGRATE_UNMOVABLE, 0), 7 * BLOCK);
		else if (policy != FALLBACK_A)
			assert_int_equal(take(0, MIGRATE_UNMOVABLE, 0), 7 * BLOCK);
		shut_down(m);
	}
}

/* ---- a block at the border of a zone (9.2 e) ----------------------------- */

/*
 * What lies before the zone is not looked at: the scan begins with the buddy that was found.
 *
 *      0  not the zone's  8 [ 3 ]16 ... 32[ 5 ]64
 */
static void test_a_partial_block(void **state)
{
	(void)state;
	start(FALLBACK_A);
	put_buddy(m, 8, 3);
	put_buddy(m, 32, 5);
	SET(m, z->zone_start_pfn, 8);
	take(0, MIGRATE_UNMOVABLE, 0);
	assert_extfrag(32, 5, true);
	assert_int_equal(head_of(m, z, 3, MIGRATE_MOVABLE), 8);
	shut_down(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_c_steals_smallest),
		cmocka_unit_test(test_b_splits_largest),
		cmocka_unit_test(test_a_keeps_what_it_moved),
		cmocka_unit_test(test_claim),
		cmocka_unit_test(test_whole_blocks),
		cmocka_unit_test(test_nofragment),
		cmocka_unit_test(test_movable_takes_smallest),
		cmocka_unit_test(test_movable_of_that_order),
		cmocka_unit_test(test_boost),
		cmocka_unit_test(test_memory_of_a_batch),
		cmocka_unit_test(test_a_partial_block),
	};

	return cmocka_run_group_tests_name("fallback_old", tests, NULL, NULL);
}
