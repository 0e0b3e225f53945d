/* SPDX-License-Identifier: GPL-2.0-only */
/* alloc_pages_bulk(): spec 4.15. */
#include "model/tests/node_fixture.h"

#define NR 8U
#define TAKEN 77U /* a page that a slot holds already; never looked at */

static u32 pfns[NR];

static int set_up(void **state)
{
	for (u32 i = 0; i < NR; i++)
		pfns[i] = PFN_NONE;
	return two_nodes(state);
}

/* Leave @z with @nr pages in an unmovable block, in single buddies. */
static void leave_pages(struct zone *z, u32 nr)
{
	empty_zone(m, z);
	set_block(m, z->zone_start_pfn / BLOCK, MIGRATE_UNMOVABLE);
	for (u32 i = 0; i < nr; i++)
		put_buddy(m, z->zone_start_pfn + 2 * i, 0);
}

static u32 bulk(u32 gfp)
{
	return alloc_pages_bulk(m, gfp, 0, NONE, NR, pfns);
}

/* All from the pcp list of the preferred zone: no GPFF, no event, counted once. */
static void test_all_at_once(void **state)
{
	u64 pgalloc = m->global->vm_event[PGALLOC + ZONE_NORMAL];

	(void)state;
	assert_int_equal(bulk(GFP_KERNEL), NR);
	for (u32 i = 0; i < NR; i++) {
		assert_ptr_equal(page_zone(m, pfns[i]), normal);
		assert_int_equal(m->pages[pfns[i]].refcount, 1);
		for (u32 j = 0; j < i; j++)
			assert_int_not_equal(pfns[i], pfns[j]);
	}
	assert_int_equal(m->global->vm_event[PGALLOC + ZONE_NORMAL] - pgalloc, NR);
	assert_int_equal(normal->vm_stat[NUMA_HIT], NR);
	assert_int_equal(normal->vm_stat[NUMA_LOCAL], NR);
	assert_int_equal(count_events(&rec, EV_GPFF), 0);
	assert_int_equal(count_events(&rec, EV_MM_PAGE_ALLOC), 0);
}

/* Slots that hold a page keep it, at the front, in the middle and at the end. */
static void test_filled_slots(void **state)
{
	u64 pgalloc = m->global->vm_event[PGALLOC + ZONE_NORMAL];

	(void)state;
	pfns[0] = pfns[3] = pfns[7] = TAKEN;
	assert_int_equal(bulk(GFP_KERNEL), NR);
	for (u32 i = 0; i < NR; i++)
		assert_true((pfns[i] == TAKEN) == (i == 0 || i == 3 || i == 7));
	assert_int_equal(normal->vm_stat[NUMA_HIT], 5);
	assert_int_equal(m->global->vm_event[PGALLOC + ZONE_NORMAL] - pgalloc, 5);
}

static void test_nothing_to_do(void **state)
{
	(void)state;
	assert_int_equal(alloc_pages_bulk(m, GFP_KERNEL, 0, NONE, 0, pfns), 0);
	for (u32 i = 0; i < NR; i++)
		pfns[i] = TAKEN;
	assert_int_equal(bulk(GFP_KERNEL), NR);
	assert_int_equal(rec.nr, 0);
}

/* After these calls slot 0 has a page of the normal path, and the rest is empty. */
static void assert_single(u32 gfp, const struct zone *z)
{
	assert_int_equal(bulk(gfp), 1);
	assert_ptr_equal(page_zone(m, pfns[0]), z);
	assert_int_equal(m->pages[pfns[0]].refcount, 1);
	for (u32 i = 1; i < NR; i++)
		assert_int_equal(pfns[i], PFN_NONE);
	assert_int_equal(count_events(&rec, EV_MM_PAGE_ALLOC), 1);
}

static void test_accounted_is_single(void **state)
{
	(void)state;
	assert_single(GFP_KERNEL | __GFP_ACCOUNT, normal);
}

/*
 * "One page" counts from the first empty slot, so a filled slot behind it does
 * not make it one.
 */
static void test_one_page_is_single(void **state)
{
	(void)state;
	for (u32 i = 0; i < NR - 1; i++)
		pfns[i] = TAKEN;
	assert_int_equal(bulk(GFP_KERNEL), NR);
	assert_int_not_equal(pfns[NR - 1], PFN_NONE);
	assert_int_equal(count_events(&rec, EV_MM_PAGE_ALLOC), 1);

	pfns[NR - 2] = PFN_NONE;
	assert_int_equal(bulk(GFP_KERNEL), NR);
	assert_int_equal(count_events(&rec, EV_MM_PAGE_ALLOC), 1);
}

static void test_busy_pcp_is_single(void **state)
{
	const struct answer busy = {.call = ENV_LOCK_PCP, .value = 1};

	(void)state;
	memory_begin_op(m, &busy, 1);
	assert_single(GFP_KERNEL, normal);
}

/* LOW 200 + 8 wanted: 209 free pages are enough, 208 are not, and DMA32 serves all. */
static void test_mark_counts_the_batch(void **state)
{
	(void)state;
	leave_pages(normal, 209);
	assert_int_equal(bulk(GFP_KERNEL), NR);
	assert_ptr_equal(page_zone(m, pfns[0]), normal);
	for (u32 i = 0; i < NR; i++)
		pfns[i] = PFN_NONE;
	drain_all_pages(m, NULL);
	leave_pages(normal, 208);
	assert_int_equal(bulk(GFP_KERNEL), NR);
	assert_ptr_equal(page_zone(m, pfns[0]), dma32);
}

/* BELOW_HIGH and an awake kswapd are not looked at, and BELOW_HIGH is not set. */
static void test_no_gpff_rules(void **state)
{
	(void)state;
	leave_pages(normal, 250);
	SET(m, m->nodes[0].kswapd_awake, 1);
	assert_int_equal(bulk(GFP_KERNEL | __GFP_WRITE), NR);
	assert_ptr_equal(page_zone(m, pfns[0]), normal);
	assert_false(normal->flags & ZONE_BELOW_HIGH);
}

/* Node 1 has enough, but bulk does not leave the node: one page by the normal path. */
static void test_stays_on_node(void **state)
{
	(void)state;
	empty_zone(m, normal);
	empty_zone(m, dma32);
	assert_single(GFP_KERNEL, remote);
}

/* No zone at all: the normal path fails, too, and fills nothing. */
static void test_no_zone(void **state)
{
	(void)state;
	assert_int_equal(alloc_pages_bulk(m, GFP_NOWAIT, 0, BIT(5), NR, pfns), 0);
	assert_int_equal(pfns[0], PFN_NONE);
	assert_int_equal(event_at(&rec, EV_MM_PAGE_ALLOC, 0)->pfn, PFN_NONE);
}

/*
 * lowmem_reserve is the one for the preferred zone, Normal, although the request
 * may use Movable, for which nothing would be left.
 */
static void test_lowmem_reserve_of_preferred(void **state)
{
	(void)state;
	SET(m, normal->lowmem_reserve[ZONE_MOVABLE], 1U << 20);
	assert_int_equal(bulk(GFP_HIGHUSER_MOVABLE), NR);
	assert_ptr_equal(page_zone(m, pfns[0]), normal);
}

/* No NOFRAGMENT, even with defrag_mode: the batch is stolen from a foreign block. */
static void test_bulk_mixes(void **state)
{
	(void)state;
	SET(m, m->global->sysctl[SYSCTL_DEFRAG_MODE], 1);
	leave_pages(normal, 250);
	assert_int_equal(bulk(GFP_HIGHUSER_MOVABLE), NR);
	assert_ptr_equal(page_zone(m, pfns[0]), normal);
	assert_true(count_events(&rec, EV_MM_PAGE_ALLOC_EXTFRAG) >= NR);
	assert_int_equal(get_pfnblock_migratetype(m, pfns[0]), MIGRATE_UNMOVABLE);
}

/* cpusets: a zone that is not allowed is passed over before its node is compared. */
static void test_bulk_cpuset(void **state)
{
	(void)state;
	SET(m, m->global->task.flags, TASK_CPUSETS_ENABLED);
	SET(m, m->global->task.mems_allowed, BIT(1));
	/* With a nodemask the preferred zone is node 0's, so node 1 is another node. */
	assert_int_equal(alloc_pages_bulk(m, GFP_KERNEL, 0, BIT(0) | BIT(1), NR, pfns), 1);
	assert_ptr_equal(page_zone(m, pfns[0]), remote);
	/* Without one, the task's mask makes node 1 preferred. */
	assert_int_equal(alloc_pages_bulk(m, GFP_KERNEL, 0, NONE, NR - 1, pfns + 1), NR - 1);
	assert_ptr_equal(page_zone(m, pfns[NR - 1]), remote);
}

static void test_bulk_fault(void **state)
{
	const struct answer fault = {.call = ENV_FAULT, .value = 1};

	(void)state;
	memory_begin_op(m, &fault, 1);
	pfns[0] = TAKEN;
	assert_int_equal(bulk(GFP_KERNEL), 1);
	assert_int_equal(pfns[1], PFN_NONE);
	assert_int_equal(count_events(&rec, EV_MM_PAGE_ALLOC), 0);
}

/* The pcp's free_count, which a normal request halves, is left alone. */
static void test_free_count(void **state)
{
	struct per_cpu_pages *pcp = this_pcp(m, normal);

	(void)state;
	SET(m, pcp->free_count, 8);
	bulk(GFP_KERNEL);
	assert_int_equal(pcp->free_count, 8);
	alloc_pages(m, GFP_KERNEL, 0, 0, NONE);
	assert_int_equal(pcp->free_count, 4);
}

#define BULK_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		BULK_TEST(test_all_at_once),
		BULK_TEST(test_filled_slots),
		BULK_TEST(test_nothing_to_do),
		BULK_TEST(test_accounted_is_single),
		BULK_TEST(test_one_page_is_single),
		BULK_TEST(test_busy_pcp_is_single),
		BULK_TEST(test_mark_counts_the_batch),
		BULK_TEST(test_no_gpff_rules),
		BULK_TEST(test_stays_on_node),
		BULK_TEST(test_no_zone),
		BULK_TEST(test_lowmem_reserve_of_preferred),
		BULK_TEST(test_bulk_mixes),
		BULK_TEST(test_bulk_cpuset),
		BULK_TEST(test_bulk_fault),
		BULK_TEST(test_free_count),
	};

	return cmocka_run_group_tests_name("bulk", tests, NULL, NULL);
}
