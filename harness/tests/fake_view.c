/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables for a view that a test fills in by hand. */
#include "harness/tests/fake_view.h"

#include <string.h>

/* The next @nr list heads, all empty; returns the first. */
static u32 new_heads(struct fake_view *f, u32 nr)
{
	u32 first = f->view.nr_links;

	f->view.nr_links += nr;
	for (u32 i = first; i < f->view.nr_links; i++)
		f->links[i] = (struct link){.next = i, .prev = i};
	return first;
}

static void init_zone(struct fake_view *f, u32 i)
{
	struct zone *z = &f->zones[i];

	z->index = (u8)i;
	z->type = ZONE_NORMAL;
	z->free_lists = new_heads(f, NR_ORDERS * MIGRATE_TYPES);
	z->trylock_list = new_heads(f, 1);
	for (u32 cpu = 0; cpu < FAKE_CPUS; cpu++)
		f->pcps[i * FAKE_CPUS + cpu].lists = new_heads(f, NR_PCP_LISTS);
}

void fake_view_init(struct fake_view *f)
{
	memset(f, 0, sizeof(*f));
	machine_init(&f->machine);
	f->machine.nr_nodes = 1;
	f->machine.nr_zones = 1;
	f->machine.nr_cpus = FAKE_CPUS;
	f->machine.max_page_order = FAKE_MAX_ORDER;
	f->machine.pageblock_order = FAKE_BLOCK_ORDER;
	f->machine.pmd_order = FAKE_MAX_ORDER;
	f->machine.zones[0] = (struct machine_zone){.type = ZONE_NORMAL, .pages = FAKE_PAGES};
	f->view = (struct view){
		.machine = &f->machine,
		.global = &f->global,
		.nodes = f->nodes,
		.zones = f->zones,
		.pcps = f->pcps,
		.pages = f->pages,
		.links = f->links,
		.pageblock_flags = f->blocks,
		.nr_pages = FAKE_PAGES,
		.nr_links = FAKE_PAGES,
	};
	for (u32 i = 0; i < FAKE_ZONES; i++)
		init_zone(f, i);
	f->global.lru_list = new_heads(f, 1);
	f->global.isolated_list = new_heads(f, 1);
	f->zones[0].spanned_pages = f->zones[0].present_pages = FAKE_PAGES;
	f->zones[0].managed_pages = FAKE_PAGES;
	for (u32 pfn = 0; pfn < FAKE_PAGES; pfn++)
		f->pages[pfn] = (struct page){.refcount = 1, .flags = PG_ONLINE};
	memset(f->blocks, MIGRATE_MOVABLE, sizeof(f->blocks));
}

void fake_list_add(struct fake_view *f, u32 head, u32 entry)
{
	u32 last = f->links[head].prev;

	f->links[entry] = (struct link){.next = head, .prev = last};
	f->links[last].next = entry;
	f->links[head].prev = entry;
}

void fake_free(struct fake_view *f, u32 pfn, u32 order, u32 mt)
{
	struct zone *z = &f->zones[0];

	for (u32 i = 0; i < BIT(order); i++)
		f->pages[pfn + i].refcount = 0;
	f->pages[pfn].flags |= PG_BUDDY;
	f->pages[pfn].private = order;
	fake_list_add(f, free_list_head(z, order, mt), pfn);
	z->nr_free[order]++;
	z->vm_stat[NR_FREE_PAGES] += BIT(order);
}

struct per_cpu_pages *fake_pcp(struct fake_view *f, u32 cpu)
{
	return &f->pcps[cpu];
}
