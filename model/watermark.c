/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Watermark checks (spec 5.1 - 5.3): may a zone give a page of this order to
 * this request and still keep what is held back for others?
 *
 *      free pages of the zone
 *      |<---------------------------- free ---------------------------->|
 *      | unusable: CMA, HIGHATOMIC |   lowmem_reserve   | mark |  room  |
 *        unless the flags open them    of the highest    after
 *                                      zone asked for    discounts
 *
 * Order 0 needs room for one page. Higher orders need in addition a free buddy
 * that the request could be cut from, of any of the three main types: also one
 * that ALLOC_NOFRAGMENT will refuse later (spec 13, item 7).
 */
#include "model/internal.h"

/* L3581 */
static u64 __zone_watermark_unusable_free(const struct zone *z, u32 order, u32 alloc_flags)
{
	u64 unusable = BIT(order) - 1;

	if (!(alloc_flags & ALLOC_RESERVES))
		unusable += z->nr_free_highatomic;
	if (!(alloc_flags & ALLOC_CMA))
		unusable += zone_page_state(z, NR_FREE_CMA_PAGES);
	return unusable;
}

/* NON_BLOCK discounts only on top of MIN_RESERVE; alone it opens HIGHATOMIC (spec 5.2). */
static s64 discounted_mark(s64 mark, u32 alloc_flags)
{
	if (alloc_flags & ALLOC_MIN_RESERVE) {
		mark -= mark / 2;
		if (alloc_flags & ALLOC_NON_BLOCK)
			mark -= mark / 4;
	}
	if (alloc_flags & ALLOC_OOM)
		mark -= mark / 2;
	return mark;
}

/* nr_free counts ISOLATE and CMA buddies too, so it only rules an order out (spec 13, item 6). */
static bool has_usable_buddy(const struct memory *m, const struct zone *z, u32 order,
			     u32 alloc_flags)
{
	for (u32 o = order; o <= m->max_page_order; o++) {
		if (!z->nr_free[o])
			continue;
		for (u32 mt = 0; mt < MIGRATE_PCPTYPES; mt++) {
			if (!list_empty(m, free_list_head(z, o, mt)))
				return true;
		}
		if ((alloc_flags & ALLOC_CMA) && !list_empty(m, free_list_head(z, o, MIGRATE_CMA)))
			return true;
		if ((alloc_flags & (ALLOC_HIGHATOMIC | ALLOC_OOM)) &&
		    !list_empty(m, free_list_head(z, o, MIGRATE_HIGHATOMIC)))
			return true;
	}
	return false;
}

/* @free_pages may be hypothetical: what reclaim could still free is added by some callers. */
bool __zone_watermark_ok(const struct memory *m, const struct zone *z, u32 order, u32 mark,
			 u32 highest_zoneidx, u32 alloc_flags, s64 free_pages)
{
	s64 min = discounted_mark(mark, alloc_flags);

	free_pages -= (s64)__zone_watermark_unusable_free(z, order, alloc_flags);
	if (free_pages <= min + z->lowmem_reserve[highest_zoneidx])
		return false;
	return !order || has_usable_buddy(m, z, order, alloc_flags);
}

bool zone_watermark_ok(const struct memory *m, const struct zone *z, u32 order, u32 mark,
		       u32 highest_zoneidx, u32 alloc_flags)
{
	return __zone_watermark_ok(m, z, order, mark, highest_zoneidx, alloc_flags,
				   (s64)zone_page_state(z, NR_FREE_PAGES));
}

/*
 * The check of the allocation path. A plain order-0 request is answered without
 * discounts. A boost must not starve order-0 requests with MIN_RESERVE: they are
 * checked again with the raw MIN. That second chance asks for the mark bits in
 * the flags, not for @mark, so it also applies when the HIGH mark is tested with
 * slow-path flags, whose bits say MIN (spec 5.3).
 */
bool zone_watermark_fast(const struct memory *m, const struct zone *z, u32 order, u32 mark,
			 u32 highest_zoneidx, u32 alloc_flags)
{
	u64 free_pages = zone_page_state(z, NR_FREE_PAGES);

	if (!order) {
		u64 unusable = __zone_watermark_unusable_free(z, 0, alloc_flags);

		if (free_pages > unusable &&
		    free_pages - unusable > (u64)mark + z->lowmem_reserve[highest_zoneidx])
			return true;
	}
	if (__zone_watermark_ok(m, z, order, mark, highest_zoneidx, alloc_flags, (s64)free_pages))
		return true;
	if (order || !z->watermark_boost || !(alloc_flags & ALLOC_MIN_RESERVE) ||
	    (alloc_flags & ALLOC_WMARK_MASK) != ALLOC_WMARK_MIN)
		return false;
	return __zone_watermark_ok(m, z, order, z->_watermark[WMARK_MIN], highest_zoneidx,
				   alloc_flags, (s64)free_pages);
}
