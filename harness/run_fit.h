/* SPDX-License-Identifier: GPL-2.0-only */
/* Leaving out of a case what a subject does not play. */
#ifndef HARNESS_RUN_FIT_H
#define HARNESS_RUN_FIT_H

#include "harness/generate.h"
#include "harness/subject.h"

/* Leave out of @c the ops that one of the @nr @subjects does not play. False: nothing is left. */
bool run_fit(struct testcase *c, struct subject *const *subjects, u32 nr);

/* Make the machine of @c one that @fitter's subject plays, and its ops ones for that machine. False: nothing is left. */
bool run_fit_machine(struct testcase *c, const struct machine_fitter *fitter);

#endif
