/* SPDX-License-Identifier: GPL-2.0-only */
/* Deciding on another round: spec 6.6, 6.7, rules 67 and 68. */
#include "model/tests/slow_fixture.h"

static struct alloc_context ac;

static void request(u32 gfp, u32 order)
{
	u32 alloc_gfp = gfp, flags = 0;

	ac = (struct alloc_context){.reclaim_compact_order = order};
	assert_true(prepare_alloc_pages(m, gfp, 0, NONE, &ac, &alloc_gfp, &flags));
}

/* @nr free pages that cannot merge. */
static void scatter(u32 nr)
{
	for (u32 i = 0; i < nr; i++)
		put_buddy(m, normal->zone_start_pfn + 2 * i, 0);
}

static const struct event *last_scan(void)
{
	u32 nr = count_events(&rec, EV_RECLAIM_RETRY_ZONE);

	assert_int_not_equal(nr, 0);
	return event_at(&rec, EV_RECLAIM_RETRY_ZONE, nr - 1);
}

/* ---- 6.6 ----------------------------------------------------------------- */

/* However much there is to reclaim, the 17th round without progress is the last (rule 67). */
static void test_no_progress_is_bounded(void **state)
{
	u32 loops = 0;

	(void)state;
	request(GFP_KERNEL, 0);
	scatter(1000);
	for (u32 i = 1; i <= 16; i++) {
		assert_true(should_reclaim_retry(m, GFP_KERNEL, 0, &ac, 0, false, &loops));
		assert_int_equal(loops, i);
		assert_int_equal(last_scan()->c, i);
	}
	assert_false(should_reclaim_retry(m, GFP_KERNEL, 0, &ac, 0, false, &loops));
	assert_int_equal(loops, 17);
	assert_int_equal(count_events(&rec, EV_RECLAIM_RETRY_ZONE), 16);
}

/* Progress counts for small orders that are not promoted to a block. */
static void test_progress_resets(void **state)
{
	const struct {
		u32 order, reclaim_order;
		bool progress;
		u32 loops; /* after 5 */
	} rows[] = {
		{0, 0, true, 0}, {3, 3, true, 0},  {4, 4, true, 6},
		{0, 9, true, 6}, {0, 0, false, 6},
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		u32 loops = 5;

		request(GFP_KERNEL, rows[i].reclaim_order);
		should_reclaim_retry(m, GFP_KERNEL, rows[i].order, &ac, 0, rows[i].progress,
				     &loops);
		assert_int_equal(loops, rows[i].loops);
	}
}

/* 60 free + 3 folios of 1 page + 1 of 32 = 95 pages; the boosted MIN must be below. */
static void test_available(void **state)
{
	const struct {
		u32 min, boost, flags;
		bool ok;
	} rows[] = {
		{94, 0, 0, true},
		{95, 0, 0, false},
		{50, 44, 0, true},
		{50, 45, 0, false},
		/* 188 - 94 = 94, 190 - 95 = 95 */
		{188, 0, ALLOC_MIN_RESERVE, true},
		{190, 0, ALLOC_MIN_RESERVE, false},
	};

	(void)state;
	request(GFP_KERNEL, 0);
	scatter(60);
	for (u32 i = 0; i < 3; i++)
		put_folio(2048 + i, 0);
	put_folio(2080, 5);
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		u32 loops = 0;
		const struct event *ev;

		set_all_marks(rows[i].min, 1000, 1000);
		SET(m, normal->watermark_boost, rows[i].boost);
		assert_int_equal(should_reclaim_retry(m, GFP_KERNEL, 0, &ac, rows[i].flags, false,
						      &loops),
				 rows[i].ok);
		ev = last_scan();
		assert_int_equal(ev->zone, normal->index);
		assert_int_equal(ev->pfn, 35);
		assert_int_equal(ev->a, 95);
		assert_int_equal(ev->b, rows[i].min + rows[i].boost);
		assert_int_equal(ev->gfp, rows[i].ok);
	}
}

/* A hypothetical free page is no buddy: with order > 0 there must be one right now. */
static void test_order_needs_a_buddy(void **state)
{
	u32 loops = 0;

	(void)state;
	request(GFP_KERNEL, 1);
	scatter(1000);
	assert_false(should_reclaim_retry(m, GFP_KERNEL, 1, &ac, 0, false, &loops));
	put_buddy(m, 4000, 1);
	assert_true(should_reclaim_retry(m, GFP_KERNEL, 1, &ac, 0, false, &loops));
}

/* With ALLOC_CPUSET, zones outside the cpuset are not even looked at. */
static void test_cpuset(void **state)
{
	u32 loops = 0;

	(void)state;
	request(GFP_KERNEL, 0);
	set_task_flags(m, TASK_CPUSETS_ENABLED);
	set_mems_allowed(m, BIT(1), BIT(1));
	should_reclaim_retry(m, GFP_KERNEL, 0, &ac, ALLOC_CPUSET, false, &loops);
	assert_int_equal(count_events(&rec, EV_RECLAIM_RETRY_ZONE), 1);
	assert_int_equal(m->zones[last_scan()->zone].node, 1);
	rec.nr = 0;
	should_reclaim_retry(m, GFP_KERNEL, 0, &ac, 0, false, &loops);
	assert_int_equal(count_events(&rec, EV_RECLAIM_RETRY_ZONE), 3);
}

/* The first zone that could pass ends the scan. */
static void test_first_zone_wins(void **state)
{
	u32 loops = 0;

	(void)state;
	request(GFP_KERNEL, 0);
	scatter(1000);
	assert_true(should_reclaim_retry(m, GFP_KERNEL, 0, &ac, 0, false, &loops));
	assert_int_equal(count_events(&rec, EV_RECLAIM_RETRY_ZONE), 1);
}

/* Before it says no, the last reserved block is given up; that is worth a round. */
static void test_forced_unreserve(void **state)
{
	u32 loops = 16;

	(void)state;
	request(GFP_KERNEL, 0);
	set_block(m, 0, MIGRATE_HIGHATOMIC);
	put_buddy(m, 0, 3);
	SET(m, normal->nr_reserved_highatomic, BLOCK);
	assert_true(should_reclaim_retry(m, GFP_KERNEL, 0, &ac, 0, false, &loops));
	assert_int_equal(normal->nr_reserved_highatomic, 0);
	assert_false(should_reclaim_retry(m, GFP_KERNEL, 0, &ac, 0, false, &loops));
}

/* ---- 6.7 ----------------------------------------------------------------- */

static void test_compact_retry(void **state)
{
	enum {
		FULL = COMPACT_PRIO_SYNC_FULL,
		LIGHT = COMPACT_PRIO_SYNC_LIGHT,
		ASYNC = COMPACT_PRIO_ASYNC
	};
	const struct {
		enum compact_result result;
		u32 order, compact_order, priority, retries;
		bool ret;
		u32 new_priority, new_retries;
	} rows[] = {
		/* Failures raise the priority, as far as the order's worth goes (rule 68). */
		{COMPACT_COMPLETE, 1, 1, ASYNC, 3, true, LIGHT, 0},
		{COMPACT_COMPLETE, 1, 1, LIGHT, 3, true, FULL, 0},
		{COMPACT_COMPLETE, 1, 1, FULL, 3, false, FULL, 3},
		{COMPACT_COMPLETE, 4, 4, ASYNC, 3, true, LIGHT, 0},
		{COMPACT_COMPLETE, 4, 4, LIGHT, 3, false, LIGHT, 3},
		{COMPACT_DEFERRED, 4, 4, LIGHT, 0, false, LIGHT, 0},
		{COMPACT_CONTENDED, 3, 3, LIGHT, 0, true, FULL, 0},
		/* The worth is that of the request, not of the block that is compacted for. */
		{COMPACT_COMPLETE, 1, 9, LIGHT, 0, true, FULL, 0},
		/* Successes are retried 16 times, 4 times if costly. */
		{COMPACT_SUCCESS, 1, 1, LIGHT, 0, true, LIGHT, 1},
		{COMPACT_SUCCESS, 1, 1, LIGHT, 15, true, LIGHT, 16},
		{COMPACT_SUCCESS, 1, 1, LIGHT, 16, true, FULL, 0},
		{COMPACT_SUCCESS, 1, 1, FULL, 16, false, FULL, 17},
		{COMPACT_SUCCESS, 4, 4, LIGHT, 3, true, LIGHT, 4},
		{COMPACT_SUCCESS, 4, 4, LIGHT, 4, false, LIGHT, 5},
		{COMPACT_SUCCESS, 4, 4, ASYNC, 4, true, LIGHT, 0},
		/* Skipped, and no zone would be suitable. */
		{COMPACT_SKIPPED, 1, 1, LIGHT, 0, false, LIGHT, 0},
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		enum compact_priority priority = rows[i].priority;
		u32 retries = rows[i].retries;
		const struct event *ev;

		rec.nr = 0;
		request(GFP_KERNEL, rows[i].compact_order);
		assert_int_equal(should_compact_retry(m, &ac, rows[i].order, rows[i].result,
						      &priority, &retries),
				 rows[i].ret);
		assert_int_equal(priority, rows[i].new_priority);
		assert_int_equal(retries, rows[i].new_retries);

		ev = event_at(&rec, EV_COMPACT_RETRY, 0);
		assert_non_null(ev);
		assert_int_equal(ev->order, rows[i].order);
		assert_int_equal(ev->a, rows[i].priority);
		assert_int_equal(ev->b, rows[i].result);
		assert_int_equal(ev->c, rows[i].retries);
		assert_int_equal(ev->gfp, rows[i].ret);
		if (rows[i].result == COMPACT_SUCCESS)
			assert_int_equal(ev->pfn, rows[i].order > 3 ? 4 : 16);
	}
}

/* Two cases are answered without an event: nothing to compact for, and a task that dies. */
static void test_compact_retry_without_event(void **state)
{
	enum compact_priority priority = COMPACT_PRIO_ASYNC;
	u32 retries = 0;

	(void)state;
	request(GFP_KERNEL, 0);
	assert_false(should_compact_retry(m, &ac, 0, COMPACT_COMPLETE, &priority, &retries));
	request(GFP_KERNEL, 1);
	set_task_flags(m, TASK_FATAL_SIGNAL);
	assert_false(should_compact_retry(m, &ac, 1, COMPACT_COMPLETE, &priority, &retries));
	assert_int_equal(priority, COMPACT_PRIO_ASYNC);
	assert_int_equal(count_events(&rec, EV_COMPACT_RETRY), 0);
}

static bool skipped_is_retried(u32 order)
{
	enum compact_priority priority = COMPACT_PRIO_SYNC_LIGHT;
	u32 retries = 0;

	return should_compact_retry(m, &ac, order, COMPACT_SKIPPED, &priority, &retries);
}

/*
 * SKIPPED: would there be room after reclaim (5.8)? MIN 100, LOW 200.
 *
 *      order 1   100 + 4              104 pages do not do, 105 do
 *      order 2   100 + 8, and the 2 * n reclaimable pages count as n
 *      order 4   100 + 32 + (200 - 100)
 */
static void test_skipped_needs_room(void **state)
{
	(void)state;
	m->machine.env.kind[ENV_COMPACT] = ENV_ZONE;
	request(GFP_KERNEL, 1);
	scatter(104);
	assert_false(skipped_is_retried(1));
	put_buddy(m, 2000, 0);
	assert_true(skipped_is_retried(1));

	request(GFP_KERNEL, 2);
	put_folio(3000, 2);
	put_folio(3004, 1);
	put_folio(3006, 0);
	assert_false(skipped_is_retried(2)); /* 105 + 7 / 2 = 108 */
	put_folio(3007, 0);
	assert_true(skipped_is_retried(2)); /* 105 + 8 / 2 = 109 */

	request(GFP_KERNEL, 4);
	for (u32 i = 0; i < 125; i++)
		put_buddy(m, 2002 + 2 * i, 0);
	assert_false(skipped_is_retried(4)); /* 230 + 8 / 4 = 232 */
	put_buddy(m, 2500, 0);
	assert_true(skipped_is_retried(4));
	/* A promoted request does not wait for reclaim. */
	request(GFP_KERNEL, 9);
	assert_false(skipped_is_retried(4));
}

/* Where compaction is answered as a whole, nothing is said about room: no. */
static void test_skipped_whole(void **state)
{
	(void)state;
	request(GFP_KERNEL, 1);
	scatter(1000);
	assert_false(skipped_is_retried(1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_no_progress_is_bounded),
		TEST(test_progress_resets),
		TEST(test_available),
		TEST(test_order_needs_a_buddy),
		TEST_NUMA(test_cpuset),
		TEST_NUMA(test_first_zone_wins),
		TEST(test_forced_unreserve),
		TEST(test_compact_retry),
		TEST(test_compact_retry_without_event),
		TEST(test_skipped_needs_room),
		TEST(test_skipped_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
