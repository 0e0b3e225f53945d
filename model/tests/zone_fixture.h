/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For tests that draw a zone by hand: boot a machine, take everything off the
 * free lists, put back the buddies of the picture, record the events.
 */
#ifndef MODEL_TESTS_ZONE_FIXTURE_H
#define MODEL_TESTS_ZONE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/internal.h"

#define BLOCK 512U /* pages of a pageblock, order 9 */

struct recorder {
	struct event events[512];
	u32 nr;
};

static inline void record(void *ctx, const struct event *ev)
{
	struct recorder *r = ctx;

	if (r->nr < ARRAY_SIZE(r->events))
		r->events[r->nr] = *ev;
	r->nr++;
}

/* The @n-th event (from 0) of @type, or NULL. */
static inline const struct event *event_at(const struct recorder *r, u32 type, u32 n)
{
	assert_true(r->nr <= ARRAY_SIZE(r->events));
	for (u32 i = 0; i < r->nr; i++) {
		if (r->events[i].type == type && !n--)
			return &r->events[i];
	}
	return NULL;
}

static inline u32 count_events(const struct recorder *r, u32 type)
{
	u32 n = 0;

	while (event_at(r, type, n))
		n++;
	return n;
}

/* Add a zone of @pages after those that @machine has; without gaps. */
static inline void add_zone(struct machine *machine, u8 node, u8 type, u32 pages)
{
	struct machine_zone *z = &machine->zones[machine->nr_zones];

	*z = (struct machine_zone){.node = node, .type = type, .pages = pages};
	if (machine->nr_zones)
		z->start = z[-1].start + z[-1].pages;
	machine->nr_zones++;
	machine->nr_nodes = node + 1;
}

/* Boot, and have every event in @r. */
static inline struct memory *boot_machine(struct machine *machine, struct recorder *r,
					  struct observer *observer)
{
	struct memory *m;

	assert_null(machine_check(machine));
	m = memory_create(machine);
	assert_non_null(m);
	r->nr = 0;
	*observer = (struct observer){.event = record, .ctx = r, .mask = EV_ALL};
	memory_observe(m, observer);
	memory_begin_op(m, NULL, 0);
	return m;
}

/* Every test ends here: the journal must have seen every write. */
static inline void shut_down(struct memory *m)
{
	memory_end_op(m, &(struct op_report){0});
	memory_observe(m, NULL);
	memory_reset(m);
	assert_true(memory_is_pristine(m));
	memory_destroy(m);
}

/* Take every buddy of @z off the lists: all of it looks allocated then. */
static inline void empty_zone(struct memory *m, struct zone *z)
{
	for (u32 order = 0; order <= m->max_page_order; order++) {
		for (u32 mt = 0; mt < MIGRATE_TYPES; mt++) {
			u32 pfn;

			while ((pfn = get_page_from_free_area(m, z, order, mt)) != PFN_NONE)
				del_page_from_free_list(m, z, pfn, order, mt);
		}
	}
}

/* A free buddy at the tail of the list of its block's type; nothing merges. */
static inline void put_buddy(struct memory *m, u32 pfn, u32 order)
{
	struct zone *z = page_zone(m, pfn);
	u32 mt = get_pfnblock_migratetype(m, pfn);

	__add_to_free_list(m, z, pfn, order, mt, true);
	account_freepages(m, z, 1 << order, mt);
}

static inline void set_block(struct memory *m, u32 block, u32 mt)
{
	set_pageblock_migratetype(m, block * BLOCK, mt);
}

/* @nr pages at @pfn look like folios on the LRU to those who scan a block. */
static inline void look_movable(struct memory *m, u32 pfn, u32 nr)
{
	for (u32 i = 0; i < nr; i++)
		page_set_flags(m, pfn + i, PG_LRU, 0);
}

static inline void set_marks_of(struct memory *m, struct zone *z, u32 min, u32 low, u32 high)
{
	SET(m, z->_watermark[WMARK_MIN], min);
	SET(m, z->_watermark[WMARK_LOW], low);
	SET(m, z->_watermark[WMARK_HIGH], high);
}

/* Head of list (@order, @mt), or PFN_NONE. */
static inline u32 head_of(const struct memory *m, const struct zone *z, u32 order, u32 mt)
{
	return list_first(m, free_list_head(z, order, mt));
}

#endif
