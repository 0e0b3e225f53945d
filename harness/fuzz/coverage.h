/* SPDX-License-Identifier: GPL-2.0-only */
/* What the engine has seen of this execution. */
#ifndef HARNESS_FUZZ_COVERAGE_H
#define HARNESS_FUZZ_COVERAGE_H

#include "harness/subject.h"

/*
 * An execution plays on @s. A kernel has counters of its own, and each instance of one has a copy of them:
 * the engine is told of the first one's, and the others' are added to these (coverage_take()).
 */
void coverage_of(struct subject *s);

/* Forget what was covered since the execution began. */
void coverage_forget(void);

/* The execution has ended: what was covered goes to where the engine looks. */
void coverage_take(void);

#endif
