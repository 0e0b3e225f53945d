/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Machines that stay booted between executions, each with the run that plays and judges on it:
 * undoing what a case wrote costs as much as the case, booting as much as the machine has pages.
 */
#ifndef HARNESS_FUZZ_STOCK_H
#define HARNESS_FUZZ_STOCK_H

#include "harness/run.h"

/*
 * A run of @c, which must outlive it, on a machine as after boot; what the subject does not play is left out
 * of it, and NULL is returned if nothing is left. Equal machines have equal @hashes. What was covered so far is
 * forgotten: boot runs in some executions of an input only.
 */
struct run *stock_get(struct testcase *c, u64 hash);

/* Undo what the case wrote, and add what was judged to @counts, [nr_properties]. */
void stock_put(struct run *r, struct property_count *counts);

#endif
