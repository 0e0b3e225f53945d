/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fallback before claims and steals were told apart: one search, from the largest buddy
 * down, and then as much of its block as one can get (spec 9.1 - 9.3).
 *
 *      B   the block, if it is worth it, else a page of that buddy, however large it is
 *      A   the free pages of the block are moved first; only then is it asked whether the
 *          block is worth it. If not, they stay where they are, in lists that are not of
 *          the block's type.
 *
 * Of A and B, this is all that is here: the rest of the allocator is that of 7.3.
 */
#include "model/internal.h"

/*
 * The order of the buddy to take, and its type in *@mt; -1: there is none. A movable request that
 * cannot have a whole block takes the smallest buddy instead of the largest.
 */
static s32 find_fallback(struct memory *m, const struct zone *z, u32 order, u32 start_mt,
			 u32 alloc_flags, s32 *mt)
{
	u32 min_order = order;
	u32 o = m->max_page_order + 1;

	if (alloc_flags & ALLOC_NOFRAGMENT)
		min_order = max_u32(order, m->pageblock_order);
	do {
		if (o-- == min_order)
			return -1;
		*mt = find_suitable_fallback(m, z, o, start_mt, false);
	} while (*mt == FALLBACK_EMPTY);
	if (should_try_claim_block(m, o, start_mt))
		return (s32)o;
	for (o = order;; o++) {
		*mt = find_suitable_fallback(m, z, o, start_mt, false);
		if (*mt != FALLBACK_EMPTY)
			return (s32)o;
	}
}

static void boost(struct memory *m, struct zone *z, u32 alloc_flags)
{
	if (boost_watermark(m, z) && (alloc_flags & ALLOC_KSWAPD))
		zone_set_flags(m, z, ZONE_BOOSTED_WATERMARK, 0);
}

/* ---- B: a page ----------------------------------------------------------- */

u32 __rmqueue_fallback_page(struct memory *m, struct zone *z, u32 order, u32 start_mt,
			    u32 alloc_flags)
{
	s32 mt, o = find_fallback(m, z, order, start_mt, alloc_flags, &mt);
	u32 head, pfn = PFN_NONE;

	if (o < 0)
		return PFN_NONE;
	head = get_page_from_free_area(m, z, (u32)o, (u32)mt);
	if (should_try_claim_block(m, (u32)o, start_mt))
		pfn = try_to_claim_block(m, z, head, (u32)o, order, start_mt, (u32)mt, alloc_flags);
	else
		boost(m, z, alloc_flags);
	if (pfn == PFN_NONE) {
		page_del_and_expand(m, z, head, order, (u32)o, (u32)mt);
		pfn = head;
	}
	emit_extfrag(m, z, pfn, order, (u32)o, start_mt, (u32)mt);
	return pfn;
}

/* ---- A: pages are moved to the lists of the type ------------------------- */

/* Move what is free in the block of @pfn, as far as the zone has it; how much, and what could move. */
static u32 move_block(struct memory *m, struct zone *z, u32 pfn, u32 block_mt, u32 mt,
		      u32 *num_movable)
{
	u32 start = align_down(pfn, m->pageblock_nr_pages);
	u32 end = start + m->pageblock_nr_pages;
	u32 moved = 0;

	*num_movable = 0;
	if (!zone_spans_pfn(z, end - 1))
		return 0;
	if (!zone_spans_pfn(z, start))
		start = pfn;
	m->scans++;
	while (start < end) {
		u32 order = 0;

		if (page_has(m, start, PG_BUDDY)) {
			order = buddy_order(m, start);
			move_to_free_list(m, z, start, order, block_mt, mt);
			moved += BIT(order);
		} else if (page_has(m, compound_head(m, start), PG_LRU | PG_MOVABLE_OPS)) {
			++*num_movable;
		}
		start += BIT(order);
	}
	return moved;
}

/* False: nothing moved, so the buddy must go alone. */
static bool steal_block(struct memory *m, struct zone *z, u32 pfn, u32 start_mt, u32 block_mt)
{
	u32 num_movable, alike = 0;
	u32 moved = move_block(m, z, pfn, block_mt, start_mt, &num_movable);

	if (start_mt == MIGRATE_MOVABLE)
		alike = num_movable;
	else if (block_mt == MIGRATE_MOVABLE)
		alike = m->pageblock_nr_pages - (moved + num_movable);
	if (moved && (moved + alike >= m->pageblock_nr_pages / 2 ||
		      m->global->page_group_by_mobility_disabled))
		set_pageblock_migratetype(m, pfn, start_mt);
	return moved;
}

static void steal_suitable_fallback(struct memory *m, struct zone *z, u32 pfn, u32 start_mt,
				    u32 alloc_flags, bool whole_block)
{
	u32 order = buddy_order(m, pfn);
	u32 block_mt = get_pfnblock_migratetype(m, pfn);

	if (order >= m->pageblock_order) {
		change_pageblock_range(m, pfn, order, start_mt);
	} else if (block_mt != MIGRATE_HIGHATOMIC) {
		boost(m, z, alloc_flags);
		if (whole_block && steal_block(m, z, pfn, start_mt, block_mt))
			return;
	}
	move_to_free_list(m, z, pfn, order, block_mt, start_mt);
}

bool __rmqueue_fallback(struct memory *m, struct zone *z, u32 order, u32 start_mt, u32 alloc_flags)
{
	s32 mt, o = find_fallback(m, z, order, start_mt, alloc_flags, &mt);
	u32 pfn;

	if (o < 0)
		return false;
	pfn = get_page_from_free_area(m, z, (u32)o, (u32)mt);
	steal_suitable_fallback(m, z, pfn, start_mt, alloc_flags,
				should_try_claim_block(m, (u32)o, start_mt));
	emit_extfrag(m, z, pfn, order, (u32)o, start_mt, (u32)mt);
	return true;
}
