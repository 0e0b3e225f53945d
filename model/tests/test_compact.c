/* SPDX-License-Identifier: GPL-2.0-only */
/* The per-zone driver of compaction: deferral, the check before, the walk over zones (spec 6.5). */
#include "model/tests/slow_fixture.h"

static struct alloc_context ac;
static struct capture_control capc;

/* Compact for a movable request; 400 scattered pages are enough to try it for order 4. */
static enum compact_result compact_with(u32 gfp, u32 order, u32 alloc_flags,
					enum compact_priority priority)
{
	u32 alloc_gfp = gfp, flags = 0;

	ac = (struct alloc_context){.reclaim_compact_order = order};
	assert_true(prepare_alloc_pages(m, gfp, 0, NONE, &ac, &alloc_gfp, &flags));
	capc = (struct capture_control){
		.order = order, .migratetype = ac.migratetype, .pfn = PFN_NONE};
	rec.nr = 0;
	return try_to_compact_pages(m, gfp, order, alloc_flags, &ac, priority, &capc);
}

static enum compact_result compact(u32 order, enum compact_priority priority)
{
	return compact_with(GFP_MOVABLE, order, ALLOC_CPUSET | ALLOC_CMA, priority);
}

/* Zones that were asked for: those that compaction really ran in. */
static u32 zones_asked(void)
{
	u32 nr = 0;

	for (u32 i = 0; i < rec.nr; i++) {
		const struct event *ev = &rec.events[i];

		nr += ev->type == EV_ENV_CALL && ev->a == ENV_COMPACT && ev->zone != ZONE_ANY;
	}
	return nr;
}

/* @nr free pages in @z that cannot merge. */
static void scatter(const struct zone *z, u32 nr)
{
	for (u32 i = 0; i < nr; i++)
		put_buddy(m, z->zone_start_pfn + 2 * i, 0);
}

static int zones_one_node(void **state)
{
	one_node(state);
	m->machine.env.kind[ENV_COMPACT] = ENV_ZONE;
	scatter(normal, 400);
	return 0;
}

static int zones_two_nodes(void **state)
{
	two_nodes(state);
	m->machine.env.kind[ENV_COMPACT] = ENV_ZONE;
	for (u32 i = 0; i < m->nr_zones; i++)
		scatter(zone_at(m, i), 400);
	return 0;
}

#define ZONES(f) cmocka_unit_test_setup_teardown(f, zones_one_node, tear_down)
#define ZONES_NUMA(f) cmocka_unit_test_setup_teardown(f, zones_two_nodes, tear_down)

/* ---- deferral ------------------------------------------------------------ */

/*
 * After the n-th failure in a row, 2^n - 1 requests are turned away, 63 at most:
 *
 *      request   1  2  3  4  5  6  7 ...  15 ... 31 ... 63 ... 127 ... 191 ... 255
 *      runs      x     x           x       x      x      x      x       x       x
 */
static void test_deferral(void **state)
{
	const u32 runs[] = {1, 3, 7, 15, 31, 63, 127, 191, 255};
	u32 next = 0;

	(void)state;
	always(ENV_COMPACT, COMPACT_COMPLETE, 0);
	for (u32 i = 1; i <= 255; i++) {
		bool run = i == runs[next];

		assert_int_equal(compact(4, COMPACT_PRIO_SYNC_LIGHT),
				 run ? COMPACT_COMPLETE : COMPACT_DEFERRED);
		assert_int_equal(zones_asked(), run);
		next += run;
	}
	assert_int_equal(next, ARRAY_SIZE(runs));
	assert_int_equal(normal->compact_defer_shift, 6);
}

/* Which failures defer a zone: full scans, unless they were asynchronous. */
static void test_who_defers(void **state)
{
	const struct {
		enum compact_result result;
		enum compact_priority priority;
		u32 shift; /* 2 before */
	} rows[] = {
		{COMPACT_COMPLETE, COMPACT_PRIO_SYNC_LIGHT, 3},
		{COMPACT_COMPLETE, COMPACT_PRIO_SYNC_FULL, 3},
		{COMPACT_COMPLETE, COMPACT_PRIO_ASYNC, 2},
		{COMPACT_PARTIAL_SKIPPED, COMPACT_PRIO_SYNC_LIGHT, 3},
		{COMPACT_CONTENDED, COMPACT_PRIO_SYNC_LIGHT, 2},
		{COMPACT_NO_SUITABLE_PAGE, COMPACT_PRIO_SYNC_LIGHT, 2},
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		/* The next one is due. */
		SET(m, normal->compact_defer_shift, 2);
		SET(m, normal->compact_considered, 3);
		SET(m, normal->compact_order_failed, 6);
		always(ENV_COMPACT, rows[i].result, 0);
		assert_int_equal(compact(7, rows[i].priority), rows[i].result);
		assert_int_equal(normal->compact_defer_shift, rows[i].shift);
		assert_int_equal(normal->compact_considered, rows[i].shift == 3 ? 0 : 4);
		assert_int_equal(normal->compact_order_failed, 6);
	}
	/* A smaller order that fails lowers the bar. */
	SET(m, normal->compact_order_failed, 6);
	always(ENV_COMPACT, COMPACT_COMPLETE, 0);
	compact(4, COMPACT_PRIO_SYNC_FULL);
	assert_int_equal(normal->compact_order_failed, 4);
	compact(5, COMPACT_PRIO_SYNC_FULL);
	assert_int_equal(normal->compact_order_failed, 4);
}

/* ASYNC and SYNC_LIGHT are turned away, SYNC_FULL and orders that never failed are not. */
static void test_who_is_deferred(void **state)
{
	(void)state;
	always(ENV_COMPACT, COMPACT_CONTENDED, 0);
	SET(m, normal->compact_defer_shift, 6);
	SET(m, normal->compact_order_failed, 5);
	assert_int_equal(compact(5, COMPACT_PRIO_ASYNC), COMPACT_DEFERRED);
	assert_int_equal(compact(5, COMPACT_PRIO_SYNC_LIGHT), COMPACT_DEFERRED);
	assert_int_equal(normal->compact_considered, 2);
	assert_int_equal(compact(5, COMPACT_PRIO_SYNC_FULL), COMPACT_CONTENDED);
	assert_int_equal(compact(4, COMPACT_PRIO_SYNC_LIGHT), COMPACT_CONTENDED);
	assert_int_equal(normal->compact_considered, 2);
}

/* SUCCESS raises the failed order above its own; only an allocation ends the deferral. */
static void test_success_resets(void **state)
{
	(void)state;
	always(ENV_COMPACT, COMPACT_SUCCESS, 0);
	SET(m, normal->compact_defer_shift, 3);
	SET(m, normal->compact_considered, 7);
	assert_int_equal(compact(4, COMPACT_PRIO_SYNC_LIGHT), COMPACT_SUCCESS);
	assert_int_equal(normal->compact_order_failed, 5);
	assert_int_equal(normal->compact_defer_shift, 3);
	assert_int_equal(normal->compact_considered, 8);
	compaction_defer_reset(m, normal, 3, true);
	assert_int_equal(normal->compact_order_failed, 5);
	assert_int_equal(normal->compact_defer_shift, 0);
	assert_int_equal(normal->compact_considered, 0);
}

/* ---- the check before ---------------------------------------------------- */

/* A buddy of the order and the watermark: nothing to do. */
static void test_page_is_there(void **state)
{
	(void)state;
	put_buddy(m, 4000, 4);
	assert_int_equal(compact(4, COMPACT_PRIO_SYNC_LIGHT), COMPACT_SUCCESS);
	assert_int_equal(zones_asked(), 0);
	/* The call as a whole is reported with its answer all the same. */
	assert_int_equal(letter_at('C', 0)->c, COMPACT_SUCCESS);
	assert_int_equal(letter_at('C', 0)->b, COMPACT_PRIO_SYNC_LIGHT);
	/* The mark is the one that the flags ask for: 416 - 15 <= 500. */
	set_all_marks(100, 500, 600);
	assert_int_equal(compact_with(GFP_MOVABLE, 4, ALLOC_WMARK_LOW | ALLOC_CMA,
				      COMPACT_PRIO_SYNC_LIGHT),
			 COMPACT_SKIPPED);
}

/* Room (5.8): MIN + min(2^(order+1), 32), costly orders + LOW - MIN; strictly more. */
static void test_room(void **state)
{
	const struct {
		u32 order, min, low;
		bool runs;
	} rows[] = {
		{1, 395, 395, true}, /* 395 + 4 = 399 < 400 */
		{1, 396, 396, false}, /* 400 */
		{3, 383, 600, true}, /* 383 + 16 */
		{3, 384, 600, false}, {4, 200, 367, true}, /* 200 + 32 + 167 = 399 */
		{4, 200, 368, false}, {9, 200, 367, true}, /* never more than 32 */
		{9, 200, 368, false},
	};

	(void)state;
	always(ENV_COMPACT, COMPACT_CONTENDED, 0);
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		set_all_marks(rows[i].min, rows[i].low, 1000);
		assert_int_equal(compact(rows[i].order, COMPACT_PRIO_SYNC_LIGHT),
				 rows[i].runs ? COMPACT_CONTENDED : COMPACT_SKIPPED);
		assert_int_equal(zones_asked(), rows[i].runs);
	}
}

/*
 * Costly orders: is the memory in pieces at all? 30 buddies of order 3 and nothing else:
 *
 *      order 4   1000 - (1000 + 240 * 1000 / 16) / 30 = 1000 - 533 = 467   <= 500: no
 *      order 5   1000 - (1000 + 240 * 1000 / 32) / 30 = 1000 - 283 = 717          yes
 *
 * The limit belongs to "no": 4 buddies of order 4, for order 6, are just 500; one page more is 597.
 *
 *      1000 - (1000 + 64 * 1000 / 64) / 4 = 500     1000 - (1000 + 65 * 1000 / 64) / 5 = 597
 */
static void test_fragmentation_index(void **state)
{
	(void)state;
	always(ENV_COMPACT, COMPACT_CONTENDED, 0);
	set_all_marks(0, 0, 0);
	empty_zone(m, normal);
	for (u32 i = 0; i < 30; i++)
		put_buddy(m, 16 * i, 3);
	assert_int_equal(compact(4, COMPACT_PRIO_SYNC_LIGHT), COMPACT_SKIPPED);
	assert_int_equal(compact(5, COMPACT_PRIO_SYNC_LIGHT), COMPACT_CONTENDED);

	empty_zone(m, normal);
	for (u32 i = 0; i < 4; i++)
		put_buddy(m, 32 * i, 4);
	assert_int_equal(compact(6, COMPACT_PRIO_SYNC_LIGHT), COMPACT_SKIPPED);
	put_buddy(m, 128, 0);
	assert_int_equal(compact(6, COMPACT_PRIO_SYNC_LIGHT), COMPACT_CONTENDED);
}

/* Not costly, such an index would be too low: 30 of order 2 for order 3 give 467. */
static void test_fragmentation_index_small_order(void **state)
{
	(void)state;
	always(ENV_COMPACT, COMPACT_CONTENDED, 0);
	set_all_marks(0, 0, 0);
	empty_zone(m, normal);
	for (u32 i = 0; i < 30; i++)
		put_buddy(m, 16 * i, 2);
	assert_int_equal(compact(3, COMPACT_PRIO_SYNC_LIGHT), COMPACT_CONTENDED);
}

/* An early try for a costly request that may not use CMA does not count on CMA pages. */
static void test_async_without_cma(void **state)
{
	(void)state;
	always(ENV_COMPACT, COMPACT_CONTENDED, 0);
	empty_zone(m, normal);
	set_block(m, 0, MIGRATE_CMA);
	set_block(m, 1, MIGRATE_CMA);
	scatter(normal, 400);
	assert_int_equal(compact_with(GFP_KERNEL, 4, 0, COMPACT_PRIO_ASYNC), COMPACT_SKIPPED);
	assert_int_equal(compact_with(GFP_KERNEL, 4, 0, COMPACT_PRIO_SYNC_LIGHT),
			 COMPACT_CONTENDED);
	assert_int_equal(compact_with(GFP_KERNEL, 3, 0, COMPACT_PRIO_ASYNC), COMPACT_CONTENDED);
	assert_int_equal(compact_with(GFP_KERNEL, 4, ALLOC_CMA, COMPACT_PRIO_ASYNC),
			 COMPACT_CONTENDED);
}

/* ---- the walk over the zones --------------------------------------------- */

/* The results are combined with max(): CONTENDED (7) of 6, 7, 3. */
static void test_results_are_combined(void **state)
{
	const struct answer answers[] = {
		{.call = ENV_COMPACT, .kind = ENV_ZONE, .value = COMPACT_PARTIAL_SKIPPED},
		{.call = ENV_COMPACT, .kind = ENV_ZONE, .value = COMPACT_CONTENDED},
		{.call = ENV_COMPACT, .kind = ENV_ZONE, .value = COMPACT_NO_SUITABLE_PAGE},
	};

	(void)state;
	next_op(answers, 3);
	assert_int_equal(compact(4, COMPACT_PRIO_SYNC_LIGHT), COMPACT_CONTENDED);
	assert_int_equal(zones_asked(), 3);
	/* Highest zone of the near node first. */
	assert_int_equal(normal->compact_defer_shift, 1);
	assert_int_equal(find_zone(m, 0, ZONE_DMA32)->compact_defer_shift, 0);
	/* It is one call, whatever the number of zones. */
	assert_int_equal(m->env.report.calls[ENV_COMPACT], 1);
}

static void test_success_ends_the_walk(void **state)
{
	const struct answer answers[] = {
		{.call = ENV_COMPACT, .kind = ENV_ZONE, .value = COMPACT_COMPLETE},
		{.call = ENV_COMPACT, .kind = ENV_ZONE, .value = COMPACT_SUCCESS},
	};

	(void)state;
	next_op(answers, 2);
	assert_int_equal(compact(4, COMPACT_PRIO_SYNC_LIGHT), COMPACT_SUCCESS);
	assert_int_equal(zones_asked(), 2);
}

static void test_fatal_signal_ends_the_walk(void **state)
{
	(void)state;
	set_task_flags(m, TASK_FATAL_SIGNAL);
	always(ENV_COMPACT, COMPACT_CONTENDED, 0);
	assert_int_equal(compact(4, COMPACT_PRIO_SYNC_LIGHT), COMPACT_CONTENDED);
	assert_int_equal(zones_asked(), 1);
}

/* Without IO: SKIPPED. Outside the cpuset: not tried, if the flags say so. */
static void test_who_is_not_tried(void **state)
{
	(void)state;
	always(ENV_COMPACT, COMPACT_CONTENDED, 0);
	assert_int_equal(compact_with(GFP_NOIO, 4, 0, COMPACT_PRIO_SYNC_LIGHT), COMPACT_SKIPPED);
	assert_int_equal(zones_asked(), 0);
	set_task_flags(m, TASK_CPUSETS_ENABLED);
	set_mems_allowed(m, BIT(1), BIT(1));
	ac.nodemask = NODEMASK_NULL;
	assert_int_equal(try_to_compact_pages(m, GFP_KERNEL, 4, ALLOC_CPUSET, &ac,
					      COMPACT_PRIO_SYNC_LIGHT, &capc),
			 COMPACT_CONTENDED);
	assert_int_equal(zones_asked(), 1);
}

/* ---- capture ------------------------------------------------------------- */

/*
 * 16 folios are freed in the zone, and merge to the order that is wanted: the page is captured,
 * which is SUCCESS whatever the answer. An older folio of another zone is not this zone's.
 */
static void test_capture(void **state)
{
	u32 start = normal->zone_start_pfn + 4 * BLOCK;

	(void)state;
	put_folio(4 * BLOCK, 0);
	for (u32 i = 0; i < 16; i++)
		put_folio(start + i, 0);
	always(ENV_COMPACT, COMPACT_COMPLETE, 16);
	assert_int_equal(compact(4, COMPACT_PRIO_SYNC_LIGHT), COMPACT_SUCCESS);
	assert_int_equal(capc.pfn, start);
	assert_int_equal(count_events(&rec, EV_ENV_FREED), 16);
	assert_null(m->capture);
	assert_int_equal(normal->compact_order_failed, 5);
	assert_true(page_has(m, 4 * BLOCK, PG_LRU));
}

/* Answered as a whole: folios of any zone are freed, a page of the preferred one is captured. */
static void test_capture_whole(void **state)
{
	u32 start = normal->zone_start_pfn + 4 * BLOCK;

	(void)state;
	m->machine.env.kind[ENV_COMPACT] = ENV_WHOLE;
	put_folio(4 * BLOCK, 0);
	for (u32 i = 0; i < 16; i++)
		put_folio(start + i, 0);
	always(ENV_COMPACT, COMPACT_COMPLETE, 17);
	assert_int_equal(compact(4, COMPACT_PRIO_SYNC_LIGHT), COMPACT_SUCCESS);
	assert_int_equal(capc.pfn, start);
	assert_int_equal(m->global->lru_pages, 0);
	/* Nothing below the call ran. */
	assert_int_equal(normal->compact_order_failed, 0);
	/* Where nothing is freed, this CPU's lists are left alone as well. */
	put_folio(4 * BLOCK + 2, 0);
	reclaim_lru(m, UINT32_MAX, 1);
	always(ENV_COMPACT, COMPACT_COMPLETE, 0);
	assert_int_equal(compact(4, COMPACT_PRIO_SYNC_LIGHT), COMPACT_COMPLETE);
	assert_int_equal(count_events(&rec, EV_MM_PAGE_PCPU_DRAIN), 0);
}

/* Kernel threads do not capture (3.9): what they freed is on the lists. */
static void test_no_capture_by_kthread(void **state)
{
	(void)state;
	for (u32 i = 0; i < 16; i++)
		put_folio(4 * BLOCK + i, 0);
	set_task_flags(m, TASK_KTHREAD);
	always(ENV_COMPACT, COMPACT_COMPLETE, 16);
	assert_int_equal(compact(4, COMPACT_PRIO_SYNC_LIGHT), COMPACT_COMPLETE);
	assert_int_equal(capc.pfn, PFN_NONE);
	assert_int_equal(head_of(m, normal, 4, MIGRATE_MOVABLE), 4 * BLOCK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ZONES(test_deferral),
		ZONES(test_who_defers),
		ZONES(test_who_is_deferred),
		ZONES(test_success_resets),
		ZONES(test_page_is_there),
		ZONES(test_room),
		ZONES(test_fragmentation_index),
		ZONES(test_fragmentation_index_small_order),
		ZONES(test_async_without_cma),
		ZONES_NUMA(test_results_are_combined),
		ZONES_NUMA(test_success_ends_the_walk),
		ZONES_NUMA(test_fatal_signal_ends_the_walk),
		ZONES_NUMA(test_who_is_not_tried),
		ZONES_NUMA(test_capture),
		ZONES_NUMA(test_capture_whole),
		ZONES(test_no_capture_by_kthread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
