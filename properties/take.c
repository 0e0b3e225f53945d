/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading decisions as pages that were taken. */
#include "properties/take.h"

#include "properties/wants.h"

/* The bulk API has no pass; spec 1.6 (g) composes these. */
static u32 bulk_flags(const struct machine *machine, u32 mt)
{
	return ALLOC_WMARK_LOW | (mt == MIGRATE_MOVABLE && machine->config_cma ? ALLOC_CMA : 0);
}

bool take_request(struct take *t, const struct decision *d)
{
	u32 gfp = d->pass ? d->pass->gfp : d->request->gfp;

	if (!may_take(d) || ((gfp & __GFP_MOVABLE) && (gfp & __GFP_RECLAIMABLE)))
		return false;
	t->d = d;
	t->mt = wants_migratetype(d->view, gfp);
	t->flags = d->pass ? d->pass->a : bulk_flags(d->view->machine, t->mt);
	return true;
}

static bool read_zone_locked(struct take *t, const struct event *e)
{
	t->kind = TAKE_LIST;
	t->type = e->a;
	if (e->a >= MIGRATE_TYPES)
		return false;
	t->least = shot_smallest(t->d->was, t->order, e->a);
	/* The list was empty: a claim has just filled it, and will say so. */
	return t->least < NR_ORDERS;
}

static bool read_extfrag(struct take *t, const struct event *e)
{
	t->kind = e->a >= block_order(t) || t->d->claimed ? TAKE_CLAIM : TAKE_STEAL;
	t->from = e->a;
	t->type = e->c;
	return e->a < NR_ORDERS && e->c < MIGRATE_TYPES && !is_capture(t->d);
}

bool take_read(struct take *t)
{
	const struct event *e = t->d->event;

	t->pfn = e->pfn;
	t->order = (u32)e->order;
	if (t->order >= NR_ORDERS || t->pfn >= t->d->view->nr_pages)
		return false;
	return e->type == EV_MM_PAGE_ALLOC_EXTFRAG ? read_extfrag(t, e) : read_zone_locked(t, e);
}

bool is_capture(const struct decision *d)
{
	return d->event->type == EV_MM_PAGE_ALLOC_EXTFRAG &&
	       d->zone->vm_stat[NR_FREE_PAGES] >= d->was->zone.vm_stat[NR_FREE_PAGES];
}

u32 shot_smallest(const struct zone_shot *was, u32 order, u32 mt)
{
	while (order < NR_ORDERS && shot_first(was, order, mt) == PFN_NONE)
		order++;
	return order;
}

u32 retyped_outside(const struct decision *d, u32 start, u32 end)
{
	const struct zone_shot *was = d->was;
	u32 order = d->view->machine->pageblock_order;

	for (u32 i = 0; d->blocks_changed && i < was->nr_blocks; i++) {
		u32 pfn = (was->first_block + i) << order;
		u8 changed = was->blocks[i] ^ d->view->pageblock_flags[was->first_block + i];

		if ((changed & (PB_MIGRATETYPE_MASK | PB_ISOLATE)) && (pfn < start || pfn >= end))
			return pfn;
	}
	return PFN_NONE;
}

/* To both ends at once, because what has just been put on a list is at one of them. */
u32 list_type(const struct view *view, const struct zone *zone, u32 pfn, u32 order)
{
	u32 first = free_list_head(zone, order, 0);
	u32 next = pfn, prev = pfn, head;

	do {
		next = view->links[next].next;
		prev = view->links[prev].prev;
	} while (next < view->nr_pages && prev < view->nr_pages && next != pfn);
	head = next < view->nr_pages ? prev : next;
	return head >= first && head < first + MIGRATE_TYPES ? head - first : (u32)MIGRATE_TYPES;
}
