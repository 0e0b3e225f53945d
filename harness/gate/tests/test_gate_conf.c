/* SPDX-License-Identifier: GPL-2.0-only */
/* Limits, accepted differences, and what is said of lines that are wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/gate/gate_verdict.h"

static struct gate_conf conf;
static char err[CASE_ERROR_SIZE], path[] = "/tmp/gate_conf.XXXXXX";

static bool read_text(const char *text)
{
	FILE *out;
	bool ok;

	strcpy(path + strlen(path) - 6, "XXXXXX");
	out = fdopen(mkstemp(path), "w");
	assert_non_null(out);
	fputs(text, out);
	fclose(out);
	gate_conf_init(&conf);
	ok = gate_conf_read(&conf, path, err);
	unlink(path);
	return ok;
}

/* "FILE:LINE: WHAT" */
static void assert_wrong(const char *text, u32 line, const char *what)
{
	char expected[CASE_ERROR_SIZE];

	assert_false(read_text(text));
	snprintf(expected, sizeof(expected), "%s:%u: %s", path, line, what);
	assert_string_equal(err, expected);
	gate_conf_free(&conf);
}

static void test_limits(void **state)
{
	(void)state;
	assert_true(read_text("# of all\nlimit all 7% 3\n\nlimit oom any # not ours\n"
			      "limit warnings 0%\n"));
	assert_int_equal(conf.limits[METRIC_RECLAIM].percent, 7);
	assert_int_equal(conf.limits[METRIC_RECLAIM].more, 3);
	assert_true(conf.limits[METRIC_OOM].any);
	assert_int_equal(conf.limits[METRIC_WARNINGS].percent, 0);
	assert_int_equal(conf.limits[METRIC_WARNINGS].more, 0);
	gate_conf_free(&conf);
}

#define COST " (expected a cost that `buddycheck gate --costs` lists)"

static void test_wrong(void **state)
{
	(void)state;
	assert_wrong("\nlimits all 5%\n", 2,
		     "'limits' is not known here (expected limit, accept or accepted)");
	assert_wrong("limit frees 5%\n", 1,
		     "'frees' is not known here (expected a cost that `buddycheck gate --costs` "
		     "lists, or all)");
	assert_wrong("limit oom\n", 1, "the line ends early (expected N% or any)");
	assert_wrong("limit oom 5\n", 1, "'5' is not known here (expected N% or any)");
	assert_wrong("limit oom 5% x\n", 1, "'x' is not known here (expected a number)");
	assert_wrong("accept cost x of y until 2026-12-31 because z\n", 1,
		     "'x' is not known here" COST);
	assert_wrong("accept property x of y until 2026-12-31 because z\n", 1,
		     "'x' is not known here (expected a property that `buddycheck properties` "
		     "lists)");
	assert_wrong("accept cost oom of y until 2026-13-31 because z\n", 1,
		     "'2026-13-31' is not known here (expected YYYY-MM-DD)");
	assert_wrong("accept cost oom of y until 2026-12-31\n", 1,
		     "the line ends early (expected 'because')");
	assert_wrong("accept cost oom of y until 2026-12-31 because\n", 1,
		     "there is no reason (expected because REASON)");
	assert_false(read_text("accepted /nowhere/at/all\n"));
	gate_conf_free(&conf);
}

/* ---- the verdict --------------------------------------------------------- */

static struct gate gate;
static struct gate_verdict v;

static int setup(void **state)
{
	(void)state;
	gate_init(&gate, "port:v7.3", "port:v7.3+V1");
	gate_conf_init(&conf);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	gate_exit(&gate);
	gate_conf_free(&conf);
	return 0;
}

static void cost(enum gate_count count, u64 base, u64 candidate)
{
	gate.sums[ENV_IS_CLOSED].costs[SIDE_BASE][IN_TOTAL].n[count] = base;
	gate.sums[ENV_IS_CLOSED].costs[SIDE_CANDIDATE][IN_TOTAL].n[count] = candidate;
	for (u32 i = 0; i < NR_GATE_METRICS; i++)
		gate.sums[ENV_IS_CLOSED].worse_cases[i] = 3;
}

static bool fails(const char *today)
{
	gate_judge(&gate, &conf, today, &v);
	return v.fails;
}

/* Worse by more than 5 % and by more than 20. */
static void test_costs(void **state)
{
	(void)state;
	assert_false(fails("2026-12-01"));
	cost(COUNT_OOM, 0, 20);
	assert_false(fails("2026-12-01"));
	cost(COUNT_OOM, 0, 21);
	assert_true(fails("2026-12-01"));
	assert_string_equal(v.objections[0].text, "oom, closed: 0 -> 21 (limit 5% 20)");
	cost(COUNT_OOM, 1000, 1050);
	assert_false(fails("2026-12-01"));
	cost(COUNT_OOM, 1000, 1051);
	assert_true(fails("2026-12-01"));
	cost(COUNT_OOM, 1051, 1000); /* better */
	assert_false(fails("2026-12-01"));
}

/* A case or two that got very expensive, while as many got cheaper. */
static void test_outliers(void **state)
{
	u64 *better = &gate.sums[ENV_IS_CLOSED].better_cases[METRIC_OOM];

	(void)state;
	cost(COUNT_OOM, 100, 1000);
	*better = 2;
	assert_true(fails("2026-12-01"));
	*better = 3;
	assert_false(fails("2026-12-01"));
}

/* Of what is free, less in large buddies is worse. */
static void test_less_is_worse(void **state)
{
	(void)state;
	cost(COUNT_FREE_PAGES, 1000, 1000);
	cost(COUNT_FREE_LARGE, 900, 800);
	assert_true(fails("2026-12-01"));
	cost(COUNT_FREE_LARGE, 800, 900);
	assert_false(fails("2026-12-01"));
}

static void test_promises(void **state)
{
	struct gate_property_found *p = &gate.properties[0];

	(void)state;
	*p = (struct gate_property_found){.meaningful = {9, 9}, .failed = {0, 1}};
	assert_int_equal(gate_property_state(p), PROPERTY_NEWLY_BROKEN);
	assert_false(fails("2026-12-01")); /* nobody promises it */
	p->promised[SIDE_BASE] = true;
	assert_true(fails("2026-12-01"));
	p->failed[SIDE_BASE] = 1; /* it broke before */
	assert_int_equal(gate_property_state(p), PROPERTY_FAILS);
	assert_false(fails("2026-12-01"));
	p->promised[SIDE_BASE] = false;
	p->promised[SIDE_CANDIDATE] = true; /* a promise of its own that it does not keep */
	assert_true(fails("2026-12-01"));
	p->failed[SIDE_CANDIDATE] = 0;
	assert_int_equal(gate_property_state(p), PROPERTY_NEWLY_KEPT);
	assert_false(fails("2026-12-01"));
	p->meaningful[SIDE_CANDIDATE] = 0;
	assert_int_equal(gate_property_state(p), PROPERTY_UNSEEN);
}

/* Until its last day, for the candidates that it names. */
static void test_accepted(void **state)
{
	(void)state;
	cost(COUNT_OOM, 0, 100);
	assert_true(read_text("accept cost oom of port:v7.3+V2* until 2026-12-31 because of V2\n"
			      "accept cost oom of port:v7.3+V1* until 2026-12-31 because of V1\n"));
	assert_false(fails("2026-12-31"));
	assert_string_equal(v.objections[0].accepted->reason, "of V1");
	assert_int_equal(v.objections[0].accepted->line, 2);
	assert_true(fails("2027-01-01"));
	assert_true(v.objections[0].expired);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_wrong),
		cmocka_unit_test_setup_teardown(test_costs, setup, teardown),
		cmocka_unit_test_setup_teardown(test_outliers, setup, teardown),
		cmocka_unit_test_setup_teardown(test_less_is_worse, setup, teardown),
		cmocka_unit_test_setup_teardown(test_promises, setup, teardown),
		cmocka_unit_test_setup_teardown(test_accepted, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
