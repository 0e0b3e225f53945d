/* SPDX-License-Identifier: GPL-2.0-only */
/* Which pages a text names, and which ops are said to have touched them last. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "harness/touched.h"

static struct machine machine;
static struct view view = {.nr_pages = 4096, .machine = &machine};
static struct touched t;

static int setup(void **state)
{
	(void)state;
	machine_init(&machine);
	return 0;
}

static void assert_range(u32 i, u32 start, u32 end)
{
	assert_true(i < t.nr);
	assert_int_equal(t.ranges[i].start, start);
	assert_int_equal(t.ranges[i].end, end);
}

static void assert_ops(u32 i, u32 last, u32 before)
{
	assert_int_equal(t.ranges[i].ops[0], last);
	assert_int_equal(t.ranges[i].ops[1], before);
}

/* A number behind "page", "pages", "buddy", "block" is a page; other numbers are not. */
static void test_names(void **state)
{
	(void)state;
	touched_init(
		&t,
		"free pages 512..1023 (node 0 Normal, order 9, Movable), but the block of page "
		"700 is CMA, page 700 again",
		&view);
	assert_int_equal(t.nr, 2);
	assert_range(0, 512, 1024);
	assert_range(1, 700, 701);
	touched_init(&t, "buddy 8 of order 3 was claimed, block 1024 of it is Movable", &view);
	assert_int_equal(t.nr, 2);
	assert_range(0, 8, 9);
	assert_range(1, 1024, 1536);
}

/* What is no page of the machine is left out, and what does not fit is cut off. */
static void test_no_pages(void **state)
{
	(void)state;
	touched_init(&t, "node 0 Normal: NR_FREE_PAGES is 77, 12 pages on the lists, order 4",
		     &view);
	assert_int_equal(t.nr, 0);
	touched_init(&t, "page 4096, page x, pages 9..8, page -1, page", &view);
	assert_int_equal(t.nr, 0);
	touched_init(&t, "pages 4000..5000", &view);
	assert_range(0, 4000, 4096);
	touched_init(&t, "", &view);
	assert_int_equal(t.nr, 0);
}

static void event(u32 op, struct event e)
{
	t.op = op;
	t.observer.event(t.observer.ctx, &e);
}

/*
 *      8        12       16
 *      [  named   ]            op 0 allocates 8..11, op 1 frees 16..31, op 2 moves 0 to 9
 */
static void test_events(void **state)
{
	(void)state;
	touched_init(&t, "pages 8..15", &view);
	assert_ops(0, TOUCHED_NOBODY, TOUCHED_NOBODY);
	event(0, (struct event){.type = EV_MM_PAGE_ALLOC, .pfn = 8, .order = 2});
	event(0, (struct event){.type = EV_MM_PAGE_FREE, .pfn = 12, .order = -1});
	assert_ops(0, 0, TOUCHED_NOBODY);
	event(1, (struct event){.type = EV_MM_PAGE_FREE, .pfn = 16, .order = 4});
	assert_ops(0, 0, TOUCHED_NOBODY);
	event(2, (struct event){.type = EV_ENV_MOVED, .pfn = 0, .a = 9});
	assert_ops(0, 2, 0);
	event(3, (struct event){.type = EV_MM_PAGE_ALLOC, .pfn = PFN_NONE, .order = 9});
	assert_ops(0, 2, 0);
}

/* A claim moves what is free in the block of the page, a steal the rest of the buddy. */
static void test_extfrag(void **state)
{
	struct event steal = {.type = EV_MM_PAGE_ALLOC_EXTFRAG, .pfn = 16, .a = 3};
	struct event claim = {.type = EV_MM_PAGE_ALLOC_EXTFRAG, .pfn = 16, .a = 3, .gfp = 1};

	(void)state;
	touched_init(&t, "page 23 and page 24", &view);
	event(5, steal);
	assert_ops(0, 5, TOUCHED_NOBODY);
	assert_ops(1, TOUCHED_NOBODY, TOUCHED_NOBODY);
	event(6, claim);
	assert_ops(0, 6, 5);
	assert_ops(1, 6, TOUCHED_NOBODY);
}

/* Isolating and marking have no event: the op itself says what it touches. */
static void test_ops(void **state)
{
	struct op ops[] = {
		{.kind = OP_ISOLATE, .a = 0, .b = 512},
		{.kind = OP_MARK, .a = 0},
		{.kind = OP_SYSCTL, .a = 4},
	};
	struct testcase c = {.ops = ops, .nr_ops = ARRAY_SIZE(ops)};
	struct object object = {.first = 0, .nr = 1};
	struct extent extent = {.pfn = 512, .order = 3, .flags = EXTENT_LIVE};
	struct run r = {.c = &c, .book = {.objects = &object, .extents = &extent}};

	(void)state;
	touched_init(&t, "page 4 page 515", &view);
	for (r.step = 0; r.step < ARRAY_SIZE(ops); r.step++)
		touched_op(&t, &r);
	assert_ops(0, 0, TOUCHED_NOBODY);
	assert_ops(1, 1, TOUCHED_NOBODY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_names, setup),
		cmocka_unit_test_setup(test_no_pages, setup),
		cmocka_unit_test_setup(test_events, setup),
		cmocka_unit_test_setup(test_extfrag, setup),
		cmocka_unit_test_setup(test_ops, setup),
	};

	return cmocka_run_group_tests_name("touched", tests, NULL, NULL);
}
