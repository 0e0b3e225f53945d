/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters: what a zone says about its free pages and pageblocks, against the
 * lists and the blocks themselves (spec 10.12 to 10.20).
 */
#include "properties/list.h"
#include "properties/walk.h"

static bool counter_fails(const struct walk *w, u32 zone, const char *counter, s64 is, s64 should,
			  char why[WHY_SIZE])
{
	char name[NAME_SIZE];

	return fails(why, "%s: %s is %lld, should be %lld", zone_name(w->view, zone, name), counter,
		     (long long)is, (long long)should);
}

/* A counter of vm_stat[] against what was seen of each zone. */
static bool stat_holds(const struct walk *w, u32 item, u32 (*seen)(const struct zone_sum *sum),
		       char why[WHY_SIZE])
{
	u32 zone;

	for_each_zone (w, zone) {
		s64 is = w->view->zones[zone].vm_stat[item], should = seen(&w->zones[zone]);

		if (is != should)
			return counter_fails(w, zone, zone_stat_names[item], is, should, why);
	}
	return true;
}

/* Isolated pages are on lists, but count as taken. */
static u32 seen_free(const struct zone_sum *sum)
{
	u32 pages = 0;

	for (u32 mt = 0; mt < MIGRATE_ISOLATE; mt++)
		pages += sum->pages[mt];
	return pages;
}

static u32 seen_cma(const struct zone_sum *sum)
{
	return sum->pages[MIGRATE_CMA];
}

static u32 seen_blocks(const struct zone_sum *sum)
{
	return sum->block_pages;
}

static bool nr_free_pages(const struct walk *w, char why[WHY_SIZE])
{
	return stat_holds(w, NR_FREE_PAGES, seen_free, why);
}

const struct property prop_nr_free_pages = {
	.id = "nr-free-pages",
	.rule = "spec 10.12",
	.sentence = "NR_FREE_PAGES is the number of pages on the free lists that are not isolated.",
	.needs = "view",
	.promise = PROMISE_ACCOUNTS,
	.holds = nr_free_pages,
	.judges = JUDGES_ZONES,
};

static bool nr_free_cma(const struct walk *w, char why[WHY_SIZE])
{
	return stat_holds(w, NR_FREE_CMA_PAGES, seen_cma, why);
}

const struct property prop_nr_free_cma = {
	.id = "nr-free-cma",
	.rule = "spec 10.13",
	.sentence = "NR_FREE_CMA_PAGES is the number of pages on the CMA free lists.",
	.needs = "view",
	.promise = PROMISE_ALL,
	.holds = nr_free_cma,
	.judges = JUDGES_ZONES,
};

static bool nr_free_highatomic(const struct walk *w, char why[WHY_SIZE])
{
	u32 zone;

	for_each_zone (w, zone) {
		s64 is = w->view->zones[zone].nr_free_highatomic;
		s64 should = w->zones[zone].pages[MIGRATE_HIGHATOMIC];

		if (is != should)
			return counter_fails(w, zone, "nr_free_highatomic", is, should, why);
	}
	return true;
}

const struct property prop_nr_free_highatomic = {
	.id = "nr-free-highatomic",
	.rule = "spec 10.14",
	.sentence = "nr_free_highatomic is the number of pages on the HighAtomic free lists.",
	.needs = "view",
	.promise = PROMISE_FREE_HIGHATOMIC,
	.holds = nr_free_highatomic,
	.judges = JUDGES_ZONES,
};

static bool nr_free_blocks(const struct walk *w, char why[WHY_SIZE])
{
	return stat_holds(w, NR_FREE_PAGES_BLOCKS, seen_blocks, why);
}

const struct property prop_nr_free_blocks = {
	.id = "nr-free-blocks",
	.rule = "spec 10.15",
	.sentence = "NR_FREE_PAGES_BLOCKS is the number of free pages in buddies of a pageblock or "
		    "more that are not isolated.",
	.needs = "view",
	.promise = PROMISE_FREE_BLOCKS,
	.holds = nr_free_blocks,
	.judges = JUDGES_ZONES,
};

static bool free_bounds(const struct walk *w, char why[WHY_SIZE])
{
	char name[NAME_SIZE];
	u32 zone;

	for_each_zone (w, zone) {
		const struct zone *z = &w->view->zones[zone];
		s64 blocks = z->vm_stat[NR_FREE_PAGES_BLOCKS], all = z->vm_stat[NR_FREE_PAGES];

		if (blocks < 0 || blocks > all || all > z->managed_pages)
			return fails(why, "%s: blocks %lld, free %lld, managed %u",
				     zone_name(w->view, zone, name), (long long)blocks,
				     (long long)all, z->managed_pages);
	}
	return true;
}

const struct property prop_free_bounds = {
	.id = "free-bounds",
	.rule = "spec 10.16",
	.sentence = "0 <= NR_FREE_PAGES_BLOCKS <= NR_FREE_PAGES <= managed pages.",
	.needs = "view",
	.promise = PROMISE_ACCOUNTS,
	.holds = free_bounds,
	.judges = JUDGES_ZONES,
};

/* ---- the HIGHATOMIC reserve ---------------------------------------------- */

/*
 *      block   0 Movable   1 HighAtomic   2 HighAtomic, isolated
 *      nr_reserved_highatomic = 2 blocks: the stored type counts
 */
static bool highatomic_reserved(const struct walk *w, char why[WHY_SIZE])
{
	u32 order = w->view->machine->pageblock_order, zone;

	for_each_zone (w, zone) {
		s64 is = w->view->zones[zone].nr_reserved_highatomic;
		s64 should = (s64)w->zones[zone].highatomic << order;

		if (is != should)
			return counter_fails(w, zone, "nr_reserved_highatomic", is, should, why);
	}
	return true;
}

const struct property prop_highatomic_reserved = {
	.id = "highatomic-reserved",
	.rule = "spec 10.17",
	.sentence =
		"nr_reserved_highatomic is the size of the HighAtomic pageblocks, isolated ones "
		"included.",
	.needs = "view",
	.promise = PROMISE_ISOLATE_BIT,
	.holds = highatomic_reserved,
	.judges = JUDGES_ZONES,
};

static bool highatomic_free(const struct walk *w, char why[WHY_SIZE])
{
	u32 order = w->view->machine->pageblock_order, zone;
	char name[NAME_SIZE];

	for_each_zone (w, zone) {
		const struct zone *z = &w->view->zones[zone];
		s64 isolated = (s64)w->zones[zone].isolated_highatomic << order;

		if (z->nr_free_highatomic > z->nr_reserved_highatomic - isolated)
			return fails(why, "%s: nr_free_highatomic %u, reserved %u, isolated %lld",
				     zone_name(w->view, zone, name), z->nr_free_highatomic,
				     z->nr_reserved_highatomic, (long long)isolated);
	}
	return true;
}

const struct property prop_highatomic_free = {
	.id = "highatomic-free",
	.rule = "spec 10.18",
	.sentence = "No more HighAtomic pages are free than are reserved and not isolated.",
	.needs = "view",
	.promise = PROMISE_FREE_HIGHATOMIC,
	.holds = highatomic_free,
	.judges = JUDGES_ZONES,
};

/* One percent, rounded up; the last reserve may have been larger than the block that was left. */
static u32 highatomic_limit(const struct machine *machine, u32 managed)
{
	u32 block = 1U << machine->pageblock_order;
	u32 largest = 1U << machine->max_page_order;

	if (managed / 100 < block)
		return 0;
	return align_up(managed / 100, block) - block + max_u32(block, largest);
}

static bool highatomic_cap(const struct walk *w, char why[WHY_SIZE])
{
	char name[NAME_SIZE];
	u32 zone;

	for_each_zone (w, zone) {
		const struct zone *z = &w->view->zones[zone];
		u32 limit = highatomic_limit(w->view->machine, z->managed_pages);

		if (z->nr_reserved_highatomic > limit)
			return fails(why, "%s: %u pages reserved of %u managed, at most %u",
				     zone_name(w->view, zone, name), z->nr_reserved_highatomic,
				     z->managed_pages, limit);
	}
	return true;
}

const struct property prop_highatomic_cap = {
	.id = "highatomic-cap",
	.rule = "spec 10.19",
	.sentence =
		"The HighAtomic reserve stays within one percent of the zone, rounded up to what "
		"one request can add.",
	.needs = "view",
	.promise = PROMISE_FREE_HIGHATOMIC,
	.holds = highatomic_cap,
	.judges = JUDGES_ZONES,
};

/*
 * Whoever claims a buddy with an isolated block inside (taken_along() in freelists.c) writes its type over the bit, and
 * the counter stays: from then on it is only an upper bound.
 */
static bool isolated_blocks(const struct walk *w, char why[WHY_SIZE])
{
	u32 zone;

	for_each_zone (w, zone) {
		u32 is = w->view->zones[zone].nr_isolate_pageblock;
		u32 should = w->zones[zone].isolated;

		if (is != should && !(is > should && (w->strays >> zone & 1)))
			return counter_fails(w, zone, "nr_isolate_pageblock", is, should, why);
	}
	return true;
}

const struct property prop_isolated_blocks = {
	.id = "isolated-blocks",
	.rule = "spec 10.20",
	.sentence = "nr_isolate_pageblock is the number of the zone's isolated pageblocks.",
	.needs = "view",
	.promise = PROMISE_ALL,
	.holds = isolated_blocks,
	.judges = JUDGES_ZONES,
};
