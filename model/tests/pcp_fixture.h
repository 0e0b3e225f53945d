/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Nodes with one ZONE_NORMAL each, of 4096 pages, blocks of 512, MOVABLE; the tests set
 * the sizes of the pcp and fill its lists.
 */
#ifndef MODEL_TESTS_PCP_FIXTURE_H
#define MODEL_TESTS_PCP_FIXTURE_H

#include "model/tests/zone_fixture.h"

struct fixture {
	struct recorder r;
	struct observer observer;
	struct memory *m;
	struct zone *z;
	struct per_cpu_pages *pcp; /* of CPU 0 in the zone */
};

/* One or more nodes with one zone each, 2 CPUs. */
static inline void set_up_nodes(struct fixture *f, u32 nr_nodes)
{
	struct machine machine;

	machine_init(&machine);
	machine.mobility = MOBILITY_ON;
	machine.nr_cpus = 2;
	for (u32 nid = 0; nid < nr_nodes; nid++)
		add_zone(&machine, (u8)nid, ZONE_NORMAL, 8 * BLOCK);
	f->m = boot_machine(&machine, &f->r, &f->observer);
	f->z = zone_at(f->m, 0);
	f->pcp = zone_pcp(f->m, f->z, 0);
}

static inline void set_up(struct fixture *f)
{
	set_up_nodes(f, 1);
}

static inline void set_sizes(struct fixture *f, s32 batch, s32 high_min, s32 high_max)
{
	SET(f->m, f->pcp->batch, batch);
	SET(f->m, f->pcp->high_min, high_min);
	SET(f->m, f->pcp->high_max, high_max);
}

static inline u32 list_of(const struct fixture *f, u32 order, u32 mt)
{
	return pcp_list_head(f->pcp, order_to_pindex(mt, order));
}

static inline u32 list_length(const struct fixture *f, u32 head)
{
	u32 n = 0;

	for (u32 e = f->m->links[head].next; e != head; e = f->m->links[e].next)
		n++;
	return n;
}

/* A page of @order that nobody has on a list, from the buddies. */
static inline u32 take(struct fixture *f, u32 order)
{
	u32 pfn = __rmqueue_smallest(f->m, f->z, order, MIGRATE_MOVABLE);

	assert_int_not_equal(pfn, PFN_NONE);
	return pfn;
}

/* Put @nr pages of @order to the tail of a pcp list; returns the first one. */
static inline u32 fill(struct fixture *f, u32 order, u32 mt, u32 nr)
{
	u32 first = PFN_NONE;

	for (u32 i = 0; i < nr; i++) {
		u32 pfn = take(f, order);

		list_add_tail(f->m, pfn, list_of(f, order, mt));
		first = i ? first : pfn;
	}
	SET(f->m, f->pcp->count, f->pcp->count + (s32)(nr << order));
	return first;
}

/* Free a page of @order that was allocated. */
static inline void free_one(struct fixture *f, u32 order)
{
	__free_frozen_pages(f->m, take(f, order), order, FPI_NONE);
}

static inline u32 alloc_one(struct fixture *f, u32 order)
{
	return rmqueue_pcplist(f->m, f->z, f->z, order, MIGRATE_MOVABLE, 0);
}

#endif
