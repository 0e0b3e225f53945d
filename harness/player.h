/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Plays whole cases on a subject that is kept from one to the next, and shows a
 * person what went wrong first (failure.h), or lists everything that went wrong.
 */
#ifndef HARNESS_PLAYER_H
#define HARNESS_PLAYER_H

#include <stdio.h>

#include "harness/run.h"

/* The values are the exit codes of a command that plays cases. */
enum play_status { PLAY_PASSED, PLAY_FOUND, PLAY_REFUSED };

struct play_result {
	enum play_status status;
	const char *why; /* PLAY_REFUSED */
	u32 nr_ops; /* that were played, the skipped ones included */
	u32 nr_skipped;
	u32 nr_warnings;
	u32 nr_divergences, nr_violations;
	struct finding first;
};

struct player {
	FILE *out; /* what was found; NULL: show nothing */
	const char *subject_name; /* wins over the case's; NULL: the case's, else its policy */
	enum check_strength strength;
	bool all; /* go on after a violation, and list them all, a line each */
	/* [nr_properties] what counts as promised, whatever the policy; set before the first case. */
	bool *promised;
	FILE *trace; /* every op's events, or NULL */
	u64 trace_mask;
	const struct observer *listener; /* sees the events where there is no trace, or NULL */
	void (*each_op)(void *ctx, u32 step); /* called before every op, or NULL */
	void *each_op_ctx;

	/* Kept for the next case on the same machine, with the same strength. */
	struct subject *subject;
	struct machine machine;
	char made_for[128]; /* the name that the subject was made for */
	struct run *run; /* on the subject, or NULL */

	struct property_count *counts; /* [nr_properties], of all cases */
};

/* Aborts the process without memory. */
void player_init(struct player *p, FILE *out, enum check_strength strength);
void player_exit(struct player *p);

/* Count property @id as promised; false: there is none. */
bool player_promise(struct player *p, const char *id);

/* Play @c, which came from @file. */
void player_play(struct player *p, const struct testcase *c, const char *file,
		 struct play_result *result);

#endif
