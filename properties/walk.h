/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A walk over the state, shared by all properties: what begins at which page, and what
 * the pages behind it have in common. Properties read it; where a sum is wrong they look
 * for the page to blame themselves.
 *
 *      page   0   1   2   3   4   5   6   7   8
 *             [free order 2 ][pcp][held 1][pcp]
 *      entry  *               *   *       *         entry_at(); NULL elsewhere
 *      rest       +   +   +           +             or-ed into rest[kind]
 *
 * walk_state() looks at everything. walk_written() follows what was written since the last
 * look: all entries and all sums are as if everything had been looked at, but the entries to
 * be judged (for_each_entry), the rest and the zones (for_each_zone) are only those that may
 * have changed. The same properties judge both.
 *
 * Nothing here trusts the state: every index is checked before it is used, and a
 * list that can't be followed ends the walk.
 */
#ifndef PROPERTIES_WALK_H
#define PROPERTIES_WALK_H

#include "properties/properties.h"

/* Who owns the pages of an entry: the sets L, C, T, P and A of spec 10. */
enum entry_kind {
	ENTRY_NONE, /* pages that belong to nobody */
	ENTRY_FREE,
	ENTRY_PCP,
	ENTRY_TRYLOCK,
	ENTRY_ISOLATED,
	ENTRY_HELD,
	NR_ENTRY_KINDS,
};

/* The 2^order pages that begin at pfn. */
struct entry {
	u32 pfn;
	u8 kind : 3; /* enum entry_kind */
	u8 order : 5;
	u8 zone; /* whose list it is on; HELD: the zone of its first page */
	u8 list; /* FREE: migratetype; PCP: list index; HELD: HELD_* flags */
	u8 cpu : 7; /* PCP */
	u8 lru : 1; /* PG_LRU of its first page */
};

struct zone_sum {
	u32 nr[NR_ORDERS]; /* entries of the free lists, of every type */
	u32 pages[MIGRATE_TYPES]; /* on the free lists */
	u32 block_pages; /* of those in entries of a pageblock or more, without the isolated ones */
	u32 highatomic, isolated, isolated_highatomic; /* pageblocks */
	u32 lru; /* pages on the LRU */
};

struct walk {
	const struct moment *now;
	const struct view *view;
	bool followed; /* the sums are those of the last look, so walk_written() can go on */

	struct entry *entries; /* [pfn]; kind NONE: none begins there */
	u64 *begins; /* one bit for each PFN: an entry begins there */
	struct entry *
		likes; /* [head - nr_pages]: what is on the list of this head; kind NONE: of no list here */

	/* To be judged. */
	u32 *look; /* PFNs of entries */
	u32 nr_look;
	/* What many pages have, or-ed field by field. */
	struct page rest[NR_ENTRY_KINDS]; /* of the pages that begin no entry, by who owns them */
	struct page any_rest; /* of all of those */
	struct page heads[NR_ENTRY_KINDS]; /* of the first pages of the entries, by kind */
	struct page unused_heads; /* of those of entries that nobody uses: of any kind but HELD */
	struct entry clash[2]; /* two entries that share a page; or kind NONE */
	u32 lost; /* a page that nobody has, or PFN_NONE */
	u64 zones_look; /* one bit for each zone */
	bool blocks_look; /* pageblock flags */

	/* Of all that there is. */
	struct zone_sum zones[MACHINE_MAX_ZONES];
	u32 *pcp_pages; /* [zone * nr_cpus + cpu] */
	u32 owned; /* pages in entries */
	/* One bit for each zone: a free buddy of another type was seen there with an isolated block inside (rule 10.20). */
	u64 strays;
	u32 marked; /* entries with the LRU flag */
	u32 lru_folios; /* on the LRU */
	char lru_broken[WHY_SIZE]; /* why the LRU can't be followed, or "" */
	char broken[WHY_SIZE]; /* why the walk ended early, or "" */

	struct touch *touch; /* walk_written.c */
	struct saved *saved; /* walk_mark() */
};

/* Look at all of @now. False if the state cannot be walked; then only broken is valid. */
bool walk_state(struct walk *w, const struct moment *now);
/* Look at what now->written and now->changed name; at all if the last look has failed. */
bool walk_written(struct walk *w, const struct moment *now);

static inline bool entry_begins(const struct walk *w, u32 pfn)
{
	return w->entries[pfn].kind != ENTRY_NONE;
}

/* The entry that begins at @pfn, a page of the view, or NULL. */
static inline const struct entry *entry_at(const struct walk *w, u32 pfn)
{
	return entry_begins(w, pfn) ? &w->entries[pfn] : NULL;
}

/* PFN behind the last page of @e, in the view. */
static inline u32 entry_end(const struct walk *w, const struct entry *e)
{
	u32 room = w->view->nr_pages - e->pfn;

	return e->pfn + min_u32(room, 1U << e->order);
}

/* @e: const struct entry *; the entries to be judged. */
#define for_each_entry(w, e) \
	for (u32 at_ = 0; at_ < (w)->nr_look && ((e) = &(w)->entries[(w)->look[at_]], true); at_++)

/* The first zone to be judged at or after @zone; nr_zones: there is none. */
static inline u32 next_zone(const struct walk *w, u32 zone)
{
	u64 left = w->zones_look >> zone; /* zone <= MACHINE_MAX_ZONES */

	return left ? zone + (u32)__builtin_ctzll(left) : w->view->machine->nr_zones;
}

#define for_each_zone(w, zone)                                                  \
	for ((zone) = next_zone((w), 0); (zone) < (w)->view->machine->nr_zones; \
	     (zone) = next_zone((w), (zone) + 1))

/* Effective migratetype of the block of @pfn (spec 2.3). */
static inline u32 block_type(const struct view *v, u32 pfn)
{
	u8 flags = v->pageblock_flags[pfn >> v->machine->pageblock_order];

	return flags & PB_ISOLATE ? (u32)MIGRATE_ISOLATE : flags & PB_MIGRATETYPE_MASK;
}

/* Is it a type whose blocks may change it by merging? (spec 3.9 step 2c) */
static inline bool type_merges(u32 mt)
{
	return mt < MIGRATE_PCPTYPES;
}

/* Fill in @why; returns false, so that a property can end with it. */
__attribute__((format(printf, 2, 3))) bool fails(char why[WHY_SIZE], const char *format, ...);
/* The same for verdicts (step.h). */
#define breaks(why, ...) (fails((why), __VA_ARGS__), VERDICT_FAILS)

#define NAME_SIZE 96
/* "free pages 512..1023 (node 0 Normal, order 9, Movable)"; returns @name. */
const char *entry_name(const struct walk *w, const struct entry *e, char name[NAME_SIZE]);
/* "node 0 Normal"; returns @name. */
const char *zone_name(const struct view *v, u32 zone, char name[NAME_SIZE]);
/* Total: any number has a text. */
const char *type_name(u32 mt);

#endif
