/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many pages a pcp may keep when one more is freed to it, and how many it gives
 * back then (spec 3.3, 10.30).
 *
 *      count |-----------------------|+n      below high: nothing more happens
 *            0                     high
 *            |-----------------|xxxxxxxxx|    otherwise at least nr_pcp_free() pages leave
 */
#include "properties/list.h"
#include "properties/pages.h"
#include "properties/walk.h"

/* A free as the pcp sees it: the state before, and the page counted in. */
struct commit {
	const struct per_cpu_pages *pcp; /* before */
	u32 zone_flags;
	s32 count, free_count; /* with the page */
	s32 scaled_batch;
	bool free_high; /* a run of orders 1 to 3: give back at once */
};

/* In the kernel's order of tests: matters if @lo > @hi. */
static s32 clamp_high(s32 value, s32 lo, s32 hi)
{
	if (value >= hi)
		return hi;
	return value <= lo ? lo : value;
}

/* 3.3 steps 3 to 5. */
static void commit_read(struct commit *c, const struct step *s, const struct per_cpu_pages *before)
{
	const struct zone *z = &s->before->zones[s->view->pages[s->request->pfn].zone];
	u32 order = s->request->order;

	*c = (struct commit){
		.pcp = before,
		.zone_flags = z->flags,
		.count = before->count + (1 << order),
		.free_count = before->free_count,
		.scaled_batch = before->batch << s->view->machine->pcp_batch_scale_max,
	};
	c->free_high = order && order <= PAGE_ALLOC_COSTLY_ORDER &&
		       before->free_count >= before->batch + before->high_min / 2 &&
		       (before->flags & PCPF_PREV_FREE_HIGH_ORDER) &&
		       (!(before->flags & PCPF_FREE_HIGH_BATCH) || c->count >= before->batch);
	if (c->free_count < c->scaled_batch)
		c->free_count += 1 << order;
}

/* Pages that may stay: nr_pcp_high. */
static s32 pages_kept(const struct commit *c)
{
	const struct per_cpu_pages *pcp = c->pcp;
	s32 high = clamp_high(pcp->high, pcp->high_min, pcp->high_max);
	s32 lowered = max_s32(high - max_s32(c->free_count, pcp->batch), pcp->high_min);

	if (!high || c->free_high)
		return 0;
	if (c->zone_flags & ZONE_RECLAIM_ACTIVE)
		return min_s32(4 * pcp->batch, lowered);
	if (pcp->high_min != pcp->high_max && (c->zone_flags & ZONE_BELOW_HIGH))
		return max_s32(c->count, pcp->high_min);
	return high;
}

/* Pages to give back if no more than @high may stay: nr_pcp_free. */
static s32 pages_due(const struct commit *c, s32 high)
{
	if (c->free_high)
		return min_s32(c->count, c->scaled_batch);
	if (high < c->pcp->batch)
		return 1;
	return clamp_high(c->free_count, c->pcp->batch, high - c->pcp->batch);
}

static int pcp_excess(const struct step *s, char why[WHY_SIZE])
{
	const struct per_cpu_pages *before, *now;
	s32 high, due, drained;
	struct commit c;

	/* The lock may be lost between two batches. */
	if (s->request->nolock || (s->seen & EV_BIT(EV_ENV_CALL)) ||
	    !freed_to_pcp(s, &before, &now))
		return VERDICT_MEANINGLESS;
	commit_read(&c, s, before);
	high = pages_kept(&c);
	due = c.count < high ? 0 : pages_due(&c, high);
	drained = c.count - now->count;
	if ((drained < due && now->count) || (!due && drained))
		return breaks(why,
			      "%d pages were cached with page %u, high was %d: %d left, due %d",
			      c.count, s->request->pfn, high, drained, due);
	return VERDICT_HOLDS;
}

const struct property prop_pcp_excess = {
	.id = "pcp-excess",
	.rule = "spec 10.30",
	.sentence = "A free to a pcp leaves fewer pages than its high there, or gives back as many "
		    "as are due, or all; and nothing while it is below high.",
	.needs = "view, public",
	.promise = PROMISE_FREES_IN_STEPS,
	.requests = REQUEST_BIT(REQUEST_FREE),
	.step = pcp_excess,
};

/* The corollary: whatever is freed, in whatever way. */
static int pcp_off_keeps_nothing(const struct step *s, char why[WHY_SIZE])
{
	u32 cpu = s->view->global->task.cpu;
	int verdict = VERDICT_MEANINGLESS;
	char name[NAME_SIZE];

	if (s->interleaved || s->request->nolock)
		return VERDICT_MEANINGLESS;
	for (u32 z = 0; z < s->view->machine->nr_zones; z++) {
		const struct per_cpu_pages *now = view_pcp(s->view, z, cpu);
		s32 before = s->before->pcps[z * s->view->machine->nr_cpus + cpu].count;

		if (now->high_max)
			continue;
		if (now->count > before)
			return breaks(why, "%s: the pcp is off, but grew from %d to %d pages",
				      zone_name(s->view, z, name), before, now->count);
		if (s->seen & EV_BIT(EV_MM_PAGE_PCPU_DRAIN))
			verdict = VERDICT_HOLDS;
	}
	return verdict;
}

const struct property prop_pcp_off_keeps_nothing = {
	.id = "pcp-off-keeps-nothing",
	.rule = "spec 10.30",
	.sentence = "A pcp whose high_max is 0 does not grow by frees.",
	.needs = "view, public",
	.promise = PROMISE_ALL,
	.requests = REQUEST_FREES,
	.step = pcp_off_keeps_nothing,
};
