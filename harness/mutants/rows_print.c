/* SPDX-License-Identifier: GPL-2.0-only */
/* The table, for people. */
#include <string.h>

#include "harness/mutants/rows.h"

static const char *text(const json_t *object, const char *key)
{
	const char *value = json_string_value(json_object_get(object, key));

	return value ? value : "-";
}

/* "61 in 0.1 s", and of how many seeds, if not of all. */
static void write_engine(const json_t *row, const char *name, char out[64])
{
	const json_t *e = json_object_get(json_object_get(row, "engines"), name);
	json_int_t seeds = json_integer_value(json_object_get(e, "seeds"));
	json_int_t found = json_integer_value(json_object_get(e, "found"));
	int len = 0;

	if (!e) {
		snprintf(out, 64, "-");
		return;
	}
	if (json_object_get(e, "executions"))
		len = snprintf(out, 64, "%lld in %.1f s",
			       (long long)json_integer_value(json_object_get(e, "executions")),
			       json_real_value(json_object_get(e, "seconds")));
	if (found < seeds)
		snprintf(out + len, 64 - (size_t)len, "%s%lld of %lld", len ? ", " : "",
			 (long long)found, (long long)seeds);
}

struct cells {
	const char *id, *title, *state, *detected, *corpus;
	char ops[16], libfuzzer[64], random[64], afl[64];
};

/* How far it has come in the order reached, infected, detected. */
static const char *state_of(const json_t *row)
{
	if (json_is_string(json_object_get(row, "detected")) ||
	    json_is_object(json_object_get(row, "corpus")))
		return "detected";
	if (json_is_true(json_object_get(row, "infected")))
		return "infected";
	return json_is_true(json_object_get(row, "reached")) ? "reached" : "not reached";
}

static void read_cells(const json_t *row, struct cells *c)
{
	const json_t *corpus = json_object_get(row, "corpus");
	const char *file = text(corpus, "file");
	json_int_t ops = json_integer_value(json_object_get(row, "ops"));

	c->id = text(row, "id");
	c->title = text(row, "title");
	c->state = state_of(row);
	c->detected = text(row, "detected");
	if (c->detected[0] == '-')
		c->detected = text(corpus, "detected");
	c->corpus = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
	snprintf(c->ops, sizeof(c->ops), ops ? "%lld" : "-", (long long)ops);
	write_engine(row, "libfuzzer", c->libfuzzer);
	write_engine(row, "random", c->random);
	write_engine(row, "afl++", c->afl);
}

/* "72 mutants: 70 reached, 69 infected, 66 detected (60 by the corpus at once)." */
static void print_sum(const json_t *rows, FILE *out)
{
	u32 reached = 0, infected = 0, detected = 0, corpus = 0;
	size_t i;
	json_t *row;

	json_array_foreach(rows, i, row)
	{
		reached += json_is_true(json_object_get(row, "reached"));
		infected += json_is_true(json_object_get(row, "infected"));
		detected += !strcmp(state_of(row), "detected");
		corpus += json_is_object(json_object_get(row, "corpus"));
	}
	fprintf(out,
		"%zu mutants: %u reached, %u infected, %u detected, %u of them by the corpus\n",
		json_array_size(rows), reached, infected, detected, corpus);
}

static void print(const json_t *rows, FILE *out, const char *format)
{
	struct cells c;
	size_t i;
	json_t *row;

	json_array_foreach(rows, i, row)
	{
		read_cells(row, &c);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		fprintf(out, format, c.id, c.state, c.detected, c.ops, c.libfuzzer, c.random, c.afl,
			c.corpus, c.title);
#pragma GCC diagnostic pop
	}
}

void rows_print_text(const json_t *rows, FILE *out)
{
	static const char format[] = "%-4s %-11s %-26s %4s  %-24s %-24s %-22s %-28s %s\n";

	fprintf(out, format, "id", "state", "detected by", "ops", "libfuzzer", "random", "afl++",
		"corpus", "title");
	print(rows, out, format);
	print_sum(rows, out);
}

void rows_print_markdown(const json_t *rows, FILE *out)
{
	fputs("| id | state | detected by | ops | libfuzzer | random | afl++ | corpus | title |\n"
	      "|---|---|---|---|---|---|---|---|---|\n",
	      out);
	print(rows, out, "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n");
	fputc('\n', out);
	print_sum(rows, out);
}
