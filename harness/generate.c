/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ops for generated cases. The generator does not play what it makes; it keeps a
 * rough book of how much is in use, as if every allocation succeeded:
 *
 *      pages in use
 *        target  - - - - - - - - .--.  .-.   - - -    ops around the target: half fail or
 *                           .---'    '-'   '---       take the slow path
 *                      .---'
 *                 .---'  a few large allocations
 *      0    ------'                                     op ->
 */
#include <stdlib.h>

#include "harness/generate_op.h"
#include "harness/op_rules.h"
#include "model/gfp.h"

#define MAX_NESTED 2 /* ops in one op */

/* Ops of each kind in a long case without swarm; free and alloc are in every case. */
static const u8 base_weights[NR_OPS] = {
	[OP_ALLOC] = 34,     [OP_ALLOC_NOLOCK] = 4, [OP_ALLOC_BULK] = 4,   [OP_FREE] = 30,
	[OP_FREE_PIECE] = 4, [OP_GET] = 1,	    [OP_MARK] = 6,	   [OP_DRAIN] = 4,
	[OP_ISOLATE] = 5,    [OP_UNISOLATE] = 2,    [OP_CONTIG_RANGE] = 3, [OP_CONTIG_PAGES] = 2,
	[OP_CPU] = 2,	     [OP_TASK] = 2,	    [OP_CPUSET] = 1,	   [OP_SYSCTL] = 2,
	[OP_KSWAPD] = 2,     [OP_KCOMPACTD] = 2,    [OP_FILEMAP] = 6,	   [OP_MPOL] = 4,
	[OP_HUGETLB] = 1,
};

/* What callers in the kernel ask with. */
static const u32 usual_gfps[] = {
	GFP_KERNEL,
	GFP_KERNEL | __GFP_COMP,
	GFP_KERNEL | __GFP_RECLAIMABLE,
	GFP_KERNEL | __GFP_RECLAIMABLE | __GFP_COMP,
	GFP_HIGHUSER_MOVABLE,
	GFP_HIGHUSER_MOVABLE | __GFP_COMP,
	GFP_HIGHUSER_MOVABLE | __GFP_COMP | __GFP_WRITE,
	GFP_HIGHUSER_MOVABLE | __GFP_COMP | __GFP_NORETRY | __GFP_NOWARN,
	GFP_HIGHUSER,
	GFP_USER | __GFP_COMP,
	GFP_USER | __GFP_MOVABLE,
	GFP_ATOMIC,
	GFP_ATOMIC | __GFP_COMP,
	GFP_NOWAIT,
	GFP_NOWAIT | __GFP_COMP | __GFP_NORETRY,
	GFP_NOFS,
	GFP_NOIO,
	GFP_NOIO | __GFP_MEMALLOC,
	GFP_TRANSHUGE,
	GFP_TRANSHUGE | __GFP_NORETRY | __GFP_THISNODE,
	GFP_TRANSHUGE_LIGHT,
	GFP_TRANSHUGE_LIGHT | __GFP_KSWAPD_RECLAIM,
	GFP_KERNEL | __GFP_NORETRY | __GFP_NOWARN | __GFP_COMP,
	GFP_KERNEL | __GFP_RETRY_MAYFAIL,
	GFP_KERNEL | __GFP_NOFAIL,
	GFP_KERNEL | __GFP_NOFAIL | __GFP_NORETRY,
	GFP_KERNEL | __GFP_DMA,
	GFP_KERNEL | __GFP_DMA32,
	GFP_KERNEL | __GFP_ACCOUNT | __GFP_ZERO,
	GFP_HIGHUSER_MOVABLE | __GFP_COMP | __GFP_RETRY_MAYFAIL | __GFP_NOWARN | __GFP_THISNODE,
};

/* ---- the case ------------------------------------------------------------ */

static u32 draw_kind(struct generator *g)
{
	u32 all = 0, kind, at;

	if (g->used < g->target && rng_percent(&g->rng, 60))
		return rng_percent(&g->rng, 95) ? OP_ALLOC : OP_ALLOC_BULK;
	if (g->used > g->target && rng_percent(&g->rng, 25))
		return OP_FREE;
	for (kind = 0; kind < NR_OPS; kind++)
		all += g->weights[kind];
	at = rng_below(&g->rng, all);
	for (kind = 0; at >= g->weights[kind]; kind++)
		at -= g->weights[kind];
	return kind;
}

/* Pages that @op takes, if it succeeds. */
static u32 pages_taken(const struct generator *g, const struct op *op)
{
	switch (op->kind) {
	case OP_ALLOC_BULK:
	case OP_CONTIG_PAGES:
		return op->a;
	case OP_CONTIG_RANGE:
		return op->b - op->a;
	case OP_HUGETLB:
		return op->a << (op->order ? op->order : g->c->machine.gigantic_order);
	default:
		return BIT(op->order);
	}
}

static u32 pages_given(const struct generator *g, const struct op *op)
{
	if (op->kind == OP_FREE_PIECE)
		return BIT(op->order);
	if (op->kind != OP_FREE)
		return 0;
	return op->b == EXTENT_ALL ? g->pages[op->a] : g->pages[op->a] / g->live.extents[op->a];
}

/* Follow @op in the books. */
static void account(struct generator *g, const struct op *op)
{
	if (op_infos[op->kind].creates) {
		g->pages[op->out] = pages_taken(g, op);
		g->used += g->pages[op->out];
	} else if (op_infos[op->kind].refers) {
		u32 pages = min_u32(pages_given(g, op), g->pages[op->a]);

		g->pages[op->a] -= pages;
		g->used -= pages;
	}
	live_apply(&g->live, op);
}

static void follow(struct generator *g, struct op *op)
{
	if (op_infos[op->kind].creates)
		op->out = g->c->nr_slots++;
	account(g, op);
}

/* Ops of another CPU inside of @op, which has its kind only; most points are on the way of an allocation. */
static void add_nested(struct generator *g, struct op *op)
{
	if (!op_infos[op->kind].creates && op->kind != OP_DRAIN)
		return;
	op->first_nested = g->c->nr_nested;
	if (!rng_percent(&g->rng, g->nested_percent))
		return;
	for (u32 nr = rng_between(&g->rng, 1, MAX_NESTED); nr; nr--) {
		struct nested_op nested = {.op = {.kind = (u8)draw_kind(g), .out = SLOT_NONE}};

		draw_place(g, op->kind, &nested);
		draw_op(g, &nested.op);
		nested_fit(&g->c->machine, &g->live, &nested);
		follow(g, &nested.op);
		case_add_nested(g->c, &nested);
		op->nr_nested++;
	}
}

static void add_op(struct generator *g)
{
	struct op op = {.kind = (u8)draw_kind(g), .out = SLOT_NONE};

	add_nested(g, &op);
	draw_op(g, &op);
	op_fit(&g->c->machine, &g->live, &op);
	draw_answers(g, &op);
	follow(g, &op);
	case_add_op(g->c, &op);
}

static void draw_swarm(struct generator *g)
{
	static const u32 factors[] = {0, 0, 1, 1, 2, 4};
	static const u32 answers[] = {0, 10, 30};
	static const u32 nested[] = {0, 0, 0, 0, 0, 0, 3, 15};
	u32 i, kept;

	for (i = 0; i < NR_OPS; i++)
		g->weights[i] = base_weights[i] * rng_pick(&g->rng, factors);
	g->weights[OP_ALLOC] = base_weights[OP_ALLOC];
	g->weights[OP_FREE] = base_weights[OP_FREE];
	for (i = 0; i < ARRAY_SIZE(g->gfps); i++)
		g->gfps[i] = rng_pick(&g->rng, usual_gfps);
	g->answer_percent = rng_pick(&g->rng, answers);
	g->small_percent = rng_below(&g->rng, 80);
	for (i = 0; i < g->c->machine.nr_zones; i++)
		g->total += g->c->machine.zones[i].pages;
	/* The marks keep ordinary requests from the rest. */
	kept = min_u32(g->total, g->c->machine.sysctl[SYSCTL_MIN_FREE_KBYTES] / 4);
	g->target = (g->total - kept) * rng_between(&g->rng, 70, 110) / 100;
	g->nested_percent = rng_pick(&g->rng, nested);
}

/* The books as the ops leave them that the case has already. */
static void account_past(struct generator *g)
{
	for (u32 i = 0; i < g->c->nr_ops; i++) {
		const struct op *op = &g->c->ops[i];

		for (u32 n = 0; n < op->nr_nested; n++)
			account(g, &g->c->nested[op->first_nested + n].op);
		account(g, op);
	}
}

void generate_ops(struct rng *rng, u32 ops, struct testcase *c)
{
	size_t max_slots = c->nr_slots + (size_t)ops * (1 + MAX_NESTED);
	struct generator g = {.rng = *rng, .c = c, .pages = calloc(max_slots + 1, sizeof(u32))};

	if (!g.pages)
		abort();
	live_init(&g.live);
	account_past(&g);
	draw_swarm(&g);
	while (ops--)
		add_op(&g);
	live_free(&g.live);
	free(g.pages);
	*rng = g.rng;
}

void generate_case(u64 seed, u32 ops, struct testcase *c)
{
	struct rng rng = {seed};

	case_free(c);
	case_init(c);
	generate_machine(&rng, &c->machine);
	generate_ops(&rng, ops, c);
}
