/* SPDX-License-Identifier: GPL-2.0-only */
/* The journal: each card that is written is noted once, and undo copies these and no others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/journal.h"

#define NR_CARDS 8
#define WORDS (NR_CARDS * CARD_SIZE / 8)

/* What SET() needs of a memory. */
struct fixture {
	u64 arena[WORDS];
	u64 before[WORDS];
	u64 look[WORDS];
	struct journal journal;
};

static void set_up(struct fixture *f)
{
	for (u32 i = 0; i < WORDS; i++)
		f->arena[i] = f->before[i] = f->look[i] = i * 0x0101010101010101ULL;
	assert_true(journal_init(&f->journal, f->arena, sizeof(f->arena)));
}

static void tear_down(struct fixture *f)
{
	journal_exit(&f->journal);
}

/* Values of any width, the last word of the last card among them, one word several times. */
static void undo(void **state)
{
	struct fixture f;
	u8 *bytes = (u8 *)f.arena;

	(void)state;
	set_up(&f);
	for (u32 round = 0; round < 2; round++) {
		SET(&f, bytes[9], 0xff);
		SET(&f, bytes[9], 0x7f);
		SET(&f, f.arena[3], 7);
		SET(&f, f.arena[WORDS - 1], 8);
		assert_int_equal(f.journal.fresh.nr, 2);
		assert_int_equal(bytes[9], 0x7f);
		journal_undo(&f.journal, f.before, NULL);
		assert_int_equal(f.journal.fresh.nr, 0);
		assert_memory_equal(f.arena, f.before, sizeof(f.arena));
	}
	tear_down(&f);
}

/* Every card written: there is room for all, and for the one that SET() writes behind them. */
static void full(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	for (u32 i = 0; i < 2 * WORDS; i++)
		SET(&f, f.arena[i % WORDS], 12345);
	assert_int_equal(f.journal.fresh.nr, NR_CARDS);
	journal_undo(&f.journal, f.before, NULL);
	assert_memory_equal(f.arena, f.before, sizeof(f.arena));
	tear_down(&f);
}

/* A card that was looked at is undone in both copies; one that was not, in the arena. */
static void undo_of_looks(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	SET(&f, f.arena[0], 12345);
	f.look[0] = 12345;
	card_set_add(&f.journal.seen, 0);
	SET(&f, f.arena[WORDS - 1], 12345);
	journal_undo(&f.journal, f.before, f.look);
	assert_memory_equal(f.arena, f.before, sizeof(f.arena));
	assert_memory_equal(f.look, f.before, sizeof(f.look));
	assert_int_equal(f.journal.seen.nr, 0);
	tear_down(&f);
}

/* What is forgotten stays, and is noted when it is written again. */
static void forget(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	SET(&f, f.arena[1], 12345);
	journal_forget(&f.journal);
	journal_undo(&f.journal, f.before, NULL);
	assert_int_equal(f.arena[1], 12345);
	SET(&f, f.arena[2], 12345);
	assert_int_equal(f.journal.fresh.nr, 1);
	tear_down(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(undo),
		cmocka_unit_test(full),
		cmocka_unit_test(undo_of_looks),
		cmocka_unit_test(forget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
