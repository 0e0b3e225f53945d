/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A campaign of cases in lock step: divergences are counted by what differs, and the first one of
 * each sort is shrunk and shown.
 *
 *      case -> lockstep_play() -> a divergence -> again, looking at the views after each op
 *           -> known sort: counted;  new sort: shrink, show
 */
#ifndef HARNESS_CONFORM_H
#define HARNESS_CONFORM_H

#include <stdio.h>

#include "harness/generate.h"
#include "harness/lockstep.h"

/* One sort of divergence. */
struct conform_group {
	struct divergence first;
	u64 nr;
};

struct conform {
	FILE *out; /* what is found is shown there */
	const char *dir; /* and its script kept there, as N.script; or NULL */
	struct lockstep lockstep;
	struct policy policy; /* of all machines, for the sides that name none */
	const struct machine_fitter *fitter; /* of generated machines, or NULL */

	u64 cases, ops, divergences; /* so far; what shrinking plays does not count */
	struct conform_group *groups;
	u32 nr_groups, cap_groups;
};

/* Subjects by name (lockstep_init()). */
void conform_init(struct conform *s, FILE *out, const char *left, const char *right);
void conform_exit(struct conform *s);

/*
 * Play @c, which is called @name ("a.script", "seed 7") and is played again by a command that ends
 * with @again. If it diverges, it is cut and shrunk. NULL, or why it is not played.
 */
const char *conform_play(struct conform *s, struct testcase *c, const char *name,
			 const char *again);

/*
 * Replace @c by the generated case of @seed; seeds side by side share a machine. NULL, or why there is
 * none that both can play.
 */
const char *conform_generate(struct conform *s, u64 seed, struct testcase *c);

/* The sorts of divergences with their counts, if there are several divergences. */
void conform_summary(const struct conform *s);

#endif
