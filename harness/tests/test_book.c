/* SPDX-License-Identifier: GPL-2.0-only */
/* What happens to objects behind the case's back, and what the book tells the properties. */
#include "harness/tests/run_fixture.h"

/* ---- objects that are not there ------------------------------------------ */

/* After an allocation that failed, the ops on its object do nothing at all. */
static void test_skipped(void **state)
{
	u32 slot;

	(void)state;
	slot = add_alloc(2, GFP_KERNEL, 0);
	add_free(slot, 0);
	add_free(slot, OPF_BATCH);
	add_get(slot);
	add_piece(slot, 0, 0);
	add((struct op){.kind = OP_MARK, .a = slot, .b = PG_LRU});
	play();
	assert_int_equal(r.nr_skipped, 5);
	assert_int_equal(fake.nr_calls, 1);
	assert_int_equal(fake.begun, 1);
}

/* Reclaim inside another op takes the page away: its free is skipped. */
static void test_env_freed(void **state)
{
	u32 slot;

	(void)state;
	fake_give(&fake, 8);
	fake_give(&fake, 16);
	slot = add_alloc(1, GFP_KERNEL | __GFP_COMP, 0);
	add_alloc(1, GFP_KERNEL, 0);
	add_free(slot, 0);
	fake_event(&fake, 1, (struct event){.type = EV_ENV_FREED, .pfn = 8, .order = 1});
	play();
	assert_int_equal(r.nr_skipped, 1);
	assert_int_equal(fake.nr_calls, 2);
	assert_int_equal(r.book.held[8], HELD_NONE);
	assert_int_equal(r.book.held[16], HELD(1));
}

/* The page freed in the background of an op may be the one that this op was given. */
static void test_env_freed_at_end(void **state)
{
	(void)state;
	fake_give(&fake, 8);
	add_free(add_alloc(0, GFP_KERNEL, 0), 0);
	fake_event(&fake, FAKE_AT_END, (struct event){.type = EV_ENV_FREED, .pfn = 8});
	play();
	assert_int_equal(r.nr_skipped, 1);
	assert_nothing_held();
}

/* A moved object is freed where it is now. */
static void test_env_moved(void **state)
{
	u32 slot;

	(void)state;
	fake_give(&fake, 8);
	slot = add_alloc(2, GFP_KERNEL | __GFP_COMP, 0);
	add((struct op){.kind = OP_KCOMPACTD});
	add_free(slot, 0);
	fake_event(&fake, 1, (struct event){.type = EV_ENV_MOVED, .pfn = 8, .order = 2, .a = 60});
	run_init(&r, &c, &fake.subject, CHECK_NONE, NULL);
	run_step(&r);
	run_step(&r);
	assert_int_equal(r.book.held[8], HELD_NONE);
	assert_int_equal(r.book.held[60], HELD(2) | HELD_COMPOUND);
	run_finish(&r);
	assert_call(2, OP_FREE, 60, 2, 0);
	assert_nothing_held();
}

/* ---- what a subject must never do ---------------------------------------- */

static void assert_clash(u32 step)
{
	assert_int_equal(r.first.kind, FINDING_VIOLATION);
	assert_int_equal(r.first.step, step);
	assert_string_equal(r.first.violation.property->id, "partition");
	assert_int_equal(r.nr_violations, 1);
}

/* Pages 8..11 are held; 10 is inside, 8..15 goes around, 100 does not exist. */
static void test_handed_out_twice(void **state)
{
	const struct {
		u32 pfn, order;
	} rows[] = {{10, 0}, {8, 3}, {8, 2}, {100, 0}, {62, 2}};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		if (i) {
			teardown(state);
			setup(state);
		}
		fake_give(&fake, 8);
		fake_give(&fake, rows[i].pfn);
		add_alloc(2, GFP_KERNEL, 0);
		add_alloc(rows[i].order, GFP_KERNEL, 0);
		play();
		assert_clash(1);
	}
}

/* The neighbours of held pages may be handed out. */
static void test_neighbours_do_not_clash(void **state)
{
	(void)state;
	fake_give(&fake, 8);
	fake_give(&fake, 12);
	fake_give(&fake, 7);
	add_alloc(2, GFP_KERNEL, 0);
	add_alloc(2, GFP_KERNEL, 0);
	add_alloc(0, GFP_KERNEL, 0);
	play();
	assert_int_equal(r.first.kind, FINDING_NONE);
}

/* Contents cannot move to pages that are held. */
static void test_moved_onto_held(void **state)
{
	(void)state;
	fake_give(&fake, 8);
	fake_give(&fake, 16);
	add_alloc(0, GFP_KERNEL, 0);
	add_alloc(0, GFP_KERNEL, 0);
	fake_event(&fake, FAKE_AT_END, (struct event){.type = EV_ENV_MOVED, .pfn = 16, .a = 8});
	play();
	assert_clash(1);
}

/* ---- unmerged buddies (rule 10) ------------------------------------------ */

/*
 * Order-3 heads 16 and 24; an unreserve event names 16. Both may stay unmerged until one of them
 * is no head of that order any more.
 */
static void test_unmerged(void **state)
{
	(void)state;
	fake_free(&fake.v, 16, 3, MIGRATE_MOVABLE);
	fake_free(&fake.v, 24, 3, MIGRATE_MOVABLE);
	for (u32 i = 0; i < 3; i++)
		add_alloc(0, GFP_KERNEL, 0);
	fake_event(&fake, 0,
		   (struct event){.type = EV_UNRESERVE_HIGHATOMIC, .pfn = 16, .order = 3});
	run_init(&r, &c, &fake.subject, CHECK_NONE, NULL);
	assert_false(run_moment(&r).unmerged[16]);
	run_step(&r);
	assert_true(run_moment(&r).unmerged[16]);
	assert_true(run_moment(&r).unmerged[24]);
	run_step(&r);
	assert_true(run_moment(&r).unmerged[16]);
	fake.v.pages[24].flags &= (u16)~PG_BUDDY;
	run_step(&r);
	assert_false(run_moment(&r).unmerged[16]);
	assert_false(run_moment(&r).unmerged[24]);
}

/* Below pageblock_order whole blocks are re-listed, and their pieces were merged before. */
static void test_unmerged_below_block(void **state)
{
	(void)state;
	fake_free(&fake.v, 16, 2, MIGRATE_MOVABLE);
	fake_free(&fake.v, 20, 2, MIGRATE_MOVABLE);
	add_alloc(0, GFP_KERNEL, 0);
	fake_event(&fake, 0,
		   (struct event){.type = EV_UNRESERVE_HIGHATOMIC, .pfn = 16, .order = 2});
	play();
	assert_false(run_moment(&r).unmerged[16]);
}

/* ---- drained pcps (rule 33) ---------------------------------------------- */

static void play_drain(enum drain drain, u32 zone, u32 cpu)
{
	add((struct op){.kind = OP_DRAIN, .sub = (u8)drain, .a = zone, .b = cpu});
	play();
}

static void drain_event(u32 zone, u32 ran)
{
	fake_event(&fake, 0,
		   (struct event){.type = EV_DRAIN_ALL_PAGES, .zone = (u8)zone, .a = ran});
}

/* drain_all_pages() that ran has emptied every CPU's lists of its zone, or of all zones. */
static void test_drained_all(void **state)
{
	const struct {
		u32 zone, ran, nr;
	} rows[] = {{ZONE_ANY, 1, 2 * FAKE_CPUS}, {1, 1, FAKE_CPUS}, {ZONE_ANY, 0, 0}};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		if (i) {
			teardown(state);
			setup(state);
		}
		c.machine.nr_zones = fake.v.machine.nr_zones = 2;
		drain_event(rows[i].zone, rows[i].ran);
		play_drain(DRAIN_ALL, 0, 0);
		assert_int_equal(run_moment(&r).nr_drained, rows[i].nr);
		if (rows[i].zone == 1)
			assert_int_equal(run_moment(&r).drained[0].zone, 1);
	}
}

static void test_drained_one(void **state)
{
	(void)state;
	play_drain(DRAIN_CPU_ZONE, 0, 1);
	assert_int_equal(run_moment(&r).nr_drained, 1);
	assert_int_equal(run_moment(&r).drained[0].zone, 0);
	assert_int_equal(run_moment(&r).drained[0].cpu, 1);
}

static void test_drained_local(void **state)
{
	(void)state;
	fake.v.global.task.cpu = 1;
	play_drain(DRAIN_LOCAL, 0, 0);
	assert_int_equal(run_moment(&r).nr_drained, 1);
	assert_int_equal(run_moment(&r).drained[0].cpu, 1);
}

/* Expiry and decay may leave pages. */
static void test_drained_partly(void **state)
{
	(void)state;
	play_drain(DRAIN_EXPIRE, 0, 0);
	assert_int_equal(run_moment(&r).nr_drained, 0);
	teardown(state);
	setup(state);
	play_drain(DRAIN_DECAY, 0, 0);
	assert_int_equal(run_moment(&r).nr_drained, 0);
}

/* Pages freed in the background after the drain are on the lists again; so after other ops. */
static void test_drained_no_more(void **state)
{
	(void)state;
	drain_event(ZONE_ANY, 1);
	fake_event(&fake, FAKE_AT_END, (struct event){.type = EV_ENV_FREED, .pfn = 8});
	play_drain(DRAIN_ALL, 0, 0);
	assert_int_equal(run_moment(&r).nr_drained, 0);
	teardown(state);
	setup(state);
	drain_event(ZONE_ANY, 1);
	add_alloc(0, GFP_KERNEL, 0);
	play();
	assert_int_equal(run_moment(&r).nr_drained, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		fake_test(test_skipped),
		fake_test(test_env_freed),
		fake_test(test_env_freed_at_end),
		fake_test(test_env_moved),
		fake_test(test_handed_out_twice),
		fake_test(test_neighbours_do_not_clash),
		fake_test(test_moved_onto_held),
		fake_test(test_unmerged),
		fake_test(test_unmerged_below_block),
		fake_test(test_drained_all),
		fake_test(test_drained_one),
		fake_test(test_drained_local),
		fake_test(test_drained_partly),
		fake_test(test_drained_no_more),
	};

	return cmocka_run_group_tests_name("book", tests, NULL, NULL);
}
