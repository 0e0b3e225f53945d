/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The less usual ways of a buddy: the trylock list, capture, being taken out and put
 * back, being found from inside (spec 3.5, 3.6, 3.9, 3.11, 7.2).
 */
#include "model/tests/one_zone.h"

/* ---- trylock list (spec 3.5, 3.6) ---------------------------------------- */

/*
 * Who may not wait leaves pages on the zone's list, last added first, in no counter. The next
 * normal free takes them along, before its own page; a nolock one does not.
 */
static void trylock_list(void **state)
{
	static const struct answer busy[] = {{.call = ENV_LOCK_ZONE, .value = 1},
					     {.call = ENV_LOCK_ZONE, .value = 1}};
	struct fixture f;

	(void)state;
	set_up(&f);
	memory_begin_op(f.m, busy, ARRAY_SIZE(busy));
	free_one_page(f.m, f.z, 64, 4, FPI_NOLOCK);
	free_one_page(f.m, f.z, 0, 4, FPI_NOLOCK);
	assert_int_equal(list_first(f.m, f.z->trylock_list), 0);
	assert_int_equal(list_last(f.m, f.z->trylock_list), 64);
	assert_int_equal(f.m->pages[64].private, 4);
	assert_int_equal(f.z->vm_stat[NR_FREE_PAGES], 0);
	assert_int_equal(f.m->global->vm_event[PGFREE], 0);

	free_one_page(f.m, f.z, 256, 4, FPI_NOLOCK);
	assert_int_equal(list_first(f.m, f.z->trylock_list), 0);
	assert_int_equal(f.m->global->vm_event[PGFREE], 16);

	free_one_page(f.m, f.z, 128, 4, FPI_NONE);
	assert_true(list_empty(f.m, f.z->trylock_list));
	/* To the head each: the page of the call was the last one. */
	assert_int_equal(entry(&f, 4, MIGRATE_MOVABLE, 0), 128);
	assert_int_equal(entry(&f, 4, MIGRATE_MOVABLE, 1), 64);
	assert_int_equal(entry(&f, 4, MIGRATE_MOVABLE, 2), 0);
	assert_int_equal(entry(&f, 4, MIGRATE_MOVABLE, 3), 256);
	assert_int_equal(f.m->global->vm_event[PGFREE], 64);
	shut_down(f.m);
}

/*
 * A page from the list that becomes the upper half of a merge keeps its order in private (L1581 reads it,
 * nothing on the way clears it), until it heads a buddy again.
 */
static void trylock_list_leaves_an_order(void **state)
{
	static const struct answer cannot = {.call = ENV_NO_TRYLOCK, .value = 1};
	struct fixture f;

	(void)state;
	set_up(&f);
	memory_begin_op(f.m, &cannot, 1);
	put_buddy(f.m, 0, 3);
	free_one_page(f.m, f.z, 8, 3, FPI_NOLOCK);
	assert_int_equal(f.m->pages[8].private, 3);
	free_one_page(f.m, f.z, 512, 3, FPI_NONE);
	assert_only(&f, 4, MIGRATE_MOVABLE, 0);
	assert_int_equal(f.m->pages[8].private, 3);
	assert_int_equal(f.m->pages[0].private, 4);
	assert_int_equal(f.m->pages[512].private, 3);
	shut_down(f.m);
}

/* ---- capture (spec 3.9 step 2a) ------------------------------------------ */

static struct capture_control capture_for(struct fixture *f, u32 order, u32 mt)
{
	return (struct capture_control){
		.zone = f->z, .order = order, .migratetype = mt, .pfn = PFN_NONE};
}

/* A page that merges to the wanted order goes to who waits for it; it is free nowhere. */
static void capture_after_a_merge(void **state)
{
	struct fixture f;
	struct capture_control capc;

	(void)state;
	set_up(&f);
	put_buddy(f.m, 0, 2);
	capc = capture_for(&f, 3, MIGRATE_MOVABLE);
	f.m->capture = &capc;
	free_at(&f, 4, 2);
	assert_int_equal(capc.pfn, 0);
	assert_int_equal(f.z->nr_free[2], 0);
	assert_int_equal(f.z->nr_free[3], 0);
	assert_int_equal(f.z->vm_stat[NR_FREE_PAGES], 0);
	assert_int_equal(event_at(&f.r, EV_CAPTURE, 0)->pfn, 0);
	assert_int_equal(count_events(&f.r, EV_MM_PAGE_ALLOC_EXTFRAG), 0);

	/* One page is enough. */
	free_at(&f, 16, 3);
	assert_int_equal(capc.pfn, 0);
	assert_only(&f, 3, MIGRATE_MOVABLE, 16);
	f.m->capture = NULL;
	shut_down(f.m);
}

/* What is larger from the start is not captured, nor a part of it: merging goes only up. */
static void capture_of_a_larger_page(void **state)
{
	struct fixture f;
	struct capture_control capc;

	(void)state;
	set_up(&f);
	capc = capture_for(&f, 3, MIGRATE_MOVABLE);
	f.m->capture = &capc;
	free_at(&f, 16, 4);
	assert_int_equal(capc.pfn, PFN_NONE);
	assert_only(&f, 4, MIGRATE_MOVABLE, 16);
	f.m->capture = NULL;
	shut_down(f.m);
}

/* Who gets what: block type, request type, order; a different type is reported as extfrag. */
static void capture_rules(void **state)
{
	static const struct {
		u32 block_mt, mt, order;
		bool kthread, captured, extfrag;
	} cases[] = {
		{MIGRATE_MOVABLE, MIGRATE_MOVABLE, 3, false, true, false},
		{MIGRATE_MOVABLE, MIGRATE_UNMOVABLE, 3, false, false, false},
		{MIGRATE_MOVABLE, MIGRATE_UNMOVABLE, 9, false, true, true},
		{MIGRATE_UNMOVABLE, MIGRATE_MOVABLE, 3, false, true, true},
		{MIGRATE_RECLAIMABLE, MIGRATE_UNMOVABLE, 3, false, true, true},
		{MIGRATE_HIGHATOMIC, MIGRATE_MOVABLE, 3, false, true, true},
		{MIGRATE_CMA, MIGRATE_MOVABLE, 3, false, false, false},
		{MIGRATE_ISOLATE, MIGRATE_MOVABLE, 3, false, false, false},
		{MIGRATE_MOVABLE, MIGRATE_MOVABLE, 3, true, false, false},
		/* MAX_PAGE_ORDER is never looked at: there is nothing to merge with. */
		{MIGRATE_MOVABLE, MIGRATE_MOVABLE, 10, false, false, false},
	};
	struct fixture f;
	struct capture_control capc;

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(cases); i++) {
		set_up(&f);
		if (cases[i].block_mt == MIGRATE_ISOLATE)
			set_pageblock_isolate(f.m, 0, true);
		else
			set_block(f.m, 0, cases[i].block_mt);
		set_task_flags(f.m, cases[i].kthread ? TASK_KTHREAD : 0);
		capc = capture_for(&f, cases[i].order, cases[i].mt);
		f.m->capture = &capc;
		free_at(&f, 0, cases[i].order);
		assert_int_equal(capc.pfn, cases[i].captured ? 0 : PFN_NONE);
		assert_int_equal(count_events(&f.r, EV_MM_PAGE_ALLOC_EXTFRAG), cases[i].extfrag);
		if (cases[i].extfrag) {
			const struct event *ev = event_at(&f.r, EV_MM_PAGE_ALLOC_EXTFRAG, 0);

			assert_int_equal(ev->order, cases[i].order);
			assert_int_equal(ev->a, cases[i].order);
			assert_int_equal(ev->b, cases[i].mt);
			assert_int_equal(ev->c, cases[i].block_mt);
		}
		f.m->capture = NULL;
		shut_down(f.m);
	}
}

/* Only pages of the zone that is being compacted. */
static void capture_in_another_zone(void **state)
{
	struct recorder r;
	struct observer observer;
	struct machine machine;
	struct memory *m;
	struct capture_control capc = {.order = 3, .migratetype = MIGRATE_MOVABLE, .pfn = PFN_NONE};

	(void)state;
	machine_init(&machine);
	machine.mobility = MOBILITY_ON;
	add_zone(&machine, 0, ZONE_DMA32, 2048);
	add_zone(&machine, 0, ZONE_NORMAL, 2048);
	m = boot_machine(&machine, &r, &observer);
	empty_zone(m, zone_at(m, 0));
	empty_zone(m, zone_at(m, 1));
	capc.zone = zone_at(m, 1);
	m->capture = &capc;
	__free_one_page(m, 0, zone_at(m, 0), 3, MIGRATE_MOVABLE, FPI_NONE);
	assert_int_equal(capc.pfn, PFN_NONE);
	__free_one_page(m, 2048, zone_at(m, 1), 3, MIGRATE_MOVABLE, FPI_NONE);
	assert_int_equal(capc.pfn, 2048);
	m->capture = NULL;
	shut_down(m);
}

/* ---- taking a buddy out (spec 3.11) -------------------------------------- */

/* Refused where it would take the zone below the raw MIN mark plus the page itself. */
static void isolate_free_page_keeps_the_mark(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	set_marks_of(f.m, f.z, 100, 200, 300);
	SET(f.m, f.z->watermark_boost, 1000); /* no part of it */
	SET(f.m, f.z->lowmem_reserve[ZONE_MOVABLE], 1000); /* nor this */
	put_buddy(f.m, 0, 6);
	put_buddy(f.m, 512, 5);
	put_buddy(f.m, 1024, 5);
	/* 128 free; 100 + 32 would have to be less. */
	assert_int_equal(__isolate_free_page(f.m, 512, 5), 0);
	assert_true(page_is_buddy(f.m, 512, 5, 0));
	put_buddy(f.m, 1536, 2);
	assert_int_equal(__isolate_free_page(f.m, 512, 5), 0); /* 132 > 132 is false */
	put_buddy(f.m, 1544, 0);
	assert_int_equal(__isolate_free_page(f.m, 512, 5), 32);
	assert_int_equal(f.m->pages[512].private, 5);
	assert_false(page_has(f.m, 512, PG_BUDDY));
	assert_int_equal(f.z->vm_stat[NR_FREE_PAGES], 133 - 32);
	shut_down(f.m);
}

/* An isolated block is out of the mark's reach. */
static void isolate_free_page_from_an_isolated_block(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	set_marks_of(f.m, f.z, 100000, 100000, 100000);
	set_pageblock_isolate(f.m, 0, true);
	put_buddy(f.m, 0, 5);
	assert_int_equal(__isolate_free_page(f.m, 0, 5), 32);
	assert_int_equal(f.z->vm_stat[NR_FREE_PAGES], 0);
	shut_down(f.m);
}

/* From half a block on, the block becomes MOVABLE, with what else is free in it. */
static void isolate_free_page_retypes(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	set_marks_of(f.m, f.z, 0, 0, 0);
	for (u32 block = 0; block < 4; block++)
		set_block(f.m, block, block == 3 ? MIGRATE_CMA : MIGRATE_UNMOVABLE);
	put_buddy(f.m, 0, 7);
	put_buddy(f.m, BLOCK + 256, 8);
	put_buddy(f.m, BLOCK + 64, 2);
	put_buddy(f.m, 3 * BLOCK, 9);
	put_buddy(f.m, 4 * BLOCK, 10);

	assert_int_equal(__isolate_free_page(f.m, 0, 7), 128);
	assert_int_equal(get_pfnblock_migratetype(f.m, 0), MIGRATE_UNMOVABLE);
	assert_int_equal(__isolate_free_page(f.m, BLOCK + 256, 8), 256);
	assert_int_equal(get_pfnblock_migratetype(f.m, BLOCK), MIGRATE_MOVABLE);
	assert_only(&f, 2, MIGRATE_MOVABLE, BLOCK + 64);
	assert_int_equal(__isolate_free_page(f.m, 3 * BLOCK, 9), 512);
	assert_int_equal(get_pfnblock_migratetype(f.m, 3 * BLOCK), MIGRATE_CMA);
	/* Two blocks at once. */
	change_pageblock_range(f.m, 4 * BLOCK, 10, MIGRATE_RECLAIMABLE);
	move_to_free_list(f.m, f.z, 4 * BLOCK, 10, MIGRATE_MOVABLE, MIGRATE_RECLAIMABLE);
	assert_int_equal(__isolate_free_page(f.m, 4 * BLOCK, 10), 1024);
	assert_int_equal(get_pfnblock_migratetype(f.m, 4 * BLOCK), MIGRATE_MOVABLE);
	assert_int_equal(get_pfnblock_migratetype(f.m, 5 * BLOCK), MIGRATE_MOVABLE);
	shut_down(f.m);
}

/* Put back, it merges and goes to the tail, without an order left in it. */
static void putback(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	set_marks_of(f.m, f.z, 0, 0, 0);
	put_buddy(f.m, 64, 4);
	put_buddy(f.m, 0, 3);
	put_buddy(f.m, 8, 3); /* not merged: the picture is drawn by hand */
	assert_int_equal(__isolate_free_page(f.m, 8, 3), 8);
	__putback_isolated_page(f.m, 8, 3, MIGRATE_MOVABLE);
	assert_int_equal(entry(&f, 4, MIGRATE_MOVABLE, 0), 64);
	assert_int_equal(entry(&f, 4, MIGRATE_MOVABLE, 1), 0);
	assert_int_equal(f.m->pages[8].private, 0);
	assert_int_equal(f.z->vm_stat[NR_FREE_PAGES], 32);
	shut_down(f.m);
}

/*
 * Which buddy contains a page (spec 7.2)?
 *
 *      [ 32, order 4: to 47 ]   [ 1024, order 10: to 2047 ]
 */
static void large_buddy_of_a_page(void **state)
{
	static const struct {
		u32 pfn, head;
	} cases[] = {
		{0, 0},	      {31, 31},	    {32, 32},	  {33, 32},	{40, 32},
		{47, 32},     {48, 48},	    {512, 512},	  {1023, 1023}, {1024, 1024},
		{1025, 1024}, {1536, 1024}, {2047, 1024}, {2048, 2048},
	};
	struct fixture f;

	(void)state;
	set_up(&f);
	put_buddy(f.m, 32, 4);
	put_buddy(f.m, 1024, 10);
	for (u32 i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(find_large_buddy(f.m, cases[i].pfn), cases[i].head);
	shut_down(f.m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(trylock_list),
		cmocka_unit_test(trylock_list_leaves_an_order),
		cmocka_unit_test(capture_after_a_merge),
		cmocka_unit_test(capture_of_a_larger_page),
		cmocka_unit_test(capture_rules),
		cmocka_unit_test(capture_in_another_zone),
		cmocka_unit_test(isolate_free_page_keeps_the_mark),
		cmocka_unit_test(isolate_free_page_from_an_isolated_block),
		cmocka_unit_test(isolate_free_page_retypes),
		cmocka_unit_test(putback),
		cmocka_unit_test(large_buddy_of_a_page),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
