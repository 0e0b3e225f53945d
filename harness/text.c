/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines, words and numbers out of a text; and errors that say where. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/text.h"

#define SHOWN_WORD 40 /* characters of a wrong word that a message shows */
#define SHOWN_WHAT 256

void text_init(struct text *t, const char *file, const char *data, size_t len, char *err)
{
	if (!data) /* an empty text may come without an address */
		data = "";
	*t = (struct text){.file = file, .next = data, .end = data + len, .err = err};
	t->at = t->eol = data;
	err[0] = '\0';
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static void skip_blanks(struct text *t)
{
	while (t->at < t->eol && is_blank(*t->at))
		t->at++;
	if (t->comments && t->at < t->eol && *t->at == '#')
		t->at = t->eol;
}

bool text_line(struct text *t)
{
	while (t->next < t->end) {
		const char *nl = memchr(t->next, '\n', (size_t)(t->end - t->next));

		t->line++;
		t->at = t->next;
		t->eol = nl ? nl : t->end;
		t->next = nl ? nl + 1 : t->end;
		skip_blanks(t);
		if (t->at < t->eol)
			return true;
	}
	return false;
}

bool text_word(struct text *t, struct word *w)
{
	skip_blanks(t);
	w->s = t->at;
	while (t->at < t->eol && !is_blank(*t->at))
		t->at++;
	w->len = (size_t)(t->at - w->s);
	return w->len;
}

struct word text_rest(struct text *t)
{
	struct word w, rest;

	skip_blanks(t);
	rest = (struct word){.s = t->at};
	while (text_word(t, &w))
		rest.len = (size_t)(w.s + w.len - rest.s);
	return rest;
}

/* ---- errors -------------------------------------------------------------- */

bool text_fail(struct text *t, const char *expected, const char *format, ...)
{
	char what[SHOWN_WHAT];
	va_list args;

	if (t->err[0])
		return false;
	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	snprintf(t->err, CASE_ERROR_SIZE, "%.512s:%u: %s (%.200s)", t->file, t->line, what,
		 expected);
	return false;
}

bool text_fail_word(struct text *t, const char *expected, struct word w)
{
	char shown[SHOWN_WORD + 4];
	size_t n = 0;

	if (!w.len)
		return text_fail(t, expected, "the line ends early");
	for (; n < w.len && n < SHOWN_WORD; n++)
		shown[n] = w.s[n] >= ' ' && w.s[n] <= '~' ? w.s[n] : '?';
	strcpy(shown + n, n < w.len ? "..." : "");
	return text_fail(t, expected, "'%s' is not known here", shown);
}

bool text_literal(struct text *t, const char *literal)
{
	char expected[64];
	struct word w;

	text_word(t, &w);
	if (word_is(w, literal))
		return true;
	snprintf(expected, sizeof(expected), "expected '%s'", literal);
	return text_fail_word(t, expected, w);
}

bool text_u32(struct text *t, const char *expected, u32 *value)
{
	struct word w;

	text_word(t, &w);
	return word_u32(w, value) || text_fail_word(t, expected, w);
}

bool text_end_line(struct text *t)
{
	struct word w;

	return !text_word(t, &w) || text_fail_word(t, "expected the end of the line", w);
}

/* ---- words --------------------------------------------------------------- */

bool word_is(struct word w, const char *name)
{
	return strlen(name) == w.len && !memcmp(w.s, name, w.len);
}

bool word_u32(struct word w, u32 *value)
{
	u64 v = 0;

	if (!w.len)
		return false;
	for (size_t i = 0; i < w.len; i++) {
		if (w.s[i] < '0' || w.s[i] > '9')
			return false;
		v = v * 10 + (u64)(w.s[i] - '0');
		if (v > UINT32_MAX)
			return false;
	}
	*value = (u32)v;
	return true;
}

bool word_cut(struct word *w, char c, struct word *head)
{
	const char *at = memchr(w->s, c, w->len);

	if (!at)
		return false;
	*head = (struct word){.s = w->s, .len = (size_t)(at - w->s)};
	*w = (struct word){.s = at + 1, .len = w->len - head->len - 1};
	return true;
}

char *word_copy(struct word w)
{
	char *copy = strndup(w.s, w.len);

	if (!copy)
		abort();
	return copy;
}

u32 word_index(struct word w, const char *const *names, u32 nr)
{
	u32 i = 0;

	while (i < nr && !word_is(w, names[i]))
		i++;
	return i;
}
