/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The entries of the free path (spec 3.1, 3.2, 3.7):
 *
 *      prepare -> pcp list of this CPU            small orders, lock at hand
 *              -> buddy lists                     other orders, isolated blocks
 *              -> the zone's trylock list         no lock may be waited for
 */
#include "model/internal.h"

/* HIGHATOMIC and CMA pages wait among the movable ones (L2983). */
static u32 pcp_migratetype(u32 mt)
{
	return mt < MIGRATE_PCPTYPES ? mt : MIGRATE_MOVABLE;
}

void __free_frozen_pages(struct memory *m, u32 pfn, u32 order, fpi_t fpi)
{
	struct zone *z = page_zone(m, pfn);
	u32 mt;

	if (!__free_pages_prepare(m, pfn, order, fpi))
		return;
	mt = get_pfnblock_migratetype(m, pfn);
	if (pcp_allowed_order(m, order) && mt != MIGRATE_ISOLATE) {
		if ((fpi & FPI_NOLOCK) && !can_trylock(m)) {
			add_page_to_zone_llist(m, z, pfn, order);
			return;
		}
		if (pcp_trylock(m, this_pcp(m, z))) {
			free_frozen_page_commit(m, z, this_pcp(m, z), pfn, pcp_migratetype(mt),
						order, fpi);
			return;
		}
	}
	free_one_page(m, z, pfn, order, fpi);
}

void free_frozen_pages(struct memory *m, u32 pfn, u32 order)
{
	__free_frozen_pages(m, pfn, order, FPI_NONE);
}

void free_frozen_pages_nolock(struct memory *m, u32 pfn, u32 order)
{
	__free_frozen_pages(m, pfn, order, FPI_NOLOCK);
}

/* ---- references ---------------------------------------------------------- */

void get_page(struct memory *m, u32 pfn)
{
	u32 head = compound_head(m, pfn);

	set_page_count(m, head, m->pages[head].refcount + 1);
}

static bool put_page_testzero(struct memory *m, u32 pfn)
{
	s32 count = m->pages[pfn].refcount - 1;

	set_page_count(m, pfn, count);
	return !count;
}

void put_page(struct memory *m, u32 pfn, u32 order)
{
	if (put_page_testzero(m, pfn))
		free_frozen_pages(m, pfn, order);
}

/*
 * Somebody else may hold a reference on the first page only. The others of a
 * page that is not compound would be lost, so they are freed now (L5553).
 *
 *      order 3, first page held:   [ p ][0][  1  ][     2     ]   2 first, p stays
 */
static void ___free_pages(struct memory *m, u32 pfn, u32 order, fpi_t fpi)
{
	bool head = page_has(m, pfn, PG_HEAD);

	if (put_page_testzero(m, pfn)) {
		__free_frozen_pages(m, pfn, order, fpi);
	} else if (!head) {
		while (order-- > 0)
			__free_frozen_pages(m, pfn + BIT(order), order, fpi);
	}
}

void __free_pages(struct memory *m, u32 pfn, u32 order)
{
	___free_pages(m, pfn, order, FPI_NONE);
}

void free_pages_nolock(struct memory *m, u32 pfn, u32 order)
{
	___free_pages(m, pfn, order, FPI_NOLOCK);
}

/* ---- batches of folios (spec 3.7) ---------------------------------------- */

/* A poisoned page keeps its mark and goes nowhere. */
static bool folio_waits_for_pcp(const struct memory *m, u32 pfn, u32 order)
{
	return pcp_allowed_order(m, order) && !page_has(m, pfn, PG_HWPOISON);
}

void free_unref_folios(struct memory *m, const u32 *pfns, const u8 *orders, u32 nr)
{
	struct zone *locked_zone = NULL; /* whose pcp is held */

	for (u32 i = 0; i < nr; i++) {
		if (!__free_pages_prepare(m, pfns[i], orders[i], FPI_NONE))
			continue;
		if (pcp_allowed_order(m, orders[i]))
			set_page_private(m, pfns[i], orders[i]);
		else
			free_one_page(m, page_zone(m, pfns[i]), pfns[i], orders[i], FPI_NONE);
	}
	for (u32 i = 0; i < nr; i++) {
		u32 pfn = pfns[i], order = orders[i];
		struct zone *z = page_zone(m, pfn);
		u32 mt;

		if (!folio_waits_for_pcp(m, pfn, order))
			continue;
		set_page_private(m, pfn, 0);
		mt = get_pfnblock_migratetype(m, pfn);
		if (mt == MIGRATE_ISOLATE)
			locked_zone = NULL;
		else if (z != locked_zone)
			locked_zone = pcp_trylock(m, this_pcp(m, z)) ? z : NULL;
		if (!locked_zone) {
			free_one_page(m, z, pfn, order, FPI_NONE);
			continue;
		}
		EMIT(m, EV_MM_PAGE_FREE_BATCHED, .zone = z->index, .order = -1, .pfn = pfn);
		if (!free_frozen_page_commit(m, z, this_pcp(m, z), pfn, pcp_migratetype(mt), order,
					     FPI_NONE))
			locked_zone = NULL;
	}
}
