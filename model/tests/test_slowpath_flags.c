/* SPDX-License-Identifier: GPL-2.0-only */
/* The alloc flags of the slow path, and what V1 and V2 make of them (spec 1.6 b, c, 6.2). */
#include "model/tests/slow_fixture.h"

static const struct policy v73, v1 = {.v1 = 1}, v2 = {.v2 = 1}, v6 = {.v1 = 1, .v2 = 1};

static void set_policy(const struct policy *policy)
{
	m->machine.policy.v1 = policy->v1;
	m->machine.policy.v2 = policy->v2;
}

/* ---- 1.6: flags ---------------------------------------------------------- */

static void test_slowpath_flags(void **state)
{
	const u32 cpuset = ALLOC_CPUSET, kswapd = ALLOC_KSWAPD, non_block = ALLOC_NON_BLOCK,
		  reserve = ALLOC_MIN_RESERVE;
	const struct {
		u32 gfp, order, task, defrag_mode;
		u32 flags;
	} rows[] = {
		{GFP_KERNEL, 0, 0, 0, cpuset | kswapd},
		{__GFP_DIRECT_RECLAIM, 0, 0, 0, cpuset},
		{GFP_MOVABLE, 0, 0, 0, cpuset | kswapd | ALLOC_CMA},
		{GFP_KERNEL, 0, 0, 1, cpuset | kswapd | ALLOC_NOFRAGMENT},
		{GFP_KERNEL | __GFP_HIGH, 2, 0, 0, cpuset | kswapd | reserve},
		{GFP_NOWAIT, 0, 0, 0, cpuset | kswapd | non_block},
		{GFP_NOWAIT | __GFP_NOMEMALLOC, 0, 0, 0, cpuset | kswapd},
		/* Without the cpuset. */
		{GFP_ATOMIC, 0, 0, 0, kswapd | non_block | reserve},
		{GFP_ATOMIC, 2, 0, 0, kswapd | non_block | reserve | ALLOC_HIGHATOMIC},
		{GFP_ATOMIC | __GFP_NOMEMALLOC, 2, 0, 0, kswapd | reserve},
		/* Real-time tasks, where they may block. */
		{GFP_KERNEL, 0, TASK_RT, 0, cpuset | kswapd | reserve},
		{GFP_KERNEL, 0, TASK_RT | TASK_IN_INTERRUPT, 0, cpuset | kswapd},
		{GFP_KERNEL, 0, TASK_RT | TASK_IN_SOFTIRQ, 0, cpuset | kswapd},
		{GFP_NOWAIT, 0, TASK_RT, 0, cpuset | kswapd | non_block},
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		set_task_flags(m, rows[i].task);
		set_defrag_mode(rows[i].defrag_mode);
		next_op(NULL, 0);
		alloc_pages(m, rows[i].gfp, rows[i].order, 0, NONE);
		assert_int_equal(flags_of_look(1), ALLOC_WMARK_MIN | rows[i].flags);
	}
}

/* Rights to reserves give one more look, with flags that keep little of the old ones. */
static void test_reserve_flags(void **state)
{
	const u32 nothing = UINT32_MAX;
	const struct {
		u32 gfp, task;
		u32 flags; /* of the second look */
	} rows[] = {
		{GFP_KERNEL, 0, nothing},
		{GFP_KERNEL | __GFP_MEMALLOC, 0, ALLOC_NO_WATERMARKS | ALLOC_KSWAPD},
		{GFP_MOVABLE | __GFP_MEMALLOC, 0, ALLOC_NO_WATERMARKS | ALLOC_KSWAPD | ALLOC_CMA},
		{GFP_KERNEL | __GFP_MEMALLOC | __GFP_NOMEMALLOC, 0, nothing},
		{GFP_KERNEL, TASK_PF_MEMALLOC, ALLOC_NO_WATERMARKS | ALLOC_KSWAPD},
		{GFP_KERNEL | __GFP_NOMEMALLOC, TASK_PF_MEMALLOC, nothing},
		{GFP_NOWAIT, TASK_PF_MEMALLOC | TASK_IN_INTERRUPT, nothing},
		{GFP_NOWAIT, TASK_PF_MEMALLOC | TASK_IN_SOFTIRQ,
		 ALLOC_NO_WATERMARKS | ALLOC_KSWAPD},
		{GFP_KERNEL, TASK_OOM_VICTIM, ALLOC_OOM | ALLOC_KSWAPD},
		{GFP_KERNEL, TASK_OOM_VICTIM | TASK_PF_MEMALLOC,
		 ALLOC_NO_WATERMARKS | ALLOC_KSWAPD},
		{GFP_NOWAIT, TASK_OOM_VICTIM | TASK_IN_INTERRUPT, nothing},
		{GFP_NOWAIT, TASK_OOM_VICTIM | TASK_IN_SOFTIRQ, nothing},
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *way;

		set_task_flags(m, rows[i].task);
		next_op(NULL, 0);
		alloc_pages(m, rows[i].gfp, 0, 0, NONE);
		way = trace();
		if (rows[i].flags == nothing) {
			assert_int_not_equal(strncmp(way, "WGWG", 4), 0);
		} else {
			assert_int_equal(strncmp(way, "WGWG", 4), 0);
			assert_int_equal(flags_of_look(2), rows[i].flags);
		}
	}
}

/* Also under defrag_mode: reserve rights lose NOFRAGMENT, CPUSET and the rest (item 16). */
static void test_reserve_flags_lose_nofragment(void **state)
{
	(void)state;
	set_defrag_mode(1);
	set_task_flags(m, TASK_PF_MEMALLOC);
	expect_failure(GFP_KERNEL, 0, "WG WG", SLOW_EXIT_PF_MEMALLOC);
	assert_true(flags_of_look(1) & ALLOC_NOFRAGMENT);
	assert_int_equal(flags_of_look(2), ALLOC_NO_WATERMARKS | ALLOC_KSWAPD);
}

/* The second look of those who have rights, or no cpuset, is not bound by the nodemask. */
static void test_nodemask_is_dropped(void **state)
{
	(void)state;
	next_op(NULL, 0);
	alloc_pages(m, GFP_ATOMIC, 0, 0, BIT(0));
	assert_int_equal(event_at(&rec, EV_GPFF, 0)->c, BIT(0));
	/* The fast path looks twice: it gives up NOFRAGMENT on its way. */
	assert_int_equal(event_at(&rec, EV_GPFF, 2)->c, BIT(0));
	assert_int_equal(event_at(&rec, EV_GPFF, 3)->c, NODEMASK_NULL);
	assert_way("WG WG");
	next_op(NULL, 0);
	alloc_pages(m, GFP_NOWAIT, 0, 0, BIT(0));
	assert_int_equal(event_at(&rec, EV_GPFF, 2)->c, BIT(0));
	assert_way("WG");
}

/* ---- 6.2: V1, V2 --------------------------------------------------------- */

/* V1 makes costly NORETRY requests non-blocking; their event still shows what was asked for. */
static void test_v1(void **state)
{
	const u32 gfp = GFP_KERNEL | __GFP_NORETRY;

	(void)state;
	set_policy(&v1);
	expect_failure(gfp, 4, "WG", SLOW_EXIT_NO_DIRECT_RECLAIM);
	assert_int_equal(flags_of_look(1), ALLOC_CPUSET | ALLOC_KSWAPD | ALLOC_NON_BLOCK);
	assert_int_equal(letter_at('G', 1)->gfp, gfp & ~__GFP_DIRECT_RECLAIM);
	assert_int_equal(letter_at('W', 0)->gfp, gfp & ~__GFP_DIRECT_RECLAIM);
	assert_int_equal(event_at(&rec, EV_MM_PAGE_ALLOC, 0)->gfp, gfp);
	/* With HIGH also the reserve, and not the cpuset. */
	expect_failure(gfp | __GFP_HIGH, 4, "WG WG", SLOW_EXIT_NO_DIRECT_RECLAIM);
	assert_int_equal(flags_of_look(1),
			 ALLOC_KSWAPD | ALLOC_NON_BLOCK | ALLOC_MIN_RESERVE | ALLOC_HIGHATOMIC);
	/* RT loses its boost. */
	set_task_flags(m, TASK_RT);
	expect_failure(gfp, 4, "WG", SLOW_EXIT_NO_DIRECT_RECLAIM);
	assert_false(flags_of_look(1) & ALLOC_MIN_RESERVE);
	set_task_flags(m, 0);
	/* Reserve rights still give their look. */
	expect_failure(gfp | __GFP_MEMALLOC, 4, "WG WG", SLOW_EXIT_NO_DIRECT_RECLAIM);
	/* NOFAIL contradicts itself now. */
	expect_failure(gfp | __GFP_NOFAIL, 4, "WG", SLOW_EXIT_NO_DIRECT_RECLAIM);
	assert_int_equal(event_at(&rec, EV_WARN, 0)->a, WARN_NOFAIL_NO_RECLAIM);
}

/* Nearest neighbours of the class: they block as before. */
static void test_v1_leaves_others_alone(void **state)
{
	(void)state;
	set_policy(&v6);
	expect_failure(GFP_KERNEL, 4, "WGC WGRC", SLOW_EXIT_COSTLY);
	expect_failure(GFP_KERNEL | __GFP_NORETRY, 3, "WGC WGRC", SLOW_EXIT_NORETRY);
	expect_failure(GFP_KERNEL | __GFP_NORETRY | __GFP_THISNODE, 4, "WGC",
		       SLOW_EXIT_NORETRY_THISNODE);
}

/*
 * W14: one unmovable block with an order-5 buddy, defrag_mode. A movable order-4 request could
 * only steal from it.
 *
 *      v6: W, G (NOFRAGMENT), NULL        V1 alone: a third look, which mixes
 */
static void test_v2_prevents_mixing(void **state)
{
	const u32 gfp = GFP_HIGHUSER_MOVABLE | __GFP_NORETRY | __GFP_NOWARN;

	(void)state;
	set_all_marks(0, 0, 0);
	set_defrag_mode(1);
	set_block(m, 1, MIGRATE_UNMOVABLE);
	put_buddy(m, BLOCK, 5);
	set_policy(&v6);
	expect_failure(gfp, 4, "WG", SLOW_EXIT_NO_DIRECT_RECLAIM);
	assert_int_equal(flags_of_look(1), ALLOC_CPUSET | ALLOC_KSWAPD | ALLOC_NON_BLOCK |
						   ALLOC_CMA | ALLOC_NOFRAGMENT);
	/* Neither the old kernel nor V2 alone mixes: both leave at NORETRY. */
	set_policy(&v73);
	expect_failure(gfp, 4, "WGC WGRC", SLOW_EXIT_NORETRY);
	set_policy(&v2);
	expect_failure(gfp, 4, "WGC WGRC", SLOW_EXIT_NORETRY);

	set_policy(&v1);
	next_op(NULL, 0);
	assert_int_equal(alloc_pages(m, gfp, 4, 0, NONE), BLOCK);
	assert_way("WG WG");
	assert_int_equal(slowpath_exit(), SLOW_EXIT_GPFF);
	assert_int_equal(event_at(&rec, EV_MM_PAGE_ALLOC_EXTFRAG, 0)->a, 5);
}

/* V2 concerns NORETRY alone: other non-blocking requests still mix in the end. */
static void test_v2_needs_noretry(void **state)
{
	(void)state;
	set_policy(&v2);
	set_defrag_mode(1);
	expect_failure(GFP_NOWAIT, 0, "WG WG", SLOW_EXIT_NO_DIRECT_RECLAIM);
	assert_true(flags_of_look(1) & ALLOC_NOFRAGMENT);
	assert_false(flags_of_look(2) & ALLOC_NOFRAGMENT);
	/* Without KR there is nothing to wait for. */
	expect_failure(__GFP_NOWARN, 0, "G", SLOW_EXIT_NO_DIRECT_RECLAIM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_slowpath_flags),
		TEST(test_reserve_flags),
		TEST(test_reserve_flags_lose_nofragment),
		TEST(test_nodemask_is_dropped),
		TEST(test_v1),
		TEST(test_v1_leaves_others_alone),
		TEST(test_v2_prevents_mixing),
		TEST(test_v2_needs_noretry),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
