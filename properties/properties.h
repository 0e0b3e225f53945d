/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Properties: named rules that every step of a run is judged by. They compute
 * everything from the view and from what the harness itself handed out and freed;
 * they call nothing in model/ and read no verdict of the subject.
 */
#ifndef PROPERTIES_PROPERTIES_H
#define PROPERTIES_PROPERTIES_H

#include "model/event.h"
#include "model/written.h"
#include "model/view.h"

/* What the caller of the allocator holds, one byte for each PFN. */
#define HELD_NONE 0U
#define HELD_ORDER(h) (((h) & 0x1fU) - 1U) /* of the extent that begins here */
#define HELD_COMPOUND 0x80U /* allocated with __GFP_COMP, or a hugetlb folio */
#define HELD_CONTIG 0x40U /* from a contig allocation: its first page may have any alignment */
#define HELD(order) ((u8)((order) + 1U))

/* The input of a judgement, at a moment when no lock is held (between ops). */
struct moment {
	const struct view *view;
	const u8 *held; /* [view->nr_pages], at the first page of each extent */
	/* Free buddies that an unreserve_highatomic event re-listed unmerged (rule 10):
	 * one byte for each PFN, set at such heads until the buddy is taken or merged. */
	const u8 *unmerged;
	/* The step just played drained this (rule 33); else nr_drained is 0. */
	struct drained {
		u32 zone, cpu;
	} const *drained;
	u32 nr_drained;
	/*
	 * What was changed in the view since the last judgement, and the pages where held has
	 * changed; written NULL: all of it is to be judged.
	 */
	const struct written *written;
	const u32 *changed;
	u32 nr_changed;
};

/* The memory of a judgement, and what it has gathered (walk.h). */
struct walk;

/* For all views of @view's machine; NULL without memory. */
struct walk *walk_create(const struct view *view);
void walk_destroy(struct walk *walk);
/* Remember what the last judgement has gathered, if all held. */
void walk_mark(struct walk *walk);
/* Go back to it, at the cost of what has changed since. False: nothing is remembered. */
bool walk_rewind(struct walk *walk);

#define WHY_SIZE 240

struct violation {
	const struct property *property;
	char why[WHY_SIZE]; /* the facts that contradict each other, with PFNs */
};

/* Who promises a property; a subject that promises nothing of these is only counted. */
enum promise {
	PROMISE_ALL = 1U << 0, /* every policy, every release */
	PROMISE_V1 = 1U << 1,
	PROMISE_V2 = 1U << 2,
	PROMISE_NOT_V1 = 1U << 3, /* 7.3.4 promises it, V1 takes it back */
	PROMISE_NOT_V2 = 1U << 4,
	PROMISE_TWOPASS = 1U << 5, /* contig_valid=twopass */
	PROMISE_HUGESKIP = 1U << 6, /* contig_valid=hugeskip */
	PROMISE_MODES = 1U << 8, /* fallback=D: a batch remembers what it had to do */
	PROMISE_CLAIMS =
		1U << 9, /* fallback=C, D: claim from the largest, else steal from the smallest */
	PROMISE_HYGIENE = 1U << 10, /* fallback=B, C, D: lists have the types of their blocks */
	PROMISE_KERNEL = 1U << 7, /* a real kernel, which watches itself */
	/*
	 * What the port does, and not every release (spec 9, 10); a kernel says which of it it has.
	 */
	PROMISE_ACCOUNTS = 1U << 18, /* each change of a free list, at once, and each free: 6.12 */
	PROMISE_FREE_HIGHATOMIC = 1U << 11, /* free HighAtomic pages are counted: 6.12 */
	PROMISE_FREE_BLOCKS = 1U << 12, /* free whole blocks are counted: 6.15 */
	PROMISE_TUNED_PCP = 1U << 13, /* pcp limits move, frees and refills adapt: 6.12 */
	PROMISE_FREES_IN_STEPS = 1U << 14, /* a free gives back all that is due: 7.x */
	PROMISE_ISOLATE_BIT = 1U << 15, /* isolation leaves a block its type: 7.x */
	PROMISE_SLOW_7X = 1U << 16, /* the slow path of 7.2 and 7.3 */
	PROMISE_SLOW_73 = 1U << 17, /* what only 7.3 has of it */
};
/* What the port promises with every policy. */
#define PROMISE_PORT                                                                          \
	(PROMISE_ALL | PROMISE_ACCOUNTS | PROMISE_FREE_HIGHATOMIC | PROMISE_FREE_BLOCKS |     \
	 PROMISE_TUNED_PCP | PROMISE_FREES_IN_STEPS | PROMISE_ISOLATE_BIT | PROMISE_SLOW_7X | \
	 PROMISE_SLOW_73)

/* What an allocator reports of itself. */
enum trouble_kind {
	TROUBLE_WARN, /* it goes on */
	TROUBLE_BAD_PAGE, /* a page that is freed or handed out is not as it should be; it goes on */
	TROUBLE_BUG, /* it cannot go on */
};

struct request;

struct trouble {
	enum trouble_kind kind;
	const struct view *view;
	const struct request *request; /* the call that it came from; NULL: between calls */
	char text[120]; /* "mm/page_alloc.c:123 ", and what it says if it does */
};

struct step;
struct decision;

/*
 * Where a property of steps or decisions wants to be asked at all: never less than where it has something
 * to say, but cheap to see. All of its bits must hold.
 */
enum only {
	/* The first page of a lock hold, or the end of a pass that got one without any lock. */
	ONLY_FIRST = 1U << 0,
	ONLY_LATER = 1U << 1,
	ONLY_TAKE = 1U << 2, /* a page is taken off the free lists (decision.take) */
	ONLY_NOFRAGMENT = 1U << 3, /* ... for a pass with that flag */
	ONLY_NORETRY = 1U << 4, /* in the gfp of the pass or the request */
	ONLY_AFTER_STEAL = 1U << 5, /* under the same lock */
	ONLY_CMA = 1U << 6, /* the zone has CMA pages */
	ONLY_ISOLATED = 1U << 7, /* it had isolated blocks */
	ONLY_HIGHATOMIC = 1U << 8, /* it had free HighAtomic pages */
	/* What few decisions are. */
	ONLY_RARE = ONLY_NOFRAGMENT | ONLY_NORETRY | ONLY_AFTER_STEAL | ONLY_CMA | ONLY_ISOLATED |
		    ONLY_HIGHATOMIC,
	/* A property of steps: */
	ONLY_SLOW = 1U << 9, /* the fast path of the request got no page (step.slow) */
};

/*
 * What a property of states judges: one at a time, so that it has nothing to say where there is none to be judged.
 */
enum judges {
	JUDGES_ENTRIES = 1U << 0, /* and the pages that begin none */
	JUDGES_ZONES = 1U << 1,
};

/*
 * A property of states has holds(), of ops step(), of decisions under a lock decision(), of what an
 * allocator says of itself trouble(); one of the four. A step or decision property is asked only for the
 * requests and events that it names.
 */
struct property {
	const char *id; /* "free-list-type" */
	const char *rule; /* "spec 10.8" */
	const char *sentence;
	const char *needs; /* "view", "view, held", "public", "view, inner" */
	u32 promise; /* enum promise, any of them; 0: nobody promises it, it is only counted */
	/* True if it holds; otherwise why is filled in. */
	bool (*holds)(const struct walk *walk, char why[WHY_SIZE]);
	u32 judges; /* enum judges, one of them; 0: it is always asked */
	/* enum verdict; asked at the end of each op whose kind is in requests (REQUEST_BIT). */
	u32 requests;
	int (*step)(const struct step *step, char why[WHY_SIZE]);
	/* enum verdict; asked at each decision whose event type is in events (EV_BIT). */
	u64 events;
	int (*decision)(const struct decision *decision, char why[WHY_SIZE]);
	u32 only; /* enum only; 0: at all of them */
	/* enum verdict; asked about each trouble. */
	int (*trouble)(const struct trouble *trouble, char why[WHY_SIZE]);
};

/* All of them; the registry. */
extern const struct property *const properties[];
extern const u32 nr_properties;
/* "slowpath": the file that it is in. */
const char *property_family(const struct property *property);

#endif
