/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Why does the slow path go round again? Every further round must have a cause of
 * spec 6.1, and the causes that are bounded stay in their bounds (spec 6.6 - 6.8):
 *
 *      step 10   reserve rights, or no cpuset       once a request
 *      step 11   NOFRAGMENT was dropped             once, it does not come back
 *      step 17   compaction came first              once before a RESTART
 *      step 21   a zone would pass with all that    16 times in a row without progress
 *                can be reclaimed
 *      step 21   a HIGHATOMIC block was given back  each takes one
 *      step 22   compaction made room, or may try   17 times (5: costly) a priority
 *                harder
 *      step 23   NOFRAGMENT was dropped             as step 11
 *      step 27   the OOM killer helped              without bound, by design
 *      RESTART   cpuset or zonelists changed        without bound, by design
 *
 * Rounds are told apart by their own look at the lists; other looks follow a reclaim
 * with progress, a drain, a compaction that ran, or have the HIGH mark.
 */
#include "properties/slowpath.h"
#include "properties/wmark.h"

struct rounds {
	const struct slow *slow;
	u32 nr; /* rounds that have begun */
	u32 flags; /* of the round's own look */
	bool look_is_owed; /* the next look belongs to what came before it */

	/* What happened in this round. */
	const struct event *reclaim, *compaction;
	bool scanned, scan_passed, unreserved, oom, restarted;

	/* Since RESTART. */
	bool compacted_first;
	u32 no_progress; /* rounds in a row whose reclaim did not help */
	u32 made_room; /* compactions that said SUCCESS, at one priority */

	/* Of the request. */
	bool used_reserves;
	u32 worst_no_progress; /* with which zones were still scanned */
	u32 unexplained; /* number of the first round without a cause, or 0 */
};

static bool is_promoted(const struct rounds *r)
{
	return r->reclaim->order != (s8)r->slow->wants.order;
}

/* 6.6 step 1. Small pages are no progress for who needs many in one piece. */
static void count_progress(struct rounds *r)
{
	if (r->reclaim->c && !r->slow->costly && !is_promoted(r))
		r->no_progress = 0;
	else
		r->no_progress++;
}

/* 6.7. SKIPPED asks whether reclaim can help, which depends on the state: taken as yes. */
static bool compaction_may_retry(struct rounds *r)
{
	const struct slow *slow = r->slow;
	u32 limit = slow->costly ? MAX_COMPACT_RETRIES / 4 : MAX_COMPACT_RETRIES;
	u32 hardest = slow->costly ? COMPACT_PRIO_SYNC_LIGHT : COMPACT_PRIO_SYNC_FULL;

	if (!r->compaction || !r->reclaim->c || !slow->can_compact ||
	    (slow->step->before->global.task.flags & TASK_FATAL_SIGNAL))
		return false;
	if (r->compaction->c == COMPACT_SKIPPED)
		return !is_promoted(r);
	if (r->compaction->c == COMPACT_SUCCESS && ++r->made_room <= limit)
		return true;
	if (r->compaction->b <= hardest)
		return false;
	r->made_room = 0;
	return true;
}

/* Steps 21 - 23: a full round ended, and none of it was OOM. */
static bool full_round_may_retry(struct rounds *r, bool relaxed)
{
	if (!r->scanned)
		count_progress(r);
	if (r->scan_passed || r->unreserved || compaction_may_retry(r))
		return true;
	if (relaxed && is_promoted(r))
		r->no_progress = r->made_room = 0;
	return relaxed;
}

/* Steps 10, 11 and 17: nothing was reclaimed. */
static bool short_round_may_retry(struct rounds *r, u32 flags, bool relaxed)
{
	bool reserves = (flags & (ALLOC_NO_WATERMARKS | ALLOC_OOM)) || !(r->flags & ALLOC_CPUSET);

	if (r->compaction) {
		if (r->compacted_first)
			return false;
		r->compacted_first = true;
		return true;
	}
	if (reserves && !r->used_reserves) {
		r->used_reserves = true;
		return true;
	}
	return relaxed;
}

static bool has_cause(struct rounds *r, u32 flags)
{
	bool relaxed = (r->flags & ALLOC_NOFRAGMENT) && !(flags & ALLOC_NOFRAGMENT);

	if (r->restarted) {
		r->no_progress = r->made_room = 0;
		r->compacted_first = false;
		return true;
	}
	if (r->oom) {
		r->no_progress = 0;
		return true;
	}
	return r->reclaim ? full_round_may_retry(r, relaxed)
			  : short_round_may_retry(r, flags, relaxed);
}

static void begin_round(struct rounds *r, const struct event *look)
{
	if (r->nr && !has_cause(r, look->a) && !r->unexplained)
		r->unexplained = r->nr + 1;
	r->nr++;
	r->flags = look->a;
	r->reclaim = r->compaction = NULL;
	r->scanned = r->scan_passed = r->unreserved = r->oom = r->restarted = false;
}

static void note_scan(struct rounds *r, const struct event *e)
{
	if (!r->scanned && r->reclaim) {
		count_progress(r);
		r->worst_no_progress = max_u32(r->worst_no_progress, r->no_progress);
	}
	r->scanned = true;
	r->scan_passed |= e->gfp; /* wmark_check of the tracepoint; retry-zone judges it */
}

static void note_env_call(struct rounds *r, const struct event *e)
{
	if (is_reclaim(e)) {
		r->reclaim = e;
		r->look_is_owed = e->c;
	} else if (is_compaction(e)) {
		r->compaction = e;
		r->look_is_owed = e->c != COMPACT_SKIPPED && e->c != COMPACT_DEFERRED;
	} else if (is_oom(e)) {
		/* A kill, or the word that there is nobody to kill, which NOFAIL does not hear. */
		r->oom |= e->c || slow_has(r->slow, __GFP_NOFAIL);
	} else if (is_env_call(e, ENV_LOCK_OOM)) {
		r->oom |= e->c;
	} else if (is_restart(e)) {
		r->restarted = true;
	}
}

static void note_look(struct rounds *r, const struct event *look)
{
	bool own = !r->look_is_owed && (look->a & ALLOC_WMARK_MASK) == ALLOC_WMARK_MIN;

	r->look_is_owed = false;
	if (own)
		begin_round(r, look);
}

static void rounds_read(struct rounds *r, const struct slow *slow)
{
	const struct step *s = slow->step;
	bool in_look = false;

	*r = (struct rounds){.slow = slow};
	for (u32 i = slow->first; i < s->nr_events; i++) {
		const struct event *e = &s->events[i];

		switch (e->type) {
		case EV_GPFF:
			if (!in_look)
				note_look(r, e);
			in_look = true;
			break;
		case EV_GPFF_END:
			in_look = false;
			break;
		case EV_RECLAIM_RETRY_ZONE:
			note_scan(r, e);
			break;
		case EV_UNRESERVE_HIGHATOMIC:
			r->unreserved |= e->a;
			break;
		case EV_DRAIN_ALL_PAGES:
			r->look_is_owed = true;
			break;
		case EV_ENV_CALL:
			note_env_call(r, e);
			break;
		}
	}
}

/* ---- 67: rounds without progress ----------------------------------------- */

static int progress_loops(const struct step *s, char why[WHY_SIZE])
{
	struct rounds r;
	const struct slow *slow = s->slow;

	if (!slow || !step_find(s, EV_RECLAIM_RETRY_ZONE, slow->first))
		return VERDICT_MEANINGLESS;
	/* Each round without progress has at least its reclaim. */
	if (step_count(s, EV_ENV_CALL) <= MAX_RECLAIM_RETRIES)
		return VERDICT_HOLDS;
	rounds_read(&r, slow);
	if (r.worst_no_progress > MAX_RECLAIM_RETRIES)
		return breaks(why, "zones were still scanned after %u rounds without progress",
			      r.worst_no_progress);
	return VERDICT_HOLDS;
}

const struct property prop_progress_loops = {
	.id = "progress-loops",
	.rule = "spec 10.67",
	.sentence = "After 16 rounds in a row whose reclaim was no progress, zones are not scanned "
		    "for another one.",
	.needs = "public, inner",
	.promise = PROMISE_ALL,
	.requests = REQUEST_BIT(REQUEST_ALLOC),
	.only = ONLY_SLOW,
	.step = progress_loops,
};

/* ---- 6.6: the zone that justifies another round --------------------------- */

/* The lists are what they were at the last look, whose flags are the round's. */
static int retry_zone(const struct decision *d, char why[WHY_SIZE])
{
	const struct event *e = d->event;
	char name[NAME_SIZE];
	struct wmark mark;
	s64 available;
	u32 min;

	if (!d->pass || !d->zone)
		return VERDICT_MEANINGLESS;
	/* After a RESTART reserve rights may have changed the flags since the look (step 9). */
	if ((d->view->global->task.flags & TASK_OOM_VICTIM) || (d->pass->gfp & __GFP_MEMALLOC))
		return VERDICT_EXCUSED;
	available = d->zone->vm_stat[NR_FREE_PAGES] + d->zone->vm_stat[NR_ZONE_LRU];
	min = wmark_boosted(d->zone, WMARK_MIN);
	mark = wmark_look(d->view, d->zone->index);
	if (e->a != available || e->b != min)
		return breaks(why,
			      "%s has %lld pages, free or on the LRU, and MIN %u; seen: %u and %u",
			      zone_name(d->view, d->zone->index, name), (long long)available, min,
			      e->a, e->b);
	if (e->gfp != wmark_ok(&mark, d->pass->order, min, d->pass->b, d->pass->a, available))
		return breaks(why, "%s with %lld pages, MIN %u, order %d, flags %#x: taken for %s",
			      zone_name(d->view, d->zone->index, name), (long long)available, min,
			      d->pass->order, d->pass->a, e->gfp ? "enough" : "too little");
	return VERDICT_HOLDS;
}

const struct property prop_retry_zone = {
	.id = "retry-zone",
	.rule = "spec 6.6",
	.sentence =
		"A zone justifies another round exactly if it would be above the MIN mark, with a "
		"buddy for the request, were all that is on its LRU free.",
	.needs = "view, public, inner",
	.promise = PROMISE_ALL,
	.events = EV_BIT(EV_RECLAIM_RETRY_ZONE),
	.decision = retry_zone,
};

/* ---- what never ends ----------------------------------------------------- */

/* One look is one round at most. */
static bool looked_once(const struct slow *slow)
{
	const struct event *look = step_find(slow->step, EV_GPFF, slow->first);

	return !look || !step_find(slow->step, EV_GPFF, step_index(slow->step, look) + 1);
}

static int rounds_have_a_cause(const struct step *s, char why[WHY_SIZE])
{
	struct rounds r;
	const struct slow *slow = s->slow;

	if (!slow || looked_once(slow))
		return VERDICT_MEANINGLESS;
	rounds_read(&r, slow);
	if (r.nr < 2)
		return VERDICT_MEANINGLESS;
	/* Goes round until it has a page, whatever came before (step 29). */
	if (slow->blocking && slow_has(slow, __GFP_NOFAIL))
		return VERDICT_EXCUSED;
	if (r.unexplained)
		return breaks(why, "order %u, gfp %#x: nothing leads to round %u of %u%s",
			      s->request->order, s->request->gfp, r.unexplained, r.nr,
			      s->request->out_of_fuel ? ", and fuel ran out" : "");
	return VERDICT_HOLDS;
}

const struct property prop_rounds_have_a_cause = {
	.id = "rounds-have-a-cause",
	.rule = "spec 10.67, 6.1, 6.6-6.8",
	.sentence =
		"Each further round of the slow path has a cause, and only progress of reclaim, "
		"the OOM killer, NOFAIL and changing cpusets or zonelists go on without bound: "
		"where none of them does, a request ends, and does not run out of fuel.",
	.needs = "public, inner",
	.promise = PROMISE_SLOW_7X,
	.requests = REQUEST_BIT(REQUEST_ALLOC),
	.only = ONLY_SLOW,
	.step = rounds_have_a_cause,
};

/* ---- compaction again? --------------------------------------------------- */

/* Spec 6.7, but for SKIPPED, where it depends on the zones. */
static bool compact_again(const struct event *e)
{
	bool costly = e->order > PAGE_ALLOC_COSTLY_ORDER;
	u32 most = costly ? 4 : 16;
	u32 hardest = costly ? COMPACT_PRIO_SYNC_LIGHT : COMPACT_PRIO_SYNC_FULL;

	return (e->b == COMPACT_SUCCESS && e->c + 1 <= most) || e->a > hardest;
}

static int compact_retry(const struct step *s, char why[WHY_SIZE])
{
	int verdict = VERDICT_MEANINGLESS;
	const struct event *e;

	for (e = step_find(s, EV_COMPACT_RETRY, 0); e;
	     e = step_find(s, EV_COMPACT_RETRY, step_index(s, e) + 1)) {
		if (e->b == COMPACT_SKIPPED)
			continue;
		if (compact_again(e) != !!e->gfp)
			return breaks(why, "order %d, priority %u, result %u, %u retries: %s",
				      e->order, e->a, e->b, e->c,
				      e->gfp ? "tried again" : "given up");
		verdict = VERDICT_HOLDS;
	}
	return verdict;
}

const struct property prop_compact_retry = {
	.id = "compact-retry",
	.rule = "spec 6.7",
	.sentence =
		"Compaction is tried again, harder, until it has failed at the hardest priority "
		"that the order allows, and after successes at most 16 times (costly: 4).",
	.needs = "view, public",
	.promise = PROMISE_SLOW_7X,
	.requests = REQUEST_BIT(REQUEST_ALLOC),
	.only = ONLY_SLOW,
	.step = compact_retry,
};
