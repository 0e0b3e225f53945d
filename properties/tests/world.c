/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The state of world.h. Counters are kept by what is put and taken, as the words
 * of spec 2.4 say, not by the code under test.
 */
#include <string.h>

#include "properties/tests/world.h"

static u32 new_head(struct world *w)
{
	u32 head = WORLD_PAGES + w->nr_heads++;

	w->links[head].next = w->links[head].prev = head;
	return head;
}

static u32 new_heads(struct world *w, u32 nr)
{
	u32 first = new_head(w);

	while (--nr)
		new_head(w);
	return first;
}

void link_page(struct world *w, u32 e, u32 head)
{
	u32 last = w->links[head].prev;

	w->links[e] = (struct link){.next = head, .prev = last};
	w->links[last].next = e;
	w->links[head].prev = e;
}

void unlink_page(struct world *w, u32 e)
{
	w->links[w->links[e].prev].next = w->links[e].next;
	w->links[w->links[e].next].prev = w->links[e].prev;
}

static struct zone *zone_of(struct world *w, u32 pfn)
{
	return &w->zones[w->pages[pfn].zone];
}

static void count_free(struct world *w, u32 pfn, u32 order, u32 mt, s32 sign)
{
	struct zone *z = zone_of(w, pfn);
	s32 nr = sign * (1 << order);

	z->nr_free[order] += (u32)sign;
	if (mt == MIGRATE_ISOLATE)
		return;
	z->vm_stat[NR_FREE_PAGES] += nr;
	if (order >= w->machine.pageblock_order)
		z->vm_stat[NR_FREE_PAGES_BLOCKS] += nr;
	if (mt == MIGRATE_CMA)
		z->vm_stat[NR_FREE_CMA_PAGES] += nr;
	if (mt == MIGRATE_HIGHATOMIC)
		z->nr_free_highatomic += (u32)nr;
}

void put_free(struct world *w, u32 pfn, u32 order, u32 mt)
{
	w->pages[pfn].flags |= PG_BUDDY;
	w->pages[pfn].private = order;
	w->pages[pfn].refcount = 0;
	link_page(w, pfn, free_list_head(zone_of(w, pfn), order, mt));
	count_free(w, pfn, order, mt, 1);
}

void take_free(struct world *w, u32 pfn)
{
	u8 block = w->blocks[pfn / 4];

	count_free(w, pfn, w->pages[pfn].private,
		   block & PB_ISOLATE ? (u32)MIGRATE_ISOLATE : block & PB_MIGRATETYPE_MASK, -1);
	unlink_page(w, pfn);
	w->pages[pfn].flags &= (u16)~PG_BUDDY;
	w->pages[pfn].private = 0;
}

void put_pcp(struct world *w, u32 cpu, u32 list, u32 pfn, u32 order)
{
	struct per_cpu_pages *pcp = world_pcp(w, w->pages[pfn].zone, cpu);

	link_page(w, pfn, pcp_list_head(pcp, list));
	pcp->count += 1 << order;
}

void put_trylock(struct world *w, u32 pfn, u32 order)
{
	w->pages[pfn].private = order;
	link_page(w, pfn, zone_of(w, pfn)->trylock_list);
}

void put_held(struct world *w, u32 pfn, u32 order, u32 flags)
{
	w->held[pfn] = (u8)(HELD(order) | flags);
	w->pages[pfn].refcount = 1;
	if (!(flags & HELD_COMPOUND) || !order)
		return;
	w->pages[pfn].flags |= PG_HEAD;
	w->pages[pfn].compound_order = (u8)order;
	for (u32 i = 1; i < BIT(order); i++) {
		w->pages[pfn + i].flags |= PG_TAIL;
		w->pages[pfn + i].compound_head = pfn;
	}
}

void put_lru(struct world *w, u32 pfn)
{
	u32 pages = 1U << HELD_ORDER(w->held[pfn]);

	w->pages[pfn].flags |= PG_LRU;
	link_page(w, pfn, w->global.lru_list);
	zone_of(w, pfn)->vm_stat[NR_ZONE_LRU] += pages;
	w->global.lru_pages += pages;
}

static void build_zone(struct world *w, u32 index, u32 type, u32 start, u32 nr)
{
	struct zone *z = &w->zones[index];

	w->machine.zones[index] =
		(struct machine_zone){.type = (u8)type, .start = start, .pages = nr};
	z->index = (u8)index;
	z->type = (u8)type;
	z->zone_start_pfn = start;
	z->spanned_pages = z->present_pages = z->managed_pages = nr;
	z->free_lists = new_heads(w, NR_ORDERS * MIGRATE_TYPES);
	z->trylock_list = new_head(w);
	for (u32 cpu = 0; cpu < WORLD_CPUS; cpu++)
		world_pcp(w, index, cpu)->lists = new_heads(w, NR_PCP_LISTS);
	for (u32 pfn = start; pfn < start + nr; pfn++) {
		w->pages[pfn].flags = PG_ONLINE;
		w->pages[pfn].zone = (u8)index;
		w->blocks[pfn / 4] = MIGRATE_MOVABLE;
	}
}

static void build_empty(struct world *w)
{
	memset(w, 0, sizeof(*w));
	w->machine.nr_nodes = 1;
	w->machine.nr_zones = WORLD_ZONES;
	w->machine.nr_cpus = WORLD_CPUS;
	w->machine.pageblock_order = 2;
	w->machine.max_page_order = w->machine.pmd_order = 4;
	for (u32 pfn = 0; pfn < WORLD_PAGES; pfn++)
		w->pages[pfn].zone = ZONE_ANY;
	build_zone(w, 0, ZONE_NORMAL, 0, 512);
	build_zone(w, 1, ZONE_MOVABLE, 520, 64);
	w->global.lru_list = new_head(w);
	w->global.isolated_list = new_head(w);
	w->view = (struct view){.machine = &w->machine,
				.global = &w->global,
				.nodes = w->nodes,
				.zones = w->zones,
				.pcps = w->pcps,
				.pages = w->pages,
				.links = w->links,
				.pageblock_flags = w->blocks,
				.nr_pages = WORLD_PAGES,
				.nr_links = WORLD_PAGES + WORLD_HEADS};
	w->now = (struct moment){
		.view = &w->view, .held = w->held, .unmerged = w->unmerged, .drained = w->drained};
}

static void build_first_pages(struct world *w)
{
	for (u32 pfn = 0; pfn < 4; pfn++) {
		w->pages[pfn].flags |= PG_RESERVED;
		w->pages[pfn].refcount = 1;
	}
	w->zones[0].managed_pages -= 4;
	put_held(w, 4, 2, HELD_COMPOUND);
	put_lru(w, 4);
	put_pcp(w, 0, 4, 8, 1);
	put_pcp(w, 1, 1, 10, 0);
	put_held(w, 11, 0, 0);
	put_free(w, 12, 1, MIGRATE_MOVABLE);
	put_held(w, 14, 0, HELD_COMPOUND);
	put_trylock(w, 15, 0);
	put_free(w, 16, 4, MIGRATE_MOVABLE);
}

static void build_typed_blocks(struct world *w)
{
	w->blocks[8] = MIGRATE_HIGHATOMIC;
	w->zones[0].nr_reserved_highatomic = 4;
	w->blocks[10] = MIGRATE_UNMOVABLE | PB_ISOLATE;
	w->zones[0].nr_isolate_pageblock = 1;
	w->blocks[11] = MIGRATE_UNMOVABLE;
	w->blocks[16] = MIGRATE_CMA;
	put_free(w, 32, 2, MIGRATE_HIGHATOMIC);
	put_free(w, 36, 2, MIGRATE_MOVABLE);
	put_free(w, 40, 2, MIGRATE_ISOLATE);
	put_free(w, 44, 1, MIGRATE_UNMOVABLE);
	put_held(w, 46, 1, 0);
	w->pages[47].refcount = 1;
	put_pcp(w, 0, 13, 48, 4);
	put_free(w, 64, 2, MIGRATE_CMA);
	put_free(w, 68, 1, MIGRATE_MOVABLE);
	put_held(w, 70, 0, 0);
	w->pages[70].flags |= PG_HWPOISON;
	w->pages[71].flags |= PG_HWPOISON;
}

void world_build(struct world *w)
{
	build_empty(w);
	build_first_pages(w);
	build_typed_blocks(w);
	put_free(w, 72, 3, MIGRATE_MOVABLE);
	for (u32 pfn = 80; pfn < 512; pfn += 16)
		put_free(w, pfn, 4, MIGRATE_MOVABLE);
	put_free(w, 520, 3, MIGRATE_MOVABLE);
	for (u32 pfn = 528; pfn < 576; pfn += 16)
		put_free(w, pfn, 4, MIGRATE_MOVABLE);
	put_free(w, 576, 3, MIGRATE_MOVABLE);
}
