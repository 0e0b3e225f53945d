/* SPDX-License-Identifier: GPL-2.0-only */
/* A subject that writes down its calls. */
#include "harness/tests/fake_subject.h"

#include <stdlib.h>
#include <string.h>

static struct fake_subject *fake(struct subject *s)
{
	return (struct fake_subject *)s;
}

static u32 take_pfn(struct fake_subject *f)
{
	return f->next_pfn < f->nr_pfns ? f->pfns[f->next_pfn++] : PFN_NONE;
}

static void report_events(struct fake_subject *f, u32 call)
{
	for (u32 i = 0; i < f->nr_events; i++) {
		const struct event *event = &f->events[i].event;

		if (f->events[i].call == call && f->observer &&
		    (f->observer->mask & EV_BIT(event->type)))
			f->observer->event(f->observer->ctx, event);
	}
}

static void fake_reset(struct subject *s)
{
	fake(s)->nr_calls = 0;
	fake(s)->next_pfn = 0;
}

static void fake_begin_op(struct subject *s, const struct answer *answers, u32 nr)
{
	(void)answers;
	(void)nr;
	fake(s)->begun++;
}

static void note_call(struct fake_subject *f, const struct call *call)
{
	struct fake_call *note = &f->calls[f->nr_calls];

	if (f->nr_calls == FAKE_MAX_CALLS)
		abort();
	note->call = *call;
	if (call->pfns)
		memcpy(note->pfns, call->pfns, call->nr * sizeof(u32));
	if (call->orders)
		memcpy(note->orders, call->orders, call->nr);
	f->nr_calls++;
}

static void fake_apply(struct subject *s, const struct call *call, struct result *result)
{
	struct fake_subject *f = fake(s);

	report_events(f, f->nr_calls);
	note_call(f, call);
	*result = (struct result){.pfn = PFN_NONE, .error = f->error};
	switch (call->kind) {
	case OP_ALLOC:
	case OP_ALLOC_NOLOCK:
	case OP_CONTIG_PAGES:
		result->pfn = take_pfn(f);
		break;
	case OP_ALLOC_BULK:
		for (u32 i = 0; i < call->nr; i++) {
			if (call->pfns[i] == PFN_NONE)
				call->pfns[i] = take_pfn(f);
			result->nr += call->pfns[i] != PFN_NONE;
		}
		break;
	}
}

static void fake_end_op(struct subject *s, struct op_report *report)
{
	report_events(fake(s), FAKE_AT_END);
	fake(s)->ended++;
	*report = fake(s)->report;
}

static void fake_observe(struct subject *s, const struct observer *observer)
{
	fake(s)->observer = observer;
}

static const struct view *fake_get_view(struct subject *s)
{
	return &fake(s)->v.view;
}

static void fake_destroy(struct subject *s)
{
	(void)s;
}

static const struct subject_ops fake_ops = {
	.reset = fake_reset,
	.begin_op = fake_begin_op,
	.apply = fake_apply,
	.end_op = fake_end_op,
	.observe = fake_observe,
	.view = fake_get_view,
	.destroy = fake_destroy,
};

void fake_subject_init(struct fake_subject *f)
{
	memset(f, 0, sizeof(*f));
	f->subject.ops = &fake_ops;
	fake_view_init(&f->v);
}

void fake_give(struct fake_subject *f, u32 pfn)
{
	f->pfns[f->nr_pfns++] = pfn;
}

void fake_event(struct fake_subject *f, u32 call, struct event event)
{
	f->events[f->nr_events].call = call;
	f->events[f->nr_events++].event = event;
}
