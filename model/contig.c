/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Taking a given range of pages out of the allocator: isolate its blocks, move what is
 * in use, take the free buddies, keep the range and give back the rest (spec 7.1, 7.2).
 *
 *      outer_start   start                    end   outer_end
 *          v           v                       v        v
 *          [ buddy     |        ][ buddy ][ buddy |     ]
 *           given back |<------ handed out ----->| given back
 */
#include <errno.h>

#include "model/internal.h"

#define CONTIG_IGNORED                                                                 \
	(__GFP_DMA | __GFP_HIGHMEM | __GFP_DMA32 | __GFP_MOVABLE | __GFP_RECLAIMABLE | \
	 __GFP_WRITE | __GFP_HARDWALL | __GFP_THISNODE)
/* These go on to the allocation of destinations. */
#define CONTIG_MIGRATION (GFP_KERNEL | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)
#define CONTIG_ALLOWED                                                                   \
	(CONTIG_MIGRATION | __GFP_COMP | __GFP_ZERO | __GFP_ZEROTAGS | __GFP_SKIP_ZERO | \
	 __GFP_SKIP_KASAN)

/* 7.1: 0 or -EINVAL. */
static int __alloc_contig_verify_gfp_mask(u32 gfp, u32 *migrate_gfp)
{
	gfp &= ~CONTIG_IGNORED;
	if (gfp & ~CONTIG_ALLOWED)
		return -EINVAL;
	*migrate_gfp = (gfp & CONTIG_MIGRATION) | __GFP_MOVABLE | __GFP_RETRY_MAYFAIL;
	return 0;
}

/* ---- taking the free buddies --------------------------------------------- */

/* Free again what was taken, smaller orders first. */
static void release_free_list(struct memory *m)
{
	u32 head = m->global->isolated_list;

	for (u32 order = 0; order <= m->max_page_order; order++) {
		u32 next;

		for (u32 pfn = m->links[head].next; pfn != head; pfn = next) {
			next = m->links[pfn].next;
			if (m->pages[pfn].private != order)
				continue;
			list_del(m, pfn);
			post_alloc_hook(m, pfn);
			free_frozen_pages(m, pfn, order);
		}
	}
}

/*
 * Take the buddies from @pfn on, to @end at most; returns where the last one ends. The lock is let go
 * where a buddy begins a cluster, so that nobody waits for a whole block.
 */
static u32 isolate_freepages_block(struct memory *m, struct zone *z, u32 pfn, u32 end)
{
	bool locked = false;

	while (pfn < end) {
		u32 nr;

		if (locked && !(pfn % COMPACT_CLUSTER_MAX)) {
			zone_unlock(m, z);
			locked = false;
		}
		if (!page_has(m, pfn, PG_BUDDY))
			break;
		if (!locked)
			zone_lock(m, z);
		locked = true;
		nr = __isolate_free_page(m, pfn, buddy_order(m, pfn));
		if (!nr)
			break;
		list_add_tail(m, pfn, m->global->isolated_list);
		pfn += nr;
	}
	if (locked)
		zone_unlock(m, z);
	return pfn;
}

/*
 * Take every buddy from @start to @end to the isolated list; returns where the last one
 * ends, or 0: some page is not free or of another zone, nothing is taken.
 */
static u32 isolate_freepages_range(struct memory *m, u32 start, u32 end)
{
	struct zone *z = page_zone(m, start);
	u32 pfn = start;

	while (pfn < end) {
		u32 block_end = align_down(pfn, m->pageblock_nr_pages) + m->pageblock_nr_pages;
		u32 stop = min_u32(block_end, end);

		if (page_zone(m, pfn) != z)
			break;
		pfn = isolate_freepages_block(m, z, pfn, stop);
		if (pfn < stop)
			break;
	}
	if (pfn >= end)
		return pfn;
	release_free_list(m);
	return 0;
}

/* The caller's from now on: nobody's list, no order. */
static void keep_isolated_pages(struct memory *m)
{
	u32 pfn;

	while ((pfn = list_first(m, m->global->isolated_list)) != PFN_NONE) {
		list_del(m, pfn);
		post_alloc_hook(m, pfn);
	}
}

/* 7.2 steps 7 to 10: everything in the range is free now. */
static int take_isolated_range(struct memory *m, u32 start, u32 end, enum pb_isolate_mode mode,
			       u32 gfp)
{
	u32 nr = end - start;
	u32 outer_start = find_large_buddy(m, start);
	u32 outer_end;

	if (test_pages_isolated(m, outer_start, end, mode))
		return -EBUSY;
	outer_end = isolate_freepages_range(m, outer_start, end);
	if (!outer_end)
		return -EBUSY;
	keep_isolated_pages(m);
	if (!(gfp & __GFP_COMP)) {
		free_contig_frozen_range(m, outer_start, start - outer_start);
		free_contig_frozen_range(m, end, outer_end - end);
		return 0;
	}
	if (start != outer_start || end != outer_end || (nr & (nr - 1))) {
		warn_range(m, WARN_CONTIG_COMP_MISMATCH, outer_start, outer_end);
		return -EINVAL;
	}
	prep_new_page(m, start, ilog2(nr), gfp, 0);
	return 0;
}

/* 7.2 steps 5 and 6: 0 or a negative errno. */
static int move_everything(struct memory *m, u32 start, u32 end, u32 migrate_gfp)
{
	int err = __alloc_contig_migrate_range(m, start, end, migrate_gfp);

	/* What could not be moved may have been freed meanwhile: step 8 will see. */
	if (err && err != -EBUSY)
		return err;
	return replace_free_hugepage_folios(m, start, end);
}

/* 7.2 steps 4 to 10, inside isolated blocks. */
static int empty_and_take_range(struct memory *m, u32 start, u32 end, enum pb_isolate_mode mode,
				u32 gfp, u32 migrate_gfp)
{
	u32 nest_points;
	int err;

	drain_all_pages(m, page_zone(m, start));
	nest(m, NEST_CONTIG_ISOLATED);
	nest_points = m->nest_points;
	m->nest_points = 0; /* nobody may free a folio that moves (nest.h) */
	err = move_everything(m, start, end, migrate_gfp);
	m->nest_points = nest_points;
	if (err)
		return err;
	return take_isolated_range(m, start, end, mode, gfp);
}

static int contig_frozen_range(struct memory *m, u32 start, u32 end, u32 flags, u32 gfp)
{
	enum pb_isolate_mode mode =
		flags & ACR_FLAGS_CMA ? PB_ISOLATE_MODE_CMA_ALLOC : PB_ISOLATE_MODE_OTHER;
	u32 migrate_gfp;
	int err;

	if ((gfp & __GFP_COMP) && ilog2(end - start) > MACHINE_MAX_GIGANTIC)
		return -EINVAL;
	gfp = current_gfp_context(m, gfp);
	if (__alloc_contig_verify_gfp_mask(gfp, &migrate_gfp))
		return -EINVAL;
	err = start_isolate_page_range(m, start, end, mode);
	if (!err)
		err = empty_and_take_range(m, start, end, mode, gfp, migrate_gfp);
	/* Also when nothing was isolated here: then it is somebody else's (step DONE). */
	undo_isolate_page_range(m, start, end);
	return err;
}

int alloc_contig_frozen_range(struct memory *m, u32 start, u32 end, u32 flags, u32 gfp)
{
	int err;

	EMIT(m, EV_CONTIG_RANGE, .zone = ZONE_ANY, .order = -1, .pfn = start, .gfp = gfp, .a = end,
	     .b = flags);
	err = contig_frozen_range(m, start, end, flags, gfp);
	EMIT(m, EV_CONTIG_RANGE_END, .zone = ZONE_ANY, .order = -1, .pfn = start, .a = end);
	return err;
}

int alloc_contig_range(struct memory *m, u32 start, u32 end, u32 flags, u32 gfp)
{
	int err;

	if (gfp & __GFP_COMP) {
		warn(m, WARN_CONTIG_COMP);
		return -EINVAL;
	}
	err = alloc_contig_frozen_range(m, start, end, flags, gfp);
	for (u32 pfn = start; !err && pfn < end; pfn++)
		set_page_count(m, pfn, 1);
	return err;
}
