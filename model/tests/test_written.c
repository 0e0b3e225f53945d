/* SPDX-License-Identifier: GPL-2.0-only */
/* What a look tells: each page, link, block and zone that is different, once, and nothing else. */
#include "model/tests/one_zone.h"

static void assert_told(struct memory *m, u32 nr_pages, u32 nr_links, u32 nr_blocks, u64 zones)
{
	const struct written *w = memory_written(m);

	assert_non_null(w);
	assert_int_equal(w->nr_pages, nr_pages);
	assert_int_equal(w->nr_links, nr_links);
	assert_int_equal(w->nr_blocks, nr_blocks);
	assert_int_equal(w->zones, zones);
}

/* The look after boot: set_up() may have changed things. */
static void begin(struct fixture *f)
{
	set_up(f);
	assert_non_null(memory_written(f->m));
	assert_told(f->m, 0, 0, 0, 0);
}

/* Both words of one page, one of its neighbour, and one of a page far away. */
static void pages(void **state)
{
	const struct written *w;
	struct fixture f;

	(void)state;
	begin(&f);
	SET(f.m, f.m->pages[65].private, 3);
	SET(f.m, f.m->pages[65].compound_order, 3);
	SET(f.m, f.m->pages[66].flags, f.m->pages[66].flags | PG_LRU);
	SET(f.m, f.m->pages[900].refcount, 7);
	w = memory_written(f.m);
	assert_int_equal(w->nr_pages, 3);
	assert_int_equal(w->pages[0], 65);
	assert_int_equal(w->pages[1], 66);
	assert_int_equal(w->pages[2], 900);
	assert_told(f.m, 0, 0, 0, 0);
	shut_down(f.m);
}

static void links(void **state)
{
	const struct written *w;
	struct fixture f;
	struct link was;

	(void)state;
	begin(&f);
	was = f.m->links[70];
	SET(f.m, f.m->links[70].prev, was.prev ^ 1);
	SET(f.m, f.m->links[70].prev, was.prev ^ 2);
	w = memory_written(f.m);
	assert_int_equal(w->nr_links, 1);
	assert_int_equal(w->links[0].index, 70);
	assert_memory_equal(&w->links[0].was, &was, sizeof(was));
	/* The next look compares with this one. */
	SET(f.m, f.m->links[70].next, was.next ^ 1);
	w = memory_written(f.m);
	assert_int_equal(w->nr_links, 1);
	assert_int_equal(w->links[0].was.prev, was.prev ^ 2);
	shut_down(f.m);
}

/* Neighbours in one word are told apart. */
static void blocks(void **state)
{
	const struct written *w;
	struct fixture f;
	u8 was;

	(void)state;
	begin(&f);
	was = f.m->pageblock_flags[1];
	SET(f.m, f.m->pageblock_flags[1], was ^ PB_ISOLATE);
	w = memory_written(f.m);
	assert_int_equal(w->nr_blocks, 1);
	assert_int_equal(w->blocks[0].block, 1);
	assert_int_equal(w->blocks[0].was, was);
	shut_down(f.m);
}

/* A zone, by its own counters or by a pcp of any CPU. */
static void zones(void **state)
{
	struct machine machine;
	struct memory *m;

	(void)state;
	machine_init(&machine);
	machine.nr_cpus = 3;
	add_zone(&machine, 0, ZONE_NORMAL, 8 * BLOCK);
	add_zone(&machine, 1, ZONE_NORMAL, 8 * BLOCK);
	m = memory_create(&machine);
	assert_told(m, 0, 0, 0, 0);
	SET(m, m->zones[0].vm_stat[NUMA_INTERLEAVE_HIT], 1);
	assert_told(m, 0, 0, 0, BIT(0));
	SET(m, m->zones[1].flags, 1);
	assert_told(m, 0, 0, 0, BIT(1));
	for (u32 cpu = 0; cpu < 3; cpu++) {
		SET(m, m->pcps[cpu].count, 1);
		assert_told(m, 0, 0, 0, BIT(0));
		SET(m, m->pcps[3 + cpu].free_count, 1);
		assert_told(m, 0, 0, 0, BIT(1));
	}
	/* What belongs to no zone. */
	set_cpu(m, 1);
	assert_told(m, 0, 0, 0, 0);
	memory_destroy(m);
}

/* There and back; and the same over a reset. */
static void as_it_was(void **state)
{
	struct fixture f;
	u16 flags;

	(void)state;
	begin(&f);
	flags = f.m->pages[65].flags;
	SET(f.m, f.m->pages[65].flags, flags ^ PG_LRU);
	SET(f.m, f.m->pages[65].flags, flags);
	assert_told(f.m, 0, 0, 0, 0);
	memory_reset(f.m);
	assert_told(f.m, 0, 0, 0, 0);
	SET(f.m, f.m->pages[65].flags, flags ^ PG_LRU);
	assert_told(f.m, 1, 0, 0, 0);
	memory_reset(f.m);
	assert_told(f.m, 0, 0, 0, 0);
	shut_down(f.m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages), cmocka_unit_test(links),     cmocka_unit_test(blocks),
		cmocka_unit_test(zones), cmocka_unit_test(as_it_was),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
