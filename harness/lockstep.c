/* SPDX-License-Identifier: GPL-2.0-only */
/* Playing on two subjects, and finding where they part. */
#include "harness/lockstep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run_fit.h"

const char *const divergence_kind_names[] = {
	[DIVERGENCE_NONE] = "none",   [DIVERGENCE_BOOT] = "boot",   [DIVERGENCE_RESULT] = "result",
	[DIVERGENCE_CALLS] = "calls", [DIVERGENCE_EVENT] = "event", [DIVERGENCE_VIEW] = "view",
};

/* ---- events of an op ----------------------------------------------------- */

static void grow_log(struct event_log *log)
{
	u32 cap = log->cap ? 2 * log->cap : 1024;
	struct event *events = realloc(log->events, cap * sizeof(*events));

	if (!events) {
		fputs("buddycheck: out of memory\n", stderr);
		abort();
	}
	log->events = events;
	log->cap = cap;
}

/* Where a kernel is built without KASAN these do not exist, and no decision depends on them. */
#define GFP_ALLOCATOR_IGNORES (__GFP_ZEROTAGS | __GFP_SKIP_ZERO | __GFP_SKIP_KASAN)

static void log_event(void *ctx, const struct event *event)
{
	struct event_log *log = ctx;
	bool *in_pass = &log->in_pass[log->run->in_nested];

	/* Where a pass over the zones begins anew inside, a kernel shows it only at its next zone. */
	if (event->type == EV_GPFF && *in_pass)
		return;
	if (event->type == EV_GPFF || event->type == EV_GPFF_END)
		*in_pass = event->type == EV_GPFF;
	if (log->nr == log->cap)
		grow_log(log);
	log->events[log->nr] = *event;
	log->events[log->nr].gfp &= ~GFP_ALLOCATOR_IGNORES;
	/* With these flags nothing was found; the last zone that was looked at may be long ago. */
	if (event->type == EV_GPFF_END && event->pfn == PFN_NONE)
		log->events[log->nr].a = 0;
	/* A kernel's has a file and a line, the port's has a name. */
	if (event->type == EV_WARN)
		log->events[log->nr] = (struct event){.type = EV_WARN, .cpu = event->cpu};
	log->nr++;
}

/* ---- subjects ------------------------------------------------------------ */

void lockstep_init(struct lockstep *l, const char *left, const char *right)
{
	*l = (struct lockstep){
		.sides = {{.name = left}, {.name = right}},
		.create = subject_create,
		.events = EV_ALL,
		.view_every = 16,
	};
}

static void drop_subject(struct lockstep_side *s)
{
	if (s->has_run)
		run_free(&s->run);
	if (s->subject)
		s->subject->ops->destroy(s->subject);
	s->has_run = false;
	s->subject = NULL;
}

void lockstep_exit(struct lockstep *l)
{
	for (u32 i = 0; i < 2; i++) {
		drop_subject(&l->sides[i]);
		free(l->sides[i].log.events);
	}
}

static const char *make_subjects(struct lockstep *l, const struct machine *machine)
{
	const char *why = NULL;

	for (u32 i = 0; i < 2; i++)
		drop_subject(&l->sides[i]);
	l->machine = *machine;
	for (u32 i = 0; i < 2 && !why; i++)
		l->sides[i].subject = l->create(l->sides[i].name, machine, &why);
	return why;
}

const char *lockstep_ready(struct lockstep *l, const struct machine *machine)
{
	if (!l->sides[0].subject || !l->sides[1].subject || !machine_equal(&l->machine, machine))
		return make_subjects(l, machine);
	for (u32 i = 0; i < 2; i++)
		l->sides[i].subject->ops->reset(l->sides[i].subject);
	return NULL;
}

static void begin_side(struct lockstep *l, struct lockstep_side *s)
{
	s->log.nr = 0;
	s->log.run = &s->run;
	s->log.observer = (struct observer){.event = log_event, .ctx = &s->log, .mask = l->events};
	if (s->has_run) {
		run_listen(&s->run, &s->log.observer);
		run_again(&s->run, &l->played);
		return;
	}
	run_init(&s->run, &l->played, s->subject, CHECK_NONE, &s->log.observer);
	s->has_run = true;
}

/* ---- what is left out ---------------------------------------------------- */

bool lockstep_fit(struct lockstep *l, struct testcase *c)
{
	return run_fit(c, (struct subject *[]){l->sides[0].subject, l->sides[1].subject}, 2);
}

/* ---- differences --------------------------------------------------------- */

/* "none", "8" */
static void write_pfn(char text[16], u32 pfn)
{
	snprintf(text, 16, "%u", pfn);
	if (pfn == PFN_NONE)
		snprintf(text, 16, "none");
}

/* Numbers of the two, under @name; true if they differ, which is noted then. */
static bool numbers_differ(struct divergence *d, enum divergence_kind kind, const char *name, s64 x,
			   s64 y)
{
	if (x == y)
		return false;
	d->kind = kind;
	snprintf(d->what, sizeof(d->what), "%s", name);
	snprintf(d->text, sizeof(d->text), "%s: %lld, %lld", name, (long long)x, (long long)y);
	return true;
}

static bool pfns_differ(struct divergence *d, const char *name, u32 x, u32 y)
{
	char mine[16], theirs[16];

	if (!numbers_differ(d, DIVERGENCE_RESULT, name, x, y))
		return false;
	write_pfn(mine, x);
	write_pfn(theirs, y);
	snprintf(d->text, sizeof(d->text), "%s: %s, %s", name, mine, theirs);
	return true;
}

/* What the op that creates @slot was handed. */
static bool objects_differ(struct divergence *d, const struct book *x, const struct book *y,
			   u32 slot)
{
	const struct object *mine = &x->objects[slot], *theirs = &y->objects[slot];

	if (numbers_differ(d, DIVERGENCE_RESULT, "pages", mine->nr, theirs->nr))
		return true;
	for (u32 i = 0; i < mine->nr; i++) {
		const struct extent *a = &x->extents[mine->first + i];
		const struct extent *b = &y->extents[theirs->first + i];

		if (pfns_differ(d, "a page", a->pfn, b->pfn) ||
		    numbers_differ(d, DIVERGENCE_RESULT, "order", a->order, b->order) ||
		    numbers_differ(d, DIVERGENCE_RESULT, "flags", a->flags, b->flags))
			return true;
	}
	return false;
}

static bool results_differ(struct divergence *d, const struct run *x, const struct run *y,
			   const struct op *op)
{
	if (pfns_differ(d, "pfn", x->result.pfn, y->result.pfn) ||
	    numbers_differ(d, DIVERGENCE_RESULT, "nr", x->result.nr, y->result.nr) ||
	    numbers_differ(d, DIVERGENCE_RESULT, "error", x->result.error, y->result.error))
		return true;
	if (op->out != SLOT_NONE && objects_differ(d, &x->book, &y->book, op->out))
		return true;
	for (u32 i = 0; i < op->nr_nested; i++) {
		u32 out = x->c->nested[op->first_nested + i].op.out;

		if (out != SLOT_NONE && objects_differ(d, &x->book, &y->book, out))
			return true;
	}
	return false;
}

static bool calls_differ(struct divergence *d, const struct run *x, const struct run *y)
{
	const enum divergence_kind kind = DIVERGENCE_CALLS;

	for (u32 i = 0; i < NR_ENV_CALLS; i++) {
		if (numbers_differ(d, kind, env_call_names[i], x->report.calls[i],
				   y->report.calls[i]))
			return true;
	}
	return numbers_differ(d, kind, "wakeup_kswapd", x->report.kswapd_wakes,
			      y->report.kswapd_wakes) ||
	       numbers_differ(d, kind, "warnings", x->nr_warnings, y->nr_warnings) ||
	       numbers_differ(d, kind, "out of fuel", x->report.out_of_fuel,
			      y->report.out_of_fuel) ||
	       numbers_differ(d, kind, "skipped ops", x->nr_skipped, y->nr_skipped);
}

/* ---- differences of events ----------------------------------------------- */

u32 lockstep_first_event(const struct lockstep *l)
{
	const struct event_log *x = &l->sides[0].log, *y = &l->sides[1].log;
	u32 nr = min_u32(x->nr, y->nr), i = 0;

	if (x->nr == y->nr && (!nr || !memcmp(x->events, y->events, nr * sizeof(*x->events))))
		return nr;
	while (i < nr && !memcmp(&x->events[i], &y->events[i], sizeof(*x->events)))
		i++;
	return i;
}

/* "gpff.a", "mm_page_alloc / gpff", "nothing / gpff" */
static void name_event_difference(char name[64], const struct event *x, const struct event *y)
{
	if (!x || !y || x->type != y->type)
		snprintf(name, 64, "%s / %s", x ? event_names[x->type] : "nothing",
			 y ? event_names[y->type] : "nothing");
	else
		snprintf(name, 64, "%s.%s", event_names[x->type],
			 x->cpu != y->cpu	? "cpu"
			 : x->zone != y->zone	? "zone"
			 : x->order != y->order ? "order"
			 : x->pfn != y->pfn	? "pfn"
			 : x->gfp != y->gfp	? "gfp"
			 : x->a != y->a		? "a"
			 : x->b != y->b		? "b"
						: "c");
}

/* Events are what differs first in an op, whatever else does. */
static void compare_events(struct divergence *d, const struct lockstep *l)
{
	const struct event_log *x = &l->sides[0].log, *y = &l->sides[1].log;
	u32 i = lockstep_first_event(l);

	if (i == x->nr && i == y->nr)
		return;
	name_event_difference(d->what, i < x->nr ? &x->events[i] : NULL,
			      i < y->nr ? &y->events[i] : NULL);
	if (d->kind)
		return;
	d->kind = DIVERGENCE_EVENT;
	snprintf(d->text, sizeof(d->text), "event %u", i + 1);
}

/* ---- differences of views ------------------------------------------------ */

u32 lockstep_compare_views(struct lockstep *l, struct view_difference *to, u32 room)
{
	struct subject *x = l->sides[0].subject, *y = l->sides[1].subject;

	return view_compare(x->ops->view(x), y->ops->view(y), to, room);
}

static bool views_differ(struct divergence *d, struct lockstep *l, enum divergence_kind kind)
{
	struct view_difference first;

	if (!lockstep_compare_views(l, &first, 1))
		return false;
	d->kind = kind;
	snprintf(d->what, sizeof(d->what), "%s", first.what);
	view_difference_text(&first, d->text, sizeof(d->text));
	return true;
}

/* ---- the case ------------------------------------------------------------ */

static bool step_differs(struct divergence *d, struct lockstep *l, u32 step)
{
	const struct run *x = &l->sides[0].run, *y = &l->sides[1].run;
	bool look =
		step + 1 == l->played.nr_ops || (l->view_every && !((step + 1) % l->view_every));

	if (!results_differ(d, x, y, &l->played.ops[step]))
		calls_differ(d, x, y);
	compare_events(d, l);
	return d->kind || (look && views_differ(d, l, DIVERGENCE_VIEW));
}

/* False: a subject handed out what it had handed out before, after which nothing can be played. */
static bool play_step(struct lockstep *l)
{
	bool more = true;

	for (u32 i = 0; i < 2; i++) {
		l->sides[i].log.nr = 0;
		memset(l->sides[i].log.in_pass, 0, sizeof(l->sides[i].log.in_pass));
		more &= run_step(&l->sides[i].run);
	}
	return more;
}

const char *lockstep_play(struct lockstep *l, const struct testcase *c, struct divergence *d)
{
	const char *why = lockstep_ready(l, &c->machine);
	bool more = true;

	*d = (struct divergence){.step = STEP_MACHINE};
	for (u32 i = 0; i < 2 && !why; i++)
		why = run_can_play(c, l->sides[i].subject);
	if (why)
		return why;
	l->played = *c;
	l->played.nr_expects = l->played.nr_boot = l->played.nr_final = 0;
	for (u32 i = 0; i < 2; i++)
		begin_side(l, &l->sides[i]);
	if (views_differ(d, l, DIVERGENCE_BOOT))
		return NULL;
	for (u32 step = 0; more && step < c->nr_ops; step++) {
		d->step = step;
		more = play_step(l);
		l->nr_ops++;
		if (step_differs(d, l, step))
			break;
	}
	return NULL;
}
