/* SPDX-License-Identifier: GPL-2.0-only */
/* `buddycheck conform` as a person uses it, on ports of two policies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "harness/cli/tests/cli_fixture.h"

#define SAME "conform --kernel port:v7.3 --subject port:v7.3"
#define V1 "conform --kernel port:v7.3+V1 --subject port:v7.3"

#define MACHINE "buddycheck script 1\nzone 0 Normal start 0 pages 512\n---\n"
#define ORDER_9 "alloc order 9 node 0 gfp GFP_KERNEL"
/* Alike with V1 and without it; and not (spec 6.2). The wrong expectation does not count. */
#define ALIKE MACHINE "a = " ORDER_9 " => 77\nfree a\n"
#define PARTING                                                            \
	MACHINE "a = " ORDER_9 "\nb = alloc order 2 node 0 gfp GFP_USER\n" \
		"c = " ORDER_9 "|__GFP_NORETRY\nfree c\n"

static void assert_shown(const char *text)
{
	if (!strstr(out, text))
		fail_msg("not shown: %s\nbut: %s", text, out);
}

static void test_agrees(void **state)
{
	(void)state;
	assert_int_equal(run(SAME " --seed 1 --ops 2000"), 0);
	assert_int_equal(lines(out), 1);
	assert_non_null(strstr(out, " ops, 0 divergences\n"));
	put("alike.script", ALIKE);
	assert_int_equal(run(V1 " alike.script alike.script"), 0);
	assert_string_equal(out, "2 cases, 4 ops, 0 divergences\n");
	assert_string_equal(err, "");
	/* Files and random cases; the default subject is the port of 7.3. */
	assert_int_equal(run("conform --kernel port:v7.3 alike.script --seed 1 --ops 1"), 0);
	assert_non_null(strstr(out, "2 cases, "));
}

/* Op 3 asks for what is not there; all that matters of the case is that one. */
static void test_diverges(void **state)
{
	(void)state;
	put("parting.script", PARTING);
	assert_int_equal(run(V1 " parting.script"), 1);
	assert_shown("parting.script: op 3: calls: reclaim: 0, 1 (wakeup_kswapd.gfp)\n"
		     "4 ops shrunk to 1, ");
	assert_shown("\nop 1: a = alloc order 9 node 0 gfp GFP_KERNEL|__GFP_NORETRY\n");
	assert_shown("\n  port:v7.3+V1 ");
	assert_shown("\n  returns none ");
	assert_shown("\n* calls wakeup_kswapd 1");
	assert_shown(" reclaim 1 compact 2");
	assert_shown("\n* wakeup_kswapd zone=0 order=9 gfp_flags=");
	assert_shown("\n    allocstall_normal: 0, 1\n");
	assert_shown(
		"\nplay it again: buddycheck conform --kernel port:v7.3+V1 --subject port:v7.3 "
		"parting.script\n");
	assert_string_equal(last_line(out), "1 cases, 3 ops, 1 divergences\n");
}

/* It stops at a divergence, at so many, or never; of a sort one is shown. */
static void test_how_many(void **state)
{
	(void)state;
	put("parting.script", PARTING);
	assert_int_equal(run(V1 " parting.script parting.script parting.script"), 1);
	assert_string_equal(last_line(out), "1 cases, 3 ops, 1 divergences\n");
	assert_int_equal(
		run(V1 " --max-divergences 2 parting.script parting.script parting.script"), 1);
	assert_string_equal(last_line(out), "2 cases, 6 ops, 2 divergences\n");
	assert_int_equal(run(V1 " --all parting.script parting.script parting.script"), 1);
	assert_string_equal(last_line(out), "3 cases, 9 ops, 3 divergences\n");
	assert_shown("\n       3 x calls: wakeup_kswapd.gfp\n");
	assert_null(strstr(strstr(out, "shrunk to") + 1, "shrunk to"));
}

/* The same seed and ops give the same output, and a seed that diverges does so again. */
static void test_deterministic(void **state)
{
	static char first[CLI_TEXT_SIZE];
	unsigned int seed;
	char headline[64];

	(void)state;
	assert_int_equal(run(V1 " --all --seed 3 --ops 8000"), 1);
	memcpy(first, out, sizeof(first));
	assert_int_equal(run(V1 " --all --seed 3 --ops 8000"), 1);
	assert_string_equal(out, first);
	assert_int_equal(run(V1 " --all --seed 4 --ops 8000"), 1);
	assert_string_not_equal(out, first);
	assert_int_equal(sscanf(first, "seed %u:", &seed), 1);
	assert_int_equal(run(V1 " --ops 1 --seed %u", seed), 1);
	snprintf(headline, sizeof(headline), "seed %u: op ", seed);
	assert_ptr_equal(strstr(out, headline), out);
	assert_memory_equal(out, first, strcspn(first, "\n"));
}

/* What is kept is a script that diverges by itself. */
static void test_keeps(void **state)
{
	(void)state;
	put("parting.script", PARTING);
	assert_int_equal(run(V1 " -o . parting.script"), 1);
	assert_shown("\nkept as ./1.script\n");
	assert_int_equal(run(V1 " 1.script"), 1);
	assert_string_equal(last_line(out), "1 cases, 1 ops, 1 divergences\n");
	assert_int_equal(run("play 1.script"), 0);
}

/* What cannot be played is a line, the rest is played, and the status says so. */
static void test_bad_input(void **state)
{
	(void)state;
	put("alike.script", ALIKE);
	put("bad.script", MACHINE "free a\n");
	assert_int_equal(run(V1 " bad.script no-such-file alike.script"), 2);
	assert_int_equal(lines(err), 2);
	assert_ptr_equal(strstr(err, "bad.script:4: "), err);
	assert_string_equal(out, "1 cases, 2 ops, 0 divergences\n");
	assert_int_equal(run("conform --kernel no-such-kernel alike.script"), 2);
	assert_ptr_equal(strstr(err, "alike.script:1: not played by this subject ("), err);
	assert_string_equal(last_line(out), "0 cases, 0 ops, 0 divergences\n");
	assert_int_equal(run("conform --kernel no-such-kernel --ops 100 --seed 1"), 2);
	assert_ptr_equal(strstr(err, "buddycheck conform: seed 1 is not played ("), err);
}

static void test_usage(void **state)
{
	static const char *const wrong[] = {
		"conform",
		"conform alike.script",
		SAME " --ops 0",
		SAME " --seconds x",
		SAME " --events some",
		SAME " --engine some",
		SAME " --view-every 0",
		SAME " --max-divergences 0",
		"conform --kernel port:v7.3 --subject port:x",
		SAME " --no-such-option",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(run("%s", wrong[i]), 2);
		assert_string_not_equal(err, "");
		assert_string_equal(out, "");
	}
	assert_int_equal(run("conform --help"), 0);
	assert_shown("--max-divergences");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_agrees),	 cmocka_unit_test(test_diverges),
		cmocka_unit_test(test_how_many), cmocka_unit_test(test_deterministic),
		cmocka_unit_test(test_keeps),	 cmocka_unit_test(test_bad_input),
		cmocka_unit_test(test_usage),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
