/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reclaim. The allocator calls it and reads the answer; what is freed are folios
 * of the one LRU list, oldest first, each through the free path of this CPU
 * (spec 6.4, 6.9).
 *
 *      lru_list -> [oldest] [pinned] [  .  ] [youngest]
 *                     1st   stays      2nd     3rd
 *
 * The rule of closed reclaim: free the oldest folios of the zones that the request
 * may use until SWAP_CLUSTER_MAX pages are freed or none is left; the progress is
 * the number of pages freed.
 */
#include "model/internal.h"

/* Folios that reclaim finds on the LRU and has to leave there. */
#define UNRECLAIMABLE (PG_PINNED | PG_MLOCKED | PG_HUGETLB | PG_HWPOISON)

static bool folio_is_reclaimable(const struct memory *m, u32 pfn, u32 zone_mask)
{
	/* One reference is the page cache's; with more of them the folio is in use. */
	return (zone_mask & BIT(m->pages[pfn].zone)) && !page_has(m, pfn, UNRECLAIMABLE) &&
	       m->pages[pfn].refcount == 1;
}

u32 reclaim_lru(struct memory *m, u32 zone_mask, u32 nr)
{
	const u32 head = m->global->lru_list;
	u32 freed = 0;
	u32 next;

	for (u32 pfn = m->links[head].next; pfn != head && freed < nr; pfn = next) {
		u32 order = compound_order(m, pfn);

		next = m->links[pfn].next;
		if (!folio_is_reclaimable(m, pfn, zone_mask))
			continue;
		EMIT(m, EV_ENV_FREED, .zone = m->pages[pfn].zone, .order = (s8)order, .pfn = pfn);
		put_page(m, pfn, order);
		freed += BIT(order);
	}
	return freed;
}

u64 zone_reclaimable_pages(const struct zone *z)
{
	return zone_page_state(z, NR_ZONE_LRU);
}

/* The zones that a request may take pages from, whatever its own gfp says of cpusets. */
static u32 reclaim_zone_mask(struct memory *m, const struct alloc_context *ac)
{
	u32 mask = 0;
	u32 pos;

	for_each_zone_ac (m, ac, 0, pos) {
		const struct zone *z = zonelist_zone(m, ac->zonelist, pos);

		if (!cpusets_enabled(m) || cpuset_zone_allowed(m, z, GFP_KERNEL | __GFP_HARDWALL))
			mask |= BIT(z->index);
	}
	return mask;
}

/* Pages of a node were freed: a kswapd that had given up may try again. */
static void revive_kswapds(struct memory *m, u32 zone_mask)
{
	for (; zone_mask; zone_mask &= zone_mask - 1) {
		struct node *node = &m->nodes[m->zones[ffs0(zone_mask)].node];

		if (node->kswapd_failures)
			SET(m, node->kswapd_failures, 0);
	}
}

u32 try_to_free_pages(struct memory *m, const struct alloc_context *ac, u32 order, u32 gfp)
{
	const u32 zone_mask = reclaim_zone_mask(m, ac);
	u32 progress;

	EMIT(m, EV_MM_VMSCAN_DIRECT_RECLAIM_BEGIN, .zone = ZONE_ANY, .order = (s8)order,
	     .pfn = PFN_NONE, .gfp = gfp);
	count_vm_events(m, ALLOCSTALL + ac->highest_zoneidx, 1);
	nest(m, NEST_RECLAIM);
	if (m->machine.env.kind[ENV_RECLAIM] == ENV_CLOSED) {
		progress = reclaim_lru(m, zone_mask, SWAP_CLUSTER_MAX);
		if (progress)
			revive_kswapds(m, zone_mask);
		env_note_call(m, ENV_RECLAIM, NULL, (s32)order, gfp, ac->highest_zoneidx, progress);
	} else {
		struct answer answer =
			env_ask(m, ENV_RECLAIM, NULL, (s32)order, gfp, ac->highest_zoneidx);

		reclaim_lru(m, zone_mask, answer.extra);
		progress = answer.value;
	}
	nest(m, NEST_RECLAIM);
	EMIT(m, EV_MM_VMSCAN_DIRECT_RECLAIM_END, .zone = ZONE_ANY, .order = -1, .pfn = PFN_NONE,
	     .a = progress);
	return progress;
}

static u32 node_zone_mask(const struct memory *m, u32 nid)
{
	u32 mask = 0;

	for (u32 i = 0; i < m->nr_zones; i++) {
		if (m->zones[i].node == nid)
			mask |= BIT(i);
	}
	return mask;
}

/* Runs inside the fast path, too, hence its own look at the gfp (spec 4.2). */
u32 node_reclaim(struct memory *m, u32 nid, u32 gfp, u32 order)
{
	struct answer answer;

	if (!(gfp & __GFP_DIRECT_RECLAIM) || task_is(m, TASK_PF_MEMALLOC))
		return 0;
	answer = env_ask(m, ENV_NODE_RECLAIM, NULL, (s32)order, gfp, nid);
	reclaim_lru(m, node_zone_mask(m, nid), answer.extra);
	return answer.value;
}
