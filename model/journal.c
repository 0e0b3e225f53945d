/* SPDX-License-Identifier: GPL-2.0-only */
/* The cold half of the journal: its memory, and undoing what it noted. */
#include <stdlib.h>

#include "model/journal.h"

static bool card_set_init(struct card_set *s, size_t nr_cards)
{
	s->cards = malloc((nr_cards + 1) * sizeof(*s->cards));
	s->absent = malloc(nr_cards * sizeof(*s->absent));
	if (!s->cards || !s->absent)
		return false;
	memset(s->absent, true, nr_cards);
	return true;
}

static void card_set_exit(struct card_set *s)
{
	free(s->cards);
	free(s->absent);
}

static void card_set_clear(struct card_set *s)
{
	for (u32 i = 0; i < s->nr; i++)
		s->absent[s->cards[i]] = true;
	s->nr = 0;
}

bool journal_init(struct journal *j, void *base, size_t size)
{
	size_t nr_cards = (size + CARD_SIZE - 1) / CARD_SIZE;

	*j = (struct journal){.base = base};
	return card_set_init(&j->fresh, nr_cards) && card_set_init(&j->seen, nr_cards);
}

void journal_exit(struct journal *j)
{
	card_set_exit(&j->fresh);
	card_set_exit(&j->seen);
}

void journal_forget(struct journal *j)
{
	card_set_clear(&j->fresh);
	card_set_clear(&j->seen);
}

JOURNAL_HOOK
static void copy_cards(void *to, const void *from, const struct card_set *s)
{
	for (u32 i = 0; i < s->nr; i++)
		card_copy(to, from, s->cards[i]);
}

void journal_undo(struct journal *j, const void *before, void *look)
{
	copy_cards(j->base, before, &j->fresh);
	copy_cards(j->base, before, &j->seen);
	if (look)
		copy_cards(look, before, &j->seen);
	journal_forget(j);
}
