/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The gate: the same cases on two allocators; which promises does the candidate break or newly keep,
 * how does it behave differently, at what cost, and what is the smallest example?
 *
 *      corpus, as it is and closed  \                  properties
 *                                     gate_play() -->  kinds of differences  --> smallest scripts
 *      cases that look for more     /                  costs                 --> verdict, reports
 */
#ifndef HARNESS_GATE_GATE_H
#define HARNESS_GATE_GATE_H

#include <stdio.h>

#include "harness/gate/gate_play.h"
#include "harness/generate.h"
#include "harness/text.h"

/* Under which environment a case was played: its answers, or a function of the state. */
enum gate_env { ENV_ANSWERED, ENV_IS_CLOSED, NR_GATE_ENVS };
extern const char *const gate_env_names[NR_GATE_ENVS]; /* "answered", "closed" */

struct gate_sums {
	u64 nr_cases;
	struct gate_costs costs[NR_SIDES][NR_PHASES];
	struct gate_classes classes[NR_SIDES];
	u64 worse_cases[NR_GATE_METRICS], better_cases[NR_GATE_METRICS]; /* on the candidate */
	/* [nr_cases] of each case, for the spread. */
	u32 (*values)[NR_SIDES][NR_GATE_METRICS];
	u64 cap_values;
};

/* The smallest case that shows something. */
struct gate_example {
	bool found;
	struct testcase c;
	char from[64]; /* "corpus/seeds/mixing.script", "case 17" */
	char *script; /* after gate_shrink(): how it is written; with it, the next two */
	u32 line; /* of the op of the difference, or of the last op */
	u32 was_ops;
};

struct gate_kind_found {
	u64 first_cases; /* in which the first difference is of this kind, too */
	u64 all_cases; /* in which any is */
	struct gate_example example;
};

struct gate_property_found {
	bool promised[NR_SIDES];
	u64 meaningful[NR_SIDES], failed[NR_SIDES];
	u64 broken_cases, kept_cases; /* that fail on the candidate alone; on the base alone */
	struct gate_example broken, kept;
};

enum gate_property_state {
	PROPERTY_UNSEEN, /* not meaningful on both */
	PROPERTY_HELD,
	PROPERTY_FAILS, /* on both */
	PROPERTY_NEWLY_BROKEN,
	PROPERTY_NEWLY_KEPT,
};
extern const char *const gate_property_state_names[];

struct gate {
	struct gate_player player;
	const struct machine_fitter *fitter; /* of a kernel, or NULL */
	void (*progress)(void *ctx, const struct gate *g, const char *doing);
	void *progress_ctx;

	u64 nr_ops; /* on each side; what shrinking plays does not count */
	u64 nr_cases, nr_refused, nr_refitted, nr_differ, nr_skipped[NR_SIDES], nr_broke_off;
	struct gate_sums sums[NR_GATE_ENVS];
	struct gate_kind_found kinds[NR_GATE_KINDS];
	struct gate_property_found *properties; /* [nr_properties] */
	struct gate_pool *pool; /* gate_fuzz.c */
};

void gate_init(struct gate *g, const char *base, const char *candidate);
void gate_exit(struct gate *g);

/*
 * Play @c, which is called @from, and gather what it shows. NULL, or why it is not played: this is
 * counted as well.
 */
const char *gate_take(struct gate *g, const struct testcase *c, const char *from);

/* The case of a file: as it is, and under the closed environment if it is another. */
const char *gate_take_file(struct gate *g, const char *path, char err[CASE_ERROR_SIZE]);

/*
 * Cases that look for differences: generated ones, and mutants of those that showed something new.
 * Until @enough() says so; the same @seed gives the same cases.
 */
const char *gate_fuzz(struct gate *g, u64 seed, bool (*enough)(void *ctx, const struct gate *g),
		      void *ctx);

/* Make the examples small, and write their scripts. */
void gate_shrink(struct gate *g);

enum gate_property_state gate_property_state(const struct gate_property_found *p);
/* Does the candidate break what it or the base promises, and the base does not break? */
bool gate_breaks_promise(const struct gate_property_found *p);

/* Calls @each with all examples that have scripts: what they show, and a name for a file. */
void gate_each_example(const struct gate *g,
		       void (*each)(void *ctx, const char *shows, const char *name,
				    const struct gate_example *e),
		       void *ctx);

/* Spread of a metric over the cases of a side: percentile @percent (100: the maximum). */
u32 gate_spread(const struct gate_sums *s, enum gate_side side, enum gate_metric metric,
		u32 percent);

#endif
