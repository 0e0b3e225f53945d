/* SPDX-License-Identifier: GPL-2.0-only */
/* When are two machines, and two cases, the same? Member by member: padding has no value. */
#include <stdlib.h>
#include <string.h>

#include "harness/case.h"

/* ---- machines ------------------------------------------------------------ */

static bool env_equal(const struct env_config *x, const struct env_config *y)
{
	for (u32 i = 0; i < NR_ENV_CALLS; i++) {
		const struct env_default *a = &x->defaults[i], *b = &y->defaults[i];

		if (a->then != b->then || a->times != b->times)
			return false;
		if (a->times &&
		    (a->value != b->value || ((a->extra ^ b->extra) & answer_infos[i].max_extra)))
			return false;
	}
	return !memcmp(x->kind, y->kind, sizeof(x->kind)) && x->kswapd_pages == y->kswapd_pages &&
	       x->kcompactd_blocks == y->kcompactd_blocks;
}

static bool memory_equal(const struct machine *x, const struct machine *y)
{
	if (x->nr_zones != y->nr_zones || x->nr_ranges != y->nr_ranges)
		return false;
	for (u32 i = 0; i < x->nr_zones; i++) {
		const struct machine_zone *a = &x->zones[i], *b = &y->zones[i];

		if (a->node != b->node || a->type != b->type || a->start != b->start ||
		    a->pages != b->pages)
			return false;
	}
	for (u32 i = 0; i < x->nr_ranges; i++) {
		const struct machine_range *a = &x->ranges[i], *b = &y->ranges[i];

		if (a->kind != b->kind || a->start != b->start || a->pages != b->pages)
			return false;
	}
	return true;
}

static bool topology_equal(const struct machine *x, const struct machine *y)
{
	if (x->nr_nodes != y->nr_nodes || x->nr_cpus != y->nr_cpus ||
	    memcmp(x->node_has_cpus, y->node_has_cpus, x->nr_nodes) != 0 ||
	    memcmp(x->cpu_node, y->cpu_node, x->nr_cpus) != 0)
		return false;
	for (u32 nid = 0; nid < x->nr_nodes; nid++)
		if (memcmp(x->distance[nid], y->distance[nid], x->nr_nodes) != 0)
			return false;
	return true;
}

static bool policy_equal(const struct policy *x, const struct policy *y)
{
	size_t nr;
	const struct policy_switch *switches = policy_switches(&nr);

	for (size_t i = 0; i < nr; i++)
		if (((const u8 *)x)[switches[i].offset] != ((const u8 *)y)[switches[i].offset])
			return false;
	return true;
}

bool machine_equal(const struct machine *x, const struct machine *y)
{
	return topology_equal(x, y) && memory_equal(x, y) && env_equal(&x->env, &y->env) &&
	       policy_equal(&x->policy, &y->policy) && x->max_page_order == y->max_page_order &&
	       x->pageblock_order == y->pageblock_order && x->pmd_order == y->pmd_order &&
	       x->gigantic_order == y->gigantic_order &&
	       x->pcp_batch_scale_max == y->pcp_batch_scale_max &&
	       x->config_dma32 == y->config_dma32 && x->config_dma == y->config_dma &&
	       x->config_cma == y->config_cma && x->config_compaction == y->config_compaction &&
	       x->mobility == y->mobility && x->hugetlb_migration == y->hugetlb_migration &&
	       x->cache_pages == y->cache_pages && x->pcp_batch == y->pcp_batch &&
	       x->pcp_high_min == y->pcp_high_min && x->pcp_high_max == y->pcp_high_max &&
	       x->fuel == y->fuel && !memcmp(x->sysctl, y->sysctl, sizeof(x->sysctl));
}

/* ---- ops ----------------------------------------------------------------- */

/* One of the two cases. A slot's rank says how many were created before it. */
struct side {
	const struct testcase *c;
	u32 *rank; /* [slot] */
	u32 nr;
};

static void side_init(struct side *s, const struct testcase *c)
{
	*s = (struct side){.c = c, .rank = calloc(c->nr_slots + 1UL, sizeof(*s->rank))};
	if (!s->rank)
		abort();
}

static bool op_equal(struct side *sx, const struct op *x, struct side *sy, const struct op *y)
{
	if (x->kind != y->kind || x->sub != y->sub || x->node != y->node || x->flags != y->flags ||
	    x->gfp != y->gfp || x->b != y->b || x->nr_answers != y->nr_answers ||
	    x->nr_nested != y->nr_nested)
		return false;
	if (op_infos[x->kind].refers ? sx->rank[x->a] != sy->rank[y->a] : x->a != y->a)
		return false;
	if (op_infos[x->kind].creates) {
		sx->rank[x->out] = sx->nr++;
		sy->rank[y->out] = sy->nr++;
	}
	return true;
}

static bool answer_equal(const struct answer *x, const struct answer *y)
{
	return x->call == y->call && x->kind == y->kind && x->value == y->value &&
	       x->extra == y->extra;
}

static bool step_equal(struct side *sx, struct side *sy, u32 i)
{
	const struct op *x = &sx->c->ops[i], *y = &sy->c->ops[i];

	if (x->nr_answers != y->nr_answers || x->nr_nested != y->nr_nested)
		return false;
	for (u32 n = 0; n < x->nr_answers; n++)
		if (!answer_equal(&sx->c->answers[x->first_answer + n],
				  &sy->c->answers[y->first_answer + n]))
			return false;
	for (u32 n = 0; n < x->nr_nested; n++) {
		const struct nested_op *a = &sx->c->nested[x->first_nested + n];
		const struct nested_op *b = &sy->c->nested[y->first_nested + n];

		if (a->point != b->point || a->cpu != b->cpu || !op_equal(sx, &a->op, sy, &b->op))
			return false;
	}
	return op_equal(sx, x, sy, y);
}

bool case_equal(const struct testcase *x, const struct testcase *y)
{
	struct side sx, sy;
	bool equal = machine_equal(&x->machine, &y->machine) && x->nr_ops == y->nr_ops;

	side_init(&sx, x);
	side_init(&sy, y);
	for (u32 i = 0; equal && i < x->nr_ops; i++)
		equal = step_equal(&sx, &sy, i);
	free(sx.rank);
	free(sy.rank);
	return equal;
}
