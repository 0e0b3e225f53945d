/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which of the mutants that ci/weave-mutants has put into a copy of model/ is alive. It is chosen
 * before anything is booted, by the environment: BUDDYCHECK_MUTANT=B05; with none alive that copy is
 * the port, bit for bit. Nothing but the programs in build/mutants/ has any of this.
 */
#ifndef HARNESS_MUTANTS_SELECTOR_H
#define HARNESS_MUTANTS_SELECTOR_H

#include <stdbool.h>

#include "model/types.h"

#define MUTANT_VARIABLE "BUDDYCHECK_MUTANT"

struct mutant {
	u32 number; /* not 0 */
	const char *id; /* "B05", as in ci/mutants/ */
	const char *title;
	const char *breaks; /* "I1, I2": README.md there */
	const char *story; /* its comment, lines that begin with # */
};

extern const struct mutant mutants[];
extern const u32 nr_mutants;

extern u32 mutant_alive; /* number of the one that is, or 0 */
extern u64 mutant_reached; /* how often it has been asked for where it makes a difference */

/* The mutant with this id, or NULL. */
const struct mutant *mutant_find(const char *id);

/* What MUTANT stands for in an injection. */
static inline bool mutant_lives(u32 number)
{
	if (mutant_alive != number)
		return false;
	mutant_reached++;
	return true;
}

#endif
