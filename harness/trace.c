/* SPDX-License-Identifier: GPL-2.0-only */
/* Events as ftrace text. Field lists are those of the kernel's tracepoints. */
#include "harness/trace.h"

#include <string.h>

#define VMEMMAP_BASE 0xffffea0000000000ULL
#define STRUCT_PAGE_SIZE 64

/* ---- parts of lines ------------------------------------------------------ */

struct flag_name {
	u32 mask;
	const char *name;
};

/* In the order in which ftrace tries them; the first that is wholly there is taken. */
static const struct flag_name gfp_names[] = {
	{GFP_TRANSHUGE & ~__GFP_SKIP_KASAN, "GFP_TRANSHUGE"},
	{GFP_TRANSHUGE_LIGHT & ~__GFP_SKIP_KASAN, "GFP_TRANSHUGE_LIGHT"},
	{GFP_HIGHUSER_MOVABLE & ~__GFP_SKIP_KASAN, "GFP_HIGHUSER_MOVABLE"},
	{GFP_HIGHUSER, "GFP_HIGHUSER"},
	{GFP_USER, "GFP_USER"},
	{GFP_KERNEL | __GFP_ACCOUNT, "GFP_KERNEL_ACCOUNT"},
	{GFP_KERNEL, "GFP_KERNEL"},
	{GFP_NOFS, "GFP_NOFS"},
	{GFP_ATOMIC, "GFP_ATOMIC"},
	{GFP_NOIO, "GFP_NOIO"},
	{GFP_NOWAIT, "GFP_NOWAIT"},
	{__GFP_DMA, "GFP_DMA"},
	{__GFP_DMA32, "GFP_DMA32"},
	{__GFP_RECLAIM, "__GFP_RECLAIM"},
	{__GFP_HIGHMEM, "__GFP_HIGHMEM"},
	{__GFP_MOVABLE, "__GFP_MOVABLE"},
	{__GFP_RECLAIMABLE, "__GFP_RECLAIMABLE"},
	{__GFP_HIGH, "__GFP_HIGH"},
	{__GFP_IO, "__GFP_IO"},
	{__GFP_FS, "__GFP_FS"},
	{__GFP_ZERO, "__GFP_ZERO"},
	{__GFP_DIRECT_RECLAIM, "__GFP_DIRECT_RECLAIM"},
	{__GFP_KSWAPD_RECLAIM, "__GFP_KSWAPD_RECLAIM"},
	{__GFP_WRITE, "__GFP_WRITE"},
	{__GFP_NOWARN, "__GFP_NOWARN"},
	{__GFP_RETRY_MAYFAIL, "__GFP_RETRY_MAYFAIL"},
	{__GFP_NOFAIL, "__GFP_NOFAIL"},
	{__GFP_NORETRY, "__GFP_NORETRY"},
	{__GFP_MEMALLOC, "__GFP_MEMALLOC"},
	{__GFP_COMP, "__GFP_COMP"},
	{__GFP_NOMEMALLOC, "__GFP_NOMEMALLOC"},
	{__GFP_HARDWALL, "__GFP_HARDWALL"},
	{__GFP_THISNODE, "__GFP_THISNODE"},
	{__GFP_ACCOUNT, "__GFP_ACCOUNT"},
	{__GFP_ZEROTAGS, "__GFP_ZEROTAGS"},
};

static void put_gfp(FILE *out, const char *label, u32 gfp)
{
	const char *between = "";

	gfp &= ~(__GFP_SKIP_ZERO | __GFP_SKIP_KASAN); /* 0 without KASAN */
	fprintf(out, " %s=%s", label, gfp ? "" : "none");
	for (size_t i = 0; i < ARRAY_SIZE(gfp_names); i++) {
		if ((gfp & gfp_names[i].mask) != gfp_names[i].mask)
			continue;
		fprintf(out, "%s%s", between, gfp_names[i].name);
		gfp &= ~gfp_names[i].mask;
		between = "|";
	}
	if (gfp)
		fprintf(out, "%s0x%x", between, gfp);
}

static void put_page(FILE *out, u32 pfn)
{
	if (pfn == PFN_NONE)
		fprintf(out, " page=%016x pfn=0x0", 0);
	else
		fprintf(out, " page=%016llx pfn=0x%x", VMEMMAP_BASE + pfn * 1ULL * STRUCT_PAGE_SIZE,
			pfn);
}

static const char *event_zone_name(const struct trace *t, const struct event *e)
{
	return zone_type_names[t->view->zones[e->zone].type];
}

/* ---- public events ------------------------------------------------------- */

static void put_extfrag(struct trace *t, const struct event *e)
{
	u32 block_order = t->view->machine->pageblock_order;

	put_page(t->out, e->pfn);
	fprintf(t->out, " alloc_order=%d fallback_order=%u pageblock_order=%u", e->order, e->a,
		block_order);
	fprintf(t->out, " alloc_migratetype=%u fallback_migratetype=%u", e->b, e->c);
	fprintf(t->out, " fragmenting=%d change_ownership=%u", e->a < block_order, e->gfp);
}

static void put_reclaim_retry_zone(struct trace *t, const struct event *e)
{
	fprintf(t->out, " node=%u zone=%-8s order=%d reclaimable=%u available=%u min_wmark=%u",
		t->view->zones[e->zone].node, event_zone_name(t, e), e->order, e->pfn, e->a, e->b);
	fprintf(t->out, " no_progress_loops=%u wmark_check=%u", e->c, e->gfp);
}

static void put_compact_retry(struct trace *t, const struct event *e)
{
	static const char *const priorities[] = {
		[COMPACT_PRIO_SYNC_FULL] = "COMPACT_PRIO_SYNC_FULL",
		[COMPACT_PRIO_SYNC_LIGHT] = "COMPACT_PRIO_SYNC_LIGHT",
		[COMPACT_PRIO_ASYNC] = "COMPACT_PRIO_ASYNC",
	};
	const char *feedback = e->b == COMPACT_COMPLETE	 ? "failed"
			       : e->b == COMPACT_SUCCESS ? "progress"
							 : "withdrawn";

	fprintf(t->out, " order=%d priority=%s compaction_result=%s", e->order, priorities[e->a],
		feedback);
	fprintf(t->out, " retries=%u max_retries=%u should_retry=%u", e->c, e->pfn, e->gfp);
}

static void put_wmarks(struct trace *t, const struct event *e)
{
	const struct zone *z = &t->view->zones[e->zone];

	fprintf(t->out, " node_id=%u zone name=%s watermark_min=%u watermark_low=%u", z->node,
		event_zone_name(t, e), e->a, e->b);
	fprintf(t->out, " watermark_high=%u watermark_promo=%u", e->c, z->_watermark[WMARK_PROMO]);
}

static void put_public(struct trace *t, const struct event *e)
{
	FILE *out = t->out;

	switch (e->type) {
	case EV_MM_PAGE_ALLOC:
		put_page(out, e->pfn);
		fprintf(out, " order=%d migratetype=%u", e->order, e->a);
		put_gfp(out, "gfp_flags", e->gfp);
		break;
	case EV_MM_PAGE_FREE:
		put_page(out, e->pfn);
		fprintf(out, " order=%d", e->order);
		break;
	case EV_MM_PAGE_FREE_BATCHED:
		put_page(out, e->pfn);
		fputs(" order=0", out);
		break;
	case EV_MM_PAGE_PCPU_DRAIN:
		put_page(out, e->pfn);
		fprintf(out, " order=%d migratetype=%u", e->order, e->a);
		break;
	case EV_MM_PAGE_ALLOC_ZONE_LOCKED:
		put_page(out, e->pfn);
		fprintf(out, " order=%d migratetype=%u percpu_refill=%u", e->order, e->a, e->b);
		break;
	case EV_MM_PAGE_ALLOC_EXTFRAG:
		put_extfrag(t, e);
		break;
	case EV_RECLAIM_RETRY_ZONE:
		put_reclaim_retry_zone(t, e);
		break;
	case EV_COMPACT_RETRY:
		put_compact_retry(t, e);
		break;
	case EV_MM_VMSCAN_WAKEUP_KSWAPD:
		fprintf(out, " nid=%u order=%d", e->a, e->order);
		put_gfp(out, "gfp_flags", e->gfp);
		break;
	case EV_MM_VMSCAN_DIRECT_RECLAIM_BEGIN:
		fprintf(out, " order=%d", e->order);
		put_gfp(out, "gfp_flags", e->gfp);
		break;
	case EV_MM_VMSCAN_DIRECT_RECLAIM_END:
		fprintf(out, " nr_reclaimed=%u", e->a);
		break;
	case EV_TEST_PAGES_ISOLATED:
		fprintf(out, " start_pfn=0x%x end_pfn=0x%x fin_pfn=0x%x ret=%s", e->pfn, e->a, e->b,
			e->a <= e->b ? "success" : "fail");
		break;
	case EV_MM_SETUP_PER_ZONE_WMARKS:
		put_wmarks(t, e);
		break;
	default: /* not public */
		break;
	}
}

/* ---- inner events -------------------------------------------------------- */

/* What a, b and c mean; NULL: nothing. */
static const char *const inner_fields[NR_EVENTS][3] = {
	[EV_GPFF] = {"alloc_flags", "highest_idx", "nodemask"},
	[EV_GPFF_END] = {"alloc_flags"},
	[EV_WAKEUP_KSWAPD] = {"highest_idx", "node"},
	[EV_WAKEUP_KCOMPACTD] = {"highest_idx", "node"},
	[EV_DRAIN_ALL_PAGES] = {"ran"},
	[EV_UNRESERVE_HIGHATOMIC] = {"force", "migratetype", "pages"},
	[EV_RESERVE_HIGHATOMIC] = {"pages"},
	[EV_ZONE_UNLOCK] = {"looks", "scans"},
	[EV_SLOWPATH_EXIT] = {"step"},
	[EV_CAPTURE] = {"migratetype"},
	[EV_WARN] = {NULL},
	[EV_CONTIG_RANGE] = {"end", "acr_flags"},
	[EV_CONTIG_RANGE_END] = {"end"},
	[EV_ENV_CALL] = {NULL, "argument", "answer"},
	[EV_ENV_MOVED] = {"to"},
};

/* Bits and PFNs are read in hex. */
static bool in_hex(const char *name)
{
	return !strcmp(name, "alloc_flags") || !strcmp(name, "nodemask") || !strcmp(name, "to") ||
	       !strcmp(name, "end");
}

static void put_inner(struct trace *t, const struct event *e)
{
	const u32 values[3] = {e->a, e->b, e->c};

	if (e->type == EV_ENV_CALL)
		fprintf(t->out, " %s", env_call_names[e->a]);
	if (e->type == EV_WARN)
		fprintf(t->out, " %s", warn_names[e->a]);
	if (e->zone != ZONE_ANY)
		fprintf(t->out, " zone=%u", e->zone);
	if (e->order >= 0)
		fprintf(t->out, " order=%d", e->order);
	if (e->pfn != PFN_NONE)
		fprintf(t->out, " pfn=0x%x", e->pfn);
	if (e->gfp)
		put_gfp(t->out, "gfp_flags", e->gfp);
	for (u32 i = 0; i < 3; i++) {
		const char *name = inner_fields[e->type][i];

		if (name)
			fprintf(t->out, in_hex(name) ? " %s=0x%x" : " %s=%u", name, values[i]);
	}
}

/* ---- the observer -------------------------------------------------------- */

static void put_event(struct trace *t, const struct event *e)
{
	bool public = e->type <= EV_LAST_PUBLIC;

	fprintf(t->out, public ? "%s:" : "%s", event_names[e->type]);
	if (public)
		put_public(t, e);
	else
		put_inner(t, e);
}

static void trace_event(void *ctx, const struct event *e)
{
	struct trace *t = ctx;
	u32 usec = min_u32(t->nr++, 999999);

	if (e->type <= EV_LAST_PUBLIC)
		fprintf(t->out, "%16s-%-7d [%03u] ..... %5u.%06u: ", "buddycheck", 0, e->cpu, t->op,
			usec);
	else
		fprintf(t->out, "# %u.%06u ", t->op, usec);
	put_event(t, e);
	fputc('\n', t->out);
}

void trace_write_event(FILE *out, const struct view *view, const struct event *event)
{
	struct trace t = {.out = out, .view = view};

	put_event(&t, event);
}

void trace_init(struct trace *t, FILE *out, const struct view *view, u64 mask)
{
	*t = (struct trace){
		.out = out,
		.view = view,
		.observer = {.event = trace_event, .ctx = t, .mask = mask},
	};
}

void trace_op(struct trace *t, u32 op)
{
	t->op = op;
	t->nr = 0;
}
