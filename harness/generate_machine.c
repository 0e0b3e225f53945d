/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Machines for generated cases. They are small, so that a few dozen ops reach
 * their limits, and differ in everything that changes a decision of the allocator.
 */
#include "harness/generate.h"
#include "model/gfp.h"

#define DMA BIT(ZONE_DMA)
#define DMA32 BIT(ZONE_DMA32)
#define NORMAL BIT(ZONE_NORMAL)
#define MOVABLE BIT(ZONE_MOVABLE)

/* Zones of the first node: it has memory that is not Movable. */
static const u32 first_nodes[] = {
	NORMAL,
	NORMAL,
	DMA32 | NORMAL,
	DMA32 | NORMAL | MOVABLE,
	DMA | DMA32 | NORMAL,
	DMA | DMA32 | NORMAL | MOVABLE,
	NORMAL | MOVABLE,
	DMA | NORMAL,
	DMA32,
};

static const u32 other_nodes[] = {NORMAL, NORMAL | MOVABLE, MOVABLE};

static void draw_orders(struct rng *rng, struct machine *m)
{
	static const u32 block_orders[] = {3, 3, 4, 4, 5, 5, 6, 9};

	m->pageblock_order = (u8)rng_pick(rng, block_orders);
	m->max_page_order = (u8)(m->pageblock_order + rng_below(rng, 4));
	if (m->pageblock_order == 9)
		m->max_page_order = (u8)rng_between(rng, 9, 10);
	/*
	 * What the pcp lists hold is never larger than a pageblock here: where it is, draining puts
	 * it on the list of its first block alone (spec 3.4), and rule 10.8 does not hold.
	 */
	if (m->pageblock_order < 4 || rng_percent(rng, 10))
		m->pmd_order = 0;
	else
		m->pmd_order = (u8)(rng_percent(rng, 80) ? m->pageblock_order
							 : rng_between(rng, 4, m->pageblock_order));
	m->gigantic_order = (u8)(m->max_page_order + 1);
}

/*
 * Half of the zones are whole buddies, the others end or begin inside a pageblock. Some have the 100
 * pageblocks that a HighAtomic reserve takes (spec 4.14).
 */
static u32 draw_zone_pages(struct rng *rng, const struct machine *m, u32 type)
{
	u32 largest = BIT(m->max_page_order), block = BIT(m->pageblock_order);
	u32 pages = max_u32(2 * largest, rng_between(rng, 64, 320));

	if (type == ZONE_DMA)
		pages /= 4;
	if (block == 8 && rng_percent(rng, 30))
		pages = rng_between(rng, 100 * block, 130 * block);
	if (rng_percent(rng, 50))
		return align_up(pages, largest);
	return rng_percent(rng, 50) ? align_up(pages, block) : pages | 1;
}

static void draw_zones(struct rng *rng, struct machine *m)
{
	u32 pfn = rng_percent(rng, 15) ? rng_below(rng, 64) : 0;
	u32 node, type, types;

	for (node = 0; node < m->nr_nodes; node++) {
		types = node ? rng_pick(rng, other_nodes) : rng_pick(rng, first_nodes);
		for (type = 0; type < MAX_NR_ZONES; type++) {
			if (!(types & BIT(type)))
				continue;
			if (rng_percent(rng, 10)) /* a hole */
				pfn += rng_below(rng, 2 * BIT(m->pageblock_order));
			m->zones[m->nr_zones] = (struct machine_zone){
				.node = (u8)node,
				.type = (u8)type,
				.start = pfn,
				.pages = draw_zone_pages(rng, m, type),
			};
			pfn += m->zones[m->nr_zones++].pages;
			m->config_dma32 |= type == ZONE_DMA32;
		}
	}
}

static void draw_topology(struct rng *rng, struct machine *m)
{
	static const u32 nodes[] = {1, 1, 1, 2, 2, 3};
	static const u32 distances[] = {15, 20, 20, 31};
	u32 i, k;

	m->nr_nodes = (u8)rng_pick(rng, nodes);
	m->nr_cpus = (u8)rng_between(rng, 1, 4);
	for (i = 0; i < m->nr_nodes; i++)
		m->node_has_cpus[i] = 0;
	for (i = 0; i < m->nr_cpus; i++) {
		m->cpu_node[i] = (u8)rng_below(rng, m->nr_nodes);
		m->node_has_cpus[m->cpu_node[i]] = 1;
	}
	for (i = 0; i < m->nr_nodes; i++)
		for (k = 0; k < i; k++)
			m->distance[i][k] = m->distance[k][i] = (u8)rng_pick(rng, distances);
}

/* At most one reserved and one CMA range, in different zones or in this order in one. */
static void draw_ranges(struct rng *rng, struct machine *m)
{
	const struct machine_zone *z = &m->zones[rng_below(rng, m->nr_zones)];
	u32 block = BIT(m->pageblock_order);
	u32 middle = align_up(z->start + z->pages / 2, block);
	struct machine_range *r;

	if (rng_percent(rng, 25)) {
		r = &m->ranges[m->nr_ranges++];
		r->kind = RANGE_RESERVED;
		r->start = z->start + rng_below(rng, z->pages / 4);
		r->pages = rng_between(rng, 1, z->pages / 8);
	}
	if (m->config_cma && rng_percent(rng, 40) && middle + block <= z->start + z->pages) {
		r = &m->ranges[m->nr_ranges++];
		r->kind = RANGE_CMA;
		r->start = middle;
		r->pages = block * rng_between(rng, 1, (z->start + z->pages - middle) / block);
	}
}

static void draw_pcp(struct rng *rng, struct machine *m)
{
	static const u32 batches[] = {1, 1, 4, 4, 16, 63};

	m->pcp_batch_scale_max = (u8)rng_below(rng, 7);
	m->cache_pages = rng_percent(rng, 30) ? 256 : 0;
	if (rng_percent(rng, 25)) /* as computed */
		return;
	m->pcp_batch = rng_pick(rng, batches);
	m->pcp_high_min = m->pcp_batch * rng_between(rng, 1, 6);
	m->pcp_high_max = m->pcp_high_min << rng_below(rng, 3);
}

/*
 * In some machines the marks are near all of the memory: requests go through the slow path before
 * it is filled. In most of the large ones, which a case does not fill.
 */
static u32 draw_min_free(struct rng *rng, const struct machine *m)
{
	static const u32 usual[] = {0, 0, 0, 64, 256, 1024};
	u32 pages = 0, kbytes;

	for (u32 i = 0; i < m->nr_zones; i++)
		pages += m->zones[i].pages;
	kbytes = rng_pick(rng, usual);
	return rng_percent(rng, pages < 800 ? 8 : 60) ? pages * rng_between(rng, 2, 4) : kbytes;
}

static void draw_sysctls(struct rng *rng, struct machine *m)
{
	m->sysctl[SYSCTL_DEFRAG_MODE] = rng_percent(rng, 35);
	if (rng_percent(rng, 25))
		m->sysctl[SYSCTL_WATERMARK_BOOST_FACTOR] = 0;
	m->sysctl[SYSCTL_MIN_FREE_KBYTES] = draw_min_free(rng, m);
	m->sysctl[SYSCTL_NODE_RECLAIM_MODE] = rng_percent(rng, 15);
	if (rng_percent(rng, 10))
		m->sysctl[SYSCTL_PERCPU_PAGELIST_HIGH_FRACTION] = rng_between(rng, 8, 64);
}

static void draw_env(struct rng *rng, struct env_config *env)
{
	static const u32 compact[] = {COMPACT_SKIPPED, COMPACT_DEFERRED, COMPACT_COMPLETE,
				      COMPACT_SUCCESS, COMPACT_CONTENDED};
	static const u32 locks[] = {ENV_LOCK_PCP, ENV_LOCK_OOM, ENV_LOCK_DRAIN, ENV_NODE_DIRTY};
	struct env_default *d;

	env->kind[ENV_RECLAIM] = rng_percent(rng, 60) ? ENV_CLOSED : ENV_WHOLE;
	env->kind[ENV_COMPACT] = (u8)rng_below(rng, 3);
	env->kind[ENV_WAKE] = (u8)rng_below(rng, 3);
	env->kind[ENV_OOM] = rng_percent(rng, 50) ? ENV_CLOSED : ENV_WHOLE;
	d = &env->defaults[ENV_RECLAIM];
	*d = (struct env_default){rng_below(rng, 33), rng_below(rng, 33), rng_below(rng, 4), 0};
	d = &env->defaults[ENV_COMPACT];
	*d = (struct env_default){rng_pick(rng, compact), rng_below(rng, 33), rng_below(rng, 3),
				  rng_pick(rng, compact)};
	env->defaults[ENV_WAKE].then = rng_percent(rng, 30);
	if (rng_percent(rng, 15)) {
		d = &env->defaults[rng_pick(rng, locks)];
		*d = (struct env_default){.value = 1, .times = rng_between(rng, 1, 4)};
	}
	env->kswapd_pages = rng_between(rng, 0, 64);
	env->kcompactd_blocks = rng_between(rng, 0, 4);
}

/* Each switch of the policy keeps its value in most cases. */
static void draw_policy(struct rng *rng, struct machine *m)
{
	const struct policy_switch *switches;
	size_t nr, i;

	switches = policy_switches(&nr);
	for (i = 0; i < nr; i++) {
		const struct policy_switch *s = &switches[i];

		if (rng_percent(rng, 15))
			((u8 *)&m->policy)[s->offset] =
				s->values[rng_below(rng, (u32)s->nr_values)].value;
	}
}

static void fit(const struct machine_fitter *fitter, struct machine *m)
{
	if (fitter)
		fitter->fit(fitter->ctx, m);
}

void generate_machine_for(struct rng *rng, struct machine *m, const struct machine_fitter *fitter)
{
	machine_init(m);
	m->config_dma32 = rng_percent(rng, 70);
	m->config_cma = rng_percent(rng, 75);
	m->config_compaction = rng_percent(rng, 90);
	m->hugetlb_migration = rng_percent(rng, 75);
	m->mobility = rng_percent(rng, 80) ? MOBILITY_ON : (u8)rng_below(rng, 3);
	/* A request that never ends should end soon. */
	m->fuel = 24;
	draw_orders(rng, m);
	draw_topology(rng, m);
	fit(fitter, m);
	draw_zones(rng, m);
	draw_ranges(rng, m);
	draw_pcp(rng, m);
	draw_sysctls(rng, m);
	draw_env(rng, &m->env);
	draw_policy(rng, m);
	fit(fitter, m);
}

void generate_machine(struct rng *rng, struct machine *m)
{
	generate_machine_for(rng, m, NULL);
}
