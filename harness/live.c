/* SPDX-License-Identifier: GPL-2.0-only */
/* The set of live slots: constant time for each op. */
#include <stdlib.h>
#include <string.h>

#include "harness/live.h"

void live_init(struct live *l)
{
	*l = (struct live){0};
}

void live_free(struct live *l)
{
	free(l->slots);
	live_init(l);
}

/* Array @i of the five that one piece of memory with room for @cap slots holds. */
static u32 *array_of(u32 *memory, u32 i, u32 cap)
{
	return memory + (size_t)i * cap;
}

void live_reserve(struct live *l, u32 slots)
{
	u32 *const old[] = {l->slots, l->pos, l->refs, l->pages, l->extents};
	u32 **const arrays[] = {&l->slots, &l->pos, &l->refs, &l->pages, &l->extents};
	u32 cap = max_u32(slots, 2 * l->cap);
	u32 *memory;

	if (slots <= l->cap)
		return;
	memory = calloc(cap, ARRAY_SIZE(arrays) * sizeof(*memory));
	if (!memory)
		abort();
	for (u32 i = 0; i < ARRAY_SIZE(arrays); i++) {
		*arrays[i] = array_of(memory, i, cap);
		if (l->cap)
			memcpy(*arrays[i], old[i], l->cap * sizeof(*memory));
	}
	memset(l->pos + l->cap, 0xff, (cap - l->cap) * sizeof(*l->pos)); /* SLOT_NONE */
	l->cap = cap;
	free(old[0]);
}

/* Pages that may be named one by one; what callers get is compound, in one piece. */
static u32 pages_of(const struct op *op)
{
	switch (op->kind) {
	case OP_ALLOC:
	case OP_ALLOC_NOLOCK:
	case OP_MPOL:
		return BIT(op->order);
	case OP_ALLOC_BULK:
	case OP_CONTIG_PAGES:
		return op->a;
	case OP_CONTIG_RANGE:
		return op->b - op->a;
	default:
		return 1;
	}
}

static void live_add(struct live *l, const struct op *op)
{
	bool many = op->kind == OP_ALLOC_BULK || op->kind == OP_HUGETLB;

	live_reserve(l, max_u32(op->out + 1, 64));
	l->pages[op->out] = pages_of(op);
	l->extents[op->out] = many ? op->a : 0;
	l->refs[op->out] = 1;
	l->pos[op->out] = l->nr;
	l->slots[l->nr++] = op->out;
}

static void live_del(struct live *l, u32 slot)
{
	u32 last = l->slots[--l->nr];

	l->slots[l->pos[slot]] = last;
	l->pos[last] = l->pos[slot];
	l->pos[slot] = SLOT_NONE;
}

void live_apply(struct live *l, const struct op *op)
{
	if (op_infos[op->kind].creates)
		live_add(l, op);
	else if (op->kind == OP_GET)
		l->refs[op->a]++;
	else if (op->kind == OP_FREE && op->b == EXTENT_ALL && !--l->refs[op->a])
		live_del(l, op->a);
}

void live_step(struct live *l, const struct testcase *c, u32 i)
{
	const struct op *op = &c->ops[i];

	for (u32 n = 0; n < op->nr_nested; n++)
		live_apply(l, &c->nested[op->first_nested + n].op);
	live_apply(l, op);
}
