/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Contiguous ranges: what a success has, what a failure gives back, where
 * alloc_contig_pages() may look (spec 10.76 to 10.78).
 *
 *      S         start                    end        E
 *      |....x....|<----- handed out ----->|....f.....|
 *        stays                              stays free
 */
#include "properties/list.h"
#include "properties/pages.h"
#include "properties/walk.h"

/* ---- 76: success --------------------------------------------------------- */

/* The pages that the request got: [*start, *end). False: none. */
static bool range_got(const struct step *s, u32 *start, u32 *end)
{
	const struct request *r = s->request;

	if (r->kind == REQUEST_CONTIG_PAGES) {
		*start = r->result_pfn;
		*end = r->result_pfn + r->nr;
		return r->result_pfn < s->view->nr_pages &&
		       r->nr <= s->view->nr_pages - r->result_pfn;
	}
	*start = r->start;
	*end = r->end;
	return !r->error;
}

/* A page of the range that is on a free list or a pcp list, or PFN_NONE. */
static u32 unused_in(const struct view *view, u32 start, u32 end)
{
	u32 head = free_buddy_of(view, start);

	if (head != PFN_NONE)
		return head;
	for (u32 pfn = start; pfn < end; pfn++) {
		if (view->pages[pfn].flags & PG_BUDDY)
			return pfn;
	}
	return cached_in(view, view->pages[start].zone, start, end);
}

static int contig_has_range(const struct step *s, char why[WHY_SIZE])
{
	u32 order = s->view->machine->pageblock_order;
	u32 start, end, pfn;

	if (s->interleaved || !range_got(s, &start, &end))
		return VERDICT_MEANINGLESS;
	pfn = unused_in(s->view, start, end);
	if (pfn != PFN_NONE)
		return breaks(why, "pages %u..%u were handed out, but %u is on a list", start,
			      end - 1, pfn);
	for (u32 block = start >> order; block <= (end - 1) >> order; block++) {
		if (s->view->pageblock_flags[block] & PB_ISOLATE)
			return breaks(why, "pages %u..%u were handed out, but block %u is isolated",
				      start, end - 1, block << order);
	}
	return VERDICT_HOLDS;
}

const struct property prop_contig_has_range = {
	.id = "contig-has-range",
	.rule = "spec 10.76",
	.sentence = "After a contiguous allocation no page of the range is on a free or pcp list, "
		    "and none of its blocks is isolated.",
	.needs = "view",
	.promise = PROMISE_ALL,
	.requests = REQUEST_CONTIG,
	.step = contig_has_range,
};

/* ---- 76, 77: nothing is lost --------------------------------------------- */

/* Pages that the environment gave up, less those that the allocator says it lost (7.2 step 10). */
static s64 pages_given_up(const struct step *s)
{
	s64 pages = 0;

	for (u32 i = 0; i < s->nr_events; i++) {
		const struct event *e = &s->events[i];

		if (e->type == EV_ENV_FREED)
			pages += 1 << e->order;
		else if (e->type == EV_WARN && e->a == WARN_CONTIG_COMP_MISMATCH)
			pages -= e->b - e->pfn;
	}
	return pages;
}

/* A kernel warns, too, that it loses a range that is no compound page, but names no pages. */
static bool loses_unnamed_pages(const struct step *s)
{
	if (!(s->request->gfp & __GFP_COMP))
		return false;
	for (u32 i = 0; i < s->nr_events; i++)
		if (s->events[i].type == EV_WARN && s->events[i].a == WARN_KERNEL)
			return true;
	return false;
}

static int contig_loses_nothing(const struct step *s, char why[WHY_SIZE])
{
	s64 grown = 0, waiting = 0, expected;
	u32 start, end;

	if (step_is_blurred(s) || !(s->seen & EV_BIT(EV_DRAIN_ALL_PAGES)))
		return VERDICT_MEANINGLESS;
	if (loses_unnamed_pages(s))
		return VERDICT_EXCUSED;
	for (u32 z = 0; z < s->view->machine->nr_zones; z++) {
		struct unused growth = unused_growth(s, z);

		grown += unused_pages(growth);
		waiting += growth.waiting > 0;
	}
	expected = pages_given_up(s);
	if (range_got(s, &start, &end))
		expected -= end - start;
	if (grown != expected || waiting)
		return breaks(why,
			      "unused pages grew by %lld, expected %lld; %lld trylock lists grew",
			      (long long)grown, (long long)expected, (long long)waiting);
	return VERDICT_HOLDS;
}

const struct property prop_contig_loses_nothing = {
	.id = "contig-loses-nothing",
	.rule = "spec 10.76, 10.77",
	.sentence =
		"A contiguous allocation takes the range and nothing else from the free and pcp "
		"lists; one that fails takes nothing.",
	.needs = "view, public, inner",
	.promise = PROMISE_ALL,
	.requests = REQUEST_CONTIG,
	.step = contig_loses_nothing,
};

/* ---- 78: the place ------------------------------------------------------- */

static int contig_place(const struct step *s, char why[WHY_SIZE])
{
	const struct page *pages = s->view->pages;
	u32 start, end;

	if (s->interleaved || !range_got(s, &start, &end))
		return VERDICT_MEANINGLESS;
	if (!(s->request->nr & (s->request->nr - 1)) && (start & (s->request->nr - 1)))
		return breaks(why, "%u pages begin at %u", s->request->nr, start);
	for (u32 pfn = start; pfn < end; pfn++) {
		if (pages[pfn].zone != pages[start].zone)
			return breaks(why, "pages %u and %u of one range are in different zones",
				      start, pfn);
		if (pages[pfn].flags & PG_RESERVED)
			return breaks(why, "page %u of %u..%u is reserved", pfn, start, end - 1);
	}
	return VERDICT_HOLDS;
}

const struct property prop_contig_place = {
	.id = "contig-place",
	.rule = "spec 10.78",
	.sentence = "What alloc_contig_pages gives is aligned to its size, if that is a power of "
		    "two, lies in one zone and has no reserved page.",
	.needs = "view",
	.promise = PROMISE_ALL,
	.requests = REQUEST_BIT(REQUEST_CONTIG_PAGES),
	.step = contig_place,
};
