// SPDX-License-Identifier: GPL-2.0-only
/*
 * Booting a machine, in the order of the kernel: pages and zones, zonelists, pageblocks, free pages,
 * CMA areas, per-CPU lists, marks. Memory outside of zones counts as reserved (spec 2.2).
 */
#include "side.h"

static DEFINE_PER_CPU(struct per_cpu_nodestat, side_boot_nodestats);
#ifndef HAVE_ZONE_PCP_INIT
static DEFINE_PER_CPU(struct per_cpu_pages, side_boot_pageset);
static DEFINE_PER_CPU(struct per_cpu_zonestat, side_boot_zonestats);
#endif
static struct pglist_data nodes[SIDE_MAX_NODES];
static const char *const names[] = {"DMA", "DMA32", "Normal", "Movable"};

static void set_nodes(nodemask_t *mask, unsigned int nr)
{
	nodes_clear(*mask);
	for (unsigned int nid = 0; nid < nr; nid++)
		node_set(nid, *mask);
}

static bool node_has_memory(unsigned int nid)
{
	for (unsigned int i = 0; i < side.machine.nr_zones; i++)
		if (side.machine.zones[i].node == nid)
			return true;
	return false;
}

static void boot_cpus(const struct kernel_machine *m)
{
	cpumask_clear(&__cpu_online_mask);
	for (unsigned int cpu = 0; cpu < m->nr_cpus; cpu++)
		__cpumask_set_cpu(cpu, &__cpu_online_mask);
	__cpu_possible_mask = __cpu_online_mask;
	atomic_set(&__num_online_cpus, m->nr_cpus);
	percpu_boot(m->nr_cpus);
	for (unsigned int cpu = 0; cpu < m->nr_cpus; cpu++) {
		unsigned int nid = m->cpu_node[cpu];

		set_cpu_numa_node(cpu, nid);
		if (m->node_has_cpus[nid])
			__cpumask_set_cpu(cpu, node_to_cpumask_map[nid]);
	}
}

static void boot_node_masks(const struct kernel_machine *m)
{
	set_nodes(&node_states[N_ONLINE], m->nr_nodes);
	set_nodes(&node_states[N_POSSIBLE], m->nr_nodes);
	nodes_clear(node_states[N_MEMORY]);
	nodes_clear(node_states[N_CPU]);
	for (unsigned int nid = 0; nid < m->nr_nodes; nid++)
		if (node_has_memory(nid))
			node_set(nid, node_states[N_MEMORY]);
	nr_online_nodes = m->nr_nodes;
	nr_node_ids = m->nr_nodes;
}

/* ---- sections and the memory map ----------------------------------------- */

/* The memory map ends with a whole block of the largest order: buddies of the last pages exist. */
static unsigned long map_pages(const struct kernel_machine *m)
{
	return ALIGN(m->nr_pages, 1UL << K_TOP);
}

/* Is some page of [start, end) in a zone? Where none is, a range has no valid page at all. */
static bool has_memory(unsigned long start, unsigned long end)
{
	for (unsigned int i = 0; i < side.machine.nr_zones; i++) {
		const struct kernel_zone_layout *z = &side.machine.zones[i];

		if (start < z->start + z->pages && z->start < end)
			return true;
	}
	return false;
}

static void boot_section(struct mem_section *section, unsigned long start, unsigned long end)
{
	unsigned long blocks = PAGES_PER_SECTION >> pageblock_order;

	section->section_mem_map = SECTION_MARKED_PRESENT | SECTION_HAS_MEM_MAP |
				   SECTION_IS_ONLINE | SECTION_IS_EARLY | vmemmap_base;
	section->usage = side.host.arena(
		PAGE_ALIGN(sizeof(*section->usage) + blocks * NR_PAGEBLOCK_BITS / 8 + 8));
#ifdef HAVE_SUBSECTION_MAP
	for (unsigned long pfn = start; pfn < end; pfn += PAGES_PER_SUBSECTION)
		if (has_memory(pfn, pfn + PAGES_PER_SUBSECTION))
			__set_bit((pfn - start) / PAGES_PER_SUBSECTION,
				  section->usage->subsection_map);
#endif
}

static void boot_sections(const struct kernel_machine *m)
{
	unsigned long end = map_pages(m);
	unsigned long nr = DIV_ROUND_UP(end, PAGES_PER_SECTION);
	unsigned long roots = nr / SECTIONS_PER_ROOT + 1;

	vmemmap_base = (unsigned long)side.host.arena(PAGE_ALIGN(end * sizeof(struct page)));
#ifdef CONFIG_SPARSEMEM_EXTREME
	mem_section = side.host.arena(PAGE_ALIGN(sizeof(*mem_section) * roots));
	for (unsigned long root = 0; root < roots; root++)
		mem_section[root] = side.host.arena(PAGE_SIZE);
#endif
	__highest_present_section_nr = nr - 1;
	for (unsigned long i = 0; i < nr; i++)
		boot_section(__nr_to_section(i), i * PAGES_PER_SECTION,
			     min(end, (i + 1) * PAGES_PER_SECTION));
}

static void boot_page(unsigned long pfn, unsigned int zone_type, unsigned int nid)
{
	struct page *page = pfn_to_page(pfn);

	set_page_links(page, zone_type, nid, pfn);
	init_page_count(page);
	atomic_set(&page->_mapcount, -1);
	INIT_LIST_HEAD(&page->lru);
	__SetPageReserved(page);
}

/* ---- nodes and zones ----------------------------------------------------- */

static void boot_zone(struct zone *z, unsigned int nid, unsigned int type)
{
	z->zone_pgdat = node_data[nid];
	z->node = nid;
	z->name = names[type];
#ifdef HAVE_ZONE_PCP_INIT
	zone_pcp_init(z);
#else
	z->per_cpu_pageset = &side_boot_pageset;
	z->per_cpu_zonestats = &side_boot_zonestats;
	z->pageset_high = 0;
	z->pageset_batch = 1;
#endif
	spin_lock_init(&z->lock);
	for (int order = 0; order < K_NR_ORDERS; order++)
		for (int mt = 0; mt < MIGRATE_TYPES; mt++)
			INIT_LIST_HEAD(&z->free_area[order].free_list[mt]);
}

static void boot_node(unsigned int nid)
{
	pg_data_t *node = &nodes[nid];

	node_data[nid] = node;
	node->node_id = nid;
	lruvec_init(&node->__lruvec);
	node->per_cpu_nodestats = &side_boot_nodestats;
	side_kswapd_boot(nid);
	for (unsigned int type = 0; type < MAX_NR_ZONES; type++)
		boot_zone(&node->node_zones[type], nid, type);
}

static void boot_zone_memory(unsigned int index, const struct kernel_zone_layout *from)
{
	pg_data_t *node = node_data[from->node];
	struct zone *z = &node->node_zones[from->type];
	unsigned long end = from->start + from->pages;

	side.zones[index] = z;
	side.zone_index[from->node][from->type] = index;
	z->zone_start_pfn = from->start;
	z->spanned_pages = from->pages;
	z->present_pages = from->pages;
	z->initialized = 1;
	atomic_long_set(&z->managed_pages, from->pages);
	for (unsigned long pfn = from->start; pfn < end; pfn++)
		boot_page(pfn, from->type, from->node);
	if (!node->nr_zones)
		node->node_start_pfn = from->start;
	node->nr_zones = from->type + 1;
	node->node_spanned_pages = end - node->node_start_pfn;
	node->node_present_pages += from->pages;
	side.daemons[from->node].kcompactd_highest_zoneidx = from->type;
}

/* Pages before a zone are linked to it, those after the last one to that one, as at a real boot. */
static void boot_holes(const struct kernel_machine *m)
{
	unsigned long pfn = 0;

	for (unsigned int i = 0; i <= m->nr_zones; i++) {
		const struct kernel_zone_layout *z = &m->zones[min(i, m->nr_zones - 1)];
		unsigned long end = i < m->nr_zones ? z->start : map_pages(m);

		for (; pfn < end; pfn++)
			boot_page(pfn, z->type, z->node);
		pfn = z->start + z->pages;
	}
}

static void boot_ranges(const struct kernel_machine *m)
{
	for (unsigned int i = 0; i < m->nr_ranges; i++) {
		const struct kernel_range *r = &m->ranges[i];
		struct zone *z = page_zone(pfn_to_page(r->start));

		if (r->cma)
			z->cma_pages += r->pages;
		else
			atomic_long_sub(r->pages, &z->managed_pages);
	}
}

/* ---- free memory --------------------------------------------------------- */

static bool block_is_cma(const struct kernel_machine *m, unsigned long pfn)
{
	for (unsigned int i = 0; i < m->nr_ranges; i++)
		if (m->ranges[i].cma && pfn >= m->ranges[i].start &&
		    pfn < m->ranges[i].start + m->ranges[i].pages)
			return true;
	return false;
}

/* As memmap_init does, and for blocks without a page as well: their types are read, too. */
static void boot_pageblocks(const struct kernel_machine *m)
{
	int free_type = page_group_by_mobility_disabled ? MIGRATE_UNMOVABLE : MIGRATE_MOVABLE;

	for (unsigned long pfn = 0; pfn < m->nr_pages; pfn += pageblock_nr_pages)
		side_init_block(pfn, block_is_cma(m, pfn) ? MIGRATE_CMA : free_type);
}

/* In the largest chunks that are aligned and fit, as memblock does. */
static void free_range(unsigned long start, unsigned long end)
{
	while (start < end) {
		unsigned int order = min_t(unsigned int, start ? __ffs(start) : K_TOP, K_TOP);

		order = min_t(unsigned int, order, ilog2(end - start));
		K_FREE_CORE(pfn_to_page(start), order);
		start += 1UL << order;
	}
}

static void free_zone(const struct kernel_machine *m, struct zone *z)
{
	unsigned long pfn = z->zone_start_pfn, end = zone_end_pfn(z);

	for (unsigned int i = 0; i < m->nr_ranges; i++) {
		const struct kernel_range *r = &m->ranges[i];

		if (!zone_spans_pfn(z, r->start))
			continue;
		free_range(pfn, r->start);
		pfn = r->start + r->pages;
		if (r->cma)
			free_range(r->start, pfn);
	}
	free_range(pfn, end);
}

static void free_memory(const struct kernel_machine *m)
{
	/* What the pages add up to is set already. */
	for (unsigned int i = 0; i < m->nr_zones; i++) {
		struct zone *z = side.zones[i];
		long managed = atomic_long_read(&z->managed_pages);

		free_zone(m, z);
		atomic_long_set(&z->managed_pages, managed);
	}
}

/* ---- all of it ----------------------------------------------------------- */

static struct cpu_cacheinfo cacheinfo;

struct cpu_cacheinfo *get_cpu_cacheinfo(unsigned int cpu)
{
	return &cacheinfo;
}

int __node_distance(int from, int to)
{
	return side.machine.distance[from][to];
}

static void boot_sysctls(const struct kernel_machine *m)
{
	page_alloc_sysctl_init();
	for (unsigned int i = 0; i < ARRAY_SIZE(m->sysctl); i++)
		side_sysctl_boot(i, m->sysctl[i]);
}

/* What depends on several of them is computed when all are there. */
static void boot_marks(const struct kernel_machine *m)
{
	init_per_zone_wmark_min();
	if (m->sysctl[SIDE_SYSCTL_MIN_FREE_KBYTES])
		side_sysctl_write(SIDE_SYSCTL_MIN_FREE_KBYTES,
				  m->sysctl[SIDE_SYSCTL_MIN_FREE_KBYTES]);
#ifdef HAVE_DATA_SLICE
	cacheinfo.per_cpu_data_slice_size = (unsigned long)m->cache_pages << PAGE_SHIFT;
	for (unsigned int cpu = 0; cpu < m->nr_cpus; cpu++)
		setup_pcp_cacheinfo(cpu);
#endif
}

/* Counting begins after boot. */
static void forget_events(const struct kernel_machine *m)
{
	for (unsigned int cpu = 0; cpu < m->nr_cpus; cpu++)
		memset(per_cpu_ptr(&vm_event_states, cpu), 0, sizeof(struct vm_event_state));
}

void side_boot(const struct kernel_host *host, const struct kernel_machine *m)
{
	side.host = *host;
	side.machine = *m;
	side.fuel = m->fuel;
	boot_sections(m);
	side.marks = host->arena(PAGE_ALIGN(map_pages(m) * sizeof(*side.marks)));
	INIT_LIST_HEAD(&side.lru);
	boot_cpus(m);
	side_set_task(0);
	boot_node_masks(m);
	side_set_cpuset(~0U, ~0U);
	for (unsigned int nid = 0; nid < m->nr_nodes; nid++)
		boot_node(nid);
	for (unsigned int i = 0; i < m->nr_zones; i++)
		boot_zone_memory(i, &m->zones[i]);
	boot_holes(m);
	boot_ranges(m);
	boot_sysctls(m);
	build_all_zonelists(NULL);
	side_set_cpuset(~0U, ~0U);
	if (m->mobility)
		page_group_by_mobility_disabled = m->mobility == 2;
	boot_pageblocks(m);
	free_memory(m);
	setup_per_cpu_pageset();
	boot_marks(m);
	forget_events(m);
	system_state = SYSTEM_RUNNING;
	gfp_allowed_mask = __GFP_BITS_MASK;
	side.mask = 0;
	side_watch_pages();
}
