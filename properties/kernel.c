/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a real kernel reports of itself is a failure, unless the caller has asked for it. The port tells of
 * warnings, too (EV_WARN), which these leave out: they are a part of its answers, and compared in lock step.
 */
#include <string.h>

#include "model/gfp.h"
#include "properties/step.h"
#include "properties/list.h"
#include "properties/walk.h"

/* ---- what a caller may not ask for --------------------------------------- */

static bool order_too_large(const struct request *rq, const struct view *v)
{
	return rq->order > v->machine->max_page_order;
}

/* __GFP_NOFAIL asks for something that nobody can promise: without reclaim, or of many pages. */
static bool nofail_misused(const struct request *rq, const struct view *v)
{
	(void)v;
	return rq->gfp & __GFP_NOFAIL;
}

static bool both_mobilities(const struct request *rq, const struct view *v)
{
	(void)v;
	return !(~rq->gfp & (__GFP_MOVABLE | __GFP_RECLAIMABLE));
}

/* A range becomes one compound page only if it is one aligned block. */
static bool compound_range(const struct request *rq, const struct view *v)
{
	(void)v;
	return rq->gfp & __GFP_COMP;
}

/* Who calls without locks may ask for memcg accounting and no more. */
static bool nolock_with_gfp(const struct request *rq, const struct view *v)
{
	(void)v;
	return rq->gfp & ~__GFP_ACCOUNT;
}

/* No page cache makes folios on the LRU that are larger than a pageblock; a case can. */
static bool movable_is_too_large(const struct request *rq, const struct view *v)
{
	(void)rq;
	for (u32 pfn = 0; pfn < v->nr_pages; pfn++) {
		const struct page *page = &v->pages[pfn];

		if (page->flags & PG_HEAD && page->flags & (PG_LRU | PG_MOVABLE_OPS) &&
		    page->compound_order > v->machine->pageblock_order)
			return true;
	}
	return false;
}

#define ALLOCATES                                                                               \
	(REQUEST_BIT(REQUEST_ALLOC) | REQUEST_BIT(REQUEST_NOLOCK) | REQUEST_BIT(REQUEST_BULK) | \
	 CONTIG)
#define CONTIG (REQUEST_BIT(REQUEST_CONTIG_RANGE) | REQUEST_BIT(REQUEST_CONTIG_PAGES))

/*
 * Which WARN of 7.3.4 it is, and what the op must have been. Some say "1" for a condition (WARN_ON_ONCE_GFP,
 * VM_WARN_ON_ONCE_PAGE).
 * Releases whose WARNs do not say their condition are only known by the file.
 */
static const struct {
	const char *file, *says; /* begins with */
	u32 requests;
	bool (*fault)(const struct request *rq, const struct view *v);
} callers_faults[] = {
	{"mm/page_alloc.c", "1", ALLOCATES, order_too_large},
	{"mm/page_alloc.c", "1", ALLOCATES, nofail_misused},
	{"mm/page_alloc.c", "!can_direct_reclaim", ALLOCATES, nofail_misused},
	{"mm/page_alloc.c", "current->flags & PF_MEMALLOC", ALLOCATES, nofail_misused},
	{"mm/page_alloc.c", "gfp & ~(", REQUEST_BIT(REQUEST_NOLOCK), nolock_with_gfp},
	{"mm/page_alloc.c", "gfp_mask & ", CONTIG, compound_range},
	{"mm/page_alloc.c", "(gfp_mask & ", CONTIG, compound_range},
	{"mm/page_alloc.c", "PFN range: requested ", CONTIG, compound_range},
	{"include/linux/gfp.h", "", ALLOCATES, both_mobilities},
	{"mm/page_isolation.c", "1", CONTIG | REQUEST_BIT(REQUEST_ISOLATE), movable_is_too_large},
};

static bool begins_with(const char *text, const char *start)
{
	return !strncmp(text, start, strlen(start));
}

/* @text: "file:line says". */
static bool is_place(const char *text, const char *file, const char *says)
{
	const char *said = strchr(text, ' ');

	if (!begins_with(text, file) || text[strlen(file)] != ':')
		return false;
	return !said || !said[1] || begins_with(said + 1, says);
}

static bool is_callers_fault(const struct trouble *t)
{
	const struct request *rq = t->request;

	for (u32 i = 0; rq && i < ARRAY_SIZE(callers_faults); i++)
		if (callers_faults[i].requests & REQUEST_BIT(rq->kind) &&
		    is_place(t->text, callers_faults[i].file, callers_faults[i].says) &&
		    callers_faults[i].fault(rq, t->view))
			return true;
	return false;
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
	.sentence = "No WARN or VM_WARN fires, list corruption included, except the very one that "
		    "tells "
		    "a caller of its mistake.",
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
