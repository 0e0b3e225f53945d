/* SPDX-License-Identifier: GPL-2.0-only */
/* Hand-made steps: see ways.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "properties/slowpath.h"
#include "properties/tests/ways.h"

/* ---- the machine --------------------------------------------------------- */

void bench_build(struct bench *b, const struct row *row)
{
	struct world *w = &b->w;

	world_build(w);
	memset(b->nodes, 0, sizeof(b->nodes));
	w->machine.nr_nodes = 2;
	w->machine.config_compaction = w->machine.config_dma32 = w->machine.config_dma = 1;
	w->zones[1].node = 1;
	for (u32 i = 0; i < 2; i++) {
		b->nodes[0].zonelists[ZONELIST_FALLBACK].zones[i] = (u8)i;
		w->zones[i]._watermark[WMARK_MIN] = row->min;
		w->zones[i]._watermark[WMARK_LOW] = row->min + 100;
		w->zones[i]._watermark[WMARK_HIGH] = row->min + 200;
	}
	b->nodes[0].zonelists[ZONELIST_FALLBACK].nr = 2;
	b->nodes[0].zonelists[ZONELIST_NOFALLBACK].nr = 1;
	w->view.nodes = b->nodes;
	w->global.task = (struct task){.flags = row->task, .mems_allowed = 3, .mems_hardwall = 3};
	w->global.sysctl[SYSCTL_DEFRAG_MODE] = row->defrag_mode;
	b->before.global = w->global;
}

/* ---- events -------------------------------------------------------------- */

static void add(struct bench *b, struct event e)
{
	assert_true(b->nr < ARRAY_SIZE(b->events));
	b->events[b->nr++] = e;
}

static void add_look(struct bench *b, struct event e)
{
	u32 pfn = e.pfn ? e.pfn : PFN_NONE;

	e.gfp = b->request.gfp;
	if ((e.gfp & __GFP_KSWAPD_RECLAIM) && (e.a & ALLOC_WMARK_MASK) != ALLOC_WMARK_HIGH)
		e.a |= ALLOC_KSWAPD;
	e.b = ZONE_MOVABLE;
	e.c = NODEMASK_NULL;
	e.pfn = PFN_NONE;
	add(b, e);
	e.type = EV_GPFF_END;
	e.pfn = pfn;
	add(b, e);
	if (pfn != PFN_NONE)
		b->request.result_pfn = pfn;
}

#define COMPACT(priority, result) .b = COMPACT_PRIO_##priority, .c = COMPACT_##result

/* An event for each letter; of a look the flags. */
static const struct letter {
	char letter;
	struct event event;
} letters[] = {
	{'F', {.type = EV_GPFF, .a = ALLOC_WMARK_LOW}},
	{'G', {.type = EV_GPFF, .a = SLOW_FLAGS}},
	{'H', {.type = EV_GPFF, .a = ALLOC_WMARK_HIGH | ALLOC_CPUSET}},
	{'N', {.type = EV_GPFF, .a = SLOW_FLAGS | ALLOC_NOFRAGMENT}},
	{'V', {.type = EV_GPFF, .a = ALLOC_NO_WATERMARKS}},
	{'p', {.type = EV_GPFF, .a = SLOW_FLAGS, .pfn = 16}},
	{'W', {.type = EV_WAKEUP_KSWAPD, .b = 0}},
	{'w', {.type = EV_WAKEUP_KSWAPD, .b = 1}},
	{'R', {.type = EV_ENV_CALL, .a = ENV_RECLAIM, .c = 0}},
	{'r', {.type = EV_ENV_CALL, .a = ENV_RECLAIM, .c = 32}},
	{'P', {.type = EV_ENV_CALL, .a = ENV_RECLAIM, .c = 0}},
	{'C', {.type = EV_ENV_CALL, .a = ENV_COMPACT, COMPACT(ASYNC, COMPLETE)}},
	{'c', {.type = EV_ENV_CALL, .a = ENV_COMPACT, COMPACT(SYNC_LIGHT, COMPLETE)}},
	{'f', {.type = EV_ENV_CALL, .a = ENV_COMPACT, COMPACT(SYNC_FULL, COMPLETE)}},
	{'S', {.type = EV_ENV_CALL, .a = ENV_COMPACT, COMPACT(SYNC_LIGHT, SUCCESS)}},
	{'D', {.type = EV_DRAIN_ALL_PAGES, .a = 1}},
	{'n', {.type = EV_ENV_CALL, .a = ENV_NODE_RECLAIM}},
	{'O', {.type = EV_ENV_CALL, .a = ENV_OOM, .c = 0}},
	{'o', {.type = EV_ENV_CALL, .a = ENV_OOM, .c = 1}},
	{'X', {.type = EV_ENV_CALL, .a = ENV_CPUSET_COOKIE, .c = 1}},
	{'Z', {.type = EV_RECLAIM_RETRY_ZONE, .gfp = 0}},
	{'z', {.type = EV_RECLAIM_RETRY_ZONE, .gfp = 1}},
	{'U', {.type = EV_UNRESERVE_HIGHATOMIC, .a = 1}},
	{'E', {.type = EV_ENV_FREED, .pfn = 11}},
};

static void add_letter(struct bench *b, char c)
{
	const struct letter *l = letters;
	struct event e;

	if (c == ' ' || c == '|')
		return;
	if (c == 'Q') {
		b->request.out_of_fuel = true;
		return;
	}
	while (l->letter != c)
		assert_true(++l < letters + ARRAY_SIZE(letters));
	e = l->event;
	e.zone = ZONE_ANY;
	e.order = (s8)(c == 'P' ? b->w.machine.pageblock_order : b->request.order);
	if (e.type == EV_GPFF)
		add_look(b, e);
	else
		add(b, e);
}

static int judge_row(struct bench *b, const struct row *row, char why[WHY_SIZE])
{
	struct occurrence of[NR_EVENTS];
	struct step step = {.request = &b->request,
			    .before = &b->before,
			    .view = &b->w.view,
			    .events = b->events,
			    .of = of};
	struct slow slow;

	bench_build(b, row);
	b->nr = 0;
	b->request = (struct request){.kind = REQUEST_ALLOC,
				      .order = (u8)row->order,
				      .gfp = row->gfp,
				      .nodemask = NODEMASK_NULL,
				      .result_pfn = PFN_NONE};
	for (const char *c = row->way; *c; c++)
		add_letter(b, *c);
	step.nr_events = b->nr;
	for (u32 i = 0; i < b->nr; i++)
		occurrence_add(of, &step.seen, b->events[i].type, i);
	if (slow_read(&slow, &step))
		step.slow = &slow;
	return row->property->step(&step, why);
}

void judge_rows(const struct row *rows, size_t nr)
{
	struct bench *b = calloc(1, sizeof(*b));
	char why[WHY_SIZE];

	assert_non_null(b);
	for (size_t i = 0; i < nr; i++) {
		int verdict = judge_row(b, &rows[i], why);

		if (verdict != rows[i].verdict)
			fail_msg("%s: %s: verdict %d, expected %d%s%s", rows[i].property->id,
				 rows[i].intent, verdict, rows[i].verdict,
				 verdict == FAILS ? ": " : "", verdict == FAILS ? why : "");
	}
	free(b);
}
