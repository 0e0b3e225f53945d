/* SPDX-License-Identifier: GPL-2.0-only */
/* Leaving out of a case what a subject does not play. */
#ifndef HARNESS_RUN_FIT_H
#define HARNESS_RUN_FIT_H

#include "harness/subject.h"

/* Leave out of @c the ops that one of the @nr @subjects does not play. False: nothing is left. */
bool run_fit(struct testcase *c, struct subject *const *subjects, u32 nr);

#endif
