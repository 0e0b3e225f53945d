/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Free lists: their lengths, the types of what is on them, and that nothing is
 * left that should have been merged (spec 10.7 to 10.10, 2.3).
 */
#include "properties/list.h"
#include "properties/walk.h"

static bool nr_free(const struct walk *w, char why[WHY_SIZE])
{
	char name[NAME_SIZE];
	u32 zone, order;

	for_each_zone (w, zone) {
		const u32 *is = w->view->zones[zone].nr_free, *listed = w->zones[zone].nr;

		for (order = 0; order < NR_ORDERS; order++) {
			if (is[order] != listed[order])
				return fails(why, "%s order %u: nr_free is %u, %u on the lists",
					     zone_name(w->view, zone, name), order, is[order],
					     listed[order]);
		}
	}
	return true;
}

const struct property prop_nr_free = {
	.id = "nr-free",
	.rule = "spec 10.7",
	.sentence = "nr_free of an order is the number of buddies on its lists, of every type.",
	.needs = "view",
	.promise = PROMISE_ALL,
	.holds = nr_free,
	.judges = JUDGES_ZONES,
};

/* ISOLATE is an overlay: the bit is set, the type below it survives. */
static bool pageblock_type(const struct walk *w, char why[WHY_SIZE])
{
	const struct view *v = w->view;
	u32 order = v->machine->pageblock_order, block, stored;

	if (!w->blocks_look)
		return true;
	for (block = 0; block <= (v->nr_pages - 1) >> order; block++) {
		stored = v->pageblock_flags[block] & PB_MIGRATETYPE_MASK;
		if (stored >= MIGRATE_ISOLATE)
			return fails(why, "the block of pages %u..%u stores type %u (%s)",
				     block << order, ((block + 1) << order) - 1, stored,
				     type_name(stored));
	}
	return true;
}

const struct property prop_pageblock_type = {
	.id = "pageblock-type",
	.rule = "spec 2.3",
	.sentence = "A pageblock stores one of the types that a block can have; Isolate is none.",
	.needs = "view",
	.promise = PROMISE_ALL,
	.holds = pageblock_type,
};

/*
 *      block      0 Movable    1 Movable
 *      buddy     [ order = pageblock_order + 1 ]   on the Movable list
 */
/*
 * The exception: un-isolating one block lets its multi-block buddy merge and takes the blocks
 * behind with it, whose bits stay set if they were isolated by somebody else (spec 7.4, 10.10).
 *
 *      block      0 I     1 I       2 M     3 M
 *      un-isolate 0:  [ 0 and 1 ] + [ 2 and 3 ] merge as Movable; block 1 keeps its bit
 */
static bool taken_along(const struct walk *w, const struct entry *e, u32 pfn)
{
	const struct machine *m = w->view->machine;
	u8 flags = w->view->pageblock_flags[pfn >> m->pageblock_order];

	return e->order >= m->pageblock_order + 2 && (flags & PB_ISOLATE);
}

static bool free_list_type(const struct walk *w, char why[WHY_SIZE])
{
	u32 block = 1U << w->view->machine->pageblock_order;
	const struct entry *e;
	char name[NAME_SIZE];
	u32 pfn;

	for_each_entry(w, e)
	{
		if (e->kind != ENTRY_FREE)
			continue;
		for (pfn = e->pfn; pfn < entry_end(w, e); pfn = align_down(pfn, block) + block)
			if (block_type(w->view, pfn) != e->list && !taken_along(w, e, pfn))
				return fails(why, "%s, but the block of page %u is %s",
					     entry_name(w, e, name), pfn,
					     type_name(block_type(w->view, pfn)));
	}
	return true;
}

const struct property prop_free_list_type = {
	.id = "free-list-type",
	.rule = "spec 10.8",
	.sentence = "A free buddy is on the list of the type of every pageblock that it touches.",
	.needs = "view",
	.promise = PROMISE_HYGIENE,
	.holds = free_list_type,
	.judges = JUDGES_ENTRIES,
};

/* The buddy that @e should have merged with: free, of the same order, in the same zone. */
static const struct entry *free_buddy(const struct walk *w, const struct entry *e)
{
	u32 pfn = e->pfn ^ (1U << e->order);
	const struct entry *buddy = pfn < w->view->nr_pages ? entry_at(w, pfn) : NULL;

	return buddy && buddy->kind == ENTRY_FREE && buddy->order == e->order &&
			       buddy->zone == e->zone
		       ? buddy
		       : NULL;
}

static bool pair_fails(const struct walk *w, const struct entry *e, const struct entry *buddy,
		       char why[WHY_SIZE])
{
	char name[NAME_SIZE], other[NAME_SIZE];

	return fails(why, "%s and %s are buddies", entry_name(w, e, name),
		     entry_name(w, buddy, other));
}

/*
 *      0   1   2   3   4   5
 *      [order 1][order 1]           2 = 0 ^ 2: must be one of order 2
 *              [order 1][order 1]   4 != 2 ^ 2: these are no buddies
 */
static bool merge_below_block(const struct walk *w, char why[WHY_SIZE])
{
	const struct entry *e, *buddy;

	for_each_entry(w, e)
	{
		if (e->kind != ENTRY_FREE || e->order >= w->view->machine->pageblock_order)
			continue;
		buddy = free_buddy(w, e);
		if (buddy)
			return pair_fails(w, e, buddy, why);
	}
	return true;
}

const struct property prop_merge_below_block = {
	.id = "merge-below-block",
	.rule = "spec 10.9",
	.sentence = "No two buddies smaller than a pageblock are free and of one order: they would "
		    "have merged.",
	.needs = "view",
	.promise = PROMISE_ALL,
	.holds = merge_below_block,
	.judges = JUDGES_ENTRIES,
};

/*
 *      [ block, Movable ][ block, Unmovable ]    must be one, of the type freed last
 *      [ block, Movable ][ block, CMA ]          stay apart
 *      [ block, CMA     ][ block, CMA ]          must be one
 *      [ block, Movable ][ block, Movable ]      may stay apart if unreserve_highatomic
 *                                                re-listed one of them
 *      [ block, Isolate ][ block, Isolate ]      may stay apart: isolating the second moves
 *                                                it to its new list as it is (spec 7.4)
 */
static bool merge_above_block(const struct walk *w, char why[WHY_SIZE])
{
	const struct machine *machine = w->view->machine;
	const u8 *unmerged = w->now->unmerged;
	const struct entry *e, *buddy;

	for_each_entry(w, e)
	{
		if (e->kind != ENTRY_FREE || e->order < machine->pageblock_order ||
		    e->order >= machine->max_page_order)
			continue;
		buddy = free_buddy(w, e);
		if (!buddy || unmerged[e->pfn] || unmerged[buddy->pfn])
			continue;
		if (e->list == buddy->list ? e->list != MIGRATE_ISOLATE
					   : type_merges(e->list) && type_merges(buddy->list))
			return pair_fails(w, e, buddy, why);
	}
	return true;
}

const struct property prop_merge_above_block = {
	.id = "merge-above-block",
	.rule = "spec 10.10",
	.sentence =
		"Two free buddies of one order, a pageblock or larger, differ in type, and one of "
		"the types does not merge; or both are isolated.",
	.needs = "view, the unreserve_highatomic events",
	.promise = PROMISE_ALL,
	.holds = merge_above_block,
	.judges = JUDGES_ENTRIES,
};
