/* SPDX-License-Identifier: GPL-2.0-only */
/* The journal: undo of logged writes, and what happens when it is off or full. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/journal.h"

/* What SET() needs of a memory. */
struct fixture {
	u64 arena[64]; /* first: aligned like the real one */
	struct journal journal;
};

static void set_up(struct fixture *f, bool on)
{
	for (u32 i = 0; i < ARRAY_SIZE(f->arena); i++)
		f->arena[i] = i * 0x0101010101010101ULL;
	assert_true(journal_init(&f->journal, f->arena, on));
}

static void assert_untouched(const struct fixture *f)
{
	for (u32 i = 0; i < ARRAY_SIZE(f->arena); i++)
		assert_int_equal(f->arena[i], i * 0x0101010101010101ULL);
}

/* Values of any width, one word several times: undone newest first, to a mark and to the start. */
static void undo(void **state)
{
	struct fixture f;
	u8 *bytes = (u8 *)f.arena;
	u32 mark;

	(void)state;
	set_up(&f, true);
	SET(&f, bytes[9], 0xff);
	SET(&f, bytes[9], 0x7f);
	SET(&f, f.arena[3], 7);
	mark = f.journal.nr;
	SET(&f, bytes[15], 0x55);
	SET(&f, f.arena[3], 8);
	journal_undo(&f.journal, mark);
	assert_int_equal(bytes[9], 0x7f);
	assert_int_equal(bytes[15], 1);
	assert_int_equal(f.arena[3], 7);
	journal_undo(&f.journal, 0);
	assert_untouched(&f);
	assert_false(journal_lost(&f.journal));
	journal_exit(&f.journal);
}

/* Room is made between ops, as much as a run needs: nothing is lost. */
static void grows(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f, true);
	for (u32 i = 0; i < JOURNAL_MAX; i++) {
		if (i % 1000 == 0)
			journal_make_room(&f.journal);
		SET(&f, f.arena[i % 64], i);
	}
	assert_int_equal(f.journal.nr, JOURNAL_MAX);
	assert_false(journal_lost(&f.journal));
	journal_undo(&f.journal, 0);
	assert_untouched(&f);
	journal_exit(&f.journal);
}

/*
 * One write too many, in an op for which there is no room and in a run that is too long even for the
 * largest ring: it says so, and writes still happen, also when room is asked for.
 */
static void overflows(void **state)
{
	(void)state;
	for (u32 nr = JOURNAL_MIN; nr <= JOURNAL_MAX; nr *= JOURNAL_MAX / JOURNAL_MIN) {
		struct fixture f;

		set_up(&f, true);
		for (u32 i = 0; i < nr; i++) {
			if (nr == JOURNAL_MAX)
				journal_make_room(&f.journal);
			SET(&f, f.arena[0], i);
		}
		assert_false(journal_lost(&f.journal));
		SET(&f, f.arena[1], 12345);
		assert_true(journal_lost(&f.journal));
		assert_int_equal(f.arena[1], 12345);
		journal_make_room(&f.journal);
		assert_true(journal_lost(&f.journal));
		journal_exit(&f.journal);
	}
}

/* Switched off, the first write is a lost one. */
static void off(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f, false);
	assert_false(journal_lost(&f.journal));
	for (u32 i = 1; i < 64; i++) {
		SET(&f, f.arena[i], 12345);
		assert_true(journal_lost(&f.journal));
		assert_int_equal(f.arena[i], 12345);
		journal_make_room(&f.journal);
	}
	journal_exit(&f.journal);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(undo),
		cmocka_unit_test(grows),
		cmocka_unit_test(overflows),
		cmocka_unit_test(off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
