/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Simpler members: for each member of an op a list of simpler values, tried one by
 * one, from the start again after each that still shows it.
 */
#include <stddef.h>
#include <string.h>

#include "harness/gfp_text.h"
#include "harness/op_rules.h"
#include "harness/shrink_internal.h"
#include "model/gfp.h"

/* ---- values -------------------------------------------------------------- */

/* Number @k of what is simpler than the number @v; false: there are no more. */
static bool simpler_number(u32 *v, u32 k)
{
	const u32 values[] = {0, *v / 2, *v - 1};

	if (!*v || k >= ARRAY_SIZE(values))
		return false;
	*v = values[k];
	return true;
}

static bool simpler_bits(u32 *v, u32 k)
{
	if (k >= 32)
		return false;
	*v &= ~BIT(k);
	return true;
}

static bool simpler_value(enum op_use use, u32 *v, u32 k)
{
	switch (use) {
	case USE_ANY:
	case USE_ORDER:
	case USE_DRAIN:
	case USE_ISOLATE_MODE:
	case USE_SYSCTL_VALUE:
	case USE_OFFSET:
	case USE_ZONE:
	case USE_DRAIN_CPU:
	case USE_CPU:
	case USE_ORDERS:
		return simpler_number(v, k);
	case USE_NR:
	case USE_PAGES:
		*v -= 1; /* from 1 on */
		if (!simpler_number(v, k))
			return false;
		*v += 1;
		return true;
	case USE_MARKS:
	case USE_TASK:
		return simpler_bits(v, k);
	case USE_NODEMASK:
		*v = 0;
		return !k;
	case USE_EXTENT:
		*v = EXTENT_ALL;
		return !k;
	default:
		return false;
	}
}

/* ---- members: number @k of what is simpler than @op; false: no more ------ */

/* A request is a plain one, a free one of everything. */
static bool simpler_kind(struct op *op, u32 k)
{
	const struct op_info *info = &op_infos[op->kind];

	if (k)
		return false;
	if (info->creates && op->kind != OP_ALLOC) {
		if (info->sub != USE_ORDER)
			op->order = 0;
		if (!info->gfp)
			op->gfp = GFP_KERNEL;
		op->kind = OP_ALLOC;
		op->flags = 0;
		op->b = 0;
	} else if (op->kind == OP_FREE_PIECE) {
		op->kind = OP_FREE;
		op->b = EXTENT_ALL;
	}
	return true;
}

static bool simpler_sub(struct op *op, u32 k)
{
	u32 v = op->sub;

	if (!simpler_value(op_infos[op->kind].sub, &v, k))
		return false;
	op->sub = (u8)v;
	return true;
}

static bool simpler_node(struct op *op, u32 k)
{
	op->node = 0;
	return !k;
}

static bool simpler_flags(struct op *op, u32 k)
{
	op->flags &= (u8)~BIT(k);
	return k < 8;
}

/* Fewer names are simpler, and of as many those that begin with GFP_KERNEL. */
static u32 gfp_cost(u32 gfp)
{
	static const char kernel[] = "GFP_KERNEL";
	char text[GFP_TEXT_SIZE];
	u32 cost = strncmp(gfp_print(gfp, text), kernel, sizeof(kernel) - 1) ? 3 : 2;

	for (const char *at = text; (at = strchr(at, '|')); at++)
		cost += 2;
	return cost;
}

/* A usual mask, alone or with one of the flags; or the same without one flag. */
static bool simpler_gfp(struct op *op, u32 k)
{
	static const u32 usual[] = {GFP_KERNEL, GFP_HIGHUSER_MOVABLE};
	u32 way = k / 33, bit = k % 33;
	u32 flag = bit < 32 ? op->gfp & BIT(bit) : 0;
	u32 gfp = op->gfp & ~flag;

	if (way > ARRAY_SIZE(usual))
		return false;
	if (way < ARRAY_SIZE(usual))
		gfp = usual[way] | flag;
	if (gfp_cost(gfp) < gfp_cost(op->gfp))
		op->gfp = gfp;
	return true;
}

static bool is_range(const struct op *op)
{
	return op_infos[op->kind].a == USE_START;
}

/* A half of the range, or the same at page 0. */
static bool simpler_range(struct op *op, u32 k)
{
	u32 nr = op->b - op->a;

	if (!is_range(op) || k > 2)
		return false;
	if (k == 0)
		op->b = op->a + (nr + 1) / 2;
	else if (k == 1)
		op->a += nr / 2;
	else
		op->a = 0, op->b = nr;
	return true;
}

static bool simpler_a(struct op *op, u32 k)
{
	return simpler_value(op_infos[op->kind].a, &op->a, k);
}

static bool simpler_b(struct op *op, u32 k)
{
	return simpler_value(op_infos[op->kind].b, &op->b, k);
}

static bool (*const members[])(struct op *op, u32 k) = {
	simpler_kind, simpler_sub,   simpler_node, simpler_flags,
	simpler_gfp,  simpler_range, simpler_a,	   simpler_b,
};

/* ---- ops ----------------------------------------------------------------- */

/* Op number @i, or nested op number @i; NULL: there is none any more. */
static struct op *op_at(struct testcase *c, bool nested, u32 i)
{
	if (nested)
		return i < c->nr_nested ? &c->nested[i].op : NULL;
	return i < c->nr_ops ? &c->ops[i] : NULL;
}

static bool try_op(struct shrinker *sh, bool nested, u32 i, const struct op *op)
{
	struct testcase changed;

	if (!memcmp(op, op_at(&sh->best, nested, i), sizeof(*op)))
		return false;
	case_copy(&changed, &sh->best, true);
	*op_at(&changed, nested, i) = *op;
	return shrink_try(sh, &changed);
}

static bool shrink_member(struct shrinker *sh, bool nested, u32 i,
			  bool (*simpler)(struct op *op, u32 k))
{
	bool any = false;
	struct op *op, changed;

	for (u32 k = 0; (op = op_at(&sh->best, nested, i)); k++) {
		changed = *op;
		if (!simpler(&changed, k))
			break;
		if (!try_op(sh, nested, i, &changed))
			continue;
		any = true;
		k = UINT32_MAX; /* from the start again */
	}
	return any;
}

static bool shrink_ops(struct shrinker *sh, bool nested)
{
	bool any = false;

	for (u32 i = 0; op_at(&sh->best, nested, i); i++) {
		for (u32 m = 0; m < ARRAY_SIZE(members); m++)
			any |= shrink_member(sh, nested, i, members[m]);
	}
	return any;
}

/* ---- answers ------------------------------------------------------------- */

static bool try_answer(struct shrinker *sh, u32 i, bool extra, u32 k, bool *more)
{
	struct testcase changed;
	struct answer *answer;

	case_copy(&changed, &sh->best, true);
	answer = &changed.answers[i];
	*more = simpler_number(extra ? &answer->extra : &answer->value, k);
	if (*more)
		return shrink_try(sh, &changed);
	case_free(&changed);
	return false;
}

static bool shrink_answers(struct shrinker *sh)
{
	bool any = false, more;

	for (u32 i = 0; i < 2 * sh->best.nr_answers; i++) {
		u32 k = 0;

		do {
			bool shows = try_answer(sh, i / 2, i % 2, k, &more);

			any |= shows;
			k = shows ? 0 : k + 1;
		} while (more && i < 2 * sh->best.nr_answers);
	}
	return any;
}

bool shrink_members(struct shrinker *sh)
{
	bool any = shrink_ops(sh, false);

	any |= shrink_ops(sh, true);
	any |= shrink_answers(sh);
	return any;
}
