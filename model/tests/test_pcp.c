/* SPDX-License-Identifier: GPL-2.0-only */
/* Allocation from the per-cpu lists and frees to them (spec 2.5, 3.3, 4.5). */
#include "model/tests/pcp_fixture.h"

/* ---- lists --------------------------------------------------------------- */

/* 3 types by 4 orders, then two lists of the PMD order; two types share one of them (L656). */
static void list_indices(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	assert_int_equal(order_to_pindex(MIGRATE_UNMOVABLE, 0), 0);
	assert_int_equal(order_to_pindex(MIGRATE_MOVABLE, 0), 1);
	assert_int_equal(order_to_pindex(MIGRATE_RECLAIMABLE, 3), 11);
	assert_int_equal(order_to_pindex(MIGRATE_UNMOVABLE, 9), 12);
	assert_int_equal(order_to_pindex(MIGRATE_MOVABLE, 9), 13);
	assert_int_equal(order_to_pindex(MIGRATE_RECLAIMABLE, 9), 12);
	for (u32 pindex = 0; pindex < 12; pindex++)
		assert_int_equal(pindex_to_order(f.m, pindex), pindex / 3);
	assert_int_equal(pindex_to_order(f.m, 12), 9);
	assert_int_equal(pindex_to_order(f.m, 13), 9);
	for (u32 order = 0; order <= 10; order++)
		assert_int_equal(pcp_allowed_order(f.m, order), order <= 3 || order == 9);
	f.m->pmd_order = 0; /* without THP */
	assert_false(pcp_allowed_order(f.m, 9));
	assert_true(pcp_allowed_order(f.m, 0));
	shut_down(f.m);
}

/* The page freed last is the next to be allocated; a refill is used in its own order. */
static void lifo_and_fifo(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	empty_zone(f.m, f.z);
	put_buddy(f.m, 512, 5);
	set_sizes(&f, 4, 16, 16);
	/* The refill takes 512 to 515 in this order. */
	assert_int_equal(alloc_one(&f, 0), 512);
	assert_int_equal(f.pcp->count, 3);
	assert_int_equal(alloc_one(&f, 0), 513);
	__free_frozen_pages(f.m, 512, 0, FPI_NONE);
	assert_int_equal(alloc_one(&f, 0), 512);
	assert_int_equal(alloc_one(&f, 0), 514);
	assert_int_equal(f.m->global->vm_event[PGALLOC + ZONE_NORMAL], 4);
	assert_int_equal(f.m->global->vm_event[PGFREE], 1);
	assert_int_equal(f.z->vm_stat[NUMA_HIT], 4);
	shut_down(f.m);
}

/* ---- refill (spec 4.5) --------------------------------------------------- */

/* W10: refills without frees double, up to what the lists have room for. */
static void refills_double(void **state)
{
	static const s32 fetched[] = {63, 126, 189, 189};
	static const s32 factor[] = {1, 2, 2, 2};
	struct fixture f;

	(void)state;
	set_up(&f);
	set_sizes(&f, 63, 252, 252);
	for (u32 i = 0; i < ARRAY_SIZE(fetched); i++) {
		alloc_one(&f, 0);
		assert_int_equal(f.pcp->count, fetched[i] - 1);
		assert_int_equal(f.pcp->alloc_factor, factor[i]);
		assert_int_equal(f.pcp->high, 252);
		while (f.pcp->count)
			alloc_one(&f, 0);
	}
	/* Each free halves the factor: 2 -> 1, so the next refill is 126 again. */
	free_one(&f, 0);
	assert_int_equal(f.pcp->alloc_factor, 1);
	shut_down(f.m);
}

/*
 * One refill of an empty list, by hand from the rules of nr_pcp_alloc. Scale 5; b is the
 * batch shifted by the factor.
 */
static void refill_sizes(void **state)
{
	static const struct {
		u32 order;
		s32 batch, high_min, high_max, high, count, factor;
		u32 zone_flags;
		s32 fetched, new_high, new_factor;
	} cases[] = {
		/* disabled: high 0 is below the batch */
		{0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0},
		{3, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0},
		/* high is clamped first: 0 -> 8 < 16 */
		{0, 16, 8, 8, 0, 0, 3, 0, 1, 8, 3},
		/* fixed high: order > 0 takes batch >> order, at least 2 */
		{1, 63, 252, 252, 252, 0, 4, 0, 31, 252, 4},
		{3, 63, 252, 252, 252, 0, 0, 0, 7, 252, 0},
		{9, 63, 252, 252, 252, 0, 0, 0, 2, 252, 0},
		/* a batch of 1 stays 1 */
		{2, 1, 4, 4, 4, 0, 0, 0, 1, 4, 0},
		/* auto-tuned: high 100 + 32 = 132; m = max(132 - 0 - 16, 16) = 116 >= 32 */
		{0, 16, 64, 500, 100, 0, 1, 0, 32, 132, 2},
		/* the limit: high 500; count 460 of another list: m = max(500 - 460 - 16, 16) = 24 < 32 */
		{0, 16, 64, 500, 490, 460, 1, 0, 24, 500, 1},
		/* just enough room: m = 100 - 68 - 16 = 16, so the factor still grows */
		{0, 16, 100, 100, 100, 68, 0, 0, 16, 100, 1},
		/* even less room: m = batch */
		{0, 16, 64, 500, 490, 480, 1, 0, 16, 500, 1},
		/* below high: no tuning; m = max(100 - 0 - 16, 16) = 84 >= 32 */
		{0, 16, 64, 500, 100, 0, 1, ZONE_BELOW_HIGH, 32, 100, 2},
		/* order > 0 raises high by the plain batch */
		{2, 16, 64, 500, 100, 0, 3, 0, 4, 116, 3},
		/* the factor stops at 5: b = 2 << 5 = 64; high 264, m = 262 */
		{0, 2, 64, 500, 200, 0, 5, 0, 64, 264, 5},
	};
	struct fixture f;

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(cases); i++) {
		set_up(&f);
		set_sizes(&f, cases[i].batch, cases[i].high_min, cases[i].high_max);
		SET(f.m, f.pcp->high, cases[i].high);
		SET(f.m, f.pcp->alloc_factor, cases[i].factor);
		zone_set_flags(f.m, f.z, cases[i].zone_flags, 0);
		fill(&f, 0, MIGRATE_UNMOVABLE, (u32)cases[i].count);
		assert_int_not_equal(alloc_one(&f, cases[i].order), PFN_NONE);
		assert_int_equal(list_length(&f, list_of(&f, cases[i].order, MIGRATE_MOVABLE)),
				 cases[i].fetched - 1);
		assert_int_equal(f.pcp->count,
				 cases[i].count + ((cases[i].fetched - 1) << cases[i].order));
		assert_int_equal(f.pcp->high, cases[i].new_high);
		assert_int_equal(f.pcp->alloc_factor, cases[i].new_factor);
		shut_down(f.m);
	}
}

/* A HIGHATOMIC request never refills, yet the size was computed: the factor moved (spec 4.5). */
static void highatomic_does_not_refill(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	set_sizes(&f, 4, 16, 16);
	SET(f.m, f.pcp->free_count, 9);
	assert_int_equal(rmqueue_pcplist(f.m, f.z, f.z, 0, MIGRATE_UNMOVABLE, ALLOC_HIGHATOMIC),
			 PFN_NONE);
	assert_int_equal(f.pcp->alloc_factor, 1);
	assert_int_equal(f.pcp->free_count, 4);
	assert_int_equal(f.pcp->count, 0);
	assert_int_equal(f.m->global->vm_event[PGALLOC + ZONE_NORMAL], 0);
	shut_down(f.m);
}

/* Without the pcp lock nothing happens at all; NOLOCK and a busy zone: an empty refill. */
static void busy_locks(void **state)
{
	static const struct answer pcp_busy = {.call = ENV_LOCK_PCP, .value = 1};
	static const struct answer zone_busy = {.call = ENV_LOCK_ZONE, .value = 1};
	struct fixture f;

	(void)state;
	set_up(&f);
	set_sizes(&f, 4, 16, 16);
	SET(f.m, f.pcp->free_count, 8);
	memory_begin_op(f.m, &pcp_busy, 1);
	assert_int_equal(alloc_one(&f, 0), PFN_NONE);
	assert_int_equal(f.pcp->free_count, 8);
	memory_begin_op(f.m, &zone_busy, 1);
	assert_int_equal(rmqueue_pcplist(f.m, f.z, f.z, 0, MIGRATE_MOVABLE, ALLOC_NOLOCK),
			 PFN_NONE);
	assert_int_equal(f.pcp->free_count, 4);
	assert_int_equal(f.pcp->count, 0);
	/* Only NOLOCK asks whether the zone is busy. */
	memory_begin_op(f.m, &zone_busy, 1);
	assert_int_not_equal(alloc_one(&f, 0), PFN_NONE);
	shut_down(f.m);
}

/* ---- free (spec 3.3) ----------------------------------------------------- */

/*
 * One order-0 free with @count pages on the list already, by hand from the rules of
 * nr_pcp_high and nr_pcp_free. free_count is the one before the free; it grows by one first.
 */
static void one_free(void **state)
{
	static const struct {
		s32 batch, high_min, high_max, high, free_count, count;
		u32 zone_flags;
		s32 new_count, new_high;
	} cases[] = {
		/* disabled: in and out again */
		{1, 0, 0, 0, 0, 0, 0, 0, 0},
		/* below high: it stays */
		{4, 16, 16, 16, 10, 14, 0, 15, 16},
		/* full, high 16: free clamp(free_count, 4, 12) */
		{4, 16, 16, 16, 0, 15, 0, 12, 16},
		{4, 16, 16, 16, 6, 15, 0, 9, 16},
		{4, 16, 16, 16, 50, 15, 0, 4, 16},
		/* high below the batch: one */
		{8, 4, 4, 4, 50, 3, 0, 3, 4},
		/* lo 4 > hi 6 - 4 = 2: a value of 3 is compared with hi first, so 2 go */
		{4, 6, 6, 6, 2, 5, 0, 4, 6},
		/* and a value of 1, below both, is raised to lo */
		{4, 6, 6, 6, 0, 5, 0, 2, 6},
		/* not full: no tuning, however many were freed before */
		{4, 16, 64, 16, 30, 3, 0, 4, 16},
		/* a fixed high stays where it is, also below high: clamp(30, 4, 16 - 4) */
		{4, 16, 16, 16, 29, 19, ZONE_BELOW_HIGH, 8, 16},
		/* tuned up for the next time: 16 -> 20 + 4; this time still 16: clamp(20, 4, 12) */
		{4, 16, 64, 16, 19, 15, 0, 4, 24},
		/* up to the limit only */
		{4, 16, 20, 16, 30, 15, 0, 4, 20},
		/* high is clamped first: 3 -> 16 */
		{4, 16, 64, 3, 0, 10, 0, 11, 16},
		/* below high: 40 - max(9, 4) = 31; frees clamp(9, 4, 20 - 4) although 20 < 31 */
		{4, 16, 64, 40, 8, 19, ZONE_BELOW_HIGH, 11, 31},
		/* the same with a longer run: 40 - 15 = 25; clamp(15, 4, 20 - 4) */
		{4, 16, 64, 40, 14, 19, ZONE_BELOW_HIGH, 5, 25},
		/* below high with fewer than high_min: it stays */
		{4, 16, 64, 40, 8, 11, ZONE_BELOW_HIGH, 12, 31},
		/* reclaim: high 40 - 9 = 31; kept at 4 * batch = 16: clamp(9, 4, 12) */
		{4, 16, 64, 40, 8, 19, ZONE_RECLAIM_ACTIVE, 11, 31},
		{4, 16, 64, 40, 8, 14, ZONE_RECLAIM_ACTIVE, 15, 31},
		/* reclaim goes before the fixed high */
		{4, 30, 30, 30, 8, 15, ZONE_RECLAIM_ACTIVE, 7, 30},
	};
	struct fixture f;

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(cases); i++) {
		set_up(&f);
		set_sizes(&f, cases[i].batch, cases[i].high_min, cases[i].high_max);
		SET(f.m, f.pcp->high, cases[i].high);
		SET(f.m, f.pcp->free_count, cases[i].free_count);
		SET(f.m, f.pcp->alloc_factor, 5);
		zone_set_flags(f.m, f.z, cases[i].zone_flags, 0);
		fill(&f, 0, MIGRATE_MOVABLE, (u32)cases[i].count);
		free_one(&f, 0);
		assert_int_equal(f.pcp->count, cases[i].new_count);
		assert_int_equal(f.pcp->high, cases[i].new_high);
		assert_int_equal(f.pcp->alloc_factor, 2);
		assert_int_equal(f.pcp->free_count, cases[i].free_count + 1);
		assert_int_equal(f.m->global->vm_event[PGFREE], 1);
		shut_down(f.m);
	}
}

/* free_count grows until batch << 5 is reached; the last step may overshoot (step 5). */
static void free_count_stops(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	set_sizes(&f, 1, 400, 400);
	SET(f.m, f.pcp->free_count, 31);
	free_one(&f, 3);
	assert_int_equal(f.pcp->free_count, 39);
	free_one(&f, 0);
	assert_int_equal(f.pcp->free_count, 39);
	shut_down(f.m);
}

/*
 * A full list drains in steps of a batch, each in its own lock section, the oldest pages
 * first: 15 pages p .. p+14 and the new one at the head; 12 leave.
 *
 *      head [new] [p] [p+1] ... [p+14] tail   ->   [new] [p] [p+1] [p+2]
 */
static void excess_drains_from_the_tail(void **state)
{
	struct fixture f;
	u32 locks, first, new;

	(void)state;
	set_up(&f);
	set_sizes(&f, 4, 16, 16);
	SET(f.m, f.pcp->free_count, 50);
	first = fill(&f, 0, MIGRATE_MOVABLE, 15);
	new = take(&f, 0);
	locks = count_events(&f.r, EV_ZONE_LOCK);
	__free_frozen_pages(f.m, new, 0, FPI_NONE);
	assert_int_equal(count_events(&f.r, EV_ZONE_LOCK) - locks, 3);
	assert_int_equal(count_events(&f.r, EV_MM_PAGE_PCPU_DRAIN), 12);
	for (u32 i = 0; i < 12; i++)
		assert_int_equal(event_at(&f.r, EV_MM_PAGE_PCPU_DRAIN, i)->pfn, first + 14 - i);
	assert_int_equal(list_first(f.m, list_of(&f, 0, MIGRATE_MOVABLE)), new);
	assert_int_equal(list_last(f.m, list_of(&f, 0, MIGRATE_MOVABLE)), first + 2);
	shut_down(f.m);
}

/* Between the steps the lock is given up; if it does not come back, the rest stays (step 8). */
static void excess_stops_without_the_lock(void **state)
{
	static const struct answer answers[] = {
		{.call = ENV_LOCK_PCP, .value = 0}, /* the free itself */
		{.call = ENV_LOCK_PCP, .value = 0}, /* after 4 pages */
		{.call = ENV_LOCK_PCP, .value = 1}, /* after 8 */
	};
	struct fixture f;

	(void)state;
	set_up(&f);
	set_sizes(&f, 4, 16, 16);
	SET(f.m, f.pcp->free_count, 50);
	fill(&f, 0, MIGRATE_MOVABLE, 15);
	memory_begin_op(f.m, answers, ARRAY_SIZE(answers));
	free_one(&f, 0);
	assert_int_equal(f.pcp->count, 8);
	shut_down(f.m);
}

/* After the last step nobody needs the lock: asked for the free, after 4 and after 8 pages. */
static void excess_asks_between_steps(void **state)
{
	static const struct answer yes[5] = {{.call = ENV_LOCK_PCP},
					     {.call = ENV_LOCK_PCP},
					     {.call = ENV_LOCK_PCP},
					     {.call = ENV_LOCK_PCP},
					     {.call = ENV_LOCK_PCP}};
	struct op_report report;
	struct fixture f;

	(void)state;
	set_up(&f);
	set_sizes(&f, 4, 16, 16);
	SET(f.m, f.pcp->free_count, 50);
	fill(&f, 0, MIGRATE_MOVABLE, 15);
	memory_begin_op(f.m, yes, ARRAY_SIZE(yes));
	free_one(&f, 0);
	memory_end_op(f.m, &report);
	assert_int_equal(f.pcp->count, 4);
	assert_int_equal(report.calls[ENV_LOCK_PCP], 3);
	shut_down(f.m);
}

/*
 * W11: batch 63, high_min 252. A free sees 8 pages for each order-3 free before it, so the
 * 25th is the first with 192 >= 63 + 126: all 200 pages go.
 */
static void run_of_high_order_frees(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	set_sizes(&f, 63, 252, 252);
	for (u32 i = 0; i < 24; i++)
		free_one(&f, 3);
	assert_int_equal(f.pcp->count, 192);
	assert_int_equal(f.pcp->flags, PCPF_PREV_FREE_HIGH_ORDER);
	free_one(&f, 3);
	assert_int_equal(f.pcp->count, 0);
	shut_down(f.m);
}

/* The end of a run lowers high by (batch << scale) = 4 << 5 = 128, not below high_min. */
static void run_lowers_high(void **state)
{
	static const struct {
		s32 high, lowered;
	} cases[] = {{1000, 872}, {228, 100}, {150, 100}};
	struct fixture f;

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(cases); i++) {
		set_up(&f);
		set_sizes(&f, 4, 100, 5000);
		SET(f.m, f.pcp->high, cases[i].high);
		SET(f.m, f.pcp->flags, PCPF_PREV_FREE_HIGH_ORDER);
		SET(f.m, f.pcp->free_count, 54); /* 4 + 100 / 2 */
		free_one(&f, 3);
		assert_int_equal(f.pcp->high, cases[i].lowered);
		assert_int_equal(f.pcp->count, 0);
		shut_down(f.m);
	}
}

/* An order-0 or a PMD-order free in between ends the run; the next high order begins a new one. */
static void run_is_interrupted(void **state)
{
	static const u32 between[] = {0, 9};
	struct fixture f;

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(between); i++) {
		set_up(&f);
		set_sizes(&f, 63, 1000, 1000);
		SET(f.m, f.pcp->free_count, 700); /* >= 63 + 500 */
		free_one(&f, 1);
		assert_int_equal(f.pcp->flags, PCPF_PREV_FREE_HIGH_ORDER);
		free_one(&f, between[i]);
		assert_int_equal(f.pcp->flags, 0);
		free_one(&f, 2);
		assert_int_equal(f.pcp->count, 2 + (1 << between[i]) + 4);
		free_one(&f, 2);
		assert_int_equal(f.pcp->count, 0);
		shut_down(f.m);
	}
}

/* With FREE_HIGH_BATCH the run must have a whole batch on the lists (step 4). */
static void run_waits_for_a_batch(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	set_sizes(&f, 16, 16, 16);
	SET(f.m, f.pcp->flags, PCPF_PREV_FREE_HIGH_ORDER | PCPF_FREE_HIGH_BATCH);
	SET(f.m, f.pcp->free_count, 100);
	free_one(&f, 3);
	assert_int_equal(f.pcp->count, 8);
	free_one(&f, 3);
	assert_int_equal(f.pcp->count, 0);
	shut_down(f.m);
}

/*
 * A drain that was over high is where BELOW_HIGH ends, if the zone has the high mark; then a
 * node that kswapd gave up gets another chance, but only with a node of larger id (step 9).
 */
static void below_high_is_cleared(void **state)
{
	static const struct {
		u32 node, failures, high_mark;
		bool full;
		u32 new_flags, new_failures;
	} cases[] = {
		{0, 16, 100, true, 0, 0},
		{0, 15, 100, true, 0, 15},
		{1, 16, 100, true, 0, 16},
		{0, 16, 4096, true, ZONE_BELOW_HIGH, 16},
		{0, 16, 100, false, ZONE_BELOW_HIGH, 16},
	};
	struct fixture f;

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(cases); i++) {
		set_up_nodes(&f, 2);
		f.z = zone_at(f.m, cases[i].node);
		f.pcp = zone_pcp(f.m, f.z, 0);
		set_sizes(&f, 4, 16, 64);
		set_marks_of(f.m, f.z, 10, 20, cases[i].high_mark);
		zone_set_flags(f.m, f.z, ZONE_BELOW_HIGH, 0);
		SET(f.m, f.m->nodes[cases[i].node].kswapd_failures, (u16)cases[i].failures);
		fill(&f, 0, MIGRATE_MOVABLE, cases[i].full ? 20 : 2);
		free_one(&f, 0);
		assert_int_equal(f.z->flags, cases[i].new_flags);
		assert_int_equal(f.m->nodes[cases[i].node].kswapd_failures, cases[i].new_failures);
		shut_down(f.m);
	}
}

/* NOLOCK fills the list and leaves it so, whatever its length (step 6). */
static void nolock_does_not_drain(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	set_sizes(&f, 1, 0, 0);
	for (u32 i = 0; i < 3; i++)
		free_frozen_pages_nolock(f.m, take(&f, 0), 0);
	assert_int_equal(f.pcp->count, 3);
	assert_int_equal(f.m->global->vm_event[PGFREE], 3);
	shut_down(f.m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(list_indices),
		cmocka_unit_test(lifo_and_fifo),
		cmocka_unit_test(refills_double),
		cmocka_unit_test(refill_sizes),
		cmocka_unit_test(highatomic_does_not_refill),
		cmocka_unit_test(busy_locks),
		cmocka_unit_test(one_free),
		cmocka_unit_test(free_count_stops),
		cmocka_unit_test(excess_drains_from_the_tail),
		cmocka_unit_test(excess_stops_without_the_lock),
		cmocka_unit_test(excess_asks_between_steps),
		cmocka_unit_test(run_of_high_order_frees),
		cmocka_unit_test(run_lowers_high),
		cmocka_unit_test(run_is_interrupted),
		cmocka_unit_test(run_waits_for_a_batch),
		cmocka_unit_test(below_high_is_cleared),
		cmocka_unit_test(nolock_does_not_drain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
