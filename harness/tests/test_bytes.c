/* SPDX-License-Identifier: GPL-2.0-only */
/* Bytes: the layout by hand, totality, the laws of canon, and that nothing legal is lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/bytes.h"
#include "harness/rng.h"
#include "harness/script.h"
#include "harness/tests/forms.h"
#include "model/gfp.h"

#define RANDOM_BODIES 20000
#define SEED 7
#define POLICY_BYTES 16

/* A body: the default machine, then records. */
struct body {
	u8 data[BYTES_COMPACT_SIZE + 64 * BYTES_RECORD_SIZE];
	size_t len;
};

static void body_init(struct body *b)
{
	*b = (struct body){.len = BYTES_COMPACT_SIZE};
}

static void add(struct body *b, u8 kind, u8 sub, u8 node, u8 flags, u32 gfp, u32 a, u32 x)
{
	const u32 words[] = {gfp, a, x};
	u8 *p = b->data + b->len;

	p[0] = kind;
	p[1] = sub;
	p[2] = node;
	p[3] = flags;
	for (u32 i = 0; i < 12; i++)
		p[4 + i] = (u8)(words[i / 4] >> 8 * (i % 4));
	b->len += BYTES_RECORD_SIZE;
}

static void decode(const struct body *b, struct testcase *c)
{
	case_init(c);
	bytes_decode_body(b->data, b->len, c);
}

/* ---- the layout ---------------------------------------------------------- */

/* Nothing at all is the default machine of 4096 pages: 1024 DMA32, 2048 Normal, 1024 Movable. */
static void nothing(void **state)
{
	static const u8 none[1];
	struct testcase c;

	(void)state;
	case_init(&c);
	bytes_decode_body(none, 0, &c);
	assert_int_equal(c.nr_ops, 0);
	assert_int_equal(c.machine.nr_nodes, 1);
	assert_int_equal(c.machine.nr_cpus, 1);
	assert_int_equal(c.machine.nr_zones, 3);
	assert_int_equal(c.machine.zones[0].type, ZONE_DMA32);
	assert_int_equal(c.machine.zones[0].pages, 1024);
	assert_int_equal(c.machine.zones[1].pages, 2048);
	assert_int_equal(c.machine.zones[2].type, ZONE_MOVABLE);
	assert_int_equal(c.machine.zones[2].start, 3072);
	assert_int_equal(c.machine.zones[2].pages, 1024);
	assert_int_equal(c.machine.pcp_batch, 8);
	assert_int_equal(c.machine.max_page_order, 10);
	assert_int_equal(c.machine.fuel, 512);
	case_free(&c);
}

/* Members of a record land where the picture in bytes.h says; sorts are told by the high bits. */
static void records(void **state)
{
	const u32 gfp = __GFP_IO | __GFP_NOWARN;
	struct testcase c;
	struct body b;

	(void)state;
	body_init(&b);
	b.data[4 + POLICY_BYTES] = 1; /* nr_cpus is the first member behind the policy */
	add(&b, OP_ALLOC, 3, 0, OPF_FROZEN, gfp, 0, 1);
	add(&b, 0x80 | ENV_RECLAIM, ENV_WHOLE, 0, 0, 0, 5, 6);
	add(&b, 0xc0 | OP_ALLOC_NOLOCK, 0, NEST_DRAIN << 4, 0, 1U << 26, 0, 0);
	add(&b, OP_FREE, 0, 0, OPF_NOLOCK, 0, 1, 0);
	decode(&b, &c);
	assert_int_equal(c.machine.nr_cpus, 2);
	assert_int_equal(c.nr_ops, 2);
	assert_int_equal(c.ops[0].kind, OP_ALLOC);
	assert_int_equal(c.ops[0].order, 3);
	assert_int_equal(c.ops[0].flags, OPF_FROZEN);
	assert_int_equal(c.ops[0].gfp, gfp);
	assert_int_equal(c.ops[0].b, 1);
	assert_int_equal(c.ops[0].nr_answers + c.ops[0].nr_nested, 0);
	assert_int_equal(c.ops[1].kind, OP_FREE);
	assert_int_equal(c.ops[1].nr_answers, 1);
	assert_int_equal(c.answers[0].value, 5);
	assert_int_equal(c.answers[0].extra, 6);
	assert_int_equal(c.ops[1].nr_nested, 1);
	assert_int_equal(c.nested[0].point, NEST_DRAIN);
	assert_int_equal(c.nested[0].cpu, 1);
	assert_int_equal(c.nested[0].op.kind, OP_ALLOC_NOLOCK);
	/* Index 1 of the live slots: what the nested op created. */
	assert_int_equal(c.ops[1].a, c.nested[0].op.out);
	assert_int_equal(c.ops[1].b, EXTENT_ALL);
	case_free(&c);
}

/*
 * References are indices modulo the live slots, in the order of live.h:
 *
 *      live 0 1 2; index 4 is slot 1; then live 0 2; index 1 is slot 2; with nothing live,
 *      what would name an object is an alloc
 */
static void references(void **state)
{
	struct testcase c;
	struct body b;

	(void)state;
	body_init(&b);
	add(&b, OP_FREE, 0, 0, 0, 0, 9, 0);
	add(&b, OP_ALLOC, 0, 0, 0, 0, 0, 0);
	add(&b, OP_ALLOC, 0, 0, 0, 0, 0, 0);
	add(&b, OP_FREE, 0, 0, 0, 0, 4, 0);
	add(&b, OP_GET, 0, 0, 0, 0, 1, 0);
	decode(&b, &c);
	assert_int_equal(c.ops[0].kind, OP_ALLOC);
	assert_int_equal(c.ops[3].a, 1);
	assert_int_equal(c.ops[4].a, 2);
	assert_int_equal(c.nr_slots, 3);
	case_free(&c);
}

/* What is out of range is brought into it: order, node, gfp, PFNs, an extent. */
static void out_of_range(void **state)
{
	struct testcase c;
	struct body b;

	(void)state;
	body_init(&b);
	/* order 12 of 0..10 is 12 % 11; node 5 of one; two zones: the lower; both mobilities */
	add(&b, OP_ALLOC, 12, 5, 0xff, __GFP_DMA | __GFP_DMA32 | __GFP_MOVABLE | __GFP_RECLAIMABLE,
	    7, 0xfe);
	/* start 4097 % 4096 = 1; the end is not behind it: one pageblock more */
	add(&b, OP_UNISOLATE, 0, 0, 0, 0, 4097, 1);
	/* start in the Movable zone, end in it too */
	add(&b, OP_UNISOLATE, 0, 0, 0, 0, 4000, 4090);
	/* both ends in different zones: up to the end of the first */
	add(&b, OP_UNISOLATE, 0, 0, 0, 0, 1000, 2000);
	add(&b, OP_ALLOC_BULK, 0, 0, 200, 0, 0, 0);
	add(&b, OP_FREE, 0, 0, OPF_NOLOCK | OPF_BATCH, 0, 1, 3);
	decode(&b, &c);
	assert_int_equal(c.ops[0].order, 1);
	assert_int_equal(c.ops[0].node, 0);
	assert_int_equal(c.ops[0].gfp, __GFP_DMA | __GFP_MOVABLE);
	assert_int_equal(c.ops[0].flags, OPF_FROZEN);
	assert_int_equal(c.ops[0].a, 0);
	assert_int_equal(c.ops[0].b, 0);
	assert_int_equal(c.ops[1].a, 1);
	assert_int_equal(c.ops[1].b, 513);
	assert_int_equal(c.ops[2].a, 4000);
	assert_int_equal(c.ops[2].b, 4090);
	assert_int_equal(c.ops[3].b, 1024);
	assert_int_equal(c.ops[4].a, 1); /* 1 + 0 % 512 */
	assert_int_equal(c.ops[4].flags, 0); /* 200 % 2 of 0..1 */
	/* extent 2 of one extent: 2 % 2 = 0 */
	assert_int_equal(c.ops[5].b, 0);
	assert_int_equal(c.ops[5].flags, OPF_NOLOCK);
	case_free(&c);
}

/* Answers of a kind that the machine does not play are dropped and counted. */
static void skipped_answers(void **state)
{
	struct testcase c;
	struct body b;

	(void)state;
	body_init(&b);
	add(&b, 0x80 | ENV_COMPACT, ENV_ZONE, 0, 0, 0, 1, 0);
	add(&b, 0x80 | ENV_RECLAIM, ENV_CLOSED, 0, 0, 0, 1, 0);
	add(&b, 0x80 | ENV_RECLAIM, ENV_WHOLE, 0, 0, 0, 1, 0);
	add(&b, 0x80 | ENV_FAULT, ENV_CLOSED, 0, 0, 0, 1, 0); /* has no kind */
	add(&b, OP_ALLOC, 0, 0, 0, 0, 0, 0);
	decode(&b, &c);
	assert_int_equal(c.skipped_answers, 2);
	assert_int_equal(c.ops[0].nr_answers, 2);
	case_free(&c);
}

/* A short rest, and parts without an op behind them, are not there. */
static void loose_ends(void **state)
{
	struct testcase c;
	struct body b;

	(void)state;
	body_init(&b);
	add(&b, OP_ALLOC, 0, 0, 0, 0, 0, 0);
	add(&b, 0x80 | ENV_FAULT, 0, 0, 0, 0, 1, 0);
	add(&b, 0xc0 | OP_ALLOC, 0, 0, 0, 0, 0, 0);
	add(&b, OP_ALLOC, 0, 0, 0, 0, 0, 0);
	b.len--;
	decode(&b, &c);
	assert_int_equal(c.nr_ops, 1);
	assert_int_equal(c.nr_answers, 0);
	assert_int_equal(c.nr_nested, 0);
	assert_int_equal(c.nr_slots, 1);
	case_free(&c);
}

/* Only magic and version of a file can be refused. */
static void files(void **state)
{
	static const char good[] = "BCKB\1", newer[] = "BCKB\2", cut[] = "BCKB";
	struct testcase c;
	struct bytes bytes;

	(void)state;
	must_fail(newer, 5, "t:1: bytes of version 2 (expected version 1)");
	must_fail(cut, 4, "t:1: no bytes form (expected 'BCKB' and a version)");
	must_decode(good, 5, &c);
	assert_null(bytes_encode(&c, &bytes));
	assert_int_equal(bytes.len, 5 + BYTES_COMPACT_SIZE);
	assert_memory_equal(bytes.data, good, 5);
	free(bytes.data);
	case_free(&c);
}

/* ---- nothing legal is lost ----------------------------------------------- */

/* @c to bytes and back; the size of the bytes. */
static size_t round_trip(const struct testcase *c)
{
	struct testcase back;
	struct bytes bytes;
	const char *why = bytes_encode_body(c, &bytes);
	size_t len = bytes.len;

	if (why)
		fail_msg("%s", why);
	case_init(&back);
	bytes_decode_body(bytes.data, bytes.len, &back);
	assert_true(case_equal(c, &back));
	assert_int_equal(back.skipped_answers, 0);
	free(bytes.data);
	case_free(&back);
	return len;
}

/* Every op with every option, every line of a machine: from script through bytes to script. */
static void script_and_back(void **state)
{
	struct testcase c, back;
	struct bytes bytes;
	char *text;

	(void)state;
	must_parse(every_word, &c);
	round_trip(&c);
	assert_null(bytes_encode_body(&c, &bytes));
	case_init(&back);
	bytes_decode_body(bytes.data, bytes.len, &back);
	text = script_text(&back);
	case_free(&back);
	must_parse(text, &back);
	assert_true(case_equal(&c, &back));
	free(text);
	free(bytes.data);
	case_free(&c);
	case_free(&back);
}

/* The largest machine in every respect. */
static void largest_machine(void **state)
{
	struct testcase c;
	struct machine *m = &c.machine;

	(void)state;
	case_init(&c);
	m->nr_nodes = MACHINE_MAX_NODES;
	m->nr_cpus = MACHINE_MAX_CPUS;
	m->max_page_order = MACHINE_MAX_ORDER;
	m->pageblock_order = 1;
	m->pcp_high_min = m->pcp_high_max = 1U << 28;
	m->pcp_batch = 1U << 20;
	m->fuel = BYTES_MAX_FUEL;
	m->cache_pages = UINT32_MAX;
	for (u32 i = 0; i < MACHINE_MAX_CPUS; i++)
		m->cpu_node[i] = i % MACHINE_MAX_NODES;
	for (u32 i = 0; i < MACHINE_MAX_NODES; i++) {
		m->node_has_cpus[i] = 1;
		m->distance[i][(i + 1) % MACHINE_MAX_NODES] = (u8)(255 - i);
	}
	/* 32 zones of 2 pages with holes of 2046 in front of them, the last up to the end */
	m->nr_zones = MACHINE_MAX_ZONES;
	for (u32 i = 0; i < MACHINE_MAX_ZONES; i++)
		m->zones[i] = (struct machine_zone){.node = (u8)(i / MAX_NR_ZONES),
						    .type = (u8)(i % MAX_NR_ZONES),
						    .start = i * 2048 + 2046,
						    .pages = 2};
	m->nr_ranges = MACHINE_MAX_RANGES;
	for (u32 i = 0; i < MACHINE_MAX_RANGES; i++)
		m->ranges[i] = (struct machine_range){.kind = i % 2 ? RANGE_CMA : RANGE_RESERVED,
						      .start = m->zones[i + i].start,
						      .pages = 2};
	for (u32 i = 0; i < NR_ENV_CALLS; i++)
		m->env.defaults[i] = (struct env_default){8, UINT32_MAX, UINT32_MAX, 8};
	m->sysctl[SYSCTL_MIN_FREE_KBYTES] = INT32_MAX;
	assert_null(machine_check(m));
	assert_int_equal(round_trip(&c), BYTES_FULL_SIZE);
	/* One zone that is all there can be. */
	m->nr_ranges = 0;
	m->nr_zones = 1;
	m->zones[0] = (struct machine_zone){.type = ZONE_NORMAL, .pages = BYTES_MAX_PAGES};
	assert_int_equal(round_trip(&c), BYTES_FULL_SIZE);
	case_free(&c);
}

/* Small changes of a shape stay compact, others need the full layout; both come back. */
static void compact_or_full(void **state)
{
	struct testcase c;

	(void)state;
	case_init(&c);
	bytes_decode_machine((const u8 *)"\3", 1, &c.machine);
	assert_int_equal(c.machine.nr_nodes, 2);
	c.machine.sysctl[SYSCTL_DEFRAG_MODE] = 1;
	c.machine.policy.v1 = 1;
	c.machine.config_compaction = 0;
	c.machine.node_has_cpus[1] = 1;
	c.machine.nr_cpus = 4;
	assert_int_equal(round_trip(&c), BYTES_COMPACT_SIZE);
	c.machine.cpu_node[1] = c.machine.cpu_node[3] = 1; /* one after the other */
	assert_int_equal(round_trip(&c), BYTES_COMPACT_SIZE);
	c.machine.cpu_node[2] = 1;
	assert_int_equal(round_trip(&c), BYTES_FULL_SIZE);
	c.machine.cpu_node[2] = 0;
	c.machine.zones[0].pages--;
	assert_int_equal(round_trip(&c), BYTES_FULL_SIZE);
	case_free(&c);
}

static u32 below_or_edge(struct rng *r, u32 n)
{
	return rng_percent(r, 20) ? n - 1 : rng_below(r, n);
}

/* Zones without order: machine_check() says which of these machines are any. */
static void random_machine(struct rng *r, struct machine *m)
{
	u32 start = 0;

	machine_init(m);
	m->nr_nodes = (u8)rng_between(r, 1, MACHINE_MAX_NODES);
	m->nr_cpus = (u8)rng_between(r, 1, 5);
	m->max_page_order = (u8)rng_between(r, 1, MACHINE_MAX_ORDER);
	m->pageblock_order = (u8)rng_between(r, 1, m->max_page_order);
	m->pmd_order = (u8)rng_below(r, m->max_page_order + 1);
	m->config_dma = (u8)rng_below(r, 2);
	m->config_cma = (u8)rng_below(r, 2);
	m->mobility = (u8)rng_below(r, 3);
	m->policy.contig_valid = (u8)rng_below(r, 4);
	for (u32 i = 0; i < NR_SYSCTLS; i++)
		if (rng_percent(r, 10))
			m->sysctl[i] = rng_below(r, 12);
	for (u32 i = 0; i < NR_ENV_KINDED; i++)
		m->env.kind[i] = rng_percent(r, 10) ? (u8)rng_below(r, 3) : 0;
	for (u8 node = 0; node < m->nr_nodes; node++) {
		for (u32 type = 0; type < MAX_NR_ZONES; type++) {
			u32 pages = 1 + below_or_edge(r, 2000);

			if (rng_percent(r, 50))
				continue;
			start += rng_percent(r, 30) ? rng_below(r, 40) : 0;
			m->zones[m->nr_zones++] =
				(struct machine_zone){node, (u8)type, start, pages};
			start += pages;
		}
	}
	for (u32 at = 0; m->nr_ranges < 3 && start && at < start;) {
		u32 from = at + rng_below(r, start);
		u32 pages = rng_between(r, 1, 600);

		if (rng_percent(r, 50)) {
			from = align_down(from, BIT(m->pageblock_order));
			pages = align_up(pages, BIT(m->pageblock_order));
		}
		if (rng_percent(r, 50))
			m->ranges[m->nr_ranges++] =
				(struct machine_range){(u8)rng_below(r, 2), from, pages};
		at = from + pages;
	}
}

/* Whatever machine_check() accepts comes back as it was. */
static void random_machines(void **state)
{
	struct rng r = {SEED};
	u32 nr_good = 0;

	(void)state;
	for (u32 i = 0; i < RANDOM_BODIES; i++) {
		struct testcase c;

		case_init(&c);
		random_machine(&r, &c.machine);
		if (!machine_check(&c.machine)) {
			round_trip(&c);
			nr_good++;
		}
		case_free(&c);
	}
	/* Otherwise this would test nothing; there are 2,000 and more. */
	assert_true(nr_good > RANDOM_BODIES / 20);
}

/* ---- every string of bytes ----------------------------------------------- */

/* decode(b) can be played; decode(canon(b)) = decode(b); canon(canon(b)) = canon(b). */
static void laws(const u8 *body, size_t len)
{
	struct testcase c, back;
	struct bytes canon, again;
	const char *why;
	u32 op;

	case_init(&c);
	bytes_decode_body(body, len, &c);
	why = case_check(&c, &op);
	if (why)
		fail_msg("op %u: %s", op, why);
	assert_true(machine_end_pfn(&c.machine) <= BYTES_MAX_PAGES);
	assert_null(bytes_encode_body(&c, &canon));
	case_init(&back);
	bytes_decode_body(canon.data, canon.len, &back);
	assert_true(case_equal(&c, &back));
	assert_null(bytes_encode_body(&back, &again));
	assert_int_equal(canon.len, again.len);
	assert_memory_equal(canon.data, again.data, canon.len);
	free(canon.data);
	free(again.data);
	case_free(&c);
	case_free(&back);
}

/* A body in a block of its own size, so that sanitizers see every byte read too much. */
static void laws_of_copy(const u8 *body, size_t len)
{
	u8 *copy = malloc(len + !len);

	assert_non_null(copy);
	memcpy(copy, body, len);
	laws(copy, len);
	free(copy);
}

/*
 * Random bodies: all random, with a zero machine, with a few bytes of one set, or of the full
 * layout. Each as it is and cut off somewhere.
 */
static void random_bodies(void **state)
{
	static u8 body[BYTES_FULL_SIZE + 100 * BYTES_RECORD_SIZE];
	struct rng r = {SEED};

	(void)state;
	for (u32 i = 0; i < RANDOM_BODIES; i++) {
		size_t len = rng_below(&r, sizeof(body));

		for (size_t k = 0; k < len; k++)
			body[k] = (u8)rng_next(&r);
		if (i % 4 == 1 || i % 4 == 2)
			memset(body, 0, BYTES_COMPACT_SIZE);
		if (i % 4 == 2)
			for (u32 k = 0; k < 4; k++)
				body[rng_below(&r, BYTES_COMPACT_SIZE)] = (u8)rng_next(&r);
		if (i % 4 == 3)
			body[0] = BYTES_FULL;
		laws_of_copy(body, len);
		laws_of_copy(body, rng_below(&r, (u32)len + 1));
	}
}

/* ---- limits -------------------------------------------------------------- */

static void refused(const struct testcase *c, const char *want)
{
	struct bytes bytes;
	const char *why = bytes_encode_body(c, &bytes);

	assert_non_null(why);
	assert_string_equal(why, want);
	assert_null(bytes.data);
}

/* What bytes cannot hold is refused with what they can hold. */
static void limits(void **state)
{
	const struct op drain = {.kind = OP_DRAIN, .out = SLOT_NONE};
	const struct answer answer = {.call = ENV_FAULT};
	struct testcase c;

	(void)state;
	must_parse(ONE_ZONE, &c);
	for (u32 i = 0; i < BYTES_MAX_OPS; i++)
		case_add_op(&c, &drain);
	round_trip(&c);
	for (u32 i = 0; i < BYTES_MAX_RECORDS - BYTES_MAX_OPS; i++)
		case_add_answer(&c, &answer);
	c.ops[0].nr_answers = (u16)c.nr_answers;
	round_trip(&c);
	case_add_answer(&c, &answer);
	c.ops[0].nr_answers++;
	refused(&c, "expected at most 16384 ops, answers and nested ops");
	case_add_op(&c, &drain);
	refused(&c, "expected at most 4096 ops");
	c.nr_ops = 0;
	c.machine.fuel = BYTES_MAX_FUEL + 1;
	refused(&c, "expected fuel of at most 4096");
	c.machine.zones[0].pages = BYTES_MAX_PAGES + 1;
	refused(&c, "expected a machine of at most 65536 pages");
	case_free(&c);
}

/* Of more records than the limit the rest is not read. */
static void too_many_records(void **state)
{
	size_t len = BYTES_COMPACT_SIZE + 20000UL * BYTES_RECORD_SIZE;
	u8 *body = calloc(len, 1);
	struct testcase c;

	(void)state;
	assert_non_null(body);
	laws(body, len);
	case_init(&c);
	bytes_decode_body(body, len, &c);
	assert_int_equal(c.nr_ops, BYTES_MAX_OPS);
	case_free(&c);
	/* Answers alone: none has an op. */
	for (size_t at = BYTES_COMPACT_SIZE; at < len; at += BYTES_RECORD_SIZE)
		body[at] = 0x80 | ENV_FAULT;
	body[BYTES_COMPACT_SIZE + BYTES_MAX_RECORDS * BYTES_RECORD_SIZE] = OP_ALLOC;
	case_init(&c);
	bytes_decode_body(body, len, &c);
	assert_int_equal(c.nr_ops + c.nr_answers, 0);
	case_free(&c);
	body[BYTES_COMPACT_SIZE + (BYTES_MAX_RECORDS - 1) * BYTES_RECORD_SIZE] = OP_ALLOC;
	case_init(&c);
	bytes_decode_body(body, len, &c);
	assert_int_equal(c.nr_ops, 1);
	assert_int_equal(c.ops[0].nr_answers, BYTES_MAX_RECORDS - 1);
	case_free(&c);
	free(body);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing),	   cmocka_unit_test(records),
		cmocka_unit_test(references),	   cmocka_unit_test(out_of_range),
		cmocka_unit_test(skipped_answers), cmocka_unit_test(loose_ends),
		cmocka_unit_test(files),	   cmocka_unit_test(script_and_back),
		cmocka_unit_test(largest_machine), cmocka_unit_test(compact_or_full),
		cmocka_unit_test(random_machines), cmocka_unit_test(random_bodies),
		cmocka_unit_test(limits),	   cmocka_unit_test(too_many_records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
