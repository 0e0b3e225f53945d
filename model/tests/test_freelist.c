/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The free lists and their counters, and moving whole pageblocks between them
 * (spec 2.3, 2.4, 3.12, 7.4).
 */
#include "model/tests/one_zone.h"

/* The list (order, mt) is exactly the @nr pages of @pfns, head first. */
static void assert_list(const struct fixture *f, u32 order, u32 mt, const u32 *pfns, u32 nr)
{
	u32 head = free_list_head(f->z, order, mt);
	u32 e = head;

	for (u32 i = 0; i < nr; i++) {
		u32 next = f->m->links[e].next;

		assert_int_equal(next, pfns[i]);
		assert_int_equal(f->m->links[next].prev, e);
		e = next;
	}
	assert_int_equal(f->m->links[e].next, head);
	assert_int_equal(f->m->links[head].prev, e);
}

#define ASSERT_LIST(f, order, mt, ...)                                     \
	do {                                                               \
		const u32 pfns_[] = {__VA_ARGS__};                         \
		assert_list((f), (order), (mt), pfns_, ARRAY_SIZE(pfns_)); \
	} while (0)

struct counters {
	s64 free, blocks, cma;
	u32 highatomic;
};

static void assert_counters(const struct fixture *f, struct counters want)
{
	assert_int_equal(f->z->vm_stat[NR_FREE_PAGES], want.free);
	assert_int_equal(f->z->vm_stat[NR_FREE_PAGES_BLOCKS], want.blocks);
	assert_int_equal(f->z->vm_stat[NR_FREE_CMA_PAGES], want.cma);
	assert_int_equal(f->z->nr_free_highatomic, want.highatomic);
}

/* A page enters at the end it is sent to, as a buddy of its order; leaving, it is plain again. */
static void add_and_del(void **state)
{
	struct fixture f;
	struct page *page;

	(void)state;
	set_up(&f);
	page = &f.m->pages[24];
	__add_to_free_list(f.m, f.z, 8, 3, MIGRATE_MOVABLE, false);
	__add_to_free_list(f.m, f.z, 24, 3, MIGRATE_MOVABLE, false);
	__add_to_free_list(f.m, f.z, 40, 3, MIGRATE_MOVABLE, true);
	ASSERT_LIST(&f, 3, MIGRATE_MOVABLE, 24, 8, 40);
	assert_int_equal(f.z->nr_free[3], 3);
	assert_int_equal(page->private, 3);
	assert_int_equal(page->flags, PG_ONLINE | PG_BUDDY);
	assert_false(free_area_empty(f.m, f.z, 3, MIGRATE_MOVABLE));
	assert_true(free_area_empty(f.m, f.z, 3, MIGRATE_UNMOVABLE));
	assert_int_equal(get_page_from_free_area(f.m, f.z, 3, MIGRATE_MOVABLE), 24);

	__del_page_from_free_list(f.m, f.z, 24, 3, MIGRATE_MOVABLE);
	ASSERT_LIST(&f, 3, MIGRATE_MOVABLE, 8, 40);
	assert_int_equal(f.z->nr_free[3], 2);
	assert_int_equal(page->private, 0);
	assert_int_equal(page->flags, PG_ONLINE);
	/* Neither of the two accounts for free pages. */
	assert_counters(&f, (struct counters){0});
	shut_down(f.m);
}

/* The table of spec 2.4: which counters 8 pages of each type are in. */
static void account_by_type(void **state)
{
	static const struct counters want[MIGRATE_TYPES] = {
		[MIGRATE_UNMOVABLE] = {.free = 8},
		[MIGRATE_MOVABLE] = {.free = 8},
		[MIGRATE_RECLAIMABLE] = {.free = 8},
		[MIGRATE_HIGHATOMIC] = {.free = 8, .highatomic = 8},
		[MIGRATE_CMA] = {.free = 8, .cma = 8},
		[MIGRATE_ISOLATE] = {0},
	};
	struct fixture f;

	(void)state;
	set_up(&f);
	for (u32 mt = 0; mt < MIGRATE_TYPES; mt++) {
		account_freepages(f.m, f.z, 8, mt);
		assert_counters(&f, want[mt]);
		account_freepages(f.m, f.z, -8, mt);
		assert_counters(&f, (struct counters){0});
	}
	shut_down(f.m);
}

/* NR_FREE_PAGES_BLOCKS has the buddies of a block or more, isolated ones excepted. */
static void blocks_counter(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	__add_to_free_list(f.m, f.z, 0, 8, MIGRATE_MOVABLE, true);
	assert_int_equal(f.z->vm_stat[NR_FREE_PAGES_BLOCKS], 0);
	__add_to_free_list(f.m, f.z, 512, 9, MIGRATE_UNMOVABLE, true);
	assert_int_equal(f.z->vm_stat[NR_FREE_PAGES_BLOCKS], 512);
	__add_to_free_list(f.m, f.z, 1024, 10, MIGRATE_CMA, true);
	assert_int_equal(f.z->vm_stat[NR_FREE_PAGES_BLOCKS], 1536);
	__add_to_free_list(f.m, f.z, 2048, 9, MIGRATE_ISOLATE, true);
	assert_int_equal(f.z->vm_stat[NR_FREE_PAGES_BLOCKS], 1536);
	/* nr_free counts isolated buddies as well. */
	assert_int_equal(f.z->nr_free[9], 2);
	__del_page_from_free_list(f.m, f.z, 2048, 9, MIGRATE_ISOLATE);
	__del_page_from_free_list(f.m, f.z, 512, 9, MIGRATE_UNMOVABLE);
	assert_int_equal(f.z->vm_stat[NR_FREE_PAGES_BLOCKS], 1024);
	shut_down(f.m);
}

/* A moved buddy goes to the tail; the typed counters follow it, nr_free stays. */
static void move_corrects_counters(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	set_block(f.m, 1, MIGRATE_UNMOVABLE);
	put_buddy(f.m, 0, 9);
	put_buddy(f.m, 512, 9);
	assert_counters(&f, (struct counters){.free = 1024, .blocks = 1024});

	move_to_free_list(f.m, f.z, 0, 9, MIGRATE_MOVABLE, MIGRATE_UNMOVABLE);
	ASSERT_LIST(&f, 9, MIGRATE_UNMOVABLE, 512, 0);
	assert_counters(&f, (struct counters){.free = 1024, .blocks = 1024});
	assert_int_equal(f.z->nr_free[9], 2);

	move_to_free_list(f.m, f.z, 0, 9, MIGRATE_UNMOVABLE, MIGRATE_HIGHATOMIC);
	assert_counters(&f, (struct counters){.free = 1024, .blocks = 1024, .highatomic = 512});
	move_to_free_list(f.m, f.z, 0, 9, MIGRATE_HIGHATOMIC, MIGRATE_ISOLATE);
	assert_counters(&f, (struct counters){.free = 512, .blocks = 512});
	move_to_free_list(f.m, f.z, 0, 9, MIGRATE_ISOLATE, MIGRATE_CMA);
	assert_counters(&f, (struct counters){.free = 1024, .blocks = 1024, .cma = 512});
	assert_int_equal(f.z->nr_free[9], 2);
	shut_down(f.m);
}

/* ---- pageblocks ---------------------------------------------------------- */

/* The isolate bit hides the type and keeps it; writing a type clears the bit (spec 2.3). */
static void isolate_is_an_overlay(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	set_block(f.m, 2, MIGRATE_CMA);
	set_pageblock_isolate(f.m, 2 * BLOCK + 7, true);
	assert_true(get_pageblock_isolate(f.m, 2 * BLOCK));
	assert_int_equal(get_pfnblock_migratetype(f.m, 3 * BLOCK - 1), MIGRATE_ISOLATE);
	assert_int_equal(get_pageblock_stored_type(f.m, 2 * BLOCK), MIGRATE_CMA);
	assert_int_equal(get_pfnblock_migratetype(f.m, 3 * BLOCK), MIGRATE_MOVABLE);
	set_pageblock_isolate(f.m, 2 * BLOCK, false);
	assert_int_equal(get_pfnblock_migratetype(f.m, 2 * BLOCK), MIGRATE_CMA);

	set_pageblock_isolate(f.m, 2 * BLOCK, true);
	set_block(f.m, 2, MIGRATE_RECLAIMABLE);
	assert_int_equal(get_pfnblock_migratetype(f.m, 2 * BLOCK), MIGRATE_RECLAIMABLE);
	shut_down(f.m);
}

/* Without mobility grouping the types of the pcp lists are written as UNMOVABLE (L530). */
static void mobility_off_writes_unmovable(void **state)
{
	static const u32 want[] = {[MIGRATE_UNMOVABLE] = MIGRATE_UNMOVABLE,
				   [MIGRATE_MOVABLE] = MIGRATE_UNMOVABLE,
				   [MIGRATE_RECLAIMABLE] = MIGRATE_UNMOVABLE,
				   [MIGRATE_HIGHATOMIC] = MIGRATE_HIGHATOMIC,
				   [MIGRATE_CMA] = MIGRATE_CMA};
	struct fixture f;

	(void)state;
	set_up(&f);
	SET(f.m, f.m->global->page_group_by_mobility_disabled, 1);
	for (u32 mt = 0; mt < ARRAY_SIZE(want); mt++) {
		change_pageblock_range(f.m, 2 * BLOCK, 10, mt);
		assert_int_equal(get_pfnblock_migratetype(f.m, 2 * BLOCK), want[mt]);
		assert_int_equal(get_pfnblock_migratetype(f.m, 3 * BLOCK), want[mt]);
		assert_int_equal(get_pfnblock_migratetype(f.m, 4 * BLOCK), MIGRATE_MOVABLE);
	}
	shut_down(f.m);
}

/*
 * Block 1, pages 512 - 1023:
 *
 *      512        528     544      560      576   ...           1016
 *      [buddy 16] [plain] [LRU 16] [movops 1]...  [LRU 16: 8 in, 8 in block 2]
 *
 * Free: 16. Movable: 16 + 1 + 8, the folio that crosses the end counts with its 8 pages here.
 * For block 2 the same folio, seen from its tails, counts 8.
 */
static void scan_of_a_block(void **state)
{
	struct fixture f;
	u32 start, num_free, num_movable;

	(void)state;
	set_up(&f);
	put_buddy(f.m, 512, 4);
	prep_compound_page(f.m, 544, 4);
	mark_page(f.m, 544, 4, PG_LRU, 0);
	mark_page(f.m, 560, 0, PG_MOVABLE_OPS, 0);
	prep_compound_page(f.m, 1016, 4);
	mark_page(f.m, 1016, 4, PG_LRU, 0);

	assert_true(prep_move_freepages_block(f.m, f.z, 700, &start, &num_free, &num_movable));
	assert_int_equal(start, 512);
	assert_int_equal(num_free, 16);
	assert_int_equal(num_movable, 16 + 1 + 8);
	assert_true(prep_move_freepages_block(f.m, f.z, 1024, &start, &num_free, &num_movable));
	assert_int_equal(num_free, 0);
	assert_int_equal(num_movable, 8);
	shut_down(f.m);
}

/* All buddies of the block go to the new tail in PFN order, unmerged; the neighbours stay. */
static void move_a_block(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	set_block(f.m, 3, MIGRATE_UNMOVABLE);
	put_buddy(f.m, 3 * BLOCK, 2);
	put_buddy(f.m, BLOCK + 64, 2);
	put_buddy(f.m, BLOCK + 32, 2);
	put_buddy(f.m, BLOCK + 128, 5);
	put_buddy(f.m, 0, 2);
	assert_int_equal(move_freepages_block(f.m, f.z, BLOCK + 5, MIGRATE_MOVABLE,
					      MIGRATE_UNMOVABLE),
			 4 + 4 + 32);
	ASSERT_LIST(&f, 2, MIGRATE_UNMOVABLE, 3 * BLOCK, BLOCK + 32, BLOCK + 64);
	ASSERT_LIST(&f, 5, MIGRATE_UNMOVABLE, BLOCK + 128);
	ASSERT_LIST(&f, 2, MIGRATE_MOVABLE, 0);
	assert_int_equal(get_pfnblock_migratetype(f.m, BLOCK), MIGRATE_UNMOVABLE);
	assert_counters(&f, (struct counters){.free = 4 * 4 + 32});
	shut_down(f.m);
}

/* A block that the zone does not wholly span is left alone: -1, nothing changes. */
static void move_at_a_zone_boundary(void **state)
{
	struct recorder r;
	struct observer observer;
	struct machine machine;
	struct memory *m;

	(void)state;
	machine_init(&machine);
	machine.mobility = MOBILITY_ON;
	add_zone(&machine, 0, ZONE_DMA32, 4 * BLOCK + 256);
	add_zone(&machine, 0, ZONE_NORMAL, 4 * BLOCK + 256);
	m = boot_machine(&machine, &r, &observer);
	for (u32 i = 0; i < 2; i++) {
		assert_int_equal(move_freepages_block(m, zone_at(m, i), 4 * BLOCK + 255 + i,
						      MIGRATE_MOVABLE, MIGRATE_UNMOVABLE),
				 -1);
		assert_false(pageblock_isolate_and_move_free_pages(m, zone_at(m, i),
								   4 * BLOCK + 255 + i));
	}
	assert_int_equal(get_pfnblock_migratetype(m, 4 * BLOCK), MIGRATE_MOVABLE);
	assert_int_equal(count_events(&r, EV_WARN), 0);
	shut_down(m);
}

/* ---- isolation of a block (spec 7.4) ------------------------------------- */

/*
 * W4: the second block of an order-10 buddy.
 *
 *      [      0, order 10, MOVABLE      ]
 *      [ 0, order 9, M ][ 512, order 9, I ]
 */
static void isolate_half_of_a_buddy(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	put_buddy(f.m, 0, 10);
	assert_counters(&f, (struct counters){.free = 1024, .blocks = 1024});
	assert_true(pageblock_isolate_and_move_free_pages(f.m, f.z, 600));
	ASSERT_LIST(&f, 9, MIGRATE_MOVABLE, 0);
	ASSERT_LIST(&f, 9, MIGRATE_ISOLATE, 512);
	assert_int_equal(f.z->nr_free[10], 0);
	assert_counters(&f, (struct counters){.free = 512, .blocks = 512});
	assert_int_equal(get_pfnblock_migratetype(f.m, 512), MIGRATE_ISOLATE);
	assert_int_equal(get_pageblock_stored_type(f.m, 512), MIGRATE_MOVABLE);

	/* Once more is a mistake of the caller. */
	assert_int_equal(count_events(&f.r, EV_WARN), 0);
	assert_false(pageblock_isolate_and_move_free_pages(f.m, f.z, 600));
	assert_int_equal(event_at(&f.r, EV_WARN, 0)->a, WARN_ISOLATE_STATE);
	shut_down(f.m);
}

/* W5: out of W4 the block is taken out, un-isolated, put back, and merges at the tail. */
static void unisolate_half_of_a_buddy(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	put_buddy(f.m, 0, 10);
	put_buddy(f.m, 1024, 10);
	assert_true(pageblock_isolate_and_move_free_pages(f.m, f.z, 512));
	assert_int_equal(__isolate_free_page(f.m, 512, 9), 512);
	set_pageblock_isolate(f.m, 512, false);
	__putback_isolated_page(f.m, 512, 9, MIGRATE_MOVABLE);
	ASSERT_LIST(&f, 10, MIGRATE_MOVABLE, 1024, 0);
	assert_int_equal(f.z->nr_free[9], 0);
	assert_counters(&f, (struct counters){.free = 2048, .blocks = 2048});
	assert_int_equal(f.m->pages[512].private, 0);
	shut_down(f.m);
}

/* Smaller buddies just change lists, and come back to the tail of their type's. */
static void isolate_and_unisolate_small_buddies(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	set_block(f.m, 1, MIGRATE_CMA);
	put_buddy(f.m, BLOCK + 4, 2);
	put_buddy(f.m, BLOCK, 0);
	put_buddy(f.m, BLOCK + 256, 8);
	assert_true(pageblock_isolate_and_move_free_pages(f.m, f.z, BLOCK));
	ASSERT_LIST(&f, 0, MIGRATE_ISOLATE, BLOCK);
	ASSERT_LIST(&f, 2, MIGRATE_ISOLATE, BLOCK + 4);
	ASSERT_LIST(&f, 8, MIGRATE_ISOLATE, BLOCK + 256);
	assert_counters(&f, (struct counters){0});
	assert_true(pageblock_unisolate_and_move_free_pages(f.m, f.z, BLOCK));
	ASSERT_LIST(&f, 2, MIGRATE_CMA, BLOCK + 4);
	assert_counters(&f, (struct counters){.free = 261, .cma = 261});
	assert_int_equal(get_pfnblock_migratetype(f.m, BLOCK), MIGRATE_CMA);
	assert_false(pageblock_unisolate_and_move_free_pages(f.m, f.z, BLOCK));
	shut_down(f.m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(add_and_del),
		cmocka_unit_test(account_by_type),
		cmocka_unit_test(blocks_counter),
		cmocka_unit_test(move_corrects_counters),
		cmocka_unit_test(isolate_is_an_overlay),
		cmocka_unit_test(mobility_off_writes_unmovable),
		cmocka_unit_test(scan_of_a_block),
		cmocka_unit_test(move_a_block),
		cmocka_unit_test(move_at_a_zone_boundary),
		cmocka_unit_test(isolate_half_of_a_buddy),
		cmocka_unit_test(unisolate_half_of_a_buddy),
		cmocka_unit_test(isolate_and_unisolate_small_buddies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
