/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The per-cpu lists at work (spec 10.26 - 10.32): for each property what the port does in the
 * nearest legal case, and the same with one thing spoiled by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "properties/tests/port_case.h"
#include "properties/tests/world.h"
#include "properties/walk.h"

/* A few pages are cached, up to 16. */
static void small_pcp(struct machine *m)
{
	m->pcp_batch = 4;
	m->pcp_high_min = m->pcp_high_max = 16;
}

/* ---- blocks, spoiled ----------------------------------------------------- */

static void first_block(struct port_case *c, u8 flags)
{
	*the_block(c, 0) = flags;
}

static void block_unmovable(struct port_case *c, struct event *e)
{
	(void)e;
	first_block(c, MIGRATE_UNMOVABLE);
}

static void block_highatomic(struct port_case *c, struct event *e)
{
	(void)e;
	first_block(c, MIGRATE_HIGHATOMIC);
}

static void block_isolated(struct port_case *c, struct event *e)
{
	(void)e;
	first_block(c, MIGRATE_MOVABLE | PB_ISOLATE);
}

/* ---- pcp_steps.c --------------------------------------------------------- */

static void alloc_one(struct port_case *c)
{
	spoil_now(c);
	assert_int_not_equal(do_alloc(c, GFP_KERNEL, 0), PFN_NONE);
}

static void free_movable(struct port_case *c)
{
	u32 pfn = do_alloc(c, MOVABLE, 0);

	spoil_now(c);
	do_free(c, pfn, 0);
}

static void free_movable_4(struct port_case *c)
{
	u32 pfn = do_alloc(c, MOVABLE, 4);

	do_free(c, pfn, 4);
}

/* The type is read when the page is freed: here from a block that was spoiled before. */
static void test_list_type(void **state)
{
	const struct trial trials[] = {
		TRIAL("on the movable list", free_movable, HOLDS),
		SPOILED("of a HighAtomic block", free_movable, SPOIL_END, block_highatomic, HOLDS),
		SPOILED("of an unmovable block", free_movable, SPOIL_END, block_unmovable, FAILS),
		TRIAL("not cached", free_movable_4, SILENT),
	};

	(void)state;
	JUDGE(prop_pcp_list_type, trials);
}

/* Movable page 0 is freed after its block was isolated. */
static void free_into_isolated(struct port_case *c)
{
	u32 pfn = do_alloc(c, MOVABLE, 0);

	mark_page(c->m, pfn, 0, PG_LRU, 0);
	do_drain(c);
	assert_int_equal(do_isolate(c, 0, 512), 0);
	do_free(c, pfn, 0);
}

static void test_isolated_free(void **state)
{
	const struct trial trials[] = {
		TRIAL("goes to the buddy lists", free_into_isolated, HOLDS),
		SPOILED("is cached", free_movable, SPOIL_END, block_isolated, FAILS),
		TRIAL("no isolated block", free_movable, SILENT),
	};

	(void)state;
	JUDGE(prop_isolated_not_cached, trials);
}

/* Page 0 is cached; the range is drained before it is tested, so that it can be taken. */
static void take_cached_block(struct port_case *c)
{
	u32 pfn = do_alloc(c, MOVABLE, 0);

	do_free(c, pfn, 0);
	spoil_now(c);
	assert_int_equal(do_contig_range(c, 0, 512), 0);
}

static void page_1_cached(struct port_case *c, struct event *e)
{
	struct link *links = (struct link *)c->view->links;
	u32 head = pcp_list_head(the_pcp(c), 0);

	(void)e;
	links[1] = (struct link){.next = head, .prev = head};
	links[head] = (struct link){.next = 1, .prev = 1};
}

static void test_isolated_drained(void **state)
{
	const struct trial trials[] = {
		TRIAL("drained", take_cached_block, HOLDS),
		SPOILED("one page is still cached", take_cached_block, EV_TEST_PAGES_ISOLATED,
			page_1_cached, FAILS),
	};

	(void)state;
	JUDGE(prop_isolated_drained, trials);
}

static void high_above(struct port_case *c, struct event *e)
{
	(void)e;
	the_pcp(c)->high = the_pcp(c)->high_max + 1;
}

static void high_below(struct port_case *c, struct event *e)
{
	(void)e;
	the_pcp(c)->high = the_pcp(c)->high_min - 1;
}

static void limits_swapped(struct port_case *c, struct event *e)
{
	(void)e;
	the_pcp(c)->high_min = the_pcp(c)->high + 1;
	the_pcp(c)->high_max = the_pcp(c)->high;
}

static void test_high(void **state)
{
	const struct trial trials[] = {
		TRIAL("after a refill", alloc_one, HOLDS, .machine = small_pcp),
		SPOILED("above high_max", alloc_one, SPOIL_END, high_above, FAILS,
			.machine = small_pcp),
		TRIAL("after a free", free_movable, HOLDS),
		SPOILED("below high_min", free_movable, SPOIL_END, high_below, FAILS),
		SPOILED("between limits that are swapped", free_movable, SPOIL_END, limits_swapped,
			HOLDS),
	};

	(void)state;
	JUDGE(prop_pcp_high_band, trials);
}

static bool factors_hold(struct world *w)
{
	struct walk *walk = walk_create(&w->view);
	char why[WHY_SIZE];
	bool holds;

	assert_non_null(walk);
	assert_true(walk_state(walk, &w->now));
	holds = prop_pcp_factors.holds(walk, why);
	walk_destroy(walk);
	return holds;
}

/* batch 4 and scale 2: alloc_factor at most 2, free_count below 4 * 4 + 16, the THP order. */
static void test_factors(void **state)
{
	static const struct {
		s32 batch, alloc_factor, free_count;
		bool holds;
	} rows
		[] =
			{
				{4, 0, 0, true},   {4, 2, 31, true},  {4, 3, 0, false},
				{4, -1, 0, false}, {4, 0, 32, false}, {4, 0, -1, false},
				{1, 0, 31, true}, /* off; free_count is from before */
			};
	struct world *w = test_calloc(1, sizeof(*w));

	(void)state;
	world_build(w);
	w->machine.pcp_batch_scale_max = 2;
	w->zones[0].pageset_batch = 4;
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		struct per_cpu_pages *pcp = world_pcp(w, 0, 1);

		pcp->batch = rows[i].batch;
		pcp->alloc_factor = rows[i].alloc_factor;
		pcp->free_count = rows[i].free_count;
		assert_int_equal(factors_hold(w), rows[i].holds);
	}
	test_free(w);
}

/* The pcp remembers: alloc_factor 3 and free_count 6 before the call. */
static void set_memory(struct port_case *c)
{
	the_pcp(c)->alloc_factor = 3;
	the_pcp(c)->free_count = 6;
	spoil_now(c);
}

static void free_after_growth(struct port_case *c)
{
	u32 pfn = do_alloc(c, MOVABLE, 0);

	set_memory(c);
	do_free(c, pfn, 0);
	assert_int_equal(the_pcp(c)->alloc_factor, c->spoil ? 2 : 1);
}

static void free_4_after_growth(struct port_case *c)
{
	u32 pfn = do_alloc(c, MOVABLE, 4);

	set_memory(c);
	do_free(c, pfn, 4);
}

static void factor_2(struct port_case *c, struct event *e)
{
	(void)e;
	the_pcp(c)->alloc_factor = 2;
}

static void alloc_after_frees(struct port_case *c)
{
	set_memory(c);
	do_alloc(c, MOVABLE, 0);
}

static void alloc_4_after_frees(struct port_case *c)
{
	set_memory(c);
	do_alloc(c, MOVABLE, 4);
}

static void free_count_6(struct port_case *c, struct event *e)
{
	(void)e;
	the_pcp(c)->free_count = 6;
}

static void test_halving(void **state)
{
	const struct trial frees[] = {
		TRIAL("3 becomes 1", free_after_growth, HOLDS),
		SPOILED("3 becomes 2", free_after_growth, SPOIL_END, factor_2, FAILS),
		TRIAL("not cached", free_4_after_growth, SILENT),
	};
	const struct trial allocs[] = {
		TRIAL("6 becomes 3", alloc_after_frees, HOLDS),
		SPOILED("6 stays", alloc_after_frees, SPOIL_END, free_count_6, FAILS),
		TRIAL("not asked", alloc_4_after_frees, SILENT),
	};

	(void)state;
	JUDGE(prop_free_halves_alloc_factor, frees);
	JUDGE(prop_alloc_halves_free_count, allocs);
}

/* The refill fetched 0, 1, 2, 3, in this order; 0 is in use. */
static void drain_three(struct port_case *c)
{
	assert_int_equal(do_alloc(c, MOVABLE, 0), 0);
	spoil_now(c);
	do_drain(c);
}

static void says_page_1(struct port_case *c, struct event *e)
{
	(void)c;
	e->pfn = 1;
}

/* As if 2 were the first page of the list now. */
static void list_begins_with_2(struct port_case *c, struct event *e)
{
	struct link *links = (struct link *)c->view->links;

	if (e->pfn == 3)
		links[pcp_list_head(the_pcp(c), MIGRATE_MOVABLE)].next = 2;
}

static void test_drain(void **state)
{
	const struct trial trials[] = {
		TRIAL("3, 2, 1", drain_three, HOLDS, .machine = small_pcp),
		SPOILED("1 first", drain_three, EV_MM_PAGE_PCPU_DRAIN, says_page_1, FAILS,
			.machine = small_pcp),
		SPOILED("3, and 1 is not the first any more", drain_three, EV_MM_PAGE_PCPU_DRAIN,
			list_begins_with_2, FAILS, .machine = small_pcp),
	};

	(void)state;
	JUDGE(prop_drain_from_tail, trials);
}

/* ---- pcp_excess.c -------------------------------------------------------- */

/* Of 16 pages all but the last are cached. */
static void free_the_16th(struct port_case *c)
{
	u32 pfns[16];

	do_bulk(c, MOVABLE, 16, pfns);
	do_drain(c);
	for (u32 i = 0; i < 15; i++)
		do_free(c, pfns[i], 0);
	assert_int_equal(the_pcp(c)->count, 15);
	spoil_now(c);
	do_free(c, pfns[15], 0);
}

static void free_the_1st(struct port_case *c)
{
	u32 pfns[2];

	do_bulk(c, MOVABLE, 2, pfns);
	do_drain(c);
	spoil_now(c);
	do_free(c, pfns[0], 0);
}

/* 16 pages, high 16, free_count 16, batch 4: clamp(16, 4, 12) = 12 are due. */
static void count_5(struct port_case *c, struct event *e)
{
	(void)e;
	the_pcp(c)->count = 5;
}

static void count_4(struct port_case *c, struct event *e)
{
	(void)e;
	the_pcp(c)->count = 4;
}

static void count_0(struct port_case *c, struct event *e)
{
	(void)e;
	the_pcp(c)->count = 0;
	judge_event(c->judge, &(struct event){.type = EV_MM_PAGE_PCPU_DRAIN, .zone = ZONE_ANY});
}

static void test_excess(void **state)
{
	const struct trial trials[] = {
		SPOILED("12 of 16 leave", free_the_16th, SPOIL_END, count_4, HOLDS,
			.machine = small_pcp),
		SPOILED("11 of 16 leave", free_the_16th, SPOIL_END, count_5, FAILS,
			.machine = small_pcp),
		TRIAL("1 of 16 stays where it is", free_the_1st, HOLDS, .machine = small_pcp),
		SPOILED("it leaves though there is room", free_the_1st, SPOIL_END, count_0, FAILS,
			.machine = small_pcp),
	};

	(void)state;
	JUDGE(prop_pcp_excess, trials);
}

static void free_with_pcp_off(struct port_case *c)
{
	u32 pfn;

	zone_pcp_disable(c->m, the_zone(c));
	pfn = do_alloc(c, MOVABLE, 0);
	spoil_now(c);
	do_free_batch(c, pfn, 0);
}

static void one_is_kept(struct port_case *c, struct event *e)
{
	(void)e;
	the_pcp(c)->count = 1;
}

static void test_pcp_off(void **state)
{
	const struct trial trials[] = {
		TRIAL("nothing stays", free_with_pcp_off, HOLDS),
		SPOILED("a page stays", free_with_pcp_off, SPOIL_END, one_is_kept, FAILS),
		TRIAL("the pcp is on", free_movable, SILENT),
	};

	(void)state;
	JUDGE(prop_pcp_off_keeps_nothing, trials);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_list_type),
		cmocka_unit_test(test_isolated_free),
		cmocka_unit_test(test_isolated_drained),
		cmocka_unit_test(test_high),
		cmocka_unit_test(test_factors),
		cmocka_unit_test(test_halving),
		cmocka_unit_test(test_drain),
		cmocka_unit_test(test_excess),
		cmocka_unit_test(test_pcp_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
