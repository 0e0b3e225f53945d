// SPDX-License-Identifier: GPL-2.0-only
/* The calls of an op, and the words that cross the border (gfp masks, alloc flags, sysctls). */
#if __has_include(<linux/folio_batch.h>)
#include <linux/folio_batch.h>
#else
#include <linux/pagevec.h>
#endif

#include "side.h"
#include "watch.h"

/* enum op_kind and what follows it (harness/case.h, harness/subject.h). */
enum {
	OP_ALLOC,
	OP_ALLOC_NOLOCK,
	OP_ALLOC_BULK,
	OP_FREE,
	OP_FREE_PIECE,
	OP_GET,
	OP_MARK,
	OP_DRAIN,
	OP_ISOLATE,
	OP_UNISOLATE,
	OP_CONTIG_RANGE,
	OP_CONTIG_PAGES,
	OP_CPU,
	OP_TASK,
	OP_CPUSET,
	OP_SYSCTL,
	OP_KSWAPD,
	OP_KCOMPACTD,
	CALL_CONTIG_FREE = 21,
	CALL_SPLIT,
	NR_CALLS,
};

enum { FROZEN = 1 << 0, NOLOCK = 1 << 1, BATCH = 1 << 2, CLEAR = 1 << 3, CMA = 1 << 4 };

typedef const struct kernel_call call_t;
typedef struct kernel_result result_t;

/* ---- words --------------------------------------------------------------- */

/* The bits of model/gfp.h, which are those of 7.3, by their position. */
#define GFP_BIT_LIST(X)                                                                         \
	X(0, __GFP_DMA) X(1, __GFP_HIGHMEM) X(2, __GFP_DMA32) X(3, __GFP_MOVABLE)               \
	X(4, __GFP_RECLAIMABLE) X(5, __GFP_HIGH) X(6, __GFP_IO) X(7, __GFP_FS) X(8, __GFP_ZERO) \
	X(10, __GFP_DIRECT_RECLAIM) X(11, __GFP_KSWAPD_RECLAIM) X(12, __GFP_WRITE)              \
	X(13, __GFP_NOWARN) X(14, __GFP_RETRY_MAYFAIL) X(15, __GFP_NOFAIL)                      \
	X(16, __GFP_NORETRY) X(17, __GFP_MEMALLOC) X(18, __GFP_COMP) X(19, __GFP_NOMEMALLOC)    \
	X(20, __GFP_HARDWALL) X(21, __GFP_THISNODE) X(22, __GFP_ACCOUNT)

/* Where a kernel is built without KASAN it does not have the others, which no decision depends on. */
#define GFP_ALL 0x7ffdff
#define SAME(bit, name) &&(unsigned int)(__force unsigned int)(name) == 1U << (bit)
#define GFP_IS_SAME (1 GFP_BIT_LIST(SAME))

unsigned int gfp_from_kernel(gfp_t gfp)
{
	unsigned int from = (__force unsigned int)gfp, to = 0;

	if (GFP_IS_SAME)
		return from;
#define FROM(bit, name) to |= (gfp & (name)) ? 1U << (bit) : 0;
	GFP_BIT_LIST(FROM)
	return to;
}

gfp_t gfp_to_kernel(unsigned int gfp)
{
	gfp_t to = 0;

	if (GFP_IS_SAME)
		return (__force gfp_t)(gfp & GFP_ALL);
#define TO(bit, name) to |= gfp & (1U << (bit)) ? (name) : 0;
	GFP_BIT_LIST(TO)
#ifdef __GFP_ATOMIC /* what GFP_ATOMIC says where its other bits are not enough */
	if (to & __GFP_HIGH && !(to & __GFP_DIRECT_RECLAIM))
		to |= __GFP_ATOMIC;
#endif
	return to;
}

static nodemask_t *nodemask_of(unsigned int mask, nodemask_t *to)
{
	if (mask == KERNEL_NO_PFN)
		return NULL;
	nodes_clear(*to);
	for (unsigned int nid = 0; nid < side.machine.nr_nodes; nid++)
		if (mask & (1U << nid))
			node_set(nid, *to);
	return to;
}

static unsigned int pfn_of(const struct page *page)
{
	return page ? page_to_pfn(page) : KERNEL_NO_PFN;
}

static struct zone *zone_at(unsigned int index)
{
	return index < side.machine.nr_zones ? side.zones[index] : NULL;
}

/* ---- allocation ---------------------------------------------------------- */

static void call_alloc(call_t *c, result_t *r)
{
	nodemask_t storage, *mask = nodemask_of(c->nodemask, &storage);
	gfp_t gfp = gfp_to_kernel(c->gfp);

	if (c->flags & FROZEN)
		r->pfn = pfn_of(K_ALLOC_FROZEN(gfp, c->order, c->node, mask));
	else
		r->pfn = pfn_of(K_ALLOC_PAGES(gfp, c->order, c->node, mask));
}

static void call_alloc_nolock(call_t *c, result_t *r)
{
#ifdef HAVE_ALLOC_NOLOCK
	r->pfn = pfn_of(alloc_pages_nolock_noprof(gfp_to_kernel(c->gfp), c->node, c->order));
#else
	r->unknown = 1;
#endif
}

#define BULK_MAX 1024

static void call_alloc_bulk(call_t *c, result_t *r)
{
	static struct page *of_op[2][BULK_MAX]; /* the one that waits has its own */
	struct page **pages = of_op[side.nested];
	nodemask_t storage, *mask = nodemask_of(c->nodemask, &storage);

	for (unsigned int i = 0; i < c->nr; i++)
		pages[i] = c->pfns[i] == KERNEL_NO_PFN ? NULL : pfn_to_page(c->pfns[i]);
	r->nr = K_ALLOC_BULK(gfp_to_kernel(c->gfp), c->node, mask, c->nr, pages);
	for (unsigned int i = 0; i < c->nr; i++)
		c->pfns[i] = pfn_of(pages[i]);
}

static void call_split(call_t *c, result_t *r)
{
	struct page *page = pfn_to_page(c->pfn);

	/* Frozen pages have no count, and then there is nothing to hand on. */
	if (page_ref_count(page))
		split_page(page, c->order);
}

/* ---- free ---------------------------------------------------------------- */

/* Its owner forgets it; so does whoever gets a part of what is not compound. */
static void unmark_last(struct page *page, unsigned int order)
{
	if (page_ref_count(page) <= 1)
		side_unmark(page, order);
}

#ifdef HAVE_FREE_UNREF_FOLIOS
static void free_batch(call_t *c)
{
	struct folio_batch batch;

	folio_batch_init(&batch);
	for (unsigned int i = 0; i < c->nr; i++) {
		struct page *page = pfn_to_page(c->pfns[i]);

		side_unmark(page, c->orders[i]);
		set_page_count(page, 0);
		folio_batch_add(&batch, (struct folio *)page);
	}
	free_unref_folios(&batch);
}
#else
/* A list takes single pages; large folios go by themselves, as release_pages() lets them. */
static void free_batch(call_t *c)
{
	LIST_HEAD(batch);

	for (unsigned int i = 0; i < c->nr; i++) {
		struct page *page = pfn_to_page(c->pfns[i]);

		side_unmark(page, c->orders[i]);
		set_page_count(page, 0);
		if (c->orders[i])
			K_FREE_FROZEN(page, c->orders[i]);
		else
			list_add_tail(&page->lru, &batch);
	}
	free_unref_page_list(&batch);
}
#endif

static void call_free(call_t *c, result_t *r)
{
	struct page *page = pfn_to_page(c->pfn);

	if (c->flags & BATCH) {
		free_batch(c);
		return;
	}
	unmark_last(page, c->order);
#ifdef HAVE_ALLOC_NOLOCK
	if (c->flags & NOLOCK) {
		if (c->flags & FROZEN)
			free_frozen_pages_nolock(page, c->order);
		else
			free_pages_nolock(page, c->order);
		return;
	}
#else
	r->unknown = c->flags & NOLOCK;
#endif
	if (c->flags & FROZEN)
		K_FREE_FROZEN(page, c->order);
	else
		__free_pages(page, c->order);
}

static void call_free_piece(call_t *c, result_t *r)
{
	side_unmark(pfn_to_page(c->pfn), c->order);
	K_FREE_FROZEN(pfn_to_page(c->pfn), c->order);
}

static void call_contig_free(call_t *c, result_t *r)
{
	for (unsigned int i = 0; i < c->a; i++)
		if (!PageTail(pfn_to_page(c->pfn + i)))
			unmark_last(pfn_to_page(c->pfn + i), side_order(pfn_to_page(c->pfn + i)));
	if (c->flags & FROZEN)
		K_FREE_CONTIG_FROZEN(c->pfn, c->a);
	else
		free_contig_range(c->pfn, c->a);
}

/* ---- pages in use -------------------------------------------------------- */

static void call_get(call_t *c, result_t *r)
{
	/* A plain increment: frozen pages may be taken, as the port lets them. */
	page_ref_inc(pfn_to_page(c->pfn));
}

static void call_mark(call_t *c, result_t *r)
{
	bool clear = c->flags & CLEAR;

	side_mark(pfn_to_page(c->pfn), c->order, clear ? 0 : c->a, clear ? c->a : 0);
}

/* ---- pcp, isolation, contig ---------------------------------------------- */

/* By the op that waits: nobody would come by again to drain it. */
static bool pcp_is_held(struct zone *z, unsigned int cpu)
{
	return side_lock_is_held(&per_cpu_ptr(z->per_cpu_pageset, cpu)->lock);
}

static void call_drain(call_t *c, result_t *r)
{
	struct zone *z = zone_at(c->a);

	switch (c->order) {
	case 0:
		drain_all_pages(NULL);
		break;
	case 1:
		drain_all_pages(z);
		break;
	case 2:
		drain_local_pages(NULL);
		break;
	case 3:
		watch_drain_pages_zone(c->b, z);
		break;
	case 4:
		if (!pcp_is_held(z, c->b))
			drain_zone_pages(z, per_cpu_ptr(z->per_cpu_pageset, c->b));
		break;
	case 5:
		if (pcp_is_held(z, c->b))
			break;
#ifdef HAVE_DECAY_PCP_HIGH
		decay_pcp_high(z, per_cpu_ptr(z->per_cpu_pageset, c->b));
#else
		r->unknown = 1;
#endif
		break;
	case 6:
		side.drain_disabled_zones |= 1U << c->a;
		zone_pcp_disable(z);
		break;
	case 7:
		side.drain_disabled_zones &= ~(1U << c->a);
		zone_pcp_enable(z);
		break;
	}
}

static void call_isolate(call_t *c, result_t *r)
{
	r->error = K_ISOLATE_RANGE(c->a, c->b, c->order);
}

static void call_unisolate(call_t *c, result_t *r)
{
	K_UNISOLATE_RANGE(c->a, c->b);
}

static void call_contig_range(call_t *c, result_t *r)
{
	gfp_t gfp = gfp_to_kernel(c->gfp);

	if (c->flags & FROZEN)
		r->error = K_CONTIG_FROZEN_RANGE(c->a, c->b, c->flags & CMA, gfp);
	else
		r->error = K_CONTIG_RANGE(c->a, c->b, c->flags & CMA, gfp);
}

static void contig_pages(call_t *c, result_t *r)
{
	nodemask_t storage, *mask = nodemask_of(c->nodemask, &storage);
	gfp_t gfp = gfp_to_kernel(c->gfp);

	if (c->flags & FROZEN)
		r->pfn = pfn_of(K_CONTIG_FROZEN_PAGES(c->a, gfp, c->node, mask));
	else
		r->pfn = pfn_of(K_CONTIG_PAGES(c->a, gfp, c->node, mask));
}

static void call_contig_pages(call_t *c, result_t *r)
{
	bool outer = side.searching;

	side.searching = true;
	contig_pages(c, r);
	side.searching = outer;
}

/* ---- the machine around it ----------------------------------------------- */

static void call_cpu(call_t *c, result_t *r)
{
	side_set_cpu(c->a);
	side_set_task(side.task_flags); /* the preempt count is the CPU's */
}

static void call_task(call_t *c, result_t *r)
{
	side_set_task(c->a);
}

static void call_cpuset(call_t *c, result_t *r)
{
	side_set_cpuset(c->a, c->b);
}

static void call_sysctl(call_t *c, result_t *r)
{
	r->error = side_sysctl_write(c->order, c->a);
}

static void call_kswapd(call_t *c, result_t *r)
{
	side_kswapd_run(c->node, c->a);
}

static void (*const calls[NR_CALLS])(call_t *, result_t *) = {
	[OP_ALLOC] = call_alloc,
	[OP_ALLOC_NOLOCK] = call_alloc_nolock,
	[OP_ALLOC_BULK] = call_alloc_bulk,
	[OP_FREE] = call_free,
	[OP_FREE_PIECE] = call_free_piece,
	[OP_GET] = call_get,
	[OP_MARK] = call_mark,
	[OP_DRAIN] = call_drain,
	[OP_ISOLATE] = call_isolate,
	[OP_UNISOLATE] = call_unisolate,
	[OP_CONTIG_RANGE] = call_contig_range,
	[OP_CONTIG_PAGES] = call_contig_pages,
	[OP_CPU] = call_cpu,
	[OP_TASK] = call_task,
	[OP_CPUSET] = call_cpuset,
	[OP_SYSCTL] = call_sysctl,
	[OP_KSWAPD] = call_kswapd,
	[CALL_CONTIG_FREE] = call_contig_free,
	[CALL_SPLIT] = call_split,
};

void side_call(const struct kernel_call *c, struct kernel_result *r)
{
	*r = (struct kernel_result){.pfn = KERNEL_NO_PFN};
	if (calls[c->kind])
		calls[c->kind](c, r);
	else
		r->unknown = 1;
}
