/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Taking pages of a foreign type: which, and what becomes of their block (spec 10.46 to
 * 10.50, 10.56, 10.57).
 *
 *      claim, buddy >= block:  [ M M M M M M M M ] -> [ U U U U U U U U ]
 *      claim, buddy <  block:  [ M x . . x . . M ] -> [ . U U . U U . . ]  all free pages change
 *      steal:                  [ M x . . x . . M ] -> [ M x U . x . . M ]  one page does
 *
 * Each decision is judged by the zone before it: its lists, and the pages of the blocks that
 * were looked at.
 */
#include "properties/foreign.h"
#include "properties/list.h"

/* ---- what a claim leaves ------------------------------------------------- */

/* The blocks that changed hands: those of the buddy, or the one that the page lies in. */
static void claimed_range(const struct take *t, u32 *start, u32 *end)
{
	u32 size = BIT(max_u32(t->from, block_order(t)));

	*start = align_down(t->pfn, size);
	*end = min_u32(*start + size, t->d->view->nr_pages);
}

/* The first block of [@start, @end) that is not of the request's type, or PFN_NONE. */
static u32 unclaimed_block(const struct take *t, u32 start, u32 end)
{
	for (; start < end; start += BIT(block_order(t))) {
		if (block_type(t->d->view, start) != t->mt)
			return start;
	}
	return PFN_NONE;
}

static int claim_whole_blocks(const struct decision *d, char why[WHY_SIZE])
{
	u32 start, end, block;
	const struct take *t = d->take;

	if (!t || t->order < block_order(t))
		return VERDICT_MEANINGLESS;
	claimed_range(t, &start, &end);
	block = unclaimed_block(t, start, end);
	if (block != PFN_NONE)
		return breaks(why, "buddy %u of order %u was claimed for %s, block %u of it is %s",
			      start, t->from, type_name(t->mt), block,
			      type_name(block_type(d->view, block)));
	return VERDICT_HOLDS;
}

const struct property prop_claim_whole_blocks = {
	.id = "claim-whole-blocks",
	.rule = "spec 10.46",
	.sentence = "A request for a pageblock or more that takes a foreign buddy changes the type "
		    "of all its blocks.",
	.needs = "view, inner",
	.promise = PROMISE_ALL,
	.events = EV_BIT(EV_MM_PAGE_ALLOC_EXTFRAG),
	.decision = claim_whole_blocks,
};

/* A free page of [@start, @end) on the list of another type, or PFN_NONE. */
static u32 left_behind(const struct take *t, u32 start, u32 end)
{
	const struct view *view = t->d->view;

	for (u32 pfn = start; pfn < end; pfn++) {
		const struct page *page = &view->pages[pfn];

		if (!(page->flags & PG_BUDDY))
			continue;
		if (list_type(view, t->d->zone, pfn, page->private) != t->mt)
			return pfn;
		pfn += BIT(page->private) - 1;
	}
	return PFN_NONE;
}

static int claim_complete(const struct decision *d, char why[WHY_SIZE])
{
	u32 start, end, pfn;
	const struct take *t = d->take;

	if (!t || t->kind != TAKE_CLAIM)
		return VERDICT_MEANINGLESS;
	claimed_range(t, &start, &end);
	pfn = unclaimed_block(t, start, end);
	if (pfn != PFN_NONE)
		return breaks(why, "page %u was claimed for %s, its block %u is %s", t->pfn,
			      type_name(t->mt), pfn, type_name(block_type(d->view, pfn)));
	pfn = left_behind(t, start, end);
	if (pfn != PFN_NONE)
		return breaks(
			why, "block %u was claimed for %s, free page %u is on a list of %s", start,
			type_name(t->mt), pfn,
			type_name(list_type(d->view, d->zone, pfn, d->view->pages[pfn].private)));
	return VERDICT_HOLDS;
}

const struct property prop_claim_complete = {
	.id = "claim-complete",
	.rule = "spec 10.47",
	.sentence = "After a claim the block has the request's type, and all its free pages are on "
		    "the lists of that type.",
	.needs = "view, inner",
	.promise = PROMISE_ALL,
	.events = EV_BIT(EV_MM_PAGE_ALLOC_EXTFRAG),
	.decision = claim_complete,
};

/* ---- what a steal leaves ------------------------------------------------- */

static int steal_in_place(const struct decision *d, char why[WHY_SIZE])
{
	const struct take *t = d->take;
	u32 block;

	if (!t || t->kind != TAKE_STEAL)
		return VERDICT_MEANINGLESS;
	block = retyped_block(d);
	if (block != PFN_NONE)
		return breaks(why, "page %u was stolen, and block %u became %s", t->pfn, block,
			      type_name(block_type(d->view, block)));
	for (u32 order = t->order; order < t->from; order++) {
		u32 pfn = t->pfn + BIT(order);
		u32 type = list_type(d->view, d->zone, pfn, order);

		if (type != t->type)
			return breaks(why, "page %u was stolen from %s, its remainder %u is on %s",
				      t->pfn, type_name(t->type), pfn, type_name(type));
	}
	return VERDICT_HOLDS;
}

const struct property prop_steal_in_place = {
	.id = "steal-in-place",
	.rule = "spec 10.48",
	.sentence = "A steal changes the type of no pageblock, and what it leaves of the buddy "
		    "stays on the lists of the foreign type.",
	.needs = "view, inner",
	.promise = PROMISE_ALL,
	.events = EV_BIT(EV_MM_PAGE_ALLOC_EXTFRAG),
	.decision = steal_in_place,
};

/* ---- which one ----------------------------------------------------------- */

static int steal_smallest(const struct decision *d, char why[WHY_SIZE])
{
	struct candidate c = {0};
	const struct take *t = d->take;
	u32 order;

	if (!t || t->kind != TAKE_STEAL)
		return VERDICT_MEANINGLESS;
	for (order = t->order; order < NR_ORDERS; order++) {
		if (candidate_at(&c, d->was, order, t->mt))
			break;
	}
	if (order == NR_ORDERS || t->from != c.order || t->type != c.type || t->pfn != c.pfn)
		return breaks(why,
			      "page %u was stolen from order %u %s; the smallest for %s is %d: "
			      "order %u %s",
			      t->pfn, t->from, type_name(t->type), type_name(t->mt), (int)c.pfn,
			      c.order, type_name(c.type));
	return VERDICT_HOLDS;
}

const struct property prop_steal_smallest = {
	.id = "steal-smallest",
	.rule = "spec 10.49",
	.sentence = "A page is stolen from the smallest foreign buddy that is large enough, of the "
		    "first type in the table, at the head of its list.",
	.needs = "view, inner",
	.promise = PROMISE_CLAIMS,
	.events = EV_BIT(EV_MM_PAGE_ALLOC_EXTFRAG),
	.decision = steal_smallest,
};

/* The largest candidate that should have been claimed for @t; false: none. */
static bool due_candidate(struct candidate *c, const struct take *t)
{
	u32 floor = claim_floor(t);

	for (u32 order = NR_ORDERS; order-- > floor;) {
		if (!claims_at(t->d->view, order, t->mt))
			return false;
		if (candidate_at(c, t->d->was, order, t->mt) && claim_is_due(t, c))
			return true;
	}
	return false;
}

/* A part of the block may be handed out that is not the candidate itself. */
static bool is_candidate(const struct take *t, const struct candidate *c)
{
	u32 size = BIT(block_order(t));

	if (t->from != c->order || t->type != c->type)
		return false;
	return t->from >= block_order(t) ? t->pfn == c->pfn
					 : align_down(t->pfn, size) == align_down(c->pfn, size);
}

/*
 *      heads       order 7: block A, 100 of 512 pages free or alike    not worth it
 *                  order 5: block B, 300 of 512                        claimed
 *                  order 4: block C, wholly free or alike              too small to come first
 */
static int claim_largest(const struct decision *d, char why[WHY_SIZE])
{
	struct candidate c;
	const struct take *t = d->take;
	bool due;

	/* In a batch that steals, nobody looks for claims any more. */
	if (!t || !take_from_foreign(t) || d->stolen_before)
		return VERDICT_MEANINGLESS;
	due = due_candidate(&c, t);
	if (due && t->kind == TAKE_STEAL)
		return breaks(why, "page %u was stolen, but the block of %u (order %u, %s) was due",
			      t->pfn, c.pfn, c.order, type_name(c.type));
	if (t->kind == TAKE_CLAIM && !due)
		return breaks(why, "the block of page %u (order %u, %s) was claimed, none was due",
			      t->pfn, t->from, type_name(t->type));
	if (t->kind == TAKE_CLAIM && !is_candidate(t, &c))
		return breaks(
			why,
			"page %u was claimed with order %u %s, but the block of %u (order %u, "
			"%s) was due",
			t->pfn, t->from, type_name(t->type), c.pfn, c.order, type_name(c.type));
	return VERDICT_HOLDS;
}

const struct property prop_claim_largest = {
	.id = "claim-largest",
	.rule = "spec 10.50",
	.sentence = "The block that is claimed is that of the largest candidate worth it, and a "
		    "page is stolen only if none is.",
	.needs = "view, inner",
	.promise = PROMISE_CLAIMS,
	.events = EV_BIT(EV_MM_PAGE_ALLOC_EXTFRAG),
	.decision = claim_largest,
};

/* ---- the boost ----------------------------------------------------------- */

/* At its limit a boost tells nothing about their number. */
static int boost_per_candidate(const struct decision *d, char why[WHY_SIZE])
{
	u32 was = d->was->zone.watermark_boost, is = d->zone->watermark_boost;
	u64 limit = wmark_boost_limit(d->view, d->zone);
	u64 expected = was;
	const struct take *t = d->take;
	u32 nr;

	if (!t || !take_from_foreign(t))
		return VERDICT_MEANINGLESS;
	nr = small_candidates(t);
	if (limit)
		expected += (u64)nr << block_order(t);
	if (nr && limit && expected > limit)
		return VERDICT_MEANINGLESS;
	if (is != expected)
		return breaks(why,
			      "page %u: %u candidates smaller than a block, boost went from %u to "
			      "%u, not %llu",
			      t->pfn, nr, was, is, (unsigned long long)expected);
	return VERDICT_HOLDS;
}

const struct property prop_boost_per_candidate = {
	.id = "boost-per-candidate",
	.rule = "spec 10.56",
	.sentence = "The zone is boosted by one pageblock for each candidate smaller than a block "
		    "that was looked at to be claimed, and by nothing else.",
	.needs = "view, inner",
	.promise = PROMISE_MODES,
	.events = EV_BIT(EV_MM_PAGE_ALLOC_EXTFRAG),
	.decision = boost_per_candidate,
};

static bool is_flagged(const struct zone *z)
{
	return z->flags & ZONE_BOOSTED_WATERMARK;
}

/* The pass that wakes kswapd for the boost has done so when it ends. */
static int flag_is_spent(const struct decision *d, char why[WHY_SIZE])
{
	if (!d->pass || !(d->pass->a & ALLOC_KSWAPD) || !d->zone || !d->locks)
		return VERDICT_MEANINGLESS;
	if (!is_flagged(d->zone))
		return VERDICT_MEANINGLESS; /* in most passes nothing was boosted */
	return breaks(why, "a pass with KSWAPD ends, page %u, and leaves the flag set",
		      d->event->pfn);
}

static int boosted_flag(const struct decision *d, char why[WHY_SIZE])
{
	bool kswapd, boosted;
	const struct take *t = d->take;

	if (d->event->type == EV_GPFF_END)
		return flag_is_spent(d, why);
	if (!t || !take_from_foreign(t))
		return VERDICT_MEANINGLESS;
	kswapd = t->flags & ALLOC_KSWAPD;
	boosted = small_candidates(t) && wmark_boost_limit(d->view, d->zone);
	if (!boosted && is_flagged(d->zone) == is_flagged(&d->was->zone))
		return VERDICT_MEANINGLESS;
	if (is_flagged(d->zone) != (is_flagged(&d->was->zone) || (boosted && kswapd)))
		return breaks(why, "page %u, flags %#x, %s: the flag was %d and is %d", t->pfn,
			      t->flags, boosted ? "boosted" : "not boosted",
			      is_flagged(&d->was->zone), is_flagged(d->zone));
	return VERDICT_HOLDS;
}

const struct property prop_boosted_flag = {
	.id = "boosted-flag",
	.rule = "spec 10.57",
	.sentence = "A boost marks the zone for a wake of kswapd only for a pass with KSWAPD, and "
		    "no such pass that got a page of the zone leaves it marked.",
	.needs = "view, inner",
	.promise = PROMISE_CLAIMS,
	.events = EV_BIT(EV_MM_PAGE_ALLOC_EXTFRAG) | EV_BIT(EV_GPFF_END),
	.decision = boosted_flag,
};
