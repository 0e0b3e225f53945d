/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The start state of a machine, built in the order of the kernel: pages and zones,
 * zonelists (which decide on mobility grouping), pageblock types, free pages, then
 * what is computed from them.
 *
 * Plain stores fill the fresh tables; the journal begins when boot is done.
 *
 *      zone            |<------------- spanned ------------->|
 *      ranges          |      | reserved |      |  CMA   |   |
 *      free lists      |MOV...|          |MOV...|CMA.....|MOV|     in PFN order, to the tails
 */
#include "model/internal.h"

/* ---- tables -------------------------------------------------------------- */

/* Hand out @nr empty list heads; returns the index of the first. */
static u32 take_list_heads(struct memory *m, u32 *next, u32 nr)
{
	u32 first = *next;

	for (; *next < first + nr; ++*next)
		m->links[*next] = (struct link){.next = *next, .prev = *next};
	return first;
}

static void init_lists(struct memory *m)
{
	u32 next = m->nr_pages;

	m->global->lru_list = take_list_heads(m, &next, 1);
	m->global->isolated_list = take_list_heads(m, &next, 1);
	for (u32 i = 0; i < m->nr_zones; i++) {
		struct zone *z = &m->zones[i];

		z->free_lists = take_list_heads(m, &next, NR_ORDERS * MIGRATE_TYPES);
		z->trylock_list = take_list_heads(m, &next, 1);
	}
	for (u32 i = 0; i < m->nr_zones * m->nr_cpus; i++)
		m->pcps[i].lists = take_list_heads(m, &next, NR_PCP_LISTS);
}

static void init_global(struct memory *m)
{
	struct task *task = &m->global->task;

	task->mems_allowed = BIT(m->nr_nodes) - 1;
	task->mems_hardwall = task->mems_allowed;
	memcpy(m->global->sysctl, m->machine.sysctl, sizeof(m->global->sysctl));
}

/* Both daemons sleep, with nothing asked of them; a new kcompactd may use every zone. */
static void init_nodes(struct memory *m)
{
	for (u32 i = 0; i < m->nr_nodes; i++)
		m->nodes[i].kswapd_highest_zoneidx = MAX_NR_ZONES;
	for (u32 i = 0; i < m->nr_zones; i++)
		m->nodes[m->zones[i].node].kcompactd_highest_zoneidx = m->zones[i].type;
}

static void init_zones(struct memory *m)
{
	for (u32 i = 0; i < m->nr_zones; i++) {
		const struct machine_zone *from = &m->machine.zones[i];
		struct zone *z = &m->zones[i];

		z->index = (u8)i;
		z->node = from->node;
		z->type = from->type;
		z->zone_start_pfn = from->start;
		z->spanned_pages = from->pages;
		z->present_pages = from->pages;
		z->managed_pages = from->pages;
	}
}

static void fill_pages(struct memory *m, u32 start, u32 end, struct page page)
{
	for (u32 pfn = start; pfn < end; pfn++)
		m->pages[pfn] = page;
}

/* Holes count one reference, as reserved pages do (spec 2.2). */
static void init_pages(struct memory *m)
{
	struct page hole = {.refcount = 1, .zone = ZONE_ANY};
	u32 pfn = 0;

	for (u32 i = 0; i < m->nr_zones; i++) {
		const struct zone *z = &m->zones[i];
		struct page page = {.flags = PG_ONLINE, .zone = (u8)i};

		fill_pages(m, pfn, z->zone_start_pfn, hole);
		pfn = zone_end_pfn(z);
		fill_pages(m, z->zone_start_pfn, pfn, page);
	}
}

static void init_ranges(struct memory *m)
{
	for (u32 i = 0; i < m->machine.nr_ranges; i++) {
		const struct machine_range *r = &m->machine.ranges[i];
		struct zone *z = page_zone(m, r->start);
		struct page reserved = {
			.refcount = 1, .flags = PG_ONLINE | PG_RESERVED, .zone = z->index};

		if (r->kind == RANGE_CMA) {
			z->cma_pages += r->pages;
		} else {
			z->managed_pages -= r->pages;
			fill_pages(m, r->start, r->start + r->pages, reserved);
		}
	}
}

/* ---- free memory --------------------------------------------------------- */

static void init_pageblocks(struct memory *m)
{
	u32 mt = m->global->page_group_by_mobility_disabled ? MIGRATE_UNMOVABLE : MIGRATE_MOVABLE;
	u32 nr = align_up(m->nr_pages, m->pageblock_nr_pages) >> m->pageblock_order;

	memset(m->pageblock_flags, (int)mt, nr);
	for (u32 i = 0; i < m->machine.nr_ranges; i++) {
		const struct machine_range *r = &m->machine.ranges[i];

		if (r->kind == RANGE_CMA)
			memset(m->pageblock_flags + (r->start >> m->pageblock_order), MIGRATE_CMA,
			       r->pages >> m->pageblock_order);
	}
}

/* Free [start, end) of one type in the largest chunks that are aligned and fit. */
static void free_range(struct memory *m, struct zone *z, u32 start, u32 end)
{
	for (u32 pfn = start, order; pfn < end; pfn += BIT(order)) {
		order = min_u32(pfn ? ffs0(pfn) : m->max_page_order, m->max_page_order);
		order = min_u32(order, ilog2(end - pfn));
		__free_one_page(m, pfn, z, order, get_pfnblock_migratetype(m, pfn), FPI_TO_TAIL);
	}
}

static void free_zone(struct memory *m, struct zone *z)
{
	u32 pfn = z->zone_start_pfn;

	for (u32 i = 0; i < m->machine.nr_ranges; i++) {
		const struct machine_range *r = &m->machine.ranges[i];

		if (!zone_spans_pfn(z, r->start))
			continue;
		free_range(m, z, pfn, r->start);
		pfn = r->start + r->pages;
		if (r->kind == RANGE_CMA)
			free_range(m, z, r->start, pfn);
	}
	free_range(m, z, pfn, zone_end_pfn(z));
}

/* A CPU whose share of the data cache holds several batches frees high orders in batches. */
static void setup_pcp_cacheinfo(struct memory *m)
{
	for (u32 i = 0; i < m->nr_zones * m->nr_cpus; i++)
		if (m->machine.cache_pages > 3 * (u32)m->pcps[i].batch)
			m->pcps[i].flags |= PCPF_FREE_HIGH_BATCH;
}

void boot(struct memory *m)
{
	init_global(m);
	init_lists(m);
	init_zones(m);
	init_nodes(m);
	init_pages(m);
	init_ranges(m);
	build_all_zonelists(m);
	init_pageblocks(m);
	for (u32 i = 0; i < m->nr_zones; i++)
		free_zone(m, &m->zones[i]);
	calculate_min_free_kbytes(m);
	setup_per_zone_wmarks(m);
	setup_per_zone_lowmem_reserve(m);
	setup_pcp_cacheinfo(m);
}
