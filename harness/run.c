/* SPDX-License-Identifier: GPL-2.0-only */
/* Playing a case: the loop over its ops. */
#include "harness/run.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness/run_call.h"
#include "harness/run_expect.h"
#include "harness/run_nested.h"
#include "harness/run_op.h"

/* ---- events -------------------------------------------------------------- */

#define RUN_EVENTS (BOOK_EVENTS | EV_BIT(EV_DRAIN_ALL_PAGES) | EV_BIT(EV_SLOWPATH_EXIT))

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

/* What most events do not need is kept out of run_event(). */
__attribute__((noinline)) static void follow(struct run *r, const struct event *event)
{
	if (EV_BIT(event->type) & BOOK_EVENTS)
		book_event(&r->book, event);
	/* Pages that are freed after the drain may be on the pcps again. */
	if (event->type == EV_ENV_FREED || event->type == EV_ENV_MOVED)
		r->nr_drained = 0;
	if (event->type == EV_DRAIN_ALL_PAGES && event->a && !r->in_nested &&
	    r->c->ops[r->step].kind == OP_DRAIN)
		note_drained(r, event->zone);
	if (event->type == EV_SLOWPATH_EXIT && event->a == SLOW_EXIT_FUEL)
		r->out_of_fuel = true;
}

static void run_event(void *ctx, const struct event *event)
{
	struct run *r = ctx;
	u64 bit = EV_BIT(event->type);

	if (bit & RUN_EVENTS)
		follow(r, event);
	if (r->listener && (r->listener->mask & bit))
		r->listener->event(r->listener->ctx, event);
	if (r->judge)
		judge_event(r->judge, event);
}

/* ---- the loop ------------------------------------------------------------ */

const char *run_can_play(const struct testcase *c, const struct subject *subject)
{
	const struct subject_ops *ops = subject->ops;
	bool all = true;

	if (c->nr_nested && !ops->nest)
		return "expected no ops of other CPUs inside an op";
	for (u32 i = 0; ops->plays && i < c->nr_ops; i++)
		all &= ops->plays(subject, &c->ops[i]);
	for (u32 i = 0; ops->plays && i < c->nr_nested; i++)
		all &= ops->plays(subject, &c->nested[i].op);
	return all ? NULL : "expected no ops that it does not play";
}

/* What an allocator with these switches promises. */
static u32 promises(const struct subject *subject, const struct policy *policy)
{
	u32 promises = PROMISE_PORT;

	promises |= policy->v1 ? PROMISE_V1 : PROMISE_NOT_V1;
	promises |= policy->v2 ? PROMISE_V2 : PROMISE_NOT_V2;
	if (subject->ops->trouble)
		promises |= PROMISE_KERNEL;
	if (policy->contig_valid == CONTIG_VALID_TWOPASS)
		promises |= PROMISE_TWOPASS;
	if (policy->contig_valid == CONTIG_VALID_HUGESKIP)
		promises |= PROMISE_HUGESKIP;
	if (policy->fallback == FALLBACK_D)
		promises |= PROMISE_MODES;
	if (policy->fallback == FALLBACK_D || policy->fallback == FALLBACK_C)
		promises |= PROMISE_CLAIMS;
	if (policy->fallback != FALLBACK_A)
		promises |= PROMISE_HYGIENE;
	return promises & ~subject->lacks;
}

/* What does not depend on the case; aborts the process without memory. */
static void make_tools(struct run *r, const struct view *view)
{
	size_t nr_pcps = (size_t)view->machine->nr_zones * view->machine->nr_cpus;
	bool judged = r->strength != CHECK_NONE;

	r->drained = calloc(nr_pcps, sizeof(*r->drained));
	if (judged) {
		r->judge = judge_create(view, properties, nr_properties,
					promises(r->subject, &view->machine->policy));
		r->walk = walk_create(view);
	}
	if (r->drained && (!judged || (r->judge && r->walk)))
		return;
	fputs("buddycheck: out of memory\n", stderr);
	abort();
}

static void begin(struct run *r)
{
	if (r->begun)
		return;
	r->begun = true;
	expect_machine(r);
	if (r->strength == CHECK_NONE)
		return;
	/* What looks at the case before have seen must not excuse anything in this one. */
	if (walk_rewind(r->walk))
		return;
	judge_state(r, STEP_MACHINE);
	if (r->strength == CHECK_WRITTEN)
		walk_mark(r->walk);
}

void run_init(struct run *r, const struct testcase *c, struct subject *subject,
	      enum check_strength strength, const struct observer *listener)
{
	const struct view *view = subject->ops->view(subject);

	*r = (struct run){
		.c = c,
		.subject = subject,
		.judged.ops = &judged_subject_ops,
		.strength = strength,
		.observer = {.event = run_event, .ctx = r, .views = strength != CHECK_NONE},
	};
	book_init(&r->book, c->nr_slots, view->nr_pages, view->machine->pageblock_order);
	make_tools(r, view);
	run_listen(r, listener);
}

void run_again(struct run *r, const struct testcase *c)
{
	r->c = c;
	r->begun = r->died = false;
	r->step = 0;
	r->nr_skipped = r->nr_warnings = r->nr_divergences = r->nr_violations = 0;
	r->first = (struct finding){.kind = FINDING_NONE};
	r->nr_drained = r->next_expect = 0;
	r->result = (struct result){0};
	r->report = (struct op_report){.kswapd_wakes = 0};
	book_reset(&r->book, c->nr_slots);
	if (r->judge)
		judge_reset(r->judge);
}

void run_listen(struct run *r, const struct observer *listener)
{
	r->listener = listener;
	r->observer.mask =
		RUN_EVENTS | (r->judge ? JUDGE_EVENTS : 0) | (listener ? listener->mask : 0);
	r->subject->ops->observe(r->subject, &r->observer);
}

void run_promise(struct run *r, const bool *promised)
{
	for (u32 i = 0; r->judge && i < nr_properties; i++) {
		if (promised[i])
			judge_promise(r->judge, i);
	}
}

void run_free(struct run *r)
{
	r->subject->ops->observe(r->subject, NULL);
	book_free(&r->book);
	free(r->drained);
	walk_destroy(r->walk);
	judge_destroy(r->judge);
}

static void play_op(struct run *r, const struct op *op)
{
	const struct subject_ops *ops = r->subject->ops;

	r->result = (struct result){.pfn = PFN_NONE};
	r->nr_drained = 0;
	if (!op_has_object(r, op)) {
		r->report = (struct op_report){.kswapd_wakes = 0};
		r->nr_skipped++;
		return;
	}
	ops->begin_op(r->subject, op->nr_answers ? &r->c->answers[op->first_answer] : NULL,
		      op->nr_answers);
	nested_begin(r, op);
	op_apply(r, op);
	nested_end(r, op);
	run_end_op(r, &r->report);
	r->nr_warnings += r->report.warnings;
	if (r->book.nr_pairs)
		book_settle(&r->book, ops->view(r->subject));
}

static bool has_ended(const struct run *r)
{
	return r->died || r->nr_divergences || (r->nr_violations && !r->each_violation);
}

bool run_step(struct run *r)
{
	begin(r);
	if (has_ended(r) || r->step == r->c->nr_ops)
		return false;
	play_op(r, &r->c->ops[r->step]);
	expect_op(r);
	judge_op(r);
	r->step++;
	return !has_ended(r);
}

u32 run_finish(struct run *r)
{
	while (run_step(r))
		;
	if (!has_ended(r))
		expect_final(r);
	if (!has_ended(r) && r->strength == CHECK_WRITTEN)
		judge_state(r, r->c->nr_ops);
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
