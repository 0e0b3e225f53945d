/* SPDX-License-Identifier: GPL-2.0-only */
/* The OOM killer, and who is spared (spec 1.6 d, e, 6.8). */
#include "model/tests/slow_fixture.h"

/* ---- 6.8: OOM ------------------------------------------------------------ */

/* The look before a kill: HIGH mark, hard walls, no reclaim; no CMA, no KSWAPD, no NOFRAGMENT. */
static void test_oom_look(void **state)
{
	(void)state;
	set_defrag_mode(1);
	next_op(NULL, 0);
	alloc_pages(m, GFP_MOVABLE, 0, 0, NONE);
	assert_way("WGR WGR GO");
	assert_int_equal(flags_of_look(3), ALLOC_WMARK_HIGH | ALLOC_CPUSET);
	assert_int_equal(letter_at('G', 3)->gfp,
			 (GFP_MOVABLE | __GFP_HARDWALL) & ~__GFP_DIRECT_RECLAIM);
}

/* Somebody else kills: no look, no kill, but progress. */
static void test_oom_lock_busy(void **state)
{
	const struct answer busy = {.call = ENV_LOCK_OOM, .value = 1};

	(void)state;
	next_op(&busy, 1);
	assert_int_equal(alloc_pages(m, GFP_KERNEL, 0, 0, NONE), PFN_NONE);
	assert_way("WGR WGR GO");
}

/* A kill is progress: the request goes on as long as there are victims. */
static void test_oom_progress(void **state)
{
	const struct answer kills[] = {{.call = ENV_OOM, .value = 1},
				       {.call = ENV_OOM, .value = 1}};

	(void)state;
	next_op(kills, 2);
	assert_int_equal(alloc_pages(m, GFP_KERNEL, 0, 0, NONE), PFN_NONE);
	assert_way("WGRGO WGRGO WGRGO");
	assert_int_equal(slowpath_exit(), SLOW_EXIT_NO_OOM_PROGRESS);
}

/*
 * There seems to be enough to reclaim: 17 rounds until the killer is asked, and another 17 after
 * it helped (step 27).
 */
static void test_oom_progress_resets_the_rounds(void **state)
{
	const struct answer kill = {.call = ENV_OOM, .value = 1};

	(void)state;
	m->machine.fuel = 50;
	put_folio(1024, 10);
	mark_page(m, 1024, 10, PG_PINNED, 0);
	next_op(&kill, 1);
	assert_int_equal(alloc_pages(m, GFP_KERNEL, 0, 0, NONE), PFN_NONE);
	assert_int_equal(slowpath_exit(), SLOW_EXIT_NO_OOM_PROGRESS);
	assert_int_equal(count_events(&rec, EV_WAKEUP_KSWAPD), 17 + 17);
	assert_int_equal(m->env.report.calls[ENV_OOM], 2);
}

/* Who gets nobody killed (rule 66). */
static void test_oom_kills_nobody(void **state)
{
	const struct {
		u32 gfp, task;
	} rows[] = {
		{GFP_KERNEL | __GFP_RETRY_MAYFAIL, 0}, {GFP_KERNEL | __GFP_THISNODE, 0},
		{GFP_KERNEL | __GFP_DMA32, 0},	       {GFP_KERNEL, TASK_PF_DUMPCORE},
		{GFP_KERNEL, TASK_STORAGE_SUSPENDED},
	};

	(void)state;
	always(ENV_OOM, 1, 0);
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		set_task_flags(m, rows[i].task);
		expect_failure(rows[i].gfp, 0, "WGRG", SLOW_EXIT_NO_OOM_PROGRESS);
	}
}

/* NOFAIL without a victim: a warning, unless NOWARN, and a look without watermarks. */
static void test_oom_nofail(void **state)
{
	(void)state;
	m->machine.fuel = 1;
	expect_failure(GFP_KERNEL | __GFP_NOFAIL, 0, "WGR GOGG", SLOW_EXIT_FUEL);
	assert_int_equal(count_events(&rec, EV_WARN), 1);
	assert_int_equal(event_at(&rec, EV_WARN, 0)->a, WARN_OOM_NOFAIL);
	assert_int_equal(flags_of_look(3), ALLOC_NO_WATERMARKS | ALLOC_CPUSET);
	assert_int_equal(flags_of_look(4), ALLOC_NO_WATERMARKS);
	expect_failure(GFP_KERNEL | __GFP_NOFAIL | __GFP_NOWARN, 0, "WGR GOGG", SLOW_EXIT_FUEL);
	assert_int_equal(count_events(&rec, EV_WARN), 0);
	/* After a kill there is nothing to warn of. */
	always(ENV_OOM, 1, 0);
	expect_failure(GFP_KERNEL | __GFP_NOFAIL, 0, "WGR GOGG", SLOW_EXIT_FUEL);
	assert_int_equal(count_events(&rec, EV_WARN), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_oom_look),
		TEST(test_oom_lock_busy),
		TEST(test_oom_progress),
		TEST(test_oom_progress_resets_the_rounds),
		TEST_NUMA(test_oom_kills_nobody),
		TEST(test_oom_nofail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
