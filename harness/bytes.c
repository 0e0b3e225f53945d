/* SPDX-License-Identifier: GPL-2.0-only */
/* Records of the bytes form, both ways. */
#include <stdlib.h>
#include <string.h>

#include "harness/bytes_internal.h"
#include "harness/live.h"
#include "harness/op_rules.h"
#include "model/gfp.h"

#define KIND_SORT 0xc0 /* which sort of record */
#define KIND_ANSWER 0x80
#define KIND_NESTED 0xc0
#define KIND_OP_BITS 0x1f /* op kind of a nested op */
#define KIND_CPU_64 0x20 /* its CPU is one of 64.. */
#define CPU_SHIFT 26 /* gfp bits that no flag uses */
#define CPU_MASK 0x3fU

_Static_assert(NR_OPS <= KIND_OP_BITS + 1, "kinds of nested ops have five bits");
_Static_assert(!(GFP_BITS_MASK >> CPU_SHIFT), "the CPU lies above the gfp flags");
_Static_assert(MACHINE_MAX_CPUS <= 2 * (CPU_MASK + 1), "a CPU has seven bits");

struct record {
	u8 kind, sub, node, flags;
	u32 gfp, a, b;
};

static void put_u32(u8 *p, u32 v)
{
	for (u32 i = 0; i < 4; i++)
		p[i] = (u8)(v >> 8 * i);
}

static struct record get_record(const u8 *p)
{
	return (struct record){p[0],	       p[1],	       p[2],	       p[3],
			       get_u32(p + 4), get_u32(p + 8), get_u32(p + 12)};
}

static void put_record(u8 *p, const struct record *r)
{
	p[0] = r->kind;
	p[1] = r->sub;
	p[2] = r->node;
	p[3] = r->flags;
	put_u32(p + 4, r->gfp);
	put_u32(p + 8, r->a);
	put_u32(p + 12, r->b);
}

/* ---- one op -------------------------------------------------------------- */

/* The op of a record, as it is; op_fit() comes next. */
static struct op op_of(const struct record *r, u8 kind, const struct live *l)
{
	struct op op = {.kind = kind,
			.node = r->node & 0xf,
			.flags = r->flags,
			.gfp = r->gfp,
			.a = r->a,
			.b = r->b,
			.out = SLOT_NONE};

	op.sub = r->sub;
	if (op_infos[kind].refers && l->nr)
		op.a = l->slots[r->a % l->nr];
	if (kind == OP_FREE)
		op.b--; /* 0 is EXTENT_ALL */
	return op;
}

static struct record record_of(const struct op *op, const struct live *l)
{
	struct record r = {op->kind, op->sub, op->node, op->flags, op->gfp, op->a, op->b};

	if (op_infos[op->kind].refers)
		r.a = l->pos[op->a];
	if (op->kind == OP_FREE)
		r.b++;
	return r;
}

/* ---- reading ------------------------------------------------------------- */

struct decoder {
	struct testcase *c;
	struct live live;
	/* of the next op */
	u32 first_answer, first_nested;
	u32 nr_slots; /* before its nested ops */
};

static void decode_answer(struct decoder *d, const struct record *r)
{
	struct answer answer = {
		.call = r->kind & (u8)~KIND_SORT, .kind = r->sub, .value = r->a, .extra = r->b};

	answer_fit(&answer);
	if (answer_played(&d->c->machine, &answer))
		case_add_answer(d->c, &answer);
	else
		d->c->skipped_answers++;
}

/* @op is legal: follow it. */
static void take_op(struct decoder *d, struct op *op)
{
	if (op_infos[op->kind].creates)
		op->out = d->c->nr_slots++;
	live_apply(&d->live, op);
}

static void decode_nested(struct decoder *d, const struct record *r)
{
	struct nested_op nested = {
		.point = r->node >> 4,
		.cpu = (u8)(r->gfp >> CPU_SHIFT | (r->kind & KIND_CPU_64 ? CPU_MASK + 1 : 0)),
		.op = op_of(r, (r->kind & KIND_OP_BITS) % NR_OPS, &d->live),
	};

	nested_fit(&d->c->machine, &d->live, &nested);
	take_op(d, &nested.op);
	case_add_nested(d->c, &nested);
}

static void decode_op(struct decoder *d, const struct record *r)
{
	struct testcase *c = d->c;
	struct op op = op_of(r, r->kind % NR_OPS, &d->live);

	op_fit(&c->machine, &d->live, &op);
	take_op(d, &op);
	op.first_answer = d->first_answer;
	op.nr_answers = (u16)(c->nr_answers - d->first_answer);
	op.first_nested = d->first_nested;
	op.nr_nested = (u16)(c->nr_nested - d->first_nested);
	case_add_op(c, &op);
	d->first_answer = c->nr_answers;
	d->first_nested = c->nr_nested;
	d->nr_slots = c->nr_slots;
}

void bytes_decode_body(const u8 *body, size_t len, struct testcase *c)
{
	struct decoder d = {.c = c};
	size_t at = bytes_machine_size(body, len);
	size_t records = (len - at) / BYTES_RECORD_SIZE;
	u32 nr = records < BYTES_MAX_RECORDS ? (u32)records : BYTES_MAX_RECORDS;

	bytes_decode_machine(body, len, &c->machine);
	case_reserve(c, min_u32(nr, BYTES_MAX_OPS));
	live_init(&d.live);
	live_reserve(&d.live, nr);
	for (u32 n = 0; n < nr && c->nr_ops < BYTES_MAX_OPS; n++, at += BYTES_RECORD_SIZE) {
		struct record r = get_record(body + at);

		if ((r.kind & KIND_SORT) == KIND_NESTED)
			decode_nested(&d, &r);
		else if ((r.kind & KIND_SORT) == KIND_ANSWER)
			decode_answer(&d, &r);
		else
			decode_op(&d, &r);
	}
	/* Those without an op behind them. */
	c->nr_answers = d.first_answer;
	c->nr_nested = d.first_nested;
	c->nr_slots = d.nr_slots;
	live_free(&d.live);
}

bool bytes_decode(const char *file, const u8 *data, size_t len, struct testcase *c,
		  char err[CASE_ERROR_SIZE])
{
	struct text t;

	text_init(&t, file, (const char *)data, len, err);
	t.line = 1;
	if (len < BYTES_PREFIX_SIZE || memcmp(data, BYTES_MAGIC, BYTES_MAGIC_SIZE) != 0)
		return text_fail(&t, "expected '" BYTES_MAGIC "' and a version", "no bytes form");
	if (data[BYTES_MAGIC_SIZE] != BYTES_VERSION)
		return text_fail(&t, "expected version 1", "bytes of version %u",
				 data[BYTES_MAGIC_SIZE]);
	bytes_decode_body(data + BYTES_PREFIX_SIZE, len - BYTES_PREFIX_SIZE, c);
	return true;
}

/* ---- writing ------------------------------------------------------------- */

static u8 *encode_answers(u8 *p, const struct testcase *c, const struct op *op)
{
	for (u32 i = 0; i < op->nr_answers; i++, p += BYTES_RECORD_SIZE) {
		const struct answer *answer = &c->answers[op->first_answer + i];
		struct record r = {.kind = KIND_ANSWER | answer->call,
				   .sub = answer->kind,
				   .a = answer->value,
				   .b = answer->extra};

		put_record(p, &r);
	}
	return p;
}

static u8 *encode_nested(u8 *p, const struct testcase *c, const struct op *op, struct live *l)
{
	for (u32 i = 0; i < op->nr_nested; i++, p += BYTES_RECORD_SIZE) {
		const struct nested_op *nested = &c->nested[op->first_nested + i];
		struct record r = record_of(&nested->op, l);

		r.kind |= KIND_NESTED | (nested->cpu > CPU_MASK ? KIND_CPU_64 : 0);
		r.node |= (u8)(nested->point << 4);
		r.gfp |= (nested->cpu & CPU_MASK) << CPU_SHIFT;
		put_record(p, &r);
		live_apply(l, &nested->op);
	}
	return p;
}

/* Those from @first on. */
static u8 *encode_ops(u8 *p, const struct testcase *c, u32 first)
{
	struct live l;

	live_init(&l);
	for (u32 i = 0; i < first; i++)
		live_step(&l, c, i);
	for (u32 i = first; i < c->nr_ops; i++, p += BYTES_RECORD_SIZE) {
		const struct op *op = &c->ops[i];
		struct record r;

		p = encode_answers(p, c, op);
		p = encode_nested(p, c, op, &l);
		r = record_of(op, &l);
		put_record(p, &r);
		live_apply(&l, op);
	}
	live_free(&l);
	return p;
}

/* Parts that no op has are not counted. */
static size_t count_records(const struct testcase *c, u32 first)
{
	size_t nr = c->nr_ops - first;

	for (u32 i = first; i < c->nr_ops; i++)
		nr += c->ops[i].nr_answers + c->ops[i].nr_nested;
	return nr;
}

static u8 *reserve(struct bytes *out, size_t size)
{
	out->data = malloc(size ? size : 1);
	if (!out->data)
		abort();
	return out->data;
}

void bytes_encode_records(const struct testcase *c, u32 first, struct bytes *out)
{
	u8 *p = reserve(out, count_records(c, first) * BYTES_RECORD_SIZE);

	out->len = (size_t)(encode_ops(p, c, first) - out->data);
}

static const char *encode_after(const struct testcase *c, struct bytes *out, const u8 *prefix,
				size_t prefix_size)
{
	size_t records = count_records(c, 0);
	u8 *p;

	*out = (struct bytes){0};
	if (c->nr_ops > BYTES_MAX_OPS)
		return "expected at most 4096 ops";
	if (records > BYTES_MAX_RECORDS)
		return "expected at most 16384 ops, answers and nested ops";
	if (machine_end_pfn(&c->machine) > BYTES_MAX_PAGES)
		return "expected a machine of at most 65536 pages";
	if (c->machine.fuel > BYTES_MAX_FUEL)
		return "expected fuel of at most 4096";
	p = reserve(out, prefix_size + BYTES_FULL_SIZE + records * BYTES_RECORD_SIZE);
	p = (u8 *)memcpy(p, prefix, prefix_size) + prefix_size;
	p += bytes_encode_machine(&c->machine, p);
	out->len = (size_t)(encode_ops(p, c, 0) - out->data);
	return NULL;
}

const char *bytes_encode_body(const struct testcase *c, struct bytes *out)
{
	return encode_after(c, out, (const u8 *)"", 0);
}

const char *bytes_encode(const struct testcase *c, struct bytes *out)
{
	static const u8 prefix[BYTES_PREFIX_SIZE] = {'B', 'C', 'K', 'B', BYTES_VERSION};

	return encode_after(c, out, prefix, sizeof(prefix));
}
