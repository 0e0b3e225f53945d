/* SPDX-License-Identifier: GPL-2.0-only */
/* Comparing with what the case expects, and judging by the properties. */
#include "harness/run_expect.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/state_text.h"
#include "harness/text.h"
#include "properties/list.h"

/* The text of a finding if it is the first one, else a place to write to in vain. */
static struct finding *new_finding(struct run *r, enum finding_kind kind, u32 step)
{
	if (kind == FINDING_DIVERGENCE)
		r->nr_divergences++;
	else
		r->nr_violations++;
	if (r->first.kind)
		return NULL;
	r->first.kind = kind;
	r->first.step = step;
	return &r->first;
}

__attribute__((format(printf, 3, 4))) static void diverge(struct run *r, u32 step,
							  const char *format, ...)
{
	struct finding *finding = new_finding(r, FINDING_DIVERGENCE, step);
	va_list args;

	if (!finding)
		return;
	va_start(args, format);
	vsnprintf(finding->text, sizeof(finding->text), format, args);
	va_end(args);
}

static void violate(struct run *r, u32 step, const struct violation *violation)
{
	struct finding *finding = new_finding(r, FINDING_VIOLATION, step);

	if (r->each_violation)
		r->each_violation(r->each_violation_ctx, step, violation);
	if (!finding)
		return;
	finding->violation = *violation;
	snprintf(finding->text, sizeof(finding->text), "%s: %s", violation->property->id,
		 violation->why);
}

/* ---- one op -------------------------------------------------------------- */

static const char *pfn_text(u32 pfn, char buf[16])
{
	snprintf(buf, 16, "%u", pfn);
	return pfn == PFN_NONE ? "none" : buf;
}

static void expect_result(struct run *r, const struct expect *e)
{
	char want[16], got[16];

	if (e->pfn != r->result.pfn)
		diverge(r, r->step, "expected %s, got %s", pfn_text(e->pfn, want),
			pfn_text(r->result.pfn, got));
}

static void expect_calls(struct run *r, const struct expect *e)
{
	const u32 *calls = r->report.calls;

	if (e->wakes == r->report.kswapd_wakes && e->reclaim == calls[ENV_RECLAIM] &&
	    e->compact == calls[ENV_COMPACT] && e->oom == calls[ENV_OOM])
		return;
	diverge(r, r->step,
		"expected kswapd %u reclaim %u compact %u oom %u, "
		"got kswapd %u reclaim %u compact %u oom %u",
		e->wakes, e->reclaim, e->compact, e->oom, r->report.kswapd_wakes,
		calls[ENV_RECLAIM], calls[ENV_COMPACT], calls[ENV_OOM]);
}

/* The allocator handed out what it had handed out before, or no page at all (rule 10.1). */
static void expect_no_clash(struct run *r)
{
	struct violation violation;

	if (r->book.clash == PFN_NONE)
		return;
	violation.property = &prop_partition;
	snprintf(violation.why, sizeof(violation.why), "page %u was handed out %s", r->book.clash,
		 r->book.clash < r->book.nr_pages ? "while it was held or ran into held pages"
						  : "but there is no such page");
	violate(r, r->step, &violation);
	r->book.clash = PFN_NONE;
}

void expect_op(struct run *r)
{
	const struct testcase *c = r->c;

	for (; r->next_expect < c->nr_expects && c->expects[r->next_expect].op <= r->step;
	     r->next_expect++) {
		const struct expect *e = &c->expects[r->next_expect];

		if (e->has_result)
			expect_result(r, e);
		if (e->has_calls)
			expect_calls(r, e);
	}
	expect_no_clash(r);
}

static void take_violations(struct run *r, u32 step)
{
	u32 nr = judge_nr_violations(r->judge), i;
	const struct violation *violation;

	if (!nr)
		return;
	for (i = 0; (violation = judge_violation(r->judge, i)); i++)
		violate(r, step, violation);
	r->nr_violations += nr - i;
	judge_reset(r->judge);
}

static void judge_moment_at(struct run *r, u32 step, const struct written *written)
{
	struct moment now = run_moment(r);

	now.written = written;
	now.changed = r->book.changed;
	now.nr_changed = r->book.nr_changed;
	judge_moment(r->judge, r->walk, &now);
	take_violations(r, step);
}

void judge_state(struct run *r, u32 step)
{
	judge_moment_at(r, step, NULL);
}

void judge_op(struct run *r)
{
	/* What has died is in the middle of something. */
	if (r->strength == CHECK_EACH && !r->died) {
		judge_state(r, r->step);
	} else if (r->strength == CHECK_WRITTEN && !r->died && r->subject->ops->written) {
		judge_moment_at(r, r->step, r->subject->ops->written(r->subject));
	} else if (r->judge) {
		take_violations(r, r->step);
	}
	book_seen(&r->book);
}

/* ---- lines of a state ---------------------------------------------------- */

static struct word next_word(struct text *t)
{
	struct word w = {.s = "", .len = 0};

	text_word(t, &w);
	return w;
}

static bool same_word(struct word a, struct word b)
{
	return a.len == b.len && !memcmp(a.s, b.s, a.len);
}

/* Where two lines part. */
struct parting {
	struct word want, got; /* "nothing" at the end of a line */
	struct word label; /* the word before */
	u32 nr_same; /* words */
	u32 entry; /* number of a list's entry, from 1; 0: no list, or before its ":" */
	int name_len; /* of "zone 0 DMA32", "final zone 0 DMA32" */
};

static struct word or_nothing(struct word w)
{
	return w.len ? w : (struct word){.s = "nothing", .len = strlen("nothing")};
}

/* False: the lines are the same. */
static bool lines_part(const char *want, const char *got, struct parting *p)
{
	const u32 name_words = strncmp(want, "final", 5) ? 3 : 4;
	char err[CASE_ERROR_SIZE];
	struct text w, g;

	text_init(&w, "", want, strlen(want), err);
	text_init(&g, "", got, strlen(got), err);
	text_line(&w);
	text_line(&g);
	*p = (struct parting){0};
	for (;; p->label = p->want, p->nr_same++) {
		if (p->entry || word_is(p->label, ":"))
			p->entry++;
		p->want = next_word(&w);
		p->got = next_word(&g);
		if (!same_word(p->want, p->got))
			break;
		if (!p->want.len)
			return false;
		if (p->nr_same < name_words)
			p->name_len = (int)(p->want.s + p->want.len - want);
	}
	p->want = or_nothing(p->want);
	p->got = or_nothing(p->got);
	return true;
}

/*
 * "freelist 0 DMA32 order 2 mt 0: entry 3: expected 428, got 440", "zone 0 DMA32: min: expected
 * 24, got 23". Lines with different names are shown whole.
 */
static void line_diverges(struct run *r, u32 step, const char *want, const char *got)
{
	const char *colon = strstr(want, " :");
	struct parting p;

	if (!lines_part(want, got, &p))
		return;
	if (p.entry && colon)
		diverge(r, step, "%.*s: entry %u: expected %.*s, got %.*s", (int)(colon - want),
			want, p.entry, (int)p.want.len, p.want.s, (int)p.got.len, p.got.s);
	else if (p.nr_same >= 4 && !colon)
		diverge(r, step, "%.*s: %.*s: expected %.*s, got %.*s", p.name_len, want,
			(int)p.label.len, p.label.s, (int)p.want.len, p.want.s, (int)p.got.len,
			p.got.s);
	else
		diverge(r, step, "expected \"%s\", got \"%s\"", want, got);
}

/* Compare the lines of @got, which this cuts up, with those that are expected, one by one. */
static void expect_lines(struct run *r, u32 step, char *const *want, u32 nr, char *got)
{
	for (u32 i = 0; i < nr || *got; i++) {
		char *line = got;

		got += strcspn(got, "\n");
		if (*got)
			*got++ = '\0';
		line_diverges(r, step, i < nr ? want[i] : "", line);
	}
}

void expect_machine(struct run *r)
{
	char *got;

	if (!r->c->nr_boot)
		return;
	got = text_of(write_boot_state, r->subject->ops->view(r->subject));
	expect_lines(r, STEP_MACHINE, r->c->boot, r->c->nr_boot, got);
	free(got);
}

void expect_final(struct run *r)
{
	char *got = NULL;
	size_t size;
	FILE *out;

	if (!r->c->nr_final)
		return;
	out = open_text(&got, &size);
	write_final_state(out, r->subject->ops->view(r->subject));
	if (r->nr_warnings)
		fprintf(out, "warnings %u\n", r->nr_warnings);
	close_text(out);
	expect_lines(r, r->c->nr_ops, r->c->final, r->c->nr_final, got);
	free(got);
}
