/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Per-cpu lists: counts, orders, and that a drain leaves nothing (spec 10.21,
 * 10.25, 10.33).
 */
#include "properties/list.h"
#include "properties/walk.h"

static u32 listed(const struct walk *w, u32 zone, u32 cpu)
{
	return w->pcp_pages[zone * w->view->machine->nr_cpus + cpu];
}

static bool count_fails(const struct walk *w, u32 zone, u32 cpu, const char *what,
			char why[WHY_SIZE])
{
	char name[NAME_SIZE];

	return fails(why, "%s CPU %u: count is %d, %u pages on the pcp lists%s",
		     zone_name(w->view, zone, name), cpu, view_pcp(w->view, zone, cpu)->count,
		     listed(w, zone, cpu), what);
}

/*
 *      list 0 (order 0)    p p p        count = 3 * 1
 *      list 4 (order 1)    p            count += 1 * 2
 */
static bool pcp_count(const struct walk *w, char why[WHY_SIZE])
{
	const struct machine *machine = w->view->machine;
	u32 zone, cpu;

	for_each_zone (w, zone)
		for (cpu = 0; cpu < machine->nr_cpus; cpu++)
			if (view_pcp(w->view, zone, cpu)->count != (s64)listed(w, zone, cpu))
				return count_fails(w, zone, cpu, "", why);
	return true;
}

const struct property prop_pcp_count = {
	.id = "pcp-count",
	.rule = "spec 10.21",
	.sentence = "count of a pcp is the number of pages on its lists.",
	.needs = "view",
	.promise = PROMISE_ALL,
	.holds = pcp_count,
	.judges = JUDGES_ZONES,
};

/*
 * A cached page does not say its order; its list does. Were it smaller, the list would claim
 * pages of others:
 *
 *      list 4 (order 1)    [p .]
 *                             [ free ]
 */
static bool pcp_order(const struct walk *w, char why[WHY_SIZE])
{
	char name[NAME_SIZE], other[NAME_SIZE];
	const struct entry *e;
	u32 pfn;

	for_each_entry(w, e)
	{
		if (e->kind != ENTRY_PCP)
			continue;
		if (e->list >= NR_LOWORDER_PCP_LISTS && !w->view->machine->pmd_order)
			return fails(why, "%s: there are no THP lists without THP",
				     entry_name(w, e, name));
		for (pfn = e->pfn + 1; pfn < entry_end(w, e); pfn++)
			if (entry_at(w, pfn))
				return fails(why, "%s: %s begins inside", entry_name(w, e, name),
					     entry_name(w, entry_at(w, pfn), other));
	}
	return true;
}

const struct property prop_pcp_order = {
	.id = "pcp-order",
	.rule = "spec 10.25",
	.sentence = "pcp list i holds pages of order i/3, and the last two pages of the THP order.",
	.needs = "view, held",
	.promise = PROMISE_ALL,
	.holds = pcp_order,
	.judges = JUDGES_ENTRIES,
};

static bool pcp_drained(const struct walk *w, char why[WHY_SIZE])
{
	u32 i;

	for (i = 0; i < w->now->nr_drained; i++) {
		u32 zone = w->now->drained[i].zone, cpu = w->now->drained[i].cpu;

		if (listed(w, zone, cpu) || view_pcp(w->view, zone, cpu)->count)
			return count_fails(w, zone, cpu, " after a drain", why);
	}
	return true;
}

const struct property prop_pcp_drained = {
	.id = "pcp-drained",
	.rule = "spec 10.33",
	.sentence = "After a drain of a CPU's pcp lists they are empty.",
	.needs = "view, the drains of the step",
	.promise = PROMISE_ALL,
	.holds = pcp_drained,
};
