/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The journal: every write to the port's state goes through SET(), which notes
 * where it was. It undoes a run at a cost of O(writes), whatever the memory size,
 * and tells what an op changed.
 *
 * State lives in one arena; it is divided into cards of 64 bytes, and the cards that
 * were written are noted, each once. What was there before is in a copy of the arena.
 *
 *      arena    | card 0 | card 1 | card 2 | card 3 |        SET() in 3, in 1, in 3
 *      cards      3 1
 *      absent     1        0        1        0
 *
 * There is no branch in SET(): in a build with coverage the one "is it noted?" would be
 * taken by one execution and not by the next of the same case.
 */
#ifndef MODEL_JOURNAL_H
#define MODEL_JOURNAL_H

#include <string.h>

#include "model/types.h"

#define CARD_SIZE 64U

/* Numbers of cards, each once. */
struct card_set {
	u32 *cards; /* [nr], room for one more than there are */
	bool *absent; /* [card] */
	u32 nr;
};

struct journal {
	u8 *base; /* of the arena */
	struct card_set fresh; /* written since the last look (written.h) */
	struct card_set seen; /* written before it, since boot or reset */
};

/*
 * Where the hook is instrumented by sanitizers it costs more than all checks
 * together (spec/performance.md 2c), and coverage of it tells nothing.
 */
#if defined(__clang__)
#define JOURNAL_HOOK __attribute__((no_sanitize("address", "undefined", "coverage")))
#else
#define JOURNAL_HOOK __attribute__((no_sanitize("address", "undefined")))
#endif

JOURNAL_HOOK
static inline void card_set_add(struct card_set *s, u32 card)
{
	u32 nr = s->nr;

	s->cards[nr] = card;
	s->nr = nr + s->absent[card];
	s->absent[card] = false;
}

JOURNAL_HOOK
static inline void journal_note(struct journal *j, const void *p)
{
	card_set_add(&j->fresh, (u32)((size_t)((const u8 *)p - j->base) / CARD_SIZE));
}

/*
 * Not by a call, which a sanitizer would intercept: cards may reach into a gap between tables. clang inlines
 * halves, gcc no more than single words.
 */
JOURNAL_HOOK
static inline void card_copy(void *to, const void *from, u32 card)
{
	u64 *t = (u64 *)((u8 *)to + (size_t)card * CARD_SIZE);
	const u64 *f = (const u64 *)((const u8 *)from + (size_t)card * CARD_SIZE);

#if defined(__clang__)
	__builtin_memcpy(t, f, CARD_SIZE / 2);
	__builtin_memcpy(t + 4, f + 4, CARD_SIZE / 2);
#else
	t[0] = f[0], t[1] = f[1], t[2] = f[2], t[3] = f[3];
	t[4] = f[4], t[5] = f[5], t[6] = f[6], t[7] = f[7];
#endif
}

/* The only way to write state: *@lvalue = @value, with its card noted. */
#define SET(m, lvalue, value)                           \
	do {                                            \
		journal_note(&(m)->journal, &(lvalue)); \
		(lvalue) = (value);                     \
	} while (0)

/* Start and end of the journal of the @size bytes at @base, which is aligned to a card. */
bool journal_init(struct journal *j, void *base, size_t size);
void journal_exit(struct journal *j);

/* Nothing was written: what has been is there to stay. */
void journal_forget(struct journal *j);

/*
 * Undo every write: copy what was written from @before, the arena as it was when nothing was noted. @look
 * (may be NULL) is the arena as the last look has seen it, and goes back as well.
 */
void journal_undo(struct journal *j, const void *before, void *look);

#endif
