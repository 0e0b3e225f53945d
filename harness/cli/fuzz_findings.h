/* SPDX-License-Identifier: GPL-2.0-only */
/* What a session keeps, in the folder of findings: NAME.bytes as found, NAME.script for people. */
#ifndef HARNESS_CLI_FUZZ_FINDINGS_H
#define HARNESS_CLI_FUZZ_FINDINGS_H

#include "harness/cli/fuzz_run.h"

/*
 * Keep the bodies at which the target died as findings (the sanitizer's report is in the log).
 * Returns how many are new.
 */
u32 fuzz_take_dead(const struct fuzz_options *o);

/* Was it found by a run that was killed before it could show it? */
bool fuzz_is_left(const struct fuzz_options *o, const char *name);

/* Shrink the finding of the property with this name, and show it. */
void fuzz_show_finding(const struct fuzz_options *o, const char *name);

#endif
