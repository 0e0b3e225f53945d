/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a fuzz target and the program that runs its engine (cli/fuzz_run.c) share. It tells the
 * target by its environment:
 *
 *      BUDDYCHECK_SUBJECT=port:POLICY   the policy of all machines; else each has its own
 *      BUDDYCHECK_SUBJECT=kernel:FILE   a kernel instead of the port
 *      BUDDYCHECK_FINDINGS=DIR          save a case that breaks a property, and go on; else abort
 *      BUDDYCHECK_PROGRESS=FILE         a struct fuzz_progress, mapped by both
 *      BUDDYCHECK_KERNEL=NAME           in lock step: the left subject; the right one is BUDDYCHECK_SUBJECT
 *
 * An engine may start its target many times; the progress goes on.
 */
#ifndef HARNESS_FUZZ_SESSION_H
#define HARNESS_FUZZ_SESSION_H

#include "properties/judge.h"

#define FUZZ_SUBJECT "BUDDYCHECK_SUBJECT"
#define FUZZ_FINDINGS "BUDDYCHECK_FINDINGS"
#define FUZZ_PROGRESS "BUDDYCHECK_PROGRESS"
#define FUZZ_KERNEL "BUDDYCHECK_KERNEL"

#define FUZZ_MAX_PROPERTIES 256 /* room for those of the registry */

struct fuzz_progress {
	u64 executions;
	u64 violations; /* executions that broke a promised property */
	u64 divergences, ops; /* in lock step: executions that diverged; ops played */
	/* [index in properties]: the execution that broke it first, and whose case was saved; 0: none */
	u64 found_at[FUZZ_MAX_PROPERTIES];
	struct property_count counts[FUZZ_MAX_PROPERTIES];
};

#endif
