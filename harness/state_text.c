/* SPDX-License-Identifier: GPL-2.0-only */
/* A view in the words of a recording. */
#include "harness/state_text.h"

#include <stdlib.h>
#include <string.h>

static void no_memory(void)
{
	fputs("buddycheck: out of memory\n", stderr);
	abort();
}

FILE *open_text(char **text, size_t *size)
{
	FILE *out = open_memstream(text, size);

	if (!out)
		no_memory();
	return out;
}

void close_text(FILE *out)
{
	if (fclose(out))
		no_memory();
}

char *text_of(void (*write)(FILE *out, const struct view *v), const struct view *v)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_text(&text, &size);

	write(out, v);
	close_text(out);
	return text;
}

void write_boot_state(FILE *out, const struct view *v)
{
	for (u32 i = 0; i < v->machine->nr_zones; i++) {
		const struct zone *z = &v->zones[i];

		fprintf(out, "zone %u %s start %u pages %u", z->node, zone_type_names[z->type],
			z->zone_start_pfn, z->managed_pages);
		fprintf(out, " min %u low %u high %u promo %u", z->_watermark[WMARK_MIN],
			z->_watermark[WMARK_LOW], z->_watermark[WMARK_HIGH],
			z->_watermark[WMARK_PROMO]);
		fprintf(out, " pcp_batch %u pcp_high_min %u pcp_high_max %u lowmem_reserve",
			z->pageset_batch, z->pageset_high_min, z->pageset_high_max);
		for (u32 t = 0; t < MAX_NR_ZONES; t++)
			fprintf(out, " %u", z->lowmem_reserve[t]);
		fputc('\n', out);
	}
}

static bool list_is_empty(const struct view *v, u32 head)
{
	return v->links[head].next == head;
}

void write_list(FILE *out, const struct view *v, u32 head)
{
	u32 e = v->links[head].next;

	fputs(" :", out);
	for (u32 n = 0; e < v->nr_pages && n < v->nr_pages; n++, e = v->links[e].next)
		fprintf(out, " %u", e);
	fputs(e == head ? "\n" : " (broken)\n", out);
}

static void write_final_zone(FILE *out, const struct view *v, const struct zone *z)
{
	const struct per_cpu_pages *pcp = view_pcp(v, z->index, 0);

	fprintf(out, "final zone %u %s free %lld reserved_highatomic %u free_highatomic %u",
		z->node, zone_type_names[z->type], (long long)z->vm_stat[NR_FREE_PAGES],
		z->nr_reserved_highatomic, z->nr_free_highatomic);
	fprintf(out, " boost %u flags %u pcp_count %d pcp_high %d pcp_free_count %d",
		z->watermark_boost, z->flags, pcp->count, pcp->high, pcp->free_count);
	fprintf(out, " pcp_alloc_factor %d free_blocks %lld\n", pcp->alloc_factor,
		(long long)z->vm_stat[NR_FREE_PAGES_BLOCKS]);
}

static void write_free_lists(FILE *out, const struct view *v, const struct zone *z)
{
	for (u32 order = 0; order <= v->machine->max_page_order; order++) {
		for (u32 mt = 0; mt < MIGRATE_TYPES; mt++) {
			u32 head = free_list_head(z, order, mt);

			if (list_is_empty(v, head))
				continue;
			fprintf(out, "freelist %u %s order %u mt %u", z->node,
				zone_type_names[z->type], order, mt);
			write_list(out, v, head);
		}
	}
}

static void write_pcp_lists(FILE *out, const struct view *v, const struct zone *z, u32 cpu)
{
	const struct per_cpu_pages *pcp = view_pcp(v, z->index, cpu);

	for (u32 i = 0; i < NR_PCP_LISTS; i++) {
		if (list_is_empty(v, pcp_list_head(pcp, i)))
			continue;
		fprintf(out, "pcplist %u %s", z->node, zone_type_names[z->type]);
		if (cpu)
			fprintf(out, " cpu %u", cpu);
		fprintf(out, " index %u", i);
		write_list(out, v, pcp_list_head(pcp, i));
	}
}

/* What recordings, of one CPU and without trylocks that fail, have no lines for. */
static void write_other_pcps(FILE *out, const struct view *v, const struct zone *z)
{
	for (u32 cpu = 1; cpu < v->machine->nr_cpus; cpu++) {
		const struct per_cpu_pages *pcp = view_pcp(v, z->index, cpu);

		fprintf(out,
			"final pcp %u %s cpu %u count %d high %d free_count %d alloc_factor %d\n",
			z->node, zone_type_names[z->type], cpu, pcp->count, pcp->high,
			pcp->free_count, pcp->alloc_factor);
		write_pcp_lists(out, v, z, cpu);
	}
	if (!list_is_empty(v, z->trylock_list)) {
		fprintf(out, "trylocklist %u %s", z->node, zone_type_names[z->type]);
		write_list(out, v, z->trylock_list);
	}
}

static void write_pageblocks(FILE *out, const struct view *v, const struct zone *z)
{
	u32 step = BIT(v->machine->pageblock_order);

	fprintf(out, "pageblocks %u %s :", z->node, zone_type_names[z->type]);
	for (u32 pfn = align_down(z->zone_start_pfn, step); pfn < zone_end_pfn(z); pfn += step)
		fprintf(out, " %u", view_block_type(v, pfn));
	fputc('\n', out);
}

void write_final_state(FILE *out, const struct view *v)
{
	for (u32 i = 0; i < v->machine->nr_zones; i++) {
		const struct zone *z = &v->zones[i];

		write_final_zone(out, v, z);
		write_free_lists(out, v, z);
		write_pcp_lists(out, v, z, 0);
		write_other_pcps(out, v, z);
		write_pageblocks(out, v, z);
	}
}

void write_indented(FILE *out, const char *text)
{
	while (*text) {
		int n = (int)strcspn(text, "\n");

		fprintf(out, "    %.*s\n", n, text);
		text += n + (text[n] == '\n');
	}
}
