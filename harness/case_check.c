/* SPDX-License-Identifier: GPL-2.0-only */
/* Can a case be played? Its machine, then every op with what is live before it. */
#include "harness/case.h"
#include "harness/live.h"
#include "harness/op_rules.h"

/* Each slot is created once. */
static const char *check_out(const struct testcase *c, const struct live *l, const struct op *op)
{
	if (!op_infos[op->kind].creates)
		return op->out == SLOT_NONE ? NULL : "expected no slot of an op that creates none";
	if (op->out >= c->nr_slots || (op->out < l->cap && l->pages[op->out]))
		return "expected a new slot for each op that creates one";
	return NULL;
}

static const char *check_nested(const struct testcase *c, struct live *l, const struct op *op)
{
	if (op->first_nested > c->nr_nested || op->nr_nested > c->nr_nested - op->first_nested)
		return "expected nested ops of the case";
	for (u32 i = 0; i < op->nr_nested; i++) {
		const struct nested_op *nested = &c->nested[op->first_nested + i];
		const char *why = nested_check(&c->machine, l, nested);

		if (!why)
			why = check_out(c, l, &nested->op);
		if (why)
			return why;
		live_apply(l, &nested->op);
	}
	return NULL;
}

static const char *check_answers(const struct testcase *c, const struct op *op)
{
	if (op->first_answer > c->nr_answers || op->nr_answers > c->nr_answers - op->first_answer)
		return "expected answers of the case";
	for (u32 i = 0; i < op->nr_answers; i++) {
		const char *why = answer_check(&c->machine, &c->answers[op->first_answer + i]);

		if (why)
			return why;
	}
	return NULL;
}

static const char *check_op(const struct testcase *c, struct live *l, const struct op *op)
{
	const char *why = check_answers(c, op);

	if (!why)
		why = check_nested(c, l, op);
	if (!why)
		why = op_check(&c->machine, l, op);
	if (!why)
		why = check_out(c, l, op);
	if (!why)
		live_apply(l, op);
	return why;
}

const char *case_check(const struct testcase *c, u32 *op)
{
	const char *why = machine_check(&c->machine);
	struct live l;

	*op = UINT32_MAX;
	if (why)
		return why;
	live_init(&l);
	for (u32 i = 0; i < c->nr_ops && !why; i++) {
		*op = i;
		why = check_op(c, &l, &c->ops[i]);
	}
	live_free(&l);
	return why;
}
