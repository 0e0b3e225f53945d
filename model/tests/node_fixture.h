/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two machines of 8-block zones, for tests of whole requests:
 *
 *      one node:    0 DMA32 | 0 Normal
 *      two nodes:   0 DMA32 | 0 Normal | 1 Normal       (no DMA32 on node 1)
 *
 * Most requests are of order 4, which bypasses the pcp lists. Marks are 100, 200
 * and 300 pages in every zone; lowmem_reserve is 0 unless a test sets it.
 */
#ifndef MODEL_TESTS_NODE_FIXTURE_H
#define MODEL_TESTS_NODE_FIXTURE_H

#include "model/tests/zone_fixture.h"

#define NONE NODEMASK_NULL

static struct machine machine;
static struct recorder rec;
static struct observer observer;
static struct memory *m;
static struct zone *dma32, *normal, *remote;

static inline void start(bool two_nodes)
{
	add_zone(&machine, 0, ZONE_DMA32, 8 * BLOCK);
	add_zone(&machine, 0, ZONE_NORMAL, 8 * BLOCK);
	if (two_nodes)
		add_zone(&machine, 1, ZONE_NORMAL, 8 * BLOCK);
	m = boot_machine(&machine, &rec, &observer);
	dma32 = zone_at(m, 0);
	normal = zone_at(m, 1);
	remote = two_nodes ? zone_at(m, 2) : NULL;
	for (u32 i = 0; i < m->nr_zones; i++) {
		set_marks_of(m, zone_at(m, i), 100, 200, 300);
		for (u32 j = 0; j < MAX_NR_ZONES; j++)
			SET(m, m->zones[i].lowmem_reserve[j], 0);
	}
}

static inline int one_node(void **state)
{
	(void)state;
	machine_init(&machine);
	start(false);
	return 0;
}

static inline int two_nodes(void **state)
{
	(void)state;
	machine_init(&machine);
	start(true);
	return 0;
}

static inline int tear_down(void **state)
{
	(void)state;
	shut_down(m);
	return 0;
}

/* A new op with these answers; forget the events so far. */
static inline void next_op(const struct answer *answers, u32 nr)
{
	memory_end_op(m, &(struct op_report){0});
	memory_begin_op(m, answers, nr);
	rec.nr = 0;
}

static inline u32 gpff_flags(u32 n)
{
	const struct event *ev = event_at(&rec, EV_GPFF, n);

	assert_non_null(ev);
	return ev->a;
}

/* Leave @z with @small order-4 buddies in its first block, of type @mt. */
static inline void draw(struct zone *z, u32 mt, u32 small)
{
	u32 block = z->zone_start_pfn / BLOCK;

	empty_zone(m, z);
	set_block(m, block, mt);
	for (u32 i = 0; i < small; i++)
		put_buddy(m, block * BLOCK + 32 * i, 4);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, one_node, tear_down)
#define TEST_NUMA(f) cmocka_unit_test_setup_teardown(f, two_nodes, tear_down)

#endif
