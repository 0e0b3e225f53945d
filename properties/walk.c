/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The walk: every list and every page once, O(pages + entries), no allocation
 * and nothing to clear. at[] may hold anything where no entry begins: an index is
 * believed only if the entry that it names says the same PFN.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "properties/walk.h"

bool fails(char why[WHY_SIZE], const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why, WHY_SIZE, format, args);
	va_end(args);
	return false;
}

const char *type_name(u32 mt)
{
	return mt < MIGRATE_TYPES ? migratetype_names[mt] : "no type";
}

const char *zone_name(const struct view *v, u32 zone, char name[NAME_SIZE])
{
	if (zone < v->machine->nr_zones && v->zones[zone].type < MAX_NR_ZONES)
		snprintf(name, NAME_SIZE, "node %u %s", v->zones[zone].node,
			 zone_type_names[v->zones[zone].type]);
	else
		snprintf(name, NAME_SIZE, "zone %u", zone);
	return name;
}

const char *entry_name(const struct walk *w, const struct entry *e, char name[NAME_SIZE])
{
	static const char *const owners[NR_ENTRY_KINDS] = {
		"nobody's", "free", "pcp", "trylock-list", "isolated", "handed-out",
	};
	char zone[NAME_SIZE], extra[32] = "";

	if (e->kind == ENTRY_FREE)
		snprintf(extra, sizeof(extra), ", %s", type_name(e->list));
	if (e->kind == ENTRY_PCP)
		snprintf(extra, sizeof(extra), ", CPU %u, list %u", e->cpu, e->list);
	snprintf(name, NAME_SIZE, "%s pages %u..%u (%.20s, order %u%.24s)", owners[e->kind], e->pfn,
		 e->pfn + (1U << e->order) - 1, zone_name(w->view, e->zone, zone), e->order, extra);
	return name;
}

/* ---- lists --------------------------------------------------------------- */

static void add_entry(struct walk *w, struct entry e)
{
	w->at[e.pfn] = w->nr_entries;
	w->entries[w->nr_entries++] = e;
}

/* "pcp list 4 (node 0 Normal, CPU 1)": the list whose entries are like @like. */
static const char *list_name(const struct walk *w, const struct entry *like, char name[NAME_SIZE])
{
	char zone[NAME_SIZE];

	zone_name(w->view, like->zone, zone);
	switch (like->kind) {
	case ENTRY_FREE:
		snprintf(name, NAME_SIZE, "free list (%.20s, order %u, %s)", zone, like->order,
			 type_name(like->list));
		break;
	case ENTRY_PCP:
		snprintf(name, NAME_SIZE, "pcp list %u (%.20s, CPU %u)", like->list, zone,
			 like->cpu);
		break;
	case ENTRY_TRYLOCK:
		snprintf(name, NAME_SIZE, "trylock list (%.20s)", zone);
		break;
	default:
		snprintf(name, NAME_SIZE, "list of isolated pages");
	}
	return name;
}

static bool list_fails(struct walk *w, const struct entry *like, const char *what, u32 from, u32 to)
{
	char name[NAME_SIZE];

	return fails(w->broken, "%s: %s (%u -> %u)", list_name(w, like, name), what, from, to);
}

/*
 * Follow the ring at @head; every page on it becomes an entry like @like. As each page must name
 * the one before it, a ring that does not close can't go on for ever.
 */
static bool walk_list(struct walk *w, u32 head, struct entry like, u32 *length)
{
	const struct link *links = w->view->links;
	u32 prev = head, nr = 0, pfn;

	if (head < w->view->nr_pages || head >= w->view->nr_links)
		return list_fails(w, &like, "the head is out of range", head, head);
	for (pfn = links[head].next; pfn != head; pfn = links[pfn].next) {
		if (pfn >= w->view->nr_pages)
			return list_fails(w, &like, "next is no page", prev, pfn);
		if (links[pfn].prev != prev)
			return list_fails(w, &like, "next does not point back", prev, pfn);
		if (entry_at(w, pfn))
			return list_fails(w, &like, "a page of another list", prev, pfn);
		like.pfn = pfn;
		if (like.kind == ENTRY_TRYLOCK || like.kind == ENTRY_ISOLATED)
			like.order = min_u32(w->view->pages[pfn].private, 31) & 31;
		if (like.kind == ENTRY_ISOLATED)
			like.zone = w->view->pages[pfn].zone;
		add_entry(w, like);
		prev = pfn;
		nr++;
	}
	if (links[head].prev != prev)
		return list_fails(w, &like, "the head does not point back to the last", prev, head);
	*length = nr;
	return true;
}

static bool walk_free_lists(struct walk *w, u32 zone)
{
	struct entry like = {.kind = ENTRY_FREE, .zone = (u8)zone};
	const struct zone *z = &w->view->zones[zone];
	u32 order, mt;

	for (order = 0; order < NR_ORDERS; order++) {
		like.order = (u8)(order & 31);
		for (mt = 0; mt < MIGRATE_TYPES; mt++) {
			like.list = (u8)mt;
			if (!walk_list(w, free_list_head(z, order, mt), like,
				       &w->zones[zone].nr[order][mt]))
				return false;
		}
	}
	return true;
}

/* Order of the pages on a pcp list (spec 2.5, rule 10.25). */
static u32 pcp_list_order(const struct machine *machine, u32 list)
{
	return list < NR_LOWORDER_PCP_LISTS ? list / MIGRATE_PCPTYPES : machine->pmd_order;
}

static bool walk_pcp(struct walk *w, u32 zone, u32 cpu)
{
	struct entry like = {.kind = ENTRY_PCP, .zone = (u8)zone, .cpu = (u8)cpu};
	const struct per_cpu_pages *pcp = view_pcp(w->view, zone, cpu);
	u32 pages = 0, list, nr;

	for (list = 0; list < NR_PCP_LISTS; list++) {
		like.list = (u8)list;
		like.order = (u8)(pcp_list_order(w->view->machine, list) & 31);
		if (!walk_list(w, pcp_list_head(pcp, list), like, &nr))
			return false;
		pages += nr << like.order;
	}
	w->pcp_pages[zone * w->view->machine->nr_cpus + cpu] = pages;
	return true;
}

/* The caller's extents; most bytes are 0, so eight are looked at together. */
static void walk_held(struct walk *w)
{
	const struct view *v = w->view;
	const u8 *held = w->now->held;
	u32 pfn = 0;
	u64 eight;

	while (pfn < v->nr_pages) {
		if (v->nr_pages - pfn >= sizeof(eight)) {
			memcpy(&eight, held + pfn, sizeof(eight));
			if (!eight) {
				pfn += sizeof(eight);
				continue;
			}
		}
		if (HELD_ORDER(held[pfn]) <= MACHINE_MAX_GIGANTIC)
			add_entry(w, (struct entry){.pfn = pfn,
						    .kind = ENTRY_HELD,
						    .order = HELD_ORDER(held[pfn]) & 31,
						    .zone = v->pages[pfn].zone,
						    .list = held[pfn]});
		pfn++;
	}
}

static bool walk_lists(struct walk *w)
{
	const struct machine *machine = w->view->machine;
	u32 zone, cpu, nr;

	for (zone = 0; zone < machine->nr_zones; zone++) {
		struct entry trylock = {.kind = ENTRY_TRYLOCK, .zone = (u8)zone};

		if (!walk_free_lists(w, zone) ||
		    !walk_list(w, w->view->zones[zone].trylock_list, trylock, &nr))
			return false;
		for (cpu = 0; cpu < machine->nr_cpus; cpu++)
			if (!walk_pcp(w, zone, cpu))
				return false;
	}
	return walk_list(w, w->view->global->isolated_list,
			 (struct entry){.kind = ENTRY_ISOLATED, .zone = ZONE_ANY}, &nr);
}

/* ---- pages --------------------------------------------------------------- */

static void add_page(struct page_sum *sum, const struct page *page)
{
	sum->private |= page->private;
	sum->refcount |= (u32)page->refcount;
	sum->flags |= page->flags;
}

/* May a page be in no entry? Holes, and what boot or memory failure set aside (rule 10.1). */
static bool may_be_lost(const struct page *page)
{
	return !(page->flags & PG_ONLINE) || page->zone == ZONE_ANY ||
	       (page->flags & (PG_RESERVED | PG_HWPOISON));
}

/* Each page once: from entry to entry, and one by one where there is none. */
static void walk_pages(struct walk *w)
{
	const struct page *pages = w->view->pages;
	const struct entry *e;
	struct page_sum sum;
	u32 pfn = 0, end;

	w->nr_reached = 0;
	w->lost = PFN_NONE;
	memset(w->rest, 0, sizeof(w->rest));
	while (pfn < w->view->nr_pages) {
		e = entry_at(w, pfn);
		if (!e) {
			add_page(&w->rest[ENTRY_NONE], &pages[pfn]);
			if (w->lost == PFN_NONE && !may_be_lost(&pages[pfn]))
				w->lost = pfn;
			pfn++;
			continue;
		}
		w->nr_reached++;
		sum = w->rest[e->kind];
		for (pfn++, end = entry_end(w, e); pfn < end; pfn++)
			add_page(&sum, &pages[pfn]);
		w->rest[e->kind] = sum;
	}
}

/* ---- pageblocks ---------------------------------------------------------- */

/* A block counts for the zone of its first page; what begins in a hole, for the zone behind it. */
static void walk_blocks(struct walk *w, u32 zone)
{
	const struct view *v = w->view;
	const struct zone *z = &v->zones[zone];
	struct zone_sum *sum = &w->zones[zone];
	u32 block = 1U << v->machine->pageblock_order;
	u32 pfn = align_down(z->zone_start_pfn, block);
	u8 flags;

	sum->highatomic = sum->isolated = sum->isolated_highatomic = 0;
	for (; pfn < zone_end_pfn(z); pfn += block) {
		if (pfn < z->zone_start_pfn && v->pages[pfn].zone != ZONE_ANY)
			continue;
		flags = v->pageblock_flags[pfn >> v->machine->pageblock_order];
		if ((flags & PB_MIGRATETYPE_MASK) == MIGRATE_HIGHATOMIC) {
			sum->highatomic++;
			sum->isolated_highatomic += !!(flags & PB_ISOLATE);
		}
		sum->isolated += !!(flags & PB_ISOLATE);
	}
}

static bool zone_range_ok(struct walk *w, const struct zone *z)
{
	u32 nr_pages = w->view->nr_pages;

	if (z->zone_start_pfn <= nr_pages && z->spanned_pages <= nr_pages - z->zone_start_pfn)
		return true;
	return fails(w->broken, "zone %u spans %u pages from %u, but there are only %u", z->index,
		     z->spanned_pages, z->zone_start_pfn, nr_pages);
}

bool walk_state(struct walk *w, const struct moment *now)
{
	u32 zone;

	w->now = now;
	w->view = now->view;
	w->nr_entries = 0;
	w->broken[0] = '\0';
	for (zone = 0; zone < w->view->machine->nr_zones; zone++)
		if (!zone_range_ok(w, &w->view->zones[zone]))
			return false;
	if (!walk_lists(w))
		return false;
	walk_held(w);
	walk_pages(w);
	for (zone = 0; zone < w->view->machine->nr_zones; zone++)
		walk_blocks(w, zone);
	return true;
}

struct walk *walk_create(const struct view *view)
{
	struct walk *w = calloc(1, sizeof(*w));
	size_t nr_pcps = (size_t)view->machine->nr_zones * view->machine->nr_cpus;

	if (!w)
		return NULL;
	/* A page can be on one list and, wrongly, begin a held extent as well. */
	w->entries = malloc(2 * (size_t)view->nr_pages * sizeof(*w->entries));
	w->at = calloc(view->nr_pages, sizeof(*w->at));
	w->pcp_pages = calloc(nr_pcps, sizeof(*w->pcp_pages));
	if (w->entries && w->at && w->pcp_pages)
		return w;
	walk_destroy(w);
	return NULL;
}

void walk_destroy(struct walk *w)
{
	if (!w)
		return;
	free(w->entries);
	free(w->at);
	free(w->pcp_pages);
	free(w);
}
