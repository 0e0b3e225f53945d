/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Steps made by hand for the properties of the slow path. The way of a request is written in
 * letters, in the order of the events; blanks are for the reader, the "|" ends the fast path:
 *
 *      F  look of the fast path, no page      G  look with the MIN mark, no page
 *      H  look with the HIGH mark, no page    N  G with NOFRAGMENT     V  G with NO_WATERMARKS
 *      p  look with the MIN mark: a page      W  kswapd of node 0 called     w  of node 1
 *      R  reclaim, no progress                r  reclaim, progress     P  R, for a whole block
 *      C  compaction ASYNC, COMPLETE          c  the same, SYNC_LIGHT  f  the same, SYNC_FULL
 *      S  compaction SYNC_LIGHT, SUCCESS      D  drain_all_pages       n  node reclaim
 *      O  OOM killer says no                  o  it killed             X  the cpuset changed
 *      Z  zone scanned, it would not do       z  it would              U  forced unreserve
 *      E  the environment freed a page        Q  fuel ran out
 *
 * The machine is that of world.h, with blocks of order 2 and a second node for zone 1:
 *
 *      node 0: zone 0 Normal             node 1: zone 1 Movable
 */
#ifndef PROPERTIES_TESTS_WAYS_H
#define PROPERTIES_TESTS_WAYS_H

#include "properties/list.h"
#include "properties/step.h"
#include "properties/tests/world.h"

/* Verdicts, short enough for tables. */
#define HOLDS VERDICT_HOLDS
#define FAILS VERDICT_FAILS
#define EXCUSED VERDICT_EXCUSED
#define SILENT VERDICT_MEANINGLESS

#define MOVABLE GFP_HIGHUSER_MOVABLE
#define NORETRY (GFP_KERNEL | __GFP_NORETRY)
#define LOCAL (NORETRY | __GFP_THISNODE)

/* A slow look of a request that keeps to its cpuset. */
#define SLOW_FLAGS (ALLOC_WMARK_MIN | ALLOC_CPUSET)

struct row {
	const char *intent;
	const struct property *property;
	u32 gfp, order;
	const char *way;
	int verdict;
	u32 task; /* enum task_flags */
	u32 min; /* mark of all zones; 0: everything is above it, 1000: everything is below it */
	bool defrag_mode;
};

/* Members behind the verdict may follow by name. */
#define ROW(intent_, property_, gfp_, order_, way_, ...) \
	{.intent = (intent_),                            \
	 .property = (property_),                        \
	 .gfp = (gfp_),                                  \
	 .order = (order_),                              \
	 .way = (way_),                                  \
	 .verdict = __VA_ARGS__}

struct bench {
	struct world w;
	struct node nodes[2];
	struct shot before;
	struct request request;
	struct event events[512];
	u32 nr;
};

/* The machine of @row; only its marks, task and sysctl are read. */
void bench_build(struct bench *b, const struct row *row);

/* Fail the test at the first row whose verdict is another one. */
void judge_rows(const struct row *rows, size_t nr);
#define JUDGE(rows) judge_rows((rows), ARRAY_SIZE(rows))

#endif
