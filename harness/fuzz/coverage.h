/* SPDX-License-Identifier: GPL-2.0-only */
/* What the engine has seen of this execution. */
#ifndef HARNESS_FUZZ_COVERAGE_H
#define HARNESS_FUZZ_COVERAGE_H

/* Forget what was covered since the execution began. */
void coverage_forget(void);

#endif
