/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an allocator costs, counted from its events and its state, the same for every subject:
 *
 *      events of an op -> gate_tally -> costs of the op -> of the case -> of all cases
 *
 * A request is everything up to its mm_page_alloc; its costs are also counted by its class, because a
 * proposal is about some requests and must leave the others alone.
 */
#ifndef HARNESS_GATE_METRICS_H
#define HARNESS_GATE_METRICS_H

#include "harness/run.h"

/* ---- what is counted ----------------------------------------------------- */

enum gate_count {
	COUNT_RECLAIM, /* direct reclaims */
	COUNT_COMPACT, /* direct compactions */
	COUNT_DRAIN_ALL, /* drain_all_pages() that ran, but for ops that ask for it */
	COUNT_OOM,
	COUNT_KSWAPD, /* wakeup_kswapd() */
	COUNT_KCOMPACTD,
	COUNT_CLAIM, /* extfrag: a block changed hands */
	COUNT_STEAL, /* extfrag: a movable page in a block of another type */
	COUNT_POLLUTE, /* extfrag: another page in a block of another type */
	COUNT_RESERVE, /* pages out of the HighAtomic reserve */
	COUNT_ENDLESS, /* requests that the fuel ended */
	COUNT_WARNINGS,
	COUNT_HOLDS, /* of zone->lock */
	COUNT_WORK, /* in all of them: see gate_tally */
	COUNT_FAILED, /* requests, by order */
	COUNT_REQUESTS = COUNT_FAILED + MACHINE_MAX_ORDER + 1,
	COUNT_MOVABLE_BLOCKS, /* at the end of a case */
	COUNT_MIXED_BLOCKS, /* of these, with an unmovable or reclaimable page in use */
	COUNT_FREE_PAGES,
	COUNT_FREE_LARGE, /* of these, in buddies above order 3 */
	NR_GATE_COUNTS,
};

/* Holds by work; the last one has all that is more. */
#define GATE_WORK_BUCKETS 512

struct gate_costs {
	u64 n[NR_GATE_COUNTS];
	u64 holds[GATE_WORK_BUCKETS];
	u64 max_work;
};

void gate_costs_add(struct gate_costs *sum, const struct gate_costs *costs);

/* ---- what is shown and judged -------------------------------------------- */

enum gate_worse { WORSE_MORE, WORSE_LESS };

enum gate_metric {
	METRIC_RECLAIM,
	METRIC_COMPACT,
	METRIC_DRAIN_ALL,
	METRIC_OOM,
	METRIC_KSWAPD,
	METRIC_KCOMPACTD,
	METRIC_HOLDS,
	METRIC_WORK,
	METRIC_WORK_P99,
	METRIC_WORK_MAX,
	METRIC_FAILED_0,
	METRIC_FAILED_SMALL,
	METRIC_FAILED_COSTLY,
	METRIC_CLAIM,
	METRIC_STEAL,
	METRIC_POLLUTE,
	METRIC_RESERVE,
	METRIC_ENDLESS,
	METRIC_WARNINGS,
	METRIC_MIXED,
	METRIC_LARGE_FREE,
	NR_GATE_METRICS,
};

struct gate_metric_info {
	const char *name; /* "direct-reclaim" */
	const char *what;
	enum gate_worse worse;
	bool permille; /* a ratio, not a number */
};
extern const struct gate_metric_info gate_metrics[NR_GATE_METRICS];

/* The metrics of a case, or of many. */
void gate_metrics_of(const struct gate_costs *costs, u64 to[NR_GATE_METRICS]);

/* ---- by class of request ------------------------------------------------- */

enum gate_class {
	CLASS_NORETRY, /* neither of the next two */
	CLASS_NORETRY_THISNODE,
	CLASS_NORETRY_NOFAIL,
	CLASS_OTHER,
	NR_GFP_CLASSES,
	NR_GATE_CLASSES = 2 * NR_GFP_CLASSES, /* up to order 3; above it */
};

enum gate_class_count {
	OF_REQUESTS,
	OF_FAILURES,
	OF_RECLAIM,
	OF_COMPACT,
	OF_DRAIN_ALL,
	OF_WAKING, /* requests that wake kswapd */
	OF_MIXING, /* pages that a request takes out of a block of another type, which stays or is in use */
	OF_RESERVE,
	NR_CLASS_COUNTS,
};

extern const char *const gate_class_names[NR_GATE_CLASSES];
extern const char *const gate_class_count_names[NR_CLASS_COUNTS];

struct gate_classes {
	u64 n[NR_GATE_CLASSES][NR_CLASS_COUNTS];
};

void gate_classes_add(struct gate_classes *sum, const struct gate_classes *classes);

/* ---- counting ------------------------------------------------------------ */

/*
 * Work under a lock is what its holder tells of: each page that it takes, drains or moves between types,
 * and each look for a free buddy. No cycles.
 */
struct gate_tally {
	struct observer observer;
	const struct run *run; /* that is listened to */
	struct gate_costs op; /* since gate_tally_begin() */
	struct gate_classes classes; /* since gate_tally_begin_case() */
	u32 work; /* under the lock that is held */
	u64 pending[2][NR_CLASS_COUNTS]; /* of the request that runs, and of one nested in it */
	bool asked_drain; /* the op is a drain */
};

void gate_tally_init(struct gate_tally *t, const struct run *run);
void gate_tally_begin_case(struct gate_tally *t);
void gate_tally_begin(struct gate_tally *t, const struct op *op);
/* After the op. */
void gate_tally_end(struct gate_tally *t);

/* What a case leaves behind, added to @costs: blocks and free pages. */
void gate_count_state(const struct run *run, struct gate_costs *costs);

#endif
