/* SPDX-License-Identifier: GPL-2.0-only */
/* Outcomes of an op, compared. */
#include "harness/gate/gate_differences.h"

#include <stdio.h>

/* Numbers that are compared, in the order of their kinds. */
static const struct {
	enum gate_count count;
	const char *name, *group;
} compared[] = {
	{COUNT_CLAIM, "claims", "claim and steal"},
	{COUNT_STEAL, "steals", "claim and steal"},
	{COUNT_POLLUTE, "pollutes", "claim and steal"},
	{COUNT_RESERVE, "HighAtomic pages", "claim and steal"},
	{COUNT_RECLAIM, "direct reclaim", "stalls"},
	{COUNT_COMPACT, "direct compaction", "stalls"},
	{COUNT_DRAIN_ALL, "drain_all", "stalls"},
	{COUNT_OOM, "OOM", "stalls"},
	{COUNT_KSWAPD, "kswapd wakes", "wakes"},
	{COUNT_KCOMPACTD, "kcompactd wakes", "wakes"},
	{COUNT_ENDLESS, "no end", "other"},
	{COUNT_WARNINGS, "WARN", "other"},
	/* Only where nothing above differs, nor pages: */
	{COUNT_HOLDS, "lock holds", "lock work"},
	{COUNT_WORK, "lock work", "lock work"},
};

#define FIRST_OF_LOCK (ARRAY_SIZE(compared) - 2)

_Static_assert(KIND_MORE + 2 * ARRAY_SIZE(compared) == NR_GATE_KINDS, "a kind for each direction");

const char *gate_kind_name(u32 kind, char text[64])
{
	static const char *const plain[] = {
		[KIND_PLACEMENT] = "placement only",
		[KIND_FAILS] = "fails, succeeded before",
		[KIND_SUCCEEDS] = "succeeds, failed before",
	};

	if (kind < KIND_MORE)
		snprintf(text, 64, "%s", plain[kind]);
	else
		snprintf(text, 64, "%s: %s", compared[(kind - KIND_MORE) / 2].name,
			 (kind - KIND_MORE) % 2 ? "fewer" : "more");
	return text;
}

const char *gate_kind_group(u32 kind)
{
	if (kind == KIND_PLACEMENT)
		return "placement";
	if (kind < KIND_MORE)
		return "success and failure";
	return compared[(kind - KIND_MORE) / 2].group;
}

/* ---- outcomes ------------------------------------------------------------ */

static void mix(u64 *hash, u64 value)
{
	*hash = (*hash ^ value) * 0x100000001b3ULL;
}

static void add_object(struct gate_outcome *o, const struct book *b, u32 slot)
{
	const struct object *object = &b->objects[slot];

	for (u32 i = 0; i < object->nr; i++) {
		const struct extent *e = &b->extents[object->first + i];

		mix(&o->placement, e->pfn);
		mix(&o->placement, e->order | (u32)e->flags << 8);
		o->pages += extent_live(e) ? BIT(e->order) : 0;
	}
}

struct gate_outcome gate_outcome_of(const struct run *r, const struct op *op,
				    const struct gate_costs *costs, bool skipped)
{
	struct gate_outcome o = {
		.skipped = skipped, .placement = 0xcbf29ce484222325ULL, .costs = costs};

	if (skipped)
		return o;
	if (op->out != SLOT_NONE)
		add_object(&o, &r->book, op->out);
	for (u32 i = 0; i < op->nr_nested; i++) {
		u32 out = r->c->nested[op->first_nested + i].op.out;

		if (out != SLOT_NONE)
			add_object(&o, &r->book, out);
	}
	mix(&o.placement, (u64)(s64)r->result.error);
	return o;
}

static u64 count_kind(u32 i, u64 base, u64 candidate)
{
	if (base == candidate)
		return 0;
	return KIND_BIT(KIND_MORE + 2 * i + (candidate < base));
}

u64 gate_differences(const struct gate_outcome *base, const struct gate_outcome *candidate)
{
	u64 kinds = 0;
	u32 i;

	if (base->skipped || candidate->skipped)
		return 0;
	if (candidate->pages < base->pages)
		kinds |= KIND_BIT(KIND_FAILS);
	if (candidate->pages > base->pages)
		kinds |= KIND_BIT(KIND_SUCCEEDS);
	for (i = 0; i < FIRST_OF_LOCK; i++)
		kinds |= count_kind(i, base->costs->n[compared[i].count],
				    candidate->costs->n[compared[i].count]);
	if (!kinds && base->placement != candidate->placement)
		kinds = KIND_BIT(KIND_PLACEMENT);
	for (; !kinds && i < ARRAY_SIZE(compared); i++)
		kinds |= count_kind(i, base->costs->n[compared[i].count],
				    candidate->costs->n[compared[i].count]);
	return kinds;
}
