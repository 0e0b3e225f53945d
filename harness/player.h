/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Plays whole cases and shows a person what went wrong first:
 *
 *      a.txt: op 3 (line 12): b = alloc order 0 node 0 gfp GFP_KERNEL => 8: expected 8, got 9
 *      events of op 3:
 *          buddycheck-0       [000] .....     3.000000: mm_page_alloc: ...
 *      /proc/buddyinfo before (-) and after (+) op 3:
 *      - Node 0, zone   Normal      0      1 ...
 *      + Node 0, zone   Normal      1      0 ...
 *
 * Ops are counted from 1; op 0 is the machine as it boots.
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
	FILE *trace; /* every op's events, or NULL */
	u64 trace_mask;
	void (*each_op)(void *ctx, u32 step); /* called before every op, or NULL */
	void *each_op_ctx;

	struct subject *subject; /* kept for the next case on the same machine */
	struct machine machine;
	char made_for[128]; /* the name that the subject was made for */
};

void player_init(struct player *p, FILE *out, enum check_strength strength);
void player_exit(struct player *p);

/* Play @c, which came from @file. */
void player_play(struct player *p, const struct testcase *c, const char *file,
		 struct play_result *result);

#endif
