/* SPDX-License-Identifier: GPL-2.0-only */
/* Inside the walk: what walk.c, walk_entries.c and walk_written.c share. */
#ifndef PROPERTIES_WALK_INTERNAL_H
#define PROPERTIES_WALK_INTERNAL_H

#include <string.h>

#include "properties/walk.h"

/* On a list that is not the LRU. */
static inline bool entry_is_listed(const struct entry *e)
{
	return e->kind >= ENTRY_FREE && e->kind <= ENTRY_ISOLATED;
}

static inline u64 all_zones(const struct walk *w)
{
	return (1ULL << w->view->machine->nr_zones) - 1;
}

/* May a page be in no entry? Holes, and what boot or memory failure set aside (rule 10.1). */
static inline bool may_be_lost(const struct page *page)
{
	return !(page->flags & PG_ONLINE) || page->zone == ZONE_ANY ||
	       (page->flags & (PG_RESERVED | PG_HWPOISON));
}

static inline void add_page(struct page *sum, const struct page *page)
{
	sum->private |= page->private;
	sum->refcount |= page->refcount;
	sum->word |= page->word;
}

/* Pages [@first, @end). */
static inline void add_pages(struct page *sum, const struct page *first, const struct page *end)
{
	struct page all = {.word = 0};

	for (const struct page *page = first; page < end; page++)
		add_page(&all, page);
	add_page(sum, &all);
}

/* Nothing has been looked at yet. */
static inline void clear_look(struct walk *w)
{
	w->broken[0] = '\0';
	w->nr_look = 0;
	w->clash[0].kind = ENTRY_NONE;
	w->lost = PFN_NONE;
	w->followed = false;
	memset(w->rest, 0, sizeof(w->rest));
	memset(w->heads, 0, sizeof(w->heads));
}

static inline void add_up(struct walk *w)
{
	w->any_rest = w->rest[ENTRY_NONE];
	for (u32 kind = ENTRY_NONE + 1; kind < NR_ENTRY_KINDS; kind++)
		add_page(&w->any_rest, &w->rest[kind]);
	w->unused_heads = w->heads[ENTRY_FREE];
	for (u32 kind = ENTRY_FREE + 1; kind < ENTRY_HELD; kind++)
		add_page(&w->unused_heads, &w->heads[kind]);
}

/* ---- walk_entries.c ---- */

/* No entries, and sums of nothing. */
void walk_clear(struct walk *w);
/* @e is to be judged; two that begin at one page are a clash, and the first one stays. */
void walk_enter(struct walk *w, struct entry e);
/* The entry that begins at @pfn is none any more. */
void walk_leave(struct walk *w, u32 pfn);
/* The two share a page. */
void walk_clash(struct walk *w, const struct entry *e, const struct entry *other);

/* PFN of the first entry at or after @pfn; nr_pages: there is none. */
u32 next_begin(const struct walk *w, u32 pfn);
/* The entry that @pfn is a page of, or NULL. */
const struct entry *entry_over(const struct walk *w, u32 pfn);

/* ---- walk.c ---- */

/* The page at @pfn is on the list of @like: its entry. */
struct entry listed_entry(const struct walk *w, const struct entry *like, u32 pfn);
/* The entry of the caller's extent at @pfn; kind NONE: there is none. */
struct entry held_entry(const struct walk *w, u32 pfn);
/* Follow the LRU. */
void walk_lru(struct walk *w);
/* Count the pageblocks of @zone. */
void walk_blocks(struct walk *w, u32 zone);

/* ---- walk_written.c ---- */

struct touch *touch_create(const struct view *view);
void touch_destroy(struct touch *touch);

#endif
