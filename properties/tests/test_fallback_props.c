/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fallback, batches and mixing (spec 10.45 - 10.57, 10.63) on decisions made by hand (scene.h): for
 * each property the nearest legal decision and one step beyond it.
 *
 * Blocks have 4 pages, so a foreign buddy of order 0 or 1 is smaller than a block:
 *
 *      12   13   14   15          68   69   70   71          44   45   46   47
 *      [ free  ][held][  ]        [ free  ][held][  ]        [ free  ][ held ]
 *      Movable                    Movable                    Unmovable
 *
 * and 36 (order 2), 72 (order 3), 16 and 80.. (order 4) are Movable blocks that are free.
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

#define HOLDS VERDICT_HOLDS
#define FAILS VERDICT_FAILS
#define EXCUSED VERDICT_EXCUSED
#define NOT_ASKED VERDICT_MEANINGLESS
#define U MIGRATE_UNMOVABLE
#define M MIGRATE_MOVABLE
#define R MIGRATE_RECLAIMABLE

static void check_rows(const struct row *rows, u32 nr,
		       int (*ask)(struct scene *, const struct property *))
{
	static struct scene s;

	for (u32 i = 0; i < nr; i++) {
		int verdict;

		scene_begin(&s);
		rows[i].play(&s);
		verdict = ask(&s, rows[i].property);
		if (verdict != rows[i].verdict)
			fail_msg("%s: %s: verdict %d, not %d; %s", rows[i].property->id,
				 rows[i].intent, verdict, rows[i].verdict, s.why);
		scene_end(&s);
	}
}

/* ---- the state before ---------------------------------------------------- */

/* All Movable buddies of a block or more are gone; 12 and 68 are left. */
static void only_small(struct scene *s)
{
	for (u32 pfn = 0; pfn < 512; pfn++) {
		if ((s->w.pages[pfn].flags & PG_BUDDY) && s->w.pages[pfn].private >= 2 &&
		    s->w.blocks[pfn / 4] == M)
			take_free(&s->w, pfn);
	}
	scene_lock(s);
}

/*
 * The blocks of 12 and 68 have one free page each, at the head of the list 69, then 13; all others
 * are on the LRU: 1 free + 0 alike of 4 is not half a block.
 */
static void only_refused(struct scene *s)
{
	static const u8 lru[] = {12, 14, 15, 68, 70, 71};

	only_small(s);
	cut(s, 12, 0, M);
	cut(s, 68, 0, M);
	for (u32 i = 0; i < ARRAY_SIZE(lru); i++)
		s->w.pages[lru[i]].flags |= PG_LRU;
	scene_lock(s);
}

/* ---- what is left behind ------------------------------------------------- */

PLAY(claim_order_3, claim(s, 16, 3, U);)
PLAY(claim_part_only, claim(s, 16, 3, U); s->w.blocks[7] = M;)
PLAY(claim_page, claim(s, 16, 0, U);)
PLAY(claim_page_part_only, claim(s, 16, 0, U); retype_block(s, 28, M);)
PLAY(claim_small, claim(s, 12, 0, U);)
PLAY(claim_small_undone, claim(s, 12, 0, U); retype_block(s, 12, M);)
PLAY(claim_left_behind, claim(s, 12, 0, U); unlink_page(&s->w, 13);
     link_page(&s->w, 13, free_list_head(z, 0, M));)

PLAY(steal_12, steal(s, 12, 0, U);)
PLAY(steal_and_retype, steal(s, 12, 0, U); retype_block(s, 12, U);)
PLAY(steal_and_skip, steal(s, 12, 0, U); s->w.blocks[3] |= PB_COMPACT_SKIP;)
PLAY(steal_to_own, steal(s, 12, 0, U); unlink_page(&s->w, 13);
     link_page(&s->w, 13, free_list_head(z, 0, U));)
PLAY(steal_all, steal(s, 12, 1, U);)
PLAY(own_page, take_listed(s, 44, 0);)

/* ---- which one ----------------------------------------------------------- */

PLAY(steal_second, steal(s, 68, 0, U);)
/* 68 is Reclaimable now, which an Unmovable request looks at first. */
PLAY(steal_table, retype_block(s, 68, R); scene_lock(s); steal(s, 68, 0, U);)
PLAY(steal_against_table, retype_block(s, 68, R); scene_lock(s); steal(s, 12, 0, U);)
PLAY(steal_larger, cut(s, 68, 0, M); scene_lock(s); steal(s, 12, 0, U);)

PLAY(claim_16, claim(s, 16, 0, U);)
PLAY(claim_smaller, claim(s, 72, 0, U);)
PLAY(claim_not_head, claim(s, 80, 0, U);)
PLAY(steal_not_claim, only_small(s); steal(s, 12, 0, U);)
PLAY(claim_12, only_small(s); claim(s, 12, 0, U);)
PLAY(refused_steal, only_refused(s); steal(s, 69, 0, U);)
PLAY(refused_claim, only_refused(s); claim(s, 69, 0, U);)
/* One page that cannot move is alike: 1 + 1 of 4 is half a block. */
PLAY(just_worth, only_refused(s); s->w.pages[71].flags &= (u16)~PG_LRU; claim(s, 69, 0, U);)
PLAY(just_worth_stolen, only_refused(s); s->w.pages[71].flags &= (u16)~PG_LRU; steal(s, 69, 0, U);)
/* A block that reaches beyond its zone is never claimed. */
PLAY(at_the_edge, only_refused(s); s->w.pages[71].flags &= (u16)~PG_LRU; z->zone_start_pfn = 69;
     steal(s, 69, 0, U);)
PLAY(batch_of_steals, only_small(s); s->d.stolen_before = 1; steal(s, 12, 0, U);)

/* The block of 44 is as movable as can be, but movable requests claim nothing of order 0. */
static void movable_looks_at_45(struct scene *s)
{
	cut(s, 44, 0, U);
	s->w.pages[44].flags |= PG_LRU;
	s->w.pages[46].flags |= PG_LRU;
	s->w.pages[47].flags |= PG_LRU;
	scene_ask(s, GFP_HIGHUSER_MOVABLE, 0, 0);
	scene_lock(s);
}

PLAY(movable_steals, movable_looks_at_45(s); steal(s, 45, 0, M);)
PLAY(movable_claims, movable_looks_at_45(s); claim(s, 45, 0, M);)

/* ---- the boost ----------------------------------------------------------- */

/* The limit is 100 pages, a block 4. */
static void may_boost(struct scene *s, u32 boost)
{
	s->w.global.sysctl[SYSCTL_WATERMARK_BOOST_FACTOR] = 10000;
	s->w.zones[0]._watermark[WMARK_HIGH] = 100;
	s->w.zones[0].watermark_boost = boost;
	only_refused(s);
}

PLAY(boost_one, may_boost(s, 8); steal(s, 69, 0, U); z->watermark_boost = 12;)
PLAY(boost_none, may_boost(s, 8); steal(s, 69, 0, U);)
PLAY(boost_twice, may_boost(s, 8); steal(s, 69, 0, U); z->watermark_boost = 16;)
PLAY(boost_at_limit, may_boost(s, 98); steal(s, 69, 0, U); z->watermark_boost = 100;)
PLAY(boost_off, may_boost(s, 8); s->w.global.sysctl[SYSCTL_WATERMARK_BOOST_FACTOR] = 0;
     steal(s, 69, 0, U);)
PLAY(boost_whole_block, s->w.global.sysctl[SYSCTL_WATERMARK_BOOST_FACTOR] = 10000;
     z->_watermark[WMARK_HIGH] = 100; scene_lock(s); claim(s, 16, 0, U);)
PLAY(boosted_whole_block, boost_whole_block(s); z->watermark_boost = 4;)
PLAY(boost_in_batch, may_boost(s, 8); s->d.stolen_before = 1; steal(s, 69, 0, U);)

/* A boost for a pass with these flags, after which the zone has @zone_flags. */
static void flag_after(struct scene *s, u32 alloc_flags, u32 zone_flags)
{
	boost_one(s);
	s->pass.a = alloc_flags;
	s->w.zones[0].flags = zone_flags;
}

PLAY(flag_kswapd, flag_after(s, ALLOC_KSWAPD, ZONE_BOOSTED_WATERMARK);)
PLAY(flag_nobody, flag_after(s, 0, ZONE_BOOSTED_WATERMARK);)
PLAY(flag_missing, flag_after(s, ALLOC_KSWAPD, 0);)
PLAY(flag_clear, flag_after(s, 0, 0);)
PLAY(flag_older, flag_after(s, 0, ZONE_BOOSTED_WATERMARK);
     s->was.zone.flags = ZONE_BOOSTED_WATERMARK;)
PLAY(flag_in_batch, boost_in_batch(s); z->flags = ZONE_BOOSTED_WATERMARK;)

static void pass_ends(struct scene *s, u32 alloc_flags)
{
	flag_after(s, alloc_flags, ZONE_BOOSTED_WATERMARK);
	s->event = (struct event){.type = EV_GPFF_END, .pfn = 69};
	s->d.locks = 1;
}

PLAY(end_kswapd, pass_ends(s, ALLOC_KSWAPD);)
PLAY(end_others, pass_ends(s, 0);)

static void fallback(void **state)
{
	static const struct row rows[] = {
		{"all blocks of the buddy", &prop_claim_whole_blocks, claim_order_3, HOLDS},
		{"all but the last", &prop_claim_whole_blocks, claim_part_only, FAILS},
		{"less than a block", &prop_claim_whole_blocks, claim_page, NOT_ASKED},
		{"a page of a free block", &prop_claim_complete, claim_page, HOLDS},
		{"all but the last block", &prop_claim_complete, claim_page_part_only, FAILS},
		{"a page of a block in use", &prop_claim_complete, claim_small, HOLDS},
		{"the block is given back", &prop_claim_complete, claim_small_undone, FAILS},
		{"a page stays on its list", &prop_claim_complete, claim_left_behind, FAILS},
		{"the block stays", &prop_steal_in_place, steal_12, HOLDS},
		{"the block changes", &prop_steal_in_place, steal_and_retype, FAILS},
		{"compaction's mark is no type", &prop_steal_in_place, steal_and_skip, HOLDS},
		{"the rest goes with it", &prop_steal_in_place, steal_to_own, FAILS},
		{"nothing is left", &prop_steal_in_place, steal_all, HOLDS},
		{"first of the smallest list", &prop_steal_smallest, steal_12, HOLDS},
		{"second of it", &prop_steal_smallest, steal_second, FAILS},
		{"Reclaimable first", &prop_steal_smallest, steal_table, HOLDS},
		{"Movable before it", &prop_steal_smallest, steal_against_table, FAILS},
		{"order 1, though order 0 is there", &prop_steal_smallest, steal_larger, FAILS},
		{"the largest", &prop_claim_largest, claim_16, HOLDS},
		{"order 3, though order 4 is there", &prop_claim_largest, claim_smaller, FAILS},
		{"not the head of the list", &prop_claim_largest, claim_not_head, FAILS},
		{"2 free + 2 alike of 4", &prop_claim_largest, claim_12, HOLDS},
		{"stolen, though due", &prop_claim_largest, steal_not_claim, FAILS},
		{"1 free + 0 alike: stolen", &prop_claim_largest, refused_steal, HOLDS},
		{"1 free + 0 alike: claimed", &prop_claim_largest, refused_claim, FAILS},
		{"1 free + 1 alike: claimed", &prop_claim_largest, just_worth, HOLDS},
		{"1 free + 1 alike: stolen", &prop_claim_largest, just_worth_stolen, FAILS},
		{"half outside of the zone", &prop_claim_largest, at_the_edge, HOLDS},
		{"after a steal", &prop_claim_largest, batch_of_steals, NOT_ASKED},
		{"movable, order 0: stolen", &prop_claim_largest, movable_steals, HOLDS},
		{"movable, order 0: claimed", &prop_claim_largest, movable_claims, FAILS},
		{"one candidate, one block", &prop_boost_per_candidate, boost_one, HOLDS},
		{"one candidate, nothing", &prop_boost_per_candidate, boost_none, FAILS},
		{"one candidate, two blocks", &prop_boost_per_candidate, boost_twice, FAILS},
		{"at the limit", &prop_boost_per_candidate, boost_at_limit, NOT_ASKED},
		{"switched off", &prop_boost_per_candidate, boost_off, HOLDS},
		{"a whole block", &prop_boost_per_candidate, boost_whole_block, HOLDS},
		{"boost for it", &prop_boost_per_candidate, boosted_whole_block, FAILS},
		{"after a steal", &prop_boost_per_candidate, boost_in_batch, HOLDS},
		{"with KSWAPD", &prop_boosted_flag, flag_kswapd, HOLDS},
		{"without KSWAPD", &prop_boosted_flag, flag_nobody, FAILS},
		{"KSWAPD, but no flag", &prop_boosted_flag, flag_missing, FAILS},
		{"no KSWAPD, no flag", &prop_boosted_flag, flag_clear, HOLDS},
		{"an older flag stays", &prop_boosted_flag, flag_older, HOLDS},
		{"no boost, but a flag", &prop_boosted_flag, flag_in_batch, FAILS},
		{"the pass did not wake kswapd", &prop_boosted_flag, end_kswapd, FAILS},
		{"it need not", &prop_boosted_flag, end_others, NOT_ASKED},
	};

	(void)state;
	check_rows(rows, ARRAY_SIZE(rows), scene_verdict);
}

/* ---- batches ------------------------------------------------------------- */

PLAY(second_own, s->d.nr_before = 1; take_listed(s, 44, 0);)
PLAY(second_claimed, s->d.nr_before = 1; claim(s, 16, 0, U);)
PLAY(second_claim_due, take_free(&s->w, 44); scene_lock(s); second_claimed(s);)
PLAY(after_steal_steal, s->d.nr_before = s->d.stolen_before = 1; steal(s, 12, 0, U);)
PLAY(after_steal_own, second_own(s); s->d.stolen_before = 1;)
PLAY(after_steal_claim, second_claimed(s); s->d.stolen_before = 1;)
PLAY(first_steal, steal(s, 12, 0, U);)

/* A movable request that may use CMA; of its own type 12 is left, or nothing. */
static void movable_with_cma(struct scene *s, bool own)
{
	only_small(s);
	take_free(&s->w, 68);
	if (!own)
		take_free(&s->w, 12);
	scene_ask(s, GFP_HIGHUSER_MOVABLE, 0, ALLOC_CMA);
	scene_lock(s);
}

PLAY(cma_before_claim, movable_with_cma(s, false); take_listed(s, 64, 0);)
PLAY(claim_before_cma, movable_with_cma(s, false); steal(s, 44, 0, M);)
PLAY(second_claim_before_cma, claim_before_cma(s); s->d.nr_before = 1;)
/* 12 pages are free, 4 of them CMA. */
PLAY(own_before_cma, movable_with_cma(s, true); take_listed(s, 12, 0);)
PLAY(cma_before_own, movable_with_cma(s, true); take_listed(s, 64, 0);)

/* Of 6 free pages 4 are CMA: more than half. */
static void cma_due(struct scene *s)
{
	movable_with_cma(s, true);
	take_free(&s->w, 32);
	take_free(&s->w, 44);
	scene_lock(s);
}

PLAY(due_cma, cma_due(s); take_listed(s, 64, 0);)
PLAY(due_own, cma_due(s); take_listed(s, 12, 0);)
PLAY(due_after_steal, due_cma(s); s->d.nr_before = s->d.stolen_before = 1;)
PLAY(not_due_after_steal, cma_before_claim(s); s->d.nr_before = s->d.stolen_before = 1;)
PLAY(from_reserve, s->d.nr_before = 1; take_listed(s, 32, 0);)

/* ---- cutting ------------------------------------------------------------- */

PLAY(cut_small, scene_ask(s, GFP_HIGHUSER_MOVABLE, 0, 0); take_listed(s, 12, 0);)
PLAY(cut_larger, scene_ask(s, GFP_HIGHUSER_MOVABLE, 0, 0); take_listed(s, 36, 0);)
PLAY(cut_second, scene_ask(s, GFP_HIGHUSER_MOVABLE, 0, 0); take_listed(s, 68, 0);)
PLAY(cut_whole, scene_ask(s, GFP_HIGHUSER_MOVABLE, 3, 0); take_listed(s, 72, 3);)
PLAY(cut_claimed, claim(s, 16, 0, U);)
PLAY(cut_at_tail, claim(s, 16, 0, U); unlink_page(&s->w, 18);
     link_page(&s->w, 18, free_list_head(z, 1, U));)
PLAY(cut_lost, claim(s, 16, 0, U); take_free(&s->w, 20);)
/* The upper half is handed out: 12 stays, which is not the piece behind the page. */
PLAY(cut_upper, scene_ask(s, GFP_HIGHUSER_MOVABLE, 0, 0); take_listed(s, 12, 0);
     take_free(&s->w, 13); put_free(&s->w, 12, 0, M); s->event.pfn = 13;)

static void batches(void **state)
{
	static const struct row rows[] = {
		{"stolen again", &prop_batch_steals_on, after_steal_steal, HOLDS},
		{"own page after a steal", &prop_batch_steals_on, after_steal_own, FAILS},
		{"claim after a steal", &prop_batch_steals_on, after_steal_claim, FAILS},
		{"the first steal", &prop_batch_steals_on, first_steal, NOT_ASKED},
		{"CMA is due, also then", &prop_batch_steals_on, due_after_steal, HOLDS},
		{"own page", &prop_batch_modes, second_own, HOLDS},
		{"claim, though own pages are there", &prop_batch_modes, second_claimed, FAILS},
		{"claim, nothing else is left", &prop_batch_modes, second_claim_due, HOLDS},
		{"foreign, though CMA is there", &prop_batch_modes, second_claim_before_cma, FAILS},
		{"CMA is due", &prop_batch_modes, due_after_steal, HOLDS},
		{"CMA is not due", &prop_batch_modes, not_due_after_steal, FAILS},
		{"the first page", &prop_batch_modes, own_page, NOT_ASKED},
		{"the reserve is another matter", &prop_batch_modes, from_reserve, NOT_ASKED},
		{"own page", &prop_own_type_first, own_page, HOLDS},
		{"foreign, though own pages are there", &prop_own_type_first, first_steal, FAILS},
		{"CMA before foreign", &prop_own_type_first, cma_before_claim, HOLDS},
		{"foreign before CMA", &prop_own_type_first, claim_before_cma, FAILS},
		{"own before CMA", &prop_own_type_first, own_before_cma, HOLDS},
		{"CMA before own", &prop_own_type_first, cma_before_own, FAILS},
		{"CMA is due", &prop_own_type_first, due_cma, HOLDS},
		{"own, though CMA is due", &prop_own_type_first, due_own, FAILS},
		{"the smallest", &prop_split_law, cut_small, HOLDS},
		{"a larger one", &prop_split_law, cut_larger, FAILS},
		{"not the head", &prop_split_law, cut_second, FAILS},
		{"nothing to cut", &prop_split_law, cut_whole, HOLDS},
		{"pieces of a claim", &prop_split_law, cut_claimed, HOLDS},
		{"a piece at the tail", &prop_split_law, cut_at_tail, FAILS},
		{"a piece is missing", &prop_split_law, cut_lost, FAILS},
		{"the upper half", &prop_split_law, cut_upper, FAILS},
	};

	(void)state;
	check_rows(rows, ARRAY_SIZE(rows), scene_verdict);
}

/* ---- refills ------------------------------------------------------------- */

/* 44 and 45 are taken under one lock; 44 is handed out, 45 goes to the list. */
static void refill(struct scene *s)
{
	scene_lock(s);
	s->events[s->nr_events++] = (struct event){.type = EV_ZONE_LOCK};
	take_listed(s, 44, 0);
	s->events[s->nr_events++] = s->event;
	take_listed(s, 45, 0);
	s->events[s->nr_events++] = s->event;
	s->request.result_pfn = 44;
}

PLAY(refilled, refill(s); put_pcp(&s->w, 0, 0, 45, 0);)
PLAY(refill_lost, refill(s);)
PLAY(refill_failed, refilled(s); s->request.result_pfn = PFN_NONE;)
PLAY(refill_drained, refill(s);
     s->events[s->nr_events++] = (struct event){.type = EV_MM_PAGE_PCPU_DRAIN};)
PLAY(refill_bulk, refilled(s); s->request.kind = REQUEST_BULK; s->request.filled = 3;
     s->request.result_nr = 4; s->request.result_pfn = PFN_NONE;)
/* Both pages of one claim: it reports 12 twice, then 13. */
PLAY(refill_claim, scene_lock(s); claim(s, 12, 0, U); s->events[s->nr_events++] = s->claimed;
     s->events[s->nr_events++] = s->event; take_listed(s, 13, 0);
     s->events[s->nr_events++] = s->event; s->request.result_pfn = 12; put_pcp(&s->w, 0, 0, 13, 0);)

/* Four pages with a batch of two. */
PLAY(too_many, world_pcp(&s->w, 0, 0)->batch = 2; refilled(s); scene_lock(s); s->nr_events = 0;
     s->events[s->nr_events++] = (struct event){.type = EV_ZONE_LOCK};
     for (u32 pfn = 16; pfn < 20; pfn++)
	     s->events[s->nr_events++] = (struct event){.type = EV_MM_PAGE_ALLOC_ZONE_LOCKED,
							.pfn = pfn};
     s->request.result_pfn = 16; for (u32 pfn = 17; pfn < 20; pfn++) put_pcp(&s->w, 0, 0, pfn, 0);)
PLAY(just_enough, world_pcp(&s->w, 0, 0)->batch = 4; too_many(s); s->before.pcps[0].batch = 4;)
PLAY(nothing_taken, s->request.result_pfn = 8;)

static void refills(void **state)
{
	static const struct row rows[] = {
		{"one out, one on the list", &prop_refill_count, refilled, HOLDS},
		{"one is lost", &prop_refill_count, refill_lost, FAILS},
		{"nothing was handed out", &prop_refill_count, refill_failed, FAILS},
		{"a drain came between", &prop_refill_count, refill_drained, NOT_ASKED},
		{"the fourth of four slots", &prop_refill_count, refill_bulk, HOLDS},
		{"a claim is one page", &prop_refill_count, refill_claim, HOLDS},
		{"twice the batch", &prop_refill_count, too_many, FAILS},
		{"as many as the batch", &prop_refill_count, just_enough, HOLDS},
		{"from the list", &prop_refill_count, nothing_taken, NOT_ASKED},
	};

	(void)state;
	check_rows(rows, ARRAY_SIZE(rows), scene_step_verdict);
}

/* ---- mixing -------------------------------------------------------------- */

static void no_mix(struct scene *s, u32 order)
{
	scene_ask(s, GFP_KERNEL, order, ALLOC_NOFRAGMENT);
}

PLAY(nf_own, no_mix(s, 0); take_listed(s, 44, 0);)
PLAY(nf_claim, no_mix(s, 0); claim(s, 16, 0, U);)
PLAY(nf_claim_small, no_mix(s, 0); claim(s, 12, 0, U);)
PLAY(nf_steal, no_mix(s, 0); steal(s, 12, 0, U);)
PLAY(nf_retype, no_mix(s, 0); claim(s, 16, 0, U); retype_block(s, 12, U);)
PLAY(nf_foreign, no_mix(s, 0); take_listed(s, 12, 0);)
PLAY(nf_block, no_mix(s, 2); claim(s, 36, 2, U);)

/* Defrag_mode, a NORETRY request for a page of any order, in a pass with these flags. */
static void noretry(struct scene *s, u32 alloc_flags)
{
	s->w.global.sysctl[SYSCTL_DEFRAG_MODE] = 1;
	scene_ask(s, GFP_NOWAIT | __GFP_NORETRY, 0, alloc_flags);
	scene_lock(s);
}

PLAY(nr_steal, noretry(s, ALLOC_NON_BLOCK); steal(s, 12, 0, U);)
PLAY(nr_claim, noretry(s, ALLOC_NON_BLOCK); claim(s, 16, 0, U);)
PLAY(nr_claim_small, noretry(s, ALLOC_NON_BLOCK); claim(s, 12, 0, U);)
PLAY(nr_own, noretry(s, ALLOC_NON_BLOCK); take_listed(s, 44, 0);)
PLAY(nr_own_retypes, nr_own(s); retype_block(s, 12, U);)
PLAY(nr_rights, noretry(s, ALLOC_OOM); steal(s, 12, 0, U);)
PLAY(nr_bulk, nr_steal(s); s->d.pass = NULL; s->request.kind = REQUEST_BULK;)
PLAY(nr_retry, nr_steal(s); s->pass.gfp = GFP_NOWAIT;)
PLAY(nr_no_defrag, nr_steal(s); s->w.global.sysctl[SYSCTL_DEFRAG_MODE] = 0;)
PLAY(nr_no_dma32, nr_steal(s); s->w.machine.config_dma32 = 0;)
/* 12 is freed and captured: it was on no list, and more is free than before. */
PLAY(nr_capture, take_free(&s->w, 12); noretry(s, 0); s->d.pass = NULL; put_free(&s->w, 12, 1, M);
     s->event = (struct event){
	     .type = EV_MM_PAGE_ALLOC_EXTFRAG, .order = 1, .pfn = 12, .a = 1, .b = U, .c = M};)
PLAY(nr_unreserve, noretry(s, 0); s->d.pass = NULL;
     s->event = (struct event){.type = EV_UNRESERVE_HIGHATOMIC, .pfn = 32};)

/* Nothing of its own is left, and the pass goes away. */
static void goes_away(struct scene *s)
{
	take_free(&s->w, 44);
	noretry(s, ALLOC_NON_BLOCK);
	s->event = (struct event){.type = EV_ZONE_UNLOCK, .pfn = PFN_NONE};
}

PLAY(nr_resisted, goes_away(s);)
PLAY(nr_nothing_there, take_free(&s->w, 12); take_free(&s->w, 68); goes_away(s);)

static void mixing(void **state)
{
	static const struct row rows[] = {
		{"own page", &prop_nofragment, nf_own, HOLDS},
		{"a free block", &prop_nofragment, nf_claim, HOLDS},
		{"a block in use", &prop_nofragment, nf_claim_small, FAILS},
		{"a page", &prop_nofragment, nf_steal, FAILS},
		{"another block changes", &prop_nofragment, nf_retype, FAILS},
		{"from a foreign list", &prop_nofragment, nf_foreign, FAILS},
		{"a request for a block", &prop_nofragment, nf_block, NOT_ASKED},
		{"without NOFRAGMENT", &prop_nofragment, steal_12, NOT_ASKED},
		{"a page", &prop_no_fragment_noretry, nr_steal, FAILS},
		{"a free block", &prop_no_fragment_noretry, nr_claim, HOLDS},
		{"a block in use", &prop_no_fragment_noretry, nr_claim_small, FAILS},
		{"own page", &prop_no_fragment_noretry, nr_own, NOT_ASKED},
		{"own page, a block changes", &prop_no_fragment_noretry, nr_own_retypes, FAILS},
		{"rights to reserves", &prop_no_fragment_noretry, nr_rights, EXCUSED},
		{"the bulk API", &prop_no_fragment_noretry, nr_bulk, EXCUSED},
		{"without NORETRY", &prop_no_fragment_noretry, nr_retry, NOT_ASKED},
		{"without defrag_mode", &prop_no_fragment_noretry, nr_no_defrag, NOT_ASKED},
		{"without Dma32", &prop_no_fragment_noretry, nr_no_dma32, NOT_ASKED},
		{"a capture", &prop_no_fragment_noretry, nr_capture, EXCUSED},
		{"the reserve is undone", &prop_no_fragment_noretry, nr_unreserve, EXCUSED},
		{"a page was there, and stays", &prop_no_fragment_noretry, nr_resisted, HOLDS},
		{"no page was there", &prop_no_fragment_noretry, nr_nothing_there, NOT_ASKED},
	};

	(void)state;
	check_rows(rows, ARRAY_SIZE(rows), scene_verdict);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fallback),
		cmocka_unit_test(batches),
		cmocka_unit_test(refills),
		cmocka_unit_test(mixing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
