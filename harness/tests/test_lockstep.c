/* SPDX-License-Identifier: GPL-2.0-only */
/* Two subjects that do the same; and every way in which they may not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/generate.h"
#include "harness/lockstep.h"
#include "harness/lockstep_show.h"
#include "harness/script.h"
#include "harness/state_text.h"
#include "harness/tests/lying_subject.h"

static struct lockstep l;
static struct divergence d;
static struct testcase c;

/* The first Unmovable page of a fresh zone is page 0, its pcp list goes on with 1, 2, ... (spec 12). */
#define MACHINE "buddycheck script 1\nzone 0 Normal start 0 pages 4096\n---\n"
#define OPS                                           \
	"a = alloc order 0 node 0 gfp GFP_KERNEL\n"   \
	"b = alloc_bulk nr 4 node 0 gfp GFP_KERNEL\n" \
	"sysctl defrag_mode 1\n"                      \
	"free a\n"

static void load(const char *script)
{
	char err[CASE_ERROR_SIZE];

	case_free(&c);
	case_init(&c);
	if (!script_parse("a", script, strlen(script), &c, err))
		fail_msg("%s", err);
}

static void begin(const char *left, const char *right)
{
	lockstep_exit(&l);
	lockstep_init(&l, left, right);
	l.create = lying_subject_create;
	l.view_every = 1;
}

static int setup(void **state)
{
	(void)state;
	lockstep_init(&l, "lying", "port:v7.3");
	case_init(&c);
	begin("lying", "port:v7.3");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	lockstep_exit(&l);
	case_free(&c);
	return 0;
}

/* ---- agreement ----------------------------------------------------------- */

/* Over machines and ops of every sort, the port does what the port does. */
static void test_agrees_with_itself(void **state)
{
	u64 nr_ops = 0;

	(void)state;
	begin("port:v7.3", "port:v7.3");
	for (u64 seed = 0; seed < 200; seed++) {
		generate_case(seed, 48, &c);
		assert_null(lockstep_play(&l, &c, &d));
		if (d.kind)
			fail_msg("seed %u: %s", (unsigned int)seed, d.text);
		nr_ops += 48;
	}
	assert_int_equal(l.nr_ops, nr_ops);
}

/* What a case expects does not count, nor does who plays it. */
static void test_expectations_do_not_count(void **state)
{
	(void)state;
	begin("port:v7.3", "port:v7.3");
	load(MACHINE "a = alloc order 0 node 0 gfp GFP_KERNEL => 77\nfree a\n---\n"
		     "pageblocks 0 Normal : 2\n");
	assert_null(lockstep_play(&l, &c, &d));
	assert_int_equal(d.kind, DIVERGENCE_NONE);
	assert_int_equal(l.nr_ops, 2);
}

/* ---- lies ---------------------------------------------------------------- */

static const struct {
	enum lie lie;
	u32 op;
	enum divergence_kind kind;
	const char *what, *text;
} lies[] = {
	{LIE_PFN, 0, DIVERGENCE_RESULT, "pfn", "pfn: 1, 0"},
	{LIE_ONE_OF_BULK, 1, DIVERGENCE_RESULT, "a page", "a page: 104, 4"},
	{LIE_NR, 1, DIVERGENCE_RESULT, "nr", "nr: 5, 4"},
	{LIE_ERROR, 2, DIVERGENCE_RESULT, "error", "error: -16, 0"},
	{LIE_EVENT_FIELD, 0, DIVERGENCE_EVENT, "mm_page_alloc.gfp", NULL},
	{LIE_EVENT_DROPPED, 0, DIVERGENCE_EVENT, "nothing / mm_page_alloc", NULL},
	{LIE_EVENT_MORE, 2, DIVERGENCE_EVENT, "wakeup_kswapd / nothing", "event 1"},
	{LIE_RECLAIM, 0, DIVERGENCE_CALLS, "reclaim", "reclaim: 1, 0"},
	{LIE_WAKES, 2, DIVERGENCE_CALLS, "wakeup_kswapd", "wakeup_kswapd: 1, 0"},
	{LIE_WARNINGS, 3, DIVERGENCE_CALLS, "warnings", "warnings: 1, 0"},
	{LIE_FUEL, 0, DIVERGENCE_CALLS, "out of fuel", "out of fuel: 1, 0"},
	{LIE_STATE_COUNTER, 0, DIVERGENCE_VIEW, "nr_free_pages", NULL},
	{LIE_STATE_PCP, 1, DIVERGENCE_VIEW, "count", NULL},
	{LIE_STATE_LIST, 2, DIVERGENCE_VIEW, "free_list",
	 "node 0 zone Normal order 10 Movable entry 1: free_list: pfn 2048, pfn 1024"},
	{LIE_STATE_PAGE, 3, DIVERGENCE_VIEW, "page->_refcount", NULL},
	{LIE_STATE_BLOCK, 0, DIVERGENCE_VIEW, "pageblock",
	 "pfn 3584: pageblock: Reclaimable, Movable"},
	{LIE_STATE_SYSCTL, 2, DIVERGENCE_VIEW, "defrag_mode", "defrag_mode: 0, 1"},
	{LIE_BOOT, 0, DIVERGENCE_BOOT, "nr_free_pages",
	 "node 0 zone Normal: nr_free_pages: 4097, 4096"},
};

/* Each is found at its op, and is what is said, whoever lies. */
static void test_lies(void **state)
{
	for (u32 i = 0; i < ARRAY_SIZE(lies); i++) {
		lie_about(lies[i].lie, lies[i].op);
		begin("lying", "port:v7.3");
		load(MACHINE OPS);
		assert_null(lockstep_play(&l, &c, &d));
		if (d.kind != lies[i].kind)
			fail_msg("lie %u: %s", lies[i].lie, d.text);
		assert_string_equal(d.what, lies[i].what);
		if (lies[i].text)
			assert_string_equal(d.text, lies[i].text);
		assert_int_equal(d.step,
				 lies[i].kind == DIVERGENCE_BOOT ? STEP_MACHINE : lies[i].op);
		begin("port:v7.3", "lying");
		assert_null(lockstep_play(&l, &c, &d));
		assert_int_equal(d.kind, lies[i].kind);
		teardown(state);
		setup(state);
	}
}

/* Without a lie the same two agree: it is the lie that is found. */
static void test_liar_agrees_otherwise(void **state)
{
	(void)state;
	lie_about(LIE_NONE, 0);
	load(MACHINE OPS);
	assert_null(lockstep_play(&l, &c, &d));
	assert_int_equal(d.kind, DIVERGENCE_NONE);
}

/* The state is looked at after each so many ops, and at the end. */
static void test_view_every(void **state)
{
	(void)state;
	lie_about(LIE_STATE_BLOCK, 0);
	load(MACHINE OPS);
	l.view_every = 3;
	assert_null(lockstep_play(&l, &c, &d));
	assert_int_equal(d.step, 2);
	l.view_every = 0;
	assert_null(lockstep_play(&l, &c, &d));
	assert_int_equal(d.step, 3);
}

/* Events that the mask leaves out do not count. */
static void test_mask(void **state)
{
	(void)state;
	lie_about(LIE_EVENT_MORE, 2); /* an inner event */
	load(MACHINE OPS);
	l.events = EV_PUBLIC;
	assert_null(lockstep_play(&l, &c, &d));
	assert_int_equal(d.kind, DIVERGENCE_NONE);
	l.events = EV_ALL;
	assert_null(lockstep_play(&l, &c, &d));
	assert_int_equal(d.kind, DIVERGENCE_EVENT);
}

/* ---- policies ------------------------------------------------------------ */

/* With V1 a costly NORETRY request does not reclaim (spec 6.2); other requests are as before. */
static void test_policies(void **state)
{
	(void)state;
	begin("port:v7.3+V1", "port:v7.3");
	load("buddycheck script 1\nzone 0 Normal start 0 pages 512\n---\n"
	     "a = alloc order 9 node 0 gfp GFP_KERNEL\n");
	assert_null(lockstep_play(&l, &c, &d));
	assert_int_equal(d.kind, DIVERGENCE_NONE);
	load("buddycheck script 1\nzone 0 Normal start 0 pages 512\n---\n"
	     "a = alloc order 9 node 0 gfp GFP_KERNEL|__GFP_NORETRY\n");
	assert_null(lockstep_play(&l, &c, &d));
	assert_int_equal(d.kind, DIVERGENCE_CALLS);
	assert_string_equal(d.text, "reclaim: 0, 1");
}

/* ---- what is not played -------------------------------------------------- */

static void test_refusals(void **state)
{
	(void)state;
	load(MACHINE OPS);
	begin("kernel:x", "port:v7.3");
	assert_non_null(lockstep_play(&l, &c, &d));
	begin("port:v7.3", "port:x");
	assert_non_null(lockstep_play(&l, &c, &d));
}

/* What one of the two does not play is refused, or left out with what depends on it. */
static void test_unplayed(void **state)
{
	static const char *const scripts[] = {
		MACHINE "at slowpath cpu 0: drain all\na = alloc order 10 node 0 gfp GFP_KERNEL\n",
		MACHINE "kcompactd node 0\na = alloc order 0 node 0 gfp GFP_KERNEL\nfree a\n",
	};

	(void)state;
	lie_about(LIE_NONE, 0);
	for (u32 i = 0; i < ARRAY_SIZE(scripts); i++) {
		load(scripts[i]);
		assert_non_null(lockstep_play(&l, &c, &d));
		assert_null(lockstep_ready(&l, &c.machine));
		assert_true(lockstep_fit(&l, &c));
		assert_int_equal(c.nr_nested, 0);
		assert_int_equal(c.nr_ops, 1 + i);
		assert_null(lockstep_play(&l, &c, &d));
	}
	load(MACHINE "kcompactd node 0\n");
	assert_null(lockstep_ready(&l, &c.machine));
	assert_false(lockstep_fit(&l, &c));
}

/* Three and more pages in a row are shown by the first and the last. */
static void test_runs_of_pages(void **state)
{
	char *text;
	size_t size;
	FILE *out = open_text(&text, &size);

	(void)state;
	lie_about(LIE_ONE_OF_BULK, 0);
	begin("lying", "port:v7.3");
	load(MACHINE "b = alloc_bulk nr 8 node 0 gfp GFP_KERNEL\n");
	assert_null(lockstep_play(&l, &c, &d));
	assert_int_equal(d.kind, DIVERGENCE_RESULT);
	lockstep_show(out, &l, &c, &d);
	close_text(out);
	lie_about(LIE_NONE, 0);
	if (!strstr(text, "* returns 8 of 0..6 107 ") || !strstr(text, " returns 8 of 0..7\n"))
		fail_msg("%s", text);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_agrees_with_itself, setup, teardown),
		cmocka_unit_test_setup_teardown(test_expectations_do_not_count, setup, teardown),
		cmocka_unit_test_setup_teardown(test_lies, setup, teardown),
		cmocka_unit_test_setup_teardown(test_liar_agrees_otherwise, setup, teardown),
		cmocka_unit_test_setup_teardown(test_view_every, setup, teardown),
		cmocka_unit_test_setup_teardown(test_mask, setup, teardown),
		cmocka_unit_test_setup_teardown(test_policies, setup, teardown),
		cmocka_unit_test_setup_teardown(test_refusals, setup, teardown),
		cmocka_unit_test_setup_teardown(test_unplayed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_runs_of_pages, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
