/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One case on both sides, to its end, each side judged by the properties:
 *
 *      base       op 1 | op 2 | op 3          | free b  | ...   judge, costs
 *                   =      =      first           -
 *      candidate  op 1 | op 2 | op 3 (fails)  | skipped | ...   judge, costs
 *
 * An op whose object is missing on one side is skipped there, and not compared.
 */
#ifndef HARNESS_GATE_PLAY_H
#define HARNESS_GATE_PLAY_H

#include "harness/gate/gate_differences.h"
#include "harness/lockstep.h"

enum gate_side { SIDE_BASE, SIDE_CANDIDATE, NR_SIDES };

/* Costs up to the first difference, its op included; and of the whole case. */
enum gate_phase { TO_FIRST, IN_TOTAL, NR_PHASES };

/* What a case showed. */
struct gate_shown {
	u32 first; /* op of the first difference, or UINT32_MAX */
	u64 first_kinds, all_kinds; /* KIND_BIT()s: of that op; of any */
	u32 nr_ops; /* played on both */
	u32 nr_skipped[NR_SIDES]; /* there, but not on the other side */
	u32 broke_off; /* a BIT() for each side that could not go on */
	struct gate_costs costs[NR_SIDES][NR_PHASES];
	struct gate_classes classes[NR_SIDES];
	struct property_count *counts[NR_SIDES]; /* [nr_properties] of this case */
};

struct gate_player {
	struct lockstep lockstep; /* has the subjects; left is the base */
	struct gate_tally tally[NR_SIDES];
	struct gate_shown shown; /* of the case played last */
	/* Called before a case is played, or NULL. */
	void (*about)(void *ctx, const struct testcase *c);
	void *about_ctx;
};

void gate_player_init(struct gate_player *p, const char *base, const char *candidate);
void gate_player_exit(struct gate_player *p);

/* What each side promises of property @i; there must be subjects. */
bool gate_promises(const struct gate_player *p, enum gate_side side, u32 i);

/* NULL, or why @c is not played. @judged: ask the properties, too. */
const char *gate_play(struct gate_player *p, const struct testcase *c, bool judged);

#endif
