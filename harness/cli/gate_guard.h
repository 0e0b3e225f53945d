/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An allocator that is judged may crash, or never come back. It is played in a child; the parent knows the
 * case that the child was about to play, and says so.
 */
#ifndef HARNESS_CLI_GATE_GUARD_H
#define HARNESS_CLI_GATE_GUARD_H

#include "harness/case.h"

struct gate_guard;

/* Seconds of processor time in which a case has to end. */
#define GUARD_SECONDS 60

/* NULL: errno says why. */
struct gate_guard *gate_guard_create(void);
/* In the child, before each case. */
void gate_guard_about(void *guard, const struct testcase *c);
/*
 * Run @run in a child. Returns its exit status; CLI_FAILS if it did not come to that, which is then said as
 * the verdict.
 */
int gate_guard_run(struct gate_guard *guard, int (*run)(void *ctx), void *ctx);

#endif
