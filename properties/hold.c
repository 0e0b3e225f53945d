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
	const struct interest *interest = &j->by_event[d->event->type];
	char why[WHY_SIZE];

	for (const struct asked *a = interest->asked; a < interest->asked + interest->nr; a++) {
		int verdict;

		if (a->only & ~occasion)
			continue;
		verdict = a->decision(d, why);
		if (verdict != VERDICT_MEANINGLESS)
			judge_note(j, a->which, verdict, why);
	}
}

/* Of enum only, what is true of @d. */
static u32 occasion_of(const struct hold *hold, const struct decision *d)
{
	const struct zone *was = &d->was->zone;
	u32 occasion = hold->occasion | (d->nr_before ? ONLY_LATER : ONLY_FIRST);

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
void judge_look(struct judge *j, struct frame *f, const struct event *event)
{
	bool has_zone = event->zone < j->view->machine->nr_zones;
	struct decision d = {
		.event = event,
		.view = j->view,
		.zone = has_zone ? &j->view->zones[event->zone] : NULL,
		.request = f->request,
		.pass = f->looked ? &f->pass : NULL,
		.nr_before = event->type == EV_CONTIG_RANGE ? f->ranges++ : 0,
		.locks = f->locks,
		.interleaved = f->interleaved,
		.nested = j->depth > 1,
	};

	ask(j, &d, ONLY_FIRST);
}

/* ---- under the lock ------------------------------------------------------ */

void hold_begin(struct judge *j, const struct frame *f, const struct event *event)
{
	struct hold *hold = &j->hold;
	const struct event *pass = f->in_pass ? &f->pass : NULL;

	if (!j->decision_events || event->zone >= j->view->machine->nr_zones)
		return;
	hold->held = true;
	hold->zone = event->zone;
	hold->nr_decisions = hold->nr_stolen = 0;
	hold->last = *event;
	hold->d = (struct decision){
		.view = j->view,
		.zone = &j->view->zones[event->zone],
		.request = f->request,
		.pass = pass,
		.interleaved = f->interleaved,
		.nested = j->depth > 1,
	};
	hold->occasion = hold->d.zone->cma_pages ? ONLY_CMA : 0;
	if ((pass ? pass->gfp : f->request->gfp) & __GFP_NORETRY)
		hold->occasion |= ONLY_NORETRY;
	zone_shot_take(&hold->shots[hold->now], j->view, event->zone);
}

/* A buddy smaller than a block was taken from another type, and the block kept its type. */
static bool is_steal(const struct decision *d)
{
	u32 block = d->event->pfn >> d->view->machine->pageblock_order;

	return d->event->type == EV_MM_PAGE_ALLOC_EXTFRAG &&
	       d->event->a < d->view->machine->pageblock_order &&
	       d->event->pfn < d->view->nr_pages &&
	       zone_shot_block(d->was, block) == d->view->pageblock_flags[block];
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

	if (may_begin_claim(d))
		hold->now = !hold->now;
	else if (zone_shot_update(&hold->shots[hold->now], d))
		return;
	zone_shot_take(&hold->shots[hold->now], j->view, hold->zone);
}

void hold_decide(struct judge *j, const struct event *event)
{
	struct hold *hold = &j->hold;
	struct decision *d = &hold->d;
	bool claim = is_claim(hold, event);

	d->event = event;
	d->was = &hold->shots[claim ? !hold->now : hold->now];
	d->nr_before = hold->nr_decisions - claim;
	d->stolen_before = hold->nr_stolen;
	d->claimed = claim ? &hold->last : NULL;
	d->blocks_changed = zone_shot_blocks_changed(d->was, j->view);
	d->take = (EV_BIT(event->type) & TAKE_EVENTS) && take_read(&hold->take, d) ? &hold->take
										   : NULL;
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
