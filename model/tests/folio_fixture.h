/* SPDX-License-Identifier: GPL-2.0-only */
/* For tests of isolation and contiguous allocation: put something in use at a given place. */
#ifndef MODEL_TESTS_FOLIO_FIXTURE_H
#define MODEL_TESTS_FOLIO_FIXTURE_H

#include "model/tests/zone_fixture.h"

/*
 * Take the 2^order pages at @pfn out of the free buddy around them; what is left of the buddy
 * goes back in halves. The pages are frozen then: no reference, no mark.
 *
 *      take 4, order 2:   [      0, order 4      ]  ->  [ 0, 2 ][taken][ 8, order 3 ]
 */
static inline void take(struct memory *m, u32 pfn, u32 order)
{
	u32 head = find_large_buddy(m, pfn);
	u32 high;

	assert_true(page_has(m, head, PG_BUDDY));
	high = buddy_order(m, head);
	assert_true(head + BIT(high) >= pfn + BIT(order));
	del_page_from_free_list(m, page_zone(m, pfn), head, high,
				get_pfnblock_migratetype(m, head));
	while (high > order) {
		u32 half = head + BIT(--high);

		put_buddy(m, pfn < half ? half : head, high);
		head = pfn < half ? head : half;
	}
}

/* A folio of @order at @pfn with @refs references and @marks; compound unless it is one page. */
static inline void put_folio(struct memory *m, u32 pfn, u32 order, s32 refs, u32 marks)
{
	take(m, pfn, order);
	if (order)
		prep_compound_page(m, pfn, order);
	set_page_count(m, pfn, refs);
	mark_page(m, pfn, order, marks, 0);
}

/* One Normal zone of @pages. */
static inline struct memory *boot_zone(u32 pages, struct recorder *r, struct observer *o)
{
	struct machine machine;

	machine_init(&machine);
	add_zone(&machine, 0, ZONE_NORMAL, pages);
	return boot_machine(&machine, r, o);
}

/* The entries of a list are @nr PFNs, head first. */
static inline void assert_list(const struct memory *m, u32 head, const u32 *pfns, u32 nr)
{
	u32 entry = m->links[head].next;

	for (u32 i = 0; i < nr; i++) {
		assert_int_equal(entry, pfns[i]);
		entry = m->links[entry].next;
	}
	assert_int_equal(entry, head);
}

/* ASSERT_FREE(m, z, order, mt, pfn...): one free list. */
#define ASSERT_FREE(m, z, order, mt, ...)                                        \
	assert_list(m, free_list_head(z, order, mt), (const u32[]){__VA_ARGS__}, \
		    sizeof((const u32[]){__VA_ARGS__}) / sizeof(u32))

/* No block is isolated. */
static inline void assert_nothing_isolated(const struct memory *m)
{
	for (u32 i = 0; i < m->nr_zones; i++)
		assert_int_equal(m->zones[i].nr_isolate_pageblock, 0);
	for (u32 pfn = 0; pfn < m->nr_pages; pfn += m->pageblock_nr_pages)
		assert_false(get_pageblock_isolate(m, pfn));
	assert_true(list_empty(m, m->global->isolated_list));
}

/* What isolation may change for a while and has to give back. */
struct books {
	s64 vm_stat[NR_ZONE_STATS];
	u32 nr_free[NR_ORDERS];
	u32 nr_free_highatomic;
	u8 blocks[16];
};

static inline struct books keep_books(const struct memory *m, const struct zone *z)
{
	struct books b = {.nr_free_highatomic = z->nr_free_highatomic};
	u32 nr = align_up(m->nr_pages, m->pageblock_nr_pages) >> m->pageblock_order;

	memcpy(b.vm_stat, z->vm_stat, sizeof(b.vm_stat));
	memcpy(b.nr_free, z->nr_free, sizeof(b.nr_free));
	assert_true(nr <= sizeof(b.blocks));
	memcpy(b.blocks, m->pageblock_flags, nr);
	return b;
}

static inline void assert_books(const struct memory *m, const struct zone *z,
				const struct books *before)
{
	struct books now = keep_books(m, z);

	assert_memory_equal(&now, before, sizeof(now));
}

#endif
