/* SPDX-License-Identifier: GPL-2.0-only */
/* Finding a range for a contiguous allocation (spec 7.6, 7.7; rules 78, 79). */
#include "model/tests/folio_fixture.h"

#define ACCEPT 1
#define REJECT 0
#define SKIP 2 /* rejected, and remembered as skipped for hugetlb */

/* ---- 7.6: is a candidate worth trying? ----------------------------------- */

/* The candidate is block 1, [512, 1024); the folio of the row begins at 600 or at 512. */
struct valid_row {
	const char *what;
	u32 pfn, order;
	s32 refs;
	u32 marks;
	/* of each generation; the current one is asked twice: first and second pass */
	u8 pre513, post513, hugeskip, pass1, pass2;
};

#define REFUSE_ALL REJECT, REJECT, REJECT, REJECT, REJECT

static const struct valid_row valid_rows[] = {
	{"reserved", 600, 0, 1, PG_RESERVED, REFUSE_ALL},
	{"in use", 600, 0, 1, 0, REJECT, ACCEPT, ACCEPT, REJECT, REJECT},
	{"frozen", 600, 0, 0, 0, ACCEPT, ACCEPT, ACCEPT, ACCEPT, ACCEPT},
	{"on the LRU", 600, 0, 1, PG_LRU, REJECT, ACCEPT, ACCEPT, ACCEPT, ACCEPT},
	{"movable_ops", 600, 0, 1, PG_MOVABLE_OPS, REJECT, ACCEPT, ACCEPT, ACCEPT, ACCEPT},
	{"LRU folio", 512, 9, 1, PG_LRU, REJECT, ACCEPT, ACCEPT, ACCEPT, ACCEPT},
	{"compound", 608, 4, 1, 0, REJECT, ACCEPT, ACCEPT, REJECT, REJECT},
	{"larger compound", 0, 10, 1, 0, REJECT, ACCEPT, ACCEPT, REJECT, REJECT},
	{"small hugetlb", 512, 8, 1, PG_HUGETLB, REJECT, ACCEPT, REJECT, SKIP, ACCEPT},
	{"in its pool", 512, 8, 0, PG_HUGETLB, REJECT, ACCEPT, REJECT, SKIP, ACCEPT},
	/* as large as the candidate, and larger: its tails lie in it */
	{"large hugetlb", 512, 9, 1, PG_HUGETLB, REJECT, ACCEPT, REJECT, SKIP, REJECT},
	{"larger hugetlb", 0, 10, 1, PG_HUGETLB, REJECT, ACCEPT, REJECT, SKIP, REJECT},
};

static u8 is_valid(struct memory *m, u32 start, u32 nr, u32 generation, bool skip_hugetlb)
{
	bool skipped = false;
	bool valid;

	m->machine.policy.contig_valid = (u8)generation;
	valid = pfn_range_valid_contig(m, &m->zones[0], start, nr, skip_hugetlb, &skipped);
	assert_false(valid && skipped);
	return skipped ? SKIP : valid;
}

static void assert_valid(struct memory *m, const struct valid_row *row)
{
	const u8 found[] = {
		is_valid(m, 512, 512, CONTIG_VALID_PRE513, true),
		is_valid(m, 512, 512, CONTIG_VALID_POST513, true),
		is_valid(m, 512, 512, CONTIG_VALID_HUGESKIP, true),
		is_valid(m, 512, 512, CONTIG_VALID_TWOPASS, true),
		is_valid(m, 512, 512, CONTIG_VALID_TWOPASS, false),
	};
	const u8 expected[] = {row->pre513, row->post513, row->hugeskip, row->pass1, row->pass2};

	for (size_t i = 0; i < ARRAY_SIZE(found); i++)
		if (found[i] != expected[i])
			fail_msg("%s, column %zu: expected %u, got %u", row->what, i, expected[i],
				 found[i]);
}

/* Every row of the table of spec 7.6, in every column. */
static void test_generations(void **state)
{
	static const struct valid_row free_block = {"free", 0,	    0,	    0,	    0,
						    ACCEPT, ACCEPT, ACCEPT, ACCEPT, ACCEPT};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(valid_rows); i++) {
		const struct valid_row *row = &valid_rows[i];
		struct recorder r;
		struct observer o;
		struct memory *m = boot_zone(4096, &r, &o);

		assert_valid(m, &free_block);
		put_folio(m, row->pfn, row->order, row->refs, row->marks);
		assert_valid(m, row);
		shut_down(m);
	}
}

/* In ZONE_MOVABLE only reserved pages and hugetlb ones stop the current generation. */
static void test_movable_zone(void **state)
{
	struct machine machine;
	struct recorder r;
	struct observer o;
	struct memory *m;
	bool skipped = false;

	(void)state;
	machine_init(&machine);
	add_zone(&machine, 0, ZONE_NORMAL, 4096);
	add_zone(&machine, 0, ZONE_MOVABLE, 4096);
	m = boot_machine(&machine, &r, &o);
	put_folio(m, 4608, 0, 1, 0);
	put_folio(m, 4616, 3, 1, 0);
	assert_true(pfn_range_valid_contig(m, &m->zones[1], 4608, 512, true, &skipped));
	put_folio(m, 4640, 3, 1, PG_HUGETLB);
	assert_false(pfn_range_valid_contig(m, &m->zones[1], 4608, 512, true, &skipped));
	assert_true(skipped);
	assert_true(pfn_range_valid_contig(m, &m->zones[1], 4608, 512, false, &skipped));
	put_folio(m, 4656, 0, 1, PG_RESERVED);
	assert_false(pfn_range_valid_contig(m, &m->zones[1], 4608, 512, false, &skipped));
	shut_down(m);
}

/* A hugetlb page that cannot migrate is unmovable, and so not skipped *for hugetlb*. */
static void test_hugetlb_without_migration(void **state)
{
	static const struct valid_row row = {"hugetlb", 512,	8,	1,	PG_HUGETLB,
					     REJECT,	ACCEPT, REJECT, REJECT, REJECT};
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);

	(void)state;
	m->machine.hugetlb_migration = 0;
	put_folio(m, 512, 8, 1, PG_HUGETLB);
	assert_valid(m, &row);
	shut_down(m);
}

/* Pages of another zone or of none reject a candidate in every generation. */
static void test_zone_and_hole(void **state)
{
	struct machine machine;
	struct recorder r;
	struct observer o;
	struct memory *m;

	(void)state;
	machine_init(&machine);
	add_zone(&machine, 0, ZONE_NORMAL, 4000);
	add_zone(&machine, 1, ZONE_NORMAL, 4096);
	machine.zones[1].start = 5000;
	m = boot_machine(&machine, &r, &o);
	for (u32 generation = 0; generation <= CONTIG_VALID_TWOPASS; generation++) {
		assert_int_equal(is_valid(m, 3968, 32, generation, true), ACCEPT);
		assert_int_equal(is_valid(m, 3968, 64, generation, true), REJECT);
		assert_int_equal(is_valid(m, 5000, 8, generation, true), REJECT);
	}
	shut_down(m);
}

/*
 * The current generation steps over free buddies and folios; the older ones look at each page.
 * A mark that no page in a free buddy can have shows who looks.
 */
static void test_step(void **state)
{
	static const struct valid_row row = {"step", 0,	     0,	     0,	     0,
					     REJECT, REJECT, REJECT, ACCEPT, ACCEPT};
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);

	(void)state;
	take(m, 512, 9);
	put_buddy(m, 512, 9);
	page_set_flags(m, 700, PG_RESERVED, 0);
	assert_valid(m, &row);
	shut_down(m);
}

/* ---- 7.7: the search ----------------------------------------------------- */

static u32 search(struct memory *m, u32 nr)
{
	return alloc_contig_pages(m, nr, GFP_KERNEL, 0, NODEMASK_NULL);
}

/*
 * Candidates begin at multiples of their size, from the start of the zone, one after the other.
 * Of 256 pages: 768 is in a block that begins before the zone, 1024 is in use, 1280 shares its
 * block with the page in use at 1030, 1536 to 2560 are taken.
 */
static void test_candidates(void **state)
{
	struct machine machine;
	struct recorder r;
	struct observer o;
	struct memory *m;

	(void)state;
	machine_init(&machine);
	add_zone(&machine, 0, ZONE_NORMAL, 4000);
	machine.zones[0].start = 700;
	m = boot_machine(&machine, &r, &o);
	put_folio(m, 1030, 0, 1, 0);
	assert_int_equal(search(m, 512), 1536);
	assert_int_equal(search(m, 512), 2048);
	assert_int_equal(search(m, 2048), PFN_NONE); /* 4096 .. 6144 is not in the zone */
	assert_int_equal(search(m, 1024), 3072);
	assert_int_equal(search(m, 256), 2560);
	for (u32 pfn = 1536; pfn < 2560; pfn++)
		assert_int_equal(m->pages[pfn].refcount, 1);
	assert_nothing_isolated(m);
	shut_down(m);
}

/*
 * A size that is no power of two is aligned by mask all the same (rule 78): 600 - 1 is
 * 0b1001010111, and (700 + 599) & ~599 = 0b10100010011 & ~0b01001010111 = 0b10100000000 = 1280. The
 * next one, 1880, begins in the block in which that one ends.
 */
static void test_size_that_is_no_power_of_two(void **state)
{
	struct machine machine;
	struct recorder r;
	struct observer o;
	struct memory *m;

	(void)state;
	machine_init(&machine);
	add_zone(&machine, 0, ZONE_NORMAL, 4000);
	machine.zones[0].start = 700;
	m = boot_machine(&machine, &r, &o);
	assert_int_equal(search(m, 600), 1280);
	assert_int_equal(search(m, 600), 2480);
	assert_int_equal(search(m, 0), PFN_NONE);
	shut_down(m);
}

/* A candidate that looks good may fail; the search goes on behind it. */
static void test_failed_attempt(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);

	(void)state;
	take(m, 100, 0); /* frozen: isolation accepts it, the test does not */
	put_folio(m, 600, 0, 1, PG_LRU | PG_PINNED);
	assert_int_equal(search(m, 512), 1024);
	assert_int_equal(count_events(&r, EV_TEST_PAGES_ISOLATED), 3);
	assert_nothing_isolated(m);
	shut_down(m);
}

/* CMA blocks pass the filter, and then fail to be isolated (7.6). */
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
	machine.ranges[0] = (struct machine_range){RANGE_CMA, 0, 1024};
	m = boot_machine(&machine, &r, &o);
	assert_int_equal(search(m, 512), 1024);
	assert_int_equal(m->zones[0].vm_stat[NR_FREE_CMA_PAGES], 1024);
	shut_down(m);
}

/* The zonelist of the node decides where to look, as far as gfp and mask allow. */
static void test_zones(void **state)
{
	struct machine machine;
	struct recorder r;
	struct observer o;
	struct memory *m;
	u32 movable = GFP_KERNEL | __GFP_HIGHMEM | __GFP_MOVABLE;

	(void)state;
	machine_init(&machine);
	add_zone(&machine, 0, ZONE_DMA32, 1024); /* 0 */
	add_zone(&machine, 0, ZONE_NORMAL, 1024); /* 1024 */
	add_zone(&machine, 0, ZONE_MOVABLE, 1024); /* 2048 */
	add_zone(&machine, 1, ZONE_NORMAL, 1024); /* 3072 */
	m = boot_machine(&machine, &r, &o);
	assert_int_equal(alloc_contig_pages(m, 1024, GFP_KERNEL, 0, BIT(1)), 3072);
	assert_int_equal(alloc_contig_pages(m, 1024, movable, 0, NODEMASK_NULL), 2048);
	assert_int_equal(alloc_contig_pages(m, 1024, GFP_KERNEL, 0, NODEMASK_NULL), 1024);
	assert_int_equal(alloc_contig_pages(m, 512, GFP_KERNEL | __GFP_THISNODE, 1, NODEMASK_NULL),
			 PFN_NONE);
	assert_int_equal(alloc_contig_pages(m, 512, GFP_KERNEL, 1, NODEMASK_NULL), 0);
	assert_int_equal(alloc_contig_pages(m, 1024, GFP_KERNEL, 1, NODEMASK_NULL), PFN_NONE);
	shut_down(m);
}

/* COMP is for the frozen variant: one folio, without a reference. */
static void test_compound(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);
	u32 gfp = GFP_KERNEL | __GFP_COMP;

	(void)state;
	assert_int_equal(alloc_contig_pages(m, 2048, gfp, 0, NODEMASK_NULL), PFN_NONE);
	assert_true(memory_is_pristine(m));
	assert_int_equal(alloc_contig_frozen_pages(m, 2048, gfp, 0, NODEMASK_NULL), 0);
	assert_int_equal(compound_order(m, 0), 11);
	assert_int_equal(m->pages[0].refcount, 0);
	shut_down(m);
}

/* ---- two passes ---------------------------------------------------------- */

/* Searches of the zone: it is locked once for each, and again after each attempt. */
static u32 nr_searches(const struct recorder *r)
{
	return count_events(r, EV_ZONE_LOCK);
}

/*
 * Hugetlb pages in all candidates but the last: the first pass takes that one, though moving
 * hugetlb pages would have freed an earlier one.
 */
static void test_first_pass_avoids_hugetlb(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);

	(void)state;
	for (u32 pfn = 0; pfn < 3072; pfn += 1024)
		put_folio(m, pfn, 9, 1, PG_HUGETLB);
	assert_int_equal(search(m, 1024), 3072);
	assert_int_equal(count_events(&r, EV_ENV_MOVED), 0);
	shut_down(m);
}

/*
 * With one in every candidate, the second pass moves one that is smaller than the candidate.
 *
 *      candidate  0               1              2                   7
 *                 [hugetlb 10   ] [hugetlb 9][ ] [hugetlb 9][ ] ...  [hugetlb 9][ ]
 */
static void test_second_pass_moves_hugetlb(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(8192, &r, &o);

	(void)state;
	put_folio(m, 0, 10, 1, PG_HUGETLB);
	for (u32 pfn = 1024; pfn < 8192; pfn += 1024)
		put_folio(m, pfn, 9, 1, PG_HUGETLB);
	assert_int_equal(search(m, 1024), 1024);
	assert_int_equal(count_events(&r, EV_ENV_MOVED), 1);
	assert_int_equal(event_at(&r, EV_ENV_MOVED, 0)->pfn, 1024);
	assert_int_equal(event_at(&r, EV_ENV_MOVED, 0)->a, 2560);
	shut_down(m);
}

/* Rule 79: a second pass only if some candidate was rejected solely for hugetlb. */
static void test_when_there_is_a_second_pass(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);

	(void)state;
	for (u32 pfn = 0; pfn < 4096; pfn += 1024)
		put_folio(m, pfn + 8, 0, 1, 0);
	r.nr = 0;
	assert_int_equal(search(m, 1024), PFN_NONE);
	assert_int_equal(nr_searches(&r), 1);
	/* A hugetlb page behind an unmovable one is never seen. */
	put_folio(m, 512, 9, 1, PG_HUGETLB);
	r.nr = 0;
	assert_int_equal(search(m, 1024), PFN_NONE);
	assert_int_equal(nr_searches(&r), 1);
	/* One in front of it is what rejects the candidate, in the first pass. */
	put_folio(m, 1024, 3, 1, PG_HUGETLB);
	r.nr = 0;
	assert_int_equal(search(m, 1024), PFN_NONE);
	assert_int_equal(nr_searches(&r), 2);
	shut_down(m);
}

/* The older generations have one pass, whatever they skipped. */
static void test_older_generations_have_one_pass(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_zone(4096, &r, &o);

	(void)state;
	for (u32 pfn = 0; pfn < 4096; pfn += 1024)
		put_folio(m, pfn, 10, 1, PG_HUGETLB);
	r.nr = 0;
	assert_int_equal(search(m, 1024), PFN_NONE);
	assert_int_equal(nr_searches(&r), 2);
	m->machine.policy.contig_valid = CONTIG_VALID_HUGESKIP;
	r.nr = 0;
	assert_int_equal(search(m, 1024), PFN_NONE);
	assert_int_equal(nr_searches(&r), 1);
	shut_down(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_generations),
		cmocka_unit_test(test_movable_zone),
		cmocka_unit_test(test_hugetlb_without_migration),
		cmocka_unit_test(test_zone_and_hole),
		cmocka_unit_test(test_step),
		cmocka_unit_test(test_candidates),
		cmocka_unit_test(test_size_that_is_no_power_of_two),
		cmocka_unit_test(test_failed_attempt),
		cmocka_unit_test(test_cma_block),
		cmocka_unit_test(test_zones),
		cmocka_unit_test(test_compound),
		cmocka_unit_test(test_first_pass_avoids_hugetlb),
		cmocka_unit_test(test_second_pass_moves_hugetlb),
		cmocka_unit_test(test_when_there_is_a_second_pass),
		cmocka_unit_test(test_older_generations_have_one_pass),
	};

	return cmocka_run_group_tests_name("contig_search", tests, NULL, NULL);
}
