/* SPDX-License-Identifier: GPL-2.0-only */
/* How large the per-cpu lists may get (spec 5.7). */
#include <assert.h>

#include "model/internal.h"

#define MIN_PERCPU_PAGELIST_HIGH_FRACTION 8

static u32 zone_batchsize(const struct zone *z)
{
	u32 m = min_u32(z->managed_pages >> 12, 64);

	return m <= 1 ? 1 : BIT(ilog2(m + m / 2)) - 1;
}

/* CPUs that share the pages of a zone: those of its node, or all. */
static u32 nr_split_cpus(const struct memory *m, const struct zone *z)
{
	u32 nr = 0;

	assert(m->nr_cpus); /* machine_check() */
	if (m->machine.node_has_cpus[z->node])
		for (u32 cpu = 0; cpu < m->nr_cpus; cpu++)
			nr += m->machine.cpu_node[cpu] == z->node;
	return nr ? nr : m->nr_cpus;
}

static u32 zone_highsize(const struct memory *m, const struct zone *z, u32 pages, u32 batch)
{
	return max_u32(pages / nr_split_cpus(m, z), 4 * batch);
}

void __zone_set_pageset_high_and_batch(struct memory *m, struct zone *z, u32 high_min, u32 high_max,
				       u32 batch)
{
	for (u32 cpu = 0; cpu < m->nr_cpus; cpu++) {
		struct per_cpu_pages *pcp = zone_pcp(m, z, cpu);

		SET(m, pcp->batch, (s32)batch);
		SET(m, pcp->high_min, (s32)high_min);
		SET(m, pcp->high_max, (s32)high_max);
	}
}

/*
 * While the zone is in zone_pcp_disable() its lists stay off: the kernel's writers wait for
 * pcp_batch_high_lock there, and zone_pcp_enable() hands out what was computed meanwhile.
 */
void zone_set_pageset_high_and_batch(struct memory *m, struct zone *z)
{
	const struct machine *mc = &m->machine;
	u32 fraction = m->global->sysctl[SYSCTL_PERCPU_PAGELIST_HIGH_FRACTION];
	u32 batch = mc->pcp_batch ? mc->pcp_batch : zone_batchsize(z);
	u32 high_min, high_max;

	if (fraction) {
		high_min = high_max = zone_highsize(m, z, z->managed_pages / fraction, batch);
	} else {
		high_min = zone_highsize(m, z, wmark_pages(z, WMARK_LOW), batch);
		high_max = zone_highsize(m, z, z->managed_pages / MIN_PERCPU_PAGELIST_HIGH_FRACTION,
					 batch);
	}
	if (mc->pcp_high_min)
		high_min = mc->pcp_high_min;
	/* Of a limit that the machine names and a computed one, the computed one gives way. */
	if (mc->pcp_high_max) {
		high_max = mc->pcp_high_max;
		high_min = min_u32(high_min, high_max);
	} else if (mc->pcp_high_min) {
		high_max = max_u32(high_min, high_max);
	}
	SET(m, z->pageset_batch, batch);
	SET(m, z->pageset_high_min, high_min);
	SET(m, z->pageset_high_max, high_max);
	if (!(m->global->drain_disabled_zones & BIT(z->index)))
		__zone_set_pageset_high_and_batch(m, z, high_min, high_max, batch);
}
