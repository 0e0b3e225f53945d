/* SPDX-License-Identifier: GPL-2.0-only */
/* A view as the kernel's /proc files show it, and as a map of pageblocks. */
#include <ctype.h>
#include <string.h>

#include "harness/state_text.h"

/* ---- /proc --------------------------------------------------------------- */

void write_buddyinfo(FILE *out, const struct view *v)
{
	for (u32 i = 0; i < v->machine->nr_zones; i++) {
		const struct zone *z = &v->zones[i];

		fprintf(out, "Node %u, zone %8s ", z->node, zone_type_names[z->type]);
		for (u32 order = 0; order <= v->machine->max_page_order; order++)
			fprintf(out, "%6u ", z->nr_free[order]);
		fputc('\n', out);
	}
}

/* Rows of pagetypeinfo; the kernel has no CMA type without CONFIG_CMA. */
static bool has_type(const struct view *v, u32 mt)
{
	return mt != MIGRATE_CMA || v->machine->config_cma;
}

/* Length of a list; the kernel stops counting at 100000 and prints ">100000". */
static void write_list_length(FILE *out, const struct view *v, u32 head)
{
	const u32 limit = 100000;
	u32 n = 0;

	for (u32 e = v->links[head].next; e < v->nr_pages && n < limit; e = v->links[e].next)
		n++;
	fprintf(out, "%s%6u ", n == limit ? ">" : "", n);
}

static void write_type_rows(FILE *out, const struct view *v, const struct zone *z)
{
	for (u32 mt = 0; mt < MIGRATE_TYPES; mt++) {
		if (!has_type(v, mt))
			continue;
		fprintf(out, "Node %4u, zone %8s, type %12s ", z->node, zone_type_names[z->type],
			migratetype_names[mt]);
		for (u32 order = 0; order <= v->machine->max_page_order; order++)
			write_list_length(out, v, free_list_head(z, order, mt));
		fputc('\n', out);
	}
}

/* The blocks that begin in the zone, as the kernel counts them. */
static void write_block_counts(FILE *out, const struct view *v, const struct zone *z)
{
	u32 step = BIT(v->machine->pageblock_order);
	u32 counts[MIGRATE_TYPES] = {0};

	for (u32 pfn = z->zone_start_pfn; pfn < zone_end_pfn(z); pfn += step) {
		if (v->pages[pfn].flags & PG_ONLINE && v->pages[pfn].zone == z->index)
			counts[view_block_type(v, pfn)]++;
	}
	fprintf(out, "Node %u, zone %8s ", z->node, zone_type_names[z->type]);
	for (u32 mt = 0; mt < MIGRATE_TYPES; mt++) {
		if (has_type(v, mt))
			fprintf(out, "%12u ", counts[mt]);
	}
	fputc('\n', out);
}

static void for_zones_of(FILE *out, const struct view *v, u32 node,
			 void (*write)(FILE *, const struct view *, const struct zone *))
{
	for (u32 i = 0; i < v->machine->nr_zones; i++) {
		if (v->zones[i].node == node)
			write(out, v, &v->zones[i]);
	}
}

static bool node_has_zones(const struct view *v, u32 node)
{
	for (u32 i = 0; i < v->machine->nr_zones; i++) {
		if (v->zones[i].node == node)
			return true;
	}
	return false;
}

void write_pagetypeinfo(FILE *out, const struct view *v)
{
	for (u32 node = 0; node < v->machine->nr_nodes; node++) {
		if (!node_has_zones(v, node))
			continue;
		fprintf(out, "Page block order: %u\nPages per block:  %u\n\n",
			v->machine->pageblock_order, BIT(v->machine->pageblock_order));
		fprintf(out, "%-43s ", "Free pages count per migrate type at order ");
		for (u32 order = 0; order <= v->machine->max_page_order; order++)
			fprintf(out, "%6u ", order);
		fputc('\n', out);
		for_zones_of(out, v, node, write_type_rows);
		fprintf(out, "\n%-23s", "Number of blocks type ");
		for (u32 mt = 0; mt < MIGRATE_TYPES; mt++) {
			if (has_type(v, mt))
				fprintf(out, "%12s ", migratetype_names[mt]);
		}
		fputc('\n', out);
		for_zones_of(out, v, node, write_block_counts);
	}
}

/* ---- map of pageblocks --------------------------------------------------- */

/* Pages of [start, end) that are in free buddies of the zone. */
static u32 free_pages_in(const struct view *v, const struct zone *z, u32 start, u32 end)
{
	u32 pfn = align_down(start, BIT(v->machine->max_page_order));
	u32 n = 0;

	/* A buddy that covers the range may begin before it. */
	for (pfn = max_u32(pfn, z->zone_start_pfn); pfn < end;) {
		const struct page *page = &v->pages[pfn];
		bool head = page->flags & PG_BUDDY && page->private <= v->machine->max_page_order;
		u32 next = pfn + (head ? BIT(page->private) : 1);

		if (head && next > start)
			n += min_u32(next, end) - max_u32(pfn, start);
		pfn = next;
	}
	return n;
}

static char block_letter(const struct view *v, const struct zone *z, u32 block)
{
	static const char letters[MIGRATE_TYPES] = "umrhci";
	u32 start = max_u32(block, z->zone_start_pfn);
	u32 end = min_u32(block + BIT(v->machine->pageblock_order), zone_end_pfn(z));
	u32 mt = view_block_type(v, block);
	char letter = letters[mt];

	if (mt == MIGRATE_ISOLATE || 2 * free_pages_in(v, z, start, end) >= end - start)
		letter = (char)toupper(letter);
	return letter;
}

void write_pageblock_map(FILE *out, const struct view *v)
{
	const u32 per_row = 64;
	u32 step = BIT(v->machine->pageblock_order);

	for (u32 i = 0; i < v->machine->nr_zones; i++) {
		const struct zone *z = &v->zones[i];
		u32 block = align_down(z->zone_start_pfn, step);

		fprintf(out, "Node %u, zone %s\n", z->node, zone_type_names[z->type]);
		for (u32 n = 0; block < zone_end_pfn(z); n++, block += step) {
			if (n % per_row == 0)
				fprintf(out, "%s%10u ", n ? "\n" : "", block);
			fputc(block_letter(v, z, block), out);
		}
		fputc('\n', out);
	}
	fprintf(out,
		"one letter a pageblock (%u pages): u unmovable, m movable, r reclaimable, "
		"h highatomic, c CMA, I isolated;\n"
		"upper case: at least half of it is free\n",
		step);
}

/* ---- difference of tables ------------------------------------------------ */

/* Length of the line at @text without its newline; *@next: the line after it. */
static size_t line_length(const char *text, const char **next)
{
	size_t n = strcspn(text, "\n");

	*next = text + n + (text[n] == '\n');
	return n;
}

bool write_table_difference(FILE *out, const char *before, const char *after)
{
	bool any = false;

	while (*before || *after) {
		const char *b = before, *a = after;
		size_t nb = line_length(b, &before), na = line_length(a, &after);

		if (nb == na && !memcmp(a, b, na))
			continue;
		any = true;
		if (*b)
			fprintf(out, "- %.*s\n", (int)nb, b);
		if (*a)
			fprintf(out, "+ %.*s\n", (int)na, a);
	}
	return any;
}
