/* SPDX-License-Identifier: GPL-2.0-only */
/* Playing a case: the loop over its ops. */
#include "harness/run.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness/run_expect.h"
#include "harness/run_op.h"

/* ---- events -------------------------------------------------------------- */

#define RUN_EVENTS (BOOK_EVENTS | EV_BIT(EV_DRAIN_ALL_PAGES))

/* A drain_all_pages() that ran has emptied the pcps of its zone, or of all zones. */
static void note_drained(struct run *r, u32 zone)
{
	r->nr_drained = 0; /* an op may drain again, in the background */
	for (u32 z = 0; z < r->c->machine.nr_zones; z++) {
		for (u32 cpu = 0; cpu < r->c->machine.nr_cpus; cpu++) {
			if (zone == ZONE_ANY || zone == z)
				r->drained[r->nr_drained++] =
					(struct drained){.zone = z, .cpu = cpu};
		}
	}
}

static void run_event(void *ctx, const struct event *event)
{
	struct run *r = ctx;

	if (EV_BIT(event->type) & BOOK_EVENTS)
		book_event(&r->book, event);
	/* Pages that are freed after the drain may be on the pcps again. */
	if (event->type == EV_ENV_FREED || event->type == EV_ENV_MOVED)
		r->nr_drained = 0;
	if (event->type == EV_DRAIN_ALL_PAGES && event->a && r->c->ops[r->step].kind == OP_DRAIN)
		note_drained(r, event->zone);
	if (r->listener && (r->listener->mask & EV_BIT(event->type)))
		r->listener->event(r->listener->ctx, event);
}

/* ---- the loop ------------------------------------------------------------ */

const char *run_can_play(const struct testcase *c, const struct subject *subject)
{
	return c->nr_nested && !subject->ops->plays_nested ? "not played by this subject" : NULL;
}

void run_init(struct run *r, const struct testcase *c, struct subject *subject,
	      enum check_strength strength, const struct observer *listener)
{
	const struct view *view = subject->ops->view(subject);

	*r = (struct run){
		.c = c,
		.subject = subject,
		.strength = strength,
		.result.pfn = PFN_NONE,
		.observer = {.event = run_event, .ctx = r},
	};
	book_init(&r->book, c->nr_slots, view->nr_pages, c->machine.pageblock_order);
	r->drained = calloc((size_t)c->machine.nr_zones * c->machine.nr_cpus, sizeof(*r->drained));
	if (strength != CHECK_NONE)
		r->walk = walk_create(view);
	if (!r->drained || (strength != CHECK_NONE && !r->walk)) {
		fputs("buddycheck: out of memory\n", stderr);
		abort();
	}
	run_listen(r, listener);
	expect_machine(r);
	if (strength == CHECK_EACH)
		judge(r, STEP_MACHINE);
}

void run_listen(struct run *r, const struct observer *listener)
{
	r->listener = listener;
	r->observer.mask = RUN_EVENTS | (listener ? listener->mask : 0);
	r->subject->ops->observe(r->subject, &r->observer);
}

void run_free(struct run *r)
{
	r->subject->ops->observe(r->subject, NULL);
	book_free(&r->book);
	free(r->drained);
	walk_destroy(r->walk);
}

static void play_op(struct run *r, const struct op *op)
{
	const struct subject_ops *ops = r->subject->ops;

	r->result = (struct result){.pfn = PFN_NONE};
	r->report = (struct op_report){.kswapd_wakes = 0};
	r->nr_drained = 0;
	if (!op_has_object(r, op)) {
		r->nr_skipped++;
		return;
	}
	ops->begin_op(r->subject, op->nr_answers ? &r->c->answers[op->first_answer] : NULL,
		      op->nr_answers);
	op_apply(r, op);
	ops->end_op(r->subject, &r->report);
	r->nr_warnings += r->report.warnings;
	book_settle(&r->book, ops->view(r->subject));
}

bool run_step(struct run *r)
{
	if (r->first.kind || r->step == r->c->nr_ops)
		return false;
	play_op(r, &r->c->ops[r->step]);
	expect_op(r);
	if (r->strength == CHECK_EACH)
		judge(r, r->step);
	r->step++;
	return !r->first.kind;
}

u32 run_finish(struct run *r)
{
	while (run_step(r))
		;
	if (!r->first.kind)
		expect_final(r);
	if (!r->first.kind && r->strength == CHECK_END)
		judge(r, r->c->nr_ops);
	return r->nr_divergences + r->nr_violations;
}

struct moment run_moment(const struct run *r)
{
	return (struct moment){
		.view = r->subject->ops->view(r->subject),
		.held = r->book.held,
		.unmerged = r->book.unmerged,
		.drained = r->drained,
		.nr_drained = r->nr_drained,
	};
}
