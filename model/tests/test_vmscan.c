/* SPDX-License-Identifier: GPL-2.0-only */
/* Reclaim: which folios go, in which order, and what is reported (spec 6.4, 6.9). */
#include "model/tests/slow_fixture.h"

static struct alloc_context ac;

static void request(u32 gfp, u32 nodemask)
{
	u32 alloc_gfp = gfp, flags = 0;

	ac = (struct alloc_context){0};
	assert_true(prepare_alloc_pages(m, gfp, 0, nodemask, &ac, &alloc_gfp, &flags));
}

static void expect_freed(u32 n, u32 pfn)
{
	const struct event *ev = event_at(&rec, EV_ENV_FREED, n);

	assert_non_null(ev);
	assert_int_equal(ev->pfn, pfn);
}

/*
 * Oldest first; what is pinned, mlocked or held by somebody else stays; a folio goes as a whole.
 *
 *      LRU   10   20 pinned   30 order 1   40 held   50 mlocked   60 order 2   70
 *      freed 1st               2nd                                 3rd          -
 */
static void test_reclaim_lru(void **state)
{
	(void)state;
	put_folio(10, 0);
	put_folio(20, 0);
	put_folio(30, 1);
	put_folio(40, 0);
	put_folio(50, 0);
	put_folio(60, 2);
	put_folio(70, 0);
	mark_page(m, 20, 0, PG_PINNED, 0);
	get_page(m, 40);
	mark_page(m, 50, 0, PG_MLOCKED, 0);
	/* 1 + 2 pages are not 4, with the next folio it is more. */
	assert_int_equal(reclaim_lru(m, UINT32_MAX, 4), 7);
	assert_int_equal(count_events(&rec, EV_ENV_FREED), 3);
	expect_freed(0, 10);
	expect_freed(1, 30);
	expect_freed(2, 60);
	/* Asked for more than there is, it frees what there is. */
	assert_int_equal(reclaim_lru(m, UINT32_MAX, 100), 1);
	assert_int_equal(reclaim_lru(m, UINT32_MAX, 100), 0);
	assert_int_equal(zone_page_state(normal, NR_ZONE_LRU), 3);
	assert_int_equal(zone_reclaimable_pages(normal), 3);
}

/* Freed folios go through the free path of this CPU: event, pcp list, PGFREE. */
static void test_freed_through_the_pcp(void **state)
{
	(void)state;
	put_folio(10, 1);
	reclaim_lru(m, UINT32_MAX, 1);
	assert_int_equal(event_at(&rec, EV_ENV_FREED, 0)->order, 1);
	assert_int_equal(event_at(&rec, EV_MM_PAGE_FREE, 0)->pfn, 10);
	assert_int_equal(event_at(&rec, EV_MM_PAGE_FREE, 0)->order, 1);
	assert_int_equal(this_pcp(m, normal)->count, 2);
	assert_int_equal(zone_page_state(normal, NR_FREE_PAGES), 0);
	assert_int_equal(vm_event(PGFREE), 2);
	assert_int_equal(m->pages[10].refcount, 0);
	assert_false(page_has(m, 10, PG_LRU | PG_HEAD));
}

/* The answer says how much progress is reported and how much is freed: two things. */
static void test_whole(void **state)
{
	const struct answer answer = {.call = ENV_RECLAIM, .value = 5, .extra = 2};
	const struct event *ev;

	(void)state;
	for (u32 i = 0; i < 3; i++)
		put_folio(10 + 2 * i, 0);
	request(GFP_KERNEL, NONE);
	next_op(&answer, 1);
	assert_int_equal(try_to_free_pages(m, &ac, 3, GFP_KERNEL), 5);
	assert_int_equal(count_events(&rec, EV_ENV_FREED), 2);
	ev = event_at(&rec, EV_MM_VMSCAN_DIRECT_RECLAIM_BEGIN, 0);
	assert_int_equal(ev->order, 3);
	assert_int_equal(ev->gfp, GFP_KERNEL);
	assert_int_equal(event_at(&rec, EV_MM_VMSCAN_DIRECT_RECLAIM_END, 0)->a, 5);
	assert_int_equal(vm_event(ALLOCSTALL + ZONE_NORMAL), 1);
	assert_int_equal(m->env.report.calls[ENV_RECLAIM], 1);
	/* The default: nothing. */
	assert_int_equal(try_to_free_pages(m, &ac, 3, GFP_KERNEL), 0);
	assert_int_equal(count_events(&rec, EV_ENV_FREED), 2);
}

/* Closed: 32 of 40 pages, then 8, then none; a hopeless kswapd may hope again. */
static void test_closed(void **state)
{
	(void)state;
	m->machine.env.kind[ENV_RECLAIM] = ENV_CLOSED;
	for (u32 i = 0; i < 40; i++)
		put_folio(2 * i, 0);
	request(GFP_KERNEL, NONE);
	SET(m, m->nodes[0].kswapd_failures, 16);
	assert_int_equal(try_to_free_pages(m, &ac, 0, GFP_KERNEL), 32);
	assert_int_equal(m->nodes[0].kswapd_failures, 0);
	expect_freed(31, 62);
	assert_int_equal(letter_at('R', 0)->c, 32);
	assert_int_equal(try_to_free_pages(m, &ac, 0, GFP_KERNEL), 8);
	SET(m, m->nodes[0].kswapd_failures, 16);
	assert_int_equal(try_to_free_pages(m, &ac, 0, GFP_KERNEL), 0);
	assert_int_equal(m->nodes[0].kswapd_failures, 16);
	assert_int_equal(m->env.report.calls[ENV_RECLAIM], 3);
}

/* Only zones that the request can use: by index, node mask, cpuset. */
static void test_zones_of_the_request(void **state)
{
	const u32 low = zone_at(m, 0)->zone_start_pfn, here = normal->zone_start_pfn,
		  there = zone_at(m, 2)->zone_start_pfn;

	(void)state;
	m->machine.env.kind[ENV_RECLAIM] = ENV_CLOSED;
	put_folio(there, 0);
	put_folio(here, 0);
	put_folio(low, 0);
	request(GFP_KERNEL | __GFP_DMA32, NONE);
	assert_int_equal(try_to_free_pages(m, &ac, 0, GFP_KERNEL), 1);
	expect_freed(0, low);
	request(GFP_KERNEL, BIT(0));
	assert_int_equal(try_to_free_pages(m, &ac, 0, GFP_KERNEL), 1);
	expect_freed(1, here);
	set_task_flags(m, TASK_CPUSETS_ENABLED);
	set_mems_allowed(m, BIT(0), BIT(0));
	request(GFP_KERNEL, BIT(0) | BIT(1));
	assert_int_equal(try_to_free_pages(m, &ac, 0, GFP_KERNEL), 0);
	set_task_flags(m, 0);
	assert_int_equal(try_to_free_pages(m, &ac, 0, GFP_KERNEL), 1);
	expect_freed(2, there);
}

/* Node reclaim keeps to its node, and is not for those who may not block (rule 58). */
static void test_node_reclaim(void **state)
{
	(void)state;
	always(ENV_NODE_RECLAIM, 3, 1);
	put_folio(normal->zone_start_pfn, 0);
	put_folio(zone_at(m, 2)->zone_start_pfn, 0);
	assert_int_equal(node_reclaim(m, 1, GFP_NOWAIT, 0), 0);
	set_task_flags(m, TASK_PF_MEMALLOC);
	assert_int_equal(node_reclaim(m, 1, GFP_KERNEL, 0), 0);
	assert_int_equal(m->env.report.calls[ENV_NODE_RECLAIM], 0);
	set_task_flags(m, 0);
	assert_int_equal(node_reclaim(m, 1, GFP_KERNEL, 0), 3);
	assert_int_equal(count_events(&rec, EV_ENV_FREED), 1);
	expect_freed(0, zone_at(m, 2)->zone_start_pfn);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_reclaim_lru),
		TEST(test_freed_through_the_pcp),
		TEST(test_whole),
		TEST(test_closed),
		TEST_NUMA(test_zones_of_the_request),
		TEST_NUMA(test_node_reclaim),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
