/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a real kernel reports of itself is a failure, unless the caller has asked for it. The port tells of
 * warnings, too (EV_WARN), which these leave out: they are a part of its answers, and compared in lock step.
 */
#include "model/gfp.h"
#include "properties/step.h"
#include "properties/list.h"
#include "properties/walk.h"

/* ---- what a caller may not ask for --------------------------------------- */

static bool order_too_large(const struct request *rq, const struct machine *m)
{
	return rq->order > m->max_page_order;
}

/* __GFP_NOFAIL asks for something that nobody can promise: without reclaim, or of many pages. */
static bool nofail_misused(const struct request *rq, const struct machine *m)
{
	(void)m;
	return rq->gfp & __GFP_NOFAIL;
}

static bool both_mobilities(const struct request *rq, const struct machine *m)
{
	(void)m;
	return !(~rq->gfp & (__GFP_MOVABLE | __GFP_RECLAIMABLE));
}

/* A range becomes one compound page only if it is one aligned block. */
static bool compound_range(const struct request *rq, const struct machine *m)
{
	(void)m;
	return rq->gfp & __GFP_COMP && REQUEST_BIT(rq->kind) & (REQUEST_BIT(REQUEST_CONTIG_RANGE) |
								REQUEST_BIT(REQUEST_CONTIG_PAGES));
}

/* Each is a WARN of its own in the kernel; what else goes wrong in such a request is left to others. */
static bool (*const callers_faults[])(const struct request *rq, const struct machine *m) = {
	order_too_large,
	nofail_misused,
	both_mobilities,
	compound_range,
};

static bool allocates(const struct request *rq)
{
	return REQUEST_BIT(rq->kind) &
	       (REQUEST_BIT(REQUEST_ALLOC) | REQUEST_BIT(REQUEST_NOLOCK) |
		REQUEST_BIT(REQUEST_BULK) | REQUEST_BIT(REQUEST_CONTIG_RANGE) |
		REQUEST_BIT(REQUEST_CONTIG_PAGES));
}

static bool is_callers_fault(const struct trouble *t)
{
	const struct request *rq = t->request;
	bool fault = false;

	for (u32 i = 0; rq && allocates(rq) && i < ARRAY_SIZE(callers_faults); i++)
		fault |= callers_faults[i](rq, t->view->machine);
	return fault;
}

/* ---- the properties ------------------------------------------------------ */

static int kernel_warn(const struct trouble *t, char why[WHY_SIZE])
{
	if (t->kind != TROUBLE_WARN)
		return VERDICT_MEANINGLESS;
	if (is_callers_fault(t))
		return VERDICT_EXCUSED;
	return breaks(why, "WARN at %s", t->text);
}

const struct property prop_kernel_warn = {
	.id = "kernel-warn",
	.rule = "the kernel",
	.sentence =
		"No WARN or VM_WARN fires, except where a request asks for too much order, NOFAIL, "
		"both mobilities or a compound range.",
	.needs = "reports",
	.promise = PROMISE_KERNEL,
	.trouble = kernel_warn,
};

static int kernel_bad_page(const struct trouble *t, char why[WHY_SIZE])
{
	if (t->kind != TROUBLE_BAD_PAGE)
		return VERDICT_MEANINGLESS;
	return breaks(why, "bad page: %s", t->text);
}

const struct property prop_kernel_bad_page = {
	.id = "kernel-bad-page",
	.rule = "the kernel",
	.sentence = "No page that is freed or handed out is reported as bad.",
	.needs = "reports",
	.promise = PROMISE_KERNEL,
	.trouble = kernel_bad_page,
};

static int kernel_bug(const struct trouble *t, char why[WHY_SIZE])
{
	if (t->kind != TROUBLE_BUG)
		return VERDICT_MEANINGLESS;
	return breaks(why, "%s", t->text);
}

const struct property prop_kernel_bug = {
	.id = "kernel-bug",
	.rule = "the kernel",
	.sentence = "No BUG or VM_BUG_ON is hit, no lock is taken twice, and no invalid memory is "
		    "accessed.",
	.needs = "reports",
	.promise = PROMISE_KERNEL,
	.trouble = kernel_bug,
};
