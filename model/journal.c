/* SPDX-License-Identifier: GPL-2.0-only */
/* The cold half of the journal: its memory, and undoing what it logged. */
#include <stdlib.h>

#include "model/journal.h"

bool journal_init(struct journal *j, void *base, bool on)
{
	*j = (struct journal){.base = base, .entries = &j->none};
	if (!on)
		return true;
	j->entries = malloc(JOURNAL_MIN * sizeof(*j->entries));
	if (!j->entries)
		return false;
	j->size = JOURNAL_MIN;
	j->mask = JOURNAL_MIN - 1;
	return true;
}

void journal_exit(struct journal *j)
{
	if (j->size)
		free(j->entries);
	*j = (struct journal){0};
}

void journal_make_room(struct journal *j)
{
	struct journal_entry *entries;

	if (j->nr <= j->size / 2 || journal_lost(j) || j->size >= JOURNAL_MAX)
		return;
	entries = realloc(j->entries, 2 * (size_t)j->size * sizeof(*entries));
	if (!entries)
		return;
	j->entries = entries;
	j->size *= 2;
	j->mask = j->size - 1;
}

JOURNAL_HOOK
void journal_undo(struct journal *j, u64 mark)
{
	const struct journal_entry *first = j->entries + mark, *e = j->entries + j->nr;
	u8 *const base = j->base; /* not loaded again after each write */

	while (e > first) {
		e--;
		__builtin_memcpy(base + (size_t)e->word * 8, &e->old, 8);
	}
	j->nr = mark;
}
