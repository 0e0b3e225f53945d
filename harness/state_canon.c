/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The canonical text: every member of a view, so that two states are equal if
 * and only if their texts are. Pages that follow each other and are alike share a
 * line.
 */
#include <stdlib.h>

#include "harness/state_text.h"

/* ---- pages and blocks ---------------------------------------------------- */

static bool same_page(const struct view *v, u32 a, u32 b)
{
	struct page x = v->pages[a], y = v->pages[b];

	return x.private == y.private && x.refcount == y.refcount &&
	       x.compound_head == y.compound_head && x.flags == y.flags &&
	       x.compound_order == y.compound_order && x.zone == y.zone;
}

static void write_pages(FILE *out, const struct view *v)
{
	for (u32 pfn = 0, end; pfn < v->nr_pages; pfn = end) {
		const struct page *p = &v->pages[pfn];

		for (end = pfn + 1; end < v->nr_pages && same_page(v, pfn, end); end++)
			;
		fprintf(out,
			"pages %u..%u zone %u flags 0x%x private %u refcount %d head %u order %u\n",
			pfn, end - 1, p->zone, p->flags, p->private, p->refcount, p->compound_head,
			p->compound_order);
	}
}

static void write_blocks(FILE *out, const struct view *v)
{
	u32 nr = (v->nr_pages - 1) >> v->machine->pageblock_order;

	for (u32 b = 0, end; b <= nr; b = end) {
		for (end = b + 1; end <= nr; end++) {
			if (v->pageblock_flags[end] != v->pageblock_flags[b])
				break;
		}
		fprintf(out, "blocks %u..%u flags 0x%x\n", b, end - 1, v->pageblock_flags[b]);
	}
}

/* ---- zones and their lists ----------------------------------------------- */

static void write_u32s(FILE *out, const char *name, const u32 *values, u32 nr)
{
	fprintf(out, " %s", name);
	for (u32 i = 0; i < nr; i++)
		fprintf(out, " %u", values[i]);
}

static void write_zone(FILE *out, const struct view *v, const struct zone *z)
{
	fprintf(out, "zone %u node %u type %u locked %u flags 0x%x", z->index, z->node, z->type,
		z->locked, z->flags);
	fprintf(out, " start %u spanned %u present %u managed %u cma %u", z->zone_start_pfn,
		z->spanned_pages, z->present_pages, z->managed_pages, z->cma_pages);
	write_u32s(out, "watermark", z->_watermark, NR_WMARK);
	write_u32s(out, "lowmem_reserve", z->lowmem_reserve, MAX_NR_ZONES);
	fprintf(out, " boost %u highatomic %u %u isolated_blocks %u pageset %u %u %u",
		z->watermark_boost, z->nr_reserved_highatomic, z->nr_free_highatomic,
		z->nr_isolate_pageblock, z->pageset_high_min, z->pageset_high_max,
		z->pageset_batch);
	fprintf(out, " compact %u %u %d %u", z->compact_considered, z->compact_defer_shift,
		z->compact_order_failed, z->compact_blockskip_flush);
	write_u32s(out, "nr_free", z->nr_free, v->machine->max_page_order + 1);
	for (u32 i = 0; i < NR_ZONE_STATS; i++)
		fprintf(out, " %s %lld", zone_stat_names[i], (long long)z->vm_stat[i]);
	fputc('\n', out);
}

static void write_pcp(FILE *out, const struct view *v, u32 zone, u32 cpu)
{
	const struct per_cpu_pages *pcp = view_pcp(v, zone, cpu);

	fprintf(out, "pcp %u %u count %d high %d %d %d batch %d flags 0x%x", zone, cpu, pcp->count,
		pcp->high, pcp->high_min, pcp->high_max, pcp->batch, pcp->flags);
	fprintf(out, " alloc_factor %d free_count %d\n", pcp->alloc_factor, pcp->free_count);
	for (u32 i = 0; i < NR_PCP_LISTS; i++) {
		fprintf(out, "pcp %u %u list %u", zone, cpu, i);
		write_list(out, v, pcp_list_head(pcp, i));
	}
}

static void write_zone_lists(FILE *out, const struct view *v, const struct zone *z)
{
	for (u32 order = 0; order <= v->machine->max_page_order; order++) {
		for (u32 mt = 0; mt < MIGRATE_TYPES; mt++) {
			fprintf(out, "free %u order %u mt %u", z->index, order, mt);
			write_list(out, v, free_list_head(z, order, mt));
		}
	}
	fprintf(out, "trylock %u", z->index);
	write_list(out, v, z->trylock_list);
	for (u32 cpu = 0; cpu < v->machine->nr_cpus; cpu++)
		write_pcp(out, v, z->index, cpu);
}

/* ---- nodes and globals --------------------------------------------------- */

static void write_node(FILE *out, const struct view *v, u32 nid)
{
	const struct node *n = &v->nodes[nid];

	fprintf(out, "node %u kswapd %u %u %u %u kcompactd %u %u %u", nid, n->kswapd_awake,
		n->kswapd_highest_zoneidx, n->kswapd_order, n->kswapd_failures,
		n->kcompactd_max_order, n->kcompactd_highest_zoneidx, n->kcompactd_awake);
	for (u32 l = 0; l < MAX_ZONELISTS; l++) {
		fputs(" zonelist", out);
		for (u32 i = 0; i < n->zonelists[l].nr; i++)
			fprintf(out, " %u", n->zonelists[l].zones[i]);
	}
	fputc('\n', out);
}

static void write_global(FILE *out, const struct view *v)
{
	const struct global *g = v->global;

	fprintf(out, "task flags 0x%x mems_allowed 0x%x mems_hardwall 0x%x cpu %u\n", g->task.flags,
		g->task.mems_allowed, g->task.mems_hardwall, g->task.cpu);
	fprintf(out, "mobility_disabled %u lru_pages %u drain_disabled_zones 0x%x\n",
		g->page_group_by_mobility_disabled, g->lru_pages, g->drain_disabled_zones);
	for (u32 i = 0; i < NR_SYSCTLS; i++)
		fprintf(out, "sysctl %s %u\n", sysctl_names[i], g->sysctl[i]);
	for (u32 i = 0; i < NR_VM_EVENTS; i++)
		fprintf(out, "event %s %llu\n", vm_event_names[i],
			(unsigned long long)g->vm_event[i]);
	fputs("lru", out);
	write_list(out, v, g->lru_list);
	fputs("isolated", out);
	write_list(out, v, g->isolated_list);
}

void write_canonical(FILE *out, const struct view *v)
{
	write_global(out, v);
	for (u32 nid = 0; nid < v->machine->nr_nodes; nid++)
		write_node(out, v, nid);
	for (u32 i = 0; i < v->machine->nr_zones; i++) {
		write_zone(out, v, &v->zones[i]);
		write_zone_lists(out, v, &v->zones[i]);
	}
	write_blocks(out, v);
	write_pages(out, v);
}

u64 state_hash(const struct view *v)
{
	char *text = text_of(write_canonical, v);
	u64 hash = 0xcbf29ce484222325ULL;

	for (const u8 *p = (const u8 *)text; *p; p++)
		hash = (hash ^ *p) * 0x100000001b3ULL;
	free(text);
	return hash;
}
