/* SPDX-License-Identifier: GPL-2.0-only */
/* Playing whole cases, and showing what was found. */
#include "harness/player.h"

#include <stdlib.h>
#include <string.h>

#include "harness/script.h"
#include "harness/state_text.h"
#include "harness/trace.h"

/* All but the lock sections: what a person wants to see of an op. */
#define SHOWN_EVENTS (EV_ALL & ~(EV_BIT(EV_ZONE_LOCK) | EV_BIT(EV_ZONE_UNLOCK)))

void player_init(struct player *p, FILE *out, enum check_strength strength)
{
	*p = (struct player){.out = out, .strength = strength, .trace_mask = EV_PUBLIC};
}

static void drop_subject(struct player *p)
{
	if (p->subject)
		p->subject->ops->destroy(p->subject);
	p->subject = NULL;
}

void player_exit(struct player *p)
{
	drop_subject(p);
}

/* Have a subject for @c in the state after boot. NULL, or why there is none. */
static const char *ready_subject(struct player *p, const struct testcase *c)
{
	const char *name = p->subject_name ? p->subject_name : c->subject;
	const char *why;

	if (p->subject && machine_equal(&p->machine, &c->machine) &&
	    !strcmp(p->made_for, name ? name : "")) {
		p->subject->ops->reset(p->subject);
		return NULL;
	}
	drop_subject(p);
	p->subject = subject_create(name, &c->machine, true, &why);
	if (!p->subject)
		return why;
	p->machine = c->machine;
	snprintf(p->made_for, sizeof(p->made_for), "%s", name ? name : "");
	return NULL;
}

/* ---- one run ------------------------------------------------------------- */

static void play_all(struct player *p, const struct testcase *c, enum check_strength strength,
		     struct play_result *result)
{
	struct run r;
	struct trace t;

	trace_init(&t, p->trace, p->subject->ops->view(p->subject), p->trace_mask);
	run_init(&r, c, p->subject, strength, p->trace ? &t.observer : NULL);
	do {
		if (p->each_op)
			p->each_op(p->each_op_ctx, r.step);
		trace_op(&t, r.step + 1);
	} while (run_step(&r));
	run_finish(&r);
	result->status = r.first.kind ? PLAY_FOUND : PLAY_PASSED;
	result->nr_ops = r.step;
	result->nr_skipped = r.nr_skipped;
	result->nr_warnings = r.nr_warnings;
	result->nr_divergences = r.nr_divergences;
	result->nr_violations = r.nr_violations;
	result->first = r.first;
	run_free(&r);
}

/* A property that fails at the end may have failed long before: look after each op. */
static void find_first_violation(struct player *p, const struct testcase *c,
				 struct play_result *result)
{
	struct play_result again;
	struct player quiet = *p;

	quiet.trace = NULL;
	p->subject->ops->reset(p->subject);
	play_all(&quiet, c, CHECK_EACH, &again);
	if (again.status == PLAY_FOUND)
		*result = again;
}

/* ---- showing ------------------------------------------------------------- */

static void show_finding(FILE *out, const struct testcase *c, const char *file,
			 const struct finding *finding)
{
	u32 step = finding->step;
	struct slot_names names;

	if (step == STEP_MACHINE) {
		fprintf(out, "%s: op 0 (the machine): %s\n", file, finding->text);
	} else if (step == c->nr_ops) {
		fprintf(out, "%s: final state: %s\n", file, finding->text);
	} else {
		fprintf(out, "%s: op %u", file, step + 1);
		if (c->origins && c->origins[step].line)
			fprintf(out, " (line %u)", c->origins[step].line);
		fputs(": ", out);
		slot_names_init(&names, c);
		script_write_op_line(out, c, &names, step);
		slot_names_free(&names);
		fprintf(out, ": %s\n", finding->text);
	}
	if (finding->kind == FINDING_VIOLATION)
		fprintf(out, "rule %s (%s): %s\n", finding->violation.property->id,
			finding->violation.property->rule, finding->violation.property->sentence);
}

/* Play up to the op of the finding once more, and show what it does. */
static void show_op(struct player *p, const struct testcase *c, u32 step)
{
	const struct view *view = p->subject->ops->view(p->subject);
	char *before, *after;
	struct trace t;
	struct run r;

	p->subject->ops->reset(p->subject);
	run_init(&r, c, p->subject, CHECK_NONE, NULL);
	while (r.step < step && run_step(&r))
		;
	before = text_of(write_buddyinfo, view);
	fprintf(p->out, "events of op %u:\n", step + 1);
	trace_init(&t, p->out, view, SHOWN_EVENTS);
	trace_op(&t, step + 1);
	run_listen(&r, &t.observer);
	run_step(&r);
	after = text_of(write_buddyinfo, view);
	fprintf(p->out, "/proc/buddyinfo before (-) and after (+) op %u:\n", step + 1);
	if (!write_table_difference(p->out, before, after))
		fputs("no difference\n", p->out);
	free(before);
	free(after);
	run_free(&r);
}

void player_play(struct player *p, const struct testcase *c, const char *file,
		 struct play_result *result)
{
	*result = (struct play_result){.status = PLAY_REFUSED, .why = ready_subject(p, c)};
	if (!result->why)
		result->why = run_can_play(c, p->subject);
	if (result->why)
		return;
	play_all(p, c, p->strength, result);
	if (result->first.kind == FINDING_VIOLATION && p->strength == CHECK_END)
		find_first_violation(p, c, result);
	if (result->status != PLAY_FOUND || !p->out)
		return;
	show_finding(p->out, c, file, &result->first);
	if (result->first.step < c->nr_ops)
		show_op(p, c, result->first.step);
}
