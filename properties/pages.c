/* SPDX-License-Identifier: GPL-2.0-only */
/* Counting and finding unused pages. */
#include "properties/pages.h"

#include "properties/walk.h"

/* Most zones stay as they are in a step. */
s64 listed_growth(const struct step *s, u32 zone)
{
	const u32 *before = s->before->zones[zone].nr_free, *now = s->view->zones[zone].nr_free;
	u32 changes = 0;
	s64 pages = 0;

	for (u32 order = 0; order < NR_ORDERS; order++)
		changes |= now[order] ^ before[order];
	for (u32 order = 0; changes && order < NR_ORDERS; order++)
		pages += ((s64)now[order] - before[order]) * (1 << order);
	return pages;
}

/* Of pcps @first up to below @end. */
static s64 pcps_growth(const struct step *s, u32 first, u32 end)
{
	const struct per_cpu_pages *before = s->before->pcps, *now = s->view->pcps;
	s64 pages = 0;

	for (u32 i = first; i < end; i++)
		pages += now[i].count - before[i].count;
	return pages;
}

s64 cached_growth(const struct step *s)
{
	return pcps_growth(s, 0, s->view->machine->nr_zones * s->view->machine->nr_cpus);
}

/* A corrupt list must not keep anybody busy for ever. */
u32 trylock_pages(const struct view *view, u32 zone)
{
	u32 pfn = view->links[view->zones[zone].trylock_list].next;
	u32 pages = 0;

	for (u32 i = 0; pfn < view->nr_pages && i < view->nr_pages; i++) {
		pages += BIT(min_u32(view->pages[pfn].private, MACHINE_MAX_ORDER));
		pfn = view->links[pfn].next;
	}
	return pages;
}

struct unused unused_growth(const struct step *s, u32 zone)
{
	u32 nr_cpus = s->view->machine->nr_cpus;

	return (struct unused){
		.listed = listed_growth(s, zone),
		.cached = pcps_growth(s, zone * nr_cpus, (zone + 1) * nr_cpus),
		.waiting = (s64)trylock_pages(s->view, zone) - s->before->trylock[zone],
	};
}

u32 free_buddy_of(const struct view *view, u32 pfn)
{
	for (u32 order = 0; order < NR_ORDERS; order++) {
		u32 head = align_down(pfn, BIT(order));
		const struct page *page = &view->pages[head];

		if ((page->flags & PG_BUDDY) && page->private >= order)
			return head;
	}
	return PFN_NONE;
}

/* The same on one list, whose entries have 2^order pages. */
static u32 listed_in(const struct view *view, u32 head, u32 order, u32 start, u32 end)
{
	u32 pfn = view->links[head].next;

	for (u32 i = 0; pfn < view->nr_pages && i < view->nr_pages; i++) {
		if (pfn < end && pfn + BIT(order) > start)
			return pfn;
		pfn = view->links[pfn].next;
	}
	return PFN_NONE;
}

u32 cached_in(const struct view *view, u32 zone, u32 start, u32 end)
{
	for (u32 i = 0; i < view->machine->nr_cpus * NR_PCP_LISTS; i++) {
		const struct per_cpu_pages *pcp = view_pcp(view, zone, i / NR_PCP_LISTS);
		u32 list = i % NR_PCP_LISTS;
		u32 pfn = listed_in(view, pcp_list_head(pcp, list),
				    pcp_list_order(view->machine, list), start, end);

		if (pfn != PFN_NONE)
			return pfn;
	}
	return PFN_NONE;
}

/* Are all blocks of the free buddy @head of one type, which merges? */
static bool buddy_is_uniform(const struct view *view, u32 head)
{
	u32 end = head + BIT(view->pages[head].private);
	u32 mt = block_type(view, head);

	for (u32 pfn = head; pfn < end; pfn += BIT(view->machine->pageblock_order)) {
		if (block_type(view, pfn) != mt)
			return false;
	}
	return type_merges(mt);
}

bool block_was_unified(const struct view *view, u32 block, u8 was)
{
	u32 head = free_buddy_of(view, block << view->machine->pageblock_order);

	return !(was & PB_ISOLATE) && type_merges(was & PB_MIGRATETYPE_MASK) && head != PFN_NONE &&
	       view->pages[head].private > view->machine->pageblock_order &&
	       buddy_is_uniform(view, head);
}

bool freed_to_pcp(const struct step *s, const struct per_cpu_pages **before,
		  const struct per_cpu_pages **now)
{
	const struct event *e = step_find(s, EV_MM_PAGE_FREE, 0);
	u32 zone;

	if (step_is_blurred(s) || s->request->kind != REQUEST_FREE || !e ||
	    step_count(s, EV_MM_PAGE_FREE) != 1 || e->pfn != s->request->pfn ||
	    (u32)e->order != s->request->order)
		return false;
	zone = s->view->pages[e->pfn].zone;
	*before = pcp_before(s, zone);
	*now = pcp_now(s, zone);
	return (*now)->count != (*before)->count || (s->seen & EV_BIT(EV_MM_PAGE_PCPU_DRAIN));
}
