/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The page cache asks for a folio: the create branch of
 * __filemap_get_folio_mpol() (spec 8.1, 8.2). Large folios are tried first, then
 * every smaller order down to the mapping's least:
 *
 *      index 8, hint 4, min 0:  order 3 (index is not aligned to 4), 2, 1, 0
 *                               \_____ NORETRY|NOWARN _____/      plain gfp
 *
 * Insertion into the page cache always succeeds here.
 */
#ifndef HARNESS_CALLERS_FILEMAP_H
#define HARNESS_CALLERS_FILEMAP_H

#include "harness/subject.h"

struct filemap_request {
	u32 index; /* page index in the file */
	u32 order_hint; /* FGF order */
	u32 min_order, max_order; /* of the mapping */
	u32 node; /* the local node */
	u32 gfp; /* of the mapping */
	u32 flags; /* OPF_FGP_*, OPF_P2, OPF_LRU */
};

/* Returns the folio's first PFN and its order in *@order, or PFN_NONE. */
u32 filemap_get_folio(struct subject *s, const struct filemap_request *request, u32 *order);

#endif
