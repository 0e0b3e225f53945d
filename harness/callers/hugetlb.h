/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The hugetlb pool grows (spec 7.9): one folio at a time, from the nodes with
 * memory in turn, each asked for its own memory only. Folios beyond the buddy
 * allocator's orders come from alloc_contig_frozen_pages(). Folios in the pool
 * are frozen.
 *
 *      nodes 0,1; first node 1:   folio 1 from 1, folio 2 from 0, folio 3 from 1 ...
 *
 * The vmstat events HTLB_BUDDY_* belong to the kernel around the allocator and are
 * not counted. hugetlb_cma is not modelled.
 */
#ifndef HARNESS_CALLERS_HUGETLB_H
#define HARNESS_CALLERS_HUGETLB_H

#include "harness/subject.h"

/* One resize of the pool. */
struct hugetlb_resize {
	u32 order;
	bool movable; /* folios of this size may live in movable zones */
	u32 next_node;
	u32 memory_nodes; /* mask */
	u32 noretry_nodes; /* mask: the last attempt there, a hard one, failed */
};

/* Begin with @first_node; @order 0 is the machine's gigantic order. */
void hugetlb_resize_init(struct hugetlb_resize *h, struct subject *s, u32 order, u32 first_node,
			 bool movable);

/* One more folio: its first PFN, or PFN_NONE when every node has been asked in vain. */
u32 alloc_pool_huge_folio(struct hugetlb_resize *h, struct subject *s);

#endif
