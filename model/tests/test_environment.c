/* SPDX-License-Identifier: GPL-2.0-only */
/* Answers: those of the op first, then the default; nothing is left for the next op (spec 6.9). */
#include "model/tests/slow_fixture.h"

static u32 ask(enum env_call call)
{
	return env_ask(m, call, NULL, 0, 0, 0).value;
}

/* Each call of a sort takes the next answer of its sort, however they are mixed. */
static void test_answers_in_order(void **state)
{
	const struct answer answers[] = {
		{.call = ENV_RECLAIM, .value = 7, .extra = 3},
		{.call = ENV_COMPACT, .value = COMPACT_CONTENDED},
		{.call = ENV_RECLAIM, .value = 8},
	};
	struct op_report report;

	(void)state;
	next_op(answers, ARRAY_SIZE(answers));
	assert_int_equal(env_ask(m, ENV_RECLAIM, NULL, 0, 0, 0).extra, 3);
	assert_int_equal(ask(ENV_RECLAIM), 8);
	assert_int_equal(ask(ENV_RECLAIM), 0);
	assert_int_equal(ask(ENV_COMPACT), COMPACT_CONTENDED);
	assert_int_equal(ask(ENV_COMPACT), COMPACT_SKIPPED);
	memory_end_op(m, &report);
	assert_int_equal(report.calls[ENV_RECLAIM], 3);
	assert_int_equal(report.calls[ENV_COMPACT], 2);
	assert_int_equal(report.calls[ENV_OOM], 0);

	memory_begin_op(m, NULL, 0);
	assert_int_equal(ask(ENV_RECLAIM), 0);
}

/* "32 x3 then 5": an answer takes the place of the first of the three. */
static void test_defaults(void **state)
{
	const struct answer answer = {.call = ENV_RECLAIM, .value = 9};

	(void)state;
	m->machine.env.defaults[ENV_RECLAIM] =
		(struct env_default){.value = 32, .extra = 2, .times = 3, .then = 5};
	m->env_defaults |= BIT(ENV_RECLAIM);
	next_op(NULL, 0);
	for (u32 i = 0; i < 3; i++) {
		struct answer a = env_ask(m, ENV_RECLAIM, NULL, 0, 0, 0);

		assert_int_equal(a.value, 32);
		assert_int_equal(a.extra, 2);
	}
	assert_int_equal(env_ask(m, ENV_RECLAIM, NULL, 0, 0, 0).extra, 0);
	assert_int_equal(ask(ENV_RECLAIM), 5);

	next_op(&answer, 1);
	assert_int_equal(ask(ENV_RECLAIM), 9);
	assert_int_equal(ask(ENV_RECLAIM), 32);
	assert_int_equal(ask(ENV_RECLAIM), 32);
	assert_int_equal(ask(ENV_RECLAIM), 5);
}

/* Hot paths ask nobody unless something other than "no" could be said. */
static void test_env_says(void **state)
{
	const struct answer answers[] = {
		{.call = ENV_LOCK_PCP, .value = 0},
		{.call = ENV_LOCK_PCP, .value = 1},
	};

	(void)state;
	next_op(answers, ARRAY_SIZE(answers));
	assert_false(env_says(m, ENV_LOCK_OOM, NULL));
	assert_false(env_says(m, ENV_LOCK_PCP, NULL));
	assert_true(env_says(m, ENV_LOCK_PCP, NULL));
	assert_false(env_says(m, ENV_LOCK_PCP, NULL));
	assert_int_equal(m->env.report.calls[ENV_LOCK_OOM], 0);
	assert_int_equal(m->env.report.calls[ENV_LOCK_PCP], 2);
	always(ENV_LOCK_OOM, 1, 0);
	assert_true(env_says(m, ENV_LOCK_OOM, NULL));
	assert_true(can_trylock(m));
	always(ENV_NO_TRYLOCK, 1, 0);
	assert_false(can_trylock(m));
}

static void test_event(void **state)
{
	const struct event *ev;

	(void)state;
	env_ask(m, ENV_COMPACT, normal, 4, GFP_KERNEL, 2);
	ev = event_at(&rec, EV_ENV_CALL, 0);
	assert_int_equal(ev->zone, normal->index);
	assert_int_equal(ev->order, 4);
	assert_int_equal(ev->gfp, GFP_KERNEL);
	assert_int_equal(ev->a, ENV_COMPACT);
	assert_int_equal(ev->b, 2);
	assert_int_equal(ev->c, COMPACT_SKIPPED);
	/* A zone's share of a compaction is not a call of its own. */
	assert_int_equal(m->env.report.calls[ENV_COMPACT], 0);
}

/* Scripts are written with these; a missing name would be a NULL. */
static void test_names(void **state)
{
	(void)state;
	for (u32 i = 0; i < NR_ENV_CALLS; i++)
		assert_non_null(env_call_names[i]);
	assert_string_equal(env_call_names[ENV_LOCK_PCP], "lock_pcp");
	assert_string_equal(env_kind_names[ENV_CLOSED], "closed");
	for (u32 i = 0; i < NR_COMPACT_RESULTS; i++)
		assert_non_null(compact_result_names[i]);
	assert_string_equal(compact_result_names[COMPACT_PARTIAL_SKIPPED], "PARTIAL_SKIPPED");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_answers_in_order),
		TEST(test_defaults),
		TEST(test_env_says),
		TEST(test_event),
		TEST(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
