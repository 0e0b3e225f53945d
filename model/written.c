/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Telling what has changed since the last look: the cards that were written against a second copy of the
 * arena, which is then brought up to date. Nobody pays for that copy who never looks.
 */
#include <stdlib.h>

#include "model/memory.h"

#define CARD_WORDS (CARD_SIZE / (u32)sizeof(u64))
#define CARD_PAGES (CARD_SIZE / (u32)sizeof(struct page))

/* ---- memory -------------------------------------------------------------- */

static u32 nr_blocks(const struct memory *m)
{
	return align_up(m->nr_pages, m->pageblock_nr_pages) >> m->pageblock_order;
}

static bool begin_looking(struct memory *m)
{
	struct looker *l = &m->looker;

	l->seen = malloc(m->arena_size);
	l->blocks = malloc(nr_blocks(m) * sizeof(*l->blocks));
	if (!l->seen || !l->blocks) {
		looker_exit(l);
		return false;
	}
	memcpy(l->seen, m->pristine, m->arena_size);
	return true;
}

/* Room for what @nr cards may tell; what was told before is no more. */
static bool make_room(struct looker *l, u32 nr)
{
	if (nr <= l->cap)
		return true;
	free(l->pages);
	free(l->links);
	l->cap = 0;
	l->pages = malloc(2 * (size_t)nr * CARD_PAGES * sizeof(*l->pages));
	l->links = malloc(2 * (size_t)nr * CARD_WORDS * sizeof(*l->links));
	if (!l->pages || !l->links)
		return false;
	l->cap = 2 * nr;
	return true;
}

void looker_exit(struct looker *l)
{
	free(l->seen);
	free(l->pages);
	free(l->links);
	free(l->blocks);
	*l = (struct looker){.seen = NULL};
}

/* ---- looking ------------------------------------------------------------- */

/* A bit for each word of the two cards that differs. */
JOURNAL_HOOK
static u32 words_that_differ(const u64 *a, const u64 *b)
{
	u32 differ = 0;

	for (u32 i = 0; i < CARD_WORDS; i++)
		differ |= (u32)(a[i] != b[i]) << i;
	return differ;
}

static void tell_links(struct looker *l, u32 first, u32 differ, const u64 *was)
{
	for (; differ; differ &= differ - 1) {
		u32 i = (u32)__builtin_ctz(differ);
		struct written_link *link = &l->links[l->told.nr_links++];

		link->index = first + i;
		memcpy(&link->was, &was[i], sizeof(link->was));
	}
}

/* Two words are one page. */
static void tell_pages(struct looker *l, u32 first, u32 differ)
{
	for (differ = (differ | differ >> 1) & 0x55; differ; differ &= differ - 1)
		l->pages[l->told.nr_pages++] = first + (u32)__builtin_ctz(differ) / 2;
}

/* The zones are @nr_structs things of @size each; @at: where in them the card begins. */
static void tell_zones(struct looker *l, size_t at, u32 differ, size_t size, u32 nr_structs)
{
	for (; differ; differ &= differ - 1) {
		size_t word = at + (size_t)__builtin_ctz(differ) * sizeof(u64);

		l->told.zones |= 1ULL << word / size / nr_structs;
	}
}

static void tell_blocks(struct looker *l, u32 first, u32 nr, const u8 *is, const u8 *was)
{
	for (u32 i = 0; i < nr; i++) {
		if (is[i] != was[i])
			l->blocks[l->told.nr_blocks++] =
				(struct written_block){.block = first + i, .was = was[i]};
	}
}

/* Is @p in the @size bytes at @table? Then *@at says where. */
static inline bool in_table(const u8 *p, const void *table, size_t size, size_t *at)
{
	*at = (size_t)(p - (const u8 *)table);
	return *at < size;
}

JOURNAL_HOOK
static void look_at_card(struct memory *m, u32 card)
{
	struct looker *l = &m->looker;
	const u8 *is = (const u8 *)m->arena + (size_t)card * CARD_SIZE;
	const u64 *was = (const u64 *)((u8 *)l->seen + (size_t)card * CARD_SIZE);
	u32 differ = words_that_differ((const u64 *)is, was);
	size_t at;

	if (!differ)
		return;
	if (in_table(is, m->links, m->view.nr_links * sizeof(*m->links), &at))
		tell_links(l, (u32)(at / sizeof(*m->links)), differ, was);
	else if (in_table(is, m->pages, m->nr_pages * sizeof(*m->pages), &at))
		tell_pages(l, (u32)(at / sizeof(*m->pages)), differ);
	else if (in_table(is, m->zones, m->nr_zones * sizeof(*m->zones), &at))
		tell_zones(l, at, differ, sizeof(*m->zones), 1);
	else if (in_table(is, m->pcps, (size_t)m->nr_zones * m->nr_cpus * sizeof(*m->pcps), &at))
		tell_zones(l, at, differ, sizeof(*m->pcps), m->nr_cpus);
	else if (in_table(is, m->pageblock_flags, nr_blocks(m), &at))
		tell_blocks(l, (u32)at, min_u32(CARD_SIZE, nr_blocks(m) - (u32)at), is,
			    (const u8 *)was);
	card_copy(l->seen, m->arena, card);
}

const struct written *memory_written(struct memory *m)
{
	struct card_set *fresh = &m->journal.fresh;
	struct looker *l = &m->looker;

	if ((!l->seen && !begin_looking(m)) || !make_room(l, fresh->nr))
		return NULL;
	l->told = (struct written){.pages = l->pages, .links = l->links, .blocks = l->blocks};
	for (u32 i = 0; i < fresh->nr; i++) {
		look_at_card(m, fresh->cards[i]);
		card_set_add(&m->journal.seen, fresh->cards[i]);
		fresh->absent[fresh->cards[i]] = true;
	}
	fresh->nr = 0;
	return &l->told;
}
