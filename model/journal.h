/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The journal: every write to the port's state goes through SET(), which logs
 * the old value first. It undoes a run at a cost of O(writes), whatever the
 * memory size, and tells which words an op touched.
 *
 * State lives in one arena; an entry keeps one aligned 8-byte word of it.
 * A run that outgrows JOURNAL_MAX entries stops logging and is undone by a copy
 * of the arena's template. Built with -DBUDDYCHECK_NO_JOURNAL, SET() is a plain
 * store and every undo is a copy.
 */
#ifndef MODEL_JOURNAL_H
#define MODEL_JOURNAL_H

#include <string.h>

#include "model/types.h"

#define JOURNAL_MAX (1U << 20)

struct journal_entry {
	u64 old;
	u32 word; /* offset in the arena / 8 */
	u32 pad;
};

struct journal {
	u8 *base; /* of the arena */
	struct journal_entry *entries;
	u32 nr;
	u32 size; /* allocated entries; 0: the journal is off */
	bool lost; /* writes were not logged: undo by copy */
};

/*
 * Where the hook is instrumented by sanitizers it costs more than all checks
 * together (spec/performance.md 2c), and coverage of it tells nothing.
 */
#if defined(__clang__)
#define JOURNAL_HOOK __attribute__((no_sanitize("address", "undefined", "coverage")))
#else
#define JOURNAL_HOOK
#endif

/* Make room, or set lost. Cold. */
void journal_grow(struct journal *j);

JOURNAL_HOOK
static inline void journal_note(struct journal *j, const void *p)
{
#ifndef BUDDYCHECK_NO_JOURNAL
	struct journal_entry *e;
	u32 word;

	if (j->nr == j->size) {
		journal_grow(j);
		if (j->nr == j->size)
			return;
	}
	word = (u32)((size_t)((const u8 *)p - j->base) / 8);
	e = &j->entries[j->nr++];
	e->word = word;
	__builtin_memcpy(&e->old, j->base + (size_t)word * 8, 8);
#else
	(void)p;
	j->lost = true;
#endif
}

/* The only way to write state: *@lvalue = @value, with the old value logged. */
#define SET(m, lvalue, value)                           \
	do {                                            \
		journal_note(&(m)->journal, &(lvalue)); \
		(lvalue) = (value);                     \
	} while (0)

/* Start and end of the journal of @base; journal_init(j, base, false) keeps it off. */
bool journal_init(struct journal *j, void *base, bool on);
void journal_exit(struct journal *j);

/* Undo every logged write, newest first, down to @mark entries (0: all). */
void journal_undo(struct journal *j, u32 mark);

#endif
