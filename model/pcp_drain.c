/* SPDX-License-Identifier: GPL-2.0-only */
/* Pages leave the per-cpu lists for the buddy lists (spec 3.4, 3.10). */
#include "model/internal.h"

/*
 * Free at least min(@count, what is there) pages: from the tail of list @pindex
 * until it is empty, then of the next one, and so on around. Not one from each
 * list in turn, whatever the kernel's comment says. A page of the PMD order may
 * free more than was asked for.
 */
void free_pcppages_bulk(struct memory *m, struct zone *z, s32 count, struct per_cpu_pages *pcp,
			s32 pindex)
{
	count = min_s32(pcp->count, count);
	zone_lock(m, z);
	while (count > 0) {
		u32 list = pcp_list_head(pcp, (u32)pindex);
		u32 order = pindex_to_order(m, (u32)pindex);
		u32 pfn;

		while (count > 0 && (pfn = list_last(m, list)) != PFN_NONE) {
			/* Not the type of the list: the block may have changed since. */
			u32 mt = get_pfnblock_migratetype(m, pfn);

			list_del(m, pfn);
			count -= 1 << order;
			SET(m, pcp->count, pcp->count - (1 << order));
			__free_one_page(m, pfn, z, order, mt, FPI_NONE);
			EMIT(m, EV_MM_PAGE_PCPU_DRAIN, .zone = z->index, .order = (s8)order,
			     .pfn = pfn, .a = mt);
		}
		pindex = (pindex + 1) % NR_PCP_LISTS;
	}
	zone_unlock(m, z);
}

void drain_pages_zone(struct memory *m, u32 cpu, struct zone *zone)
{
	struct per_cpu_pages *pcp = zone_pcp(m, zone, cpu);
	s32 count, to_drain;

	if (pcp == m->held.pcp) {
		m->held.wanted = pcp;
		return;
	}
	do {
		count = pcp->count;
		to_drain = min_s32(count, pcp->batch << m->machine.pcp_batch_scale_max);
		if (count)
			free_pcppages_bulk(m, zone, to_drain, pcp, 0);
	} while (count > to_drain);
}

static void drain_pages(struct memory *m, u32 cpu, struct zone *zone)
{
	if (zone) {
		drain_pages_zone(m, cpu, zone);
		return;
	}
	for (u32 i = 0; i < m->nr_zones; i++)
		drain_pages_zone(m, cpu, &m->zones[i]);
}

void drain_local_pages(struct memory *m, struct zone *zone)
{
	drain_pages(m, m->global->task.cpu, zone);
}

/* Of a pcp that is being filled the count is what it was before: nobody waits for its lock then. */
static bool has_pcps(struct memory *m, u32 cpu, const struct zone *zone)
{
	for (u32 i = 0; i < m->nr_zones; i++)
		if ((!zone || zone == &m->zones[i]) && zone_pcp(m, &m->zones[i], cpu)->count)
			return true;
	return false;
}

static void __drain_all_pages(struct memory *m, struct zone *zone, bool force_all_cpus)
{
	/* A drain of all zones leaves the work to one that runs; a drain of one zone waits. */
	bool run;

	nest(m, NEST_DRAIN);
	run = zone || !env_says(m, ENV_LOCK_DRAIN, NULL);
	EMIT(m, EV_DRAIN_ALL_PAGES, .zone = zone ? zone->index : ZONE_ANY, .order = -1,
	     .pfn = PFN_NONE, .a = run);
	for (u32 cpu = 0; run && cpu < m->nr_cpus; cpu++)
		if (force_all_cpus || has_pcps(m, cpu, zone))
			drain_pages(m, cpu, zone);
}

void drain_all_pages(struct memory *m, struct zone *zone)
{
	__drain_all_pages(m, zone, false);
}

/* A CPU has not used the pcp of this zone of another node for a while. */
void drain_zone_pages(struct memory *m, struct zone *zone, u32 cpu)
{
	struct per_cpu_pages *pcp = zone_pcp(m, zone, cpu);

	if (pcp->count && pcp != m->held.pcp)
		free_pcppages_bulk(m, zone, pcp->batch, pcp, 0);
}

/* Lower an idle CPU's high by at most an eighth, and give back what is above it. */
void decay_pcp_high(struct memory *m, struct zone *zone, u32 cpu)
{
	struct per_cpu_pages *pcp = zone_pcp(m, zone, cpu);
	s32 batch = pcp->batch;
	s32 to_drain;

	if (pcp == m->held.pcp)
		return;
	if (pcp->high > pcp->high_min) {
		s32 keep = pcp->count - (batch << m->machine.pcp_batch_scale_max);
		s32 decayed = pcp->high - (pcp->high >> 3);

		SET(m, pcp->high, max_s32(max_s32(keep, decayed), pcp->high_min));
	}
	for (to_drain = pcp->count - pcp->high; to_drain > 0; to_drain -= batch)
		free_pcppages_bulk(m, zone, min_s32(to_drain, batch), pcp, 0);
}

/* ---- switching the pcps of a zone off ------------------------------------ */

/* From now on every freed page goes through at once. */
void zone_pcp_disable(struct memory *m, struct zone *zone)
{
	SET(m, m->global->drain_disabled_zones, m->global->drain_disabled_zones | BIT(zone->index));
	__zone_set_pageset_high_and_batch(m, zone, 0, 0, 1);
	__drain_all_pages(m, zone, true);
}

void zone_pcp_enable(struct memory *m, struct zone *zone)
{
	SET(m, m->global->drain_disabled_zones,
	    m->global->drain_disabled_zones & ~BIT(zone->index));
	__zone_set_pageset_high_and_batch(m, zone, zone->pageset_high_min, zone->pageset_high_max,
					  zone->pageset_batch);
}
