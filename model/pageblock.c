/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pageblocks: the type of a block, the isolate bit that lies over it, and moving
 * all free pages of a block to the lists of another type (spec 2.3, 3.12, 7.4).
 *
 *      flags of a block   | . . . I S t t t |   I isolate, S compact_skip, t stored type
 *
 * With I set the block counts as ISOLATE; the stored type survives below.
 */
#include "model/internal.h"

static void set_pageblock_flags(struct memory *m, u32 pfn, u32 set, u32 clear)
{
	u8 *flags = pageblock_flags(m, pfn);
	u8 value = (u8)((*flags & ~clear) | set);

	if (value != *flags)
		SET(m, *flags, value);
}

void set_pageblock_migratetype(struct memory *m, u32 pfn, u32 mt)
{
	if (m->global->page_group_by_mobility_disabled && mt < MIGRATE_PCPTYPES)
		mt = MIGRATE_UNMOVABLE;
	set_pageblock_flags(m, pfn, mt, PB_MIGRATETYPE_MASK | PB_ISOLATE);
}

void set_pageblock_isolate(struct memory *m, u32 pfn, bool on)
{
	set_pageblock_flags(m, pfn, on ? PB_ISOLATE : 0, PB_ISOLATE);
}

void change_pageblock_range(struct memory *m, u32 pfn, u32 order, u32 mt)
{
	for (u32 end = pfn + BIT(order); pfn < end; pfn += m->pageblock_nr_pages)
		set_pageblock_migratetype(m, pfn, mt);
}

bool migratetype_is_mergeable(u32 mt)
{
	return mt < MIGRATE_PCPTYPES;
}

/* ---- moving the free pages of a block ------------------------------------ */

/*
 * Pages in buddies, and pages that look movable: head and tails of a folio count
 * alike. The block may begin or end inside a folio that is larger.
 */
static void count_block(const struct memory *m, u32 pfn, u32 end, u32 *num_free, u32 *num_movable)
{
	*num_free = 0;
	*num_movable = 0;
	while (pfn < end) {
		u32 head = compound_head(m, pfn);
		u32 next = min_u32(head + BIT(compound_order(m, head)), end);

		if (page_has(m, pfn, PG_BUDDY)) {
			next = pfn + BIT(buddy_order(m, pfn));
			*num_free += next - pfn;
		} else if (page_has(m, head, PG_LRU | PG_MOVABLE_OPS)) {
			*num_movable += next - pfn;
		}
		pfn = next;
	}
}

bool prep_move_freepages_block(struct memory *m, struct zone *z, u32 pfn, u32 *start, u32 *num_free,
			       u32 *num_movable)
{
	u32 first = align_down(pfn, m->pageblock_nr_pages);
	u32 end = first + m->pageblock_nr_pages;

	/* The lock of @z does not cover what lies in other zones. */
	if (!zone_spans_pfn(z, first) || !zone_spans_pfn(z, end - 1))
		return false;
	*start = first;
	if (num_free) {
		m->scans++;
		count_block(m, first, end, num_free, num_movable);
	}
	return true;
}

u32 __move_freepages_block(struct memory *m, struct zone *z, u32 start, u32 old_mt, u32 new_mt)
{
	u32 end = start + m->pageblock_nr_pages;
	u32 moved = 0;

	m->scans++;
	for (u32 pfn = start; pfn < end;) {
		u32 order;

		if (!page_has(m, pfn, PG_BUDDY)) {
			pfn++;
			continue;
		}
		order = buddy_order(m, pfn);
		move_to_free_list(m, z, pfn, order, old_mt, new_mt);
		pfn += BIT(order);
		moved += BIT(order);
	}
	return moved;
}

s32 move_freepages_block(struct memory *m, struct zone *z, u32 pfn, u32 old_mt, u32 new_mt)
{
	u32 start, moved;

	if (!prep_move_freepages_block(m, z, pfn, &start, NULL, NULL))
		return -1;
	moved = __move_freepages_block(m, z, start, old_mt, new_mt);
	set_pageblock_migratetype(m, start, new_mt);
	return (s32)moved;
}

/* ---- isolation (spec 7.4) ------------------------------------------------ */

/*
 * A buddy larger than the block is taken apart, so that the block's part of it
 * can lie on other lists than the rest:
 *
 *      [        order 10, M        ]   isolate the second block
 *      [ order 9, M ][ order 9, I  ]
 */
static bool __move_freepages_block_isolate(struct memory *m, struct zone *z, u32 pfn, bool isolate)
{
	u32 start, buddy, type;

	if (get_pageblock_isolate(m, pfn) == isolate) {
		warn(m, WARN_ISOLATE_STATE);
		return false;
	}
	if (!prep_move_freepages_block(m, z, pfn, &start, NULL, NULL))
		return false;

	buddy = find_large_buddy(m, start);
	if (page_has(m, buddy, PG_BUDDY) && buddy_order(m, buddy) > m->pageblock_order) {
		u32 order = buddy_order(m, buddy);

		del_page_from_free_list(m, z, buddy, order, get_pfnblock_migratetype(m, buddy));
		set_pageblock_isolate(m, start, isolate);
		split_large_buddy(m, z, buddy, order, FPI_NONE);
		return true;
	}
	type = get_pageblock_stored_type(m, start);
	if (isolate)
		__move_freepages_block(m, z, start, type, MIGRATE_ISOLATE);
	else
		__move_freepages_block(m, z, start, MIGRATE_ISOLATE, type);
	set_pageblock_isolate(m, start, isolate);
	return true;
}

bool pageblock_isolate_and_move_free_pages(struct memory *m, struct zone *z, u32 pfn)
{
	return __move_freepages_block_isolate(m, z, pfn, true);
}

bool pageblock_unisolate_and_move_free_pages(struct memory *m, struct zone *z, u32 pfn)
{
	return __move_freepages_block_isolate(m, z, pfn, false);
}
