/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For tests of the slow path and of what it calls: machines whose zones have no
 * free page at all, so that every look at the lists fails until a test puts
 * something there, and the trace of a request in letters (spec 6.3):
 *
 *      W wake_all_kswapds       G get_page_from_freelist     R direct reclaim
 *      C direct compaction      D drain_all_pages            O out_of_memory
 *      U unreserve_highatomic
 *
 *      one node:    0 Normal                                  8 blocks a zone,
 *      two nodes:   0 DMA32 | 0 Normal | 1 Normal             marks 100, 200, 300
 */
#ifndef MODEL_TESTS_SLOW_FIXTURE_H
#define MODEL_TESTS_SLOW_FIXTURE_H

#include "model/tests/zone_fixture.h"

#define NONE NODEMASK_NULL
/* Movable, in any zone. */
#define GFP_MOVABLE (GFP_KERNEL | __GFP_HIGHMEM | __GFP_MOVABLE)

static struct machine machine;
static struct recorder rec;
static struct observer observer;
static struct memory *m;
static struct zone *normal; /* of node 0 */

static inline void set_all_marks(u32 min, u32 low, u32 high)
{
	for (u32 i = 0; i < m->nr_zones; i++)
		set_marks_of(m, zone_at(m, i), min, low, high);
}

static inline void boot_empty(void)
{
	m = boot_machine(&machine, &rec, &observer);
	normal = find_zone(m, 0, ZONE_NORMAL);
	for (u32 i = 0; i < m->nr_zones; i++) {
		empty_zone(m, zone_at(m, i));
		for (u32 j = 0; j < MAX_NR_ZONES; j++)
			SET(m, m->zones[i].lowmem_reserve[j], 0);
	}
	set_all_marks(100, 200, 300);
}

static inline int one_node(void **state)
{
	(void)state;
	machine_init(&machine);
	machine.fuel = 20;
	add_zone(&machine, 0, ZONE_NORMAL, 8 * BLOCK);
	boot_empty();
	return 0;
}

static inline int two_nodes(void **state)
{
	(void)state;
	machine_init(&machine);
	machine.fuel = 20;
	add_zone(&machine, 0, ZONE_DMA32, 8 * BLOCK);
	add_zone(&machine, 0, ZONE_NORMAL, 8 * BLOCK);
	add_zone(&machine, 1, ZONE_NORMAL, 8 * BLOCK);
	boot_empty();
	return 0;
}

static inline int tear_down(void **state)
{
	(void)state;
	shut_down(m);
	return 0;
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, one_node, tear_down)
#define TEST_NUMA(f) cmocka_unit_test_setup_teardown(f, two_nodes, tear_down)

/* A new op with these answers; forget the events so far. */
static inline void next_op(const struct answer *answers, u32 nr)
{
	memory_end_op(m, &(struct op_report){0});
	memory_begin_op(m, answers, nr);
	rec.nr = 0;
}

/* From now on every call of @call is answered like this. */
static inline void always(enum env_call call, u32 value, u32 extra)
{
	m->machine.env.defaults[call] =
		(struct env_default){.value = value, .extra = extra, .times = UINT32_MAX};
	m->env_defaults |= BIT(call);
}

/* The caches of a page cache: a folio in use, at the young end of the LRU. */
static inline void put_folio(u32 pfn, u32 order)
{
	set_page_count(m, pfn, 1);
	if (order)
		prep_compound_page(m, pfn, order);
	lru_add(m, pfn);
}

static inline char letter(const struct event *ev)
{
	switch (ev->type) {
	case EV_WAKEUP_KSWAPD:
		return 'W';
	case EV_GPFF_END:
		return 'G';
	case EV_DRAIN_ALL_PAGES:
		return 'D';
	case EV_UNRESERVE_HIGHATOMIC:
		return 'U';
	case EV_ENV_CALL:
		if (ev->a == ENV_RECLAIM)
			return 'R';
		if (ev->a == ENV_COMPACT && ev->zone == ZONE_ANY)
			return 'C';
		return ev->a == ENV_OOM ? 'O' : 0;
	default:
		return 0;
	}
}

/* What happened after the fast path, which is the first look at the lists. */
static inline const char *trace(void)
{
	static char letters[ARRAY_SIZE(rec.events) + 1];
	bool slow = false;
	u32 nr = 0;

	assert_true(rec.nr <= ARRAY_SIZE(rec.events));
	for (u32 i = 0; i < rec.nr; i++) {
		char c = letter(&rec.events[i]);

		/* One wake for each node: a run of them is one W. */
		if (slow && c && !(c == 'W' && nr && letters[nr - 1] == 'W'))
			letters[nr++] = c;
		slow |= c == 'G';
	}
	letters[nr] = '\0';
	return letters;
}

/* Spaces in @expected are for the reader: they part the rounds. */
static inline void assert_way(const char *expected)
{
	char letters[ARRAY_SIZE(rec.events) + 1];
	size_t nr = 0;

	for (; *expected; expected++) {
		if (*expected != ' ')
			letters[nr++] = *expected;
	}
	letters[nr] = '\0';
	assert_string_equal(trace(), letters);
}

/* The @n-th event (from 0) that has this letter; fast path included. */
static inline const struct event *letter_at(char c, u32 n)
{
	for (u32 i = 0; i < rec.nr; i++) {
		if (letter(&rec.events[i]) == c && !n--)
			return &rec.events[i];
	}
	fail_msg("no such event: %c", c);
	return NULL;
}

static inline u32 slowpath_exit(void)
{
	assert_int_equal(count_events(&rec, EV_SLOWPATH_EXIT), 1);
	return event_at(&rec, EV_SLOWPATH_EXIT, 0)->a;
}

static inline u64 vm_event(u32 which)
{
	return m->global->vm_event[which];
}

static inline void set_defrag_mode(u32 on)
{
	SET(m, m->global->sysctl[SYSCTL_DEFRAG_MODE], on);
}

/* Play a request that must fail, and compare the way that it went. */
static inline void expect_failure(u32 gfp, u32 order, const char *way, u32 exit)
{
	next_op(NULL, 0);
	assert_int_equal(alloc_pages(m, gfp, order, 0, NONE), PFN_NONE);
	assert_way(way);
	assert_int_equal(slowpath_exit(), exit);
}

static inline u32 flags_of_look(u32 n)
{
	return letter_at('G', n)->a;
}

#endif
