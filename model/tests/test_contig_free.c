/* SPDX-License-Identifier: GPL-2.0-only */
/* Giving a range back (spec 3.8). */
#include "model/tests/contig_fixture.h"

/* ---- free (spec 3.8) ----------------------------------------------------- */

/*
 * Each page is prepared on its own, then they go in chunks; small chunks to the pcp lists.
 *
 *      pfn   5   6     8             12
 *            [ 0 ][ 1 ][      2      ][ 0 ]
 */
static void test_free_in_chunks(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);
	const struct per_cpu_pages *pcp = &m->pcps[0];

	(void)state;
	assert_int_equal(contig(m, 5, 13), 0);
	r.nr = 0;
	free_contig_range(m, 5, 8);
	assert_int_equal(count_events(&r, EV_MM_PAGE_FREE), 8);
	for (u32 i = 0; i < 8; i++) {
		assert_int_equal(event_at(&r, EV_MM_PAGE_FREE, i)->pfn, 5 + i);
		assert_int_equal(event_at(&r, EV_MM_PAGE_FREE, i)->order, 0);
	}
	assert_int_equal(pcp->count, 8);
	assert_list(m, pcp_list_head(pcp, 1), (const u32[]){12, 5}, 2);
	assert_list(m, pcp_list_head(pcp, 4), (const u32[]){6}, 1);
	assert_list(m, pcp_list_head(pcp, 7), (const u32[]){8}, 1);
	shut_down(m);
}

/*
 * Chunks that no pcp list takes go to the buddy lists, PMD-sized ones to the pcp.
 *
 *      pfn   768        1024             1536    1600
 *            [    8    ][       9       ][  6    ]
 */
static void test_free_large_chunks(void **state)
{
	struct machine machine;
	struct recorder r;
	struct observer o;
	struct memory *m;

	(void)state;
	machine_init(&machine);
	machine.pcp_high_min = machine.pcp_high_max = 1000; /* room for it */
	add_zone(&machine, 0, ZONE_NORMAL, 4096);
	m = boot_machine(&machine, &r, &o);
	assert_int_equal(contig(m, 768, 1600), 0);
	free_contig_range(m, 768, 832);
	assert_int_equal(m->pcps[0].count, 512);
	assert_list(m, pcp_list_head(&m->pcps[0], 13), (const u32[]){1024}, 1);
	assert_int_equal(m->zones[0].vm_stat[NR_FREE_PAGES], 4096 - 512);
	shut_down(m);
}

/* A page that somebody else holds stays, with one reference less, and splits the run. */
static void test_free_with_a_page_held(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);
	const struct per_cpu_pages *pcp = &m->pcps[0];

	(void)state;
	assert_int_equal(contig(m, 16, 24), 0);
	get_page(m, 19);
	r.nr = 0;
	free_contig_range(m, 16, 8);
	assert_int_equal(count_events(&r, EV_MM_PAGE_FREE), 7);
	assert_int_equal(m->pages[19].refcount, 1);
	/* 16: order 1, 18: order 0; 20: order 2. */
	assert_list(m, pcp_list_head(pcp, 1), (const u32[]){18}, 1);
	assert_list(m, pcp_list_head(pcp, 4), (const u32[]){16}, 1);
	assert_list(m, pcp_list_head(pcp, 7), (const u32[]){20}, 1);
	shut_down(m);
}

/* A run ends with its memory section: its pages are free before the next one is prepared. */
static void test_free_across_sections(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(40960, &r, &o);

	(void)state;
	assert_int_equal(contig(m, 32752, 32784), 0);
	r.nr = 0;
	free_contig_range(m, 32752, 32);
	/* 16 pages prepared, one chunk of order 4 under the zone's lock; the same again. */
	assert_int_equal(r.nr, 2 * 18);
	for (u32 i = 0; i < r.nr; i++) {
		u32 type = i % 18 < 16	  ? EV_MM_PAGE_FREE
			   : i % 18 == 16 ? EV_ZONE_LOCK
					  : EV_ZONE_UNLOCK;

		assert_int_equal(r.events[i].type, type);
	}
	shut_down(m);
}

/* The frozen variant refuses the tail of a folio, and nothing happens for no pages. */
static void test_free_frozen_refuses_a_tail(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);

	(void)state;
	put_folio(m, 512, 9, 0, 0);
	r.nr = 0;
	free_contig_frozen_range(m, 513, 1);
	free_contig_frozen_range(m, 4096, 0);
	assert_int_equal(r.nr, 0);
	assert_int_equal(compound_order(m, 512), 9);
	shut_down(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_free_in_chunks),
		cmocka_unit_test(test_free_large_chunks),
		cmocka_unit_test(test_free_with_a_page_held),
		cmocka_unit_test(test_free_across_sections),
		cmocka_unit_test(test_free_frozen_refuses_a_tail),
	};

	return cmocka_run_group_tests_name("contig_free", tests, NULL, NULL);
}
