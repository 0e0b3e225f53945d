/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One thread enters one kernel at a time: `entered` is the one whose code runs. What it asks for or
 * tells comes back here.
 *
 *      apply() -> side->call() -> page_alloc.c -> side/env.c -> ask()
 *                                              -> side/observe.c -> tell()
 */
#include "harness/kernel/subject_kernel.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/kernel/instance.h"
#include "harness/kernel/kernel_machine.h"
#include "harness/kernel/kernel_promises.h"
#include "harness/kernel/kernel_view.h"
#include "model/answers.h"
#include "model/gfp.h"

#define MAX_TROUBLES 8

struct kernel {
	struct subject subject;
	struct machine machine;
	struct instance *instance;
	const struct kernel_side *side;
	struct kernel_view view;
	struct answers answers;
	u32 env_calls; /* that have a default other than 0 */
	struct op_report report;
	struct {
		struct op_report report;
		struct answers answers;
	} outer; /* of the op that waits for a nested one */
	struct trap *trap; /* of the call that runs, or NULL */
	const struct observer *observer;
	const struct nester *nester;
	bool dead; /* until the reset */
	struct trouble troubles[MAX_TROUBLES]; /* the first ones since begin_op */
	u32 nr_troubles, nr_told; /* of these, to the run */
};

static struct kernel *entered;

static struct kernel *kernel_of(struct subject *s)
{
	return (struct kernel *)s;
}

/* ---- what the kernel tells and asks -------------------------------------- */

static void tell(const struct event *event)
{
	const struct observer *o = entered->observer;

	if (!o || !(o->mask & EV_BIT(event->type)))
		return;
	if (o->views)
		kernel_view_update(&entered->view, entered->side);
	o->event(o->ctx, event);
}

/* As env_note_call() of the port. */
static void note(u32 call, u32 zone, int order, u32 gfp, u32 arg, u32 answer)
{
	struct event event = {
		.type = EV_ENV_CALL,
		.cpu = (u8)*entered->side->cpu,
		.zone = (u8)zone,
		.order = (s8)order,
		.pfn = PFN_NONE,
		.gfp = gfp,
		.a = call,
		.b = arg,
		.c = answer,
	};

	if (call != ENV_COMPACT || zone == ZONE_ANY)
		entered->report.calls[call]++;
	tell(&event);
}

/* Yes/no calls that have no answer are no calls (env_says() of the port). */
static bool is_asked(const struct kernel *k, u32 call)
{
	return call <= ENV_NODE_RECLAIM || (k->answers.armed | k->env_calls) & BIT(call);
}

static u32 ask(u32 call, u32 zone, int order, u32 gfp, u32 arg, u32 *extra)
{
	struct answer answer;

	*extra = 0;
	if (!is_asked(entered, call))
		return 0;
	answer = answers_take(&entered->answers, &entered->machine.env, (enum env_call)call);
	note(call, zone, order, gfp, arg, answer.value);
	*extra = answer.extra;
	return answer.value;
}

static void nest(u32 point)
{
	struct kernel *k = entered;

	if (!k->nester)
		return;
	k->nester->at(k->nester->ctx, (enum nest_point)point);
	entered = k;
	instance_catch(k->trap);
	k->side->enter();
	if (k->dead)
		instance_die("an op inside of this one has ended it");
}

__attribute__((format(printf, 3, 4))) static void
note_trouble(struct kernel *k, enum trouble_kind kind, const char *format, ...)
{
	struct trouble *t = &k->troubles[min_u32(k->nr_troubles, MAX_TROUBLES - 1)];
	va_list args;

	/* The last place is for what ends the case. */
	if (k->nr_troubles >= MAX_TROUBLES - 1 && kind != TROUBLE_BUG)
		return;
	*t = (struct trouble){.kind = kind};
	va_start(args, format);
	vsnprintf(t->text, sizeof(t->text), format, args);
	va_end(args);
	k->nr_troubles++;
}

/* As the port tells of it: the pages between the last two are lost (spec 7.2 step 10). */
static void name_lost_range(struct event *event, const char *format, const unsigned long *args)
{
	if (!args || strncmp(format, "PFN range: requested ", 21) != 0)
		return;
	event->a = WARN_CONTIG_COMP_MISMATCH;
	event->pfn = (u32)args[2];
	event->b = (u32)args[3];
}

static void kernel_warn(const char *file, unsigned int line, int bug, const char *format,
			const unsigned long *args)
{
	struct event event = {
		.type = EV_WARN,
		.cpu = (u8)*entered->side->cpu,
		.zone = ZONE_ANY,
		.order = -1,
		.pfn = PFN_NONE,
		.a = WARN_KERNEL,
		.b = line,
	};

	name_lost_range(&event, format, args);
	note_trouble(entered, bug ? TROUBLE_BUG : TROUBLE_WARN, "%s:%u %.*s", file, line,
		     (int)strcspn(format, "\n"), format);
	if (bug)
		return;
	entered->report.warnings++;
	tell(&event);
}

/* What it prints says more than it does in one case only. */
static void print(const char *format)
{
	if (strstr(format, "Bad page state"))
		note_trouble(entered, TROUBLE_BAD_PAGE, "Bad page state");
}

static const struct kernel_host host = {
	.arena = instance_arena,
	.set_gs = instance_set_gs,
	.event = tell,
	.ask = ask,
	.note = note,
	.nest = nest,
	.warn = kernel_warn,
	.print = print,
	.die = instance_die,
	.copy = memcpy,
};

/* ---- into the kernel ----------------------------------------------------- */

/*
 * Run @enter inside; false: the kernel died, now or before. No local of a caller may change in between
 * and be read afterwards.
 */
static bool run_inside(struct kernel *k, void (*enter)(struct kernel *k, void *arg), void *arg)
{
	struct kernel *outer = entered;
	struct trap *outer_trap = k->trap;
	struct trap trap = {.in = k->instance};

	if (k->dead)
		return false;
	if (sigsetjmp(trap.out, 0)) {
		k->dead = true;
		k->trap = outer_trap;
		if (!k->nr_troubles || k->troubles[k->nr_troubles - 1].kind != TROUBLE_BUG)
			note_trouble(k, TROUBLE_BUG, "%s", trap.why);
		entered = outer;
		return false;
	}
	entered = k;
	k->trap = &trap;
	instance_catch(&trap);
	k->side->enter();
	enter(k, arg);
	k->trap = outer_trap;
	instance_catch(NULL);
	entered = outer;
	return true;
}

struct application {
	const struct kernel_call *call;
	struct kernel_result *result;
};

static void enter_call(struct kernel *k, void *arg)
{
	const struct application *a = arg;

	k->side->call(a->call, a->result);
}

static void enter_end_op(struct kernel *k, void *arg)
{
	(void)arg;
	k->side->end_op();
}

/* ---- struct subject_ops -------------------------------------------------- */

static void kernel_reset(struct subject *s)
{
	struct kernel *k = kernel_of(s);

	instance_reset(k->instance);
	k->dead = false;
	k->nr_troubles = k->nr_told = 0;
	kernel_view_reset(&k->view);
	if (k->observer)
		*k->side->mask = k->observer->mask;
}

static bool kernel_is_pristine(struct subject *s)
{
	return instance_is_pristine(kernel_of(s)->instance);
}

static void kernel_begin_op(struct subject *s, const struct answer *answers, u32 nr)
{
	struct kernel *k = kernel_of(s);

	answers_begin(&k->answers, answers, nr);
	k->report = (struct op_report){.kswapd_wakes = 0};
	k->nr_troubles = k->nr_told = 0;
	k->side->begin_op();
}

static void kernel_apply(struct subject *s, const struct call *call, struct result *result)
{
	struct kernel *k = kernel_of(s);
	struct kernel_result to = {.pfn = PFN_NONE};
	const struct kernel_call from = {
		.kind = call->kind,
		.order = call->order,
		.flags = call->flags,
		.node = call->node,
		.gfp = call->gfp,
		.nodemask = call->nodemask,
		.pfn = call->pfn,
		.a = call->a,
		.b = call->b,
		.pfns = call->pfns,
		.orders = call->orders,
		.nr = call->nr,
	};

	if (call->kind == OP_SYSCTL && !sysctl_in_range((enum sysctl)call->order, call->a))
		to.error = -EINVAL;
	else
		run_inside(k, enter_call, &(struct application){.call = &from, .result = &to});
	*result = (struct result){.pfn = to.pfn, .nr = to.nr, .error = to.error};
}

static void take_report(struct kernel *k, struct op_report *report)
{
	*report = k->report;
	report->kswapd_wakes = *k->side->kswapd_wakes;
	report->out_of_fuel = *k->side->out_of_fuel;
}

static void kernel_end_op(struct subject *s, struct op_report *report)
{
	struct kernel *k = kernel_of(s);

	k->answers.armed = 0;
	if (k->machine.env.kind[ENV_WAKE] == ENV_CLOSED)
		run_inside(k, enter_end_op, NULL);
	take_report(k, report);
}

static void kernel_nest(struct subject *s, const struct nester *nester)
{
	struct kernel *k = kernel_of(s);

	k->nester = nester;
	*k->side->nest_points = nester ? nester->points : 0;
}

static void kernel_begin_nested(struct subject *s, u32 cpu)
{
	struct kernel *k = kernel_of(s);

	k->outer.report = k->report;
	k->outer.answers = k->answers;
	answers_begin(&k->answers, NULL, 0);
	k->report = (struct op_report){.kswapd_wakes = 0};
	k->side->begin_nested(cpu);
}

static void kernel_end_nested(struct subject *s, struct op_report *report)
{
	struct kernel *k = kernel_of(s);

	take_report(k, report);
	k->report = k->outer.report;
	k->answers = k->outer.answers;
	if (!k->dead)
		k->side->end_nested();
}

static void kernel_observe(struct subject *s, const struct observer *observer)
{
	struct kernel *k = kernel_of(s);

	k->observer = observer;
	*k->side->mask = observer ? observer->mask : 0;
}

static const struct view *kernel_get_view(struct subject *s)
{
	struct kernel *k = kernel_of(s);

	k->side->enter();
	kernel_view_update(&k->view, k->side);
	return &k->view.view;
}

static const struct written *kernel_written(struct subject *s)
{
	struct kernel *k = kernel_of(s);

	kernel_get_view(s);
	return kernel_view_written(&k->view);
}

static const struct trouble *kernel_trouble(struct subject *s)
{
	struct kernel *k = kernel_of(s);

	return k->nr_told < k->nr_troubles ? &k->troubles[k->nr_told++] : NULL;
}

static bool is_aligned_power_of_two(u32 start, u32 end)
{
	u32 nr = end - start;

	return nr && !(nr & (nr - 1)) && !(start & (nr - 1));
}

/*
 * Older kernels make no compound page of a range, or let everybody ask for one of a range that is none: then
 * they warn, and the pages are lost.
 */
static bool asks_for_large_folio(const struct kernel_generation *g, const struct op *op)
{
	if (op->kind == OP_HUGETLB)
		return !g->contig_compound && !op->order;
	if (!(op->gfp & __GFP_COMP) || g->contig_two_passes)
		return false;
	return op->kind == OP_CONTIG_PAGES ||
	       (op->kind == OP_CONTIG_RANGE &&
		!(g->contig_compound && is_aligned_power_of_two(op->a, op->b)));
}

static bool has_call(const struct kernel_generation *g, const struct op *op)
{
	switch (op->kind) {
	case OP_ALLOC_NOLOCK:
		return g->nolock;
	case OP_FREE:
		return g->nolock || !(op->flags & OPF_NOLOCK);
	case OP_DRAIN:
		return g->decay || op->sub != DRAIN_DECAY;
	default:
		return true;
	}
}

/* kcompactd compacts zone by zone, as nothing here does. */
static bool kernel_plays(const struct subject *s, const struct op *op)
{
	const struct kernel_generation *g =
		&((const struct kernel *)s)->instance->constants.generation;

	return op->kind != OP_KCOMPACTD && has_call(g, op) && !asks_for_large_folio(g, op);
}

static void kernel_destroy(struct subject *s)
{
	struct kernel *k = kernel_of(s);

	instance_put(k->instance);
	kernel_view_exit(&k->view);
	free(k);
}

static const struct subject_ops kernel_ops = {
	.reset = kernel_reset,
	.is_pristine = kernel_is_pristine,
	.begin_op = kernel_begin_op,
	.apply = kernel_apply,
	.end_op = kernel_end_op,
	.observe = kernel_observe,
	.view = kernel_get_view,
	.written = kernel_written,
	.trouble = kernel_trouble,
	.nest = kernel_nest,
	.begin_nested = kernel_begin_nested,
	.end_nested = kernel_end_nested,
	.plays = kernel_plays,
	.destroy = kernel_destroy,
};

/* ---- making one ---------------------------------------------------------- */

static bool boot(struct kernel *k, const char **why)
{
	struct kernel_machine machine;

	*why = kernel_machine_check(&k->instance->constants, &k->machine);
	if (*why)
		return false;
	kernel_machine_from(&k->machine, &machine);
	entered = k;
	if (!instance_boot(k->instance, &host, &machine, why))
		return false;
	entered = NULL;
	*why = "expected memory for a machine of this size";
	if (!kernel_view_init(&k->view, &k->machine, k->instance->constants.page_size))
		return false;
	kernel_view_read(&k->view, k->side);
	kernel_view_keep(&k->view);
	return true;
}

struct subject *subject_kernel_create(const char *file, const struct machine *machine,
				      const char **why)
{
	struct kernel *k = calloc(1, sizeof(*k));
	struct machine usual;
	const struct kernel_generation *generation;

	*why = "expected memory for a kernel";
	if (!k)
		return NULL;
	/* Its policy is its own: it promises what its release does. */
	machine_init(&usual);
	k->machine = *machine;
	k->machine.policy = usual.policy;
	k->env_calls = env_config_calls(&machine->env);
	k->instance = instance_get(file, why);
	if (!k->instance) {
		free(k);
		return NULL;
	}
	k->side = k->instance->side;
	generation = &k->instance->constants.generation;
	kernel_policy(generation, &k->machine.policy);
	k->subject.lacks = kernel_lacks(generation);
	if (!boot(k, why)) {
		instance_put(k->instance);
		free(k);
		return NULL;
	}
	k->subject.ops = &kernel_ops;
	snprintf(k->subject.name, sizeof(k->subject.name), "kernel:%s", file);
	*why = NULL;
	kernel_reset(&k->subject);
	return &k->subject;
}

const struct kernel_side *subject_kernel_side(struct subject *s)
{
	return s->ops == &kernel_ops ? kernel_of(s)->side : NULL;
}

const struct view *subject_kernel_view(struct subject *s)
{
	return &kernel_of(s)->view.view;
}

static void fit(void *ctx, struct machine *machine)
{
	const char *file = ctx, *why;
	struct instance *in = instance_get(file, &why);

	if (!in)
		return;
	kernel_machine_fit(&in->constants, machine);
	instance_put(in);
}

struct machine_fitter subject_kernel_fitter(const char *file)
{
	return (struct machine_fitter){.fit = fit, .ctx = (void *)file};
}
