/* SPDX-License-Identifier: GPL-2.0-only */
/* alloc_pages_mpol() of mempolicy.c. */
#include "harness/callers/mpol.h"

static u32 alloc_on(struct subject *s, u32 gfp, u32 order, u32 nid, u32 nodemask)
{
	struct call call = {
		.kind = OP_ALLOC,
		.order = (u8)order,
		.node = (u8)nid,
		.gfp = gfp,
		.nodemask = nodemask,
	};
	struct result result;

	s->ops->apply(s, &call, &result);
	return result.pfn;
}

/* Step 3's condition; a machine without THP has PMD order 0. */
static bool local_first(struct subject *s, u32 order, u32 nid, u32 nodemask)
{
	u32 pmd_order = s->ops->view(s)->machine->pmd_order;

	return pmd_order && order == pmd_order &&
	       (nodemask == NODEMASK_NULL || (nodemask & BIT(nid)));
}

u32 alloc_pages_mpol(struct subject *s, u32 gfp, u32 order, u32 nid, u32 nodemask,
		     bool no_interleave)
{
	if (!no_interleave && local_first(s, order, nid, nodemask)) {
		u32 pfn = alloc_on(s, gfp | __GFP_THISNODE | __GFP_NORETRY, order, nid,
				   NODEMASK_NULL);

		if (pfn != PFN_NONE || !(gfp & __GFP_DIRECT_RECLAIM))
			return pfn;
	}
	return alloc_on(s, gfp, order, nid, nodemask);
}
