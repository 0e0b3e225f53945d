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

void judge_note(struct judge *j, u32 which, int verdict, const char why[WHY_SIZE])
{
	struct property_count *count = &j->counts[which];

	if (verdict == VERDICT_EXCUSED) {
		count->excused++;
	} else if (verdict != VERDICT_MEANINGLESS) {
		count->meaningful++;
		if (verdict == VERDICT_FAILS) {
			count->failed++;
			note_failure(j, which, why);
		}
	}
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
		hold_begin(j, f, event);
	} else if ((EV_BIT(event->type) & DECISION_EVENTS) && j->hold.held &&
		   j->hold.zone == event->zone) {
		hold_decide(j, event);
	}
	if (EV_BIT(event->type) & LOOK_EVENTS)
		judge_look(j, f, event);
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
	struct slow slow;
	struct step step = {
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

	if (slow_read(&slow, &step))
		step.slow = &slow;
	for (const struct asked *a = interest->asked; a < interest->asked + interest->nr; a++) {
		if (!a->only || step.slow)
			judge_note(j, a->which, a->step(&step, why), why);
	}
	if (!j->depth)
		keep_step(j, &step);
}

/* ---- states -------------------------------------------------------------- */

void judge_moment(struct judge *j, struct walk *walk, const struct moment *now)
{
	bool walked = walk_written(walk, now);
	char why[WHY_SIZE];

	for (u32 i = 0; i < j->nr_states; i++) {
		u32 which = j->states[i];
		bool holds = j->list[which]->holds(walk, why);

		judge_note(j, which, holds ? VERDICT_HOLDS : VERDICT_FAILS, why);
		/* What fails now must be seen again where nothing is written to it. */
		walk->followed &= holds;
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

void judge_reset(struct judge *j)
{
	j->depth = 0;
	j->has_earlier = false;
	j->hold.held = false;
	j->nr_violations = 0;
}
