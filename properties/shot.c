/* SPDX-License-Identifier: GPL-2.0-only */
/* Copies of the state; the judge takes one for every op and every decision. */
#include "properties/shot.h"

#include <stdlib.h>
#include <string.h>

#include "properties/pages.h"

/* ---- before an op -------------------------------------------------------- */

static size_t nr_pcps(const struct machine *machine)
{
	return (size_t)machine->nr_zones * machine->nr_cpus;
}

static size_t nr_blocks(const struct view *view)
{
	return ((view->nr_pages - 1) >> view->machine->pageblock_order) + 1;
}

bool shot_init(struct shot *shot, const struct view *view)
{
	const struct machine *machine = view->machine;

	shot->zones = calloc(machine->nr_zones, sizeof(*shot->zones));
	shot->pcps = calloc(nr_pcps(machine), sizeof(*shot->pcps));
	shot->trylock = calloc(machine->nr_zones, sizeof(*shot->trylock));
	shot->blocks = calloc(nr_blocks(view), 1);
	return shot->zones && shot->pcps && shot->trylock && shot->blocks;
}

void shot_exit(struct shot *shot)
{
	free(shot->zones);
	free(shot->pcps);
	free(shot->trylock);
	free(shot->blocks);
}

void shot_take(struct shot *shot, const struct view *view, bool blocks)
{
	const struct machine *machine = view->machine;

	shot->global = *view->global;
	memcpy(shot->zones, view->zones, machine->nr_zones * sizeof(*shot->zones));
	memcpy(shot->pcps, view->pcps, nr_pcps(machine) * sizeof(*shot->pcps));
	for (u32 z = 0; z < machine->nr_zones; z++) {
		u32 head = view->zones[z].trylock_list;

		shot->trylock[z] = view->links[head].next == head ? 0 : trylock_pages(view, z);
	}
	if (blocks)
		memcpy(shot->blocks, view->pageblock_flags, nr_blocks(view));
}

/* ---- before a decision --------------------------------------------------- */

/* Blocks that the zone has pages of. */
static u32 zone_blocks(const struct machine *machine, u32 zone, u32 *first)
{
	const struct machine_zone *z = &machine->zones[zone];
	u32 end = z->start + z->pages;

	*first = z->start >> machine->pageblock_order;
	return ((end - 1) >> machine->pageblock_order) - *first + 1;
}

bool zone_shot_init(struct zone_shot *shot, const struct view *view)
{
	u32 most = 1, first;

	for (u32 z = 0; z < view->machine->nr_zones; z++)
		most = max_u32(most, zone_blocks(view->machine, z, &first));
	*shot = (struct zone_shot){
		.blocks = calloc(most, 1),
		.pcp_ends = calloc(view->machine->nr_cpus, NR_PCP_LISTS * sizeof(struct link)),
		.nr_pages = view->nr_pages,
	};
	return shot->blocks && shot->pcp_ends;
}

void zone_shot_exit(struct zone_shot *shot)
{
	free(shot->blocks);
	free(shot->pcp_ends);
}

static void take_pcp_ends(struct zone_shot *shot, const struct view *view)
{
	for (u32 cpu = 0; cpu < view->machine->nr_cpus; cpu++)
		memcpy(&shot->pcp_ends[cpu * NR_PCP_LISTS],
		       &view->links[view_pcp(view, shot->zone.index, cpu)->lists],
		       NR_PCP_LISTS * sizeof(struct link));
}

void zone_shot_take(struct zone_shot *shot, const struct view *view, u32 zone, bool heads)
{
	shot->zone = view->zones[zone];
	if (heads)
		memcpy(shot->heads, &view->links[shot->zone.free_lists], sizeof(shot->heads));
	shot->nr_blocks = zone_blocks(view->machine, zone, &shot->first_block);
	memcpy(shot->blocks, view->pageblock_flags + shot->first_block, shot->nr_blocks);
	take_pcp_ends(shot, view);
}

bool zone_shot_blocks_changed(const struct zone_shot *shot, const struct view *view)
{
	return memcmp(shot->blocks, view->pageblock_flags + shot->first_block, shot->nr_blocks);
}

/*
 * A page was taken off the lists of @mt. They change from its order up to that of the buddy that was
 * cut, of which there is one less:
 *
 *      take order 0:   order 0 +1, order 1 +1, order 2 -1
 */
static void update_lists(struct zone_shot *shot, const struct decision *d, u32 order, u32 mt)
{
	const struct link *heads = &d->view->links[free_list_head(d->zone, 0, mt)];
	const u32 *now = d->zone->nr_free;
	bool cut = false;

	for (; order < NR_ORDERS && !cut; order++) {
		cut = now[order] < shot->zone.nr_free[order];
		shot->zone.nr_free[order] = now[order];
		shot->heads[order][mt] = heads[order * MIGRATE_TYPES];
	}
	shot->zone.nr_free_highatomic = d->zone->nr_free_highatomic;
	/* Those of free pages come first. */
	memcpy(shot->zone.vm_stat, d->zone->vm_stat, NR_MLOCK * sizeof(shot->zone.vm_stat[0]));
}

/* A page that merges with another type changes a block as well (spec 3.9): then all is copied. */
bool zone_shot_update(struct zone_shot *shot, const struct decision *d)
{
	u32 order = (u32)d->event->order, mt = d->event->a;

	if (d->blocks_changed)
		return false;
	if (d->event->type == EV_MM_PAGE_PCPU_DRAIN && !may_take(d)) {
		take_pcp_ends(shot, d->view);
		return true;
	}
	if (d->event->type != EV_MM_PAGE_ALLOC_ZONE_LOCKED || mt >= MIGRATE_TYPES ||
	    order >= NR_ORDERS)
		return false;
	update_lists(shot, d, order, mt);
	return true;
}
