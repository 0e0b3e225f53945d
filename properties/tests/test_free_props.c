/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events and frees (spec 10.22 - 10.24, 10.71 - 10.73): for each property what the port does in the
 * nearest legal case, and the same with one thing spoiled by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "properties/tests/port_case.h"

/* A few pages are cached, up to 16. */
static void small_pcp(struct machine *m)
{
	m->pcp_batch = 4;
	m->pcp_high_min = m->pcp_high_max = 16;
}

/* ---- ways to spoil ------------------------------------------------------- */

static void again(struct port_case *c, struct event *e)
{
	judge_event(c->judge, e);
}

static void one_more_freed(struct port_case *c, struct event *e)
{
	(void)e;
	((struct global *)c->view->global)->vm_event[PGFREE]++;
}

static void one_less_free(struct port_case *c, struct event *e)
{
	(void)e;
	the_zone(c)->vm_stat[NR_FREE_PAGES]--;
}

/* Says that the first page of the whole memory, which is in use, was meant. */
static void says_page_0(struct port_case *c, struct event *e)
{
	(void)c;
	e->pfn = 0;
}

static void says_none(struct port_case *c, struct event *e)
{
	(void)c;
	e->pfn = PFN_NONE;
}

static void says_same_type(struct port_case *c, struct event *e)
{
	(void)c;
	e->b = e->c;
}

static void first_block(struct port_case *c, u8 flags)
{
	*the_block(c, 0) = flags;
}

static void block_unmovable(struct port_case *c, struct event *e)
{
	(void)e;
	first_block(c, MIGRATE_UNMOVABLE);
}

/* ---- events.c ------------------------------------------------------------ */

static void alloc_and_free(struct port_case *c)
{
	u32 pfn = do_alloc(c, GFP_KERNEL, 1);

	spoil_now(c);
	do_free(c, pfn, 1);
}

/*
 * A page that nobody could free at once waits, uncounted; the next free takes it along, and both
 * are counted then.
 */
static void free_two_late(struct port_case *c)
{
	u32 a = do_alloc(c, GFP_KERNEL, 0), b = do_alloc(c, GFP_KERNEL, 4);

	answer_next(c, ENV_NO_TRYLOCK, 1, 0);
	do_free_nolock(c, a, 0);
	assert_int_equal(c->view->links[the_zone(c)->trylock_list].next, a);
	do_free(c, b, 4);
	assert_true(c->view->links[the_zone(c)->trylock_list].next >= c->view->nr_pages);
}

/*
 * MIN is 900 of the 1,024 pages. Compaction frees a movable folio, and the request that is below
 * the mark captures it: in use again without PGALLOC.
 */
static void high_marks(struct machine *m)
{
	m->zones[0].pages = 1024;
	m->sysctl[SYSCTL_MIN_FREE_KBYTES] = 3600;
	m->mobility = MOBILITY_ON;
}

static void captures(struct port_case *c)
{
	u32 a = do_alloc(c, MOVABLE | __GFP_COMP | __GFP_MEMALLOC, 3);

	mark_page(c->m, a, 3, PG_LRU, 0);
	do_alloc(c, MOVABLE | __GFP_MEMALLOC, 7);
	answer_next(c, ENV_COMPACT, COMPACT_SUCCESS, 8);
	assert_int_equal(do_alloc(c, MOVABLE | __GFP_COMP, 3), a);
}

static void test_conservation(void **state)
{
	const struct trial trials[] = {
		TRIAL("what is freed is counted", alloc_and_free, HOLDS),
		SPOILED("one page too many", alloc_and_free, SPOIL_END, one_more_freed, FAILS),
		TRIAL("pages that wait are counted later", free_two_late, HOLDS),
		TRIAL("a captured page is not counted", captures, HOLDS, .machine = high_marks),
	};

	(void)state;
	JUDGE(prop_event_conservation, trials);
}

static void alloc_one(struct port_case *c)
{
	spoil_now(c);
	assert_int_not_equal(do_alloc(c, GFP_KERNEL, 0), PFN_NONE);
}

/* 4,096 pages are four buddies of order 10, and the fifth request fails. */
static void alloc_too_much(struct port_case *c)
{
	for (u32 i = 0; i < 4; i++)
		do_alloc(c, GFP_KERNEL | __GFP_MEMALLOC, 10);
	spoil_now(c);
	assert_int_equal(do_alloc(c, GFP_NOWAIT, 10), PFN_NONE);
}

static void alloc_refused(struct port_case *c)
{
	answer_next(c, ENV_FAULT, 1, 0);
	assert_int_equal(do_alloc(c, GFP_KERNEL, 0), PFN_NONE);
}

static void bulk_of_eight(struct port_case *c)
{
	u32 pfns[8];

	spoil_now(c);
	do_bulk(c, GFP_KERNEL, 8, pfns);
	assert_int_equal(c->request.result_nr, 8);
}

static void bulk_of_one(struct port_case *c)
{
	u32 pfn;

	do_bulk(c, GFP_KERNEL, 1, &pfn);
}

static void reports_alloc(struct port_case *c, struct event *e)
{
	struct event alloc = {.type = EV_MM_PAGE_ALLOC, .pfn = 7};

	(void)e;
	judge_event(c->judge, &alloc);
}

static void test_alloc_event(void **state)
{
	const struct trial trials[] = {
		TRIAL("a page", alloc_one, HOLDS),
		SPOILED("reported twice", alloc_one, EV_MM_PAGE_ALLOC, again, FAILS),
		SPOILED("another page", alloc_one, EV_MM_PAGE_ALLOC, says_none, FAILS),
		TRIAL("a failure is reported as well", alloc_too_much, HOLDS),
		SPOILED("a failure with a page", alloc_too_much, EV_MM_PAGE_ALLOC, says_page_0,
			FAILS),
		TRIAL("a request that ends at the checks", alloc_refused, HOLDS),
		TRIAL("a batch reports nothing", bulk_of_eight, HOLDS),
		SPOILED("a page of a batch", bulk_of_eight, SPOIL_END, reports_alloc, FAILS),
		TRIAL("a batch of one is a plain request", bulk_of_one, HOLDS),
	};

	(void)state;
	JUDGE(prop_alloc_event, trials);
}

/* All is Movable at first: the request falls back. */
static void falls_back(struct port_case *c)
{
	spoil_now(c);
	assert_int_not_equal(do_alloc(c, GFP_KERNEL, 4), PFN_NONE);
}

static void free_movable(struct port_case *c)
{
	u32 pfn = do_alloc(c, MOVABLE, 0);

	spoil_now(c);
	do_free(c, pfn, 0);
}

static void test_extfrag(void **state)
{
	const struct trial trials[] = {
		TRIAL("a block is claimed, a page comes", falls_back, HOLDS),
		SPOILED("to its own type", falls_back, EV_MM_PAGE_ALLOC_EXTFRAG, says_same_type,
			FAILS),
		SPOILED("no page comes", falls_back, EV_GPFF_END, says_none, FAILS),
		TRIAL("own type: no fallback", free_movable, SILENT),
	};

	(void)state;
	JUDGE(prop_extfrag_serves, trials);
}

/* ---- free.c -------------------------------------------------------------- */

/* The refill fetched 0, 1, 2, 3, in this order; 0 is in use. */
static void drain_three(struct port_case *c)
{
	assert_int_equal(do_alloc(c, MOVABLE, 0), 0);
	spoil_now(c);
	do_drain(c);
}

/* Another reference: the folio stays, of separate pages the first one. */
static void free_shared(struct port_case *c, u32 gfp)
{
	u32 pfn = do_alloc(c, gfp, 3);

	get_page(c->m, pfn);
	spoil_now(c);
	do_free(c, pfn, 3);
}

static void free_shared_folio(struct port_case *c)
{
	free_shared(c, MOVABLE | __GFP_COMP);
}

static void free_shared_pages(struct port_case *c)
{
	free_shared(c, MOVABLE);
}

static void free_poisoned(struct port_case *c)
{
	u32 pfn = do_alloc(c, MOVABLE, 0);

	mark_page(c->m, pfn, 0, PG_HWPOISON, 0);
	do_free(c, pfn, 0);
}

static void free_waits(struct port_case *c)
{
	u32 pfn = do_alloc(c, MOVABLE, 0);

	answer_next(c, ENV_NO_TRYLOCK, 1, 0);
	spoil_now(c);
	do_free_nolock(c, pfn, 0);
}

static void only_reference(struct port_case *c, struct event *e)
{
	(void)e;
	c->request.refs = 1;
}

static void could_wait(struct port_case *c, struct event *e)
{
	(void)e;
	c->request.nolock = false;
}

static void one_more_listed(struct port_case *c, struct event *e)
{
	(void)e;
	the_zone(c)->nr_free[0]++;
}

static void test_free_adds(void **state)
{
	const struct trial trials[] = {
		TRIAL("two pages", alloc_and_free, HOLDS),
		SPOILED("three instead of two", alloc_and_free, SPOIL_END, one_more_listed, FAILS),
		TRIAL("a folio that is shared", free_shared_folio, HOLDS),
		SPOILED("the last reference, and nothing", free_shared_folio, SPOIL_END,
			only_reference, FAILS),
		TRIAL("pages that are shared: all but one", free_shared_pages, HOLDS),
		TRIAL("poisoned: none", free_poisoned, HOLDS),
		TRIAL("NOLOCK waits", free_waits, HOLDS),
		SPOILED("waits without NOLOCK", free_waits, SPOIL_END, could_wait, FAILS),
	};

	(void)state;
	JUDGE(prop_free_adds_pages, trials);
}

/*
 * Two blocks side by side that are wholly in use, made Unmovable and Movable. Freed in this order,
 * both become Movable.
 */
static void free_two_types(struct port_case *c)
{
	u32 a = do_alloc(c, MOVABLE, 9), b = do_alloc(c, MOVABLE, 9);

	assert_int_equal(a, 0);
	assert_int_equal(b, 512);
	first_block(c, MIGRATE_UNMOVABLE);
	do_free(c, a, 9);
	spoil_now(c);
	do_free(c, b, 9);
}

static void both_unmovable(struct port_case *c, struct event *e)
{
	(void)e;
	*the_block(c, 0) = *the_block(c, 512) = MIGRATE_UNMOVABLE;
}

static void other_block(struct port_case *c, struct event *e)
{
	(void)e;
	*the_block(c, 2048) = MIGRATE_HIGHATOMIC;
}

static void test_free_types(void **state)
{
	const struct trial trials[] = {
		TRIAL("the last one wins", free_two_types, HOLDS),
		SPOILED("the first one wins", free_two_types, EV_ZONE_UNLOCK, both_unmovable,
			FAILS),
		SPOILED("a block far away", free_two_types, EV_ZONE_UNLOCK, other_block, FAILS),
		TRIAL("a drain", drain_three, HOLDS, .machine = small_pcp),
		SPOILED("a drain that changes the page's block", drain_three, EV_MM_PAGE_PCPU_DRAIN,
			block_unmovable, FAILS, .machine = small_pcp),
	};

	(void)state;
	JUDGE(prop_free_keeps_types, trials);
}

static void alloc_free_4(struct port_case *c)
{
	u32 pfn = do_alloc(c, GFP_KERNEL, 4);

	spoil_now(c);
	do_free(c, pfn, 4);
}

static void alloc_drain_free_4(struct port_case *c)
{
	u32 pfn = do_alloc(c, GFP_KERNEL, 4);

	do_drain(c);
	do_free(c, pfn, 4);
}

static void alloc_free_pcp_off(struct port_case *c)
{
	u32 pfn;

	zone_pcp_disable(c->m, the_zone(c));
	pfn = do_alloc(c, MOVABLE, 0);
	spoil_now(c);
	do_free(c, pfn, 0);
}

static void test_restores(void **state)
{
	const struct trial trials[] = {
		TRIAL("too large to be cached", alloc_free_4, HOLDS),
		SPOILED("one page is missing", alloc_free_4, SPOIL_END, one_less_free, FAILS),
		TRIAL("pcp off", alloc_free_pcp_off, HOLDS),
		SPOILED("pcp off, one page is missing", alloc_free_pcp_off, SPOIL_END,
			one_less_free, FAILS),
		TRIAL("cached", free_movable, SILENT),
		TRIAL("something in between", alloc_drain_free_4, SILENT),
	};

	(void)state;
	JUDGE(prop_alloc_free_restores, trials);
}

/*
 * One block that is partly free: an unmovable request claims it if half of it is free (here all
 * but 16 pages), and takes 2^0 pages out of it.
 */
static void one_block(struct machine *m)
{
	m->zones[0].pages = 512;
	m->max_page_order = 9;
	m->mobility = MOBILITY_ON;
}

static void claim_partly_free(struct port_case *c)
{
	do_alloc(c, MOVABLE, 4);
	spoil_now(c);
	assert_int_not_equal(do_alloc(c, GFP_KERNEL, 4), PFN_NONE);
}

static void test_moves(void **state)
{
	const struct trial trials[] = {
		TRIAL("a claim", claim_partly_free, HOLDS, .machine = one_block),
		SPOILED("a claim that loses a page", claim_partly_free, EV_MM_PAGE_ALLOC_EXTFRAG,
			one_less_free, FAILS, .machine = one_block),
		TRIAL("a whole block is not moved", falls_back, SILENT),
	};

	(void)state;
	JUDGE(prop_move_keeps_free_pages, trials);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_conservation), cmocka_unit_test(test_alloc_event),
		cmocka_unit_test(test_extfrag),	     cmocka_unit_test(test_free_adds),
		cmocka_unit_test(test_free_types),   cmocka_unit_test(test_restores),
		cmocka_unit_test(test_moves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
