// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading the state, in the words of a view (model/view.h). Pages and list heads are numbered as the
 * port numbers them:
 *
 *      0 .. nr_pages - 1                           pages
 *      + 0                                         the LRU
 *      + 1                                         privately isolated pages
 *      + 2 + zone * 85                             free lists by order and type, then the trylock list
 *      + 2 + nr_zones * 85 + (zone, cpu) * lists   per-CPU lists
 */
#include "side.h"
#include "watch.h"

#define ORDERS 14 /* of a view */
#define TYPES 6
#define ZONE_HEADS (ORDERS * TYPES + 1)
#define NOT_LINKED ((struct kernel_link){0, 0})

static unsigned int first_head(unsigned int zone)
{
	return side.machine.nr_pages + 2 + zone * ZONE_HEADS;
}

static unsigned int first_pcp_head(unsigned int zone, unsigned int cpu)
{
	return first_head(side.machine.nr_zones) + (zone * side.machine.nr_cpus + cpu) *
						   KERNEL_PCP_LISTS;
}

/* ---- from addresses to numbers ------------------------------------------- */

static const struct page *page_of_list(const struct list_head *entry)
{
	return container_of(entry, struct page, lru);
}

static bool is_page(const struct list_head *entry)
{
	unsigned long offset = (unsigned long)page_of_list(entry) - vmemmap_base;

	return offset < side.machine.nr_pages * sizeof(struct page) &&
	       offset % sizeof(struct page) == 0;
}

static unsigned int number_in_zone(unsigned int index, const struct list_head *entry)
{
	struct free_area *areas = side.zones[index]->free_area;
	unsigned long offset = (unsigned long)entry - (unsigned long)areas;
	unsigned long order = offset / sizeof(*areas);
	unsigned long mt = offset % sizeof(*areas) / sizeof(*entry);

	return first_head(index) + order * TYPES + mt;
}

static unsigned int number_in_pcp(const struct list_head *entry)
{
	for (unsigned int i = 0; i < side.machine.nr_zones; i++)
		for (unsigned int cpu = 0; cpu < side.machine.nr_cpus; cpu++) {
			struct per_cpu_pages *pcp =
				per_cpu_ptr(side.zones[i]->per_cpu_pageset, cpu);

			if (entry >= pcp->lists && entry < pcp->lists + NR_PCP_LISTS)
				return first_pcp_head(i, cpu) + (entry - pcp->lists);
		}
	return KERNEL_NO_PFN;
}

/* KERNEL_NO_PFN: this is not where a list can go on. */
static unsigned int number_of(const struct list_head *entry)
{
	if (is_page(entry))
		return page_to_pfn(page_of_list(entry));
	if (entry == &side.lru)
		return side.machine.nr_pages;
	for (unsigned int i = 0; i < side.machine.nr_zones; i++) {
		struct zone *z = side.zones[i];

		if ((void *)entry >= (void *)z->free_area &&
		    (void *)entry < (void *)(z->free_area + K_NR_ORDERS))
			return number_in_zone(i, entry);
	}
	return percpu_owns(entry) ? number_in_pcp(entry) : KERNEL_NO_PFN;
}

static struct kernel_link link_of(const struct list_head *entry)
{
	unsigned int next = number_of(entry->next);
	unsigned int prev;

	if (next == KERNEL_NO_PFN || entry->next == entry)
		return NOT_LINKED;
	prev = number_of(entry->prev);
	return prev == KERNEL_NO_PFN ? NOT_LINKED : (struct kernel_link){next, prev};
}

/* ---- pages --------------------------------------------------------------- */

static bool in_zone(unsigned long pfn)
{
	return zone_spans_pfn(page_zone(pfn_to_page(pfn)), pfn);
}

static unsigned int flags_of(const struct page *page)
{
	unsigned int flags = SIDE_PG_ONLINE;

	if (PageTail(page))
		return flags | SIDE_PG_TAIL;
	if (PageBuddy(page))
		flags |= SIDE_PG_BUDDY;
	if (PageHead(page))
		flags |= SIDE_PG_HEAD;
	/* The mark overlays the list's first word. */
	if (page->lru.next == (void *)BIT(1))
		flags |= SIDE_PG_PFMEMALLOC;
	return flags | side_marks((struct page *)page);
}

static void read_page(unsigned long pfn, struct kernel_page *to)
{
	const struct page *page = pfn_to_page(pfn);

	*to = (struct kernel_page){.zone = KERNEL_NO_ZONE, .refcount = page_ref_count(page)};
	if (!in_zone(pfn))
		return;
	to->zone = zone_number(page_zone(page));
	to->flags = flags_of(page);
	to->private = page_private(page);
	if (to->flags & SIDE_PG_TAIL) {
		to->compound_head = page_to_pfn(compound_head(page));
		return;
	}
	if (to->flags & SIDE_PG_HEAD)
		to->compound_order = compound_order((struct page *)page);
	to->link = link_of(&page->lru);
}

static void side_pages(unsigned int start, unsigned int nr, struct kernel_page *to)
{
	for (unsigned int i = 0; i < nr; i++)
		read_page(start + i, &to[i]);
}

static const void *side_map(void)
{
	return (const void *)vmemmap_base;
}

static const unsigned short *side_all_marks(void)
{
	return side.marks;
}

/* ---- pageblocks: bits of the section, straight --------------------------- */

static unsigned long *block_word(unsigned long pfn, unsigned int *shift)
{
	unsigned long bit = ((pfn & (PAGES_PER_SECTION - 1)) >> pageblock_order) * NR_PAGEBLOCK_BITS;

	*shift = bit % BITS_PER_LONG;
	return section_to_usemap(__pfn_to_section(pfn)) + bit / BITS_PER_LONG;
}

/* At boot, when the bits are 0. */
void side_init_block(unsigned long pfn, unsigned int mt)
{
	unsigned int shift;
	unsigned long *word = block_word(pfn, &shift);

	*word |= (unsigned long)mt << shift;
}

static void side_blocks(unsigned char *to)
{
	unsigned int shift;

	for (unsigned long pfn = 0; pfn < side.machine.nr_pages; pfn += pageblock_nr_pages) {
		unsigned long *word = block_word(pfn, &shift);
		unsigned int bits = *word >> shift & ((1UL << NR_PAGEBLOCK_BITS) - 1);

#ifdef HAVE_PB_ISOLATE_BIT
		*to++ = (bits & 7) | (bits & 1 << PB_compact_skip ? 0x08 : 0) |
			(bits & 1 << PB_migrate_isolate ? 0x10 : 0);
#else
		*to++ = (bits & 7) == MIGRATE_ISOLATE ? 0x10 | MIGRATE_MOVABLE : bits & 7;
#endif
	}
}

/* ---- zones --------------------------------------------------------------- */

static long long numa_events(struct zone *z, unsigned int item)
{
	long long sum = 0;

#ifdef HAVE_VM_NUMA_EVENT
	sum = atomic_long_read(&z->vm_numa_event[item]);
	for (unsigned int cpu = 0; cpu < side.machine.nr_cpus; cpu++)
		sum += per_cpu_ptr(z->per_cpu_zonestats, cpu)->vm_numa_event[item];
#endif
	return sum;
}

static void read_stats(struct zone *z, long long *to)
{
	unsigned int i = 0;

	to[i++] = atomic_long_read(&z->vm_stat[NR_FREE_PAGES]);
#ifdef HAVE_FREE_PAGES_BLOCKS
	to[i++] = atomic_long_read(&z->vm_stat[NR_FREE_PAGES_BLOCKS]);
#else
	to[i++] = 0;
#endif
	to[i++] = atomic_long_read(&z->vm_stat[NR_FREE_CMA_PAGES]);
	to[i++] = atomic_long_read(&z->vm_stat[NR_MLOCK]);
	to[i++] = zone_reclaimable_pages(z);
	for (unsigned int item = NUMA_HIT; i < 11; item++)
		to[i++] = numa_events(z, (unsigned int[]){NUMA_HIT, NUMA_MISS, NUMA_FOREIGN,
							   NUMA_LOCAL, NUMA_OTHER,
							   NUMA_INTERLEAVE_HIT}[item - NUMA_HIT]);
}

static void read_free_lists(struct zone *z, struct kernel_zone *to)
{
	for (unsigned int order = 0; order < K_NR_ORDERS; order++) {
		to->nr_free[order] = z->free_area[order].nr_free;
		for (unsigned int mt = 0; mt < MIGRATE_TYPES; mt++) {
			struct list_head *list = &z->free_area[order].free_list[mt];

			to->free_list[order][mt] = (struct kernel_link){number_of(list->next),
									number_of(list->prev)};
		}
	}
}

static unsigned int side_trylock(unsigned int zone, unsigned int *pfns, unsigned int max)
{
	unsigned int nr = 0;

#ifdef HAVE_TRYLOCK_LIST
	struct llist_node *node = READ_ONCE(side.zones[zone]->trylock_free_pages.first);

	for (; node && nr < max; node = node->next)
		pfns[nr++] = page_to_pfn(llist_entry(node, struct page, pcp_llist));
#endif
	return nr;
}

static void side_zone(unsigned int index, struct kernel_zone *to)
{
	struct zone *z = side.zones[index];

	*to = (struct kernel_zone){
		.locked = side_lock_is_held(&z->lock),
		.flags = z->flags & 7,
		.start = z->zone_start_pfn,
		.spanned = z->spanned_pages,
		.present = z->present_pages,
		.managed = zone_managed_pages(z),
		.cma = zone_cma_pages(z),
		.watermark_boost = z->watermark_boost,
		.nr_reserved_highatomic = z->nr_reserved_highatomic,
#ifdef HAVE_FREE_HIGHATOMIC
		.nr_free_highatomic = z->nr_free_highatomic,
#else /* marks leave out all of the reserve */
		.nr_free_highatomic = z->nr_reserved_highatomic,
#endif
		.nr_isolate_pageblock = z->nr_isolate_pageblock,
		.pageset_high_min = K_PCP_HIGH_MIN(z),
		.pageset_high_max = K_PCP_HIGH_MAX(z),
		.pageset_batch = z->pageset_batch,
		.compact_considered = z->compact_considered,
		.compact_defer_shift = z->compact_defer_shift,
		.compact_order_failed = z->compact_order_failed,
		.compact_blockskip_flush = z->compact_blockskip_flush,
	};
	for (unsigned int i = 0; i < 4; i++) {
		to->watermark[i] = i < NR_WMARK ? z->_watermark[i] : 0;
		to->lowmem_reserve[i] = z->lowmem_reserve[i];
	}
	read_stats(z, to->vm_stat);
	read_free_lists(z, to);
}

static void side_pcp(unsigned int zone, unsigned int cpu, struct kernel_pcp *to,
		     struct kernel_link *lists)
{
	struct per_cpu_pages *pcp = per_cpu_ptr(side.zones[zone]->per_cpu_pageset, cpu);

	*to = (struct kernel_pcp){
		.count = pcp->count,
		.high = pcp->high,
		.batch = pcp->batch,
#ifdef HAVE_PCP_HIGH_MIN
		.high_min = pcp->high_min,
		.high_max = pcp->high_max,
		.flags = pcp->flags,
		.alloc_factor = pcp->alloc_factor,
		.free_count = pcp->free_count,
#else
		.high_min = pcp->high,
		.high_max = pcp->high,
#endif
	};
	for (unsigned int i = 0; i < NR_PCP_LISTS; i++)
		lists[i] = (struct kernel_link){number_of(pcp->lists[i].next),
						number_of(pcp->lists[i].prev)};
}

/* ---- nodes and the rest -------------------------------------------------- */

static void side_node(unsigned int nid, struct kernel_node *to)
{
	const struct side_daemons *d = &side.daemons[nid];

	*to = (struct kernel_node){
		.kswapd_awake = d->kswapd_awake,
		.kswapd_highest_zoneidx = d->kswapd_highest_zoneidx,
		.kswapd_order = d->kswapd_order,
		.kcompactd_max_order = d->kcompactd_max_order,
		.kcompactd_highest_zoneidx = d->kcompactd_highest_zoneidx,
		.kcompactd_awake = d->kcompactd_awake,
		.kswapd_failures = d->kswapd_failures,
	};
	for (unsigned int list = 0; list < 2; list++) {
		struct zoneref *ref = node_data[nid]->node_zonelists[list]._zonerefs;

		for (; ref->zone; ref++)
			to->zones[list][to->nr[list]++] = zone_number(ref->zone);
	}
}

static unsigned int node_bits(const nodemask_t *mask)
{
	return nodes_addr(*mask)[0] & ((1U << side.machine.nr_nodes) - 1);
}

static void read_vm_events(unsigned long long *to)
{
	static const int items[] = {
#define ZONED(name) name##_DMA, name##_DMA32, name##_NORMAL, name##_MOVABLE
		ZONED(PGALLOC), PGFREE, ZONED(ALLOCSTALL), COMPACTSTALL, COMPACTFAIL,
		COMPACTSUCCESS, PAGEOUTRUN, KCOMPACTD_WAKE, UNEVICTABLE_PGCLEARED,
		HTLB_BUDDY_PGALLOC, HTLB_BUDDY_PGALLOC_FAIL,
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(items); i++) {
		to[i] = 0;
		for (unsigned int cpu = 0; cpu < side.machine.nr_cpus; cpu++)
			to[i] += per_cpu(vm_event_states, cpu).event[items[i]];
	}
}

static void side_global(struct kernel_global *to)
{
	*to = (struct kernel_global){
		.task_flags = side.task_flags,
		.mems_allowed = node_bits(&side_task.mems_allowed),
		.mems_hardwall = node_bits(&side.mems_hardwall),
		.cpu = side.cpu,
		.mobility_disabled = page_group_by_mobility_disabled,
		.lru_list = {number_of(side.lru.next), number_of(side.lru.prev)},
		.drain_disabled_zones = side.drain_disabled_zones,
	};
	for (unsigned int i = 0; i < side.machine.nr_zones; i++)
		to->lru_pages += zone_reclaimable_pages(side.zones[i]);
	for (unsigned int i = 0; i < ARRAY_SIZE(to->sysctl); i++)
		to->sysctl[i] = side_sysctl_read(i);
	read_vm_events(to->vm_event);
}

/* ---- the table ----------------------------------------------------------- */

static void side_constants(struct kernel_constants *to)
{
	*to = (struct kernel_constants){
		.block_order = pageblock_order,
		.top_order = K_TOP,
		.max_nodes = min(MAX_NUMNODES, SIDE_MAX_NODES),
		.max_cpus = NR_CPUS,
#ifdef CONFIG_PCP_BATCH_SCALE_MAX
		.batch_scale_max = CONFIG_PCP_BATCH_SCALE_MAX,
#else
		.batch_scale_max = KERNEL_NO_LIMIT,
#endif
		.pmd_order = IS_ENABLED(CONFIG_TRANSPARENT_HUGEPAGE) ? HPAGE_PMD_ORDER : 0,
		.pcp_lists = NR_PCP_LISTS,
		.page_size = sizeof(struct page),
		.dma = IS_ENABLED(CONFIG_ZONE_DMA),
		.dma32 = IS_ENABLED(CONFIG_ZONE_DMA32),
		.cma = IS_ENABLED(CONFIG_CMA),
		.compaction = IS_ENABLED(CONFIG_COMPACTION),
		.debug_vm = IS_ENABLED(CONFIG_DEBUG_VM),
		.hotremove = IS_ENABLED(CONFIG_MEMORY_HOTREMOVE),
#ifdef HAVE_WRITE_HOOKS
		.hooks = 1,
#endif
	};
	side_generation(&to->generation);
}

extern char kernel_data_start[], kernel_data_end[];

static void side_region(unsigned int which, char **start, char **end)
{
	if (which) {
		side_units(start, end);
		return;
	}
	*start = kernel_data_start;
	*end = kernel_data_end;
}

#ifdef HAVE_COUNTERS
extern unsigned char __start___sancov_cntrs[], __stop___sancov_cntrs[];
extern const unsigned long __start___sancov_pcs[], __stop___sancov_pcs[];
#endif

static void side_counters(struct kernel_counters *to)
{
	*to = (struct kernel_counters){
#ifdef HAVE_COUNTERS
		.start = __start___sancov_cntrs,
		.end = __stop___sancov_cntrs,
		.table = __start___sancov_pcs,
		.table_end = __stop___sancov_pcs,
#endif
	};
}

static void side_begin_op(void)
{
	side.fuel = side.machine.fuel;
	side.out_of_fuel = 0;
	side.kswapd_wakes = 0;
}

static void side_enter(void)
{
	side_set_cpu(side.cpu);
}

static void side_begin_nested(unsigned int cpu)
{
	side_slow_set_aside();
	side_watch_set_aside();
	side.nested = true;
	side.outer.cpu = side.cpu;
	side.outer.preempt = preempt_count(); /* whoever holds a lock has disabled it */
	side.outer.task_flags = side.task_flags;
	side.outer.nest_points = side.nest_points;
	side.outer.fuel = side.fuel;
	side.outer.kswapd_wakes = side.kswapd_wakes;
	side.outer.out_of_fuel = side.out_of_fuel;
	side.outer.mems_allowed = side_task.mems_allowed;
	side.outer.mems_hardwall = side.mems_hardwall;
	side.outer.capture = side_task.capture_control;
	side.outer.task_pf = side_task.flags;
	side_task.capture_control = NULL;
	side.nest_points = 0;
	side.kswapd_wakes = 0;
	side.fuel = side.machine.fuel;
	side.out_of_fuel = 0;
	side_set_cpu(cpu);
	side_set_task(0);
	side_set_cpuset(~0U, ~0U);
}

static void side_end_nested(void)
{
	side_slow_take_up();
	side_watch_take_up();
	side.nested = false;
	side_set_cpu(side.outer.cpu);
	side_set_task(side.outer.task_flags);
	preempt_count_set(side.outer.preempt);
	side_task.flags = side.outer.task_pf; /* PF_MEMALLOC of a reclaim that goes on */
	side_task.mems_allowed = side.outer.mems_allowed;
	side.mems_hardwall = side.outer.mems_hardwall;
	side_task.capture_control = side.outer.capture;
	side.nest_points = side.outer.nest_points;
	side.fuel = side.outer.fuel;
	side.kswapd_wakes = side.outer.kswapd_wakes;
	side.out_of_fuel = side.outer.out_of_fuel;
}

__attribute__((visibility("default"))) const struct kernel_side buddycheck_kernel = {
	.abi = KERNEL_ABI,
	.constants = side_constants,
	.region = side_region,
	.counters = side_counters,
	.boot = side_boot,
	.begin_op = side_begin_op,
	.call = side_call,
	.end_op = side_end_op,
	.begin_nested = side_begin_nested,
	.end_nested = side_end_nested,
	.enter = side_enter,
	.trap = side_trap,
	.mask = &side.mask,
	.nest_points = &side.nest_points,
	.out_of_fuel = &side.out_of_fuel,
	.cpu = &side.cpu,
	.kswapd_wakes = &side.kswapd_wakes,
	.pages = side_pages,
	.blocks = side_blocks,
	.zone = side_zone,
	.pcp = side_pcp,
	.trylock = side_trylock,
	.node = side_node,
	.global = side_global,
	.map = side_map,
	.marks = side_all_marks,
	.dirty = side_dirty,
};
