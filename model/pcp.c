/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The per-cpu lists in front of the buddy lists: put a page in, take one out,
 * and how many to move when a list runs empty or full (spec 2.5, 3.3, 4.5, 4.6).
 *
 *                   free, alloc             refill
 *                       |                     |
 *                       v                     v
 *      list (mt,order): head <-> ... <-> tail
 *                                          |
 *                                          v
 *                                        drain (pcp_drain.c)
 */
#include "model/internal.h"

/* In the kernel's order of tests, which matters when @lo > @hi (spec 3.3). */
static s32 clamp_s32(s32 value, s32 lo, s32 hi)
{
	if (value >= hi)
		return hi;
	return value <= lo ? lo : value;
}

/* Let another CPU in while this one holds the lock of @pcp. */
static void nest_holding(struct memory *m, enum nest_point point, const struct per_cpu_pages *pcp)
{
	if (!(m->nest_points & BIT(point)))
		return;
	m->held.pcp = pcp;
	nest(m, point);
	m->held.pcp = NULL;
}

static void set_pcp_high(struct memory *m, struct per_cpu_pages *pcp, s32 high)
{
	if (pcp->high != high)
		SET(m, pcp->high, high);
}

static s32 clamp_pcp_high(struct memory *m, struct per_cpu_pages *pcp)
{
	s32 high = clamp_s32(pcp->high, pcp->high_min, pcp->high_max);

	set_pcp_high(m, pcp, high);
	return high;
}

/* ---- free ---------------------------------------------------------------- */

/* Pages that may stay on the lists; lowers or raises pcp->high for the next time. */
static s32 nr_pcp_high(struct memory *m, struct per_cpu_pages *pcp, const struct zone *z,
		       bool free_high)
{
	s32 high_min = pcp->high_min, high_max = pcp->high_max, batch = pcp->batch;
	s32 high = clamp_pcp_high(m, pcp);

	if (!high)
		return 0;
	if (free_high) {
		set_pcp_high(m, pcp,
			     max_s32(high - (batch << m->machine.pcp_batch_scale_max), high_min));
		return 0;
	}
	if (z->flags & ZONE_RECLAIM_ACTIVE) {
		set_pcp_high(m, pcp, max_s32(high - max_s32(pcp->free_count, batch), high_min));
		return min_s32(batch << 2, pcp->high);
	}
	if (high_min == high_max)
		return high;
	if (z->flags & ZONE_BELOW_HIGH) {
		set_pcp_high(m, pcp, max_s32(high - max_s32(pcp->free_count, batch), high_min));
		return max_s32(pcp->count, high_min);
	}
	if (pcp->count >= high && high < pcp->free_count + batch)
		set_pcp_high(m, pcp, clamp_s32(pcp->free_count + batch, high_min, high_max));
	return high;
}

/* Pages to give back once the lists are full. */
static s32 nr_pcp_free(const struct memory *m, const struct per_cpu_pages *pcp, s32 high,
		       bool free_high)
{
	if (free_high)
		return min_s32(pcp->count, pcp->batch << m->machine.pcp_batch_scale_max);
	if (high < pcp->batch)
		return 1;
	return clamp_s32(pcp->free_count, pcp->batch, high - pcp->batch);
}

/*
 * A run of frees of order 1 to 3 empties the lists at once: whoever frees like
 * this (the network) does so far from where it allocates (spec 3.3 step 4).
 */
static bool note_free_order(struct memory *m, struct per_cpu_pages *pcp, u32 order)
{
	u32 flags = pcp->flags;
	bool free_high = false;

	if (order && order <= PAGE_ALLOC_COSTLY_ORDER) {
		free_high = pcp->free_count >= pcp->batch + pcp->high_min / 2 &&
			    (flags & PCPF_PREV_FREE_HIGH_ORDER) &&
			    (!(flags & PCPF_FREE_HIGH_BATCH) || pcp->count >= pcp->batch);
		flags |= PCPF_PREV_FREE_HIGH_ORDER;
	} else {
		flags &= ~PCPF_PREV_FREE_HIGH_ORDER;
	}
	if (flags != pcp->flags)
		SET(m, pcp->flags, flags);
	return free_high;
}

/* Is the zone above its high mark again? Then a node given up by kswapd may have hope (step 9). */
static void clear_below_high(struct memory *m, struct zone *z)
{
	struct node *node = &m->nodes[z->node];

	if (!(z->flags & ZONE_BELOW_HIGH) ||
	    !zone_watermark_ok(m, z, 0, wmark_pages(z, WMARK_HIGH), ZONE_MOVABLE, 0))
		return;
	zone_set_flags(m, z, 0, ZONE_BELOW_HIGH);
	/* Zones ascend by node, so the last one tells whether a larger id has memory. */
	if (node->kswapd_failures >= MAX_RECLAIM_RETRIES &&
	    m->zones[m->nr_zones - 1].node > z->node)
		SET(m, node->kswapd_failures, 0);
}

/* Give back @to_free pages in steps of a batch; false: the lock was lost in between. */
static bool free_pcp_excess(struct memory *m, struct zone *z, struct per_cpu_pages *pcp,
			    s32 to_free, u32 pindex)
{
	while (to_free > 0 && pcp->count > 0) {
		s32 step = min_s32(to_free, pcp->batch);

		free_pcppages_bulk(m, z, step, pcp, (s32)pindex);
		to_free -= step;
		if (to_free && pcp->count && !pcp_trylock(m, pcp))
			return false;
	}
	return true;
}

bool free_frozen_page_commit(struct memory *m, struct zone *z, struct per_cpu_pages *pcp, u32 pfn,
			     u32 mt, u32 order, fpi_t fpi)
{
	u32 pindex = order_to_pindex(mt, order);
	bool free_high, locked;
	s32 high;

	if (pcp->alloc_factor)
		SET(m, pcp->alloc_factor, pcp->alloc_factor >> 1);
	count_vm_events(m, PGFREE, BIT(order));
	list_add(m, pfn, pcp_list_head(pcp, pindex));
	SET(m, pcp->count, pcp->count + (1 << order));
	free_high = note_free_order(m, pcp, order);
	if (pcp->free_count < pcp->batch << m->machine.pcp_batch_scale_max)
		SET(m, pcp->free_count, pcp->free_count + (1 << order));
	if (fpi & FPI_NOLOCK)
		return true;

	high = nr_pcp_high(m, pcp, z, free_high);
	if (pcp->count < high)
		return true;
	locked = free_pcp_excess(m, z, pcp, nr_pcp_free(m, pcp, high, free_high), pindex);
	clear_below_high(m, z);
	return locked;
}

/* ---- allocation ---------------------------------------------------------- */

/* Blocks of @order to fetch for an empty list. Grows while nothing is freed (W10). */
static u32 nr_pcp_alloc(struct memory *m, struct per_cpu_pages *pcp, const struct zone *z,
			u32 order)
{
	s32 base = pcp->batch, batch = base;
	s32 high = clamp_pcp_high(m, pcp);

	/* The pcp is disabled, or was never set up. */
	if (high < base)
		return 1;
	if (!order)
		batch <<= pcp->alloc_factor;
	if (pcp->high_min != pcp->high_max && !(z->flags & ZONE_BELOW_HIGH)) {
		high = min_s32(high + batch, pcp->high_max);
		set_pcp_high(m, pcp, high);
	}
	if (!order) {
		s32 max_nr_alloc = max_s32(high - pcp->count - base, base);

		if (batch <= max_nr_alloc && pcp->alloc_factor < m->machine.pcp_batch_scale_max)
			SET(m, pcp->alloc_factor, pcp->alloc_factor + 1);
		batch = min_s32(batch, max_nr_alloc);
	}
	/* A batch of one means that nothing may be stored; it stays one. */
	if (batch > 1)
		batch = max_s32(batch >> order, 2);
	return (u32)batch;
}

u32 rmqueue_bulk(struct memory *m, struct zone *z, u32 order, u32 count, u32 list_head, u32 mt,
		 u32 alloc_flags)
{
	enum rmqueue_mode mode = RMQUEUE_NORMAL; /* kept from page to page (spec 4.8) */
	u32 i;

	if ((alloc_flags & ALLOC_NOLOCK) && env_says(m, ENV_LOCK_ZONE, z))
		return 0;
	zone_lock(m, z);
	for (i = 0; i < count; i++) {
		u32 pfn = __rmqueue(m, z, order, mt, alloc_flags, &mode);

		if (pfn == PFN_NONE)
			break;
		list_add_tail(m, pfn, list_head);
	}
	zone_unlock(m, z);
	return i;
}

u32 __rmqueue_pcplist(struct memory *m, struct zone *z, u32 order, u32 mt, u32 alloc_flags,
		      struct per_cpu_pages *pcp, u32 list_head)
{
	u32 pfn;

	if (list_empty(m, list_head)) {
		u32 batch = nr_pcp_alloc(m, pcp, z, order);
		u32 got;

		/* Only the buddy path builds up a reserve. */
		if (alloc_flags & ALLOC_HIGHATOMIC)
			return PFN_NONE;
		nest_holding(m, NEST_BULK_BEFORE, pcp);
		got = rmqueue_bulk(m, z, order, batch, list_head, mt, alloc_flags);
		nest_holding(m, NEST_BULK_AFTER, pcp);
		if (!got)
			return PFN_NONE;
		SET(m, pcp->count, pcp->count + (s32)(got << order));
	}
	pfn = list_first(m, list_head);
	list_del(m, pfn);
	SET(m, pcp->count, pcp->count - (1 << order));
	return pfn;
}

u32 rmqueue_pcplist(struct memory *m, struct zone *preferred, struct zone *z, u32 order, u32 mt,
		    u32 alloc_flags)
{
	struct per_cpu_pages *pcp = this_pcp(m, z);
	u32 pfn;

	if (!pcp_trylock(m, pcp))
		return PFN_NONE;
	/* Freeing has paused, so fewer pages need to be given back at a time. */
	if (pcp->free_count)
		SET(m, pcp->free_count, pcp->free_count >> 1);
	pfn = __rmqueue_pcplist(m, z, order, mt, alloc_flags, pcp,
				pcp_list_head(pcp, order_to_pindex(mt, order)));
	pcp_unlock(m, z);
	if (pfn == PFN_NONE)
		return PFN_NONE;
	count_vm_events(m, PGALLOC + z->type, BIT(order));
	zone_statistics(m, preferred, z, 1);
	return pfn;
}
