/* SPDX-License-Identifier: GPL-2.0-only */
/* Playing the ops that an op holds for certain points of its way. */
#include "harness/run_nested.h"

#include "harness/run_op.h"

/* The next one that waits for @point, or NULL. */
static const struct nested_op *take_nested(struct run *r, enum nest_point point)
{
	const struct op *op = &r->c->ops[r->step];

	while (r->next_nested[point] < op->nr_nested) {
		const struct nested_op *n =
			&r->c->nested[op->first_nested + r->next_nested[point]++];

		if (n->point == point)
			return n;
	}
	return NULL;
}

static void run_at(void *ctx, enum nest_point point)
{
	struct run *r = ctx;
	const struct nested_op *n = take_nested(r, point);
	const struct subject_ops *ops = r->subject->ops;
	struct result outer = r->result;
	struct op_report report;

	if (!n)
		return;
	if (!op_has_object(r, &n->op)) {
		r->nr_skipped++;
		return;
	}
	r->in_nested = true;
	ops->begin_nested(r->subject, n->cpu);
	op_apply(r, &n->op);
	ops->end_nested(r->subject, &report);
	r->in_nested = false;
	r->nr_warnings += report.warnings;
	r->result = outer;
}

void nested_begin(struct run *r, const struct op *op)
{
	if (!op->nr_nested)
		return;
	r->nester = (struct nester){.at = run_at, .ctx = r};
	for (u32 point = 0; point < NR_NEST_POINTS; point++)
		r->next_nested[point] = 0;
	for (u32 i = 0; i < op->nr_nested; i++)
		r->nester.points |= BIT(r->c->nested[op->first_nested + i].point);
	r->subject->ops->nest(r->subject, &r->nester);
}

void nested_end(struct run *r, const struct op *op)
{
	if (!op->nr_nested)
		return;
	r->subject->ops->nest(r->subject, NULL);
	for (u32 point = 0; point < NR_NEST_POINTS; point++) {
		while (take_nested(r, point))
			r->nr_skipped++;
	}
}
