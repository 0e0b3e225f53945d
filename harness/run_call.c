/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls as requests, around which the judge is told. */
#include "harness/run_call.h"

static u8 request_kind(const struct call *call)
{
	static const u8 kinds[NR_CALLS] = {
		[OP_ALLOC] = REQUEST_ALLOC,
		[OP_ALLOC_NOLOCK] = REQUEST_NOLOCK,
		[OP_ALLOC_BULK] = REQUEST_BULK,
		[OP_FREE] = REQUEST_FREE,
		[OP_FREE_PIECE] = REQUEST_FREE,
		[OP_GET] = REQUEST_GET,
		[OP_MARK] = REQUEST_MARK,
		[OP_DRAIN] = REQUEST_DRAIN,
		[OP_ISOLATE] = REQUEST_ISOLATE,
		[OP_UNISOLATE] = REQUEST_UNISOLATE,
		[OP_CONTIG_RANGE] = REQUEST_CONTIG_RANGE,
		[OP_CONTIG_PAGES] = REQUEST_CONTIG_PAGES,
		[OP_CPU] = REQUEST_MACHINE,
		[OP_TASK] = REQUEST_MACHINE,
		[OP_CPUSET] = REQUEST_MACHINE,
		[OP_SYSCTL] = REQUEST_MACHINE,
		[OP_KSWAPD] = REQUEST_MACHINE,
		[OP_KCOMPACTD] = REQUEST_MACHINE,
		[CALL_CONTIG_FREE] = REQUEST_CONTIG_FREE,
		[CALL_SPLIT] = REQUEST_SPLIT,
	};

	if (call->kind == OP_FREE && (call->flags & OPF_BATCH))
		return REQUEST_FREE_BATCH;
	return kinds[call->kind];
}

static void name_pcps(struct request *rq, const struct call *call)
{
	if (call->order != DRAIN_ALL && call->order != DRAIN_LOCAL)
		rq->zone = (u8)call->a;
	if (call->order == DRAIN_CPU_ZONE || call->order == DRAIN_EXPIRE ||
	    call->order == DRAIN_DECAY)
		rq->cpu = (u8)call->b;
}

static u32 filled_slots(const struct call *call)
{
	u32 filled = 0;

	for (u32 i = 0; call->pfns && i < call->nr; i++)
		filled += call->pfns[i] != PFN_NONE;
	return filled;
}

/* All but the result. What a kind of request does not use may hold anything. */
static struct request request_of(const struct run *r, const struct call *call)
{
	struct request rq = {
		.kind = request_kind(call),
		.order = call->order,
		.node = call->node,
		.sub = call->order,
		.zone = ZONE_ANY,
		.cpu = (u8)r->subject->ops->view(r->subject)->global->task.cpu,
		.frozen = (call->flags & OPF_FROZEN) || call->kind == OP_FREE_PIECE,
		.nolock = call->flags & OPF_NOLOCK,
		.gfp = call->gfp,
		.nodemask = call->nodemask,
		.pfn = call->pfn,
		.start = call->a,
		.end = call->b,
		.nr = call->pfns ? call->nr : call->a,
		.refs = book_refs(&r->book, call->pfn),
		.result_pfn = PFN_NONE,
	};

	if (rq.kind == REQUEST_DRAIN)
		name_pcps(&rq, call);
	else if (rq.kind == REQUEST_CONTIG_RANGE)
		rq.sub = call->flags & OPF_CMA ? ACR_FLAGS_CMA : 0;
	else if (rq.kind == REQUEST_BULK)
		rq.filled = filled_slots(call);
	return rq;
}

/* What was reported until now is of @rq: of an op inside another one, neither takes the other's. */
static void take_troubles(struct run *r, const struct request *rq)
{
	const struct subject_ops *ops = r->subject->ops;
	const struct trouble *found;

	while (ops->trouble && (found = ops->trouble(r->subject))) {
		struct trouble trouble = *found;

		r->died |= trouble.kind == TROUBLE_BUG;
		trouble.view = ops->view(r->subject);
		trouble.request = rq;
		if (r->judge)
			judge_trouble(r->judge, &trouble);
	}
}

struct result run_call(struct run *r, const struct call *call)
{
	const struct subject_ops *ops = r->subject->ops;
	const struct request *outer = r->request;
	bool outer_out_of_fuel = r->out_of_fuel;
	struct result result;
	struct request rq;

	if (!r->judge) {
		ops->apply(r->subject, call, &result);
		take_troubles(r, NULL);
		return result;
	}
	take_troubles(r, outer);
	rq = request_of(r, call);
	r->request = &rq;
	judge_begin(r->judge, &rq);
	r->out_of_fuel = false;
	ops->apply(r->subject, call, &result);
	ops->view(r->subject); /* is brought up to date */
	rq.result_pfn = result.pfn;
	rq.result_nr = result.nr;
	rq.error = result.error;
	rq.out_of_fuel = r->out_of_fuel;
	take_troubles(r, &rq);
	rq.died = r->died;
	judge_end(r->judge, &rq);
	r->out_of_fuel = outer_out_of_fuel;
	r->request = outer;
	return result;
}

/* Is anybody awake who works after an op in a closed environment? */
static bool background_works(const struct view *view)
{
	for (u32 nid = 0; nid < view->machine->nr_nodes; nid++) {
		if (view->nodes[nid].kswapd_awake || view->nodes[nid].kcompactd_awake)
			return view->machine->env.kind[ENV_WAKE] == ENV_CLOSED;
	}
	return false;
}

void run_end_op(struct run *r, struct op_report *report)
{
	struct call call = {.kind = OP_KSWAPD, .nodemask = NODEMASK_NULL, .pfn = PFN_NONE};
	bool judged = r->judge && background_works(r->subject->ops->view(r->subject));
	struct request rq;

	if (judged) {
		rq = request_of(r, &call);
		judge_begin(r->judge, &rq);
	}
	r->subject->ops->end_op(r->subject, report);
	if (judged)
		r->subject->ops->view(r->subject);
	take_troubles(r, judged ? &rq : NULL);
	if (!judged)
		return;
	rq.died = r->died;
	judge_end(r->judge, &rq);
}

/* ---- for callers --------------------------------------------------------- */

static struct run *run_of(struct subject *judged)
{
	return (struct run *)((char *)judged - offsetof(struct run, judged));
}

static void judged_apply(struct subject *s, const struct call *call, struct result *result)
{
	*result = run_call(run_of(s), call);
}

static const struct view *judged_view(struct subject *s)
{
	struct subject *subject = run_of(s)->subject;

	return subject->ops->view(subject);
}

const struct subject_ops judged_subject_ops = {.apply = judged_apply, .view = judged_view};
