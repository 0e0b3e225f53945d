/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Making a case smaller while it keeps showing something: fewer ops, simpler ops, a
 * simpler machine. What it shows is the caller's business.
 *
 *      round:  drop ops     halves, quarters, ... single ones; objects take the ops
 *                           that name them along
 *              merge ops    two allocations become one of twice the size
 *              drop parts   answers, nested ops
 *              machine      fewer zones, nodes, pages, CPUs; members as by default
 *              simplify     kinds, orders, gfp, numbers, ranges, flags, answers
 *      until a round changes nothing, or the tries are used up
 *
 * No case is tried twice.
 */
#ifndef HARNESS_SHRINK_H
#define HARNESS_SHRINK_H

#include "harness/case.h"

struct shrink {
	/* Does @c, which passes case_check(), still show it? */
	bool (*shows)(void *ctx, const struct testcase *c);
	void *ctx;
	u32 max_tries; /* calls of shows() at most */
	bool keep_policy; /* leave the machine's policy alone */

	u32 tries; /* calls made */
};

#define SHRINK_MAX_TRIES 20000U

/* Replace @c, which must show it, by the smallest case found. What bytes lose is lost. */
void shrink_case(struct shrink *s, struct testcase *c);

#endif
