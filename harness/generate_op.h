/* SPDX-License-Identifier: GPL-2.0-only */
/* Inside the generator: the state of one case in the making. */
#ifndef HARNESS_GENERATE_OP_H
#define HARNESS_GENERATE_OP_H

#include "harness/generate.h"
#include "harness/live.h"

struct generator {
	struct rng rng;
	struct testcase *c;
	struct live live;
	u32 weights[NR_OPS]; /* this case's */
	u32 gfps[6]; /* this case's */
	u32 answer_percent; /* of the ops that may ask */
	u32 small_percent; /* of the allocations that are of order 0 */
	u32 nested_percent; /* of the ops that may hold ops of another CPU */
	u32 total; /* pages of the machine */
	u32 target, used; /* pages; see generate.c */
	u32 *pages; /* [slot] pages that it still has, if all went well */
	u32 isolated[2]; /* [start, end) isolated last, or 0 0 */
	u32 disabled; /* zone whose pcps were disabled last + 1, or 0 */
};

/* Draw the members that an op of its kind has; they may need op_fit(). */
void draw_op(struct generator *g, struct op *op);
/* A place in an op of kind @outer, and a CPU. */
void draw_place(struct generator *g, u32 outer, struct nested_op *nested);
/* Add answers for @op to the case, in some ops. */
void draw_answers(struct generator *g, struct op *op);

#endif
