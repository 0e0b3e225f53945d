/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One op of a case as calls into the subject: slots become pages, what comes back
 * goes into the book. How pages are freed is decided by how they were handed out:
 *
 *      plain                __free_pages          one reference
 *      frozen, hugetlb      free_frozen_pages
 *      contig               free_contig_[frozen_]range, one call for pages in a row
 *      BATCH                free_unref_folios, as many as a folio_batch holds; only
 *                           folios whose last reference goes, others plainly
 *      piece                split_page() first; frozen pages go as one piece of the
 *                           given order, others page by page
 */
#ifndef HARNESS_RUN_OP_H
#define HARNESS_RUN_OP_H

#include "harness/run.h"

/* Is there anything that @op can work on? Otherwise it is skipped. */
bool op_has_object(const struct run *r, const struct op *op);
/* Make the calls of @op; sets r->result. Between begin_op and end_op of the subject. */
void op_apply(struct run *r, const struct op *op);

#endif
