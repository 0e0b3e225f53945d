/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One op of a generated case: a function for each kind, which draws what the op
 * needs so that most of them do something.
 */
#include "harness/generate_op.h"
#include "harness/op_rules.h"
#include "model/gfp.h"
#include "model/port.h"
#include "model/view.h"

/* What they might. */
static const u32 modifiers[] = {
	__GFP_COMP,	__GFP_COMP,	  __GFP_MOVABLE,	__GFP_RECLAIMABLE,
	__GFP_HIGH,	__GFP_IO,	  __GFP_DIRECT_RECLAIM, __GFP_KSWAPD_RECLAIM,
	__GFP_WRITE,	__GFP_NORETRY,	  __GFP_RETRY_MAYFAIL,	__GFP_NOFAIL,
	__GFP_MEMALLOC, __GFP_NOMEMALLOC, __GFP_HARDWALL,	__GFP_THISNODE,
	__GFP_HIGHMEM,
};

static bool percent(struct generator *g, u32 p)
{
	return rng_percent(&g->rng, p);
}

static u32 below(struct generator *g, u32 n)
{
	return rng_below(&g->rng, n);
}

static const struct machine *machine(const struct generator *g)
{
	return &g->c->machine;
}

/* ---- parts of ops -------------------------------------------------------- */

static u32 draw_gfp(struct generator *g)
{
	u32 gfp = rng_pick(&g->rng, g->gfps);

	if (percent(g, 20))
		gfp ^= rng_pick(&g->rng, modifiers);
	return gfp;
}

/* While there is room, something like an eighth of it; later mostly small orders. */
static u32 draw_order(struct generator *g)
{
	u32 max = machine(g)->max_page_order, order;

	if (g->used < g->target) {
		order = ilog2((g->target - g->used) | 1);
		return min_u32(max, order - min_u32(order, below(g, 5)));
	}
	if (percent(g, g->small_percent))
		return 0;
	if (percent(g, 15) && machine(g)->pmd_order)
		return machine(g)->pmd_order;
	return percent(g, 60) ? rng_between(&g->rng, 1, min_u32(3, max)) : below(g, max + 1);
}

/* No mask in most requests. */
static u32 draw_nodemask(struct generator *g)
{
	return percent(g, 15) ? below(g, BIT(machine(g)->nr_nodes)) : 0;
}

/* Any live object; the newest one in every third op. */
static u32 draw_slot(struct generator *g)
{
	const struct live *l = &g->live;

	return l->nr ? l->slots[percent(g, 33) ? l->nr - 1 : below(g, l->nr)] : 0;
}

/* [start, end) in a zone, of whole pageblocks in most ops. */
static void draw_range(struct generator *g, u32 *start, u32 *end)
{
	const struct machine_zone *z = &machine(g)->zones[below(g, machine(g)->nr_zones)];
	u32 block = BIT(machine(g)->pageblock_order);

	*start = z->start + below(g, z->pages);
	if (percent(g, 80)) {
		*start = align_down(*start, block);
		*end = *start + block * rng_between(&g->rng, 1, 4);
	} else {
		*end = *start + rng_between(&g->rng, 1, 2 * block);
	}
	*start = max_u32(*start, z->start);
	*end = min_u32(*end, z->start + z->pages);
}

/* ---- one maker for each kind --------------------------------------------- */

static void make_alloc(struct generator *g, struct op *op)
{
	op->order = (u8)draw_order(g);
	op->gfp = draw_gfp(g);
	op->b = draw_nodemask(g);
	op->flags = percent(g, 20) ? OPF_FROZEN : 0;
}

static void make_nolock(struct generator *g, struct op *op)
{
	op->order = (u8)(percent(g, 80) ? below(g, PAGE_ALLOC_COSTLY_ORDER + 1) : draw_order(g));
	op->gfp = percent(g, 50) ? __GFP_ACCOUNT : 0;
}

static void make_bulk(struct generator *g, struct op *op)
{
	static const u32 numbers[] = {1, 2, 4, 8, 16, 32, 64};

	op->a = percent(g, 2) ? 1 + below(g, CASE_MAX_EXTENTS) : rng_pick(&g->rng, numbers);
	op->b = draw_nodemask(g);
	op->gfp = draw_gfp(g);
	op->flags = percent(g, 20) ? (u8)below(g, min_u32(op->a, 16)) : 0;
}

static void make_free(struct generator *g, struct op *op)
{
	static const u32 flags[] = {0, 0, 0, 0, OPF_NOLOCK, OPF_BATCH};

	op->a = draw_slot(g);
	op->b = EXTENT_ALL;
	op->flags = (u8)rng_pick(&g->rng, flags);
	if (g->live.nr && g->live.extents[op->a] > 1 && percent(g, 50))
		op->b = below(g, g->live.extents[op->a]);
}

static void make_free_piece(struct generator *g, struct op *op)
{
	u32 pages;

	op->a = draw_slot(g);
	pages = g->live.nr ? g->live.pages[op->a] : 1;
	op->order = (u8)below(g, ilog2(pages) + 1);
	op->b = align_down(below(g, pages), BIT(op->order));
}

static void make_get(struct generator *g, struct op *op)
{
	op->a = draw_slot(g);
}

static void make_mark(struct generator *g, struct op *op)
{
	static const u32 marks[] = {PG_LRU,
				    PG_LRU,
				    PG_LRU,
				    PG_LRU | PG_CLEAN,
				    PG_MOVABLE_OPS,
				    PG_HUGETLB,
				    PG_RESERVED,
				    PG_HWPOISON,
				    PG_PINNED,
				    PG_LRU | PG_PINNED,
				    PG_LRU | PG_MLOCKED};

	op->a = draw_slot(g);
	op->b = rng_pick(&g->rng, marks);
	op->flags = percent(g, 20) ? OPF_CLEAR : 0;
}

static void make_drain(struct generator *g, struct op *op)
{
	op->sub = (u8)below(g, DRAIN_PCP_DISABLE + 1);
	op->a = below(g, machine(g)->nr_zones);
	op->b = below(g, machine(g)->nr_cpus);
	if (g->disabled && percent(g, 60)) {
		op->sub = DRAIN_PCP_ENABLE;
		op->a = g->disabled - 1;
		g->disabled = 0;
	} else if (op->sub == DRAIN_PCP_DISABLE) {
		g->disabled = op->a + 1;
	}
}

static void make_isolate(struct generator *g, struct op *op)
{
	op->sub = (u8)below(g, PB_ISOLATE_MODE_OTHER + 1);
	draw_range(g, &op->a, &op->b);
	g->isolated[0] = op->a;
	g->isolated[1] = op->b;
}

static void make_unisolate(struct generator *g, struct op *op)
{
	op->a = g->isolated[0];
	op->b = g->isolated[1];
	if (!op->b || percent(g, 20))
		draw_range(g, &op->a, &op->b);
}

/*
 * The few masks that contig allocations accept (spec 7.1), now and then another one. A folio is
 * asked for where it can be had; elsewhere each try loses the pages (spec 7.2 step 10).
 */
static u32 draw_contig_gfp(struct generator *g, u32 nr)
{
	static const u32 gfps[] = {GFP_KERNEL, GFP_KERNEL | __GFP_NOWARN, GFP_USER | __GFP_MOVABLE,
				   GFP_NOWAIT};
	bool whole = !(nr & (nr - 1)) && nr >= BIT(machine(g)->pageblock_order);
	u32 gfp = percent(g, 95) ? rng_pick(&g->rng, gfps) : draw_gfp(g);

	return gfp | (percent(g, whole ? 50 : 1) ? __GFP_COMP : 0);
}

static void make_contig_range(struct generator *g, struct op *op)
{
	draw_range(g, &op->a, &op->b);
	op->gfp = draw_contig_gfp(g, op->b - op->a);
	op->flags = percent(g, 60) || (op->gfp & __GFP_COMP) ? OPF_FROZEN : 0;
	op->flags |= percent(g, 25) ? OPF_CMA : 0;
}

/* Less than a pageblock in few: each page is a candidate then, and most of them fail. */
static void make_contig_pages(struct generator *g, struct op *op)
{
	u32 block = machine(g)->pageblock_order;
	u32 most = max_u32(block, machine(g)->gigantic_order);
	u32 order = percent(g, 4) ? below(g, block) : rng_between(&g->rng, block, most);

	op->a = percent(g, 70) ? BIT(order) : BIT(order) - below(g, BIT(order) / 4 + 1);
	op->a = min_u32(op->a, g->total);
	op->gfp = draw_contig_gfp(g, op->a);
	op->b = draw_nodemask(g);
	op->flags = percent(g, 60) || (op->gfp & __GFP_COMP) ? OPF_FROZEN : 0;
}

static void make_cpu(struct generator *g, struct op *op)
{
	op->a = below(g, machine(g)->nr_cpus);
}

static void make_task(struct generator *g, struct op *op)
{
	static const u32 tasks[] = {0,
				    0,
				    TASK_PF_MEMALLOC,
				    TASK_OOM_VICTIM,
				    TASK_RT,
				    TASK_NOIO,
				    TASK_NOFS,
				    TASK_PIN,
				    TASK_IN_INTERRUPT,
				    TASK_FATAL_SIGNAL,
				    TASK_CPUSETS_ENABLED,
				    TASK_KTHREAD,
				    TASK_PF_DUMPCORE};

	op->a = rng_pick(&g->rng, tasks);
	if (percent(g, 15))
		op->a |= BIT(below(g, NR_TASK_FLAGS));
}

static void make_cpuset(struct generator *g, struct op *op)
{
	op->a = 1 + below(g, BIT(machine(g)->nr_nodes) - 1);
	op->b = op->a | below(g, BIT(machine(g)->nr_nodes));
}

static void make_sysctl(struct generator *g, struct op *op)
{
	static const u32 values[NR_SYSCTLS][3] = {
		[SYSCTL_DEFRAG_MODE] = {0, 1, 1},
		[SYSCTL_WATERMARK_BOOST_FACTOR] = {0, 15000, 40000},
		[SYSCTL_WATERMARK_SCALE_FACTOR] = {10, 100, 1000},
		[SYSCTL_MIN_FREE_KBYTES] = {0, 128, 1024},
		[SYSCTL_PERCPU_PAGELIST_HIGH_FRACTION] = {0, 8, 100},
		[SYSCTL_NODE_RECLAIM_MODE] = {0, 1, 1},
		[SYSCTL_LOWMEM_RESERVE_DMA] = {0, 1, 256},
		[SYSCTL_LOWMEM_RESERVE_DMA32] = {0, 8, 256},
		[SYSCTL_LOWMEM_RESERVE_NORMAL] = {0, 4, 32},
		[SYSCTL_LOWMEM_RESERVE_MOVABLE] = {0, 0, 1},
	};

	op->sub = (u8)below(g, NR_SYSCTLS);
	op->a = values[op->sub][below(g, 3)];
}

static void make_kswapd(struct generator *g, struct op *op)
{
	op->a = percent(g, 50) ? 0 : rng_between(&g->rng, 1, 64);
}

static void make_kcompactd(struct generator *g, struct op *op)
{
	op->a = percent(g, 50) ? 0 : rng_between(&g->rng, 1, 8);
}

static void make_filemap(struct generator *g, struct op *op)
{
	u32 max = machine(g)->max_page_order;
	u32 low = percent(g, 75) ? 0 : below(g, max + 1);

	op->order = (u8)draw_order(g);
	op->a = percent(g, 60) ? 0 : below(g, 4096);
	op->b = low | rng_between(&g->rng, low, max) << 8;
	op->gfp = percent(g, 70) ? GFP_HIGHUSER_MOVABLE : draw_gfp(g);
	op->flags = (u8)(OPF_LRU | BIT(below(g, 4)));
}

static void make_mpol(struct generator *g, struct op *op)
{
	op->order =
		percent(g, 60) && machine(g)->pmd_order ? machine(g)->pmd_order : (u8)draw_order(g);
	op->gfp = percent(g, 60) ? GFP_TRANSHUGE : draw_gfp(g);
	op->b = draw_nodemask(g);
	op->flags = percent(g, 30) ? OPF_NO_INTERLEAVE : 0;
}

static void make_hugetlb(struct generator *g, struct op *op)
{
	op->order = (u8)(percent(g, 50) ? 0 : below(g, machine(g)->max_page_order + 1U));
	op->a = rng_between(&g->rng, 1, 3);
	op->flags = percent(g, 50) ? OPF_MOVABLE : 0;
}

static void (*const makers[NR_OPS])(struct generator *, struct op *) = {
	[OP_ALLOC] = make_alloc,
	[OP_ALLOC_NOLOCK] = make_nolock,
	[OP_ALLOC_BULK] = make_bulk,
	[OP_FREE] = make_free,
	[OP_FREE_PIECE] = make_free_piece,
	[OP_GET] = make_get,
	[OP_MARK] = make_mark,
	[OP_DRAIN] = make_drain,
	[OP_ISOLATE] = make_isolate,
	[OP_UNISOLATE] = make_unisolate,
	[OP_CONTIG_RANGE] = make_contig_range,
	[OP_CONTIG_PAGES] = make_contig_pages,
	[OP_CPU] = make_cpu,
	[OP_TASK] = make_task,
	[OP_CPUSET] = make_cpuset,
	[OP_SYSCTL] = make_sysctl,
	[OP_KSWAPD] = make_kswapd,
	[OP_KCOMPACTD] = make_kcompactd,
	[OP_FILEMAP] = make_filemap,
	[OP_MPOL] = make_mpol,
	[OP_HUGETLB] = make_hugetlb,
};

void draw_op(struct generator *g, struct op *op)
{
	op->node = (u8)below(g, machine(g)->nr_nodes);
	makers[op->kind](g, op);
}

void draw_place(struct generator *g, u32 outer, struct nested_op *nested)
{
	static const u32 points[] = {NEST_SLOWPATH,   NEST_SLOWPATH, NEST_BULK_BEFORE,
				     NEST_BULK_AFTER, NEST_RECLAIM,  NEST_COMPACT,
				     NEST_DRAIN};
	static const u32 contig[] = {NEST_CONTIG_CANDIDATE, NEST_CONTIG_ISOLATED, NEST_DRAIN};
	bool is_contig = outer == OP_CONTIG_RANGE || outer == OP_CONTIG_PAGES;

	nested->point = (u8)(is_contig ? rng_pick(&g->rng, contig) : rng_pick(&g->rng, points));
	nested->cpu = (u8)below(g, machine(g)->nr_cpus);
}

/* ---- answers ------------------------------------------------------------- */

static void draw_answer(struct generator *g, struct answer *a)
{
	a->call = (u8)below(g, NR_ENV_CALLS);
	if (a->call < NR_ENV_KINDED)
		a->kind = machine(g)->env.kind[a->call];
	switch (a->call) {
	case ENV_RECLAIM:
	case ENV_NODE_RECLAIM:
		a->value = below(g, 33);
		a->extra = below(g, 33);
		break;
	case ENV_COMPACT:
		a->value = below(g, NR_COMPACT_RESULTS);
		a->extra = below(g, 65);
		break;
	case ENV_OOM:
		a->value = percent(g, 70);
		a->extra = below(g, 33) | (percent(g, 20) ? 1U << 31 : 0);
		break;
	default:
		a->value = 1;
	}
}

void draw_answers(struct generator *g, struct op *op)
{
	struct answer a;
	u32 nr;

	if (!percent(g, g->answer_percent))
		return;
	for (nr = rng_between(&g->rng, 1, 3); nr; nr--) {
		a = (struct answer){0};
		draw_answer(g, &a);
		answer_fit(&a);
		if (!answer_played(machine(g), &a))
			continue;
		if (!op->nr_answers++)
			op->first_answer = g->c->nr_answers;
		case_add_answer(g->c, &a);
	}
}
