/* SPDX-License-Identifier: GPL-2.0-only */
/* What a person is shown of a case that fails, and which cases are not played. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/player.h"
#include "harness/script.h"
#include "harness/state_text.h"

/* Pages 0..4095, all free and Movable: order-4 requests get 0, 16, 32 (spec 12, W1). */
#define MACHINE                 \
	"buddycheck script 1\n" \
	"zone 0 Normal start 0 pages 4096\n"
#define ALLOC(name) name " = alloc order 4 node 0 gfp GFP_HIGHUSER_MOVABLE"

static struct testcase c;
static struct player p;
static struct play_result result;
static char *shown;
static size_t shown_size;

static int setup(void **state)
{
	(void)state;
	case_init(&c);
	player_init(&p, open_text(&shown, &shown_size), CHECK_EACH);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	close_text(p.out);
	free(shown);
	player_exit(&p);
	case_free(&c);
	return 0;
}

static void load(const char *script)
{
	char err[CASE_ERROR_SIZE];

	case_free(&c);
	case_init(&c);
	if (!script_parse("a.txt", script, strlen(script), &c, err))
		fail_msg("%s", err);
}

static void play(const char *script)
{
	load(script);
	player_play(&p, &c, "a.txt", &result);
	fflush(p.out);
}

static void assert_shown(const char *text)
{
	if (!strstr(shown, text))
		fail_msg("not shown: %s\nbut: %s", text, shown);
}

static void test_passes(void **state)
{
	(void)state;
	play(MACHINE "---\n" ALLOC("a") " => 0\nfree a\n");
	assert_int_equal(result.status, PLAY_PASSED);
	assert_int_equal(result.nr_ops, 2);
	assert_int_equal(result.nr_divergences + result.nr_violations, 0);
	assert_string_equal(shown, "");
}

/* Op 2 in line 5 gets 16: the op as written, its events, and the one table line that changes. */
static void test_divergence(void **state)
{
	(void)state;
	play(MACHINE "---\n" ALLOC("a") " => 0\n" ALLOC("b") " => 17\nfree a\n");
	assert_int_equal(result.status, PLAY_FOUND);
	assert_int_equal(result.nr_ops, 2);
	assert_int_equal(result.nr_divergences, 1);
	assert_int_equal(strncmp(shown, "a.txt: op 2 (line 5): b = alloc order 4 node 0 gfp ", 51),
			 0);
	assert_shown(": expected 17, got 16\nevents of op 2:\n");
	assert_shown("2.000001: mm_page_alloc_zone_locked: page=ffffea0000000400 pfn=0x10 order=4 "
		     "migratetype=1 percpu_refill=0\n");
	assert_shown("/proc/buddyinfo before (-) and after (+) op 2:\n"
		     "- Node 0, zone   Normal      0      0      0      0      1      1      1 "
		     "     1      1      1      3 \n"
		     "+ Node 0, zone   Normal      0      0      0      0      0      1      1 "
		     "     1      1      1      3 \n");
	/* Nothing of op 1. */
	assert_null(strstr(shown, " 1.000000"));
}

static void test_final_divergence(void **state)
{
	(void)state;
	play(MACHINE "---\n" ALLOC("a") "\n---\npageblocks 0 Normal : 1 1 1 1 0 1 1 1\n");
	assert_int_equal(result.status, PLAY_FOUND);
	assert_int_equal(result.first.step, 1);
	assert_int_equal(strncmp(shown, "a.txt: final state: expected \"pageblocks", 40), 0);
}

/*
 * A property that fails at the end of a run is looked for after each op: here the state is wrong
 * from the start, by a write that no reset takes back.
 */
static void test_violation_is_located(void **state)
{
	struct zone *z;

	(void)state;
	p.strength = CHECK_WRITTEN;
	play(MACHINE "---\n" ALLOC("a") "\n");
	assert_int_equal(result.status, PLAY_PASSED);
	z = (struct zone *)&p.subject->ops->view(p.subject)->zones[0];
	z->nr_free[0]++;
	play(MACHINE "---\n" ALLOC("a") "\n");
	assert_int_equal(result.status, PLAY_FOUND);
	assert_int_equal(result.first.kind, FINDING_VIOLATION);
	assert_int_equal(result.first.step, STEP_MACHINE);
	assert_int_equal(strncmp(shown, "a.txt: op 0 (the machine): nr-free: ", 36), 0);
	assert_shown("\nrule nr-free (spec 10.7): ");
}

/* Before op @step + 1 somebody writes to page 16, which no rule allows; ops at @ctx and after it. */
static void spoil_page_16(void *ctx, u32 step)
{
	if (step >= *(const u32 *)ctx)
		((struct page *)p.subject->ops->view(p.subject)->pages)[16].private = 1;
}

static u32 spoil_at = 3;

#define SPOILED MACHINE "---\n" ALLOC("a") "\n" ALLOC("b") "\nmark b pinned\nfree a\nfree b\n"

/* A violation is shown with the script up to it, the ops that touched the pages, and a command. */
static void test_violation_is_shown(void **state)
{
	(void)state;
	p.each_op = spoil_page_16;
	p.each_op_ctx = &spoil_at;
	play(SPOILED);
	assert_int_equal(result.status, PLAY_FOUND);
	assert_int_equal(result.first.step, 3);
	assert_string_equal(result.first.violation.property->id, "private-zero");
	assert_shown("a.txt: op 4 (line 7): free a: private-zero: handed-out pages 16..31 (");
	assert_shown("\nrule private-zero (spec 10.4): ");
	assert_shown("\nthe script that shows it:\n"
		     "    buddycheck script 1\n"
		     "    zone 0 Normal start 0 pages 4096\n"
		     "    ---\n"
		     "    a = alloc order 4 node 0 gfp GFP_HIGHUSER_MOVABLE\n"
		     "    b = alloc order 4 node 0 gfp GFP_HIGHUSER_MOVABLE\n"
		     "    mark b pinned\n"
		     "    free a\n"
		     "pages 16..31 were last touched by op 3 (line 6): mark b pinned\n"
		     "                      before that op 2 (line 5): b = alloc ");
	assert_shown("\nevents of op 4:\n");
	assert_shown("\n/proc/buddyinfo before (-) and after (+) op 4:\n");
	assert_shown("\nplay it again: buddycheck play a.txt\n");
}

/* All violations, a line each: the one page is wrong before op 4 and, freed, after op 5. */
static void test_all_violations(void **state)
{
	const char *second;

	(void)state;
	p.each_op = spoil_page_16;
	p.each_op_ctx = &spoil_at;
	p.all = true;
	play(SPOILED);
	assert_int_equal(result.status, PLAY_FOUND);
	assert_true(result.nr_violations >= 1);
	assert_int_equal(result.nr_ops, 5);
	assert_int_equal(strncmp(shown, "a.txt: op 4 (line 7): free a: private-zero: ", 44), 0);
	second = strchr(shown, '\n') + 1;
	assert_null(strstr(shown, "\nrule "));
	assert_true(!*second || !strncmp(second, "a.txt: op 5 (line 8): free b: ", 30));
}

/* The port reclaims for costly NORETRY requests (spec 6.1); only V1 promises that it does not. */
#define STALLS                                                                      \
	"buddycheck script 1\nmobility on\nzone 0 Normal start 0 pages 1024\n---\n" \
	"a = alloc order 10 node 0 gfp GFP_KERNEL|__GFP_NORETRY\n"

static void test_not_promised(void **state)
{
	(void)state;
	play(STALLS);
	assert_int_equal(result.status, PLAY_PASSED);
}

static void test_promised(void **state)
{
	(void)state;
	assert_false(player_promise(&p, "no-stall"));
	assert_true(player_promise(&p, "no-stall-costly-noretry"));
	play(STALLS);
	assert_int_equal(result.status, PLAY_FOUND);
	assert_shown("\nplay it again: buddycheck play --promise no-stall-costly-noretry a.txt\n");
}

/* Without anybody to show it to, the result is the same. */
static void test_quiet(void **state)
{
	FILE *out = p.out;

	(void)state;
	p.out = NULL;
	load(MACHINE "---\n" ALLOC("a") " => 1\n");
	player_play(&p, &c, "a.txt", &result);
	p.out = out;
	assert_int_equal(result.status, PLAY_FOUND);
	assert_string_equal(result.first.text, "expected 1, got 0");
}

/* The same machine again: the same subject, in the state after boot. */
static void test_subject_is_reused(void **state)
{
	struct subject *first;

	(void)state;
	play(MACHINE "---\n" ALLOC("a") " => 0\n");
	first = p.subject;
	play(MACHINE "---\n" ALLOC("a") " => 0\n" ALLOC("b") " => 16\n");
	assert_int_equal(result.status, PLAY_PASSED);
	assert_ptr_equal(p.subject, first);
	/* Another machine, where the first page is another. */
	play("buddycheck script 1\nzone 0 Normal start 1024 pages 4096\n---\n" ALLOC(
		"a") " => 1024\n");
	assert_int_equal(result.status, PLAY_PASSED);
}

/* The command line's subject wins over the script's. */
static void test_subject_name(void **state)
{
	(void)state;
	p.subject_name = "port:v7.3+V2";
	play("buddycheck script 1\nsubject port:v7.3+V1\nzone 0 Normal start 0 pages 4096\n---\n");
	assert_string_equal(p.subject->name, "port:v7.3+V2");
	p.subject_name = NULL;
	play("buddycheck script 1\nsubject port:v7.3+V1\nzone 0 Normal start 0 pages 4096\n---\n");
	assert_string_equal(p.subject->name, "port:v7.3+V1");
}

/* What is no subject, and a kernel that is not there. */
static void test_refusals(void **state)
{
	static const struct {
		const char *subject, *why;
	} rows[] = {
		{"page_alloc.so", "expected port:POLICY, port:POLICY@FILE or kernel:FILE"},
		{"kernel:no-such-file.so", "expected a kernel's shared object that can be loaded"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		p.subject_name = rows[i].subject;
		play(MACHINE "---\n" ALLOC("a") "\n");
		assert_int_equal(result.status, PLAY_REFUSED);
		assert_non_null(strstr(result.why, rows[i].why));
		assert_int_equal(result.nr_ops, 0);
		assert_string_equal(shown, "");
	}
}

/* Every op's public events, in one trace. */
static void test_trace(void **state)
{
	char *text = NULL;
	size_t size;

	(void)state;
	p.trace = open_text(&text, &size);
	play(MACHINE "---\n" ALLOC("a") "\nfree a\n");
	close_text(p.trace);
	assert_non_null(
		strstr(text, " 1.000001: mm_page_alloc: page=ffffea0000000000 pfn=0x0 order=4 "));
	assert_non_null(
		strstr(text, " 2.000000: mm_page_free: page=ffffea0000000000 pfn=0x0 order=4\n"));
	assert_null(strchr(text, '#'));
	free(text);
}

#define test(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(test_passes),
		test(test_divergence),
		test(test_final_divergence),
		test(test_violation_is_located),
		test(test_violation_is_shown),
		test(test_all_violations),
		test(test_not_promised),
		test(test_promised),
		test(test_quiet),
		test(test_subject_is_reused),
		test(test_subject_name),
		test(test_refusals),
		test(test_trace),
	};

	return cmocka_run_group_tests_name("player", tests, NULL, NULL);
}
