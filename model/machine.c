/* SPDX-License-Identifier: GPL-2.0-only */
/* Machines: the defaults, and the one place where every limit of a machine is checked. */
#include <limits.h>
#include <string.h>

#include "model/gfp.h"
#include "model/machine.h"

#define LOCAL_DISTANCE 10
#define REMOTE_DISTANCE 20
/* Keep batch << pcp_batch_scale_max and sums of pcp limits within an s32. */
#define MAX_PCP_BATCH (1U << 20)
#define MAX_PCP_HIGH (1U << 28)

const char *const zone_type_names[MAX_NR_ZONES] = {
	[ZONE_DMA] = "DMA",
	[ZONE_DMA32] = "DMA32",
	[ZONE_NORMAL] = "Normal",
	[ZONE_MOVABLE] = "Movable",
};

const char *const sysctl_names[NR_SYSCTLS] = {
	[SYSCTL_DEFRAG_MODE] = "defrag_mode",
	[SYSCTL_WATERMARK_BOOST_FACTOR] = "watermark_boost_factor",
	[SYSCTL_WATERMARK_SCALE_FACTOR] = "watermark_scale_factor",
	[SYSCTL_MIN_FREE_KBYTES] = "min_free_kbytes",
	[SYSCTL_PERCPU_PAGELIST_HIGH_FRACTION] = "percpu_pagelist_high_fraction",
	[SYSCTL_NODE_RECLAIM_MODE] = "node_reclaim_mode",
	[SYSCTL_LOWMEM_RESERVE_DMA] = "lowmem_reserve_ratio_dma",
	[SYSCTL_LOWMEM_RESERVE_DMA32] = "lowmem_reserve_ratio_dma32",
	[SYSCTL_LOWMEM_RESERVE_NORMAL] = "lowmem_reserve_ratio_normal",
	[SYSCTL_LOWMEM_RESERVE_MOVABLE] = "lowmem_reserve_ratio_movable",
};

static const u32 sysctl_defaults[NR_SYSCTLS] = {
	[SYSCTL_WATERMARK_BOOST_FACTOR] = 15000, [SYSCTL_WATERMARK_SCALE_FACTOR] = 10,
	[SYSCTL_LOWMEM_RESERVE_DMA] = 256,	 [SYSCTL_LOWMEM_RESERVE_DMA32] = 256,
	[SYSCTL_LOWMEM_RESERVE_NORMAL] = 32,
};

void machine_init(struct machine *machine)
{
	size_t nr_presets;

	*machine = (struct machine){
		.nr_nodes = 1,
		.nr_cpus = 1,
		.max_page_order = 10,
		.pageblock_order = 9,
		.pmd_order = 9,
		.gigantic_order = 11,
		.pcp_batch_scale_max = 5,
		.config_dma32 = 1,
		.config_dma = 1,
		.config_cma = 1,
		.config_compaction = 1,
		.mobility = MOBILITY_AUTO,
		.hugetlb_migration = 1,
		.fuel = 512,
		.policy = policy_presets(&nr_presets)[0].policy,
	};
	memcpy(machine->sysctl, sysctl_defaults, sizeof(sysctl_defaults));
	for (u32 from = 0; from < MACHINE_MAX_NODES; from++)
		for (u32 to = 0; to < MACHINE_MAX_NODES; to++)
			machine->distance[from][to] = from == to ? LOCAL_DISTANCE : REMOTE_DISTANCE;
	env_config_init(&machine->env);
}

bool sysctl_in_range(enum sysctl which, u32 value)
{
	switch (which) {
	case SYSCTL_DEFRAG_MODE:
	case SYSCTL_NODE_RECLAIM_MODE:
		return value <= 1;
	case SYSCTL_WATERMARK_SCALE_FACTOR:
		return value >= 1 && value <= 3000;
	case SYSCTL_PERCPU_PAGELIST_HIGH_FRACTION:
		return !value || (value >= 8 && value <= INT_MAX);
	default:
		return which < NR_SYSCTLS && value <= INT_MAX;
	}
}

u32 machine_end_pfn(const struct machine *machine)
{
	u32 end = 0;

	for (u32 i = 0; i < machine->nr_zones; i++)
		end = max_u32(end, machine->zones[i].start + machine->zones[i].pages);
	return end;
}

/* ---- checks -------------------------------------------------------------- */

static const char *check_config(const struct machine *m)
{
	if (m->max_page_order < 1 || m->max_page_order > MACHINE_MAX_ORDER)
		return "expected a max_page_order from 1 to 13";
	if (m->pageblock_order < 1 || m->pageblock_order > m->max_page_order)
		return "expected a pageblock_order from 1 to max_page_order";
	if (m->pmd_order && (m->pmd_order < 4 || m->pmd_order > m->max_page_order))
		return "expected a pmd_order of 0 (no THP) or from 4 to max_page_order";
	if (m->gigantic_order < 1 || m->gigantic_order > MACHINE_MAX_GIGANTIC)
		return "expected a gigantic_order from 1 to 20";
	/* Pages of such an order would go to the per-cpu lists (spec 7.9). */
	if (m->gigantic_order > m->max_page_order && m->gigantic_order <= PAGE_ALLOC_COSTLY_ORDER)
		return "expected a gigantic_order of at most max_page_order, or above 3";
	if (m->pcp_batch_scale_max > 6)
		return "expected a pcp_batch_scale_max from 0 to 6";
	if (m->config_dma > 1 || m->config_dma32 > 1 || m->config_cma > 1 ||
	    m->config_compaction > 1 || m->hugetlb_migration > 1)
		return "expected 0 or 1 for config_* and hugetlb_migration";
	if (m->mobility > MOBILITY_OFF)
		return "expected mobility auto, on or off";
	if (m->pcp_batch > MAX_PCP_BATCH)
		return "expected a pcp_batch of at most 1048576";
	if (m->pcp_high_min > MAX_PCP_HIGH || m->pcp_high_max > MAX_PCP_HIGH)
		return "expected a pcp_high_min and pcp_high_max of at most 268435456";
	if (m->pcp_high_max && m->pcp_high_min > m->pcp_high_max)
		return "expected a pcp_high_min of at most pcp_high_max";
	if (!m->fuel)
		return "expected fuel of at least 1";
	return NULL;
}

static const char *check_topology(const struct machine *m)
{
	if (m->nr_nodes < 1 || m->nr_nodes > MACHINE_MAX_NODES)
		return "expected 1 to 8 nodes";
	if (m->nr_cpus < 1 || m->nr_cpus > MACHINE_MAX_CPUS)
		return "expected 1 to 128 CPUs";
	for (u32 cpu = 0; cpu < m->nr_cpus; cpu++)
		if (m->cpu_node[cpu] >= m->nr_nodes)
			return "expected each CPU on a node of the machine";
	for (u32 from = 0; from < m->nr_nodes; from++) {
		if (m->node_has_cpus[from] > 1)
			return "expected 0 or 1 for node_has_cpus";
		if (m->distance[from][from] != LOCAL_DISTANCE)
			return "expected a distance of 10 from a node to itself";
		for (u32 to = 0; to < m->nr_nodes; to++)
			if (m->distance[from][to] < LOCAL_DISTANCE)
				return "expected distances of at least 10";
	}
	return NULL;
}

static const char *check_zone(const struct machine *m, u32 i)
{
	const struct machine_zone *z = &m->zones[i];
	const struct machine_zone *prev = i ? z - 1 : NULL;

	if (z->node >= m->nr_nodes || z->type >= MAX_NR_ZONES)
		return "expected each zone on a node of the machine, of a known type";
	if ((z->type == ZONE_DMA && !m->config_dma) || (z->type == ZONE_DMA32 && !m->config_dma32))
		return "expected zones of configured types only";
	if (!z->pages || z->pages > MACHINE_MAX_PAGES || z->start > MACHINE_MAX_PAGES - z->pages)
		return "expected each zone to have pages, below PFN 4194304";
	if (!prev)
		return NULL;
	if (prev->node > z->node || (prev->node == z->node && prev->type >= z->type))
		return "expected zones in ascending order of node and type, each once";
	if (prev->start + prev->pages > z->start)
		return "expected zones in ascending order of PFN, not overlapping";
	return NULL;
}

static const char *check_zones(const struct machine *m)
{
	const char *why;

	if (m->nr_zones < 1 || m->nr_zones > MACHINE_MAX_ZONES)
		return "expected 1 to 32 zones";
	for (u32 i = 0; i < m->nr_zones; i++) {
		why = check_zone(m, i);
		if (why)
			return why;
	}
	return NULL;
}

static bool range_in_a_zone(const struct machine *m, const struct machine_range *r)
{
	for (u32 i = 0; i < m->nr_zones; i++) {
		const struct machine_zone *z = &m->zones[i];

		if (r->start >= z->start && r->start - z->start < z->pages)
			return r->pages <= z->pages - (r->start - z->start);
	}
	return false;
}

static const char *check_ranges(const struct machine *m)
{
	u32 in_block = BIT(m->pageblock_order) - 1;

	if (m->nr_ranges > MACHINE_MAX_RANGES)
		return "expected at most 16 reserved and CMA ranges";
	for (u32 i = 0; i < m->nr_ranges; i++) {
		const struct machine_range *r = &m->ranges[i];

		if (r->kind > RANGE_CMA)
			return "expected reserved or CMA ranges";
		if (!r->pages || !range_in_a_zone(m, r))
			return "expected each reserved or CMA range inside one zone";
		if (i && r[-1].start + r[-1].pages > r->start)
			return "expected ranges in ascending order, not overlapping";
		if (r->kind == RANGE_CMA && !m->config_cma)
			return "expected no CMA range without config_cma";
		if (r->kind == RANGE_CMA && ((r->start | r->pages) & in_block))
			return "expected CMA ranges of whole pageblocks";
	}
	return NULL;
}

/* The minimum marks are shares of this memory; the kernel would divide by 0 (spec 5.6). */
static const char *check_lowmem(const struct machine *m)
{
	u32 lowmem = 0;

	for (u32 i = 0; i < m->nr_zones; i++)
		lowmem += m->zones[i].type == ZONE_MOVABLE ? 0 : m->zones[i].pages;
	for (u32 i = 0; i < m->nr_ranges; i++) {
		const struct machine_range *r = &m->ranges[i];
		u32 zone = 0;

		while (r->start - m->zones[zone].start >= m->zones[zone].pages)
			zone++;
		if (r->kind == RANGE_RESERVED && m->zones[zone].type != ZONE_MOVABLE)
			lowmem -= r->pages;
	}
	return lowmem ? NULL : "expected a zone other than Movable with pages not reserved";
}

static const char *check_env(const struct env_config *env)
{
	for (u32 call = 0; call < NR_ENV_KINDED; call++) {
		if (env->kind[call] > ENV_CLOSED)
			return "expected an environment call that is whole, zone or closed";
		if (env->kind[call] == ENV_ZONE && call != ENV_COMPACT && call != ENV_WAKE)
			return "expected kind zone for compact and wake only";
	}
	if (env->defaults[ENV_COMPACT].value >= NR_COMPACT_RESULTS ||
	    env->defaults[ENV_COMPACT].then >= NR_COMPACT_RESULTS)
		return "expected a compact_result as default of compact";
	return NULL;
}

static const char *check_values(const struct machine *m)
{
	size_t nr;
	const struct policy_switch *sw = policy_switches(&nr);

	for (u32 i = 0; i < NR_SYSCTLS; i++)
		if (!sysctl_in_range(i, m->sysctl[i]))
			return "expected sysctl values in their range";
	for (size_t i = 0; i < nr; i++)
		if (!policy_value_name(&sw[i], &m->policy))
			return "expected known values of the policy's switches";
	return check_env(&m->env);
}

const char *machine_check(const struct machine *machine)
{
	static const char *(*const checks[])(const struct machine *) = {
		check_config, check_topology, check_zones, check_ranges, check_lowmem, check_values,
	};

	for (size_t i = 0; i < ARRAY_SIZE(checks); i++) {
		const char *why = checks[i](machine);

		if (why)
			return why;
	}
	return NULL;
}
