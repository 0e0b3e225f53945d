/* SPDX-License-Identifier: GPL-2.0-only */
/* Playing whole cases, and showing what was found. */
#include "harness/player.h"

#include <stdlib.h>
#include <string.h>

#include "harness/failure.h"
#include "harness/trace.h"

static void *player_zalloc(size_t nr, size_t size)
{
	void *p = calloc(nr, size);

	if (!p) {
		fputs("buddycheck: out of memory\n", stderr);
		abort();
	}
	return p;
}

void player_init(struct player *p, FILE *out, enum check_strength strength)
{
	*p = (struct player){.out = out, .strength = strength, .trace_mask = EV_PUBLIC};
	p->counts = player_zalloc(nr_properties, sizeof(*p->counts));
	p->promised = player_zalloc(nr_properties, sizeof(*p->promised));
}

bool player_promise(struct player *p, const char *id)
{
	for (u32 i = 0; i < nr_properties; i++) {
		if (!strcmp(properties[i]->id, id)) {
			p->promised[i] = true;
			return true;
		}
	}
	return false;
}

static void drop_run(struct player *p)
{
	if (p->run)
		run_free(p->run);
	free(p->run);
	p->run = NULL;
}

static void drop_subject(struct player *p)
{
	drop_run(p);
	if (p->subject)
		p->subject->ops->destroy(p->subject);
	p->subject = NULL;
}

void player_exit(struct player *p)
{
	drop_subject(p);
	free(p->counts);
	free(p->promised);
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
	p->subject = subject_create(name, &c->machine, &why);
	if (!p->subject)
		return why;
	p->machine = c->machine;
	snprintf(p->made_for, sizeof(p->made_for), "%s", name ? name : "");
	return NULL;
}

/* ---- one run ------------------------------------------------------------- */

/* The run of @c, on which the player's subject stands reset. */
static struct run *ready_run(struct player *p, const struct testcase *c,
			     const struct observer *listener)
{
	if (p->run && p->run->strength != p->strength)
		drop_run(p);
	if (p->run) {
		run_listen(p->run, listener);
		run_again(p->run, c);
		return p->run;
	}
	p->run = player_zalloc(1, sizeof(*p->run));
	run_init(p->run, c, p->subject, p->strength, listener);
	run_promise(p->run, p->promised);
	return p->run;
}

/* Where the violations of a run are listed. */
struct listing {
	FILE *out;
	const struct testcase *c;
	const char *file;
};

static void report_run(const struct run *r, struct play_result *result)
{
	result->status = r->first.kind ? PLAY_FOUND : PLAY_PASSED;
	result->nr_ops = r->step;
	result->nr_skipped = r->nr_skipped;
	result->nr_warnings = r->nr_warnings;
	result->nr_divergences = r->nr_divergences;
	result->nr_violations = r->nr_violations;
	result->first = r->first;
}

/* A violation of the run that plays, one line. */
static void list_violation(void *ctx, u32 step, const struct violation *violation)
{
	const struct listing *l = ctx;
	struct finding finding = {.kind = FINDING_VIOLATION, .step = step};
	struct failure f = {.c = l->c, .file = l->file, .finding = &finding};

	snprintf(finding.text, sizeof(finding.text), "%s: %s", violation->property->id,
		 violation->why);
	failure_write_headline(l->out, &f);
}

static void play_all(struct player *p, const struct testcase *c, const char *file,
		     struct play_result *result)
{
	struct listing listing = {.out = p->out, .c = c, .file = file};
	struct trace t;
	struct run *r;

	trace_init(&t, p->trace, p->subject->ops->view(p->subject), p->trace_mask);
	r = ready_run(p, c, p->trace ? &t.observer : p->listener);
	r->each_violation = p->all ? list_violation : NULL;
	r->each_violation_ctx = &listing;
	do {
		if (p->each_op)
			p->each_op(p->each_op_ctx, r->step);
		trace_op(&t, r->step + 1);
	} while (run_step(r));
	run_finish(r);
	report_run(r, result);
	if (r->judge)
		judge_take_counts(r->judge, p->counts);
	run_listen(r, NULL); /* the trace ends here, and the listing */
	r->each_violation = NULL;
}

/* A property that fails at the end may have failed long before: look after each op. */
static void find_first_violation(struct player *p, const struct testcase *c,
				 struct play_result *result)
{
	struct run r;

	p->subject->ops->reset(p->subject);
	run_init(&r, c, p->subject, CHECK_EACH, NULL);
	run_promise(&r, p->promised);
	run_finish(&r);
	if (r.first.kind)
		report_run(&r, result);
	run_free(&r);
}

/* ---- showing ------------------------------------------------------------- */

/* The options that have a part in what is found. */
static void write_command(const struct player *p, const char *file, char *command, size_t size)
{
	int n = snprintf(command, size, "buddycheck play%s%s", p->subject_name ? " --subject " : "",
			 p->subject_name ? p->subject_name : "");

	for (u32 i = 0; i < nr_properties; i++) {
		if (p->promised[i] && (size_t)n < size)
			n += snprintf(command + n, size - (size_t)n, " --promise %s",
				      properties[i]->id);
	}
	if ((size_t)n < size)
		snprintf(command + n, size - (size_t)n, " %s", file);
}

static void show(struct player *p, const struct testcase *c, const char *file,
		 const struct finding *finding)
{
	char command[4096];
	struct failure f = {.c = c, .file = file, .command = command, .finding = finding};

	write_command(p, file, command, sizeof(command));
	failure_show(p->out, &f, p->subject);
}

void player_play(struct player *p, const struct testcase *c, const char *file,
		 struct play_result *result)
{
	*result = (struct play_result){.status = PLAY_REFUSED, .why = ready_subject(p, c)};
	if (!result->why)
		result->why = run_can_play(c, p->subject);
	if (result->why)
		return;
	play_all(p, c, file, result);
	if (p->all && result->first.kind == FINDING_VIOLATION)
		return;
	if (result->first.kind == FINDING_VIOLATION && p->strength == CHECK_WRITTEN)
		find_first_violation(p, c, result);
	if (result->status == PLAY_FOUND && p->out)
		show(p, c, file, &result->first);
}
