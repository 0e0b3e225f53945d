/* SPDX-License-Identifier: GPL-2.0-only */
/* The bulk API may take less than it was asked for, but neither nothing at once nor anything anywhere (spec 4.15). */
#include "properties/list.h"
#include "properties/pages.h"
#include "properties/walk.h"
#include "properties/wants.h"

static u64 allocated(const struct step *s)
{
	u64 pages = 0;

	for (u32 type = 0; type < MAX_NR_ZONES; type++)
		pages += s->view->global->vm_event[PGALLOC + type] -
			 s->before->global.vm_event[PGALLOC + type];
	return pages;
}

static bool was_injected(const struct step *s)
{
	const struct event *e;

	for (e = step_find(s, EV_ENV_CALL, 0); e;
	     e = step_find(s, EV_ENV_CALL, step_index(s, e) + 1)) {
		if (e->a == ENV_FAULT && e->c)
			return true;
	}
	return false;
}

static int bulk_tries(const struct step *s, char why[WHY_SIZE])
{
	if (s->request->filled >= s->request->nr || step_is_blurred(s) || was_injected(s))
		return VERDICT_MEANINGLESS;
	if (!allocated(s) && !(s->seen & EV_BIT(EV_GPFF)))
		return breaks(why, "none of %u pages, and the normal path was not tried",
			      s->request->nr - s->request->filled);
	return VERDICT_HOLDS;
}

const struct property prop_bulk_tries = {
	.id = "bulk-tries",
	.rule = "spec 4.15",
	.sentence = "A bulk allocation that finds nothing has tried the normal path for one page.",
	.needs = "view, inner",
	.promise = PROMISE_ALL,
	.requests = REQUEST_BIT(REQUEST_BULK),
	.step = bulk_tries,
};

static s64 cached_pages(const struct view *view, const struct per_cpu_pages *pcps, u32 zone)
{
	s64 pages = 0;

	for (u32 cpu = 0; cpu < view->machine->nr_cpus; cpu++)
		pages += pcps[zone * view->machine->nr_cpus + cpu].count;
	return pages;
}

static bool is_wanted(const struct wants *w, u32 zone)
{
	u32 pos;

	for_each_wanted_zone(w, w->nodemask, pos)
	{
		if (wants_zone(w, pos)->index == zone)
			return true;
	}
	return false;
}

/*
 * The normal path is judged by others, and may leave the mask where it has rights to reserves. The bulk API
 * reads no scopes of the task (spec 4.15).
 */
static int bulk_eligible(const struct step *s, char why[WHY_SIZE])
{
	struct wants wants;
	char name[NAME_SIZE];

	if (step_is_blurred(s) || (s->seen & EV_BIT(EV_GPFF)) ||
	    !wants_read(&wants, s->view, s->request, 0))
		return VERDICT_MEANINGLESS;
	for (u32 z = 0; z < s->view->machine->nr_zones; z++) {
		s64 grown = listed_growth(s, z) + cached_pages(s->view, s->view->pcps, z) -
			    cached_pages(s->view, s->before->pcps, z);

		if (grown < 0 && !is_wanted(&wants, z))
			return breaks(why, "%lld pages come from %s, which is not in its list",
				      (long long)-grown, zone_name(s->view, z, name));
	}
	return allocated(s) ? VERDICT_HOLDS : VERDICT_MEANINGLESS;
}

const struct property prop_bulk_eligible = {
	.id = "bulk-eligible",
	.rule = "spec 2.1, 4.15",
	.sentence = "A bulk allocation takes pages of no zone but those of its list and node mask.",
	.needs = "view, inner",
	.promise = PROMISE_ACCOUNTS,
	.requests = REQUEST_BIT(REQUEST_BULK),
	.step = bulk_eligible,
};
