/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who may take what: zones of the request, and pages of isolated, CMA and HighAtomic
 * blocks (spec 10.39 to 10.43).
 *
 *      list        Unmovable Movable Reclaimable | HighAtomic        | CMA      | Isolate
 *      open to     everybody, if need be         | HIGHATOMIC; last  | CMA flag | nobody
 *                                                | resort of OOM and | (movable)|
 *                                                | NON_BLOCK         |          |
 */
#include "properties/list.h"
#include "properties/take.h"
#include "properties/wants.h"

/* ---- 39: the zone -------------------------------------------------------- */

/*
 * The nodemask that binds the result. Spec 6.1 step 10 drops it for requests that do not keep
 * to a cpuset or may use reserves: their passes at the MIN mark lack CPUSET.
 */
static u32 binding_nodemask(const struct step *s)
{
	for (const struct event *e = step_find(s, EV_GPFF, 0); e;
	     e = step_find(s, EV_GPFF, step_index(s, e) + 1)) {
		if ((e->a & ALLOC_WMARK_MASK) == ALLOC_WMARK_MIN && !(e->a & ALLOC_CPUSET))
			return NODEMASK_NULL;
	}
	return s->request->nodemask;
}

static bool zone_allowed(const struct wants *w, const struct request *r, const struct zone *z,
			 u32 nodemask)
{
	return z->type <= w->hidx && (nodemask & BIT(z->node)) &&
	       (!wants_has(w, __GFP_THISNODE) || z->node == r->node);
}

static int eligible_zone(const struct step *s, char why[WHY_SIZE])
{
	const struct request *r = s->request;
	bool restricted = false;
	const struct zone *z;
	char name[NAME_SIZE];
	struct wants w;
	u32 nodemask;

	if (r->result_pfn >= s->view->nr_pages || s->events_lost ||
	    !wants_read(&w, s->view, r, s->before->global.task.flags))
		return VERDICT_MEANINGLESS;
	nodemask = r->kind == REQUEST_NOLOCK ? NODEMASK_NULL : binding_nodemask(s);
	for (u32 i = 0; i < s->view->machine->nr_zones; i++)
		restricted |= !zone_allowed(&w, r, &s->view->zones[i], nodemask);
	if (!restricted)
		return VERDICT_MEANINGLESS;
	z = &s->view->zones[s->view->pages[r->result_pfn].zone];
	if (!zone_allowed(&w, r, z, nodemask))
		return breaks(why, "page %u is in %s: node %u, gfp %#x, nodemask %#x",
			      r->result_pfn, zone_name(s->view, z->index, name), r->node, r->gfp,
			      nodemask);
	return VERDICT_HOLDS;
}

const struct property prop_eligible_zone = {
	.id = "eligible-zone",
	.rule = "spec 10.39",
	.sentence = "A page is of a zone that the gfp allows, of a node of the nodemask unless the "
		    "request has lost it, and of its own node with THISNODE.",
	.needs = "view, inner",
	.promise = PROMISE_ALL,
	.requests = REQUEST_ALLOCATES,
	.step = eligible_zone,
};

/* ---- 40: isolated blocks ------------------------------------------------- */

/* A block of the @nr pages at @pfn that was isolated, or PFN_NONE. */
static u32 isolated_block(const struct decision *d, u32 pfn, u32 nr)
{
	u32 order = d->view->machine->pageblock_order;

	for (u32 block = pfn >> order; block <= (pfn + nr - 1) >> order; block++) {
		u8 flags = zone_shot_block(d->was, block);

		if (flags != 0xff && (flags & PB_ISOLATE))
			return block << order;
	}
	return PFN_NONE;
}

/* A list of free isolated pages that has another head than before, as its order, or NR_ORDERS. */
static u32 changed_isolate_list(const struct decision *d)
{
	u32 order;

	for (order = 0; order < NR_ORDERS; order++) {
		u32 head = free_list_head(d->zone, order, MIGRATE_ISOLATE);

		if (d->view->links[head].next != d->was->heads[order][MIGRATE_ISOLATE].next)
			break;
	}
	return order;
}

static int isolated_untouched(const struct decision *d, char why[WHY_SIZE])
{
	const struct event *e = d->event;
	u32 block, order;

	if (!d->was->zone.nr_isolate_pageblock || !may_take(d) || is_capture(d) ||
	    e->pfn >= d->view->nr_pages)
		return VERDICT_MEANINGLESS;
	block = isolated_block(d, e->pfn, BIT((u32)e->order));
	if (block != PFN_NONE)
		return breaks(why, "page %u of order %d was taken out of the isolated block %u",
			      e->pfn, e->order, block);
	order = changed_isolate_list(d);
	if (order < NR_ORDERS)
		return breaks(why,
			      "the list of isolated pages of order %u changed as page %u was taken",
			      order, e->pfn);
	return VERDICT_HOLDS;
}

const struct property prop_isolated_untouched = {
	.id = "isolated-untouched",
	.rule = "spec 10.40",
	.sentence = "Free pages of isolated blocks are not handed out.",
	.needs = "view, inner",
	.promise = PROMISE_ACCOUNTS,
	.events = TAKE_EVENTS,
	.only = ONLY_ISOLATED,
	.decision = isolated_untouched,
};

/* ---- 41, 42: CMA and HighAtomic ------------------------------------------ */

static int cma_rights(const struct decision *d, char why[WHY_SIZE])
{
	const struct take *t = d->take;

	if (!d->was->zone.vm_stat[NR_FREE_CMA_PAGES] || !t)
		return VERDICT_MEANINGLESS;
	if ((t->flags & ALLOC_CMA) && t->mt == MIGRATE_MOVABLE)
		return VERDICT_MEANINGLESS;
	if (d->zone->vm_stat[NR_FREE_CMA_PAGES] != d->was->zone.vm_stat[NR_FREE_CMA_PAGES])
		return breaks(why, "page %u went to a %s request with flags %#x, CMA lost %lld",
			      t->pfn, type_name(t->mt), t->flags,
			      (long long)(d->was->zone.vm_stat[NR_FREE_CMA_PAGES] -
					  d->zone->vm_stat[NR_FREE_CMA_PAGES]));
	return VERDICT_HOLDS;
}

const struct property prop_cma_rights = {
	.id = "cma-rights",
	.rule = "spec 10.41",
	.sentence =
		"Pages leave the CMA lists only for movable requests whose pass has the CMA flag.",
	.needs = "view, inner",
	.promise = PROMISE_ALL,
	.events = TAKE_EVENTS,
	.only = ONLY_TAKE | ONLY_CMA,
	.decision = cma_rights,
};

/* Spec 4.8 as a whole finds nothing: then a buddy of each type that it looks at is missing. */
static bool nothing_else_left(const struct take *t)
{
	bool nofragment = t->flags & ALLOC_NOFRAGMENT;
	u32 foreign = nofragment ? max_u32(t->order, block_order(t)) : t->order;

	if ((t->flags & ALLOC_CMA) && shot_has(t->d->was, t->order, MIGRATE_CMA))
		return false;
	for (u32 mt = 0; mt < MIGRATE_PCPTYPES; mt++) {
		if (shot_has(t->d->was, mt == t->mt ? t->order : foreign, mt))
			return false;
	}
	return true;
}

static int highatomic_rights(const struct decision *d, char why[WHY_SIZE])
{
	bool taken = d->zone->nr_free_highatomic != d->was->zone.nr_free_highatomic;
	const struct take *t = d->take;

	if (!d->was->zone.nr_free_highatomic || !t)
		return VERDICT_MEANINGLESS;
	if (t->flags & ALLOC_HIGHATOMIC) {
		if (!taken && shot_has(d->was, t->order, MIGRATE_HIGHATOMIC))
			return breaks(why, "page %u of %s for flags %#x, the reserve had some",
				      t->pfn, type_name(t->type), t->flags);
		return VERDICT_HOLDS;
	}
	if (!taken)
		return VERDICT_HOLDS;
	if (!(t->flags & (ALLOC_OOM | ALLOC_NON_BLOCK)))
		return breaks(why, "page %u left the HighAtomic reserve for flags %#x", t->pfn,
			      t->flags);
	if (!nothing_else_left(t))
		return breaks(why,
			      "page %u left the HighAtomic reserve, flags %#x, though other lists "
			      "had pages for a %s request",
			      t->pfn, t->flags, type_name(t->mt));
	return VERDICT_HOLDS;
}

const struct property prop_highatomic_rights = {
	.id = "highatomic-rights",
	.rule = "spec 10.42",
	.sentence = "Passes with the HIGHATOMIC flag take the pages of the HighAtomic lists first; "
		    "others only with OOM or NON_BLOCK, after everything else failed.",
	.needs = "view, inner",
	.promise = PROMISE_FREE_HIGHATOMIC,
	.events = TAKE_EVENTS,
	.only = ONLY_TAKE | ONLY_HIGHATOMIC,
	.decision = highatomic_rights,
};

/* ---- 43: CMA blocks stay CMA --------------------------------------------- */

static bool is_cma(u8 flags)
{
	return (flags & PB_MIGRATETYPE_MASK) == MIGRATE_CMA;
}

static int cma_stays(const struct decision *d, char why[WHY_SIZE])
{
	const struct zone_shot *was = d->was;

	if (!d->zone->cma_pages)
		return VERDICT_MEANINGLESS;
	for (u32 i = 0; d->blocks_changed && i < was->nr_blocks; i++) {
		u8 now = d->view->pageblock_flags[was->first_block + i];

		if (is_cma(was->blocks[i]) != is_cma(now))
			return breaks(why, "%s: block %u was %s and is %s",
				      event_names[d->event->type],
				      (was->first_block + i) << d->view->machine->pageblock_order,
				      type_name(was->blocks[i] & PB_MIGRATETYPE_MASK),
				      type_name(now & PB_MIGRATETYPE_MASK));
	}
	return VERDICT_HOLDS;
}

const struct property prop_cma_stays = {
	.id = "cma-stays",
	.rule = "spec 10.43",
	.sentence = "No pageblock becomes CMA or ceases to be it, whatever is done under the lock.",
	.needs = "view, inner",
	.promise = PROMISE_ISOLATE_BIT,
	.events = TAKE_EVENTS | EV_BIT(EV_RESERVE_HIGHATOMIC) | EV_BIT(EV_UNRESERVE_HIGHATOMIC) |
		  EV_BIT(EV_ZONE_UNLOCK),
	.only = ONLY_CMA,
	.decision = cma_stays,
};
