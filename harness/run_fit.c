/* SPDX-License-Identifier: GPL-2.0-only */
#include "harness/run_fit.h"

#include "harness/case_fit.h"

static bool is_played(struct subject *const *subjects, u32 nr, const struct op *op, bool nested)
{
	for (u32 i = 0; i < nr; i++) {
		const struct subject_ops *ops = subjects[i]->ops;

		if ((nested && !ops->nest) || (ops->plays && !ops->plays(subjects[i], op)))
			return false;
	}
	return true;
}

/* Mark in @c what is not played; true: there is something. */
static bool mark_unplayed(struct testcase *c, struct subject *const *subjects, u32 nr)
{
	bool any = false;

	for (u32 i = 0; i < c->nr_ops; i++) {
		if (is_played(subjects, nr, &c->ops[i], false))
			continue;
		c->ops[i].kind = OP_DROPPED;
		any = true;
	}
	for (u32 i = 0; i < c->nr_nested; i++) {
		if (is_played(subjects, nr, &c->nested[i].op, true))
			continue;
		c->nested[i].op.kind = OP_DROPPED;
		any = true;
	}
	return any;
}

static bool refit(struct testcase *c)
{
	struct testcase fitted;
	bool ok;

	case_init(&fitted);
	ok = case_fit(&fitted, c);
	case_free(c);
	*c = fitted;
	return ok && c->nr_ops;
}

bool run_fit(struct testcase *c, struct subject *const *subjects, u32 nr)
{
	return mark_unplayed(c, subjects, nr) ? refit(c) : c->nr_ops;
}

bool run_fit_machine(struct testcase *c, const struct machine_fitter *fitter)
{
	struct machine before = c->machine;

	fitter->fit(fitter->ctx, &c->machine);
	return machine_equal(&before, &c->machine) ? c->nr_ops : refit(c);
}
