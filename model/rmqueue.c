/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Take pages off a zone's free lists (spec 4.4, 4.7 - 4.9). What a request may
 * take, in this order:
 *
 *      pcp list -> own type -> CMA -> claim a foreign block -> steal a page
 *                  `------------------- __rmqueue --------------------'
 *
 * rmqueue_bulk() passes one mode to all its __rmqueue() calls, so that a batch
 * does not repeat searches that just failed.
 */
#include "model/internal.h"

/*
 * The smallest buddy of type @mt that is large enough; the request gets its
 * lowest pages, the rest stays on the lists of @mt.
 */
u32 __rmqueue_smallest(struct memory *m, struct zone *z, u32 order, u32 mt)
{
	for (u32 o = order; o <= m->max_page_order; o++) {
		u32 pfn = get_page_from_free_area(m, z, o, mt);

		if (pfn == PFN_NONE)
			continue;
		page_del_and_expand(m, z, pfn, order, o, mt);
		/* The last argument says "could be a refill", not "is one" (spec 11). */
		EMIT(m, EV_MM_PAGE_ALLOC_ZONE_LOCKED, .zone = z->index, .order = (s8)order,
		     .pfn = pfn, .a = mt,
		     .b = pcp_allowed_order(m, order) && mt < MIGRATE_PCPTYPES);
		return pfn;
	}
	return PFN_NONE;
}

/* Movable requests use CMA first while it holds more than half of what is free (L2476). */
static bool cma_is_due(const struct zone *z, u32 alloc_flags)
{
	return (alloc_flags & ALLOC_CMA) &&
	       zone_page_state(z, NR_FREE_CMA_PAGES) > zone_page_state(z, NR_FREE_PAGES) / 2;
}

/*
 * Spec 4.8. *@mode is where the search starts: after a steal the next page of
 * the batch is stolen at once, after a hit in CMA the own lists are skipped. A
 * claim fills the own lists, so the search starts from them again; CLAIM is
 * therefore never stored. The CMA balance does not look at the mode. So does policy D;
 * the older ones (spec 9.1) have no mode.
 */
u32 __rmqueue(struct memory *m, struct zone *z, u32 order, u32 mt, u32 alloc_flags,
	      enum rmqueue_mode *mode)
{
	u32 pfn, policy = m->machine.policy.fallback;

	if (policy != FALLBACK_D)
		*mode = RMQUEUE_NORMAL;
	if (cma_is_due(z, alloc_flags)) {
		pfn = __rmqueue_smallest(m, z, order, MIGRATE_CMA);
		if (pfn != PFN_NONE)
			return pfn;
	}
	if (*mode <= RMQUEUE_NORMAL) {
		pfn = __rmqueue_smallest(m, z, order, mt);
		if (pfn != PFN_NONE)
			return pfn;
	}
	if (*mode <= RMQUEUE_CMA && (alloc_flags & ALLOC_CMA)) {
		pfn = __rmqueue_smallest(m, z, order, MIGRATE_CMA);
		if (pfn != PFN_NONE) {
			*mode = RMQUEUE_CMA;
			return pfn;
		}
	}
	if (policy == FALLBACK_A) {
		return __rmqueue_fallback(m, z, order, mt, alloc_flags)
			       ? __rmqueue_smallest(m, z, order, mt)
			       : PFN_NONE;
	}
	if (policy == FALLBACK_B)
		return __rmqueue_fallback_page(m, z, order, mt, alloc_flags);
	if (*mode <= RMQUEUE_CLAIM) {
		pfn = __rmqueue_claim(m, z, order, mt, alloc_flags);
		if (pfn != PFN_NONE) {
			*mode = RMQUEUE_NORMAL;
			return pfn;
		}
	}
	if (alloc_flags & ALLOC_NOFRAGMENT)
		return PFN_NONE;
	pfn = __rmqueue_steal(m, z, order, mt);
	if (pfn != PFN_NONE)
		*mode = RMQUEUE_STEAL;
	return pfn;
}

/* L3207: @nr requests were served from @z, though @preferred was the first choice. */
void zone_statistics(struct memory *m, struct zone *preferred, struct zone *z, u32 nr)
{
	if (z->node == preferred->node) {
		mod_zone_page_state(m, z, NUMA_HIT, nr);
	} else {
		mod_zone_page_state(m, z, NUMA_MISS, nr);
		mod_zone_page_state(m, preferred, NUMA_FOREIGN, nr);
	}
	mod_zone_page_state(m, z, z->node == numa_node_id(m) ? NUMA_LOCAL : NUMA_OTHER, nr);
}

/* The part of rmqueue_buddy() that holds the zone lock: spec 4.7 steps 2 - 4. */
static u32 rmqueue_locked(struct memory *m, struct zone *z, u32 order, u32 alloc_flags, u32 mt)
{
	enum rmqueue_mode mode = RMQUEUE_NORMAL;
	u32 pfn;

	if (alloc_flags & ALLOC_HIGHATOMIC) {
		pfn = __rmqueue_smallest(m, z, order, MIGRATE_HIGHATOMIC);
		if (pfn != PFN_NONE)
			return pfn;
	}
	pfn = __rmqueue(m, z, order, mt, alloc_flags, &mode);
	if (pfn == PFN_NONE && (alloc_flags & (ALLOC_OOM | ALLOC_NON_BLOCK)))
		pfn = __rmqueue_smallest(m, z, order, MIGRATE_HIGHATOMIC);
	return pfn;
}

static u32 rmqueue_buddy(struct memory *m, struct zone *preferred, struct zone *z, u32 order,
			 u32 alloc_flags, u32 mt)
{
	u32 pfn;

	if ((alloc_flags & ALLOC_NOLOCK) && env_says(m, ENV_LOCK_ZONE, z))
		return PFN_NONE;
	zone_lock(m, z);
	pfn = rmqueue_locked(m, z, order, alloc_flags, mt);
	zone_unlock(m, z);
	if (pfn == PFN_NONE)
		return PFN_NONE;

	/* The MIN mark says slow path: the fast path takes from the reserve, never adds to it. */
	if ((alloc_flags & ALLOC_HIGHATOMIC) && (alloc_flags & ALLOC_WMARK_MASK) == ALLOC_WMARK_MIN)
		reserve_highatomic_pageblock(m, pfn, order, z);
	count_vm_events(m, PGALLOC + z->type, BIT(order));
	zone_statistics(m, preferred, z, 1);
	return pfn;
}

/* Spec 4.4. The wake that a boost asked for is done here, outside the locks. */
u32 rmqueue(struct memory *m, struct zone *preferred, struct zone *z, u32 order, u32 alloc_flags,
	    u32 mt)
{
	u32 pfn = PFN_NONE;

	if (pcp_allowed_order(m, order))
		pfn = rmqueue_pcplist(m, preferred, z, order, mt, alloc_flags);
	if (pfn == PFN_NONE)
		pfn = rmqueue_buddy(m, preferred, z, order, alloc_flags, mt);
	if ((alloc_flags & ALLOC_KSWAPD) && (z->flags & ZONE_BOOSTED_WATERMARK)) {
		zone_set_flags(m, z, 0, ZONE_BOOSTED_WATERMARK);
		wakeup_kswapd(m, z, 0, 0, z->type);
	}
	return pfn;
}
