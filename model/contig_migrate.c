/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Emptying an isolated range: folios in use move elsewhere, batch by batch (spec 7.5),
 * hugetlb folios that wait in their pool get a successor (spec 7.2 step 6).
 *
 *      range      [ L f f L L x L . . .     L movable, x not, f free
 *      isolated_list  L L L L               at least COMPACT_CLUSTER_MAX pages, or all
 *
 * A page that is neither moved nor freed makes test_pages_isolated() fail later.
 */
#include <errno.h>

#include "model/internal.h"

/* Attempts at one batch. */
#define MAX_TRIES 5

/* ---- destinations -------------------------------------------------------- */

/* A fresh hugetlb folio comes from the buddy, or not at all (hugetlb.c). */
static u32 alloc_buddy_hugetlb_folio(struct memory *m, u32 order, u32 nid, u32 gfp)
{
	u32 pfn;

	gfp |= m->machine.hugetlb_migration ? GFP_HIGHUSER_MOVABLE : GFP_HIGHUSER;
	gfp |= __GFP_COMP | __GFP_NOWARN | __GFP_RETRY_MAYFAIL;
	pfn = alloc_frozen_pages(m, gfp, order, nid, NODEMASK_NULL);
	count_vm_events(m, pfn == PFN_NONE ? HTLB_BUDDY_PGALLOC_FAIL : HTLB_BUDDY_PGALLOC, 1);
	return pfn;
}

static u32 alloc_migration_target(struct memory *m, u32 src, u32 gfp)
{
	const struct zone *z = page_zone(m, src);
	u32 order = compound_order(m, src);

	if (page_has(m, src, PG_HUGETLB))
		return alloc_buddy_hugetlb_folio(m, order, z->node, 0);
	/* As a request for a huge page would be made. */
	if (order)
		gfp = (gfp & ~__GFP_RECLAIM) | GFP_TRANSHUGE;
	if (z->type == ZONE_MOVABLE)
		gfp |= __GFP_HIGHMEM;
	return alloc_frozen_pages(m, gfp, order, z->node, NODEMASK_NULL);
}

/* ---- taking folios off the LRU, and back --------------------------------- */

static bool is_gigantic(const struct memory *m, u32 head)
{
	return compound_order(m, head) > m->max_page_order;
}

/* @pfn is the page of the folio at which the scan came upon it. */
static bool folio_can_isolate(const struct memory *m, u32 head, u32 pfn)
{
	u32 kind = m->pages[head].flags & FOLIO_KINDS;

	if (!kind || (kind & (kind - 1)) || m->pages[head].refcount < 1)
		return false;
	/* Of folios that begin before the range only hugetlb ones are found by a tail. */
	return kind == PG_HUGETLB ? m->machine.hugetlb_migration : head == pfn;
}

/* The last one that was isolated is the first one to move; hugetlb folios queue up at the end. */
static void folio_isolate(struct memory *m, u32 head)
{
	if (page_has(m, head, PG_LRU))
		lru_del(m, head);
	else if (page_has(m, head, PG_PFMEMALLOC))
		page_set_flags(m, head, 0, PG_PFMEMALLOC); /* lru_add() */
	if (page_has(m, head, PG_HUGETLB))
		list_add_tail(m, head, m->global->isolated_list);
	else
		list_add(m, head, m->global->isolated_list);
}

/*
 * Is more of the node's LRU isolated than may be left? A caller that may wait for file systems
 * keeps to a smaller part, so that others get on.
 */
static bool too_many_isolated(const struct memory *m, u32 nid, u32 nr_isolated, u32 gfp)
{
	u64 inactive = 0;

	for (u32 i = 0; i < m->nr_zones; i++)
		if (m->zones[i].node == nid)
			inactive += zone_page_state(&m->zones[i], NR_ZONE_LRU);
	if (gfp & __GFP_FS)
		inactive >>= 3;
	return nr_isolated > inactive / 2;
}

/*
 * Isolate folios from *@pfn on, up to a batch, or block by block until they are too many. -ENOMEM:
 * there is a gigantic hugetlb page, and what could make room for it is this very path.
 */
static int isolate_migratepages_range(struct memory *m, u32 *pfn, u32 end, u32 gfp)
{
	u32 nid = page_zone(m, *pfn)->node;
	u32 next_block = *pfn;
	u32 nr = 0, nr_lru = 0;

	while (*pfn < end && nr < COMPACT_CLUSTER_MAX) {
		u32 head = compound_head(m, *pfn);
		u32 next = head + BIT(compound_order(m, head));

		if (*pfn >= next_block) {
			if (nr && too_many_isolated(m, nid, nr_lru, gfp))
				break;
			next_block =
				align_down(*pfn, m->pageblock_nr_pages) + m->pageblock_nr_pages;
		}
		if (page_has(m, head, PG_HUGETLB) && is_gigantic(m, head))
			return -ENOMEM;
		if (page_has(m, head, PG_BUDDY)) {
			next = head + BIT(buddy_order(m, head));
		} else if (folio_can_isolate(m, head, *pfn)) {
			nr_lru += page_has(m, head, PG_LRU) ? next - head : 0;
			folio_isolate(m, head);
			nr += next - head;
		}
		*pfn = next;
	}
	return 0;
}

static void putback_movable_pages(struct memory *m)
{
	u32 pfn;

	while ((pfn = list_first(m, m->global->isolated_list)) != PFN_NONE) {
		list_del(m, pfn);
		if (!page_has(m, pfn, FOLIO_KINDS))
			lru_add(m, pfn);
	}
}

/* ---- one attempt at a batch ---------------------------------------------- */

/* Clean page cache need not move: it is dropped. */
static void reclaim_clean_pages(struct memory *m)
{
	u32 head = m->global->isolated_list;
	u32 next;

	for (u32 pfn = m->links[head].next; pfn != head; pfn = next) {
		const struct page *page = &m->pages[pfn];
		u32 order = compound_order(m, pfn);

		next = m->links[pfn].next;
		if (!(page->flags & PG_CLEAN) || page->refcount != 1 ||
		    (page->flags & (FOLIO_KINDS | PG_PINNED | PG_MLOCKED | PG_HWPOISON)))
			continue;
		list_del(m, pfn);
		EMIT(m, EV_ENV_FREED, .zone = page->zone, .order = (s8)order, .pfn = pfn);
		put_page(m, pfn, order);
	}
}

/* True: the folio moved and @src is free. *@no_memory: there was no destination. */
static bool migrate_isolated(struct memory *m, u32 src, u32 gfp, bool *no_memory)
{
	bool lru = !page_has(m, src, FOLIO_KINDS);
	u32 order = compound_order(m, src);
	u32 dst;

	if (!folio_can_migrate(m, src))
		return false;
	dst = alloc_migration_target(m, src, gfp);
	*no_memory = dst == PFN_NONE;
	if (*no_memory)
		return false;
	if (!migrate_folio(m, src, dst, gfp)) {
		free_frozen_pages(m, dst, order);
		return false;
	}
	if (lru)
		lru_add(m, dst);
	return true;
}

/* Try each folio once; what does not move stays isolated, in its order. 0 or -ENOMEM. */
static int migrate_pages(struct memory *m, u32 gfp)
{
	u32 head = m->global->isolated_list;
	u32 last = list_last(m, head);
	bool no_memory = false;
	u32 pfn;

	do {
		pfn = list_first(m, head);
		if (pfn == PFN_NONE)
			break;
		list_del(m, pfn);
		if (!migrate_isolated(m, pfn, gfp, &no_memory))
			list_add_tail(m, pfn, head);
	} while (pfn != last && !no_memory);
	return no_memory ? -ENOMEM : 0;
}

int __alloc_contig_migrate_range(struct memory *m, u32 start, u32 end, u32 gfp)
{
	u32 head = m->global->isolated_list;
	u32 pfn = start;
	u32 tries = 0;
	int err = 0;

	while (pfn < end || !list_empty(m, head)) {
		if (task_is(m, TASK_FATAL_SIGNAL)) {
			err = -EINTR;
		} else if (list_empty(m, head)) {
			tries = 0;
			err = isolate_migratepages_range(m, &pfn, end, gfp);
		} else if (++tries == MAX_TRIES) {
			err = -EBUSY;
		}
		if (err)
			break;
		reclaim_clean_pages(m);
		err = migrate_pages(m, gfp);
		if (err)
			break;
	}
	putback_movable_pages(m);
	return err;
}

/* ---- hugetlb folios in their pool ---------------------------------------- */

int replace_free_hugepage_folios(struct memory *m, u32 start, u32 end)
{
	u32 next;

	for (u32 pfn = start; pfn < end; pfn = next) {
		u32 old = compound_head(m, pfn);
		u32 order =
			page_has(m, old, PG_BUDDY) ? buddy_order(m, old) : compound_order(m, old);
		u32 new;

		next = old + BIT(order);
		if (!page_has(m, old, PG_HUGETLB) || m->pages[old].refcount)
			continue;
		if (is_gigantic(m, old))
			return -ENOMEM;
		new = alloc_buddy_hugetlb_folio(m, order, page_zone(m, old)->node, __GFP_THISNODE);
		if (new == PFN_NONE)
			return -ENOMEM;
		if (!migrate_folio(m, old, new, 0)) {
			free_frozen_pages(m, new, order);
			return -EBUSY;
		}
	}
	return 0;
}
