/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a trial (an engine that looks for one mutant) tells the program that has started it, in memory
 * that both map: MUTANT_PROGRESS names the file. The engine ends when the mutant is detected or time is up.
 */
#ifndef HARNESS_MUTANTS_PROGRESS_H
#define HARNESS_MUTANTS_PROGRESS_H

#include "harness/budget.h"
#include "model/types.h"

#define MUTANT_PROGRESS "BUDDYCHECK_MUTANT_PROGRESS"

/* How a mutant was detected: index of a property, or one of these. */
#define DETECTED_CRASH (UINT32_MAX - 1) /* a sanitizer, a signal, an assertion */
#define DETECTED_HANG UINT32_MAX /* an execution took HANG_SECONDS */
#define HANG_SECONDS 5

struct mutant_progress {
	u64 limit_us; /* CPU time that the trial may take */
	u64 used_us;
	u64 executions; /* the one that runs counts */
	/* The execution that was the first to; 0: none was. */
	u64 reached_at, infected_at, detected_at;
	u32 how; /* with detected_at */
	u32 body_size; /* of the execution that runs, or was the last */
	u8 body[BUDGET_BODY];
};

#endif
