/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading a step as a request on its slow path. */
#include "properties/slowpath.h"

bool next_look(const struct step *s, u32 i, struct look *look)
{
	const struct event *begin = step_find(s, EV_GPFF, i);
	const struct event *end = begin ? step_find(s, EV_GPFF_END, step_index(s, begin)) : NULL;

	*look = (struct look){.begin = begin, .end = end};
	return end != NULL;
}

bool slow_read(struct slow *slow, const struct step *s)
{
	const struct request *r = s->request;
	struct look fast;

	if (!(s->seen & EV_BIT(EV_GPFF_END)) || r->kind != REQUEST_ALLOC || s->interleaved ||
	    s->events_lost)
		return false;
	if (!next_look(s, 0, &fast) || fast.end->pfn != PFN_NONE)
		return false;
	*slow = (struct slow){.step = s, .fast = fast, .first = after_look(s, &fast)};
	if (!wants_read(&slow->wants, s->view, r, s->before->global.task.flags))
		return false;
	for (const struct event *e = step_find(s, EV_ENV_CALL, slow->first); e;
	     e = step_find(s, EV_ENV_CALL, step_index(s, e) + 1))
		slow->called |= BIT(e->a);
	slow->failed = r->result_pfn == PFN_NONE;
	slow->blocking = slow_has(slow, __GFP_DIRECT_RECLAIM);
	slow->costly = r->order > PAGE_ALLOC_COSTLY_ORDER;
	slow->can_compact =
		slow->blocking && slow_has(slow, __GFP_IO) && s->view->machine->config_compaction;
	return true;
}

bool slow_has_zone(const struct slow *slow)
{
	const struct wants *w = &slow->wants;
	const struct task *task = &slow->step->before->global.task;

	if (wants_next(w, 0, w->nodemask) == w->zonelist->nr)
		return false;
	if ((task->flags & TASK_CPUSETS_INSANE) && slow_has(slow, __GFP_HARDWALL))
		return wants_next(w, 0, task->mems_allowed) < w->zonelist->nr;
	return true;
}
