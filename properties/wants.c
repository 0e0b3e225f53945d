/* SPDX-License-Identifier: GPL-2.0-only */
/* What a request may use (spec 1.2 - 1.4, 2.1, 6.9). */
#include "properties/wants.h"

/* 1.2: what the scopes of a task take away. */
static u32 scoped_gfp(u32 gfp, u32 task_flags)
{
	if (task_flags & TASK_NOIO)
		gfp &= ~(__GFP_IO | __GFP_FS);
	else if (task_flags & TASK_NOFS)
		gfp &= ~__GFP_FS;
	if (task_flags & TASK_PIN)
		gfp &= ~__GFP_MOVABLE;
	return gfp;
}

/* 1.3 */
static u32 highest_zone(const struct machine *m, u32 gfp)
{
	if (gfp & __GFP_DMA)
		return m->config_dma ? ZONE_DMA : ZONE_NORMAL;
	if (gfp & __GFP_DMA32)
		return m->config_dma32 ? ZONE_DMA32 : ZONE_NORMAL;
	return (gfp & __GFP_HIGHMEM) && (gfp & __GFP_MOVABLE) ? ZONE_MOVABLE : ZONE_NORMAL;
}

u32 wants_migratetype(const struct view *view, u32 gfp)
{
	if (view->global->page_group_by_mobility_disabled)
		return MIGRATE_UNMOVABLE;
	if (gfp & __GFP_MOVABLE)
		return MIGRATE_MOVABLE;
	return gfp & __GFP_RECLAIMABLE ? MIGRATE_RECLAIMABLE : MIGRATE_UNMOVABLE;
}

bool wants_read(struct wants *w, const struct view *view, const struct request *r, u32 task_flags)
{
	u32 gfp = scoped_gfp(r->kind == REQUEST_NOLOCK ? r->gfp | GFP_NOLOCK : r->gfp, task_flags);
	u32 selectors = gfp & (__GFP_DMA | __GFP_DMA32 | __GFP_HIGHMEM);

	if (selectors & (selectors - 1))
		return false;
	if ((gfp & __GFP_MOVABLE) && (gfp & __GFP_RECLAIMABLE))
		return false;
	if (r->node >= view->machine->nr_nodes)
		return false;
	*w = (struct wants){
		.view = view,
		.gfp = gfp,
		.order = r->order,
		.mt = wants_migratetype(view, gfp),
		.hidx = highest_zone(view->machine, gfp),
		.nodemask = r->nodemask,
		.zonelist =
			&view->nodes[r->node].zonelists[gfp & __GFP_THISNODE ? ZONELIST_NOFALLBACK
									     : ZONELIST_FALLBACK],
	};
	return true;
}

bool cpuset_admits(const struct view *view, const struct zone *z, u32 gfp)
{
	const struct task *task = &view->global->task;

	if (!(task->flags & TASK_CPUSETS_ENABLED) ||
	    (task->flags & (TASK_IN_INTERRUPT | TASK_IN_SOFTIRQ | TASK_OOM_VICTIM)))
		return true;
	if (task->mems_allowed & BIT(z->node))
		return true;
	if (gfp & __GFP_HARDWALL)
		return false;
	return (task->flags & TASK_PF_EXITING) || (task->mems_hardwall & BIT(z->node));
}
