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
#include "properties/judge.h"

enum check_strength {
	CHECK_NONE, /* no properties */
	/* Every op and decision; after each op what it has written to; the whole state at the end. */
	CHECK_WRITTEN,
	CHECK_EACH, /* the whole state after each op */
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
	struct subject judged; /* the same for callers/, who call through it (run_call.h) */
	enum check_strength strength;
	bool begun; /* the machine, as it boots, has been looked at */
	u32 step; /* next op */
	u32 nr_skipped; /* ops that had no object; nested ones whose point did not come */
	u32 nr_warnings; /* WARNs that the kernel would have fired */
	u32 nr_divergences, nr_violations;
	struct finding first; /* the first finding */
	/* Of the op played last; of several extents pfn is the first one's, or PFN_NONE. */
	struct result result;
	struct op_report report;

	struct book book; /* what the case holds */
	struct judge *judge; /* NULL with CHECK_NONE, as the next */
	struct walk *walk; /* what is known of the state (judge_moment()) */
	struct drained *drained; /* [nr_drained], room for each pcp of the machine */
	u32 nr_drained;
	const struct request *request; /* the call that runs, the innermost one; NULL: none */
	bool out_of_fuel; /* the call that runs was ended by the machine's fuel */
	u32 next_expect; /* in c->expects */
	struct nester nester; /* of an op that holds others (run_nested.h) */
	u32 next_nested[NR_NEST_POINTS]; /* from here on in the op's list */
	bool in_nested; /* one of them runs */
	bool died; /* the subject has reported that it cannot go on */
	struct observer observer; /* ours; forwards to listener */
	const struct observer *listener;
	/* Called with every violation, after which the run goes on; NULL: it ends there. */
	void (*each_violation)(void *ctx, u32 step, const struct violation *violation);
	void *each_violation_ctx;
};

/*
 * Begin to play @c on @subject, which must be freshly reset, made for c->machine and able to play
 * it (run_can_play()). @listener (may be NULL) sees the events as well. @r must stay where it is
 * until run_free().
 */
void run_init(struct run *r, const struct testcase *c, struct subject *subject,
	      enum check_strength strength, const struct observer *listener);
/*
 * Begin another case on the same machine: the subject must be freshly reset. Memory and the
 * properties' counts are kept, which makes this much cheaper than run_free() and run_init().
 */
void run_again(struct run *r, const struct testcase *c);
/* Another listener from now on, or NULL. */
void run_listen(struct run *r, const struct observer *listener);
/* Properties that count as promised, whatever the subject's policy says; [nr_properties]. */
void run_promise(struct run *r, const bool *promised);
/*
 * Look at the machine as it boots, once; then play the next op. False: there is none left, or a
 * finding was made, which ends the run.
 */
bool run_step(struct run *r);
/* The rest of the ops, then (without a finding) the final state. Returns the number of findings. */
u32 run_finish(struct run *r);
void run_free(struct run *r);

/* NULL, or why @subject cannot play @c at all: what was expected. */
const char *run_can_play(const struct testcase *c, const struct subject *subject);

/* The current moment, for properties and tools. */
struct moment run_moment(const struct run *r);

#endif
