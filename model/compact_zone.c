/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Closed compaction: what a compaction does to a zone, as a function of the state
 * alone (spec 6.9). Two scanners walk towards each other:
 *
 *      migrate scanner ->                                   <- free scanner
 *      [ m x . m | . . . . | x m . . |   ...   | . m . . | x . . m . . ]
 *        `-------------------------------------------------------' moves here
 *
 * The rule:
 *
 *   - sources are the LRU folios, in PFN order, that can move and are smaller than
 *     the wanted buddy and than a block; ASYNC looks only into blocks of the
 *     request's own kind (a movable request: MOVABLE or CMA);
 *   - the target is the highest free buddy above the source's block that is large
 *     enough, in a MOVABLE or CMA block (any but an isolated one with SYNC_FULL), and
 *     itself smaller than the wanted buddy and than a block. __isolate_free_page() takes
 *     it out, or refuses below the MIN mark: then the next lower one is tried. The
 *     folio gets the upper end, the rest goes back to the lists;
 *   - after each block that something left, this CPU's lists are drained, so that
 *     what was freed can merge; SUCCESS if a page was captured, or a buddy of the
 *     wanted order is on a list that the request can take it from;
 *   - COMPLETE at the end of the zone.
 */
#include "model/internal.h"

struct compact_scan {
	const struct compact_control *cc;
	struct zone *zone;
	/* The free scanner, for each order of folio: pages from here on have been looked at. */
	u32 free_pfn[NR_ORDERS];
};

static bool is_migrate_movable(u32 mt)
{
	return mt == MIGRATE_MOVABLE || mt == MIGRATE_CMA;
}

/* Orders below it may be moved, and broken up to make room. */
static u32 order_limit(const struct memory *m, const struct compact_control *cc)
{
	return min_u32(cc->order, m->pageblock_order);
}

/* ---- free scanner -------------------------------------------------------- */

static bool suitable_migration_target(const struct memory *m, const struct compact_scan *scan,
				      u32 pfn, u32 order)
{
	u32 mt;

	if (!page_has(m, pfn, PG_BUDDY) || buddy_order(m, pfn) < order ||
	    buddy_order(m, pfn) >= order_limit(m, scan->cc))
		return false;
	mt = get_pfnblock_migratetype(m, pfn);
	if (scan->cc->priority == COMPACT_PRIO_SYNC_FULL)
		return mt != MIGRATE_ISOLATE;
	return is_migrate_movable(mt);
}

/*
 * Take the upper 2^order pages of the free buddy @pfn, or PFN_NONE if it may not
 * be taken.
 *
 *      order 3 for a folio of order 1:   [    2    |  1  ][folio]
 *                                        back to the lists
 */
static u32 take_upper_end(struct memory *m, struct zone *z, u32 pfn, u32 order)
{
	u32 buddy = buddy_order(m, pfn);
	u32 taken;

	zone_lock(m, z);
	taken = __isolate_free_page(m, pfn, buddy);
	while (taken && buddy > order) {
		buddy--;
		__putback_isolated_page(m, pfn, buddy, get_pfnblock_migratetype(m, pfn));
		pfn += BIT(buddy);
	}
	zone_unlock(m, z);
	return taken ? pfn : PFN_NONE;
}

/* A free page of @order at or above @limit, or PFN_NONE. */
static u32 compaction_alloc(struct memory *m, struct compact_scan *scan, u32 order, u32 limit)
{
	u32 *cursor = &scan->free_pfn[order];

	while (*cursor > limit) {
		u32 pfn = --*cursor;

		if (!suitable_migration_target(m, scan, pfn, order))
			continue;
		pfn = take_upper_end(m, scan->zone, pfn, order);
		if (pfn != PFN_NONE) {
			*cursor = pfn;
			return pfn;
		}
	}
	return PFN_NONE;
}

/* A folio did not move: its target is free again. */
static void compaction_free(struct memory *m, struct compact_scan *scan, u32 pfn, u32 order)
{
	zone_lock(m, scan->zone);
	__putback_isolated_page(m, pfn, order, get_pfnblock_migratetype(m, pfn));
	zone_unlock(m, scan->zone);
}

/* ---- migrate scanner ----------------------------------------------------- */

static bool suitable_migration_source(const struct memory *m, const struct compact_control *cc,
				      u32 pfn)
{
	u32 mt = get_pfnblock_migratetype(m, pfn);

	if (mt == MIGRATE_ISOLATE)
		return false;
	if (cc->priority != COMPACT_PRIO_ASYNC || !cc->direct)
		return true;
	return cc->migratetype == MIGRATE_MOVABLE ? is_migrate_movable(mt) : mt == cc->migratetype;
}

/* Move what can be moved out of [start, end), which is one block or less; false: nothing was. */
static bool migrate_block(struct memory *m, struct compact_scan *scan, u32 start, u32 end)
{
	bool moved = false;
	u32 order;

	for (u32 pfn = start; pfn < end; pfn += BIT(order)) {
		u32 dst;

		order = compound_order(m, pfn);
		/* Without a reference, nobody can get hold of it to move it. */
		if (!page_has(m, pfn, PG_LRU) || !m->pages[pfn].refcount ||
		    !folio_can_migrate(m, pfn) || order >= order_limit(m, scan->cc))
			continue;
		dst = compaction_alloc(m, scan, order, end);
		if (dst == PFN_NONE)
			continue;
		if (migrate_folio(m, pfn, dst, scan->cc->gfp))
			moved = true;
		else
			compaction_free(m, scan, dst, order);
	}
	return moved;
}

/* ---- the zone ------------------------------------------------------------ */

/* CONTINUE, or SUCCESS. */
static enum compact_result compact_finished(struct memory *m, const struct zone *z,
					    const struct compact_control *cc)
{
	u32 mt = cc->migratetype;

	if (m->capture && m->capture->pfn != PFN_NONE)
		return COMPACT_SUCCESS;
	/* Under defrag_mode, kcompactd works for the marks in whole blocks. */
	if (defrag_mode(m) && !cc->direct) {
		s64 free_pages = (s64)zone_page_state(z, NR_FREE_PAGES_BLOCKS);

		if (__zone_watermark_ok(m, z, cc->order, wmark_pages(z, WMARK_HIGH),
					cc->highest_zoneidx, cc->alloc_flags, free_pages))
			return COMPACT_SUCCESS;
		return COMPACT_CONTINUE;
	}
	for (u32 order = cc->order; order <= m->max_page_order; order++) {
		if (!free_area_empty(m, z, order, mt))
			return COMPACT_SUCCESS;
		if (mt == MIGRATE_MOVABLE && !free_area_empty(m, z, order, MIGRATE_CMA))
			return COMPACT_SUCCESS;
		if (find_suitable_fallback(m, z, order, mt, true) >= 0)
			return COMPACT_SUCCESS;
	}
	return COMPACT_CONTINUE;
}

enum compact_result compact_zone(struct memory *m, struct zone *z, const struct compact_control *cc)
{
	struct compact_scan scan = {.cc = cc, .zone = z};
	const u32 end = zone_end_pfn(z);
	u32 blocks = 0;
	u32 next;

	for (u32 order = 0; order < NR_ORDERS; order++)
		scan.free_pfn[order] = end;
	for (u32 pfn = z->zone_start_pfn; pfn < end; pfn = next) {
		next = min_u32(align_down(pfn, m->pageblock_nr_pages) + m->pageblock_nr_pages, end);
		if (!suitable_migration_source(m, cc, pfn) || !migrate_block(m, &scan, pfn, next))
			continue;
		drain_local_pages(m, z);
		if (compact_finished(m, z, cc) == COMPACT_SUCCESS)
			return COMPACT_SUCCESS;
		if (++blocks == cc->blocks)
			return COMPACT_CONTINUE;
	}
	/* The next compaction starts afresh (spec 6.5). */
	if (cc->direct)
		SET(m, z->compact_blockskip_flush, 1);
	return COMPACT_COMPLETE;
}
