/* SPDX-License-Identifier: GPL-2.0-only */
/* What both subjects did in the op in which they part, in two columns. */
#include "harness/lockstep_show.h"

#include <stdlib.h>
#include <string.h>

#include "harness/script.h"
#include "harness/state_text.h"
#include "harness/trace.h"

#define COLUMN 58
#define SHOWN_EVENTS 24 /* that differ */
#define SHOWN_DIFFERENCES 12 /* of the views */

/* ---- columns ------------------------------------------------------------- */

/* As much of @text as fits into a column; later lines of a cell begin with two blanks. */
static size_t cut_line(const char *text, bool first)
{
	size_t room = COLUMN - (first ? 0 : 2), n = strlen(text);

	if (n <= room)
		return n;
	for (n = room; n > room / 2 && text[n] != ' ' && text[n] != '|';)
		n--;
	return n > room / 2 ? n : room;
}

static void put_cell(FILE *out, const char **text, bool first, bool pad)
{
	size_t n = cut_line(*text, first);
	int width = 0;

	if (*text[0])
		width = fprintf(out, "%s%.*s", first ? "" : "  ", (int)n, *text);
	if (pad)
		fprintf(out, "%*s", COLUMN + 2 - width, "");
	*text += n;
	*text += **text == ' ';
}

/* A row of two cells, with a star if they differ. */
static void put_row(FILE *out, const char *left, const char *right)
{
	const char *mark = strcmp(left, right) ? "* " : "  ";

	for (bool first = true; first || *left || *right; first = false) {
		fputs(mark, out);
		put_cell(out, &left, first, *right);
		put_cell(out, &right, first, false);
		fputc('\n', out);
		mark = "  ";
	}
}

/* ---- cells --------------------------------------------------------------- */

static u32 extent_pfn(const struct run *r, const struct object *object, u32 i)
{
	return r->book.extents[object->first + i].pfn;
}

/* " 5 none 8 9" or, of three and more pages in a row, " 1155..1539"; both ends are there. */
static void write_pfns(FILE *out, const struct run *r, const struct object *object)
{
	u32 nr;

	for (u32 i = 0; i < object->nr; i += nr) {
		u32 first = extent_pfn(r, object, i);

		for (nr = 1; i + nr < object->nr; nr++)
			if (first == PFN_NONE || extent_pfn(r, object, i + nr) != first + nr)
				break;
		if (nr > 2) {
			fprintf(out, " %u..%u", first, first + nr - 1);
			continue;
		}
		nr = 1;
		fprintf(out, first == PFN_NONE ? " none" : " %u", first);
	}
}

/* What the op returned, in words that its kind has a use for. */
static void write_result(FILE *out, const struct run *r, const struct op *op)
{
	const struct object *object = op->out == SLOT_NONE ? NULL : &r->book.objects[op->out];

	fputs("returns", out);
	if (r->result.error)
		fprintf(out, " error %d", r->result.error);
	if (r->result.nr)
		fprintf(out, " %u of", r->result.nr);
	if (object)
		write_pfns(out, r, object);
	if (!object || !object->nr)
		fputs(object ? " none" : r->result.error ? "" : " nothing", out);
}

static void write_calls(FILE *out, const struct run *r, const struct op *op)
{
	const struct op_report *report = &r->report;

	(void)op;
	fprintf(out, "calls wakeup_kswapd %u", report->kswapd_wakes);
	for (u32 i = 0; i < NR_ENV_CALLS; i++) {
		if (report->calls[i])
			fprintf(out, " %s %u", env_call_names[i], report->calls[i]);
	}
	fprintf(out, "; %u warnings so far%s", r->nr_warnings,
		report->out_of_fuel ? "; out of fuel" : "");
	if (r->nr_skipped)
		fprintf(out, "; %u ops skipped so far", r->nr_skipped);
}

/* ---- the op -------------------------------------------------------------- */

static void put_cells(FILE *out, struct lockstep *l, const struct op *op,
		      void (*write)(FILE *out, const struct run *r, const struct op *op))
{
	char *text[2];
	size_t size;

	for (u32 i = 0; i < 2; i++) {
		FILE *cell = open_text(&text[i], &size);

		write(cell, &l->sides[i].run, op);
		close_text(cell);
	}
	put_row(out, text[0], text[1]);
	free(text[0]);
	free(text[1]);
}

static char *event_text(struct lockstep_side *s, u32 i)
{
	char *text;
	size_t size;
	FILE *cell = open_text(&text, &size);

	if (i < s->log.nr)
		trace_write_event(cell, s->subject->ops->view(s->subject), &s->log.events[i]);
	close_text(cell);
	return text;
}

static void put_equal(FILE *out, u32 *nr)
{
	if (*nr)
		fprintf(out, "  %u events are equal\n", *nr);
	*nr = 0;
}

/* Event @i of both, in a row. */
static void put_event(FILE *out, struct lockstep *l, u32 i)
{
	char *left = event_text(&l->sides[0], i), *right = event_text(&l->sides[1], i);

	put_row(out, left, right);
	free(left);
	free(right);
}

static void put_events(FILE *out, struct lockstep *l)
{
	const struct event_log *x = &l->sides[0].log, *y = &l->sides[1].log;
	u32 nr = max_u32(x->nr, y->nr), equal = 0, shown = 0;

	for (u32 i = 0; i < nr && shown < SHOWN_EVENTS; i++) {
		if (i < x->nr && i < y->nr &&
		    !memcmp(&x->events[i], &y->events[i], sizeof(*x->events))) {
			equal++;
			continue;
		}
		put_equal(out, &equal);
		put_event(out, l, i);
		shown++;
	}
	put_equal(out, &equal);
	if (shown == SHOWN_EVENTS)
		fprintf(out, "  events in all: %u, %u\n", x->nr, y->nr);
}

static void put_views(FILE *out, struct lockstep *l, bool boot)
{
	struct view_difference differences[SHOWN_DIFFERENCES];
	u32 nr = lockstep_compare_views(l, differences, SHOWN_DIFFERENCES);
	char text[400];

	fprintf(out, "the state after %s: %u differences\n", boot ? "boot" : "it", nr);
	for (u32 i = 0; i < min_u32(nr, SHOWN_DIFFERENCES); i++) {
		view_difference_text(&differences[i], text, sizeof(text));
		fprintf(out, "    %s\n", text);
	}
	if (nr > SHOWN_DIFFERENCES)
		fputs("    ...\n", out);
}

/* ---- the script ---------------------------------------------------------- */

static void put_script(FILE *out, const struct testcase *c)
{
	char *text;
	size_t size;
	FILE *script = open_text(&text, &size);

	script_write(script, c);
	close_text(script);
	fputs("the script that shows it:\n", out);
	write_indented(out, text);
	free(text);
}

static void put_op(FILE *out, const struct testcase *c, u32 step)
{
	struct slot_names names;

	fprintf(out, "op %u: ", step + 1);
	slot_names_init(&names, c);
	script_write_op_line(out, c, &names, step);
	slot_names_free(&names);
	fputc('\n', out);
}

void lockstep_show(FILE *out, struct lockstep *l, const struct testcase *c,
		   const struct divergence *d)
{
	bool boot = d->step == STEP_MACHINE;

	put_script(out, c);
	if (!boot)
		put_op(out, c, d->step);
	fprintf(out, "  %-*s%s\n", COLUMN + 2, l->sides[0].name, l->sides[1].name);
	if (!boot) {
		put_cells(out, l, &c->ops[d->step], write_result);
		put_cells(out, l, &c->ops[d->step], write_calls);
		put_events(out, l);
	}
	put_views(out, l, boot);
}
