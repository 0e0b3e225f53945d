/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One case on two subjects, op by op, until they do not do the same:
 *
 *      left     op 1 | result calls events | op 2 | result calls events view | op 3 ...
 *                        =     =      =              =     =      =     =
 *      right    op 1 | result calls events | op 2 | result calls events view | op 3 ...
 *
 * Nothing is judged, and what the case expects does not count: each subject is what the other one
 * is compared with.
 */
#ifndef HARNESS_LOCKSTEP_H
#define HARNESS_LOCKSTEP_H

#include "harness/run.h"
#include "harness/view_compare.h"

enum divergence_kind {
	DIVERGENCE_NONE,
	DIVERGENCE_BOOT, /* the state after boot */
	DIVERGENCE_RESULT, /* what an op returned: pages, number, error */
	DIVERGENCE_CALLS, /* how often it called whom; warnings, fuel */
	DIVERGENCE_EVENT,
	DIVERGENCE_VIEW,
};

/* The first difference of a case. */
struct divergence {
	enum divergence_kind kind;
	u32 step; /* op index, or STEP_MACHINE */
	/*
	 * What differs first, without numbers, so that the same can be counted: the first event that
	 * does ("gpff.a", "warn / nothing"), or without one "pfn", "reclaim", "pcp->count".
	 */
	char what[64];
	char text[320]; /* with numbers: left, right */
};

struct event_log {
	struct event *events;
	u32 nr, cap;
	struct observer observer;
	bool in_pass[2]; /* EV_GPFF came last, not EV_GPFF_END; [1]: in an op inside of the op */
	const struct run *run; /* whose events these are */
};

struct lockstep_side {
	const char *name; /* as subject_create() takes it */
	struct subject *subject; /* NULL: none yet */
	struct run run;
	bool has_run;
	struct event_log log; /* of the op played last */
};

struct lockstep {
	struct lockstep_side sides[2]; /* left, right */
	/* subject_create(), unless somebody has subjects of his own. */
	struct subject *(*create)(const char *name, const struct machine *machine,
				  const char **why);
	u64 events; /* that are compared: EV_BIT()s */
	u32 view_every; /* ops; 0: only at the end */
	struct machine machine; /* that the subjects are made for */
	struct testcase played;
	u64 nr_ops; /* played so far, by both */
};

/* Subjects by name, which must stay valid. All events, and a look at the views every 16 ops. */
void lockstep_init(struct lockstep *l, const char *left, const char *right);
void lockstep_exit(struct lockstep *l);

/*
 * Have both subjects for @machine, in the state after boot; they are kept for the next machine that
 * is equal. NULL, or what was expected.
 */
const char *lockstep_ready(struct lockstep *l, const struct machine *machine);

/*
 * Play @c up to the first difference, which goes to @d. What both did last stays there to be looked
 * at: results, reports, logs, views. @c must stay as it is until then. NULL, or why @c is not played.
 */
const char *lockstep_play(struct lockstep *l, const struct testcase *c, struct divergence *d);

/* Leave out of @c what a subject does not play. False: nothing is left. */
bool lockstep_fit(struct lockstep *l, struct testcase *c);

/* In the logs of the op played last: the index of the first event that differs, or their length. */
u32 lockstep_first_event(const struct lockstep *l);

/* Differences of the views as they are (view_compare.h). */
u32 lockstep_compare_views(struct lockstep *l, struct view_difference *to, u32 room);

extern const char *const divergence_kind_names[];

#endif
