/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Playing a case: which calls an op becomes, what the book says afterwards, and
 * what is found. A fake subject writes the calls down; its pages are those of
 * fake_view.h. The last tests play on the port.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/run.h"
#include "harness/tests/fake_subject.h"

static struct fake_subject fake;
static struct testcase c;
static struct run r;

static int setup(void **state)
{
	(void)state;
	fake_subject_init(&fake);
	case_init(&c);
	c.machine = fake.v.machine;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	run_free(&r);
	case_free(&c);
	return 0;
}

/* Append an op; returns its slot if it creates one. */
static u32 add(struct op op)
{
	op.out = op_infos[op.kind].creates ? c.nr_slots++ : SLOT_NONE;
	case_add_op(&c, &op);
	return op.out;
}

static void play(void)
{
	run_init(&r, &c, &fake.subject, CHECK_NONE, NULL);
	run_finish(&r);
}

static u32 add_alloc(u32 order, u32 gfp, u32 flags)
{
	return add(
		(struct op){.kind = OP_ALLOC, .order = (u8)order, .gfp = gfp, .flags = (u8)flags});
}

static void add_free(u32 slot, u32 flags)
{
	add((struct op){.kind = OP_FREE, .a = slot, .b = EXTENT_ALL, .flags = (u8)flags});
}

static void add_get(u32 slot)
{
	add((struct op){.kind = OP_GET, .a = slot});
}

static void add_piece(u32 slot, u32 offset, u32 order)
{
	add((struct op){.kind = OP_FREE_PIECE, .a = slot, .b = offset, .order = (u8)order});
}

static const struct call *call_nr(u32 i)
{
	assert_true(i < fake.nr_calls);
	return &fake.calls[i].call;
}

static void assert_call(u32 i, u32 kind, u32 pfn, u32 order, u32 flags)
{
	assert_int_equal(call_nr(i)->kind, kind);
	assert_int_equal(call_nr(i)->pfn, pfn);
	assert_int_equal(call_nr(i)->order, order);
	assert_int_equal(call_nr(i)->flags, flags);
}

static void assert_nothing_held(void)
{
	for (u32 pfn = 0; pfn < FAKE_PAGES; pfn++) {
		assert_int_equal(r.book.held[pfn], HELD_NONE);
		assert_int_equal(r.book.owner[pfn], 0);
	}
}

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

/* Frozen pages go as one piece of the order; a piece that is gone is skipped, whole or in part. */
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
	assert_call(2, OP_FREE_PIECE, 12, 2, 0);
	assert_int_equal(fake.nr_calls, 3);
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

/* ---- objects that are not there ------------------------------------------ */

/* After an allocation that failed, the ops on its object do nothing at all. */
static void test_skipped(void **state)
{
	u32 slot;

	(void)state;
	slot = add_alloc(2, GFP_KERNEL, 0);
	add_free(slot, 0);
	add_free(slot, OPF_BATCH);
	add_get(slot);
	add_piece(slot, 0, 0);
	add((struct op){.kind = OP_MARK, .a = slot, .b = PG_LRU});
	play();
	assert_int_equal(r.nr_skipped, 5);
	assert_int_equal(fake.nr_calls, 1);
	assert_int_equal(fake.begun, 1);
}

/* Reclaim inside another op takes the page away: its free is skipped. */
static void test_env_freed(void **state)
{
	u32 slot;

	(void)state;
	fake_give(&fake, 8);
	fake_give(&fake, 16);
	slot = add_alloc(1, GFP_KERNEL | __GFP_COMP, 0);
	add_alloc(1, GFP_KERNEL, 0);
	add_free(slot, 0);
	fake_event(&fake, 1, (struct event){.type = EV_ENV_FREED, .pfn = 8, .order = 1});
	play();
	assert_int_equal(r.nr_skipped, 1);
	assert_int_equal(fake.nr_calls, 2);
	assert_int_equal(r.book.held[8], HELD_NONE);
	assert_int_equal(r.book.held[16], HELD(1));
}

/* The page freed in the background of an op may be the one that this op was given. */
static void test_env_freed_at_end(void **state)
{
	(void)state;
	fake_give(&fake, 8);
	add_free(add_alloc(0, GFP_KERNEL, 0), 0);
	fake_event(&fake, FAKE_AT_END, (struct event){.type = EV_ENV_FREED, .pfn = 8});
	play();
	assert_int_equal(r.nr_skipped, 1);
	assert_nothing_held();
}

/* A moved object is freed where it is now. */
static void test_env_moved(void **state)
{
	u32 slot;

	(void)state;
	fake_give(&fake, 8);
	slot = add_alloc(2, GFP_KERNEL | __GFP_COMP, 0);
	add((struct op){.kind = OP_KCOMPACTD});
	add_free(slot, 0);
	fake_event(&fake, 1, (struct event){.type = EV_ENV_MOVED, .pfn = 8, .order = 2, .a = 60});
	run_init(&r, &c, &fake.subject, CHECK_NONE, NULL);
	run_step(&r);
	run_step(&r);
	assert_int_equal(r.book.held[8], HELD_NONE);
	assert_int_equal(r.book.held[60], HELD(2) | HELD_COMPOUND);
	run_finish(&r);
	assert_call(2, OP_FREE, 60, 2, 0);
	assert_nothing_held();
}

/* ---- what a subject must never do ---------------------------------------- */

static void assert_clash(u32 step)
{
	assert_int_equal(r.first.kind, FINDING_VIOLATION);
	assert_int_equal(r.first.step, step);
	assert_string_equal(r.first.violation.property->id, "partition");
	assert_int_equal(r.nr_violations, 1);
}

/* Pages 8..11 are held; 10 is inside, 8..15 goes around, 100 does not exist. */
static void test_handed_out_twice(void **state)
{
	const struct {
		u32 pfn, order;
	} rows[] = {{10, 0}, {8, 3}, {8, 2}, {100, 0}, {62, 2}};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		if (i) {
			teardown(state);
			setup(state);
		}
		fake_give(&fake, 8);
		fake_give(&fake, rows[i].pfn);
		add_alloc(2, GFP_KERNEL, 0);
		add_alloc(rows[i].order, GFP_KERNEL, 0);
		play();
		assert_clash(1);
	}
}

/* The neighbours of held pages may be handed out. */
static void test_neighbours_do_not_clash(void **state)
{
	(void)state;
	fake_give(&fake, 8);
	fake_give(&fake, 12);
	fake_give(&fake, 7);
	add_alloc(2, GFP_KERNEL, 0);
	add_alloc(2, GFP_KERNEL, 0);
	add_alloc(0, GFP_KERNEL, 0);
	play();
	assert_int_equal(r.first.kind, FINDING_NONE);
}

/* Contents cannot move to pages that are held. */
static void test_moved_onto_held(void **state)
{
	(void)state;
	fake_give(&fake, 8);
	fake_give(&fake, 16);
	add_alloc(0, GFP_KERNEL, 0);
	add_alloc(0, GFP_KERNEL, 0);
	fake_event(&fake, FAKE_AT_END, (struct event){.type = EV_ENV_MOVED, .pfn = 16, .a = 8});
	play();
	assert_clash(1);
}

/* ---- unmerged buddies (rule 10) ------------------------------------------ */

/*
 * Order-3 heads 16 and 24; an unreserve event names 16. Both may stay unmerged until one of them
 * is no head of that order any more.
 */
static void test_unmerged(void **state)
{
	(void)state;
	fake_free(&fake.v, 16, 3, MIGRATE_MOVABLE);
	fake_free(&fake.v, 24, 3, MIGRATE_MOVABLE);
	for (u32 i = 0; i < 3; i++)
		add_alloc(0, GFP_KERNEL, 0);
	fake_event(&fake, 0,
		   (struct event){.type = EV_UNRESERVE_HIGHATOMIC, .pfn = 16, .order = 3});
	run_init(&r, &c, &fake.subject, CHECK_NONE, NULL);
	assert_false(run_moment(&r).unmerged[16]);
	run_step(&r);
	assert_true(run_moment(&r).unmerged[16]);
	assert_true(run_moment(&r).unmerged[24]);
	run_step(&r);
	assert_true(run_moment(&r).unmerged[16]);
	fake.v.pages[24].flags &= (u16)~PG_BUDDY;
	run_step(&r);
	assert_false(run_moment(&r).unmerged[16]);
	assert_false(run_moment(&r).unmerged[24]);
}

/* Below pageblock_order whole blocks are re-listed, and their pieces were merged before. */
static void test_unmerged_below_block(void **state)
{
	(void)state;
	fake_free(&fake.v, 16, 2, MIGRATE_MOVABLE);
	fake_free(&fake.v, 20, 2, MIGRATE_MOVABLE);
	add_alloc(0, GFP_KERNEL, 0);
	fake_event(&fake, 0,
		   (struct event){.type = EV_UNRESERVE_HIGHATOMIC, .pfn = 16, .order = 2});
	play();
	assert_false(run_moment(&r).unmerged[16]);
}

/* ---- drained pcps (rule 33) ---------------------------------------------- */

static void play_drain(enum drain drain, u32 zone, u32 cpu)
{
	add((struct op){.kind = OP_DRAIN, .sub = (u8)drain, .a = zone, .b = cpu});
	play();
}

static void drain_event(u32 zone, u32 ran)
{
	fake_event(&fake, 0,
		   (struct event){.type = EV_DRAIN_ALL_PAGES, .zone = (u8)zone, .a = ran});
}

/* drain_all_pages() that ran has emptied every CPU's lists of its zone, or of all zones. */
static void test_drained_all(void **state)
{
	const struct {
		u32 zone, ran, nr;
	} rows[] = {{ZONE_ANY, 1, 2 * FAKE_CPUS}, {1, 1, FAKE_CPUS}, {ZONE_ANY, 0, 0}};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		if (i) {
			teardown(state);
			setup(state);
		}
		c.machine.nr_zones = fake.v.machine.nr_zones = 2;
		drain_event(rows[i].zone, rows[i].ran);
		play_drain(DRAIN_ALL, 0, 0);
		assert_int_equal(run_moment(&r).nr_drained, rows[i].nr);
		if (rows[i].zone == 1)
			assert_int_equal(run_moment(&r).drained[0].zone, 1);
	}
}

static void test_drained_one(void **state)
{
	(void)state;
	play_drain(DRAIN_CPU_ZONE, 0, 1);
	assert_int_equal(run_moment(&r).nr_drained, 1);
	assert_int_equal(run_moment(&r).drained[0].zone, 0);
	assert_int_equal(run_moment(&r).drained[0].cpu, 1);
}

static void test_drained_local(void **state)
{
	(void)state;
	fake.v.global.task.cpu = 1;
	play_drain(DRAIN_LOCAL, 0, 0);
	assert_int_equal(run_moment(&r).nr_drained, 1);
	assert_int_equal(run_moment(&r).drained[0].cpu, 1);
}

/* Expiry and decay may leave pages. */
static void test_drained_partly(void **state)
{
	(void)state;
	play_drain(DRAIN_EXPIRE, 0, 0);
	assert_int_equal(run_moment(&r).nr_drained, 0);
	teardown(state);
	setup(state);
	play_drain(DRAIN_DECAY, 0, 0);
	assert_int_equal(run_moment(&r).nr_drained, 0);
}

/* Pages freed in the background after the drain are on the lists again; so after other ops. */
static void test_drained_no_more(void **state)
{
	(void)state;
	drain_event(ZONE_ANY, 1);
	fake_event(&fake, FAKE_AT_END, (struct event){.type = EV_ENV_FREED, .pfn = 8});
	play_drain(DRAIN_ALL, 0, 0);
	assert_int_equal(run_moment(&r).nr_drained, 0);
	teardown(state);
	setup(state);
	drain_event(ZONE_ANY, 1);
	add_alloc(0, GFP_KERNEL, 0);
	play();
	assert_int_equal(run_moment(&r).nr_drained, 0);
}

/* ---- what the case expects ----------------------------------------------- */

static void assert_divergence(u32 step, const char *text)
{
	assert_int_equal(r.first.kind, FINDING_DIVERGENCE);
	assert_int_equal(r.first.step, step);
	assert_string_equal(r.first.text, text);
}

/* The second allocation is wrong: found there, and the third is not played. */
static void test_wrong_pfn(void **state)
{
	const struct {
		u32 want, got;
		const char *text;
	} rows[] = {
		{16, 17, "expected 16, got 17"},
		{16, PFN_NONE, "expected 16, got none"},
		{PFN_NONE, 17, "expected none, got 17"},
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		struct expect first = {.op = 0, .pfn = 8, .has_result = true};
		struct expect second = {.op = 1, .pfn = rows[i].want, .has_result = true};

		if (i) {
			teardown(state);
			setup(state);
		}
		fake_give(&fake, 8);
		fake_give(&fake, rows[i].got);
		for (u32 n = 0; n < 3; n++)
			add_alloc(0, GFP_KERNEL, 0);
		case_add_expect(&c, &first);
		case_add_expect(&c, &second);
		play();
		assert_divergence(1, rows[i].text);
		assert_int_equal(fake.nr_calls, 2);
		assert_int_equal(r.nr_divergences, 1);
	}
}

static void test_right_pfn_and_calls(void **state)
{
	struct expect e = {.op = 0,
			   .pfn = 8,
			   .has_result = true,
			   .has_calls = true,
			   .wakes = 1,
			   .reclaim = 2,
			   .compact = 3,
			   .oom = 4};

	(void)state;
	fake.report.kswapd_wakes = 1;
	fake.report.calls[ENV_RECLAIM] = 2;
	fake.report.calls[ENV_COMPACT] = 3;
	fake.report.calls[ENV_OOM] = 4;
	fake_give(&fake, 8);
	add_alloc(0, GFP_KERNEL, 0);
	case_add_expect(&c, &e);
	play();
	assert_int_equal(r.first.kind, FINDING_NONE);
}

/* One of the four counts is off by one, each in turn. */
static void test_wrong_calls(void **state)
{
	for (u32 i = 0; i < 4; i++) {
		struct expect e = {.op = 1, .has_calls = true};
		u32 *counts[] = {&e.wakes, &e.reclaim, &e.compact, &e.oom};

		if (i) {
			teardown(state);
			setup(state);
		}
		*counts[i] = 1;
		add_alloc(0, GFP_KERNEL, 0);
		add_alloc(0, GFP_KERNEL, 0);
		case_add_expect(&c, &e);
		play();
		assert_int_equal(r.first.kind, FINDING_DIVERGENCE);
		assert_int_equal(r.first.step, 1);
	}
	assert_string_equal(r.first.text, "expected kswapd 0 reclaim 0 compact 0 oom 1, "
					  "got kswapd 0 reclaim 0 compact 0 oom 0");
}

/* The state of fake_view_init() with one free buddy and one cached page. */
static const char *const final_lines[] = {
	"final zone 0 Normal free 4 reserved_highatomic 0 free_highatomic 0 boost 0 flags 0 "
	"pcp_count 1 pcp_high 0 pcp_free_count 0 pcp_alloc_factor 0 free_blocks 0",
	"freelist 0 Normal order 2 mt 1 : 8",
	"pcplist 0 Normal index 1 : 20",
	"final pcp 0 Normal cpu 1 count 0 high 0 free_count 0 alloc_factor 0",
	"pageblocks 0 Normal : 1 1 1 1 1 1 1 1",
};

static void set_final_state(void)
{
	fake_free(&fake.v, 8, 2, MIGRATE_MOVABLE);
	fake_pcp(&fake.v, 0)->count = 1;
	fake_list_add(&fake.v, pcp_list_head(fake_pcp(&fake.v, 0), 1), 20);
	add_alloc(0, GFP_KERNEL, 0);
}

static void test_right_final(void **state)
{
	(void)state;
	set_final_state();
	for (u32 i = 0; i < ARRAY_SIZE(final_lines); i++)
		case_add_final(&c, final_lines[i]);
	play();
	assert_int_equal(r.first.kind, FINDING_NONE);
}

/* One line is wrong, missing or too much. */
static void test_wrong_final(void **state)
{
	const struct {
		u32 line;
		const char *want; /* NULL: nothing in its place */
		const char *text;
	} rows[] = {
		{1, "freelist 0 Normal order 2 mt 1 : 8 12",
		 "freelist 0 Normal order 2 mt 1: entry 2: expected 12, got nothing"},
		{1, "freelist 0 Normal order 2 mt 1 : 12",
		 "freelist 0 Normal order 2 mt 1: entry 1: expected 12, got 8"},
		{1, "freelist 0 Normal order 2 mt 0 : 8",
		 "expected \"freelist 0 Normal order 2 mt 0 : 8\", "
		 "got \"freelist 0 Normal order 2 mt 1 : 8\""},
		{3, "final pcp 0 Normal cpu 1 count 0 high 7 free_count 0 alloc_factor 0",
		 "final pcp 0 Normal: high: expected 7, got 0"},
		{4, "pageblocks 0 Normal : 1 1 1 0 1 1 1 1",
		 "pageblocks 0 Normal: entry 4: expected 0, got 1"},
		{4, NULL, "expected \"\", got \"pageblocks 0 Normal : 1 1 1 1 1 1 1 1\""},
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		if (i) {
			teardown(state);
			setup(state);
		}
		set_final_state();
		for (u32 n = 0; n < ARRAY_SIZE(final_lines); n++) {
			const char *line = n == rows[i].line ? rows[i].want : final_lines[n];

			if (line)
				case_add_final(&c, line);
		}
		play();
		assert_divergence(1, rows[i].text);
	}
}

/* A WARN that the case does not expect is a line too much. */
static void test_warnings(void **state)
{
	(void)state;
	set_final_state();
	fake.report.warnings = 2;
	for (u32 i = 0; i < ARRAY_SIZE(final_lines); i++)
		case_add_final(&c, final_lines[i]);
	play();
	assert_divergence(1, "expected \"\", got \"warnings 2\"");
	teardown(state);
	setup(state);
	set_final_state();
	fake.report.warnings = 2;
	for (u32 i = 0; i < ARRAY_SIZE(final_lines); i++)
		case_add_final(&c, final_lines[i]);
	case_add_final(&c, "warnings 2");
	play();
	assert_int_equal(r.first.kind, FINDING_NONE);
}

/* The machine is compared before anything is played. */
static void test_wrong_machine(void **state)
{
	(void)state;
	add_alloc(0, GFP_KERNEL, 0);
	case_add_boot(&c, "zone 0 Normal start 0 pages 64 min 5 low 0 high 0 promo 0 pcp_batch 0 "
			  "pcp_high_min 0 pcp_high_max 0 lowmem_reserve 0 0 0 0");
	play();
	assert_divergence(STEP_MACHINE, "zone 0 Normal: min: expected 5, got 0");
	assert_int_equal(fake.nr_calls, 0);
}

/* ---- refusals ------------------------------------------------------------ */

static void test_nested_is_refused(void **state)
{
	struct nested_op nested = {.op = {.kind = OP_DRAIN, .out = SLOT_NONE}};

	(void)state;
	play();
	assert_null(run_can_play(&c, &fake.subject));
	case_add_nested(&c, &nested);
	assert_string_equal(run_can_play(&c, &fake.subject), "not played by this subject");
}

static void test_subject_names(void **state)
{
	static const char *const refused[] = {"kernel:vmlinux.so", "port", "port:v99", "x"};
	struct machine machine;
	const char *why;
	struct subject *s;

	(void)state;
	machine_init(&machine);
	machine.nr_nodes = machine.nr_zones = 1;
	machine.zones[0] = (struct machine_zone){.type = ZONE_NORMAL, .pages = 4096};
	for (u32 i = 0; i < ARRAY_SIZE(refused); i++) {
		assert_null(subject_create(refused[i], &machine, false, &why));
		assert_int_equal(strncmp(why, "expected", strlen("expected")), 0);
	}
	s = subject_create("port:v7.3+V1", &machine, false, &why);
	assert_string_equal(s->name, "port:v7.3+V1");
	assert_int_equal(s->ops->view(s)->machine->policy.v1, 1);
	s->ops->destroy(s);
	machine.policy.v2 = 1;
	s = subject_create(NULL, &machine, false, &why);
	assert_string_equal(s->name, "port:v7.3+V2");
	s->ops->destroy(s);
	play();
}

/* ---- on the port --------------------------------------------------------- */

static struct subject *port;

/* Zone Normal: pages 0..4095, all Movable, in four free buddies of order 10. */
static int setup_port(void **state)
{
	(void)state;
	case_init(&c);
	machine_init(&c.machine);
	c.machine.nr_nodes = c.machine.nr_zones = 1;
	c.machine.zones[0] = (struct machine_zone){.type = ZONE_NORMAL, .pages = 4096};
	return 0;
}

/* Boot the machine, play all of the case and judge every step. */
static void play_on_port(void)
{
	const char *why;

	port = subject_create(NULL, &c.machine, true, &why);
	assert_non_null(port);
	run_init(&r, &c, port, CHECK_EACH, NULL);
	assert_int_equal(run_finish(&r), 0);
	assert_string_equal(r.first.text, "");
}

static int teardown_port(void **state)
{
	teardown(state);
	port->ops->destroy(port);
	return 0;
}

#define MOVABLE (GFP_HIGHUSER_MOVABLE | __GFP_COMP)

static void expect_pfn(u32 pfn)
{
	struct expect e = {.op = c.nr_ops - 1, .pfn = pfn, .has_result = true};

	case_add_expect(&c, &e);
}

/*
 * Order 4 is not cached: the first is cut off the front of the buddy at 0, the second comes from
 * the smallest buddy that is large enough, which is the other half of what was split (W1):
 *
 *      0 [4] 16 [4] 32 [5] 64 [6] ... 512 [9] 1024 [10] ...
 *
 * Freed in any order they merge into the four buddies again.
 */
static void test_port_split_and_merge(void **state)
{
	u32 a, b;

	(void)state;
	a = add_alloc(4, MOVABLE, 0);
	expect_pfn(0);
	b = add_alloc(4, MOVABLE, 0);
	expect_pfn(16);
	add_alloc(4, MOVABLE, 0);
	expect_pfn(32);
	add_free(a, 0);
	add_free(b, 0);
	play_on_port();
	/* 0 and 16 are one buddy of order 5 again, beside 32, which is held. */
	assert_true(run_moment(&r).view->pages[0].flags & PG_BUDDY);
	assert_int_equal(run_moment(&r).view->pages[0].private, 5);
	assert_int_equal(run_moment(&r).held[32], HELD(4) | HELD_COMPOUND);
}

/* All kinds of frees in one run, with every property after each op, and nothing left over. */
static void test_port_frees_everything(void **state)
{
	const u32 flags[] = {0, OPF_NOLOCK, OPF_BATCH};
	u32 slot;

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(flags); i++) {
		add_free(add_alloc(0, GFP_KERNEL, 0), flags[i]);
		add_free(add_alloc(2, MOVABLE, 0), flags[i]);
		add_free(add_alloc(3, GFP_KERNEL, OPF_FROZEN), flags[i]);
		add_free(add((struct op){.kind = OP_ALLOC_NOLOCK, .order = 2}), flags[i]);
		add_free(add((struct op){.kind = OP_ALLOC_BULK, .a = 40, .gfp = GFP_KERNEL}),
			 flags[i]);
	}
	slot = add_alloc(4, GFP_KERNEL, 0);
	add_piece(slot, 8, 3);
	add_free(slot, 0);
	slot = add_alloc(4, GFP_KERNEL, OPF_FROZEN);
	add_piece(slot, 4, 2);
	add_free(slot, 0);
	slot = add_alloc(2, GFP_KERNEL, 0);
	add_get(slot);
	add_free(slot, 0);
	add_free(slot, 0);
	add_free(add((struct op){.kind = OP_CONTIG_RANGE, .a = 1000, .b = 1100, .gfp = GFP_KERNEL}),
		 0);
	add_free(add((struct op){.kind = OP_CONTIG_PAGES,
				 .a = 512,
				 .flags = OPF_FROZEN,
				 .gfp = GFP_KERNEL | __GFP_COMP}),
		 0);
	add_free(add((struct op){.kind = OP_HUGETLB, .a = 2, .order = 9, .flags = OPF_MOVABLE}), 0);
	add((struct op){.kind = OP_DRAIN, .sub = DRAIN_ALL});
	play_on_port();
	assert_int_equal(r.nr_skipped, 0);
	assert_int_equal(run_moment(&r).view->zones[0].vm_stat[NR_FREE_PAGES], 4096);
	assert_int_equal(run_moment(&r).nr_drained, 1);
}

/*
 * The first page is on the LRU. Three requests take the buddies of order 10 that are left whole;
 * the fourth finds none and reclaims, and that takes the page away from the case: its free is
 * skipped.
 *
 *      0 L ........ | 1024 taken | 2048 taken | 3072 taken
 */
static void test_port_reclaim_takes_lru(void **state)
{
	u32 slot;

	(void)state;
	c.machine.env.kind[ENV_RECLAIM] = ENV_CLOSED;
	slot = add_alloc(0, MOVABLE, 0);
	add((struct op){.kind = OP_MARK, .a = slot, .b = PG_LRU});
	for (u32 i = 0; i < 4; i++) {
		add_alloc(10, MOVABLE | __GFP_NORETRY, 0);
		expect_pfn(i < 3 ? 1024 * (i + 1) : PFN_NONE);
	}
	add_free(slot, 0);
	play_on_port();
	assert_int_equal(r.nr_skipped, 1);
}

#define fake_test(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
#define port_test(f) cmocka_unit_test_setup_teardown(f, setup_port, teardown_port)

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
		fake_test(test_free_batch),
		fake_test(test_free_batch_folios_only),
		fake_test(test_piece_plain),
		fake_test(test_piece_frozen),
		fake_test(test_piece_keeps_references),
		fake_test(test_piece_compound),
		fake_test(test_contig_range),
		fake_test(test_contig_range_fails),
		fake_test(test_contig_pages_compound),
		fake_test(test_contig_with_moved_page),
		fake_test(test_hugetlb),
		fake_test(test_filemap),
		fake_test(test_skipped),
		fake_test(test_env_freed),
		fake_test(test_env_freed_at_end),
		fake_test(test_env_moved),
		fake_test(test_handed_out_twice),
		fake_test(test_neighbours_do_not_clash),
		fake_test(test_moved_onto_held),
		fake_test(test_unmerged),
		fake_test(test_unmerged_below_block),
		fake_test(test_drained_all),
		fake_test(test_drained_one),
		fake_test(test_drained_local),
		fake_test(test_drained_partly),
		fake_test(test_drained_no_more),
		fake_test(test_wrong_pfn),
		fake_test(test_right_pfn_and_calls),
		fake_test(test_wrong_calls),
		fake_test(test_right_final),
		fake_test(test_wrong_final),
		fake_test(test_warnings),
		fake_test(test_wrong_machine),
		fake_test(test_nested_is_refused),
		fake_test(test_subject_names),
		port_test(test_port_split_and_merge),
		port_test(test_port_frees_everything),
		port_test(test_port_reclaim_takes_lru),
	};

	return cmocka_run_group_tests_name("run", tests, NULL, NULL);
}
