/* SPDX-License-Identifier: GPL-2.0-only */
/* The folio order loop of filemap.c, and its P2 variant. */
#include "harness/callers/filemap.h"

#include "harness/callers/mpol.h"

/* Step 3. */
static u32 mapping_gfp(const struct filemap_request *rq)
{
	u32 gfp = rq->gfp;

	if (rq->flags & OPF_FGP_WRITE)
		gfp |= __GFP_WRITE;
	if (rq->flags & OPF_FGP_NOFS)
		gfp &= ~__GFP_FS;
	if (rq->flags & OPF_FGP_NOWAIT)
		gfp = (gfp & ~GFP_KERNEL) | GFP_NOWAIT;
	return gfp;
}

/* Steps 1, 2 and 4: the order to begin with. */
static u32 first_order(const struct filemap_request *rq)
{
	u32 index = align_down(rq->index, BIT(rq->min_order));
	u32 order = min_u32(max_u32(rq->min_order, rq->order_hint), rq->max_order);

	return index & (BIT(order) - 1) ? ffs0(index) : order;
}

/* Step 5: what an attempt that may fail asks for. */
static u32 optimistic_gfp(const struct filemap_request *rq, u32 gfp, u32 order)
{
	gfp |= __GFP_NOWARN;
	if ((rq->flags & OPF_P2) && order > PAGE_ALLOC_COSTLY_ORDER)
		return gfp & ~__GFP_DIRECT_RECLAIM;
	return gfp | __GFP_NORETRY;
}

/* filemap_alloc_folio(): the task's policy, without the local-first attempt (spec 8.2). */
static u32 filemap_alloc_folio(struct subject *s, const struct filemap_request *rq, u32 gfp,
			       u32 order)
{
	return alloc_pages_mpol(s, gfp | __GFP_COMP, order, rq->node, NODEMASK_NULL, true);
}

static void folio_add_lru(struct subject *s, u32 pfn, u32 order)
{
	struct call call = {.kind = OP_MARK, .pfn = pfn, .order = (u8)order, .a = PG_LRU};
	struct result result;

	s->ops->apply(s, &call, &result);
}

u32 filemap_get_folio(struct subject *s, const struct filemap_request *rq, u32 *order)
{
	u32 gfp = mapping_gfp(rq);
	u32 pfn;

	for (*order = first_order(rq);; --*order) {
		bool last = *order <= rq->min_order;

		pfn = filemap_alloc_folio(s, rq, last ? gfp : optimistic_gfp(rq, gfp, *order),
					  *order);
		if (pfn != PFN_NONE || last)
			break;
	}
	if (pfn != PFN_NONE && (rq->flags & OPF_LRU))
		folio_add_lru(s, pfn, *order);
	return pfn;
}
