/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Closed compaction and kcompactd, by the rule at the top of compact_zone.c.
 *
 *      block 0                            block 7 (from 3584)
 *      [ free, order 3 | F F F F F F F F ]  ...  [ . x . x . x ... ]     100 free pages, the
 *        0..7            8..15                                           last at 3782
 */
#include "model/tests/slow_fixture.h"

#define LAST 3782U

static struct alloc_context ac;
static struct capture_control capc;

static void put_targets(void)
{
	for (u32 i = 0; i < 100; i++)
		put_buddy(m, 7 * BLOCK + 2 * i, 0);
}

static int picture(void **state)
{
	one_node(state);
	set_all_marks(0, 0, 0);
	m->machine.env.kind[ENV_COMPACT] = ENV_CLOSED;
	put_buddy(m, 0, 3);
	for (u32 i = 8; i < 16; i++)
		put_folio(i, 0);
	put_targets();
	return 0;
}

static int plain(void **state)
{
	one_node(state);
	set_all_marks(0, 0, 0);
	m->machine.env.kind[ENV_COMPACT] = ENV_CLOSED;
	return 0;
}

#define TEST_PICTURE(f) cmocka_unit_test_setup_teardown(f, picture, tear_down)
#define TEST_PLAIN(f) cmocka_unit_test_setup_teardown(f, plain, tear_down)

static enum compact_result compact(u32 gfp, u32 order, enum compact_priority priority)
{
	u32 alloc_gfp = gfp, flags = 0;

	ac = (struct alloc_context){.reclaim_compact_order = order};
	assert_true(prepare_alloc_pages(m, gfp, 0, NONE, &ac, &alloc_gfp, &flags));
	capc = (struct capture_control){
		.order = order, .migratetype = ac.migratetype, .pfn = PFN_NONE};
	rec.nr = 0;
	return try_to_compact_pages(m, gfp, order, flags, &ac, priority, &capc);
}

static void expect_move(u32 n, u32 src, u32 dst)
{
	const struct event *ev = event_at(&rec, EV_ENV_MOVED, n);

	assert_non_null(ev);
	assert_int_equal(ev->pfn, src);
	assert_int_equal(ev->a, dst);
}

/* The eight folios move to the highest free pages; what they leave merges and is captured. */
static void test_moves_up(void **state)
{
	(void)state;
	assert_int_equal(compact(GFP_MOVABLE, 4, COMPACT_PRIO_SYNC_LIGHT), COMPACT_SUCCESS);
	for (u32 i = 0; i < 8; i++)
		expect_move(i, 8 + i, LAST - 2 * i);
	assert_int_equal(count_events(&rec, EV_ENV_MOVED), 8);
	assert_int_equal(capc.pfn, 0);
	/* Folios keep their state and their number; 92 of 100 targets are left. */
	assert_int_equal(m->pages[LAST].refcount, 1);
	assert_true(page_has(m, LAST, PG_LRU));
	assert_false(page_has(m, 8, PG_LRU));
	assert_int_equal(zone_page_state(normal, NR_ZONE_LRU), 8);
	assert_int_equal(zone_page_state(normal, NR_FREE_PAGES), 92);
	assert_int_equal(normal->nr_free[0], 92);
}

/* An unmovable request may not capture a movable page; it finds it on a list it may claim from. */
static void test_ends_when_a_list_has_it(void **state)
{
	(void)state;
	assert_int_equal(compact(GFP_KERNEL, 4, COMPACT_PRIO_SYNC_LIGHT), COMPACT_SUCCESS);
	assert_int_equal(capc.pfn, PFN_NONE);
	assert_int_equal(head_of(m, normal, 4, MIGRATE_MOVABLE), 0);
	assert_int_equal(normal->compact_order_failed, 5);
}

/* One folio that cannot move keeps the block in pieces: the zone was scanned in vain. */
static void test_pinned(void **state)
{
	(void)state;
	mark_page(m, 12, 0, PG_PINNED, 0);
	assert_int_equal(compact(GFP_MOVABLE, 4, COMPACT_PRIO_SYNC_LIGHT), COMPACT_COMPLETE);
	assert_int_equal(count_events(&rec, EV_ENV_MOVED), 7);
	assert_true(page_has(m, 12, PG_LRU));
	assert_int_equal(normal->compact_defer_shift, 1);
	assert_int_equal(normal->compact_blockskip_flush, 1);
}

/* Neither do folios that somebody else holds, frozen ones, and pages that are no folios move. */
static void test_held(void **state)
{
	(void)state;
	get_page(m, 9);
	set_page_count(m, 10, 0);
	mark_page(m, 11, 0, 0, PG_LRU);
	assert_int_equal(compact(GFP_MOVABLE, 4, COMPACT_PRIO_SYNC_LIGHT), COMPACT_COMPLETE);
	assert_int_equal(count_events(&rec, EV_ENV_MOVED), 5);
	expect_move(0, 8, LAST);
	expect_move(1, 12, LAST - 2);
}

/* The environment lets the first folio fail: it stays, and its target is free again. */
static void test_migration_fails(void **state)
{
	const struct answer answer = {.call = ENV_MIGRATE, .value = 1};

	(void)state;
	next_op(&answer, 1);
	assert_int_equal(compact(GFP_MOVABLE, 4, COMPACT_PRIO_SYNC_LIGHT), COMPACT_COMPLETE);
	assert_int_equal(count_events(&rec, EV_ENV_MOVED), 7);
	expect_move(0, 9, LAST - 2);
	assert_true(page_has(m, 8, PG_LRU));
	/* 8 + 100 pages were free; seven were taken and seven given. */
	assert_int_equal(zone_page_state(normal, NR_FREE_PAGES), 108);
	assert_true(page_has(m, LAST, PG_BUDDY));
}

/*
 * Targets are taken by __isolate_free_page(), which wants more than MIN + 1 pages to be free (3.11).
 * With MIN 101 that is so for 108, 107 ... 103: six are taken. (What the folios leave is on this
 * CPU's lists until the block is done.) The check before does not let it come to this.
 */
static void test_watermark_refuses(void **state)
{
	const struct compact_control cc = {.order = 4,
					   .migratetype = MIGRATE_MOVABLE,
					   .priority = COMPACT_PRIO_SYNC_LIGHT,
					   .direct = true};

	(void)state;
	set_all_marks(101, 101, 101);
	assert_int_equal(compact(GFP_MOVABLE, 4, COMPACT_PRIO_SYNC_LIGHT), COMPACT_SKIPPED);
	assert_int_equal(compact_zone(m, normal, &cc), COMPACT_COMPLETE);
	assert_int_equal(count_events(&rec, EV_ENV_MOVED), 6);
	expect_move(5, 13, LAST - 10);
}

/*
 * A folio of order 1 takes the upper end of a free buddy of order 3, the rest goes back:
 *
 *      3600 [   order 2   | order 1 |folio]        buddies of the wanted order stay whole
 */
static void test_splits_target(void **state)
{
	(void)state;
	put_folio(8, 1);
	put_buddy(m, 3600, 3);
	put_buddy(m, 3616, 4);
	/* A larger order on the lists: wanted is order 6, and that index is above 500. */
	for (u32 i = 0; i < 32; i++)
		put_buddy(m, 6 * BLOCK + 2 * i, 0);
	assert_int_equal(compact(GFP_MOVABLE, 6, COMPACT_PRIO_SYNC_LIGHT), COMPACT_COMPLETE);
	/* The highest that fits is order 4 at 3616: less than order 6. */
	expect_move(0, 8, 3630);
	assert_int_equal(head_of(m, normal, 3, MIGRATE_MOVABLE), 3600);
	assert_true(page_is_buddy(m, 3616, 3, normal->index));
	assert_true(page_is_buddy(m, 3624, 2, normal->index));
	assert_true(page_is_buddy(m, 3628, 1, normal->index));
	assert_int_equal(compound_order(m, 3630), 1);
}

/* What is as large as the wanted buddy is neither moved nor broken up. */
static void test_large_ones_stay(void **state)
{
	(void)state;
	put_folio(16, 4);
	put_folio(32, 3);
	/* Not above the folios' own block: no target. */
	put_buddy(m, 48, 3);
	put_buddy(m, 7 * BLOCK, 3);
	for (u32 i = 0; i < 64; i++)
		put_buddy(m, 6 * BLOCK + 2 * i, 0);
	assert_int_equal(compact(GFP_MOVABLE, 4, COMPACT_PRIO_SYNC_LIGHT), COMPACT_COMPLETE);
	assert_int_equal(count_events(&rec, EV_ENV_MOVED), 1);
	expect_move(0, 32, 7 * BLOCK);
}

/* Not even a target may be as large: here two buddies of order 4 are free, and stay so. */
static void test_large_targets_stay(void **state)
{
	const struct compact_control cc = {.order = 4,
					   .migratetype = MIGRATE_MOVABLE,
					   .priority = COMPACT_PRIO_SYNC_LIGHT,
					   .direct = true};

	(void)state;
	put_folio(32, 3);
	put_buddy(m, 7 * BLOCK, 3);
	put_buddy(m, 7 * BLOCK + 64, 4);
	put_buddy(m, 7 * BLOCK + 96, 4);
	assert_int_equal(compact_zone(m, normal, &cc), COMPACT_SUCCESS);
	expect_move(0, 32, 7 * BLOCK);
	assert_int_equal(normal->nr_free[4], 2);
}

/* ASYNC empties only blocks of the request's kind. */
static void test_async_sources(void **state)
{
	(void)state;
	set_block(m, 0, MIGRATE_RECLAIMABLE);
	move_freepages_block(m, normal, 0, MIGRATE_MOVABLE, MIGRATE_RECLAIMABLE);
	assert_int_equal(compact(GFP_MOVABLE, 4, COMPACT_PRIO_ASYNC), COMPACT_COMPLETE);
	assert_int_equal(count_events(&rec, EV_ENV_MOVED), 0);
	assert_int_equal(compact(GFP_KERNEL | __GFP_RECLAIMABLE, 4, COMPACT_PRIO_ASYNC),
			 COMPACT_SUCCESS);
	assert_int_equal(count_events(&rec, EV_ENV_MOVED), 8);
}

/* Targets are in movable blocks, with SYNC_FULL in any; never in an isolated one. */
static void test_target_blocks(void **state)
{
	(void)state;
	move_freepages_block(m, normal, 7 * BLOCK, MIGRATE_MOVABLE, MIGRATE_UNMOVABLE);
	assert_int_equal(compact(GFP_MOVABLE, 4, COMPACT_PRIO_SYNC_LIGHT), COMPACT_COMPLETE);
	assert_int_equal(count_events(&rec, EV_ENV_MOVED), 0);
	assert_int_equal(compact(GFP_MOVABLE, 4, COMPACT_PRIO_SYNC_FULL), COMPACT_SUCCESS);
	assert_int_equal(count_events(&rec, EV_ENV_MOVED), 8);
}

static void test_isolated_blocks(void **state)
{
	(void)state;
	/* Other free pages, so that there is room to try, but no target above block 0. */
	for (u32 i = 0; i < 100; i++)
		put_buddy(m, 64 + 2 * i, 0);
	assert_true(pageblock_isolate_and_move_free_pages(m, normal, 7 * BLOCK));
	assert_int_equal(compact(GFP_MOVABLE, 4, COMPACT_PRIO_SYNC_FULL), COMPACT_COMPLETE);
	assert_int_equal(count_events(&rec, EV_ENV_MOVED), 0);
	/* The other way round: the folios are in the isolated block. */
	assert_true(pageblock_unisolate_and_move_free_pages(m, normal, 7 * BLOCK));
	assert_true(pageblock_isolate_and_move_free_pages(m, normal, 0));
	assert_int_equal(compact(GFP_MOVABLE, 4, COMPACT_PRIO_SYNC_FULL), COMPACT_COMPLETE);
	assert_int_equal(count_events(&rec, EV_ENV_MOVED), 0);
}

/* ---- kcompactd ----------------------------------------------------------- */

/* Two blocks to empty, one a pass: it sleeps after the pass that finds nothing more. */
static void test_kcompactd_breaks(void **state)
{
	struct node *node = &m->nodes[0];

	(void)state;
	for (u32 i = 0; i < 4; i++) {
		put_folio(2 * i, 0);
		put_folio(BLOCK + 2 * i, 0);
	}
	put_targets();
	wakeup_kcompactd(m, 0, 9, ZONE_NORMAL);
	assert_true(node->kcompactd_awake);
	assert_int_equal(node->kcompactd_max_order, 9);

	kcompactd_run(m, 0, 1);
	assert_int_equal(count_events(&rec, EV_ENV_MOVED), 4);
	expect_move(3, 6, LAST - 6);
	assert_true(node->kcompactd_awake);
	kcompactd_run(m, 0, 1);
	assert_int_equal(count_events(&rec, EV_ENV_MOVED), 8);
	expect_move(7, BLOCK + 6, LAST - 14);
	assert_true(node->kcompactd_awake);
	kcompactd_run(m, 0, 1);
	assert_int_equal(count_events(&rec, EV_ENV_MOVED), 8);
	assert_false(node->kcompactd_awake);
	assert_int_equal(node->kcompactd_max_order, 0);
	/* The vain pass drained all CPUs and defers the zone. */
	assert_int_equal(count_events(&rec, EV_DRAIN_ALL_PAGES), 1);
	assert_int_equal(normal->compact_defer_shift, 1);
	assert_int_equal(vm_event(KCOMPACTD_WAKE), 3);
	/* It is no direct compaction. */
	assert_int_equal(m->env.report.calls[ENV_COMPACT], 0);
	assert_int_equal(vm_event(COMPACTSTALL), 0);
}

/* Woken for order 0 it does not even wake; without compaction it does not exist. */
static void test_kcompactd_wake(void **state)
{
	struct node *node = &m->nodes[0];

	(void)state;
	wakeup_kcompactd(m, 0, 0, ZONE_NORMAL);
	assert_false(node->kcompactd_awake);
	assert_int_equal(count_events(&rec, EV_WAKEUP_KCOMPACTD), 0);
	wakeup_kcompactd(m, 0, 4, ZONE_NORMAL);
	wakeup_kcompactd(m, 0, 2, ZONE_DMA32);
	assert_int_equal(node->kcompactd_max_order, 4);
	assert_int_equal(node->kcompactd_highest_zoneidx, ZONE_DMA32);
	assert_int_equal(count_events(&rec, EV_WAKEUP_KCOMPACTD), 2);
	m->machine.config_compaction = 0;
	wakeup_kcompactd(m, 0, 9, ZONE_NORMAL);
	assert_int_equal(node->kcompactd_max_order, 4);
}

/*
 * One block and 700 scattered pages are free, HIGH is 600. For order 4 that is plenty: 1212 - 15;
 * under defrag_mode only the 512 pages of the block count, so kcompactd goes on.
 */
static void test_kcompactd_defrag_mode(void **state)
{
	(void)state;
	set_all_marks(0, 0, 600);
	put_folio(0, 0);
	put_buddy(m, 2 * BLOCK, 9);
	for (u32 i = 0; i < 700; i++)
		put_buddy(m, 4 * BLOCK + 2 * i, 0);
	wakeup_kcompactd(m, 0, 4, ZONE_NORMAL);
	kcompactd_run(m, 0, 0);
	assert_int_equal(count_events(&rec, EV_ENV_MOVED), 0);
	assert_false(m->nodes[0].kcompactd_awake);

	SET(m, m->global->sysctl[SYSCTL_DEFRAG_MODE], 1);
	wakeup_kcompactd(m, 0, 4, ZONE_NORMAL);
	kcompactd_run(m, 0, 0);
	assert_int_equal(count_events(&rec, EV_ENV_MOVED), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_PICTURE(test_moves_up),
		TEST_PICTURE(test_ends_when_a_list_has_it),
		TEST_PICTURE(test_pinned),
		TEST_PICTURE(test_held),
		TEST_PICTURE(test_migration_fails),
		TEST_PICTURE(test_watermark_refuses),
		TEST_PLAIN(test_splits_target),
		TEST_PLAIN(test_large_ones_stay),
		TEST_PLAIN(test_large_targets_stay),
		TEST_PICTURE(test_async_sources),
		TEST_PICTURE(test_target_blocks),
		TEST_PICTURE(test_isolated_blocks),
		TEST_PLAIN(test_kcompactd_breaks),
		TEST_PLAIN(test_kcompactd_wake),
		TEST_PLAIN(test_kcompactd_defrag_mode),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
