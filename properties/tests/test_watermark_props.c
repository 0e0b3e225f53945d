/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Watermarks and eligibility (spec 10.34 - 10.44) on decisions made by hand (scene.h): for each
 * property the last legal number and the first that is not.
 *
 * Zone 0 has F free pages, 4 of them HighAtomic and 4 CMA; what is left of them for a request
 * without any rights is U = F - 8. Its Unmovable list has the pages 44 and 45, one buddy.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "properties/list.h"
#include "properties/tests/scene.h"

struct row {
	const char *intent;
	const struct property *property;
	void (*play)(struct scene *s);
	int verdict;
};

#define PLAY(name, ...)                          \
	static void name(struct scene *s)        \
	{                                        \
		struct zone *z = &s->w.zones[0]; \
		(void)z;                         \
		__VA_ARGS__                      \
	}

static u32 free_pages(const struct scene *s)
{
	return (u32)s->w.zones[0].vm_stat[NR_FREE_PAGES];
}

static void check_rows(const struct row *rows, u32 nr,
		       int (*ask)(struct scene *, const struct row *))
{
	static struct scene s;

	for (u32 i = 0; i < nr; i++) {
		int verdict;

		scene_begin(&s);
		rows[i].play(&s);
		verdict = ask(&s, &rows[i]);
		if (verdict != rows[i].verdict)
			fail_msg("%s: %s: verdict %d, not %d; %s", rows[i].property->id,
				 rows[i].intent, verdict, rows[i].verdict, s.why);
		scene_end(&s);
	}
}

#define HOLDS VERDICT_HOLDS
#define FAILS VERDICT_FAILS
#define NOT_ASKED VERDICT_MEANINGLESS

/* ---- states -------------------------------------------------------------- */

PLAY(equal_marks, z->_watermark[WMARK_MIN] = z->_watermark[WMARK_LOW] = 7;
     z->_watermark[WMARK_HIGH] = z->_watermark[WMARK_PROMO] = 7;)
PLAY(low_below_min, equal_marks(s); z->_watermark[WMARK_MIN] = 8;)
PLAY(promo_below_high, equal_marks(s); z->_watermark[WMARK_PROMO] = 6;)

/* Zone 0 is Normal; requests for Movable may go above it. */
PLAY(reserve_above, z->lowmem_reserve[ZONE_MOVABLE] = 9;)
PLAY(reserve_own, z->lowmem_reserve[ZONE_MOVABLE] = 9; z->lowmem_reserve[ZONE_NORMAL] = 1;)
PLAY(reserve_falls, z->type = ZONE_DMA; z->lowmem_reserve[ZONE_DMA32] = 2;
     z->lowmem_reserve[ZONE_NORMAL] = 5; z->lowmem_reserve[ZONE_MOVABLE] = 4;)
PLAY(reserve_rises, reserve_falls(s); z->lowmem_reserve[ZONE_MOVABLE] = 5;)

static int ask_state(struct scene *s, const struct row *row)
{
	return scene_holds(s, row->property) ? HOLDS : FAILS;
}

static void states(void **state)
{
	static const struct row rows[] = {
		{"equal marks are legal", &prop_wmark_order, equal_marks, HOLDS},
		{"LOW is below MIN", &prop_wmark_order, low_below_min, FAILS},
		{"PROMO is below HIGH", &prop_wmark_order, promo_below_high, FAILS},
		{"from those above", &prop_lowmem_reserve, reserve_above, HOLDS},
		{"from its own", &prop_lowmem_reserve, reserve_own, FAILS},
		{"less from higher ones", &prop_lowmem_reserve, reserve_falls, FAILS},
		{"no more from higher ones", &prop_lowmem_reserve, reserve_rises, HOLDS},
	};

	(void)state;
	check_rows(rows, ARRAY_SIZE(rows), ask_state);
}

/* ---- steps --------------------------------------------------------------- */

/* HIGH 100 and factor 1: the limit is 100. */
static void boost(struct scene *s, u32 before, u32 after)
{
	struct zone *z = &s->w.zones[0];

	z->_watermark[WMARK_HIGH] = 100;
	s->w.global.sysctl[SYSCTL_WATERMARK_BOOST_FACTOR] = 10000;
	z->watermark_boost = before;
	scene_lock(s);
	z->watermark_boost = after;
}

PLAY(boost_none, boost(s, 0, 0);)
PLAY(boost_to_limit, boost(s, 96, 100);)
PLAY(boost_beyond, boost(s, 96, 101);)
PLAY(boost_stays, boost(s, 120, 120);)
PLAY(boost_off, boost(s, 0, 4); s->w.global.sysctl[SYSCTL_WATERMARK_BOOST_FACTOR] = 0;)
PLAY(boost_16_pages, boost(s, 0, 4); z->managed_pages = 16;)
PLAY(boost_15_pages, boost(s, 0, 4); z->managed_pages = 15;)
/* The limit is never below one pageblock, here of 4 pages. */
PLAY(boost_block, boost(s, 0, 4); z->_watermark[WMARK_HIGH] = 1;)

/* A page of zone @zone was got; zone 1 is Movable, of node 1. */
static void got_page(struct scene *s, u32 gfp, u32 nodemask, u32 zone)
{
	s->w.machine.nr_nodes = 2;
	s->w.zones[1].node = 1;
	scene_ask(s, gfp, 0, ALLOC_WMARK_LOW);
	s->request.nodemask = nodemask;
	s->request.result_pfn = zone ? 528 : 44;
	s->events[s->nr_events++] = s->pass;
}

PLAY(got_normal, got_page(s, GFP_KERNEL, NODEMASK_NULL, 0);)
PLAY(got_movable, got_page(s, GFP_KERNEL, NODEMASK_NULL, 1);)
PLAY(movable_got_movable, got_page(s, GFP_HIGHUSER_MOVABLE, NODEMASK_NULL, 1);)
PLAY(got_masked, got_page(s, GFP_HIGHUSER_MOVABLE, BIT(1), 0);)
PLAY(got_in_mask, got_page(s, GFP_HIGHUSER_MOVABLE, BIT(1), 1);)
PLAY(got_thisnode, got_page(s, GFP_HIGHUSER_MOVABLE | __GFP_THISNODE, NODEMASK_NULL, 0);)
PLAY(got_other_node, got_page(s, GFP_HIGHUSER_MOVABLE | __GFP_THISNODE, NODEMASK_NULL, 1);)
PLAY(pin_scope, got_page(s, GFP_HIGHUSER_MOVABLE, NODEMASK_NULL, 1);
     s->before.global.task.flags = TASK_PIN;)
/* A pass at the MIN mark that does not keep to the cpuset: the mask is given up. */
PLAY(mask_lost, got_page(s, GFP_KERNEL, BIT(1), 0); s->events[s->nr_events] = s->pass;
     s->events[s->nr_events++].a = ALLOC_WMARK_MIN | ALLOC_NO_WATERMARKS;)
PLAY(mask_kept, mask_lost(s); s->events[1].a = ALLOC_WMARK_MIN | ALLOC_CPUSET;)

static int ask_step(struct scene *s, const struct row *row)
{
	return scene_step_verdict(s, row->property);
}

static void steps(void **state)
{
	static const struct row rows[] = {
		{"nobody boosts", &prop_boost_bound, boost_none, NOT_ASKED},
		{"at the limit", &prop_boost_bound, boost_to_limit, HOLDS},
		{"one page beyond", &prop_boost_bound, boost_beyond, FAILS},
		{"not raised, the factor fell", &prop_boost_bound, boost_stays, HOLDS},
		{"the factor is 0", &prop_boost_bound, boost_off, FAILS},
		{"four blocks", &prop_boost_bound, boost_16_pages, HOLDS},
		{"a page less than four", &prop_boost_bound, boost_15_pages, FAILS},
		{"one block, whatever HIGH is", &prop_boost_bound, boost_block, HOLDS},
		{"Normal for Normal", &prop_eligible_zone, got_normal, HOLDS},
		{"Movable for Normal", &prop_eligible_zone, got_movable, FAILS},
		{"all zones are allowed", &prop_eligible_zone, movable_got_movable, NOT_ASKED},
		{"not in the nodemask", &prop_eligible_zone, got_masked, FAILS},
		{"in the nodemask", &prop_eligible_zone, got_in_mask, HOLDS},
		{"its own node", &prop_eligible_zone, got_thisnode, HOLDS},
		{"another node", &prop_eligible_zone, got_other_node, FAILS},
		{"a pinning task may not use Movable", &prop_eligible_zone, pin_scope, FAILS},
		{"the mask was given up", &prop_eligible_zone, mask_lost, HOLDS},
		{"the mask still binds", &prop_eligible_zone, mask_kept, FAILS},
	};

	(void)state;
	check_rows(rows, ARRAY_SIZE(rows), ask_step);
}

/* ---- who is let in ------------------------------------------------------- */

/* A page is taken at a moment when mark @which is @mark and HIGH is out of reach. */
static void take_at(struct scene *s, u32 alloc_flags, enum zone_watermarks which, u32 mark)
{
	struct zone *z = &s->w.zones[0];

	z->_watermark[WMARK_HIGH] = 1000;
	z->_watermark[which] = mark;
	scene_ask(s, GFP_KERNEL, 0, alloc_flags);
	scene_lock(s);
	take_listed(s, 44, 0);
}

/* The pcp page 8 is handed out: at the end of the pass the zone is what it was. */
static void pop_at(struct scene *s, u32 alloc_flags, enum zone_watermarks which, u32 mark)
{
	take_at(s, alloc_flags, which, mark);
	put_free(&s->w, 44, 0, MIGRATE_UNMOVABLE);
	s->event = (struct event){.type = EV_GPFF_END, .pfn = 8};
}

#define U (free_pages(s) - 8)

PLAY(low_left, take_at(s, ALLOC_WMARK_LOW, WMARK_LOW, U - 1);)
PLAY(low_equal, take_at(s, ALLOC_WMARK_LOW, WMARK_LOW, U);)
PLAY(low_boosted, z->watermark_boost = 4; take_at(s, ALLOC_WMARK_LOW, WMARK_LOW, U - 4);)
PLAY(low_reserve, z->lowmem_reserve[ZONE_NORMAL] = 1;
     take_at(s, ALLOC_WMARK_LOW, WMARK_LOW, U - 1);)
PLAY(low_popped, pop_at(s, ALLOC_WMARK_LOW, WMARK_LOW, U - 1);)
PLAY(low_popped_equal, pop_at(s, ALLOC_WMARK_LOW, WMARK_LOW, U);)
PLAY(low_popped_late, low_popped_equal(s); s->d.locks = 1;)
PLAY(low_second, low_equal(s); s->d.nr_before = 1;)
PLAY(low_interleaved, low_equal(s); s->d.interleaved = true;)
PLAY(low_no_pass, low_equal(s); s->d.pass = NULL;)
PLAY(low_with_cma, take_at(s, ALLOC_WMARK_LOW | ALLOC_CMA, WMARK_LOW, U);)

PLAY(min_left, take_at(s, ALLOC_CPUSET, WMARK_MIN, U - 1);)
PLAY(min_equal, take_at(s, ALLOC_CPUSET, WMARK_MIN, U);)
PLAY(min_cma, take_at(s, ALLOC_CMA, WMARK_MIN, U + 3);)
PLAY(min_cma_equal, take_at(s, ALLOC_CMA, WMARK_MIN, U + 4);)
PLAY(min_rights, take_at(s, ALLOC_MIN_RESERVE, WMARK_MIN, U);)

/* Rights to reserves open HighAtomic: U + 4 is usable. Half of the mark must be less. */
PLAY(half_left, take_at(s, ALLOC_MIN_RESERVE, WMARK_MIN, 2 * (U + 4) - 2);)
PLAY(half_equal, take_at(s, ALLOC_MIN_RESERVE, WMARK_MIN, 2 * (U + 4));)
PLAY(three_eighths, take_at(s, ALLOC_MIN_RESERVE | ALLOC_NON_BLOCK, WMARK_MIN, 8 * (U + 3) / 3);)
PLAY(non_block_alone, take_at(s, ALLOC_NON_BLOCK, WMARK_MIN, U + 4);)
PLAY(boost_forgiven, z->watermark_boost = 500;
     take_at(s, ALLOC_MIN_RESERVE, WMARK_MIN, 2 * (U + 4) - 2);)
PLAY(boost_counts, z->watermark_boost = 400; take_at(s, ALLOC_NON_BLOCK, WMARK_MIN, U + 4 - 400);)
PLAY(no_marks, take_at(s, ALLOC_NO_WATERMARKS, WMARK_MIN, 1000);)
/* Above HIGH nobody asks for LOW. */
PLAY(high_passes, take_at(s, ALLOC_WMARK_LOW, WMARK_LOW, 1000); z->_watermark[WMARK_HIGH] = U - 1;
     s->was.zone._watermark[WMARK_HIGH] = U - 1;)
PLAY(high_not_asked, high_passes(s); s->was.zone.flags = ZONE_BELOW_HIGH;)

/* A page of order 4 from the pcp, while so many buddies of order 4 are free. */
static void pop_order_4(struct scene *s, u32 left)
{
	for (u32 pfn = 80; pfn < 512; pfn += 16)
		take_free(&s->w, pfn);
	if (!left)
		take_free(&s->w, 16);
	scene_ask(s, GFP_HIGHUSER_MOVABLE, 4, ALLOC_WMARK_LOW | ALLOC_CMA);
	s->event = (struct event){.type = EV_GPFF_END, .order = 4, .pfn = 48};
}

PLAY(order_one_left, pop_order_4(s, 1);)
PLAY(order_none_left, pop_order_4(s, 0);)

static int ask_decision(struct scene *s, const struct row *row)
{
	return scene_verdict(s, row->property);
}

static void admissions(void **state)
{
	static const struct row rows[] = {
		{"one page above LOW", &prop_low_mark_strict, low_left, HOLDS},
		{"not above LOW", &prop_low_mark_strict, low_equal, FAILS},
		{"not above LOW and boost", &prop_low_mark_strict, low_boosted, FAILS},
		{"not above LOW and reserve", &prop_low_mark_strict, low_reserve, FAILS},
		{"pcp, one page above", &prop_low_mark_strict, low_popped, HOLDS},
		{"pcp, not above", &prop_low_mark_strict, low_popped_equal, FAILS},
		{"pcp, but locks were taken", &prop_low_mark_strict, low_popped_late, NOT_ASKED},
		{"a later page of a batch", &prop_low_mark_strict, low_second, NOT_ASKED},
		{"others were here", &prop_low_mark_strict, low_interleaved, NOT_ASKED},
		{"not for a pass", &prop_low_mark_strict, low_no_pass, NOT_ASKED},
		{"CMA is open to it", &prop_low_mark_strict, low_with_cma, NOT_ASKED},
		{"one page above MIN", &prop_reserves_kept, min_left, HOLDS},
		{"not above MIN", &prop_reserves_kept, min_equal, FAILS},
		{"CMA pages count", &prop_reserves_kept, min_cma, HOLDS},
		{"not even with CMA", &prop_reserves_kept, min_cma_equal, FAILS},
		{"it has rights", &prop_reserves_kept, min_rights, NOT_ASKED},
		{"above half of MIN", &prop_admission, half_left, HOLDS},
		{"not above half of MIN", &prop_admission, half_equal, FAILS},
		{"above 3/8 of MIN", &prop_admission, three_eighths, HOLDS},
		{"NON_BLOCK has no discount", &prop_admission, non_block_alone, FAILS},
		{"raw MIN is enough with MIN_RESERVE", &prop_admission, boost_forgiven, HOLDS},
		{"without it the boost counts", &prop_admission, boost_counts, FAILS},
		{"marks do not matter", &prop_admission, no_marks, NOT_ASKED},
		{"above HIGH", &prop_admission, high_passes, HOLDS},
		{"known to be below HIGH", &prop_admission, high_not_asked, FAILS},
		{"one buddy of the order", &prop_admission, order_one_left, HOLDS},
		{"no buddy of the order", &prop_admission, order_none_left, FAILS},
	};

	(void)state;
	check_rows(rows, ARRAY_SIZE(rows), ask_decision);
}

/* ---- who may take what --------------------------------------------------- */

PLAY(take_own, take_listed(s, 44, 0);)
PLAY(take_isolated, take_listed(s, 40, 0);)
PLAY(touch_isolated, take_listed(s, 44, 0); take_free(&s->w, 40);)
PLAY(none_isolated, z->nr_isolate_pageblock = 0; scene_lock(s); take_listed(s, 44, 0);)

PLAY(take_cma, take_listed(s, 64, 0);)
PLAY(movable_cma, scene_ask(s, GFP_HIGHUSER_MOVABLE, 0, ALLOC_CMA); take_listed(s, 64, 0);)
PLAY(movable_no_flag, scene_ask(s, GFP_HIGHUSER_MOVABLE, 0, 0); take_listed(s, 64, 0);)
PLAY(flag_not_movable, scene_ask(s, GFP_KERNEL, 0, ALLOC_CMA); take_listed(s, 64, 0);)

/* Zone 0 without its Unmovable and Movable free pages. */
static void strip(struct scene *s)
{
	for (u32 pfn = 0; pfn < 512; pfn++) {
		if ((s->w.pages[pfn].flags & PG_BUDDY) && pfn != 32 && pfn != 40 && pfn != 64)
			take_free(&s->w, pfn);
	}
	scene_lock(s);
}

PLAY(plain_reserve, strip(s); take_listed(s, 32, 0);)
PLAY(flag_reserve, scene_ask(s, GFP_ATOMIC, 0, ALLOC_HIGHATOMIC); take_listed(s, 32, 0);)
PLAY(flag_elsewhere, scene_ask(s, GFP_ATOMIC, 0, ALLOC_HIGHATOMIC); take_listed(s, 44, 0);)
PLAY(flag_too_large, scene_ask(s, GFP_ATOMIC, 3, ALLOC_HIGHATOMIC); take_listed(s, 72, 3);)
PLAY(last_resort, strip(s); scene_ask(s, GFP_KERNEL, 0, ALLOC_NON_BLOCK); take_listed(s, 32, 0);)
PLAY(not_the_last, scene_ask(s, GFP_KERNEL, 0, ALLOC_NON_BLOCK); take_listed(s, 32, 0);)
PLAY(cma_left, strip(s); scene_ask(s, GFP_HIGHUSER_MOVABLE, 0, ALLOC_OOM | ALLOC_CMA);
     take_listed(s, 32, 0);)
/* A Movable buddy of half a block is left, which NOFRAGMENT does not let it have. */
PLAY(small_left, strip(s); put_free(&s->w, 12, 1, MIGRATE_MOVABLE); scene_lock(s);
     scene_ask(s, GFP_KERNEL, 0, ALLOC_NON_BLOCK | ALLOC_NOFRAGMENT); take_listed(s, 32, 0);)
PLAY(block_left, strip(s); put_free(&s->w, 36, 2, MIGRATE_MOVABLE); scene_lock(s);
     scene_ask(s, GFP_KERNEL, 0, ALLOC_NON_BLOCK | ALLOC_NOFRAGMENT); take_listed(s, 32, 0);)

PLAY(cma_kept, z->cma_pages = 4; take_listed(s, 44, 0); retype_block(s, 36, MIGRATE_UNMOVABLE);)
PLAY(cma_lost, z->cma_pages = 4; take_listed(s, 44, 0); retype_block(s, 64, MIGRATE_MOVABLE);)
PLAY(cma_won, z->cma_pages = 4; take_listed(s, 44, 0); retype_block(s, 36, MIGRATE_CMA);)
PLAY(cma_isolated, z->cma_pages = 4; take_listed(s, 44, 0); s->w.blocks[16] |= PB_ISOLATE;)
PLAY(cma_reserved, cma_lost(s); s->event.type = EV_RESERVE_HIGHATOMIC;)
PLAY(cma_nowhere, take_listed(s, 44, 0); retype_block(s, 36, MIGRATE_UNMOVABLE);)

static void rights(void **state)
{
	static const struct row rows[] = {
		{"next to an isolated block", &prop_isolated_untouched, take_own, HOLDS},
		{"out of it", &prop_isolated_untouched, take_isolated, FAILS},
		{"its list changes", &prop_isolated_untouched, touch_isolated, FAILS},
		{"nothing is isolated", &prop_isolated_untouched, none_isolated, NOT_ASKED},
		{"own page", &prop_cma_rights, take_own, HOLDS},
		{"unmovable", &prop_cma_rights, take_cma, FAILS},
		{"movable, with the flag", &prop_cma_rights, movable_cma, NOT_ASKED},
		{"movable, without the flag", &prop_cma_rights, movable_no_flag, FAILS},
		{"the flag, not movable", &prop_cma_rights, flag_not_movable, FAILS},
		{"own page", &prop_highatomic_rights, take_own, HOLDS},
		{"without a right", &prop_highatomic_rights, plain_reserve, FAILS},
		{"with the flag", &prop_highatomic_rights, flag_reserve, HOLDS},
		{"with the flag, elsewhere", &prop_highatomic_rights, flag_elsewhere, FAILS},
		{"too large for the reserve", &prop_highatomic_rights, flag_too_large, HOLDS},
		{"last resort", &prop_highatomic_rights, last_resort, HOLDS},
		{"not the last", &prop_highatomic_rights, not_the_last, FAILS},
		{"CMA was left", &prop_highatomic_rights, cma_left, FAILS},
		{"only what mixes was left", &prop_highatomic_rights, small_left, HOLDS},
		{"a whole block was left", &prop_highatomic_rights, block_left, FAILS},
		{"another block changes", &prop_cma_stays, cma_kept, HOLDS},
		{"a CMA block changes", &prop_cma_stays, cma_lost, FAILS},
		{"a block becomes CMA", &prop_cma_stays, cma_won, FAILS},
		{"isolated, it is still CMA", &prop_cma_stays, cma_isolated, HOLDS},
		{"a CMA block is reserved", &prop_cma_stays, cma_reserved, FAILS},
		{"there is no CMA", &prop_cma_stays, cma_nowhere, NOT_ASKED},
	};

	(void)state;
	check_rows(rows, ARRAY_SIZE(rows), ask_decision);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(states),
		cmocka_unit_test(steps),
		cmocka_unit_test(admissions),
		cmocka_unit_test(rights),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
