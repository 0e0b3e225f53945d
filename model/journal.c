/* SPDX-License-Identifier: GPL-2.0-only */
/* The cold half of the journal: its memory, and undoing what it logged. */
#include <stdlib.h>

#include "model/journal.h"

#define JOURNAL_FIRST (1U << 12)

bool journal_init(struct journal *j, void *base, bool on)
{
	*j = (struct journal){.base = base};
	if (!on)
		return true;
	j->entries = malloc(JOURNAL_FIRST * sizeof(*j->entries));
	if (!j->entries)
		return false;
	j->size = JOURNAL_FIRST;
	return true;
}

void journal_exit(struct journal *j)
{
	free(j->entries);
	*j = (struct journal){0};
}

void journal_grow(struct journal *j)
{
	struct journal_entry *entries;

	/* Once a write is lost, logging later ones would promise an undo that is wrong. */
	if (j->lost || !j->size || j->size >= JOURNAL_MAX) {
		j->lost = true;
		return;
	}
	entries = realloc(j->entries, 2 * (size_t)j->size * sizeof(*entries));
	if (!entries) {
		j->lost = true;
		return;
	}
	j->entries = entries;
	j->size *= 2;
}

JOURNAL_HOOK
void journal_undo(struct journal *j, u32 mark)
{
	while (j->nr > mark) {
		const struct journal_entry *e = &j->entries[--j->nr];

		__builtin_memcpy(j->base + (size_t)e->word * 8, &e->old, 8);
	}
}
