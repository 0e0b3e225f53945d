/* SPDX-License-Identifier: GPL-2.0-only */
/* Following some pages through a run. */
#include "harness/touched.h"

#include <string.h>

#include "harness/text.h"

/* ---- the pages ----------------------------------------------------------- */

static void add_range(struct touched *t, u32 start, u32 end)
{
	for (u32 i = 0; i < t->nr; i++) {
		if (t->ranges[i].start == start && t->ranges[i].end == end)
			return;
	}
	if (t->nr < ARRAY_SIZE(t->ranges))
		t->ranges[t->nr++] = (struct touched_range){
			.start = start, .end = end, .ops = {TOUCHED_NOBODY, TOUCHED_NOBODY}};
}

/* The digits at the start of @w are its number; false: there are none. */
static bool take_number(struct word *w, u32 *number)
{
	size_t n = 0;

	while (n < w->len && w->s[n] >= '0' && w->s[n] <= '9')
		n++;
	if (!word_u32((struct word){.s = w->s, .len = n}, number))
		return false;
	w->s += n;
	w->len -= n;
	return true;
}

/* @w is what stands behind a word that announces pages: "8", "8..15", "8,". */
static void read_range(struct touched *t, const struct view *view, struct word w, bool block)
{
	u32 first, last;

	if (!take_number(&w, &first))
		return;
	last = block ? first + BIT(t->pageblock_order) - 1 : first;
	if (w.len > 2 && !memcmp(w.s, "..", 2)) {
		w.s += 2;
		w.len -= 2;
		take_number(&w, &last);
	}
	if (first < view->nr_pages && first <= last)
		add_range(t, first, min_u32(last, view->nr_pages - 1) + 1);
}

static bool announces_pages(struct word w)
{
	static const char *const words[] = {"page", "pages", "buddy", "block", "remainder"};

	return word_index(w, words, ARRAY_SIZE(words)) < ARRAY_SIZE(words);
}

/* ---- who touches them ---------------------------------------------------- */

static void touch(struct touched *t, u32 start, u32 end)
{
	for (u32 i = 0; i < t->nr; i++) {
		struct touched_range *range = &t->ranges[i];

		if (start >= range->end || end <= range->start || range->ops[0] == t->op)
			continue;
		range->ops[1] = range->ops[0];
		range->ops[0] = t->op;
	}
}

#define PAGE_EVENTS                                                                             \
	(EV_BIT(EV_MM_PAGE_ALLOC) | EV_BIT(EV_MM_PAGE_FREE) | EV_BIT(EV_MM_PAGE_FREE_BATCHED) | \
	 EV_BIT(EV_MM_PAGE_PCPU_DRAIN) | EV_BIT(EV_MM_PAGE_ALLOC_ZONE_LOCKED) |                 \
	 EV_BIT(EV_MM_PAGE_ALLOC_EXTFRAG) | EV_BIT(EV_UNRESERVE_HIGHATOMIC) |                   \
	 EV_BIT(EV_RESERVE_HIGHATOMIC) | EV_BIT(EV_CAPTURE) | EV_BIT(EV_ENV_FREED) |            \
	 EV_BIT(EV_ENV_MOVED))

static void touched_event(void *ctx, const struct event *e)
{
	struct touched *t = ctx;
	u32 order = e->order > 0 ? (u32)e->order : 0;
	u32 start = e->pfn;

	if (start == PFN_NONE)
		return;
	if (e->type == EV_ENV_MOVED)
		touch(t, e->a, e->a + BIT(order));
	/* The rest of the buddy that was found changes lists as well, in a claim its whole block. */
	if (e->type == EV_MM_PAGE_ALLOC_EXTFRAG) {
		order = e->gfp ? max_u32(e->a, t->pageblock_order) : e->a;
		start = align_down(start, BIT(order));
	}
	touch(t, start, start + BIT(order));
}

void touched_init(struct touched *t, const char *text, const struct view *view)
{
	char err[CASE_ERROR_SIZE];
	struct text words;
	struct word w, last = {0};

	*t = (struct touched){
		.pageblock_order = view->machine->pageblock_order,
		.observer = {.event = touched_event, .ctx = t, .mask = PAGE_EVENTS},
	};
	text_init(&words, "", text, strlen(text), err);
	text_line(&words);
	while (text_word(&words, &w)) {
		if (announces_pages(last))
			read_range(t, view, w, word_is(last, "block"));
		last = w;
	}
}

/* Ops that touch pages without an event. */
void touched_op(struct touched *t, const struct run *r)
{
	const struct op *op = &r->c->ops[r->step];
	const struct object *object;

	t->op = r->step;
	if (op->kind == OP_ISOLATE || op->kind == OP_UNISOLATE || op->kind == OP_CONTIG_RANGE)
		touch(t, op->a, op->b);
	if (op->kind != OP_MARK && op->kind != OP_GET)
		return;
	object = &r->book.objects[op->a];
	for (u32 i = 0; i < object->nr; i++) {
		const struct extent *e = &r->book.extents[object->first + i];

		if (extent_live(e))
			touch(t, e->pfn, e->pfn + BIT(e->order));
	}
}
