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

/* Ops of each kind in a long case without swarm; free and alloc are in every case. */
static const u8 base_weights[NR_OPS] = {
	[OP_ALLOC] = 34,     [OP_ALLOC_NOLOCK] = 4, [OP_ALLOC_BULK] = 6,   [OP_FREE] = 30,
	[OP_FREE_PIECE] = 4, [OP_GET] = 1,	    [OP_MARK] = 6,	   [OP_DRAIN] = 4,
	[OP_ISOLATE] = 3,    [OP_UNISOLATE] = 2,    [OP_CONTIG_RANGE] = 3, [OP_CONTIG_PAGES] = 3,
	[OP_CPU] = 2,	     [OP_TASK] = 2,	    [OP_CPUSET] = 1,	   [OP_SYSCTL] = 2,
	[OP_KSWAPD] = 2,     [OP_KCOMPACTD] = 2,    [OP_FILEMAP] = 6,	   [OP_MPOL] = 4,
	[OP_HUGETLB] = 2,
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
		return rng_percent(&g->rng, 75) ? OP_ALLOC : OP_ALLOC_BULK;
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

static void add_op(struct generator *g)
{
	struct op op = {.kind = (u8)draw_kind(g), .out = SLOT_NONE};

	draw_op(g, &op);
	op_fit(&g->c->machine, &g->live, &op);
	if (op_infos[op.kind].creates)
		op.out = g->c->nr_slots++;
	draw_answers(g, &op);
	account(g, &op);
	case_add_op(g->c, &op);
}

static void draw_swarm(struct generator *g)
{
	static const u32 factors[] = {0, 0, 1, 1, 2, 4};
	static const u32 answers[] = {0, 10, 30};
	u32 i;

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
	g->target = g->total / 100 * rng_between(&g->rng, 70, 110);
}

void generate_case(u64 seed, u32 ops, struct testcase *c)
{
	struct generator g = {.rng = {seed}, .c = c, .pages = calloc(ops + 1, sizeof(u32))};

	if (!g.pages)
		abort();
	case_free(c);
	case_init(c);
	generate_machine(&g.rng, &c->machine);
	live_init(&g.live);
	draw_swarm(&g);
	while (c->nr_ops < ops)
		add_op(&g);
	live_free(&g.live);
	free(g.pages);
}
