/* SPDX-License-Identifier: GPL-2.0-only */
/* What a real kernel reports of itself: which property fails, and what is its caller's fault. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/gfp.h"
#include "properties/judge.h"
#include "properties/list.h"
#include "properties/tests/world.h"

static const struct property *const of_kernel[] = {&prop_kernel_warn, &prop_kernel_bad_page,
						   &prop_kernel_bug};
static struct world w;
static struct judge *judge;

static int setup(void **state)
{
	(void)state;
	world_build(&w);
	judge = judge_create(&w.view, of_kernel, ARRAY_SIZE(of_kernel), PROMISE_KERNEL);
	return !judge;
}

static int teardown(void **state)
{
	(void)state;
	judge_destroy(judge);
	return 0;
}

static void report(enum trouble_kind kind, const struct request *rq, const char *text)
{
	struct trouble t = {.kind = kind, .view = &w.view, .request = rq};

	snprintf(t.text, sizeof(t.text), "%s", text);
	judge_reset(judge);
	judge_trouble(judge, &t);
}

static void each_has_its_property(void **state)
{
	static const struct request alloc = {.kind = REQUEST_ALLOC, .gfp = GFP_KERNEL};

	(void)state;
	for (u32 kind = TROUBLE_WARN; kind <= TROUBLE_BUG; kind++) {
		report((enum trouble_kind)kind, kind == TROUBLE_BUG ? NULL : &alloc, "mm/x.c:12 ");
		assert_int_equal(judge_nr_violations(judge), 1);
		assert_ptr_equal(judge_violation(judge, 0)->property, of_kernel[kind]);
		assert_non_null(strstr(judge_violation(judge, 0)->why, "mm/x.c:12"));
	}
}

/*
 * What a WARN says, and the op that makes it the caller's fault. The same WARN without that mistake is a
 * failure; so are another WARN in that op, the same words in another file, and a free of that order and gfp.
 */
static void callers_faults_are_excused(void **state)
{
	const u8 too_large = (u8)(w.view.machine->max_page_order + 1);
	const struct {
		const char *text;
		struct request rq;
	} faults[] = {
		{"mm/page_alloc.c:1 1", {.kind = REQUEST_ALLOC, .order = too_large}},
		{"mm/page_alloc.c:1 1", {.kind = REQUEST_ALLOC, .gfp = __GFP_NOFAIL}},
		{"mm/page_alloc.c:1 !can_direct_reclaim",
		 {.kind = REQUEST_BULK, .gfp = __GFP_NOFAIL}},
		{"mm/page_alloc.c:1 current->flags & PF_MEMALLOC",
		 {.kind = REQUEST_ALLOC, .gfp = __GFP_NOFAIL}},
		{"mm/page_alloc.c:1 gfp & ~((1 | 2))", {.kind = REQUEST_NOLOCK, .gfp = GFP_KERNEL}},
		{"mm/page_alloc.c:1 gfp_mask & __GFP_COMP",
		 {.kind = REQUEST_CONTIG_RANGE, .gfp = __GFP_COMP}},
		{"mm/page_alloc.c:1 PFN range: requested [%lu, %lu)",
		 {.kind = REQUEST_CONTIG_PAGES, .gfp = __GFP_COMP}},
		{"include/linux/gfp.h:1 x",
		 {.kind = REQUEST_ALLOC, .gfp = __GFP_MOVABLE | __GFP_RECLAIMABLE}},
		/* of a release that says no condition */
		{"mm/page_alloc.c:1 ", {.kind = REQUEST_ALLOC, .gfp = __GFP_NOFAIL}},
	};
	struct request rq;
	char text[120];

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(faults); i++) {
		report(TROUBLE_WARN, &faults[i].rq, faults[i].text);
		assert_int_equal(judge_nr_violations(judge), 0);
		assert_int_equal(judge_counts(judge)[0].excused, i + 1);
		report(TROUBLE_BUG, &faults[i].rq, faults[i].text);
		assert_int_equal(judge_nr_violations(judge), 1);
		rq = (struct request){.kind = faults[i].rq.kind};
		report(TROUBLE_WARN, &rq, faults[i].text);
		assert_int_equal(judge_nr_violations(judge), 1);
		rq = faults[i].rq;
		rq.kind = REQUEST_FREE;
		report(TROUBLE_WARN, &rq, faults[i].text);
		assert_int_equal(judge_nr_violations(judge), 1);
		report(TROUBLE_WARN, &faults[i].rq, "mm/page_alloc.c:1 PageBuddy(page)");
		assert_int_equal(judge_nr_violations(judge), 1);
		snprintf(text, sizeof(text), "lib/%s", faults[i].text);
		report(TROUBLE_WARN, &faults[i].rq, text);
		assert_int_equal(judge_nr_violations(judge), 1);
	}
}

/* A page on the LRU is a caller's mistake if it is larger than a pageblock. */
static void large_lru_page_is_excused(void **state)
{
	static const struct request isolate = {.kind = REQUEST_ISOLATE};
	static const char text[] = "mm/page_isolation.c:455 1";
	struct page *page = &w.pages[0];

	(void)state;
	page->flags |= PG_HEAD | PG_LRU;
	page->compound_order = w.view.machine->pageblock_order;
	report(TROUBLE_WARN, &isolate, text);
	assert_int_equal(judge_nr_violations(judge), 1);
	page->compound_order++;
	report(TROUBLE_WARN, &isolate, text);
	assert_int_equal(judge_nr_violations(judge), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(each_has_its_property, setup, teardown),
		cmocka_unit_test_setup_teardown(callers_faults_are_excused, setup, teardown),
		cmocka_unit_test_setup_teardown(large_lru_page_is_excused, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
