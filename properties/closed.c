/* SPDX-License-Identifier: GPL-2.0-only */
/* What reclaim and compaction may do with pages (spec 3.9, 6.4, 6.9). */
#include "properties/list.h"
#include "properties/step.h"
#include "properties/walk.h"

/* What is wrong with what an event says of compaction, or a verdict that nothing is. */
static int judge_event_of(const struct step *s, const struct event *e, char why[WHY_SIZE])
{
	const struct page *pages = s->view->pages;

	if (e->type == EV_CAPTURE && (e->a == MIGRATE_CMA || e->a == MIGRATE_ISOLATE))
		return breaks(why, "page %u of order %d is captured, and %s", e->pfn, e->order,
			      type_name(e->a));
	if (e->type == EV_ENV_MOVED && pages[e->pfn].zone != pages[e->a].zone)
		return breaks(why, "page %u of zone %u is moved to %u of zone %u", e->pfn,
			      pages[e->pfn].zone, e->a, pages[e->a].zone);
	return e->type == EV_CAPTURE || e->type == EV_ENV_MOVED ? VERDICT_HOLDS
								: VERDICT_MEANINGLESS;
}

/* Contiguous allocations move pages to wherever there is room. */
static int compaction_takes(const struct step *s, char why[WHY_SIZE])
{
	int verdict = VERDICT_MEANINGLESS;

	if (!(s->seen & (EV_BIT(EV_CAPTURE) | EV_BIT(EV_ENV_MOVED))))
		return VERDICT_MEANINGLESS;
	for (u32 i = 0; i < s->nr_events && verdict != VERDICT_FAILS; i++) {
		int next = judge_event_of(s, &s->events[i], why);

		verdict = next == VERDICT_MEANINGLESS ? verdict : next;
	}
	return verdict;
}

const struct property prop_compaction_takes = {
	.id = "compaction-takes",
	.rule = "spec 3.9 step 2a, 6.9",
	.sentence =
		"Compaction moves pages within their zone, and a request captures no page of a CMA "
		"or isolated block.",
	.needs = "view, inner",
	.promise = PROMISE_ALL,
	.requests = REQUEST_ANY & ~REQUEST_CONTIG,
	.step = compaction_takes,
};

static int reclaim_counts(const struct step *s, char why[WHY_SIZE])
{
	int verdict = VERDICT_MEANINGLESS;
	u32 freed = 0;

	if (s->view->machine->env.kind[ENV_RECLAIM] != ENV_CLOSED || s->events_lost)
		return VERDICT_MEANINGLESS;
	for (u32 i = 0; i < s->nr_events; i++) {
		const struct event *e = &s->events[i];

		if (e->type == EV_MM_VMSCAN_DIRECT_RECLAIM_BEGIN)
			freed = 0;
		if (e->type == EV_ENV_FREED)
			freed += 1U << e->order;
		if (e->type != EV_ENV_CALL || e->a != ENV_RECLAIM)
			continue;
		if (e->c != freed)
			return breaks(why, "reclaim reports %u pages, but freed %u", e->c, freed);
		verdict = VERDICT_HOLDS;
	}
	return verdict;
}

const struct property prop_reclaim_counts = {
	.id = "reclaim-counts",
	.rule = "spec 6.4, 6.9",
	.sentence = "The progress that closed reclaim reports is the pages that it has freed.",
	.needs = "view, inner",
	.promise = PROMISE_ALL,
	.requests = REQUEST_BIT(REQUEST_ALLOC),
	.only = ONLY_SLOW,
	.step = reclaim_counts,
};
