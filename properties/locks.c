/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What happens under a zone->lock, and where none may be taken (spec 3.2, 3.3, 3.10).
 *
 *      lock  drain drain drain  unlock       at most a batch by a free, a scaled one by a drain
 */
#include "properties/list.h"
#include "properties/step.h"
#include "properties/walk.h"

/* ---- how much under one lock --------------------------------------------- */

static u32 most_pages(const struct step *s, u32 zone)
{
	u32 pcp = zone * s->view->machine->nr_cpus;
	s32 batch = max_s32(s->before->pcps[pcp].batch, s->view->pcps[pcp].batch);

	if (REQUEST_BIT(s->request->kind) & REQUEST_FREES)
		return (u32)batch;
	return (u32)batch << s->view->machine->pcp_batch_scale_max;
}

/* The page that reaches the limit may be a large one. */
static int hold_bounded(const struct step *s, char why[WHY_SIZE])
{
	u32 drained = 0;
	char name[NAME_SIZE];

	if (!(s->seen & EV_BIT(EV_MM_PAGE_PCPU_DRAIN)) || s->events_lost || s->interleaved)
		return VERDICT_MEANINGLESS;
	for (u32 i = 0; i < s->nr_events; i++) {
		const struct event *e = &s->events[i];

		if (e->type == EV_ZONE_LOCK)
			drained = 0;
		if (e->type != EV_MM_PAGE_PCPU_DRAIN)
			continue;
		if (drained >= most_pages(s, e->zone))
			return breaks(why,
				      "%s: page %u is drained after %u others under one lock, "
				      "%u are allowed",
				      zone_name(s->view, e->zone, name), e->pfn, drained,
				      most_pages(s, e->zone));
		drained += 1U << e->order;
	}
	return VERDICT_HOLDS;
}

const struct property prop_hold_bounded = {
	.id = "hold-bounded",
	.rule = "spec 3.3, 3.10",
	.sentence =
		"Under one zone->lock a free gives back no more cached pages than a batch, a drain "
		"no more than a scaled one.",
	.needs = "view, inner",
	.promise = PROMISE_FREES_IN_STEPS,
	.requests = REQUEST_ANY,
	.step = hold_bounded,
};

/* ---- no lock at all ------------------------------------------------------ */

/* Each page of a request is asked for anew. */
static int trylock_forbidden(const struct step *s, char why[WHY_SIZE])
{
	bool forbidden = false, seen = false;

	if (!s->request->nolock && s->request->kind != REQUEST_NOLOCK)
		return VERDICT_MEANINGLESS;
	for (u32 i = 0; i < s->nr_events; i++) {
		const struct event *e = &s->events[i];

		if (e->type == EV_ENV_CALL && e->a == ENV_NO_TRYLOCK)
			forbidden = e->c;
		if (forbidden && e->type == EV_ZONE_LOCK)
			return breaks(why, "a lock of zone %u is taken where none may be tried",
				      e->zone);
		seen |= forbidden;
	}
	return seen ? VERDICT_HOLDS : VERDICT_MEANINGLESS;
}

const struct property prop_trylock_forbidden = {
	.id = "trylock-forbidden",
	.rule = "spec 3.2",
	.sentence = "Where a lock may not even be tried, the nolock API takes none.",
	.needs = "view, inner",
	.promise = PROMISE_SLOW_73,
	.requests = REQUEST_BIT(REQUEST_FREE) | REQUEST_BIT(REQUEST_NOLOCK),
	.step = trylock_forbidden,
};
