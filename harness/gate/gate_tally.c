/* SPDX-License-Identifier: GPL-2.0-only */
/* Counting costs from events, and from the state at the end of a case. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/gate/gate_metrics.h"
#include "harness/state_text.h"

/* ---- requests ------------------------------------------------------------ */

/* An enum gate_class, behind those of small orders if it is costly. */
static u32 class_of(u32 gfp, s8 order)
{
	u32 class = CLASS_OTHER;

	if (gfp & __GFP_NORETRY)
		class = gfp & __GFP_THISNODE ? CLASS_NORETRY_THISNODE
			: gfp & __GFP_NOFAIL ? CLASS_NORETRY_NOFAIL
					     : CLASS_NORETRY;
	return order > PAGE_ALLOC_COSTLY_ORDER ? NR_GFP_CLASSES + class : class;
}

static u64 *pending(struct gate_tally *t)
{
	return t->pending[t->run->in_nested];
}

static void end_request(struct gate_tally *t, const struct event *e)
{
	u64 *of = t->classes.n[class_of(e->gfp, e->order)], *own = pending(t);
	bool failed = e->pfn == PFN_NONE;

	t->op.n[COUNT_REQUESTS]++;
	t->op.n[COUNT_FAILED + min_u32((u32)e->order, MACHINE_MAX_ORDER)] += failed;
	own[OF_REQUESTS] = 1;
	own[OF_FAILURES] = failed;
	own[OF_WAKING] = own[OF_WAKING] > 0;
	for (u32 i = 0; i < NR_CLASS_COUNTS; i++)
		of[i] += own[i];
	memset(own, 0, sizeof(t->pending[0]));
}

/* ---- events -------------------------------------------------------------- */

static void count_call(struct gate_tally *t, const struct event *e)
{
	if (e->a == ENV_RECLAIM) {
		t->op.n[COUNT_RECLAIM]++;
		pending(t)[OF_RECLAIM]++;
	} else if (e->a == ENV_COMPACT && e->zone == ZONE_ANY) {
		t->op.n[COUNT_COMPACT]++;
		pending(t)[OF_COMPACT]++;
	} else if (e->a == ENV_OOM) {
		t->op.n[COUNT_OOM]++;
	}
}

/* A whole block that changes hands mixes nothing. */
static void count_extfrag(struct gate_tally *t, const struct event *e)
{
	u32 block_order = t->run->c->machine.pageblock_order;
	enum gate_count kind = COUNT_CLAIM;

	if (!e->gfp)
		kind = e->b == MIGRATE_MOVABLE ? COUNT_STEAL : COUNT_POLLUTE;
	t->op.n[kind]++;
	pending(t)[OF_MIXING] += e->a < block_order;
}

static void count_drain(struct gate_tally *t, const struct event *e)
{
	if (!e->a || t->asked_drain)
		return;
	t->op.n[COUNT_DRAIN_ALL]++;
	pending(t)[OF_DRAIN_ALL]++;
}

/* @looks: for free buddies, while it was held. */
static void end_hold(struct gate_tally *t, u32 looks)
{
	t->work += looks;
	t->op.n[COUNT_HOLDS]++;
	t->op.n[COUNT_WORK] += t->work;
	t->op.holds[min_u32(t->work, GATE_WORK_BUCKETS - 1)]++;
	if (t->work > t->op.max_work)
		t->op.max_work = t->work;
	t->work = 0;
}

static void count_page_taken(struct gate_tally *t, const struct event *e)
{
	t->work++;
	if (e->a != MIGRATE_HIGHATOMIC)
		return;
	t->op.n[COUNT_RESERVE]++;
	pending(t)[OF_RESERVE]++;
}

static void tally_event(void *ctx, const struct event *e)
{
	struct gate_tally *t = ctx;

	switch (e->type) {
	case EV_MM_PAGE_ALLOC:
		end_request(t, e);
		break;
	case EV_ENV_CALL:
		count_call(t, e);
		break;
	case EV_WAKEUP_KSWAPD:
		t->op.n[COUNT_KSWAPD]++;
		pending(t)[OF_WAKING]++;
		break;
	case EV_WAKEUP_KCOMPACTD:
		t->op.n[COUNT_KCOMPACTD]++;
		break;
	case EV_DRAIN_ALL_PAGES:
		count_drain(t, e);
		break;
	case EV_MM_PAGE_ALLOC_ZONE_LOCKED:
		count_page_taken(t, e);
		break;
	case EV_MM_PAGE_ALLOC_EXTFRAG:
		t->work++;
		count_extfrag(t, e);
		break;
	case EV_MM_PAGE_PCPU_DRAIN:
		t->work++;
		break;
	case EV_ZONE_LOCK:
		t->work = 0;
		break;
	case EV_ZONE_UNLOCK:
		end_hold(t, e->a);
		break;
	case EV_SLOWPATH_EXIT:
		t->op.n[COUNT_ENDLESS] += e->a == SLOW_EXIT_FUEL;
		break;
	default:
		break;
	}
}

#define TALLY_EVENTS                                                                     \
	(EV_BIT(EV_MM_PAGE_ALLOC) | EV_BIT(EV_ENV_CALL) | EV_BIT(EV_WAKEUP_KSWAPD) |     \
	 EV_BIT(EV_WAKEUP_KCOMPACTD) | EV_BIT(EV_DRAIN_ALL_PAGES) |                      \
	 EV_BIT(EV_MM_PAGE_ALLOC_ZONE_LOCKED) | EV_BIT(EV_MM_PAGE_ALLOC_EXTFRAG) |       \
	 EV_BIT(EV_MM_PAGE_PCPU_DRAIN) | EV_BIT(EV_ZONE_LOCK) | EV_BIT(EV_ZONE_UNLOCK) | \
	 EV_BIT(EV_SLOWPATH_EXIT))

void gate_tally_init(struct gate_tally *t, const struct run *run)
{
	*t = (struct gate_tally){
		.run = run,
		.observer = {.event = tally_event, .ctx = t, .mask = TALLY_EVENTS},
	};
}

void gate_tally_begin_case(struct gate_tally *t)
{
	t->classes = (struct gate_classes){0};
}

void gate_tally_begin(struct gate_tally *t, const struct op *op)
{
	t->op = (struct gate_costs){0};
	t->work = 0;
	memset(t->pending, 0, sizeof(t->pending));
	t->asked_drain = op->kind == OP_DRAIN;
}

void gate_tally_end(struct gate_tally *t)
{
	t->op.n[COUNT_WARNINGS] = t->run->report.warnings;
}

/* ---- the state at the end ------------------------------------------------ */

/* May the pages that @op made be moved out again? */
static bool makes_movable(const struct op *op)
{
	if (op->kind == OP_HUGETLB)
		return op->flags & OPF_MOVABLE;
	return op->gfp & __GFP_MOVABLE;
}

static void mark_object(const struct run *r, const struct op *op, u8 *mixed)
{
	u32 block_order = r->c->machine.pageblock_order;
	const struct object *o;

	if (op->out == SLOT_NONE || makes_movable(op))
		return;
	o = &r->book.objects[op->out];
	for (u32 i = 0; i < o->nr; i++) {
		const struct extent *e = &r->book.extents[o->first + i];

		for (u32 pfn = e->pfn; extent_live(e) && pfn < e->pfn + BIT(e->order);
		     pfn = align_down(pfn, BIT(block_order)) + BIT(block_order))
			mixed[pfn >> block_order] = 1;
	}
}

static void mark_objects(const struct run *r, u8 *mixed)
{
	const struct testcase *c = r->c;

	for (u32 i = 0; i < r->step && i < c->nr_ops; i++) {
		const struct op *op = &c->ops[i];

		mark_object(r, op, mixed);
		for (u32 k = 0; k < op->nr_nested; k++)
			mark_object(r, &c->nested[op->first_nested + k].op, mixed);
	}
}

static void count_blocks(const struct view *v, const u8 *mixed, struct gate_costs *costs)
{
	u32 block = BIT(v->machine->pageblock_order);

	for (u32 z = 0; z < v->machine->nr_zones; z++) {
		const struct zone *zone = &v->zones[z];

		for (u32 pfn = align_down(zone->zone_start_pfn, block); pfn < zone_end_pfn(zone);
		     pfn += block) {
			if (view_block_type(v, pfn) != MIGRATE_MOVABLE)
				continue;
			costs->n[COUNT_MOVABLE_BLOCKS]++;
			costs->n[COUNT_MIXED_BLOCKS] += mixed[pfn / block];
		}
	}
}

static void count_free(const struct view *v, struct gate_costs *costs)
{
	for (u32 z = 0; z < v->machine->nr_zones; z++) {
		for (u32 order = 0; order <= v->machine->max_page_order; order++) {
			u64 pages = (u64)v->zones[z].nr_free[order] << order;

			costs->n[COUNT_FREE_PAGES] += pages;
			if (order > PAGE_ALLOC_COSTLY_ORDER)
				costs->n[COUNT_FREE_LARGE] += pages;
		}
	}
}

void gate_count_state(const struct run *run, struct gate_costs *costs)
{
	const struct view *v = run->subject->ops->view(run->subject);
	u8 *mixed = calloc((v->nr_pages >> v->machine->pageblock_order) + 1, 1);

	if (!mixed) {
		fputs("buddycheck: out of memory\n", stderr);
		abort();
	}
	mark_objects(run, mixed);
	count_blocks(v, mixed, costs);
	count_free(v, costs);
	free(mixed);
}
