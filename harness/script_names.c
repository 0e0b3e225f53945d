/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of objects: looked up while reading, made while writing. */
#include <stdlib.h>
#include <string.h>

#include "harness/script_internal.h"

#define LETTERS 26
#define NAME_SIZE 12 /* room for the letters of any u32 */

static u32 hash_word(struct word w)
{
	u32 h = 2166136261U; /* FNV-1a */

	for (size_t i = 0; i < w.len; i++)
		h = (h ^ (u8)w.s[i]) * 16777619U;
	return h;
}

static void *zeroed(size_t nr, size_t size)
{
	void *memory = calloc(nr, size);

	if (!memory)
		abort();
	return memory;
}

static struct word word_of(const char *s)
{
	return (struct word){.s = s, .len = strlen(s)};
}

bool name_is_valid(struct word name)
{
	for (size_t i = 0; i < name.len; i++) {
		char c = name.s[i];
		bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';

		if (!letter && (!i || c < '0' || c > '9'))
			return false;
	}
	return name.len;
}

/* ---- the table ----------------------------------------------------------- */

void name_table_free(struct name_table *table)
{
	free(table->places);
	*table = (struct name_table){0};
}

/* The place of @name, or the free one where it would go. */
static struct named *find_place(const struct name_table *table, const char *strings,
				struct word name)
{
	u32 i = hash_word(name) & (table->cap - 1);

	while (table->places[i].name && !word_is(name, strings + table->places[i].name))
		i = (i + 1) & (table->cap - 1);
	return &table->places[i];
}

u32 name_table_find(const struct name_table *table, const char *strings, struct word name)
{
	const struct named *place;

	if (!table->nr)
		return SLOT_NONE;
	place = find_place(table, strings, name);
	return place->name ? place->slot : SLOT_NONE;
}

static void rehash(struct name_table *table, const char *strings)
{
	struct name_table larger = {.cap = table->cap ? table->cap * 2 : 64, .nr = table->nr};

	larger.places = zeroed(larger.cap, sizeof(*larger.places));
	for (u32 i = 0; i < table->cap; i++) {
		const struct named *old = &table->places[i];

		if (old->name)
			*find_place(&larger, strings, word_of(strings + old->name)) = *old;
	}
	free(table->places);
	*table = larger;
}

void name_table_add(struct name_table *table, const char *strings, u32 name, u32 slot)
{
	if (table->nr * 2 >= table->cap)
		rehash(table, strings);
	*find_place(table, strings, word_of(strings + name)) = (struct named){name, slot};
	table->nr++;
}

/* ---- names for writing --------------------------------------------------- */

/* 0: a, 25: z, 26: aa, 27: ab, ... */
static const char *letters(u32 n, char buf[NAME_SIZE])
{
	char *s = &buf[NAME_SIZE - 1];
	u64 rest = n + 1ULL;

	for (*s = '\0'; rest; rest = (rest - 1) / LETTERS)
		*--s = (char)('a' + (rest - 1) % LETTERS);
	return s;
}

/* The names of the case, each for the first slot that has it. */
static void take_name(struct name_table *table, u32 *given, const struct testcase *c,
		      const struct op *op, u32 name)
{
	if (op->out == SLOT_NONE || !name ||
	    name_table_find(table, c->strings, word_of(c->strings + name)) != SLOT_NONE)
		return;
	name_table_add(table, c->strings, name, op->out);
	given[op->out] = name;
}

static void take_names(struct name_table *table, u32 *given, const struct testcase *c)
{
	for (u32 i = 0; i < c->nr_ops; i++) {
		const struct op *op = &c->ops[i];

		for (u32 n = 0; n < op->nr_nested; n++) {
			const struct nested_op *nested = &c->nested[op->first_nested + n];

			take_name(table, given, c, &nested->op, nested->origin.name);
		}
		if (c->origins)
			take_name(table, given, c, op, c->origins[i].name);
	}
}

void slot_names_init(struct slot_names *names, const struct testcase *c)
{
	struct name_table table = {0};
	u32 *given = zeroed(c->nr_slots + 1UL, sizeof(*given));
	size_t used = 0;
	u32 next = 0;

	names->at = zeroed(c->nr_slots + 1UL, sizeof(*names->at));
	names->strings = zeroed(c->strings_size + (c->nr_slots + 1UL) * NAME_SIZE, 1);
	take_names(&table, given, c);
	for (u32 slot = 0; slot < c->nr_slots; slot++) {
		char buf[NAME_SIZE];
		const char *name = given[slot] ? c->strings + given[slot] : NULL;

		while (!name) {
			name = letters(next++, buf);
			if (name_table_find(&table, c->strings, word_of(name)) != SLOT_NONE)
				name = NULL;
		}
		names->at[slot] = (u32)used;
		strcpy(names->strings + used, name);
		used += strlen(name) + 1;
	}
	name_table_free(&table);
	free(given);
}

void slot_names_free(struct slot_names *names)
{
	free(names->strings);
	free(names->at);
	*names = (struct slot_names){0};
}
