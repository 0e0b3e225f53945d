/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The port, which tells a lie about one op: what it does stays right, what it says of it does not.
 * It plays no nested ops and no kcompactd.
 */
#ifndef HARNESS_TESTS_LYING_SUBJECT_H
#define HARNESS_TESTS_LYING_SUBJECT_H

#include "harness/subject.h"

enum lie {
	LIE_NONE,
	LIE_PFN, /* the page behind */
	LIE_ONE_OF_BULK, /* the last page of a bulk allocation */
	LIE_NR, /* one more */
	LIE_ERROR, /* -EBUSY */
	LIE_EVENT_DROPPED, /* the first mm_page_alloc */
	LIE_EVENT_FIELD, /* its gfp */
	LIE_EVENT_MORE, /* a call of wakeup_kswapd in the end */
	LIE_RECLAIM, /* the report: a call */
	LIE_WAKES,
	LIE_WARNINGS,
	LIE_FUEL,
	LIE_STATE_COUNTER, /* from here on, the state: nr_free_pages of zone 0 */
	LIE_STATE_PCP, /* count of its first pcp */
	LIE_STATE_LIST, /* the first two entries of a list, changed round */
	LIE_STATE_PAGE, /* a refcount */
	LIE_STATE_BLOCK,
	LIE_STATE_SYSCTL,
	LIE_BOOT, /* the state before the first op */
	LIE_ONCE, /* as LIE_PFN, but not after a reset */
};

/* What subjects that are made from now on tell of op @op. */
void lie_about(enum lie lie, u32 op);

/* For struct lockstep: "lying" is such a subject, other names are what they say. */
struct subject *lying_subject_create(const char *name, const struct machine *machine,
				     const char **why);

#endif
