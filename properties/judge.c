/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The judge. While a step runs it keeps what the step began with and its events;
 * while a zone->lock is held, what the zone looked like before the next decision:
 *
 *      judge_begin    lock     zone_locked   zone_locked   unlock    judge_end
 *        before       shot ---> decision                                step
 *                              shot --------> decision
 *                                            shot --------> decision
 *
 * All memory is allocated once; a property is called only where it is interested.
 */
#include "properties/judge.h"

#include <stdlib.h>
#include <string.h>

#include "properties/shot.h"
#include "properties/walk.h"

/* A step that reports more than this cannot be judged by what counts events. */
#define MAX_EVENTS 4096U

#define DECISION_EVENTS                                                                         \
	(EV_BIT(EV_MM_PAGE_ALLOC_EXTFRAG) | EV_BIT(EV_MM_PAGE_ALLOC_ZONE_LOCKED) |              \
	 EV_BIT(EV_CAPTURE) | EV_BIT(EV_RESERVE_HIGHATOMIC) | EV_BIT(EV_UNRESERVE_HIGHATOMIC) | \
	 EV_BIT(EV_MM_PAGE_PCPU_DRAIN) | EV_BIT(EV_ZONE_UNLOCK))

/* Asked about as well, though no lock is held there. */
#define LOOK_EVENTS                                                              \
	(EV_BIT(EV_GPFF) | EV_BIT(EV_GPFF_END) | EV_BIT(EV_RECLAIM_RETRY_ZONE) | \
	 EV_BIT(EV_TEST_PAGES_ISOLATED) | EV_BIT(EV_CONTIG_RANGE))

/* The properties, as indices in the list, that want to be asked on one occasion. */
struct interest {
	u32 nr;
	u32 *which;
};

/* A step that runs. */
struct frame {
	const struct request *request;
	struct shot shots[2]; /* what it began with, and what the step before it did */
	u32 now; /* index of the former */
	struct event *events; /* [MAX_EVENTS] */
	u32 nr_events;
	u64 seen; /* types of events */
	bool interleaved, lost;
	bool looked, in_pass;
	u32 locks; /* taken in the pass */
	u32 ranges; /* tried by a contig allocation */
	struct event pass; /* EV_GPFF, of the last one if in_pass is false; none without looked */
};

#define MAX_DEPTH 2
#define MAX_VIOLATIONS 16U /* whose texts are kept */

/* A zone->lock that is held. */
struct hold {
	bool held;
	u8 zone;
	u32 nr_decisions, nr_stolen;
	/* The zone as it is, taken after the last decision, and as it was before that. */
	struct zone_shot shots[2];
	u32 now; /* index of the former */
	struct event last; /* the last decision; type EV_ZONE_LOCK: none yet */
};

struct judge {
	const struct view *view;
	const struct property *const *list;
	u32 nr;
	bool *promised;

	struct interest by_request[NR_REQUESTS];
	struct interest by_event[NR_EVENTS];
	u32 *which; /* of all of them */
	u64 decision_events; /* that any property asks for */

	struct frame frames[MAX_DEPTH];
	u32 depth;
	struct earlier earlier; /* of the outermost frame */
	bool has_earlier;
	struct hold hold;

	struct property_count *counts;
	u32 nr_violations;
	struct violation violations[MAX_VIOLATIONS]; /* the first ones */
};

/* ---- verdicts ------------------------------------------------------------ */

static void note_failure(struct judge *j, u32 i, const char why[WHY_SIZE])
{
	if (!j->promised[i])
		return;
	if (j->nr_violations < MAX_VIOLATIONS) {
		struct violation *violation = &j->violations[j->nr_violations];

		violation->property = j->list[i];
		memcpy(violation->why, why, WHY_SIZE);
	}
	j->nr_violations++;
}

static void note_verdict(struct judge *j, u32 i, int verdict, const char why[WHY_SIZE])
{
	struct property_count *count = &j->counts[i];

	if (verdict == VERDICT_EXCUSED) {
		count->excused++;
	} else if (verdict != VERDICT_MEANINGLESS) {
		count->meaningful++;
		if (verdict == VERDICT_FAILS) {
			count->failed++;
			note_failure(j, i, why);
		}
	}
}

/* ---- decisions ----------------------------------------------------------- */

static void begin_hold(struct judge *j, const struct event *event)
{
	if (!j->decision_events || event->zone >= j->view->machine->nr_zones)
		return;
	j->hold.held = true;
	j->hold.zone = event->zone;
	j->hold.nr_decisions = j->hold.nr_stolen = 0;
	j->hold.last = *event;
	zone_shot_take(&j->hold.shots[j->hold.now], j->view, event->zone);
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

static void ask_decision(struct judge *j, const struct decision *d)
{
	const struct interest *interest = &j->by_event[d->event->type];
	char why[WHY_SIZE];

	for (u32 i = 0; i < interest->nr; i++) {
		u32 p = interest->which[i];

		note_verdict(j, p, j->list[p]->decision(d, why), why);
	}
}

/* Outside of a lock there is nothing to compare with. */
static void ask_about_look(struct judge *j, struct frame *f, const struct event *event)
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

	ask_decision(j, &d);
}

static void decide(struct judge *j, const struct frame *f, const struct event *event)
{
	struct hold *hold = &j->hold;
	bool claim = is_claim(hold, event);
	struct decision d = {
		.event = event,
		.was = &hold->shots[claim ? !hold->now : hold->now],
		.view = j->view,
		.zone = &j->view->zones[event->zone],
		.request = f->request,
		.pass = f->in_pass ? &f->pass : NULL,
		.nr_before = hold->nr_decisions - claim,
		.stolen_before = hold->nr_stolen,
		.claimed = claim ? &hold->last : NULL,
		.interleaved = f->interleaved,
		.nested = j->depth > 1,
	};

	ask_decision(j, &d);
	if (event->type == EV_ZONE_UNLOCK) {
		hold->held = false;
		return;
	}
	hold->nr_decisions += !claim;
	hold->nr_stolen += is_steal(&d);
	hold->last = *event;
	hold->now = !hold->now;
	zone_shot_take(&hold->shots[hold->now], j->view, event->zone);
}

/* ---- steps --------------------------------------------------------------- */

void judge_begin(struct judge *j, const struct request *request)
{
	struct frame *f;

	if (j->depth)
		j->frames[j->depth - 1].interleaved = true;
	f = &j->frames[j->depth++];
	f->request = request;
	f->nr_events = f->locks = f->ranges = 0;
	f->seen = 0;
	f->interleaved = f->lost = f->looked = f->in_pass = false;
	f->now = !f->now;
	if (j->by_request[request->kind].nr)
		shot_take(&f->shots[f->now], j->view,
			  REQUEST_BIT(request->kind) & REQUEST_ISOLATES);
}

void judge_event(struct judge *j, const struct event *event)
{
	struct frame *f;

	if (!j->depth) {
		j->has_earlier = false;
		return;
	}
	f = &j->frames[j->depth - 1];
	f->seen |= EV_BIT(event->type);
	if (f->nr_events < MAX_EVENTS)
		f->events[f->nr_events++] = *event;
	else
		f->lost = true;

	if (event->type == EV_GPFF) {
		f->pass = *event;
		f->looked = f->in_pass = true;
		f->locks = 0;
	} else if (event->type == EV_GPFF_END) {
		f->in_pass = false;
	} else if (event->type == EV_ZONE_LOCK) {
		f->locks++;
		begin_hold(j, event);
	} else if ((EV_BIT(event->type) & DECISION_EVENTS) && j->hold.held &&
		   j->hold.zone == event->zone) {
		decide(j, f, event);
	}
	if (EV_BIT(event->type) & LOOK_EVENTS)
		ask_about_look(j, f, event);
}

/* What the next step may look back at. */
static void keep_step(struct judge *j, const struct step *s)
{
	j->has_earlier = j->by_request[s->request->kind].nr && !s->interleaved && !s->events_lost;
	j->earlier = (struct earlier){
		.request = *s->request,
		.before = s->before,
		.seen = s->seen,
	};
}

void judge_end(struct judge *j, const struct request *request)
{
	const struct interest *interest = &j->by_request[request->kind];
	const struct frame *f = &j->frames[--j->depth];
	char why[WHY_SIZE];
	const struct step step = {
		.request = request,
		.before = &f->shots[f->now],
		.view = j->view,
		.events = f->events,
		.nr_events = f->nr_events,
		.interleaved = f->interleaved,
		.events_lost = f->lost,
		.nested = j->depth,
		.seen = f->seen,
		.earlier = !j->depth && j->has_earlier ? &j->earlier : NULL,
	};

	for (u32 i = 0; i < interest->nr; i++) {
		u32 p = interest->which[i];

		note_verdict(j, p, j->list[p]->step(&step, why), why);
	}
	if (!j->depth)
		keep_step(j, &step);
}

/* ---- states -------------------------------------------------------------- */

void judge_moment(struct judge *j, struct walk *walk, const struct moment *now)
{
	bool walked = walk_state(walk, now);
	char why[WHY_SIZE];

	for (u32 i = 0; i < j->nr; i++) {
		if (!j->list[i]->holds)
			continue;
		note_verdict(j, i, j->list[i]->holds(walk, why) ? VERDICT_HOLDS : VERDICT_FAILS,
			     why);
		/* Without a walk, list-links is the only one that can say anything. */
		if (!walked)
			return;
	}
}

/* ---- counts and violations ----------------------------------------------- */

const struct violation *judge_violation(const struct judge *j, u32 i)
{
	return i < min_u32(j->nr_violations, MAX_VIOLATIONS) ? &j->violations[i] : NULL;
}

u32 judge_nr_violations(const struct judge *j)
{
	return j->nr_violations;
}

const struct property_count *judge_counts(const struct judge *j)
{
	return j->counts;
}

void judge_take_counts(struct judge *j, struct property_count *sum)
{
	for (u32 i = 0; i < j->nr; i++) {
		sum[i].meaningful += j->counts[i].meaningful;
		sum[i].failed += j->counts[i].failed;
		sum[i].excused += j->counts[i].excused;
		j->counts[i] = (struct property_count){0};
	}
}

/* ---- set-up -------------------------------------------------------------- */

static bool wants_request(const struct property *p, u32 kind)
{
	return p->step && (p->requests & REQUEST_BIT(kind));
}

static bool wants_event(const struct property *p, u32 type)
{
	return p->decision && (p->events & EV_BIT(type) & (DECISION_EVENTS | LOOK_EVENTS));
}

static void sort_by_occasion(struct judge *j)
{
	u32 *next = j->which;

	for (u32 kind = 0; kind < NR_REQUESTS; kind++) {
		j->by_request[kind].which = next;
		for (u32 i = 0; i < j->nr; i++) {
			if (wants_request(j->list[i], kind))
				*next++ = i;
		}
		j->by_request[kind].nr = (u32)(next - j->by_request[kind].which);
	}
	for (u32 type = 0; type < NR_EVENTS; type++) {
		j->by_event[type].which = next;
		for (u32 i = 0; i < j->nr; i++) {
			if (wants_event(j->list[i], type))
				*next++ = i;
		}
		j->by_event[type].nr = (u32)(next - j->by_event[type].which);
		if (j->by_event[type].nr)
			j->decision_events |= EV_BIT(type) & DECISION_EVENTS;
	}
}

static bool init_frame(struct frame *f, const struct view *view)
{
	f->events = malloc(MAX_EVENTS * sizeof(*f->events));
	return f->events && shot_init(&f->shots[0], view) && shot_init(&f->shots[1], view);
}

struct judge *judge_create(const struct view *view, const struct property *const *list, u32 nr,
			   u32 promises)
{
	struct judge *j = calloc(1, sizeof(*j));
	bool ok;

	if (!j)
		return NULL;
	*j = (struct judge){.view = view, .list = list, .nr = nr};
	j->counts = calloc(nr + 1, sizeof(*j->counts));
	j->promised = calloc(nr + 1, sizeof(*j->promised));
	j->which = malloc(((size_t)nr + 1) * (NR_REQUESTS + NR_EVENTS) * sizeof(*j->which));
	ok = j->counts && j->promised && j->which && zone_shot_init(&j->hold.shots[0], view) &&
	     zone_shot_init(&j->hold.shots[1], view);
	for (u32 i = 0; i < MAX_DEPTH; i++)
		ok = ok && init_frame(&j->frames[i], view);
	if (!ok) {
		judge_destroy(j);
		return NULL;
	}
	for (u32 i = 0; i < nr; i++)
		j->promised[i] = list[i]->promise & promises;
	sort_by_occasion(j);
	return j;
}

void judge_promise(struct judge *j, u32 i)
{
	j->promised[i] = true;
}

void judge_destroy(struct judge *j)
{
	if (!j)
		return;
	for (u32 i = 0; i < MAX_DEPTH; i++) {
		free(j->frames[i].events);
		shot_exit(&j->frames[i].shots[0]);
		shot_exit(&j->frames[i].shots[1]);
	}
	zone_shot_exit(&j->hold.shots[0]);
	zone_shot_exit(&j->hold.shots[1]);
	free(j->which);
	free(j->promised);
	free(j->counts);
	free(j);
}

void judge_reset(struct judge *j)
{
	j->depth = 0;
	j->has_earlier = false;
	j->hold.held = false;
	j->nr_violations = 0;
}
