/* SPDX-License-Identifier: GPL-2.0-only */
/* Resolving ops to calls, and the calls to extents. */
#include "harness/run_op.h"

#include "harness/callers/filemap.h"
#include "harness/callers/hugetlb.h"
#include "harness/callers/mpol.h"
#include "harness/op_rules.h"
#include "harness/run_call.h"

/* Folios in a folio_batch (PAGEVEC_SIZE). */
#define FOLIO_BATCH_SIZE 31

static u32 op_nodemask(const struct op *op)
{
	return op->b ? op->b : NODEMASK_NULL;
}

/* ---- objects ------------------------------------------------------------- */

static struct extent *extent_of(const struct run *r, u32 slot, u32 i)
{
	return &r->book.extents[r->book.objects[slot].first + i];
}

/* The extents [*first, *end) that an op with (slot, extent|EXTENT_ALL) in (a, b) speaks of. */
static void extents_of(const struct run *r, const struct op *op, u32 *first, u32 *end)
{
	u32 nr = r->book.objects[op->a].nr;

	*first = 0;
	*end = nr;
	if (op->kind == OP_FREE && op->b != EXTENT_ALL) {
		*first = min_u32(op->b, nr);
		*end = min_u32(*first + 1, nr);
	}
}

static bool can_get(const struct extent *e)
{
	return extent_live(e) && e->refs && e->refs < UINT16_MAX;
}

/* A piece is cut out of one allocation, or is made of pages that one was split into. */
static bool piece_exists(const struct run *r, const struct op *op)
{
	u32 nr = r->book.objects[op->a].nr;
	u32 pages = BIT(op->order);
	const struct extent *e;

	if (!nr)
		return false;
	e = extent_of(r, op->a, 0);
	if (nr == 1 && e->order)
		return extent_live(e) && !extent_is_folio(e) && op->b < BIT(e->order) &&
		       pages <= BIT(e->order) - op->b && !(op->b & (pages - 1));
	if (op->b >= nr || pages > nr - op->b)
		return false;
	e += op->b;
	if (e->pfn & (pages - 1))
		return false;
	for (u32 i = 0; i < pages; i++) {
		if (!extent_live(&e[i]) || e[i].order || e[i].pfn != e[0].pfn + i)
			return false;
	}
	return true;
}

bool op_has_object(const struct run *r, const struct op *op)
{
	u32 first, end;

	if (op->kind == OP_FREE_PIECE)
		return piece_exists(r, op);
	if (op->kind != OP_FREE && op->kind != OP_GET && op->kind != OP_MARK)
		return true;
	extents_of(r, op, &first, &end);
	for (u32 i = first; i < end; i++) {
		const struct extent *e = extent_of(r, op->a, i);

		if (op->kind == OP_GET ? can_get(e) : extent_live(e))
			return true;
	}
	return false;
}

/* ---- allocation ---------------------------------------------------------- */

/* The op's object is one extent, or none. */
static void take_one(struct run *r, const struct op *op, u32 pfn, u32 order, u32 flags)
{
	r->result.pfn = pfn;
	book_open_object(&r->book, op->out, 1);
	if (pfn != PFN_NONE)
		book_add(&r->book, op->out, pfn, order, flags | EXTENT_LIVE);
}

static u32 compound_if(bool comp, u32 order)
{
	return comp && order ? EXTENT_COMPOUND : 0;
}

static void do_alloc(struct run *r, const struct op *op)
{
	struct call call = {
		.kind = op->kind,
		.order = op->order,
		.node = op->node,
		.flags = op->flags,
		.gfp = op->gfp,
		.nodemask = op_nodemask(op),
	};
	u32 flags = compound_if(op->gfp & __GFP_COMP, op->order);

	if (op->flags & OPF_FROZEN)
		flags |= EXTENT_FROZEN;
	take_one(r, op, run_call(r, &call).pfn, op->order, flags);
}

/* The nolock API forces __GFP_COMP and gives a reference (spec 1.2). */
static void do_alloc_nolock(struct run *r, const struct op *op)
{
	struct call call = {
		.kind = OP_ALLOC_NOLOCK, .order = op->order, .node = op->node, .gfp = op->gfp};

	take_one(r, op, run_call(r, &call).pfn, op->order, compound_if(true, op->order));
}

/*
 * The first slots hold something of the caller's already: any PFN, the allocator does not look at
 * it. What comes back in the others is ours.
 */
static void do_alloc_bulk(struct run *r, const struct op *op)
{
	u32 filled = min_u32(op->flags, op->a);
	u32 pfns[CASE_MAX_EXTENTS];
	struct call call = {
		.kind = OP_ALLOC_BULK,
		.node = op->node,
		.gfp = op->gfp,
		.nodemask = op_nodemask(op),
		.nr = op->a,
		.pfns = pfns,
	};

	for (u32 i = 0; i < op->a; i++)
		pfns[i] = i < filled ? 0 : PFN_NONE;
	r->result = run_call(r, &call);
	r->result.pfn = PFN_NONE;
	book_open_object(&r->book, op->out, op->a);
	for (u32 i = 0; i < op->a; i++) {
		bool ours = i >= filled && pfns[i] != PFN_NONE;

		book_add(&r->book, op->out, pfns[i], 0, ours ? EXTENT_LIVE : 0);
		if (ours && r->result.pfn == PFN_NONE)
			r->result.pfn = pfns[i];
	}
}

/* A contig allocation is one folio with __GFP_COMP, else pages that are freed one by one. */
static void take_contig(struct run *r, const struct op *op, u32 pfn, u32 nr)
{
	u32 flags = EXTENT_LIVE | EXTENT_CONTIG | (op->flags & OPF_FROZEN ? EXTENT_FROZEN : 0);
	bool comp = op->gfp & __GFP_COMP;
	u32 order = comp ? ilog2(nr) : 0;

	if (pfn == PFN_NONE)
		nr = 0;
	else if (comp)
		nr = 1;
	book_open_object(&r->book, op->out, nr);
	for (u32 i = 0; i < nr; i++)
		book_add(&r->book, op->out, pfn + i, order, flags | compound_if(comp, order));
}

static void do_contig_range(struct run *r, const struct op *op)
{
	struct call call = {.kind = OP_CONTIG_RANGE,
			    .flags = op->flags,
			    .gfp = op->gfp,
			    .a = op->a,
			    .b = op->b};

	r->result = run_call(r, &call);
	r->result.pfn = r->result.error ? PFN_NONE : op->a;
	take_contig(r, op, r->result.pfn, op->b - op->a);
}

static void do_contig_pages(struct run *r, const struct op *op)
{
	struct call call = {
		.kind = OP_CONTIG_PAGES,
		.node = op->node,
		.flags = op->flags,
		.gfp = op->gfp,
		.nodemask = op_nodemask(op),
		.a = op->a,
	};

	r->result = run_call(r, &call);
	take_contig(r, op, r->result.pfn, op->a);
}

/* ---- callers ------------------------------------------------------------- */

static void do_filemap(struct run *r, const struct op *op)
{
	struct filemap_request rq = {
		.index = op->a,
		.order_hint = op->order,
		.min_order = op->b & 0xff,
		.max_order = op->b >> 8 & 0xff,
		.node = op->node,
		.gfp = op->gfp,
		.flags = op->flags,
	};
	u32 order;
	u32 pfn = filemap_get_folio(&r->judged, &rq, &order);

	take_one(r, op, pfn, order, compound_if(true, order));
}

static void do_mpol(struct run *r, const struct op *op)
{
	u32 pfn = alloc_pages_mpol(&r->judged, op->gfp, op->order, op->node, op_nodemask(op),
				   op->flags & OPF_NO_INTERLEAVE);

	take_one(r, op, pfn, op->order, compound_if(op->gfp & __GFP_COMP, op->order));
}

/* Each folio goes into the book at once: the next allocation may move it. */
static void do_hugetlb(struct run *r, const struct op *op)
{
	struct hugetlb_resize h;

	hugetlb_resize_init(&h, &r->judged, op->order, op->node, op->flags & OPF_MOVABLE);
	book_open_object(&r->book, op->out, op->a);
	for (u32 i = 0; i < op->a; i++) {
		u32 pfn = alloc_pool_huge_folio(&h, &r->judged);

		if (pfn == PFN_NONE)
			return;
		if (!i)
			r->result.pfn = pfn;
		book_add(&r->book, op->out, pfn, h.order,
			 EXTENT_LIVE | EXTENT_FROZEN | compound_if(true, h.order));
	}
}

/* ---- free ---------------------------------------------------------------- */

static u8 frozen_flag(const struct extent *e)
{
	return e->flags & EXTENT_FROZEN ? OPF_FROZEN : 0;
}

static void free_plain(struct run *r, struct extent *e, u32 nolock)
{
	struct call call = {
		.kind = OP_FREE,
		.pfn = e->pfn,
		.order = e->order,
		.flags = (u8)(frozen_flag(e) | nolock),
	};

	run_call(r, &call);
	book_put(&r->book, e);
}

/* The extents [i, end) that follow @i page by page and are of its kind; returns their end. */
static u32 free_contig_run(struct run *r, u32 slot, u32 i, u32 end)
{
	const struct extent *first = extent_of(r, slot, i);
	struct call call = {
		.kind = CALL_CONTIG_FREE, .pfn = first->pfn, .flags = frozen_flag(first)};
	u32 n = 0;

	while (i + n < end && first[n].pfn == call.pfn + call.a && first[n].flags == first->flags)
		call.a += BIT(first[n++].order);
	run_call(r, &call);
	for (u32 k = 0; k < n; k++)
		book_put(&r->book, extent_of(r, slot, i + k));
	return i + n;
}

struct batch {
	struct extent *extents[FOLIO_BATCH_SIZE];
	u32 nr;
};

static void batch_flush(struct run *r, struct batch *batch)
{
	u32 pfns[FOLIO_BATCH_SIZE];
	u8 orders[FOLIO_BATCH_SIZE];
	struct call call = {.kind = OP_FREE, .flags = OPF_BATCH, .nr = batch->nr};

	call.pfns = pfns;
	call.orders = orders;
	for (u32 i = 0; i < batch->nr; i++) {
		pfns[i] = batch->extents[i]->pfn;
		orders[i] = batch->extents[i]->order;
	}
	if (batch->nr)
		run_call(r, &call);
	for (u32 i = 0; i < batch->nr; i++)
		book_put(&r->book, batch->extents[i]);
	batch->nr = 0;
}

static void batch_add(struct run *r, struct batch *batch, struct extent *e)
{
	batch->extents[batch->nr++] = e;
	if (batch->nr == FOLIO_BATCH_SIZE)
		batch_flush(r, batch);
}

static void do_free(struct run *r, const struct op *op)
{
	struct batch batch = {.nr = 0};
	u32 i, end;

	extents_of(r, op, &i, &end);
	while (i < end) {
		struct extent *e = extent_of(r, op->a, i);

		if (extent_live(e) && (e->flags & EXTENT_CONTIG)) {
			i = free_contig_run(r, op->a, i, end);
			continue;
		}
		i++;
		if (!extent_live(e))
			continue;
		if ((op->flags & OPF_BATCH) && extent_is_folio(e) && e->refs <= 1)
			batch_add(r, &batch, e);
		else
			free_plain(r, e, op->flags & OPF_NOLOCK);
	}
	batch_flush(r, &batch);
}

/* Pages that go back as one block are unmarked first: the kernel would call the others bad. */
static void clear_marks(struct run *r, const struct extent *e, u32 nr)
{
	for (u32 i = 0; i < nr; i++) {
		struct call call = {
			.kind = OP_MARK, .pfn = e[i].pfn, .flags = OPF_CLEAR, .a = OP_MARKS};

		run_call(r, &call);
	}
}

static void do_free_piece(struct run *r, const struct op *op)
{
	struct extent *e = extent_of(r, op->a, 0);
	struct call call = {.kind = CALL_SPLIT, .pfn = e->pfn, .order = e->order};

	if (e->order) {
		call.flags = frozen_flag(e);
		run_call(r, &call);
		book_split(&r->book, op->a);
	}
	e = extent_of(r, op->a, op->b);
	if (!(e->flags & EXTENT_FROZEN)) {
		for (u32 i = 0; i < BIT(op->order); i++)
			free_plain(r, &e[i], 0);
		return;
	}
	if (op->order)
		clear_marks(r, e, BIT(op->order));
	call = (struct call){.kind = OP_FREE_PIECE, .pfn = e->pfn, .order = op->order};
	run_call(r, &call);
	for (u32 i = 0; i < BIT(op->order); i++)
		book_put(&r->book, &e[i]);
}

/* ---- pages in use -------------------------------------------------------- */

static void do_get(struct run *r, const struct op *op)
{
	for (u32 i = 0; i < r->book.objects[op->a].nr; i++) {
		struct extent *e = extent_of(r, op->a, i);
		struct call call = {.kind = OP_GET, .pfn = e->pfn, .order = e->order};

		if (!can_get(e))
			continue;
		run_call(r, &call);
		e->refs++;
	}
}

static void do_mark(struct run *r, const struct op *op)
{
	for (u32 i = 0; i < r->book.objects[op->a].nr; i++) {
		const struct extent *e = extent_of(r, op->a, i);
		struct call call = {
			.kind = OP_MARK,
			.pfn = e->pfn,
			.order = e->order,
			.flags = op->flags,
			.a = op->b,
		};

		if (extent_live(e))
			run_call(r, &call);
	}
}

/* ---- the rest ------------------------------------------------------------ */

static void do_as_it_is(struct run *r, const struct op *op)
{
	struct call call = {
		.kind = op->kind,
		.order = op->order,
		.node = op->node,
		.flags = op->flags,
		.a = op->a,
		.b = op->b,
	};

	r->result = run_call(r, &call);
}

static void add_drained(struct run *r, u32 zone, u32 cpu)
{
	if (r->in_nested)
		return;
	r->drained[r->nr_drained++] = (struct drained){.zone = zone, .cpu = cpu};
}

/*
 * drain_all_pages() reports itself (see run.c); these two have no event. Expiry and decay leave
 * pages behind.
 */
static void do_drain(struct run *r, const struct op *op)
{
	u32 cpu = op->sub == DRAIN_LOCAL ? r->subject->ops->view(r->subject)->global->task.cpu : 0;

	do_as_it_is(r, op);
	if (op->sub == DRAIN_CPU_ZONE)
		add_drained(r, op->a, op->b);
	for (u32 z = 0; op->sub == DRAIN_LOCAL && z < r->c->machine.nr_zones; z++)
		add_drained(r, z, cpu);
}

void op_apply(struct run *r, const struct op *op)
{
	static void (*const players[NR_OPS])(struct run *, const struct op *) = {
		[OP_ALLOC] = do_alloc,
		[OP_ALLOC_NOLOCK] = do_alloc_nolock,
		[OP_ALLOC_BULK] = do_alloc_bulk,
		[OP_FREE] = do_free,
		[OP_FREE_PIECE] = do_free_piece,
		[OP_GET] = do_get,
		[OP_MARK] = do_mark,
		[OP_DRAIN] = do_drain,
		[OP_ISOLATE] = do_as_it_is,
		[OP_UNISOLATE] = do_as_it_is,
		[OP_CONTIG_RANGE] = do_contig_range,
		[OP_CONTIG_PAGES] = do_contig_pages,
		[OP_CPU] = do_as_it_is,
		[OP_TASK] = do_as_it_is,
		[OP_CPUSET] = do_as_it_is,
		[OP_SYSCTL] = do_as_it_is,
		[OP_KSWAPD] = do_as_it_is,
		[OP_KCOMPACTD] = do_as_it_is,
		[OP_FILEMAP] = do_filemap,
		[OP_MPOL] = do_mpol,
		[OP_HUGETLB] = do_hugetlb,
	};

	players[op->kind](r, op);
}
