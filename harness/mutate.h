/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The mutator: changes a case in its bytes form (bytes.h), op by op. One for all engines:
 * libFuzzer, AFL++ and the random baseline call the same three functions.
 *
 *      | machine | op | answer op | op | op | nested nested op | op |
 *                ^    ^           ^    ^    ^                  ^    ^   places where it cuts
 *
 * An op goes with the answers and nested ops before it. What is new comes from the generator
 * (generate.h), which is shown the ops before the place. The machine stays in most mutants, because
 * a new one has to be booted.
 */
#ifndef HARNESS_MUTATE_H
#define HARNESS_MUTATE_H

#include "model/types.h"

/* Ops of a case that is wholly new. */
#define MUTATE_FRESH_OPS 64U

/*
 * Change the body in @data, @size bytes with room for @max, and return its new size, at most @max.
 * The same arguments give the same mutant.
 */
size_t mutate_body(u8 *data, size_t size, size_t max, u64 seed);

/* To @out, with room for @max: the machine and the first ops of @x, then the last ops of @y. */
size_t mutate_splice(const u8 *x, size_t x_size, const u8 *y, size_t y_size, u8 *out, size_t max,
		     u64 seed);

/* To @out: a case that owes nothing to any other. */
size_t mutate_nothing(u8 *out, size_t max, u64 seed);

/* The moves that mutate_body() is made of, for tests. */
enum mutate_move {
	MOVE_FRESH, /* all ops are new */
	MOVE_INSERT,
	MOVE_REPLACE, /* some, or all that follow */
	MOVE_DELETE,
	MOVE_DUPLICATE, /* to another place */
	MOVE_SWAP, /* two ops */
	MOVE_TWEAK, /* one member of an op, an answer or a nested op */
	MOVE_TWEAK_MACHINE,
	MOVE_NEW_MACHINE,
	NR_MOVES,
};
size_t mutate_by(enum mutate_move move, u8 *data, size_t size, size_t max, u64 seed);

#endif
