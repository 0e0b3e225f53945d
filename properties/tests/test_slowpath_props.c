/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the slow path must not do: for each property the nearest way of a request that is legal, and
 * one that is not (ways.h has the letters).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "properties/tests/ways.h"

/* ---- slowpath.c ---------------------------------------------------------- */

/* Rule 58: GFP_NOWAIT may look and wake, nothing else. */
static void test_nonblocking(void **state)
{
	const struct property *p = &prop_nonblocking_never_stalls;
	const struct row rows[] = {
		ROW("looks and wakes", p, GFP_NOWAIT, 0, "F | W G", HOLDS),
		ROW("served at once: nothing to see", p, GFP_NOWAIT, 0, "p", SILENT),
		ROW("reclaims", p, GFP_NOWAIT, 0, "F | W G R", FAILS),
		ROW("compacts", p, GFP_NOWAIT, 1, "F | W G C", FAILS),
		ROW("drains", p, GFP_NOWAIT, 0, "F | W G D", FAILS),
		ROW("kills", p, GFP_NOWAIT, 0, "F | W G o", FAILS),
		ROW("node reclaim in the fast path", p, GFP_NOWAIT, 0, "n F | W G", FAILS),
		ROW("a blocking request may do all that", p, GFP_KERNEL, 0, "F | W G R D o",
		    SILENT),
	};

	(void)state;
	JUDGE(rows);
}

/* Rule 64: NOFAIL with DIRECT_RECLAIM gets a page. */
static void test_nofail(void **state)
{
	const struct property *p = &prop_nofail_never_null, *q = &prop_nofail_costly_noretry;
	const u32 gfp = GFP_KERNEL | __GFP_NOFAIL;
	const struct row rows[] = {
		ROW("a page in the end", p, gfp, 0, "F | W G R H o W p", HOLDS),
		ROW("NULL", p, gfp, 0, "F | W G R H O", FAILS),
		ROW("fuel ran out: no promise", p, gfp, 0, "F | W G R H O Q", SILENT),
		ROW("cannot wait: may fail", p, GFP_NOWAIT | __GFP_NOFAIL, 0, "F | W G", SILENT),
		ROW("costly NORETRY is not its own", p, gfp | __GFP_NORETRY, 4, "F | W G", SILENT),
		ROW("NORETRY for one node is", p, gfp | LOCAL, 4, "F | W G C", FAILS),
		ROW("costly NORETRY: a page", q, gfp | __GFP_NORETRY, 4, "F | W G C W p", HOLDS),
		ROW("costly NORETRY: NULL, as with V1", q, gfp | __GFP_NORETRY, 4, "F | W G",
		    FAILS),
		ROW("small NORETRY is not its own", q, gfp | __GFP_NORETRY, 3, "F | W G", SILENT),
	};

	(void)state;
	JUDGE(rows);
}

/* Rules 65 and 66: a small blocking request dies of OOM only; others never ask. */
static void test_oom(void **state)
{
	const struct property *p = &prop_null_only_after_oom, *q = &prop_oom_only_if_allowed;
	const struct row rows[] = {
		ROW("the killer refused", p, GFP_KERNEL, 0, "F | W G R Z H O", HOLDS),
		ROW("it was not asked", p, GFP_KERNEL, 0, "F | W G R Z", FAILS),
		ROW("it killed", p, GFP_KERNEL, 0, "F | W G R Z H o", FAILS),
		ROW("it killed and then refused", p, GFP_KERNEL, 0, "F | G R H o G R H O", HOLDS),
		ROW("a page", p, GFP_KERNEL, 0, "F | W p", SILENT),
		ROW("costly may fail", p, GFP_KERNEL, 4, "F | W G C", SILENT),
		ROW("NORETRY may fail", p, NORETRY, 0, "F | W G R", SILENT),
		ROW("reclaim must not recurse", p, GFP_KERNEL, 0, "F | G", EXCUSED,
		    .task = TASK_PF_MEMALLOC),
		ROW("a victim", p, GFP_KERNEL, 0, "F | G", EXCUSED, .task = TASK_OOM_VICTIM),
		ROW("DMA memory only", p, GFP_KERNEL | __GFP_DMA, 0, "F | G R H", EXCUSED),

		ROW("asked for a small request", q, GFP_KERNEL, 3, "F | W G R H O", HOLDS),
		ROW("not asked for one", q, GFP_KERNEL, 3, "F | W p", SILENT),
		ROW("not asked for a costly one", q, GFP_KERNEL, 4, "F | W G C", HOLDS),
		ROW("asked for a costly one", q, GFP_KERNEL, 4, "F | W G R H O", FAILS),
		ROW("asked for NORETRY", q, NORETRY, 0, "F | W G R H O", FAILS),
		ROW("asked for a local one", q, GFP_KERNEL | __GFP_THISNODE, 0, "F | G R H O",
		    FAILS),
		ROW("asked for MAYFAIL", q, GFP_KERNEL | __GFP_RETRY_MAYFAIL, 0, "F | G R O",
		    FAILS),
		ROW("asked for DMA", q, GFP_KERNEL | __GFP_DMA, 0, "F | G R H O", FAILS),
		ROW("asked for a core dump", q, GFP_KERNEL, 0, "F | G R H O", FAILS,
		    .task = TASK_PF_DUMPCORE),
	};

	(void)state;
	JUDGE(rows);
}

/* Rule 68: how hard compaction may try. */
static void test_compact_priority(void **state)
{
	const struct property *p = &prop_compact_priority;
	const u32 mayfail = GFP_KERNEL | __GFP_RETRY_MAYFAIL;
	const struct row rows[] = {
		ROW("costly: up to SYNC_LIGHT", p, mayfail, 4, "F | G C G r c G", HOLDS),
		ROW("costly: SYNC_FULL", p, mayfail, 4, "F | G C G r c G r f", FAILS),
		ROW("small: SYNC_FULL", p, GFP_KERNEL, 1, "F | G C G r c G r f", SILENT),
		ROW("NORETRY: the same twice", p, NORETRY, 1, "F | G C G R C", HOLDS),
		ROW("NORETRY: harder", p, NORETRY, 1, "F | G C G R c", FAILS),
	};

	(void)state;
	JUDGE(rows);
}

/* Rule 69, and its other half: each kswapd is called, and once. Zone 1 is for movable ones. */
static void test_wakes(void **state)
{
	const struct property *p = &prop_wake_once_per_node, *q = &prop_wake_every_node;
	const u32 no_kswapd = MOVABLE & ~__GFP_KSWAPD_RECLAIM;
	const struct row rows[] = {
		ROW("once before each look", p, MOVABLE, 0, "F | W w G W w G", HOLDS),
		ROW("twice before one", p, MOVABLE, 0, "F | W w W G", FAILS),
		ROW("without KSWAPD_RECLAIM", p, no_kswapd, 0, "F | W G", FAILS),
		ROW("none without it", p, no_kswapd, 0, "F | G R", HOLDS),

		ROW("both nodes", q, MOVABLE, 0, "F | W w G", HOLDS),
		ROW("the second is forgotten", q, MOVABLE, 0, "F | W G", FAILS),
		ROW("no kswapd of no use", q, GFP_KERNEL, 0, "F | W G", HOLDS),
		ROW("too late", q, GFP_KERNEL, 0, "F | G W", FAILS),
		ROW("no look, no wake", q, GFP_KERNEL, 0, "F |", FAILS),
		ROW("costly NORETRY too", q, NORETRY, 4, "F | G", FAILS),
		ROW("nobody asked for it", q, no_kswapd, 0, "F | G", SILENT),
	};

	(void)state;
	JUDGE(rows);
}

/* Rule 70: blocks have order 2 here. */
static void test_promotion(void **state)
{
	const struct property *p = &prop_promoted_order;
	const struct row rows[] = {
		ROW("its own order", p, GFP_KERNEL, 1, "F | N R", HOLDS),
		ROW("a block, without mixing", p, GFP_KERNEL, 1, "F | N P", HOLDS),
		ROW("a block, though it may mix", p, GFP_KERNEL, 1, "F | G P", FAILS),
		ROW("a block, for movable", p, MOVABLE, 1, "F | N P", FAILS),
		ROW("less than its own order", p, GFP_KERNEL, 3, "F | N P", FAILS),
		ROW("nothing reclaimed", p, GFP_KERNEL, 1, "F | p", SILENT),
	};

	(void)state;
	JUDGE(rows);
}

/* ---- noretry.c ----------------------------------------------------------- */

/* Rule 59, the headline: what costs time is not for a costly request with a fallback. */
static void test_no_stall(void **state)
{
	const struct property *p = &prop_no_stall_costly_noretry;
	const struct row rows[] = {
		ROW("looks twice", p, NORETRY, 4, "F | W G", HOLDS),
		ROW("node reclaim in the fast path", p, NORETRY, 4, "n F | W G", HOLDS),
		ROW("reclaims", p, NORETRY, 4, "F | W G R", FAILS),
		ROW("compacts", p, NORETRY, 4, "F | W G C", FAILS),
		ROW("drains", p, NORETRY, 4, "F | W G D", FAILS),
		ROW("kills", p, NORETRY, 4, "F | W G O", FAILS),
		ROW("order 3 may", p, NORETRY, 3, "F | W G C G R C", SILENT),
		ROW("for one node may", p, LOCAL, 4, "F | W G C", SILENT),
		ROW("cannot block anyway", p, GFP_NOWAIT | __GFP_NORETRY, 4, "F | W G", SILENT),
	};

	(void)state;
	JUDGE(rows);
}

static void test_looks(void **state)
{
	const struct property *p = &prop_costly_noretry_looks;
	const struct row rows[] = {
		ROW("one and one", p, NORETRY, 4, "F | W G", HOLDS),
		ROW("one and two", p, NORETRY, 4, "F | W G W V", HOLDS),
		ROW("one and three", p, NORETRY, 4, "F | W G W V W G", FAILS),
		ROW("two fast ones", p, NORETRY, 4, "F F | W G", FAILS),
		ROW("one more that may mix", p, NORETRY, 4, "F | W N W N W G", HOLDS),
		ROW("the cpuset changed", p, NORETRY, 4, "F | G X G X G X G", EXCUSED),
		ROW("for one node", p, LOCAL, 4, "F | G C G G G", SILENT),
	};

	(void)state;
	JUDGE(rows);
}

/* Rule 60, and rule 62: NORETRY for one node does not even reclaim once. */
static void test_one_round(void **state)
{
	const struct property *p = &prop_noretry_once, *q = &prop_local_noretry_no_reclaim;
	const struct row rows[] = {
		ROW("C, then R and C", p, NORETRY, 4, "F | W G C G W G r G D G C G", HOLDS),
		ROW("two reclaims", p, NORETRY, 0, "F | W G r G D G W G R", FAILS),
		ROW("three compactions", p, NORETRY, 4, "F | G C G R C G C", FAILS),
		ROW("OOM", p, NORETRY, 0, "F | W G R H O", FAILS),
		ROW("again after a RESTART", p, NORETRY, 0, "F | W G R X W G R", HOLDS),
		ROW("NOFAIL goes on", p, NORETRY | __GFP_NOFAIL, 0, "F | G R G R p", EXCUSED),

		ROW("compacts and gives up", q, LOCAL, 4, "F | W G C G", HOLDS),
		ROW("reclaims", q, LOCAL, 4, "F | W G C G W G R", FAILS),
		ROW("small and unmovable: the same", q, LOCAL, 1, "F | W G C G W G R", FAILS),
		ROW("small and movable: no such rule", q, LOCAL | __GFP_MOVABLE, 1, "F | G R c",
		    SILENT),
		ROW("cannot compact: no such rule", q, LOCAL & ~__GFP_IO, 4, "F | G R", SILENT),
	};

	(void)state;
	JUDGE(rows);
}

/* ---- rounds.c ------------------------------------------------------------ */

#define FOUR(round) round round round round

/* Rule 67: 16 rounds without progress, and one that ends it. */
static void test_progress_loops(void **state)
{
	const struct property *p = &prop_progress_loops;
	const struct row rows[] = {
		ROW("16 scans", p, GFP_KERNEL, 0, "F | " FOUR(FOUR("G R z ")) "G R H O", HOLDS),
		ROW("17 scans", p, GFP_KERNEL, 0, "F | " FOUR(FOUR("G R z ")) "G R z", FAILS),
		ROW("progress begins anew", p, GFP_KERNEL, 0,
		    "F | " FOUR(FOUR("G R z ")) "G r G D G z " FOUR("G R z "), HOLDS),
		ROW("but not for a costly one", p, GFP_KERNEL | __GFP_RETRY_MAYFAIL, 4,
		    "F | " FOUR(FOUR("G R c G z ")) "G r G D G z", FAILS),
		ROW("the killer helps", p, GFP_KERNEL, 0,
		    "F | " FOUR(FOUR("G R z ")) "G R H o " FOUR("G R z "), HOLDS),
		ROW("no scan", p, GFP_KERNEL, 0, "F | G R H O", SILENT),
	};

	(void)state;
	JUDGE(rows);
}

/* Another round needs a cause, which stands at the end of the round before. */
static void test_causes(void **state)
{
	const struct property *p = &prop_rounds_have_a_cause;
	const u32 mayfail = GFP_KERNEL | __GFP_RETRY_MAYFAIL;
	const u32 atomic = GFP_ATOMIC;
	const struct row rows[] = {
		ROW("one round", p, GFP_KERNEL, 0, "F | G R H O", SILENT),
		ROW("two for nothing", p, GFP_KERNEL, 0, "F | G R Z G", FAILS),
		ROW("a zone would do", p, GFP_KERNEL, 0, "F | G R z G", HOLDS),
		ROW("a block unreserved", p, GFP_KERNEL, 0, "F | G R Z U G", HOLDS),
		ROW("the killer helped", p, GFP_KERNEL, 0, "F | G R Z H o G", HOLDS),
		ROW("the cpuset changed", p, GFP_KERNEL, 0, "F | G X G", HOLDS),
		ROW("compaction first", p, GFP_KERNEL, 4, "F | G C G G R c G", HOLDS),
		ROW("compaction first, twice", p, GFP_KERNEL, 4, "F | G C G G C G G", FAILS),
		ROW("reserve rights", p, GFP_KERNEL, 0, "F | G V", HOLDS),
		ROW("reserve rights, twice", p, GFP_KERNEL, 0, "F | G V V", FAILS),
		ROW("atomic, twice with a cpuset", p, atomic, 0, "F | G G", FAILS),
		ROW("may mix now", p, GFP_NOWAIT, 0, "F | N G", HOLDS),
		ROW("may mix now, blocking", p, GFP_KERNEL, 0, "F | N P Z G", HOLDS),
		ROW("compaction made room 5 times", p, mayfail, 4,
		    "F | " FOUR("G r G D G S G Z ") "G r G D G S G Z G", FAILS),
		ROW("compaction made room 4 times", p, mayfail, 4,
		    "F | " FOUR("G r G D G S G Z ") "G r G D G S G Z", HOLDS),
		ROW("compaction tries harder", p, GFP_KERNEL, 1, "F | G r G D G c G Z G", HOLDS),
		ROW("it cannot", p, GFP_KERNEL, 1, "F | G r G D G f G Z G", FAILS),
		ROW("nor without progress", p, GFP_KERNEL, 1, "F | G R c G Z G", FAILS),
		ROW("fuel ran out for nothing", p, GFP_KERNEL, 0, "F | G R Z G R Z Q", FAILS),
		ROW("fuel ran out among kills", p, GFP_KERNEL, 0, "F | G R H o G R H o Q", HOLDS),
		ROW("NOFAIL goes on", p, GFP_KERNEL | __GFP_NOFAIL, 0, "F | G R Z G R Z Q",
		    EXCUSED),
	};

	(void)state;
	JUDGE(rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nonblocking), cmocka_unit_test(test_nofail),
		cmocka_unit_test(test_oom),	    cmocka_unit_test(test_compact_priority),
		cmocka_unit_test(test_wakes),	    cmocka_unit_test(test_promotion),
		cmocka_unit_test(test_no_stall),    cmocka_unit_test(test_looks),
		cmocka_unit_test(test_one_round),   cmocka_unit_test(test_progress_loops),
		cmocka_unit_test(test_causes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
