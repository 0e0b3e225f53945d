/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which zones a request may use and in which order (spec 1.3, 1.4, 2.1).
 *
 *      FALLBACK of node 0:   0 Movable, 0 Normal, 0 DMA32 | 1 Movable, 1 Normal | ...
 *      NOFALLBACK:           0 Movable, 0 Normal, 0 DMA32
 */
#include "model/internal.h"

/* Larger than any node_load, so that the load only breaks ties; x86-64's value. */
#define MAX_NUMNODES 1024

/* ---- zone and migratetype of a request ----------------------------------- */

u32 gfp_zone(struct memory *m, u32 gfp)
{
	const struct machine *mc = &m->machine;

	switch (gfp & (__GFP_DMA | __GFP_DMA32 | __GFP_HIGHMEM)) {
	case 0:
		return ZONE_NORMAL;
	case __GFP_DMA:
		return mc->config_dma ? ZONE_DMA : ZONE_NORMAL;
	case __GFP_DMA32:
		return mc->config_dma32 ? ZONE_DMA32 : ZONE_NORMAL;
	case __GFP_HIGHMEM:
		return gfp & __GFP_MOVABLE ? ZONE_MOVABLE : ZONE_NORMAL;
	default:
		/* The kernel's table has no entry here and reads as zone 0. */
		warn(m, WARN_GFP_ZONE);
		return mc->config_dma ? ZONE_DMA : mc->config_dma32 ? ZONE_DMA32 : ZONE_NORMAL;
	}
}

u32 gfp_migratetype(struct memory *m, u32 gfp)
{
	bool movable = gfp & __GFP_MOVABLE;
	bool reclaimable = gfp & __GFP_RECLAIMABLE;

	if (movable && reclaimable)
		warn(m, WARN_GFP_MOVABLE_RECLAIMABLE);
	/*
	 * The kernel reads two bits as a number; both together it takes for type 3, and goes
	 * on with the pcp list of another order. Such a request is unmovable here.
	 */
	if (m->global->page_group_by_mobility_disabled || movable == reclaimable)
		return MIGRATE_UNMOVABLE;
	return movable ? MIGRATE_MOVABLE : MIGRATE_RECLAIMABLE;
}

bool cpuset_zone_allowed(const struct memory *m, const struct zone *z, u32 gfp)
{
	const struct task *task = &m->global->task;

	if (!cpusets_enabled(m) || task_is(m, TASK_IN_INTERRUPT | TASK_IN_SOFTIRQ))
		return true;
	if (task->mems_allowed & BIT(z->node))
		return true;
	/* An OOM victim may take memory anywhere, so that it can exit. */
	if (task_is(m, TASK_OOM_VICTIM))
		return true;
	if (gfp & __GFP_HARDWALL)
		return false;
	return task_is(m, TASK_PF_EXITING) || (task->mems_hardwall & BIT(z->node));
}

/* ---- building ------------------------------------------------------------ */

static bool node_has_memory(const struct memory *m, u32 nid)
{
	for (u32 i = 0; i < m->nr_zones; i++)
		if (m->zones[i].node == nid)
			return true;
	return false;
}

/* Append the zones of @nid, highest type first. */
static void add_node_zones(struct memory *m, struct zonelist *zl, u32 nid)
{
	for (u32 i = m->nr_zones; i-- > 0;)
		if (m->zones[i].node == nid)
			zl->zones[zl->nr++] = (u8)i;
}

/* The unused node that is nearest to @nid, or MACHINE_MAX_NODES (L5837). */
static u32 find_next_best_node(const struct memory *m, u32 nid, u32 used, const u32 *node_load)
{
	const struct machine *mc = &m->machine;
	u32 best = MACHINE_MAX_NODES;
	u32 best_score = UINT32_MAX;

	if (!(used & BIT(nid)) && node_has_memory(m, nid))
		return nid;
	for (u32 n = 0; n < m->nr_nodes; n++) {
		u32 score = mc->distance[nid][n];

		if ((used & BIT(n)) || !node_has_memory(m, n))
			continue;
		score += n < nid;
		score += mc->node_has_cpus[n];
		score = score * MAX_NUMNODES + node_load[n];
		if (score < best_score) {
			best = n;
			best_score = score;
		}
	}
	return best;
}

static void build_zonelists(struct memory *m, u32 nid, u32 *node_load)
{
	const u8 *distance = m->machine.distance[nid];
	struct zonelist *lists = m->nodes[nid].zonelists;
	u32 prev = nid;
	u32 used = 0;
	u32 n;

	while ((n = find_next_best_node(m, nid, used, node_load)) < MACHINE_MAX_NODES) {
		/* The first of a group at one distance gets a load, so that other nodes
		 * start with another one of the group. */
		if (distance[n] != distance[prev])
			node_load[n]++;
		add_node_zones(m, &lists[ZONELIST_FALLBACK], n);
		used |= BIT(n);
		prev = n;
	}
	add_node_zones(m, &lists[ZONELIST_NOFALLBACK], nid);
}

/* Too little memory for blocks of several types? The marks are not set yet (spec 1.4). */
static bool too_small_for_mobility(const struct memory *m)
{
	u32 types = m->machine.config_cma ? MIGRATE_TYPES : MIGRATE_TYPES - 1;
	u32 pages = 0;

	for (u32 i = 0; i < m->nr_zones; i++)
		pages += m->zones[i].managed_pages;
	return pages < types * m->pageblock_nr_pages;
}

void build_all_zonelists(struct memory *m)
{
	u32 node_load[MACHINE_MAX_NODES] = {0};
	u8 mobility = m->machine.mobility;

	for (u32 nid = 0; nid < m->nr_nodes; nid++)
		build_zonelists(m, nid, node_load);
	m->global->page_group_by_mobility_disabled =
		mobility == MOBILITY_AUTO ? too_small_for_mobility(m) : mobility == MOBILITY_OFF;
}
