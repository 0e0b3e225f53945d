/* SPDX-License-Identifier: GPL-2.0-only */
/* The target's side of a session (session.h). */
#ifndef HARNESS_FUZZ_TARGET_H
#define HARNESS_FUZZ_TARGET_H

#include "harness/fuzz/session.h"
#include "harness/run.h"

/*
 * Make @c, which was decoded, a case as this target plays it: within the budget, and on a machine that its
 * subject can be. False: nothing is left of it.
 */
bool target_fit(struct testcase *c);

/* The name of the kernel that all cases are played on; NULL: the port. */
const char *target_kernel(void);

/* One more execution begins; what is to be counted goes into the result. */
struct fuzz_progress *target_begin(void);

/* Keep @c among the findings, if there is a folder for them, as NAME.bytes. */
void target_save(const struct testcase *c, const char *name);

/* The execution of @c has ended with a violation: save it, or abort. */
void target_violation(const struct testcase *c, const struct finding *finding);

#endif
