/* SPDX-License-Identifier: GPL-2.0-only */
/* Direct reclaim and compaction, and the looks at the lists after them (spec 6.4, 6.5). */
#include "model/tests/slow_fixture.h"

/* ---- 6.4: reclaim -------------------------------------------------------- */

/*
 * Under defrag_mode an unmovable request asks reclaim and compaction for a whole block, looks for
 * its own order, and starts counting again when it may mix (step 23).
 */
static void test_promoted_order(void **state)
{
	(void)state;
	set_defrag_mode(1);
	always(ENV_RECLAIM, 1, 0);
	expect_failure(GFP_KERNEL, 0, "WGRGDGC WGRGDG GO", SLOW_EXIT_NO_OOM_PROGRESS);
	assert_int_equal(letter_at('W', 0)->order, 9);
	assert_int_equal(letter_at('R', 0)->order, 9);
	assert_int_equal(letter_at('C', 0)->order, 9);
	assert_int_equal(letter_at('R', 1)->order, 0);
	for (u32 i = 0; i < count_events(&rec, EV_GPFF_END); i++)
		assert_int_equal(letter_at('G', i)->order, 0);
	/* Movable ones work for their own order, but kswapd for whole blocks. */
	expect_failure(GFP_MOVABLE, 1, "WGRGDGC WGRGDGC GO", SLOW_EXIT_NO_OOM_PROGRESS);
	assert_int_equal(letter_at('W', 0)->order, 9);
	assert_int_equal(letter_at('R', 0)->order, 1);
	assert_int_equal(letter_at('C', 0)->order, 1);
}

/* 17 rounds for a whole block say nothing about order 0: it gets 17 of its own (step 23). */
static void test_promotion_ends_with_new_counters(void **state)
{
	(void)state;
	m->machine.fuel = 50;
	set_defrag_mode(1);
	put_folio(1024, 10);
	mark_page(m, 1024, 10, PG_PINNED, 0);
	next_op(NULL, 0);
	assert_int_equal(alloc_pages(m, GFP_KERNEL, 0, 0, NONE), PFN_NONE);
	assert_int_equal(slowpath_exit(), SLOW_EXIT_NO_OOM_PROGRESS);
	/* Order 0 is not compacted for: the calls tell the two parts. */
	assert_int_equal(m->env.report.calls[ENV_COMPACT], 17);
	assert_int_equal(m->env.report.calls[ENV_RECLAIM], 17 + 17);
}

/*
 * Compaction works for a block, and captures for the request: two folios of an unmovable block
 * merge to order 1.
 */
static void test_promoted_capture(void **state)
{
	const struct answer answer = {.call = ENV_COMPACT, .value = COMPACT_COMPLETE, .extra = 2};

	(void)state;
	set_defrag_mode(1);
	set_block(m, 4, MIGRATE_UNMOVABLE);
	put_folio(4 * BLOCK, 0);
	put_folio(4 * BLOCK + 1, 0);
	next_op(&answer, 1);
	assert_int_equal(alloc_pages(m, GFP_KERNEL, 1, 0, NONE), 4 * BLOCK);
	assert_way("WGC");
	assert_int_equal(letter_at('C', 0)->order, 9);
	assert_int_equal(event_at(&rec, EV_CAPTURE, 0)->order, 1);
	/* The zone has shown that it can do whole blocks (6.5: the order compacted for). */
	assert_int_equal(normal->compact_order_failed, 10);
}

/* Two blocks are reserved: progress without a page gives one of them back. */
static void test_reclaim_unreserves(void **state)
{
	(void)state;
	set_all_marks(10, 20, 30);
	for (u32 block = 0; block < 2; block++) {
		set_block(m, block, MIGRATE_HIGHATOMIC);
		put_buddy(m, block * BLOCK, 8);
	}
	SET(m, normal->nr_reserved_highatomic, 2 * BLOCK);
	always(ENV_RECLAIM, 1, 0);
	next_op(NULL, 0);
	assert_int_not_equal(alloc_pages(m, GFP_KERNEL, 0, 0, NONE), PFN_NONE);
	assert_way("WGRGUDG");
	assert_int_equal(slowpath_exit(), SLOW_EXIT_RECLAIM);
	assert_int_equal(letter_at('U', 0)->a, false);
	assert_int_equal(normal->nr_reserved_highatomic, BLOCK);
}

/* The last block stays until nothing else helps (6.6 step 5). */
static void test_retry_unreserves_by_force(void **state)
{
	(void)state;
	set_all_marks(10, 20, 30);
	set_block(m, 0, MIGRATE_HIGHATOMIC);
	put_buddy(m, 0, 8);
	SET(m, normal->nr_reserved_highatomic, BLOCK);
	always(ENV_RECLAIM, 1, 0);
	next_op(NULL, 0);
	assert_int_not_equal(alloc_pages(m, GFP_KERNEL, 0, 0, NONE), PFN_NONE);
	assert_way("WGRGDG U WG");
	assert_int_equal(slowpath_exit(), SLOW_EXIT_GPFF);
	assert_int_equal(letter_at('U', 0)->a, true);
	assert_int_equal(normal->nr_reserved_highatomic, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_promoted_order),
		TEST(test_promotion_ends_with_new_counters),
		TEST(test_promoted_capture),
		TEST(test_reclaim_unreserves),
		TEST(test_retry_unreserves_by_force),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
