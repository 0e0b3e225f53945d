/* SPDX-License-Identifier: GPL-2.0-only */
#include "harness/kernel/kernel_view.h"

#include <stdlib.h>
#include <string.h>

#define GLOBAL_LIST_HEADS 2 /* LRU, privately isolated pages */
#define ZONE_LIST_HEADS (NR_ORDERS * MIGRATE_TYPES + 1)

_Static_assert(KERNEL_PCP_LISTS == NR_PCP_LISTS, "as many lists as a view has");
_Static_assert(sizeof(((struct kernel_zone *)0)->vm_stat) == NR_ZONE_STATS * sizeof(s64),
	       "all counters of a zone");
_Static_assert(sizeof(((struct kernel_global *)0)->vm_event) == NR_VM_EVENTS * sizeof(u64),
	       "all events");
_Static_assert(sizeof(((struct kernel_global *)0)->sysctl) == NR_SYSCTLS * sizeof(u32),
	       "all sysctls");

/* ---- tables -------------------------------------------------------------- */

static u32 first_zone_head(const struct view *v, u32 zone)
{
	return v->nr_pages + GLOBAL_LIST_HEADS + zone * ZONE_LIST_HEADS;
}

static void number_heads(struct kernel_view *v)
{
	const struct machine *m = v->view.machine;
	u32 pcp_head = first_zone_head(&v->view, m->nr_zones);

	v->global->lru_list = v->view.nr_pages;
	v->global->isolated_list = v->view.nr_pages + 1;
	v->now.links[v->view.nr_pages + 1] =
		(struct link){.next = v->view.nr_pages + 1, .prev = v->view.nr_pages + 1};
	for (u32 i = 0; i < m->nr_zones; i++) {
		v->now.zones[i].index = (u8)i;
		v->now.zones[i].node = m->zones[i].node;
		v->now.zones[i].type = m->zones[i].type;
		v->now.zones[i].free_lists = first_zone_head(&v->view, i);
		v->now.zones[i].trylock_list = v->now.zones[i].free_lists + ZONE_LIST_HEADS - 1;
	}
	for (u32 i = 0; i < (u32)m->nr_zones * m->nr_cpus; i++)
		v->now.pcps[i].lists = pcp_head + i * NR_PCP_LISTS;
	for (u32 i = v->view.nr_pages; i < v->view.nr_links; i++)
		v->now.links[i] = (struct link){.next = i, .prev = i};
}

u32 kernel_view_blocks(const struct view *view)
{
	u32 order = view->machine->pageblock_order;

	return align_up(view->nr_pages, BIT(order)) >> order;
}

bool kernel_tables_init(struct kernel_tables *t, const struct view *view)
{
	const struct machine *m = view->machine;

	t->zones = calloc(m->nr_zones, sizeof(*t->zones));
	t->pcps = calloc((size_t)m->nr_zones * m->nr_cpus, sizeof(*t->pcps));
	t->pages = calloc(view->nr_pages, sizeof(*t->pages));
	t->links = calloc(view->nr_links, sizeof(*t->links));
	t->blocks = calloc(align_up(kernel_view_blocks(view), 8), 1);
	return t->zones && t->pcps && t->pages && t->links && t->blocks;
}

void kernel_tables_exit(struct kernel_tables *t)
{
	free(t->zones);
	free(t->pcps);
	free(t->pages);
	free(t->links);
	free(t->blocks);
}

static bool make_tables(struct kernel_view *v)
{
	v->global = calloc(1, sizeof(*v->global));
	v->nodes = calloc(v->view.machine->nr_nodes, sizeof(*v->nodes));
	v->from = calloc(v->view.nr_pages, sizeof(*v->from));
	v->dirty = calloc(v->view.nr_pages, sizeof(*v->dirty));
	v->waiting = calloc(v->view.nr_pages, sizeof(*v->waiting));
	v->seen = calloc(v->view.nr_pages, v->page_size);
	v->seen_marks = calloc(v->view.nr_pages, sizeof(*v->seen_marks));
	return v->global && v->nodes && v->from && v->dirty && v->waiting && v->seen &&
	       v->seen_marks && kernel_tables_init(&v->now, &v->view) && kernel_written_init(v);
}

bool kernel_view_init(struct kernel_view *v, const struct machine *m, u32 page_size)
{
	u32 nr_pages = machine_end_pfn(m);
	u32 nr_pcps = (u32)m->nr_zones * m->nr_cpus;

	memset(v, 0, sizeof(*v));
	v->page_size = page_size;
	v->view = (struct view){
		.machine = m,
		.nr_pages = nr_pages,
		.nr_links = nr_pages + GLOBAL_LIST_HEADS + m->nr_zones * ZONE_LIST_HEADS +
			    nr_pcps * NR_PCP_LISTS,
	};
	if (!make_tables(v)) {
		kernel_view_exit(v);
		return false;
	}
	v->view.global = v->global;
	v->view.nodes = v->nodes;
	v->view.zones = v->now.zones;
	v->view.pcps = v->now.pcps;
	v->view.pages = v->now.pages;
	v->view.links = v->now.links;
	v->view.pageblock_flags = v->now.blocks;
	number_heads(v);
	return true;
}

void kernel_view_exit(struct kernel_view *v)
{
	free(v->global);
	free(v->nodes);
	kernel_tables_exit(&v->now);
	free(v->from);
	free(v->dirty);
	free(v->waiting);
	free(v->seen);
	free(v->seen_marks);
	kernel_written_exit(v);
}

/* ---- reading ------------------------------------------------------------- */

static struct link link_from(struct kernel_link from)
{
	return (struct link){.next = from.next, .prev = from.prev};
}

static void set_page(struct kernel_view *v, u32 pfn, const struct kernel_page *from)
{
	v->now.pages[pfn] = (struct page){
		.private = from->private,
		.refcount = from->refcount,
		.compound_head = from->compound_head,
		.flags = from->flags,
		.compound_order = from->compound_order,
		.zone = from->zone,
	};
	v->now.links[pfn] = link_from(from->link);
	kernel_written_note(v, pfn);
}

/* The kernel links it one way only. */
static void read_trylock_list(struct kernel_view *v, const struct kernel_side *side, u32 zone)
{
	u32 head = v->now.zones[zone].trylock_list;
	u32 *pfns = &v->waiting[v->nr_waiting];
	u32 nr = side->trylock(zone, pfns, v->view.nr_pages - v->nr_waiting);
	u32 last = head;

	for (u32 i = 0; i < nr; i++) {
		v->now.links[last].next = pfns[i];
		v->now.links[pfns[i]].prev = last;
		last = pfns[i];
		kernel_written_note(v, last);
	}
	v->now.links[last].next = head;
	v->now.links[head].prev = last;
	v->nr_waiting += nr;
}

static void read_zone(struct kernel_view *v, const struct kernel_side *side, u32 index)
{
	struct zone *z = &v->now.zones[index];
	struct kernel_zone from;

	side->zone(index, &from);
	z->locked = from.locked;
	z->flags = from.flags;
	z->zone_start_pfn = from.start;
	z->spanned_pages = from.spanned;
	z->present_pages = from.present;
	z->managed_pages = from.managed;
	z->cma_pages = from.cma;
	memcpy(z->_watermark, from.watermark, sizeof(z->_watermark));
	z->watermark_boost = from.watermark_boost;
	memcpy(z->lowmem_reserve, from.lowmem_reserve, sizeof(z->lowmem_reserve));
	z->nr_reserved_highatomic = from.nr_reserved_highatomic;
	z->nr_free_highatomic = from.nr_free_highatomic;
	z->nr_isolate_pageblock = from.nr_isolate_pageblock;
	z->pageset_high_min = from.pageset_high_min;
	z->pageset_high_max = from.pageset_high_max;
	z->pageset_batch = from.pageset_batch;
	z->compact_considered = from.compact_considered;
	z->compact_defer_shift = from.compact_defer_shift;
	z->compact_order_failed = from.compact_order_failed;
	z->compact_blockskip_flush = from.compact_blockskip_flush;
	memcpy(z->nr_free, from.nr_free, sizeof(z->nr_free));
	memcpy(z->vm_stat, from.vm_stat, sizeof(z->vm_stat));
	for (u32 order = 0; order <= v->view.machine->max_page_order; order++)
		for (u32 mt = 0; mt < MIGRATE_TYPES; mt++)
			v->now.links[free_list_head(z, order, mt)] =
				link_from(from.free_list[order][mt]);
	read_trylock_list(v, side, index);
}

static void read_pcp(struct kernel_view *v, const struct kernel_side *side, u32 zone, u32 cpu)
{
	struct per_cpu_pages *pcp = &v->now.pcps[zone * v->view.machine->nr_cpus + cpu];
	struct kernel_link lists[KERNEL_PCP_LISTS] = {0};
	struct kernel_pcp from;

	side->pcp(zone, cpu, &from, lists);
	pcp->count = from.count;
	pcp->high = from.high;
	pcp->high_min = from.high_min;
	pcp->high_max = from.high_max;
	pcp->batch = from.batch;
	pcp->flags = from.flags;
	pcp->alloc_factor = from.alloc_factor;
	pcp->free_count = from.free_count;
	for (u32 i = 0; i < NR_PCP_LISTS; i++)
		v->now.links[pcp_list_head(pcp, i)] = link_from(lists[i]);
}

static void read_node(struct kernel_view *v, const struct kernel_side *side, u32 nid)
{
	struct node *n = &v->nodes[nid];
	struct kernel_node from;

	side->node(nid, &from);
	for (u32 list = 0; list < MAX_ZONELISTS; list++) {
		n->zonelists[list].nr = from.nr[list];
		memcpy(n->zonelists[list].zones, from.zones[list], sizeof(from.zones[list]));
	}
	n->kswapd_awake = from.kswapd_awake;
	n->kswapd_highest_zoneidx = from.kswapd_highest_zoneidx;
	n->kswapd_order = from.kswapd_order;
	n->kcompactd_max_order = from.kcompactd_max_order;
	n->kcompactd_highest_zoneidx = from.kcompactd_highest_zoneidx;
	n->kcompactd_awake = from.kcompactd_awake;
	n->kswapd_failures = from.kswapd_failures;
}

static void read_global(struct kernel_view *v, const struct kernel_side *side)
{
	struct global *g = v->global;
	struct kernel_global from;

	side->global(&from);
	g->task.flags = from.task_flags;
	g->task.mems_allowed = from.mems_allowed;
	g->task.mems_hardwall = from.mems_hardwall;
	g->task.cpu = from.cpu;
	g->page_group_by_mobility_disabled = from.mobility_disabled;
	g->lru_pages = from.lru_pages;
	g->drain_disabled_zones = from.drain_disabled_zones;
	v->now.links[g->lru_list] = link_from(from.lru_list);
	memcpy(g->sysctl, from.sysctl, sizeof(g->sysctl));
	memcpy(g->vm_event, from.vm_event, sizeof(g->vm_event));
}

/* All but the pages. */
static void read_rest(struct kernel_view *v, const struct kernel_side *side)
{
	const struct machine *m = v->view.machine;

	v->nr_waiting = 0;
	for (u32 zone = 0; zone < m->nr_zones; zone++) {
		read_zone(v, side, zone);
		for (u32 cpu = 0; cpu < m->nr_cpus; cpu++)
			read_pcp(v, side, zone, cpu);
	}
	for (u32 nid = 0; nid < m->nr_nodes; nid++)
		read_node(v, side, nid);
	read_global(v, side);
	side->blocks(v->now.blocks);
}

void kernel_view_read(struct kernel_view *v, const struct kernel_side *side)
{
	u32 nr = v->view.nr_pages;

	side->dirty(v->dirty);
	side->pages(0, nr, v->from);
	for (u32 pfn = 0; pfn < nr; pfn++)
		set_page(v, pfn, &v->from[pfn]);
	memcpy(v->seen, side->map(), (size_t)nr * v->page_size);
	memcpy(v->seen_marks, side->marks(), nr * sizeof(*v->seen_marks));
	read_rest(v, side);
}

/* Without write hooks: what is not as it was when it was read last. */
static u32 find_changed(struct kernel_view *v, const struct kernel_side *side)
{
	const u8 *map = side->map();
	const u16 *marks = side->marks();
	u32 size = v->page_size, nr = 0;

	for (u32 pfn = 0; pfn < v->view.nr_pages; pfn++) {
		size_t at = (size_t)pfn * size;

		if (!memcmp(map + at, v->seen + at, size) && marks[pfn] == v->seen_marks[pfn])
			continue;
		memcpy(v->seen + at, map + at, size);
		v->seen_marks[pfn] = marks[pfn];
		v->dirty[nr++] = pfn;
	}
	return nr;
}

static void read_page(struct kernel_view *v, const struct kernel_side *side, u32 pfn)
{
	side->pages(pfn, 1, v->from);
	set_page(v, pfn, v->from);
}

void kernel_view_update(struct kernel_view *v, const struct kernel_side *side)
{
	u32 nr = side->dirty(v->dirty);

	if (nr == KERNEL_NO_PFN)
		nr = find_changed(v, side);
	/* What waited has links that we made, and may be on its way to another list. */
	for (u32 i = 0; i < v->nr_waiting; i++)
		read_page(v, side, v->waiting[i]);
	for (u32 i = 0; i < nr; i++) {
		read_page(v, side, v->dirty[i]);
		/* The order of a compound page is kept in its second page. */
		if (v->dirty[i] & 1)
			read_page(v, side, v->dirty[i] - 1);
	}
	read_rest(v, side);
}
