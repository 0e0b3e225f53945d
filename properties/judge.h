/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The judge: listens to a run, gathers steps and decisions (step.h), asks every
 * property, and keeps the counts. One judge serves many cases on one machine.
 */
#ifndef PROPERTIES_JUDGE_H
#define PROPERTIES_JUDGE_H

#include "properties/step.h"

struct judge;

/* What a judgement counts, per property, in the registry's order. */
struct property_count {
	u64 meaningful, failed, excused;
};

/* For all views of @view's machine. @promises: enum promise bits of the subject. NULL without memory. */
struct judge *judge_create(const struct view *view, u32 promises);
void judge_destroy(struct judge *j);
/* A new case begins: forget the step, keep the counts. */
void judge_reset(struct judge *j);

/* Before the call; steps nest to depth 1 (an op of another CPU inside). */
void judge_begin(struct judge *j, const struct request *request);
/* Each event while the call runs; the view is read at once. */
void judge_event(struct judge *j, const struct event *event);
/* After the call, with the result filled in. */
void judge_end(struct judge *j, const struct request *request);

/* Events that the judge needs to see. */
#define JUDGE_EVENTS EV_ALL

/* The first violation of a promised property since judge_reset(), or NULL. */
const struct violation *judge_violation(const struct judge *j);
const struct property_count *judge_counts(const struct judge *j);

#endif
