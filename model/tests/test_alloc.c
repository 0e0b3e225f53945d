/* SPDX-License-Identifier: GPL-2.0-only */
/* The request before and after its walk over the zones: spec 1.6 (a), 4.1, 4.16. */
#include "model/tests/node_fixture.h"

/* ---- 1.6 (a): flags of the fast path ------------------------------------- */

static void test_fast_flags(void **state)
{
	const u32 low = ALLOC_WMARK_LOW, frag = ALLOC_NOFRAGMENT, kswapd = ALLOC_KSWAPD;
	const struct {
		u32 gfp, order, flags;
	} rows[] = {
		{GFP_KERNEL, 4, low | kswapd | frag},
		{__GFP_DIRECT_RECLAIM, 4, low | frag},
		{GFP_HIGHUSER_MOVABLE, 4, low | kswapd | frag | ALLOC_CMA},
		{GFP_KERNEL | __GFP_RECLAIMABLE, 4, low | kswapd | frag},
		/* The preferred zone is not Normal. */
		{GFP_KERNEL | __GFP_DMA32, 4, low | kswapd},
		{GFP_ATOMIC, 4, low | kswapd | frag | ALLOC_HIGHATOMIC},
		{GFP_ATOMIC, 0, low | kswapd | frag},
		{GFP_ATOMIC | __GFP_NOMEMALLOC, 4, low | kswapd | frag},
		{GFP_KERNEL | __GFP_HIGH, 4, low | kswapd | frag},
		{GFP_NOWAIT, 4, low | kswapd | frag},
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		next_op(NULL, 0);
		assert_int_not_equal(alloc_pages(m, rows[i].gfp, rows[i].order, 0, NONE), PFN_NONE);
		assert_int_equal(gpff_flags(0), rows[i].flags);
	}
}

/* With several nodes, the DMA32 zone must be on the preferred zone's node. */
static void test_fast_flags_two_nodes(void **state)
{
	(void)state;
	alloc_pages(m, GFP_KERNEL, 4, 0, NONE);
	assert_true(gpff_flags(0) & ALLOC_NOFRAGMENT);
	alloc_pages(m, GFP_KERNEL, 4, 1, NONE);
	assert_false(gpff_flags(1) & ALLOC_NOFRAGMENT);
	/* defrag_mode asks for nothing else. */
	SET(m, m->global->sysctl[SYSCTL_DEFRAG_MODE], 1);
	alloc_pages(m, GFP_KERNEL, 4, 1, NONE);
	assert_true(gpff_flags(2) & ALLOC_NOFRAGMENT);
}

/* On a machine without ZONE_DMA32 NOFRAGMENT does not exist; without CMA no ALLOC_CMA. */
static void test_fast_flags_config(void **state)
{
	(void)state;
	machine_init(&machine);
	machine.config_dma32 = 0;
	machine.config_cma = 0;
	add_zone(&machine, 0, ZONE_NORMAL, 8 * BLOCK);
	m = boot_machine(&machine, &rec, &observer);
	alloc_pages(m, GFP_HIGHUSER_MOVABLE, 4, 0, NONE);
	assert_int_equal(gpff_flags(0), ALLOC_WMARK_LOW | ALLOC_KSWAPD);
	SET(m, m->global->sysctl[SYSCTL_DEFRAG_MODE], 1);
	alloc_pages(m, GFP_HIGHUSER_MOVABLE, 4, 0, NONE);
	assert_int_equal(gpff_flags(1), ALLOC_WMARK_LOW | ALLOC_KSWAPD);
	tear_down(state);

	/* With one node it is enough that DMA32 is configured; it need not exist. */
	machine.config_dma32 = 1;
	m = boot_machine(&machine, &rec, &observer);
	alloc_pages(m, GFP_KERNEL, 4, 0, NONE);
	assert_int_equal(gpff_flags(0), ALLOC_WMARK_LOW | ALLOC_KSWAPD | ALLOC_NOFRAGMENT);
}

/* ---- 4.1: the request ---------------------------------------------------- */

/* Too large an order fails without an event, and warns unless NOWARN. */
static void test_order_too_large(void **state)
{
	(void)state;
	assert_int_equal(alloc_pages(m, GFP_KERNEL, 11, 0, NONE), PFN_NONE);
	assert_int_equal(count_events(&rec, EV_WARN), 1);
	assert_int_equal(event_at(&rec, EV_WARN, 0)->a, WARN_ORDER_TOO_LARGE);
	assert_int_equal(alloc_pages(m, GFP_KERNEL | __GFP_NOWARN, 11, 0, NONE), PFN_NONE);
	assert_int_equal(count_events(&rec, EV_WARN), 1);
	assert_int_equal(count_events(&rec, EV_MM_PAGE_ALLOC), 0);
	assert_int_not_equal(alloc_pages(m, GFP_KERNEL, 10, 0, NONE), PFN_NONE);
}

static void test_bad_alloc_flags(void **state)
{
	(void)state;
	assert_int_equal(__alloc_frozen_pages(m, GFP_KERNEL, 0, 0, NONE, ALLOC_OOM), PFN_NONE);
	assert_int_equal(event_at(&rec, EV_WARN, 0)->a, WARN_BAD_ALLOC_FLAGS);
	assert_int_equal(rec.nr, 1);
}

/* An injected fault ends the request before anything happens. */
static void test_fault(void **state)
{
	const struct answer fault = {.call = ENV_FAULT, .value = 1};

	(void)state;
	next_op(&fault, 1);
	assert_int_equal(alloc_pages(m, GFP_KERNEL, 0, 0, NONE), PFN_NONE);
	assert_int_equal(count_events(&rec, EV_MM_PAGE_ALLOC), 0);
	assert_int_equal(count_events(&rec, EV_GPFF), 0);
	/* nolock is not asked. */
	next_op(&fault, 1);
	assert_int_not_equal(alloc_pages_nolock(m, 0, 0, 0), PFN_NONE);
}

/* One mm_page_alloc a request, for a failure as well. */
static void test_event(void **state)
{
	const struct event *ev;
	u32 pfn = alloc_pages(m, GFP_KERNEL | __GFP_RECLAIMABLE, 4, 0, NONE);

	(void)state;
	ev = event_at(&rec, EV_MM_PAGE_ALLOC, 0);
	assert_int_equal(ev->pfn, pfn);
	assert_int_equal(ev->order, 4);
	assert_int_equal(ev->gfp, GFP_KERNEL | __GFP_RECLAIMABLE);
	assert_int_equal(ev->a, MIGRATE_RECLAIMABLE);

	empty_zone(m, dma32);
	empty_zone(m, normal);
	assert_int_equal(alloc_pages(m, GFP_NOWAIT, 4, 0, NONE), PFN_NONE);
	ev = event_at(&rec, EV_MM_PAGE_ALLOC, 1);
	assert_int_equal(ev->pfn, PFN_NONE);
	assert_int_equal(ev->zone, ZONE_ANY);
	assert_int_equal(ev->gfp, GFP_NOWAIT);
	assert_int_equal(count_events(&rec, EV_MM_PAGE_ALLOC), 2);
}

static void test_refcount(void **state)
{
	u32 pfn = alloc_pages(m, GFP_KERNEL, 0, 0, NONE);
	u32 frozen = alloc_frozen_pages(m, GFP_KERNEL, 0, 0, NONE);

	(void)state;
	assert_int_equal(m->pages[pfn].refcount, 1);
	assert_int_equal(m->pages[frozen].refcount, 0);
}

/* Scopes of the task take bits away; PIN also changes the migratetype. */
static void test_task_context(void **state)
{
	static const struct {
		u32 task, gfp;
	} rows[] = {
		{0, GFP_HIGHUSER_MOVABLE},
		{TASK_NOIO, GFP_HIGHUSER_MOVABLE & ~(__GFP_IO | __GFP_FS)},
		{TASK_NOFS, GFP_HIGHUSER_MOVABLE & ~__GFP_FS},
		{TASK_NOIO | TASK_NOFS, GFP_HIGHUSER_MOVABLE & ~(__GFP_IO | __GFP_FS)},
		{TASK_PIN, GFP_HIGHUSER_MOVABLE & ~__GFP_MOVABLE},
		{TASK_PIN | TASK_NOFS, GFP_HIGHUSER_MOVABLE & ~(__GFP_MOVABLE | __GFP_FS)},
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct event *ev;

		next_op(NULL, 0);
		SET(m, m->global->task.flags, rows[i].task);
		alloc_pages(m, GFP_HIGHUSER_MOVABLE, 4, 0, NONE);
		ev = event_at(&rec, EV_MM_PAGE_ALLOC, 0);
		assert_int_equal(ev->gfp, rows[i].gfp);
		assert_int_equal(ev->a,
				 rows[i].task & TASK_PIN ? MIGRATE_UNMOVABLE : MIGRATE_MOVABLE);
	}
}

/*
 * cpusets: the fast path alone is hardwalled. In task context without a nodemask
 * the task's mask is used, else the CPUSET flag is.
 */
static void test_cpuset(void **state)
{
	u32 pfn;

	(void)state;
	SET(m, m->global->task.flags, TASK_CPUSETS_ENABLED);
	SET(m, m->global->task.mems_allowed, BIT(1));
	pfn = alloc_pages(m, GFP_KERNEL, 4, 0, NONE);
	assert_ptr_equal(page_zone(m, pfn), remote);
	assert_int_equal(event_at(&rec, EV_GPFF, 0)->c, BIT(1));
	assert_int_equal(event_at(&rec, EV_MM_PAGE_ALLOC, 0)->gfp, GFP_KERNEL | __GFP_HARDWALL);
	assert_false(gpff_flags(0) & ALLOC_CPUSET);

	next_op(NULL, 0);
	pfn = alloc_pages(m, GFP_KERNEL, 4, 0, BIT(0) | BIT(1));
	assert_ptr_equal(page_zone(m, pfn), remote);
	assert_int_equal(event_at(&rec, EV_GPFF, 0)->c, BIT(0) | BIT(1));
	assert_true(gpff_flags(0) & ALLOC_CPUSET);

	/* Interrupts have no cpuset of their own. */
	next_op(NULL, 0);
	SET(m, m->global->task.flags, TASK_CPUSETS_ENABLED | TASK_IN_INTERRUPT);
	pfn = alloc_pages(m, GFP_ATOMIC, 4, 0, NONE);
	assert_ptr_equal(page_zone(m, pfn), normal);
	assert_int_equal(event_at(&rec, EV_GPFF, 0)->c, NODEMASK_NULL);
	assert_true(gpff_flags(0) & ALLOC_CPUSET);
}

/*
 * The task's mask ends with the fast path: its node 1 is empty, but its ancestor
 * may use node 0, and the slow path, which is not hardwalled, gets a page there.
 */
static void test_cpuset_slowpath(void **state)
{
	(void)state;
	SET(m, m->global->task.flags, TASK_CPUSETS_ENABLED);
	SET(m, m->global->task.mems_allowed, BIT(1));
	SET(m, m->global->task.mems_hardwall, BIT(0) | BIT(1));
	empty_zone(m, remote);
	assert_ptr_equal(page_zone(m, alloc_pages(m, GFP_NOWAIT, 4, 0, NONE)), normal);
	assert_int_equal(event_at(&rec, EV_GPFF, 0)->c, BIT(1));
	assert_int_equal(event_at(&rec, EV_GPFF, 0)->gfp, GFP_NOWAIT | __GFP_HARDWALL);
	assert_int_equal(event_at(&rec, EV_GPFF, 1)->c, NODEMASK_NULL);
	assert_int_equal(event_at(&rec, EV_GPFF, 1)->gfp, GFP_NOWAIT);
	assert_int_equal(event_at(&rec, EV_MM_PAGE_ALLOC, 0)->gfp, GFP_NOWAIT);
}

/* ---- 4.16: nolock -------------------------------------------------------- */

/* One pass at the MIN mark, without KSWAPD and NOFRAGMENT; gfp is forced, the page counted. */
static void test_nolock(void **state)
{
	const struct event *ev;
	u32 pfn = alloc_pages_nolock(m, __GFP_ACCOUNT, 0, 3);

	(void)state;
	assert_ptr_equal(page_zone(m, pfn), normal);
	assert_int_equal(m->pages[pfn].refcount, 1);
	assert_int_equal(compound_order(m, pfn), 3);
	assert_int_equal(gpff_flags(0), ALLOC_WMARK_MIN | ALLOC_NOLOCK);
	ev = event_at(&rec, EV_MM_PAGE_ALLOC, 0);
	assert_int_equal(ev->pfn, pfn);
	assert_int_equal(ev->gfp, GFP_NOLOCK | __GFP_ACCOUNT);
}

/* Orders that the pcp lists do not hold are refused, silently. */
static void test_nolock_order(void **state)
{
	(void)state;
	assert_int_equal(alloc_pages_nolock(m, 0, 0, 4), PFN_NONE);
	assert_int_equal(alloc_pages_nolock(m, 0, 0, 11), PFN_NONE);
	assert_int_equal(rec.nr, 0);
	assert_int_not_equal(alloc_pages_nolock(m, 0, 0, 9), PFN_NONE);
}

/* A context that cannot take locks at all gets nothing, and nothing is reported. */
static void test_nolock_context(void **state)
{
	const struct answer no = {.call = ENV_NO_TRYLOCK, .value = 1};

	(void)state;
	next_op(&no, 1);
	assert_int_equal(alloc_pages_nolock(m, 0, 0, 0), PFN_NONE);
	assert_int_equal(count_events(&rec, EV_GPFF), 0);
	assert_int_equal(count_events(&rec, EV_MM_PAGE_ALLOC), 0);
}

/*
 * pcp lock free, zone lock busy for both zones: the refill gets nothing, the
 * buddy lists neither. The failure is reported, and there is no slow path.
 */
static void test_nolock_zone_busy(void **state)
{
	const struct answer busy[4] = {
		{.call = ENV_LOCK_ZONE, .value = 1},
		{.call = ENV_LOCK_ZONE, .value = 1},
		{.call = ENV_LOCK_ZONE, .value = 1},
		{.call = ENV_LOCK_ZONE, .value = 1},
	};

	(void)state;
	next_op(busy, 4);
	assert_int_equal(alloc_pages_nolock(m, 0, 0, 0), PFN_NONE);
	assert_int_equal(count_events(&rec, EV_GPFF), 1);
	assert_int_equal(count_events(&rec, EV_SLOWPATH_EXIT), 0);
	assert_int_equal(count_events(&rec, EV_ZONE_LOCK), 0);
	assert_int_equal(event_at(&rec, EV_MM_PAGE_ALLOC, 0)->pfn, PFN_NONE);
	/* Three busy answers: the second zone's buddy lists are free. */
	next_op(busy, 3);
	assert_ptr_equal(page_zone(m, alloc_pages_nolock(m, 0, 0, 0)), dma32);
	/* Everybody else waits for the lock. */
	next_op(busy, 4);
	assert_ptr_equal(page_zone(m, alloc_pages(m, GFP_KERNEL, 4, 0, NONE)), normal);
	assert_ptr_equal(page_zone(m, alloc_pages(m, GFP_KERNEL, 0, 0, NONE)), normal);
	assert_int_equal(count_events(&rec, EV_GPFF), 2);
}

/* 128 free pages lie between MIN 100 and LOW 200: enough for nolock only. */
static void test_nolock_mark(void **state)
{
	(void)state;
	draw(normal, MIGRATE_UNMOVABLE, 8);
	assert_ptr_equal(page_zone(m, alloc_pages(m, GFP_NOWAIT, 0, 0, NONE)), dma32);
	assert_ptr_equal(page_zone(m, alloc_pages_nolock(m, 0, 0, 0)), normal);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_fast_flags),
		TEST_NUMA(test_fast_flags_two_nodes),
		cmocka_unit_test_teardown(test_fast_flags_config, tear_down),
		TEST(test_order_too_large),
		TEST(test_bad_alloc_flags),
		TEST(test_fault),
		TEST(test_event),
		TEST(test_refcount),
		TEST(test_task_context),
		TEST_NUMA(test_cpuset),
		TEST_NUMA(test_cpuset_slowpath),
		TEST(test_nolock),
		TEST(test_nolock_order),
		TEST(test_nolock_context),
		TEST(test_nolock_zone_busy),
		TEST(test_nolock_mark),
	};

	return cmocka_run_group_tests_name("alloc", tests, NULL, NULL);
}
