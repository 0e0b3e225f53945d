/* SPDX-License-Identifier: GPL-2.0-only */
/* Watermark arithmetic for properties (spec 5.1 - 5.4). */
#include "properties/wmark.h"

#define MAIN_TYPES (BIT(MIGRATE_UNMOVABLE) | BIT(MIGRATE_MOVABLE) | BIT(MIGRATE_RECLAIMABLE))

/* Off with a factor of 0, and where four blocks are more than the zone has. */
u64 wmark_boost_limit(const struct view *view, const struct zone *z)
{
	u64 block = BIT(view->machine->pageblock_order);
	u64 limit = mult_frac(z->_watermark[WMARK_HIGH],
			      view->global->sysctl[SYSCTL_WATERMARK_BOOST_FACTOR], 10000);

	if (!limit || 4 * block > z->managed_pages)
		return 0;
	return limit > block ? limit : block;
}

s64 wmark_unusable(const struct zone *z, u32 order, u32 alloc_flags)
{
	s64 unusable = (s64)BIT(order) - 1;

	if (!(alloc_flags & ALLOC_RESERVES))
		unusable += z->nr_free_highatomic;
	if (!(alloc_flags & ALLOC_CMA))
		unusable += z->vm_stat[NR_FREE_CMA_PAGES];
	return unusable;
}

/* MIN_RESERVE halves; NON_BLOCK takes another quarter of that, but only then; OOM halves again. */
s64 wmark_discounted(u32 mark, u32 alloc_flags)
{
	s64 min = mark;

	if (alloc_flags & ALLOC_MIN_RESERVE)
		min -= min / 2;
	if ((alloc_flags & ALLOC_MIN_RESERVE) && (alloc_flags & ALLOC_NON_BLOCK))
		min -= min / 4;
	if (alloc_flags & ALLOC_OOM)
		min -= min / 2;
	return min;
}

u32 wmark_usable_types(u32 alloc_flags)
{
	u32 types = MAIN_TYPES;

	if (alloc_flags & ALLOC_CMA)
		types |= BIT(MIGRATE_CMA);
	if (alloc_flags & (ALLOC_HIGHATOMIC | ALLOC_OOM))
		types |= BIT(MIGRATE_HIGHATOMIC);
	return types;
}

static bool has_buddy(const struct wmark *w, u32 order, u32 types)
{
	for (; order < NR_ORDERS; order++) {
		if (wmark_has(w, order, types))
			return true;
	}
	return false;
}

bool wmark_ok(const struct wmark *w, u32 order, u32 mark, u32 hidx, u32 alloc_flags, s64 free_pages)
{
	s64 usable = free_pages - wmark_unusable(w->zone, order, alloc_flags);

	if (usable <= wmark_discounted(mark, alloc_flags) + (s64)w->zone->lowmem_reserve[hidx])
		return false;
	return !order || has_buddy(w, order, wmark_usable_types(alloc_flags));
}

/*
 * Order 0 passes without discounts first. The second chance with the raw MIN mark looks at the
 * mark bits of the flags, whatever @mark is (the quirk of spec 5.3).
 */
bool wmark_fast(const struct wmark *w, u32 order, u32 mark, u32 hidx, u32 alloc_flags)
{
	const struct zone *z = w->zone;
	s64 free_pages = z->vm_stat[NR_FREE_PAGES];

	if (!order && free_pages - wmark_unusable(z, 0, alloc_flags) >
			      (s64)mark + (s64)z->lowmem_reserve[hidx])
		return true;
	if (wmark_ok(w, order, mark, hidx, alloc_flags, free_pages))
		return true;
	return !order && (alloc_flags & ALLOC_MIN_RESERVE) && z->watermark_boost &&
	       (alloc_flags & ALLOC_WMARK_MASK) == ALLOC_WMARK_MIN &&
	       wmark_ok(w, 0, z->_watermark[WMARK_MIN], hidx, alloc_flags, free_pages);
}

/* Of two marks the lower one decides whether one of them is passed. */
bool wmark_admits(const struct wmark *w, u32 order, u32 hidx, u32 alloc_flags)
{
	u32 mark = wmark_boosted(w->zone, alloc_flags & ALLOC_WMARK_MASK);

	if (alloc_flags & ALLOC_NO_WATERMARKS)
		return true;
	if (!(w->zone->flags & ZONE_BELOW_HIGH))
		mark = min_u32(mark, wmark_boosted(w->zone, WMARK_HIGH));
	return wmark_fast(w, order, mark, hidx, alloc_flags);
}
