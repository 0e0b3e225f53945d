/* SPDX-License-Identifier: GPL-2.0-only */
/* Splitting and merging buddies (spec 3.5, 3.9, 4.9). */
#include "model/tests/one_zone.h"

static void assert_no_buddies_but(const struct fixture *f, u32 order)
{
	for (u32 o = 0; o <= f->m->max_page_order; o++)
		assert_int_equal(f->z->nr_free[o], o == order ? 1 : 0);
}

/* ---- split --------------------------------------------------------------- */

/*
 * W1: single pages out of one order-10 buddy at 0, the pcp disabled.
 *
 *      1st -> 0:  1 [2 3] [4 - 7] ... [512 - 1023] stay, one of each order
 *      2nd -> 1
 *      3rd -> 2:  3 [4 - 7] ... stay
 */
static void split_of_a_large_buddy(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	zone_pcp_disable(f.m, f.z);
	put_buddy(f.m, 0, 10);
	assert_int_equal(rmqueue_pcplist(f.m, f.z, f.z, 0, MIGRATE_MOVABLE, 0), 0);
	for (u32 order = 0; order <= 9; order++)
		assert_only(&f, order, MIGRATE_MOVABLE, BIT(order));
	assert_int_equal(f.z->nr_free[10], 0);
	assert_int_equal(f.z->vm_stat[NR_FREE_PAGES], 1023);
	assert_int_equal(f.z->vm_stat[NR_FREE_PAGES_BLOCKS], 512);

	assert_int_equal(rmqueue_pcplist(f.m, f.z, f.z, 0, MIGRATE_MOVABLE, 0), 1);
	assert_int_equal(f.z->nr_free[0], 0);
	assert_int_equal(rmqueue_pcplist(f.m, f.z, f.z, 0, MIGRATE_MOVABLE, 0), 2);
	assert_only(&f, 0, MIGRATE_MOVABLE, 3);
	assert_int_equal(f.z->nr_free[1], 0);
	assert_int_equal(f.z->vm_stat[NR_FREE_PAGES], 1021);
	shut_down(f.m);
}

/* What is left of a buddy goes to the heads of the lists (spec 4.9). */
static void remainder_goes_to_the_heads(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	put_buddy(f.m, 256, 2);
	put_buddy(f.m, 512, 4);
	page_del_and_expand(f.m, f.z, 512, 1, 4, MIGRATE_MOVABLE);
	/* 512 - 513 are taken; 514 (order 1), 516 (2) and 520 (3) are left. */
	assert_only(&f, 1, MIGRATE_MOVABLE, 514);
	assert_int_equal(entry(&f, 2, MIGRATE_MOVABLE, 0), 516);
	assert_int_equal(entry(&f, 2, MIGRATE_MOVABLE, 1), 256);
	assert_only(&f, 3, MIGRATE_MOVABLE, 520);
	assert_int_equal(f.z->nr_free[4], 0);
	assert_int_equal(f.z->vm_stat[NR_FREE_PAGES], 4 + 14);
	assert_int_equal(f.m->pages[512].private, 0);
	assert_false(page_has(f.m, 512, PG_BUDDY));
	shut_down(f.m);
}

/* ---- merge --------------------------------------------------------------- */

/* Pages freed in any order end as one buddy of the largest order; none is left behind. */
static void merge_to_the_top(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	/* 0, 641, 258, ...: 641 is odd, so every page of 1024 comes once. */
	for (u32 i = 0; i < 1024; i++)
		free_at(&f, 1024 + i * 641 % 1024, 0);
	assert_only(&f, 10, MIGRATE_MOVABLE, 1024);
	assert_no_buddies_but(&f, 10);
	assert_int_equal(f.z->vm_stat[NR_FREE_PAGES], 1024);
	assert_int_equal(f.z->vm_stat[NR_FREE_PAGES_BLOCKS], 1024);
	for (u32 pfn = 1025; pfn < 2048; pfn++) {
		assert_int_equal(f.m->pages[pfn].flags, PG_ONLINE);
		assert_int_equal(f.m->pages[pfn].private, 0);
	}
	/* There is no order 11, though the neighbour is free as well. */
	free_at(&f, 0, 10);
	assert_int_equal(f.z->nr_free[10], 2);
	shut_down(f.m);
}

/* Only a head of exactly the same order is a buddy to merge with (spec 3.9 step 2b). */
static void merge_needs_the_same_order(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	put_buddy(f.m, 4, 1);
	free_at(&f, 0, 2); /* [0 - 3], buddy [4 - 7] is only half free */
	assert_only(&f, 2, MIGRATE_MOVABLE, 0);
	free_at(&f, 6, 1);
	assert_only(&f, 3, MIGRATE_MOVABLE, 0);
	assert_no_buddies_but(&f, 3);
	shut_down(f.m);
}

/*
 * W2: 0 is freed, 1 is allocated, so it stays order 0. Its parent [0 1] could merge with
 * [2 3]: if that is free as order 1, 0 goes to the tail.
 */
static void placement_looks_at_the_parents_buddy(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	put_buddy(f.m, 8, 3);
	put_buddy(f.m, 64, 0);
	free_at(&f, 0, 0);
	assert_int_equal(entry(&f, 0, MIGRATE_MOVABLE, 0), 0);
	assert_int_equal(entry(&f, 0, MIGRATE_MOVABLE, 1), 64);
	shut_down(f.m);

	set_up(&f);
	put_buddy(f.m, 2, 1);
	put_buddy(f.m, 64, 0);
	free_at(&f, 0, 0);
	assert_int_equal(entry(&f, 0, MIGRATE_MOVABLE, 0), 64);
	assert_int_equal(entry(&f, 0, MIGRATE_MOVABLE, 1), 0);
	shut_down(f.m);
}

/* The type of the parent's buddy does not matter, and orders MAX - 1 and above go to the head. */
static void placement_at_the_top(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	set_block(f.m, 1, MIGRATE_CMA);
	put_buddy(f.m, 512, 9);
	put_buddy(f.m, 2048, 8);
	free_at(&f, 0, 8); /* parent [0 - 511], its buddy is the CMA block */
	assert_int_equal(entry(&f, 8, MIGRATE_MOVABLE, 1), 0);
	put_buddy(f.m, 3072, 10);
	put_buddy(f.m, 1024, 9);
	free_at(&f, 2560, 9); /* parent [2048 - 3071], its buddy is free */
	assert_int_equal(entry(&f, 9, MIGRATE_MOVABLE, 0), 2560);
	shut_down(f.m);
}

/*
 * The parent of a page may lie in a hole. Pages of a hole are linked to the zone that comes next, and its zone is
 * compared (buddy_merge_likely(), L890).
 *
 *      page     1024      1028      1032
 *               ( hole )  [  2  ]   [   3   ]
 *               parent    freed     free: a merge is likely
 */
static void placement_beside_a_hole(void **state)
{
	struct machine machine;
	struct recorder r;
	struct observer o;
	struct memory *m;
	struct zone *z;

	(void)state;
	machine_init(&machine);
	machine.mobility = MOBILITY_ON;
	add_zone(&machine, 0, ZONE_DMA32, 512);
	add_zone(&machine, 0, ZONE_NORMAL, 4096);
	machine.zones[1].start = 1028;
	m = boot_machine(&machine, &r, &o);
	z = zone_at(m, 1);
	empty_zone(m, z);
	put_buddy(m, 1032, 3);
	put_buddy(m, 2048, 2);
	__free_one_page(m, 1028, z, 2, MIGRATE_MOVABLE, FPI_NONE);
	assert_int_equal(list_first(m, free_list_head(z, 2, MIGRATE_MOVABLE)), 2048);
	assert_int_equal(list_last(m, free_list_head(z, 2, MIGRATE_MOVABLE)), 1028);
	shut_down(m);
}

/* FPI_TO_TAIL wins over the look at the parent. */
static void placement_to_tail(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	put_buddy(f.m, 64, 0);
	__free_one_page(f.m, 0, f.z, 0, MIGRATE_MOVABLE, FPI_TO_TAIL);
	assert_int_equal(entry(&f, 0, MIGRATE_MOVABLE, 1), 0);
	shut_down(f.m);
}

/*
 * Two zones that meet at 2050, in the middle of the parent [2048 - 2051] of order 2.
 *
 *      DMA32    ... 2048 2049 | 2050 2051 ... 2056    NORMAL
 *
 * No merge across the boundary (2048 with 2050), and the parent's buddy counts in the zone
 * of the parent's first page: for [2050 2051], freed in NORMAL, the parent 2048 is DMA32's, so
 * the free [2052 - 2055] of NORMAL does not count.
 */
static void zone_boundary(void **state)
{
	struct recorder r;
	struct observer observer;
	struct machine machine;
	struct memory *m;
	struct zone *z;

	(void)state;
	machine_init(&machine);
	machine.mobility = MOBILITY_ON;
	add_zone(&machine, 0, ZONE_DMA32, 2050);
	add_zone(&machine, 0, ZONE_NORMAL, 2046);
	m = boot_machine(&machine, &r, &observer);
	empty_zone(m, zone_at(m, 0));
	z = zone_at(m, 1);
	empty_zone(m, z);

	put_buddy(m, 2048, 1);
	put_buddy(m, 2052, 2);
	put_buddy(m, 2064, 1);
	__free_one_page(m, 2050, z, 1, MIGRATE_MOVABLE, FPI_NONE);
	assert_int_equal(list_first(m, free_list_head(z, 1, MIGRATE_MOVABLE)), 2050);
	assert_int_equal(list_last(m, free_list_head(z, 1, MIGRATE_MOVABLE)), 2064);
	assert_int_equal(zone_at(m, 0)->nr_free[1], 1);
	assert_int_equal(z->nr_free[1], 2);
	shut_down(m);
}

/* At block size and above, types that are not both plain keep blocks apart (step 2c). */
static void blocks_merge_by_type(void **state)
{
	static const struct {
		u32 left, right;
		bool merge;
	} pairs[] = {
		{MIGRATE_MOVABLE, MIGRATE_MOVABLE, true},
		{MIGRATE_MOVABLE, MIGRATE_UNMOVABLE, true},
		{MIGRATE_RECLAIMABLE, MIGRATE_UNMOVABLE, true},
		{MIGRATE_CMA, MIGRATE_CMA, true},
		{MIGRATE_HIGHATOMIC, MIGRATE_HIGHATOMIC, true},
		{MIGRATE_MOVABLE, MIGRATE_CMA, false},
		{MIGRATE_CMA, MIGRATE_MOVABLE, false},
		{MIGRATE_MOVABLE, MIGRATE_HIGHATOMIC, false},
		{MIGRATE_CMA, MIGRATE_HIGHATOMIC, false},
	};
	struct fixture f;

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(pairs); i++) {
		set_up(&f);
		set_block(f.m, 2, pairs[i].left);
		set_block(f.m, 3, pairs[i].right);
		put_buddy(f.m, 2 * BLOCK, 9);
		free_at(&f, 3 * BLOCK, 9);
		if (pairs[i].merge) {
			/* The page freed last decides on the type of both. */
			assert_only(&f, 10, pairs[i].right, 2 * BLOCK);
			assert_no_buddies_but(&f, 10);
			assert_int_equal(get_pfnblock_migratetype(f.m, 2 * BLOCK), pairs[i].right);
		} else {
			assert_int_equal(f.z->nr_free[9], 2);
			assert_int_equal(get_pfnblock_migratetype(f.m, 2 * BLOCK), pairs[i].left);
		}
		assert_int_equal(f.z->vm_stat[NR_FREE_PAGES_BLOCKS], 1024);
		shut_down(f.m);
	}
}

/* W3: an order-10 page over an UNMOVABLE and a MOVABLE block: both become MOVABLE. */
static void last_type_wins(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	set_block(f.m, 0, MIGRATE_UNMOVABLE);
	free_one_page(f.m, f.z, 0, 10, FPI_NONE);
	assert_only(&f, 10, MIGRATE_MOVABLE, 0);
	assert_no_buddies_but(&f, 10);
	assert_int_equal(get_pfnblock_migratetype(f.m, 0), MIGRATE_MOVABLE);
	assert_int_equal(f.m->global->vm_event[PGFREE], 1024);
	assert_int_equal(f.z->vm_stat[NR_FREE_PAGES], 1024);
	shut_down(f.m);
}

/*
 * A folio above MAX_PAGE_ORDER goes in pieces of a block, too:
 *
 *      [0 M][1 M][2 C][3 M]   ->   [0 1, order 10][2, 9, CMA][3, 9]
 */
static void gigantic_free(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	set_block(f.m, 2, MIGRATE_CMA);
	free_one_page(f.m, f.z, 0, 11, FPI_NONE);
	assert_only(&f, 10, MIGRATE_MOVABLE, 0);
	assert_int_equal(f.z->nr_free[9], 2);
	assert_int_equal(entry(&f, 9, MIGRATE_CMA, 0), 2 * BLOCK);
	assert_int_equal(entry(&f, 9, MIGRATE_MOVABLE, 0), 3 * BLOCK);
	assert_int_equal(f.z->vm_stat[NR_FREE_PAGES], 2048);
	assert_int_equal(f.z->vm_stat[NR_FREE_CMA_PAGES], 512);
	shut_down(f.m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(split_of_a_large_buddy),
		cmocka_unit_test(remainder_goes_to_the_heads),
		cmocka_unit_test(merge_to_the_top),
		cmocka_unit_test(merge_needs_the_same_order),
		cmocka_unit_test(placement_looks_at_the_parents_buddy),
		cmocka_unit_test(placement_at_the_top),
		cmocka_unit_test(placement_beside_a_hole),
		cmocka_unit_test(placement_to_tail),
		cmocka_unit_test(zone_boundary),
		cmocka_unit_test(blocks_merge_by_type),
		cmocka_unit_test(last_type_wins),
		cmocka_unit_test(gigantic_free),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
