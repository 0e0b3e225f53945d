/* SPDX-License-Identifier: GPL-2.0-only */
/* The set of live slots, followed by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/live.h"
#include "harness/tests/forms.h"

static void create(struct live *l, u32 slot)
{
	live_apply(l, &(struct op){.kind = OP_ALLOC, .order = 2, .out = slot});
}

static void drop(struct live *l, u32 slot)
{
	live_apply(l, &(struct op){.kind = OP_FREE, .a = slot, .b = EXTENT_ALL, .out = SLOT_NONE});
}

static void assert_slots(const struct live *l, const u32 *slots, u32 nr)
{
	assert_int_equal(l->nr, nr);
	for (u32 i = 0; i < nr; i++) {
		assert_int_equal(l->slots[i], slots[i]);
		assert_int_equal(l->pos[slots[i]], i);
		assert_true(live_has(l, slots[i]));
	}
}

/*
 * The last live slot takes the place of one that goes:
 *
 *      0 1 2 3  --free 1-->  0 3 2  --free 2 (the last)-->  0 3  --new 7-->  0 3 7
 */
static void last_takes_the_place(void **state)
{
	struct live l;

	(void)state;
	live_init(&l);
	for (u32 slot = 0; slot < 4; slot++)
		create(&l, slot);
	assert_slots(&l, (const u32[]){0, 1, 2, 3}, 4);
	drop(&l, 1);
	assert_slots(&l, (const u32[]){0, 3, 2}, 3);
	assert_false(live_has(&l, 1));
	drop(&l, 2);
	assert_slots(&l, (const u32[]){0, 3}, 2);
	create(&l, 7);
	assert_slots(&l, (const u32[]){0, 3, 7}, 3);
	assert_false(live_has(&l, 1000000));
	live_free(&l);
}

/* Two references need two frees; a free of one extent drops none. */
static void references(void **state)
{
	const struct op get = {.kind = OP_GET, .a = 0, .out = SLOT_NONE};
	const struct op one = {.kind = OP_FREE, .a = 0, .b = 3, .out = SLOT_NONE};
	struct live l;

	(void)state;
	live_init(&l);
	live_apply(&l, &(struct op){.kind = OP_ALLOC_BULK, .a = 8, .out = 0});
	live_apply(&l, &get);
	live_apply(&l, &one);
	drop(&l, 0);
	assert_true(live_has(&l, 0));
	drop(&l, 0);
	assert_false(live_has(&l, 0));
	assert_int_equal(l.nr, 0);
	live_free(&l);
}

/* Pages and extents that an op may name later, by what created them. */
static void sizes(void **state)
{
	static const struct {
		struct op op;
		u32 pages, extents;
	} rows[] = {
		{{.kind = OP_ALLOC, .order = 3, .out = 0}, 8, 0},
		{{.kind = OP_ALLOC_NOLOCK, .order = 1, .out = 1}, 2, 0},
		{{.kind = OP_ALLOC_BULK, .a = 5, .out = 2}, 5, 5},
		{{.kind = OP_CONTIG_RANGE, .a = 512, .b = 700, .out = 3}, 188, 0},
		{{.kind = OP_CONTIG_PAGES, .a = 300, .out = 4}, 300, 0},
		{{.kind = OP_MPOL, .order = 4, .out = 5}, 16, 0},
		{{.kind = OP_FILEMAP, .order = 4, .out = 6}, 1, 0},
		{{.kind = OP_HUGETLB, .order = 9, .a = 6, .out = 7}, 1, 6},
	};
	struct live l;

	(void)state;
	live_init(&l);
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		live_apply(&l, &rows[i].op);
		assert_int_equal(l.pages[i], rows[i].pages);
		assert_int_equal(l.extents[i], rows[i].extents);
	}
	live_free(&l);
}

/* Nested ops come before the op that they are nested in, whether they will run or not. */
static void nested_first(void **state)
{
	struct testcase c;
	struct live l;

	(void)state;
	must_parse(ONE_ZONE
		   "a = alloc order 0 node 0 gfp 0\n"
		   "at drain cpu 0: free a\nat drain cpu 0: b = alloc order 0 node 0 gfp 0\n"
		   "c = alloc order 0 node 0 gfp 0\n",
		   &c);
	live_init(&l);
	live_step(&l, &c, 0);
	assert_slots(&l, (const u32[]){0}, 1);
	live_step(&l, &c, 1);
	assert_slots(&l, (const u32[]){1, 2}, 2);
	live_free(&l);
	case_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(last_takes_the_place),
		cmocka_unit_test(references),
		cmocka_unit_test(sizes),
		cmocka_unit_test(nested_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
