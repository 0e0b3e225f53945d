/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ops of other CPUs inside an op: at these points the kernel holds no zone->lock,
 * or has dropped it, so that anything may happen in between.
 *
 *      op of CPU 0   --------| point |--------| point |-----
 *                                ^
 *      op of CPU 1               memory_begin_nested, calls, memory_end_nested
 *
 * It does not nest deeper. While folios are on their way from one place to another
 * (spec 7.5) nobody comes in between: there the kernel keeps references that the port does
 * not have.
 */
#ifndef MODEL_NEST_H
#define MODEL_NEST_H

#include "model/types.h"

enum nest_point {
	NEST_SLOWPATH, /* before a step of the slow path, and before a block joins the reserve */
	NEST_BULK_BEFORE, /* before rmqueue_bulk takes the zone lock; the pcp lock is held */
	NEST_BULK_AFTER,
	NEST_RECLAIM, /* direct reclaim begins, and ends */
	NEST_COMPACT, /* direct compaction begins, and ends */
	NEST_DRAIN, /* before a drain_all_pages */
	NEST_CONTIG_CANDIDATE, /* a candidate range was found, nothing of it is isolated */
	NEST_CONTIG_ISOLATED, /* after isolation, before the migration loop */
	NR_NEST_POINTS,
};

struct nester {
	void (*at)(void *ctx, enum nest_point point);
	void *ctx;
	u32 points; /* to be called at: BIT(enum nest_point) */
};

#endif
