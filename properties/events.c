/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is reported and counted about pages, against what happens to them
 * (spec 10.22 to 10.24).
 *
 *                    +PGALLOC              -PGFREE
 *      free and pcp lists  ---->  in use  ---->  free and pcp lists
 *                          ---->          uncounted: captured, taken out by compaction
 */
#include "properties/list.h"
#include "properties/pages.h"
#include "properties/walk.h"

/* ---- 22: PGALLOC and PGFREE ---------------------------------------------- */

static s64 counted_pages(const struct step *s)
{
	const u64 *before = s->before->global.vm_event, *now = s->view->global->vm_event;
	s64 pages = (s64)(before[PGFREE] - now[PGFREE]);

	for (u32 type = 0; type < MAX_NR_ZONES; type++)
		pages += (s64)(now[PGALLOC + type] - before[PGALLOC + type]);
	return pages;
}

/* Pages of the trylock list are in use: PGFREE counts them when they leave it. */
static s64 pages_taken_into_use(const struct step *s)
{
	s64 unused = cached_growth(s);

	for (u32 z = 0; z < s->view->machine->nr_zones; z++)
		unused += listed_growth(s, z);
	return -unused;
}

/* A target of compaction leaves the lists uncounted, and the free of the source is counted. */
static s64 uncounted_pages(const struct step *s)
{
	s64 pages = 0;

	if (!(s->seen & (EV_BIT(EV_CAPTURE) | EV_BIT(EV_ENV_MOVED))))
		return 0;
	for (u32 i = 0; i < s->nr_events; i++) {
		const struct event *e = &s->events[i];

		if (e->type == EV_CAPTURE || e->type == EV_ENV_MOVED)
			pages += 1 << e->order;
	}
	return pages;
}

static int event_conservation(const struct step *s, char why[WHY_SIZE])
{
	s64 counted, taken, uncounted;

	if (step_is_blurred(s))
		return VERDICT_MEANINGLESS;
	counted = counted_pages(s);
	taken = pages_taken_into_use(s);
	uncounted = uncounted_pages(s);
	if (counted + uncounted != taken)
		return breaks(
			why,
			"PGALLOC - PGFREE grew by %lld, captured or moved were %lld, but %lld "
			"more pages are in use",
			(long long)counted, (long long)uncounted, (long long)taken);
	return counted || taken ? VERDICT_HOLDS : VERDICT_MEANINGLESS;
}

const struct property prop_event_conservation = {
	.id = "event-conservation",
	.rule = "spec 10.22",
	.sentence = "PGALLOC less PGFREE grows by as many pages as leave the free and pcp lists, "
		    "but for those that compaction captures or moves.",
	.needs = "view, inner",
	.promise = PROMISE_ACCOUNTS,
	/* Contiguous allocations take pages without PGALLOC, those for their targets with it. */
	.requests = REQUEST_ANY & ~REQUEST_CONTIG,
	.step = event_conservation,
};

/* ---- 23: mm_page_alloc --------------------------------------------------- */

static bool env_said_yes(const struct step *s, u32 env_call)
{
	for (const struct event *e = step_find(s, EV_ENV_CALL, 0); e;
	     e = step_find(s, EV_ENV_CALL, step_index(s, e) + 1)) {
		if (e->a == env_call && e->c)
			return true;
	}
	return false;
}

/* Spec 4.1 steps 1 to 5: is it a request at all? */
static bool passes_checks(const struct step *s)
{
	const struct request *r = s->request;

	if (r->kind == REQUEST_NOLOCK)
		return pcp_allows_order(s->view->machine, r->order) &&
		       !env_said_yes(s, ENV_NO_TRYLOCK);
	return r->order <= s->view->machine->max_page_order && !env_said_yes(s, ENV_FAULT);
}

/* One page at a time, whatever the caller asked for: how many such requests may there be? */
static void bulk_requests(const struct step *s, u32 *least, u32 *most)
{
	const struct request *r = s->request;
	u32 wanted = r->nr - min_u32(r->filled, r->nr);
	u32 got = r->result_nr - min_u32(r->filled, r->result_nr);

	*most = wanted && got < 2 && !env_said_yes(s, ENV_FAULT);
	*least = wanted == 1 ? *most : 0;
}

static int alloc_event(const struct step *s, char why[WHY_SIZE])
{
	const struct request *r = s->request;
	const struct event *e;
	u32 nr, least, most;

	if (s->events_lost)
		return VERDICT_MEANINGLESS;
	if (r->kind == REQUEST_BULK)
		bulk_requests(s, &least, &most);
	else
		least = most = passes_checks(s);
	nr = step_count(s, EV_MM_PAGE_ALLOC);
	if (nr < least || nr > most)
		return breaks(why, "mm_page_alloc was reported %u times, expected %u to %u", nr,
			      least, most);
	e = step_find(s, EV_MM_PAGE_ALLOC, 0);
	if (e && r->kind != REQUEST_BULK && (e->pfn != r->result_pfn || (u32)e->order != r->order))
		return breaks(why,
			      "mm_page_alloc says page %d of order %d, the caller got %d of %u",
			      (int)e->pfn, e->order, (int)r->result_pfn, r->order);
	return VERDICT_HOLDS;
}

const struct property prop_alloc_event = {
	.id = "alloc-event",
	.rule = "spec 10.23",
	.sentence =
		"Each request that passes the first checks reports mm_page_alloc once, with the "
		"page that the caller gets or none; pages of a batch report nothing.",
	.needs = "public",
	.promise = PROMISE_ALL,
	.requests = REQUEST_ALLOCATES | REQUEST_BIT(REQUEST_BULK),
	.step = alloc_event,
};

/* ---- 24: extfrag --------------------------------------------------------- */

/* A page that compaction captures is nobody's yet. */
static bool is_captured(const struct step *s, u32 i)
{
	return i + 1 < s->nr_events && s->events[i + 1].type == EV_CAPTURE &&
	       s->events[i + 1].pfn == s->events[i].pfn;
}

/* Did the pass that event @i happened in, or the bulk call, get a page? */
static bool served(const struct step *s, u32 i)
{
	const struct event *end = step_find(s, EV_GPFF_END, i);

	if (end)
		return end->pfn != PFN_NONE;
	return s->request->kind == REQUEST_BULK && s->request->result_nr > s->request->filled;
}

static int extfrag_serves(const struct step *s, char why[WHY_SIZE])
{
	int verdict = VERDICT_MEANINGLESS;

	if (!(s->seen & EV_BIT(EV_MM_PAGE_ALLOC_EXTFRAG)) || step_is_blurred(s))
		return VERDICT_MEANINGLESS;
	for (u32 i = 0; i < s->nr_events; i++) {
		const struct event *e = &s->events[i];

		if (e->type != EV_MM_PAGE_ALLOC_EXTFRAG)
			continue;
		if (e->b == e->c)
			return breaks(why, "page %u: %s is said to fall back to itself", e->pfn,
				      type_name(e->b));
		if (!is_captured(s, i) && !served(s, i))
			return breaks(why, "page %u fell back from %s to %s, but nobody got a page",
				      e->pfn, type_name(e->b), type_name(e->c));
		verdict = VERDICT_HOLDS;
	}
	return verdict;
}

const struct property prop_extfrag_serves = {
	.id = "extfrag-serves",
	.rule = "spec 10.24",
	.sentence = "A reported fallback is one to another type, and the pass that it happens in "
		    "gets a page.",
	.needs = "public, inner",
	.promise = PROMISE_ALL,
	.requests = REQUEST_ANY,
	.step = extfrag_serves,
};
