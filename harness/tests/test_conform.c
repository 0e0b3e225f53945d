/* SPDX-License-Identifier: GPL-2.0-only */
/* What becomes of divergences: counted by sort, made small, shown; and machines made to fit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/conform.h"
#include "harness/script.h"
#include "harness/state_text.h"
#include "harness/tests/lying_subject.h"

static struct conform s;
static struct testcase c;
static char *shown;
static size_t shown_size;

static int setup(void **state)
{
	(void)state;
	conform_init(&s, open_text(&shown, &shown_size), "lying", "port:v7.3");
	s.lockstep.create = lying_subject_create;
	case_init(&c);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	close_text(s.out);
	free(shown);
	conform_exit(&s);
	case_free(&c);
	return 0;
}

static void play(const char *script)
{
	char err[CASE_ERROR_SIZE];

	case_free(&c);
	case_init(&c);
	if (!script_parse("a", script, strlen(script), &c, err))
		fail_msg("%s", err);
	assert_null(conform_play(&s, &c, "a", "a"));
	fflush(s.out);
}

static void assert_shown(const char *text)
{
	if (!strstr(shown, text))
		fail_msg("not shown: %s\nbut: %s", text, shown);
}

#define MACHINE "buddycheck script 1\nzone 0 Normal start 0 pages 4096\n---\n"
#define ALLOC(name) name " = alloc order 0 node 0 gfp GFP_KERNEL\n"

/* The lie is about op 2, whatever it is: two ops have to stay. The state is looked at each time. */
static void test_shrinks(void **state)
{
	(void)state;
	lie_about(LIE_STATE_BLOCK, 1);
	play(MACHINE ALLOC("a") ALLOC("b") ALLOC("c") ALLOC("d") "free b\nfree a\nfree c\n");
	assert_int_equal(s.divergences, 1);
	assert_int_equal(s.ops, 7); /* before it was shrunk */
	assert_int_equal(c.nr_ops, 2);
	assert_shown("a: op 2: view: pfn ");
	assert_shown("7 ops shrunk to 2, ");
	assert_shown("\nthe state after it: 1 differences\n");
}

/* While it shrinks, a request that never ends has little fuel; the script need not say so. */
static void test_fuel(void **state)
{
	(void)state;
	lie_about(LIE_PFN, 0);
	play("buddycheck script 1\nzone 0 Normal start 0 pages 64\nfuel 4096\n---\n"
	     "a = alloc order 10 node 0 gfp GFP_KERNEL|__GFP_NOFAIL\n");
	assert_int_equal(c.nr_ops, 1);
	assert_int_equal(c.machine.fuel, 512);
}

static void test_sorts(void **state)
{
	(void)state;
	lie_about(LIE_PFN, 0);
	play(MACHINE ALLOC("a"));
	play(MACHINE ALLOC("a"));
	lie_about(LIE_WAKES, 0);
	lockstep_exit(&s.lockstep); /* the liars are made anew */
	lockstep_init(&s.lockstep, "lying", "port:v7.3");
	s.lockstep.create = lying_subject_create;
	play(MACHINE ALLOC("a"));
	assert_int_equal(s.divergences, 3);
	assert_int_equal(s.nr_groups, 2);
	assert_int_equal(s.groups[0].nr, 2);
	conform_summary(&s);
	fflush(s.out);
	assert_shown("\n       2 x result: pfn\n       1 x calls: wakeup_kswapd\n");
}

/* A subject whose reset is not exact diverges once; the case has no part in it. */
static void test_unrepeatable(void **state)
{
	(void)state;
	lie_about(LIE_ONCE, 0);
	play(MACHINE ALLOC("a") ALLOC("b"));
	assert_int_equal(s.divergences, 1);
	assert_string_equal(shown, "a: op 1: result: pfn: 1, 0 (not when it was played again) "
				   "(not the second time)\n");
	assert_int_equal(c.nr_ops, 2);
}

/* As for a subject that has one order of pageblocks. */
static void fit(void *ctx, struct machine *m)
{
	u32 *calls = ctx;

	assert_int_equal(!m->nr_zones, *calls % 2 == 0);
	++*calls;
	m->pageblock_order = m->pmd_order = 9;
	m->max_page_order = 10;
	m->gigantic_order = 11;
	m->nr_ranges = 0;
}

static void test_machines_fit(void **state)
{
	u32 calls = 0;
	struct machine_fitter fitter = {fit, &calls};

	(void)state;
	lie_about(LIE_NONE, 0);
	s.fitter = &fitter;
	for (u64 seed = 0; seed < 8; seed++) {
		assert_null(conform_generate(&s, seed, &c));
		assert_int_equal(c.machine.pageblock_order, 9);
		/* What the liar does not play. */
		assert_int_equal(c.nr_nested, 0);
		for (u32 i = 0; i < c.nr_ops; i++)
			assert_int_not_equal(c.ops[i].kind, OP_KCOMPACTD);
		/* Zones are drawn for the orders: two of the largest buddies at least, DMA aside. */
		for (u32 i = 0; i < c.machine.nr_zones; i++)
			assert_true(c.machine.zones[i].type == ZONE_DMA ||
				    c.machine.zones[i].pages >= 2048);
		assert_null(conform_play(&s, &c, "a", "a"));
	}
	assert_int_equal(calls, 16);
	assert_int_equal(s.cases, 8);
	assert_int_equal(s.divergences, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_shrinks, setup, teardown),
		cmocka_unit_test_setup_teardown(test_fuel, setup, teardown),
		cmocka_unit_test_setup_teardown(test_sorts, setup, teardown),
		cmocka_unit_test_setup_teardown(test_unrepeatable, setup, teardown),
		cmocka_unit_test_setup_teardown(test_machines_fit, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
