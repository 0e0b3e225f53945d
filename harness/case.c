/* SPDX-License-Identifier: GPL-2.0-only */
/* Cases as containers: growing, copying, comparing, freeing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/case.h"

void case_init(struct testcase *c)
{
	*c = (struct testcase){0};
	machine_init(&c->machine);
}

static void free_lines(char **lines, u32 nr)
{
	for (u32 i = 0; i < nr; i++)
		free(lines[i]);
	free((void *)lines);
}

void case_free(struct testcase *c)
{
	free(c->ops);
	free(c->answers);
	free(c->nested);
	free(c->expects);
	free(c->origins);
	free(c->strings);
	free_lines(c->boot, c->nr_boot);
	free_lines(c->final, c->nr_final);
	free(c->subject);
	case_init(c);
}

/* ---- growing ------------------------------------------------------------- */

static void *resize(void *array, size_t nr, size_t size)
{
	void *resized = realloc(array, nr * size);

	if (!resized) {
		fprintf(stderr, "buddycheck: out of memory\n");
		abort();
	}
	return resized;
}

/* Room for @more elements behind the first @nr. */
static void *grow(void *array, u32 *cap, u32 nr, u32 more, size_t size)
{
	if (nr + more <= *cap)
		return array;
	*cap = max_u32(nr + more, *cap ? *cap * 2 : 16);
	return resize(array, *cap, size);
}

void case_clear(struct testcase *c)
{
	c->nr_ops = c->nr_slots = c->nr_answers = c->nr_nested = 0;
	c->skipped_answers = 0;
}

void case_reserve(struct testcase *c, u32 more)
{
	u32 cap = c->cap_ops;

	c->ops = grow(c->ops, &c->cap_ops, c->nr_ops, more, sizeof(*c->ops));
	if (c->origins && c->cap_ops > cap)
		c->origins = resize(c->origins, c->cap_ops, sizeof(*c->origins));
}

u32 case_add_op(struct testcase *c, const struct op *op)
{
	case_reserve(c, 1);
	if (c->origins)
		c->origins[c->nr_ops] = (struct op_origin){0};
	c->ops[c->nr_ops] = *op;
	return c->nr_ops++;
}

void case_set_origin(struct testcase *c, u32 op, const struct op_origin *origin)
{
	if (!c->origins) {
		c->origins = resize(NULL, c->cap_ops, sizeof(*c->origins));
		memset(c->origins, 0, c->nr_ops * sizeof(*c->origins));
	}
	c->origins[op] = *origin;
}

u32 case_add_answer(struct testcase *c, const struct answer *answer)
{
	c->answers = grow(c->answers, &c->cap_answers, c->nr_answers, 1, sizeof(*c->answers));
	c->answers[c->nr_answers] = *answer;
	return c->nr_answers++;
}

u32 case_add_nested(struct testcase *c, const struct nested_op *nested)
{
	c->nested = grow(c->nested, &c->cap_nested, c->nr_nested, 1, sizeof(*c->nested));
	c->nested[c->nr_nested] = *nested;
	return c->nr_nested++;
}

u32 case_add_expect(struct testcase *c, const struct expect *expect)
{
	c->expects = grow(c->expects, &c->cap_expects, c->nr_expects, 1, sizeof(*c->expects));
	c->expects[c->nr_expects] = *expect;
	return c->nr_expects++;
}

u32 case_add_string(struct testcase *c, const char *text)
{
	u32 size = (u32)strlen(text) + 1;
	u32 at;

	if (!c->strings_size) {
		c->strings = grow(NULL, &c->cap_strings, 0, 1, 1);
		c->strings[c->strings_size++] = '\0';
	}
	at = c->strings_size;
	c->strings = grow(c->strings, &c->cap_strings, at, size, 1);
	memcpy(c->strings + at, text, size);
	c->strings_size += size;
	return at;
}

static char *copy_text(const char *text)
{
	size_t size = strlen(text) + 1;

	return memcpy(resize(NULL, size, 1), text, size);
}

static void add_line(char ***lines, u32 *nr, u32 *cap, const char *line)
{
	*lines = (char **)grow((void *)*lines, cap, *nr, 1, sizeof(**lines));
	(*lines)[(*nr)++] = copy_text(line);
}

void case_add_boot(struct testcase *c, const char *line)
{
	add_line(&c->boot, &c->nr_boot, &c->cap_boot, line);
}

void case_add_final(struct testcase *c, const char *line)
{
	add_line(&c->final, &c->nr_final, &c->cap_final, line);
}

/* ---- copying ------------------------------------------------------------- */

static void *copy_array(const void *array, u32 nr, u32 *cap, size_t size)
{
	*cap = nr;
	return nr ? memcpy(resize(NULL, nr, size), array, nr * size) : NULL;
}

static void copy_notes(struct testcase *to, const struct testcase *from)
{
	u32 nr_origins = from->origins ? from->nr_ops : 0;

	to->nr_expects = from->nr_expects;
	to->expects =
		copy_array(from->expects, from->nr_expects, &to->cap_expects, sizeof(*to->expects));
	to->origins = copy_array(from->origins, nr_origins, &nr_origins, sizeof(*to->origins));
	to->strings_size = from->strings_size;
	to->strings = copy_array(from->strings, from->strings_size, &to->cap_strings, 1);
	for (u32 i = 0; i < from->nr_boot; i++)
		case_add_boot(to, from->boot[i]);
	for (u32 i = 0; i < from->nr_final; i++)
		case_add_final(to, from->final[i]);
	to->subject = from->subject ? copy_text(from->subject) : NULL;
	to->skipped_answers = from->skipped_answers;
}

void case_copy(struct testcase *to, const struct testcase *from, bool plain)
{
	case_init(to);
	to->machine = from->machine;
	to->nr_slots = from->nr_slots;
	to->nr_ops = from->nr_ops;
	to->ops = copy_array(from->ops, from->nr_ops, &to->cap_ops, sizeof(*to->ops));
	to->nr_answers = from->nr_answers;
	to->answers =
		copy_array(from->answers, from->nr_answers, &to->cap_answers, sizeof(*to->answers));
	to->nr_nested = from->nr_nested;
	to->nested =
		copy_array(from->nested, from->nr_nested, &to->cap_nested, sizeof(*to->nested));
	if (!plain) {
		copy_notes(to, from);
		return;
	}
	for (u32 i = 0; i < to->nr_nested; i++)
		to->nested[i].origin = (struct op_origin){0};
}
