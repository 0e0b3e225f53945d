/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * NORETRY: a caller with a fallback wants a quick answer (spec 10.6, rules 59, 60 and 62).
 *
 *      7.3.4        G | W G C ; W G R G C G ; NULL      one reclaim, two compactions
 *      with V1      G | W G ; NULL                      costly, without THISNODE
 *
 * G look, W wake kswapd, C compaction, R reclaim; "|" ends the fast path, ";" a round.
 */
#include "properties/slowpath.h"

/* ---- the headline of V1 -------------------------------------------------- */

static bool stalls(const struct event *e)
{
	return is_reclaim(e) || is_env_call(e, ENV_COMPACT) || is_drain(e) || is_oom(e);
}

/* Node reclaim in the fast path is outside of V1, and not counted (spec 6.2). */
static int no_stall_costly_noretry(const struct step *s, char why[WHY_SIZE])
{
	const struct event *e;
	const struct slow *slow = slow_of(s);

	if (!slow || !slow_has_cheap_fallback(slow) || !slow->blocking)
		return VERDICT_MEANINGLESS;
	e = slow_last(slow, stalls);
	if (e)
		return breaks(why, "order %u, gfp %#x: %s at event %u", s->request->order,
			      s->request->gfp,
			      is_drain(e) ? event_names[e->type] : env_call_names[e->a],
			      step_index(s, e));
	return VERDICT_HOLDS;
}

const struct property prop_no_stall_costly_noretry = {
	.id = "no-stall-costly-noretry",
	.rule = "spec 10.59",
	.sentence =
		"A request above order 3 with NORETRY, without THISNODE, that its fast path does "
		"not serve causes no direct reclaim, no direct compaction, no drain_all_pages "
		"and no OOM kill, though it may block.",
	.needs = "inner",
	.promise = PROMISE_V1,
	.requests = REQUEST_BIT(REQUEST_ALLOC),
	.only = ONLY_SLOW,
	.step = no_stall_costly_noretry,
};

/* ---- 59: number of looks ------------------------------------------------- */

/*
 * Only NOFRAGMENT is gone: the look allows mixed blocks now. V2 forbids this one to a NORETRY
 * request, which is no-fragment-noretry's to say.
 */
static bool is_relaxed(const struct look *look, const struct look *before)
{
	return before->begin && before->begin->a == (look->begin->a | ALLOC_NOFRAGMENT) &&
	       before->begin->a != look->begin->a;
}

static int costly_noretry_looks(const struct step *s, char why[WHY_SIZE])
{
	struct look look, before = {0};
	u32 fast = 0, looks = 0, relaxed = 0;
	const struct slow *slow = slow_of(s);

	if (!slow || !slow_has_cheap_fallback(slow))
		return VERDICT_MEANINGLESS;
	if (slow_last(slow, is_restart))
		return VERDICT_EXCUSED;
	for (u32 i = 0; next_look(s, i, &look); i = after_look(s, &look)) {
		if (look_mark(&look) == ALLOC_WMARK_LOW)
			fast++;
		else if (is_relaxed(&look, &before))
			relaxed++;
		else
			looks++;
		before = look;
	}
	if (fast != 1 || looks > 2 || relaxed > 1)
		return breaks(why,
			      "order %u, gfp %#x: %u fast looks, %u slow looks, %u more without "
			      "NOFRAGMENT",
			      s->request->order, s->request->gfp, fast, looks, relaxed);
	return VERDICT_HOLDS;
}

const struct property prop_costly_noretry_looks = {
	.id = "costly-noretry-looks",
	.rule = "spec 10.59",
	.sentence = "A costly NORETRY request without THISNODE looks at the free lists once in the "
		    "fast path and at most twice in the slow path, or once more where it may then "
		    "mix types.",
	.needs = "inner",
	.promise = PROMISE_V1,
	.requests = REQUEST_BIT(REQUEST_ALLOC),
	.only = ONLY_SLOW,
	.step = costly_noretry_looks,
};

/* ---- 60: one round ------------------------------------------------------- */

static int noretry_once(const struct step *s, char why[WHY_SIZE])
{
	u32 reclaims = 0, compactions = 0;
	const struct slow *slow = slow_of(s);

	if (!slow || !slow->blocking || !slow_has(slow, __GFP_NORETRY))
		return VERDICT_MEANINGLESS;
	/* It goes round until it has a page (spec 6.1 step 29). */
	if (slow_has(slow, __GFP_NOFAIL))
		return VERDICT_EXCUSED;
	for (u32 i = slow->first; i < s->nr_events; i++) {
		const struct event *e = &s->events[i];

		if (is_restart(e))
			reclaims = compactions = 0;
		reclaims += is_reclaim(e);
		compactions += is_compaction(e);
		if (reclaims > 1 || compactions > 2 || is_oom(e))
			return breaks(
				why, "gfp %#x has NORETRY: event %u is %s number %u since it began",
				s->request->gfp, i, env_call_names[e->a],
				is_reclaim(e) ? reclaims : compactions);
	}
	return VERDICT_HOLDS;
}

const struct property prop_noretry_once = {
	.id = "noretry-once",
	.rule = "spec 10.60",
	.sentence =
		"A NORETRY request reclaims at most once, compacts at most twice and never asks "
		"the OOM killer, between two changes of cpuset or zonelists.",
	.needs = "inner",
	.promise = PROMISE_SLOW_7X,
	.requests = REQUEST_BIT(REQUEST_ALLOC),
	.only = ONLY_SLOW,
	.step = noretry_once,
};

/* ---- 62: the local attempt of a huge page -------------------------------- */

/* Spec 6.1 step 3: compaction comes before reclaim. */
static bool compacts_first(const struct slow *slow)
{
	const struct wants *w = &slow->wants;

	return slow->can_compact && (slow->costly || (w->order && w->mt != MIGRATE_MOVABLE));
}

static int local_noretry_no_reclaim(const struct step *s, char why[WHY_SIZE])
{
	const struct slow *slow = slow_of(s);
	u32 reclaims;

	if (!slow || !slow_has(slow, __GFP_NORETRY | __GFP_THISNODE) || !compacts_first(slow))
		return VERDICT_MEANINGLESS;
	reclaims = slow_count(slow, is_reclaim);
	if (reclaims)
		return breaks(why, "order %u, gfp %#x on node %u only: %u direct reclaims",
			      s->request->order, s->request->gfp, s->request->node, reclaims);
	return VERDICT_HOLDS;
}

const struct property prop_local_noretry_no_reclaim = {
	.id = "local-noretry-no-reclaim",
	.rule = "spec 10.62",
	.sentence = "A NORETRY request for one node that compacts first never reclaims.",
	.needs = "inner",
	.promise = PROMISE_SLOW_7X,
	.requests = REQUEST_BIT(REQUEST_ALLOC),
	.only = ONLY_SLOW,
	.step = local_noretry_no_reclaim,
};
