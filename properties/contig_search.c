/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which ranges alloc_contig_pages() tries, and when it looks a second time
 * (spec 7.6, 7.7, 10.79, 10.80).
 *
 *      pass 1    | valid  | hugetlb| in use | valid  |     tries 0 and 3; skips 1, and so
 *      pass 2    |  tried | valid  | in use | tried  |     looks again, for 0, 1 and 3
 */
#include "properties/list.h"
#include "properties/pages.h"
#include "properties/walk.h"
#include "properties/wants.h"

static bool is_hugetlb(const struct view *view, u32 pfn)
{
	const struct page *page = &view->pages[pfn];

	return view->pages[page->flags & PG_TAIL ? page->compound_head : pfn].flags & PG_HUGETLB;
}

/* The first page of a hugetlb folio in [start, end), or PFN_NONE. */
static u32 hugetlb_in(const struct view *view, u32 start, u32 end)
{
	for (u32 pfn = start; pfn < end; pfn++) {
		if ((view->pages[pfn].flags & (PG_HUGETLB | PG_TAIL)) && is_hugetlb(view, pfn))
			return pfn;
	}
	return PFN_NONE;
}

/* ---- candidates (spec 7.3, 7.6) ------------------------------------------ */

enum candidate { CANDIDATE_VALID, CANDIDATE_HUGETLB, CANDIDATE_INVALID };

/* page_is_unmovable() with mode OTHER; *@step: pages that the answer covers. */
static bool is_unmovable(const struct view *view, const struct zone *z, u32 pfn, u32 *step)
{
	const struct page *page = &view->pages[pfn];

	*step = 1;
	if (page->flags & PG_RESERVED)
		return true;
	if (z->type == ZONE_MOVABLE)
		return false;
	if (page->flags & (PG_HEAD | PG_TAIL | PG_HUGETLB)) {
		u32 head = page->flags & PG_TAIL ? page->compound_head : pfn;
		bool movable = is_hugetlb(view, pfn) ? view->machine->hugetlb_migration
						     : view->pages[head].flags & PG_LRU;

		if (movable)
			*step = head + BIT(view->pages[head].compound_order) - pfn;
		return !movable;
	}
	if (!page->refcount) {
		if (page->flags & PG_BUDDY)
			*step = BIT(page->private);
		return false;
	}
	return !(page->flags & (PG_LRU | PG_MOVABLE_OPS));
}

/* What pass 1 says of the @nr pages at @start: HUGETLB if nothing but that stands in the way up to it. */
static enum candidate candidate_read(const struct view *view, const struct zone *z, u32 start,
				     u32 nr)
{
	u32 step;

	for (u32 pfn = start; pfn < start + nr; pfn += step) {
		const struct page *page = &view->pages[pfn];

		if (!(page->flags & PG_ONLINE) || page->zone != z->index ||
		    is_unmovable(view, z, pfn, &step))
			return CANDIDATE_INVALID;
		if (is_hugetlb(view, pfn))
			return CANDIDATE_HUGETLB;
	}
	return CANDIDATE_VALID;
}

/* How many candidates of a zone are @what. @nr is a power of two. */
static u32 count_in_zone(const struct view *view, const struct zone *z, u32 nr, enum candidate what)
{
	u32 count = 0;

	for (u64 pfn = align_up(z->zone_start_pfn, nr); pfn + nr <= zone_end_pfn(z); pfn += nr)
		count += candidate_read(view, z, (u32)pfn, nr) == what;
	return count;
}

/*
 * The zones that are looked at. False: no rule says what this request means, or it is refused before
 * anything is looked at: alloc_contig_pages() makes no folios (7.7).
 */
static bool zones_read(struct wants *w, const struct view *view, const struct request *r)
{
	if (!r->frozen && (r->gfp & __GFP_COMP))
		return false;
	return r->nr && !(r->nr & (r->nr - 1)) && wants_read(w, view, r, 0);
}

static u32 count_candidates(const struct wants *w, u32 nr, enum candidate what)
{
	u32 count = 0;
	u32 pos;

	for_each_wanted_zone(w, w->nodemask, pos) count +=
		count_in_zone(w->view, wants_zone(w, pos), nr, what);
	return count;
}

/* ---- 79: the second pass ------------------------------------------------- */

/* What the events of a search say: how often a zone was gone through, and what was tried there. */
struct search {
	u32 visits;
	u32 tried_again; /* ranges tried after the first @nr_zones visits */
};

/*
 * A zone is locked when it is entered, and again after each range that could not be had:
 *
 *      lock . unlock [ contig_range ... contig_range_end ] lock . unlock
 */
static struct search search_read(const struct step *s, u32 nr_zones)
{
	struct search search = {0};
	bool trying = false, back = false;

	for (u32 i = 0; i < s->nr_events; i++) {
		u32 type = s->events[i].type;

		if (type == EV_CONTIG_RANGE) {
			trying = true;
			search.tried_again += search.visits > nr_zones;
		} else if (type == EV_CONTIG_RANGE_END) {
			trying = false;
			back = true;
		} else if (type == EV_ZONE_LOCK && !trying) {
			search.visits += !back;
			back = false;
		}
	}
	return search;
}

static u32 count_zones(const struct wants *w)
{
	u32 nr = 0;
	u32 pos;

	for_each_wanted_zone(w, w->nodemask, pos) nr++;
	return nr;
}

/*
 * Was a range passed over for a hugetlb page alone? Pass 1 changes nothing about that. Pass 2 may,
 * if it tried something: then all that is known is that there is still a hugetlb page.
 */
static bool had_reason(const struct wants *w, const struct step *s, const struct search *search)
{
	if (search->tried_again)
		return hugetlb_in(s->view, 0, s->view->nr_pages) != PFN_NONE;
	return count_candidates(w, s->request->nr, CANDIDATE_HUGETLB);
}

static int contig_second_pass(const struct step *s, char why[WHY_SIZE])
{
	struct search search;
	struct wants w;
	u32 nr_zones;

	if (step_is_blurred(s) || !zones_read(&w, s->view, s->request))
		return VERDICT_MEANINGLESS;
	nr_zones = count_zones(&w);
	search = search_read(s, nr_zones);
	if (!nr_zones || (s->request->result_pfn != PFN_NONE && search.visits <= nr_zones))
		return VERDICT_MEANINGLESS;
	if (search.visits == nr_zones) {
		if (had_reason(&w, s, &search))
			return breaks(why,
				      "no %u pages; a range with a hugetlb page was passed over, "
				      "but there was no second pass",
				      s->request->nr);
	} else if (search.visits < nr_zones || search.visits > 2 * nr_zones) {
		return breaks(why, "%u zones were gone through %u times", nr_zones, search.visits);
	} else if (!had_reason(&w, s, &search)) {
		return breaks(why,
			      "a second pass for %u pages, though no hugetlb page was in the way",
			      s->request->nr);
	}
	return VERDICT_HOLDS;
}

const struct property prop_contig_second_pass = {
	.id = "contig-second-pass",
	.rule = "spec 10.79",
	.sentence = "alloc_contig_pages looks a second time if and only if the first pass got "
		    "nothing and passed over a range for nothing but a hugetlb page.",
	.needs = "view, inner",
	.promise = PROMISE_TWOPASS,
	.requests = REQUEST_BIT(REQUEST_CONTIG_PAGES),
	.step = contig_second_pass,
};

/* ---- 80: hugetlb pages --------------------------------------------------- */

/* The first range is tried in a zone that has hugetlb pages: counted, though it has none itself. */
static int passed_over(const struct decision *d)
{
	const struct zone *z = &d->view->zones[d->view->pages[d->event->pfn].zone];

	if (d->nr_before || hugetlb_in(d->view, z->zone_start_pfn, zone_end_pfn(z)) == PFN_NONE)
		return VERDICT_MEANINGLESS;
	return VERDICT_HOLDS;
}

static int no_hugetlb_tried(const struct decision *d, char why[WHY_SIZE])
{
	u32 pfn;

	if (d->request->kind != REQUEST_CONTIG_PAGES || d->interleaved)
		return VERDICT_MEANINGLESS;
	pfn = hugetlb_in(d->view, d->event->pfn, d->event->a);
	if (pfn != PFN_NONE)
		return breaks(why, "pages %u..%u are tried, but %u is hugetlb", d->event->pfn,
			      d->event->a - 1, pfn);
	return passed_over(d);
}

const struct property prop_no_hugetlb_tried = {
	.id = "no-hugetlb-tried",
	.rule = "spec 10.80",
	.sentence = "alloc_contig_pages never tries a range that has a hugetlb page.",
	.needs = "view, inner",
	.promise = PROMISE_HUGESKIP,
	.events = EV_BIT(EV_CONTIG_RANGE),
	.decision = no_hugetlb_tried,
};

/* Moving a large folio to free a range that is not larger gains nothing (7.6). */
static bool is_too_large(const struct view *view, u32 pfn, u32 nr)
{
	const struct page *page = &view->pages[pfn];
	u32 head = page->flags & PG_TAIL ? page->compound_head : pfn;

	return view->pages[head].flags & PG_HEAD && BIT(view->pages[head].compound_order) >= nr;
}

static int hugetlb_tried_last(const struct decision *d, char why[WHY_SIZE])
{
	const struct request *r = d->request;
	struct wants w;
	u32 pfn, valid;

	if (r->kind != REQUEST_CONTIG_PAGES || d->interleaved || !zones_read(&w, d->view, r))
		return VERDICT_MEANINGLESS;
	pfn = hugetlb_in(d->view, d->event->pfn, d->event->a);
	if (pfn == PFN_NONE)
		return passed_over(d);
	if (is_too_large(d->view, pfn, r->nr))
		return breaks(why, "pages %u..%u are tried, but hugetlb page %u is not smaller",
			      d->event->pfn, d->event->a - 1, pfn);
	valid = count_candidates(&w, r->nr, CANDIDATE_VALID);
	if (valid > d->nr_before)
		return breaks(why,
			      "pages %u..%u with hugetlb page %u are tried as number %u, but %u "
			      "ranges are valid without",
			      d->event->pfn, d->event->a - 1, pfn, d->nr_before + 1, valid);
	return VERDICT_HOLDS;
}

const struct property prop_hugetlb_tried_last = {
	.id = "hugetlb-tried-last",
	.rule = "spec 10.79, 10.80, 7.6",
	.sentence =
		"alloc_contig_pages tries a range that has a hugetlb page only after all ranges "
		"without one, and only if the folio is smaller than the range.",
	.needs = "view, inner",
	.promise = PROMISE_TWOPASS,
	.events = EV_BIT(EV_CONTIG_RANGE),
	.decision = hugetlb_tried_last,
};
