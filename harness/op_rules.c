/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of ops, and the one place where the range of every member is computed. */
#include "harness/op_rules.h"
#include "model/gfp.h"
#include "model/port.h"
#include "model/view.h"

/* A row is a kind of op; the columns are those of struct op_info. */
#define OP(kind_, name_, ...) [kind_] = {.name = (name_), __VA_ARGS__}
#define CREATES .creates = true
#define REFERS .refers = true, .a = USE_SLOT
#define NESTS .nests = true
#define NODE .node = true
#define GFP .gfp = true

const struct op_info op_infos[NR_OPS] = {
	OP(OP_ALLOC, "alloc", CREATES, NESTS, NODE, GFP, .sub = USE_ORDER, .flags = OPF_FROZEN,
	   .b = USE_NODEMASK),
	OP(OP_ALLOC_NOLOCK, "alloc_nolock", CREATES, NESTS, NODE, GFP, .sub = USE_ORDER),
	OP(OP_ALLOC_BULK, "alloc_bulk", CREATES, NESTS, NODE, GFP, .flags = 0xff, .a = USE_NR,
	   .b = USE_NODEMASK),
	OP(OP_FREE, "free", REFERS, NESTS, .flags = OPF_NOLOCK | OPF_BATCH, .b = USE_EXTENT),
	OP(OP_FREE_PIECE, "free_piece", REFERS, NESTS, .sub = USE_ORDER, .b = USE_OFFSET),
	OP(OP_GET, "get", REFERS, NESTS),
	OP(OP_MARK, "mark", REFERS, NESTS, .flags = OPF_CLEAR, .b = USE_MARKS),
	OP(OP_DRAIN, "drain", NESTS, .sub = USE_DRAIN, .a = USE_ZONE, .b = USE_DRAIN_CPU),
	OP(OP_ISOLATE, "isolate", NESTS, .sub = USE_ISOLATE_MODE, .a = USE_START, .b = USE_END),
	OP(OP_UNISOLATE, "unisolate", NESTS, .a = USE_START, .b = USE_END),
	OP(OP_CONTIG_RANGE, "contig_range", CREATES, NESTS, GFP, .flags = OPF_FROZEN | OPF_CMA,
	   .a = USE_START, .b = USE_END),
	OP(OP_CONTIG_PAGES, "contig_pages", CREATES, NESTS, NODE, GFP, .flags = OPF_FROZEN,
	   .a = USE_PAGES, .b = USE_NODEMASK),
	OP(OP_CPU, "cpu", .a = USE_CPU),
	OP(OP_TASK, "task", .a = USE_TASK),
	OP(OP_CPUSET, "cpuset", .a = USE_MEMS, .b = USE_HARDWALL),
	OP(OP_SYSCTL, "sysctl", NESTS, .sub = USE_SYSCTL, .a = USE_SYSCTL_VALUE),
	OP(OP_KSWAPD, "kswapd", NESTS, NODE, .a = USE_ANY),
	OP(OP_KCOMPACTD, "kcompactd", NESTS, NODE, .a = USE_ANY),
	OP(OP_FILEMAP, "filemap", CREATES, NESTS, NODE, GFP, .sub = USE_ORDER,
	   .flags = OPF_FGP_NOFS | OPF_FGP_NOWAIT | OPF_FGP_WRITE | OPF_P2 | OPF_LRU, .a = USE_ANY,
	   .b = USE_ORDERS),
	OP(OP_MPOL, "mpol", CREATES, NESTS, NODE, GFP, .sub = USE_ORDER, .flags = OPF_NO_INTERLEAVE,
	   .b = USE_NODEMASK),
	OP(OP_HUGETLB, "hugetlb", CREATES, NESTS, NODE, .sub = USE_ORDER, .flags = OPF_MOVABLE,
	   .a = USE_NR),
};

const struct answer_info answer_infos[NR_ENV_CALLS] = {
	[ENV_RECLAIM] = {UINT32_MAX, UINT32_MAX},
	[ENV_COMPACT] = {NR_COMPACT_RESULTS - 1, UINT32_MAX},
	[ENV_WAKE] = {1, 0},
	[ENV_OOM] = {1, UINT32_MAX},
	[ENV_NODE_RECLAIM] = {UINT32_MAX, UINT32_MAX},
	[ENV_NODE_DIRTY] = {1, 0},
	[ENV_LOCK_PCP] = {1, 0},
	[ENV_LOCK_ZONE] = {1, 0},
	[ENV_LOCK_OOM] = {1, 0},
	[ENV_LOCK_DRAIN] = {1, 0},
	[ENV_NO_TRYLOCK] = {1, 0},
	[ENV_CPUSET_COOKIE] = {1, 0},
	[ENV_ZONELIST_COOKIE] = {1, 0},
	[ENV_FAULT] = {1, 0},
	[ENV_MIGRATE] = {1, 0},
};

const char *const drain_names[NR_DRAINS] = {
	[DRAIN_ALL] = "all",
	[DRAIN_ZONE] = "zone",
	[DRAIN_LOCAL] = "local",
	[DRAIN_CPU_ZONE] = "cpu",
	[DRAIN_EXPIRE] = "expire",
	[DRAIN_DECAY] = "decay",
	[DRAIN_PCP_DISABLE] = "pcp_disable",
	[DRAIN_PCP_ENABLE] = "pcp_enable",
};

const char *const nest_point_names[NR_NEST_POINTS] = {
	[NEST_SLOWPATH] = "slowpath",
	[NEST_BULK_BEFORE] = "bulk_before",
	[NEST_BULK_AFTER] = "bulk_after",
	[NEST_RECLAIM] = "reclaim",
	[NEST_COMPACT] = "compact",
	[NEST_DRAIN] = "drain",
	[NEST_CONTIG_CANDIDATE] = "contig_candidate",
	[NEST_CONTIG_ISOLATED] = "contig_isolated",
};

/* Why a member was not what its use wants. */
static const char *const use_texts[NR_USES] = {
	[USE_NONE] = "expected 0 in what the op does not use",
	[USE_ORDER] = "expected an order of at most max_page_order, and of the object",
	[USE_DRAIN] = "expected a known drain",
	[USE_ISOLATE_MODE] = "expected a mode of isolation",
	[USE_SYSCTL] = "expected a known sysctl",
	[USE_SYSCTL_VALUE] = "expected a value that the sysctl may have",
	[USE_NODEMASK] = "expected nodes of the machine",
	[USE_MEMS] = "expected at least one node of the machine",
	[USE_HARDWALL] = "expected nodes of the machine that include the mems",
	[USE_NR] = "expected 1 to 512 pages",
	[USE_PAGES] = "expected from 1 page to as many as the machine has",
	[USE_SLOT] = "expected an object that is not freed yet",
	[USE_EXTENT] = "expected an extent that the object has",
	[USE_OFFSET] = "expected an offset inside the object, a multiple of the pages freed",
	[USE_MARKS] = "expected at least one known mark",
	[USE_ZONE] = "expected a zone of the machine",
	[USE_DRAIN_CPU] = "expected a CPU of the machine",
	[USE_CPU] = "expected a CPU of the machine",
	[USE_START] = "expected a start inside a zone",
	[USE_END] = ("expected an end behind the start, in the same zone, and with __GFP_COMP a "
		     "range aligned to its size"),
	[USE_TASK] = "expected known task flags",
	[USE_ORDERS] = "expected min <= max <= max_page_order",
};

/* ---- one member ---------------------------------------------------------- */

u32 gfp_fit(u32 gfp)
{
	u32 zones = gfp & (__GFP_DMA | __GFP_HIGHMEM | __GFP_DMA32);

	gfp &= GFP_BITS_MASK & ~zones;
	gfp |= zones & -zones;
	if (gfp & __GFP_MOVABLE)
		gfp &= ~__GFP_RECLAIMABLE;
	return gfp;
}

/* The zone that @pfn is in, or the next one if it is in a hole. */
static const struct machine_zone *zone_from(const struct machine *m, u32 pfn)
{
	const struct machine_zone *z = m->zones;

	while (pfn >= z->start + z->pages)
		z++;
	return z;
}

static u32 fit_start(const struct machine *m, u32 v)
{
	v = range_fit(v, 0, machine_end_pfn(m) - 1);
	return max_u32(v, zone_from(m, v)->start);
}

/*
 * What does not lie behind the start means one pageblock. A folio that is not aligned to its
 * size is a mistake of the caller that contig does not refuse (spec 7.2 step 10).
 */
static u32 fit_end(const struct machine *m, const struct op *op, u32 v)
{
	u32 start = op->a, nr;
	const struct machine_zone *z = zone_from(m, start);

	v = range_fit(v, 0, machine_end_pfn(m));
	if (v <= start)
		v = start + BIT(m->pageblock_order);
	v = min_u32(v, z->start + z->pages);
	nr = v - start;
	if ((op->gfp & __GFP_COMP) && !(nr & (nr - 1)) && (start & (nr - 1)))
		return start + (start & -start);
	return v;
}

u32 sysctl_fit(enum sysctl which, u32 v)
{
	if (sysctl_in_range(which, v))
		return v;
	switch (which) {
	case SYSCTL_DEFRAG_MODE:
	case SYSCTL_NODE_RECLAIM_MODE:
		return v & 1;
	case SYSCTL_WATERMARK_SCALE_FACTOR:
		return range_fit(v, 1, 3000);
	case SYSCTL_PERCPU_PAGELIST_HIGH_FRACTION:
		return range_fit(v, 8, INT32_MAX);
	default:
		return v & INT32_MAX;
	}
}

static u32 fit_orders(u32 v, u32 max_order)
{
	u32 min = range_fit(v & 0xff, 0, max_order);

	return min | range_fit(v >> 8 & 0xff, min, max_order) << 8;
}

static u32 fit_extent(u32 v, u32 extents)
{
	if (v < extents || v == EXTENT_ALL)
		return v;
	v %= extents + 1;
	return v == extents ? EXTENT_ALL : v;
}

/* The order comes down to what the object has. */
static u32 fit_offset(struct op *op, u32 pages)
{
	op->order = (u8)min_u32(op->order, ilog2(pages));
	return range_fit(op->b >> op->order, 0, (pages >> op->order) - 1) << op->order;
}

static bool drain_has_zone(u8 drain)
{
	return drain != DRAIN_ALL && drain != DRAIN_LOCAL;
}

static bool drain_has_cpu(u8 drain)
{
	return drain == DRAIN_CPU_ZONE || drain == DRAIN_EXPIRE || drain == DRAIN_DECAY;
}

/* ---- a whole op ---------------------------------------------------------- */

static u32 fit_use(const struct machine *m, const struct live *l, struct op *op, enum op_use use,
		   u32 v)
{
	u32 nodes = BIT(m->nr_nodes) - 1;

	switch (use) {
	case USE_ANY:
		return v;
	case USE_ORDER:
		return range_fit(v, 0, m->max_page_order);
	case USE_DRAIN:
		return range_fit(v, 0, NR_DRAINS - 1);
	case USE_ISOLATE_MODE:
		return range_fit(v, 0, PB_ISOLATE_MODE_OTHER);
	case USE_SYSCTL:
		return range_fit(v, 0, NR_SYSCTLS - 1);
	case USE_SYSCTL_VALUE:
		return sysctl_fit(op->sub, v);
	case USE_NODEMASK:
		return v & nodes;
	case USE_MEMS:
		return v & nodes ? v & nodes : nodes;
	case USE_HARDWALL:
		return (v & nodes) | op->a;
	case USE_NR:
		return range_fit(v, 1, CASE_MAX_EXTENTS);
	case USE_PAGES:
		return range_fit(v, 1, machine_end_pfn(m));
	case USE_SLOT:
		return live_has(l, v) ? v : l->slots[v % l->nr];
	case USE_EXTENT:
		return fit_extent(v, l->extents[op->a]);
	case USE_OFFSET:
		return fit_offset(op, l->pages[op->a]);
	case USE_MARKS:
		return v & OP_MARKS ? v & OP_MARKS : PG_LRU;
	case USE_ZONE:
		return drain_has_zone(op->sub) ? range_fit(v, 0, m->nr_zones - 1U) : 0;
	case USE_DRAIN_CPU:
		return drain_has_cpu(op->sub) ? range_fit(v, 0, m->nr_cpus - 1U) : 0;
	case USE_CPU:
		return range_fit(v, 0, m->nr_cpus - 1U);
	case USE_START:
		return fit_start(m, v);
	case USE_END:
		return fit_end(m, op, v);
	case USE_TASK:
		return v & (BIT(NR_TASK_FLAGS) - 1);
	case USE_ORDERS:
		return fit_orders(v, m->max_page_order);
	default:
		return 0;
	}
}

static u8 fit_flags(const struct op_info *info, const struct op *op)
{
	u8 flags = op->flags & info->flags;

	if (op->kind == OP_ALLOC_BULK)
		return (u8)range_fit(flags, 0, op->a);
	if (op->kind == OP_FREE && (flags & OPF_NOLOCK))
		flags &= ~OPF_BATCH;
	return flags;
}

void op_fit(const struct machine *m, const struct live *l, struct op *op)
{
	const struct op_info *info;

	op->kind = (u8)range_fit(op->kind, 0, NR_OPS - 1);
	if (op_infos[op->kind].refers && !l->nr)
		op->kind = OP_ALLOC;
	info = &op_infos[op->kind];
	op->sub = (u8)fit_use(m, l, op, info->sub, op->sub);
	op->node = info->node ? (u8)range_fit(op->node, 0, m->nr_nodes - 1U) : 0;
	op->gfp = info->gfp ? gfp_fit(op->gfp) : 0;
	op->a = fit_use(m, l, op, info->a, op->a);
	op->b = fit_use(m, l, op, info->b, op->b);
	op->flags = fit_flags(info, op);
}

void nested_fit(const struct machine *m, const struct live *l, struct nested_op *nested)
{
	struct op *op = &nested->op;

	op->kind = (u8)range_fit(op->kind, 0, NR_OPS - 1);
	if (!op_infos[op->kind].nests)
		op->kind = OP_ALLOC;
	op_fit(m, l, op);
	nested->point = (u8)range_fit(nested->point, 0, NR_NEST_POINTS - 1);
	nested->cpu = (u8)range_fit(nested->cpu, 0, m->nr_cpus - 1U);
}

void answer_fit(struct answer *answer)
{
	const struct answer_info *info;

	answer->call = (u8)range_fit(answer->call, 0, NR_ENV_CALLS - 1);
	info = &answer_infos[answer->call];
	if (answer->value > info->max_value)
		answer->value %= info->max_value + 1;
	answer->extra &= info->max_extra;
	answer->kind =
		answer->call < NR_ENV_KINDED ? (u8)range_fit(answer->kind, 0, ENV_CLOSED) : 0;
	answer->pad = 0;
}

/* ---- checks -------------------------------------------------------------- */

const char *op_check(const struct machine *m, const struct live *l, const struct op *op)
{
	const struct op_info *info;
	struct op legal = *op;

	if (op->kind >= NR_OPS)
		return "expected a known op";
	info = &op_infos[op->kind];
	op_fit(m, l, &legal);
	if (legal.kind != op->kind)
		return use_texts[USE_SLOT];
	if (legal.a != op->a)
		return use_texts[info->a];
	if (legal.sub != op->sub)
		return use_texts[info->sub];
	if (legal.node != op->node)
		return info->node ? "expected a node of the machine" : use_texts[USE_NONE];
	if (legal.gfp != op->gfp)
		return info->gfp ? "expected known gfp bits, one zone and one mobility at most"
				 : use_texts[USE_NONE];
	if (legal.b != op->b)
		return use_texts[info->b];
	if (legal.flags != op->flags)
		return op->kind == OP_ALLOC_BULK ? "expected filled <= nr"
						 : "expected flags that go with the op";
	return NULL;
}

const char *nested_check(const struct machine *m, const struct live *l,
			 const struct nested_op *nested)
{
	if (nested->point >= NR_NEST_POINTS)
		return "expected a known point";
	if (nested->cpu >= m->nr_cpus)
		return "expected a CPU of the machine";
	if (nested->op.kind < NR_OPS && !op_infos[nested->op.kind].nests)
		return "expected an op of another CPU, not one of the task itself";
	if (nested->op.nr_answers || nested->op.nr_nested)
		return "expected a nested op without answers and nested ops";
	return op_check(m, l, &nested->op);
}

bool answer_played(const struct machine *machine, const struct answer *answer)
{
	if (answer->call >= NR_ENV_KINDED)
		return true;
	return answer->kind == machine->env.kind[answer->call] && answer->kind != ENV_CLOSED;
}

const char *answer_check(const struct machine *m, const struct answer *answer)
{
	struct answer legal = *answer;

	answer_fit(&legal);
	if (legal.call != answer->call)
		return "expected a known call";
	if (legal.value != answer->value)
		return answer->call == ENV_COMPACT ? "expected a compact_result"
						   : "expected 0 or 1";
	if (legal.extra != answer->extra)
		return "expected no pages to free from this call";
	if (legal.kind != answer->kind || legal.pad != answer->pad || !answer_played(m, answer))
		return "expected an answer of the kind that the machine plays";
	return NULL;
}
