/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The self-check on states made by hand: for each property one change that breaks
 * a legal state (the picture is in world.h) and names exactly the properties that
 * must say so, and the nearest change that is legal.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "properties/judge.h"
#include "properties/list.h"
#include "properties/tests/world.h"

struct row {
	const char *intent;
	void (*change)(struct world *w);
	const char *violated; /* ids in registry order; "" is legal */
};

#define CHANGE(name, ...)                      \
	static void name(struct world *w)      \
	{                                      \
		struct zone *z = &w->zones[0]; \
		(void)z;                       \
		__VA_ARGS__;                   \
	}

CHANGE(nothing, )

/* ---- lists that cannot be followed --------------------------------------- */

CHANGE(next_self, w->links[16].next = 16)
CHANGE(prev_wrong, w->links[16].prev = 80)
CHANGE(next_range, w->links[16].next = 1U << 31)
CHANGE(next_head, w->links[12].next = w->global.lru_list)
CHANGE(head_prev, w->links[free_list_head(z, 4, MIGRATE_MOVABLE)].prev = 16)
CHANGE(entered, w->links[free_list_head(z, 3, MIGRATE_CMA)].next = 16)
CHANGE(same_heads, w->zones[1].free_lists = z->free_lists)
CHANGE(head_page, w->pcps[0].lists = 5)
CHANGE(head_range, z->trylock_list = w->view.nr_links)
CHANGE(isolated_cut, w->links[w->global.isolated_list].next = w->global.lru_list)
CHANGE(long_zone, w->zones[1].spanned_pages = 65)
CHANGE(rotate, unlink_page(w, 80); link_page(w, 80, free_list_head(z, 4, MIGRATE_MOVABLE)))

/* ---- ranges, owners, alignment ------------------------------------------- */

CHANGE(behind_zone, take_free(w, 576); put_held(w, 576, 4, 0))
CHANGE(foreign_page, w->pages[583].zone = 0)
CHANGE(held_hole, put_held(w, 512, 0, 0))
CHANGE(above_max, take_free(w, 96); take_free(w, 112); put_free(w, 96, 5, MIGRATE_MOVABLE))
CHANGE(gigantic, for (u32 pfn = 128; pfn < 192; pfn += 16) take_free(w, pfn);
       put_held(w, 128, 6, HELD_COMPOUND))

CHANGE(lost, take_free(w, 16))
CHANGE(inside_free, put_held(w, 17, 0, 0); w->pages[17].refcount = 0)
CHANGE(free_and_held, w->held[16] = HELD(4))
CHANGE(free_and_cached, put_pcp(w, 0, 1, 18, 0))
CHANGE(held_twice, put_held(w, 47, 0, 0))
CHANGE(reserved_held, put_held(w, 0, 2, 0))
CHANGE(poisoned, take_free(w, 12); w->pages[12].flags |= PG_HWPOISON;
       w->pages[13].flags |= PG_HWPOISON)

CHANGE(odd_held, take_free(w, 12); put_held(w, 11, 1, 0); put_free(w, 13, 0, MIGRATE_MOVABLE))
CHANGE(odd_contig, take_free(w, 12); put_held(w, 11, 1, HELD_CONTIG);
       put_free(w, 13, 0, MIGRATE_MOVABLE))
CHANGE(odd_free, take_free(w, 12); put_held(w, 12, 0, 0); w->held[14] = 0;
       put_free(w, 13, 1, MIGRATE_MOVABLE); w->pages[14].refcount = 0)

/* ---- what pages look like ------------------------------------------------ */

CHANGE(tail_buddy, w->pages[17].flags |= PG_BUDDY)
CHANGE(pcp_buddy, w->pages[10].flags |= PG_BUDDY)
CHANGE(reserved_buddy, w->pages[1].flags |= PG_BUDDY)
CHANGE(head_no_buddy, w->pages[16].flags &= (u16)~PG_BUDDY)
CHANGE(wrong_order, w->pages[16].private = 3)

CHANGE(private_tail, w->pages[17].private = 1)
CHANGE(private_left, w->pages[18].private = 1)
CHANGE(private_left_astray, w->pages[18].private = 2)
CHANGE(private_pcp, w->pages[10].private = 1)
CHANGE(private_held, w->pages[47].private = 1)
CHANGE(private_reserved, w->pages[1].private = 7)
CHANGE(private_trylock, w->held[14] = 0; unlink_page(w, 15); put_trylock(w, 14, 1);
       w->pages[14].refcount = 0; w->pages[15].private = 0)

CHANGE(ref_free, w->pages[16].refcount = 1)
CHANGE(ref_tail, w->pages[18].refcount = -1)
CHANGE(ref_pcp, w->pages[8].refcount = 1)
CHANGE(ref_trylock, w->pages[15].refcount = 1)
CHANGE(frozen, w->pages[11].refcount = 0)

CHANGE(mark_free, w->pages[12].flags |= PG_RESERVED)
CHANGE(mark_tail, w->pages[13].flags |= PG_PINNED)
CHANGE(mark_pcp, w->pages[10].flags |= PG_HUGETLB)
CHANGE(mark_held, w->pages[11].flags |= PG_HUGETLB | PG_RESERVED | PG_PINNED)

CHANGE(tail_astray, w->pages[6].compound_head = 5)
CHANGE(tail_plain, w->pages[6].flags &= (u16)~PG_TAIL)
CHANGE(head_order, w->pages[4].compound_order = 1)
CHANGE(free_head, w->pages[16].flags |= PG_HEAD)
CHANGE(free_tail, w->pages[17].flags |= PG_TAIL)
CHANGE(plain_tail, w->pages[47].flags |= PG_TAIL)
CHANGE(comp_order_0, put_held(w, 11, 0, HELD_COMPOUND))

CHANGE(lru_flag, w->pages[11].flags |= PG_LRU)
CHANGE(lru_tail, w->pages[5].flags |= PG_LRU)
CHANGE(lru_unlinked, unlink_page(w, 4))
CHANGE(lru_ring, w->links[4].next = 4)
CHANGE(lru_free, link_page(w, 17, w->global.lru_list))
CHANGE(lru_zone, z->vm_stat[NR_ZONE_LRU]--)
CHANGE(lru_all, w->global.lru_pages++)
CHANGE(lru_two, put_lru(w, 11))

/* ---- free lists ---------------------------------------------------------- */

CHANGE(count_order, z->nr_free[3]++)
CHANGE(count_empty, z->nr_free[13]++)

CHANGE(stored_isolate, w->blocks[1] = MIGRATE_ISOLATE)
CHANGE(stored_seven, w->blocks[1] = 7)
CHANGE(skip_bit, w->blocks[4] |= PB_COMPACT_SKIP)

CHANGE(first_block, w->blocks[4] = MIGRATE_UNMOVABLE)
CHANGE(last_block, w->blocks[7] = MIGRATE_RECLAIMABLE)
CHANGE(used_block, w->blocks[1] = MIGRATE_RECLAIMABLE)
CHANGE(wrong_list, unlink_page(w, 44); link_page(w, 44, free_list_head(z, 1, MIGRATE_RECLAIMABLE)))

CHANGE(small_pair, take_free(w, 12); put_free(w, 12, 0, MIGRATE_MOVABLE);
       put_free(w, 13, 0, MIGRATE_MOVABLE))
CHANGE(small_neighbours, w->held[11] = 0; put_free(w, 11, 0, MIGRATE_MOVABLE); take_free(w, 12);
       put_free(w, 12, 0, MIGRATE_MOVABLE); put_held(w, 13, 0, 0))

/* Give the free block 8 (32..35), the buddy of the Movable one at 36, another type. */
static void retype(struct world *w, u32 mt)
{
	take_free(w, 32);
	w->blocks[8] = (u8)mt;
	w->zones[0].nr_reserved_highatomic = 0;
	put_free(w, 32, 2, mt);
}

CHANGE(same_type, retype(w, MIGRATE_MOVABLE))
CHANGE(mergeable, retype(w, MIGRATE_UNMOVABLE))
CHANGE(cma_movable, retype(w, MIGRATE_CMA))
CHANGE(cma_pair, retype(w, MIGRATE_CMA); take_free(w, 36); w->blocks[9] = MIGRATE_CMA;
       put_free(w, 36, 2, MIGRATE_CMA))
CHANGE(isolate_reserved, take_free(w, 32); w->blocks[8] |= PB_ISOLATE; z->nr_isolate_pageblock++;
       put_free(w, 32, 2, MIGRATE_ISOLATE))

/* And its buddy at 36. */
static void isolate_pair(struct world *w)
{
	isolate_reserved(w);
	take_free(w, 36);
	w->blocks[9] |= PB_ISOLATE;
	w->zones[0].nr_isolate_pageblock++;
	put_free(w, 36, 2, MIGRATE_ISOLATE);
}

CHANGE(relisted, retype(w, MIGRATE_MOVABLE); w->unmerged[32] = 1)
CHANGE(relisted_other, retype(w, MIGRATE_MOVABLE); w->unmerged[36] = 1)
CHANGE(relisted_else, retype(w, MIGRATE_MOVABLE); w->unmerged[80] = 1)

/* ---- counters ------------------------------------------------------------ */

CHANGE(stat_free, z->vm_stat[NR_FREE_PAGES]++)
CHANGE(stat_cma, z->vm_stat[NR_FREE_CMA_PAGES]--)
CHANGE(stat_blocks, z->vm_stat[NR_FREE_PAGES_BLOCKS]--)
CHANGE(stat_highatomic, z->nr_free_highatomic--)
CHANGE(stat_negative, w->zones[1].vm_stat[NR_FREE_PAGES_BLOCKS] = -4)
CHANGE(managed, w->zones[1].managed_pages = 63)

CHANGE(reserved_more, z->nr_reserved_highatomic += 4)
CHANGE(reserved_block, w->blocks[1] = MIGRATE_HIGHATOMIC)
CHANGE(isolate_uncounted, isolate_reserved(w); z->nr_free_highatomic = 4)
CHANGE(free_above_reserved, z->nr_free_highatomic = 5)

/* Make the 16 free pages at @pfn a part of the reserve. */
static void reserve(struct world *w, u32 pfn)
{
	take_free(w, pfn);
	memset(&w->blocks[pfn / 4], MIGRATE_HIGHATOMIC, 4);
	w->zones[w->pages[pfn].zone].nr_reserved_highatomic += 16;
	put_free(w, pfn, 4, MIGRATE_HIGHATOMIC);
}

/* 508 pages managed: one percent is 5, rounded up 8; the last reserve may add 16 to 4: 20. */
CHANGE(reserve_20, reserve(w, 80))
CHANGE(reserve_36, reserve(w, 80); reserve(w, 112))
/* 64 pages managed: one percent is no block. */
CHANGE(reserve_small, reserve(w, 528))

CHANGE(isolate_count, z->nr_isolate_pageblock--)
CHANGE(isolate_bit, w->blocks[1] |= PB_ISOLATE)
CHANGE(isolate_used, w->blocks[1] |= PB_ISOLATE; z->nr_isolate_pageblock++)

/* ---- pcp ----------------------------------------------------------------- */

CHANGE(pcp_more, w->pcps[0].count++)
CHANGE(pcp_negative, w->pcps[1].count = -1)
CHANGE(pcp_without_thp, w->machine.pmd_order = 0)
CHANGE(pcp_wrong_list, w->pages[11].refcount = 0; unlink_page(w, 10); put_pcp(w, 1, 4, 10, 0);
       w->pcps[1].count = 2)
CHANGE(pcp_same_order, unlink_page(w, 10); put_pcp(w, 1, 0, 10, 0); w->pcps[1].count = 1)
CHANGE(drained_full, w->now.nr_drained = 1)
CHANGE(drained_empty, w->drained[0].zone = 1; w->now.nr_drained = 1)
/* Batches do not grow in this world, and nothing larger than a THP of 16 pages is freed at once. */
CHANGE(pcp_factor, w->pcps[1].alloc_factor = 1)
CHANGE(pcp_freed_16, w->pcps[1].free_count = 16)
CHANGE(pcp_freed_15, w->pcps[1].free_count = 15)
CHANGE(marks_equal, w->zones[0]._watermark[WMARK_LOW] = w->zones[0]._watermark[WMARK_MIN])
CHANGE(marks_cross, w->zones[0]._watermark[WMARK_MIN] = w->zones[0]._watermark[WMARK_LOW] + 1)
CHANGE(reserve_upward, w->zones[0].lowmem_reserve[ZONE_MOVABLE] = 7)
CHANGE(reserve_own, w->zones[0].lowmem_reserve[ZONE_NORMAL] = 7;
       w->zones[0].lowmem_reserve[ZONE_MOVABLE] = 7)
/* Blocks 20..23 are one free buddy of 16; the bit of the second one belongs to somebody else. */
CHANGE(bit_taken_along, w->blocks[21] |= PB_ISOLATE; w->zones[0].nr_isolate_pageblock++)
CHANGE(bit_and_type, w->blocks[21] = MIGRATE_UNMOVABLE | PB_ISOLATE;
       w->zones[0].nr_isolate_pageblock++)

/* min_free_kbytes of one page: all of it is MIN of zone 0; zone 1 is Movable, and has 32. Distances are 0. */
static void set_up(struct world *w)
{
	w->global.sysctl[SYSCTL_MIN_FREE_KBYTES] = 4;
	for (u32 i = 0; i < NR_WMARK; i++) {
		w->zones[0]._watermark[i] = 1;
		w->zones[1]._watermark[i] = 32;
	}
}
CHANGE(high_too_high, set_up(w); w->zones[0]._watermark[WMARK_HIGH] = 2;
       w->zones[0]._watermark[NR_WMARK - 1] = 2)
CHANGE(reserve_too_high, set_up(w); w->zones[0].lowmem_reserve[ZONE_MOVABLE] = 1)

static const struct row rows[] = {
	{"the hand-made state is legal", nothing, ""},

	{"a list that turns in a circle", next_self, "list-links"},
	{"a prev that names another page", prev_wrong, "list-links"},
	{"a next out of range", next_range, "list-links"},
	{"a list that runs into the head of another", next_head, "list-links"},
	{"a head whose prev is not the last", head_prev, "list-links"},
	{"an empty list that names a page of another", entered, "list-links"},
	{"two zones with the same heads", same_heads, "list-links"},
	{"a pcp whose heads are pages", head_page, "list-links"},
	{"a head out of range", head_range, "list-links"},
	{"the list of isolated pages runs elsewhere", isolated_cut, "list-links"},
	{"a zone behind the last page", long_zone, "list-links"},
	{"order within a list is free", rotate, ""},

	{"16 pages handed out, 8 of them behind the zone", behind_zone, "zone-range"},
	{"the last page of a buddy says another zone", foreign_page, "zone-range"},
	{"a page of a hole handed out", held_hole, "zone-range"},
	{"a buddy larger than max_page_order", above_max, "zone-range"},
	{"a gigantic folio may be larger", gigantic, ""},

	{"a buddy taken by nobody", lost, "partition"},
	{"a page inside a free buddy handed out", inside_free, "partition"},
	{"a free buddy handed out", free_and_held, "partition"},
	{"a page inside a free buddy cached", free_and_cached, "partition"},
	{"the second of two handed-out pages handed out again", held_twice, "partition"},
	{"reserved pages may be handed out", reserved_held, ""},
	{"poisoned pages may be gone", poisoned, ""},

	{"two pages handed out at an odd PFN", odd_held, "alignment"},
	{"a contig allocation may begin there", odd_contig, ""},
	{"two pages free at an odd PFN", odd_free, "alignment"},

	{"the buddy flag inside a buddy", tail_buddy, "buddy-flag"},
	{"the buddy flag on a cached page", pcp_buddy, "buddy-flag"},
	{"the buddy flag on a reserved page", reserved_buddy, "buddy-flag"},
	{"a page on a free list without the buddy flag", head_no_buddy, "buddy-flag"},
	{"a buddy of order 3 on the list of order 4", wrong_order, "buddy-flag"},

	{"private set inside a buddy", private_tail, "private-zero"},
	{"an order that the trylock list has left in a buddy", private_left, ""},
	{"an order left where no such buddy begins", private_left_astray, "private-zero"},
	{"private set in a cached page", private_pcp, "private-zero"},
	{"private set in a handed-out page", private_held, "private-zero"},
	{"private of a reserved page means nothing", private_reserved, ""},
	{"private is the order on the trylock list", private_trylock, ""},

	{"a free page with a reference", ref_free, "free-refcount"},
	{"a page inside a buddy with a negative count", ref_tail, "free-refcount"},
	{"a cached page with a reference", ref_pcp, "free-refcount"},
	{"a page on the trylock list with a reference", ref_trylock, "free-refcount"},
	{"a handed-out page may be frozen", frozen, ""},

	{"a free page that is still reserved", mark_free, "free-unmarked"},
	{"a page inside a buddy that is still pinned", mark_tail, "free-unmarked"},
	{"a cached page that is still hugetlb", mark_pcp, "free-unmarked"},
	{"handed-out pages may have marks", mark_held, ""},

	{"a tail that names another head", tail_astray, "compound"},
	{"a folio with a page that is no tail", tail_plain, "compound"},
	{"a folio whose head says another order", head_order, "compound"},
	{"a free head", free_head, "compound"},
	{"a tail inside a buddy", free_tail, "compound"},
	{"a tail among separate pages", plain_tail, "compound"},
	{"COMP means nothing at order 0", comp_order_0, ""},

	{"a page with the LRU flag, not on the LRU", lru_flag, "lru-list"},
	{"a tail with the LRU flag", lru_tail, "lru-list"},
	{"an LRU folio that left the list", lru_unlinked, "lru-list"},
	{"an LRU that turns in a circle", lru_ring, "lru-list"},
	{"a free page on the LRU", lru_free, "lru-list"},
	{"a zone counts one LRU page too few", lru_zone, "lru-list"},
	{"one LRU page too many in all", lru_all, "lru-list"},
	{"a second folio on the LRU", lru_two, ""},

	{"nr_free one too high", count_order, "nr-free"},
	{"nr_free of an order that cannot be", count_empty, "nr-free"},

	{"a block that stores Isolate", stored_isolate, "pageblock-type"},
	{"a block that stores no type", stored_seven, "pageblock-type"},
	{"the skip bit is no type", skip_bit, ""},

	{"a Movable buddy whose first block is Unmovable", first_block, "free-list-type"},
	{"a Movable buddy whose last block is Reclaimable", last_block, "free-list-type"},
	{"an Unmovable buddy on the Reclaimable list", wrong_list, "free-list-type"},
	{"a block without free pages may have any type", used_block, ""},

	{"two free buddies of order 0", small_pair, "merge-below-block"},
	{"two free neighbours that are no buddies", small_neighbours, ""},

	{"two free blocks, Movable both", same_type, "merge-above-block"},
	{"two free blocks, Unmovable and Movable", mergeable, "merge-above-block"},
	{"two free blocks, CMA both", cma_pair, "merge-above-block"},
	{"two free blocks, CMA and Movable", cma_movable, ""},
	{"two free blocks, isolated one after the other", isolate_pair, ""},
	{"two free Movable blocks, the first just left the reserve", relisted, ""},
	{"two free Movable blocks, the second just left the reserve", relisted_other, ""},
	{"two free Movable blocks, a third just left the reserve", relisted_else,
	 "merge-above-block"},

	{"NR_FREE_PAGES one too high", stat_free, "nr-free-pages"},
	{"NR_FREE_CMA_PAGES one too low", stat_cma, "nr-free-cma"},
	{"NR_FREE_PAGES_BLOCKS one too low", stat_blocks, "nr-free-blocks"},
	{"nr_free_highatomic one too low", stat_highatomic, "nr-free-highatomic"},
	{"NR_FREE_PAGES_BLOCKS negative", stat_negative, "nr-free-blocks free-bounds"},
	{"more pages free than managed", managed, "free-bounds"},

	{"a block too many in nr_reserved_highatomic", reserved_more, "highatomic-reserved"},
	{"a HighAtomic block that nr_reserved_highatomic misses", reserved_block,
	 "highatomic-reserved"},
	{"an isolated HighAtomic block still counts", isolate_reserved, ""},
	{"its free pages do not", isolate_uncounted, "highatomic-free nr-free-highatomic"},
	{"more HighAtomic pages free than reserved", free_above_reserved,
	 "highatomic-free nr-free-highatomic"},
	{"the reserve at its limit", reserve_20, ""},
	{"the reserve above its limit", reserve_36, "highatomic-cap"},
	{"a reserve in a zone that is too small for one", reserve_small, "highatomic-cap"},

	{"nr_isolate_pageblock one too low", isolate_count, "isolated-blocks"},
	{"an isolated block that is not counted", isolate_bit, "isolated-blocks"},
	{"a used block may be isolated", isolate_used, ""},

	{"the count of a pcp one too high", pcp_more, "pcp-count"},
	{"the count of a pcp negative", pcp_negative, "pcp-count"},
	{"a THP list on a machine without THP", pcp_without_thp, "partition pcp-count pcp-order"},
	{"a page of order 0 on the list of order 1", pcp_wrong_list, "partition pcp-order"},
	{"a page of order 0 on another list of order 0", pcp_same_order, ""},
	{"pages cached after a drain", drained_full, "pcp-drained"},
	{"alloc_factor above pcp_batch_scale_max", pcp_factor, "pcp-factors"},
	{"free_count at its limit", pcp_freed_16, "pcp-factors"},
	{"free_count below it", pcp_freed_15, ""},
	{"no pages cached after a drain", drained_empty, ""},

	{"LOW as high as MIN", marks_equal, ""},
	{"MIN above LOW", marks_cross, "wmark-order"},
	{"a reserve against requests for a higher zone", reserve_upward, ""},
	{"a reserve against requests for the own zone", reserve_own, "lowmem-reserve"},
	{"marks as min_free_kbytes says", set_up, ""},
	{"a mark that does not follow", high_too_high, "marks-follow"},
	{"a reserve that does not follow", reserve_too_high, "reserve-follows"},
	{"an isolated block that a merge above it took along", bit_taken_along, ""},
	{"the same, of another type than the list", bit_and_type, ""},
};

/* A judge of all properties and what it needs, for states alone. */
struct bench {
	struct judge *judge;
	struct walk *walk;
};

static struct bench bench_create(const struct world *w)
{
	struct bench b = {
		.judge = judge_create(&w->view, properties, nr_properties,
				      PROMISE_PORT | PROMISE_HYGIENE),
		.walk = walk_create(&w->view),
	};

	assert_non_null(b.judge);
	assert_non_null(b.walk);
	return b;
}

static void bench_destroy(struct bench *b)
{
	walk_destroy(b->walk);
	judge_destroy(b->judge);
}

/* The ids of all violations of @w, in order. */
static void violated_ids(struct world *w, char *ids, size_t size)
{
	struct bench b = bench_create(w);
	u32 i;

	judge_moment(b.judge, b.walk, &w->now);
	ids[0] = '\0';
	for (i = 0; i < judge_nr_violations(b.judge); i++) {
		const struct violation *found = judge_violation(b.judge, i);

		assert_non_null(found);
		assert_true(found->why[0]);
		snprintf(ids + strlen(ids), size - strlen(ids), "%s%s", i ? " " : "",
			 found->property->id);
	}
	bench_destroy(&b);
}

static void test_row(void **state)
{
	const struct row *row = *state;
	struct world *w = malloc(sizeof(*w));
	char ids[1024];

	assert_non_null(w);
	world_build(w);
	row->change(w);
	violated_ids(w, ids, sizeof(ids));
	assert_string_equal(ids, row->violated);
	free(w);
}

/* Every property of states is broken by some row alone or with its family, and has a text. */
static void test_every_property_is_broken(void **state)
{
	u32 p, i, hits;

	(void)state;
	for (p = 0; p < nr_properties; p++) {
		assert_true(properties[p]->sentence[0] && properties[p]->rule[0] &&
			    properties[p]->needs[0]);
		if (!properties[p]->holds)
			continue;
		for (hits = 0, i = 0; i < ARRAY_SIZE(rows); i++) {
			const char *at = strstr(rows[i].violated, properties[p]->id);
			char end = at ? at[strlen(properties[p]->id)] : 'x';

			hits += at && (end == ' ' || end == '\0') &&
				(at == rows[i].violated || at[-1] == ' ');
		}
		if (!hits)
			fail_msg("no row breaks %s", properties[p]->id);
	}
}

/* The id of prop_NAME is NAME with dashes: fuzzers build function names from it. */
static void test_ids_are_names(void **state)
{
#define NAME(name) #name,
	static const char *const names[] = {EACH_PROPERTY(NAME)};
#undef NAME
	u32 i, k;

	(void)state;
	assert_int_equal(nr_properties, ARRAY_SIZE(names));
	for (i = 0; i < nr_properties; i++) {
		assert_int_equal(strlen(names[i]), strlen(properties[i]->id));
		for (k = 0; names[i][k]; k++)
			assert_int_equal(names[i][k] == '_' ? '-' : names[i][k],
					 properties[i]->id[k]);
	}
}

/* A message names both facts: here the two buddies, their zone, order and type. */
static void test_message(void **state)
{
	struct world *w = malloc(sizeof(*w));
	struct bench b;

	(void)state;
	assert_non_null(w);
	world_build(w);
	mergeable(w);
	b = bench_create(w);
	judge_moment(b.judge, b.walk, &w->now);
	assert_int_equal(judge_nr_violations(b.judge), 1);
	assert_string_equal(judge_violation(b.judge, 0)->why,
			    "free pages 32..35 (node 0 Normal, order 2, Unmovable) and "
			    "free pages 36..39 (node 0 Normal, order 2, Movable) are buddies");
	bench_destroy(&b);
	free(w);
}

/* Overwrite one random word of the tables that an allocator writes. */
static void corrupt(struct world *w, u64 *seed)
{
	u32 *tables[] = {(u32 *)w->pages, (u32 *)w->links, (u32 *)w->zones, (u32 *)w->pcps,
			 (u32 *)&w->global};
	size_t sizes[] = {sizeof(w->pages), sizeof(w->links), sizeof(w->zones), sizeof(w->pcps),
			  sizeof(w->global)};
	u32 table, word;

	*seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
	table = (u32)(*seed >> 33) % ARRAY_SIZE(tables);
	word = (u32)(*seed >> 40) % (u32)(sizes[table] / sizeof(u32));
	/* Half of the values are near the indices that are in use, where the harm is greatest. */
	tables[table][word] = *seed & BIT(20) ? (u32)(*seed >> 22) % (WORLD_PAGES + WORLD_HEADS)
					      : (u32)(*seed >> 17);
}

/* Whatever the tables hold, the check ends, within the tables (the sanitizers look). */
static void test_garbage(void **state)
{
	struct world *w = malloc(sizeof(*w));
	struct bench b;
	u64 seed = 1;
	u32 i, nr_found = 0;

	(void)state;
	assert_non_null(w);
	world_build(w);
	b = bench_create(w);
	for (i = 0; i < 20000; i++) {
		if (!(i % 8))
			world_build(w);
		corrupt(w, &seed);
		judge_reset(b.judge);
		judge_moment(b.judge, b.walk, &w->now);
		nr_found += judge_nr_violations(b.judge) > 0;
	}
	/* Some words mean nothing to the self-check (watermarks, ...), most do. */
	assert_true(nr_found > 10000);
	bench_destroy(&b);
	free(w);
}

int main(void)
{
	static const struct CMUnitTest others[] = {
		cmocka_unit_test(test_every_property_is_broken),
		cmocka_unit_test(test_ids_are_names),
		cmocka_unit_test(test_message),
		cmocka_unit_test(test_garbage),
	};
	struct CMUnitTest tests[ARRAY_SIZE(rows) + ARRAY_SIZE(others)];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		tests[i] = (struct CMUnitTest){.name = rows[i].intent,
					       .test_func = test_row,
					       .initial_state = (void *)&rows[i]};
	memcpy(&tests[i], others, sizeof(others));
	return cmocka_run_group_tests_name("selfcheck", tests, NULL, NULL);
}
