/* SPDX-License-Identifier: GPL-2.0-only */
/* Scripts: what every word means, the way back to text, and every message for a wrong one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/case.h"
#include "harness/script.h"
#include "harness/tests/forms.h"
#include "model/gfp.h"
#include "model/port.h"

/* ---- what words mean ----------------------------------------------------- */

/* Each line of the machine section sets its member; numbers are those of the text. */
static void machine_section(void **state)
{
	struct testcase c;
	const struct machine *m = &c.machine;
	const struct env_default *d;

	(void)state;
	must_parse(every_word, &c);
	d = m->env.defaults;
	assert_string_equal(c.subject, "port:v7.3+V1+V2+contig_valid=hugeskip");
	assert_int_equal(m->policy.v1, 1);
	assert_int_equal(m->policy.v2, 1);
	assert_int_equal(m->policy.contig_valid, CONTIG_VALID_HUGESKIP);
	assert_int_equal(m->max_page_order, 11);
	assert_int_equal(m->pageblock_order, 8);
	assert_int_equal(m->pmd_order, 10);
	assert_int_equal(m->gigantic_order, 12);
	assert_int_equal(m->pcp_batch_scale_max, 4);
	assert_int_equal(m->cache_pages, 77);
	assert_int_equal(m->fuel, 99);
	assert_int_equal(m->config_dma, 0);
	assert_int_equal(m->config_dma32, 1);
	assert_int_equal(m->config_cma, 1);
	assert_int_equal(m->config_compaction, 0);
	assert_int_equal(m->hugetlb_migration, 0);
	assert_int_equal(m->mobility, MOBILITY_ON);
	assert_int_equal(m->pcp_batch, 16);
	assert_int_equal(m->pcp_high_min, 64);
	assert_int_equal(m->pcp_high_max, 128);
	assert_int_equal(m->nr_nodes, 5);
	assert_int_equal(m->nr_cpus, 3);
	assert_int_equal(m->node_has_cpus[0], 0);
	assert_int_equal(m->node_has_cpus[1], 1);
	assert_int_equal(m->distance[0][1], 21);
	assert_int_equal(m->distance[1][0], 22);
	assert_int_equal(m->cpu_node[1], 1);
	assert_int_equal(m->cpu_node[2], 3);
	assert_int_equal(m->nr_zones, 4);
	assert_int_equal(m->zones[3].node, 1);
	assert_int_equal(m->zones[3].type, ZONE_MOVABLE);
	assert_int_equal(m->zones[3].start, 7168);
	assert_int_equal(m->zones[3].pages, 1024);
	assert_int_equal(m->nr_ranges, 2);
	assert_int_equal(m->ranges[0].kind, RANGE_RESERVED);
	assert_int_equal(m->ranges[0].start, 100);
	assert_int_equal(m->ranges[1].kind, RANGE_CMA);
	assert_int_equal(m->ranges[1].pages, 512);
	for (u32 i = 0; i < MAX_NR_ZONES; i++)
		assert_int_equal(m->sysctl[SYSCTL_LOWMEM_RESERVE_DMA + i], i + 1);
	assert_int_equal(m->sysctl[SYSCTL_MIN_FREE_KBYTES], 1000);
	assert_int_equal(m->env.kind[ENV_RECLAIM], ENV_WHOLE);
	assert_int_equal(m->env.kind[ENV_COMPACT], ENV_ZONE);
	assert_int_equal(m->env.kind[ENV_WAKE], ENV_CLOSED);
	assert_int_equal(m->env.kswapd_pages, 5);
	assert_int_equal(m->env.kcompactd_blocks, 6);
	assert_int_equal(d[ENV_RECLAIM].value, 1);
	assert_int_equal(d[ENV_RECLAIM].times, 3);
	assert_int_equal(d[ENV_RECLAIM].then, 0);
	assert_int_equal(d[ENV_RECLAIM].extra, 2);
	assert_int_equal(d[ENV_COMPACT].value, COMPACT_SUCCESS);
	assert_int_equal(d[ENV_COMPACT].then, COMPACT_PARTIAL_SKIPPED);
	assert_int_equal(d[ENV_OOM].extra, 7U | BIT(31));
	assert_int_equal(d[ENV_NODE_RECLAIM].times, 0);
	assert_int_equal(d[ENV_NODE_RECLAIM].then, 4);
	assert_int_equal(c.nr_boot, 1);
	case_free(&c);
}

#define ALL_MARKS                                                                                  \
	(PG_LRU | PG_MOVABLE_OPS | PG_HUGETLB | PG_RESERVED | PG_HWPOISON | PG_PINNED | PG_CLEAN | \
	 PG_MLOCKED)

/* Ops of every_word: kind, sub, node, flags, gfp, a, b, in the order of the text. */
static const struct op wanted_ops[] = {
	{OP_ALLOC, {3}, 0, 0, GFP_KERNEL | __GFP_NORETRY, 0, 0, 0, 0, 0, 0, 0},
	{OP_ALLOC, {0}, 3, OPF_FROZEN, 0, 0, 5, 1, 0, 0, 0, 0},
	{OP_ALLOC_NOLOCK, {0}, 0, 0, __GFP_ACCOUNT, 0, 0, 2, 0, 0, 0, 0},
	{OP_ALLOC_BULK, {0}, 1, 2, GFP_KERNEL, 8, 2, 3, 0, 0, 0, 0},
	{OP_GET, {0}, 0, 0, 0, 0, 0, SLOT_NONE, 0, 0, 0, 0},
	{OP_FREE, {0}, 0, 0, 0, 0, EXTENT_ALL, SLOT_NONE, 0, 0, 0, 0},
	{OP_FREE, {0}, 0, OPF_NOLOCK, 0, 3, 3, SLOT_NONE, 0, 0, 0, 0},
	{OP_FREE, {0}, 0, OPF_BATCH, 0, 2, EXTENT_ALL, SLOT_NONE, 0, 0, 0, 0},
	{OP_FREE_PIECE, {2}, 0, 0, 0, 0, 4, SLOT_NONE, 0, 0, 0, 0},
	{OP_MARK, {0}, 0, 0, 0, 3, ALL_MARKS, SLOT_NONE, 0, 0, 0, 0},
	{OP_MARK, {0}, 0, OPF_CLEAR, 0, 3, PG_LRU, SLOT_NONE, 0, 0, 0, 0},
	{OP_DRAIN, {DRAIN_ALL}, 0, 0, 0, 0, 0, SLOT_NONE, 0, 0, 0, 0},
	{OP_DRAIN, {DRAIN_ZONE}, 0, 0, 0, 3, 0, SLOT_NONE, 0, 0, 0, 0},
	{OP_DRAIN, {DRAIN_LOCAL}, 0, 0, 0, 0, 0, SLOT_NONE, 0, 0, 0, 0},
	{OP_DRAIN, {DRAIN_CPU_ZONE}, 0, 0, 0, 1, 1, SLOT_NONE, 0, 0, 0, 0},
	{OP_DRAIN, {DRAIN_EXPIRE}, 0, 0, 0, 0, 0, SLOT_NONE, 0, 0, 0, 0},
	{OP_DRAIN, {DRAIN_DECAY}, 0, 0, 0, 2, 2, SLOT_NONE, 0, 0, 0, 0},
	{OP_DRAIN, {DRAIN_PCP_DISABLE}, 0, 0, 0, 1, 0, SLOT_NONE, 0, 0, 0, 0},
	{OP_DRAIN, {DRAIN_PCP_ENABLE}, 0, 0, 0, 1, 0, SLOT_NONE, 0, 0, 0, 0},
	{OP_ISOLATE, {PB_ISOLATE_MODE_MEM_OFFLINE}, 0, 0, 0, 1024, 1280, SLOT_NONE, 0, 0, 0, 0},
	{OP_UNISOLATE, {0}, 0, 0, 0, 1024, 1280, SLOT_NONE, 0, 0, 0, 0},
	{OP_ISOLATE, {PB_ISOLATE_MODE_CMA_ALLOC}, 0, 0, 0, 2048, 2560, SLOT_NONE, 0, 0, 0, 0},
	{OP_ISOLATE, {PB_ISOLATE_MODE_OTHER}, 0, 0, 0, 1024, 5024, SLOT_NONE, 0, 0, 0, 0},
	{OP_CONTIG_RANGE, {0}, 0, OPF_CMA | OPF_FROZEN, GFP_KERNEL, 512, 768, 4, 0, 0, 0, 0},
	{OP_CONTIG_PAGES, {0}, 0, OPF_FROZEN, GFP_USER | __GFP_COMP, 2048, 3, 5, 0, 0, 0, 0},
	{OP_CPU, {0}, 0, 0, 0, 2, 0, SLOT_NONE, 0, 0, 0, 0},
	{OP_TASK, {0}, 0, 0, 0, 0, 0, SLOT_NONE, 0, 0, 0, 0},
	{OP_TASK,
	 {0},
	 0,
	 0,
	 0,
	 TASK_PF_MEMALLOC | TASK_RT | TASK_IN_SOFTIRQ | TASK_CPUSETS_INSANE,
	 0,
	 SLOT_NONE,
	 0,
	 0,
	 0,
	 0},
	{OP_CPUSET, {0}, 0, 0, 0, 3, 11, SLOT_NONE, 0, 0, 0, 0},
	{OP_SYSCTL, {SYSCTL_WATERMARK_BOOST_FACTOR}, 0, 0, 0, 0, 0, SLOT_NONE, 0, 0, 0, 0},
	{OP_KSWAPD, {0}, 0, 0, 0, 0, 0, SLOT_NONE, 0, 0, 0, 0},
	{OP_KSWAPD, {0}, 1, 0, 0, 32, 0, SLOT_NONE, 0, 0, 0, 0},
	{OP_KCOMPACTD, {0}, 1, 0, 0, 0, 0, SLOT_NONE, 0, 0, 0, 0},
	{OP_KCOMPACTD, {0}, 0, 0, 0, 1, 0, SLOT_NONE, 0, 0, 0, 0},
	{OP_FILEMAP,
	 {4},
	 0,
	 OPF_FGP_NOFS | OPF_FGP_NOWAIT | OPF_FGP_WRITE | OPF_P2 | OPF_LRU,
	 GFP_HIGHUSER_MOVABLE,
	 16,
	 1 | 9 << 8,
	 7,
	 0,
	 0,
	 15,
	 3},
	{OP_FILEMAP, {0}, 0, 0, GFP_TRANSHUGE_LIGHT, 0, 0, 8, 15, 3, 0, 0},
	{OP_MPOL, {9}, 0, OPF_NO_INTERLEAVE, GFP_TRANSHUGE, 0, 8, 9, 15, 3, 0, 0},
	{OP_HUGETLB, {9}, 0, OPF_MOVABLE, 0, 4, 0, 10, 15, 3, 0, 0},
	{OP_HUGETLB, {0}, 1, 0, 0, 1, 0, 11, 15, 3, 0, 0},
	{OP_FREE, {0}, 0, 0, 0, 6, EXTENT_ALL, SLOT_NONE, 15, 3, 0, 0},
	{OP_FREE, {0}, 0, 0, 0, 10, 3, SLOT_NONE, 15, 3, 0, 0},
};

/* Each op has the members that its words say, and only these. */
static void ops_section(void **state)
{
	struct testcase c;

	(void)state;
	must_parse(every_word, &c);
	assert_int_equal(c.nr_ops, ARRAY_SIZE(wanted_ops));
	assert_int_equal(c.nr_slots, 12);
	for (u32 i = 0; i < c.nr_ops; i++) {
		const struct op *want = &wanted_ops[i], *got = &c.ops[i];

		assert_int_equal(got->kind, want->kind);
		assert_int_equal(got->sub, want->sub);
		assert_int_equal(got->node, want->node);
		assert_int_equal(got->flags, want->flags);
		assert_int_equal(got->gfp, want->gfp);
		assert_int_equal(got->a, want->a);
		assert_int_equal(got->b, want->b);
		assert_int_equal(got->out, want->out);
		assert_int_equal(got->first_answer, want->first_answer);
		assert_int_equal(got->nr_answers, want->nr_answers);
		assert_int_equal(got->first_nested, want->first_nested);
		assert_int_equal(got->nr_nested, want->nr_nested);
	}
	case_free(&c);
}

/* Answers, nested ops, expectations, lines and names are kept with their op. */
static void parts_of_ops(void **state)
{
	struct testcase c;

	(void)state;
	must_parse(every_word, &c);
	assert_int_equal(c.answers[0].call, ENV_RECLAIM);
	assert_int_equal(c.answers[0].value, 3);
	assert_int_equal(c.answers[0].extra, 2);
	assert_int_equal(c.answers[1].call, ENV_COMPACT);
	assert_int_equal(c.answers[1].kind, ENV_ZONE);
	assert_int_equal(c.answers[1].value, COMPACT_SUCCESS);
	assert_int_equal(c.answers[1].extra, 512);
	assert_int_equal(c.answers[2].extra, 16 | BIT(31));
	assert_int_equal(c.answers[12].call, ENV_ZONELIST_COOKIE);
	assert_int_equal(c.answers[12].value, 0);
	assert_int_equal(c.nested[0].point, NEST_SLOWPATH);
	assert_int_equal(c.nested[0].cpu, 1);
	assert_int_equal(c.nested[0].op.kind, OP_FREE);
	assert_int_equal(c.nested[0].op.a, 5);
	assert_int_equal(c.nested[1].op.out, 6);
	assert_string_equal(c.strings + c.nested[1].origin.name, "other");
	assert_int_equal(c.nested[2].point, NEST_CONTIG_ISOLATED);

	assert_int_equal(c.nr_expects, 5);
	assert_int_equal(c.expects[0].op, 0);
	assert_int_equal(c.expects[0].pfn, 4096);
	assert_true(c.expects[0].has_result);
	assert_false(c.expects[0].has_calls);
	assert_int_equal(c.expects[1].pfn, PFN_NONE);
	assert_true(c.expects[1].has_result && c.expects[1].has_calls);
	assert_int_equal(c.expects[1].wakes, 1);
	assert_int_equal(c.expects[1].reclaim, 2);
	assert_int_equal(c.expects[1].compact, 1);
	assert_int_equal(c.expects[1].oom, 3);
	assert_false(c.expects[2].has_result);
	assert_true(c.expects[2].has_calls);
	assert_int_equal(c.expects[4].op, 23);

	assert_int_equal(c.origins[0].line, 47);
	assert_string_equal(c.strings + c.origins[2].name, "at");
	assert_int_equal(c.origins[4].name, 0);
	assert_int_equal(c.nr_final, 8);
	assert_string_equal(c.final[7], "warnings 2");
	case_free(&c);
}

/* Comments, blank lines, tabs, \r\n, the order of words and a missing last \n say nothing. */
static void free_layout(void **state)
{
	static const char loose[] =
		"# about\r\n\nbuddycheck  script\t1\r\nzone 0 Normal start 0 pages 4096 # all\n"
		"config cma on dma on\n"
		"\t---\r\n\n  a = alloc  gfp IO|__GFP_FS node 0 order 1 # => 9\n \t\nfree a";
	static const char plain[] =
		ONE_ZONE "a = alloc order 1 node 0 gfp __GFP_IO|__GFP_FS\nfree a\n";
	struct testcase x, y;

	(void)state;
	must_parse(loose, &x);
	must_parse(plain, &y);
	assert_true(case_equal(&x, &y));
	assert_int_equal(x.nr_expects, 0);
	case_free(&x);
	case_free(&y);
}

/* Without "max", a mapping allows the order that is asked for, and at least its minimum. */
static void filemap_max(void **state)
{
	struct testcase c;

	(void)state;
	must_parse(ONE_ZONE "filemap index 0 order 4 node 0 gfp 0\n"
			    "filemap index 0 order 1 min 3 node 0 gfp 0\n",
		   &c);
	assert_int_equal(c.ops[0].b, 4 << 8);
	assert_int_equal(c.ops[1].b, 3 | 3 << 8);
	case_free(&c);
}

/* gfp names: with and without __GFP_, masks, 0; bits as the kernel numbers them. */
static void gfp_names(void **state)
{
	struct testcase c;

	(void)state;
	must_parse(ONE_ZONE "alloc order 0 node 0 gfp DMA32|KSWAPD_RECLAIM|__GFP_SKIP_KASAN\n"
			    "alloc order 0 node 0 gfp __GFP_RECLAIM\n"
			    "alloc order 0 node 0 gfp GFP_NOWAIT|GFP_NOFS\n",
		   &c);
	assert_int_equal(c.ops[0].gfp, 1 << 2 | 1 << 11 | 1 << 25);
	assert_int_equal(c.ops[1].gfp, 1 << 10 | 1 << 11);
	assert_int_equal(c.ops[2].gfp, 1 << 6 | 1 << 10 | 1 << 11 | 1 << 13);
	case_free(&c);
}

/* ---- the way back -------------------------------------------------------- */

/* Text to case to text: the same text, for every word that there is. */
static void text_comes_back(void **state)
{
	struct testcase c;
	char *text;

	(void)state;
	must_parse(every_word, &c);
	text = script_text(&c);
	assert_string_equal(text, every_word);
	free(text);
	case_free(&c);
}

/* Slots without a name get a, b, ... z, aa, ..., but never a name that the case has. */
static void made_names(void **state)
{
	struct testcase c;
	char *text;

	(void)state;
	must_parse(ONE_ZONE "alloc order 0 node 0 gfp 0\nb = alloc order 0 node 0 gfp 0\n"
			    "alloc order 0 node 0 gfp 0\nfree b\n",
		   &c);
	text = script_text(&c);
	assert_string_equal(text, ONE_ZONE "a = alloc order 0 node 0 gfp 0\n"
					   "b = alloc order 0 node 0 gfp 0\n"
					   "c = alloc order 0 node 0 gfp 0\nfree b\n");
	free(text);
	case_free(&c);
}

/* 800 names: the 26 letters, then 26 * 26 pairs ("at", which begins nested lines, among them). */
static void many_made_names(void **state)
{
	struct testcase c, back;
	struct slot_names names;
	char *text;

	(void)state;
	must_parse(ONE_ZONE, &c);
	for (u32 i = 0; i < 800; i++) {
		struct op op = {.kind = OP_ALLOC, .out = c.nr_slots++};

		case_add_op(&c, &op);
	}
	slot_names_init(&names, &c);
	assert_string_equal(names.strings + names.at[25], "z");
	assert_string_equal(names.strings + names.at[26], "aa");
	assert_string_equal(names.strings + names.at[26 + 19], "at");
	assert_string_equal(names.strings + names.at[26 + 26 * 26], "aaa");
	slot_names_free(&names);
	text = script_text(&c);
	must_parse(text, &back);
	assert_true(case_equal(&c, &back));
	free(text);
	case_free(&c);
	case_free(&back);
}

/* A policy without a subject line shows as one; a kernel subject keeps its name. */
static void subjects(void **state)
{
	struct testcase c;
	char *text;

	(void)state;
	must_parse(ONE_ZONE, &c);
	c.machine.policy.v2 = 1;
	text = script_text(&c);
	assert_non_null(strstr(text, "\nsubject port:v7.3+V2\n"));
	free(text);
	case_free(&c);
	must_parse("buddycheck script 1\nsubject kernel:mm.so\nzone 0 Normal start 0 pages 9\n---",
		   &c);
	text = script_text(&c);
	assert_non_null(strstr(text, "\nsubject kernel:mm.so\n"));
	free(text);
	case_free(&c);
}

/* A copy has everything; a plain one what bytes keep. */
static void copies(void **state)
{
	struct testcase c, full, plain;
	char *x, *y;

	(void)state;
	must_parse(every_word, &c);
	case_copy(&full, &c, false);
	case_copy(&plain, &c, true);
	x = script_text(&c);
	y = script_text(&full);
	assert_string_equal(x, y);
	assert_true(case_equal(&c, &plain));
	assert_null(plain.origins);
	assert_int_equal(plain.nr_expects + plain.nr_final + plain.nr_boot, 0);
	free(x);
	free(y);
	case_free(&c);
	case_free(&full);
	case_free(&plain);
}

/* One change of any kind makes two cases unequal; another numbering of slots does not. */
static void equality(void **state)
{
	static const char one[] = ONE_ZONE "a = alloc order 0 node 0 gfp 0\nanswer fault 1\n"
					   "b = alloc order 0 node 0 gfp 0\nfree a\n";
	static const char two[] = ONE_ZONE "a = alloc order 0 node 0 gfp 0\nanswer fault 1\n"
					   "b = alloc order 0 node 0 gfp 0\nfree b\n";
	static const char three[] = ONE_ZONE "a = alloc order 0 node 0 gfp 0\nanswer fault 0\n"
					     "b = alloc order 0 node 0 gfp 0\nfree a\n";
	struct testcase x, y, z;

	(void)state;
	must_parse(one, &x);
	must_parse(two, &y);
	must_parse(three, &z);
	assert_false(case_equal(&x, &y));
	assert_false(case_equal(&x, &z));
	case_free(&y);
	must_parse(one, &y);
	assert_true(case_equal(&x, &y));
	y.ops[0].out = 1;
	y.ops[1].out = 0;
	y.ops[2].a = 1;
	assert_true(case_equal(&x, &y));
	y.machine.fuel++;
	assert_false(case_equal(&x, &y));
	case_free(&x);
	case_free(&y);
	case_free(&z);
}

/* ---- errors -------------------------------------------------------------- */

#define FIRST "buddycheck script 1\n"
#define ALLOC "a = alloc order 1 node 0 gfp 0\n"

static const struct {
	const char *text, *error;
} wrong[] = {
	/* sections */
	{"buddycheck script 2\n",
	 "t:1: 'buddycheck script 2' is not known here (expected 'buddycheck script 1' first)"},
	{FIRST "zone 0 Normal start 0 pages 4096\n",
	 "t:2: no ops (expected '---' behind the machine)"},
	{FIRST "---\n", "t:2: the machine cannot be booted (expected 1 to 32 zones)"},
	{FIRST "zone 0 Normal start 0 pages 4096\n--- x\n",
	 "t:3: 'x' is not known here (expected the end of the line)"},
	{ONE_ZONE "---\nfreelist 0 Normal order 0 : 1\n",
	 "t:5: 'freelist 0 Normal order 0 : 1' is not known here (expected a line of a final "
	 "state)"},
	{ONE_ZONE "answer fault 1\n", "t:4: answers without an op (expected an op below)"},
	{ONE_ZONE "at drain cpu 0: drain all\n---\n",
	 "t:5: answers without an op (expected an op below)"},
	/* machine */
	{FIRST "zones 3\n",
	 "t:2: 'zones' is not known here (expected a line of the machine, or ---)"},
	{FIRST "fuel\n", "t:2: the line ends early (expected a number of at most 4294967295)"},
	{FIRST "fuel 4294967296\n",
	 "t:2: '4294967296' is not known here (expected a number of at most 4294967295)"},
	{FIRST "fuel -1\n",
	 "t:2: '-1' is not known here (expected a number of at most 4294967295)"},
	{FIRST "cpus 256\n", "t:2: '256' is not known here (expected a number of at most 255)"},
	{FIRST "fuel 3 4\n", "t:2: '4' is not known here (expected the end of the line)"},
	{FIRST "config numa off\n",
	 "t:2: 'numa' is not known here (expected a setting of this group)"},
	{FIRST "config cma no\n", "t:2: 'no' is not known here (expected one of: off on)"},
	{FIRST "mobility yes\n", "t:2: 'yes' is not known here (expected one of: auto on off)"},
	{FIRST "pcp batch x\n",
	 "t:2: 'x' is not known here (expected a number of at most 4294967295)"},
	{FIRST "node 8 cpus on\n", "t:2: '8' is not known here (expected a number of at most 7)"},
	{FIRST "nodes 2\nnode 2 cpus on\n", "t:3: no node 2 (expected a node below 'nodes')"},
	{FIRST "node 0 cpu on\n", "t:2: 'cpu' is not known here (expected 'cpus')"},
	{FIRST "distance 0 1 300\n",
	 "t:2: '300' is not known here (expected a number of at most 255)"},
	{FIRST "pmd_order 9\npmd_order 9\n", "t:3: pmd_order is set twice (expected it once)"},
	{FIRST "pcp batch 1\npcp high_min 2 batch 3\n",
	 "t:3: batch is set twice (expected it once)"},
	{FIRST "sysctl defrag_mode 1\nsysctl defrag_mode 0\n",
	 "t:3: defrag_mode is set twice (expected it once)"},
	{FIRST "subject port:v7.3\nsubject port:v7.3\n",
	 "t:3: subject is set twice (expected it once)"},
	{FIRST "cpu 1 node 0\n", "t:2: no CPU 1 (expected 'cpus' above, and less)"},
	{FIRST "cpu 128 node 0\n",
	 "t:2: '128' is not known here (expected a number of at most 127)"},
	{FIRST "zone 0 HighMem start 0 pages 1\n",
	 "t:2: 'HighMem' is not known here (expected DMA, DMA32, Normal or Movable)"},
	{FIRST "zone 0 Normal from 0 pages 1\n",
	 "t:2: 'from' is not known here (expected 'start')"},
	{FIRST "reserved start 0 pages 5000000\n",
	 "t:2: '5000000' is not known here (expected a number of at most 4194304)"},
	{FIRST "zone 0 Normal start 0 pages 4096\ncma start 100 pages 512\n---\n",
	 "t:4: the machine cannot be booted (expected CMA ranges of whole pageblocks)"},
	{FIRST "sysctl swappiness 60\n",
	 "t:2: 'swappiness' is not known here (expected the name of a sysctl)"},
	{FIRST "subject port:v6.1\n",
	 "t:2: 'port:v6.1' is not known here (expected a preset first: v7.3)"},
	{FIRST "subject llfree\n",
	 "t:2: 'llfree' is not known here (expected port:POLICY or kernel:FILE)"},
	{FIRST "env lock_pcp whole\n",
	 "t:2: 'lock_pcp' is not known here (expected reclaim, compact, wake or oom)"},
	{FIRST "env oom open\n", "t:2: 'open' is not known here (expected whole, zone or closed)"},
	{FIRST "default sleep 1\n",
	 "t:2: 'sleep' is not known here (expected a call of the environment)"},
	{FIRST "default reclaim 1 3 then 0\n",
	 "t:2: '3' is not known here (expected a number of calls, like x3)"},
	{FIRST "default reclaim 1 x0 then 0\n",
	 "t:2: 'x0' is not known here (expected a number of calls, like x3)"},
	{FIRST "default reclaim 1 x1\n", "t:2: the line ends early (expected 'then')"},
	{FIRST "default wake 1 x1 then 0 frees 3\n",
	 "t:2: 'frees' is not known here (expected the end of the line)"},
	{FIRST "boot zone 0 Normal\n",
	 "t:2: 'zone 0 Normal' is not known here (expected a zone line of a recording)"},
	/* ops */
	{ONE_ZONE "malloc 3\n", "t:4: 'malloc' is not known here (expected an op)"},
	{ONE_ZONE "alloc order 1 gfp 0\n", "t:4: no 'node' (expected it with a value)"},
	{ONE_ZONE "alloc order 1 order 2 node 0 gfp 0\n",
	 "t:4: 'order' comes twice (expected each word once)"},
	{ONE_ZONE "alloc order 0 node 0 gfp 0 => 1 oom 0 oom 1\n",
	 "t:4: 'oom' comes twice (expected each word once)"},
	{ONE_ZONE "alloc order 1 node 0 gfp 0 lru\n",
	 "t:4: 'lru' is not known here (expected a word of this op, or =>)"},
	{ONE_ZONE "alloc order 11 node 0 gfp 0\n",
	 "t:4: this alloc cannot be played (expected an order of at most max_page_order, and of "
	 "the object)"},
	{ONE_ZONE "alloc order 256 node 0 gfp 0\n",
	 "t:4: '256' is not known here (expected a number of at most 255)"},
	{ONE_ZONE "alloc order 0 node 1 gfp 0\n",
	 "t:4: this alloc cannot be played (expected a node of the machine)"},
	{ONE_ZONE "alloc order 0 node 0 gfp GFP_KERNEL|WAIT\n",
	 "t:4: 'WAIT' is not known here (expected gfp flags joined by '|', or 0)"},
	{ONE_ZONE "alloc order 0 node 0 gfp IO|\n",
	 "t:4: the line ends early (expected gfp flags joined by '|', or 0)"},
	{ONE_ZONE "alloc order 0 node 0 gfp DMA|DMA32\n",
	 "t:4: this alloc cannot be played (expected known gfp bits, one zone and one mobility at "
	 "most)"},
	{ONE_ZONE "alloc order 0 node 0 gfp MOVABLE|RECLAIMABLE\n",
	 "t:4: this alloc cannot be played (expected known gfp bits, one zone and one mobility at "
	 "most)"},
	{ONE_ZONE "alloc order 0 node 0 gfp 0 nodemask 0,9\n",
	 "t:4: '9' is not known here (expected nodes joined by ',')"},
	{ONE_ZONE "alloc order 0 node 0 gfp 0 nodemask 1\n",
	 "t:4: this alloc cannot be played (expected nodes of the machine)"},
	{ONE_ZONE "alloc_bulk nr 513 node 0 gfp 0\n",
	 "t:4: this alloc_bulk cannot be played (expected 1 to 512 pages)"},
	{ONE_ZONE "alloc_bulk nr 3 node 0 gfp 0 filled 4\n",
	 "t:4: this alloc_bulk cannot be played (expected filled <= nr)"},
	{ONE_ZONE "1a = alloc order 0 node 0 gfp 0\n",
	 "t:4: '1a' is not known here (expected a name of letters, digits and _)"},
	{ONE_ZONE ALLOC ALLOC, "t:5: 'a' is not known here (expected a name that is new)"},
	{ONE_ZONE "x = drain all\n", "t:4: drain creates no object (expected no name)"},
	{ONE_ZONE "free b\n", "t:4: 'b' is not known here (expected the name of an object above)"},
	{ONE_ZONE ALLOC "free a\nget a\n",
	 "t:6: this get cannot be played (expected an object that is not freed yet)"},
	{ONE_ZONE ALLOC "free a[0]\n",
	 "t:5: this free cannot be played (expected an extent that the object has)"},
	{ONE_ZONE ALLOC "free a[0\n",
	 "t:5: '0' is not known here (expected a number and ']' behind '[')"},
	{ONE_ZONE ALLOC "free a nolock batch\n",
	 "t:5: this free cannot be played (expected flags that go with the op)"},
	{ONE_ZONE ALLOC "free_piece a 1 order 0\n",
	 "t:5: '1' is not known here (expected an offset in pages, like +4)"},
	{ONE_ZONE ALLOC "free_piece a +2 order 0\n",
	 "t:5: this free_piece cannot be played (expected an offset inside the object, a multiple "
	 "of the pages freed)"},
	{ONE_ZONE ALLOC "free_piece a +1 order 1\n",
	 "t:5: this free_piece cannot be played (expected an offset inside the object, a multiple "
	 "of the pages freed)"},
	{ONE_ZONE ALLOC "free_piece a +0 order 2\n",
	 "t:5: this free_piece cannot be played (expected an order of at most max_page_order, and "
	 "of the object)"},
	{ONE_ZONE ALLOC "mark a dirty\n",
	 "t:5: 'dirty' is not known here (expected page marks joined by '|')"},
	{ONE_ZONE "drain some\n",
	 "t:4: 'some' is not known here (expected all, zone, local, cpu, expire or decay)"},
	{ONE_ZONE "drain zone 0 DMA\n",
	 "t:4: 'DMA' is not known here (expected a node and the type of a zone on it)"},
	{ONE_ZONE "drain cpu 1 zone 0 Normal\n",
	 "t:4: this drain cannot be played (expected a CPU of the machine)"},
	{ONE_ZONE "isolate 512-1024\n",
	 "t:4: '512-1024' is not known here (expected a range of PFNs, like 512..1024)"},
	{ONE_ZONE "isolate 512..512\n",
	 "t:4: this isolate cannot be played (expected an end behind the start, in the same zone, "
	 "and with __GFP_COMP a range aligned to its size)"},
	{ONE_ZONE "isolate 0..512 mode hot\n",
	 "t:4: 'hot' is not known here (expected offline, cma or other)"},
	{ONE_ZONE "contig_range 4096..5000 gfp 0\n",
	 "t:4: this contig_range cannot be played (expected a start inside a zone)"},
	{ONE_ZONE "contig_pages nr 4097 node 0 gfp 0\n",
	 "t:4: this contig_pages cannot be played (expected from 1 page to as many as the machine "
	 "has)"},
	{ONE_ZONE "cpu 1\n", "t:4: this cpu cannot be played (expected a CPU of the machine)"},
	{ONE_ZONE "task lazy\n",
	 "t:4: 'lazy' is not known here (expected plain, or task flags joined by '|')"},
	{FIRST "nodes 3\nzone 0 Normal start 0 pages 9\n---\ncpuset mems 1,2 hardwall 2\n",
	 "t:5: this cpuset cannot be played (expected nodes of the machine that include the "
	 "mems)"},
	{ONE_ZONE "sysctl watermark_scale_factor 0\n",
	 "t:4: this sysctl cannot be played (expected a value that the sysctl may have)"},
	{ONE_ZONE "filemap index 0 order 2 min 3 max 2 node 0 gfp 0\n",
	 "t:4: this filemap cannot be played (expected min <= max <= max_page_order)"},
	/* expectations, answers, nested ops */
	{ONE_ZONE "drain all => 3\n", "t:4: drain gives no page (expected no '=>')"},
	{ONE_ZONE "alloc order 0 node 0 gfp 0 => NULL\n",
	 "t:4: 'NULL' is not known here (expected a PFN or none)"},
	{ONE_ZONE "alloc order 0 node 0 gfp 0 => 1 => 1\n",
	 "t:4: '=>' is not known here (expected a word of this op, or =>)"},
	{ONE_ZONE "drain all reclaim\n", "t:4: the line ends early (expected a number of calls)"},
	{ONE_ZONE "answer sleep 1\n",
	 "t:4: 'sleep' is not known here (expected a call of the environment)"},
	{ONE_ZONE "answer compact MAYBE\n",
	 "t:4: 'MAYBE' is not known here (expected a compact_result like SUCCESS)"},
	{ONE_ZONE "answer compact zone SUCCESS\n",
	 "t:4: the answer cannot be given (expected an answer of the kind that the machine plays)"},
	{FIRST "zone 0 Normal start 0 pages 4096\nenv reclaim closed\n---\nanswer reclaim 1\n",
	 "t:5: the answer cannot be given (expected an answer of the kind that the machine plays)"},
	{ONE_ZONE "answer fault 2\n", "t:4: the answer cannot be given (expected 0 or 1)"},
	{ONE_ZONE "answer fault 1 frees 1\n",
	 "t:4: 'frees' is not known here (expected the end of the line)"},
	{ONE_ZONE "answer reclaim 1 victim\n",
	 "t:4: 'victim' is not known here (expected the end of the line)"},
	{ONE_ZONE "answer oom 1 frees 2147483648\n",
	 "t:4: oom cannot free 2147483648 pages (expected less than 2147483648)"},
	{ONE_ZONE "at lunch cpu 0: drain all\n",
	 "t:4: 'lunch' is not known here (expected a point of nested ops)"},
	{ONE_ZONE "at drain cpu 0 drain all\n",
	 "t:4: '0' is not known here (expected a CPU and ':')"},
	{ONE_ZONE "at drain cpu 1: drain all\n",
	 "t:4: this nested drain cannot be played (expected a CPU of the machine)"},
	{ONE_ZONE "at drain cpu 0: cpu 0\n",
	 "t:4: this nested cpu cannot be played (expected an op of another CPU, not one of the "
	 "task itself)"},
	{ONE_ZONE "at drain cpu 0: at drain cpu 0: drain all\n",
	 "t:4: 'at' is not known here (expected an op)"},
	{ONE_ZONE "at drain cpu 0: alloc order 0 node 0 gfp 0 => 1\n",
	 "t:4: '=>' is not known here (expected the end of the line)"},
};

/* Each wrong text is refused with its line, what is wrong and what was expected. */
static void errors(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		must_fail(wrong[i].text, strlen(wrong[i].text), wrong[i].error);
}

/* Bytes that are no text are shown as ?, long words are cut. */
static void unprintable(void **state)
{
	static const char nul[] = ONE_ZONE "dr\0in\x1b all\n";
	char text[512] = ONE_ZONE;

	(void)state;
	must_fail(nul, sizeof(nul) - 1, "t:4: 'dr?in?' is not known here (expected an op)");
	memset(text + strlen(text), 'x', 200);
	must_fail(text, strlen(text),
		  "t:4: 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...' is not known here (expected "
		  "an op)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(machine_section), cmocka_unit_test(ops_section),
		cmocka_unit_test(parts_of_ops),	   cmocka_unit_test(free_layout),
		cmocka_unit_test(filemap_max),	   cmocka_unit_test(gfp_names),
		cmocka_unit_test(text_comes_back), cmocka_unit_test(made_names),
		cmocka_unit_test(many_made_names), cmocka_unit_test(subjects),
		cmocka_unit_test(copies),	   cmocka_unit_test(equality),
		cmocka_unit_test(errors),	   cmocka_unit_test(unprintable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
