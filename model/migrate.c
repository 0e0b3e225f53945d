/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Moving the contents of a folio to other pages, for compaction and for
 * contiguous allocation (spec 6.9, 7.5).
 *
 *      src [ F F ]  ...  dst [ . . ]      marks and LRU place move,
 *      src [ . . ]  ...  dst [ F F ]      src goes through the free path
 */
#include "model/internal.h"

/* What the new pages inherit. */
#define FOLIO_STATE (PG_LRU | PG_MOVABLE_OPS | PG_HUGETLB | PG_CLEAN | PG_MLOCKED)

/* One reference is the owner's; a second may come from somebody who knows the old place. */
bool folio_can_migrate(const struct memory *m, u32 pfn)
{
	return !page_has(m, pfn, PG_PINNED | PG_RESERVED | PG_HWPOISON) &&
	       m->pages[pfn].refcount <= 1;
}

bool migrate_folio(struct memory *m, u32 src, u32 dst, u32 gfp)
{
	struct zone *z = page_zone(m, src);
	u32 order = compound_order(m, src);
	u32 state = m->pages[src].flags & FOLIO_STATE;

	if (!folio_can_migrate(m, src) || env_says(m, ENV_MIGRATE, z))
		return false;
	if (order)
		gfp |= __GFP_COMP;
	if (dst != PFN_NONE)
		prep_new_page(m, dst, order, gfp, 0);
	else if (order <= m->max_page_order)
		dst = alloc_frozen_pages(m, gfp, order, z->node, NODEMASK_NULL);
	if (dst == PFN_NONE)
		return false;

	/* A folio that waits in a pool has no reference, neither here nor there. */
	set_page_count(m, dst, m->pages[src].refcount);
	set_page_count(m, src, 0);
	/* The old place loses its marks first: the free path would count a lost mlock. */
	mark_page(m, src, order, 0, state);
	mark_page(m, dst, order, state, 0);
	EMIT(m, EV_ENV_MOVED, .zone = z->index, .order = (s8)order, .pfn = src, .a = dst);
	free_frozen_pages(m, src, order);
	return true;
}
