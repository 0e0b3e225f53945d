/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The shrinker, on predicates whose smallest case is known. Nothing is played: a predicate looks at
 * the case alone. Every case that it is given must be legal and new.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/case_fit.h"
#include "harness/shrink.h"
#include "harness/tests/forms.h"
#include "model/gfp.h"

#define MAX_SEEN 20000

static struct {
	bool (*shows)(const struct testcase *c);
	char *seen[MAX_SEEN]; /* scripts of the cases that were tried */
	u32 nr;
} probe;

static bool probe_shows(void *ctx, const struct testcase *c)
{
	char *text = script_text(c);
	u32 op;

	(void)ctx;
	assert_null(case_check(c, &op));
	for (u32 i = 0; i < probe.nr; i++) {
		if (!strcmp(probe.seen[i], text))
			fail_msg("tried twice:\n%s", text);
	}
	assert_true(probe.nr < MAX_SEEN);
	probe.seen[probe.nr++] = text;
	return probe.shows(c);
}

static int teardown(void **state)
{
	(void)state;
	while (probe.nr)
		free(probe.seen[--probe.nr]);
	return 0;
}

static void shrinks_with(struct shrink *s, const char *from,
			 bool (*shows)(const struct testcase *c), const char *to)
{
	struct testcase c;
	char *text;

	case_init(&c);
	must_parse(from, &c);
	probe.shows = shows;
	s->shows = probe_shows;
	assert_true(shows(&c));
	shrink_case(s, &c);
	assert_int_equal(s->tries, probe.nr);
	text = script_text(&c);
	assert_string_equal(text, to);
	free(text);
	case_free(&c);
}

static void shrinks(const char *from, bool (*shows)(const struct testcase *c), const char *to)
{
	struct shrink s = {.max_tries = SHRINK_MAX_TRIES};

	shrinks_with(&s, from, shows, to);
}

/* What is left of every machine that nobody asks about: the smallest zone of whole pageblocks. */
#define SMALLEST "buddycheck script 1\nzone 0 Normal start 0 pages 512\n---\n"

/* A machine with everything in it, and ops of many kinds. */
#define BUSY                                                                             \
	"buddycheck script 1\n"                                                          \
	"subject port:v7.3+V1\n"                                                         \
	"max_page_order 7\npageblock_order 4\npmd_order 4\ncpus 3\n"                     \
	"pcp batch 16 high_min 64 high_max 128\nfuel 77\nmobility on\n"                  \
	"node 0 cpus on\ndistance 0 1 31\ncpu 1 node 1\n"                                \
	"zone 0 DMA32 start 16 pages 512\nzone 0 Normal start 1024 pages 2048\n"         \
	"zone 1 Normal start 4096 pages 1031\n"                                          \
	"reserved start 100 pages 12\ncma start 1040 pages 512\n"                        \
	"sysctl defrag_mode 1\nenv reclaim closed\ndefault compact COMPLETE\n---\n"      \
	"a = alloc order 5 node 1 gfp GFP_KERNEL|__GFP_NORETRY|__GFP_COMP\n"             \
	"b = alloc_bulk nr 12 node 0 gfp GFP_HIGHUSER_MOVABLE|__GFP_NOWARN nodemask 1\n" \
	"mark a lru|pinned\n"                                                            \
	"cpu 2\n"                                                                        \
	"get a\n"                                                                        \
	"c = mpol order 4 node 1 gfp GFP_TRANSHUGE\n"                                    \
	"drain expire zone 1 Normal cpu 2\n"                                             \
	"free b[3]\n"                                                                    \
	"free a\n"                                                                       \
	"isolate 1024..1056\n"                                                           \
	"d = alloc order 3 node 0 gfp GFP_ATOMIC frozen\n"                               \
	"free a batch\n"                                                                 \
	"free b\n"                                                                       \
	"task rt|noio\n"                                                                 \
	"sysctl watermark_boost_factor 77\n"

/* ---- ops ----------------------------------------------------------------- */

static bool anything(const struct testcase *c)
{
	(void)c;
	return true;
}

/* What shows in any case shows in the empty one, on the smallest machine. */
static void test_nothing_is_needed(void **state)
{
	(void)state;
	shrinks(BUSY, anything, SMALLEST);
}

static u32 count_kind(const struct testcase *c, u32 kind)
{
	u32 nr = 0;

	for (u32 i = 0; i < c->nr_ops; i++)
		nr += c->ops[i].kind == kind;
	return nr;
}

/* Some object of at least 8 pages is freed. */
static bool frees_order_3(const struct testcase *c)
{
	for (u32 i = 0; i < c->nr_ops; i++) {
		for (u32 k = 0; k < i; k++) {
			if (c->ops[i].kind == OP_FREE && c->ops[i].a == c->ops[k].out &&
			    c->ops[k].kind == OP_ALLOC && c->ops[k].order >= 3)
				return true;
		}
	}
	return false;
}

/* The one pair of ops that it takes is found, and the order goes down to the least that does. */
static void test_pair(void **state)
{
	(void)state;
	shrinks(BUSY, frees_order_3, SMALLEST "a = alloc order 3 node 0 gfp GFP_KERNEL\nfree a\n");
}

static bool has_3_allocs(const struct testcase *c)
{
	return count_kind(c, OP_ALLOC) >= 3;
}

/* Exactly as many ops stay as are needed, of the simplest kind: b, a bulk one, may become the third. */
static void test_count(void **state)
{
	(void)state;
	shrinks(BUSY "e = alloc order 0 node 0 gfp GFP_KERNEL\nf = alloc order 0 node 0 gfp "
		     "GFP_KERNEL\n",
		has_3_allocs,
		SMALLEST "a = alloc order 0 node 0 gfp GFP_KERNEL\n"
			 "b = alloc order 0 node 0 gfp GFP_KERNEL\n"
			 "c = alloc order 0 node 0 gfp GFP_KERNEL\n");
}

static bool has_noretry(const struct testcase *c)
{
	for (u32 i = 0; i < c->nr_ops; i++) {
		if ((c->ops[i].gfp & __GFP_NORETRY) && (c->ops[i].gfp & __GFP_DIRECT_RECLAIM))
			return true;
	}
	return false;
}

/* Of a gfp mask the flags stay that are needed, and no more words than it takes. */
static void test_gfp(void **state)
{
	(void)state;
	shrinks(BUSY, has_noretry,
		SMALLEST "a = alloc order 0 node 0 gfp GFP_KERNEL|__GFP_NORETRY\n");
}

static bool isolates_1030(const struct testcase *c)
{
	for (u32 i = 0; i < c->nr_ops; i++) {
		if (c->ops[i].kind == OP_ISOLATE && c->ops[i].a <= 1030 && c->ops[i].b > 1030)
			return true;
	}
	return false;
}

/* A range is halved down to the page that counts, memory to where the page still is. */
static void test_range(void **state)
{
	(void)state;
	shrinks(BUSY, isolates_1030,
		"buddycheck script 1\nzone 0 Normal start 0 pages 2048\n---\nisolate 1030..1031\n");
}

/* ---- parts --------------------------------------------------------------- */

static bool reclaims_2(const struct testcase *c)
{
	for (u32 i = 0; i < c->nr_answers; i++) {
		if (c->answers[i].call == ENV_RECLAIM && c->answers[i].value >= 2)
			return true;
	}
	return false;
}

/* The one answer that counts stays, with the least value that does. */
static void test_answers(void **state)
{
	(void)state;
	shrinks("buddycheck script 1\nzone 0 Normal start 0 pages 4096\n---\n"
		"answer oom 1\nanswer reclaim 1\n"
		"a = alloc order 0 node 0 gfp GFP_KERNEL\n"
		"answer reclaim 1\nanswer compact COMPLETE\nanswer reclaim 32 frees 5\nanswer oom "
		"1\n"
		"b = alloc order 4 node 0 gfp GFP_KERNEL\n",
		reclaims_2, SMALLEST "answer reclaim 2\na = alloc order 0 node 0 gfp GFP_KERNEL\n");
}

static bool nests_a_free(const struct testcase *c)
{
	for (u32 i = 0; i < c->nr_nested; i++) {
		if (c->nested[i].op.kind == OP_FREE)
			return true;
	}
	return false;
}

/* A nested op stays with the op that holds it and with what it frees, which may be nested as well. */
static void test_nested(void **state)
{
	(void)state;
	shrinks("buddycheck script 1\ncpus 2\nzone 0 Normal start 0 pages 4096\n---\n"
		"a = alloc order 2 node 0 gfp GFP_KERNEL\n"
		"at slowpath cpu 1: drain all\n"
		"at slowpath cpu 1: n = alloc order 4 node 0 gfp GFP_ATOMIC\n"
		"at reclaim cpu 1: free a nolock\n"
		"at slowpath cpu 1: free n\n"
		"b = alloc order 10 node 0 gfp GFP_KERNEL|__GFP_NORETRY\n"
		"free b\n",
		nests_a_free,
		SMALLEST "at slowpath cpu 0: a = alloc order 0 node 0 gfp GFP_KERNEL\n"
			 "at slowpath cpu 0: free a\n"
			 "b = alloc order 0 node 0 gfp GFP_KERNEL\n");
}

/* ---- the machine --------------------------------------------------------- */

static bool has_2_nodes(const struct testcase *c)
{
	const struct machine *m = &c->machine;

	return m->zones[0].node == 0 && m->zones[m->nr_zones - 1].node == 1;
}

/* Two nodes need two zones, of a pageblock each; all else goes. */
static void test_nodes(void **state)
{
	(void)state;
	shrinks(BUSY, has_2_nodes,
		"buddycheck script 1\nzone 0 Normal start 0 pages 512\n"
		"zone 1 Normal start 512 pages 512\n---\n");
}

static bool has_v1(const struct testcase *c)
{
	return c->machine.policy.v1;
}

/* A policy that counts stays, and one that the caller wants to keep. */
static void test_policy(void **state)
{
	const char *kept = "buddycheck script 1\nsubject port:v7.3+V1\n"
			   "zone 0 Normal start 0 pages 512\n---\n";
	struct shrink s = {.max_tries = SHRINK_MAX_TRIES, .keep_policy = true};

	shrinks(BUSY, has_v1, kept);
	teardown(state);
	shrinks_with(&s, BUSY, anything, kept);
}

/* ---- bounds -------------------------------------------------------------- */

/* Without tries left it ends with what it has, which still shows it. */
static void test_bounded(void **state)
{
	struct shrink s = {.shows = probe_shows, .max_tries = 7};
	struct testcase c;

	(void)state;
	case_init(&c);
	must_parse(BUSY, &c);
	probe.shows = frees_order_3;
	shrink_case(&s, &c);
	assert_int_equal(s.tries, 7);
	assert_int_equal(probe.nr, 7);
	assert_true(frees_order_3(&c));
	case_free(&c);
}

/* ---- what the candidates are made of ------------------------------------- */

static void fits(const char *from, const u32 *dropped, u32 nr, const char *to)
{
	struct testcase c, fitted;
	char *text;

	case_init(&c);
	case_init(&fitted);
	must_parse(from, &c);
	for (u32 i = 0; i < nr; i++)
		c.ops[dropped[i]].kind = OP_DROPPED;
	assert_true(case_fit(&fitted, &c));
	text = script_text(&fitted);
	assert_string_equal(text, to);
	free(text);
	case_free(&fitted);
	case_free(&c);
}

/* With an object go the ops that name it; slots are counted anew. */
static void test_fit_dependents(void **state)
{
	const u32 first[] = {0};

	(void)state;
	fits(ONE_ZONE "a = alloc order 0 node 0 gfp GFP_KERNEL\n"
		      "b = alloc order 1 node 0 gfp GFP_KERNEL\n"
		      "get a\nmark a lru\nfree b\nfree a\nfree a\n",
	     first, 1, ONE_ZONE "a = alloc order 1 node 0 gfp GFP_KERNEL\nfree a\n");
}

/* Without the second reference the first free ends the object: the second one goes. */
static void test_fit_references(void **state)
{
	const u32 get[] = {1};

	(void)state;
	fits(ONE_ZONE "a = alloc order 0 node 0 gfp GFP_KERNEL\nget a\nfree a\nfree a\n", get, 1,
	     ONE_ZONE "a = alloc order 0 node 0 gfp GFP_KERNEL\nfree a\n");
}

/* A machine that cannot be booted, and an op whose object a nested op would take, are refused. */
static void test_fit_refuses(void **state)
{
	struct testcase c, fitted;

	(void)state;
	case_init(&c);
	case_init(&fitted);
	must_parse(ONE_ZONE "a = alloc order 0 node 0 gfp GFP_KERNEL\nget a\n"
			    "at slowpath cpu 0: free a\nmark a lru\n",
		   &c);
	c.ops[1].kind = OP_DROPPED;
	assert_false(case_fit(&fitted, &c));
	assert_int_equal(fitted.nr_ops, 0);
	c.ops[1].kind = OP_GET;
	c.machine.nr_zones = 0;
	assert_false(case_fit(&fitted, &c));
	case_free(&fitted);
	case_free(&c);
}

#define test(f) cmocka_unit_test_teardown(f, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(test_nothing_is_needed),
		test(test_pair),
		test(test_count),
		test(test_gfp),
		test(test_range),
		test(test_answers),
		test(test_nested),
		test(test_nodes),
		test(test_policy),
		test(test_bounded),
		test(test_fit_dependents),
		test(test_fit_references),
		test(test_fit_refuses),
	};

	return cmocka_run_group_tests_name("shrink", tests, NULL, NULL);
}
