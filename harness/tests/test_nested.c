/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ops of another CPU inside an op, on the port: interleavings that real defects were
 * about, and that the op that waits goes on as if nothing had been.
 *
 * The machine: zone Normal, pages 0..4095, all free and Movable in four buddies of order 10; two
 * CPUs. A per-cpu list of order 0 is refilled with 4 pages, one of order 1 with 2 buddies.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/run.h"
#include "harness/script.h"

#define MACHINE                                 \
	"buddycheck script 1\n"                 \
	"cpus 2\n"                              \
	"pcp batch 4 high_min 16 high_max 16\n" \
	"zone 0 Normal start 0 pages 4096\n"
#define MOVABLE " node 0 gfp GFP_HIGHUSER_MOVABLE"
#define UNMOVABLE " node 0 gfp GFP_KERNEL"

static struct testcase c;
static struct subject *port;
static struct run r;
static const struct view *view;

/* Calls to the environment, as events tell of them. */
static struct {
	u8 cpu, call;
	u32 answer;
} calls[64];
static u32 nr_calls;

static void note_call(void *ctx, const struct event *event)
{
	(void)ctx;
	assert_true(nr_calls < ARRAY_SIZE(calls));
	calls[nr_calls].cpu = event->cpu;
	calls[nr_calls].call = (u8)event->a;
	calls[nr_calls++].answer = event->c;
}

static const struct observer observer = {.event = note_call, .mask = EV_BIT(EV_ENV_CALL)};

/* Play all of it and judge every step; what the script expects must come. */
static void play(const char *script)
{
	char err[CASE_ERROR_SIZE];
	const char *why;

	nr_calls = 0;
	case_init(&c);
	if (!script_parse("a", script, strlen(script), &c, err))
		fail_msg("%s", err);
	port = subject_create(NULL, &c.machine, &why);
	assert_non_null(port);
	assert_null(run_can_play(&c, port));
	view = port->ops->view(port);
	run_init(&r, &c, port, CHECK_EACH, &observer);
	run_finish(&r);
	assert_string_equal(r.first.text, "");
}

static int teardown(void **state)
{
	(void)state;
	if (port) {
		run_free(&r);
		port->ops->destroy(port);
	}
	port = NULL;
	case_free(&c);
	return 0;
}

static bool is_free(u32 pfn, u32 order)
{
	return (view->pages[pfn].flags & PG_BUDDY) && view->pages[pfn].private == order;
}

/* ---- between steps of the slow path -------------------------------------- */

/* Three buddies of order 10 are held; below the last one the watermark ends. */
#define THREE_HELD                                        \
	MACHINE "---\n"                                   \
		"a = alloc order 10" MOVABLE " => 0\n"    \
		"b = alloc order 10" MOVABLE " => 1024\n" \
		"c = alloc order 10" MOVABLE " => 2048\n"

/* The port, but it reports a WARN of NOFAIL in the first pass of such a request. */
static u32 nr_warns;

static void warn_once(void *ctx, const struct event *event)
{
	(void)ctx;
	if (event->gfp & __GFP_NOFAIL && !nr_warns)
		nr_warns = 1;
}

static const struct trouble *tell_warn(struct subject *s)
{
	static const struct trouble warn = {.kind = TROUBLE_WARN, .text = "mm/page_alloc.c:1 "};

	(void)s;
	return nr_warns == 1 ? (nr_warns = 2, &warn) : NULL;
}

/*
 * What is reported before another CPU's op is no matter of that op: NOFAIL is excused by the request, and
 * the free inside has nothing to do with it.
 */
static void test_whose_report(void **state)
{
	static const char script[] =
		THREE_HELD "at slowpath cpu 1: free b\n"
			   "d = alloc order 10" MOVABLE "|__GFP_NOFAIL => 1024\n";
	static const struct observer passes = {.event = warn_once, .mask = EV_BIT(EV_GPFF)};
	struct subject_ops telling;
	char err[CASE_ERROR_SIZE];
	const char *why;

	(void)state;
	case_init(&c);
	assert_true(script_parse("a", script, strlen(script), &c, err));
	port = subject_create(NULL, &c.machine, &why);
	assert_non_null(port);
	telling = *port->ops;
	telling.trouble = tell_warn;
	port->ops = &telling;
	run_init(&r, &c, port, CHECK_EACH, &passes);
	run_finish(&r);
	assert_string_equal(r.first.text, "");
	assert_int_equal(nr_warns, 2);
	assert_int_equal(r.nr_skipped, 0);
	run_free(&r);
	port->ops->destroy(port);
	port = NULL;
}

/* Alone, a fourth one fails; with a free of another CPU at the first step it gets what came last. */
static void test_freed_in_time(void **state)
{
	(void)state;
	play(THREE_HELD "at slowpath cpu 1: free b\n"
			"d = alloc order 10" MOVABLE "|__GFP_NORETRY => 1024\n");
	assert_int_equal(r.nr_skipped, 0);
}

static void test_not_freed(void **state)
{
	(void)state;
	play(THREE_HELD "d = alloc order 10" MOVABLE "|__GFP_NORETRY => none\n");
}

/*
 * Each time that the point comes one of its ops runs: the request is served at the first step, so
 * the second free and the drain never run. They count as skipped, and c stays held.
 */
static void test_one_for_each_arrival(void **state)
{
	(void)state;
	play(THREE_HELD "at drain cpu 1: drain all\n"
			"at slowpath cpu 1: free b\n"
			"at slowpath cpu 1: free c\n"
			"d = alloc order 10" MOVABLE "|__GFP_NORETRY => 1024\n");
	assert_int_equal(r.nr_skipped, 2);
	assert_int_equal(r.book.held[2048], HELD(10));
	assert_int_equal(r.book.held[1024], HELD(10));
}

/*
 * A costly request: compaction, then reclaim with progress and a drain, then compaction, and it fails
 * (spec 6.1 steps 15-19). Another CPU fails in the same way at every point, once without an end
 * but for its fuel. Every answer still goes to whom it was given, and so do task and fuel.
 */
static void test_nothing_is_left_behind(void **state)
{
	static const u32 answers[] = {COMPACT_NO_SUITABLE_PAGE, 5, COMPACT_COMPLETE};
	u32 own = 0;

	(void)state;
	play("buddycheck script 1\nfuel 6\ncpus 2\nzone 0 Normal start 0 pages 4096\n---\n"
	     "a = alloc order 10" MOVABLE "\n"
	     "b = alloc order 10" MOVABLE "\n"
	     "c = alloc order 10" MOVABLE "\n"
	     "task pf_exiting\n"
	     "answer compact NO_SUITABLE_PAGE\n"
	     "answer reclaim 5\n"
	     "answer compact COMPLETE\n"
	     "at slowpath cpu 1: d = alloc order 10" UNMOVABLE "\n"
	     "at compact cpu 1: e = alloc order 10" UNMOVABLE "|__GFP_NOFAIL\n"
	     "at reclaim cpu 1: f = alloc order 10" UNMOVABLE "\n"
	     "at drain cpu 1: g = alloc order 10" UNMOVABLE "\n"
	     "h = alloc order 10" UNMOVABLE " => none kswapd 2 reclaim 1 compact 2 oom 0\n");
	assert_int_equal(r.nr_skipped, 0);
	assert_false(r.report.out_of_fuel);
	assert_int_equal(view->global->task.flags, TASK_PF_EXITING);
	assert_int_equal(view->global->task.cpu, 0);
	for (u32 i = 0; i < nr_calls; i++) {
		u32 expected = calls[i].call == ENV_COMPACT ? COMPACT_SKIPPED : 0;

		if (calls[i].call != ENV_COMPACT && calls[i].call != ENV_RECLAIM)
			continue;
		if (calls[i].cpu == 0) {
			assert_true(own < ARRAY_SIZE(answers));
			expected = answers[own++];
		}
		assert_int_equal(calls[i].answer, expected);
	}
	assert_int_equal(own, 3);
}

/*
 * The reserve holds at most 64 pages here: 1 % of 4,096, in blocks of 32. 32 are in it when a second
 * request looks; before it has the lock another CPU adds its block, so its own stays out.
 *
 *      0       32      64      96
 *      [ a, HA ][  c   ][ b, HA ][ free ...
 */
static void test_reserve_is_full(void **state)
{
	(void)state;
	play("buddycheck script 1\ncpus 2\npageblock_order 5\npmd_order 5\n"
	     "sysctl min_free_kbytes 14000\nzone 0 Normal start 0 pages 4096\n---\n"
	     "a = alloc order 5 node 0 gfp GFP_ATOMIC => 0\n"
	     "at slowpath cpu 1: get a\n"
	     "at slowpath cpu 1: b = alloc order 5 node 0 gfp GFP_ATOMIC\n"
	     "c = alloc order 5 node 0 gfp GFP_ATOMIC => 32\n");
	assert_int_equal(r.nr_skipped, 0);
	assert_int_equal(r.book.held[64], HELD(5));
	assert_int_equal(view->zones[0].nr_reserved_highatomic, 64);
	assert_int_equal(view->pageblock_flags[0], MIGRATE_HIGHATOMIC);
	assert_int_equal(view->pageblock_flags[1], MIGRATE_UNMOVABLE);
	assert_int_equal(view->pageblock_flags[2], MIGRATE_HIGHATOMIC);
}

/* ---- around a refill ----------------------------------------------------- */

/*
 * The lists of the zone are switched off while CPU 0 refills one: the drain waits until CPU 0 is
 * done, and then nothing stays behind. (It once read a count of 0 and went home.)
 */
static void assert_all_drained(void)
{
	for (u32 cpu = 0; cpu < 2; cpu++) {
		assert_int_equal(view_pcp(view, 0, cpu)->count, 0);
		assert_int_equal(view_pcp(view, 0, cpu)->high_max, 0);
	}
	assert_int_equal(view->zones[0].vm_stat[NR_FREE_PAGES], 4095);
}

static void test_drain_before_refill(void **state)
{
	(void)state;
	play(MACHINE "---\n"
		     "at bulk_before cpu 1: pcp_disable zone 0 Normal\n"
		     "a = alloc order 0" MOVABLE " => 0\n");
	assert_all_drained();
}

static void test_drain_after_refill(void **state)
{
	(void)state;
	play(MACHINE "---\n"
		     "at bulk_after cpu 1: pcp_disable zone 0 Normal\n"
		     "a = alloc order 0" MOVABLE " => 0\n");
	assert_all_drained();
}

/*
 * The same in the bulk API, which holds the lock for all of its pages: of 6 some are taken after it. There are
 * pages on another list, or the drain would not come to this CPU.
 */
static void test_drain_in_bulk(void **state)
{
	(void)state;
	play(MACHINE "---\n"
		     "x = alloc order 1" MOVABLE "\n"
		     "free x\n"
		     "at bulk_after cpu 1: drain all\n"
		     "a = alloc_bulk nr 6" MOVABLE "\n");
	assert_int_equal(view_pcp(view, 0, 0)->count, 0);
	assert_int_equal(view->zones[0].vm_stat[NR_FREE_PAGES], 4090);
}

/*
 * Without a lock __drain_all_pages() reads the count, which the pages that rmqueue_bulk() has fetched are added
 * to later: where there were none before it goes home. 4 are fetched and then twice as many, of which 6 are taken.
 */
static void test_drain_goes_home(void **state)
{
	(void)state;
	play(MACHINE "---\n"
		     "at bulk_after cpu 1: drain all\n"
		     "a = alloc_bulk nr 6" MOVABLE " => 0\n");
	assert_int_equal(view_pcp(view, 0, 0)->count, 4 + 8 - 6);
}

/*
 * A contig allocation of CPU 1 needs a drain in the middle and refills a list of its own for the page
 * that it moves, 0 to 512. Pages 1..3 stay on CPU 0's locked list, so it fails; but they are drained when
 * CPU 0 is done, and so is what CPU 0 has fetched.
 */
static void test_drain_waits_through_refill(void **state)
{
	(void)state;
	play(MACHINE "---\n"
		     "a = alloc order 0" MOVABLE " => 0\n"
		     "mark a lru\n"
		     "at bulk_before cpu 1: x = contig_range 0..512 gfp GFP_KERNEL\n"
		     "b = alloc order 1" MOVABLE "\n");
	assert_int_equal(r.book.held[512], HELD(0));
	assert_int_equal(r.book.objects[1].nr, 0);
	assert_int_equal(view_pcp(view, 0, 0)->count, 0);
	assert_true(view_pcp(view, 0, 1)->count > 0);
}

#define REFILL_WITH_FREE(cpu)                          \
	MACHINE "---\n"                                \
		"a = alloc order 0" MOVABLE " => 0\n"  \
		"at bulk_before cpu " cpu ": free a\n" \
		"b = alloc order 1" MOVABLE " => 4\n"

/*
 * An interrupt of the CPU that refills its order-1 list frees page 0: the lists are locked, so it
 * goes to the buddies. (Without SMP the trylock once never failed.)
 *
 *      0     1 2 3   4-5   6-7
 *      free  pcp     b     pcp      3 + 4 - 2 pages on the lists
 */
static void test_interrupt_in_refill(void **state)
{
	(void)state;
	play(REFILL_WITH_FREE("0"));
	assert_true(is_free(0, 0));
	assert_int_equal(view_pcp(view, 0, 0)->count, 5);
	assert_int_equal(view_pcp(view, 0, 1)->count, 0);
}

/* Another CPU has lists of its own. */
static void test_other_cpu_in_refill(void **state)
{
	(void)state;
	play(REFILL_WITH_FREE("1"));
	assert_false(is_free(0, 0));
	assert_int_equal(view_pcp(view, 0, 0)->count, 5);
	assert_int_equal(view_pcp(view, 0, 1)->count, 1);
}

/* ---- contiguous ranges --------------------------------------------------- */

#define PAGE_THAT_STAYS                       \
	"buddycheck script 1\n"               \
	"cpus 2\n"                            \
	"default migrate 1\n"                 \
	"zone 0 Normal start 0 pages 4096\n"  \
	"---\n"                               \
	"a = alloc order 0" MOVABLE " => 0\n" \
	"mark a lru\n"

/* Page 0 does not migrate, so the range cannot be had ... */
static void test_contig_fails(void **state)
{
	(void)state;
	play(PAGE_THAT_STAYS "b = contig_range 0..512 gfp GFP_KERNEL => none\n");
}

/* ... unless its owner frees it after the block was isolated: it goes to the isolated list. */
static void test_contig_freed_in_time(void **state)
{
	(void)state;
	play(PAGE_THAT_STAYS "at contig_isolated cpu 1: free a\n"
			     "b = contig_range 0..512 gfp GFP_KERNEL => 0\n");
	assert_int_equal(view->zones[0].nr_isolate_pageblock, 0);
}

/* While a folio moves, its destination's refill included, nobody comes in between. */
static void test_contig_moves_alone(void **state)
{
	(void)state;
	play(MACHINE "---\n"
		     "a = alloc order 0" MOVABLE " => 0\n"
		     "mark a lru\n"
		     "at bulk_before cpu 1: free a\n"
		     "b = contig_range 0..512 gfp GFP_KERNEL => 0\n");
	assert_int_equal(r.nr_skipped, 1);
	assert_int_equal(r.book.held[512], HELD(0));
}

/*
 * The first candidate looks free, but before it is isolated another CPU takes page 0 of it for good;
 * the search goes on with the second one.
 *
 *      0 [ x .... ] 512 [ the range ] 1024
 */
static void test_contig_lost_candidate(void **state)
{
	(void)state;
	play(MACHINE "---\n"
		     "at contig_candidate cpu 1: x = alloc order 0" UNMOVABLE "\n"
		     "b = contig_pages nr 512" UNMOVABLE " => 512\n");
	assert_int_equal(r.book.held[0], HELD(0));
	assert_int_equal(r.book.held[512], HELD(0) | HELD_CONTIG);
}

/* ---- the book ------------------------------------------------------------ */

/* What another CPU is given while an op collects several folios does not get among them. */
static void test_object_of_many(void **state)
{
	(void)state;
	play(MACHINE "---\n"
		     "at bulk_before cpu 1: x = alloc order 3" UNMOVABLE "\n"
		     "h = hugetlb pages 2 order 9 node 0\n"
		     "free h\n"
		     "free x\n"
		     "drain all\n");
	assert_int_equal(r.nr_skipped, 0);
	assert_int_equal(view->zones[0].vm_stat[NR_FREE_PAGES], 4096);
}

#define nested_test(f) cmocka_unit_test_teardown(f, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		nested_test(test_whose_report),
		nested_test(test_freed_in_time),
		nested_test(test_not_freed),
		nested_test(test_one_for_each_arrival),
		nested_test(test_nothing_is_left_behind),
		nested_test(test_reserve_is_full),
		nested_test(test_drain_before_refill),
		nested_test(test_drain_after_refill),
		nested_test(test_drain_in_bulk),
		nested_test(test_drain_goes_home),
		nested_test(test_drain_waits_through_refill),
		nested_test(test_interrupt_in_refill),
		nested_test(test_other_cpu_in_refill),
		nested_test(test_contig_fails),
		nested_test(test_contig_freed_in_time),
		nested_test(test_contig_moves_alone),
		nested_test(test_contig_lost_candidate),
		nested_test(test_object_of_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
