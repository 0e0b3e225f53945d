/* SPDX-License-Identifier: GPL-2.0-only */
/* What is counted of which event, and what follows from the counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/gate/gate_differences.h"

static struct testcase c;
static struct run run;
static struct gate_tally tally;

static int setup(void **state)
{
	static const struct op op = {.kind = OP_ALLOC, .out = SLOT_NONE};

	(void)state;
	machine_init(&c.machine);
	run = (struct run){.c = &c};
	gate_tally_init(&tally, &run);
	gate_tally_begin_case(&tally);
	gate_tally_begin(&tally, &op);
	return 0;
}

static void tell(struct event e)
{
	assert_true(tally.observer.mask & EV_BIT(e.type));
	tally.observer.event(tally.observer.ctx, &e);
}

static u64 of_class(enum gate_class class, bool costly, enum gate_class_count count)
{
	return tally.classes.n[class + (costly ? NR_GFP_CLASSES : 0)][count];
}

static void end_request(u32 gfp, s8 order, u32 pfn)
{
	tell((struct event){.type = EV_MM_PAGE_ALLOC, .gfp = gfp, .order = order, .pfn = pfn});
}

static void call(enum env_call which, u8 zone)
{
	tell((struct event){.type = EV_ENV_CALL, .a = which, .zone = zone});
}

/* What a request costs is its own, and of its class. */
static void test_classes(void **state)
{
	(void)state;
	call(ENV_RECLAIM, ZONE_ANY);
	call(ENV_COMPACT, 0); /* a zone on the way of the next */
	call(ENV_COMPACT, ZONE_ANY);
	tell((struct event){.type = EV_WAKEUP_KSWAPD});
	tell((struct event){.type = EV_WAKEUP_KSWAPD});
	end_request(GFP_KERNEL | __GFP_NORETRY, 4, PFN_NONE);
	end_request(GFP_KERNEL | __GFP_NORETRY, 3, 8);
	call(ENV_COMPACT, ZONE_ANY);
	end_request(GFP_TRANSHUGE | __GFP_NORETRY | __GFP_THISNODE, 9, 512);
	end_request(GFP_KERNEL | __GFP_NORETRY | __GFP_NOFAIL, 4, 16);
	end_request(GFP_KERNEL, 4, 16);

	assert_int_equal(of_class(CLASS_NORETRY, true, OF_REQUESTS), 1);
	assert_int_equal(of_class(CLASS_NORETRY, true, OF_FAILURES), 1);
	assert_int_equal(of_class(CLASS_NORETRY, true, OF_RECLAIM), 1);
	assert_int_equal(of_class(CLASS_NORETRY, true, OF_COMPACT), 1);
	assert_int_equal(of_class(CLASS_NORETRY, true, OF_WAKING), 1);
	assert_int_equal(of_class(CLASS_NORETRY, false, OF_REQUESTS), 1);
	assert_int_equal(of_class(CLASS_NORETRY, false, OF_RECLAIM), 0);
	assert_int_equal(of_class(CLASS_NORETRY_THISNODE, true, OF_COMPACT), 1);
	assert_int_equal(of_class(CLASS_NORETRY_NOFAIL, true, OF_REQUESTS), 1);
	assert_int_equal(of_class(CLASS_OTHER, true, OF_REQUESTS), 1);
	assert_int_equal(tally.op.n[COUNT_KSWAPD], 2);
	assert_int_equal(tally.op.n[COUNT_COMPACT], 2);
	assert_int_equal(tally.op.n[COUNT_FAILED + 4], 1);
}

/* A request of another CPU inside of one does not pay for it. */
static void test_nested(void **state)
{
	(void)state;
	call(ENV_RECLAIM, ZONE_ANY);
	run.in_nested = true;
	end_request(GFP_ATOMIC, 0, 8);
	run.in_nested = false;
	end_request(GFP_KERNEL | __GFP_NORETRY, 0, 8);
	assert_int_equal(of_class(CLASS_OTHER, false, OF_RECLAIM), 0);
	assert_int_equal(of_class(CLASS_NORETRY, false, OF_RECLAIM), 1);
}

/* gfp of this event: the block changed hands. */
static void extfrag(bool claim, u32 mt, u32 order)
{
	tell((struct event){.type = EV_MM_PAGE_ALLOC_EXTFRAG, .gfp = claim, .a = order, .b = mt});
}

static void test_extfrag(void **state)
{
	(void)state;
	extfrag(true, MIGRATE_UNMOVABLE, 9); /* a whole block mixes nothing */
	extfrag(true, MIGRATE_UNMOVABLE, 8);
	extfrag(false, MIGRATE_MOVABLE, 0);
	extfrag(false, MIGRATE_RECLAIMABLE, 0);
	end_request(GFP_KERNEL, 0, 8);
	assert_int_equal(tally.op.n[COUNT_CLAIM], 2);
	assert_int_equal(tally.op.n[COUNT_STEAL], 1);
	assert_int_equal(tally.op.n[COUNT_POLLUTE], 1);
	assert_int_equal(of_class(CLASS_OTHER, false, OF_MIXING), 3);
}

static void hold(u32 pages, u32 looks, u32 mt)
{
	tell((struct event){.type = EV_ZONE_LOCK});
	for (u32 i = 0; i < pages; i++)
		tell((struct event){.type = EV_MM_PAGE_ALLOC_ZONE_LOCKED, .a = mt});
	tell((struct event){.type = EV_ZONE_UNLOCK, .a = looks});
}

static void test_locks(void **state)
{
	u64 m[NR_GATE_METRICS];

	(void)state;
	for (u32 i = 0; i < 99; i++)
		hold(1, 2, MIGRATE_MOVABLE);
	hold(700, 0, MIGRATE_HIGHATOMIC);
	gate_metrics_of(&tally.op, m);
	assert_int_equal(m[METRIC_HOLDS], 100);
	assert_int_equal(m[METRIC_WORK], 99 * 3 + 700);
	assert_int_equal(m[METRIC_WORK_P99], 3);
	assert_int_equal(m[METRIC_WORK_MAX], 700);
	assert_int_equal(m[METRIC_RESERVE], 700);
	hold(0, 700, MIGRATE_MOVABLE); /* 2 of 101: above the 99th percentile no more */
	gate_metrics_of(&tally.op, m);
	assert_int_equal(m[METRIC_WORK_P99], 700);
}

/* A drain that the case asks for is nobody's cost. */
static void test_drains(void **state)
{
	static const struct op drain = {.kind = OP_DRAIN, .out = SLOT_NONE};

	(void)state;
	tell((struct event){.type = EV_DRAIN_ALL_PAGES, .a = 1});
	tell((struct event){.type = EV_DRAIN_ALL_PAGES, .a = 0}); /* another one was running */
	assert_int_equal(tally.op.n[COUNT_DRAIN_ALL], 1);
	gate_tally_begin(&tally, &drain);
	tell((struct event){.type = EV_DRAIN_ALL_PAGES, .a = 1});
	assert_int_equal(tally.op.n[COUNT_DRAIN_ALL], 0);
}

/* ---- differences --------------------------------------------------------- */

static struct gate_costs costs[2];
static struct gate_outcome outcomes[2];

static u64 kinds(void)
{
	return gate_differences(&outcomes[0], &outcomes[1]);
}

static const char *name_of(u64 kind)
{
	static char name[64];

	return gate_kind_name((u32)__builtin_ctzll(kind), name);
}

static void test_differences(void **state)
{
	(void)state;
	for (u32 i = 0; i < 2; i++) {
		costs[i] = (struct gate_costs){0};
		outcomes[i] = (struct gate_outcome){.pages = 1, .costs = &costs[i]};
	}
	assert_int_equal(kinds(), 0);

	costs[1].n[COUNT_WORK] = 1;
	assert_string_equal(name_of(kinds()), "lock work: more");
	outcomes[1].placement = 1; /* more lock work is no wonder then */
	assert_int_equal(kinds(), KIND_BIT(KIND_PLACEMENT));
	outcomes[1].pages = 0;
	assert_int_equal(kinds(), KIND_BIT(KIND_FAILS));
	outcomes[0].pages = 0;
	outcomes[1].pages = 1;
	assert_int_equal(kinds(), KIND_BIT(KIND_SUCCEEDS));
	outcomes[0].pages = 1;
	costs[0].n[COUNT_RECLAIM] = 2;
	costs[1].n[COUNT_RECLAIM] = 1;
	assert_string_equal(name_of(kinds()), "direct reclaim: fewer");
	assert_string_equal(gate_kind_group((u32)__builtin_ctzll(kinds())), "stalls");

	/* An op that has no object on one side is not compared. */
	outcomes[0].skipped = true;
	assert_int_equal(kinds(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_classes, setup),
		cmocka_unit_test_setup(test_nested, setup),
		cmocka_unit_test_setup(test_extfrag, setup),
		cmocka_unit_test_setup(test_locks, setup),
		cmocka_unit_test_setup(test_drains, setup),
		cmocka_unit_test(test_differences),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
