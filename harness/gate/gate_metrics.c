/* SPDX-License-Identifier: GPL-2.0-only */
/* The tables of metrics, and how they follow from what is counted. */
#include "harness/gate/gate_metrics.h"

const struct gate_metric_info gate_metrics[NR_GATE_METRICS] = {
	[METRIC_RECLAIM] = {"direct-reclaim", "direct reclaims", WORSE_MORE, false},
	[METRIC_COMPACT] = {"direct-compaction", "direct compactions", WORSE_MORE, false},
	[METRIC_DRAIN_ALL] = {"drain-all", "drain_all_pages by requests", WORSE_MORE, false},
	[METRIC_OOM] = {"oom", "calls of the OOM killer", WORSE_MORE, false},
	[METRIC_KSWAPD] = {"kswapd-wakes", "calls of wakeup_kswapd", WORSE_MORE, false},
	[METRIC_KCOMPACTD] = {"kcompactd-wakes", "calls of wakeup_kcompactd", WORSE_MORE, false},
	[METRIC_HOLDS] = {"lock-holds", "holds of zone->lock", WORSE_MORE, false},
	[METRIC_WORK] = {"lock-work", "work in all of them", WORSE_MORE, false},
	[METRIC_WORK_P99] = {"lock-work-p99", "work per hold, 99th percentile", WORSE_MORE, false},
	[METRIC_WORK_MAX] = {"lock-work-max", "work per hold, maximum", WORSE_MORE, false},
	[METRIC_FAILED_0] = {"failures-0", "failed requests of order 0", WORSE_MORE, false},
	[METRIC_FAILED_SMALL] = {"failures-1-3", "failed requests of order 1 to 3", WORSE_MORE,
				 false},
	[METRIC_FAILED_COSTLY] = {"failures-costly", "failed requests above order 3", WORSE_MORE,
				  false},
	[METRIC_CLAIM] = {"extfrag-claim", "blocks claimed by another type", WORSE_MORE, false},
	[METRIC_STEAL] = {"extfrag-steal", "movable pages in foreign blocks", WORSE_MORE, false},
	[METRIC_POLLUTE] = {"extfrag-pollute", "other pages in foreign blocks", WORSE_MORE, false},
	[METRIC_RESERVE] = {"highatomic-pages", "allocations from the HighAtomic reserve",
			    WORSE_MORE, false},
	[METRIC_ENDLESS] = {"endless", "requests that found no end", WORSE_MORE, false},
	[METRIC_WARNINGS] = {"warnings", "WARNs", WORSE_MORE, false},
	[METRIC_MIXED] = {"mixed-blocks", "mixed movable blocks / movable blocks, permille",
			  WORSE_MORE, true},
	[METRIC_LARGE_FREE] = {"high-order-free", "free pages in buddies above order 3, permille",
			       WORSE_LESS, true},
};

const char *const gate_class_names[NR_GATE_CLASSES] = {
	"NORETRY, order <= 3",	      "NORETRY+THISNODE, order <= 3",
	"NORETRY+NOFAIL, order <= 3", "others, order <= 3",
	"NORETRY, order > 3",	      "NORETRY+THISNODE, order > 3",
	"NORETRY+NOFAIL, order > 3",  "others, order > 3",
};

const char *const gate_class_count_names[NR_CLASS_COUNTS] = {
	[OF_REQUESTS] = "requests",	      [OF_FAILURES] = "failures",
	[OF_RECLAIM] = "direct reclaims",     [OF_COMPACT] = "direct compactions",
	[OF_DRAIN_ALL] = "drain_all_pages",   [OF_WAKING] = "requests that wake kswapd",
	[OF_MIXING] = "pages that mix types", [OF_RESERVE] = "from the HighAtomic reserve",
};

void gate_costs_add(struct gate_costs *sum, const struct gate_costs *costs)
{
	for (u32 i = 0; i < NR_GATE_COUNTS; i++)
		sum->n[i] += costs->n[i];
	for (u32 i = 0; i < GATE_WORK_BUCKETS && costs->n[COUNT_HOLDS]; i++)
		sum->holds[i] += costs->holds[i];
	if (costs->max_work > sum->max_work)
		sum->max_work = costs->max_work;
}

void gate_classes_add(struct gate_classes *sum, const struct gate_classes *classes)
{
	for (u32 i = 0; i < NR_GATE_CLASSES; i++)
		for (u32 k = 0; k < NR_CLASS_COUNTS; k++)
			sum->n[i][k] += classes->n[i][k];
}

static u64 permille(u64 part, u64 whole)
{
	return whole ? part * 1000 / whole : 0;
}

/* The least work that 99 of 100 holds do not exceed. */
static u64 work_p99(const struct gate_costs *c)
{
	u64 below = 0;

	for (u32 i = 0; i < GATE_WORK_BUCKETS - 1; i++) {
		below += c->holds[i];
		if (below * 100 >= c->n[COUNT_HOLDS] * 99)
			return i;
	}
	return c->max_work;
}

static u64 failures(const struct gate_costs *c, u32 first, u32 last)
{
	u64 sum = 0;

	for (u32 order = first; order <= last; order++)
		sum += c->n[COUNT_FAILED + order];
	return sum;
}

void gate_metrics_of(const struct gate_costs *costs, u64 to[NR_GATE_METRICS])
{
	static const struct {
		enum gate_metric metric;
		enum gate_count count;
	} plain[] = {
		{METRIC_RECLAIM, COUNT_RECLAIM},     {METRIC_COMPACT, COUNT_COMPACT},
		{METRIC_DRAIN_ALL, COUNT_DRAIN_ALL}, {METRIC_OOM, COUNT_OOM},
		{METRIC_KSWAPD, COUNT_KSWAPD},	     {METRIC_KCOMPACTD, COUNT_KCOMPACTD},
		{METRIC_HOLDS, COUNT_HOLDS},	     {METRIC_WORK, COUNT_WORK},
		{METRIC_CLAIM, COUNT_CLAIM},	     {METRIC_STEAL, COUNT_STEAL},
		{METRIC_POLLUTE, COUNT_POLLUTE},     {METRIC_RESERVE, COUNT_RESERVE},
		{METRIC_ENDLESS, COUNT_ENDLESS},     {METRIC_WARNINGS, COUNT_WARNINGS},
	};
	const u64 *n = costs->n;

	for (u32 i = 0; i < ARRAY_SIZE(plain); i++)
		to[plain[i].metric] = n[plain[i].count];
	to[METRIC_WORK_P99] = work_p99(costs);
	to[METRIC_WORK_MAX] = costs->max_work;
	to[METRIC_FAILED_0] = failures(costs, 0, 0);
	to[METRIC_FAILED_SMALL] = failures(costs, 1, PAGE_ALLOC_COSTLY_ORDER);
	to[METRIC_FAILED_COSTLY] = failures(costs, PAGE_ALLOC_COSTLY_ORDER + 1, MACHINE_MAX_ORDER);
	to[METRIC_MIXED] = permille(n[COUNT_MIXED_BLOCKS], n[COUNT_MOVABLE_BLOCKS]);
	to[METRIC_LARGE_FREE] = permille(n[COUNT_FREE_LARGE], n[COUNT_FREE_PAGES]);
}
