/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keeping types apart: what a pass with NOFRAGMENT may do, and who keeps NOFRAGMENT
 * (spec 10.45, 10.63).
 *
 *      wholly free:  [ . . . . . . . . ] -> [ U . . . . . . . ]   may change hands
 *      partly used:  [ M . . M . . . . ] -> [ M U . M . . . . ]   mixes types
 *
 * Which flags count is read from the pass itself (EV_GPFF), whoever the caller is.
 */
#include "properties/foreign.h"
#include "properties/list.h"

/* A block that became another type without having been inside the free buddy of @t; or PFN_NONE. */
static u32 retyped_in_use(const struct take *t)
{
	bool whole = t->kind == TAKE_CLAIM && t->from >= block_order(t);

	return retyped_outside(t->d, t->pfn, whole ? t->pfn + BIT(t->from) : t->pfn);
}

/* What mixes, as a text in @why; false: @t does not. */
static bool mixes(const struct take *t, char why[WHY_SIZE])
{
	u32 block;

	if (take_from_foreign(t) && t->from < block_order(t)) {
		fails(why, "flags %#x: %s page %u of order %u came from a %s buddy of order %u",
		      t->flags, type_name(t->mt), t->pfn, t->order, type_name(t->type), t->from);
		return true;
	}
	block = retyped_in_use(t);
	if (block == PFN_NONE)
		return false;
	fails(why, "flags %#x: page %u was taken and block %u, in use, became %s", t->flags, t->pfn,
	      block, type_name(block_type(t->d->view, block)));
	return true;
}

static int nofragment(const struct decision *d, char why[WHY_SIZE])
{
	const struct take *t = d->take;

	if (!t || !(t->flags & ALLOC_NOFRAGMENT) || t->order >= block_order(t))
		return VERDICT_MEANINGLESS;
	if (mixes(t, why))
		return VERDICT_FAILS;
	/* Who may use CMA and the reserve is said elsewhere (eligibility.c). */
	if (t->kind == TAKE_LIST && t->type != t->mt && type_merges(t->type))
		return breaks(why, "flags %#x: %s page %u came from the list of %s", t->flags,
			      type_name(t->mt), t->pfn, type_name(t->type));
	return VERDICT_HOLDS;
}

const struct property prop_nofragment = {
	.id = "nofragment",
	.rule = "spec 10.45",
	.sentence = "A pass with NOFRAGMENT takes foreign pages only by claiming blocks that are "
		    "wholly inside one free buddy.",
	.needs = "view, inner",
	.promise = PROMISE_HYGIENE,
	.events = TAKE_EVENTS,
	.only = ONLY_TAKE | ONLY_NOFRAGMENT,
	.decision = nofragment,
};

/* ---- the headline of V2 -------------------------------------------------- */

/*
 * With these a pass is for somebody who must not fail or may not wait for a lock, and NOFRAGMENT is
 * not among its flags (spec 1.6 c, f, 4.16). NON_BLOCK is none of them: requests without
 * DIRECT_RECLAIM have it, and just those are what V2 is about.
 */
#define RESERVE_RIGHTS \
	(ALLOC_NO_WATERMARKS | ALLOC_OOM | ALLOC_MIN_RESERVE | ALLOC_HIGHATOMIC | ALLOC_NOLOCK)

/* Without a Dma32 zone configured the kernel has no NOFRAGMENT at all (spec 1.5). */
static bool is_promised_to(const struct decision *d)
{
	u32 gfp = d->pass ? d->pass->gfp : d->request->gfp;

	return (gfp & __GFP_NORETRY) && d->view->machine->config_dma32 &&
	       d->view->global->sysctl[SYSCTL_DEFRAG_MODE];
}

/*
 * A pass that goes away without a page, though under the lock there was one to steal:
 *
 *      Unmovable  -        Movable  [ M . . M . . . . ]      order 1 is there, and stays there
 */
static int resisted(const struct decision *d)
{
	const struct zone_shot *was = d->was;
	struct candidate c;
	struct take t;

	if (d->nr_before || !d->pass || !take_request(&t, d) || (t.flags & RESERVE_RIGHTS))
		return VERDICT_MEANINGLESS;
	/* Not this lock's business: what is freed under it is node reclaim's. */
	if (was->zone.vm_stat[NR_FREE_PAGES] != d->zone->vm_stat[NR_FREE_PAGES])
		return VERDICT_MEANINGLESS;
	for (u32 order = (u32)d->pass->order; order < block_order(&t); order++) {
		if (candidate_at(&c, was, order, t.mt))
			return VERDICT_HOLDS;
	}
	return VERDICT_MEANINGLESS;
}

/*
 * Excused, as no flag of a pass has a say in them: pages of the bulk API, which has no pass;
 * pages captured by compaction; blocks that leave the HighAtomic reserve.
 */
static int no_fragment_noretry(const struct decision *d, char why[WHY_SIZE])
{
	const struct take *t = d->take;
	bool bound;

	if (!is_promised_to(d))
		return VERDICT_MEANINGLESS;
	if (d->event->type == EV_ZONE_UNLOCK)
		return resisted(d);
	if (d->event->type == EV_UNRESERVE_HIGHATOMIC)
		return VERDICT_EXCUSED;
	if (is_capture(d))
		return d->event->a < d->view->machine->pageblock_order ? VERDICT_EXCUSED
								       : VERDICT_MEANINGLESS;
	if (!t)
		return VERDICT_MEANINGLESS;
	bound = d->pass && !(t->flags & RESERVE_RIGHTS);
	if (mixes(t, why))
		return bound ? VERDICT_FAILS : VERDICT_EXCUSED;
	return bound && take_from_foreign(t) ? VERDICT_HOLDS : VERDICT_MEANINGLESS;
}

const struct property prop_no_fragment_noretry = {
	.id = "no-fragment-noretry",
	.rule = "spec 10.63",
	.sentence = "Under defrag_mode a NORETRY request that is served without rights to reserves "
		    "takes no page out of a foreign buddy smaller than a block, and changes the "
		    "type of no block in use.",
	.needs = "view, inner",
	.promise = PROMISE_V2,
	.events = TAKE_EVENTS | EV_BIT(EV_UNRESERVE_HIGHATOMIC) | EV_BIT(EV_ZONE_UNLOCK),
	.only = ONLY_NORETRY,
	.decision = no_fragment_noretry,
};
