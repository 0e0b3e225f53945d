/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cases out of a seed: small machines of every shape, and operations that soon
 * bring them under memory pressure. The same seed and number of ops give the same case,
 * whatever the subject does with it; every case passes case_check().
 *
 * Each case draws its own subset and weights of the op kinds ("swarm"), so that rare
 * kinds get cases of their own instead of a place in all of them. So do ops of other CPUs
 * inside of ops: few cases have any.
 */
#ifndef HARNESS_GENERATE_H
#define HARNESS_GENERATE_H

#include "harness/case.h"
#include "harness/rng.h"

/* A machine that passes machine_check(). */
void generate_machine(struct rng *rng, struct machine *machine);

/* Makes a machine one that a certain subject plays. */
struct machine_fitter {
	/*
	 * Called twice: while @machine has no zones yet, so that they are drawn for the orders that it
	 * will have, and with all of it. What it leaves passes machine_check().
	 */
	void (*fit)(void *ctx, struct machine *machine);
	void *ctx;
};
/* The same for @fitter; NULL: for everybody. */
void generate_machine_for(struct rng *rng, struct machine *machine,
			  const struct machine_fitter *fitter);

/* Replaces what is in @c, which must be initialised. */
void generate_case(u64 seed, u32 ops, struct testcase *c);

/* Add @ops ops to @c, which has a machine and may have ops: another subset, other weights. */
void generate_ops(struct rng *rng, u32 ops, struct testcase *c);

#endif
