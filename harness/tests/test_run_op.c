/* SPDX-License-Identifier: GPL-2.0-only */
/* Which calls an op becomes, and which pages are held afterwards. */
#include "harness/tests/run_fixture.h"

/* ---- allocation ---------------------------------------------------------- */

/* Every member of an alloc op arrives; node mask 0 means none was given. */
static void test_alloc_call(void **state)
{
	(void)state;
	fake_give(&fake, 8);
	add((struct op){.kind = OP_ALLOC, .order = 3, .node = 1, .gfp = GFP_KERNEL, .b = 0x2});
	add((struct op){.kind = OP_ALLOC, .gfp = GFP_ATOMIC});
	play();
	assert_call(0, OP_ALLOC, 0, 3, 0);
	assert_int_equal(call_nr(0)->node, 1);
	assert_int_equal(call_nr(0)->gfp, GFP_KERNEL);
	assert_int_equal(call_nr(0)->nodemask, 0x2);
	assert_int_equal(call_nr(1)->nodemask, NODEMASK_NULL);
	assert_int_equal(r.book.held[8], HELD(3));
	assert_int_equal(fake.begun, 2);
	assert_int_equal(fake.ended, 2);
}

/* What counts as compound: order > 0 with __GFP_COMP, or from the nolock API. */
static void test_held_compound(void **state)
{
	(void)state;
	fake_give(&fake, 0);
	fake_give(&fake, 4);
	fake_give(&fake, 8);
	add_alloc(1, GFP_KERNEL | __GFP_COMP, 0);
	add_alloc(0, GFP_KERNEL | __GFP_COMP, 0);
	add((struct op){.kind = OP_ALLOC_NOLOCK, .order = 2});
	play();
	assert_int_equal(r.book.held[0], HELD(1) | HELD_COMPOUND);
	assert_int_equal(r.book.held[4], HELD(0));
	assert_int_equal(r.book.held[8], HELD(2) | HELD_COMPOUND);
}

/*
 * bulk of 4 with the first slot filled by the caller: the allocator sees one slot in use and three
 * empty ones; it fills two of them.
 *
 *      [ x | - | - | - ]  ->  [ x | 5 | 6 | - ]      ours: 5 and 6
 */
static void test_bulk(void **state)
{
	u32 slot;

	(void)state;
	fake_give(&fake, 5);
	fake_give(&fake, 6);
	slot = add((struct op){.kind = OP_ALLOC_BULK, .a = 4, .flags = 1});
	add((struct op){.kind = OP_FREE, .a = slot, .b = 0});
	add((struct op){.kind = OP_FREE, .a = slot, .b = 2});
	play();
	assert_int_not_equal(fake.calls[0].pfns[0], PFN_NONE);
	for (u32 i = 1; i < 4; i++)
		assert_int_equal(fake.calls[0].pfns[i], PFN_NONE);
	assert_int_equal(r.nr_skipped, 1); /* the slot that was the caller's */
	assert_int_equal(fake.nr_calls, 2);
	assert_call(1, OP_FREE, 6, 0, 0);
	assert_int_equal(r.book.held[5], HELD(0));
	assert_int_equal(r.book.held[6], HELD_NONE);
}

/* ---- free: the kind of the object decides -------------------------------- */

static void test_free_plain(void **state)
{
	const u32 ways[] = {0, OPF_NOLOCK};

	for (u32 i = 0; i < ARRAY_SIZE(ways); i++) {
		if (i) {
			teardown(state);
			setup(state);
		}
		fake_give(&fake, 8);
		add_free(add_alloc(2, GFP_KERNEL, 0), ways[i]);
		play();
		assert_int_equal(fake.nr_calls, 2);
		assert_call(1, OP_FREE, 8, 2, ways[i]);
		assert_nothing_held();
	}
}

static void test_free_frozen(void **state)
{
	const u32 ways[] = {0, OPF_NOLOCK};

	for (u32 i = 0; i < ARRAY_SIZE(ways); i++) {
		if (i) {
			teardown(state);
			setup(state);
		}
		fake_give(&fake, 8);
		add_free(add_alloc(2, GFP_KERNEL, OPF_FROZEN), ways[i]);
		play();
		assert_call(1, OP_FREE, 8, 2, OPF_FROZEN | ways[i]);
		assert_nothing_held();
	}
}

/* A compound page with two references lives until the second is dropped. */
static void test_get_compound(void **state)
{
	u32 slot;

	(void)state;
	fake_give(&fake, 8);
	slot = add_alloc(2, GFP_KERNEL | __GFP_COMP, 0);
	add_get(slot);
	add_free(slot, 0);
	play();
	assert_call(1, OP_GET, 8, 2, 0);
	assert_call(2, OP_FREE, 8, 2, 0);
	assert_int_equal(r.book.held[8], HELD(2) | HELD_COMPOUND);

	add_free(slot, 0);
	while (run_step(&r))
		;
	assert_call(3, OP_FREE, 8, 2, 0);
	assert_nothing_held();
}

/*
 * Four separate pages with two references on the first (spec 3.1): the free that leaves one takes
 * all pages but the first.
 *
 *      8[2] 9 10 11   free order 2 ->   8[1]   free order 0 ->   nothing
 */
static void test_get_plain(void **state)
{
	u32 slot;

	(void)state;
	fake_give(&fake, 8);
	slot = add_alloc(2, GFP_KERNEL, 0);
	add_get(slot);
	add_free(slot, 0);
	add_free(slot, 0);
	run_init(&r, &c, &fake.subject, CHECK_NONE, NULL);
	for (u32 i = 0; i < 3; i++)
		run_step(&r);
	assert_int_equal(r.book.held[8], HELD(0));
	run_finish(&r);
	assert_call(2, OP_FREE, 8, 2, 0);
	assert_call(3, OP_FREE, 8, 0, 0);
	assert_nothing_held();
}

/* Frozen pages have no reference to add to. */
static void test_get_frozen(void **state)
{
	(void)state;
	fake_give(&fake, 8);
	add_get(add_alloc(0, GFP_KERNEL, OPF_FROZEN));
	play();
	assert_int_equal(fake.nr_calls, 1);
	assert_int_equal(r.nr_skipped, 1);
}

/* Nobody can hold more references than the book can count. */
static void test_get_too_often(void **state)
{
	(void)state;
	fake_give(&fake, 8);
	add_get(add_alloc(0, GFP_KERNEL, 0));
	run_init(&r, &c, &fake.subject, CHECK_NONE, NULL);
	run_step(&r);
	r.book.extents[r.book.objects[0].first].refs = UINT16_MAX;
	run_finish(&r);
	assert_int_equal(fake.nr_calls, 1);
	assert_int_equal(r.nr_skipped, 1);
}

/* 33 folios are two batches: a folio_batch has room for 31. */
static void test_free_batch(void **state)
{
	(void)state;
	for (u32 i = 0; i < 33; i++)
		fake_give(&fake, i);
	add_free(add((struct op){.kind = OP_ALLOC_BULK, .a = 33}), OPF_BATCH);
	play();
	assert_int_equal(fake.nr_calls, 3);
	assert_call(1, OP_FREE, 0, 0, OPF_BATCH);
	assert_int_equal(call_nr(1)->nr, 31);
	assert_int_equal(call_nr(2)->nr, 2);
	assert_int_equal(fake.calls[1].pfns[30], 30);
	assert_int_equal(fake.calls[2].pfns[0], 31);
	assert_nothing_held();
}

/* Orders travel with a batch; what is no folio, or keeps a reference, goes plainly. */
static void test_free_batch_folios_only(void **state)
{
	u32 comp, plain, shared;

	(void)state;
	fake_give(&fake, 8);
	fake_give(&fake, 16);
	fake_give(&fake, 24);
	comp = add_alloc(2, GFP_KERNEL | __GFP_COMP, 0);
	plain = add_alloc(2, GFP_KERNEL, 0);
	shared = add_alloc(2, GFP_KERNEL | __GFP_COMP, 0);
	add_get(shared);
	add_free(comp, OPF_BATCH);
	add_free(plain, OPF_BATCH);
	add_free(shared, OPF_BATCH);
	play();
	assert_int_equal(call_nr(4)->flags, OPF_BATCH);
	assert_int_equal(call_nr(4)->nr, 1);
	assert_int_equal(fake.calls[4].pfns[0], 8);
	assert_int_equal(fake.calls[4].orders[0], 2);
	assert_call(5, OP_FREE, 16, 2, 0);
	assert_call(6, OP_FREE, 24, 2, 0);
	assert_int_equal(r.book.held[24], HELD(2) | HELD_COMPOUND);
}

/*
 * A piece of counted pages: split, then page by page; the rest follows one by one.
 *
 *      8 9 10 11 12 13 14 15      piece +4 order 1: 12, 13      free: 8..11, 14, 15
 */
static void test_piece_plain(void **state)
{
	const u32 rest[] = {8, 9, 10, 11, 14, 15};
	u32 slot;

	(void)state;
	fake_give(&fake, 8);
	slot = add_alloc(3, GFP_KERNEL, 0);
	add_piece(slot, 4, 1);
	add_free(slot, 0);
	play();
	assert_call(1, CALL_SPLIT, 8, 3, 0);
	assert_call(2, OP_FREE, 12, 0, 0);
	assert_call(3, OP_FREE, 13, 0, 0);
	for (u32 i = 0; i < ARRAY_SIZE(rest); i++)
		assert_call(4 + i, OP_FREE, rest[i], 0, 0);
	assert_int_equal(fake.nr_calls, 4 + ARRAY_SIZE(rest));
	assert_nothing_held();
}

/*
 * Frozen pages go as one piece of the order, after their marks were taken off; a piece that is
 * gone, whole or in part, is skipped.
 */
static void test_piece_frozen(void **state)
{
	u32 slot;

	(void)state;
	fake_give(&fake, 8);
	slot = add_alloc(3, GFP_KERNEL, OPF_FROZEN);
	add_piece(slot, 4, 2);
	add_piece(slot, 4, 2);
	add_piece(slot, 0, 3);
	play();
	assert_call(1, CALL_SPLIT, 8, 3, OPF_FROZEN);
	for (u32 i = 0; i < 4; i++)
		assert_call(2 + i, OP_MARK, 12 + i, 0, OPF_CLEAR);
	assert_call(6, OP_FREE_PIECE, 12, 2, 0);
	assert_int_equal(fake.nr_calls, 7);
	assert_int_equal(r.nr_skipped, 2);
	for (u32 pfn = 8; pfn < 12; pfn++)
		assert_int_equal(r.book.held[pfn], HELD(0));
	assert_int_equal(r.book.held[12], HELD_NONE);
}

/* The head keeps the references that it had before the split, the others have one. */
static void test_piece_keeps_references(void **state)
{
	u32 slot;

	(void)state;
	fake_give(&fake, 8);
	slot = add_alloc(1, GFP_KERNEL, 0);
	add_get(slot);
	add_piece(slot, 0, 1);
	play();
	assert_int_equal(r.book.held[8], HELD(0));
	assert_int_equal(r.book.held[9], HELD_NONE);
}

/* A piece that does not begin at a multiple of its size is none. */
static void test_piece_unaligned(void **state)
{
	u32 slot;

	(void)state;
	fake_give(&fake, 8);
	slot = add_alloc(3, GFP_KERNEL, 0);
	add_piece(slot, 1, 1); /* of the whole */
	add_piece(slot, 0, 0);
	add_piece(slot, 3, 1); /* of what it was split into */
	play();
	assert_int_equal(r.nr_skipped, 2);
	assert_int_equal(r.book.held[9], HELD(0));
	assert_int_equal(r.book.held[11], HELD(0));
}

/* A compound page cannot be split. */
static void test_piece_compound(void **state)
{
	(void)state;
	fake_give(&fake, 8);
	add_piece(add_alloc(2, GFP_KERNEL | __GFP_COMP, 0), 0, 1);
	play();
	assert_int_equal(fake.nr_calls, 1);
	assert_int_equal(r.nr_skipped, 1);
}

/* ---- contig, hugetlb, callers -------------------------------------------- */

/* Five pages of a contig range are freed by one call, with a reference each or frozen. */
static void test_contig_range(void **state)
{
	const u32 ways[] = {0, OPF_FROZEN};

	for (u32 i = 0; i < ARRAY_SIZE(ways); i++) {
		if (i) {
			teardown(state);
			setup(state);
		}
		add_free(add((struct op){.kind = OP_CONTIG_RANGE,
					 .a = 3,
					 .b = 8,
					 .gfp = GFP_KERNEL,
					 .flags = (u8)ways[i]}),
			 0);
		run_init(&r, &c, &fake.subject, CHECK_NONE, NULL);
		run_step(&r);
		assert_int_equal(r.result.pfn, 3);
		for (u32 pfn = 3; pfn < 8; pfn++)
			assert_int_equal(r.book.held[pfn], HELD(0) | HELD_CONTIG);
		run_finish(&r);
		assert_int_equal(call_nr(0)->a, 3);
		assert_int_equal(call_nr(0)->b, 8);
		assert_int_equal(fake.nr_calls, 2);
		assert_call(1, CALL_CONTIG_FREE, 3, 0, ways[i]);
		assert_int_equal(call_nr(1)->a, 5);
		assert_nothing_held();
	}
}

/* A contig range that fails gives nothing. */
static void test_contig_range_fails(void **state)
{
	(void)state;
	fake.error = -16;
	add_free(add((struct op){.kind = OP_CONTIG_RANGE, .a = 0, .b = 8, .gfp = GFP_KERNEL}), 0);
	play();
	assert_int_equal(fake.nr_calls, 1);
	assert_int_equal(r.nr_skipped, 1);
	assert_nothing_held();
}

/* With __GFP_COMP it is one folio, which may begin anywhere. */
static void test_contig_pages_compound(void **state)
{
	(void)state;
	fake_give(&fake, 32);
	add_free(add((struct op){.kind = OP_CONTIG_PAGES,
				 .a = 16,
				 .gfp = GFP_KERNEL | __GFP_COMP,
				 .flags = OPF_FROZEN}),
		 0);
	run_init(&r, &c, &fake.subject, CHECK_NONE, NULL);
	run_step(&r);
	assert_int_equal(r.book.held[32], HELD(4) | HELD_COMPOUND | HELD_CONTIG);
	run_finish(&r);
	assert_call(1, CALL_CONTIG_FREE, 32, 0, OPF_FROZEN);
	assert_int_equal(call_nr(1)->a, 16);
	assert_nothing_held();
}

/*
 * The middle page of a contig allocation is migrated away: two runs are left for
 * free_contig_range(), the moved page is an ordinary one.
 *
 *      8 9 [10 -> 40] 11 12
 */
static void test_contig_with_moved_page(void **state)
{
	u32 slot;

	(void)state;
	slot = add((struct op){.kind = OP_CONTIG_RANGE, .a = 8, .b = 13, .gfp = GFP_KERNEL});
	add((struct op){.kind = OP_KCOMPACTD});
	add_free(slot, 0);
	fake_event(&fake, 1, (struct event){.type = EV_ENV_MOVED, .pfn = 10, .a = 40});
	play();
	assert_call(2, CALL_CONTIG_FREE, 8, 0, 0);
	assert_int_equal(call_nr(2)->a, 2);
	assert_call(3, OP_FREE, 40, 0, 0);
	assert_call(4, CALL_CONTIG_FREE, 11, 0, 0);
	assert_int_equal(call_nr(4)->a, 2);
	assert_nothing_held();
}

/* Hugetlb folios are frozen compound pages; a pool that stops growing keeps what it has. */
static void test_hugetlb(void **state)
{
	(void)state;
	fake_give(&fake, 16);
	fake_give(&fake, 48);
	add_free(add((struct op){.kind = OP_HUGETLB, .a = 3, .order = 4}), 0);
	run_init(&r, &c, &fake.subject, CHECK_NONE, NULL);
	run_step(&r);
	assert_int_equal(r.result.pfn, 16);
	assert_int_equal(r.book.held[16], HELD(4) | HELD_COMPOUND);
	assert_int_equal(r.book.held[48], HELD(4) | HELD_COMPOUND);
	run_finish(&r);
	/* alloc, mark, alloc, mark, alloc in vain, free, free */
	assert_int_equal(fake.nr_calls, 7);
	assert_call(5, OP_FREE, 16, 4, OPF_FROZEN);
	assert_call(6, OP_FREE, 48, 4, OPF_FROZEN);
	assert_nothing_held();
}

/* The folio that the order loop ended with is the object. */
static void test_filemap(void **state)
{
	(void)state;
	fake_give(&fake, PFN_NONE);
	fake_give(&fake, 4);
	add((struct op){.kind = OP_FILEMAP, .order = 2, .gfp = GFP_KERNEL, .b = 0 | 3 << 8});
	play();
	assert_int_equal(r.result.pfn, 4);
	assert_int_equal(r.book.held[4], HELD(1) | HELD_COMPOUND);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		fake_test(test_alloc_call),
		fake_test(test_held_compound),
		fake_test(test_bulk),
		fake_test(test_free_plain),
		fake_test(test_free_frozen),
		fake_test(test_get_compound),
		fake_test(test_get_plain),
		fake_test(test_get_frozen),
		fake_test(test_get_too_often),
		fake_test(test_free_batch),
		fake_test(test_free_batch_folios_only),
		fake_test(test_piece_plain),
		fake_test(test_piece_frozen),
		fake_test(test_piece_keeps_references),
		fake_test(test_piece_unaligned),
		fake_test(test_piece_compound),
		fake_test(test_contig_range),
		fake_test(test_contig_range_fails),
		fake_test(test_contig_pages_compound),
		fake_test(test_contig_with_moved_page),
		fake_test(test_hugetlb),
		fake_test(test_filemap),
	};

	return cmocka_run_group_tests_name("run_op", tests, NULL, NULL);
}
