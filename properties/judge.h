/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The judge: listens to a run, gathers steps and decisions (step.h), asks every
 * property, and keeps the counts. One judge serves many cases on one machine.
 */
#ifndef PROPERTIES_JUDGE_H
#define PROPERTIES_JUDGE_H

#include "properties/step.h"

struct judge;

/* What a judgement counts, per property, in the order of the list that judges. */
struct property_count {
	u64 meaningful, failed, excused;
};

/*
 * Judge @view, which must stay where it is, by the @nr properties of @list: those of the registry,
 * or a test's own. @promises: enum promise bits of the subject. NULL without memory.
 */
struct judge *judge_create(const struct view *view, const struct property *const *list, u32 nr,
			   u32 promises);
void judge_destroy(struct judge *j);
/* Property number @i of the list is promised, whoever promises it. */
void judge_promise(struct judge *j, u32 i);
bool judge_is_promised(const struct judge *j, u32 i);
/* A new case begins: forget the step and the violation, keep the counts. */
void judge_reset(struct judge *j);

/*
 * Before the call; @request must stay valid until judge_end(). Steps nest to depth 1 (an op of
 * another CPU inside).
 */
void judge_begin(struct judge *j, const struct request *request);
/* Each event; the view is read at once. Events outside of a step are ignored. */
void judge_event(struct judge *j, const struct event *event);
/* After the call, with the result filled in. */
void judge_end(struct judge *j, const struct request *request);

/* The allocator reports @trouble of itself; before judge_end() of the call. */
void judge_trouble(struct judge *j, const struct trouble *trouble);

/* Between ops: the properties of states, at what @now names (properties.h); counted once each time. */
void judge_moment(struct judge *j, struct walk *walk, const struct moment *now);

/* Events that the judge needs to see. */
#define JUDGE_EVENTS EV_ALL

/* Violations of promised properties since judge_reset(), in order; the texts of the first ones. */
u32 judge_nr_violations(const struct judge *j);
/* NULL: there are not that many, or its text was not kept. */
const struct violation *judge_violation(const struct judge *j, u32 i);
const struct property_count *judge_counts(struct judge *j);
/* Add the counts to @sum and begin again from 0. */
void judge_take_counts(struct judge *j, struct property_count *sum);

#endif
