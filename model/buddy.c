/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Buddies: merging them on free, splitting them on allocation, taking one out
 * (spec 3.5, 3.6, 3.9, 3.11, 4.9, 7.2).
 *
 *      order 1   [ 0     ][ 2     ]      buddy of p at order o:  p ^ (1 << o)
 *      order 0   [ 0 ][ 1 ][ 2 ][ 3 ]    parent of the two:      the lower one
 */
#include "model/internal.h"

/* ---- free ---------------------------------------------------------------- */

/*
 * Will the page soon be part of something larger? True if its parent's buddy is
 * free: the page then goes to the tail, so that it is taken last.
 *
 *      [ p ][ used ][   free   ]
 *        parent       its buddy
 *
 * The parent may lie just below the page's zone; its own zone counts (spec 3.9).
 */
static bool buddy_merge_likely(const struct memory *m, u32 pfn, u32 order)
{
	u32 parent = pfn & ~BIT(order);

	if (order + 1 >= m->max_page_order)
		return false;
	return page_is_buddy(m, parent ^ BIT(order + 1), order + 1, page_zone_link(m, parent));
}

/* Does the compaction that runs want this page? It then never gets on a list (L732). */
static bool compaction_capture(struct memory *m, const struct zone *z, u32 pfn, u32 order, u32 mt)
{
	struct capture_control *capc = m->capture;

	if (!capc || capc->zone != z || capc->pfn != PFN_NONE || task_is(m, TASK_KTHREAD))
		return false;
	if (order != capc->order || mt == MIGRATE_CMA || mt == MIGRATE_ISOLATE)
		return false;
	/* Would bring unmovable pages into a movable block. */
	if (order < m->pageblock_order && mt == MIGRATE_MOVABLE &&
	    capc->migratetype != MIGRATE_MOVABLE)
		return false;
	if (mt != capc->migratetype)
		EMIT(m, EV_MM_PAGE_ALLOC_EXTFRAG, .zone = z->index, .order = (s8)order, .pfn = pfn,
		     .gfp = get_pfnblock_migratetype(m, pfn) == capc->migratetype, .a = order,
		     .b = capc->migratetype, .c = mt);
	capc->pfn = pfn;
	EMIT(m, EV_CAPTURE, .zone = z->index, .order = (s8)order, .pfn = pfn, .a = mt);
	return true;
}

/* Spec 3.9: merge as far as it goes, then insert. */
void __free_one_page(struct memory *m, u32 pfn, struct zone *z, u32 order, u32 mt, fpi_t fpi)
{
	account_freepages(m, z, 1 << order, mt);

	while (order < m->max_page_order) {
		u32 buddy = pfn ^ BIT(order);
		u32 buddy_mt = mt;

		if (compaction_capture(m, z, pfn, order, mt)) {
			account_freepages(m, z, -(1 << order), mt);
			return;
		}
		if (!page_is_buddy(m, buddy, order, z->index))
			break;
		/* Smaller ones share a block, and so a type. */
		if (order >= m->pageblock_order) {
			buddy_mt = get_pfnblock_migratetype(m, buddy);
			if (buddy_mt != mt &&
			    (!migratetype_is_mergeable(mt) || !migratetype_is_mergeable(buddy_mt)))
				break;
		}
		__del_page_from_free_list(m, z, buddy, order, buddy_mt);
		if (buddy_mt != mt)
			change_pageblock_range(m, buddy, order, mt);
		pfn &= buddy;
		order++;
	}
	__add_to_free_list(m, z, pfn, order, mt,
			   (fpi & FPI_TO_TAIL) || buddy_merge_likely(m, pfn, order));
}

/* Each piece of a block or less is freed as the type of its own block; they merge again (W3). */
void split_large_buddy(struct memory *m, struct zone *z, u32 pfn, u32 order, fpi_t fpi)
{
	u32 end = pfn + BIT(order);

	order = min_u32(order, m->pageblock_order);
	for (; pfn < end; pfn += BIT(order))
		__free_one_page(m, pfn, z, order, get_pfnblock_migratetype(m, pfn), fpi);
}

void add_page_to_zone_llist(struct memory *m, struct zone *z, u32 pfn, u32 order)
{
	set_page_private(m, pfn, order);
	list_add(m, pfn, z->trylock_list);
}

/* Free what callers without the lock left behind, last added first; what they noted there stays (L1585). */
static void drain_trylock_list(struct memory *m, struct zone *z, fpi_t fpi)
{
	u32 pfn;

	while ((pfn = list_first(m, z->trylock_list)) != PFN_NONE) {
		u32 order = m->pages[pfn].private;

		list_del(m, pfn);
		split_large_buddy(m, z, pfn, order, fpi);
		count_vm_events(m, PGFREE, BIT(order));
	}
}

void free_one_page(struct memory *m, struct zone *z, u32 pfn, u32 order, fpi_t fpi)
{
	if ((fpi & FPI_NOLOCK) && (!can_trylock(m) || env_says(m, ENV_LOCK_ZONE, z))) {
		add_page_to_zone_llist(m, z, pfn, order);
		return;
	}
	zone_lock(m, z);
	if (!(fpi & FPI_NOLOCK))
		drain_trylock_list(m, z, fpi);
	split_large_buddy(m, z, pfn, order, fpi);
	zone_unlock(m, z);
	count_vm_events(m, PGFREE, BIT(order));
}

/* ---- take ---------------------------------------------------------------- */

u32 expand(struct memory *m, struct zone *z, u32 pfn, u32 low, u32 high, u32 mt)
{
	u32 nr_added = 0;

	while (high > low) {
		high--;
		__add_to_free_list(m, z, pfn + BIT(high), high, mt, false);
		nr_added += BIT(high);
	}
	return nr_added;
}

void page_del_and_expand(struct memory *m, struct zone *z, u32 pfn, u32 low, u32 high, u32 mt)
{
	s32 nr_pages = 1 << high;

	__del_page_from_free_list(m, z, pfn, high, mt);
	nr_pages -= (s32)expand(m, z, pfn, low, high, mt);
	account_freepages(m, z, -nr_pages, mt);
}

/*
 * Spec 3.11. Blocks of which at least half is taken become MOVABLE, because what
 * takes pages this way (compaction) fills them with movable ones.
 */
u32 __isolate_free_page(struct memory *m, u32 pfn, u32 order)
{
	struct zone *z = page_zone(m, pfn);
	u32 mt = get_pfnblock_migratetype(m, pfn);

	/* The raw mark, without boost (L3155). */
	if (mt != MIGRATE_ISOLATE &&
	    !zone_watermark_ok(m, z, 0, z->_watermark[WMARK_MIN] + BIT(order), 0, ALLOC_CMA))
		return 0;
	del_page_from_free_list(m, z, pfn, order, mt);
	set_page_private(m, pfn, order);
	if (order + 1 >= m->pageblock_order) {
		u32 last = pfn + BIT(order) - 1;

		for (u32 p = pfn; p < last; p += m->pageblock_nr_pages) {
			u32 block_mt = get_pfnblock_migratetype(m, p);

			if (migratetype_is_mergeable(block_mt))
				move_freepages_block(m, z, p, block_mt, MIGRATE_MOVABLE);
		}
	}
	return BIT(order);
}

void __putback_isolated_page(struct memory *m, u32 pfn, u32 order, u32 mt)
{
	set_page_private(m, pfn, 0);
	__free_one_page(m, pfn, page_zone(m, pfn), order, mt, FPI_TO_TAIL);
}

u32 find_large_buddy(const struct memory *m, u32 pfn)
{
	u32 order = pfn ? ffs0(pfn) : m->max_page_order;
	u32 head = pfn;

	while (!page_has(m, head, PG_BUDDY)) {
		if (++order > m->max_page_order)
			return pfn;
		head = align_down(pfn, BIT(order));
	}
	/* A buddy that ends before @pfn does not contain it. */
	return head + BIT(buddy_order(m, head)) > pfn ? head : pfn;
}
