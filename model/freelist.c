/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The free lists and everything that is counted about them (spec 2.4). Every
 * buddy enters, leaves and changes lists here, and nowhere else.
 *
 *      NR_FREE_PAGES, CMA, HIGHATOMIC    account_freepages(), once for a whole free or take
 *      nr_free, NR_FREE_PAGES_BLOCKS     with each insertion and removal
 *
 * They disagree while buddies merge, and agree when the zone is unlocked.
 */
#include "model/internal.h"

void account_freepages(struct memory *m, struct zone *z, s32 nr_pages, u32 mt)
{
	if (mt == MIGRATE_ISOLATE)
		return;
	mod_zone_page_state(m, z, NR_FREE_PAGES, nr_pages);
	if (mt == MIGRATE_CMA)
		mod_zone_page_state(m, z, NR_FREE_CMA_PAGES, nr_pages);
	else if (mt == MIGRATE_HIGHATOMIC)
		SET(m, z->nr_free_highatomic, z->nr_free_highatomic + (u32)nr_pages);
}

void __add_to_free_list(struct memory *m, struct zone *z, u32 pfn, u32 order, u32 mt, bool tail)
{
	u32 head = free_list_head(z, order, mt);

	set_page_private(m, pfn, order);
	page_set_flags(m, pfn, PG_BUDDY, 0);
	if (tail)
		list_add_tail(m, pfn, head);
	else
		list_add(m, pfn, head);
	SET(m, z->nr_free[order], z->nr_free[order] + 1);
	if (order >= m->pageblock_order && mt != MIGRATE_ISOLATE)
		mod_zone_page_state(m, z, NR_FREE_PAGES_BLOCKS, 1 << order);
}

void __del_page_from_free_list(struct memory *m, struct zone *z, u32 pfn, u32 order, u32 mt)
{
	list_del(m, pfn);
	page_set_flags(m, pfn, 0, PG_BUDDY);
	set_page_private(m, pfn, 0);
	SET(m, z->nr_free[order], z->nr_free[order] - 1);
	if (order >= m->pageblock_order && mt != MIGRATE_ISOLATE)
		mod_zone_page_state(m, z, NR_FREE_PAGES_BLOCKS, -(1 << order));
}

void del_page_from_free_list(struct memory *m, struct zone *z, u32 pfn, u32 order, u32 mt)
{
	__del_page_from_free_list(m, z, pfn, order, mt);
	account_freepages(m, z, -(1 << order), mt);
}

/* Always to the tail: the pages are the last to be used under their new type. */
void move_to_free_list(struct memory *m, struct zone *z, u32 pfn, u32 order, u32 old_mt, u32 new_mt)
{
	s32 nr_pages = 1 << order;

	list_del(m, pfn);
	list_add_tail(m, pfn, free_list_head(z, order, new_mt));
	account_freepages(m, z, -nr_pages, old_mt);
	account_freepages(m, z, nr_pages, new_mt);
	if (order >= m->pageblock_order &&
	    (old_mt == MIGRATE_ISOLATE) != (new_mt == MIGRATE_ISOLATE))
		mod_zone_page_state(m, z, NR_FREE_PAGES_BLOCKS,
				    old_mt == MIGRATE_ISOLATE ? nr_pages : -nr_pages);
}
