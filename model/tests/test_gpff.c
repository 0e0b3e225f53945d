/* SPDX-License-Identifier: GPL-2.0-only */
/* get_page_from_freelist(), the walk over the zones: spec 4.2. */
#include "model/tests/node_fixture.h"

/* ---- 4.2: the walk over the zones ---------------------------------------- */

/* A context as 4.1 would build it for node 0, for tests of GPFF with other flags. */
static struct alloc_context context(u32 gfp)
{
	struct alloc_context ac;
	u32 alloc_flags = 0, alloc_gfp = gfp;

	assert_true(prepare_alloc_pages(m, gfp, 0, NONE, &ac, &alloc_gfp, &alloc_flags));
	return ac;
}

static u32 gpff(u32 gfp, u32 order, u32 alloc_flags)
{
	struct alloc_context ac = context(gfp);

	return get_page_from_freelist(m, gfp, order, alloc_flags, &ac);
}

/* The highest zone first, then down; never above what gfp allows. */
static void test_zone_order(void **state)
{
	(void)state;
	assert_ptr_equal(page_zone(m, alloc_pages(m, GFP_KERNEL, 4, 0, NONE)), normal);
	assert_ptr_equal(page_zone(m, alloc_pages(m, GFP_KERNEL | __GFP_DMA32, 4, 0, NONE)), dma32);
	empty_zone(m, normal);
	assert_ptr_equal(page_zone(m, alloc_pages(m, GFP_KERNEL, 4, 0, NONE)), dma32);
}

/*
 * 256 free pages, HIGH 300, LOW 200: the first request finds the zone below HIGH
 * and says so, yet is served; so is the next one. 16 * 13 - 15 = 193 <= 200 is
 * not enough: DMA32 serves.
 */
static void test_below_high(void **state)
{
	(void)state;
	draw(normal, MIGRATE_UNMOVABLE, 16);
	assert_false(normal->flags & ZONE_BELOW_HIGH);
	assert_ptr_equal(page_zone(m, alloc_pages(m, GFP_KERNEL, 4, 0, NONE)), normal);
	assert_true(normal->flags & ZONE_BELOW_HIGH);
	assert_ptr_equal(page_zone(m, alloc_pages(m, GFP_KERNEL, 4, 0, NONE)), normal); /* 15 */
	assert_ptr_equal(page_zone(m, alloc_pages(m, GFP_KERNEL, 4, 0, NONE)), normal); /* 14 */
	assert_ptr_equal(page_zone(m, alloc_pages(m, GFP_KERNEL, 4, 0, NONE)), dma32);
	assert_int_equal(normal->vm_stat[NR_FREE_PAGES], 13 * 16);
	assert_false(dma32->flags & ZONE_BELOW_HIGH);
}

/* A miss of order 5 sets it as well, though 16 * 20 = 320 pages are more than HIGH. */
static void test_below_high_by_order(void **state)
{
	(void)state;
	set_block(m, 9, MIGRATE_UNMOVABLE);
	empty_zone(m, normal);
	for (u32 i = 0; i < 20; i++)
		put_buddy(m, 8 * BLOCK + 32 * i, 4);
	SET(m, normal->_watermark[WMARK_HIGH], 250);
	assert_ptr_equal(page_zone(m, alloc_pages(m, GFP_KERNEL, 4, 0, NONE)), normal);
	assert_false(normal->flags & ZONE_BELOW_HIGH);
	assert_ptr_equal(page_zone(m, alloc_pages(m, GFP_KERNEL, 5, 0, NONE)), dma32);
	assert_true(normal->flags & ZONE_BELOW_HIGH);
}

/* The HIGH mark that passes is enough: the requested one, here larger, is not read. */
static void test_high_mark_suffices(void **state)
{
	(void)state;
	set_marks_of(m, normal, 100, 5000, 300);
	assert_ptr_equal(page_zone(m, alloc_pages(m, GFP_KERNEL, 4, 0, NONE)), normal);
	zone_set_flags(m, normal, ZONE_BELOW_HIGH, 0);
	assert_ptr_equal(page_zone(m, alloc_pages(m, GFP_KERNEL, 4, 0, NONE)), dma32);
}

/*
 * 5.3 in its place: 128 free pages of a zone boosted by 512 pass "HIGH" with the
 * flags of a slow path, by half of the raw MIN, so BELOW_HIGH is not set.
 */
static void test_boosted_zone_passes_high(void **state)
{
	(void)state;
	draw(normal, MIGRATE_UNMOVABLE, 8);
	SET(m, normal->watermark_boost, 512);
	assert_ptr_equal(page_zone(m, gpff(GFP_ATOMIC, 0, ALLOC_WMARK_MIN | ALLOC_MIN_RESERVE)),
			 normal);
	assert_false(normal->flags & ZONE_BELOW_HIGH);
	assert_ptr_equal(page_zone(m, gpff(GFP_ATOMIC, 0, ALLOC_WMARK_LOW | ALLOC_MIN_RESERVE)),
			 dma32);
	assert_true(normal->flags & ZONE_BELOW_HIGH);
}

/* NO_WATERMARKS takes from a zone below every mark, and says so on each page it gets. */
static void test_no_watermarks(void **state)
{
	u32 pfn;

	(void)state;
	draw(normal, MIGRATE_UNMOVABLE, 1);
	pfn = gpff(GFP_KERNEL, 4, ALLOC_NO_WATERMARKS);
	assert_ptr_equal(page_zone(m, pfn), normal);
	assert_true(page_has(m, pfn, PG_PFMEMALLOC));
	/* Below its marks or not. */
	pfn = gpff(GFP_KERNEL, 4, ALLOC_NO_WATERMARKS);
	assert_ptr_equal(page_zone(m, pfn), dma32);
	assert_true(page_has(m, pfn, PG_PFMEMALLOC));
}

/*
 * NOFRAGMENT is dropped at the end of the list: 40 order-4 buddies in foreign
 * blocks of both zones pass the marks, but only the second pass may use them.
 */
static void test_nofragment_drop(void **state)
{
	u32 pfn;

	(void)state;
	draw(normal, MIGRATE_MOVABLE, 16);
	set_marks_of(m, normal, 0, 0, 0);
	draw(dma32, MIGRATE_MOVABLE, 16);
	set_marks_of(m, dma32, 0, 0, 0);
	pfn = alloc_pages(m, GFP_KERNEL, 4, 0, NONE);
	assert_ptr_equal(page_zone(m, pfn), normal);
	assert_int_equal(count_events(&rec, EV_GPFF), 2);
	assert_int_equal(gpff_flags(0), ALLOC_WMARK_LOW | ALLOC_KSWAPD | ALLOC_NOFRAGMENT);
	assert_int_equal(gpff_flags(1), ALLOC_WMARK_LOW | ALLOC_KSWAPD);
	assert_int_equal(count_events(&rec, EV_GPFF_END), 1);
	assert_int_equal(event_at(&rec, EV_GPFF_END, 0)->a, ALLOC_WMARK_LOW | ALLOC_KSWAPD);
	assert_int_equal(event_at(&rec, EV_GPFF_END, 0)->pfn, pfn);
	assert_int_equal(event_at(&rec, EV_MM_PAGE_ALLOC_EXTFRAG, 0)->a, 4);
}

/* Rather than mix, a lower zone of the node is used; defrag_mode fails rather than mix. */
static void test_nofragment_keeps(void **state)
{
	(void)state;
	draw(normal, MIGRATE_MOVABLE, 16);
	set_marks_of(m, normal, 0, 0, 0);
	assert_ptr_equal(page_zone(m, alloc_pages(m, GFP_KERNEL, 4, 0, NONE)), dma32);
	assert_int_equal(count_events(&rec, EV_GPFF), 1);

	draw(dma32, MIGRATE_MOVABLE, 16);
	set_marks_of(m, dma32, 0, 0, 0);
	SET(m, m->global->sysctl[SYSCTL_DEFRAG_MODE], 1);
	next_op(NULL, 0);
	assert_int_equal(gpff(GFP_KERNEL, 4, ALLOC_WMARK_LOW | ALLOC_NOFRAGMENT), PFN_NONE);
	assert_int_equal(count_events(&rec, EV_GPFF), 1);
	assert_int_equal(event_at(&rec, EV_GPFF_END, 0)->a, ALLOC_WMARK_LOW | ALLOC_NOFRAGMENT);
	assert_int_equal(event_at(&rec, EV_GPFF_END, 0)->pfn, PFN_NONE);
}

/* ---- 4.2 with two nodes -------------------------------------------------- */

/* Node 0 has foreign blocks only; node 1 has all that one could want. */
static void draw_mixed_node_0(void)
{
	draw(normal, MIGRATE_MOVABLE, 16);
	set_marks_of(m, normal, 0, 0, 0);
	draw(dma32, MIGRATE_MOVABLE, 16);
	set_marks_of(m, dma32, 0, 0, 0);
}

/* Step 3: locality before unmixed blocks. */
static void test_local_before_unmixed(void **state)
{
	(void)state;
	draw_mixed_node_0();
	assert_ptr_equal(page_zone(m, alloc_pages(m, GFP_KERNEL, 4, 0, NONE)), normal);
	assert_int_equal(count_events(&rec, EV_GPFF), 2);
	assert_true(gpff_flags(0) & ALLOC_NOFRAGMENT);
	assert_false(gpff_flags(1) & ALLOC_NOFRAGMENT);
}

/* defrag_mode: unmixed blocks before locality. */
static void test_unmixed_before_local(void **state)
{
	(void)state;
	draw_mixed_node_0();
	SET(m, m->global->sysctl[SYSCTL_DEFRAG_MODE], 1);
	assert_ptr_equal(page_zone(m, alloc_pages(m, GFP_KERNEL, 4, 0, NONE)), remote);
	assert_int_equal(count_events(&rec, EV_GPFF), 1);
}

/*
 * Step 4, after step 3: node 0, whose kswapd runs, is skipped; at node 1
 * NOFRAGMENT goes first, so there is a second pass before node 1 serves.
 */
static void test_awake_kswapd_is_skipped(void **state)
{
	u32 pfn;

	(void)state;
	SET(m, m->nodes[0].kswapd_awake, 1);
	pfn = alloc_pages(m, GFP_KERNEL, 4, 0, NONE);
	assert_ptr_equal(page_zone(m, pfn), remote);
	assert_int_equal(count_events(&rec, EV_GPFF), 2);
	assert_true(gpff_flags(0) & ALLOC_NOFRAGMENT);
	assert_false(gpff_flags(1) & ALLOC_NOFRAGMENT);
	assert_int_equal(remote->vm_stat[NUMA_MISS], 1);
	assert_int_equal(remote->vm_stat[NUMA_OTHER], 1);
	assert_int_equal(normal->vm_stat[NUMA_FOREIGN], 1);
	assert_false(normal->flags & ZONE_BELOW_HIGH);
}

/*
 * Everybody's kswapd runs: the pass that skips finds nothing, the next one does
 * not skip. Passes: skipping, skipping without NOFRAGMENT, not skipping.
 */
static void test_all_kswapds_awake(void **state)
{
	(void)state;
	SET(m, m->nodes[0].kswapd_awake, 1);
	SET(m, m->nodes[1].kswapd_awake, 1);
	assert_ptr_equal(page_zone(m, alloc_pages(m, GFP_KERNEL, 4, 0, NONE)), normal);
	assert_int_equal(count_events(&rec, EV_GPFF), 3);
	/* THISNODE never meets another node: NOFRAGMENT stays. */
	next_op(NULL, 0);
	assert_ptr_equal(page_zone(m, alloc_pages(m, GFP_KERNEL | __GFP_THISNODE, 4, 0, NONE)),
			 normal);
	assert_int_equal(count_events(&rec, EV_GPFF), 2);
	assert_true(gpff_flags(1) & ALLOC_NOFRAGMENT);
}

/* With a single node there is nowhere else to go. */
static void test_kswapd_awake_one_node(void **state)
{
	(void)state;
	SET(m, m->nodes[0].kswapd_awake, 1);
	assert_ptr_equal(page_zone(m, alloc_pages(m, GFP_KERNEL, 4, 0, NONE)), normal);
	assert_int_equal(count_events(&rec, EV_GPFF), 1);
}

static void test_thisnode(void **state)
{
	(void)state;
	empty_zone(m, normal);
	empty_zone(m, dma32);
	assert_int_equal(alloc_pages(m, GFP_NOWAIT | __GFP_THISNODE, 4, 0, NONE), PFN_NONE);
	assert_ptr_equal(page_zone(m, alloc_pages(m, GFP_NOWAIT, 4, 0, NONE)), remote);
}

/* With a nodemask the preferred zone is the first allowed one: a hit, on another CPU's node. */
static void test_nodemask(void **state)
{
	(void)state;
	assert_ptr_equal(page_zone(m, alloc_pages(m, GFP_KERNEL, 4, 0, BIT(1))), remote);
	assert_int_equal(event_at(&rec, EV_GPFF, 0)->zone, remote->index);
	assert_int_equal(remote->vm_stat[NUMA_HIT], 1);
	assert_int_equal(remote->vm_stat[NUMA_OTHER], 1);
	assert_int_equal(remote->vm_stat[NUMA_MISS] + normal->vm_stat[NUMA_FOREIGN], 0);
	/* A mask without a zone: nobody is preferred, nothing is found. */
	next_op(NULL, 0);
	assert_int_equal(alloc_pages(m, GFP_NOWAIT, 4, 0, BIT(7)), PFN_NONE);
	assert_int_equal(event_at(&rec, EV_GPFF, 0)->zone, ZONE_ANY);
}

/* Step 2: node 0 is over its dirty limit; it is asked once, not once a zone. */
static void test_dirty_limit(void **state)
{
	/* Only calls that find an answer are counted, so there are more than needed. */
	const struct answer dirty[3] = {
		{.call = ENV_NODE_DIRTY, .value = 1},
		{.call = ENV_NODE_DIRTY, .value = 0},
		{.call = ENV_NODE_DIRTY, .value = 0},
	};
	struct op_report report;

	(void)state;
	next_op(dirty, 3);
	/* THISNODE keeps NOFRAGMENT out of the way; the slow path forgets the limit. */
	assert_ptr_equal(
		page_zone(m, alloc_pages(m, GFP_KERNEL | __GFP_WRITE | __GFP_THISNODE, 4, 0, NONE)),
		normal);
	assert_int_equal(event_at(&rec, EV_GPFF_END, 0)->pfn, PFN_NONE);
	memory_end_op(m, &report);
	assert_int_equal(report.calls[ENV_NODE_DIRTY], 1);
	/* The question is about the node: no zone is named. */
	for (u32 i = 0; event_at(&rec, EV_ENV_CALL, i); i++)
		if (event_at(&rec, EV_ENV_CALL, i)->a == ENV_NODE_DIRTY)
			assert_int_equal(event_at(&rec, EV_ENV_CALL, i)->zone, ZONE_ANY);

	memory_begin_op(m, dirty, 3);
	SET(m, m->global->sysctl[SYSCTL_DEFRAG_MODE], 1); /* one pass */
	assert_ptr_equal(page_zone(m, alloc_pages(m, GFP_KERNEL | __GFP_WRITE, 4, 0, NONE)),
			 remote);
	memory_end_op(m, &report);
	assert_int_equal(report.calls[ENV_NODE_DIRTY], 2);

	memory_begin_op(m, dirty, 3);
	assert_ptr_equal(page_zone(m, alloc_pages(m, GFP_KERNEL, 4, 0, NONE)), normal);
	memory_end_op(m, &report);
	assert_int_equal(report.calls[ENV_NODE_DIRTY], 0);
	memory_begin_op(m, NULL, 0);
}

/*
 * Step 7: node_reclaim of a near node whose zone failed its mark. What it says it
 * reclaimed does not replace the mark, which is checked again.
 */
static void test_node_reclaim(void **state)
{
	const struct answer nothing = {.call = ENV_NODE_RECLAIM, .value = 0};
	const struct answer words = {.call = ENV_NODE_RECLAIM, .value = 32};
	struct op_report report;

	(void)state;
	draw(normal, MIGRATE_UNMOVABLE, 4);
	empty_zone(m, dma32);
	set_marks_of(m, dma32, 0, 0, 0);
	next_op(NULL, 0);
	alloc_pages(m, GFP_KERNEL, 4, 0, NONE);
	memory_end_op(m, &report);
	assert_int_equal(report.calls[ENV_NODE_RECLAIM], 0); /* switched off */

	SET(m, m->global->sysctl[SYSCTL_NODE_RECLAIM_MODE], 1);
	SET(m, m->global->sysctl[SYSCTL_DEFRAG_MODE], 1); /* one pass */
	memory_begin_op(m, &nothing, 1);
	assert_ptr_equal(page_zone(m, alloc_pages(m, GFP_KERNEL, 4, 0, NONE)), remote);
	memory_end_op(m, &report);
	assert_int_equal(report.calls[ENV_NODE_RECLAIM], 2); /* Normal and DMA32 */

	memory_begin_op(m, &words, 1);
	assert_ptr_equal(page_zone(m, alloc_pages(m, GFP_KERNEL, 4, 0, NONE)), remote);
	memory_end_op(m, &report);
	memory_begin_op(m, NULL, 0);
}

/* A zone on a node farther than 30 from the preferred one is not reclaimed. */
static void test_node_reclaim_distance(void **state)
{
	struct op_report report;

	for (u8 distance = 30; distance <= 31; distance++) {
		machine_init(&machine);
		machine.distance[0][1] = machine.distance[1][0] = distance;
		machine.sysctl[SYSCTL_NODE_RECLAIM_MODE] = 1;
		start(true);
		for (u32 i = 0; i < m->nr_zones; i++)
			empty_zone(m, zone_at(m, i));
		gpff(GFP_KERNEL, 4, ALLOC_WMARK_LOW);
		memory_end_op(m, &report);
		/* Normal and DMA32 of node 0, and node 1 if it is near. */
		assert_int_equal(report.calls[ENV_NODE_RECLAIM], distance == 30 ? 3 : 2);
		memory_begin_op(m, NULL, 0);
		if (distance == 30)
			tear_down(state);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_zone_order),
		TEST(test_below_high),
		TEST(test_below_high_by_order),
		TEST(test_high_mark_suffices),
		TEST(test_boosted_zone_passes_high),
		TEST(test_no_watermarks),
		TEST(test_nofragment_drop),
		TEST(test_nofragment_keeps),
		TEST_NUMA(test_local_before_unmixed),
		TEST_NUMA(test_unmixed_before_local),
		TEST_NUMA(test_awake_kswapd_is_skipped),
		TEST_NUMA(test_all_kswapds_awake),
		TEST(test_kswapd_awake_one_node),
		TEST_NUMA(test_thisnode),
		TEST_NUMA(test_nodemask),
		TEST_NUMA(test_dirty_limit),
		TEST_NUMA(test_node_reclaim),
		cmocka_unit_test_teardown(test_node_reclaim_distance, tear_down),
	};

	return cmocka_run_group_tests_name("gpff", tests, NULL, NULL);
}
