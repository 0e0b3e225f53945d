/* SPDX-License-Identifier: GPL-2.0-only */
/* Counting and finding unused pages. */
#include "properties/pages.h"

#include <string.h>

#include "properties/walk.h"

static s64 listed_growth(const u32 *before, const u32 *now)
{
	s64 pages = 0;

	if (!memcmp(before, now, NR_ORDERS * sizeof(*now)))
		return 0;
	for (u32 order = 0; order < NR_ORDERS; order++)
		pages += ((s64)now[order] - before[order]) * (1 << order);
	return pages;
}

static s64 cached_growth(const struct per_cpu_pages *before, const struct per_cpu_pages *now,
			 size_t nr_cpus)
{
	s64 pages = 0;

	for (size_t cpu = 0; cpu < nr_cpus; cpu++)
		pages += now[cpu].count - before[cpu].count;
	return pages;
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
	const struct view *view = s->view;
	size_t nr_cpus = view->machine->nr_cpus;

	return (struct unused){
		.listed = listed_growth(s->before->zones[zone].nr_free, view->zones[zone].nr_free),
		.cached = cached_growth(&s->before->pcps[zone * nr_cpus],
					&view->pcps[zone * nr_cpus], nr_cpus),
		.waiting = (s64)trylock_pages(view, zone) - s->before->trylock[zone],
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
