/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading text that nobody vouches for: line by line, word by word, with the first
 * error as one line `file:line: what is wrong (what was expected)`. The text may hold
 * anything, NULs and lines of any length included; nothing is copied or changed.
 */
#ifndef HARNESS_TEXT_H
#define HARNESS_TEXT_H

#include "model/types.h"

#define CASE_ERROR_SIZE 1024

/* A word, or a whole line; not ended by a NUL. */
struct word {
	const char *s;
	size_t len;
};

struct text {
	const char *file; /* for messages */
	const char *next, *end; /* what is left behind the current line */
	const char *at, *eol; /* what is left of the current line */
	u32 line; /* its number, from 1 */
	bool comments; /* "#" at the start of a word hides the rest of its line */
	char *err; /* [CASE_ERROR_SIZE]; "" until something is wrong */
};

void text_init(struct text *t, const char *file, const char *data, size_t len, char *err);

/* Go to the next line that is not blank; false at the end. */
bool text_line(struct text *t);
/* The next word of the line; false at its end, or with an error. */
bool text_word(struct text *t, struct word *w);
/* The rest of the line without blanks around it. */
struct word text_rest(struct text *t);

/* Say what is wrong at the current line; @expected begins with "expected". Always false. */
bool text_fail(struct text *t, const char *expected, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The same for a word that is wrong, or that is missing (len 0). */
bool text_fail_word(struct text *t, const char *expected, struct word w);

/* The next word must be @literal; a number; nothing more on the line. False after an error. */
bool text_literal(struct text *t, const char *literal);
bool text_u32(struct text *t, const char *expected, u32 *value);
bool text_end_line(struct text *t);

bool word_is(struct word w, const char *name);
/* A decimal number of 32 bits. */
bool word_u32(struct word w, u32 *value);
/* Cut @w at the first @c: what is before goes to @head, @w keeps the rest. False: no @c in it. */
bool word_cut(struct word *w, char c, struct word *head);
/* As a string that the caller frees; it ends at a NUL in @w. Aborts without memory. */
char *word_copy(struct word w);
/* Position of @w in @names, or @nr. */
u32 word_index(struct word w, const char *const *names, u32 nr);

#endif
