/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When a type has nothing left: claim a whole foreign pageblock, or steal just
 * one page out of it (spec 4.10 - 4.13).
 *
 *      claim, buddy >= block:  [ M M M M M M M M ] -> [ U U U U U U U U ]
 *      claim, buddy <  block:  [ M x . . x . . M ] -> [ . U U . U U . . ]  the block becomes U,
 *                                                     its free pages (.) go to the lists of U
 *      steal:                  [ M x . . x . . M ] -> the block stays M, one page goes to U
 *
 * Claims start from the largest buddies, so that mixing lasts; steals from the
 * smallest, so that it costs least.
 */
#include "model/internal.h"

/* The types to look at, in this order. HIGHATOMIC, CMA and ISOLATE are never taken (L1936). */
static const u8 fallbacks[MIGRATE_PCPTYPES][MIGRATE_PCPTYPES - 1] = {
	[MIGRATE_UNMOVABLE] = {MIGRATE_RECLAIMABLE, MIGRATE_MOVABLE},
	[MIGRATE_MOVABLE] = {MIGRATE_RECLAIMABLE, MIGRATE_UNMOVABLE},
	[MIGRATE_RECLAIMABLE] = {MIGRATE_UNMOVABLE, MIGRATE_MOVABLE},
};

/*
 * False only for movable requests that look at small buddies: they do no harm in
 * a foreign block, as they can be moved out again (L2227).
 */
bool should_try_claim_block(const struct memory *m, u32 order, u32 start_mt)
{
	return order >= m->pageblock_order / 2 || start_mt != MIGRATE_MOVABLE ||
	       m->global->page_group_by_mobility_disabled;
}

s32 find_suitable_fallback(struct memory *m, const struct zone *z, u32 order, u32 mt,
			   bool claimable)
{
	m->looks++;
	/* Before the list is looked at: a claim loop ends here even if the order is empty (W7). */
	if (claimable && !should_try_claim_block(m, order, mt))
		return FALLBACK_NOCLAIM;
	if (!z->nr_free[order])
		return FALLBACK_EMPTY;
	for (u32 i = 0; i < ARRAY_SIZE(fallbacks[mt]); i++) {
		if (!list_empty(m, free_list_head(z, order, fallbacks[mt][i])))
			return fallbacks[mt][i];
	}
	return FALLBACK_EMPTY;
}

/*
 * Raise the marks of the zone for a while, so that kswapd makes room before the
 * next request has to mix types (spec 4.12). True also when the boost is at its
 * limit already.
 */
bool boost_watermark(struct memory *m, struct zone *z)
{
	u64 max_boost = mult_frac(z->_watermark[WMARK_HIGH],
				  m->global->sysctl[SYSCTL_WATERMARK_BOOST_FACTOR], 10000);
	u64 boost = (u64)z->watermark_boost + m->pageblock_nr_pages;

	/* A factor of 0 disables boosting; in a tiny zone it would only do harm. */
	if (!max_boost || 4ULL * m->pageblock_nr_pages > z->managed_pages)
		return false;
	if (max_boost < m->pageblock_nr_pages)
		max_boost = m->pageblock_nr_pages;
	SET(m, z->watermark_boost, (u32)(boost < max_boost ? boost : max_boost));
	return true;
}

/*
 * Would the block of @pfn be mostly of @start_mt's kind? Pages that are neither
 * free nor movable (pcp, slab, page tables) count as kin of an unmovable or
 * reclaimable request if they sit in a movable block (W6). @start is set to the
 * block's first page.
 */
static bool block_is_worth_claiming(struct memory *m, struct zone *z, u32 pfn, u32 start_mt,
				    u32 block_mt, u32 *start)
{
	u32 num_free, num_movable, alike = 0;

	if (!prep_move_freepages_block(m, z, pfn, start, &num_free, &num_movable))
		return false;
	if (start_mt == MIGRATE_MOVABLE)
		alike = num_movable;
	else if (block_mt == MIGRATE_MOVABLE)
		alike = m->pageblock_nr_pages - (num_free + num_movable);
	return num_free + alike >= m->pageblock_nr_pages / 2 ||
	       m->global->page_group_by_mobility_disabled;
}

/* Spec 4.12: @pfn heads a free buddy of @current_order in a block of type @block_mt. */
u32 try_to_claim_block(struct memory *m, struct zone *z, u32 pfn, u32 current_order, u32 order,
		       u32 start_mt, u32 block_mt, u32 alloc_flags)
{
	u32 start;

	if (current_order >= m->pageblock_order) {
		u32 nr_added;

		del_page_from_free_list(m, z, pfn, current_order, block_mt);
		change_pageblock_range(m, pfn, current_order, start_mt);
		nr_added = expand(m, z, pfn, order, current_order, start_mt);
		account_freepages(m, z, (s32)nr_added, start_mt);
		return pfn;
	}

	/* Before the decision: a candidate that is refused boosts as well (spec 13, item 11). */
	if (boost_watermark(m, z) && (alloc_flags & ALLOC_KSWAPD))
		zone_set_flags(m, z, ZONE_BOOSTED_WATERMARK, 0);
	if (!block_is_worth_claiming(m, z, pfn, start_mt, block_mt, &start))
		return PFN_NONE;
	__move_freepages_block(m, z, start, block_mt, start_mt);
	set_pageblock_migratetype(m, start, start_mt);
	/* Maybe a smaller buddy of the block than the one that was found. */
	return __rmqueue_smallest(m, z, order, start_mt);
}

void emit_extfrag(struct memory *m, const struct zone *z, u32 pfn, u32 order, u32 fallback_order,
		  u32 start_mt, u32 fallback_mt)
{
	EMIT(m, EV_MM_PAGE_ALLOC_EXTFRAG, .zone = z->index, .order = (s8)order, .pfn = pfn,
	     .gfp = get_pfnblock_migratetype(m, pfn) == start_mt, .a = fallback_order,
	     .b = start_mt, .c = fallback_mt);
}

/*
 * Spec 4.11. One candidate an order: the head of the first foreign list that is
 * not empty. NOFRAGMENT permits only buddies that are whole blocks, because such
 * a claim mixes nothing.
 */
u32 __rmqueue_claim(struct memory *m, struct zone *z, u32 order, u32 start_mt, u32 alloc_flags)
{
	u32 min_order = order;

	if (alloc_flags & ALLOC_NOFRAGMENT)
		min_order = max_u32(order, m->pageblock_order);
	for (u32 o = m->max_page_order + 1; o-- > min_order;) {
		s32 fallback_mt = find_suitable_fallback(m, z, o, start_mt, true);
		u32 pfn;

		if (fallback_mt == FALLBACK_NOCLAIM)
			break;
		if (fallback_mt == FALLBACK_EMPTY)
			continue;
		pfn = get_page_from_free_area(m, z, o, (u32)fallback_mt);
		pfn = try_to_claim_block(m, z, pfn, o, order, start_mt, (u32)fallback_mt,
					 alloc_flags);
		if (pfn != PFN_NONE) {
			emit_extfrag(m, z, pfn, order, o, start_mt, (u32)fallback_mt);
			return pfn;
		}
	}
	return PFN_NONE;
}

/* Spec 4.13: the remainder of the buddy stays with its type. */
u32 __rmqueue_steal(struct memory *m, struct zone *z, u32 order, u32 start_mt)
{
	for (u32 o = order; o <= m->max_page_order; o++) {
		s32 fallback_mt = find_suitable_fallback(m, z, o, start_mt, false);
		u32 pfn;

		if (fallback_mt == FALLBACK_EMPTY)
			continue;
		pfn = get_page_from_free_area(m, z, o, (u32)fallback_mt);
		page_del_and_expand(m, z, pfn, order, o, (u32)fallback_mt);
		emit_extfrag(m, z, pfn, order, o, start_mt, (u32)fallback_mt);
		return pfn;
	}
	return PFN_NONE;
}
