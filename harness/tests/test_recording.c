/* SPDX-License-Identifier: GPL-2.0-only */
/* Recordings: one written by hand, and every message for a wrong one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/input.h"
#include "harness/tests/forms.h"
#include "model/gfp.h"
#include "model/view.h"

#define ORDERS "pageblock_order 9\nmax_page_order 10\ncpus 1\ndefrag_mode 1\n"
#define RECLAIM \
	"reclaim_returns 7 on its first 3 calls within one alloc, then 0 (it frees nothing)\n"
#define ENV RECLAIM "compaction_returns COMPACT_COMPLETE\nseed 9\n"
#define DMA32                                                                         \
	"zone 0 DMA32 start 0 pages 1024 min 24 low 30 high 36 promo 42 pcp_batch 1 " \
	"pcp_high_min 30 pcp_high_max 128 lowmem_reserve 0 0 8 12\n"
#define NORMAL                                                                            \
	"zone 1 Normal start 1024 pages 2048 min 48 low 60 high 72 promo 84 pcp_batch 1 " \
	"pcp_high_min 60 pcp_high_max 256 lowmem_reserve 0 0 0 32\n"
#define HEADER "recording 1\nkernel 7.3.4+v6\ntask plain\n" ORDERS ENV DMA32 NORMAL
#define OPS                                                                                       \
	"alloc 0 order 2 node 1 gfp HIGHMEM|IO|FS|DIRECT_RECLAIM|KSWAPD_RECLAIM|COMP => 1024\n"   \
	"alloc 1 order 10 node 0 gfp KSWAPD_RECLAIM => none kswapd 2 reclaim 3 compact 4 oom 5\n" \
	"free 0\n"                                                                                \
	"alloc 2 order 0 node 0 gfp 0 => 8 oom 1\n"                                               \
	"drain\n"                                                                                 \
	"end\n"
#define FINAL_ZONE(zone)                                                                       \
	"final zone " zone " free 28 reserved_highatomic 0 free_highatomic 0 boost 0 flags 4 " \
	"pcp_count 17 pcp_high 30 pcp_free_count 2 pcp_alloc_factor 0 free_blocks 0\n"
#define FINAL                                      \
	FINAL_ZONE("0 DMA32")                      \
	"freelist 0 DMA32 order 2 mt 0 : 428 12\n" \
	"pageblocks 0 DMA32 : 0 0\n" FINAL_ZONE("1 Normal") "pageblocks 1 Normal : 1 1 1 1\n"

static const char whole[] = HEADER OPS FINAL;

/* The header becomes the machine: orders, zones, environment, policy. */
static void machine(void **state)
{
	struct testcase c;
	const struct machine *m = &c.machine;

	(void)state;
	must_parse(whole, &c);
	assert_string_equal(c.subject, "port:v7.3+V1+V2");
	assert_int_equal(m->policy.v1, 1);
	assert_int_equal(m->policy.v2, 1);
	assert_int_equal(m->pageblock_order, 9);
	assert_int_equal(m->max_page_order, 10);
	assert_int_equal(m->nr_cpus, 1);
	assert_int_equal(m->sysctl[SYSCTL_DEFRAG_MODE], 1);
	assert_int_equal(m->nr_nodes, 2);
	assert_int_equal(m->node_has_cpus[0] + m->node_has_cpus[1], 0);
	assert_int_equal(m->nr_zones, 2);
	assert_int_equal(m->zones[1].node, 1);
	assert_int_equal(m->zones[1].type, ZONE_NORMAL);
	assert_int_equal(m->zones[1].start, 1024);
	assert_int_equal(m->zones[1].pages, 2048);
	assert_int_equal(m->env.kind[ENV_RECLAIM], ENV_WHOLE);
	assert_int_equal(m->env.defaults[ENV_RECLAIM].value, 7);
	assert_int_equal(m->env.defaults[ENV_RECLAIM].times, 3);
	assert_int_equal(m->env.defaults[ENV_RECLAIM].then, 0);
	assert_int_equal(m->env.defaults[ENV_COMPACT].times, 0);
	assert_int_equal(m->env.defaults[ENV_COMPACT].then, COMPACT_COMPLETE);
	case_free(&c);
}

/* Ops with results and calls (what is not said is 0), and the lines that are expected. */
static void ops_and_lines(void **state)
{
	struct testcase c;

	(void)state;
	must_parse(whole, &c);
	assert_int_equal(c.nr_ops, 5);
	assert_int_equal(c.ops[0].kind, OP_ALLOC);
	assert_int_equal(c.ops[0].order, 2);
	assert_int_equal(c.ops[0].node, 1);
	assert_int_equal(c.ops[0].gfp, GFP_KERNEL | __GFP_HIGHMEM | __GFP_COMP);
	assert_int_equal(c.ops[2].kind, OP_FREE);
	assert_int_equal(c.ops[2].a, c.ops[0].out);
	assert_int_equal(c.ops[2].b, EXTENT_ALL);
	assert_int_equal(c.ops[4].kind, OP_DRAIN);
	assert_int_equal(c.ops[4].sub, DRAIN_ALL);
	assert_int_equal(c.origins[0].line, 13);

	assert_int_equal(c.nr_expects, 3);
	assert_int_equal(c.expects[0].pfn, 1024);
	assert_true(c.expects[0].has_result && c.expects[0].has_calls);
	assert_int_equal(c.expects[0].wakes + c.expects[0].reclaim, 0);
	assert_int_equal(c.expects[1].pfn, PFN_NONE);
	assert_int_equal(c.expects[1].wakes, 2);
	assert_int_equal(c.expects[1].reclaim, 3);
	assert_int_equal(c.expects[1].compact, 4);
	assert_int_equal(c.expects[1].oom, 5);
	assert_int_equal(c.expects[2].op, 3);
	assert_int_equal(c.expects[2].wakes, 0);
	assert_int_equal(c.expects[2].oom, 1);

	assert_int_equal(c.nr_boot, 2);
	assert_memory_equal(c.boot[1], NORMAL, strlen(c.boot[1]));
	assert_int_equal(c.nr_final, 5);
	assert_string_equal(c.final[4], "pageblocks 1 Normal : 1 1 1 1");
	case_free(&c);
}

/* A real-time task is an op before all others. */
static void realtime(void **state)
{
	struct testcase c;

	(void)state;
	must_parse("recording 1\nkernel 7.3.4\ntask realtime\n" ORDERS ENV DMA32 "end\n"
		   "pageblocks 0 DMA32 : 0 0\nwarnings 3\n",
		   &c);
	assert_string_equal(c.subject, "port:v7.3");
	assert_int_equal(c.nr_ops, 1);
	assert_int_equal(c.ops[0].kind, OP_TASK);
	assert_int_equal(c.ops[0].a, TASK_RT);
	assert_int_equal(c.origins[0].line, 3);
	assert_string_equal(c.final[1], "warnings 3");
	case_free(&c);
}

/* A recording as a script says the same, and expects the same. */
static void as_a_script(void **state)
{
	struct testcase c, back;
	char *text, *again;

	(void)state;
	must_parse(whole, &c);
	text = script_text(&c);
	must_parse(text, &back);
	assert_true(case_equal(&c, &back));
	assert_int_equal(back.nr_expects, c.nr_expects);
	for (u32 i = 0; i < c.nr_expects; i++)
		assert_memory_equal(&back.expects[i], &c.expects[i], sizeof(c.expects[i]));
	assert_int_equal(back.nr_boot, c.nr_boot);
	again = script_text(&back);
	assert_string_equal(text, again);
	free(text);
	free(again);
	case_free(&c);
	case_free(&back);
}

/* ---- errors -------------------------------------------------------------- */

#define BEGIN "recording 1\nkernel 7.3.4\ntask plain\n"
#define NO_ZONE BEGIN ORDERS ENV
#define ALLOC "alloc 0 order 0 node 0 gfp 0 => 1\n"

static const struct {
	const char *text, *error;
} wrong[] = {
	{"recording 2\n", "t:1: no line 'recording 1' (expected it first)"},
	{"recording 1\n", "t:1: no kernel (expected 'kernel VERSION')"},
	{"recording 1\nkernel 6.12\n",
	 "t:2: '6.12' is not known here (expected kernel 7.3.4 or 7.3.4+v6)"},
	{"recording 1\nkernel 7.3.4\ntask lazy\n",
	 "t:3: 'task lazy' is not known here (expected 'task plain' or 'task realtime')"},
	{BEGIN "pageblock_order nine\n",
	 "t:4: no line 'pageblock_order #' (expected numbers in the place of #)"},
	{BEGIN "pageblock_order 256\n", "t:4: 256 is too much (expected at most 255)"},
	{BEGIN ORDERS "reclaim_returns 3\n",
	 "t:8: no line 'reclaim_returns # on its first # calls within one alloc, then # (it frees "
	 "nothing)' (expected numbers in the place of #)"},
	{BEGIN ORDERS RECLAIM "compaction_returns COMPLETE\n",
	 "t:9: 'COMPLETE' is not known here (expected a compact_result like COMPACT_COMPLETE)"},
	{BEGIN ORDERS RECLAIM "compaction_returns COMPACT_MAYBE\n",
	 "t:9: 'COMPACT_MAYBE' is not known here (expected a compact_result like "
	 "COMPACT_COMPLETE)"},
	{NO_ZONE "end\n", "t:11: the machine cannot be booted (expected 1 to 32 zones)"},
	{NO_ZONE "zone 0 Normal start 0 pages 4096\n",
	 "t:11: this zone line is not complete (expected 'zone NODE TYPE start PFN pages N min "
	 "...')"},
	{NO_ZONE DMA32 DMA32 "end\n", "t:13: the machine cannot be booted (expected zones in "
				      "ascending order of node and type, each once)"},
	{NO_ZONE DMA32 "alloc 1 order 0 node 0 gfp 0 => 1\n",
	 "t:12: alloc 1 follows alloc -1 (expected allocs numbered from 0 on)"},
	{NO_ZONE DMA32 ALLOC ALLOC,
	 "t:13: alloc 0 follows alloc 0 (expected allocs numbered from 0 on)"},
	{NO_ZONE DMA32 "alloc 0 order 300 node 0 gfp 0 => 1\n",
	 "t:12: order 300 is too much (expected less)"},
	{NO_ZONE DMA32 "alloc 0 order 11 node 0 gfp 0 => 1\n",
	 "t:12: this alloc cannot be played (expected an order of at most max_page_order, and of "
	 "the object)"},
	{NO_ZONE DMA32 "alloc 0 order 0 node 1 gfp 0 => 1\n",
	 "t:12: this alloc cannot be played (expected a node of the machine)"},
	{NO_ZONE DMA32 "alloc 0 order 0 node 0 gfp IO||FS => 1\n",
	 "t:12: the line ends early (expected gfp flags joined by '|')"},
	{NO_ZONE DMA32 "alloc 0 order 0 node 0 gfp WAIT => 1\n",
	 "t:12: 'WAIT' is not known here (expected gfp flags joined by '|')"},
	{NO_ZONE DMA32 "alloc 0 order 0 node 0 gfp 0\n",
	 "t:12: the line ends early (expected '=>')"},
	{NO_ZONE DMA32 "alloc 0 order 0 node 0 gfp 0 => -1\n",
	 "t:12: '-1' is not known here (expected a PFN or none)"},
	{NO_ZONE DMA32 "alloc 0 order 0 node 0 gfp 0 => 1 oom 1 kswapd 1\n",
	 "t:12: 'kswapd' is not known here (expected kswapd, reclaim, compact or oom)"},
	{NO_ZONE DMA32 "free 0\n", "t:12: this free cannot be played (expected an object that is "
				   "not freed yet)"},
	{NO_ZONE DMA32 ALLOC "free 0\nfree 0\n",
	 "t:14: this free cannot be played (expected an object that is not freed yet)"},
	{NO_ZONE DMA32 "drain all\n",
	 "t:12: 'all' is not known here (expected the end of the line)"},
	{NO_ZONE DMA32 "get 0\n",
	 "t:12: 'get' is not known here (expected alloc, free, drain or end)"},
	{NO_ZONE DMA32 "drain\n",
	 "t:12: the recording is cut off (expected 'end' and the final state)"},
	{NO_ZONE DMA32 "end\nfreelist 0 DMA32 order 2 : 428\n",
	 "t:13: 'freelist 0 DMA32 order 2 : 428' is not known here (expected a line of a final "
	 "state)"},
	{NO_ZONE DMA32 "end\nfreelist 0 DMA32 order 2 mt 0 : 428\n",
	 "t:13: the final state is not complete (expected a 'pageblocks' line for each zone)"},
};

/* Each wrong text is refused with its line, what is wrong and what was expected. */
static void errors(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		must_fail(wrong[i].text, strlen(wrong[i].text), wrong[i].error);
}

/* Cut off anywhere before its last line, a recording is refused. */
static void cut_off(void **state)
{
	const char *last = strstr(whole, "pageblocks 1");
	char err[CASE_ERROR_SIZE];

	(void)state;
	for (size_t len = 0; len < (size_t)(last - whole); len++) {
		struct testcase c;

		case_init(&c);
		assert_int_equal(case_decode("t", whole, len, &c, err), -1);
		assert_int_equal(c.nr_ops, 0);
		assert_non_null(strstr(err, "expected"));
		case_free(&c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(machine),  cmocka_unit_test(ops_and_lines),
		cmocka_unit_test(realtime), cmocka_unit_test(as_a_script),
		cmocka_unit_test(errors),   cmocka_unit_test(cut_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
