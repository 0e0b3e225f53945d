/* SPDX-License-Identifier: GPL-2.0-only */
/* Ops copied one by one, with what is live before each. */
#include "harness/case_fit.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness/live.h"
#include "harness/op_rules.h"

struct fit {
	struct testcase *to;
	const struct testcase *from;
	struct live live; /* slots of @to */
	u32 *slots; /* [slot of @from]: the one of @to, or SLOT_NONE */
};

static bool has_object(const struct fit *f, const struct op *op)
{
	if (op->kind == OP_DROPPED)
		return false;
	return !op_infos[op->kind].refers ||
	       (f->slots[op->a] != SLOT_NONE && live_has(&f->live, f->slots[op->a]));
}

/* Slots and members of @op, which has its object. */
static void fit_op(struct fit *f, struct op *op)
{
	u32 out = op->out;

	if (op_infos[op->kind].refers)
		op->a = f->slots[op->a];
	op_fit(&f->to->machine, &f->live, op);
	op->out = SLOT_NONE;
	if (op_infos[op->kind].creates)
		op->out = f->slots[out] = f->to->nr_slots++;
	live_apply(&f->live, op);
}

static void fit_answers(struct fit *f, struct op *op)
{
	u32 first = op->first_answer, nr = op->nr_answers;

	op->first_answer = f->to->nr_answers;
	for (u32 i = 0; i < nr; i++) {
		struct answer answer = f->from->answers[first + i];

		answer_fit(&answer);
		if (answer_played(&f->to->machine, &answer))
			case_add_answer(f->to, &answer);
	}
	op->nr_answers = (u16)(f->to->nr_answers - op->first_answer);
}

static void fit_nested(struct fit *f, struct op *op)
{
	u32 first = op->first_nested, nr = op->nr_nested;

	op->first_nested = f->to->nr_nested;
	for (u32 i = 0; i < nr; i++) {
		struct nested_op nested = f->from->nested[first + i];

		nested.origin = (struct op_origin){0};
		if (!has_object(f, &nested.op))
			continue;
		nested.cpu = (u8)range_fit(nested.cpu, 0, f->to->machine.nr_cpus - 1U);
		fit_op(f, &nested.op);
		case_add_nested(f->to, &nested);
	}
	op->nr_nested = (u16)(f->to->nr_nested - op->first_nested);
}

static bool fit_ops(struct fit *f)
{
	for (u32 i = 0; i < f->from->nr_ops; i++) {
		struct op op = f->from->ops[i];

		if (!has_object(f, &op))
			continue;
		fit_answers(f, &op);
		fit_nested(f, &op);
		if (!has_object(f, &op))
			return false;
		fit_op(f, &op);
		case_add_op(f->to, &op);
	}
	return true;
}

bool case_fit(struct testcase *to, const struct testcase *from)
{
	struct fit f = {.to = to, .from = from};
	bool ok;

	if (machine_check(&from->machine))
		return false;
	to->machine = from->machine;
	f.slots = malloc((from->nr_slots + 1) * sizeof(*f.slots));
	if (!f.slots) {
		fputs("buddycheck: out of memory\n", stderr);
		abort();
	}
	for (u32 i = 0; i < from->nr_slots; i++)
		f.slots[i] = SLOT_NONE;
	live_init(&f.live);
	ok = fit_ops(&f);
	live_free(&f.live);
	free(f.slots);
	if (!ok)
		case_free(to);
	return ok;
}
