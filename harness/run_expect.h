/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Findings: what a case expects against what came, and the properties. Only the
 * first one is kept with its text; all are counted.
 */
#ifndef HARNESS_RUN_EXPECT_H
#define HARNESS_RUN_EXPECT_H

#include "harness/run.h"

/* The lines that a recording has for each zone after boot. */
void expect_machine(struct run *r);
/* Result and calls of op r->step, which was just played. */
void expect_op(struct run *r);
/* The final lines. */
void expect_final(struct run *r);
/* What the judge has found in op r->step, which was just played; with CHECK_EACH in the state, too. */
void judge_op(struct run *r);
/* The whole state as it is, found at @step. */
void judge_state(struct run *r, u32 step);

#endif
