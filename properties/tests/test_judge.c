/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The judge on hand-made streams of events over the state of world.h: what steps and
 * decisions look like to properties, who is asked, what is counted. The properties are the
 * test's own and write down what they see; the last test listens to the port.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/port.h"
#include "properties/judge.h"
#include "properties/tests/world.h"
#include "properties/walk.h"

static struct world w;
static struct judge *judge;

/* ---- properties that look on --------------------------------------------- */

#define MAX_SEEN 8

static struct {
	u32 nr_steps;
	struct step steps[MAX_SEEN];
	struct event events[MAX_SEEN][4]; /* the first ones of each step */
	u32 zone0_high_before; /* of the last step */
	u32 nr_decisions;
	struct decision decisions[MAX_SEEN];
	struct zone_shot was[MAX_SEEN];
	u8 was_block3[MAX_SEEN]; /* flags of block 3 then */
	struct event pass[MAX_SEEN];
} seen;

/* The verdict is what the request has in nr. */
static int see_step(const struct step *step, char why[WHY_SIZE])
{
	u32 i = seen.nr_steps++;

	assert_true(i < MAX_SEEN);
	seen.steps[i] = *step;
	for (u32 e = 0; e < min_u32(step->nr_events, 4); e++)
		seen.events[i][e] = step->events[e];
	seen.zone0_high_before = step->before->zones[0]._watermark[WMARK_HIGH];
	snprintf(why, WHY_SIZE, "step %u", i);
	return (int)step->request->nr;
}

/* The verdict is what the event has in gfp. */
static int see_decision(const struct decision *d, char why[WHY_SIZE])
{
	u32 i = seen.nr_decisions++;

	assert_true(i < MAX_SEEN);
	seen.decisions[i] = *d;
	seen.was[i] = *d->was;
	seen.was_block3[i] = zone_shot_block(d->was, 3);
	if (d->pass)
		seen.pass[i] = *d->pass;
	snprintf(why, WHY_SIZE, "decision %u", i);
	return (int)d->event->gfp;
}

static int see_look(const struct decision *d, char why[WHY_SIZE])
{
	u32 i = seen.nr_decisions++;

	(void)why;
	assert_true(i < MAX_SEEN);
	seen.decisions[i] = *d;
	seen.pass[i] = *d->pass;
	return (int)d->event->gfp;
}

static bool lru_is_empty(const struct walk *walk, char why[WHY_SIZE])
{
	return !walk->view->global->lru_pages || fails(why, "%u", walk->view->global->lru_pages);
}

static const struct property steps = {.id = "steps",
				      .requests = REQUEST_BIT(REQUEST_ALLOC),
				      .step = see_step,
				      .promise = PROMISE_ALL};
static const struct property decisions = {
	.id = "decisions",
	.events = EV_BIT(EV_MM_PAGE_ALLOC_ZONE_LOCKED) | EV_BIT(EV_MM_PAGE_ALLOC_EXTFRAG) |
		  EV_BIT(EV_ZONE_UNLOCK),
	.decision = see_decision,
	.promise = PROMISE_V1 | PROMISE_V2,
};
static const struct property state = {
	.id = "state", .holds = lru_is_empty, .promise = PROMISE_NOT_V1};
static const struct property unpromised = {
	.id = "unpromised", .requests = REQUEST_ANY, .step = see_step};

enum { STEPS, DECISIONS, STATE };
static const struct property *const list[] = {&steps, &decisions, &state};

/* ---- streams ------------------------------------------------------------- */

static int setup(void **unused)
{
	(void)unused;
	memset(&seen, 0, sizeof(seen));
	world_build(&w);
	judge = judge_create(&w.view, list, ARRAY_SIZE(list), PROMISE_ALL | PROMISE_V2);
	assert_non_null(judge);
	return 0;
}

static int teardown(void **unused)
{
	(void)unused;
	judge_destroy(judge);
	return 0;
}

static struct request request(u32 kind, u32 verdict)
{
	return (struct request){.kind = (u8)kind, .nr = verdict};
}

/* A step without events; the property of steps answers @verdict. */
static void step(u32 kind, u32 verdict)
{
	struct request rq = request(kind, verdict);

	judge_begin(judge, &rq);
	judge_end(judge, &rq);
}

static void event(u32 type, u32 zone, u32 pfn, u32 a, u32 verdict)
{
	struct event ev = {.type = (u8)type, .zone = (u8)zone, .pfn = pfn, .a = a, .gfp = verdict};

	judge_event(judge, &ev);
}

static void assert_count(u32 property, u32 meaningful, u32 failed, u32 excused)
{
	const struct property_count *count = &judge_counts(judge)[property];

	assert_int_equal(count->meaningful, meaningful);
	assert_int_equal(count->failed, failed);
	assert_int_equal(count->excused, excused);
}

/* ---- counts -------------------------------------------------------------- */

/* Holding and failing steps are meaningful, excused ones are counted apart, others not at all. */
static void test_counts(void **unused)
{
	(void)unused;
	step(REQUEST_ALLOC, VERDICT_HOLDS);
	step(REQUEST_ALLOC, VERDICT_EXCUSED);
	step(REQUEST_ALLOC, VERDICT_HOLDS);
	step(REQUEST_ALLOC, VERDICT_MEANINGLESS);
	step(REQUEST_ALLOC, VERDICT_FAILS);
	assert_count(STEPS, 3, 1, 1);
	assert_count(DECISIONS, 0, 0, 0);
	assert_int_equal(judge_nr_violations(judge), 1);
	assert_ptr_equal(judge_violation(judge, 0)->property, &steps);
	assert_string_equal(judge_violation(judge, 0)->why, "step 4");
	assert_null(judge_violation(judge, 1));
}

/* A property is asked only for the requests and the events that it names. */
static void test_interest(void **unused)
{
	struct request rq = request(REQUEST_ALLOC, VERDICT_HOLDS);

	(void)unused;
	step(REQUEST_FREE, VERDICT_FAILS);
	assert_int_equal(seen.nr_steps, 0);
	judge_begin(judge, &rq);
	event(EV_ZONE_LOCK, 0, PFN_NONE, 0, 0);
	event(EV_MM_PAGE_PCPU_DRAIN, 0, 12, 0, VERDICT_FAILS);
	assert_int_equal(seen.nr_decisions, 0);
	judge_end(judge, &rq);
	assert_int_equal(judge_nr_violations(judge), 0);
}

/* The text of the first failure stays, later ones follow it. */
static void test_violations_in_order(void **unused)
{
	(void)unused;
	for (u32 i = 0; i < MAX_SEEN; i++)
		step(REQUEST_ALLOC, i == 2 || i == 5 ? VERDICT_FAILS : VERDICT_HOLDS);
	assert_int_equal(judge_nr_violations(judge), 2);
	assert_string_equal(judge_violation(judge, 0)->why, "step 2");
	assert_string_equal(judge_violation(judge, 1)->why, "step 5");
}

/* What the subject does not promise is counted, but no violation; one promise of several is enough. */
static void test_promises(void **unused)
{
	struct request rq = request(REQUEST_ALLOC, VERDICT_HOLDS);
	struct walk *walk = walk_create(&w.view);

	(void)unused;
	assert_non_null(walk);
	assert_true(w.global.lru_pages > 0);
	judge_moment(judge, walk, &w.now);
	assert_count(STATE, 1, 1, 0);
	assert_int_equal(judge_nr_violations(judge), 0);

	judge_begin(judge, &rq);
	event(EV_ZONE_LOCK, 0, PFN_NONE, 0, 0);
	event(EV_ZONE_UNLOCK, 0, PFN_NONE, 0, VERDICT_FAILS);
	judge_end(judge, &rq);
	assert_int_equal(judge_nr_violations(judge), 1);
	assert_ptr_equal(judge_violation(judge, 0)->property, &decisions);
	walk_destroy(walk);
}

/* A property that nobody promises never makes a violation, whatever the subject is. */
static void test_nobody_promises(void **unused)
{
	static const struct property *const alone[] = {&unpromised};

	(void)unused;
	judge_destroy(judge);
	judge = judge_create(&w.view, alone, 1, UINT32_MAX);
	assert_non_null(judge);
	step(REQUEST_MACHINE, VERDICT_FAILS);
	assert_count(0, 1, 1, 0);
	assert_int_equal(judge_nr_violations(judge), 0);
}

/* State properties are meaningful once for each walk. */
static void test_moments(void **unused)
{
	struct walk *walk = walk_create(&w.view);

	(void)unused;
	assert_non_null(walk);
	judge_moment(judge, walk, &w.now);
	w.global.lru_pages = 0;
	judge_moment(judge, walk, &w.now);
	judge_moment(judge, walk, &w.now);
	assert_count(STATE, 3, 1, 0);
	walk_destroy(walk);
}

/* A new case forgets violations and steps that did not end; counts add up until they are taken. */
static void test_reset(void **unused)
{
	struct request rq = request(REQUEST_ALLOC, VERDICT_FAILS);
	struct property_count sum[ARRAY_SIZE(list)] = {[STEPS] = {.meaningful = 10, .excused = 5}};

	(void)unused;
	step(REQUEST_ALLOC, VERDICT_FAILS);
	judge_begin(judge, &rq);
	judge_reset(judge);
	assert_int_equal(judge_nr_violations(judge), 0);
	assert_count(STEPS, 1, 1, 0);
	event(EV_MM_PAGE_FREE, 0, 1, 0, 0);
	step(REQUEST_ALLOC, VERDICT_HOLDS);
	assert_int_equal(seen.steps[1].nr_events, 0);
	assert_false(seen.steps[1].interleaved);
	judge_take_counts(judge, sum);
	assert_int_equal(sum[STEPS].meaningful, 12);
	assert_int_equal(sum[STEPS].failed, 1);
	assert_int_equal(sum[STEPS].excused, 5);
	assert_count(STEPS, 0, 0, 0);
}

/* ---- steps --------------------------------------------------------------- */

/* A step has the state before it beside the one now, and its events in order. */
static void test_step(void **unused)
{
	struct request rq = request(REQUEST_ALLOC, VERDICT_HOLDS);
	const struct step *s = &seen.steps[0];

	(void)unused;
	w.zones[0]._watermark[WMARK_HIGH] = 7;
	judge_begin(judge, &rq);
	event(EV_GPFF, 0, PFN_NONE, ALLOC_WMARK_LOW, 0);
	w.zones[0]._watermark[WMARK_HIGH] = 8;
	event(EV_ENV_CALL, ZONE_ANY, PFN_NONE, ENV_RECLAIM, 0);
	event(EV_ENV_CALL, ZONE_ANY, PFN_NONE, ENV_COMPACT, 0);
	event(EV_GPFF, 1, PFN_NONE, ALLOC_WMARK_MIN, 0);
	rq.result_pfn = 44;
	judge_end(judge, &rq);
	assert_int_equal(seen.zone0_high_before, 7);
	assert_int_equal(s->view->zones[0]._watermark[WMARK_HIGH], 8);
	assert_int_equal(s->nr_events, 4);
	assert_int_equal(seen.events[0][0].type, EV_GPFF);
	assert_int_equal(seen.events[0][3].a, ALLOC_WMARK_MIN);
	assert_false(s->interleaved);
	assert_false(s->events_lost);

	assert_ptr_equal(step_find(s, EV_GPFF, 0), &s->events[0]);
	assert_ptr_equal(step_find(s, EV_GPFF, 1), &s->events[3]);
	assert_null(step_find(s, EV_GPFF, 4));
	assert_int_equal(step_count(s, EV_ENV_CALL), 2);
	assert_int_equal(step_index(s, &s->events[3]), 3);
}

/*
 * 4,096 events fit; of the next one the step says that it is lost, knows its type but does not find it,
 * and the step after is whole.
 */
static void test_events_lost(void **unused)
{
	struct request rq = request(REQUEST_ALLOC, VERDICT_HOLDS);

	(void)unused;
	for (u32 lost = 0; lost <= 1; lost++) {
		judge_begin(judge, &rq);
		for (u32 i = 0; i < 4096; i++)
			event(EV_MM_PAGE_FREE, 0, 1, 0, 0);
		for (u32 i = 0; i < lost; i++)
			event(EV_WARN, 0, 1, 0, 0);
		judge_end(judge, &rq);
	}
	step(REQUEST_ALLOC, VERDICT_HOLDS);
	assert_int_equal(seen.steps[0].nr_events, 4096);
	assert_false(seen.steps[0].events_lost);
	assert_int_equal(seen.steps[1].nr_events, 4096);
	assert_true(seen.steps[1].events_lost);
	assert_true(seen.steps[1].seen & EV_BIT(EV_WARN));
	assert_null(step_find(&seen.steps[1], EV_WARN, 0));
	assert_int_equal(step_count(&seen.steps[1], EV_MM_PAGE_FREE), 4096);
	assert_int_equal(seen.steps[2].nr_events, 0);
	assert_false(seen.steps[2].events_lost);
}

/*
 * Events between begin and end of an inner step are the inner step's; the outer one is interleaved.
 *
 *      outer  --A--[ inner --B-- ]--C--
 */
static void test_nested(void **unused)
{
	struct request outer = request(REQUEST_ALLOC, VERDICT_HOLDS);
	struct request inner = request(REQUEST_ALLOC, VERDICT_FAILS);

	(void)unused;
	judge_begin(judge, &outer);
	event(EV_MM_PAGE_FREE, 0, 'A', 0, 0);
	judge_begin(judge, &inner);
	event(EV_MM_PAGE_FREE, 0, 'B', 0, 0);
	judge_end(judge, &inner);
	event(EV_MM_PAGE_FREE, 0, 'C', 0, 0);
	judge_end(judge, &outer);
	step(REQUEST_ALLOC, VERDICT_HOLDS);

	assert_int_equal(seen.steps[0].nr_events, 1);
	assert_int_equal(seen.events[0][0].pfn, 'B');
	assert_false(seen.steps[0].interleaved);
	assert_ptr_equal(seen.steps[0].request, &inner);
	assert_int_equal(seen.steps[1].nr_events, 2);
	assert_int_equal(seen.events[1][0].pfn, 'A');
	assert_int_equal(seen.events[1][1].pfn, 'C');
	assert_true(seen.steps[1].interleaved);
	assert_ptr_equal(seen.steps[1].request, &outer);
	assert_false(seen.steps[2].interleaved);
	assert_string_equal(judge_violation(judge, 0)->why, "step 0");
}

/* What happens between steps belongs to nobody. */
static void test_outside(void **unused)
{
	(void)unused;
	event(EV_ZONE_LOCK, 0, PFN_NONE, 0, 0);
	event(EV_ZONE_UNLOCK, 0, PFN_NONE, 0, VERDICT_FAILS);
	step(REQUEST_ALLOC, VERDICT_HOLDS);
	assert_int_equal(seen.nr_decisions, 0);
	assert_int_equal(seen.steps[0].nr_events, 0);
}

/* ---- decisions ----------------------------------------------------------- */

static u32 first_before(u32 decision, u32 order, u32 mt)
{
	return shot_first(&seen.was[decision], order, mt);
}

/*
 * The order-1 Movable list of zone 0 is 12, 68. Each decision sees the lists as the one before it
 * left them, and the view as it is after its own:
 *
 *      lock    12, 68 |take 12|  68  |take 68|  empty    unlock
 *                 was ^       ^ was, then view
 */
static void test_decisions(void **unused)
{
	struct request rq = request(REQUEST_BULK, 0);
	u32 blocks = w.zones[0].spanned_pages / 4;

	(void)unused;
	judge_begin(judge, &rq);
	event(EV_ZONE_LOCK, 0, PFN_NONE, 0, 0);
	take_free(&w, 12);
	event(EV_MM_PAGE_ALLOC_ZONE_LOCKED, 0, 12, MIGRATE_MOVABLE, VERDICT_HOLDS);
	take_free(&w, 68);
	w.blocks[3] = MIGRATE_RECLAIMABLE;
	event(EV_MM_PAGE_ALLOC_ZONE_LOCKED, 0, 68, MIGRATE_MOVABLE, VERDICT_FAILS);
	event(EV_ZONE_UNLOCK, 0, PFN_NONE, 0, VERDICT_HOLDS);
	judge_end(judge, &rq);

	assert_int_equal(seen.nr_decisions, 3);
	assert_int_equal(first_before(0, 1, MIGRATE_MOVABLE), 12);
	assert_int_equal(first_before(1, 1, MIGRATE_MOVABLE), 68);
	assert_int_equal(first_before(2, 1, MIGRATE_MOVABLE), PFN_NONE);
	assert_int_equal(first_before(0, 1, MIGRATE_UNMOVABLE), 44);
	assert_int_equal(first_before(0, 13, MIGRATE_TYPES - 1), PFN_NONE);
	assert_int_equal(seen.was[0].zone.nr_free[1], 3);
	assert_int_equal(seen.was[1].zone.nr_free[1], 2);
	assert_int_equal(seen.was[0].nr_blocks, blocks);
	assert_int_equal(seen.was_block3[1], MIGRATE_MOVABLE);
	assert_int_equal(seen.was_block3[2], MIGRATE_RECLAIMABLE);
	assert_ptr_equal(seen.decisions[0].zone, &w.zones[0]);
	assert_ptr_equal(seen.decisions[0].request, &rq);
	for (u32 i = 0; i < 3; i++)
		assert_int_equal(seen.decisions[i].nr_before, i);
	assert_count(DECISIONS, 3, 1, 0);
	assert_string_equal(judge_violation(judge, 0)->why, "decision 1");
}

/* Zone 1 begins at page 520, block 130: its blocks are its own. */
static void test_second_zone(void **unused)
{
	struct request rq = request(REQUEST_BULK, 0);

	(void)unused;
	judge_begin(judge, &rq);
	event(EV_ZONE_LOCK, 1, PFN_NONE, 0, 0);
	event(EV_ZONE_UNLOCK, 1, PFN_NONE, 0, VERDICT_HOLDS);
	judge_end(judge, &rq);
	assert_int_equal(seen.was[0].first_block, 130);
	assert_int_equal(seen.was[0].nr_blocks, 16);
	assert_int_equal(first_before(0, 3, MIGRATE_MOVABLE), 520);
	assert_int_equal(seen.was_block3[0], 0xff);
}

/* Without the lock, or under that of another zone, there is no decision. */
static void test_no_decision(void **unused)
{
	struct request rq = request(REQUEST_FREE, 0);

	(void)unused;
	judge_begin(judge, &rq);
	event(EV_MM_PAGE_ALLOC_ZONE_LOCKED, 0, 12, 0, VERDICT_FAILS);
	event(EV_ZONE_LOCK, 1, PFN_NONE, 0, 0);
	event(EV_MM_PAGE_ALLOC_ZONE_LOCKED, 0, 12, 0, VERDICT_FAILS);
	event(EV_ZONE_UNLOCK, 1, PFN_NONE, 0, VERDICT_HOLDS);
	event(EV_MM_PAGE_ALLOC_ZONE_LOCKED, 1, 12, 0, VERDICT_FAILS);
	judge_end(judge, &rq);
	assert_int_equal(seen.nr_decisions, 1);
	assert_int_equal(judge_nr_violations(judge), 0);
}

/* A decision knows the flags of the pass that it serves, the latest ones; none after its end. */
static void test_pass(void **unused)
{
	struct request rq = request(REQUEST_FREE, 0);

	(void)unused;
	judge_begin(judge, &rq);
	event(EV_ZONE_LOCK, 0, PFN_NONE, 0, 0);
	event(EV_ZONE_UNLOCK, 0, PFN_NONE, 0, VERDICT_HOLDS);
	event(EV_GPFF, 0, PFN_NONE, ALLOC_WMARK_LOW | ALLOC_NOFRAGMENT, 0);
	event(EV_GPFF, 0, PFN_NONE, ALLOC_WMARK_LOW, 0);
	event(EV_ZONE_LOCK, 0, PFN_NONE, 0, 0);
	event(EV_ZONE_UNLOCK, 0, PFN_NONE, 0, VERDICT_HOLDS);
	event(EV_GPFF_END, 0, 12, 0, 0);
	event(EV_ZONE_LOCK, 0, PFN_NONE, 0, 0);
	event(EV_ZONE_UNLOCK, 0, PFN_NONE, 0, VERDICT_HOLDS);
	judge_end(judge, &rq);
	assert_null(seen.decisions[0].pass);
	assert_non_null(seen.decisions[1].pass);
	assert_int_equal(seen.pass[1].a, ALLOC_WMARK_LOW);
	assert_null(seen.decisions[2].pass);
}

/*
 * Of four fallbacks under one lock two are steals: a claim gave the block (12..15) away, and the
 * third buddy (order 2) is a whole block. The next lock counts from 0.
 */
static void test_stolen(void **unused)
{
	struct request rq = request(REQUEST_FREE, 0);

	(void)unused;
	judge_begin(judge, &rq);
	event(EV_ZONE_LOCK, 0, PFN_NONE, 0, 0);
	event(EV_MM_PAGE_ALLOC_EXTFRAG, 0, 68, 1, VERDICT_HOLDS);
	w.blocks[3] = MIGRATE_UNMOVABLE;
	event(EV_MM_PAGE_ALLOC_EXTFRAG, 0, 12, 1, VERDICT_HOLDS);
	event(EV_MM_PAGE_ALLOC_EXTFRAG, 0, 36, 2, VERDICT_HOLDS);
	event(EV_MM_PAGE_ALLOC_EXTFRAG, 0, 13, 0, VERDICT_HOLDS);
	event(EV_ZONE_UNLOCK, 0, PFN_NONE, 0, VERDICT_HOLDS);
	event(EV_ZONE_LOCK, 0, PFN_NONE, 0, 0);
	event(EV_ZONE_UNLOCK, 0, PFN_NONE, 0, VERDICT_HOLDS);
	judge_end(judge, &rq);
	assert_int_equal(seen.nr_decisions, 6);
	assert_int_equal(seen.decisions[1].stolen_before, 1);
	assert_int_equal(seen.decisions[2].stolen_before, 1);
	assert_int_equal(seen.decisions[3].stolen_before, 1);
	assert_int_equal(seen.decisions[4].stolen_before, 2);
	assert_int_equal(seen.decisions[4].nr_before, 4);
	assert_int_equal(seen.decisions[5].stolen_before, 0);
	assert_int_equal(seen.decisions[5].nr_before, 0);
}

/*
 * The ZONE_LOCKED and the EXTFRAG of one page are one decision: 12 is taken from block 3, which was
 * Movable before both. The next EXTFRAG is of another page, and its own decision.
 */
static void test_claimed(void **unused)
{
	struct request rq = request(REQUEST_BULK, 0);

	(void)unused;
	judge_begin(judge, &rq);
	event(EV_ZONE_LOCK, 0, PFN_NONE, 0, 0);
	w.blocks[3] = MIGRATE_UNMOVABLE;
	take_free(&w, 12);
	event(EV_MM_PAGE_ALLOC_ZONE_LOCKED, 0, 12, MIGRATE_UNMOVABLE, VERDICT_HOLDS);
	event(EV_MM_PAGE_ALLOC_EXTFRAG, 0, 12, 1, VERDICT_HOLDS);
	take_free(&w, 68);
	event(EV_MM_PAGE_ALLOC_EXTFRAG, 0, 68, 1, VERDICT_HOLDS);
	event(EV_ZONE_UNLOCK, 0, PFN_NONE, 0, VERDICT_HOLDS);
	judge_end(judge, &rq);
	assert_null(seen.decisions[0].claimed);
	assert_non_null(seen.decisions[1].claimed);
	assert_int_equal(first_before(1, 1, MIGRATE_MOVABLE), 12);
	assert_int_equal(seen.was_block3[1], MIGRATE_MOVABLE);
	assert_int_equal(seen.decisions[1].nr_before, 0);
	assert_null(seen.decisions[2].claimed);
	assert_int_equal(first_before(2, 1, MIGRATE_MOVABLE), 68);
	assert_int_equal(seen.was_block3[2], MIGRATE_UNMOVABLE);
	assert_int_equal(seen.decisions[2].nr_before, 1);
	assert_int_equal(seen.decisions[3].nr_before, 2);
	assert_int_equal(seen.decisions[3].stolen_before, 1);
}

/* Beginning and end of a pass can be looked at as well: no lock, nothing before, the locks counted. */
static void test_look(void **unused)
{
	static const struct property looks = {.id = "looks",
					      .events = EV_BIT(EV_GPFF) | EV_BIT(EV_GPFF_END),
					      .decision = see_look};
	static const struct property *const alone[] = {&looks};
	struct request rq = request(REQUEST_ALLOC, VERDICT_HOLDS);

	(void)unused;
	judge_destroy(judge);
	judge = judge_create(&w.view, alone, 1, 0);
	assert_non_null(judge);
	judge_begin(judge, &rq);
	event(EV_ZONE_LOCK, 0, PFN_NONE, 0, 0);
	event(EV_ZONE_UNLOCK, 0, PFN_NONE, 0, 0);
	event(EV_GPFF, ZONE_ANY, PFN_NONE, ALLOC_WMARK_LOW, VERDICT_HOLDS);
	event(EV_ZONE_LOCK, 0, PFN_NONE, 0, 0);
	event(EV_ZONE_UNLOCK, 0, PFN_NONE, 0, 0);
	event(EV_GPFF_END, 1, 12, ALLOC_WMARK_LOW, VERDICT_HOLDS);
	judge_end(judge, &rq);
	assert_int_equal(seen.nr_decisions, 2);
	assert_null(seen.decisions[0].zone);
	assert_ptr_equal(seen.decisions[1].zone, &w.zones[1]);
	for (u32 i = 0; i < 2; i++) {
		assert_null(seen.decisions[i].was);
		assert_int_equal(seen.pass[i].a, ALLOC_WMARK_LOW);
		assert_int_equal(seen.decisions[i].locks, i);
	}
}

/* ---- on the port --------------------------------------------------------- */

static int no_order_4(const struct decision *d, char why[WHY_SIZE])
{
	fails(why, "page %u was first on the list of order 10",
	      shot_first(d->was, 10, MIGRATE_MOVABLE));
	return d->event->order == 4 ? VERDICT_FAILS : VERDICT_HOLDS;
}

/* A freed page may not come back to where it was. */
static int free_pages_stay(const struct step *step, char why[WHY_SIZE])
{
	s64 before = step->before->zones[0].vm_stat[NR_FREE_PAGES];
	s64 now = step->view->zones[0].vm_stat[NR_FREE_PAGES];

	if (before == now)
		return VERDICT_HOLDS;
	fails(why, "%d more", (int)(now - before));
	return VERDICT_FAILS;
}

static const struct property bad_decision = {.id = "bad-decision",
					     .events = EV_BIT(EV_MM_PAGE_ALLOC_ZONE_LOCKED),
					     .decision = no_order_4,
					     .promise = PROMISE_ALL};
static const struct property bad_step = {.id = "bad-step",
					 .requests = REQUEST_BIT(REQUEST_FREE),
					 .step = free_pages_stay,
					 .promise = PROMISE_ALL};

static void port_event(void *ctx, const struct event *ev)
{
	judge_event(ctx, ev);
}

/*
 * One zone of 4,096 movable pages in four buddies of order 10. An order-4 page is cut off the first
 * one, then freed: 16 pages more, as order 4 is not cached.
 */
static void test_port(void **unused)
{
	static const struct property *const bad[] = {&bad_decision, &bad_step};
	struct request rq = {.kind = REQUEST_ALLOC, .order = 4};
	struct observer observer = {.event = port_event, .mask = JUDGE_EVENTS};
	struct op_report report;
	struct machine machine;
	struct memory *m;
	struct judge *j;
	u32 pfn;

	(void)unused;
	machine_init(&machine);
	machine.nr_nodes = machine.nr_zones = 1;
	machine.zones[0] = (struct machine_zone){.type = ZONE_NORMAL, .pages = 4096};
	m = memory_create(&machine);
	assert_non_null(m);
	j = judge_create(memory_view(m), bad, 2, PROMISE_ALL);
	assert_non_null(j);
	observer.ctx = j;
	memory_observe(m, &observer);

	memory_begin_op(m, NULL, 0);
	judge_begin(j, &rq);
	pfn = alloc_pages(m, GFP_HIGHUSER_MOVABLE, 4, 0, NODEMASK_NULL);
	judge_end(j, &rq);
	assert_int_equal(judge_nr_violations(j), 1);
	rq.kind = REQUEST_FREE;
	judge_begin(j, &rq);
	__free_pages(m, pfn, 4);
	judge_end(j, &rq);
	memory_end_op(m, &report);

	assert_int_equal(judge_nr_violations(j), 2);
	assert_ptr_equal(judge_violation(j, 0)->property, &bad_decision);
	assert_string_equal(judge_violation(j, 0)->why, "page 0 was first on the list of order 10");
	assert_ptr_equal(judge_violation(j, 1)->property, &bad_step);
	assert_string_equal(judge_violation(j, 1)->why, "16 more");
	judge_destroy(j);
	memory_destroy(m);
}

#define judge_test(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		judge_test(test_counts),
		judge_test(test_interest),
		judge_test(test_violations_in_order),
		judge_test(test_promises),
		judge_test(test_nobody_promises),
		judge_test(test_moments),
		judge_test(test_reset),
		judge_test(test_step),
		judge_test(test_events_lost),
		judge_test(test_nested),
		judge_test(test_outside),
		judge_test(test_decisions),
		judge_test(test_second_zone),
		judge_test(test_no_decision),
		judge_test(test_pass),
		judge_test(test_stolen),
		judge_test(test_claimed),
		judge_test(test_look),
		cmocka_unit_test(test_port),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
