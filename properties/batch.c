/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The pages of one lock hold: where each comes from, how a buddy is cut for it, and that
 * all of them end up on the pcp list (spec 10.51 to 10.55).
 *
 *      CMA, if it holds more than half of what is free
 *      own list -> CMA list -> claim -> steal            `--- again and again until the lock is
 *        ^           ^           |        |                   released
 *        |           `-- next page, no --'|
 *        `-- next page, after a claim     `-- next page, after a steal: steal at once
 */
#include "properties/list.h"
#include "properties/pages.h"
#include "properties/take.h"

/* ---- sources ------------------------------------------------------------- */

enum source { FROM_OWN, FROM_CMA, FROM_CLAIM, FROM_STEAL, FROM_OTHER };

static const char *const source_names[] = {"its own list", "CMA", "a claim", "a steal"};

/* HighAtomic, and what a request has no right to, are left to other rules (eligibility.c). */
static inline enum source source_of(const struct take *t)
{
	if (t->kind == TAKE_CLAIM)
		return FROM_CLAIM;
	if (t->kind == TAKE_STEAL)
		return FROM_STEAL;
	if (t->type == t->mt)
		return FROM_OWN;
	return t->type == MIGRATE_CMA && (t->flags & ALLOC_CMA) ? FROM_CMA : FROM_OTHER;
}

static bool has_own(const struct take *t)
{
	return (t->kind == TAKE_LIST && t->type == t->mt) || shot_has(t->d->was, t->order, t->mt);
}

static bool has_cma(const struct take *t)
{
	return (t->flags & ALLOC_CMA) && shot_has(t->d->was, t->order, MIGRATE_CMA);
}

/* Spec 4.8 step 0. */
static bool cma_is_due(const struct take *t)
{
	const s64 *stat = t->d->was->zone.vm_stat;

	return stat[NR_FREE_CMA_PAGES] > stat[NR_FREE_PAGES] / 2 && has_cma(t);
}

/* Where the page has to come from; a claim where only a foreign type is left. */
static inline enum source source_due(const struct take *t)
{
	if (cma_is_due(t))
		return FROM_CMA;
	if (t->d->stolen_before)
		return FROM_STEAL;
	if (has_own(t))
		return FROM_OWN;
	return has_cma(t) ? FROM_CMA : FROM_CLAIM;
}

/* Between claim and steal claim-largest decides. */
static bool source_fits(const struct take *t, enum source due)
{
	enum source source = source_of(t);

	return source == due || (due == FROM_CLAIM && source == FROM_STEAL);
}

static int wrong_source(const struct take *t, char why[WHY_SIZE])
{
	return breaks(why,
		      "page %u (number %u under this lock, %u stolen before) came from %s, due "
		      "was %s",
		      t->pfn, t->d->nr_before + 1, t->d->stolen_before, source_names[source_of(t)],
		      source_names[source_due(t)]);
}

static int batch_steals_on(const struct decision *d, char why[WHY_SIZE])
{
	enum source source;
	const struct take *t = d->take;

	if (!d->stolen_before || !t || source_of(t) == FROM_OTHER)
		return VERDICT_MEANINGLESS;
	source = source_of(t);
	return source == FROM_OWN || source == FROM_CLAIM ? wrong_source(t, why) : VERDICT_HOLDS;
}

const struct property prop_batch_steals_on = {
	.id = "batch-steals-on",
	.rule = "spec 10.52",
	.sentence = "After the first page that a batch steals it claims nothing and takes nothing "
		    "from its own lists.",
	.needs = "view, inner",
	.promise = PROMISE_MODES,
	.events = TAKE_EVENTS,
	.only = ONLY_TAKE | ONLY_AFTER_STEAL,
	.decision = batch_steals_on,
};

static int batch_modes(const struct decision *d, char why[WHY_SIZE])
{
	const struct take *t = d->take;

	if (!d->nr_before || !t || source_of(t) == FROM_OTHER)
		return VERDICT_MEANINGLESS;
	return source_fits(t, source_due(t)) ? VERDICT_HOLDS : wrong_source(t, why);
}

const struct property prop_batch_modes = {
	.id = "batch-modes",
	.rule = "spec 10.51",
	.sentence = "Later pages of a batch come from CMA when that is due, from where the batch "
		    "steals, or else from the own list, CMA, a claim or a steal, in this order.",
	.needs = "view, inner",
	.promise = PROMISE_MODES,
	.events = TAKE_EVENTS,
	.only = ONLY_TAKE | ONLY_LATER,
	.decision = batch_modes,
};

static int own_type_first(const struct decision *d, char why[WHY_SIZE])
{
	enum source due;
	const struct take *t = d->take;

	if (d->stolen_before || !t || source_of(t) == FROM_OTHER)
		return VERDICT_MEANINGLESS;
	due = source_due(t);
	if (due == FROM_CLAIM)
		return VERDICT_MEANINGLESS;
	return source_fits(t, due) ? VERDICT_HOLDS : wrong_source(t, why);
}

const struct property prop_own_type_first = {
	.id = "own-type-first",
	.rule = "spec 10.55",
	.sentence = "While the request's own list has a large enough buddy the page comes from it, "
		    "or from CMA if that is due; CMA comes before foreign types.",
	.needs = "view, inner",
	.promise = PROMISE_ACCOUNTS,
	.events = TAKE_EVENTS,
	.only = ONLY_TAKE,
	.decision = own_type_first,
};

/* ---- 54: cutting a buddy ------------------------------------------------- */

/* Orders of which the zone has another number of buddies than before. */
static u32 nr_changed(const u32 *was, const u32 *is)
{
	u32 nr = 0;

	for (u32 order = 0; order < NR_ORDERS; order++)
		nr += is[order] != was[order];
	return nr;
}

/*
 * The order of the buddy that was cut: one of these less, one more of each order between.
 * NR_ORDERS: that is not what happened.
 *
 *      order 3  [ p . . . . . . . ]
 *      after    [p][1][ 2  ][  4  ]      order 3: -1, orders 2, 1, 0: +1
 */
static u32 cut_order(const struct take *t)
{
	const u32 *was = t->d->was->zone.nr_free, *is = t->d->zone->nr_free;
	u32 cut = t->order;

	while (cut < NR_ORDERS && is[cut] == was[cut] + 1)
		cut++;
	if (cut == NR_ORDERS || is[cut] + 1 != was[cut] ||
	    nr_changed(was, is) != cut + 1 - t->order)
		return NR_ORDERS;
	return cut;
}

/* The piece of @order behind the page heads a list; of which type is said in fallback.c. */
static bool piece_is_first(const struct take *t, u32 order)
{
	const struct view *view = t->d->view;
	u32 heads = free_list_head(t->d->zone, order, 0);
	u32 pfn = t->pfn + BIT(order);
	u32 prev = view->links[pfn].prev;

	return (view->pages[pfn].flags & PG_BUDDY) && prev >= heads && prev < heads + MIGRATE_TYPES;
}

static int split_law(const struct decision *d, char why[WHY_SIZE])
{
	const struct take *t = d->take;
	u32 cut, first;

	if (!t)
		return VERDICT_MEANINGLESS;
	cut = cut_order(t);
	if (cut == NR_ORDERS)
		return breaks(why, "page %u of order %u does not come out of one buddy", t->pfn,
			      t->order);
	for (u32 order = t->order; order < cut; order++) {
		if (!piece_is_first(t, order))
			return breaks(
				why,
				"page %u, order %u, cut from order %u: %u is not the head of a "
				"list of order %u",
				t->pfn, t->order, cut, t->pfn + BIT(order), order);
	}
	if (t->kind != TAKE_LIST)
		return VERDICT_HOLDS;
	first = shot_first(d->was, t->least, t->type);
	if (cut != t->least || t->pfn != first)
		return breaks(why,
			      "page %u, order %u, was cut from order %u, not from %u, order %u",
			      t->pfn, t->order, cut, first, t->least);
	return VERDICT_HOLDS;
}

const struct property prop_split_law = {
	.id = "split-law",
	.rule = "spec 10.54",
	.sentence =
		"A page is the lowest part of one buddy, of the smallest one at the head of its "
		"list; each half that is cut off becomes the head of its own list.",
	.needs = "view, inner",
	.promise = PROMISE_ALL,
	.events = TAKE_EVENTS,
	.only = ONLY_TAKE,
	.decision = split_law,
};

/* ---- 53: refills of the pcp lists ---------------------------------------- */

/* What a step took, and the most that was taken under one lock. */
struct taken {
	u32 nr, order;
	u32 most;
	u32 zone, cpu; /* of that lock */
};

/* Is it the second report of one page, the claim that the page is from? */
static bool ends_claim(const struct step *s, u32 i)
{
	return i && s->events[i].type == EV_MM_PAGE_ALLOC_EXTFRAG &&
	       s->events[i - 1].type == EV_MM_PAGE_ALLOC_ZONE_LOCKED &&
	       s->events[i - 1].pfn == s->events[i].pfn;
}

static struct taken count_taken(const struct step *s)
{
	struct taken taken = {0};
	u32 held = 0;

	for (u32 i = 0; i < s->nr_events; i++) {
		const struct event *e = &s->events[i];

		if (e->type == EV_ZONE_LOCK)
			held = 0;
		if (!(EV_BIT(e->type) & TAKE_EVENTS) || ends_claim(s, i))
			continue;
		taken.nr++;
		taken.order = (u32)e->order;
		if (++held > taken.most) {
			taken.most = held;
			taken.zone = e->zone;
			taken.cpu = e->cpu;
		}
	}
	return taken;
}

/* Spec 4.5: the most that one refill asks for, whatever nr_pcp_alloc() makes of the rest. */
static u32 refill_limit(const struct step *s, const struct taken *taken)
{
	const struct per_cpu_pages *pcp =
		&s->before->pcps[taken->zone * s->view->machine->nr_cpus + taken->cpu];
	u32 batch = (u32)pcp->batch;

	if (!taken->order)
		batch <<= s->view->machine->pcp_batch_scale_max;
	return max_u32(batch >> taken->order, 2);
}

/* Something else has moved pages from or to the pcp lists as well. */
static bool moves_pages(const struct step *s)
{
	return s->seen & (EV_BIT(EV_MM_PAGE_FREE) | EV_BIT(EV_MM_PAGE_PCPU_DRAIN) |
			  EV_BIT(EV_CAPTURE) | EV_BIT(EV_ENV_FREED) | EV_BIT(EV_ENV_MOVED));
}

static u32 handed_out(const struct request *r)
{
	if (r->kind == REQUEST_BULK)
		return r->result_nr - r->filled;
	return r->result_pfn == PFN_NONE ? 0 : BIT(r->order);
}

static int refill_count(const struct step *s, char why[WHY_SIZE])
{
	struct taken taken;
	s64 grown, left;

	if (!(s->seen & TAKE_EVENTS) || step_is_blurred(s) || moves_pages(s))
		return VERDICT_MEANINGLESS;
	taken = count_taken(s);
	if (!taken.nr)
		return VERDICT_MEANINGLESS;
	if (taken.most > 1 && taken.most > refill_limit(s, &taken))
		return breaks(why, "%u blocks of order %u were taken under one lock, at most %u",
			      taken.most, taken.order, refill_limit(s, &taken));
	left = ((s64)taken.nr << taken.order) - handed_out(s->request);
	grown = cached_growth(s);
	if (grown != left)
		return breaks(
			why,
			"%u blocks of order %u were taken, %u pages handed out, the pcp lists "
			"grew by %lld",
			taken.nr, taken.order, handed_out(s->request), (long long)grown);
	return VERDICT_HOLDS;
}

const struct property prop_refill_count = {
	.id = "refill-count",
	.rule = "spec 10.53",
	.sentence = "A refill takes no more than it was asked for, and what a request takes off "
		    "the free lists is handed out or added to the count of the pcp list.",
	.needs = "view, inner",
	.promise = PROMISE_HYGIENE,
	.requests = REQUEST_ALLOCATES | REQUEST_BIT(REQUEST_BULK),
	.step = refill_count,
};
