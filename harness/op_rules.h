/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the members of an op may hold, said once for all forms: op_fit() makes any op a legal
 * one and leaves a legal one as it is, op_check() asks whether op_fit() would change anything.
 */
#ifndef HARNESS_OP_RULES_H
#define HARNESS_OP_RULES_H

#include "harness/case.h"
#include "harness/live.h"

/* The use that an op makes of one of its members (struct op_info). */
enum op_use {
	USE_NONE, /* must be 0 */
	USE_ANY,
	USE_ORDER, /* 0..max_page_order */
	USE_DRAIN, /* enum drain */
	USE_ISOLATE_MODE,
	USE_SYSCTL,
	USE_SYSCTL_VALUE, /* in the range of the sysctl in sub */
	USE_NODEMASK, /* nodes of the machine, 0: all */
	USE_MEMS, /* the same, not 0 */
	USE_HARDWALL, /* a superset of the mems in a */
	USE_NR, /* 1..CASE_MAX_EXTENTS */
	USE_PAGES, /* 1..pages of the machine */
	USE_SLOT, /* a live object */
	USE_EXTENT, /* EXTENT_ALL, or an extent of a bulk or hugetlb object */
	USE_OFFSET, /* of 2^order pages inside the object, a multiple of their number */
	USE_MARKS, /* PG_* that port.h allows, at least one */
	USE_ZONE, /* index, if the drain in sub is one of a zone */
	USE_DRAIN_CPU, /* if the drain in sub is one of a CPU */
	USE_CPU,
	USE_START, /* a PFN in a zone */
	USE_END, /* behind the start, in the same zone (or its end) */
	USE_TASK, /* enum task_flags */
	USE_ORDERS, /* min | max << 8, min <= max <= max_page_order */
	NR_USES,
};

#define OP_MARKS                                                                                   \
	(PG_LRU | PG_MOVABLE_OPS | PG_HUGETLB | PG_RESERVED | PG_HWPOISON | PG_PINNED | PG_CLEAN | \
	 PG_MLOCKED)

/* @v, or a value near it that the sysctl may have. */
u32 sysctl_fit(enum sysctl which, u32 v);
/* @v if it is from @lo to @hi, else something that is. */
static inline u32 range_fit(u32 v, u32 lo, u32 hi)
{
	return v >= lo && v <= hi ? v : lo + v % (hi - lo + 1);
}

/* No two zones asked for (spec 1.3), one migratetype (spec 1.4), known bits. */
u32 gfp_fit(u32 gfp);

/*
 * Make @op, whose members are arbitrary, one that can be played on @m while @l is live. An op that
 * names an object becomes an OP_ALLOC if nothing is live. Slot and parts are the caller's business.
 */
void op_fit(const struct machine *m, const struct live *l, struct op *op);
void nested_fit(const struct machine *m, const struct live *l, struct nested_op *nested);
void answer_fit(struct answer *answer);

/* NULL if it is legal, else a text "expected ...". */
const char *op_check(const struct machine *m, const struct live *l, const struct op *op);
const char *nested_check(const struct machine *m, const struct live *l,
			 const struct nested_op *nested);
const char *answer_check(const struct machine *m, const struct answer *answer);

#endif
