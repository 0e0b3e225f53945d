/* SPDX-License-Identifier: GPL-2.0-only */
/* One engine looks for one mutant, from an empty corpus, in a process of its own. */
#ifndef HARNESS_MUTANTS_TRIAL_H
#define HARNESS_MUTANTS_TRIAL_H

#include "harness/cli/fuzz_run.h"
#include "harness/mutants/progress.h"
#include "harness/mutants/selector.h"

/*
 * Let @engine look for @mutant for @seconds of CPU time; files go to folder @work, which is emptied. The
 * result is in *@end. False, with a message: the engine could not be run.
 */
bool trial_run(const struct mutant *mutant, const struct fuzz_engine *engine, u64 seed, u64 seconds,
	       const char *work, struct mutant_progress *end);

/* "free-list-type", "crash", "hang". */
const char *detected_by(u32 how);

#endif
