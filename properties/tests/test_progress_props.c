/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a request is owed: for each property the nearest way of a request that is legal, and one
 * that is not (ways.h has the letters).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "properties/tests/ways.h"

/* ---- progress.c ---------------------------------------------------------- */

static void test_tried_all(void **state)
{
	const struct property *p = &prop_small_null_tried_all;
	const u32 mayfail = GFP_KERNEL | __GFP_RETRY_MAYFAIL;
	const struct row rows[] = {
		ROW("reclaim, OOM", p, GFP_KERNEL, 0, "F | G R Z H O", HOLDS),
		ROW("reclaim, compaction, OOM", p, GFP_KERNEL, 1, "F | G C G G R c G Z H O", HOLDS),
		ROW("MAYFAIL: no kill, but a look", p, mayfail, 0, "F | G R Z H", HOLDS),
		ROW("no reclaim", p, GFP_KERNEL, 0, "F | G H O", FAILS),
		ROW("no compaction", p, GFP_KERNEL, 1, "F | G R Z H O", FAILS),
		ROW("compaction only before reclaim", p, GFP_KERNEL, 1, "F | G C G G R Z H O",
		    FAILS),
		ROW("no last look", p, GFP_KERNEL, 0, "F | G R Z", FAILS),
		ROW("a last look before reclaim", p, GFP_KERNEL, 0, "F | G H O R", FAILS),
		ROW("costly may fail", p, GFP_KERNEL, 4, "F | G C", SILENT),
		ROW("must not recurse", p, GFP_KERNEL, 0, "F | G", EXCUSED,
		    .task = TASK_PF_MEMALLOC),
	};

	(void)state;
	JUDGE(rows);
}

/*
 * Nearly all buddies are Movable: foreign to GFP_KERNEL, and above a MIN mark of 0, not above 1000.
 */
static void test_defrag(void **state)
{
	const struct property *p = &prop_defrag_mixes_before_null;
	const struct row rows[] = {
		ROW("NULL without memory", p, GFP_KERNEL, 2, "F | N P Z G R H O", HOLDS,
		    .min = 1000, .defrag_mode = true),
		ROW("NULL above the mark", p, GFP_KERNEL, 2, "F | N P Z H O", FAILS,
		    .defrag_mode = true),
		ROW("a page when it could mix", p, GFP_KERNEL, 2, "F | N P Z p", HOLDS,
		    .defrag_mode = true),
		ROW("freed after the last look", p, GFP_KERNEL, 2, "F | N P E", EXCUSED,
		    .defrag_mode = true),
		ROW("NORETRY may not mix", p, NORETRY, 2, "F | N R", SILENT, .defrag_mode = true),
		ROW("nor costly", p, GFP_KERNEL, 4, "F | N R", SILENT, .defrag_mode = true),
		ROW("GFP_NOWAIT may", p, GFP_NOWAIT, 2, "F | N", FAILS, .defrag_mode = true),
		ROW("without defrag_mode", p, GFP_KERNEL, 2, "F | G R H O", SILENT),
		ROW("a victim that began anew", p, GFP_ATOMIC, 2, "F | N G X N", EXCUSED,
		    .defrag_mode = true, .task = TASK_OOM_VICTIM),
		ROW("a victim that did not", p, GFP_ATOMIC, 2, "F | N", FAILS, .defrag_mode = true,
		    .task = TASK_OOM_VICTIM),
		ROW("began anew without rights", p, GFP_ATOMIC, 2, "F | N X N", FAILS,
		    .defrag_mode = true),
	};

	(void)state;
	JUDGE(rows);
}

static void test_costly_null(void **state)
{
	const struct property *p = &prop_costly_noretry_null;
	const u32 movable = MOVABLE | __GFP_NORETRY;
	const struct row rows[] = {
		ROW("below MIN", p, movable, 4, "F | W w G", HOLDS, .min = 1000),
		ROW("above MIN", p, movable, 4, "F | W w G", FAILS),
		ROW("above MIN, not looked at", p, movable, 4, "F |", FAILS),
		ROW("no such buddy", p, movable, 5, "F | W w G", HOLDS),
		ROW("freed after the last look", p, movable, 4, "F | G R E", EXCUSED),
		ROW("claims a whole block", p, NORETRY, 4, "F | W N", FAILS),
		ROW("a page", p, movable, 4, "F | W w p", SILENT),
		ROW("small", p, movable, 3, "F | W w G", SILENT),
		ROW("not NORETRY", p, MOVABLE, 4, "F | W w G", SILENT),
	};

	(void)state;
	JUDGE(rows);
}

/* ---- decisions ----------------------------------------------------------- */

/* The verdict on a look with these flags that took so many locks and ended with @pfn. */
static int judge_locked_look(struct bench *b, u32 gfp, u32 flags, u32 locks, u32 pfn)
{
	struct event pass = {.type = EV_GPFF, .a = flags, .b = ZONE_MOVABLE, .c = NODEMASK_NULL};
	struct event end = {.type = EV_GPFF_END, .pfn = pfn, .gfp = gfp, .a = flags};
	struct decision d = {
		.event = &end,
		.view = &b->w.view,
		.request = &b->request,
		.pass = &pass,
		.locks = locks,
	};
	char why[WHY_SIZE];

	b->request = (struct request){
		.kind = REQUEST_ALLOC, .order = 1, .gfp = gfp, .nodemask = NODEMASK_NULL};
	return prop_look_takes_own_type.decision(&d, why);
}

static int judge_look(struct bench *b, u32 gfp, u32 flags, u32 pfn)
{
	return judge_locked_look(b, gfp, flags, 1, pfn);
}

/*
 * A buddy of two pages or more of the request's type is taken if the zone is above the mark;
 * otherwise it may stay. Movable ones are many, 44..45 is Unmovable, none is Reclaimable.
 */
static void test_own_type(void **state)
{
	struct bench *b = calloc(1, sizeof(*b));
	const struct row above = {.min = 0}, below = {.min = 1000};

	(void)state;
	assert_non_null(b);
	bench_build(b, &above);
	assert_int_equal(judge_look(b, MOVABLE, SLOW_FLAGS, 16), HOLDS);
	/* From a pcp list. */
	assert_int_equal(judge_locked_look(b, MOVABLE, SLOW_FLAGS, 0, 16), SILENT);
	assert_int_equal(judge_look(b, MOVABLE, SLOW_FLAGS, PFN_NONE), FAILS);
	assert_int_equal(judge_look(b, GFP_KERNEL, SLOW_FLAGS, PFN_NONE), FAILS);
	assert_int_equal(judge_look(b, GFP_KERNEL | __GFP_RECLAIMABLE, SLOW_FLAGS, PFN_NONE),
			 SILENT);
	b->w.global.sysctl[SYSCTL_NODE_RECLAIM_MODE] = 1;
	assert_int_equal(judge_look(b, MOVABLE, SLOW_FLAGS, PFN_NONE), EXCUSED);

	bench_build(b, &below);
	assert_int_equal(judge_look(b, MOVABLE, SLOW_FLAGS, PFN_NONE), SILENT);
	assert_int_equal(judge_look(b, MOVABLE, ALLOC_NO_WATERMARKS, PFN_NONE), FAILS);
	free(b);
}

/*
 * Zone 0: 474 of its 512 pages are free and not isolated, 4 are on the LRU; 4 of CMA and 4 of
 * HIGHATOMIC are not for this request, which leaves 470.
 */
static int judge_scan(struct bench *b, u32 min, u32 available, bool passed)
{
	const struct row row = {.min = min};
	struct event pass = {.type = EV_GPFF, .order = 0, .a = SLOW_FLAGS, .b = ZONE_NORMAL};
	struct event e = {.type = EV_RECLAIM_RETRY_ZONE, .gfp = passed, .a = available, .b = min};
	struct decision d = {.event = &e,
			     .view = &b->w.view,
			     .zone = &b->w.zones[0],
			     .request = &b->request,
			     .pass = &pass};
	char why[WHY_SIZE];

	bench_build(b, &row);
	return prop_retry_zone.decision(&d, why);
}

static void test_retry_zone(void **state)
{
	struct bench *b = calloc(1, sizeof(*b));

	(void)state;
	assert_non_null(b);
	assert_int_equal(judge_scan(b, 469, 478, true), HOLDS);
	assert_int_equal(judge_scan(b, 469, 478, false), FAILS);
	assert_int_equal(judge_scan(b, 470, 478, false), HOLDS);
	assert_int_equal(judge_scan(b, 470, 478, true), FAILS);
	/* The LRU forgotten. */
	assert_int_equal(judge_scan(b, 465, 474, true), FAILS);
	free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tried_all),   cmocka_unit_test(test_defrag),
		cmocka_unit_test(test_costly_null), cmocka_unit_test(test_own_type),
		cmocka_unit_test(test_retry_zone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
