/* SPDX-License-Identifier: GPL-2.0-only */
#include "harness/kernel/kernel_machine.h"

#include <string.h>

#include "harness/machine_fit.h"

/* ---- what a kernel has --------------------------------------------------- */

static const char *check_built(const struct kernel_constants *k, const struct machine *m)
{
	if (m->pageblock_order != k->block_order)
		return "expected the pageblock_order that the kernel was built with";
	if (m->max_page_order != k->top_order)
		return "expected the kernel's max_page_order";
	if (m->pmd_order != k->pmd_order)
		return "expected the kernel's pmd_order";
	if (k->batch_scale_max != KERNEL_NO_LIMIT && m->pcp_batch_scale_max != k->batch_scale_max)
		return "expected the kernel's pcp_batch_scale_max";
	if (m->nr_nodes > k->max_nodes)
		return "expected no more nodes than the kernel was built for";
	if (m->nr_cpus > k->max_cpus)
		return "expected no more CPUs than the kernel was built for";
	if (m->config_dma != k->dma || m->config_dma32 != k->dma32 || m->config_cma != k->cma ||
	    m->config_compaction != k->compaction)
		return "expected the kernel's own zones, CMA and compaction";
	return NULL;
}

/* Reclaim, kswapd and the OOM killer have all kinds; compaction is answered as a whole. */
static const char *check_environment(const struct machine *m)
{
	if (m->env.kind[ENV_COMPACT] != ENV_WHOLE)
		return "expected compaction that is answered as a whole";
	if (m->env.kind[ENV_WAKE] == ENV_CLOSED && m->env.kcompactd_blocks)
		return "expected a kcompactd that does nothing (kcompactd_blocks 0)";
	return NULL;
}

const char *kernel_machine_check(const struct kernel_constants *k, const struct machine *m)
{
	const char *why = check_built(k, m);

	return why ? why : check_environment(m);
}

/* ---- changing a machine -------------------------------------------------- */

/* Zones that the kernel does not have are left out. A generator asks before there are any. */
static void fit_zones(struct machine *m)
{
	struct machine_zone zones[MACHINE_MAX_ZONES];
	u8 nr = m->nr_zones;

	if (!nr)
		return;
	memcpy(zones, m->zones, sizeof(zones));
	m->nr_zones = 0;
	for (u8 i = 0; i < nr; i++)
		machine_add_zone(m, zones[i].node, zones[i].type, zones[i].start, zones[i].pages);
	machine_end_zones(m);
}

/*
 * A hole's pages belong to the zone above it, which does not span them. DEBUG_VM stops at the flags of a
 * block that begins there (corpus/regressions/kernel-block-in-hole.txt): zones begin with a block, or where
 * the one before ends.
 */
static void fit_starts(struct machine *m)
{
	u32 end = 0;

	for (u8 i = 0; i < m->nr_zones; i++) {
		struct machine_zone *z = &m->zones[i];
		u32 start = max_u32(align_down(z->start, BIT(m->pageblock_order)), end);

		z->pages += z->start - start;
		z->start = start;
		end = z->start + z->pages;
	}
}

/* CMA ranges are made of whole blocks, and blocks may be larger now. */
static void fit_ranges(struct machine *m)
{
	struct machine_range ranges[MACHINE_MAX_RANGES];
	u8 nr = m->nr_ranges;

	memcpy(ranges, m->ranges, sizeof(ranges));
	m->nr_ranges = 0;
	for (u8 i = 0; i < nr; i++)
		machine_add_range(m, ranges[i].kind, ranges[i].start, ranges[i].pages);
}

/* What lies on a node that is gone goes with it. */
static void fit_topology(const struct kernel_constants *k, struct machine *m)
{
	m->nr_nodes = (u8)min_u32(m->nr_nodes, k->max_nodes);
	m->nr_cpus = (u8)min_u32(m->nr_cpus, k->max_cpus);
}

static void fit_environment(struct machine *m)
{
	m->env.kind[ENV_COMPACT] = ENV_WHOLE;
	if (m->env.kind[ENV_WAKE] == ENV_CLOSED)
		m->env.kcompactd_blocks = 0;
}

void kernel_machine_fit(const struct kernel_constants *k, struct machine *m)
{
	m->pageblock_order = (u8)k->block_order;
	m->max_page_order = (u8)k->top_order;
	m->pmd_order = (u8)k->pmd_order;
	if (k->batch_scale_max != KERNEL_NO_LIMIT)
		m->pcp_batch_scale_max = (u8)k->batch_scale_max;
	m->config_dma = k->dma;
	m->config_dma32 = k->dma32;
	m->config_cma = k->cma;
	m->config_compaction = k->compaction;
	/* Un-isolated blocks lose their type without grouping: known, and found once. */
	if (!k->generation.isolate_bit)
		m->mobility = MOBILITY_ON;
	fit_topology(k, m);
	fit_environment(m);
	machine_fit(m);
	fit_zones(m);
	if (k->debug_vm)
		fit_starts(m);
	fit_ranges(m);
}

/* ---- plain types --------------------------------------------------------- */

static void copy_layout(const struct machine *m, struct kernel_machine *to)
{
	for (u32 i = 0; i < m->nr_zones; i++)
		to->zones[i] = (struct kernel_zone_layout){
			.node = m->zones[i].node,
			.type = m->zones[i].type,
			.start = m->zones[i].start,
			.pages = m->zones[i].pages,
		};
	for (u32 i = 0; i < m->nr_ranges; i++)
		to->ranges[i] = (struct kernel_range){
			.cma = m->ranges[i].kind == RANGE_CMA,
			.start = m->ranges[i].start,
			.pages = m->ranges[i].pages,
		};
}

void kernel_machine_from(const struct machine *m, struct kernel_machine *to)
{
	*to = (struct kernel_machine){
		.nr_nodes = m->nr_nodes,
		.nr_zones = m->nr_zones,
		.nr_cpus = m->nr_cpus,
		.nr_ranges = m->nr_ranges,
		.nr_pages = machine_end_pfn(m),
		.mobility = m->mobility,
		.hugetlb_migration = m->hugetlb_migration,
		.cache_pages = m->cache_pages,
		.pcp_batch = m->pcp_batch,
		.pcp_high_min = m->pcp_high_min,
		.pcp_high_max = m->pcp_high_max,
		.fuel = m->fuel,
		.kswapd_pages = m->env.kswapd_pages,
		.kcompactd_blocks = m->env.kcompactd_blocks,
	};
	copy_layout(m, to);
	memcpy(to->sysctl, m->sysctl, sizeof(to->sysctl));
	memcpy(to->node_has_cpus, m->node_has_cpus, sizeof(to->node_has_cpus));
	memcpy(to->distance, m->distance, sizeof(to->distance));
	memcpy(to->cpu_node, m->cpu_node, sizeof(to->cpu_node));
	memcpy(to->env_kind, m->env.kind, sizeof(to->env_kind));
}
