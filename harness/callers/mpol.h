/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * alloc_pages_mpol(): an allocation under a memory policy, with the attempt on
 * the local node that a THP gets first (spec 8.3).
 *
 *      order == PMD order    1. gfp + THISNODE + NORETRY on nid   -> page, or no
 *                               direct reclaim in gfp: done
 *      any other order       2. gfp, nid, nodemask
 */
#ifndef HARNESS_CALLERS_MPOL_H
#define HARNESS_CALLERS_MPOL_H

#include "harness/subject.h"

/*
 * @no_interleave is NO_INTERLEAVE_INDEX: no local-first attempt. Returns the PFN or PFN_NONE.
 * Interleaving and PREFERRED_MANY policies are not modelled.
 */
u32 alloc_pages_mpol(struct subject *s, u32 gfp, u32 order, u32 nid, u32 nodemask,
		     bool no_interleave);

#endif
