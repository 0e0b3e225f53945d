/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Watermarks: what they are, and who is let into a zone (spec 10.34 to 10.38 and 10.44).
 *
 *      EV_GPFF            is the zone above the mark?        lock             EV_GPFF_END
 *        |---------------------------- . ---------------------|-- page --|--------|
 *                                      `-- nothing changes -->^ was: the zone as it was judged
 *
 * A page that comes from a pcp list takes no lock: then the zone is at the end still what
 * it was. The strictest rules stand first, so that a failure is named by the plainest one.
 */
#include "properties/list.h"
#include "properties/take.h"

#define KBYTES_OF_PAGE 4U

/* ---- 34, 36: the marks themselves ---------------------------------------- */

static bool wmark_order(const struct walk *w, char why[WHY_SIZE])
{
	char name[NAME_SIZE];
	u32 i;

	for_each_zone (w, i) {
		const struct zone *z = &w->view->zones[i];

		for (u32 mark = WMARK_MIN; mark + 1 < NR_WMARK; mark++) {
			if (z->_watermark[mark] > z->_watermark[mark + 1])
				return fails(why, "%s: mark %u is %u, mark %u is %u",
					     zone_name(w->view, i, name), mark, z->_watermark[mark],
					     mark + 1, z->_watermark[mark + 1]);
		}
	}
	return true;
}

const struct property prop_wmark_order = {
	.id = "wmark-order",
	.rule = "spec 10.34",
	.sentence = "MIN <= LOW <= HIGH <= PROMO in every zone.",
	.needs = "view",
	.promise = PROMISE_ALL,
	.holds = wmark_order,
	.judges = JUDGES_ZONES,
};

/*
 *      request may go up to:    DMA  DMA32  Normal  Movable
 *      kept back in DMA32:        0      0      96      120
 */
static bool lowmem_reserve(const struct walk *w, char why[WHY_SIZE])
{
	char name[NAME_SIZE];
	u32 i;

	for_each_zone (w, i) {
		const struct zone *z = &w->view->zones[i];

		for (u32 j = 0; j < MAX_NR_ZONES; j++) {
			u32 least = j > z->type ? z->lowmem_reserve[j - 1] : 0;
			u32 most = j > z->type ? UINT32_MAX : 0;
			u32 reserve = z->lowmem_reserve[j];

			if (reserve < least || reserve > most)
				return fails(
					why,
					"%s keeps back %u from requests for %s, expected at %s %u",
					zone_name(w->view, i, name), reserve, zone_type_names[j],
					most ? "least" : "most", least);
		}
	}
	return true;
}

const struct property prop_lowmem_reserve = {
	.id = "lowmem-reserve",
	.rule = "spec 10.36",
	.sentence =
		"A zone keeps the more back the higher the zones that a request may use instead, "
		"and nothing from requests that may not go above it.",
	.needs = "view",
	.promise = PROMISE_ALL,
	.holds = lowmem_reserve,
	.judges = JUDGES_ZONES,
};

/* ---- 5.5, 5.6: what they follow from --------------------------------------- */

/* The marks of a state that nobody has set up are not looked at. */
static bool is_set_up(const struct view *view)
{
	return view->global->sysctl[SYSCTL_MIN_FREE_KBYTES];
}

static u64 lowmem_pages(const struct view *view)
{
	u64 pages = 0;

	for (u32 i = 0; i < view->machine->nr_zones; i++) {
		if (view->zones[i].type <= ZONE_NORMAL)
			pages += view->zones[i].managed_pages;
	}
	return pages;
}

/* Zones above Normal have a small MIN of their own, but the distance of their share. */
static u64 expected_mark(const struct view *view, const struct zone *z, u32 which)
{
	u64 lowmem = lowmem_pages(view), managed = z->managed_pages;
	u64 share = view->global->sysctl[SYSCTL_MIN_FREE_KBYTES] / KBYTES_OF_PAGE * managed /
		    (lowmem ? lowmem : 1);
	u64 scaled = mult_frac(managed, view->global->sysctl[SYSCTL_WATERMARK_SCALE_FACTOR], 10000);
	u64 distance = share / 4 > scaled ? share / 4 : scaled;
	u64 min = share;

	if (z->type > ZONE_NORMAL)
		min = min_u32(max_u32((u32)(managed / 1024), SWAP_CLUSTER_MAX), 128);
	return min + (which - WMARK_MIN) * distance;
}

static bool marks_follow(const struct walk *w, char why[WHY_SIZE])
{
	char name[NAME_SIZE];
	u32 i;

	for_each_zone (w, i) {
		const struct zone *z = &w->view->zones[i];

		for (u32 which = WMARK_MIN; which < NR_WMARK && is_set_up(w->view); which++) {
			u64 should = expected_mark(w->view, z, which);

			if (z->_watermark[which] != should)
				return fails(why, "%s: mark %u is %u, should be %llu",
					     zone_name(w->view, i, name), which,
					     z->_watermark[which], (unsigned long long)should);
		}
	}
	return true;
}

const struct property prop_marks_follow = {
	.id = "marks-follow",
	.rule = "spec 5.6",
	.sentence = "The marks of a zone are those that its managed pages, min_free_kbytes and the "
		    "scale factor give.",
	.needs = "view",
	.promise = PROMISE_ACCOUNTS,
	.holds = marks_follow,
	.judges = JUDGES_ZONES,
};

static u32 expected_reserve(const struct view *view, const struct zone *z, u32 highest)
{
	u32 ratio = view->global->sysctl[SYSCTL_LOWMEM_RESERVE_DMA + z->type];
	u32 above = 0;

	for (u32 i = 0; i < view->machine->nr_zones; i++) {
		const struct zone *upper = &view->zones[i];

		if (upper->node == z->node && upper->type > z->type && upper->type <= highest)
			above += upper->managed_pages;
	}
	return ratio && z->managed_pages ? above / ratio : 0;
}

static bool reserve_follows(const struct walk *w, char why[WHY_SIZE])
{
	char name[NAME_SIZE];
	u32 i;

	for_each_zone (w, i) {
		const struct zone *z = &w->view->zones[i];

		for (u32 j = z->type + 1U; j < MAX_NR_ZONES && is_set_up(w->view); j++) {
			u32 should = expected_reserve(w->view, z, j);

			if (z->lowmem_reserve[j] != should)
				return fails(why, "%s keeps %u back from %s, should be %u",
					     zone_name(w->view, i, name), z->lowmem_reserve[j],
					     zone_type_names[j], should);
		}
	}
	return true;
}

const struct property prop_reserve_follows = {
	.id = "reserve-follows",
	.rule = "spec 5.5",
	.sentence = "What a zone keeps back from requests for higher zones is the managed pages of "
		    "these, divided by its ratio.",
	.needs = "view",
	.promise = PROMISE_ACCOUNTS,
	.holds = reserve_follows,
	.judges = JUDGES_ZONES,
};

/* ---- 35: the boost ------------------------------------------------------- */

/* A later change of the factor does not lower a boost, so only what rises is compared. */
static int boost_bound(const struct step *s, char why[WHY_SIZE])
{
	int verdict = VERDICT_MEANINGLESS;
	char name[NAME_SIZE];

	if (s->interleaved)
		return VERDICT_MEANINGLESS;
	for (u32 i = 0; i < s->view->machine->nr_zones; i++) {
		const struct zone *z = &s->view->zones[i];
		u32 before = s->before->zones[i].watermark_boost;

		if (!z->watermark_boost)
			continue;
		if (z->watermark_boost > before &&
		    z->watermark_boost > wmark_boost_limit(s->view, z))
			return breaks(why, "%s: boost %u, was %u, limit %llu",
				      zone_name(s->view, i, name), z->watermark_boost, before,
				      (unsigned long long)wmark_boost_limit(s->view, z));
		verdict = VERDICT_HOLDS;
	}
	return verdict;
}

const struct property prop_boost_bound = {
	.id = "boost-bound",
	.rule = "spec 10.35",
	.sentence = "The boost of a zone never rises above its limit, and not at all where the "
		    "factor is 0 or the zone is smaller than four pageblocks.",
	.needs = "view",
	.promise = PROMISE_ALL,
	.requests = REQUEST_ANY,
	.step = boost_bound,
};

/* ---- 37, 38, 44: who is let in ------------------------------------------- */

#define ADMISSION_EVENTS (TAKE_EVENTS | EV_BIT(EV_GPFF_END))

/* A pass that has been let into a zone, which gave it a page. */
struct admission {
	struct wmark mark; /* the zone when it was judged */
	u32 order, flags, hidx;
	u32 reserve; /* lowmem_reserve for this request */
	s64 free, low; /* NR_FREE_PAGES; its mark with the boost */
};

/* The zone as it was at the moment of the check; false if @d does not show it. */
static bool look_at_admission(struct wmark *mark, const struct decision *d)
{
	const struct event *e = d->event;

	if (e->type == EV_GPFF_END) {
		if (d->locks || e->pfn == PFN_NONE || !d->zone)
			return false;
		*mark = wmark_look(d->view, e->zone);
		return true;
	}
	if (d->nr_before || d->claimed)
		return false;
	*mark = wmark_look_back(d->was);
	return true;
}

static bool admission_read(struct admission *a, const struct decision *d)
{
	if (!d->pass || d->interleaved || d->pass->b >= MAX_NR_ZONES ||
	    !look_at_admission(&a->mark, d))
		return false;
	a->order = (u32)d->pass->order;
	a->flags = d->pass->a;
	a->hidx = d->pass->b;
	a->reserve = a->mark.zone->lowmem_reserve[a->hidx];
	a->free = a->mark.zone->vm_stat[NR_FREE_PAGES];
	a->low = wmark_boosted(a->mark.zone, a->flags & ALLOC_WMARK_MASK);
	return true;
}

static int not_admitted(const struct decision *d, const struct admission *a, s64 unusable,
			char why[WHY_SIZE])
{
	char name[NAME_SIZE];

	return breaks(why,
		      "%s gave a page of order %u to flags %#x: %lld free, %lld of them unusable, "
		      "mark %lld, lowmem_reserve %u",
		      zone_name(d->view, a->mark.zone->index, name), a->order, a->flags,
		      (long long)a->free, (long long)unusable, (long long)a->low, a->reserve);
}

static int low_mark_strict(const struct decision *d, char why[WHY_SIZE])
{
	const u32 others = ALLOC_RESERVES | ALLOC_NO_WATERMARKS | ALLOC_CMA | ALLOC_WMARK_MASK;
	struct admission a;
	s64 unusable;

	if (!admission_read(&a, d) || a.order || (a.flags & others) != ALLOC_WMARK_LOW)
		return VERDICT_MEANINGLESS;
	unusable = a.mark.zone->nr_free_highatomic + a.mark.zone->vm_stat[NR_FREE_CMA_PAGES];
	if (a.free - unusable <= a.low + a.reserve)
		return not_admitted(d, &a, unusable, why);
	return VERDICT_HOLDS;
}

const struct property prop_low_mark_strict = {
	.id = "low-mark-strict",
	.rule = "spec 10.38",
	.sentence = "A zone gives an order-0 page in the fast path, to a request without CMA, only "
		    "while its free pages, HighAtomic and CMA left out, are more than LOW, boost "
		    "and lowmem_reserve together.",
	.needs = "view, inner",
	.promise = PROMISE_ALL,
	.events = ADMISSION_EVENTS,
	.only = ONLY_FIRST,
	.decision = low_mark_strict,
};

static int reserves_kept(const struct decision *d, char why[WHY_SIZE])
{
	struct admission a;
	s64 unusable;

	if (!admission_read(&a, d) || a.order || (a.flags & (ALLOC_RESERVES | ALLOC_NO_WATERMARKS)))
		return VERDICT_MEANINGLESS;
	unusable = wmark_unusable(a.mark.zone, 0, a.flags);
	if (a.free - unusable <= a.low + a.reserve)
		return not_admitted(d, &a, unusable, why);
	return VERDICT_HOLDS;
}

const struct property prop_reserves_kept = {
	.id = "reserves-kept",
	.rule = "spec 10.44",
	.sentence = "A zone gives an order-0 page to a request without any right to reserves only "
		    "while its usable free pages are above the mark.",
	.needs = "view, inner",
	.promise = PROMISE_ALL,
	.events = ADMISSION_EVENTS,
	.only = ONLY_FIRST,
	.decision = reserves_kept,
};

/* Also what is let in by the HIGH mark, by discounts and by the second chance of spec 5.3. */
static int admission(const struct decision *d, char why[WHY_SIZE])
{
	struct admission a;

	if (!admission_read(&a, d) || (a.flags & ALLOC_NO_WATERMARKS))
		return VERDICT_MEANINGLESS;
	if (!wmark_admits(&a.mark, a.order, a.hidx, a.flags))
		return not_admitted(d, &a, wmark_unusable(a.mark.zone, a.order, a.flags), why);
	return VERDICT_HOLDS;
}

const struct property prop_admission = {
	.id = "admission",
	.rule = "spec 10.37",
	.sentence = "A zone gives a page to a pass without NO_WATERMARKS only if the zone, as it "
		    "was when the pass came, passes the check for HIGH or for the mark of the "
		    "pass.",
	.needs = "view, inner",
	.promise = PROMISE_ALL,
	.events = ADMISSION_EVENTS,
	.only = ONLY_FIRST,
	.decision = admission,
};
