/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Playing a case on a subject: resolves slots to pages, keeps the book of what is
 * handed out, follows what the environment frees and moves, compares with what the
 * case expects, and judges by the properties.
 */
#ifndef HARNESS_RUN_H
#define HARNESS_RUN_H

#include "harness/book.h"
#include "harness/case.h"
#include "harness/subject.h"
#include "properties/properties.h"

enum check_strength {
	CHECK_NONE,
	CHECK_END, /* whole-state self-check at the end of the case */
	CHECK_EACH, /* and after each op */
};

enum finding_kind {
	FINDING_NONE,
	FINDING_DIVERGENCE, /* not what the case expects */
	FINDING_VIOLATION, /* a property fails */
};

#define STEP_MACHINE UINT32_MAX

/* The first thing that went wrong in a run. */
struct finding {
	enum finding_kind kind;
	u32 step; /* op index; nr_ops: the final state; STEP_MACHINE: the state after boot */
	char text[1024]; /* "expected 4096, got 8", "free-list-type: ..." */
	struct violation violation; /* FINDING_VIOLATION */
};

struct run {
	const struct testcase *c;
	struct subject *subject;
	enum check_strength strength;
	u32 step; /* next op */
	u32 nr_skipped; /* ops that had no object */
	u32 nr_warnings; /* WARNs that the kernel would have fired */
	u32 nr_divergences, nr_violations;
	struct finding first; /* the first finding */
	/* Of the op played last; of several extents pfn is the first one's, or PFN_NONE. */
	struct result result;
	struct op_report report;

	struct book book; /* what the case holds */
	struct walk *walk; /* scratch of check_moment(); NULL with CHECK_NONE */
	struct drained *drained; /* [nr_drained], room for each pcp of the machine */
	u32 nr_drained;
	u32 next_expect; /* in c->expects */
	struct observer observer; /* ours; forwards to listener */
	const struct observer *listener;
};

/*
 * Begin to play @c on @subject, which must be freshly reset, made for c->machine and able to play
 * it (run_can_play()); what the case says of the machine is compared at once. @listener (may be
 * NULL) sees the events as well. @r must stay where it is until run_free().
 */
void run_init(struct run *r, const struct testcase *c, struct subject *subject,
	      enum check_strength strength, const struct observer *listener);
/* Another listener from now on, or NULL. */
void run_listen(struct run *r, const struct observer *listener);
/* Play the next op; false when there is none left or (stop at the first) a finding was made. */
bool run_step(struct run *r);
/* The rest of the ops, then (without a finding) the final state. Returns the number of findings. */
u32 run_finish(struct run *r);
void run_free(struct run *r);

/* NULL, or why @subject cannot play @c at all: "not played by this subject". */
const char *run_can_play(const struct testcase *c, const struct subject *subject);

/* The current moment, for properties and tools. */
struct moment run_moment(const struct run *r);

#endif
