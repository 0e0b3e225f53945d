/* SPDX-License-Identifier: GPL-2.0-only */
/* Growing the hugetlb pool, as in hugetlb.c. */
#include "harness/callers/hugetlb.h"

static u32 nodes_with_memory(const struct view *view)
{
	u32 mask = 0;

	for (u32 z = 0; z < view->machine->nr_zones; z++) {
		if (view->zones[z].managed_pages)
			mask |= BIT(view->zones[z].node);
	}
	return mask;
}

void hugetlb_resize_init(struct hugetlb_resize *h, struct subject *s, u32 order, u32 first_node,
			 bool movable)
{
	const struct view *view = s->ops->view(s);

	*h = (struct hugetlb_resize){
		.order = order ? order : view->machine->gigantic_order,
		.movable = movable,
		.next_node = first_node,
		.memory_nodes = nodes_with_memory(view),
	};
}

static u32 pool_gfp(const struct hugetlb_resize *h)
{
	u32 gfp = h->movable ? GFP_HIGHUSER_MOVABLE : GFP_HIGHUSER;

	return gfp | __GFP_COMP | __GFP_NOWARN | __GFP_THISNODE;
}

static u32 alloc_gigantic_folio(struct hugetlb_resize *h, struct subject *s, u32 nid)
{
	struct call call = {
		.kind = OP_CONTIG_PAGES,
		.node = (u8)nid,
		.gfp = pool_gfp(h),
		.flags = OPF_FROZEN,
		.nodemask = NODEMASK_NULL,
		.a = BIT(h->order),
	};
	struct result result;

	s->ops->apply(s, &call, &result);
	return result.pfn;
}

/* After a hard attempt failed the node is asked softly, until that succeeds. */
static u32 alloc_buddy_frozen_folio(struct hugetlb_resize *h, struct subject *s, u32 nid)
{
	bool hard = !(h->noretry_nodes & BIT(nid));
	struct call call = {
		.kind = OP_ALLOC,
		.order = (u8)h->order,
		.node = (u8)nid,
		.gfp = pool_gfp(h) | (hard ? __GFP_RETRY_MAYFAIL : 0),
		.flags = OPF_FROZEN,
		.nodemask = NODEMASK_NULL,
	};
	struct result result;

	s->ops->apply(s, &call, &result);
	if (result.pfn == PFN_NONE)
		h->noretry_nodes |= BIT(nid);
	else
		h->noretry_nodes &= ~BIT(nid);
	return result.pfn;
}

static void mark_hugetlb(struct hugetlb_resize *h, struct subject *s, u32 pfn)
{
	struct call call = {.kind = OP_MARK, .pfn = pfn, .order = (u8)h->order, .a = PG_HUGETLB};
	struct result result;

	s->ops->apply(s, &call, &result);
}

/* The node whose turn it is; the turn passes on, whatever comes of it. */
static u32 take_turn(struct hugetlb_resize *h, u32 nr_nodes)
{
	u32 nid;

	do {
		nid = h->next_node % nr_nodes;
		h->next_node = nid + 1;
	} while (!(h->memory_nodes & BIT(nid)));
	return nid;
}

u32 alloc_pool_huge_folio(struct hugetlb_resize *h, struct subject *s)
{
	const struct machine *machine = s->ops->view(s)->machine;

	for (int left = __builtin_popcount(h->memory_nodes); left; left--) {
		u32 nid = take_turn(h, machine->nr_nodes);
		u32 pfn = h->order > machine->max_page_order ? alloc_gigantic_folio(h, s, nid)
							     : alloc_buddy_frozen_folio(h, s, nid);

		if (pfn != PFN_NONE) {
			mark_hugetlb(h, s, pfn);
			return pfn;
		}
	}
	return PFN_NONE;
}
