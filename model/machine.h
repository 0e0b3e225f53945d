/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A machine: everything about memory, CPUs, configuration and environment
 * that is fixed before the first operation. Plain data; zero is not a valid
 * machine, machine_init() gives the documented defaults.
 *
 *      node 0                              node 1
 *      +-----+-------+--------+---------+  +--------+---------+
 *      | DMA | DMA32 | Normal | Movable |  | Normal | Movable |   PFN ->
 *      +-----+-------+--------+---------+  +--------+---------+
 *                         ^ reserved and CMA ranges lie inside zones;
 *                           space between zones is a hole (not online).
 */
#ifndef MODEL_MACHINE_H
#define MODEL_MACHINE_H

#include "model/environment.h"
#include "model/policy.h"
#include "model/types.h"

enum zone_type { ZONE_DMA, ZONE_DMA32, ZONE_NORMAL, ZONE_MOVABLE, MAX_NR_ZONES };

#define MACHINE_MAX_NODES 8
#define MACHINE_MAX_ZONES (MACHINE_MAX_NODES * MAX_NR_ZONES)
#define MACHINE_MAX_CPUS 128
#define MACHINE_MAX_RANGES 16
#define MACHINE_MAX_PAGES (4U << 20) /* last PFN + 1 */
#define MACHINE_MAX_ORDER 13 /* largest max_page_order */
#define MACHINE_MAX_GIGANTIC 20 /* largest order of a contig folio */

/* No preferred node mask: the NULL of a nodemask argument. */
#define NODEMASK_NULL UINT32_MAX

struct machine_zone {
	u8 node;
	u8 type; /* enum zone_type */
	u32 start; /* PFN */
	u32 pages; /* spanned */
};

enum machine_range_kind { RANGE_RESERVED, RANGE_CMA };

/* Pages inside zones that do not start as plain free memory. */
struct machine_range {
	u8 kind; /* enum machine_range_kind */
	u32 start; /* PFN; a CMA range is made of whole pageblocks */
	u32 pages;
};

enum sysctl {
	SYSCTL_DEFRAG_MODE, /* 0, 1 */
	SYSCTL_WATERMARK_BOOST_FACTOR, /* 1/10000; default 15000 */
	SYSCTL_WATERMARK_SCALE_FACTOR, /* 1..3000; default 10 */
	SYSCTL_MIN_FREE_KBYTES, /* 0: computed (spec 5.6) */
	SYSCTL_PERCPU_PAGELIST_HIGH_FRACTION, /* 0 or >= 8 */
	SYSCTL_NODE_RECLAIM_MODE, /* 0, 1 */
	SYSCTL_LOWMEM_RESERVE_DMA, /* ratios; 256 256 32 0 */
	SYSCTL_LOWMEM_RESERVE_DMA32,
	SYSCTL_LOWMEM_RESERVE_NORMAL,
	SYSCTL_LOWMEM_RESERVE_MOVABLE,
	NR_SYSCTLS,
};

/* Mobility grouping (spec 1.4): decided at boot, or forced. */
enum machine_mobility { MOBILITY_AUTO, MOBILITY_ON, MOBILITY_OFF };

struct machine {
	u8 nr_nodes;
	u8 nr_zones; /* ascending by (node, type) */
	u8 nr_cpus;
	u8 nr_ranges; /* ascending, not overlapping */
	u8 max_page_order; /* 1..MACHINE_MAX_ORDER; default 10 */
	u8 pageblock_order; /* 1..max_page_order; default 9 */
	u8 pmd_order; /* the THP order on the pcp lists: 4..max_page_order,
					 * or 0 without THP; default 9 */
	u8 gigantic_order; /* order of the hugetlb caller; default 11 */
	u8 pcp_batch_scale_max; /* 0..6; default 5 */
	u8 config_dma32; /* ZONE_DMA32 configured (spec 1.5); default 1 */
	u8 config_dma; /* default 1 */
	u8 config_cma; /* default 1 */
	u8 config_compaction; /* default 1 */
	u8 mobility; /* enum machine_mobility */
	u8 hugetlb_migration; /* hugetlb folios can migrate; default 1 */
	u8 node_has_cpus[MACHINE_MAX_NODES]; /* in the eyes of the zonelist code and
					 * the pcp sizes (spec 2.1, 5.7); default none */
	u8 cpu_node[MACHINE_MAX_CPUS]; /* the node that a CPU runs on */
	u8 distance[MACHINE_MAX_NODES][MACHINE_MAX_NODES]; /* default 10 and 20 */
	u32 cache_pages; /* data-cache slice of a CPU in pages: FREE_HIGH_BATCH
					 * is set where it exceeds 3 * batch (spec 2.5); default 0 */
	/* pcp sizes; 0 = as the kernel computes them (spec 5.7) */
	u32 pcp_batch;
	u32 pcp_high_min;
	u32 pcp_high_max;
	u32 fuel; /* slow-path rounds of one request before it ends as
					 * "out of fuel" (spec 6.9); default 512 */
	u32 sysctl[NR_SYSCTLS];
	struct machine_zone zones[MACHINE_MAX_ZONES];
	struct machine_range ranges[MACHINE_MAX_RANGES];
	struct env_config env;
	struct policy policy;
};

/* The defaults above: one CPU, no zones yet, policy v7.3. */
void machine_init(struct machine *machine);

/*
 * Returns NULL if @machine can be booted, else a static text that says what
 * was expected. Every limit of the members above is checked here and only here.
 */
const char *machine_check(const struct machine *machine);

/* May @which have @value? The limits are the kernel's (an int there). */
bool sysctl_in_range(enum sysctl which, u32 value);

/* Last PFN of the highest zone + 1. */
u32 machine_end_pfn(const struct machine *machine);

/* Names of the kernel: "DMA32", "watermark_scale_factor". */
extern const char *const zone_type_names[MAX_NR_ZONES];
extern const char *const sysctl_names[NR_SYSCTLS];

#endif
