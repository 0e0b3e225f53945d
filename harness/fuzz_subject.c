/* SPDX-License-Identifier: GPL-2.0-only */
#include "harness/fuzz_subject.h"

#include <string.h>

#include "harness/budget.h"
#include "harness/kernel/subject_kernel.h"
#include "harness/run_fit.h"

static const char *parse_kernel(struct fuzz_subject *to, const char *name)
{
	struct machine machine;
	struct subject *s;
	const char *why;

	to->kernel = name;
	to->fitter = subject_kernel_fitter(strchr(name, ':') + 1);
	generate_machine_for(&(struct rng){0}, &machine, &to->fitter);
	s = subject_create(name, &machine, &why);
	if (s)
		s->ops->destroy(s);
	return why;
}

const char *fuzz_subject_parse(struct fuzz_subject *to, const char *name)
{
	*to = (struct fuzz_subject){.kernel = NULL};
	if (!name)
		return NULL;
	if (!strncmp(name, "kernel:", 7))
		return parse_kernel(to, name);
	if (strncmp(name, "port:", 5) != 0)
		return "expected port:POLICY, kernel:FILE or any";
	to->has_policy = true;
	return policy_parse(name + 5, &to->policy);
}

bool fuzz_subject_fit(const struct fuzz_subject *s, struct testcase *c)
{
	budget_fit(c);
	if (s->has_policy)
		c->machine.policy = s->policy;
	if (!s->kernel)
		return true;
	/* Its pages may be more than those of the machine as it was. */
	if (!run_fit_machine(c, &s->fitter))
		return false;
	budget_fit(c);
	return c->nr_ops;
}
