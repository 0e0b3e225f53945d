/* SPDX-License-Identifier: GPL-2.0-only */
#include "harness/budget.h"

u32 budget_round(const struct machine *m)
{
	return 80 + m->nr_zones * (32 + m->nr_cpus);
}

void budget_fit(struct testcase *c)
{
	struct machine *m = &c->machine;
	u32 pages = machine_end_pfn(m);

	c->nr_ops = min_u32(c->nr_ops, BUDGET_PAGES / max_u32(pages, 1));
	m->fuel = min_u32(m->fuel, BUDGET_ROUNDS / budget_round(m) / max_u32(c->nr_ops, 1));
}
