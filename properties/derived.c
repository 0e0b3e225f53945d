/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How large per-cpu lists may get follows from sysctls and sizes (spec 5.7):
 *
 *      fraction, managed pages or LOW, CPUs  ->  batch, high_min, high_max
 */
#include "properties/list.h"
#include "properties/step.h"
#include "properties/walk.h"

static u32 expected_batch(const struct view *view, const struct zone *z)
{
	u32 n = min_u32(z->managed_pages / 4096, 64);

	if (view->machine->pcp_batch)
		return view->machine->pcp_batch;
	return n <= 1 ? 1 : BIT(ilog2(n + n / 2)) - 1;
}

/* CPUs of the node as the zonelist code sees them (`node N cpus on`), or all where it sees none. */
static u32 cpus_of(const struct view *view, const struct zone *z)
{
	u32 nr = 0;

	for (u32 cpu = 0; view->machine->node_has_cpus[z->node] && cpu < view->machine->nr_cpus;
	     cpu++)
		nr += view->machine->cpu_node[cpu] == z->node;
	return max_u32(nr ? nr : view->machine->nr_cpus, 1);
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
	.promise = PROMISE_TUNED_PCP,
	.requests = REQUEST_BIT(REQUEST_MACHINE),
	.step = pcp_follows,
};
