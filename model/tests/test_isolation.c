/* SPDX-License-Identifier: GPL-2.0-only */
/* Isolating pageblocks and giving them back (spec 7.3, 7.4; W4, W5; rules 74, 75). */
#include <errno.h>

#include "model/tests/folio_fixture.h"

#define M MIGRATE_MOVABLE
#define I MIGRATE_ISOLATE
#define OTHER PB_ISOLATE_MODE_OTHER
#define OFFLINE PB_ISOLATE_MODE_MEM_OFFLINE

/* ---- free memory --------------------------------------------------------- */

/*
 * W4 and W5: the second half of a buddy of two blocks.
 *
 *      [     order 10, M     ]      isolate block 1
 *      [ order 9, M ][ 9, I  ]      un-isolate it
 *      [     order 10, M     ]      at the tail
 */
static void test_w4_w5(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);
	struct zone *z = &m->zones[0];

	(void)state;
	assert_int_equal(start_isolate_page_range(m, 512, 1024, OTHER), 0);
	assert_int_equal(z->nr_isolate_pageblock, 1);
	assert_int_equal(z->vm_stat[NR_FREE_PAGES], 4096 - 512);
	assert_int_equal(z->vm_stat[NR_FREE_PAGES_BLOCKS], 4096 - 512);
	assert_int_equal(z->nr_free[9], 2);
	ASSERT_FREE(m, z, 9, M, 0);
	ASSERT_FREE(m, z, 9, I, 512);
	ASSERT_FREE(m, z, 10, M, 1024, 2048, 3072);
	assert_int_equal(get_pfnblock_migratetype(m, 512), I);
	assert_int_equal(get_pageblock_stored_type(m, 512), M);
	assert_int_equal(get_pfnblock_migratetype(m, 0), M);

	undo_isolate_page_range(m, 512, 1024);
	assert_nothing_isolated(m);
	assert_int_equal(z->vm_stat[NR_FREE_PAGES], 4096);
	assert_int_equal(z->vm_stat[NR_FREE_PAGES_BLOCKS], 4096);
	assert_int_equal(z->nr_free[9], 0);
	ASSERT_FREE(m, z, 10, M, 1024, 2048, 3072, 0);
	shut_down(m);
}

/*
 * Two blocks of one buddy. The second one moves as it is; both are ISOLATE, but moving does
 * not merge. Given back, block 0 finds its buddy isolated and moves, block 1 merges with it.
 */
static void test_both_halves(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);
	struct zone *z = &m->zones[0];

	(void)state;
	assert_int_equal(start_isolate_page_range(m, 0, 1024, OTHER), 0);
	assert_int_equal(z->nr_isolate_pageblock, 2);
	ASSERT_FREE(m, z, 9, I, 0, 512);
	assert_int_equal(z->vm_stat[NR_FREE_PAGES], 4096 - 1024);

	undo_isolate_page_range(m, 0, 512);
	ASSERT_FREE(m, z, 9, M, 0);
	ASSERT_FREE(m, z, 9, I, 512);
	undo_isolate_page_range(m, 512, 1024);
	ASSERT_FREE(m, z, 10, M, 1024, 2048, 3072, 0);
	assert_nothing_isolated(m);
	shut_down(m);
}

/*
 * A buddy of four blocks: the pieces of the same type merge again among themselves.
 *
 *      [                order 11, M                ]
 *      [   9, M   ][   9, I   ][      10, M        ]
 */
static void test_block_inside_a_large_buddy(void **state)
{
	struct machine machine;
	struct recorder r;
	struct observer o;
	struct memory *m;
	struct zone *z;

	(void)state;
	machine_init(&machine);
	machine.max_page_order = 11;
	add_zone(&machine, 0, ZONE_NORMAL, 4096);
	m = boot_machine(&machine, &r, &o);
	z = &m->zones[0];
	assert_int_equal(start_isolate_page_range(m, 512, 1024, OTHER), 0);
	ASSERT_FREE(m, z, 9, M, 0);
	ASSERT_FREE(m, z, 9, I, 512);
	ASSERT_FREE(m, z, 10, M, 1024);
	ASSERT_FREE(m, z, 11, M, 2048);
	undo_isolate_page_range(m, 512, 1024);
	ASSERT_FREE(m, z, 11, M, 2048, 0);
	shut_down(m);
}

/* Two blocks, isolated while a page in use keeps them apart; freed, it merges them. */
static void isolate_and_merge(struct memory *m)
{
	put_folio(m, 0, 0, 1, PG_LRU);
	assert_int_equal(start_isolate_page_range(m, 0, 1024, OTHER), 0);
	__free_pages(m, 0, 0);
	ASSERT_FREE(m, &m->zones[0], 10, I, 0);
}

/*
 * What merged while both blocks were isolated is taken apart again when one of them is not,
 * if it is as large as a buddy can be ...
 *
 *      [     order 10, I     ]  ->  [  9, M  ][  9, I  ]
 */
static void test_merged_while_isolated(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);
	struct zone *z = &m->zones[0];

	(void)state;
	isolate_and_merge(m);
	undo_isolate_page_range(m, 0, 512);
	ASSERT_FREE(m, z, 9, M, 0);
	ASSERT_FREE(m, z, 9, I, 512);
	undo_isolate_page_range(m, 512, 1024);
	ASSERT_FREE(m, z, 10, M, 1024, 2048, 3072, 0);
	assert_nothing_isolated(m);
	shut_down(m);
}

/*
 * ... but goes back as a whole if it can merge: the second block is free for all then, though
 * still marked as isolated (spec 7.4, the rule reads the type of the first page only).
 *
 *      [     order 10, I     ][     order 10, M     ]
 *      [              order 11, M                   ]      block 1 isolated
 */
static void test_merged_while_isolated_can_merge_more(void **state)
{
	struct machine machine;
	struct recorder r;
	struct observer o;
	struct memory *m;
	struct zone *z;

	(void)state;
	machine_init(&machine);
	machine.max_page_order = 11;
	add_zone(&machine, 0, ZONE_NORMAL, 4096);
	m = boot_machine(&machine, &r, &o);
	z = &m->zones[0];
	isolate_and_merge(m);
	undo_isolate_page_range(m, 0, 512);
	ASSERT_FREE(m, z, 11, M, 2048, 0);
	assert_int_equal(z->vm_stat[NR_FREE_PAGES], 4096);
	assert_int_equal(z->nr_isolate_pageblock, 1);
	assert_true(get_pageblock_isolate(m, 512));
	undo_isolate_page_range(m, 512, 1024);
	assert_int_equal(z->vm_stat[NR_FREE_PAGES], 4096);
	assert_nothing_isolated(m);
	shut_down(m);
}

/*
 * Rule 75: with no traffic between, un-isolating restores all counters and types, whatever
 * the blocks are and hold.
 */
static void test_round_trip_restores_counters(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);
	struct zone *z = &m->zones[0];
	struct books before;

	(void)state;
	put_folio(m, 700, 0, 1, PG_LRU);
	put_folio(m, 1536, 3, 1, PG_LRU);
	take(m, 2049, 0);
	for (u32 block = 2; block < 5; block++)
		move_freepages_block(m, z, block * BLOCK, M, (block + 1) % 4);
	before = keep_books(m, z);
	assert_int_equal(start_isolate_page_range(m, 300, 3100, OTHER), 0);
	assert_int_equal(z->nr_isolate_pageblock, 7);
	/* Block 7 is what is left; HIGHATOMIC pages are not counted either. */
	assert_int_equal(z->vm_stat[NR_FREE_PAGES], 512);
	assert_int_equal(z->nr_free_highatomic, 0);
	undo_isolate_page_range(m, 300, 3100);
	assert_books(m, z, &before);
	assert_nothing_isolated(m);
	shut_down(m);
}

/* What is freed into an isolated block joins its lists and no counter, past the pcp. */
static void test_free_into_isolated_block(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);
	struct zone *z = &m->zones[0];

	(void)state;
	put_folio(m, 512, 0, 1, PG_LRU);
	assert_int_equal(start_isolate_page_range(m, 512, 1024, OTHER), 0);
	assert_int_equal(z->vm_stat[NR_FREE_PAGES], 4096 - 512);
	__free_pages(m, 512, 0);
	assert_int_equal(z->vm_stat[NR_FREE_PAGES], 4096 - 512);
	assert_int_equal(m->pcps[0].count, 0);
	ASSERT_FREE(m, z, 9, I, 512);
	undo_isolate_page_range(m, 512, 1024);
	assert_int_equal(z->vm_stat[NR_FREE_PAGES], 4096);
	shut_down(m);
}

/* ---- what is in the way -------------------------------------------------- */

/* One page in its zone, looked at from @pfn. */
struct unmovable_row {
	const char *what;
	u32 order;
	s32 refs;
	u32 marks;
	u32 pfn; /* the folio begins at 8 */
	u32 mode;
	bool unmovable;
	u32 step; /* if it is movable */
};

static const struct unmovable_row unmovable_rows[] = {
	{"in use", 0, 1, 0, 8, OTHER, true, 0},
	{"frozen or on a pcp", 0, 0, 0, 8, OTHER, false, 1},
	{"on the LRU", 0, 1, PG_LRU, 8, OTHER, false, 1},
	{"pinned: found out only later", 0, 1, PG_LRU | PG_PINNED, 8, OTHER, false, 1},
	{"movable_ops", 0, 1, PG_MOVABLE_OPS, 8, OTHER, false, 1},
	{"reserved", 0, 1, PG_RESERVED, 8, OTHER, true, 0},
	{"reserved on the LRU", 0, 1, PG_RESERVED | PG_LRU, 8, OTHER, true, 0},
	{"folio on the LRU", 3, 1, PG_LRU, 8, OTHER, false, 8},
	{"tail of it", 3, 1, PG_LRU, 13, OTHER, false, 3},
	{"compound, not on the LRU", 3, 1, 0, 8, OTHER, true, 0},
	{"tail of it", 3, 1, 0, 9, OTHER, true, 0},
	{"frozen compound", 3, 0, 0, 8, OTHER, true, 0},
	{"compound with movable_ops", 3, 1, PG_MOVABLE_OPS, 8, OTHER, true, 0},
	{"hugetlb in use", 3, 1, PG_HUGETLB, 8, OTHER, false, 8},
	{"hugetlb in the pool, tail", 3, 0, PG_HUGETLB, 15, OTHER, false, 1},
	{"poisoned", 0, 1, PG_HWPOISON, 8, OTHER, true, 0},
	{"poisoned", 0, 1, PG_HWPOISON, 8, PB_ISOLATE_MODE_CMA_ALLOC, true, 0},
	{"poisoned, offlining", 0, 1, PG_HWPOISON, 8, OFFLINE, false, 1},
	{"in use, offlining", 0, 1, 0, 8, OFFLINE, true, 0},
};

static void check_unmovable_row(const struct unmovable_row *row)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);
	u32 step;

	put_folio(m, 8, row->order, row->refs, row->marks);
	if (page_is_unmovable(m, &m->zones[0], row->pfn, row->mode, &step) != row->unmovable)
		fail_msg("%s: expected %s", row->what, row->unmovable ? "unmovable" : "movable");
	if (!row->unmovable)
		assert_int_equal(step, row->step);
	shut_down(m);
}

/* Spec 7.3, page_is_unmovable: each rule, and how far its answer reaches. */
static void test_page_is_unmovable(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(unmovable_rows); i++)
		check_unmovable_row(&unmovable_rows[i]);
}

/* The answer for a free buddy covers it; inside of one, a page is on its own. */
static void test_free_buddy_is_movable(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);
	u32 step;

	(void)state;
	assert_false(page_is_unmovable(m, &m->zones[0], 1024, OTHER, &step));
	assert_int_equal(step, 1024);
	assert_false(page_is_unmovable(m, &m->zones[0], 1025, OTHER, &step));
	assert_int_equal(step, 1);
	shut_down(m);
}

/* In ZONE_MOVABLE everything but reserved pages moves, before any step is computed. */
static void test_movable_zone(void **state)
{
	struct machine machine;
	struct recorder r;
	struct observer o;
	struct memory *m;
	u32 step;

	(void)state;
	machine_init(&machine);
	add_zone(&machine, 0, ZONE_NORMAL, 4096);
	add_zone(&machine, 0, ZONE_MOVABLE, 4096);
	m = boot_machine(&machine, &r, &o);
	put_folio(m, 4096, 0, 1, 0);
	put_folio(m, 4098, 0, 1, PG_RESERVED);
	put_folio(m, 4104, 3, 1, PG_LRU);
	assert_false(page_is_unmovable(m, &m->zones[1], 4096, OTHER, &step));
	assert_int_equal(step, 1);
	assert_true(page_is_unmovable(m, &m->zones[1], 4098, OTHER, &step));
	assert_false(page_is_unmovable(m, &m->zones[1], 4104, OTHER, &step));
	assert_int_equal(step, 1);
	shut_down(m);
}

/* Hugetlb pages move only where their migration is supported; holes never do. */
static void test_hugetlb_without_migration(void **state)
{
	struct machine machine;
	struct recorder r;
	struct observer o;
	struct memory *m;
	u32 step;

	(void)state;
	machine_init(&machine);
	machine.hugetlb_migration = 0;
	add_zone(&machine, 0, ZONE_NORMAL, 4096);
	m = boot_machine(&machine, &r, &o);
	put_folio(m, 8, 3, 1, PG_HUGETLB);
	assert_true(page_is_unmovable(m, &m->zones[0], 8, OTHER, &step));
	assert_true(page_is_unmovable(m, &m->zones[0], 9, OTHER, &step));
	assert_true(page_is_unmovable(m, &m->zones[0], 4096, OTHER, &step));
	shut_down(m);
}

/* ---- failures leave everything as it was (rule 74) ------------------------ */

static void assert_busy(struct memory *m, u32 start, u32 end, enum pb_isolate_mode mode)
{
	struct books before = keep_books(m, &m->zones[0]);

	assert_int_equal(start_isolate_page_range(m, start, end, mode), -EBUSY);
	assert_books(m, &m->zones[0], &before);
	assert_nothing_isolated(m);
}

/*
 * A page in use in any block of the range, in the edge blocks also outside of the range.
 *
 *      block  0         1         2         3
 *             |...x..[..|.........|....x....|..].....|
 */
static void test_unmovable_page(void **state)
{
	static const u32 places[] = {10, 700, 1300, 2040};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		struct recorder r;
		struct observer o;
		struct memory *m = boot_zone(4096, &r, &o);

		put_folio(m, places[i], 0, 1, 0);
		assert_busy(m, 100, 1900, OTHER);
		/* One block further on it is in nobody's way. */
		assert_int_equal(start_isolate_page_range(m, 2048, 3000, OTHER), 0);
		shut_down(m);
	}
}

/* A folio across an edge of the range. A hugetlb one is let through: it moves as a whole. */
static void test_folio_across_the_edge(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);

	(void)state;
	put_folio(m, 1024, 10, 1, PG_LRU);
	assert_busy(m, 1536, 2048, OTHER); /* reaches across the start */
	assert_busy(m, 1024, 1536, OTHER); /* across the end */
	assert_busy(m, 0, 1536, OTHER); /* across the end of several blocks */
	assert_int_equal(start_isolate_page_range(m, 1024, 2048, OTHER), 0);
	undo_isolate_page_range(m, 1024, 2048);
	mark_page(m, 1024, 10, PG_HUGETLB, PG_LRU);
	assert_int_equal(start_isolate_page_range(m, 1536, 2048, OTHER), 0);
	undo_isolate_page_range(m, 1536, 2048);
	assert_int_equal(start_isolate_page_range(m, 1024, 1536, OTHER), 0);
	shut_down(m);
}

/* A folio that ends at the edge is in nobody's way. */
static void test_folio_beside_the_edge(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);

	(void)state;
	put_folio(m, 0, 9, 1, PG_LRU);
	put_folio(m, 1024, 9, 1, 0);
	assert_int_equal(start_isolate_page_range(m, 512, 1024, OTHER), 0);
	shut_down(m);
}

/* CMA blocks are for their owner, who may have them whatever is in them. */
static void test_cma_block(void **state)
{
	struct machine machine;
	struct recorder r;
	struct observer o;
	struct memory *m;

	(void)state;
	machine_init(&machine);
	add_zone(&machine, 0, ZONE_NORMAL, 4096);
	machine.nr_ranges = 1;
	machine.ranges[0] = (struct machine_range){RANGE_CMA, 512, 512};
	m = boot_machine(&machine, &r, &o);
	assert_busy(m, 512, 1024, OTHER);
	assert_busy(m, 0, 1024, OFFLINE);
	put_folio(m, 512, 0, 1, 0);
	assert_int_equal(start_isolate_page_range(m, 512, 1024, PB_ISOLATE_MODE_CMA_ALLOC), 0);
	assert_int_equal(m->zones[0].vm_stat[NR_FREE_CMA_PAGES], 0);
	undo_isolate_page_range(m, 512, 1024);
	assert_int_equal(get_pfnblock_migratetype(m, 512), MIGRATE_CMA);
	assert_int_equal(m->zones[0].vm_stat[NR_FREE_CMA_PAGES], 511);
	shut_down(m);
}

/*
 * Each block is judged by its own type and its own pages.
 *
 *      block  0     1     2     3     4
 *             [ M ] [CMA] [ M ] [CMA] [ M ]       x: in use
 *                                 x
 */
static void test_blocks_of_both_kinds(void **state)
{
	struct machine machine;
	struct recorder r;
	struct observer o;
	struct memory *m;

	(void)state;
	machine_init(&machine);
	add_zone(&machine, 0, ZONE_NORMAL, 4096);
	machine.nr_ranges = 2;
	machine.ranges[0] = (struct machine_range){RANGE_CMA, 512, 512};
	machine.ranges[1] = (struct machine_range){RANGE_CMA, 1536, 512};
	m = boot_machine(&machine, &r, &o);
	assert_busy(m, 0, 1536, OTHER);
	put_folio(m, 1600, 0, 1, 0);
	assert_int_equal(start_isolate_page_range(m, 512, 2048, PB_ISOLATE_MODE_CMA_ALLOC), 0);
	shut_down(m);
}

/* Whole blocks of nothing between two zones are passed over. */
static void test_hole_between(void **state)
{
	struct machine machine;
	struct recorder r;
	struct observer o;
	struct memory *m;

	(void)state;
	machine_init(&machine);
	add_zone(&machine, 0, ZONE_NORMAL, 2048);
	add_zone(&machine, 1, ZONE_NORMAL, 2048);
	machine.zones[1].start = 3072;
	m = boot_machine(&machine, &r, &o);
	assert_int_equal(start_isolate_page_range(m, 1536, 3584, OTHER), 0);
	assert_int_equal(m->zones[0].nr_isolate_pageblock, 1);
	assert_int_equal(m->zones[1].nr_isolate_pageblock, 1);
	undo_isolate_page_range(m, 1536, 3584);
	assert_nothing_isolated(m);
	assert_busy(m, 1536, 2560, OTHER);
	shut_down(m);
}

/*
 * A block that is in two zones, or partly in none, cannot be isolated.
 *
 *      block  0 .. 7    8         9            15
 *             |   zone 0   | zone 1   ...  |  hole
 *                        4200           7700
 */
static void test_zone_boundary(void **state)
{
	struct machine machine;
	struct recorder r;
	struct observer o;
	struct memory *m;

	(void)state;
	machine_init(&machine);
	add_zone(&machine, 0, ZONE_NORMAL, 4200);
	add_zone(&machine, 1, ZONE_NORMAL, 3500);
	m = boot_machine(&machine, &r, &o);
	assert_busy(m, 4096, 4200, OTHER);
	assert_busy(m, 4200, 4608, OTHER);
	assert_busy(m, 7680, 7700, OTHER);
	assert_busy(m, 3584, 4200, OTHER); /* the good block before it is given back */
	assert_int_equal(start_isolate_page_range(m, 3584, 4096, OTHER), 0);
	assert_int_equal(start_isolate_page_range(m, 4608, 5120, OTHER), 0);
	shut_down(m);
}

/*
 * A block that begins in a hole is looked at under the lock of the zone that comes next, where it crosses the
 * boundary: pages of holes are linked to it.
 *
 *      block  0 .. 3     4 .. 5     6
 *             | zone 0 |  hole     [ hole | zone 1
 *             0        2048        3072   3100
 */
static void test_block_begins_in_a_hole(void **state)
{
	struct machine machine;
	struct recorder r;
	struct observer o;
	struct memory *m;

	(void)state;
	machine_init(&machine);
	add_zone(&machine, 0, ZONE_NORMAL, 2048);
	add_zone(&machine, 1, ZONE_NORMAL, 4096);
	machine.zones[1].start = 3100;
	m = boot_machine(&machine, &r, &o);
	r.nr = 0;
	assert_busy(m, 3100, 3584, OTHER);
	assert_int_equal(count_events(&r, EV_ZONE_LOCK), 1);
	assert_int_equal(event_at(&r, EV_ZONE_LOCK, 0)->zone, 1);
	shut_down(m);
}

/* ---- two owners ---------------------------------------------------------- */

/* A block that somebody else isolated fails the call, which leaves that block alone. */
static void test_isolated_by_somebody_else(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);
	struct zone *z = &m->zones[0];
	struct books before;

	(void)state;
	assert_int_equal(start_isolate_page_range(m, 1024, 1536, OTHER), 0);
	before = keep_books(m, z);
	assert_int_equal(start_isolate_page_range(m, 1024, 1536, OTHER), -EBUSY);
	assert_int_equal(start_isolate_page_range(m, 512, 1536, OTHER), -EBUSY); /* last */
	assert_int_equal(start_isolate_page_range(m, 1024, 2048, OTHER), -EBUSY); /* first */
	assert_int_equal(start_isolate_page_range(m, 512, 2048, OTHER), -EBUSY); /* inner */
	assert_books(m, z, &before);
	assert_int_equal(z->nr_isolate_pageblock, 1);
	/* It found that out by looking, not by a WARN. */
	assert_int_equal(count_events(&r, EV_WARN), 0);
	shut_down(m);
}

/* Undoing un-isolates every block of the range, whoever isolated it (rule 74, 7.2 DONE). */
static void test_undo_hits_other_owners(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);

	(void)state;
	assert_int_equal(start_isolate_page_range(m, 1024, 1536, OTHER), 0);
	undo_isolate_page_range(m, 600, 3000);
	assert_nothing_isolated(m);
	assert_int_equal(m->zones[0].vm_stat[NR_FREE_PAGES], 4096);
	shut_down(m);
}

/* ---- test_pages_isolated() ----------------------------------------------- */

static void assert_tested(struct memory *m, struct recorder *r, u32 start, u32 end, u32 mode,
			  u32 stopped)
{
	const struct event *ev;

	r->nr = 0;
	assert_int_equal(test_pages_isolated(m, start, end, mode), stopped < end ? -EBUSY : 0);
	ev = event_at(r, EV_TEST_PAGES_ISOLATED, 0);
	assert_int_equal(ev->pfn, start);
	assert_int_equal(ev->a, end);
	assert_int_equal(ev->b, stopped);
}

/*
 * Everything in the range must be in a free buddy of an isolated block. The type is looked at
 * once a block, at the offset of the start: from 600 on, block 3 (not isolated) is not seen
 * by a range that ends before 1536 + 88.
 *
 *      block  1 isolated   2 isolated    3
 *             |512         |1024         |1536
 */
static void test_test_pages_isolated(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);

	(void)state;
	assert_int_equal(start_isolate_page_range(m, 512, 1536, OTHER), 0);
	assert_tested(m, &r, 512, 1536, OTHER, 1536);
	assert_tested(m, &r, 512, 1000, OTHER, 1024); /* where the last buddy ends */
	assert_tested(m, &r, 512, 1537, OTHER, 1536); /* block 3 has a sample: not isolated */
	assert_tested(m, &r, 0, 512, OTHER, 0);
	/* Not a buddy's head: what is inside of one does not say so. */
	assert_tested(m, &r, 600, 1536, OTHER, 600);
	take(m, 599, 0);
	assert_tested(m, &r, 600, 1600, OTHER,
		      2048); /* no sample in block 3, whose pages are free */
	shut_down(m);
}

/* A page in use ends the walk; a poisoned one does not when memory goes offline. */
static void test_busy_and_poisoned_page(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);

	(void)state;
	put_folio(m, 600, 0, 1, PG_LRU | PG_HWPOISON);
	put_folio(m, 700, 0, 1, PG_LRU);
	assert_int_equal(start_isolate_page_range(m, 512, 1024, OFFLINE), 0);
	assert_tested(m, &r, 512, 1024, OTHER, 600);
	assert_tested(m, &r, 512, 1024, OFFLINE, 700);
	__free_pages(m, 700, 0);
	assert_tested(m, &r, 512, 1024, OFFLINE, 1024);
	shut_down(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_w4_w5),
		cmocka_unit_test(test_both_halves),
		cmocka_unit_test(test_block_inside_a_large_buddy),
		cmocka_unit_test(test_merged_while_isolated),
		cmocka_unit_test(test_merged_while_isolated_can_merge_more),
		cmocka_unit_test(test_round_trip_restores_counters),
		cmocka_unit_test(test_free_into_isolated_block),
		cmocka_unit_test(test_page_is_unmovable),
		cmocka_unit_test(test_free_buddy_is_movable),
		cmocka_unit_test(test_movable_zone),
		cmocka_unit_test(test_hugetlb_without_migration),
		cmocka_unit_test(test_unmovable_page),
		cmocka_unit_test(test_folio_across_the_edge),
		cmocka_unit_test(test_folio_beside_the_edge),
		cmocka_unit_test(test_cma_block),
		cmocka_unit_test(test_blocks_of_both_kinds),
		cmocka_unit_test(test_hole_between),
		cmocka_unit_test(test_zone_boundary),
		cmocka_unit_test(test_block_begins_in_a_hole),
		cmocka_unit_test(test_isolated_by_somebody_else),
		cmocka_unit_test(test_undo_hits_other_owners),
		cmocka_unit_test(test_test_pages_isolated),
		cmocka_unit_test(test_busy_and_poisoned_page),
	};

	return cmocka_run_group_tests_name("isolation", tests, NULL, NULL);
}
