/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command line, as a person uses it: the built program is run, its exit status and both of its
 * outputs are judged.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/cli/tests/cli_fixture.h"

#define MACHINE "buddycheck script 1\nzone 0 Normal start 0 pages 4096\n---\n"
/* The first UNMOVABLE page of a fresh zone is page 0: a claim takes the head of the largest list. */
#define GOOD MACHINE "a = alloc order 0 node 0 gfp GFP_KERNEL => 0\nfree a\n"
#define WRONG MACHINE "a = alloc order 0 node 0 gfp GFP_KERNEL => 77\nfree a\n"
#define BAD MACHINE "a = alloc order 0 node 0 gfp GFP_KERNEL\nfree b\n"

/* ---- play ---------------------------------------------------------------- */

/* What holds exits with 0, and the last line sums up. */
static void test_play_holds(void **state)
{
	(void)state;
	put("good.script", GOOD);
	assert_int_equal(run("play good.script"), 0);
	assert_string_equal(last_line(out), "1 cases, 2 ops, 0 divergences, 0 violations\n");
	assert_string_equal(err, "");
	assert_int_equal(run("play --full good.script good.script"), 0);
	assert_string_equal(last_line(out), "2 cases, 4 ops, 0 divergences, 0 violations\n");
}

/* Ops that had nothing to work on are counted, over all files. */
static void test_play_skips(void **state)
{
	(void)state;
	put("skips.script",
	    MACHINE "answer fault 1\na = alloc order 0 node 0 gfp GFP_KERNEL => none\n"
		    "get a\nfree a\n");
	assert_int_equal(run("play skips.script skips.script"), 0);
	assert_string_equal(out, "4 ops skipped: nothing there to work on, or their point did not "
				 "come\n2 cases, 6 ops, 0 divergences, 0 violations\n");
}

/* A divergence names file, what was expected and what came, and exits with 1. */
static void test_play_diverges(void **state)
{
	(void)state;
	put("wrong.script", WRONG);
	assert_int_equal(run("play wrong.script"), 1);
	assert_non_null(strstr(out, "wrong.script"));
	assert_non_null(strstr(out, "77"));
	assert_non_null(strstr(last_line(out), " 1 divergences, 0 violations\n"));
	assert_non_null(strstr(last_line(out), "1 cases, "));
}

/* Bad input is one line on stderr with the line number, exits with 2, and plays nothing of the file. */
static void test_play_bad_input(void **state)
{
	(void)state;
	put("bad.script", BAD);
	assert_int_equal(run("play bad.script"), 2);
	assert_int_equal(lines(err), 1);
	assert_ptr_equal(strstr(err, "bad.script:5: "), err);
	assert_string_equal(last_line(out), "0 cases, 0 ops, 0 divergences, 0 violations\n");
}

/* Whatever the reason, a refusal is this one line, and nothing is played. */
static void refused(const char *command, const char *line)
{
	assert_int_equal(run("%s", command), 2);
	assert_string_equal(err, line);
}

static void test_refusals(void **state)
{
	(void)state;
	put("kernel.script",
	    "buddycheck script 1\nsubject kernel:x\nzone 0 Normal start 0 pages 64\n---\n");
	put("large.script", "buddycheck script 1\nzone 0 Normal start 0 pages 65537\n---\n");
	refused("play no-such-file",
		"no-such-file:1: No such file or directory (expected a file that can "
		"be read, plain or gzip)\n");
	for (size_t i = 0; i < 3; i++) {
		static const char *const commands[] = {"play", "show", "properties"};
		char command[64];

		snprintf(command, sizeof(command), "%s kernel.script", commands[i]);
		refused(command,
			"kernel.script:1: not played by this subject (expected a kernel's shared "
			"object that can be loaded)\n");
	}
	refused("convert large.script large.bytes",
		"large.script:1: does not fit into bytes (expected a machine of at most 65536 "
		"pages)\n");
}

/* The other files still play, and bad input outweighs a divergence. */
static void test_play_several(void **state)
{
	(void)state;
	put("good.script", GOOD);
	put("wrong.script", WRONG);
	put("bad.script", BAD);
	assert_int_equal(run("play bad.script wrong.script good.script"), 2);
	assert_int_equal(lines(err), 1);
	assert_non_null(strstr(last_line(out), "2 cases, "));
	assert_non_null(strstr(last_line(out), " 1 divergences, 0 violations\n"));
	assert_int_equal(run("play no-such-file good.script"), 2);
	assert_int_equal(lines(err), 1);
	assert_non_null(strstr(last_line(out), "1 cases, "));
}

/* The subject of the command line wins over the case's; one that does not exist is bad input. */
static void test_play_subject(void **state)
{
	(void)state;
	put("good.script", GOOD);
	assert_int_equal(run("play --subject port:v7.3+V1+V2 good.script"), 0);
	assert_int_equal(run("play --subject port:v0 good.script"), 2);
	assert_int_equal(run("play --subject nothing good.script"), 2);
	assert_int_equal(run("play --subject kernel:x.so good.script"), 2);
}

/* --trace prints the kernel's events, --hash one hash for each case; equal states, equal hashes. */
static void test_play_trace_and_hash(void **state)
{
	char first[17] = "";

	(void)state;
	put("good.script", GOOD);
	assert_int_equal(run("play --trace good.script"), 0);
	assert_non_null(strstr(out, "mm_page_alloc: "));
	assert_non_null(strstr(out, "mm_page_free: "));
	assert_null(strstr(out, " gpff "));
	assert_int_equal(run("play --trace=all good.script"), 0);
	assert_non_null(strstr(out, "mm_page_free: "));
	assert_non_null(strstr(out, "# 1.000000 gpff "));
	assert_int_equal(run("play --trace=some good.script"), 2);
	assert_int_equal(run("play --hash good.script good.script"), 0);
	assert_int_equal(lines(out), 3);
	memcpy(first, out, 16);
	assert_non_null(strstr(strchr(out, '\n'), first));
}

/* Ops of another CPU inside an op; a point that does not come is no error. */
static void test_play_nested(void **state)
{
	(void)state;
	put("nested.script", "buddycheck script 1\n"
			     "cpus 2\n"
			     "zone 0 Normal start 0 pages 4096\n"
			     "---\n"
			     "a = alloc order 0 node 0 gfp GFP_KERNEL\n"
			     "at reclaim cpu 1: free a\n"
			     "b = alloc order 0 node 0 gfp GFP_KERNEL\n");
	assert_int_equal(run("play nested.script"), 0);
	assert_non_null(strstr(last_line(out), "1 cases, 2 ops"));
}

/* ---- promises, shrinking ------------------------------------------------- */

/*
 * Only V1 promises that a costly NORETRY request does not reclaim: without V1 that holds if nobody
 * asks. c is the op that shows it; nothing else is needed.
 */
#define STALLS                                                     \
	"buddycheck script 1\nmobility on\ncpus 2\n"               \
	"zone 0 Normal start 0 pages 1024\n---\n"                  \
	"a = alloc order 0 node 0 gfp GFP_KERNEL => 0\n"           \
	"cpu 1\n"                                                  \
	"c = alloc order 10 node 0 gfp GFP_KERNEL|__GFP_NORETRY\n" \
	"free a\n"
#define PROMISE "--promise no-stall-costly-noretry"

/* A property that the command line promises fails the case, and the command to repeat it says so. */
static void test_play_promise(void **state)
{
	(void)state;
	put("stalls.script", STALLS);
	assert_int_equal(run("play stalls.script"), 0);
	assert_int_equal(run("play " PROMISE " stalls.script"), 1);
	assert_ptr_equal(strstr(out, "stalls.script: op 3 (line 8): c = alloc order 10 "), out);
	assert_non_null(
		strstr(out, "\nplay it again: buddycheck play " PROMISE " stalls.script\n"));
	assert_string_equal(last_line(out), "1 cases, 3 ops, 0 divergences, 1 violations\n");
	assert_int_equal(run("play --promise nonsense stalls.script"), 2);
}

/* --all plays on, and has a line for each violation. */
static void test_play_all(void **state)
{
	(void)state;
	put("stalls.script", STALLS);
	assert_int_equal(run("play --all " PROMISE " stalls.script"), 1);
	assert_int_equal(lines(out), 2);
	assert_string_equal(last_line(out), "1 cases, 4 ops, 0 divergences, 1 violations\n");
}

/* The script that is left shows the same property, with one op; it goes to a file or to the output. */
static void test_shrink(void **state)
{
	(void)state;
	put("stalls.script", STALLS);
	assert_int_equal(run("shrink " PROMISE " -o small.script stalls.script"), 1);
	assert_non_null(strstr(err, "no-stall-costly-noretry: 4 ops shrunk to 1, "));
	assert_ptr_equal(strstr(out, "small.script: op 1 "), out);
	assert_int_equal(run("play small.script"), 0);
	assert_int_equal(run("play " PROMISE " small.script"), 1);
	assert_int_equal(run("shrink " PROMISE " stalls.script"), 1);
	assert_ptr_equal(strstr(out, "buddycheck script 1\n# no-stall-costly-noretry "), out);
	assert_non_null(strstr(out, "\n---\na = alloc order "));
}

/* What holds is not shrunk; what cannot be played is an error. */
static void test_shrink_refuses(void **state)
{
	(void)state;
	put("good.script", GOOD);
	put("bad.script", BAD);
	assert_int_equal(run("shrink good.script"), 0);
	assert_string_equal(err, "good.script: no property fails\n");
	assert_string_equal(out, "");
	assert_int_equal(run("shrink bad.script"), 2);
	assert_int_equal(run("shrink --subject port:v0 good.script"), 2);
	assert_int_equal(run("shrink good.script good.script"), 2);
	put("stalls.script", STALLS);
	assert_int_equal(run("shrink " PROMISE " -o no-such-folder/x stalls.script"), 2);
}

/* The list without counts; the counts of one case of two ops: after boot, after each op, at the end. */
static void test_properties(void **state)
{
	(void)state;
	put("good.script", GOOD);
	assert_int_equal(run("properties"), 0);
	assert_non_null(strstr(out, "\nnofragment "));
	assert_null(strstr(out, "meaningful"));
	assert_int_equal(run("properties good.script | awk '$1 == \"partition\"'"), 0);
	assert_string_equal(out,
			    "partition                  structure    all                       4"
			    "       0         0  spec 10.1\n");
	assert_int_equal(run("properties no-such-file"), 2);
}

/* Where slow paths ended: the costly NORETRY one at its step of spec 6.1, 18. */
static void test_decisions(void **state)
{
	(void)state;
	put("stalls.script", STALLS);
	assert_int_equal(run("properties --decisions"), 2);
	assert_int_equal(run("properties --decisions stalls.script | "
			     "awk '/^a pageblock/ { p = 1 } p && $1 == 18'"),
			 0);
	assert_string_equal(out, "  18 NORETRY                              -            -"
				 "            1            -            -            -\n");
	assert_int_equal(run("properties --decisions --generate 20"), 0);
	assert_non_null(strstr(out, " places are holes "));
}

/* An output that cannot be written is an error, not a success. */
static void test_full_disk(void **state)
{
	(void)state;
	put("good.script", GOOD);
	assert_int_equal(run("play good.script >/dev/full"), 2);
	assert_int_equal(run("policy >/dev/full"), 2);
}

/* ---- the other commands -------------------------------------------------- */

/* Every command has a help that names it; wrong usage exits with 2 and says where the help is. */
static void test_usage(void **state)
{
	static const char *const commands[] = {"play",	   "shrink", "show",	   "convert",
					       "generate", "policy", "properties", "fuzz"};
	char usage[64];

	(void)state;
	assert_int_equal(run("--help"), 0);
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		snprintf(usage, sizeof(usage), "\n  %s ", commands[i]);
		assert_non_null(strstr(out, usage));
	}
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		snprintf(usage, sizeof(usage), "Usage: buddycheck %s", commands[i]);
		assert_int_equal(run("%s --help", commands[i]), 0);
		assert_ptr_equal(strstr(out, usage), out);
		assert_int_equal(run("%s --nonsense", commands[i]), 2);
		assert_non_null(strstr(err, "--help"));
	}
	assert_int_equal(run("--version"), 0);
	assert_int_equal(run("%s", ""), 2);
	assert_int_equal(run("nonsense"), 2);
	assert_int_equal(run("play"), 2);
	assert_int_equal(run("show"), 2);
	assert_int_equal(run("convert one"), 2);
	assert_int_equal(run("generate --seed 1"), 2);
	assert_int_equal(run("generate --seed x --ops 5"), 2);
	assert_int_equal(run("generate --seed 0x1 --ops 5"), 2);
	assert_int_equal(run("generate --seed 1 --ops 5 --count 3"), 2);
}

/* After one op, page 0 is gone from the one free block of order 10 that it was in: 3 are left. */
static void test_show(void **state)
{
	(void)state;
	put("good.script", GOOD);
	assert_int_equal(run("show --step 0 good.script"), 0);
	assert_non_null(strstr(out, "Node 0, zone   Normal      0      0      0      0      0"
				    "      0      0      0      0      0      4 \n"));
	assert_int_equal(run("show --step 1 good.script"), 0);
	assert_non_null(strstr(out, "Node 0, zone   Normal      1      1      1      1      1"
				    "      1      1      1      1      1      3 \n"));
	assert_non_null(strstr(out, "Unmovable"));
	assert_int_equal(run("show --step 3 good.script"), 2);
	assert_int_equal(run("show bad.script"), 2);
}

/* A script survives the way through bytes: the final state is the same. */
static void test_convert(void **state)
{
	char hash[17] = "";

	(void)state;
	put("good.script", GOOD);
	assert_int_equal(run("play --hash good.script"), 0);
	memcpy(hash, out, 16);
	assert_int_equal(run("convert good.script good.bytes"), 0);
	assert_int_equal(run("convert good.bytes again.script"), 0);
	assert_int_equal(run("play --hash good.bytes"), 0);
	assert_ptr_equal(strstr(out, hash), out);
	assert_int_equal(run("play --hash again.script"), 0);
	assert_ptr_equal(strstr(out, hash), out);
	assert_int_equal(run("convert good.bytes -"), 0);
	assert_ptr_equal(strstr(out, "buddycheck script 1\n"), out);
	assert_int_equal(run("convert bad.script bad.bytes"), 2);
	assert_int_equal(run("convert good.script good.xyz"), 2);
	assert_int_equal(run("convert good.script no-such-folder/good.bytes"), 2);
}

/* Equal arguments give equal cases, other seeds other ones; all of them hold. */
static void test_generate(void **state)
{
	static char first[sizeof(out)];

	(void)state;
	assert_int_equal(run("generate --seed 1 --ops 50"), 0);
	strcpy(first, out);
	assert_int_equal(run("generate --seed 1 --ops 50"), 0);
	assert_string_equal(out, first);
	assert_int_equal(run("generate --seed 01 --ops 050"), 0);
	assert_string_equal(out, first);
	assert_int_equal(run("generate --seed 2 --ops 50"), 0);
	assert_string_not_equal(out, first);
	assert_int_equal(run("generate --seed 1 --ops 50 | $B play -"), 0);
	assert_non_null(strstr(last_line(out), "1 cases, "));
	assert_int_equal(run("generate --seed 5 --ops 40 --count 3 -o ."), 0);
	assert_int_equal(run("play --full 5.script 6.script 7.script"), 0);
}

static void test_policy(void **state)
{
	(void)state;
	assert_int_equal(run("policy"), 0);
	assert_non_null(strstr(out, "v7.3"));
	assert_non_null(strstr(out, "contig_valid"));
	assert_int_equal(run("policy v7.3"), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_play_holds),     cmocka_unit_test(test_play_skips),
		cmocka_unit_test(test_play_diverges),  cmocka_unit_test(test_play_bad_input),
		cmocka_unit_test(test_refusals),       cmocka_unit_test(test_play_several),
		cmocka_unit_test(test_play_subject),   cmocka_unit_test(test_play_trace_and_hash),
		cmocka_unit_test(test_play_nested),    cmocka_unit_test(test_full_disk),
		cmocka_unit_test(test_usage),	       cmocka_unit_test(test_show),
		cmocka_unit_test(test_convert),	       cmocka_unit_test(test_generate),
		cmocka_unit_test(test_policy),	       cmocka_unit_test(test_play_promise),
		cmocka_unit_test(test_play_all),       cmocka_unit_test(test_shrink),
		cmocka_unit_test(test_shrink_refuses), cmocka_unit_test(test_properties),
		cmocka_unit_test(test_decisions),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
