/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One call into the subject, judged as one step: what the caller asks for becomes a
 * request (properties/step.h), with what the book knows of the pages.
 *
 *      op hugetlb 2 ->  call contig_pages, call mark, call contig_pages, call mark
 *                       `--- a step --'    ...
 */
#ifndef HARNESS_RUN_CALL_H
#define HARNESS_RUN_CALL_H

#include "harness/run.h"

struct result run_call(struct run *r, const struct call *call);
/* The op ends: background work, judged as a step of its own, and the report. */
void run_end_op(struct run *r, struct op_report *report);

/*
 * What the callers above the allocator (harness/callers/) call: @r's subject, every call judged.
 * Only apply() and view() are there.
 */
extern const struct subject_ops judged_subject_ops;

#endif
