/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The journal: every write to the port's state goes through SET(), which logs
 * the old value first. It undoes a run at a cost of O(writes), whatever the
 * memory size, and tells which words an op touched.
 *
 * State lives in one arena; an entry keeps one aligned 8-byte word of it. The
 * entries are a ring, so that SET() has no branch: in a build with coverage
 * the one "is there room?" would be taken by one execution and not by the next of
 * the same case. A run that writes more than the ring holds has lost its first
 * entries, and is undone by a copy of the arena's template.
 */
#ifndef MODEL_JOURNAL_H
#define MODEL_JOURNAL_H

#include <string.h>

#include "model/types.h"

#define JOURNAL_MIN (1U << 14)
#define JOURNAL_MAX (1U << 20)

struct journal_entry {
	u64 old;
	u32 word; /* offset in the arena / 8 */
	u32 pad;
};

struct journal {
	u8 *base; /* of the arena */
	struct journal_entry *entries; /* the last @size of @nr */
	u64 nr;
	u32 size; /* a power of two; 0: the journal is off */
	u32 mask;
	struct journal_entry none; /* the only entry of one that is off */
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

JOURNAL_HOOK
static inline void journal_note(struct journal *j, const void *p)
{
	u32 word = (u32)((size_t)((const u8 *)p - j->base) / 8);
	struct journal_entry *e = &j->entries[j->nr++ & j->mask];

	e->word = word;
	__builtin_memcpy(&e->old, j->base + (size_t)word * 8, 8);
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

/* Between ops: double the ring if it is half full, so that only a very long op can outgrow it. */
void journal_make_room(struct journal *j);

/* More was written than is logged: to undo it is not possible. */
static inline bool journal_lost(const struct journal *j)
{
	return j->nr > j->size;
}

/* Undo every write, newest first, down to @mark entries (0: all). Nothing may be lost. */
void journal_undo(struct journal *j, u64 mark);

#endif
