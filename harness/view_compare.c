/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables against tables; and where they differ, members and lists one by one. */
#include "harness/view_compare.h"

#include <stdio.h>
#include <string.h>

#include "harness/view_members.h"

#define WHERE_SIZE sizeof(((struct view_difference *)0)->where)

struct comparison {
	const struct view *x, *y;
	struct view_difference *to;
	u32 room, nr;
};

/* A place for the next difference, or NULL: it is only counted. */
static struct view_difference *differ(struct comparison *c, const char *where, const char *what)
{
	struct view_difference *d = c->nr < c->room ? &c->to[c->nr] : NULL;

	c->nr++;
	if (!d)
		return NULL;
	d->what = what;
	snprintf(d->where, sizeof(d->where), "%s", where);
	return d;
}

static void say_number(struct view_difference *d, u32 side, s64 value)
{
	snprintf(d->values[side], sizeof(d->values[side]), "%lld", (long long)value);
}

static int write_zone_name(char where[WHERE_SIZE], const struct zone *z)
{
	return snprintf(where, WHERE_SIZE, "node %u zone %s", z->node,
			z->type < MAX_NR_ZONES ? zone_type_names[z->type] : "?");
}

/* ---- tables -------------------------------------------------------------- */

static u32 nr_pcps(const struct view *v)
{
	return (u32)v->machine->nr_zones * v->machine->nr_cpus;
}

static u32 nr_blocks(const struct view *v)
{
	return ((v->nr_pages - 1) >> v->machine->pageblock_order) + 1;
}

#define SAME(member, nr) (!memcmp(x->member, y->member, (nr) * sizeof(*x->member)))

/* Equal views may differ in unused members; then all members are looked at. */
static bool same_tables(const struct view *x, const struct view *y)
{
	const struct machine *m = x->machine;

	return x->nr_links == y->nr_links && SAME(global, 1) && SAME(nodes, m->nr_nodes) &&
	       SAME(zones, m->nr_zones) && SAME(pcps, nr_pcps(x)) &&
	       SAME(pageblock_flags, nr_blocks(x)) && SAME(pages, x->nr_pages) &&
	       SAME(links, x->nr_links);
}

/* ---- members ------------------------------------------------------------- */

static void compare_member(struct comparison *c, const char *where, const struct view_member *m,
			   const void *x, const void *y)
{
	for (u32 i = 0; i < m->nr; i++) {
		s64 mine = view_member_value(m, x, i), theirs = view_member_value(m, y, i);
		struct view_difference *d;

		if (mine == theirs)
			continue;
		d = differ(c, where, m->names ? m->names[i] : m->name);
		if (!d)
			continue;
		if (m->index)
			snprintf(d->where, WHERE_SIZE, "%.64s %s %u", where, m->index, i);
		say_number(d, 0, mine);
		say_number(d, 1, theirs);
	}
}

static void compare_members(struct comparison *c, const char *where,
			    const struct view_member *members, u32 nr, const void *x, const void *y)
{
	for (u32 i = 0; i < nr; i++)
		compare_member(c, where, &members[i], x, y);
}

static void compare_zones(struct comparison *c)
{
	char where[WHERE_SIZE];

	for (u32 i = 0; i < c->x->machine->nr_zones; i++) {
		write_zone_name(where, &c->x->zones[i]);
		compare_members(c, where, zone_members, nr_zone_members, &c->x->zones[i],
				&c->y->zones[i]);
	}
}

static void compare_pcps(struct comparison *c)
{
	u32 nr_cpus = c->x->machine->nr_cpus;
	char where[WHERE_SIZE];

	for (u32 i = 0; i < nr_pcps(c->x); i++) {
		int len = write_zone_name(where, &c->x->zones[i / nr_cpus]);

		snprintf(where + len, WHERE_SIZE - (size_t)len, " cpu %u", i % nr_cpus);
		compare_members(c, where, pcp_members, nr_pcp_members, &c->x->pcps[i],
				&c->y->pcps[i]);
	}
}

/* "1 0": the zones in the order in which requests try them. */
static void say_zonelist(struct view_difference *d, u32 side, const struct zonelist *list)
{
	char *text = d->values[side];
	int len = 0;

	for (u32 i = 0; i < list->nr && i < MACHINE_MAX_ZONES; i++)
		len += snprintf(text + len, sizeof(d->values[0]) - (size_t)len, "%s%u",
				i ? " " : "", list->zones[i]);
}

static void compare_zonelist(struct comparison *c, const char *where, const struct zonelist *x,
			     const struct zonelist *y)
{
	struct view_difference *d;

	if (x->nr == y->nr && !memcmp(x->zones, y->zones, x->nr))
		return;
	d = differ(c, where, "node_zonelists");
	if (!d)
		return;
	say_zonelist(d, 0, x);
	say_zonelist(d, 1, y);
}

static void compare_nodes(struct comparison *c)
{
	char where[WHERE_SIZE];

	for (u32 nid = 0; nid < c->x->machine->nr_nodes; nid++) {
		const struct node *x = &c->x->nodes[nid], *y = &c->y->nodes[nid];

		snprintf(where, sizeof(where), "node %u", nid);
		compare_members(c, where, node_members, nr_node_members, x, y);
		for (u32 i = 0; i < MAX_ZONELISTS; i++)
			compare_zonelist(c, where, &x->zonelists[i], &y->zonelists[i]);
	}
}

/* ---- pages and blocks ---------------------------------------------------- */

static u32 page_value(const struct page *p, u32 member)
{
	switch (member) {
	case 0:
		return p->flags;
	case 1:
		return p->private;
	case 2:
		return (u32)p->refcount;
	case 3:
		return p->compound_head;
	case 4:
		return p->compound_order;
	default:
		return p->zone;
	}
}

static const char *const page_members[] = {
	"page->flags",	       "page->private",	      "page->_refcount",
	"page->compound_head", "page compound order", "page zone",
};

static void say_page_value(struct view_difference *d, u32 side, u32 member, u32 value)
{
	static const char *const flags[] = {
		"buddy",    "head",   "tail",  "lru",	  "movable_ops", "hugetlb", "reserved",
		"hwpoison", "pinned", "clean", "mlocked", "pfmemalloc",	 "online",
	};
	char *text = d->values[side];
	int len = 0;

	if (member) {
		say_number(d, side, member == 2 ? (s32)value : (s64)value);
		return;
	}
	snprintf(text, sizeof(d->values[0]), "none");
	for (u32 i = 0; i < ARRAY_SIZE(flags); i++) {
		if (value & BIT(i))
			len += snprintf(text + len, sizeof(d->values[0]) - (size_t)len, "%s%s",
					len ? "|" : "", flags[i]);
	}
}

/* One difference for all pages from @pfn on that have the same. Returns the first page behind. */
static u32 differ_pages(struct comparison *c, u32 member, u32 pfn, u32 mine, u32 theirs)
{
	char where[WHERE_SIZE];
	struct view_difference *d;
	u32 end = pfn + 1;

	while (end < c->x->nr_pages && page_value(&c->x->pages[end], member) == mine &&
	       page_value(&c->y->pages[end], member) == theirs)
		end++;
	snprintf(where, sizeof(where), end - pfn > 1 ? "pfn %u..%u" : "pfn %u", pfn, end - 1);
	d = differ(c, where, page_members[member]);
	if (d) {
		say_page_value(d, 0, member, mine);
		say_page_value(d, 1, member, theirs);
	}
	return end;
}

static void compare_pages(struct comparison *c)
{
	if (!memcmp(c->x->pages, c->y->pages, c->x->nr_pages * sizeof(struct page)))
		return;
	for (u32 member = 0; member < ARRAY_SIZE(page_members); member++) {
		for (u32 pfn = 0; pfn < c->x->nr_pages;) {
			u32 mine = page_value(&c->x->pages[pfn], member);
			u32 theirs = page_value(&c->y->pages[pfn], member);

			pfn = mine == theirs ? pfn + 1 : differ_pages(c, member, pfn, mine, theirs);
		}
	}
}

static void say_block(struct view_difference *d, u32 side, u8 flags)
{
	u32 mt = flags & PB_MIGRATETYPE_MASK;

	snprintf(d->values[side], sizeof(d->values[0]), "%s%s%s",
		 mt < MIGRATE_TYPES ? migratetype_names[mt] : "?",
		 flags & PB_ISOLATE ? " isolated" : "", flags & PB_COMPACT_SKIP ? " skip" : "");
}

static void compare_blocks(struct comparison *c)
{
	for (u32 i = 0; i < nr_blocks(c->x); i++) {
		u8 mine = c->x->pageblock_flags[i], theirs = c->y->pageblock_flags[i];
		char where[WHERE_SIZE];
		struct view_difference *d;

		if (mine == theirs)
			continue;
		snprintf(where, sizeof(where), "pfn %u", i << c->x->machine->pageblock_order);
		d = differ(c, where, "pageblock");
		if (!d)
			continue;
		say_block(d, 0, mine);
		say_block(d, 1, theirs);
	}
}

/* ---- lists --------------------------------------------------------------- */

/* What may stand in place of the PFN of an entry. */
#define LIST_END (PFN_NONE - 1)
#define LIST_BROKEN (PFN_NONE - 2)

struct list_position {
	const struct view *v;
	u32 head, at;
};

/* The next entry; LIST_END; or LIST_BROKEN where the links leave the list or do not point back. */
static u32 next_entry(struct list_position *p)
{
	u32 next = p->v->links[p->at].next;

	if (next >= p->v->nr_links || p->v->links[next].prev != p->at)
		return LIST_BROKEN;
	p->at = next;
	if (next == p->head)
		return LIST_END;
	return next < p->v->nr_pages ? next : LIST_BROKEN;
}

static void say_entry(struct view_difference *d, u32 side, u32 entry)
{
	if (entry == LIST_END || entry == LIST_BROKEN)
		snprintf(d->values[side], sizeof(d->values[0]), "%s",
			 entry == LIST_END ? "the end" : "broken links");
	else
		snprintf(d->values[side], sizeof(d->values[0]), "pfn %u", entry);
}

/*
 * The place of a difference, or NULL: the lists at @head_x and @head_y are equal, or it is only
 * counted. Entries count from 1, and only the number of the first different one is in @where.
 */
static struct view_difference *compare_list(struct comparison *c, const char *what, u32 head_x,
					    u32 head_y)
{
	struct list_position x = {c->x, head_x, head_x}, y = {c->y, head_y, head_y};
	u32 mine, theirs, nr = 0;
	char where[WHERE_SIZE];
	struct view_difference *d;

	do {
		mine = next_entry(&x);
		theirs = next_entry(&y);
		nr++;
	} while (mine == theirs && mine < c->x->nr_pages && nr <= c->x->nr_pages);
	if (mine == theirs && mine == LIST_END)
		return NULL;
	snprintf(where, sizeof(where), "entry %u", nr);
	d = differ(c, where, what);
	if (!d)
		return NULL;
	say_entry(d, 0, mine);
	say_entry(d, 1, theirs);
	return d;
}

/* Put "node 0 zone Normal cpu 1 order 3 Movable" before what is there. */
static void say_zone_list(struct view_difference *d, const struct zone *z, const char *more)
{
	char entry[32], where[WHERE_SIZE];

	snprintf(entry, sizeof(entry), "%.31s", d->where);
	write_zone_name(where, z);
	snprintf(d->where, sizeof(d->where), "%.24s%.32s %s", where, more, entry);
}

static void compare_free_lists(struct comparison *c, u32 z)
{
	const struct zone *x = &c->x->zones[z], *y = &c->y->zones[z];
	struct view_difference *d;
	char more[32];

	for (u32 i = 0; i < (c->x->machine->max_page_order + 1U) * MIGRATE_TYPES; i++) {
		d = compare_list(c, "free_list", x->free_lists + i, y->free_lists + i);
		if (!d)
			continue;
		snprintf(more, sizeof(more), " order %u %s", i / MIGRATE_TYPES,
			 migratetype_names[i % MIGRATE_TYPES]);
		say_zone_list(d, x, more);
	}
	d = compare_list(c, "trylock_free_pages", x->trylock_list, y->trylock_list);
	if (d)
		say_zone_list(d, x, "");
}

static void compare_pcp_lists(struct comparison *c, u32 z, u32 cpu)
{
	const struct per_cpu_pages *x = view_pcp(c->x, z, cpu), *y = view_pcp(c->y, z, cpu);
	struct view_difference *d;
	char more[32];

	for (u32 i = 0; i < NR_PCP_LISTS; i++) {
		d = compare_list(c, "pcp->lists", pcp_list_head(x, i), pcp_list_head(y, i));
		if (!d)
			continue;
		snprintf(more, sizeof(more), " cpu %u list %u", cpu, i);
		say_zone_list(d, &c->x->zones[z], more);
	}
}

/* Links of pages that are on no list do not count. */
static void compare_lists(struct comparison *c)
{
	const struct machine *m = c->x->machine;

	for (u32 z = 0; z < m->nr_zones; z++) {
		compare_free_lists(c, z);
		for (u32 cpu = 0; cpu < m->nr_cpus; cpu++)
			compare_pcp_lists(c, z, cpu);
	}
	compare_list(c, "lru", c->x->global->lru_list, c->y->global->lru_list);
	compare_list(c, "isolated pages", c->x->global->isolated_list, c->y->global->isolated_list);
}

/* ---- all of it ----------------------------------------------------------- */

/* Without this no table can be compared. */
static bool same_shape(struct comparison *c)
{
	const struct machine *x = c->x->machine, *y = c->y->machine;
	struct view_difference *d;

	if (c->x->nr_pages == c->y->nr_pages && x->nr_nodes == y->nr_nodes &&
	    x->nr_zones == y->nr_zones && x->nr_cpus == y->nr_cpus &&
	    x->max_page_order == y->max_page_order && x->pageblock_order == y->pageblock_order)
		return true;
	d = differ(c, "", "machine");
	if (d) {
		say_number(d, 0, c->x->nr_pages);
		say_number(d, 1, c->y->nr_pages);
	}
	return false;
}

u32 view_compare(const struct view *x, const struct view *y, struct view_difference *to, u32 room)
{
	struct comparison c = {.x = x, .y = y, .to = to, .room = room};

	if (!same_shape(&c) || same_tables(x, y))
		return c.nr;
	compare_lists(&c);
	compare_pcps(&c);
	compare_blocks(&c);
	compare_zones(&c);
	compare_pages(&c);
	compare_nodes(&c);
	compare_members(&c, "", global_members, nr_global_members, x->global, y->global);
	return c.nr;
}

void view_difference_text(const struct view_difference *d, char *text, size_t size)
{
	snprintf(text, size, "%s%s%s: %s, %s", d->where, d->where[0] ? ": " : "", d->what,
		 d->values[0], d->values[1]);
}
