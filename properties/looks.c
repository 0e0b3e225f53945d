/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * With which flags a request looks at the lists, and what must be used up before it fails (spec 1.6, 6.6).
 */
#include "properties/slowpath.h"

/* ---- the fast look ------------------------------------------------------- */

/* Spec 1.5: with unmixed blocks there is another place to go, the DMA32 zone below. */
static bool has_zone_below(const struct view *view, u8 preferred)
{
	const struct zone *z;

	if (preferred >= view->machine->nr_zones)
		return false;
	z = &view->zones[preferred];
	if (z->type != ZONE_NORMAL)
		return false;
	for (u32 i = 0; i < view->machine->nr_zones; i++) {
		if (view->zones[i].node == z->node && view->zones[i].type == ZONE_DMA32)
			return view->zones[i].present_pages;
	}
	return view->machine->nr_nodes == 1;
}

static int nofragment_asked(const struct step *s, char why[WHY_SIZE])
{
	const struct event *look = step_find(s, EV_GPFF, 0);
	bool expected;

	if (!look || !s->view->machine->config_dma32)
		return VERDICT_MEANINGLESS;
	expected =
		s->before->global.sysctl[SYSCTL_DEFRAG_MODE] || has_zone_below(s->view, look->zone);
	if (expected != !!(look->a & ALLOC_NOFRAGMENT))
		return breaks(why, "the first look comes %s NOFRAGMENT (flags %#x)",
			      expected ? "without" : "with", look->a);
	return expected ? VERDICT_HOLDS : VERDICT_MEANINGLESS;
}

const struct property prop_nofragment_asked = {
	.id = "nofragment-asked",
	.rule = "spec 1.5, 1.6",
	.sentence = "The first look is one without mixing under defrag_mode, and for a Normal zone "
		    "with "
		    "a DMA32 zone below it; and no other is.",
	.needs = "view, inner",
	.promise = PROMISE_SLOW_7X,
	.requests = REQUEST_BIT(REQUEST_ALLOC),
	.step = nofragment_asked,
};

/* ---- the slow looks ------------------------------------------------------ */

/* Not those with the HIGH mark, and of NOFAIL not the last resort, which have flags of their own. */
static int kswapd_kept(const struct step *s, char why[WHY_SIZE])
{
	const struct slow *slow = slow_of(s);
	const struct event *e;

	if (!slow || slow_has(slow, __GFP_NOFAIL))
		return VERDICT_MEANINGLESS;
	for (e = step_find(s, EV_GPFF, slow->first); e;
	     e = step_find(s, EV_GPFF, step_index(s, e) + 1)) {
		if ((e->a & ALLOC_WMARK_MASK) == ALLOC_WMARK_HIGH)
			continue;
		if (slow_has(slow, __GFP_KSWAPD_RECLAIM) != !!(e->a & ALLOC_KSWAPD))
			return breaks(why, "gfp %#x looks with flags %#x", s->request->gfp, e->a);
	}
	return VERDICT_HOLDS;
}

const struct property prop_kswapd_kept = {
	.id = "kswapd-kept",
	.rule = "spec 6.1 step 9",
	.sentence = "Whatever flags a slow path has, it wakes kswapd in every round if the request "
		    "has KSWAPD_RECLAIM, and never if not.",
	.needs = "view, inner",
	.promise = PROMISE_SLOW_7X,
	.requests = REQUEST_BIT(REQUEST_ALLOC),
	.only = ONLY_SLOW,
	.step = kswapd_kept,
};

/* ---- nothing is left in reserve ------------------------------------------ */

static bool changes_lists(const struct event *e)
{
	const u64 types = EV_BIT(EV_ENV_FREED) | EV_BIT(EV_ENV_MOVED) | EV_BIT(EV_MM_PAGE_FREE) |
			  EV_BIT(EV_MM_PAGE_PCPU_DRAIN);

	return EV_BIT(e->type) & types;
}

static bool gave_up_after_oom(const struct event *e)
{
	return e->type == EV_SLOWPATH_EXIT && e->a == SLOW_EXIT_NO_OOM_PROGRESS;
}

static bool is_high_look(const struct event *e)
{
	return e->type == EV_GPFF && (e->a & ALLOC_WMARK_MASK) == ALLOC_WMARK_HIGH;
}

static bool has_highatomic(const struct view *view, const struct zone *z)
{
	for (u32 order = 0; order <= view->machine->max_page_order; order++) {
		u32 head = free_list_head(z, order, MIGRATE_HIGHATOMIC);

		if (view->links[head].next != head)
			return true;
	}
	return false;
}

static int reserve_before_null(const struct step *s, char why[WHY_SIZE])
{
	const struct slow *slow = slow_of(s);
	const struct event *look;
	char name[NAME_SIZE];
	u32 pos;

	if (!slow || !slow->failed || s->interleaved || !slow_last(slow, gave_up_after_oom))
		return VERDICT_MEANINGLESS;
	look = slow_last(slow, is_high_look);
	if (!look)
		return VERDICT_MEANINGLESS;
	for (u32 i = step_index(s, look); i < s->nr_events; i++) {
		if (changes_lists(&s->events[i]))
			return VERDICT_EXCUSED;
	}
	for_each_wanted_zone(&slow->wants, slow->wants.nodemask, pos)
	{
		const struct zone *z = wants_zone(&slow->wants, pos);

		if (has_highatomic(s->view, z))
			return breaks(why, "order %u failed with free HighAtomic pages in %s",
				      s->request->order, zone_name(s->view, z->index, name));
	}
	return VERDICT_HOLDS;
}

const struct property prop_reserve_before_null = {
	.id = "reserve-before-null",
	.rule = "spec 6.6",
	.sentence =
		"A request that comes to the OOM killer and fails leaves no free HighAtomic page "
		"in its zones: the reserve is given back first.",
	.needs = "view, inner",
	.promise = PROMISE_SLOW_7X,
	.requests = REQUEST_BIT(REQUEST_ALLOC),
	.only = ONLY_SLOW,
	.step = reserve_before_null,
};
