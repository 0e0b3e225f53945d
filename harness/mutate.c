/* SPDX-License-Identifier: GPL-2.0-only */
/* Moves on records of 16 bytes. */
#include "harness/mutate.h"

#include <stdlib.h>
#include <string.h>

#include "harness/bytes.h"
#include "harness/generate.h"

/* A case with fewer ops is short: half of its mutants are fresh. */
#define SHORT_OPS 16
#define FRESH_ONE_IN 8
/* One with more is long: nothing is added to it. What counts is how many cases are played. */
#define LONG_RECORDS 128
#define MAX_CHANGED 8 /* ops that a move takes or makes */

struct mutant {
	struct rng rng;
	u8 *data;
	size_t header; /* bytes of the machine */
	size_t size; /* header and whole records */
	size_t max;
};

static u32 below(struct mutant *m, u32 n)
{
	return rng_below(&m->rng, n);
}

static bool one_in(struct mutant *m, u32 n)
{
	return !below(m, n);
}

/* ---- places -------------------------------------------------------------- */

static u32 nr_records(const struct mutant *m)
{
	return (u32)((m->size - m->header) / BYTES_RECORD_SIZE);
}

static u8 *record(const struct mutant *m, u32 i)
{
	return m->data + m->header + i * BYTES_RECORD_SIZE;
}

/* The start of the op that record @i belongs to. */
static u32 op_start(const struct mutant *m, u32 i)
{
	while (i && !RECORD_IS_OP(record(m, i - 1)))
		i--;
	return i;
}

/* The record behind @ops ops from @i on, or the end. */
static u32 skip_ops(const struct mutant *m, u32 i, u32 ops)
{
	for (; i < nr_records(m) && ops; i++)
		ops -= RECORD_IS_OP(record(m, i));
	return i;
}

/* A place between two ops, before the first or behind the last. */
static u32 draw_place(struct mutant *m)
{
	u32 i = below(m, nr_records(m) + 1);

	return i == nr_records(m) ? i : op_start(m, i);
}

static u32 draw_length(struct mutant *m)
{
	return 1 + below(m, one_in(m, 2) ? 2 : MAX_CHANGED);
}

/* Where some ops from @at on end. */
static u32 draw_end(struct mutant *m, u32 at)
{
	return skip_ops(m, at, draw_length(m));
}

/* Room for all records is as much as @max allows; what does not fit is cut off at the end. */
static void replace(struct mutant *m, u32 at, u32 end, const u8 *records, u32 nr)
{
	u32 max = (u32)((m->max - m->header) / BYTES_RECORD_SIZE);
	u32 tail = nr_records(m) - end;

	nr = min_u32(nr, max - at);
	tail = min_u32(tail, max - at - nr);
	memmove(record(m, at + nr), record(m, end), tail * BYTES_RECORD_SIZE);
	memcpy(record(m, at), records, nr * BYTES_RECORD_SIZE);
	m->size = m->header + (at + nr + tail) * BYTES_RECORD_SIZE;
}

/* Put @ops new ops where [@at, @end) is. */
static void regrow(struct mutant *m, u32 at, u32 end, u32 ops)
{
	struct testcase c;
	struct bytes new;
	u32 past;

	case_init(&c);
	bytes_decode_body(m->data, m->header + at * BYTES_RECORD_SIZE, &c);
	past = c.nr_ops;
	generate_ops(&m->rng, ops, &c);
	bytes_encode_records(&c, past, &new);
	replace(m, at, end, new.data, (u32)(new.len / BYTES_RECORD_SIZE));
	free(new.data);
	case_free(&c);
}

/* ---- moves on ops -------------------------------------------------------- */

static void fresh(struct mutant *m)
{
	regrow(m, 0, nr_records(m), MUTATE_FRESH_OPS);
}

static void insert(struct mutant *m)
{
	u32 at = draw_place(m);

	regrow(m, at, at, draw_length(m));
}

/* Another future now and then, for what is hard to come to. */
static void replace_ops(struct mutant *m)
{
	u32 at = draw_place(m);
	u32 end = draw_end(m, at);

	if (one_in(m, 4))
		regrow(m, at, nr_records(m), 1 + below(m, MUTATE_FRESH_OPS));
	else
		regrow(m, at, end, draw_length(m));
}

static void delete(struct mutant *m)
{
	u32 at = draw_place(m);

	replace(m, at, draw_end(m, at), m->data, 0);
}

static void duplicate(struct mutant *m)
{
	u32 from = draw_place(m), to = draw_place(m);
	u32 nr = draw_end(m, from) - from;
	u8 *copy = malloc(nr * BYTES_RECORD_SIZE + 1);

	if (!copy)
		abort();
	memcpy(copy, record(m, from), nr * BYTES_RECORD_SIZE);
	replace(m, to, to, copy, nr);
	free(copy);
}

/* Of at least one. */
static u8 *draw_op_record(struct mutant *m)
{
	return record(m, skip_ops(m, below(m, nr_records(m)), 1) - 1);
}

/* The ops alone: answers and nested ops stay where they are. */
static void swap(struct mutant *m)
{
	u8 saved[BYTES_RECORD_SIZE];
	u8 *x, *y;

	if (!nr_records(m))
		return;
	x = draw_op_record(m);
	y = draw_op_record(m);
	memcpy(saved, x, BYTES_RECORD_SIZE);
	memcpy(x, y, BYTES_RECORD_SIZE);
	memcpy(y, saved, BYTES_RECORD_SIZE);
}

/* ---- moves on one member ------------------------------------------------- */

/* A little more or less, another bit, or anything of some size. */
static void nudge(struct mutant *m, u8 *p, u32 width)
{
	u32 by = 1 + below(m, 16);
	u32 v = 0;

	memcpy(&v, p, width);
	switch (below(m, 4)) {
	case 0:
		v += by;
		break;
	case 1:
		v -= by;
		break;
	case 2:
		v ^= BIT(below(m, 8 * width));
		break;
	default:
		v = (u32)rng_next(&m->rng);
		v >>= below(m, 32);
	}
	memcpy(p, &v, width);
}

/* The member of another record is often of use. */
static void tweak(struct mutant *m)
{
	static const struct {
		u8 at, width;
	} members[] = {
		{RECORD_SUB, 1}, {RECORD_NODE, 1}, {RECORD_FLAGS, 1},
		{RECORD_GFP, 4}, {RECORD_A, 4},	   {RECORD_B, 4},
	};
	u32 i = below(m, ARRAY_SIZE(members));
	u8 *p;

	if (!nr_records(m))
		return;
	p = record(m, below(m, nr_records(m))) + members[i].at;
	if (one_in(m, 2))
		nudge(m, p, members[i].width);
	else
		memmove(p, record(m, below(m, nr_records(m))) + members[i].at, members[i].width);
}

static void tweak_machine(struct mutant *m)
{
	u8 layout = m->data[0];

	nudge(m, m->data + below(m, (u32)m->header), 1);
	if ((layout == BYTES_FULL) != (m->data[0] == BYTES_FULL))
		m->data[0] = layout; /* the records begin where they did */
}

static void new_machine(struct mutant *m)
{
	u8 header[BYTES_FULL_SIZE];
	struct machine machine;
	size_t size;
	u32 nr = nr_records(m);

	generate_machine(&m->rng, &machine);
	size = bytes_encode_machine(&machine, header);
	if (size + BYTES_RECORD_SIZE > m->max)
		return;
	nr = min_u32(nr, (u32)((m->max - size) / BYTES_RECORD_SIZE));
	memmove(m->data + size, m->data + m->header, nr * BYTES_RECORD_SIZE);
	memcpy(m->data, header, size);
	m->header = size;
	m->size = size + nr * BYTES_RECORD_SIZE;
}

/* ---- the mutator --------------------------------------------------------- */

static const struct {
	void (*apply)(struct mutant *m);
	u32 weight;
} moves[NR_MOVES] = {
	[MOVE_FRESH] = {fresh, 0}, /* mutate_body() decides on it */
	[MOVE_INSERT] = {insert, 24},
	[MOVE_REPLACE] = {replace_ops, 24},
	[MOVE_DELETE] = {delete, 20},
	[MOVE_DUPLICATE] = {duplicate, 16},
	[MOVE_SWAP] = {swap, 12},
	[MOVE_TWEAK] = {tweak, 50},
	[MOVE_TWEAK_MACHINE] = {tweak_machine, 1},
	[MOVE_NEW_MACHINE] = {new_machine, 1},
};

static size_t header_size(const u8 *data, size_t size)
{
	return size && data[0] == BYTES_FULL ? BYTES_FULL_SIZE : BYTES_COMPACT_SIZE;
}

static size_t whole_records(size_t size, size_t header)
{
	return header + (size - header) / BYTES_RECORD_SIZE * BYTES_RECORD_SIZE;
}

/* False: not even a machine and an op have room. What is missing of the machine is zeros. */
static bool mutant_init(struct mutant *m, u8 *data, size_t size, size_t max, u64 seed)
{
	size_t header = header_size(data, size);

	if (max < header + BYTES_RECORD_SIZE)
		return false;
	*m = (struct mutant){.rng = {seed}, .data = data, .header = header, .max = max};
	if (size < header) {
		memset(data + size, 0, header - size);
		size = header;
	}
	m->size = whole_records(size < max ? size : max, header);
	return true;
}

static enum mutate_move draw_move(struct mutant *m)
{
	u32 all = 0, at, move;

	for (move = 0; move < NR_MOVES; move++)
		all += moves[move].weight;
	at = below(m, all);
	for (move = 0; at >= moves[move].weight; move++)
		at -= moves[move].weight;
	if (nr_records(m) > LONG_RECORDS && (move == MOVE_INSERT || move == MOVE_DUPLICATE))
		return MOVE_DELETE;
	return move;
}

size_t mutate_body(u8 *data, size_t size, size_t max, u64 seed)
{
	struct mutant m;

	if (!mutant_init(&m, data, size, max, seed))
		return size < max ? size : max;
	if (one_in(&m, nr_records(&m) < SHORT_OPS ? 2 : FRESH_ONE_IN)) {
		if (one_in(&m, 2))
			new_machine(&m);
		fresh(&m);
		return m.size;
	}
	do
		moves[draw_move(&m)].apply(&m);
	while (one_in(&m, 2));
	return m.size;
}

size_t mutate_by(enum mutate_move move, u8 *data, size_t size, size_t max, u64 seed)
{
	struct mutant m;

	if (!mutant_init(&m, data, size, max, seed))
		return size < max ? size : max;
	moves[move].apply(&m);
	return m.size;
}

size_t mutate_nothing(u8 *out, size_t max, u64 seed)
{
	struct mutant m;

	if (!mutant_init(&m, out, 0, max, seed))
		return 0;
	new_machine(&m);
	fresh(&m);
	return m.size;
}

/* All that follows, or a few ops in between. */
size_t mutate_splice(const u8 *x, size_t x_size, const u8 *y, size_t y_size, u8 *out, size_t max,
		     u64 seed)
{
	/* Only read. */
	struct mutant other = {.data = (u8 *)y, .header = header_size(y, y_size)};
	struct mutant m;
	u32 at, from;

	x_size = x_size < max ? x_size : max;
	memcpy(out, x, x_size);
	if (y_size < other.header || !mutant_init(&m, out, x_size, max, seed))
		return x_size;
	other.size = whole_records(y_size, other.header);
	other.rng.state = rng_next(&m.rng);
	at = draw_place(&m);
	from = draw_place(&other);
	if (one_in(&m, 2))
		replace(&m, at, nr_records(&m), record(&other, from), nr_records(&other) - from);
	else
		replace(&m, at, at, record(&other, from), draw_end(&other, from) - from);
	return m.size;
}
