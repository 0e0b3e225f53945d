/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events as ftrace text. The wanted lines of mm_page_* have the looks of
 * sample-ftrace-7.3.txt and its format file; others those of the kernel's
 * tracepoints of that name.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/state_text.h"
#include "harness/tests/fake_view.h"
#include "harness/trace.h"

static struct fake_view fake;

static int setup(void **state)
{
	(void)state;
	fake_view_init(&fake);
	return 0;
}

/* The line that @event becomes as the first event of op @op. */
static char *line_of(struct event event, u32 op)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_text(&text, &size);
	struct trace t;

	trace_init(&t, out, &fake.view, EV_ALL);
	trace_op(&t, op);
	t.observer.event(t.observer.ctx, &event);
	close_text(out);
	return text;
}

static void assert_line(struct event event, const char *want)
{
	char *line = line_of(event, 12);

	assert_string_equal(line, want);
	free(line);
}

/* ---- the shape of a line ------------------------------------------------- */

/* Task, CPU, flags, time: the op in seconds. vmemmap as in the trace: 0x43e6 is at ...10f980. */
static void test_whole_line(void **state)
{
	(void)state;
	assert_line((struct event){.type = EV_MM_PAGE_PCPU_DRAIN, .cpu = 3, .pfn = 0x43e6, .a = 1},
		    "      buddycheck-0       [003] .....    12.000000: mm_page_pcpu_drain: "
		    "page=ffffea000010f980 pfn=0x43e6 order=0 migratetype=1\n");
}

/* Events of one op count up, the next op begins at 0. */
static void test_times(void **state)
{
	struct event event = {.type = EV_MM_PAGE_FREE, .pfn = 1};
	char *text = NULL;
	size_t size;
	FILE *out = open_text(&text, &size);
	struct trace t;

	(void)state;
	trace_init(&t, out, &fake.view, EV_ALL);
	for (u32 op = 1; op <= 2; op++) {
		trace_op(&t, op);
		t.observer.event(t.observer.ctx, &event);
		t.observer.event(t.observer.ctx, &event);
	}
	close_text(out);
	assert_non_null(strstr(text, " 1.000000: "));
	assert_non_null(strstr(text, " 1.000001: "));
	assert_non_null(strstr(text, " 2.000000: "));
	assert_non_null(strstr(text, " 2.000001: "));
	free(text);
}

/* ---- public events ------------------------------------------------------- */

#define HEAD "      buddycheck-0       [000] .....    12.000000: "

static void test_alloc(void **state)
{
	(void)state;
	assert_line((struct event){.type = EV_MM_PAGE_ALLOC,
				   .pfn = 0x80af,
				   .gfp = GFP_KERNEL | __GFP_ACCOUNT | __GFP_ZERO | __GFP_COMP},
		    HEAD "mm_page_alloc: page=ffffea0000202bc0 pfn=0x80af order=0 migratetype=0 "
			 "gfp_flags=GFP_KERNEL_ACCOUNT|__GFP_ZERO|__GFP_COMP\n");
}

/* A failed allocation has no page: the format prints 0 for it. */
static void test_alloc_failed(void **state)
{
	(void)state;
	assert_line((struct event){.type = EV_MM_PAGE_ALLOC, .pfn = PFN_NONE, .order = 3},
		    HEAD "mm_page_alloc: page=0000000000000000 pfn=0x0 order=3 migratetype=0 "
			 "gfp_flags=none\n");
}

static void test_freed(void **state)
{
	(void)state;
	assert_line((struct event){.type = EV_MM_PAGE_FREE, .pfn = 4, .order = 2},
		    HEAD "mm_page_free: page=ffffea0000000100 pfn=0x4 order=2\n");
	/* This tracepoint has no order and always says 0. */
	assert_line((struct event){.type = EV_MM_PAGE_FREE_BATCHED, .pfn = 4, .order = 2},
		    HEAD "mm_page_free_batched: page=ffffea0000000100 pfn=0x4 order=0\n");
}

static void test_zone_locked(void **state)
{
	(void)state;
	assert_line((struct event){.type = EV_MM_PAGE_ALLOC_ZONE_LOCKED, .pfn = 4, .a = 1, .b = 1},
		    HEAD "mm_page_alloc_zone_locked: page=ffffea0000000100 pfn=0x4 order=0 "
			 "migratetype=1 percpu_refill=1\n");
}

/* Fragmenting: the fallback buddy is smaller than a pageblock (order 3 here). */
static void test_extfrag(void **state)
{
	struct event event = {
		.type = EV_MM_PAGE_ALLOC_EXTFRAG, .pfn = 8, .order = 1, .a = 2, .c = 1};

	(void)state;
	assert_line(event,
		    HEAD "mm_page_alloc_extfrag: page=ffffea0000000200 pfn=0x8 alloc_order=1 "
			 "fallback_order=2 pageblock_order=3 alloc_migratetype=0 "
			 "fallback_migratetype=1 fragmenting=1 change_ownership=0\n");
	event.a = 3;
	event.gfp = 1;
	assert_line(event,
		    HEAD "mm_page_alloc_extfrag: page=ffffea0000000200 pfn=0x8 alloc_order=1 "
			 "fallback_order=3 pageblock_order=3 alloc_migratetype=0 "
			 "fallback_migratetype=1 fragmenting=0 change_ownership=1\n");
}

static void test_reclaim(void **state)
{
	(void)state;
	assert_line((struct event){.type = EV_MM_VMSCAN_DIRECT_RECLAIM_BEGIN, .gfp = GFP_NOFS},
		    HEAD "mm_vmscan_direct_reclaim_begin: order=0 gfp_flags=GFP_NOFS\n");
	assert_line((struct event){.type = EV_MM_VMSCAN_DIRECT_RECLAIM_END, .a = 32},
		    HEAD "mm_vmscan_direct_reclaim_end: nr_reclaimed=32\n");
	assert_line((struct event){.type = EV_MM_VMSCAN_WAKEUP_KSWAPD, .order = 2, .a = 1},
		    HEAD "mm_vmscan_wakeup_kswapd: nid=1 order=2 gfp_flags=none\n");
	assert_line((struct event){.type = EV_RECLAIM_RETRY_ZONE,
				   .order = 2,
				   .pfn = 7,
				   .a = 50,
				   .b = 20,
				   .c = 3,
				   .gfp = 1},
		    HEAD "reclaim_retry_zone: node=0 zone=Normal   order=2 reclaimable=7 "
			 "available=50 min_wmark=20 no_progress_loops=3 wmark_check=1\n");
}

/* The result is shown as feedback: only COMPLETE has failed, only SUCCESS is progress. */
static void test_compact_retry(void **state)
{
	static const char *const feedback[NR_COMPACT_RESULTS] = {
		[COMPACT_NOT_SUITABLE_ZONE] = "withdrawn",
		[COMPACT_SKIPPED] = "withdrawn",
		[COMPACT_DEFERRED] = "withdrawn",
		[COMPACT_NO_SUITABLE_PAGE] = "withdrawn",
		[COMPACT_CONTINUE] = "withdrawn",
		[COMPACT_COMPLETE] = "failed",
		[COMPACT_PARTIAL_SKIPPED] = "withdrawn",
		[COMPACT_CONTENDED] = "withdrawn",
		[COMPACT_SUCCESS] = "progress",
	};

	(void)state;
	for (u32 result = 0; result < NR_COMPACT_RESULTS; result++) {
		char want[256];

		snprintf(want, sizeof(want),
			 HEAD "compact_retry: order=5 priority=COMPACT_PRIO_SYNC_LIGHT "
			      "compaction_result=%s retries=2 max_retries=4 should_retry=1\n",
			 feedback[result]);
		assert_line((struct event){.type = EV_COMPACT_RETRY,
					   .order = 5,
					   .pfn = 4,
					   .gfp = 1,
					   .a = COMPACT_PRIO_SYNC_LIGHT,
					   .b = result,
					   .c = 2},
			    want);
	}
}

static void test_isolation_and_marks(void **state)
{
	(void)state;
	assert_line((struct event){.type = EV_TEST_PAGES_ISOLATED, .pfn = 16, .a = 32, .b = 32},
		    HEAD "test_pages_isolated: start_pfn=0x10 end_pfn=0x20 fin_pfn=0x20 "
			 "ret=success\n");
	assert_line((struct event){.type = EV_TEST_PAGES_ISOLATED, .pfn = 16, .a = 32, .b = 20},
		    HEAD
		    "test_pages_isolated: start_pfn=0x10 end_pfn=0x20 fin_pfn=0x14 ret=fail\n");
	fake.zones[0]._watermark[WMARK_PROMO] = 4;
	assert_line((struct event){.type = EV_MM_SETUP_PER_ZONE_WMARKS, .a = 1, .b = 2, .c = 3},
		    HEAD "mm_setup_per_zone_wmarks: node_id=0 zone name=Normal watermark_min=1 "
			 "watermark_low=2 watermark_high=3 watermark_promo=4\n");
}

/* ---- gfp flags ----------------------------------------------------------- */

/* Names as in the traces, in the order of the format file. */
static void test_gfp_names(void **state)
{
	const struct {
		u32 gfp;
		const char *text;
	} rows[] = {
		{GFP_HIGHUSER_MOVABLE | __GFP_COMP, "GFP_HIGHUSER_MOVABLE|__GFP_COMP"},
		{GFP_TRANSHUGE | __GFP_NORETRY, "GFP_TRANSHUGE|__GFP_NORETRY"},
		{GFP_TRANSHUGE_LIGHT, "GFP_TRANSHUGE_LIGHT"},
		{GFP_ATOMIC, "GFP_ATOMIC"},
		{GFP_NOWAIT, "GFP_NOWAIT"},
		{GFP_NOIO | __GFP_DMA, "GFP_NOIO|GFP_DMA"},
		{__GFP_DIRECT_RECLAIM, "__GFP_DIRECT_RECLAIM"},
		{__GFP_SKIP_KASAN, "none"},
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		char want[256];

		snprintf(want, sizeof(want),
			 HEAD "mm_vmscan_direct_reclaim_begin: order=0 gfp_flags=%s\n",
			 rows[i].text);
		assert_line((struct event){.type = EV_MM_VMSCAN_DIRECT_RECLAIM_BEGIN,
					   .gfp = rows[i].gfp},
			    want);
	}
}

/* ---- inner events -------------------------------------------------------- */

/* Comments, with only what the event has; flags in hex. */
static void test_inner(void **state)
{
	(void)state;
	assert_line((struct event){.type = EV_GPFF,
				   .zone = 0,
				   .order = 2,
				   .pfn = PFN_NONE,
				   .gfp = GFP_KERNEL,
				   .a = 0x901,
				   .b = 2,
				   .c = NODEMASK_NULL},
		    "# 12.000000 gpff zone=0 order=2 gfp_flags=GFP_KERNEL alloc_flags=0x901 "
		    "highest_idx=2 nodemask=0xffffffff\n");
	assert_line(
		(struct event){
			.type = EV_ENV_MOVED, .zone = ZONE_ANY, .order = 0, .pfn = 8, .a = 9},
		"# 12.000000 env_moved order=0 pfn=0x8 to=0x9\n");
	assert_line((struct event){.type = EV_WARN,
				   .zone = ZONE_ANY,
				   .order = -1,
				   .pfn = PFN_NONE,
				   .a = WARN_HIGHATOMIC_CLAMP},
		    "# 12.000000 warn highatomic_clamp\n");
	assert_line(
		(struct event){.type = EV_ENV_CALL,
			       .zone = ZONE_ANY,
			       .order = 3,
			       .pfn = PFN_NONE,
			       .gfp = GFP_NOFS,
			       .a = ENV_RECLAIM,
			       .b = 1,
			       .c = 2},
		"# 12.000000 env_call reclaim order=3 gfp_flags=GFP_NOFS argument=1 answer=2\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_whole_line, setup),
		cmocka_unit_test_setup(test_times, setup),
		cmocka_unit_test_setup(test_alloc, setup),
		cmocka_unit_test_setup(test_alloc_failed, setup),
		cmocka_unit_test_setup(test_freed, setup),
		cmocka_unit_test_setup(test_zone_locked, setup),
		cmocka_unit_test_setup(test_extfrag, setup),
		cmocka_unit_test_setup(test_reclaim, setup),
		cmocka_unit_test_setup(test_compact_retry, setup),
		cmocka_unit_test_setup(test_isolation_and_marks, setup),
		cmocka_unit_test_setup(test_gfp_names, setup),
		cmocka_unit_test_setup(test_inner, setup),
	};

	return cmocka_run_group_tests_name("trace", tests, NULL, NULL);
}
