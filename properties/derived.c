/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is computed from the sizes of zones and from sysctls must follow them (spec 5.5 - 5.7):
 *
 *      min_free_kbytes, scale factor, managed pages  ->  MIN, LOW, HIGH, PROMO
 *      ratios, managed pages of the zones above      ->  lowmem_reserve
 *      fraction, managed pages or LOW, CPUs          ->  a pcp's batch, high_min, high_max
 */
#include "properties/list.h"
#include "properties/step.h"
#include "properties/walk.h"

#define KBYTES_OF_PAGE 4U

/* ---- marks --------------------------------------------------------------- */

/* The marks of a state that nobody has set up are not looked at. */
static bool is_set_up(const struct view *view)
{
	return view->global->sysctl[SYSCTL_MIN_FREE_KBYTES];
}

static u64 lowmem_pages(const struct view *view)
{
	u64 pages = 0;

	for (u32 i = 0; i < view->machine->nr_zones; i++) {
		if (view->zones[i].type <= ZONE_NORMAL)
			pages += view->zones[i].managed_pages;
	}
	return pages;
}

/* Zones above Normal have a small MIN of their own, but the distance of their share. */
static u64 expected_mark(const struct view *view, const struct zone *z, u32 which)
{
	u64 lowmem = lowmem_pages(view), managed = z->managed_pages;
	u64 share = view->global->sysctl[SYSCTL_MIN_FREE_KBYTES] / KBYTES_OF_PAGE * managed /
		    (lowmem ? lowmem : 1);
	u64 scaled = mult_frac(managed, view->global->sysctl[SYSCTL_WATERMARK_SCALE_FACTOR], 10000);
	u64 distance = share / 4 > scaled ? share / 4 : scaled;
	u64 min = share;

	if (z->type > ZONE_NORMAL)
		min = min_u32(max_u32((u32)(managed / 1024), SWAP_CLUSTER_MAX), 128);
	return min + (which - WMARK_MIN) * distance;
}

static bool marks_follow(const struct walk *w, char why[WHY_SIZE])
{
	char name[NAME_SIZE];
	u32 i;

	for_each_zone (w, i) {
		const struct zone *z = &w->view->zones[i];

		for (u32 which = WMARK_MIN; which < NR_WMARK && is_set_up(w->view); which++) {
			u64 should = expected_mark(w->view, z, which);

			if (z->_watermark[which] != should)
				return fails(why, "%s: mark %u is %u, should be %llu",
					     zone_name(w->view, i, name), which,
					     z->_watermark[which], (unsigned long long)should);
		}
	}
	return true;
}

const struct property prop_marks_follow = {
	.id = "marks-follow",
	.rule = "spec 5.6",
	.sentence = "The marks of a zone are those that its managed pages, min_free_kbytes and the "
		    "scale factor give.",
	.needs = "view",
	.promise = PROMISE_ALL,
	.holds = marks_follow,
	.judges = JUDGES_ZONES,
};

/* ---- lowmem_reserve ------------------------------------------------------ */

static u32 expected_reserve(const struct view *view, const struct zone *z, u32 highest)
{
	u32 ratio = view->global->sysctl[SYSCTL_LOWMEM_RESERVE_DMA + z->type];
	u32 above = 0;

	for (u32 i = 0; i < view->machine->nr_zones; i++) {
		const struct zone *upper = &view->zones[i];

		if (upper->node == z->node && upper->type > z->type && upper->type <= highest)
			above += upper->managed_pages;
	}
	return ratio && z->managed_pages ? above / ratio : 0;
}

static bool reserve_follows(const struct walk *w, char why[WHY_SIZE])
{
	char name[NAME_SIZE];
	u32 i;

	for_each_zone (w, i) {
		const struct zone *z = &w->view->zones[i];

		for (u32 j = z->type + 1U; j < MAX_NR_ZONES && is_set_up(w->view); j++) {
			u32 should = expected_reserve(w->view, z, j);

			if (z->lowmem_reserve[j] != should)
				return fails(why, "%s keeps %u back from %s, should be %u",
					     zone_name(w->view, i, name), z->lowmem_reserve[j],
					     zone_type_names[j], should);
		}
	}
	return true;
}

const struct property prop_reserve_follows = {
	.id = "reserve-follows",
	.rule = "spec 5.5",
	.sentence = "What a zone keeps back from requests for higher zones is the managed pages of "
		    "these, divided by its ratio.",
	.needs = "view",
	.promise = PROMISE_ALL,
	.holds = reserve_follows,
	.judges = JUDGES_ZONES,
};

/* ---- pcp limits ---------------------------------------------------------- */

static u32 expected_batch(const struct view *view, const struct zone *z)
{
	u32 n = min_u32(z->managed_pages / 4096, 64);

	if (view->machine->pcp_batch)
		return view->machine->pcp_batch;
	return n <= 1 ? 1 : BIT(ilog2(n + n / 2)) - 1;
}

/* CPUs of the node, or all where it has none. */
static u32 cpus_of(const struct view *view, const struct zone *z)
{
	u32 nr = 0;

	for (u32 cpu = 0; cpu < view->machine->nr_cpus; cpu++)
		nr += view->machine->cpu_node[cpu] == z->node;
	return nr ? nr : view->machine->nr_cpus;
}

static bool has_changed(const struct step *s, enum sysctl which)
{
	return s->before->global.sysctl[which] != s->view->global->sysctl[which];
}

struct limits {
	u32 batch, min, max;
};

/* Of a limit that the machine names and one that is computed, the computed one gives way. */
static struct limits expected_limits(const struct view *view, const struct zone *z)
{
	const struct machine *m = view->machine;
	u32 fraction = view->global->sysctl[SYSCTL_PERCPU_PAGELIST_HIGH_FRACTION];
	u32 low = z->_watermark[WMARK_LOW] + z->watermark_boost;
	u32 cpus = cpus_of(view, z);
	struct limits l = {.batch = expected_batch(view, z)};

	l.min = max_u32((fraction ? z->managed_pages / fraction : low) / cpus, 4 * l.batch);
	l.max = max_u32(z->managed_pages / (fraction ? fraction : 8) / cpus, 4 * l.batch);
	if (m->pcp_high_min)
		l.min = m->pcp_high_min;
	if (m->pcp_high_max) {
		l.max = m->pcp_high_max;
		l.min = min_u32(l.min, l.max);
	} else if (m->pcp_high_min) {
		l.max = max_u32(l.min, l.max);
	}
	return l;
}

static int pcp_follows(const struct step *s, char why[WHY_SIZE])
{
	const struct view *view = s->view;
	char name[NAME_SIZE];

	if (!has_changed(s, SYSCTL_PERCPU_PAGELIST_HIGH_FRACTION) &&
	    !has_changed(s, SYSCTL_MIN_FREE_KBYTES) &&
	    !has_changed(s, SYSCTL_WATERMARK_SCALE_FACTOR))
		return VERDICT_MEANINGLESS;
	for (u32 i = 0; i < view->machine->nr_zones; i++) {
		const struct zone *z = &view->zones[i];
		struct limits l = expected_limits(view, z);

		if (z->pageset_batch != l.batch || z->pageset_high_min != l.min ||
		    z->pageset_high_max != l.max)
			return breaks(why, "%s: batch %u, high %u to %u, should be %u, %u to %u",
				      zone_name(view, i, name), z->pageset_batch,
				      z->pageset_high_min, z->pageset_high_max, l.batch, l.min,
				      l.max);
	}
	return VERDICT_HOLDS;
}

const struct property prop_pcp_follows = {
	.id = "pcp-follows",
	.rule = "spec 5.7",
	.sentence = "Who writes percpu_pagelist_high_fraction, min_free_kbytes or the scale factor "
		    "gives the pcps of every zone the batch and the limits that follow.",
	.needs = "view",
	.promise = PROMISE_ALL,
	.requests = REQUEST_BIT(REQUEST_MACHINE),
	.step = pcp_follows,
};
