/* SPDX-License-Identifier: GPL-2.0-only */
/* Pages leave the per-cpu lists: bulk free, drains, decay, switching off (spec 3.4, 3.10). */
#include "model/tests/pcp_fixture.h"

/* ---- bulk free (spec 3.4) ------------------------------------------------ */

/* Exhaust the list asked for from its tail, then the next ones around the end (W17). */
static void bulk_exhausts_lists(void **state)
{
	struct fixture f;
	u32 unmovable, movable, order1, drained[4];

	(void)state;
	set_up(&f);
	unmovable = fill(&f, 0, MIGRATE_UNMOVABLE, 3);
	movable = fill(&f, 0, MIGRATE_MOVABLE, 2);
	order1 = fill(&f, 1, MIGRATE_UNMOVABLE, 1);
	assert_int_equal(f.pcp->count, 7);
	free_pcppages_bulk(f.m, f.z, 5, f.pcp, 1);
	/* 2 of index 1, index 2 is empty, 1 of index 3 (2 pages), around to index 0: 1. */
	drained[0] = movable + 1;
	drained[1] = movable;
	drained[2] = order1;
	drained[3] = unmovable + 2;
	assert_int_equal(count_events(&f.r, EV_MM_PAGE_PCPU_DRAIN), 4);
	for (u32 i = 0; i < 4; i++)
		assert_int_equal(event_at(&f.r, EV_MM_PAGE_PCPU_DRAIN, i)->pfn, drained[i]);
	assert_int_equal(event_at(&f.r, EV_MM_PAGE_PCPU_DRAIN, 2)->order, 1);
	assert_int_equal(f.pcp->count, 2);
	/* More than there is: all. */
	free_pcppages_bulk(f.m, f.z, 100, f.pcp, 5);
	assert_int_equal(f.pcp->count, 0);
	shut_down(f.m);
}

/* A page of the PMD order is far more than a small count, and ends the loop. */
static void bulk_overshoots(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	fill(&f, 9, MIGRATE_MOVABLE, 2);
	fill(&f, 0, MIGRATE_UNMOVABLE, 5);
	free_pcppages_bulk(f.m, f.z, 4, f.pcp, 13);
	assert_int_equal(f.pcp->count, 512 + 5);
	assert_int_equal(count_events(&f.r, EV_MM_PAGE_PCPU_DRAIN), 1);
	shut_down(f.m);
}

/* The type is that of the block when the page leaves, not that of the list (spec 13, item 4). */
static void bulk_reads_the_type_again(void **state)
{
	struct fixture f;
	u32 pfn;

	(void)state;
	set_up(&f);
	empty_zone(f.m, f.z);
	put_buddy(f.m, 512, 0);
	pfn = fill(&f, 0, MIGRATE_MOVABLE, 1);
	assert_int_equal(pfn, 512);
	set_block(f.m, 1, MIGRATE_RECLAIMABLE);
	free_pcppages_bulk(f.m, f.z, 1, f.pcp, 1);
	assert_int_equal(head_of(f.m, f.z, 0, MIGRATE_RECLAIMABLE), 512);
	assert_int_equal(event_at(&f.r, EV_MM_PAGE_PCPU_DRAIN, 0)->a, MIGRATE_RECLAIMABLE);
	shut_down(f.m);
}

/* ---- drain and decay (spec 3.10) ----------------------------------------- */

/* One CPU of one zone is emptied in rounds of batch << 5, from list 0 on. */
static void drain_in_rounds(void **state)
{
	struct fixture f;
	u32 locks;

	(void)state;
	set_up(&f);
	set_sizes(&f, 1, 100, 100);
	fill(&f, 0, MIGRATE_RECLAIMABLE, 40);
	fill(&f, 0, MIGRATE_UNMOVABLE, 30);
	locks = count_events(&f.r, EV_ZONE_LOCK);
	drain_pages_zone(f.m, 0, f.z);
	/* 70 = 32 + 32 + 6 */
	assert_int_equal(count_events(&f.r, EV_ZONE_LOCK) - locks, 3);
	assert_int_equal(f.pcp->count, 0);
	drain_pages_zone(f.m, 0, f.z);
	assert_int_equal(count_events(&f.r, EV_ZONE_LOCK) - locks, 3);
	shut_down(f.m);
}

/* A global drain gives way to another one; a drain of one zone waits for it. */
static void drains_of_all_cpus(void **state)
{
	static const struct answer busy = {.call = ENV_LOCK_DRAIN, .value = 1};
	struct fixture f;

	(void)state;
	set_up_nodes(&f, 2);
	fill(&f, 0, MIGRATE_MOVABLE, 3);
	f.pcp = zone_pcp(f.m, f.z, 1);
	fill(&f, 0, MIGRATE_MOVABLE, 2);

	memory_begin_op(f.m, &busy, 1);
	drain_all_pages(f.m, NULL);
	assert_int_equal(f.pcp->count, 2);
	assert_int_equal(event_at(&f.r, EV_DRAIN_ALL_PAGES, 0)->a, 0);
	assert_int_equal(event_at(&f.r, EV_DRAIN_ALL_PAGES, 0)->zone, ZONE_ANY);

	drain_local_pages(f.m, NULL);
	assert_int_equal(zone_pcp(f.m, f.z, 0)->count, 0);
	assert_int_equal(f.pcp->count, 2);
	drain_all_pages(f.m, zone_at(f.m, 1));
	assert_int_equal(f.pcp->count, 2);

	memory_begin_op(f.m, &busy, 1);
	drain_all_pages(f.m, f.z);
	assert_int_equal(f.pcp->count, 0);
	assert_int_equal(event_at(&f.r, EV_DRAIN_ALL_PAGES, 2)->a, 1);
	shut_down(f.m);
}

/* The expiry of another node's pcp takes one batch. */
static void expire_takes_a_batch(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	set_sizes(&f, 4, 100, 100);
	fill(&f, 0, MIGRATE_MOVABLE, 6);
	drain_zone_pages(f.m, f.z, 0);
	assert_int_equal(f.pcp->count, 2);
	drain_zone_pages(f.m, f.z, 0);
	assert_int_equal(f.pcp->count, 0);
	shut_down(f.m);
}

/* high loses an eighth, but not more than (batch << scale) pages go; batch 1, so 32. */
static void decay(void **state)
{
	static const struct {
		s32 high, count, new_high, new_count;
	} cases[] = {
		{80, 10, 70, 10}, /* max(-22, 80 - 10, 16) */
		{80, 75, 70, 70}, /* max(43, 70, 16) */
		{80, 120, 88, 88}, /* max(88, 70, 16): it may even rise */
		{17, 17, 16, 16}, /* max(-15, 17 - 2, 16) */
		{16, 20, 16, 16}, /* not above high_min: only the excess goes */
	};
	struct fixture f;

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(cases); i++) {
		set_up(&f);
		set_sizes(&f, 1, 16, 400);
		SET(f.m, f.pcp->high, cases[i].high);
		fill(&f, 0, MIGRATE_MOVABLE, (u32)cases[i].count);
		decay_pcp_high(f.m, f.z, 0);
		assert_int_equal(f.pcp->high, cases[i].new_high);
		assert_int_equal(f.pcp->count, cases[i].new_count);
		shut_down(f.m);
	}
}

/* The excess goes in nominal steps of a batch: 2 of order 3, asked for 4 + 2, free 16 pages. */
static void decay_counts_nominally(void **state)
{
	struct fixture f;
	u32 locks;

	(void)state;
	set_up(&f);
	set_sizes(&f, 4, 10, 10);
	SET(f.m, f.pcp->high, 10);
	fill(&f, 3, MIGRATE_MOVABLE, 2);
	locks = count_events(&f.r, EV_ZONE_LOCK);
	decay_pcp_high(f.m, f.z, 0);
	assert_int_equal(f.pcp->count, 0);
	assert_int_equal(count_events(&f.r, EV_ZONE_LOCK) - locks, 2);
	shut_down(f.m);
}

/* Nobody else drains, expires or decays a list while its CPU holds it. */
static void held_list_stays(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	set_sizes(&f, 1, 4, 400);
	SET(f.m, f.pcp->high, 80);
	fill(&f, 0, MIGRATE_MOVABLE, 100);
	f.m->held.pcp = f.pcp;
	drain_zone_pages(f.m, f.z, 0);
	decay_pcp_high(f.m, f.z, 0);
	assert_int_equal(f.pcp->count, 100);
	assert_int_equal(f.pcp->high, 80);
	f.m->held.pcp = NULL;
	decay_pcp_high(f.m, f.z, 0);
	assert_int_equal(f.pcp->high, 70); /* as for 80, 75 above: max(68, 70, 4) */
	assert_int_equal(f.pcp->count, 70);
	shut_down(f.m);
}

/* Disabled, all CPUs are empty and stay so; enabled, the old sizes are back. */
static void disable_and_enable(void **state)
{
	struct fixture f;
	struct per_cpu_pages before;

	(void)state;
	set_up(&f);
	before = *f.pcp;
	assert_true(before.high_min > 0 && before.high_max >= before.high_min);
	fill(&f, 0, MIGRATE_MOVABLE, 3);
	f.pcp = zone_pcp(f.m, f.z, 1);
	fill(&f, 0, MIGRATE_MOVABLE, 2);
	zone_pcp_disable(f.m, f.z);
	for (u32 cpu = 0; cpu < 2; cpu++) {
		f.pcp = zone_pcp(f.m, f.z, cpu);
		assert_int_equal(f.pcp->count, 0);
		assert_int_equal(f.pcp->batch, 1);
		assert_int_equal(f.pcp->high_min, 0);
		assert_int_equal(f.pcp->high_max, 0);
	}
	assert_int_equal(f.m->global->drain_disabled_zones, 1);
	set_cpu(f.m, 1);
	free_one(&f, 0);
	assert_int_equal(f.pcp->count, 0);
	alloc_one(&f, 0);
	assert_int_equal(f.pcp->count, 0);

	zone_pcp_enable(f.m, f.z);
	assert_int_equal(f.m->global->drain_disabled_zones, 0);
	assert_int_equal(f.pcp->batch, before.batch);
	assert_int_equal(f.pcp->high_min, before.high_min);
	assert_int_equal(f.pcp->high_max, before.high_max);
	shut_down(f.m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bulk_exhausts_lists),
		cmocka_unit_test(bulk_overshoots),
		cmocka_unit_test(bulk_reads_the_type_again),
		cmocka_unit_test(drain_in_rounds),
		cmocka_unit_test(drains_of_all_cpus),
		cmocka_unit_test(expire_takes_a_batch),
		cmocka_unit_test(decay),
		cmocka_unit_test(decay_counts_nominally),
		cmocka_unit_test(held_list_stays),
		cmocka_unit_test(disable_and_enable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
