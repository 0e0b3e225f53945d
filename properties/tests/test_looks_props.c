/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Looks, locks, compaction, reclaim and the bulk API: for each property the nearest events that are
 * legal, and some that are not. The machine is that of world.h, with zone 1 on a second node.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "properties/slowpath.h"
#include "properties/tests/ways.h"

/* What a step is made of besides its events, which the caller may change first. */
static struct bench *begin(u8 kind)
{
	struct bench *b = calloc(1, sizeof(*b));
	const struct row row = {.min = 0};

	assert_non_null(b);
	bench_build(b, &row);
	b->before.zones = b->w.zones;
	b->before.pcps = b->w.pcps;
	b->before.blocks = b->w.blocks;
	b->request = (struct request){
		.kind = kind, .gfp = GFP_KERNEL, .nodemask = NODEMASK_NULL, .result_pfn = PFN_NONE};
	return b;
}

static int ask(struct bench *b, const struct property *p, const struct event *events, u32 nr)
{
	struct occurrence of[NR_EVENTS];
	struct step step = {.request = &b->request,
			    .before = &b->before,
			    .view = &b->w.view,
			    .events = events,
			    .nr_events = nr,
			    .of = of};
	char why[WHY_SIZE];
	struct slow slow;

	for (u32 i = 0; i < nr; i++)
		occurrence_add(of, &step.seen, events[i].type, i);
	if (b->request.kind == REQUEST_ALLOC && slow_read(&slow, &step))
		step.slow = &slow;
	return p->step(&step, why);
}

#define ASK(b, p, ...)                                      \
	ask((b), &(p), (const struct event[]){__VA_ARGS__}, \
	    sizeof((const struct event[]){__VA_ARGS__}) / sizeof(struct event))

#define LOOK(zone_, flags) {.type = EV_GPFF, .zone = (zone_), .a = (flags)}
#define END(flags) {.type = EV_GPFF_END, .zone = ZONE_ANY, .pfn = PFN_NONE, .a = (flags)}

/* ---- looks.c ------------------------------------------------------------- */

/* Zone 0 is Normal; with one node, nobody looks whether there is a DMA32 zone below. */
static void test_nofragment_asked(void **state)
{
	const u32 with = ALLOC_WMARK_LOW | ALLOC_NOFRAGMENT;
	struct bench *b = begin(REQUEST_ALLOC);

	(void)state;
	b->w.machine.nr_nodes = 1;
	assert_int_equal(ASK(b, prop_nofragment_asked, LOOK(0, with), END(with)), HOLDS);
	assert_int_equal(ASK(b, prop_nofragment_asked, LOOK(0, ALLOC_WMARK_LOW)), FAILS);
	/* A movable zone is not asked for unmixed blocks. */
	assert_int_equal(ASK(b, prop_nofragment_asked, LOOK(1, ALLOC_WMARK_LOW)), SILENT);
	assert_int_equal(ASK(b, prop_nofragment_asked, LOOK(1, with)), FAILS);
	/* With two nodes there has to be one. */
	b->w.machine.nr_nodes = 2;
	assert_int_equal(ASK(b, prop_nofragment_asked, LOOK(0, ALLOC_WMARK_LOW)), SILENT);
	/* Under defrag_mode everybody is. */
	b->before.global.sysctl[SYSCTL_DEFRAG_MODE] = 1;
	assert_int_equal(ASK(b, prop_nofragment_asked, LOOK(1, ALLOC_WMARK_LOW)), FAILS);
	b->w.machine.config_dma32 = 0;
	assert_int_equal(ASK(b, prop_nofragment_asked, LOOK(1, ALLOC_WMARK_LOW)), SILENT);
	free(b);
}

#define SLOW(...) \
	LOOK(0, ALLOC_WMARK_LOW), END(ALLOC_WMARK_LOW), {.type = EV_WAKEUP_KSWAPD}, __VA_ARGS__

static void test_kswapd_kept(void **state)
{
	const u32 with = SLOW_FLAGS | ALLOC_KSWAPD, reserves = ALLOC_NO_WATERMARKS;
	struct bench *b = begin(REQUEST_ALLOC);

	(void)state;
	assert_int_equal(ASK(b, prop_kswapd_kept, SLOW(LOOK(0, with), END(with))), HOLDS);
	assert_int_equal(ASK(b, prop_kswapd_kept,
			     SLOW(LOOK(0, with), END(with), LOOK(0, reserves), END(reserves))),
			 FAILS);
	/* The look before OOM has flags of its own. */
	assert_int_equal(ASK(b, prop_kswapd_kept,
			     SLOW(LOOK(0, with), END(with), LOOK(0, ALLOC_WMARK_HIGH),
				  END(ALLOC_WMARK_HIGH))),
			 HOLDS);
	b->request.gfp &= ~__GFP_KSWAPD_RECLAIM;
	assert_int_equal(ASK(b, prop_kswapd_kept, SLOW(LOOK(0, with), END(with))), FAILS);
	free(b);
}

static int judge_retry(s8 order, u32 priority, u32 result, u32 retries, bool again)
{
	struct bench *b = begin(REQUEST_ALLOC);
	int verdict = ASK(b, prop_compact_retry,
			  {.type = EV_COMPACT_RETRY,
			   .order = order,
			   .a = priority,
			   .b = result,
			   .c = retries,
			   .gfp = again});

	free(b);
	return verdict;
}

/* Spec 6.7: SYNC_FULL is the hardest, for costly orders SYNC_LIGHT; 16 or 4 successes. */
static void test_compact_retry(void **state)
{
	(void)state;
	assert_int_equal(judge_retry(1, COMPACT_PRIO_SYNC_LIGHT, COMPACT_COMPLETE, 0, true), HOLDS);
	assert_int_equal(judge_retry(1, COMPACT_PRIO_SYNC_LIGHT, COMPACT_COMPLETE, 0, false),
			 FAILS);
	assert_int_equal(judge_retry(1, COMPACT_PRIO_SYNC_FULL, COMPACT_COMPLETE, 0, false), HOLDS);
	assert_int_equal(judge_retry(4, COMPACT_PRIO_SYNC_LIGHT, COMPACT_COMPLETE, 0, true), FAILS);
	assert_int_equal(judge_retry(1, COMPACT_PRIO_SYNC_FULL, COMPACT_SUCCESS, 15, true), HOLDS);
	assert_int_equal(judge_retry(1, COMPACT_PRIO_SYNC_FULL, COMPACT_SUCCESS, 16, true), FAILS);
	assert_int_equal(judge_retry(4, COMPACT_PRIO_SYNC_LIGHT, COMPACT_SUCCESS, 4, true), FAILS);
	assert_int_equal(judge_retry(1, COMPACT_PRIO_ASYNC, COMPACT_SKIPPED, 0, false), SILENT);
}

#define GAVE_UP(...)                                                          \
	SLOW(LOOK(0, SLOW_FLAGS), END(SLOW_FLAGS), LOOK(0, ALLOC_WMARK_HIGH), \
	     END(ALLOC_WMARK_HIGH), __VA_ARGS__)

/* Pages 32..35 are free, and HighAtomic. */
static void test_reserve_before_null(void **state)
{
	const struct event exit = {.type = EV_SLOWPATH_EXIT, .a = SLOW_EXIT_NO_OOM_PROGRESS};
	const struct event freed = {.type = EV_ENV_FREED, .pfn = 11};
	struct bench *b = begin(REQUEST_ALLOC);

	(void)state;
	assert_int_equal(ASK(b, prop_reserve_before_null, GAVE_UP(exit)), FAILS);
	/* What the killer freed came too late for it. */
	assert_int_equal(ASK(b, prop_reserve_before_null, GAVE_UP(freed, exit)), EXCUSED);
	take_free(&b->w, 32);
	assert_int_equal(ASK(b, prop_reserve_before_null, GAVE_UP(exit)), HOLDS);
	free(b);
}

/* ---- locks.c ------------------------------------------------------------- */

#define LOCK {.type = EV_ZONE_LOCK}
#define DRAIN(order_) {.type = EV_MM_PAGE_PCPU_DRAIN, .order = (order_)}

/* A batch of 2, twice that for drains. */
static void test_hold_bounded(void **state)
{
	struct bench *b = begin(REQUEST_FREE);

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(b->w.pcps); i++)
		b->w.pcps[i].batch = 2;
	b->w.machine.pcp_batch_scale_max = 1;
	assert_int_equal(ASK(b, prop_hold_bounded, LOCK, DRAIN(0), DRAIN(0)), HOLDS);
	assert_int_equal(ASK(b, prop_hold_bounded, LOCK, DRAIN(0), DRAIN(3)), HOLDS);
	assert_int_equal(ASK(b, prop_hold_bounded, LOCK, DRAIN(1), LOCK, DRAIN(1)), HOLDS);
	assert_int_equal(ASK(b, prop_hold_bounded, LOCK, DRAIN(1), DRAIN(0)), FAILS);
	assert_int_equal(ASK(b, prop_hold_bounded, LOCK), SILENT);
	b->request.kind = REQUEST_DRAIN;
	assert_int_equal(ASK(b, prop_hold_bounded, LOCK, DRAIN(1), DRAIN(1)), HOLDS);
	assert_int_equal(ASK(b, prop_hold_bounded, LOCK, DRAIN(1), DRAIN(1), DRAIN(0)), FAILS);
	free(b);
}

#define MAY_TRY(no) {.type = EV_ENV_CALL, .a = ENV_NO_TRYLOCK, .c = (no)}

static void test_trylock_forbidden(void **state)
{
	struct bench *b = begin(REQUEST_FREE);

	(void)state;
	b->request.nolock = true;
	assert_int_equal(ASK(b, prop_trylock_forbidden, MAY_TRY(1)), HOLDS);
	assert_int_equal(ASK(b, prop_trylock_forbidden, MAY_TRY(1), LOCK), FAILS);
	assert_int_equal(ASK(b, prop_trylock_forbidden, MAY_TRY(1), MAY_TRY(0), LOCK), HOLDS);
	assert_int_equal(ASK(b, prop_trylock_forbidden, MAY_TRY(0), LOCK), SILENT);
	b->request.nolock = false;
	assert_int_equal(ASK(b, prop_trylock_forbidden, MAY_TRY(1), LOCK), SILENT);
	free(b);
}

/* ---- closed.c ------------------------------------------------------------ */

/* Zone 1 begins at page 520. */
static void test_compaction_takes(void **state)
{
	const struct property *p = &prop_compaction_takes;
	struct bench *b = begin(REQUEST_ALLOC);

	(void)state;
	assert_int_equal(ASK(b, *p, {.type = EV_CAPTURE, .a = MIGRATE_MOVABLE}), HOLDS);
	assert_int_equal(ASK(b, *p, {.type = EV_CAPTURE, .a = MIGRATE_CMA}), FAILS);
	assert_int_equal(ASK(b, *p, {.type = EV_CAPTURE, .a = MIGRATE_ISOLATE}), FAILS);
	assert_int_equal(ASK(b, *p, {.type = EV_ENV_MOVED, .pfn = 4, .a = 80}), HOLDS);
	assert_int_equal(ASK(b, *p, {.type = EV_ENV_MOVED, .pfn = 4, .a = 520}), FAILS);
	assert_int_equal(ASK(b, *p, LOCK), SILENT);
	free(b);
}

static void test_reclaim_counts(void **state)
{
	const struct event start = {.type = EV_MM_VMSCAN_DIRECT_RECLAIM_BEGIN};
	const struct event freed = {.type = EV_ENV_FREED, .pfn = 4, .order = 2};
	const struct event four = {.type = EV_ENV_CALL, .a = ENV_RECLAIM, .c = 4};
	const struct event one = {.type = EV_ENV_CALL, .a = ENV_RECLAIM, .c = 1};
	struct bench *b = begin(REQUEST_ALLOC);

	(void)state;
	assert_int_equal(ASK(b, prop_reclaim_counts, start, one), SILENT);
	b->w.machine.env.kind[ENV_RECLAIM] = ENV_CLOSED;
	assert_int_equal(ASK(b, prop_reclaim_counts, start, freed, four), HOLDS);
	assert_int_equal(ASK(b, prop_reclaim_counts, start, freed, one), FAILS);
	assert_int_equal(ASK(b, prop_reclaim_counts, start, one), FAILS);
	assert_int_equal(ASK(b, prop_reclaim_counts, start, freed, four, start, four), FAILS);
	free(b);
}

/* ---- bulk.c -------------------------------------------------------------- */

static void test_bulk_tries(void **state)
{
	const struct event fault = {.type = EV_ENV_CALL, .a = ENV_FAULT, .c = 1};
	struct bench *b = begin(REQUEST_BULK);

	(void)state;
	b->request.nr = 8;
	assert_int_equal(ASK(b, prop_bulk_tries, LOCK), FAILS);
	assert_int_equal(ASK(b, prop_bulk_tries, LOOK(0, 0), END(0)), HOLDS);
	assert_int_equal(ASK(b, prop_bulk_tries, fault), SILENT);
	b->w.global.vm_event[PGALLOC + ZONE_NORMAL]++;
	assert_int_equal(ASK(b, prop_bulk_tries, LOCK), HOLDS);
	b->request.filled = 8;
	assert_int_equal(ASK(b, prop_bulk_tries, LOCK), SILENT);
	free(b);
}

/* A page of zone 0, which is on node 0, is taken from a pcp. */
static void test_bulk_eligible(void **state)
{
	struct bench *b = begin(REQUEST_BULK);
	struct per_cpu_pages before[ARRAY_SIZE(b->w.pcps)];
	u32 trylock[WORLD_ZONES] = {1, 0};

	(void)state;
	memcpy(before, b->w.pcps, sizeof(before));
	b->before.pcps = before;
	b->before.trylock = trylock;
	before[0].count++;
	b->w.global.vm_event[PGALLOC + ZONE_NORMAL]++;
	assert_int_equal(ASK(b, prop_bulk_eligible, LOCK), HOLDS);
	b->request.nodemask = 2;
	assert_int_equal(ASK(b, prop_bulk_eligible, LOCK), FAILS);
	/* The normal path is not its business. */
	assert_int_equal(ASK(b, prop_bulk_eligible, LOOK(0, 0), END(0)), SILENT);
	free(b);
}

/* ---- isolation.c: what is free can be isolated ----------------------------- */

/* Blocks of 4 pages: 16..31 is one free buddy, too large to say anything of; 36..39 is a block. */
static void test_free_range_isolates(void **state)
{
	struct bench *b = begin(REQUEST_ISOLATE);

	(void)state;
	b->request.start = 36;
	b->request.end = 40;
	assert_int_equal(ASK(b, prop_free_range_isolates, LOCK), HOLDS);
	b->request.error = -16;
	assert_int_equal(ASK(b, prop_free_range_isolates, LOCK), FAILS);
	/* Somebody has isolated 40..43 already; 44..47 is in use in part. */
	b->request.end = 44;
	assert_int_equal(ASK(b, prop_free_range_isolates, LOCK), HOLDS);
	b->request.start = 44;
	b->request.end = 48;
	assert_int_equal(ASK(b, prop_free_range_isolates, LOCK), HOLDS);
	free(b);
}

/* ---- derived.c: a sysctl is written ---------------------------------------- */

/* 584 pages are too few for a batch; zone 0 has one CPU or two, LOW 100. */
static void test_pcp_follows(void **state)
{
	struct bench *b = begin(REQUEST_MACHINE);
	u32 managed = b->w.zones[0].managed_pages;

	(void)state;
	b->w.machine.nr_zones = 1;
	b->w.machine.nr_cpus = 2;
	b->w.machine.pcp_batch = 3;
	b->w.zones[0]._watermark[WMARK_LOW] = 100;
	assert_int_equal(ASK(b, prop_pcp_follows, LOCK), SILENT);
	b->before.global.sysctl[SYSCTL_PERCPU_PAGELIST_HIGH_FRACTION] = 8;
	b->w.zones[0].pageset_batch = 3;
	b->w.zones[0].pageset_high_min = 50; /* LOW, by two CPUs */
	b->w.zones[0].pageset_high_max = max_u32(managed / 8 / 2, 12);
	assert_int_equal(ASK(b, prop_pcp_follows, LOCK), HOLDS);
	b->w.zones[0].pageset_high_min = 49;
	assert_int_equal(ASK(b, prop_pcp_follows, LOCK), FAILS);
	/* The machine names one of them, and the other gives way. */
	b->w.machine.pcp_high_max = 30;
	b->w.zones[0].pageset_high_min = b->w.zones[0].pageset_high_max = 30;
	assert_int_equal(ASK(b, prop_pcp_follows, LOCK), HOLDS);
	b->w.zones[0].pageset_high_min = 50;
	assert_int_equal(ASK(b, prop_pcp_follows, LOCK), FAILS);
	b->w.machine.pcp_high_max = 0;
	b->w.global.sysctl[SYSCTL_PERCPU_PAGELIST_HIGH_FRACTION] = 10;
	b->w.zones[0].pageset_high_min = max_u32(managed / 10 / 2, 12);
	b->w.zones[0].pageset_high_max = b->w.zones[0].pageset_high_min;
	assert_int_equal(ASK(b, prop_pcp_follows, LOCK), HOLDS);
	free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nofragment_asked),
		cmocka_unit_test(test_kswapd_kept),
		cmocka_unit_test(test_compact_retry),
		cmocka_unit_test(test_reserve_before_null),
		cmocka_unit_test(test_hold_bounded),
		cmocka_unit_test(test_trylock_forbidden),
		cmocka_unit_test(test_compaction_takes),
		cmocka_unit_test(test_reclaim_counts),
		cmocka_unit_test(test_bulk_tries),
		cmocka_unit_test(test_bulk_eligible),
		cmocka_unit_test(test_free_range_isolates),
		cmocka_unit_test(test_pcp_follows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
