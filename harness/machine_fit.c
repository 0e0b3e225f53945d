/* SPDX-License-Identifier: GPL-2.0-only */
/* Zones, ranges and members of a machine brought into the limits of machine_check(). */
#include "harness/machine_fit.h"
#include "harness/op_rules.h"
#include "model/gfp.h"

#define DEFAULT_PAGES 4096

/* ---- rules between members ----------------------------------------------- */

static void fit_env(struct env_config *env)
{
	for (u32 call = 0; call < NR_ENV_KINDED; call++)
		if (env->kind[call] == ENV_ZONE && call != ENV_COMPACT && call != ENV_WAKE)
			env->kind[call] = ENV_WHOLE;
	for (u32 call = 0; call < NR_ENV_CALLS; call++) {
		struct env_default *d = &env->defaults[call];

		if (!d->times)
			d->value = d->extra = 0;
		d->extra &= answer_infos[call].max_extra;
		if (call != ENV_COMPACT)
			continue;
		d->value = range_fit(d->value, 0, NR_COMPACT_RESULTS - 1);
		d->then = range_fit(d->then, 0, NR_COMPACT_RESULTS - 1);
	}
}

/* What the machine does not have is as in @plain, so that it has no other encoding. */
static void fit_topology(struct machine *m, const struct machine *plain)
{
	for (u32 cpu = 0; cpu < MACHINE_MAX_CPUS; cpu++)
		m->cpu_node[cpu] = cpu < m->nr_cpus ? m->cpu_node[cpu] % m->nr_nodes : 0;
	for (u32 from = 0; from < MACHINE_MAX_NODES; from++) {
		if (from >= m->nr_nodes)
			m->node_has_cpus[from] = 0;
		for (u32 to = 0; to < MACHINE_MAX_NODES; to++)
			if (from == to || from >= m->nr_nodes || to >= m->nr_nodes)
				m->distance[from][to] = plain->distance[from][to];
	}
}

void machine_fit(struct machine *m)
{
	struct machine plain;

	machine_init(&plain);
	m->pageblock_order = (u8)min_u32(m->pageblock_order, m->max_page_order);
	m->pmd_order = (u8)min_u32(m->pmd_order, m->max_page_order);
	if (m->pmd_order < 4)
		m->pmd_order = 0;
	if (m->gigantic_order <= PAGE_ALLOC_COSTLY_ORDER)
		m->gigantic_order = (u8)min_u32(m->gigantic_order, m->max_page_order);
	if (m->pcp_high_max)
		m->pcp_high_min = min_u32(m->pcp_high_min, m->pcp_high_max);
	for (u32 i = 0; i < NR_SYSCTLS; i++)
		m->sysctl[i] = sysctl_fit(i, m->sysctl[i]);
	fit_env(&m->env);
	fit_topology(m, &plain);
}

bool machine_pcp_fits_block(const struct machine *m)
{
	u32 largest = max_u32(min_u32(PAGE_ALLOC_COSTLY_ORDER, m->max_page_order), m->pmd_order);

	return largest <= m->pageblock_order;
}

/* ---- memory -------------------------------------------------------------- */

void machine_add_zone(struct machine *m, u8 node, u8 type, u32 start, u32 pages)
{
	if (!pages || node >= m->nr_nodes || (type == ZONE_DMA && !m->config_dma) ||
	    (type == ZONE_DMA32 && !m->config_dma32))
		return;
	m->zones[m->nr_zones++] =
		(struct machine_zone){.node = node, .type = type, .start = start, .pages = pages};
}

/* Pages for requests that are not movable; machine_check() wants some. */
static u32 lowmem(const struct machine *m)
{
	u32 pages = 0;

	for (u32 i = 0; i < m->nr_zones; i++) {
		const struct machine_zone *z = &m->zones[i];

		if (z->type == ZONE_MOVABLE)
			continue;
		pages += z->pages;
		for (u32 r = 0; r < m->nr_ranges; r++)
			if (m->ranges[r].kind == RANGE_RESERVED && m->ranges[r].start >= z->start &&
			    m->ranges[r].start - z->start < z->pages)
				pages -= m->ranges[r].pages;
	}
	return pages;
}

void machine_end_zones(struct machine *m)
{
	if (!m->nr_zones)
		machine_add_zone(m, 0, ZONE_NORMAL, 0, DEFAULT_PAGES);
	if (!lowmem(m))
		m->zones[0].type = ZONE_NORMAL;
}

void machine_add_range(struct machine *m, u8 kind, u32 start, u32 pages)
{
	const struct machine_range *last = m->nr_ranges ? &m->ranges[m->nr_ranges - 1] : NULL;
	const struct machine_zone *z = m->zones;
	u32 block = BIT(m->pageblock_order);

	if (last)
		start = max_u32(start, last->start + last->pages);
	while (z < m->zones + m->nr_zones && start >= z->start + z->pages)
		z++;
	if (z == m->zones + m->nr_zones || !pages || (kind == RANGE_CMA && !m->config_cma))
		return;
	start = max_u32(start, z->start);
	pages = min_u32(pages, z->start + z->pages - start);
	if (kind == RANGE_CMA) {
		u32 end = align_down(start + pages, block);

		start = align_up(start, block);
		if (start >= end)
			return;
		pages = end - start;
	}
	m->ranges[m->nr_ranges++] =
		(struct machine_range){.kind = kind, .start = start, .pages = pages};
	if (!lowmem(m))
		m->nr_ranges--;
}
