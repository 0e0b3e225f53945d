/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A subject that allocates nothing: it writes down what it is asked, gives the
 * answers that the test has laid out, and reports the events that the test wants.
 */
#ifndef HARNESS_TESTS_FAKE_SUBJECT_H
#define HARNESS_TESTS_FAKE_SUBJECT_H

#include "harness/subject.h"
#include "harness/tests/fake_view.h"

#define FAKE_MAX_CALLS 64

struct fake_call {
	struct call call;
	u32 pfns[FAKE_PAGES]; /* copies of what call.pfns and call.orders showed */
	u8 orders[FAKE_PAGES];
};

struct fake_subject {
	struct subject subject; /* first */
	struct fake_view v;
	struct fake_call calls[FAKE_MAX_CALLS];
	u32 nr_calls;
	u32 begun, ended; /* ops */
	/* What allocations return, in this order; then PFN_NONE. */
	u32 pfns[FAKE_PAGES];
	u32 nr_pfns, next_pfn;
	s32 error; /* of calls that return one */
	/* Reported at the beginning of call number .call (counted from 0), or of end_op. */
	struct {
		u32 call;
		struct event event;
	} events[8];
	u32 nr_events;
	struct op_report report; /* of every op */
	const struct observer *observer;
};

#define FAKE_AT_END UINT32_MAX

void fake_subject_init(struct fake_subject *f);
/* The next allocation returns @pfn. */
void fake_give(struct fake_subject *f, u32 pfn);
void fake_event(struct fake_subject *f, u32 call, struct event event);

#endif
