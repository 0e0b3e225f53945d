/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The judge. While a step runs it keeps what the step began with and its events, and
 * passes on what is decided in it (hold.c):
 *
 *      judge_begin    lock   zone_locked   unlock    judge_end
 *        shot           `--- decisions ------'         step
 *
 * All memory is allocated once; a property is called only where it is interested.
 */
#include "properties/judge_internal.h"

#include <string.h>

#include "properties/shot.h"
#include "properties/slowpath.h"
#include "properties/walk.h"

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

void judge_note_other(struct judge *j, u32 which, int verdict, const char why[WHY_SIZE])
{
	struct property_count *count = &j->counts[which];

	if (verdict == VERDICT_EXCUSED) {
		count->excused++;
		return;
	}
	count->meaningful++;
	count->failed++;
	note_failure(j, which, why);
}

/* ---- steps --------------------------------------------------------------- */

void judge_begin(struct judge *j, const struct request *request)
{
	struct frame *f = &j->frames[j->depth++];

	if (j->top)
		j->top->step.interleaved = true;
	j->top = f;
	f->now = !f->now;
	f->step.request = request;
	f->step.before = &f->shots[f->now];
	f->step.nr_events = 0;
	f->step.seen = 0;
	f->step.interleaved = f->step.events_lost = false;
	f->looked = f->in_pass = false;
	f->locks = f->ranges = 0;
	if (j->by_request[request->kind][1].nr)
		shot_take(&f->shots[f->now], j->view,
			  REQUEST_BIT(request->kind) & REQUEST_ISOLATES);
}

/* Of a type that is seen too late nothing is kept. */
static void lose_event(struct frame *f, u32 type)
{
	if (!(f->step.seen & EV_BIT(type)))
		f->of[type] = (struct occurrence){.first = 1, .last = 0};
	f->step.seen |= EV_BIT(type);
	f->step.events_lost = true;
}

static inline void keep_event(struct frame *f, const struct event *event)
{
	u32 i = f->step.nr_events;

	if (i == MAX_EVENTS) {
		lose_event(f, event->type);
		return;
	}
	f->events[i] = *event;
	f->step.nr_events = i + 1;
	occurrence_add(f->of, &f->step.seen, event->type, i);
}

void judge_event(struct judge *j, const struct event *event)
{
	if (!j->top) {
		j->has_earlier = false;
		return;
	}
	keep_event(j->top, event);
	if (EV_BIT(event->type) & HEEDED_EVENTS)
		judge_heed(j, event);
}

/* What the next step may look back at. */
static void keep_step(struct judge *j, const struct step *s)
{
	j->has_earlier =
		j->by_request[s->request->kind][1].nr && !s->interleaved && !s->events_lost;
	j->earlier.request = *s->request;
	j->earlier.before = s->before;
	j->earlier.seen = s->seen;
}

void judge_end(struct judge *j, const struct request *request)
{
	struct step *step = &j->top->step;
	const struct interest *interest;
	const struct asked *end;
	char why[WHY_SIZE];
	struct slow slow;

	j->top = --j->depth ? &j->frames[j->depth - 1] : NULL;
	step->request = request;
	step->nested = j->depth;
	step->earlier = !j->depth && j->has_earlier ? &j->earlier : NULL;
	/* What a call that never returned has left says nothing. */
	if (request->died)
		return;
	step->slow = slow_read(&slow, step) ? &slow : NULL;
	interest = &j->by_request[request->kind][step->slow != NULL];
	end = interest->asked + interest->nr;
	for (const struct asked *a = interest->asked; a < end; a++)
		judge_note(j, a->which, a->step(step, why), why);
	if (!j->depth)
		keep_step(j, step);
}

/* ---- troubles ------------------------------------------------------------- */

void judge_trouble(struct judge *j, const struct trouble *trouble)
{
	char why[WHY_SIZE];

	for (u32 i = 0; i < j->nr; i++)
		if (j->list[i]->trouble)
			judge_note(j, i, j->list[i]->trouble(trouble, why), why);
}

/* ---- states -------------------------------------------------------------- */

/* BIT of enum judges: is there any to be judged? */
static u32 to_be_judged(const struct walk *w)
{
	const struct page *rest = &w->any_rest;
	bool entries = w->nr_look || rest->private || rest->refcount || rest->word;

	return (entries ? JUDGES_ENTRIES : 0) | (w->zones_look ? JUDGES_ZONES : 0);
}

/* Without a walk, list-links is the only one that can say anything. */
void judge_moment(struct judge *j, struct walk *walk, const struct moment *now)
{
	bool walked = walk_written(walk, now);
	u32 nr = walked ? j->states.nr : min_u32(j->states.nr, 1);
	const struct asked *end = j->states.asked + nr;
	u32 none = walked ? (JUDGES_ENTRIES | JUDGES_ZONES) & ~to_be_judged(walk) : 0;
	char why[WHY_SIZE];

	for (const struct asked *a = j->states.asked; a < end; a++) {
		if ((a->only & none) || a->holds(walk, why))
			continue;
		j->counts[a->which].failed++;
		note_failure(j, a->which, why);
		/* What fails now must be seen again where nothing is written to it. */
		walk->followed = false;
	}
	if (walked)
		j->nr_moments++;
	else if (nr)
		j->counts[j->states.asked->which].meaningful++;
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

/* All of those of states were asked, each time. */
static void count_moments(struct judge *j)
{
	for (u32 i = 0; i < j->states.nr; i++)
		j->counts[j->states.asked[i].which].meaningful += j->nr_moments;
	j->nr_moments = 0;
}

const struct property_count *judge_counts(struct judge *j)
{
	count_moments(j);
	return j->counts;
}

void judge_take_counts(struct judge *j, struct property_count *sum)
{
	count_moments(j);
	for (u32 i = 0; i < j->nr; i++) {
		sum[i].meaningful += j->counts[i].meaningful;
		sum[i].failed += j->counts[i].failed;
		sum[i].excused += j->counts[i].excused;
		j->counts[i] = (struct property_count){0};
	}
}

void judge_reset(struct judge *j)
{
	j->depth = 0;
	j->top = NULL;
	j->has_earlier = false;
	j->hold.held = false;
	j->nr_violations = 0;
}
