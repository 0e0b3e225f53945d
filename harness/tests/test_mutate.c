/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The mutator: whatever it makes is a case, never longer than it may be, the same for the same
 * seed; each move does what it says; the machine stays in most mutants.
 */
#define _GNU_SOURCE /* memmem */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/bytes.h"
#include "harness/generate.h"
#include "harness/mutate.h"

#define MAX 9216

struct body {
	u8 data[MAX];
	size_t size;
};

static void make_body(struct body *b, u64 seed, u32 ops)
{
	struct testcase c;
	struct bytes bytes;

	case_init(&c);
	generate_case(seed, ops, &c);
	assert_null(bytes_encode_body(&c, &bytes));
	assert_true(bytes.len <= MAX);
	memcpy(b->data, bytes.data, bytes.len);
	b->size = bytes.len;
	free(bytes.data);
	case_free(&c);
}

static void decode(const struct body *b, struct testcase *c)
{
	case_init(c);
	bytes_decode_body(b->data, b->size, c);
}

static size_t header_of(const struct body *b)
{
	return bytes_machine_size(b->data, b->size);
}

static bool same_machine(const struct body *x, const struct body *y)
{
	return header_of(x) == header_of(y) && !memcmp(x->data, y->data, header_of(x));
}

static u32 records_of(const struct body *b)
{
	return (u32)((b->size - header_of(b)) / BYTES_RECORD_SIZE);
}

static bool same_records(const struct body *x, const struct body *y)
{
	return records_of(x) == records_of(y) &&
	       !memcmp(x->data + header_of(x), y->data + header_of(y),
		       records_of(x) * BYTES_RECORD_SIZE);
}

static u32 ops_of(const struct body *b)
{
	u32 nr = 0;

	for (u32 i = 0; i < records_of(b); i++)
		nr += RECORD_IS_OP(b->data + header_of(b) + i * BYTES_RECORD_SIZE);
	return nr;
}

static void move(struct body *b, enum mutate_move which, u64 seed)
{
	b->size = mutate_by(which, b->data, b->size, MAX, seed);
}

/* ---- every mutant -------------------------------------------------------- */

/* It decodes to a legal case; encoding that gives bytes of the same case, the same bytes each time. */
static void assert_is_case(const struct body *b)
{
	struct testcase c, again;
	struct bytes canon, twice;
	const char *why;
	u32 op;

	decode(b, &c);
	why = case_check(&c, &op);
	if (why)
		fail_msg("op %u: %s", op, why);
	assert_null(bytes_encode_body(&c, &canon));
	case_init(&again);
	bytes_decode_body(canon.data, canon.len, &again);
	assert_true(case_equal(&c, &again));
	assert_null(bytes_encode_body(&again, &twice));
	assert_int_equal(canon.len, twice.len);
	assert_memory_equal(canon.data, twice.data, canon.len);
	free(canon.data);
	free(twice.data);
	case_free(&c);
	case_free(&again);
}

/* A hundred mutants in a row, each of the one before, are all cases. */
static void test_mutants_are_cases(void **state)
{
	static struct body b;

	(void)state;
	for (u64 seed = 0; seed < 40; seed++) {
		make_body(&b, seed, (u32)seed * 2);
		for (u64 i = 0; i < 100; i++) {
			b.size = mutate_body(b.data, b.size, MAX, seed * 1000 + i);
			assert_true(b.size <= MAX);
			if (i % 4 == 0)
				assert_is_case(&b);
		}
	}
}

/* So are those of bytes that no one has encoded: noise, and the starts of bodies. */
static void test_noise(void **state)
{
	static struct body b;
	struct rng rng = {1};

	(void)state;
	for (u32 i = 0; i < 2000; i++) {
		b.size = rng_below(&rng, 1200);
		for (size_t k = 0; k < b.size; k++)
			b.data[k] = (u8)rng_next(&rng);
		if (rng_percent(&rng, 30) && b.size)
			b.data[0] = BYTES_FULL;
		b.size = mutate_body(b.data, b.size, MAX, i);
		assert_is_case(&b);
	}
}

/* No mutant is longer than it may be, and nothing is written behind that. */
static void test_bounded(void **state)
{
	static struct body b, other;
	static u8 out[MAX];

	(void)state;
	make_body(&other, 2, 64);
	for (size_t max = 0; max < 1400; max += max < 120 ? 1 : 13) {
		for (u64 seed = 0; seed < 30; seed++) {
			make_body(&b, seed, 64);
			b.size = b.size < max ? b.size : max;
			b.data[max] = 0xa5;
			assert_true(mutate_body(b.data, b.size, max, seed) <= max);
			assert_int_equal(b.data[max], 0xa5);
			out[max] = 0xa5;
			assert_true(mutate_splice(b.data, b.size, other.data, other.size, out, max,
						  seed) <= max);
			assert_true(mutate_nothing(out, max, seed) <= max);
			assert_int_equal(out[max], 0xa5);
		}
	}
}

/* The seed decides, and nothing else. */
static void test_deterministic(void **state)
{
	static struct body x, y, from, other;
	u32 differ = 0;

	(void)state;
	make_body(&from, 3, 64);
	make_body(&other, 4, 64);
	for (u64 seed = 0; seed < 300; seed++) {
		x = y = from;
		x.size = mutate_body(x.data, x.size, MAX, seed);
		y.size = mutate_body(y.data, y.size, MAX, seed);
		assert_true(same_machine(&x, &y) && same_records(&x, &y));
		y.size = mutate_body(y.data, y.size, MAX, seed + 1);
		differ += !same_records(&x, &y);
		x.size = mutate_splice(from.data, from.size, other.data, other.size, x.data, MAX,
				       seed);
		y.size = mutate_splice(from.data, from.size, other.data, other.size, y.data, MAX,
				       seed);
		assert_true(same_machine(&x, &y) && same_records(&x, &y));
		x.size = mutate_nothing(x.data, MAX, seed);
		y.size = mutate_nothing(y.data, MAX, seed);
		assert_true(same_machine(&x, &y) && same_records(&x, &y));
	}
	assert_true(differ > 250);
}

/* ---- each move ----------------------------------------------------------- */

/* 64 new ops on the same machine, whatever was there. */
static void test_fresh(void **state)
{
	static struct body b, before;
	u32 nested = 0, ops = 0;

	(void)state;
	for (u64 seed = 0; seed < 200; seed++) {
		make_body(&before, seed, 5);
		b = before;
		move(&b, MOVE_FRESH, seed);
		assert_true(same_machine(&b, &before));
		assert_int_equal(ops_of(&b), MUTATE_FRESH_OPS);
		ops += ops_of(&b);
		for (u32 i = 0; i < records_of(&b); i++)
			nested += b.data[header_of(&b) + i * BYTES_RECORD_SIZE] >= 0xc0;
	}
	/* Ops of other CPUs have a low weight, but not none. */
	assert_in_range(nested, ops / 1000, ops / 20);
}

/* Insert, duplicate: more ops. Delete: fewer. The others: what was there, in part. */
static void test_number_of_ops(void **state)
{
	static struct body b;
	static const struct {
		enum mutate_move move;
		u32 lo, hi; /* ops, of 40 before */
	} rows[] = {
		{MOVE_INSERT, 41, 48},	{MOVE_DUPLICATE, 40, 48},     {MOVE_DELETE, 32, 40},
		{MOVE_REPLACE, 1, 104}, {MOVE_SWAP, 40, 40},	      {MOVE_TWEAK, 40, 40},
		{MOVE_FRESH, 64, 64},	{MOVE_TWEAK_MACHINE, 40, 40}, {MOVE_NEW_MACHINE, 40, 40},
	};

	(void)state;
	assert_int_equal(ARRAY_SIZE(rows), NR_MOVES);
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		u32 lo = UINT32_MAX, hi = 0;

		for (u64 seed = 0; seed < 200; seed++) {
			make_body(&b, seed, 40);
			move(&b, rows[i].move, seed);
			lo = min_u32(lo, ops_of(&b));
			hi = max_u32(hi, ops_of(&b));
		}
		assert_in_range(lo, rows[i].lo, rows[i].hi);
		assert_in_range(hi, rows[i].lo, rows[i].hi);
		/* It does something. */
		assert_true(lo < hi || rows[i].lo == rows[i].hi);
	}
}

/* An op goes with its answers: `answer op` is deleted and copied as a whole. */
static void test_answers_go_along(void **state)
{
	static const u8 body[BYTES_COMPACT_SIZE + 4 * BYTES_RECORD_SIZE] = {
		[BYTES_COMPACT_SIZE] = 0x80, /* answer reclaim */
		[BYTES_COMPACT_SIZE + 16] = OP_ALLOC,
		[BYTES_COMPACT_SIZE + 32] = 0x80,
		[BYTES_COMPACT_SIZE + 48] = OP_ALLOC,
	};
	static struct body b;

	(void)state;
	for (u64 seed = 0; seed < 100; seed++) {
		memcpy(b.data, body, sizeof(body));
		b.size = sizeof(body);
		move(&b, seed % 2 ? MOVE_DELETE : MOVE_DUPLICATE, seed);
		assert_int_equal(records_of(&b), 2 * ops_of(&b));
		for (u32 i = 0; i < records_of(&b); i++)
			assert_int_equal(b.data[header_of(&b) + i * BYTES_RECORD_SIZE],
					 i % 2 ? OP_ALLOC : 0x80);
	}
}

/* Bytes that differ between two bodies of one size. */
static u32 differences(const struct body *x, const struct body *y, size_t *first, size_t *last)
{
	u32 nr = 0;

	assert_int_equal(x->size, y->size);
	for (size_t i = 0; i < x->size; i++) {
		if (x->data[i] == y->data[i])
			continue;
		*first = nr++ ? *first : i;
		*last = i;
	}
	return nr;
}

/* A tweak changes one member of one record; each member gets its turn. */
static void test_tweak(void **state)
{
	static struct body b, before;
	u32 reached = 0;

	(void)state;
	for (u64 seed = 0; seed < 400; seed++) {
		size_t first = 0, last = 0, in_record;

		make_body(&before, 1, 30);
		b = before;
		move(&b, MOVE_TWEAK, seed);
		if (!differences(&b, &before, &first, &last))
			continue;
		assert_true(first >= header_of(&b));
		in_record = (first - header_of(&b)) % BYTES_RECORD_SIZE;
		assert_true(in_record != RECORD_KIND);
		in_record = in_record < 4 ? in_record : in_record & ~3UL;
		assert_true(last - first < (in_record < 4 ? 1 : 4));
		reached |= BIT(in_record);
	}
	assert_int_equal(reached, BIT(RECORD_SUB) | BIT(RECORD_NODE) | BIT(RECORD_FLAGS) |
					  BIT(RECORD_GFP) | BIT(RECORD_A) | BIT(RECORD_B));
}

/* Two ops change places, nothing else moves. */
static void test_swap(void **state)
{
	static struct body b, before;
	u32 swapped = 0;

	(void)state;
	make_body(&before, 5, 30);
	for (u64 seed = 0; seed < 100; seed++) {
		size_t first = 0, last = 0;
		u8 *x, *y;

		b = before;
		move(&b, MOVE_SWAP, seed);
		if (!differences(&b, &before, &first, &last))
			continue;
		first -= (first - header_of(&b)) % BYTES_RECORD_SIZE;
		last -= (last - header_of(&b)) % BYTES_RECORD_SIZE;
		x = before.data + first;
		y = before.data + last;
		assert_true(RECORD_IS_OP(x) && RECORD_IS_OP(y));
		assert_memory_equal(b.data + first, y, BYTES_RECORD_SIZE);
		assert_memory_equal(b.data + last, x, BYTES_RECORD_SIZE);
		memcpy(b.data + first, x, BYTES_RECORD_SIZE);
		memcpy(b.data + last, y, BYTES_RECORD_SIZE);
		assert_true(same_records(&b, &before));
		swapped++;
	}
	assert_true(swapped > 50);
}

/* The moves on the machine leave the ops alone; one changes a byte, the other everything. */
static void test_machine(void **state)
{
	static struct body b, before;
	u32 changed = 0;

	(void)state;
	for (u64 seed = 0; seed < 200; seed++) {
		size_t first = 0, last = 0;

		make_body(&before, seed, 20);
		b = before;
		move(&b, MOVE_TWEAK_MACHINE, seed);
		assert_true(same_records(&b, &before));
		assert_true(differences(&b, &before, &first, &last) <= 1);
		changed += !same_machine(&b, &before);
		b = before;
		move(&b, MOVE_NEW_MACHINE, seed + 10000);
		assert_true(same_records(&b, &before));
		assert_false(same_machine(&b, &before));
	}
	assert_true(changed > 150);
}

/* ---- all together -------------------------------------------------------- */

/*
 * Of the mutants of a long case 1 of 8 is fresh, of those of a short one every second; about 1 of
 * 13 has another machine, so that few have to boot one.
 */
static void test_shares(void **state)
{
	static struct body b, longer, shorter;
	u32 fresh = 0, fresh_short = 0, machines = 0, grown = 0, shrunk = 0, other = 0;
	u32 nr = 4000;

	(void)state;
	make_body(&longer, 7, 100);
	make_body(&shorter, 8, 3);
	for (u64 seed = 0; seed < nr; seed++) {
		b = longer;
		b.size = mutate_body(b.data, b.size, MAX, seed);
		machines += !same_machine(&b, &longer);
		fresh += ops_of(&b) == MUTATE_FRESH_OPS;
		grown += ops_of(&b) > 100;
		shrunk += ops_of(&b) < 100;
		other += ops_of(&b) == 100 && !same_records(&b, &longer);
		b = shorter;
		b.size = mutate_body(b.data, b.size, MAX, seed);
		fresh_short += ops_of(&b) == MUTATE_FRESH_OPS;
	}
	assert_in_range(fresh, nr / 10, nr * 3 / 20);
	assert_in_range(fresh_short, nr * 45 / 100, nr * 55 / 100);
	assert_in_range(machines, nr / 20, nr / 10);
	assert_true(grown > nr / 20 && shrunk > nr / 20 && other > nr / 20);
}

/* A splice has the machine and the first ops of one case, and ops of the other. */
static void test_splice(void **state)
{
	static struct body x, y, b;
	u32 both = 0;

	(void)state;
	make_body(&x, 10, 30);
	make_body(&y, 11, 40);
	for (u64 seed = 0; seed < 100; seed++) {
		u32 of_x = 0, of_y = 0, nr;

		b.size = mutate_splice(x.data, x.size, y.data, y.size, b.data, MAX, seed);
		assert_true(same_machine(&b, &x));
		nr = records_of(&b);
		for (u32 i = 0; i < nr; i++) {
			const u8 *r = b.data + header_of(&b) + i * BYTES_RECORD_SIZE;

			of_x += memmem(x.data + header_of(&x), x.size - header_of(&x), r,
				       BYTES_RECORD_SIZE) != NULL;
			of_y += memmem(y.data + header_of(&y), y.size - header_of(&y), r,
				       BYTES_RECORD_SIZE) != NULL;
		}
		assert_true(of_x + of_y >= nr);
		both += of_x && of_y;
		assert_is_case(&b);
	}
	assert_true(both > 70);
}

/* What the random baseline plays: another machine each time, and a whole case. */
static void test_nothing(void **state)
{
	static struct body x, y;

	(void)state;
	for (u64 seed = 0; seed < 100; seed++) {
		x.size = mutate_nothing(x.data, MAX, seed);
		y.size = mutate_nothing(y.data, MAX, seed + 1);
		assert_int_equal(ops_of(&x), MUTATE_FRESH_OPS);
		assert_false(same_machine(&x, &y));
		assert_is_case(&x);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mutants_are_cases),
		cmocka_unit_test(test_noise),
		cmocka_unit_test(test_bounded),
		cmocka_unit_test(test_deterministic),
		cmocka_unit_test(test_fresh),
		cmocka_unit_test(test_number_of_ops),
		cmocka_unit_test(test_answers_go_along),
		cmocka_unit_test(test_tweak),
		cmocka_unit_test(test_swap),
		cmocka_unit_test(test_machine),
		cmocka_unit_test(test_shares),
		cmocka_unit_test(test_splice),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests_name("mutate", tests, NULL, NULL);
}
