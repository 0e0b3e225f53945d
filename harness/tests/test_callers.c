/* SPDX-License-Identifier: GPL-2.0-only */
/* What the callers above the allocator ask for, call by call (spec 7.9, 8.1 to 8.3). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/callers/filemap.h"
#include "harness/callers/hugetlb.h"
#include "harness/callers/mpol.h"
#include "harness/tests/fake_subject.h"

static struct fake_subject fake;

static int setup(void **state)
{
	(void)state;
	fake_subject_init(&fake);
	return 0;
}

/* Call @i was an allocation of @order with @gfp on @node. */
static void assert_alloc(u32 i, u32 order, u32 gfp, u32 node)
{
	const struct call *c = &fake.calls[i].call;

	assert_true(i < fake.nr_calls);
	assert_int_equal(c->kind, OP_ALLOC);
	assert_int_equal(c->order, order);
	assert_int_equal(c->gfp, gfp);
	assert_int_equal(c->node, node);
}

/* ---- filemap: spec 8.1 --------------------------------------------------- */

#define OPTIMISTIC (__GFP_NORETRY | __GFP_NOWARN)

/*
 * index 16, hint 4, least order 0: orders 4, 3, 2, 1, 0; every one is visited, and only the last
 * one has the mapping's plain gfp.
 */
static void test_filemap_descends(void **state)
{
	struct filemap_request rq = {
		.index = 16, .order_hint = 4, .max_order = 9, .node = 0, .gfp = GFP_KERNEL};
	u32 order;

	(void)state;
	assert_int_equal(filemap_get_folio(&fake.subject, &rq, &order), PFN_NONE);
	assert_int_equal(fake.nr_calls, 5);
	for (u32 i = 0; i < 4; i++)
		assert_alloc(i, 4 - i, GFP_KERNEL | __GFP_COMP | OPTIMISTIC, 0);
	assert_alloc(4, 0, GFP_KERNEL | __GFP_COMP, 0);
}

/* The first order that works is taken. */
static void test_filemap_stops_at_success(void **state)
{
	struct filemap_request rq = {
		.index = 16, .order_hint = 4, .max_order = 9, .node = 0, .gfp = GFP_KERNEL};
	u32 order;

	(void)state;
	fake_give(&fake, PFN_NONE);
	fake_give(&fake, 8);
	assert_int_equal(filemap_get_folio(&fake.subject, &rq, &order), 8);
	assert_int_equal(order, 3);
	assert_int_equal(fake.nr_calls, 2);
}

/*
 * The first order: the hint, at least min and at most max, then no more than the index is
 * aligned to.
 *
 *      index  12 = 0b01100   aligned to order 2
 *      index   0             aligned to everything
 *      index   7, min 2      rounded down to 4: aligned to order 2
 */
static void test_filemap_first_order(void **state)
{
	const struct {
		u32 index, hint, min, max, order;
	} rows[] = {
		{12, 4, 0, 9, 2}, {0, 4, 0, 9, 4},  {0, 9, 0, 5, 5},  {16, 1, 3, 9, 3},
		{7, 4, 2, 9, 2},  {40, 3, 0, 9, 3}, {40, 5, 0, 9, 3}, {1, 9, 0, 9, 0},
	};
	u32 order;

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		struct filemap_request rq = {
			.index = rows[i].index,
			.order_hint = rows[i].hint,
			.min_order = rows[i].min,
			.max_order = rows[i].max,
			.gfp = GFP_KERNEL,
		};

		setup(state);
		fake_give(&fake, 0);
		filemap_get_folio(&fake.subject, &rq, &order);
		assert_int_equal(order, rows[i].order);
	}
}

/* The least order gets the plain gfp although it is not 0, and nothing smaller is tried. */
static void test_filemap_min_order(void **state)
{
	struct filemap_request rq = {
		.order_hint = 3, .min_order = 2, .max_order = 9, .gfp = GFP_KERNEL};
	u32 order;

	(void)state;
	filemap_get_folio(&fake.subject, &rq, &order);
	assert_int_equal(fake.nr_calls, 2);
	assert_alloc(0, 3, GFP_KERNEL | __GFP_COMP | OPTIMISTIC, 0);
	assert_alloc(1, 2, GFP_KERNEL | __GFP_COMP, 0);
}

/* WRITE adds __GFP_WRITE, NOFS removes FS, NOWAIT leaves kswapd alone and no warning. */
static void test_filemap_fgp_flags(void **state)
{
	const struct {
		u32 flags, gfp;
	} rows[] = {
		{0, GFP_HIGHUSER},
		{OPF_FGP_WRITE, GFP_HIGHUSER | __GFP_WRITE},
		{OPF_FGP_NOFS, GFP_HIGHUSER & ~__GFP_FS},
		{OPF_FGP_NOWAIT,
		 __GFP_HARDWALL | __GFP_HIGHMEM | __GFP_KSWAPD_RECLAIM | __GFP_NOWARN},
	};
	u32 order;

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		struct filemap_request rq = {.flags = rows[i].flags, .gfp = GFP_HIGHUSER};

		setup(state);
		filemap_get_folio(&fake.subject, &rq, &order);
		assert_alloc(0, 0, rows[i].gfp | __GFP_COMP, 0);
	}
}

/* P2: costly attempts lose direct reclaim and are not NORETRY; the others are NORETRY. */
static void test_filemap_p2(void **state)
{
	struct filemap_request rq = {
		.order_hint = 4, .max_order = 9, .gfp = GFP_KERNEL, .flags = OPF_P2};
	u32 order;

	(void)state;
	filemap_get_folio(&fake.subject, &rq, &order);
	assert_alloc(0, 4, (GFP_KERNEL & ~__GFP_DIRECT_RECLAIM) | __GFP_NOWARN | __GFP_COMP, 0);
	assert_alloc(1, 3, GFP_KERNEL | OPTIMISTIC | __GFP_COMP, 0);
	assert_alloc(4, 0, GFP_KERNEL | __GFP_COMP, 0);
}

/* A folio that is meant for the LRU is marked, with its order; one that failed is not. */
static void test_filemap_lru(void **state)
{
	struct filemap_request rq = {
		.order_hint = 1, .max_order = 9, .gfp = GFP_KERNEL, .flags = OPF_LRU};
	u32 order;

	fake_give(&fake, 6);
	filemap_get_folio(&fake.subject, &rq, &order);
	assert_int_equal(fake.nr_calls, 2);
	assert_int_equal(fake.calls[1].call.kind, OP_MARK);
	assert_int_equal(fake.calls[1].call.pfn, 6);
	assert_int_equal(fake.calls[1].call.order, 1);
	assert_int_equal(fake.calls[1].call.a, PG_LRU);

	setup(state);
	filemap_get_folio(&fake.subject, &rq, &order);
	assert_int_equal(fake.nr_calls, 2);
	assert_int_equal(fake.calls[1].call.kind, OP_ALLOC);
}

/* The page cache's folios of PMD order have no local-first attempt (spec 8.2). */
static void test_filemap_pmd_order(void **state)
{
	struct filemap_request rq = {
		.order_hint = FAKE_MAX_ORDER, .max_order = 9, .gfp = GFP_HIGHUSER_MOVABLE};
	u32 order;

	(void)state;
	fake_give(&fake, 0);
	filemap_get_folio(&fake.subject, &rq, &order);
	assert_int_equal(fake.nr_calls, 1);
	assert_alloc(0, FAKE_MAX_ORDER, GFP_HIGHUSER_MOVABLE | __GFP_COMP | OPTIMISTIC, 0);
}

/* ---- mpol: spec 8.3 ------------------------------------------------------ */

#define LOCAL (__GFP_THISNODE | __GFP_NORETRY)

/* A THP is tried on its node alone first; if that fails, as the caller said. */
static void test_mpol_local_first(void **state)
{
	(void)state;
	fake_give(&fake, PFN_NONE);
	fake_give(&fake, 16);
	assert_int_equal(
		alloc_pages_mpol(&fake.subject, GFP_TRANSHUGE, FAKE_MAX_ORDER, 0, 0x3, false), 16);
	assert_int_equal(fake.nr_calls, 2);
	assert_alloc(0, FAKE_MAX_ORDER, GFP_TRANSHUGE | LOCAL, 0);
	assert_int_equal(fake.calls[0].call.nodemask, NODEMASK_NULL);
	assert_alloc(1, FAKE_MAX_ORDER, GFP_TRANSHUGE, 0);
	assert_int_equal(fake.calls[1].call.nodemask, 0x3);
}

/* Without direct reclaim the local attempt is the only one. */
static void test_mpol_local_only(void **state)
{
	(void)state;
	assert_int_equal(alloc_pages_mpol(&fake.subject, GFP_TRANSHUGE_LIGHT, FAKE_MAX_ORDER, 0,
					  NODEMASK_NULL, false),
			 PFN_NONE);
	assert_int_equal(fake.nr_calls, 1);
	assert_alloc(0, FAKE_MAX_ORDER, GFP_TRANSHUGE_LIGHT | LOCAL, 0);
}

/* No local attempt: another order, NO_INTERLEAVE_INDEX, a mask without the node, no THP. */
static void test_mpol_general_only(void **state)
{
	const struct {
		u32 order, nodemask, pmd_order;
		bool no_interleave;
	} rows[] = {
		{FAKE_MAX_ORDER - 1, NODEMASK_NULL, FAKE_MAX_ORDER, false},
		{FAKE_MAX_ORDER, NODEMASK_NULL, FAKE_MAX_ORDER, true},
		{FAKE_MAX_ORDER, 0x2, FAKE_MAX_ORDER, false},
		{0, NODEMASK_NULL, 0, false},
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		setup(state);
		fake.v.machine.pmd_order = (u8)rows[i].pmd_order;
		alloc_pages_mpol(&fake.subject, GFP_TRANSHUGE, rows[i].order, 0, rows[i].nodemask,
				 rows[i].no_interleave);
		assert_int_equal(fake.nr_calls, 1);
		assert_alloc(0, rows[i].order, GFP_TRANSHUGE, 0);
		assert_int_equal(fake.calls[0].call.nodemask, rows[i].nodemask);
	}
}

/* ---- hugetlb: spec 7.9 --------------------------------------------------- */

#define POOL (GFP_HIGHUSER | __GFP_COMP | __GFP_NOWARN | __GFP_THISNODE)

/* Nodes 0, 1, 2; memory on 0 and 2 only. */
static void three_nodes(void)
{
	fake.v.machine.nr_nodes = 3;
	fake.v.machine.nr_zones = 2;
	fake.v.zones[1].node = 2;
	fake.v.zones[1].managed_pages = 1;
}

/* Node 1 has no memory: from node 1 on the turns are 2, 0, 2; each folio is marked at once. */
static void test_hugetlb_round_robin(void **state)
{
	const u32 nodes[] = {2, 0, 2};
	struct hugetlb_resize h;

	(void)state;
	three_nodes();
	hugetlb_resize_init(&h, &fake.subject, FAKE_MAX_ORDER, 1, false);
	for (u32 i = 0; i < 3; i++) {
		fake_give(&fake, 16 * i);
		assert_int_equal(alloc_pool_huge_folio(&h, &fake.subject), 16 * i);
		assert_alloc(2 * i, FAKE_MAX_ORDER, POOL | __GFP_RETRY_MAYFAIL, nodes[i]);
		assert_int_equal(fake.calls[2 * i].call.flags, OPF_FROZEN);
		assert_int_equal(fake.calls[2 * i + 1].call.kind, OP_MARK);
		assert_int_equal(fake.calls[2 * i + 1].call.pfn, 16 * i);
		assert_int_equal(fake.calls[2 * i + 1].call.order, FAKE_MAX_ORDER);
		assert_int_equal(fake.calls[2 * i + 1].call.a, PG_HUGETLB);
	}
}

/* When no node has one more, every node has been asked once. */
static void test_hugetlb_all_nodes_fail(void **state)
{
	struct hugetlb_resize h;

	(void)state;
	three_nodes();
	hugetlb_resize_init(&h, &fake.subject, FAKE_MAX_ORDER, 0, false);
	assert_int_equal(alloc_pool_huge_folio(&h, &fake.subject), PFN_NONE);
	assert_int_equal(fake.nr_calls, 2);
	assert_alloc(0, FAKE_MAX_ORDER, POOL | __GFP_RETRY_MAYFAIL, 0);
	assert_alloc(1, FAKE_MAX_ORDER, POOL | __GFP_RETRY_MAYFAIL, 2);
}

/* A node that failed is asked without RETRY_MAYFAIL until it has a folio again. */
static void test_hugetlb_softer_after_failure(void **state)
{
	struct hugetlb_resize h;

	(void)state;
	hugetlb_resize_init(&h, &fake.subject, FAKE_MAX_ORDER, 0, false);
	fake_give(&fake, PFN_NONE);
	fake_give(&fake, PFN_NONE);
	fake_give(&fake, 16);
	for (u32 i = 0; i < 4; i++)
		alloc_pool_huge_folio(&h, &fake.subject);
	assert_alloc(0, FAKE_MAX_ORDER, POOL | __GFP_RETRY_MAYFAIL, 0);
	assert_alloc(1, FAKE_MAX_ORDER, POOL, 0);
	assert_alloc(2, FAKE_MAX_ORDER, POOL, 0);
	/* Call 3 marks the folio. */
	assert_alloc(4, FAKE_MAX_ORDER, POOL | __GFP_RETRY_MAYFAIL, 0);
}

/* Order 0 in the case means the machine's gigantic order: a contig allocation, never RETRY_MAYFAIL. */
static void test_hugetlb_gigantic(void **state)
{
	struct hugetlb_resize h;
	const struct call *c = &fake.calls[0].call;

	(void)state;
	fake.v.machine.gigantic_order = 5;
	fake_give(&fake, 32);
	hugetlb_resize_init(&h, &fake.subject, 0, 0, true);
	assert_int_equal(alloc_pool_huge_folio(&h, &fake.subject), 32);
	assert_int_equal(c->kind, OP_CONTIG_PAGES);
	assert_int_equal(c->a, 32);
	assert_int_equal(c->flags, OPF_FROZEN);
	assert_int_equal(c->gfp, GFP_HIGHUSER_MOVABLE | __GFP_COMP | __GFP_NOWARN | __GFP_THISNODE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_filemap_descends, setup),
		cmocka_unit_test_setup(test_filemap_stops_at_success, setup),
		cmocka_unit_test_setup(test_filemap_first_order, setup),
		cmocka_unit_test_setup(test_filemap_min_order, setup),
		cmocka_unit_test_setup(test_filemap_fgp_flags, setup),
		cmocka_unit_test_setup(test_filemap_p2, setup),
		cmocka_unit_test_setup(test_filemap_lru, setup),
		cmocka_unit_test_setup(test_filemap_pmd_order, setup),
		cmocka_unit_test_setup(test_mpol_local_first, setup),
		cmocka_unit_test_setup(test_mpol_local_only, setup),
		cmocka_unit_test_setup(test_mpol_general_only, setup),
		cmocka_unit_test_setup(test_hugetlb_round_robin, setup),
		cmocka_unit_test_setup(test_hugetlb_all_nodes_fail, setup),
		cmocka_unit_test_setup(test_hugetlb_softer_after_failure, setup),
		cmocka_unit_test_setup(test_hugetlb_gigantic, setup),
	};

	return cmocka_run_group_tests_name("callers", tests, NULL, NULL);
}
