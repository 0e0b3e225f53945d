/* SPDX-License-Identifier: GPL-2.0-only */
/* What is in use moves out of a range that is to be taken (spec 7.5, 7.8). */
#include "model/tests/contig_fixture.h"

/* ---- migration ----------------------------------------------------------- */

/*
 * LRU folios move out of the blocks of the range and are on the LRU at their new place; of those isolated
 * together the last one first (list_add() in isolate_migratepages_block()).
 */
static void test_lru_folios_move(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);
	const struct event *ev;

	(void)state;
	put_folio(m, 600, 0, 1, PG_LRU | PG_MLOCKED);
	put_folio(m, 640, 3, 1, PG_LRU);
	assert_int_equal(contig(m, START, END), 0);
	assert_taken(m, START, END, 1);
	assert_int_equal(m->global->lru_pages, 9);
	assert_int_equal(m->zones[0].vm_stat[NR_ZONE_LRU], 9);
	assert_int_equal(m->zones[0].vm_stat[NR_MLOCK], 1);
	for (u32 i = 0; i < 2; i++) {
		ev = event_at(&r, EV_ENV_MOVED, i);
		assert_int_equal(ev->pfn, i ? 600 : 640);
		assert_int_equal(ev->order, i ? 0 : 3);
		assert_false(ev->a >= START && ev->a < END);
		assert_int_equal(m->pages[ev->a].refcount, 1);
		assert_true(page_has(m, ev->a, PG_LRU));
		assert_int_equal(compound_order(m, ev->a), i ? 0 : 3);
	}
	assert_null(event_at(&r, EV_ENV_MOVED, 2));
	shut_down(m);
}

/*
 * Destinations are asked for with the caller's way of waiting, MOVABLE and RETRY_MAYFAIL (7.1);
 * for a large folio as for a huge page (alloc_migration_target() in mm/migrate.c).
 */
static void test_gfp_of_destinations(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);

	(void)state;
	put_folio(m, 600, 0, 1, PG_LRU);
	put_folio(m, 640, 3, 1, PG_LRU);
	assert_int_equal(alloc_contig_range(m, START, END, 0, GFP_NOFS | __GFP_ZERO), 0);
	assert_int_equal(event_at(&r, EV_MM_PAGE_ALLOC, 0)->gfp,
			 GFP_TRANSHUGE | __GFP_RETRY_MAYFAIL);
	assert_int_equal(event_at(&r, EV_MM_PAGE_ALLOC, 1)->gfp,
			 GFP_NOFS | __GFP_MOVABLE | __GFP_RETRY_MAYFAIL);
	shut_down(m);
}

/* Pages of a Movable zone may stay in it. */
static void test_destination_in_movable_zone(void **state)
{
	struct machine machine;
	struct recorder r;
	struct observer o;
	struct memory *m;

	(void)state;
	machine_init(&machine);
	add_zone(&machine, 0, ZONE_NORMAL, 4096);
	add_zone(&machine, 0, ZONE_MOVABLE, 4096);
	m = boot_machine(&machine, &r, &o);
	put_folio(m, 4700, 0, 1, PG_LRU);
	put_folio(m, 600, 0, 1, PG_LRU);
	assert_int_equal(contig(m, 4608, 5120), 0);
	assert_int_equal(m->pages[event_at(&r, EV_ENV_MOVED, 0)->a].zone, 1);
	assert_int_equal(contig(m, START, END), 0);
	assert_int_equal(m->pages[event_at(&r, EV_ENV_MOVED, 1)->a].zone, 0);
	shut_down(m);
}

/* Nobody takes hold of a folio that has no reference. It keeps its marks and the call fails. */
static void test_folio_without_reference(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);

	(void)state;
	put_folio(m, 600, 0, 0, PG_LRU);
	assert_contig_fails(m, START, END, -EBUSY);
	assert_int_equal(m->global->lru_pages, 1);
	assert_true(page_has(m, 600, PG_LRU));
	assert_int_equal(count_events(&r, EV_ENV_MOVED), 0);
	shut_down(m);
}

/* Pages with movable_ops move, too, and do not get on the LRU by that. */
static void test_movable_ops_move(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);

	(void)state;
	put_folio(m, 600, 0, 1, PG_MOVABLE_OPS);
	assert_int_equal(contig(m, START, END), 0);
	assert_int_equal(m->global->lru_pages, 0);
	assert_true(page_has(m, event_at(&r, EV_ENV_MOVED, 0)->a, PG_MOVABLE_OPS));
	shut_down(m);
}

/* Clean page cache is dropped, unless somebody holds it; then it moves or stays. */
static void test_clean_pages_are_dropped(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);

	(void)state;
	put_folio(m, 600, 0, 1, PG_LRU | PG_CLEAN);
	put_folio(m, 640, 2, 1, PG_LRU | PG_CLEAN);
	put_folio(m, 700, 0, 1, PG_LRU | PG_CLEAN | PG_MLOCKED);
	assert_int_equal(contig(m, START, END), 0);
	assert_int_equal(count_events(&r, EV_ENV_FREED), 2);
	assert_int_equal(event_at(&r, EV_ENV_FREED, 0)->pfn, 640);
	assert_int_equal(event_at(&r, EV_ENV_FREED, 0)->order, 2);
	assert_int_equal(event_at(&r, EV_ENV_FREED, 1)->pfn, 600);
	assert_int_equal(count_events(&r, EV_ENV_MOVED), 1);
	assert_int_equal(m->global->lru_pages, 1);
	shut_down(m);
}

/* A pinned folio fails the call, and is on the LRU as before. */
static void test_pinned_folio(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);

	(void)state;
	put_folio(m, 600, 0, 1, PG_LRU | PG_PINNED | PG_CLEAN);
	put_folio(m, 610, 0, 1, PG_LRU);
	/* A second reference pins as well. */
	put_folio(m, 620, 0, 2, PG_LRU | PG_CLEAN);
	assert_contig_fails(m, START, END, -EBUSY);
	assert_true(page_has(m, 600, PG_LRU) && page_has(m, 620, PG_LRU));
	assert_int_equal(count_events(&r, EV_ENV_FREED), 0);
	assert_int_equal(count_events(&r, EV_ENV_MOVED), 1);
	assert_int_equal(m->global->lru_pages, 3);
	assert_int_equal(event_at(&r, EV_TEST_PAGES_ISOLATED, 0)->b, 600);
	shut_down(m);
}

/* Play [START, END) with a movable page at 600 and these answers about its migration. */
static int contig_with_answers(struct memory *m, const struct answer *answers, u32 nr,
			       struct op_report *report)
{
	int err;

	put_folio(m, 600, 0, 1, PG_LRU);
	memory_begin_op(m, answers, nr);
	err = contig(m, START, END);
	memory_end_op(m, report);
	return err;
}

/* A page that fails to move gets five attempts (spec 7.5), then the test fails. */
static void test_five_attempts(void **state)
{
	struct answer fails[6];
	struct op_report report;
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(fails); i++)
		fails[i] = (struct answer){.call = ENV_MIGRATE, .value = 1};
	assert_int_equal(contig_with_answers(m, fails, 6, &report), -EBUSY);
	assert_int_equal(report.calls[ENV_MIGRATE], 5);
	assert_true(page_has(m, 600, PG_LRU));
	/* The destinations went back. */
	assert_int_equal(m->zones[0].vm_stat[NR_FREE_PAGES] + m->pcps[0].count, 4095);
	assert_nothing_isolated(m);
	shut_down(m);
}

static void test_fifth_attempt_moves(void **state)
{
	struct answer fails[4];
	struct op_report report;
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(fails); i++)
		fails[i] = (struct answer){.call = ENV_MIGRATE, .value = 1};
	assert_int_equal(contig_with_answers(m, fails, 4, &report), 0);
	assert_int_equal(count_events(&r, EV_ENV_MOVED), 1);
	shut_down(m);
}

/*
 * Batches: at least 32 pages are taken off the LRU at a time. The first 32 move; of the second
 * batch one page is pinned, so that batch ends the loop and the 65th page is never tried.
 */
static void test_batches(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);

	(void)state;
	for (u32 i = 0; i < 65; i++)
		put_folio(m, 512 + i, 0, 1, PG_LRU | (i == 40 ? PG_PINNED : 0));
	r.nr = 0;
	memory_observe(
		m, &(struct observer){.event = record, .ctx = &r, .mask = EV_BIT(EV_ENV_MOVED)});
	assert_int_equal(contig(m, START, END), -EBUSY);
	assert_int_equal(count_events(&r, EV_ENV_MOVED), 63);
	/* The last of a batch goes first. */
	assert_int_equal(event_at(&r, EV_ENV_MOVED, 0)->pfn, 512 + 31);
	assert_int_equal(event_at(&r, EV_ENV_MOVED, 31)->pfn, 512);
	assert_int_equal(event_at(&r, EV_ENV_MOVED, 32)->pfn, 512 + 63);
	assert_int_equal(event_at(&r, EV_ENV_MOVED, 62)->pfn, 512 + 32);
	assert_true(page_has(m, 512 + 40, PG_LRU));
	assert_true(page_has(m, 512 + 64, PG_LRU));
	assert_int_equal(m->global->lru_pages, 65);
	shut_down(m);
}

/*
 * A batch ends with a block when more is isolated than half of what the node's LRU still has; of that, a caller
 * that may wait for file systems counts an eighth (too_many_isolated()). Five pages are isolated of block 1
 * when block 2 is begun; on the LRU are the five of block 2 and a folio far away.
 *
 *      GFP_KERNEL, 5 + 32:    37 / 8 = 4,  4 / 2 = 2 < 5     a batch each
 *      GFP_NOFS, 5 + 32:      37 / 2 = 18                    one batch
 */
static void test_too_many_isolated(void **state)
{
	static const struct {
		u32 gfp, order; /* of the folio far away */
		bool apart;
	} rows[] = {
		{GFP_KERNEL, 5, true},	{GFP_NOFS, 5, false},
		{GFP_KERNEL, 6, true}, /* 69 / 8 = 8, 8 / 2 = 4 */
		{GFP_KERNEL, 7, false}, /* 133 / 8 = 16, 16 / 2 = 8 */
		{GFP_NOFS, 2, true}, /* 9 / 2 = 4 */
		{GFP_NOFS, 3, false}, /* 13 / 2 = 6 */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct recorder r;
		struct observer o;
		struct memory *m = boot_zone(8192, &r, &o);

		put_folio(m, 4096, rows[i].order, 1, PG_LRU);
		for (u32 pfn = 0; pfn < 5; pfn++) {
			put_folio(m, 1024 + pfn, 0, 1, PG_LRU);
			put_folio(m, 1536 + pfn, 0, 1, PG_LRU);
		}
		assert_int_equal(alloc_contig_range(m, 1024, 2048, 0, rows[i].gfp), 0);
		assert_int_equal(count_events(&r, EV_ENV_MOVED), 10);
		assert_int_equal(event_at(&r, EV_ENV_MOVED, 0)->pfn, rows[i].apart ? 1028 : 1540);
		assert_int_equal(event_at(&r, EV_ENV_MOVED, 9)->pfn, rows[i].apart ? 1536 : 1024);
		shut_down(m);
	}
}

/*
 * Free buddies are taken under the zone's lock, which is let go where a buddy begins a cluster of 32 pages
 * (isolate_freepages_block()): once for a buddy of 512, 16 times for 16 of 32 or 32 of 16.
 */
static void test_lock_of_each_cluster(void **state)
{
	static const struct {
		u32 order, locks;
	} rows[] = {{9, 1}, {8, 2}, {5, 16}, {4, 16}, {0, 16}};
	u32 others = 0; /* locks that are not taken for buddies */

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct recorder r;
		struct observer o;
		struct memory *m = boot_zone(4096, &r, &o);

		take(m, START, 9);
		for (u32 pfn = START; pfn < END; pfn += BIT(rows[i].order))
			put_buddy(m, pfn, rows[i].order);
		r.nr = 0;
		memory_observe(m, &(struct observer){.event = record,
						     .ctx = &r,
						     .mask = EV_BIT(EV_ZONE_LOCK)});
		assert_int_equal(contig(m, START, END), 0);
		if (!i)
			others = r.nr - rows[i].locks;
		assert_int_equal(r.nr, others + rows[i].locks);
		shut_down(m);
	}
}

/* Hugetlb folios queue up behind the others that were isolated with them (list_move_tail() in hugetlb.c). */
static void test_hugetlb_folios_queue_up(void **state)
{
	static const u32 moved[] = {610, 600, 512, 528};
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);

	(void)state;
	put_folio(m, 512, 2, 1, PG_HUGETLB);
	put_folio(m, 528, 2, 1, PG_HUGETLB);
	put_folio(m, 600, 0, 1, PG_LRU);
	put_folio(m, 610, 0, 1, PG_LRU);
	assert_int_equal(contig(m, START, END), 0);
	assert_int_equal(count_events(&r, EV_ENV_MOVED), ARRAY_SIZE(moved));
	for (u32 i = 0; i < ARRAY_SIZE(moved); i++)
		assert_int_equal(event_at(&r, EV_ENV_MOVED, i)->pfn, moved[i]);
	shut_down(m);
}

/* The mark of a page that came without watermarks does not survive that the page is isolated. */
static void test_pfmemalloc_is_lost(void **state)
{
	struct answer fails[6];
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(fails); i++)
		fails[i] = (struct answer){.call = ENV_MIGRATE, .value = 1};
	put_folio(m, 600, 0, 1, PG_MOVABLE_OPS);
	page_set_flags(m, 600, PG_PFMEMALLOC, 0);
	memory_begin_op(m, fails, ARRAY_SIZE(fails));
	assert_contig_fails(m, START, END, -EBUSY);
	assert_int_equal(m->pages[600].flags, PG_ONLINE | PG_MOVABLE_OPS);
	shut_down(m);
}

/* A fatal signal ends the migration, and with it the call. */
static void test_fatal_signal(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);

	(void)state;
	set_task_flags(m, TASK_FATAL_SIGNAL);
	put_folio(m, 600, 0, 1, PG_LRU);
	assert_contig_fails(m, START, END, -EINTR);
	assert_true(page_has(m, 600, PG_LRU));
	assert_int_equal(count_events(&r, EV_TEST_PAGES_ISOLATED), 0);
	shut_down(m);
}

/* Without a destination: -ENOMEM. Block 1 is all that is free, and it is isolated. */
static void test_no_destination(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);

	(void)state;
	put_folio(m, 600, 0, 1, PG_LRU);
	take(m, 0, 9);
	for (u32 pfn = 1024; pfn < 4096; pfn += 1024)
		take(m, pfn, 10);
	assert_int_equal(alloc_contig_range(m, START, END, 0, 0), -ENOMEM);
	assert_true(page_has(m, 600, PG_LRU));
	assert_int_equal(m->zones[0].vm_stat[NR_FREE_PAGES], 511);
	assert_nothing_isolated(m);
	shut_down(m);
}

/* A folio that begins before the range is not taken hold of by its tail. */
static void test_folio_across_the_start(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);

	(void)state;
	put_folio(m, 592, 4, 1, PG_LRU);
	assert_contig_fails(m, 600, 700, -EBUSY);
	assert_int_equal(count_events(&r, EV_ENV_MOVED), 0);
	/* One that ends behind it is. */
	assert_int_equal(contig(m, 520, 600), 0);
	assert_int_equal(event_at(&r, EV_ENV_MOVED, 0)->pfn, 592);
	shut_down(m);
}

/* ---- hugetlb ------------------------------------------------------------- */

/* A folio in use moves to a fresh one; so does one that waits in the pool, without reference. */
static void test_hugetlb_folios(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(8192, &r, &o);

	(void)state;
	put_folio(m, 1024, 9, 1, PG_HUGETLB);
	put_folio(m, 1536, 9, 0, PG_HUGETLB);
	assert_int_equal(contig(m, 1024, 2048), 0);
	assert_taken(m, 1024, 2048, 1);
	for (u32 i = 0; i < 2; i++) {
		const struct event *ev = event_at(&r, EV_ENV_MOVED, i);

		assert_int_equal(ev->pfn, i ? 1536 : 1024);
		assert_int_equal(ev->order, 9);
		assert_true(page_has(m, ev->a, PG_HUGETLB));
		assert_int_equal(compound_order(m, ev->a), 9);
		assert_int_equal(m->pages[ev->a].refcount, i ? 0 : 1);
	}
	assert_int_equal(m->global->vm_event[HTLB_BUDDY_PGALLOC], 2);
	assert_int_equal(m->global->lru_pages, 0);
	shut_down(m);
}

/* One that reaches across the range is found by its tail. */
static void test_hugetlb_across_the_start(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(8192, &r, &o);

	(void)state;
	put_folio(m, 1024, 10, 1, PG_HUGETLB);
	assert_int_equal(contig(m, 1536, 2048), 0);
	assert_int_equal(event_at(&r, EV_ENV_MOVED, 0)->pfn, 1024);
	ASSERT_FREE(m, &m->zones[0], 9, MIGRATE_MOVABLE, 1024);
	put_folio(m, 3072, 10, 0, PG_HUGETLB);
	assert_int_equal(contig(m, 3584, 4096), 0);
	assert_int_equal(event_at(&r, EV_ENV_MOVED, 1)->pfn, 3072);
	shut_down(m);
}

/* No successor for a folio of the pool: -ENOMEM, and it stays in the pool. */
static void test_no_successor(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);

	(void)state;
	put_folio(m, START, 9, 0, PG_HUGETLB);
	for (u32 pfn = 0; pfn < 4096; pfn += 512)
		if (pfn != START)
			take(m, pfn + 7, 0);
	assert_contig_fails(m, START, END, -ENOMEM);
	assert_true(page_has(m, START, PG_HUGETLB));
	assert_int_equal(m->global->vm_event[HTLB_BUDDY_PGALLOC_FAIL], 1);
	shut_down(m);
}

/* Nor may it come from another node, though that one is free. */
static void test_successor_of_another_node(void **state)
{
	struct machine machine;
	struct recorder r;
	struct observer o;
	struct memory *m;

	(void)state;
	machine_init(&machine);
	add_zone(&machine, 0, ZONE_NORMAL, 1024);
	add_zone(&machine, 1, ZONE_NORMAL, 4096);
	m = boot_machine(&machine, &r, &o);
	put_folio(m, START, 9, 0, PG_HUGETLB);
	assert_contig_fails(m, START, END, -ENOMEM);
	/* One in use may. */
	set_page_count(m, START, 1);
	assert_int_equal(contig(m, START, END), 0);
	assert_int_equal(m->pages[event_at(&r, EV_ENV_MOVED, 0)->a].zone, 1);
	shut_down(m);
}

/* The environment lets the replacement fail: -EBUSY at once, and the successor goes back. */
static void test_replacement_fails(void **state)
{
	struct answer fails = {.call = ENV_MIGRATE, .value = 1};
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(8192, &r, &o);

	(void)state;
	put_folio(m, START, 9, 0, PG_HUGETLB);
	memory_begin_op(m, &fails, 1);
	assert_contig_fails(m, START, END, -EBUSY);
	assert_int_equal(count_events(&r, EV_TEST_PAGES_ISOLATED), 0);
	assert_true(page_has(m, START, PG_HUGETLB));
	shut_down(m);
}

/* Where hugetlb pages cannot migrate, a Movable zone still lets them be isolated; no more. */
static void test_hugetlb_without_migration(void **state)
{
	struct machine machine;
	struct recorder r;
	struct observer o;
	struct memory *m;

	(void)state;
	machine_init(&machine);
	machine.hugetlb_migration = 0;
	add_zone(&machine, 0, ZONE_NORMAL, 4096);
	add_zone(&machine, 0, ZONE_MOVABLE, 4096);
	m = boot_machine(&machine, &r, &o);
	put_folio(m, 4608, 9, 1, PG_HUGETLB);
	assert_contig_fails(m, 4608, 5120, -EBUSY);
	assert_int_equal(count_events(&r, EV_ENV_MOVED), 0);
	shut_down(m);
}

/* A gigantic folio cannot be replaced by the path that would have to find it: -ENOMEM. */
static void test_gigantic_hugetlb(void **state)
{
	(void)state;
	for (s32 refs = 0; refs < 2; refs++) {
		struct recorder r;
		struct observer o;
		struct memory *m = boot_zone(8192, &r, &o);

		assert_int_equal(
			alloc_contig_frozen_range(m, 2048, 4096, 0, GFP_KERNEL | __GFP_COMP), 0);
		set_page_count(m, 2048, refs);
		mark_page(m, 2048, 11, PG_HUGETLB, 0);
		assert_contig_fails(m, 2048, 4096, -ENOMEM);
		assert_true(page_has(m, 2048, PG_HUGETLB));
		shut_down(m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lru_folios_move),
		cmocka_unit_test(test_gfp_of_destinations),
		cmocka_unit_test(test_destination_in_movable_zone),
		cmocka_unit_test(test_folio_without_reference),
		cmocka_unit_test(test_movable_ops_move),
		cmocka_unit_test(test_clean_pages_are_dropped),
		cmocka_unit_test(test_pinned_folio),
		cmocka_unit_test(test_five_attempts),
		cmocka_unit_test(test_fifth_attempt_moves),
		cmocka_unit_test(test_batches),
		cmocka_unit_test(test_too_many_isolated),
		cmocka_unit_test(test_lock_of_each_cluster),
		cmocka_unit_test(test_hugetlb_folios_queue_up),
		cmocka_unit_test(test_pfmemalloc_is_lost),
		cmocka_unit_test(test_fatal_signal),
		cmocka_unit_test(test_no_destination),
		cmocka_unit_test(test_folio_across_the_start),
		cmocka_unit_test(test_hugetlb_folios),
		cmocka_unit_test(test_hugetlb_across_the_start),
		cmocka_unit_test(test_no_successor),
		cmocka_unit_test(test_successor_of_another_node),
		cmocka_unit_test(test_replacement_fails),
		cmocka_unit_test(test_hugetlb_without_migration),
		cmocka_unit_test(test_gigantic_hugetlb),
	};

	return cmocka_run_group_tests_name("contig_migrate", tests, NULL, NULL);
}
