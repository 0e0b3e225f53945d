/* SPDX-License-Identifier: GPL-2.0-only */
/* Who wakes kswapd, and what a pass of it does (spec 5.4, 5.8, 6.1). HIGH is 300 everywhere. */
#include "model/tests/slow_fixture.h"

static int wakes_decided(void **state)
{
	one_node(state);
	m->machine.env.kind[ENV_WAKE] = ENV_ZONE;
	return 0;
}

static int wakes_decided_numa(void **state)
{
	two_nodes(state);
	m->machine.env.kind[ENV_WAKE] = ENV_ZONE;
	return 0;
}

#define TEST_ZONE(f) cmocka_unit_test_setup_teardown(f, wakes_decided, tear_down)
#define TEST_ZONE_NUMA(f) cmocka_unit_test_setup_teardown(f, wakes_decided_numa, tear_down)

/* Is kswapd found to be needed, and is kcompactd woken instead? */
static void expect_wake(u32 gfp, u32 order, bool kswapd, bool kcompactd)
{
	rec.nr = 0;
	wakeup_kswapd(m, normal, gfp, order, ZONE_NORMAL);
	assert_int_equal(count_events(&rec, EV_WAKEUP_KSWAPD), 1);
	assert_int_equal(count_events(&rec, EV_MM_VMSCAN_WAKEUP_KSWAPD), kswapd);
	assert_int_equal(count_events(&rec, EV_ENV_CALL), kswapd);
	assert_int_equal(count_events(&rec, EV_WAKEUP_KCOMPACTD), kcompactd);
}

/* ---- the decision -------------------------------------------------------- */

/* 512 free pages in one buddy are enough for order 0 to 7, 512 - 255 are not for order 8. */
static void test_balanced(void **state)
{
	(void)state;
	put_buddy(m, 0, 9);
	expect_wake(GFP_KERNEL, 0, false, false);
	expect_wake(GFP_KERNEL, 7, false, false);
	expect_wake(GFP_KERNEL, 8, true, false);
	/* Pages enough, but none of the order. */
	empty_zone(m, normal);
	for (u32 i = 0; i < 400; i++)
		put_buddy(m, 2 * i, 0);
	expect_wake(GFP_KERNEL, 0, false, false);
	expect_wake(GFP_KERNEL, 1, true, false);
	/* 300 are not above the mark. */
	set_all_marks(100, 200, 400);
	expect_wake(GFP_KERNEL, 0, true, false);
	assert_int_equal(m->env.report.kswapd_wakes, 6);
	assert_int_equal(m->env.report.calls[ENV_WAKE], 3);
	/* Every answer was "stays asleep". */
	assert_false(m->nodes[0].kswapd_awake);
}

/* A balanced node: who cannot compact leaves the work to kcompactd, unless it is order 0. */
static void test_kcompactd_instead(void **state)
{
	(void)state;
	put_buddy(m, 0, 9);
	expect_wake(GFP_NOWAIT, 4, false, true);
	assert_int_equal(event_at(&rec, EV_WAKEUP_KCOMPACTD, 0)->order, 4);
	expect_wake(GFP_NOWAIT, 0, false, false);
	expect_wake(GFP_KERNEL, 4, false, false);
}

/* A boost wakes, even where the boosted marks are met. */
static void test_boosted(void **state)
{
	(void)state;
	put_buddy(m, 0, 9);
	SET(m, normal->watermark_boost, 100);
	expect_wake(GFP_KERNEL, 0, true, false);
	/* The zone of rmqueue, from below the boosted one: not its business. */
	rec.nr = 0;
	wakeup_kswapd(m, normal, 0, 0, ZONE_DMA32);
	assert_int_equal(count_events(&rec, EV_MM_VMSCAN_WAKEUP_KSWAPD), 0);
}

/* After 16 vain passes nobody is woken any more; kcompactd still is. */
static void test_hopeless(void **state)
{
	(void)state;
	SET(m, m->nodes[0].kswapd_failures, 15);
	expect_wake(GFP_KERNEL, 0, true, false);
	SET(m, m->nodes[0].kswapd_failures, 16);
	expect_wake(GFP_KERNEL, 0, false, false);
	expect_wake(GFP_NOWAIT, 1, false, true);
}

/* What is asked for grows, also while kswapd is awake or not needed; it is woken only once. */
static void test_target_grows(void **state)
{
	struct node *node = &m->nodes[0];

	(void)state;
	always(ENV_WAKE, 1, 0);
	wakeup_kswapd(m, normal, GFP_KERNEL, 2, ZONE_DMA32);
	assert_int_equal(node->kswapd_order, 2);
	assert_int_equal(node->kswapd_highest_zoneidx, ZONE_DMA32);
	/* No zone up to DMA32 has memory, so there was nothing to balance. */
	assert_false(node->kswapd_awake);
	expect_wake(GFP_KERNEL, 1, true, false);
	assert_true(node->kswapd_awake);
	assert_int_equal(node->kswapd_order, 2);
	assert_int_equal(node->kswapd_highest_zoneidx, ZONE_NORMAL);
	expect_wake(GFP_KERNEL, 5, false, false);
	assert_int_equal(node->kswapd_order, 5);
}

/* Zones without pages, or outside the cpuset: not even the target grows. */
static void test_not_concerned(void **state)
{
	struct node *node = &m->nodes[0];

	(void)state;
	set_task_flags(m, TASK_CPUSETS_ENABLED);
	set_mems_allowed(m, BIT(1), BIT(1));
	expect_wake(GFP_KERNEL, 3, false, false);
	set_task_flags(m, 0);
	SET(m, normal->managed_pages, 0);
	expect_wake(GFP_KERNEL, 3, false, false);
	assert_int_equal(node->kswapd_order, 0);
	assert_int_equal(node->kswapd_highest_zoneidx, MAX_NR_ZONES);
}

/* One zone of the node with enough pages will do; other nodes do not count. */
static void test_one_zone_is_enough(void **state)
{
	(void)state;
	put_buddy(m, find_zone(m, 1, ZONE_NORMAL)->zone_start_pfn, 9);
	expect_wake(GFP_KERNEL, 0, true, false);
	put_buddy(m, find_zone(m, 0, ZONE_DMA32)->zone_start_pfn, 9);
	expect_wake(GFP_KERNEL, 0, false, false);
}

/* Under defrag_mode only whole free blocks count, except for order 0. */
static void test_defrag_mode(void **state)
{
	(void)state;
	put_buddy(m, 0, 8);
	put_buddy(m, 512, 8);
	expect_wake(GFP_KERNEL, 4, false, false);
	SET(m, m->global->sysctl[SYSCTL_DEFRAG_MODE], 1);
	expect_wake(GFP_KERNEL, 4, true, false);
	expect_wake(GFP_KERNEL, 0, false, false);
	put_buddy(m, 1024, 9);
	expect_wake(GFP_KERNEL, 4, false, false);
}

/* Answered as a whole: the wake is counted and seen, nothing is decided. */
static void test_whole(void **state)
{
	(void)state;
	wakeup_kswapd(m, normal, GFP_NOWAIT, 4, ZONE_NORMAL);
	assert_int_equal(m->env.report.kswapd_wakes, 1);
	assert_int_equal(count_events(&rec, EV_WAKEUP_KSWAPD), 1);
	assert_int_equal(count_events(&rec, EV_MM_VMSCAN_WAKEUP_KSWAPD), 0);
	assert_int_equal(m->nodes[0].kswapd_order, 0);
	assert_false(m->nodes[0].kswapd_awake);
	always(ENV_WAKE, 1, 0);
	wakeup_kswapd(m, normal, GFP_NOWAIT, 4, ZONE_NORMAL);
	assert_true(m->nodes[0].kswapd_awake);
}

/* ---- a pass -------------------------------------------------------------- */

/* @nr free pages and @folios folios, all apart from each other. */
static void scatter(u32 nr, u32 folios)
{
	for (u32 i = 0; i < nr; i++)
		put_buddy(m, 2 * i, 0);
	for (u32 i = 0; i < folios; i++)
		put_folio(2048 + 2 * i, 0);
}

/*
 * 290 pages are free, more than 300 are wanted. The first 32 folios do: while it works, the pcp
 * list keeps at most 4 * batch = 4 pages.
 */
static void test_frees_until_balanced(void **state)
{
	struct node *node = &m->nodes[0];

	(void)state;
	scatter(290, 100);
	SET(m, node->kswapd_awake, 1);
	kswapd_run(m, 0, 0);
	assert_int_equal(count_events(&rec, EV_ENV_FREED), 32);
	assert_int_equal(event_at(&rec, EV_ENV_FREED, 0)->pfn, 2048);
	assert_in_range(zone_page_state(normal, NR_FREE_PAGES), 318, 322);
	assert_false(node->kswapd_awake);
	assert_int_equal(node->kswapd_highest_zoneidx, MAX_NR_ZONES);
	assert_false(normal->flags & ZONE_RECLAIM_ACTIVE);
	assert_int_equal(vm_event(PAGEOUTRUN), 1);
	/* Balanced: the next pass has nothing to do. */
	kswapd_run(m, 0, 0);
	assert_int_equal(count_events(&rec, EV_ENV_FREED), 32);
}

/* A slice of a pass: ten pages, not enough; it stays awake. */
static void test_slice(void **state)
{
	(void)state;
	scatter(280, 100);
	SET(m, m->nodes[0].kswapd_awake, 1);
	SET(m, m->nodes[0].kswapd_failures, 3);
	kswapd_run(m, 0, 10);
	assert_int_equal(count_events(&rec, EV_ENV_FREED), 10);
	assert_true(m->nodes[0].kswapd_awake);
	assert_int_equal(m->nodes[0].kswapd_failures, 0);
}

/* Nothing to free: 16 passes, then it gives up and sleeps. */
static void test_gives_up(void **state)
{
	struct node *node = &m->nodes[0];

	(void)state;
	SET(m, node->kswapd_awake, 1);
	for (u32 i = 1; i < 16; i++) {
		kswapd_run(m, 0, 0);
		assert_int_equal(node->kswapd_failures, i);
		assert_true(node->kswapd_awake);
	}
	kswapd_run(m, 0, 0);
	assert_int_equal(node->kswapd_failures, 16);
	assert_false(node->kswapd_awake);
}

/*
 * Woken for order 4, of which no buddy will come: after a gap of min(2^5, 32) pages it is
 * content with order 0, and leaves the rest to kcompactd.
 */
static void test_compaction_gap(void **state)
{
	struct node *node = &m->nodes[0];

	(void)state;
	scatter(400, 100);
	SET(m, node->kswapd_awake, 1);
	SET(m, node->kswapd_order, 4);
	kswapd_run(m, 0, 0);
	assert_int_equal(count_events(&rec, EV_ENV_FREED), 32);
	assert_false(node->kswapd_awake);
	assert_int_equal(node->kswapd_order, 0);
	assert_int_equal(event_at(&rec, EV_WAKEUP_KCOMPACTD, 0)->order, 4);
}

/* The boost goes down by what it was at the start, and kcompactd makes whole blocks (5.4). */
static void test_lowers_boost(void **state)
{
	(void)state;
	put_buddy(m, 0, 10);
	SET(m, normal->watermark_boost, 700);
	SET(m, m->nodes[0].kswapd_awake, 1);
	kswapd_run(m, 0, 0);
	assert_int_equal(normal->watermark_boost, 0);
	assert_int_equal(event_at(&rec, EV_WAKEUP_KCOMPACTD, 0)->order, 9);
	assert_int_equal(count_events(&rec, EV_WAKEUP_KCOMPACTD), 1);
	assert_false(m->nodes[0].kswapd_awake);
}

/* Zones above the one that it was woken for are left alone, boost included. */
static void test_highest_zone(void **state)
{
	(void)state;
	SET(m, normal->watermark_boost, 700);
	SET(m, m->nodes[0].kswapd_highest_zoneidx, ZONE_DMA32);
	put_folio(normal->zone_start_pfn, 0);
	put_folio(find_zone(m, 1, ZONE_NORMAL)->zone_start_pfn, 0);
	put_folio(0, 0);
	kswapd_run(m, 0, 0);
	assert_int_equal(normal->watermark_boost, 700);
	assert_int_equal(count_events(&rec, EV_ENV_FREED), 1);
	assert_int_equal(event_at(&rec, EV_ENV_FREED, 0)->pfn, 0);
}

/* Closed: who is needed is awake at once, works after each op, and sleeps when it is done. */
static void test_closed(void **state)
{
	struct op_report report;

	(void)state;
	m->machine.env.kind[ENV_WAKE] = ENV_CLOSED;
	m->machine.env.kswapd_pages = 8;
	scatter(290, 100);
	next_op(NULL, 0);
	wakeup_kswapd(m, normal, GFP_KERNEL, 0, ZONE_NORMAL);
	assert_true(m->nodes[0].kswapd_awake);
	assert_int_equal(count_events(&rec, EV_ENV_FREED), 0);
	memory_end_op(m, &report);
	assert_int_equal(report.calls[ENV_WAKE], 1);
	assert_int_equal(count_events(&rec, EV_ENV_FREED), 8);
	assert_true(m->nodes[0].kswapd_awake);

	memory_begin_op(m, NULL, 0);
	memory_end_op(m, &report);
	assert_int_equal(count_events(&rec, EV_ENV_FREED), 16);
	assert_false(m->nodes[0].kswapd_awake);
	memory_begin_op(m, NULL, 0);
	memory_end_op(m, &report);
	assert_int_equal(count_events(&rec, EV_ENV_FREED), 16);
}

/* An answer that the op did not use is not for the background: no pcp lock is busy there. */
static void test_background_has_no_answers(void **state)
{
	const struct answer busy = {.call = ENV_LOCK_PCP, .value = 1};
	struct op_report report;

	(void)state;
	m->machine.env.kind[ENV_WAKE] = ENV_CLOSED;
	scatter(0, 1);
	next_op(&busy, 1);
	wakeup_kswapd(m, normal, GFP_KERNEL, 0, ZONE_NORMAL);
	memory_end_op(m, &report);
	assert_int_equal(count_events(&rec, EV_ENV_FREED), 1);
	assert_int_equal(report.calls[ENV_LOCK_PCP], 0);
	assert_int_equal(this_pcp(m, normal)->count, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_ZONE(test_balanced),
		TEST_ZONE(test_kcompactd_instead),
		TEST_ZONE(test_boosted),
		TEST_ZONE(test_hopeless),
		TEST_ZONE(test_target_grows),
		TEST_ZONE(test_not_concerned),
		TEST_ZONE_NUMA(test_one_zone_is_enough),
		TEST_ZONE(test_defrag_mode),
		TEST(test_whole),
		TEST(test_frees_until_balanced),
		TEST(test_slice),
		TEST(test_gives_up),
		TEST(test_compaction_gap),
		TEST(test_lowers_boost),
		TEST_NUMA(test_highest_zone),
		TEST(test_closed),
		TEST(test_background_has_no_answers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
