/* SPDX-License-Identifier: GPL-2.0-only */
/* Taking a given range (spec 7.1, 7.2, 7.8; rules 76, 77). */
#include "model/tests/contig_fixture.h"

#define M MIGRATE_MOVABLE

/* ---- gfp ----------------------------------------------------------------- */

/* 7.1: bits that say where are ignored, a few say how, everything else is refused. */
static void test_gfp(void **state)
{
	static const struct {
		u32 gfp;
		int err;
	} rows[] = {
		{GFP_KERNEL, 0},
		{0, 0},
		{GFP_KERNEL | __GFP_RETRY_MAYFAIL | __GFP_NOWARN, 0},
		{GFP_KERNEL | __GFP_ZERO | __GFP_ZEROTAGS | __GFP_SKIP_ZERO | __GFP_SKIP_KASAN, 0},
		{GFP_KERNEL | __GFP_DMA | __GFP_THISNODE | __GFP_HARDWALL | __GFP_WRITE, 0},
		{GFP_KERNEL | __GFP_HIGHMEM | __GFP_MOVABLE | __GFP_DMA32 | __GFP_RECLAIMABLE, 0},
		{GFP_KERNEL | __GFP_NORETRY, -EINVAL},
		{GFP_KERNEL | __GFP_NOFAIL, -EINVAL},
		{GFP_KERNEL | __GFP_HIGH, -EINVAL},
		{GFP_KERNEL | __GFP_MEMALLOC, -EINVAL},
		{GFP_KERNEL | __GFP_NOMEMALLOC, -EINVAL},
		{GFP_KERNEL | __GFP_ACCOUNT, -EINVAL},
		{GFP_KERNEL | __GFP_COMP, -EINVAL}, /* by alloc_contig_range() itself */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct recorder r;
		struct observer o;
		struct memory *m = boot_zone(4096, &r, &o);

		assert_int_equal(alloc_contig_range(m, START, END, 0, rows[i].gfp), rows[i].err);
		/* A bad gfp is refused before anything else: the state is that of the boot. */
		assert_int_equal(memory_is_pristine(m), rows[i].err != 0);
		shut_down(m);
	}
}

/*
 * A folio of more than MACHINE_MAX_GIGANTIC is refused before anything is isolated: it is not
 * even looked at whether the pages exist.
 */
static void test_folio_too_large(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);

	(void)state;
	assert_int_equal(alloc_contig_frozen_range(m, 0, 2U << MACHINE_MAX_GIGANTIC, 0,
						   GFP_KERNEL | __GFP_COMP),
			 -EINVAL);
	assert_true(memory_is_pristine(m));
	shut_down(m);
}

/* ---- free memory --------------------------------------------------------- */

/* A block of a free buddy of two: the other half stays, the types stay (7.8). */
static void test_whole_block(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);
	struct zone *z = &m->zones[0];

	(void)state;
	assert_int_equal(contig(m, START, END), 0);
	assert_taken(m, START, END, 1);
	ASSERT_FREE(m, z, 9, M, 0);
	ASSERT_FREE(m, z, 10, M, 1024, 2048, 3072);
	assert_int_equal(z->vm_stat[NR_FREE_PAGES], 4096 - 512);
	assert_int_equal(get_pfnblock_migratetype(m, START), M);
	/* Contig pages are no allocations in the books (spec 11). */
	assert_int_equal(m->global->vm_event[PGALLOC + ZONE_NORMAL], 0);
	assert_int_equal(count_events(&r, EV_MM_PAGE_ALLOC), 0);
	shut_down(m);
}

/*
 * A range inside a block: the buddies around it are taken whole, what sticks out is given
 * back page by page and merges again.
 *
 *      0       64   96 100                300 304 320  384        512
 *      [  64  ][ 32 ][4][ ---- taken ---- ][4][ 16][ 64][   128  ][    512   ]
 */
static void test_inside_a_block(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);
	struct zone *z = &m->zones[0];

	(void)state;
	assert_int_equal(alloc_contig_frozen_range(m, 100, 300, 0, GFP_KERNEL), 0);
	assert_taken(m, 100, 300, 0);
	ASSERT_FREE(m, z, 6, M, 0, 320);
	ASSERT_FREE(m, z, 5, M, 64);
	ASSERT_FREE(m, z, 2, M, 96, 300);
	ASSERT_FREE(m, z, 4, M, 304);
	ASSERT_FREE(m, z, 7, M, 384);
	ASSERT_FREE(m, z, 9, M, 512);
	assert_int_equal(z->vm_stat[NR_FREE_PAGES], 4096 - 200);
	/* 100 pages below and 212 above, each prepared on its own. */
	assert_int_equal(count_events(&r, EV_MM_PAGE_FREE), 312);
	assert_int_equal(m->pcps[0].count, 0);
	shut_down(m);
}

/*
 * A block keeps its type, whatever it is (7.8); in 6.x it would be MOVABLE. Freed, it merges with
 * block 0, and the type freed last wins (W3).
 */
static void test_type_is_kept(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);

	(void)state;
	take(m, 1023, 0);
	put_buddy(m, 1023, 0);
	move_freepages_block(m, &m->zones[0], START, M, MIGRATE_RECLAIMABLE);
	assert_int_equal(contig(m, START, END), 0);
	assert_int_equal(get_pfnblock_migratetype(m, START), MIGRATE_RECLAIMABLE);
	free_contig_range(m, START, 512);
	drain_all_pages(m, NULL);
	ASSERT_FREE(m, &m->zones[0], 10, MIGRATE_RECLAIMABLE, 0);
	shut_down(m);
}

/* Pages that wait on a pcp list are drained to the isolated block first. */
static void test_pages_on_pcp(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);

	(void)state;
	put_folio(m, 600, 0, 1, 0);
	__free_pages(m, 600, 0);
	assert_int_equal(m->pcps[0].count, 1);
	assert_int_equal(contig(m, START, END), 0);
	assert_int_equal(m->pcps[0].count, 0);
	assert_int_equal(event_at(&r, EV_DRAIN_ALL_PAGES, 0)->zone, 0);
	shut_down(m);
}

/* Frozen pages pass the isolation (refcount 0) and are found only when they are not free. */
static void test_frozen_page(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);

	(void)state;
	take(m, 600, 0);
	assert_contig_fails(m, START, END, -EBUSY);
	assert_int_equal(event_at(&r, EV_TEST_PAGES_ISOLATED, 0)->b, 600);
	shut_down(m);
}

/* Unmovable pages fail the isolation; nothing is drained or tested then. */
static void test_unmovable_page(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);

	(void)state;
	put_folio(m, 600, 0, 1, 0);
	assert_contig_fails(m, START, END, -EBUSY);
	assert_int_equal(count_events(&r, EV_DRAIN_ALL_PAGES), 0);
	assert_int_equal(count_events(&r, EV_TEST_PAGES_ISOLATED), 0);
	shut_down(m);
}

/* A call that fails to isolate un-isolates what somebody else isolated in its range. */
static void test_undo_after_failed_isolation(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);

	(void)state;
	assert_int_equal(start_isolate_page_range(m, START, END, PB_ISOLATE_MODE_OTHER), 0);
	assert_int_equal(contig(m, START, END), -EBUSY);
	assert_nothing_isolated(m);
	shut_down(m);
}

/* Two zones are not one range, though every block of it can be isolated. */
static void test_two_zones(void **state)
{
	struct machine machine;
	struct recorder r;
	struct observer o;
	struct memory *m;

	(void)state;
	machine_init(&machine);
	add_zone(&machine, 0, ZONE_NORMAL, 2048);
	add_zone(&machine, 1, ZONE_NORMAL, 2048);
	m = boot_machine(&machine, &r, &o);
	assert_int_equal(contig(m, 1536, 2560), -EBUSY);
	assert_int_equal(m->zones[0].vm_stat[NR_FREE_PAGES], 2048);
	assert_int_equal(m->zones[1].vm_stat[NR_FREE_PAGES], 2048);
	assert_nothing_isolated(m);
	shut_down(m);
}

/* Only with the CMA flag are CMA blocks taken; their free pages are counted as such again. */
static void test_cma(void **state)
{
	struct machine machine;
	struct recorder r;
	struct observer o;
	struct memory *m;

	(void)state;
	machine_init(&machine);
	add_zone(&machine, 0, ZONE_NORMAL, 4096);
	machine.nr_ranges = 1;
	machine.ranges[0] = (struct machine_range){RANGE_CMA, START, 512};
	m = boot_machine(&machine, &r, &o);
	assert_contig_fails(m, 600, 700, -EBUSY);
	assert_int_equal(alloc_contig_range(m, 600, 700, ACR_FLAGS_CMA, GFP_KERNEL), 0);
	assert_taken(m, 600, 700, 1);
	assert_int_equal(get_pfnblock_migratetype(m, START), MIGRATE_CMA);
	assert_int_equal(m->zones[0].vm_stat[NR_FREE_CMA_PAGES], 412);
	shut_down(m);
}

/* ---- compound ------------------------------------------------------------ */

/* COMP gives one folio of the whole range, also beyond the buddy's largest order. */
static void test_compound(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(8192, &r, &o);

	(void)state;
	assert_int_equal(alloc_contig_frozen_range(m, 2048, 4096, 0, GFP_KERNEL | __GFP_COMP), 0);
	assert_nothing_isolated(m);
	assert_int_equal(compound_order(m, 2048), 11);
	assert_int_equal(m->pages[2048].private, 0);
	for (u32 pfn = 2049; pfn < 4096; pfn++) {
		assert_true(page_has(m, pfn, PG_TAIL));
		assert_int_equal(compound_head(m, pfn), 2048);
		assert_int_equal(m->pages[pfn].private, 0);
	}
	/* Freed as a whole: one event, block by block into the buddy lists. */
	r.nr = 0;
	free_contig_frozen_range(m, 2048, 2048);
	assert_int_equal(count_events(&r, EV_MM_PAGE_FREE), 1);
	assert_int_equal(event_at(&r, EV_MM_PAGE_FREE, 0)->order, 11);
	assert_int_equal(m->zones[0].vm_stat[NR_FREE_PAGES], 8192);
	assert_int_equal(m->pcps[0].count, 0);
	shut_down(m);
}

/*
 * COMP for a range that is not exactly the buddies taken: -EINVAL, a warning, and the buddies
 * are lost (step 10). 256 pages at 512 are half of a free buddy of 512.
 */
static void test_compound_mismatch(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);

	(void)state;
	assert_int_equal(alloc_contig_frozen_range(m, 512, 768, 0, GFP_KERNEL | __GFP_COMP),
			 -EINVAL);
	assert_int_equal(event_at(&r, EV_WARN, 0)->a, WARN_CONTIG_COMP_MISMATCH);
	assert_nothing_isolated(m);
	assert_int_equal(m->zones[0].vm_stat[NR_FREE_PAGES], 4096 - 512);
	assert_taken(m, 512, 1024, 0);
	shut_down(m);
}

/* ... and so is a range of three blocks: no power of two. */
static void test_compound_of_three_blocks(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);

	(void)state;
	assert_int_equal(alloc_contig_frozen_range(m, 0, 1536, 0, GFP_KERNEL | __GFP_COMP),
			 -EINVAL);
	assert_int_equal(count_events(&r, EV_WARN), 1);
	assert_int_equal(m->zones[0].vm_stat[NR_FREE_PAGES], 4096 - 1536);
	shut_down(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gfp),
		cmocka_unit_test(test_folio_too_large),
		cmocka_unit_test(test_whole_block),
		cmocka_unit_test(test_inside_a_block),
		cmocka_unit_test(test_type_is_kept),
		cmocka_unit_test(test_pages_on_pcp),
		cmocka_unit_test(test_frozen_page),
		cmocka_unit_test(test_unmovable_page),
		cmocka_unit_test(test_undo_after_failed_isolation),
		cmocka_unit_test(test_two_zones),
		cmocka_unit_test(test_cma),
		cmocka_unit_test(test_compound),
		cmocka_unit_test(test_compound_mismatch),
		cmocka_unit_test(test_compound_of_three_blocks),
	};

	return cmocka_run_group_tests_name("contig", tests, NULL, NULL);
}
