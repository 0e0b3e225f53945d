/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The reserve for non-blocking requests of high order (spec 4.14): pageblocks of
 * type HIGHATOMIC, up to about one percent of a zone. A block joins the reserve
 * when such a request got a page from it on the slow path; it leaves when
 * somebody else is about to fail.
 */
#include "model/internal.h"

/* One percent, rounded up to whole blocks; 0 where that is less than a block. */
static u32 highatomic_cap(const struct memory *m, const struct zone *z)
{
	u32 percent = z->managed_pages / 100;

	return percent < m->pageblock_nr_pages ? 0 : align_up(percent, m->pageblock_nr_pages);
}

/* Pages of the block(s) of @pfn that joined the reserve. */
static u32 reserve_block(struct memory *m, struct zone *z, u32 pfn, u32 order)
{
	u32 mt = get_pfnblock_migratetype(m, pfn);

	if (!migratetype_is_mergeable(mt))
		return 0;
	if (order < m->pageblock_order) {
		if (move_freepages_block(m, z, pfn, mt, MIGRATE_HIGHATOMIC) == -1)
			return 0;
		return m->pageblock_nr_pages;
	}
	/* May pass the cap: the whole allocation is reserved, however large. */
	change_pageblock_range(m, pfn, order, MIGRATE_HIGHATOMIC);
	return BIT(order);
}

static bool reserve_is_full(const struct memory *m, const struct zone *z)
{
	return z->nr_reserved_highatomic >= highatomic_cap(m, z);
}

/* The 2^order pages at @pfn were just allocated; reserve the block(s) that they came from. */
void reserve_highatomic_pageblock(struct memory *m, u32 pfn, u32 order, struct zone *z)
{
	u32 nr;

	if (reserve_is_full(m, z))
		return;
	nest(m, NEST_SLOWPATH);
	zone_lock(m, z);
	/* Somebody else may have filled it before the lock was taken. */
	nr = reserve_is_full(m, z) ? 0 : reserve_block(m, z, pfn, order);
	if (nr) {
		SET(m, z->nr_reserved_highatomic, z->nr_reserved_highatomic + nr);
		EMIT(m, EV_RESERVE_HIGHATOMIC, .zone = z->index, .order = (s8)order, .pfn = pfn,
		     .a = nr);
	}
	zone_unlock(m, z);
}

/* Give the block(s) of the free buddy @pfn of @order to @mt; false: nothing moved. */
static bool unreserve_buddy(struct memory *m, struct zone *z, u32 pfn, u32 order, u32 mt,
			    bool force)
{
	u32 size = max_u32(m->pageblock_nr_pages, BIT(order));

	if (size > z->nr_reserved_highatomic) {
		warn(m, WARN_HIGHATOMIC_CLAMP);
		size = z->nr_reserved_highatomic;
	}
	SET(m, z->nr_reserved_highatomic, z->nr_reserved_highatomic - size);
	if (order < m->pageblock_order) {
		if (move_freepages_block(m, z, pfn, MIGRATE_HIGHATOMIC, mt) <= 0)
			return false;
	} else {
		/* Not merged, even if its buddy is now free and of the same type (L3561). */
		move_to_free_list(m, z, pfn, order, MIGRATE_HIGHATOMIC, mt);
		change_pageblock_range(m, pfn, order, mt);
	}
	EMIT(m, EV_UNRESERVE_HIGHATOMIC, .zone = z->index, .order = (s8)order, .pfn = pfn,
	     .a = force, .b = mt, .c = size);
	return true;
}

static bool unreserve_zone(struct memory *m, struct zone *z, u32 mt, bool force)
{
	for (u32 order = 0; order <= m->max_page_order; order++) {
		u32 pfn = get_page_from_free_area(m, z, order, MIGRATE_HIGHATOMIC);

		if (pfn != PFN_NONE && unreserve_buddy(m, z, pfn, order, mt, force))
			return true;
	}
	return false;
}

/*
 * Give one block back to the request's type. A zone keeps its last block unless
 * @force. A block without a page on the lists cannot be found and stays.
 */
bool unreserve_highatomic_pageblock(struct memory *m, const struct alloc_context *ac, bool force)
{
	u32 pos;

	for_each_zone_ac (m, ac, 0, pos) {
		struct zone *z = zonelist_zone(m, ac->zonelist, pos);
		bool done;

		if (!force && z->nr_reserved_highatomic <= m->pageblock_nr_pages)
			continue;
		zone_lock(m, z);
		done = unreserve_zone(m, z, ac->migratetype, force);
		zone_unlock(m, z);
		if (done)
			return true;
	}
	return false;
}
