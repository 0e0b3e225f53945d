/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Isolating a range of pageblocks, so that nobody allocates from it: what is free
 * there moves to the ISOLATE lists, what is freed later goes there too (spec 7.3, 7.4).
 *
 *               start               end
 *                 v                  v
 *      |.....[....x....|.........|...x....]......|     blocks touched by the range
 *            S first        inner   E - 1 last
 *
 * The first and the last block come first, because something may reach across
 * their outer edges.
 */
#include <errno.h>

#include "model/internal.h"

/* ---- may a page be expected to go away? ---------------------------------- */

bool page_is_unmovable(struct memory *m, const struct zone *z, u32 pfn, enum pb_isolate_mode mode,
		       u32 *step)
{
	const struct page *page = &m->pages[pfn];

	*step = 1;
	/* Holes are reserved pages. */
	if (!pfn_online(m, pfn) || (page->flags & PG_RESERVED))
		return true;
	/* Nothing else that does not move should be here; the step stays 1. */
	if (z->type == ZONE_MOVABLE)
		return false;
	if (page->flags & (PG_HEAD | PG_TAIL)) {
		u32 head = compound_head(m, pfn);
		bool movable = page_has(m, head, PG_HUGETLB) ? m->machine.hugetlb_migration
							     : page_has(m, head, PG_LRU);

		if (movable)
			*step = head + BIT(compound_order(m, head)) - pfn;
		return !movable;
	}
	/* Free, on its way (pcp), or frozen: the last is found out only later. */
	if (!page->refcount) {
		if (page->flags & PG_BUDDY)
			*step = BIT(buddy_order(m, pfn));
		return false;
	}
	if (mode == PB_ISOLATE_MODE_MEM_OFFLINE && (page->flags & PG_HWPOISON))
		return false;
	return !(page->flags & (PG_LRU | PG_MOVABLE_OPS));
}

/* In [start, end), which lies in one block. */
static bool has_unmovable_pages(struct memory *m, const struct zone *z, u32 start, u32 end,
				enum pb_isolate_mode mode)
{
	u32 step;

	/* The owner of a CMA area may isolate it whatever is in it, and nobody else may. */
	if (get_pfnblock_migratetype(m, start) == MIGRATE_CMA)
		return mode != PB_ISOLATE_MODE_CMA_ALLOC;
	for (u32 pfn = start; pfn < end; pfn += step)
		if (page_is_unmovable(m, z, pfn, mode, &step))
			return true;
	return false;
}

/* ---- one block ----------------------------------------------------------- */

bool set_migratetype_isolate(struct memory *m, u32 block, enum pb_isolate_mode mode, u32 start,
			     u32 end)
{
	struct zone *z;
	bool isolated;

	/* A block that begins in a hole crosses the boundary of the zone that comes next. */
	z = &m->zones[page_zone_link(m, block)];
	start = max_u32(start, block);
	end = min_u32(end, block + m->pageblock_nr_pages);
	zone_lock(m, z);
	isolated = !get_pageblock_isolate(m, block) &&
		   !has_unmovable_pages(m, z, start, end, mode) &&
		   pageblock_isolate_and_move_free_pages(m, z, block);
	if (isolated)
		SET(m, z->nr_isolate_pageblock, z->nr_isolate_pageblock + 1);
	zone_unlock(m, z);
	return isolated;
}

/*
 * The order of a free buddy at @block that would merge as soon as the block is not
 * isolated any more, or 0:
 *
 *      [ order 9, M ][ order 9, I ]  ->  [        order 10, M       ]
 */
static u32 mergeable_order(const struct memory *m, const struct zone *z, u32 block)
{
	u32 order, buddy;

	if (!page_has(m, block, PG_BUDDY))
		return 0;
	order = buddy_order(m, block);
	if (order < m->pageblock_order || order >= m->max_page_order)
		return 0;
	buddy = block ^ BIT(order);
	if (!page_is_buddy(m, buddy, order, z->index) || get_pageblock_isolate(m, buddy))
		return 0;
	return order;
}

void unset_migratetype_isolate(struct memory *m, u32 block)
{
	struct zone *z = page_zone(m, block);
	u32 order;

	zone_lock(m, z);
	if (get_pageblock_isolate(m, block)) {
		order = mergeable_order(m, z, block);
		if (order) {
			__isolate_free_page(m, block, order);
			set_pageblock_isolate(m, block, false);
			__putback_isolated_page(m, block, order,
						get_pfnblock_migratetype(m, block));
		} else {
			pageblock_unisolate_and_move_free_pages(m, z, block);
		}
		SET(m, z->nr_isolate_pageblock, z->nr_isolate_pageblock - 1);
	}
	zone_unlock(m, z);
}

/* ---- the block at an edge of the range ----------------------------------- */

/* Where the thing that begins at or covers @pfn ends, or 0: it reaches across @boundary. */
static u32 skip_thing(const struct memory *m, u32 pfn, u32 boundary)
{
	u32 head = compound_head(m, pfn);
	u32 end = head + BIT(compound_order(m, head));

	if (page_has(m, pfn, PG_BUDDY)) {
		end = pfn + BIT(buddy_order(m, pfn));
		return end <= boundary ? end : 0;
	}
	/* A hugetlb page may: it is migrated or replaced as a whole (7.2 steps 5 and 6). */
	return end <= boundary || page_has(m, head, PG_HUGETLB) ? end : 0;
}

/*
 * Isolate the block before or after @boundary, an edge of the range, and see that
 * nothing lies across it. @skip_isolation: the block is isolated already.
 */
static int isolate_single_pageblock(struct memory *m, u32 boundary, enum pb_isolate_mode mode,
				    bool isolate_before, bool skip_isolation)
{
	u32 block = isolate_before ? boundary - m->pageblock_nr_pages : boundary;
	u32 other_side = isolate_before ? boundary : boundary - 1;
	u32 pfn;

	if (!skip_isolation &&
	    !set_migratetype_isolate(m, block, mode, block, block + m->pageblock_nr_pages))
		return -EBUSY;
	if (!pfn_online(m, other_side))
		return 0;

	pfn = max_u32(align_down(block, BIT(m->max_page_order)),
		      page_zone(m, block)->zone_start_pfn);
	while (pfn < boundary) {
		pfn = skip_thing(m, pfn, boundary);
		if (!pfn) {
			if (!skip_isolation)
				unset_migratetype_isolate(m, block);
			return -EBUSY;
		}
	}
	return 0;
}

/* ---- a range ------------------------------------------------------------- */

static bool block_is_hole(const struct memory *m, u32 block)
{
	for (u32 pfn = block; pfn < block + m->pageblock_nr_pages; pfn++)
		if (pfn_online(m, pfn))
			return false;
	return true;
}

int start_isolate_page_range(struct memory *m, u32 start, u32 end, enum pb_isolate_mode mode)
{
	u32 first = align_down(start, m->pageblock_nr_pages);
	u32 behind = align_up(end, m->pageblock_nr_pages);
	u32 last = behind - m->pageblock_nr_pages;
	int err;

	err = isolate_single_pageblock(m, first, mode, false, false);
	if (err)
		return err;
	err = isolate_single_pageblock(m, behind, mode, true, first == last);
	if (err) {
		unset_migratetype_isolate(m, first);
		return err;
	}
	for (u32 pfn = first + m->pageblock_nr_pages; pfn < last; pfn += m->pageblock_nr_pages) {
		if (block_is_hole(m, pfn) || set_migratetype_isolate(m, pfn, mode, start, end))
			continue;
		undo_isolate_page_range(m, first, pfn);
		unset_migratetype_isolate(m, last);
		return -EBUSY;
	}
	return 0;
}

void undo_isolate_page_range(struct memory *m, u32 start, u32 end)
{
	u32 pfn = align_down(start, m->pageblock_nr_pages);

	/* Also blocks that somebody else isolated (7.2, DONE). */
	for (; pfn < end; pfn += m->pageblock_nr_pages)
		if (pfn_online(m, pfn) && get_pageblock_isolate(m, pfn))
			unset_migratetype_isolate(m, pfn);
}

/* ---- has everything in it become free? ----------------------------------- */

/* First page that is not free, or where the last buddy ends. */
static u32 first_busy_page(const struct memory *m, u32 pfn, u32 end, enum pb_isolate_mode mode)
{
	while (pfn < end) {
		if (page_has(m, pfn, PG_BUDDY))
			pfn += BIT(buddy_order(m, pfn));
		else if (mode == PB_ISOLATE_MODE_MEM_OFFLINE && page_has(m, pfn, PG_HWPOISON))
			pfn++;
		else
			break;
	}
	return pfn;
}

int test_pages_isolated(struct memory *m, u32 start, u32 end, enum pb_isolate_mode mode)
{
	u32 pfn = start;

	/* One sample a block, at the offset that @start has in its own. */
	while (pfn < end && get_pageblock_isolate(m, pfn))
		pfn += m->pageblock_nr_pages;
	if (pfn >= end) {
		struct zone *z = page_zone(m, start);

		zone_lock(m, z);
		pfn = first_busy_page(m, start, end, mode);
		zone_unlock(m, z);
	}
	EMIT(m, EV_TEST_PAGES_ISOLATED, .zone = ZONE_ANY, .order = -1, .pfn = start, .a = end,
	     .b = pfn);
	return pfn < end ? -EBUSY : 0;
}
