/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For tests of a run: a case that grows by add_*() and is played on a fake subject,
 * which writes the calls down; its pages are those of fake_view.h.
 */
#ifndef HARNESS_TESTS_RUN_FIXTURE_H
#define HARNESS_TESTS_RUN_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/run.h"
#include "harness/tests/fake_subject.h"

static struct fake_subject fake;
static struct testcase c;
static struct run r;

static inline int setup(void **state)
{
	(void)state;
	fake_subject_init(&fake);
	case_init(&c);
	c.machine = fake.v.machine;
	return 0;
}

static inline int teardown(void **state)
{
	(void)state;
	run_free(&r);
	case_free(&c);
	return 0;
}

/* Append an op; returns its slot if it creates one. */
static inline u32 add(struct op op)
{
	op.out = op_infos[op.kind].creates ? c.nr_slots++ : SLOT_NONE;
	case_add_op(&c, &op);
	return op.out;
}

static inline void play(void)
{
	run_init(&r, &c, &fake.subject, CHECK_NONE, NULL);
	run_finish(&r);
}

static inline u32 add_alloc(u32 order, u32 gfp, u32 flags)
{
	return add(
		(struct op){.kind = OP_ALLOC, .order = (u8)order, .gfp = gfp, .flags = (u8)flags});
}

static inline void add_free(u32 slot, u32 flags)
{
	add((struct op){.kind = OP_FREE, .a = slot, .b = EXTENT_ALL, .flags = (u8)flags});
}

static inline void add_get(u32 slot)
{
	add((struct op){.kind = OP_GET, .a = slot});
}

static inline void add_piece(u32 slot, u32 offset, u32 order)
{
	add((struct op){.kind = OP_FREE_PIECE, .a = slot, .b = offset, .order = (u8)order});
}

static inline const struct call *call_nr(u32 i)
{
	assert_true(i < fake.nr_calls);
	return &fake.calls[i].call;
}

static inline void assert_call(u32 i, u32 kind, u32 pfn, u32 order, u32 flags)
{
	assert_int_equal(call_nr(i)->kind, kind);
	assert_int_equal(call_nr(i)->pfn, pfn);
	assert_int_equal(call_nr(i)->order, order);
	assert_int_equal(call_nr(i)->flags, flags);
}

static inline void assert_nothing_held(void)
{
	for (u32 pfn = 0; pfn < FAKE_PAGES; pfn++) {
		assert_int_equal(r.book.held[pfn], HELD_NONE);
		assert_int_equal(r.book.owner[pfn], 0);
	}
}

#define fake_test(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

#endif
