/* SPDX-License-Identifier: GPL-2.0-only */
/* What a real kernel reports of itself: which property fails, and what is its caller's fault. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/gfp.h"
#include "properties/judge.h"
#include "properties/list.h"
#include "properties/tests/world.h"

static const struct property *const of_kernel[] = {&prop_kernel_warn, &prop_kernel_bad_page,
						   &prop_kernel_bug};
static struct world w;
static struct judge *judge;

static int setup(void **state)
{
	(void)state;
	world_build(&w);
	judge = judge_create(&w.view, of_kernel, ARRAY_SIZE(of_kernel), PROMISE_KERNEL);
	return !judge;
}

static int teardown(void **state)
{
	(void)state;
	judge_destroy(judge);
	return 0;
}

static void report(enum trouble_kind kind, const struct request *rq)
{
	struct trouble t = {.kind = kind, .view = &w.view, .request = rq, .text = "mm/x.c:12"};

	judge_reset(judge);
	judge_trouble(judge, &t);
}

static void each_has_its_property(void **state)
{
	static const struct request alloc = {.kind = REQUEST_ALLOC, .gfp = GFP_KERNEL};

	(void)state;
	for (u32 kind = TROUBLE_WARN; kind <= TROUBLE_BUG; kind++) {
		report((enum trouble_kind)kind, kind == TROUBLE_BUG ? NULL : &alloc);
		assert_int_equal(judge_nr_violations(judge), 1);
		assert_ptr_equal(judge_violation(judge, 0)->property, of_kernel[kind]);
		assert_non_null(strstr(judge_violation(judge, 0)->why, "mm/x.c:12"));
	}
}

/* A WARN that a request asks for is excused; a BUG never is, and a free asks for nothing. */
static void callers_faults_are_excused(void **state)
{
	const struct request faults[] = {
		{.kind = REQUEST_ALLOC, .gfp = GFP_KERNEL | __GFP_NOFAIL},
		{.kind = REQUEST_ALLOC, .gfp = GFP_KERNEL | __GFP_MOVABLE | __GFP_RECLAIMABLE},
		{.kind = REQUEST_ALLOC,
		 .gfp = GFP_KERNEL,
		 .order = (u8)(w.view.machine->max_page_order + 1)},
	};
	struct request rq;

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(faults); i++) {
		report(TROUBLE_WARN, &faults[i]);
		assert_int_equal(judge_nr_violations(judge), 0);
		assert_int_equal(judge_counts(judge)[0].excused, i + 1);
		report(TROUBLE_BUG, &faults[i]);
		assert_int_equal(judge_nr_violations(judge), 1);
		rq = faults[i];
		rq.kind = REQUEST_FREE;
		report(TROUBLE_WARN, &rq);
		assert_int_equal(judge_nr_violations(judge), 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(each_has_its_property, setup, teardown),
		cmocka_unit_test_setup_teardown(callers_faults_are_excused, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
