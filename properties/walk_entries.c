/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The entries of a walk and their sums. A bit for each PFN says where entries begin as well, so
 * that what is around a page is found fast.
 *
 *      page     0   1   2   3   4   5   6   7
 *              [  order 2     ][0 ]        [0 ]
 *      begins   1   .   .   .   1   .   .   1
 */
#include <stdlib.h>
#include <string.h>

#include "properties/walk_internal.h"

/* A copy to go back to. Words of begins[] that have changed since say which entries have. */
struct saved {
	struct zone_sum zones[MACHINE_MAX_ZONES];
	u32 owned, marked, lru_folios;
	struct entry *entries;
	u64 *begins;
	u32 *pcp_pages;
	u32 *changed; /* numbers of words, each once */
	bool *is_changed;
	u32 nr_changed;
};

/* ---- memory -------------------------------------------------------------- */

static size_t nr_words(const struct view *view)
{
	return (view->nr_pages + 63) / 64;
}

static size_t nr_pcps(const struct view *view)
{
	return (size_t)view->machine->nr_zones * view->machine->nr_cpus;
}

static void saved_destroy(struct saved *s)
{
	if (!s)
		return;
	free(s->entries);
	free(s->begins);
	free(s->pcp_pages);
	free(s->changed);
	free(s->is_changed);
	free(s);
}

struct walk *walk_create(const struct view *view)
{
	struct walk *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->entries = calloc(view->nr_pages, sizeof(*w->entries));
	w->begins = calloc(nr_words(view), sizeof(*w->begins));
	w->likes = calloc(view->nr_links - view->nr_pages, sizeof(*w->likes));
	w->look = malloc(view->nr_pages * sizeof(*w->look));
	w->pcp_pages = malloc(nr_pcps(view) * sizeof(*w->pcp_pages));
	w->touch = touch_create(view);
	if (w->entries && w->begins && w->likes && w->look && w->pcp_pages && w->touch)
		return w;
	walk_destroy(w);
	return NULL;
}

void walk_destroy(struct walk *w)
{
	if (!w)
		return;
	free(w->entries);
	free(w->begins);
	free(w->likes);
	free(w->look);
	free(w->pcp_pages);
	touch_destroy(w->touch);
	saved_destroy(w->saved);
	free(w);
}

/* ---- what begins where --------------------------------------------------- */

u32 next_begin(const struct walk *w, u32 pfn)
{
	u32 nr_pages = w->view->nr_pages, word = pfn / 64;
	u64 bits;

	if (pfn >= nr_pages)
		return nr_pages;
	bits = w->begins[word] >> (pfn % 64) << (pfn % 64);
	while (!bits) {
		if (++word == nr_words(w->view))
			return nr_pages;
		bits = w->begins[word];
	}
	return word * 64 + (u32)__builtin_ctzll(bits);
}

/* PFN of the last entry at or before @pfn, or PFN_NONE. */
static u32 last_begin(const struct walk *w, u32 pfn)
{
	u32 word = pfn / 64;
	u64 bits = w->begins[word] << (63 - pfn % 64) >> (63 - pfn % 64);

	while (!bits) {
		if (!word)
			return PFN_NONE;
		bits = w->begins[--word];
	}
	return word * 64 + 63 - (u32)__builtin_clzll(bits);
}

const struct entry *entry_over(const struct walk *w, u32 pfn)
{
	u32 begin = last_begin(w, pfn);

	if (begin == PFN_NONE || entry_end(w, &w->entries[begin]) <= pfn)
		return NULL;
	return &w->entries[begin];
}

static void note_changed(struct saved *s, u32 word)
{
	if (s->is_changed[word])
		return;
	s->is_changed[word] = true;
	s->changed[s->nr_changed++] = word;
}

static void flip_begin(struct walk *w, u32 pfn)
{
	w->begins[pfn / 64] ^= 1ULL << (pfn % 64);
	if (w->saved)
		note_changed(w->saved, pfn / 64);
}

/* ---- entries ------------------------------------------------------------- */

/* Add @by times @e to the sums; @by is 1 or (u32)-1. */
static void count(struct walk *w, const struct entry *e, u32 by)
{
	struct zone_sum *sum = &w->zones[e->zone % MACHINE_MAX_ZONES];
	const struct machine *machine = w->view->machine;
	u32 pages = by << e->order;

	w->owned += pages;
	w->marked += e->lru ? by : 0;
	if (e->kind == ENTRY_FREE) {
		sum->nr[e->order] += by;
		sum->pages[e->list] += pages;
		if (e->order >= machine->pageblock_order && e->list != MIGRATE_ISOLATE)
			sum->block_pages += pages;
	} else if (e->kind == ENTRY_PCP) {
		w->pcp_pages[e->zone * machine->nr_cpus + e->cpu] += pages;
	}
	if (e->zone < machine->nr_zones)
		w->zones_look |= 1ULL << e->zone;
}

void walk_clash(struct walk *w, const struct entry *e, const struct entry *other)
{
	if (w->clash[0].kind)
		return;
	w->clash[0] = *e;
	w->clash[1] = *other;
}

void walk_enter(struct walk *w, struct entry e)
{
	const struct page *page = &w->view->pages[e.pfn];

	if (entry_begins(w, e.pfn)) {
		walk_clash(w, &w->entries[e.pfn], &e);
		return;
	}
	e.lru = !!(page->flags & PG_LRU);
	add_page(&w->heads[e.kind], page);
	w->entries[e.pfn] = e;
	flip_begin(w, e.pfn);
	count(w, &e, 1);
	w->look[w->nr_look++] = e.pfn;
}

void walk_leave(struct walk *w, u32 pfn)
{
	count(w, &w->entries[pfn], (u32)-1);
	w->entries[pfn].kind = ENTRY_NONE;
	flip_begin(w, pfn);
}

void walk_clear(struct walk *w)
{
	for (u32 word = 0; word < nr_words(w->view); word++) {
		if (w->saved && w->begins[word])
			note_changed(w->saved, word);
		for (; w->begins[word]; w->begins[word] &= w->begins[word] - 1)
			w->entries[word * 64 + (u32)__builtin_ctzll(w->begins[word])].kind =
				ENTRY_NONE;
	}
	memset(w->zones, 0, sizeof(w->zones));
	memset(w->pcp_pages, 0, nr_pcps(w->view) * sizeof(*w->pcp_pages));
	w->owned = w->marked = 0;
}

/* ---- going back ---------------------------------------------------------- */

static struct saved *saved_create(const struct view *view)
{
	struct saved *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->entries = malloc(view->nr_pages * sizeof(*s->entries));
	s->begins = malloc(nr_words(view) * sizeof(*s->begins));
	s->pcp_pages = malloc(nr_pcps(view) * sizeof(*s->pcp_pages));
	s->changed = malloc(nr_words(view) * sizeof(*s->changed));
	s->is_changed = calloc(nr_words(view), sizeof(*s->is_changed));
	if (s->entries && s->begins && s->pcp_pages && s->changed && s->is_changed)
		return s;
	saved_destroy(s);
	return NULL;
}

/* Without memory there is nothing to go back to, and the next look is at everything. */
void walk_mark(struct walk *w)
{
	struct saved *s = w->followed ? saved_create(w->view) : NULL;

	saved_destroy(w->saved);
	w->saved = s;
	if (!s)
		return;
	memcpy(s->zones, w->zones, sizeof(s->zones));
	s->owned = w->owned;
	s->marked = w->marked;
	s->lru_folios = w->lru_folios;
	memcpy(s->entries, w->entries, w->view->nr_pages * sizeof(*s->entries));
	memcpy(s->begins, w->begins, nr_words(w->view) * sizeof(*s->begins));
	memcpy(s->pcp_pages, w->pcp_pages, nr_pcps(w->view) * sizeof(*s->pcp_pages));
}

bool walk_rewind(struct walk *w)
{
	struct saved *s = w->saved;

	w->followed = s;
	w->strays = 0;
	if (!s)
		return false;
	while (s->nr_changed) {
		u32 word = s->changed[--s->nr_changed], pfn = word * 64;
		u32 nr = min_u32(64, w->view->nr_pages - pfn);

		s->is_changed[word] = false;
		w->begins[word] = s->begins[word];
		memcpy(w->entries + pfn, s->entries + pfn, nr * sizeof(*w->entries));
	}
	memcpy(w->pcp_pages, s->pcp_pages, nr_pcps(w->view) * sizeof(*w->pcp_pages));
	memcpy(w->zones, s->zones, w->view->machine->nr_zones * sizeof(*w->zones));
	w->owned = s->owned;
	w->marked = s->marked;
	w->lru_folios = s->lru_folios;
	w->lru_broken[0] = '\0';
	return true;
}
