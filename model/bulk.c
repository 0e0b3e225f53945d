/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Many order-0 pages in one call (spec 4.15): straight from the pcp list of one
 * zone of the preferred node. Whatever stands in the way is left to the normal
 * path, for a single page.
 */
#include "model/internal.h"

/*
 * The first allowed zone of the preferred node that keeps its LOW mark even
 * without all @nr pages. BELOW_HIGH, awake kswapds and the dirty limit play no
 * part; lowmem_reserve is read for the preferred zone, not for the highest one
 * that the request may use (spec 13, item 28).
 */
static struct zone *find_bulk_zone(struct memory *m, u32 gfp, u32 alloc_flags, u32 nr,
				   const struct alloc_context *ac)
{
	const struct zone *preferred = NULL;
	u32 pos;

	for_each_zone_ac (m, ac, ac->preferred, pos) {
		struct zone *z = zonelist_zone(m, ac->zonelist, pos);

		if (!preferred)
			preferred = z;
		if ((alloc_flags & ALLOC_CPUSET) && !cpuset_zone_allowed(m, z, gfp))
			continue;
		if (z->node != preferred->node)
			return NULL;
		if (zone_watermark_fast(m, z, 0, wmark_pages(z, WMARK_LOW) + nr, preferred->type,
					alloc_flags))
			return z;
	}
	return NULL;
}

/*
 * Fill the empty slots of @pfns from slot @*populated on, which is moved forward;
 * returns the pages taken.
 */
static u32 fill_slots(struct memory *m, struct zone *z, u32 gfp, u32 mt, u32 alloc_flags, u32 nr,
		      u32 *populated, u32 *pfns)
{
	struct per_cpu_pages *pcp = this_pcp(m, z);
	u32 list_head = pcp_list_head(pcp, order_to_pindex(mt, 0));
	u32 taken = 0;

	for (; *populated < nr; ++*populated) {
		u32 pfn;

		if (pfns[*populated] != PFN_NONE)
			continue;
		pfn = __rmqueue_pcplist(m, z, 0, mt, alloc_flags, pcp, list_head);
		if (pfn == PFN_NONE)
			break;
		taken++;
		prep_new_page(m, pfn, 0, gfp, 0);
		set_page_count(m, pfn, 1);
		pfns[*populated] = pfn;
	}
	return taken;
}

/* The normal path for the slot at @populated; returns how many are filled then. */
static u32 alloc_single(struct memory *m, u32 gfp, u32 nid, u32 nodemask, u32 populated, u32 *pfns)
{
	pfns[populated] = alloc_pages(m, gfp, 0, nid, nodemask);
	return populated + (pfns[populated] != PFN_NONE);
}

u32 alloc_pages_bulk(struct memory *m, u32 gfp, u32 nid, u32 nodemask, u32 nr, u32 *pfns)
{
	struct alloc_context ac = {0};
	u32 alloc_flags = ALLOC_WMARK_LOW;
	u32 alloc_gfp = gfp;
	u32 populated = 0, taken;
	struct zone *z;

	while (populated < nr && pfns[populated] != PFN_NONE)
		populated++;
	if (populated == nr)
		return populated;
	if ((gfp & __GFP_ACCOUNT) || nr - populated == 1)
		return alloc_single(m, gfp, nid, nodemask, populated, pfns);
	if (!prepare_alloc_pages(m, gfp, nid, nodemask, &ac, &alloc_gfp, &alloc_flags))
		return populated;

	z = find_bulk_zone(m, alloc_gfp, alloc_flags, nr - populated, &ac);
	if (!z || !pcp_trylock(m, this_pcp(m, z)))
		return alloc_single(m, alloc_gfp, nid, nodemask, populated, pfns);
	taken = fill_slots(m, z, alloc_gfp, ac.migratetype, alloc_flags, nr, &populated, pfns);
	pcp_unlock(m, z);
	if (!taken)
		return alloc_single(m, alloc_gfp, nid, nodemask, populated, pfns);
	count_vm_events(m, PGALLOC + z->type, taken);
	zone_statistics(m, zonelist_zone(m, ac.zonelist, ac.preferred), z, taken);
	return populated;
}
