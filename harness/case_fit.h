/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A case that can be played, out of one that was changed without care: for whoever
 * drops ops, changes their members, or takes the machine away under them.
 *
 *      a = alloc            OP_DROPPED         is left out
 *      b = alloc            b = alloc          a = alloc           slots count from 0 again
 *      free a               free a             -                   goes with its object
 *      free b               free b             free a
 */
#ifndef HARNESS_CASE_FIT_H
#define HARNESS_CASE_FIT_H

#include "harness/case.h"

/* In place of the kind of an op that is to be left out, with its answers and nested ops. */
#define OP_DROPPED NR_OPS

/*
 * Fill in @to, which must be empty, with what can be played of @from: ops and nested ops that name
 * an object which is not there, and answers that the machine does not play, are left out; members
 * are brought into their ranges (op_rules.h). What bytes lose is lost. False: the machine cannot be
 * booted, or an op loses its object to an op nested in it; @to is then empty again.
 */
bool case_fit(struct testcase *to, const struct testcase *from);

#endif
