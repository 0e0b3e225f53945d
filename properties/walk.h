/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One walk over the whole state, shared by all properties: what begins at which
 * page, and what the pages behind it have in common. Properties read it; where
 * a sum is wrong they look for the page to blame themselves.
 *
 *      page   0   1   2   3   4   5   6   7   8
 *             [free order 2 ][pcp][held 1][pcp]
 *      entry  *               *   *       *         entry_at(); NULL elsewhere
 *      rest       +   +   +           +             or-ed into rest[kind]
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
	u8 cpu; /* PCP */
};

/* What many pages have, or-ed. */
struct page_sum {
	u32 private, refcount, flags;
};

struct zone_sum {
	u32 nr[NR_ORDERS][MIGRATE_TYPES]; /* entries of each free list */
	u32 highatomic, isolated, isolated_highatomic; /* pageblocks */
};

struct walk {
	const struct moment *now;
	const struct view *view;
	struct entry *entries; /* those of the lists first, then the held ones */
	u32 nr_entries;
	u32 *at; /* [pfn] index in entries; valid if that entry begins there */
	u32 nr_reached; /* entries that do not begin inside another */
	u32 lost; /* a page that nobody has, or PFN_NONE */
	struct page_sum rest[NR_ENTRY_KINDS]; /* of the pages that begin no entry */
	struct zone_sum zones[MACHINE_MAX_ZONES];
	u32 *pcp_pages; /* [zone * nr_cpus + cpu] */
	char broken[WHY_SIZE]; /* why the walk ended early, or "" */
};

/* Look at all of @now. False if the state cannot be walked; then only broken is valid. */
bool walk_state(struct walk *w, const struct moment *now);

static inline const struct entry *entry_at(const struct walk *w, u32 pfn)
{
	u32 i = w->at[pfn];

	return i < w->nr_entries && w->entries[i].pfn == pfn ? &w->entries[i] : NULL;
}

/* PFN behind the last page of @e, in the view. */
static inline u32 entry_end(const struct walk *w, const struct entry *e)
{
	u32 room = w->view->nr_pages - e->pfn;

	return e->pfn + min_u32(room, 1U << e->order);
}

#define for_each_entry(w, e) for ((e) = (w)->entries; (e) < (w)->entries + (w)->nr_entries; (e)++)

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
