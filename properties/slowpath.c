/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The slow path: who may call what, how often, and who may give up (spec 10.6). NORETRY has a
 * file of its own (noretry.c), and so has what a request is owed (progress.c).
 */
#include "properties/slowpath.h"

/* ---- 58: without DIRECT_RECLAIM ------------------------------------------ */

static bool stalls(const struct event *e)
{
	return is_reclaim(e) || is_env_call(e, ENV_COMPACT) || is_oom(e) || is_drain(e) ||
	       is_env_call(e, ENV_NODE_RECLAIM);
}

/* Any look that failed, also of the nolock and bulk APIs, might have led to one of these. */
static int nonblocking_never_stalls(const struct step *s, char why[WHY_SIZE])
{
	bool tried = s->view->global->sysctl[SYSCTL_NODE_RECLAIM_MODE];

	if ((s->request->gfp & __GFP_DIRECT_RECLAIM) || s->events_lost)
		return VERDICT_MEANINGLESS;
	for (u32 i = 0; i < s->nr_events; i++) {
		const struct event *e = &s->events[i];

		tried |= e->type == EV_GPFF_END && e->pfn == PFN_NONE;
		if (stalls(e))
			return breaks(why, "gfp %#x lacks DIRECT_RECLAIM, yet event %u is a %s",
				      s->request->gfp, i,
				      is_drain(e) ? event_names[e->type] : env_call_names[e->a]);
	}
	return tried ? VERDICT_HOLDS : VERDICT_MEANINGLESS;
}

const struct property prop_nonblocking_never_stalls = {
	.id = "nonblocking-never-stalls",
	.rule = "spec 10.58",
	.sentence = "A request without DIRECT_RECLAIM causes no reclaim, no compaction, no "
		    "drain_all_pages and no OOM kill, and node reclaim does no work for it.",
	.needs = "inner",
	.promise = PROMISE_ALL,
	.requests = REQUEST_ALLOCATES | REQUEST_BIT(REQUEST_BULK),
	.step = nonblocking_never_stalls,
};

/* ---- 64: NOFAIL ---------------------------------------------------------- */

/* Without DIRECT_RECLAIM nothing is promised: the kernel warns and gives up. */
static bool may_not_fail(const struct slow *slow)
{
	return slow->blocking && slow_has(slow, __GFP_NOFAIL);
}

static int nofail_never_null(const struct step *s, char why[WHY_SIZE])
{
	const struct slow *slow = slow_of(s);

	if (!slow || !may_not_fail(slow) || slow_has_cheap_fallback(slow))
		return VERDICT_MEANINGLESS;
	if (slow->failed)
		return breaks(why, "order %u, gfp %#x has NOFAIL and got no page",
			      s->request->order, s->request->gfp);
	return VERDICT_HOLDS;
}

const struct property prop_nofail_never_null = {
	.id = "nofail-never-null",
	.rule = "spec 10.64",
	.sentence = "A request with NOFAIL and DIRECT_RECLAIM gets a page, unless it is costly and "
		    "has NORETRY without THISNODE.",
	.needs = "inner",
	.promise = PROMISE_ALL,
	.requests = REQUEST_BIT(REQUEST_ALLOC),
	.only = ONLY_SLOW,
	.step = nofail_never_null,
};

static int nofail_costly_noretry(const struct step *s, char why[WHY_SIZE])
{
	const struct slow *slow = slow_of(s);

	if (!slow || !may_not_fail(slow) || !slow_has_cheap_fallback(slow))
		return VERDICT_MEANINGLESS;
	if (slow->failed)
		return breaks(why, "order %u, gfp %#x has NOFAIL and NORETRY and got no page",
			      s->request->order, s->request->gfp);
	return VERDICT_HOLDS;
}

const struct property prop_nofail_costly_noretry = {
	.id = "nofail-costly-noretry",
	.rule = "spec 10.64",
	.sentence = "A costly request with NOFAIL, DIRECT_RECLAIM and NORETRY, without THISNODE, "
		    "gets a page; V1 takes this back.",
	.needs = "inner",
	.promise = PROMISE_NOT_V1,
	.requests = REQUEST_BIT(REQUEST_ALLOC),
	.only = ONLY_SLOW,
	.step = nofail_costly_noretry,
};

/* ---- 65, 66: OOM --------------------------------------------------------- */

/* 6.8 step 3, the part that is not in the gfp: killing would not help, or must not be. */
static bool oom_is_out_of_place(const struct slow *slow)
{
	u32 task = slow->step->before->global.task.flags;

	return slow->wants.hidx < ZONE_NORMAL ||
	       (task & (TASK_PF_DUMPCORE | TASK_STORAGE_SUSPENDED));
}

static bool may_kill(const struct slow *slow)
{
	const u32 no_kill = __GFP_NORETRY | __GFP_RETRY_MAYFAIL | __GFP_THISNODE;

	return slow->blocking && !slow->costly && !(slow->wants.gfp & no_kill);
}

/* A reason for NULL that the request brought along: the exceptions of rule 65. */
static bool has_reason_to_fail(const struct slow *slow)
{
	const struct step *s = slow->step;
	/* The kill may have hit the request's own task. */
	u32 task = s->before->global.task.flags | s->view->global->task.flags;

	return (task & (TASK_PF_MEMALLOC | TASK_OOM_VICTIM)) || oom_is_out_of_place(slow) ||
	       !slow_has_zone(slow);
}

static int null_only_after_oom(const struct step *s, char why[WHY_SIZE])
{
	const struct event *oom;
	const struct slow *slow = slow_of(s);

	if (!slow || !may_kill(slow) || !slow->failed)
		return VERDICT_MEANINGLESS;
	if (has_reason_to_fail(slow))
		return VERDICT_EXCUSED;
	oom = slow_last(slow, is_oom);
	if (!oom)
		return breaks(why, "order %u, gfp %#x got no page, and out_of_memory was not asked",
			      s->request->order, s->request->gfp);
	if (oom->c)
		return breaks(why, "order %u, gfp %#x got no page, though out_of_memory killed",
			      s->request->order, s->request->gfp);
	return VERDICT_HOLDS;
}

const struct property prop_null_only_after_oom = {
	.id = "null-only-after-oom",
	.rule = "spec 10.65",
	.sentence = "A small blocking request without NORETRY, RETRY_MAYFAIL and THISNODE fails "
		    "only if the OOM killer was asked and said no, its task is PF_MEMALLOC, a "
		    "victim or dumps core, it wants a DMA zone, storage sleeps, or no zone is "
		    "eligible.",
	.needs = "view, inner",
	.promise = PROMISE_ALL,
	.requests = REQUEST_BIT(REQUEST_ALLOC),
	.only = ONLY_SLOW,
	.step = null_only_after_oom,
};

static int oom_only_if_allowed(const struct step *s, char why[WHY_SIZE])
{
	const struct slow *slow = slow_of(s);

	if (!slow)
		return VERDICT_MEANINGLESS;
	if (may_kill(slow) && !oom_is_out_of_place(slow))
		return slow_called(slow, ENV_OOM) ? VERDICT_HOLDS : VERDICT_MEANINGLESS;
	if (slow_called(slow, ENV_OOM))
		return breaks(why, "out_of_memory was asked for order %u, gfp %#x, zones up to %s",
			      s->request->order, s->request->gfp,
			      zone_type_names[slow->wants.hidx]);
	return VERDICT_HOLDS;
}

const struct property prop_oom_only_if_allowed = {
	.id = "oom-only-if-allowed",
	.rule = "spec 10.66, 6.8",
	.sentence = "The OOM killer is asked only for orders up to 3 with DIRECT_RECLAIM, without "
		    "NORETRY, RETRY_MAYFAIL and THISNODE, that may use Normal, and not while "
		    "dumping core or while storage sleeps.",
	.needs = "inner",
	.promise = PROMISE_ALL,
	.requests = REQUEST_BIT(REQUEST_ALLOC),
	.only = ONLY_SLOW,
	.step = oom_only_if_allowed,
};

/* ---- 68: compaction priority --------------------------------------------- */

/* The lower the number, the harder it tries. */
static int compact_priority(const struct step *s, char why[WHY_SIZE])
{
	const struct event *first = NULL;
	int verdict = VERDICT_MEANINGLESS;
	const struct slow *slow = slow_of(s);
	bool noretry;

	if (!slow || !slow_called(slow, ENV_COMPACT))
		return VERDICT_MEANINGLESS;
	noretry = slow_has(slow, __GFP_NORETRY);
	for (u32 i = slow->first; i < s->nr_events; i++) {
		const struct event *e = &s->events[i];

		if (!is_compaction(e))
			continue;
		if (slow->costly && e->b < COMPACT_PRIO_SYNC_LIGHT)
			return breaks(why, "compaction for order %u at priority %u",
				      s->request->order, e->b);
		if (noretry && first && e->b != first->b)
			return breaks(why, "NORETRY compacts at priority %u, then at %u", first->b,
				      e->b);
		if (slow->costly || (noretry && first))
			verdict = VERDICT_HOLDS;
		first = first ? first : e;
	}
	return verdict;
}

const struct property prop_compact_priority = {
	.id = "compact-priority",
	.rule = "spec 10.68",
	.sentence = "A costly request never compacts harder than SYNC_LIGHT, and a NORETRY request "
		    "always at one priority.",
	.needs = "inner",
	.promise = PROMISE_SLOW_7X,
	.requests = REQUEST_BIT(REQUEST_ALLOC),
	.only = ONLY_SLOW,
	.step = compact_priority,
};

/* ---- 69: waking kswapd --------------------------------------------------- */

/*
 * A wake_all_kswapds() lies between two looks; inside a look, rmqueue wakes for a boost. Zonelists
 * hold the zones of a node side by side, so a node has one run in them.
 */
static int wake_once_per_node(const struct step *s, char why[WHY_SIZE])
{
	bool in_look = false;
	const struct slow *slow = slow_of(s);
	u32 woken = 0;

	if (!slow)
		return VERDICT_MEANINGLESS;
	for (u32 i = slow->first; i < s->nr_events; i++) {
		const struct event *e = &s->events[i];

		if (e->type == EV_GPFF || e->type == EV_GPFF_END) {
			in_look = e->type == EV_GPFF;
			woken = 0;
		}
		if (e->type != EV_WAKEUP_KSWAPD)
			continue;
		if (!slow_has(slow, __GFP_KSWAPD_RECLAIM))
			return breaks(why, "gfp %#x lacks KSWAPD_RECLAIM, yet kswapd %u is called",
				      s->request->gfp, e->b);
		if (!in_look && (woken & BIT(e->b)))
			return breaks(why, "kswapd %u is called twice before one look", e->b);
		if (!in_look)
			woken |= BIT(e->b);
	}
	return VERDICT_HOLDS;
}

const struct property prop_wake_once_per_node = {
	.id = "wake-once-per-node",
	.rule = "spec 10.69",
	.sentence = "Before a look each kswapd is called at most once, and without KSWAPD_RECLAIM "
		    "none is.",
	.needs = "inner",
	.promise = PROMISE_ALL,
	.requests = REQUEST_BIT(REQUEST_ALLOC),
	.only = ONLY_SLOW,
	.step = wake_once_per_node,
};

/* ---- 70: the order that reclaim and compaction work for ------------------ */

/* @flags: of the look before, which are the round's. */
static int judge_promotion(const struct slow *slow, const struct event *e, u32 flags,
			   char why[WHY_SIZE])
{
	u32 order = slow->wants.order;
	u32 block = slow->step->view->machine->pageblock_order;

	if (e->order == (s8)order)
		return VERDICT_HOLDS;
	if (e->order != (s8)max_u32(order, block))
		return breaks(why, "order %u: %s for order %d, with blocks of order %u", order,
			      env_call_names[e->a], e->order, block);
	if (slow->wants.mt == MIGRATE_MOVABLE || !(flags & ALLOC_NOFRAGMENT))
		return breaks(why, "%s request of order %u, flags %#x: %s for order %d",
			      type_name(slow->wants.mt), order, flags, env_call_names[e->a],
			      e->order);
	return VERDICT_HOLDS;
}

static int promoted_order(const struct step *s, char why[WHY_SIZE])
{
	int verdict = VERDICT_MEANINGLESS;
	const struct slow *slow = slow_of(s);
	u32 flags = 0;

	if (!slow || !(slow->called & (BIT(ENV_RECLAIM) | BIT(ENV_COMPACT))))
		return VERDICT_MEANINGLESS;
	for (u32 i = slow->first; i < s->nr_events && verdict != VERDICT_FAILS; i++) {
		const struct event *e = &s->events[i];

		if (e->type == EV_GPFF)
			flags = e->a;
		else if (is_reclaim(e) || is_compaction(e))
			verdict = judge_promotion(slow, e, flags, why);
	}
	return verdict;
}

const struct property prop_promoted_order = {
	.id = "promoted-order",
	.rule = "spec 10.70",
	.sentence = "Reclaim and compaction work for the request's order, or for a whole block if "
		    "the request has NOFRAGMENT and is not movable.",
	.needs = "inner",
	.promise = PROMISE_SLOW_73,
	.requests = REQUEST_BIT(REQUEST_ALLOC),
	.only = ONLY_SLOW,
	.step = promoted_order,
};
