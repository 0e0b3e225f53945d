/* SPDX-License-Identifier: GPL-2.0-only */
/* The walk over everything: every list and every page once, O(pages + entries), no allocation. */
#include <stdio.h>
#include <string.h>

#include "properties/walk_internal.h"

/* ---- lists --------------------------------------------------------------- */

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

struct entry listed_entry(const struct walk *w, const struct entry *like, u32 pfn)
{
	struct entry e = *like;

	e.pfn = pfn;
	if (e.kind == ENTRY_TRYLOCK || e.kind == ENTRY_ISOLATED)
		e.order = min_u32(w->view->pages[pfn].private, 31) & 31;
	if (e.kind == ENTRY_ISOLATED)
		e.zone = w->view->pages[pfn].zone;
	return e;
}

/*
 * Follow the ring at @head; every page on it becomes an entry like @like. As each page must name
 * the one before it, a ring that does not close can't go on for ever.
 */
static bool walk_list(struct walk *w, u32 head, struct entry like)
{
	const struct link *links = w->view->links;
	u32 prev = head, pfn;

	if (head < w->view->nr_pages || head >= w->view->nr_links)
		return list_fails(w, &like, "the head is out of range", head, head);
	w->likes[head - w->view->nr_pages] = like;
	for (pfn = links[head].next; pfn != head; pfn = links[pfn].next) {
		if (pfn >= w->view->nr_pages)
			return list_fails(w, &like, "next is no page", prev, pfn);
		if (links[pfn].prev != prev)
			return list_fails(w, &like, "next does not point back", prev, pfn);
		if (entry_at(w, pfn))
			return list_fails(w, &like, "a page of another list", prev, pfn);
		walk_enter(w, listed_entry(w, &like, pfn));
		prev = pfn;
	}
	return links[head].prev == prev ||
	       list_fails(w, &like, "the head does not point back to the last", prev, head);
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
			if (!walk_list(w, free_list_head(z, order, mt), like))
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
	struct entry like = {.kind = ENTRY_PCP, .zone = (u8)zone, .cpu = cpu & 0x7f};
	const struct per_cpu_pages *pcp = view_pcp(w->view, zone, cpu);

	for (u32 list = 0; list < NR_PCP_LISTS; list++) {
		like.list = (u8)list;
		like.order = (u8)(pcp_list_order(w->view->machine, list) & 31);
		if (!walk_list(w, pcp_list_head(pcp, list), like))
			return false;
	}
	return true;
}

struct entry held_entry(const struct walk *w, u32 pfn)
{
	u8 held = w->now->held[pfn];

	if (HELD_ORDER(held) > MACHINE_MAX_GIGANTIC)
		return (struct entry){.kind = ENTRY_NONE};
	return (struct entry){.pfn = pfn,
			      .kind = ENTRY_HELD,
			      .order = HELD_ORDER(held) & 31,
			      .zone = w->view->pages[pfn].zone,
			      .list = held};
}

/* The caller's extents; most bytes are 0, so eight are looked at together. */
static void walk_held(struct walk *w)
{
	const struct view *v = w->view;
	const u8 *held = w->now->held;
	struct entry e;
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
		e = held_entry(w, pfn);
		if (e.kind)
			walk_enter(w, e);
		pfn++;
	}
}

static bool walk_lists(struct walk *w)
{
	const struct machine *machine = w->view->machine;
	u32 zone, cpu;

	for (zone = 0; zone < machine->nr_zones; zone++) {
		struct entry trylock = {.kind = ENTRY_TRYLOCK, .zone = (u8)zone};

		if (!walk_free_lists(w, zone) ||
		    !walk_list(w, w->view->zones[zone].trylock_list, trylock))
			return false;
		for (cpu = 0; cpu < machine->nr_cpus; cpu++)
			if (!walk_pcp(w, zone, cpu))
				return false;
	}
	return walk_list(w, w->view->global->isolated_list,
			 (struct entry){.kind = ENTRY_ISOLATED, .zone = ZONE_ANY});
}

/* ---- pages --------------------------------------------------------------- */

/* Each page once: from entry to entry, and one by one where there is none. */
static void walk_pages(struct walk *w)
{
	const struct page *pages = w->view->pages;
	const struct entry *e;
	u32 pfn = 0, end, inner;

	while (pfn < w->view->nr_pages) {
		e = entry_at(w, pfn);
		if (!e) {
			add_page(&w->rest[ENTRY_NONE], &pages[pfn]);
			if (w->lost == PFN_NONE && !may_be_lost(&pages[pfn]))
				w->lost = pfn;
			pfn++;
			continue;
		}
		end = entry_end(w, e);
		inner = next_begin(w, pfn + 1);
		if (inner < end)
			walk_clash(w, e, &w->entries[inner]);
		add_pages(&w->rest[e->kind], &pages[pfn + 1], &pages[end]);
		pfn = end;
	}
}

/* ---- the LRU ------------------------------------------------------------- */

void walk_lru(struct walk *w)
{
	const struct view *v = w->view;
	u32 head = v->global->lru_list, prev = head, pfn;
	const struct entry *e;

	w->lru_folios = 0;
	w->lru_broken[0] = '\0';
	for (u32 zone = 0; zone < v->machine->nr_zones; zone++)
		w->zones[zone].lru = 0;
	if (head < v->nr_pages || head >= v->nr_links) {
		fails(w->lru_broken, "the head of the LRU, %u, is out of range", head);
		return;
	}
	for (pfn = v->links[head].next; pfn != head; pfn = v->links[pfn].next) {
		e = pfn < v->nr_pages ? entry_at(w, pfn) : NULL;
		if (!e || e->kind != ENTRY_HELD || !(v->pages[pfn].flags & PG_LRU)) {
			fails(w->lru_broken,
			      "%u is on the LRU after %u, but is no handed-out LRU folio", pfn,
			      prev);
			return;
		}
		if (v->links[pfn].prev != prev) {
			fails(w->lru_broken, "LRU: %u follows %u, but its prev is %u", pfn, prev,
			      v->links[pfn].prev);
			return;
		}
		if (e->zone < v->machine->nr_zones)
			w->zones[e->zone].lru += 1U << e->order;
		w->lru_folios++;
		prev = pfn;
	}
	if (v->links[head].prev != prev)
		fails(w->lru_broken, "LRU: the last is %u, but the head says %u", prev,
		      v->links[head].prev);
}

/* ---- pageblocks ---------------------------------------------------------- */

/* Is the isolated block at @pfn inside of a free buddy that is not? Un-isolating its neighbour can do that (spec 7.4). */
static bool is_stray(const struct walk *w, u32 pfn)
{
	const struct entry *over = entry_over(w, pfn);

	return over && over->kind == ENTRY_FREE && over->list != MIGRATE_ISOLATE;
}

/* A block counts for the zone of its first page; what begins in a hole, for the zone behind it. */
void walk_blocks(struct walk *w, u32 zone)
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
		if ((flags & PB_ISOLATE) && is_stray(w, max_u32(pfn, z->zone_start_pfn)))
			w->strays |= 1ULL << zone;
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
	u32 nr_zones = now->view->machine->nr_zones;

	w->now = now;
	w->view = now->view;
	clear_look(w);
	walk_clear(w);
	w->zones_look = all_zones(w);
	w->blocks_look = true;
	for (u32 zone = 0; zone < nr_zones; zone++)
		if (!zone_range_ok(w, &w->view->zones[zone]))
			return false;
	if (!walk_lists(w))
		return false;
	walk_held(w);
	walk_pages(w);
	add_up(w);
	walk_lru(w);
	for (u32 zone = 0; zone < nr_zones; zone++)
		walk_blocks(w, zone);
	w->followed = !w->clash[0].kind && !w->lru_broken[0];
	return true;
}
