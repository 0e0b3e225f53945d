/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One ZONE_NORMAL of 4096 pages, 8 blocks of 512, MAX_PAGE_ORDER 10, MOVABLE, all of
 * it looking allocated: the sheet that the tests of lists and buddies draw on.
 */
#ifndef MODEL_TESTS_ONE_ZONE_H
#define MODEL_TESTS_ONE_ZONE_H

#include "model/tests/zone_fixture.h"

struct fixture {
	struct recorder r;
	struct observer observer;
	struct memory *m;
	struct zone *z;
};

static inline void set_up(struct fixture *f)
{
	struct machine machine;

	machine_init(&machine);
	machine.mobility = MOBILITY_ON;
	add_zone(&machine, 0, ZONE_NORMAL, 8 * BLOCK);
	f->m = boot_machine(&machine, &f->r, &f->observer);
	f->z = zone_at(f->m, 0);
	empty_zone(f->m, f->z);
}

static inline void free_at(struct fixture *f, u32 pfn, u32 order)
{
	__free_one_page(f->m, pfn, f->z, order, get_pfnblock_migratetype(f->m, pfn), FPI_NONE);
}

/* The n-th entry (from 0) of a list, or PFN_NONE. */
static inline u32 entry(const struct fixture *f, u32 order, u32 mt, u32 n)
{
	u32 head = free_list_head(f->z, order, mt);
	u32 e = f->m->links[head].next;

	while (e != head && n--)
		e = f->m->links[e].next;
	return e == head ? PFN_NONE : e;
}

/* @pfn is the only free buddy of @order, of whatever type, and it is on the list of @mt. */
static inline void assert_only(const struct fixture *f, u32 order, u32 mt, u32 pfn)
{
	assert_int_equal(f->z->nr_free[order], 1);
	assert_int_equal(entry(f, order, mt, 0), pfn);
	assert_true(page_is_buddy(f->m, pfn, order, f->z->index));
}

#endif
