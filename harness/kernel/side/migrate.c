// SPDX-License-Identifier: GPL-2.0-only
/*
 * What happens to folios that page_alloc.c and compaction.c took hold of: the case says whether they
 * move (spec 7.5), and the rules are those of the port's migrate.c and contig_migrate.c. An isolated
 * folio has one more reference; who is isolated from where its flags tell:
 *
 *      LRU          isolated by compaction.c, off the LRU      (neither type below)
 *      movable_ops, hugetlb                                    isolated here
 */
#include "side.h"

#define UNMOVABLE (SIDE_PG_PINNED | SIDE_PG_RESERVED | SIDE_PG_HWPOISON)
#define FOLIO_KINDS (SIDE_PG_LRU | SIDE_PG_MOVABLE_OPS | SIDE_PG_HUGETLB)
#define FOLIO_STATE (FOLIO_KINDS | SIDE_PG_CLEAN | SIDE_PG_MLOCKED)

/* ---- taking hold --------------------------------------------------------- */

int side_isolate_movable(struct page *page, isolate_mode_t mode)
{
	if ((side_marks(page) & FOLIO_KINDS) != SIDE_PG_MOVABLE_OPS || !page_ref_count(page))
		return K_ISOLATED(false);
	get_page(page);
	K_SET_ISOLATED(page);
	return K_ISOLATED(true);
}
asm(".globl isolate_movable_ops_page, isolate_movable_page\n"
    ".set isolate_movable_ops_page, side_isolate_movable\n"
    ".set isolate_movable_page, side_isolate_movable\n");

static int replace_free(struct folio *old);

/* A folio that waits in its pool is replaced here where nobody did that before. */
static int isolate_huge(struct folio *folio, struct list_head *list)
{
	if (folio_order(folio) > K_TOP)
		return -ENOMEM;
#ifndef HAVE_REPLACE_FREE_HUGEPAGES
	if (!folio_ref_count(folio))
		return replace_free(folio);
#endif
	if (!side.machine.hugetlb_migration || !folio_ref_count(folio) ||
	    (side_marks(&folio->page) & FOLIO_KINDS) != SIDE_PG_HUGETLB)
		return -EBUSY;
	folio_get(folio);
	list_add_tail(&folio->lru, list);
	return 0;
}

int isolate_or_dissolve_huge_folio(struct folio *folio, struct list_head *list)
{
	return isolate_huge(folio, list);
}

int isolate_or_dissolve_huge_page(struct page *page, struct list_head *list)
{
	return isolate_huge(page_folio(page), list);
}

static bool was_on_lru(struct folio *folio)
{
	return !(side_marks(&folio->page) & FOLIO_KINDS);
}

/* Isolation's own reference goes; the folio is its owner's alone again. */
static void release(struct folio *folio)
{
	if (was_on_lru(folio))
		side_forget_lru(folio);
	else if (side_marks(&folio->page) & SIDE_PG_MOVABLE_OPS)
		K_CLEAR_ISOLATED(&folio->page);
	folio_ref_dec(folio);
}

void putback_movable_pages(struct list_head *list)
{
	struct folio *folio, *next;

	list_for_each_entry_safe(folio, next, list, lru) {
		bool lru = was_on_lru(folio);

		list_del(&folio->lru);
		release(folio);
		if (lru)
			side_lru_add(folio);
	}
}

unsigned int reclaim_clean_pages_from_list(struct zone *z, struct list_head *list)
{
	struct folio *folio, *next;
	unsigned int freed = 0;

	list_for_each_entry_safe(folio, next, list, lru) {
		unsigned int marks = side_marks(&folio->page);
		unsigned int order = folio_order(folio);

		if (!(marks & SIDE_PG_CLEAN) || folio_ref_count(folio) != 2 ||
		    marks & (FOLIO_KINDS | UNMOVABLE | SIDE_PG_MLOCKED))
			continue;
		list_del(&folio->lru);
		release(folio);
		EMIT(EV_ENV_FREED, .zone = zone_number(folio_zone(folio)), .order = order,
		     .pfn = folio_pfn(folio));
		freed += 1U << order;
		side_put_page(&folio->page, order);
	}
	return freed;
}

/* ---- moving -------------------------------------------------------------- */

static struct page *alloc_buddy_hugetlb(unsigned int order, int nid, gfp_t gfp)
{
	struct page *page;

	gfp |= side.machine.hugetlb_migration ? GFP_HIGHUSER_MOVABLE : GFP_HIGHUSER;
	gfp |= __GFP_COMP | __GFP_NOWARN | __GFP_RETRY_MAYFAIL;
	page = K_ALLOC_FROZEN(gfp, order, nid, NULL);
	count_vm_event(page ? HTLB_BUDDY_PGALLOC : HTLB_BUDDY_PGALLOC_FAIL);
	return page;
}

struct folio *side_alloc_migration_target(struct folio *src, unsigned long private)
{
	struct migration_target_control *mtc = (void *)private;
	unsigned int order = folio_order(src);
	gfp_t gfp = mtc->gfp_mask;
	struct page *page;

	if (folio_test_hugetlb(src)) {
		page = alloc_buddy_hugetlb(order, folio_nid(src), 0);
	} else {
		/* As a request for a huge page would be made. */
		if (order)
			gfp = (gfp & ~__GFP_RECLAIM) | GFP_TRANSHUGE;
		if (zone_idx(folio_zone(src)) == ZONE_MOVABLE)
			gfp |= __GFP_HIGHMEM;
		page = K_ALLOC_FROZEN(gfp, order, folio_nid(src), NULL);
	}
	return (struct folio *)page;
}
/* A tree may take and give pages. */
asm(".globl alloc_migration_target\n.set alloc_migration_target, side_alloc_migration_target\n");

/* One reference is the owner's, one is isolation's; a third may come from somebody else. */
static bool can_migrate(struct folio *src)
{
	return !(side_marks(&src->page) & UNMOVABLE) && folio_ref_count(src) <= 2;
}

/* The owner of @src, which no list holds, has @dst now. @src is free. */
static void move(struct folio *src, struct folio *dst)
{
	unsigned int order = folio_order(src);
	unsigned int state = side_marks(&src->page) & FOLIO_STATE;

	set_page_count(&dst->page, folio_ref_count(src));
	set_page_count(&src->page, 0);
	side_mark(&src->page, order, 0, state);
	side_mark(&dst->page, order, state, 0);
	EMIT(EV_ENV_MOVED, .zone = zone_number(folio_zone(src)), .order = order,
	     .pfn = folio_pfn(src), .a = folio_pfn(dst));
	side_unmark(&src->page, order);
	K_FREE_FROZEN(&src->page, order);
}

static bool refuses_to_move(struct folio *src)
{
	return env_ask(ENV_MIGRATE, folio_zone(src), -1, 0, 0, NULL);
}

/* False: @src stays isolated. */
static bool migrate_isolated(struct folio *src, new_folio_t get_new, free_folio_t put_new,
			     unsigned long private, bool *no_memory)
{
	bool lru = was_on_lru(src);
	struct folio *dst;

	if (!can_migrate(src))
		return false;
	dst = get_new(src, private);
	*no_memory = !dst;
	if (!dst)
		return false;
	if (refuses_to_move(src)) {
		if (put_new)
			put_new(dst, private);
		else
			K_FREE_FROZEN(&dst->page, folio_order(dst));
		return false;
	}
	release(src);
	move(src, dst);
	if (lru)
		side_lru_add(dst);
	return true;
}

/* Each folio once; what does not move stays on the list, in its order. */
int side_migrate_pages(struct list_head *from, new_folio_t get_new, free_folio_t put_new,
		       unsigned long private, enum migrate_mode mode, int reason,
		       unsigned int *succeeded)
{
	struct list_head *last = from->prev, *entry;
	bool no_memory = false;
	unsigned int moved = 0;

	while (!list_empty(from) && !no_memory) {
		struct folio *src = list_first_entry(from, struct folio, lru);
		unsigned int nr = folio_nr_pages(src);

		entry = &src->lru;
		list_del(entry);
		if (migrate_isolated(src, get_new, put_new, private, &no_memory))
			moved += nr;
		else
			list_add_tail(entry, from);
		if (entry == last)
			break;
	}
	if (succeeded)
		*succeeded = moved;
	return no_memory ? -ENOMEM : 0;
}
/* Its prototype differs from tree to tree. */
asm(".globl migrate_pages\n.set migrate_pages, side_migrate_pages\n");

/* ---- hugetlb folios that wait in their pool (spec 7.2 step 6) ------------ */

static int replace_free(struct folio *old)
{
	unsigned int order = folio_order(old);
	struct page *new;

	if (order > K_TOP)
		return -ENOMEM;
	new = alloc_buddy_hugetlb(order, folio_nid(old), __GFP_THISNODE);
	if (!new)
		return -ENOMEM;
	if (side_marks(&old->page) & UNMOVABLE || refuses_to_move(old)) {
		K_FREE_FROZEN(new, order);
		return -EBUSY;
	}
	move(old, (struct folio *)new);
	return 0;
}

static int replace_folios(unsigned long start, unsigned long end)
{
	unsigned long pfn = start;

	while (pfn < end) {
		struct folio *old = page_folio(pfn_to_page(pfn));
		unsigned int order = PageBuddy(&old->page) ? buddy_order(&old->page) :
							     folio_order(old);
		int err;

		pfn = folio_pfn(old) + (1UL << order);
		if (!folio_test_hugetlb(old) || folio_ref_count(old))
			continue;
		err = replace_free(old);
		if (err)
			return err;
	}
	return 0;
}

/* Nobody comes in between while folios are on their way. */
int replace_free_hugepage_folios(unsigned long start, unsigned long end)
{
	unsigned int points = side.nest_points;
	int err;

	side.nest_points = 0;
	err = replace_folios(start, end);
	side.nest_points = points;
	return err;
}

struct hstate *size_to_hstate(unsigned long size)
{
	static struct hstate movable = {.order = PMD_SHIFT - PAGE_SHIFT}, unmovable = {.order = 1};

	return side.machine.hugetlb_migration ? &movable : &unmovable;
}
