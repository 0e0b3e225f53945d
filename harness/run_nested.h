/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ops of other CPUs inside an op (model/nest.h). They are handed out as answers are: each
 * time the op comes to a point, the first op that still waits for this point runs.
 *
 *      nested:     a at drain, b at slowpath, c at slowpath
 *      the op:     slowpath   slowpath   slowpath   end
 *      runs:          b          c          -        a is skipped
 */
#ifndef HARNESS_RUN_NESTED_H
#define HARNESS_RUN_NESTED_H

#include "harness/run.h"

/* Around the calls of @op. */
void nested_begin(struct run *r, const struct op *op);
/* What never came to its point is counted as skipped. */
void nested_end(struct run *r, const struct op *op);

#endif
