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

/* The functions below compare one card of a table each, word by word. */

JOURNAL_HOOK
static void tell_links(struct looker *l, u32 first, const u64 *is, const u64 *was)
{
	for (u32 i = 0; i < CARD_WORDS; i++) {
		if (is[i] != was[i]) {
			struct written_link *link = &l->links[l->told.nr_links++];

			link->index = first + i;
			__builtin_memcpy(&link->was, &was[i], sizeof(link->was));
		}
	}
}

/* Two words are one page. */
JOURNAL_HOOK
static void tell_pages(struct looker *l, u32 first, const u64 *is, const u64 *was)
{
	for (u32 i = 0; i < CARD_PAGES; i++) {
		if ((is[2 * i] ^ was[2 * i]) | (is[2 * i + 1] ^ was[2 * i + 1]))
			l->pages[l->told.nr_pages++] = first + i;
	}
}

/* Each zone has @nr things of @size; @at: where in them the card begins. */
JOURNAL_HOOK
static void tell_zones(struct looker *l, size_t at, size_t size, u32 nr, const u64 *is,
		       const u64 *was)
{
	for (u32 i = 0; i < CARD_WORDS; i++) {
		if (is[i] != was[i])
			l->told.zones |= 1ULL << (at + i * sizeof(u64)) / size / nr;
	}
}

/* A word is eight blocks. */
JOURNAL_HOOK
static void tell_blocks(struct looker *l, u32 first, const u64 *is, const u64 *was)
{
	for (u32 i = 0; i < CARD_WORDS; i++) {
		const u8 *now = (const u8 *)&is[i], *then = (const u8 *)&was[i];

		for (u32 j = 0; is[i] != was[i] && j < sizeof(u64); j++) {
			if (now[j] != then[j])
				l->blocks[l->told.nr_blocks++] = (struct written_block){
					.block = first + i * (u32)sizeof(u64) + j, .was = then[j]};
		}
	}
}

/* In the order of the tables in the arena, the last one first; of the first ones nothing is told. */
JOURNAL_HOOK
static void look_at_card(struct memory *m, u32 card)
{
	struct looker *l = &m->looker;
	const u8 *p = (const u8 *)m->arena + (size_t)card * CARD_SIZE;
	const u64 *is = (const u64 *)p;
	const u64 *was = (const u64 *)((const u8 *)l->seen + (size_t)card * CARD_SIZE);

	if (p >= m->pageblock_flags)
		tell_blocks(l, (u32)(p - m->pageblock_flags), is, was);
	else if (p >= (const u8 *)m->links)
		tell_links(l, (u32)((const struct link *)p - m->links), is, was);
	else if (p >= (const u8 *)m->pages)
		tell_pages(l, (u32)((const struct page *)p - m->pages), is, was);
	else if (p >= (const u8 *)m->pcps)
		tell_zones(l, (size_t)(p - (const u8 *)m->pcps), sizeof(*m->pcps), m->nr_cpus, is,
			   was);
	else if (p >= (const u8 *)m->zones)
		tell_zones(l, (size_t)(p - (const u8 *)m->zones), sizeof(*m->zones), 1, is, was);
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
