/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * In what the two sides differ in an op that both of them play, by kind. After the first difference of
 * a case the two heaps differ as well: what comes then may only follow from it, and is counted apart.
 */
#ifndef HARNESS_GATE_DIFFERENCES_H
#define HARNESS_GATE_DIFFERENCES_H

#include "harness/gate/gate_metrics.h"

/*
 * All but placement are of the candidate: it has more of something than the base, or less. Lock work
 * and placement count only where nothing else differs.
 */
enum gate_kind {
	KIND_PLACEMENT, /* other pages */
	KIND_FAILS, /* an op that gets pages on the base */
	KIND_SUCCEEDS,
	KIND_MORE, /* + 2 * index in gate_compared, + 1: less */
};

#define NR_GATE_KINDS (KIND_MORE + 2 * 14)
#define KIND_BIT(kind) (1ULL << (kind))

/* "placement", "direct reclaim: fewer" */
const char *gate_kind_name(u32 kind, char text[64]);
/* Its heading: "placement", "success and failure", "claim and steal", "stalls", "wakes", "lock work", "other". */
const char *gate_kind_group(u32 kind);

/* What an op did on one side. */
struct gate_outcome {
	bool skipped; /* it had no object */
	u32 pages; /* that it got */
	u64 placement; /* a hash of which ones */
	const struct gate_costs *costs;
};

struct gate_outcome gate_outcome_of(const struct run *r, const struct op *op,
				    const struct gate_costs *costs, bool skipped);

/* The kinds in which two outcomes differ; 0: in none. */
u64 gate_differences(const struct gate_outcome *base, const struct gate_outcome *candidate);

#endif
