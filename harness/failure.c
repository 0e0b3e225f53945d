/* SPDX-License-Identifier: GPL-2.0-only */
/* What a person is shown of a finding. */
#include "harness/failure.h"

#include <stdlib.h>
#include <string.h>

#include "harness/script.h"
#include "harness/state_text.h"
#include "harness/touched.h"
#include "harness/trace.h"

/* A script that is longer is not shown, but how to make it shorter. */
#define SHOWN_OPS 16

/* All but the lock sections: what a person wants to see of an op. */
#define SHOWN_EVENTS (EV_ALL & ~(EV_BIT(EV_ZONE_LOCK) | EV_BIT(EV_ZONE_UNLOCK)))

/* ---- the words ----------------------------------------------------------- */

/* "op 3 (line 12): free b" */
static void write_op(FILE *out, const struct testcase *c, u32 step)
{
	struct slot_names names;

	fprintf(out, "op %u", step + 1);
	if (c->origins && c->origins[step].line)
		fprintf(out, " (line %u)", c->origins[step].line);
	fputs(": ", out);
	slot_names_init(&names, c);
	script_write_op_line(out, c, &names, step);
	slot_names_free(&names);
}

void failure_write_headline(FILE *out, const struct failure *f)
{
	u32 step = f->finding->step;

	fprintf(out, "%s: ", f->file);
	if (step == STEP_MACHINE)
		fputs("op 0 (the machine)", out);
	else if (step == f->c->nr_ops)
		fputs("final state", out);
	else
		write_op(out, f->c, step);
	fprintf(out, ": %s\n", f->finding->text);
}

/* Up to the op of the finding; the others have no part in it. */
static void show_script(FILE *out, const struct failure *f)
{
	u32 nr_ops = min_u32(f->finding->step, f->c->nr_ops - 1) + 1;
	struct slot_names names;
	char *text = NULL;
	size_t size;
	FILE *script;

	if (nr_ops > SHOWN_OPS) {
		fprintf(out,
			"the script that shows it has %u ops; 'buddycheck shrink' makes it "
			"shorter\n",
			nr_ops);
		return;
	}
	script = open_text(&text, &size);
	slot_names_init(&names, f->c);
	fputs(SCRIPT_FIRST_LINE "\n", script);
	script_write_machine(script, f->c);
	fputs("---\n", script);
	for (u32 i = 0; i < nr_ops; i++)
		script_write_op(script, f->c, &names, i);
	slot_names_free(&names);
	close_text(script);
	fputs("the script that shows it:\n", out);
	write_indented(out, text);
	free(text);
}

/* ---- who touched the pages ----------------------------------------------- */

/* "pages 8..15 were last touched by op 2: ..."; the op before as well if @two. Nobody: nothing. */
static void show_range(FILE *out, const struct testcase *c, const struct touched_range *range,
		       bool two)
{
	char pages[64];

	if (range->ops[0] == TOUCHED_NOBODY)
		return;
	if (range->end - range->start == 1)
		snprintf(pages, sizeof(pages), "page %u was", range->start);
	else
		snprintf(pages, sizeof(pages), "pages %u..%u were", range->start, range->end - 1);
	fprintf(out, "%s last touched by ", pages);
	write_op(out, c, range->ops[0]);
	fputc('\n', out);
	if (!two || range->ops[1] == TOUCHED_NOBODY)
		return;
	fprintf(out, "%*s ", (int)(strlen(pages) + strlen(" last touched by")), "before that");
	write_op(out, c, range->ops[1]);
	fputc('\n', out);
}

/* Two ops made the facts that contradict each other: one for each of two ranges, or two for one. */
static void show_touched(FILE *out, const struct testcase *c, const struct touched *t)
{
	bool any = false;

	for (u32 i = 0; i < t->nr; i++) {
		any |= t->ranges[i].ops[0] != TOUCHED_NOBODY;
		show_range(out, c, &t->ranges[i], t->nr == 1);
	}
	if (t->nr && !any)
		fputs("no op before touched these pages\n", out);
}

/* ---- the op -------------------------------------------------------------- */

static void show_difference(FILE *out, const char *table, u32 step, const char *before,
			    const char *after)
{
	fprintf(out, "%s before (-) and after (+) op %u:\n", table, step + 1);
	if (!write_table_difference(out, before, after))
		fputs("no difference\n", out);
}

/* Play the op that comes next and show what it does. */
static void show_op(FILE *out, struct run *r, const struct view *view)
{
	char *before, *after, *types_before, *types_after;
	u32 step = r->step;
	struct trace t;

	r->subject->ops->view(r->subject);
	before = text_of(write_buddyinfo, view);
	types_before = text_of(write_pagetypeinfo, view);
	fprintf(out, "events of op %u:\n", step + 1);
	trace_init(&t, out, view, SHOWN_EVENTS);
	trace_op(&t, step + 1);
	run_listen(r, &t.observer);
	run_step(r);
	/* Some subjects read their state when they are asked. */
	r->subject->ops->view(r->subject);
	after = text_of(write_buddyinfo, view);
	types_after = text_of(write_pagetypeinfo, view);
	show_difference(out, "/proc/buddyinfo", step, before, after);
	if (strcmp(types_before, types_after) != 0)
		show_difference(out, "/proc/pagetypeinfo", step, types_before, types_after);
	free(before);
	free(after);
	free(types_before);
	free(types_after);
}

/* The case once more, up to the op of the finding. */
static void show_run(FILE *out, const struct failure *f, struct subject *subject)
{
	const struct view *view = subject->ops->view(subject);
	const struct finding *finding = f->finding;
	struct touched touched;
	struct run r;

	subject->ops->reset(subject);
	touched_init(&touched, finding->kind == FINDING_VIOLATION ? finding->violation.why : "",
		     view);
	run_init(&r, f->c, subject, CHECK_NONE, &touched.observer);
	while (r.step < finding->step && r.step < f->c->nr_ops) {
		touched_op(&touched, &r);
		if (!run_step(&r))
			break;
	}
	show_touched(out, f->c, &touched);
	if (finding->step < f->c->nr_ops)
		show_op(out, &r, view);
	run_free(&r);
}

void failure_show(FILE *out, const struct failure *f, struct subject *subject)
{
	const struct finding *finding = f->finding;

	failure_write_headline(out, f);
	if (finding->kind == FINDING_VIOLATION)
		fprintf(out, "rule %s (%s): %s\n", finding->violation.property->id,
			finding->violation.property->rule, finding->violation.property->sentence);
	if (finding->step != STEP_MACHINE) {
		if (finding->kind == FINDING_VIOLATION && f->c->nr_ops)
			show_script(out, f);
		show_run(out, f, subject);
	}
	fprintf(out, "play it again: %s\n", f->command);
}
