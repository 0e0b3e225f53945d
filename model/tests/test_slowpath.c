/* SPDX-License-Identifier: GPL-2.0-only */
/* The slow path as a whole: which way a request goes, and where it ends (spec 6.1, 6.3). */
#include "model/tests/slow_fixture.h"

#define LOCAL_THP (GFP_TRANSHUGE | __GFP_NORETRY | __GFP_THISNODE)

static const struct policy v73, v6 = {.v1 = 1, .v2 = 1};

static void set_policy(const struct policy *policy)
{
	m->machine.policy.v1 = policy->v1;
	m->machine.policy.v2 = policy->v2;
}

/* ---- 6.3: the ways that requests go where everything fails --------------- */

static void test_pass_counts(void **state)
{
	const struct {
		u32 gfp;
		u8 order, defrag_mode, progress, result;
		const struct policy *policy;
		const char *way;
		u32 exit;
	} rows[] = {
		/* Costly NORETRY: one round of reclaim, however the first compaction went. */
		{GFP_MOVABLE | __GFP_NORETRY, 4, 0, 0, COMPACT_SKIPPED, &v73, "WGC WGRC",
		 SLOW_EXIT_NORETRY},
		{GFP_MOVABLE | __GFP_NORETRY, 4, 0, 1, COMPACT_COMPLETE, &v73, "WGCG WGRGDGCG",
		 SLOW_EXIT_NORETRY},
		{GFP_MOVABLE | __GFP_NORETRY, 4, 0, 1, COMPACT_COMPLETE, &v6, "WG",
		 SLOW_EXIT_NO_DIRECT_RECLAIM},
		/* The local attempt of a huge page: no reclaim, and nobody is woken. */
		{LOCAL_THP, 9, 0, 1, COMPACT_SKIPPED, &v73, "GC", SLOW_EXIT_NORETRY_THISNODE},
		{LOCAL_THP, 9, 0, 1, COMPACT_DEFERRED, &v73, "GC", SLOW_EXIT_NORETRY_THISNODE},
		{LOCAL_THP, 9, 0, 1, COMPACT_COMPLETE, &v73, "GCG", SLOW_EXIT_NORETRY_THISNODE},
		{LOCAL_THP, 9, 0, 1, COMPACT_SKIPPED, &v6, "GC", SLOW_EXIT_NORETRY_THISNODE},
		{LOCAL_THP, 9, 0, 1, COMPACT_COMPLETE, &v6, "GCG", SLOW_EXIT_NORETRY_THISNODE},
		/* Who may not block. */
		{GFP_ATOMIC, 0, 0, 1, COMPACT_SKIPPED, &v73, "WG WG", SLOW_EXIT_NO_DIRECT_RECLAIM},
		{GFP_ATOMIC, 0, 1, 1, COMPACT_SKIPPED, &v73, "WG WG WG",
		 SLOW_EXIT_NO_DIRECT_RECLAIM},
		{GFP_NOWAIT, 0, 0, 1, COMPACT_SKIPPED, &v73, "WG", SLOW_EXIT_NO_DIRECT_RECLAIM},
		{GFP_NOWAIT | __GFP_NORETRY, 0, 1, 1, COMPACT_SKIPPED, &v73, "WG WG",
		 SLOW_EXIT_NO_DIRECT_RECLAIM},
		{GFP_NOWAIT | __GFP_NORETRY, 0, 1, 1, COMPACT_SKIPPED, &v6, "WG",
		 SLOW_EXIT_NO_DIRECT_RECLAIM},
		/* Small and not movable: compaction first; the OOM killer in the end. */
		{GFP_KERNEL, 1, 0, 0, COMPACT_SKIPPED, &v73, "WGC WGRC GO",
		 SLOW_EXIT_NO_OOM_PROGRESS},
		{GFP_KERNEL, 1, 0, 1, COMPACT_COMPLETE, &v73, "WGCG WGRGDGCG WGRGDGCG GO",
		 SLOW_EXIT_NO_OOM_PROGRESS},
		/* Compaction is tried again only after progress (step 22). */
		{GFP_KERNEL, 1, 0, 0, COMPACT_COMPLETE, &v73, "WGCG WGRCG GO",
		 SLOW_EXIT_NO_OOM_PROGRESS},
		/* Costly. */
		{GFP_KERNEL, 4, 0, 0, COMPACT_SKIPPED, &v73, "WGC WGRC", SLOW_EXIT_COSTLY},
		{GFP_KERNEL | __GFP_RETRY_MAYFAIL, 4, 0, 0, COMPACT_SKIPPED, &v73, "WGC WGRC G",
		 SLOW_EXIT_NO_OOM_PROGRESS},
		/* SUCCESS that others took is retried four times (6.7). */
		{GFP_KERNEL | __GFP_RETRY_MAYFAIL, 4, 0, 1, COMPACT_SUCCESS, &v73,
		 "WGCG WGRGDGCG WGRGDGCG WGRGDGCG WGRGDGCG WGRGDGCG G", SLOW_EXIT_NO_OOM_PROGRESS},
		/* Movable and small: reclaim first; without IO, compaction never. */
		{GFP_MOVABLE, 1, 0, 0, COMPACT_SKIPPED, &v73, "WGRC GO", SLOW_EXIT_NO_OOM_PROGRESS},
		{GFP_KERNEL, 0, 0, 0, COMPACT_SKIPPED, &v73, "WGR GO", SLOW_EXIT_NO_OOM_PROGRESS},
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		set_policy(rows[i].policy);
		set_defrag_mode(rows[i].defrag_mode);
		always(ENV_RECLAIM, rows[i].progress, 0);
		always(ENV_COMPACT, rows[i].result, 0);
		expect_failure(rows[i].gfp, rows[i].order, rows[i].way, rows[i].exit);
	}
}

/* Compaction begins ASYNC, goes on SYNC_LIGHT; NORETRY stays where it began (rule 68). */
static void test_compact_priorities(void **state)
{
	(void)state;
	always(ENV_RECLAIM, 1, 0);
	always(ENV_COMPACT, COMPACT_COMPLETE, 0);
	expect_failure(GFP_KERNEL, 4, "WGCG WGRGDGCG", SLOW_EXIT_COSTLY);
	assert_int_equal(letter_at('C', 0)->b, COMPACT_PRIO_ASYNC);
	assert_int_equal(letter_at('C', 1)->b, COMPACT_PRIO_SYNC_LIGHT);

	expect_failure(GFP_KERNEL | __GFP_NORETRY, 4, "WGCG WGRGDGCG", SLOW_EXIT_NORETRY);
	assert_int_equal(letter_at('C', 0)->b, COMPACT_PRIO_ASYNC);
	assert_int_equal(letter_at('C', 1)->b, COMPACT_PRIO_ASYNC);

	/* Not costly: up to SYNC_FULL. */
	expect_failure(GFP_KERNEL, 1, "WGCG WGRGDGCG WGRGDGCG GO", SLOW_EXIT_NO_OOM_PROGRESS);
	assert_int_equal(letter_at('C', 0)->b, COMPACT_PRIO_ASYNC);
	assert_int_equal(letter_at('C', 1)->b, COMPACT_PRIO_SYNC_LIGHT);
	assert_int_equal(letter_at('C', 2)->b, COMPACT_PRIO_SYNC_FULL);
}

/* COMPACTSTALL counts compactions that ran, and is FAIL + SUCCESS; reclaim counts its stalls. */
static void test_counters(void **state)
{
	(void)state;
	always(ENV_RECLAIM, 1, 0);
	expect_failure(GFP_MOVABLE | __GFP_NORETRY, 4, "WGC WGRGDGC", SLOW_EXIT_NORETRY);
	assert_int_equal(vm_event(COMPACTSTALL), 0);
	always(ENV_COMPACT, COMPACT_COMPLETE, 0);
	expect_failure(GFP_MOVABLE | __GFP_NORETRY, 4, "WGCG WGRGDGCG", SLOW_EXIT_NORETRY);
	assert_int_equal(vm_event(COMPACTSTALL), 2);
	assert_int_equal(vm_event(COMPACTFAIL), 2);
	assert_int_equal(vm_event(COMPACTSUCCESS), 0);
	/* By the zone that the gfp selects: one reclaim in each of the two requests. */
	assert_int_equal(vm_event(ALLOCSTALL + ZONE_MOVABLE), 2);
	assert_int_equal(vm_event(ALLOCSTALL + ZONE_NORMAL), 0);
}

/* Without CONFIG_COMPACTION, or where IO is not allowed, there is no compaction first. */
static void test_cannot_compact(void **state)
{
	(void)state;
	always(ENV_RECLAIM, 1, 0);
	always(ENV_COMPACT, COMPACT_COMPLETE, 0);
	/* Step 16 does not look at can_compact; the answer is the whole call's. */
	expect_failure(GFP_NOIO, 4, "WGRGDGCG", SLOW_EXIT_COSTLY);
	/* Neither RETRY_MAYFAIL (step 19) nor a low order (step 22) asks it for another round. */
	expect_failure(GFP_NOIO | __GFP_RETRY_MAYFAIL, 4, "WGRGDGCG", SLOW_EXIT_COSTLY);
	expect_failure(GFP_NOIO, 1, "WGRGDGCG GO", SLOW_EXIT_NO_OOM_PROGRESS);
	m->machine.config_compaction = 0;
	expect_failure(GFP_KERNEL, 4, "WGRGDG", SLOW_EXIT_COSTLY);
}

/* ---- 6.1: one vector for each exit --------------------------------------- */

/* Step 5: node 1 has nothing that a DMA32 request may use. */
static void test_exit_no_zone(void **state)
{
	(void)state;
	next_op(NULL, 0);
	assert_int_equal(alloc_pages(m, GFP_KERNEL | __GFP_DMA32, 0, 0, BIT(1)), PFN_NONE);
	assert_way("");
	assert_int_equal(slowpath_exit(), SLOW_EXIT_NO_ZONE);
}

/* Step 6: the cpuset has only node 1, and hard walls. */
static void test_exit_cpuset_insane(void **state)
{
	(void)state;
	set_task_flags(m, TASK_CPUSETS_INSANE);
	set_mems_allowed(m, BIT(1), BIT(1));
	expect_failure(GFP_USER | __GFP_DMA32, 0, "", SLOW_EXIT_CPUSET_INSANE);
	/* Without hard walls, or with a zone that is allowed, the request goes on. */
	expect_failure(GFP_KERNEL | __GFP_DMA32, 0, "WGRG", SLOW_EXIT_NO_OOM_PROGRESS);
	expect_failure(GFP_USER, 0, "WGRGO", SLOW_EXIT_NO_OOM_PROGRESS);
}

/* Step 8: 150 free pages are below LOW and above MIN. */
static void test_exit_gpff(void **state)
{
	(void)state;
	for (u32 i = 0; i < 150; i++)
		put_buddy(m, 2 * i, 0);
	next_op(NULL, 0);
	assert_int_not_equal(alloc_pages(m, GFP_KERNEL, 0, 0, NONE), PFN_NONE);
	assert_way("WG");
	assert_int_equal(slowpath_exit(), SLOW_EXIT_GPFF);
}

/* Step 12. */
static void test_exit_pf_memalloc(void **state)
{
	(void)state;
	set_task_flags(m, TASK_PF_MEMALLOC);
	expect_failure(GFP_KERNEL, 0, "WG WG", SLOW_EXIT_PF_MEMALLOC);
	/* No rights, but no reclaim either. */
	expect_failure(GFP_KERNEL | __GFP_NOMEMALLOC, 0, "WG", SLOW_EXIT_PF_MEMALLOC);
}

/* Step 15: the page that reclaim frees waits on a pcp list until the drain. */
static void test_exit_reclaim(void **state)
{
	const struct answer answer = {.call = ENV_RECLAIM, .value = 1, .extra = 1};

	(void)state;
	set_all_marks(0, 0, 0);
	put_folio(4 * BLOCK, 0);
	put_folio(4 * BLOCK + 2, 0);
	next_op(&answer, 1);
	assert_int_equal(alloc_pages(m, GFP_KERNEL, 0, 0, NONE), 4 * BLOCK);
	assert_way("WGRGDG");
	assert_int_equal(slowpath_exit(), SLOW_EXIT_RECLAIM);
	assert_int_equal(event_at(&rec, EV_ENV_FREED, 0)->pfn, 4 * BLOCK);
	assert_int_equal(count_events(&rec, EV_ENV_FREED), 1);
}

/*
 * Step 16: what compaction frees merges to the request's order and is captured; no list is
 * looked at, and PGALLOC does not count the page.
 *
 *      16 folios [2048, 2064), freed and drained -> order 4
 */
static void test_exit_compact(void **state)
{
	const struct answer answer = {.call = ENV_COMPACT, .value = COMPACT_COMPLETE, .extra = 16};
	u64 pgalloc = vm_event(PGALLOC + ZONE_NORMAL);

	(void)state;
	for (u32 i = 0; i < 16; i++)
		put_folio(4 * BLOCK + i, 0);
	SET(m, normal->compact_considered, 2);
	SET(m, normal->compact_defer_shift, 3);
	SET(m, normal->compact_blockskip_flush, 1);
	next_op(&answer, 1);
	assert_int_equal(alloc_pages(m, GFP_MOVABLE | __GFP_COMP, 4, 0, NONE), 4 * BLOCK);
	assert_way("WGC");
	assert_int_equal(slowpath_exit(), SLOW_EXIT_COMPACT);
	assert_int_equal(event_at(&rec, EV_CAPTURE, 0)->pfn, 4 * BLOCK);
	assert_int_equal(compound_order(m, 4 * BLOCK), 4);
	assert_int_equal(vm_event(COMPACTSTALL), 1);
	assert_int_equal(vm_event(COMPACTSUCCESS), 1);
	assert_int_equal(vm_event(PGALLOC + ZONE_NORMAL), pgalloc);
	/* The zone is not deferred any more, and below order 5 never was. */
	assert_int_equal(normal->compact_considered, 0);
	assert_int_equal(normal->compact_defer_shift, 0);
	assert_int_equal(normal->compact_order_failed, 5);
	assert_int_equal(normal->compact_blockskip_flush, 0);
}

/*
 * Step 16 without capture: a movable page does not go to an unmovable request (3.9), the look at
 * the lists finds it. The watermark counts, unlike for a captured page.
 */
static void test_exit_compact_by_list(void **state)
{
	const struct answer answer = {.call = ENV_COMPACT, .value = COMPACT_COMPLETE, .extra = 16};

	(void)state;
	set_all_marks(0, 0, 0);
	for (u32 i = 0; i < 16; i++)
		put_folio(4 * BLOCK + i, 0);
	next_op(&answer, 1);
	assert_int_equal(alloc_pages(m, GFP_KERNEL, 4, 0, NONE), 4 * BLOCK);
	assert_way("WGCG");
	assert_int_equal(slowpath_exit(), SLOW_EXIT_COMPACT);
	assert_int_equal(count_events(&rec, EV_CAPTURE), 0);
	assert_int_equal(vm_event(COMPACTSUCCESS), 1);
}

/* Step 25: NOFAIL may take what the victim freed at once, without any watermark. */
static void test_exit_oom_page(void **state)
{
	const struct answer kill = {.call = ENV_OOM, .value = 1, .extra = 1};

	(void)state;
	put_folio(4 * BLOCK, 0);
	next_op(&kill, 1);
	assert_int_equal(alloc_pages(m, GFP_MOVABLE | __GFP_NOFAIL, 0, 0, NONE), 4 * BLOCK);
	assert_way("WGR GOG");
	assert_int_equal(slowpath_exit(), SLOW_EXIT_OOM_PAGE);
	assert_true(page_has(m, 4 * BLOCK, PG_PFMEMALLOC));
	assert_int_equal(flags_of_look(3), ALLOC_NO_WATERMARKS | ALLOC_CPUSET);
}

/* Step 26: killed for its own request, a task looks with ALLOC_OOM, then gives up. */
static void test_exit_oom_victim(void **state)
{
	const struct answer victim = {.call = ENV_OOM, .value = 1, .extra = BIT(31)};

	(void)state;
	next_op(&victim, 1);
	assert_int_equal(alloc_pages(m, GFP_KERNEL, 0, 0, NONE), PFN_NONE);
	assert_way("WGRGO WG WGRGO");
	assert_int_equal(slowpath_exit(), SLOW_EXIT_OOM_VICTIM);
	assert_true(task_is(m, TASK_OOM_VICTIM));
	assert_int_equal(flags_of_look(4), ALLOC_OOM | ALLOC_KSWAPD);

	/* Without rights to reserves, at once. */
	set_task_flags(m, 0);
	next_op(&victim, 1);
	assert_int_equal(alloc_pages(m, GFP_KERNEL | __GFP_NOMEMALLOC, 0, 0, NONE), PFN_NONE);
	assert_way("WGRGO");
	assert_int_equal(slowpath_exit(), SLOW_EXIT_OOM_VICTIM);
}

/*
 * Step 29: 96 free pages in buddies of order 5, order 4 wanted, MIN 100:
 * 96 - 15 = 81 is below 100 and above 100 - 50.
 */
static void test_exit_nofail_page(void **state)
{
	(void)state;
	for (u32 i = 0; i < 3; i++)
		put_buddy(m, 64 * i, 5);
	next_op(NULL, 0);
	assert_int_not_equal(alloc_pages(m, GFP_KERNEL | __GFP_NOFAIL, 4, 0, NONE), PFN_NONE);
	assert_way("WGC WGRC G");
	assert_int_equal(slowpath_exit(), SLOW_EXIT_NOFAIL_PAGE);
	assert_int_equal(flags_of_look(3), ALLOC_MIN_RESERVE | ALLOC_CPUSET);
}

/* Step 29 without a page: once more without the cpuset, then all over again; never NULL. */
static void test_exit_fuel(void **state)
{
	struct op_report report;

	(void)state;
	m->machine.fuel = 3;
	next_op(NULL, 0);
	assert_int_equal(alloc_pages(m, GFP_KERNEL | __GFP_NOFAIL, 4, 0, NONE), PFN_NONE);
	assert_way("WGC WGRCGG WGRCGG");
	assert_int_equal(slowpath_exit(), SLOW_EXIT_FUEL);
	assert_int_equal(flags_of_look(3), ALLOC_MIN_RESERVE | ALLOC_CPUSET);
	assert_int_equal(flags_of_look(4), ALLOC_MIN_RESERVE);
	memory_end_op(m, &report);
	assert_true(report.out_of_fuel);
	assert_int_equal(report.calls[ENV_COMPACT], 3);
	assert_int_equal(report.calls[ENV_RECLAIM], 2);
	assert_int_equal(report.kswapd_wakes, 3);

	/* Fuel belongs to an op: the next one has it again. */
	next_op(NULL, 0);
	expect_failure(GFP_NOWAIT, 0, "WG", SLOW_EXIT_NO_DIRECT_RECLAIM);
}

/* Steps 20, 24, 28: a change restarts the request, with compaction first again. */
static void test_restart(void **state)
{
	const struct answer cpuset = {.call = ENV_CPUSET_COOKIE, .value = 1};
	const struct answer zonelist[] = {
		{.call = ENV_ZONELIST_COOKIE, .value = 0},
		{.call = ENV_ZONELIST_COOKIE, .value = 0},
		{.call = ENV_ZONELIST_COOKIE, .value = 1},
	};

	(void)state;
	next_op(&cpuset, 1);
	alloc_pages(m, GFP_KERNEL, 0, 0, NONE);
	assert_way("WGR WGRGO");
	next_op(&zonelist[1], 2);
	alloc_pages(m, GFP_KERNEL, 0, 0, NONE);
	assert_way("WGR WGRGO");
	next_op(zonelist, 3);
	alloc_pages(m, GFP_KERNEL, 0, 0, NONE);
	assert_way("WGRGO WGRGO");
	next_op(&cpuset, 1);
	alloc_pages(m, GFP_KERNEL, 1, 0, NONE);
	assert_way("WGC WGRC WGC WGRCGO");
	/* But the extra look of step 10 comes once in a call. */
	next_op(&cpuset, 1);
	alloc_pages(m, GFP_ATOMIC, 0, 0, NONE);
	assert_way("WG WG WG");
}

/* A cpuset that never stops changing burns fuel even where no zone is looked at. */
static void test_restart_is_bounded(void **state)
{
	(void)state;
	always(ENV_CPUSET_COOKIE, 1, 0);
	next_op(NULL, 0);
	assert_int_equal(alloc_pages(m, GFP_KERNEL | __GFP_DMA32, 0, 0, BIT(1)), PFN_NONE);
	assert_int_equal(slowpath_exit(), SLOW_EXIT_FUEL);
}

/* ---- step 1: contradictory requests -------------------------------------- */

static void test_nofail_warnings(void **state)
{
	(void)state;
	expect_failure(GFP_NOWAIT | __GFP_NOFAIL, 0, "WG", SLOW_EXIT_NO_DIRECT_RECLAIM);
	assert_int_equal(event_at(&rec, EV_WARN, 0)->a, WARN_NOFAIL_NO_RECLAIM);
	set_task_flags(m, TASK_PF_MEMALLOC);
	next_op(NULL, 0);
	alloc_pages(m, GFP_KERNEL | __GFP_NOFAIL, 0, 0, NONE);
	assert_int_equal(event_at(&rec, EV_WARN, 0)->a, WARN_NOFAIL_PF_MEMALLOC);
	assert_int_equal(slowpath_exit(), SLOW_EXIT_FUEL);
}

/* ---- wake_all_kswapds ---------------------------------------------------- */

/* One wake for each run of zones of a node; zones without pages are passed over. */
static void test_wakes(void **state)
{
	(void)state;
	expect_failure(GFP_NOWAIT, 0, "WG", SLOW_EXIT_NO_DIRECT_RECLAIM);
	assert_int_equal(count_events(&rec, EV_WAKEUP_KSWAPD), 2);
	assert_int_equal(letter_at('W', 0)->zone, normal->index);
	assert_int_equal(letter_at('W', 0)->b, 0);
	assert_int_equal(letter_at('W', 1)->b, 1);
	assert_int_equal(letter_at('W', 0)->a, ZONE_NORMAL);
	assert_int_equal(m->env.report.kswapd_wakes, 2);

	SET(m, normal->managed_pages, 0);
	expect_failure(GFP_NOWAIT, 0, "WG", SLOW_EXIT_NO_DIRECT_RECLAIM);
	assert_int_equal(letter_at('W', 0)->zone, find_zone(m, 0, ZONE_DMA32)->index);
	assert_int_equal(letter_at('W', 1)->b, 1);

	/* Within the nodemask only. */
	next_op(NULL, 0);
	alloc_pages(m, GFP_NOWAIT, 0, 0, BIT(1));
	assert_int_equal(count_events(&rec, EV_WAKEUP_KSWAPD), 1);
	assert_int_equal(letter_at('W', 0)->b, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_pass_counts),
		TEST(test_compact_priorities),
		TEST(test_counters),
		TEST(test_cannot_compact),
		TEST_NUMA(test_exit_no_zone),
		TEST_NUMA(test_exit_cpuset_insane),
		TEST(test_exit_gpff),
		TEST(test_exit_pf_memalloc),
		TEST(test_exit_reclaim),
		TEST(test_exit_compact),
		TEST(test_exit_compact_by_list),
		TEST(test_exit_oom_page),
		TEST(test_exit_oom_victim),
		TEST(test_exit_nofail_page),
		TEST(test_exit_fuel),
		TEST(test_restart),
		TEST_NUMA(test_restart_is_bounded),
		TEST(test_nofail_warnings),
		TEST_NUMA(test_wakes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
