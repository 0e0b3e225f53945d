/* SPDX-License-Identifier: GPL-2.0-only */
/* What a session's subject makes of a case that an engine has made. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "harness/fuzz_subject.h"
#include "harness/machine_fit.h"
#include "harness/run_fit.h"

static void names(void **state)
{
	static const char *const bad[] = {"v7.3", "port:nope", "kernel:/nonexistent.so", ""};
	struct fuzz_subject s;

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(bad); i++)
		assert_non_null(fuzz_subject_parse(&s, bad[i]));
	assert_null(fuzz_subject_parse(&s, NULL));
	assert_false(s.has_policy);
	assert_null(s.kernel);
	assert_null(fuzz_subject_parse(&s, "port:v7.3+V1"));
	assert_true(s.has_policy && s.policy.v1);
	assert_null(s.kernel);
}

static void is_a_port(void **state)
{
	struct fuzz_subject named, any;
	struct testcase c;

	(void)state;
	fuzz_subject_parse(&named, "port:v7.3+V1");
	fuzz_subject_parse(&any, NULL);
	case_init(&c);
	generate_case(1, 4, &c);
	c.machine.policy.v1 = false;
	assert_true(fuzz_subject_fit(&any, &c));
	assert_false(c.machine.policy.v1);
	assert_true(fuzz_subject_fit(&named, &c));
	assert_true(c.machine.policy.v1);
	assert_int_equal(c.nr_ops, 4);
	case_free(&c);
}

/* A kernel for one CPU and a single node. */
static void shrink_machine(void *ctx, struct machine *m)
{
	(*(u32 *)ctx)++;
	m->nr_cpus = 1;
	m->cpu_node[1] = 0;
}

static const struct op switch_to_cpu1 = {.kind = OP_CPU, .out = SLOT_NONE, .a = 1};

/* Ops come into the ranges of the machine that the subject can be. */
static void is_another_machine(void **state)
{
	u32 calls = 0;
	const struct machine_fitter fitter = {.fit = shrink_machine, .ctx = &calls};
	struct testcase c;

	(void)state;
	case_init(&c);
	machine_init(&c.machine);
	c.machine.nr_cpus = 2;
	machine_add_zone(&c.machine, 0, ZONE_NORMAL, 0, 1024);
	case_add_op(&c, &switch_to_cpu1);
	assert_null(case_check(&c, &(u32){0}));
	assert_true(run_fit_machine(&c, &fitter));
	assert_int_equal(calls, 1);
	assert_int_equal(c.nr_ops, 1);
	assert_null(case_check(&c, &(u32){0}));
	assert_int_equal(c.ops[0].a, 0);
	/* It is one already: nothing changes. */
	assert_true(run_fit_machine(&c, &fitter));
	assert_int_equal(c.nr_ops, 1);
	c.nr_ops = 0;
	assert_false(run_fit_machine(&c, &fitter));
	case_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		cmocka_unit_test(is_a_port),
		cmocka_unit_test(is_another_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
