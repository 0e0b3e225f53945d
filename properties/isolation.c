/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Isolation leaves no trace: neither where it fails nor where it is taken back
 * (spec 10.74, 10.75).
 *
 *      isolate      [ U ][ M ][ x    -> fails at x        -> [ U ][ M ][ x
 *      isolate      [ U ][ M ]       -> [ U,I ][ M,I ]
 *      unisolate    [ U,I ][ M,I ]   -> [ U ][ M ]
 */
#include "properties/list.h"
#include "properties/pages.h"
#include "properties/walk.h"

/* ---- two states ---------------------------------------------------------- */

static u32 nr_blocks(const struct view *view)
{
	return ((view->nr_pages - 1) >> view->machine->pageblock_order) + 1;
}

/* The first block that is not what it was and did not become so by merging, or PFN_NONE. */
static u32 changed_block(const struct view *view, const struct shot *before)
{
	for (u32 block = 0; block < nr_blocks(view); block++) {
		u8 was = before->blocks[block];

		if (block_changed(view, block, was) && !block_was_unified(view, block, was))
			return block;
	}
	return PFN_NONE;
}

/* Blocks, and how many of them each zone says are isolated. */
static int blocks_differ(const struct view *view, const struct shot *before, char why[WHY_SIZE])
{
	u32 block = changed_block(view, before);
	char name[NAME_SIZE];

	if (block != PFN_NONE)
		return breaks(why, "block %u: flags were %#x and are %#x",
			      block << view->machine->pageblock_order, before->blocks[block],
			      view->pageblock_flags[block]);
	for (u32 z = 0; z < view->machine->nr_zones; z++) {
		u32 was = before->zones[z].nr_isolate_pageblock;
		u32 now = view->zones[z].nr_isolate_pageblock;

		if (was != now)
			return breaks(why, "%s: nr_isolate_pageblock was %u and is %u",
				      zone_name(view, z, name), was, now);
	}
	return VERDICT_HOLDS;
}

static int counters_differ(const struct view *view, const struct shot *before, char why[WHY_SIZE])
{
	char name[NAME_SIZE];

	for (u32 z = 0; z < view->machine->nr_zones; z++) {
		const struct zone *was = &before->zones[z], *now = &view->zones[z];

		for (u32 item = 0; item < NR_ZONE_STATS; item++) {
			if (was->vm_stat[item] != now->vm_stat[item])
				return breaks(why, "%s: %s was %lld and is %lld",
					      zone_name(view, z, name), zone_stat_names[item],
					      (long long)was->vm_stat[item],
					      (long long)now->vm_stat[item]);
		}
		if (was->nr_free_highatomic != now->nr_free_highatomic ||
		    was->nr_reserved_highatomic != now->nr_reserved_highatomic)
			return breaks(why,
				      "%s: nr_free_highatomic was %u and is %u, "
				      "nr_reserved_highatomic %u and %u",
				      zone_name(view, z, name), was->nr_free_highatomic,
				      now->nr_free_highatomic, was->nr_reserved_highatomic,
				      now->nr_reserved_highatomic);
	}
	return blocks_differ(view, before, why);
}

/* ---- 74: failure --------------------------------------------------------- */

static int isolate_fails_clean(const struct step *s, char why[WHY_SIZE])
{
	if (!s->request->error || s->interleaved)
		return VERDICT_MEANINGLESS;
	return blocks_differ(s->view, s->before, why);
}

const struct property prop_isolate_fails_clean = {
	.id = "isolate-fails-clean",
	.rule = "spec 10.74",
	.sentence = "An isolation that fails leaves every block's type and isolate bit, and the "
		    "number of isolated blocks, as they were.",
	.needs = "view",
	.promise = PROMISE_ISOLATE_BIT,
	.requests = REQUEST_BIT(REQUEST_ISOLATE),
	.step = isolate_fails_clean,
};

/* ---- 75: there and back -------------------------------------------------- */

/* Was a block of pages [@start, @end) isolated? */
static bool was_isolated(const struct step *s, const struct shot *before, u32 start, u32 end)
{
	u32 order = s->view->machine->pageblock_order;

	for (u32 block = start >> order; block <= (end - 1) >> order; block++) {
		if (before->blocks[block] & PB_ISOLATE)
			return true;
	}
	return false;
}

/* It isolated something before it failed: the zone was locked for more than a first look. */
static const struct shot *taken_back_on_failure(const struct step *s)
{
	return s->request->error && step_count(s, EV_ZONE_LOCK) > 1 ? s->before : NULL;
}

/* This step takes back what the one before it isolated, and nothing that was isolated before that. */
static const struct shot *taken_back(const struct step *s)
{
	const struct earlier *earlier = s->earlier;
	const struct request *r = s->request;

	if (!earlier || earlier->request.kind != REQUEST_ISOLATE || earlier->request.error ||
	    earlier->request.start != r->start || earlier->request.end != r->end ||
	    was_isolated(s, earlier->before, r->start, r->end))
		return NULL;
	return earlier->before;
}

/* Nothing was moved, drained or lost on the way. */
#define TRAFFIC                                                                               \
	(EV_BIT(EV_MM_PAGE_ALLOC) | EV_BIT(EV_MM_PAGE_FREE) | EV_BIT(EV_MM_PAGE_PCPU_DRAIN) | \
	 EV_BIT(EV_ENV_FREED) | EV_BIT(EV_ENV_MOVED) | EV_BIT(EV_CAPTURE) | EV_BIT(EV_WARN))

/* A contiguous allocation that failed isolates and takes back by itself, range after range. */
static const struct shot *taken_back_by_itself(const struct step *s)
{
	const struct request *r = s->request;
	bool failed = r->kind == REQUEST_CONTIG_PAGES ? r->result_pfn == PFN_NONE : r->error;

	if (!failed || (s->seen & TRAFFIC) || !(s->seen & EV_BIT(EV_TEST_PAGES_ISOLATED)))
		return NULL;
	for (const struct event *e = step_find(s, EV_CONTIG_RANGE, 0); e;
	     e = step_find(s, EV_CONTIG_RANGE, step_index(s, e) + 1)) {
		if (was_isolated(s, s->before, e->pfn, e->a))
			return NULL;
	}
	return s->before;
}

static int isolate_undone(const struct step *s, char why[WHY_SIZE])
{
	const struct shot *before;

	if (s->interleaved || s->events_lost)
		return VERDICT_MEANINGLESS;
	if (s->request->kind == REQUEST_ISOLATE)
		before = taken_back_on_failure(s);
	else if (s->request->kind == REQUEST_UNISOLATE)
		before = taken_back(s);
	else
		before = taken_back_by_itself(s);
	return before ? counters_differ(s->view, before, why) : VERDICT_MEANINGLESS;
}

const struct property prop_isolate_undone = {
	.id = "isolate-undone",
	.rule = "spec 10.75",
	.sentence = "A range that is isolated and taken back, with nothing allocated or freed in "
		    "between, leaves all counters and all block types as they were.",
	.needs = "view, public, inner",
	.promise = PROMISE_ISOLATE_BIT,
	.requests = REQUEST_ISOLATES,
	.step = isolate_undone,
};

/* ---- what is free can be isolated ---------------------------------------- */

/* All of [start, end) is free, in buddies of a block at most, one zone, ordinary blocks that nobody had isolated. */
static bool could_be_isolated(const struct step *s, u32 start, u32 end)
{
	const struct view *v = s->view;
	u32 order = v->machine->pageblock_order;

	for (u32 pfn = start; pfn < end;) {
		u8 block = pfn < v->nr_pages ? s->before->blocks[pfn >> order] : PB_ISOLATE;

		if ((block & PB_ISOLATE) || (block & PB_MIGRATETYPE_MASK) >= MIGRATE_PCPTYPES)
			return false;
		if (!(v->pages[pfn].flags & PG_BUDDY) || v->pages[pfn].private > order ||
		    v->pages[pfn].zone != v->pages[start].zone)
			return false;
		pfn += BIT(v->pages[pfn].private);
	}
	return end <= v->nr_pages;
}

/* A failure leaves everything as it was, so the state now is the one that it saw. */
static int free_range_isolates(const struct step *s, char why[WHY_SIZE])
{
	u32 block = BIT(s->view->machine->pageblock_order);
	u32 start = align_down(s->request->start, block), end = align_up(s->request->end, block);

	if (s->interleaved)
		return VERDICT_MEANINGLESS;
	if (s->request->error && could_be_isolated(s, start, end))
		return breaks(why, "error %d, but all pages from %u to %u are free",
			      s->request->error, start, end);
	return VERDICT_HOLDS;
}

const struct property prop_free_range_isolates = {
	.id = "free-range-isolates",
	.rule = "spec 7.3",
	.sentence =
		"Isolation of ordinary blocks that are wholly free, and that nobody has isolated, "
		"succeeds.",
	.needs = "view, public",
	.promise = PROMISE_ISOLATE_BIT,
	.requests = REQUEST_BIT(REQUEST_ISOLATE),
	.step = free_range_isolates,
};
