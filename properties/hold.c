/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decisions: while a zone->lock is held, the judge keeps what the zone looked like
 * before the next one.
 *
 *      lock     zone_locked   zone_locked   unlock
 *      shot ---> decision
 *               shot --------> decision
 *                             shot --------> decision
 *
 * Of a claim of part of a block, which is reported by two events, the second one is
 * compared with what was before both.
 */
#include "properties/judge_internal.h"
#include "properties/shot.h"
#include "properties/take.h"

/* ---- asking -------------------------------------------------------------- */

static void ask(struct judge *j, const struct decision *d, u32 occasion)
{
	const struct interest *interest = &j->by_event[d->event->type][!!(occasion & ONLY_RARE)];
	const struct asked *end = interest->asked + interest->nr;
	char why[WHY_SIZE];

	for (const struct asked *a = interest->asked; a < end; a++) {
		if (!(a->only & ~occasion))
			judge_note(j, a->which, a->decision(d, why), why);
	}
}

/* Of enum only, what is true of @d. */
static u32 occasion_of(const struct hold *hold, const struct decision *d)
{
	const struct zone *was = &d->was->zone;
	u32 occasion = hold->occasion | (d->nr_before ? ONLY_LATER : 0);

	if (!d->nr_before && !d->claimed)
		occasion |= ONLY_FIRST;

	if (d->take)
		occasion |=
			d->take->flags & ALLOC_NOFRAGMENT ? ONLY_TAKE | ONLY_NOFRAGMENT : ONLY_TAKE;
	if (d->stolen_before)
		occasion |= ONLY_AFTER_STEAL;
	if (was->nr_isolate_pageblock)
		occasion |= ONLY_ISOLATED;
	if (was->nr_free_highatomic)
		occasion |= ONLY_HIGHATOMIC;
	return occasion;
}

/* Outside of a lock there is nothing to compare with. */
static void look(struct judge *j, struct frame *f, const struct event *event)
{
	bool has_zone = event->zone < j->view->machine->nr_zones;
	struct decision d = {
		.event = event,
		.view = j->view,
		.zone = has_zone ? &j->view->zones[event->zone] : NULL,
		.request = f->step.request,
		.pass = f->looked ? &f->pass : NULL,
		.nr_before = event->type == EV_CONTIG_RANGE ? f->ranges++ : 0,
		.locks = f->locks,
		.interleaved = f->step.interleaved,
		.nested = j->depth > 1,
	};

	ask(j, &d, event->pfn != PFN_NONE && !f->locks ? ONLY_FIRST : 0);
}

/* ---- under the lock ------------------------------------------------------ */

static void begin_hold(struct judge *j, const struct frame *f, const struct event *event)
{
	struct hold *hold = &j->hold;
	const struct event *pass = f->in_pass ? &f->pass : NULL;
	u32 gfp = pass ? pass->gfp : f->step.request->gfp;

	if (!j->decision_events || event->zone >= j->view->machine->nr_zones)
		return;
	hold->held = true;
	hold->zone = event->zone;
	hold->last = *event;
	hold->d = (struct decision){
		.view = j->view,
		.zone = &j->view->zones[event->zone],
		.request = f->step.request,
		.pass = pass,
		.interleaved = f->step.interleaved,
		.nested = j->depth > 1,
	};
	hold->nr_decisions = hold->nr_stolen = 0;
	hold->occasion =
		(hold->d.zone->cma_pages ? ONLY_CMA : 0) | (gfp & __GFP_NORETRY ? ONLY_NORETRY : 0);
	hold->takes = take_request(&hold->take, &hold->d);
	zone_shot_take(hold->now, j->view, event->zone, may_take(&hold->d));
}

/* A buddy smaller than a block was taken from another type, and the block kept its type. */
static bool is_steal(const struct decision *d)
{
	u32 order = d->view->machine->pageblock_order, pfn = d->event->pfn;

	return d->event->type == EV_MM_PAGE_ALLOC_EXTFRAG && d->event->a < order &&
	       pfn < d->view->nr_pages &&
	       zone_shot_block(d->was, pfn >> order) == d->view->pageblock_flags[pfn >> order];
}

/* Does @event say of the page that was just taken that its block was claimed for it? */
static bool is_claim(const struct hold *hold, const struct event *event)
{
	return event->type == EV_MM_PAGE_ALLOC_EXTFRAG &&
	       hold->last.type == EV_MM_PAGE_ALLOC_ZONE_LOCKED && hold->last.pfn == event->pfn;
}

/* A block got another type, or the list was empty: a claim has just filled it, and will say so. */
static bool may_begin_claim(const struct decision *d)
{
	const struct event *e = d->event;

	if (e->type != EV_MM_PAGE_ALLOC_ZONE_LOCKED)
		return false;
	return d->blocks_changed ||
	       (!d->take && (e->a >= MIGRATE_TYPES || !shot_has(d->was, (u32)e->order, e->a)));
}

static void refresh_shot(struct judge *j, const struct decision *d)
{
	struct hold *hold = &j->hold;
	struct zone_shot *now = hold->now;

	if (may_begin_claim(d)) {
		hold->now = hold->before_claim;
		hold->before_claim = now;
	} else if (zone_shot_update(now, d)) {
		return;
	}
	zone_shot_take(hold->now, j->view, hold->zone, may_take(d));
}

static void decide(struct judge *j, const struct event *event)
{
	struct hold *hold = &j->hold;
	struct decision *d = &hold->d;
	bool claim = is_claim(hold, event);

	d->event = event;
	d->was = claim ? hold->before_claim : hold->now;
	d->nr_before = hold->nr_decisions - claim;
	d->stolen_before = hold->nr_stolen;
	d->claimed = claim ? &hold->last : NULL;
	d->blocks_changed = zone_shot_blocks_changed(d->was, j->view);
	d->take = NULL;
	if (hold->takes && (EV_BIT(event->type) & TAKE_EVENTS) && take_read(&hold->take))
		d->take = &hold->take;
	ask(j, d, occasion_of(hold, d));
	if (event->type == EV_ZONE_UNLOCK) {
		hold->held = false;
		return;
	}
	hold->nr_decisions += !claim;
	hold->nr_stolen += is_steal(d);
	refresh_shot(j, d);
	hold->last = *event;
}

void judge_heed(struct judge *j, const struct event *event)
{
	struct frame *f = j->top;

	switch (event->type) {
	case EV_GPFF:
		f->pass = *event;
		f->looked = f->in_pass = true;
		f->locks = 0;
		break;
	case EV_GPFF_END:
		f->in_pass = false;
		break;
	case EV_ZONE_LOCK:
		f->locks++;
		begin_hold(j, f, event);
		break;
	default:
		if ((EV_BIT(event->type) & DECISION_EVENTS) && j->hold.held &&
		    j->hold.zone == event->zone)
			decide(j, event);
	}
	if (EV_BIT(event->type) & j->look_events)
		look(j, f, event);
}
