/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Simpler machines: less memory, and members as machine_init() has them, which a
 * script need not mention. The ops follow (case_fit.h).
 */
#include <stddef.h>
#include <string.h>

#include "harness/machine_fit.h"
#include "harness/shrink_internal.h"

/* ---- memory: change number @k of @m; false: there are no more ------------ */

/* One zone on one node, everything else as by default. */
static bool plain(struct machine *m, u32 k)
{
	static const u32 pages[] = {4096, 1024};
	struct policy policy = m->policy;

	if (k >= ARRAY_SIZE(pages))
		return false;
	if (m->nr_zones == 1 && m->zones[0].pages <= pages[k])
		return true; /* it has got smaller than that already */
	machine_init(m);
	m->policy = policy;
	machine_add_zone(m, 0, ZONE_NORMAL, 0, pages[k]);
	return true;
}

/* Ranges that lie in a zone go with what is cut off it. */
static void drop_ranges_in(struct machine *m, u32 start, u32 end)
{
	u32 kept = 0;

	for (u32 i = 0; i < m->nr_ranges; i++) {
		const struct machine_range *r = &m->ranges[i];

		if (r->start >= end || r->start + r->pages <= start)
			m->ranges[kept++] = *r;
	}
	m->nr_ranges = (u8)kept;
}

static void drop_zone(struct machine *m, u32 i)
{
	const struct machine_zone *z = &m->zones[i];

	drop_ranges_in(m, z->start, z->start + z->pages);
	m->nr_zones--;
	memmove(&m->zones[i], &m->zones[i + 1], (m->nr_zones - i) * sizeof(m->zones[0]));
}

static bool fewer_zones(struct machine *m, u32 k)
{
	if (k >= m->nr_zones)
		return false;
	drop_zone(m, k);
	return true;
}

/* Node @k goes, those behind it move up. */
static bool fewer_nodes(struct machine *m, u32 k)
{
	struct machine usual;

	if (k >= m->nr_nodes || m->nr_nodes == 1)
		return false;
	for (u32 i = m->nr_zones; i--;) {
		if (m->zones[i].node == k)
			drop_zone(m, i);
		else
			m->zones[i].node -= m->zones[i].node > k;
	}
	machine_init(&usual);
	for (u32 cpu = 0; cpu < m->nr_cpus; cpu++)
		m->cpu_node[cpu] -= m->cpu_node[cpu] && m->cpu_node[cpu] >= k;
	m->nr_nodes--;
	m->node_has_cpus[m->nr_nodes] = usual.node_has_cpus[0];
	memcpy(m->distance, usual.distance, sizeof(m->distance));
	return true;
}

static bool fewer_pages(struct machine *m, u32 k)
{
	struct machine_zone *z = &m->zones[k / 2];
	u32 block = BIT(m->pageblock_order);
	u32 pages;

	if (k >= 2U * m->nr_zones)
		return false;
	/* Half of it; or what goes beyond whole pageblocks. */
	pages = align_down(k % 2 ? z->pages : z->pages / 2, block);
	if (!pages || pages == z->pages)
		return true;
	drop_ranges_in(m, z->start + pages, z->start + z->pages);
	z->pages = pages;
	return true;
}

/* Close the hole before zone @k. */
static bool fewer_holes(struct machine *m, u32 k)
{
	u32 end = 0, hole;

	if (k >= m->nr_zones)
		return false;
	if (k)
		end = m->zones[k - 1].start + m->zones[k - 1].pages;
	hole = m->zones[k].start - end;
	for (u32 i = 0; i < m->nr_ranges; i++)
		m->ranges[i].start -= m->ranges[i].start >= end ? hole : 0;
	for (u32 i = k; i < m->nr_zones; i++)
		m->zones[i].start -= hole;
	return true;
}

static bool usual_zone(struct machine *m, u32 k)
{
	if (k >= m->nr_zones)
		return false;
	m->zones[k].type = ZONE_NORMAL;
	return true;
}

static bool fewer_ranges(struct machine *m, u32 k)
{
	if (k >= m->nr_ranges)
		return false;
	m->nr_ranges--;
	memmove(&m->ranges[k], &m->ranges[k + 1], (m->nr_ranges - k) * sizeof(m->ranges[0]));
	return true;
}

static bool fewer_cpus(struct machine *m, u32 k)
{
	if (k || m->nr_cpus == 1)
		return false;
	m->nr_cpus--;
	m->cpu_node[m->nr_cpus] = 0;
	return true;
}

/* ---- members as by default ----------------------------------------------- */

#define MEMBER(name) {offsetof(struct machine, name), sizeof(((struct machine *)0)->name)}

static const struct member {
	size_t offset, size;
} members[] = {
	MEMBER(max_page_order),
	MEMBER(pageblock_order),
	MEMBER(pmd_order),
	MEMBER(gigantic_order),
	MEMBER(pcp_batch_scale_max),
	MEMBER(config_dma32),
	MEMBER(config_dma),
	MEMBER(config_cma),
	MEMBER(config_compaction),
	MEMBER(mobility),
	MEMBER(hugetlb_migration),
	MEMBER(node_has_cpus),
	MEMBER(cpu_node),
	MEMBER(distance),
	MEMBER(cache_pages),
	MEMBER(pcp_batch),
	MEMBER(pcp_high_min),
	MEMBER(pcp_high_max),
	MEMBER(fuel),
	MEMBER(env.kswapd_pages),
	MEMBER(env.kcompactd_blocks),
	MEMBER(env.kind),
	MEMBER(env.defaults),
};

static bool usual_member(struct machine *m, u32 k)
{
	struct machine usual;

	if (k >= ARRAY_SIZE(members))
		return false;
	machine_init(&usual);
	memcpy((char *)m + members[k].offset, (char *)&usual + members[k].offset, members[k].size);
	return true;
}

static bool usual_sysctl(struct machine *m, u32 k)
{
	struct machine usual;

	if (k >= NR_SYSCTLS)
		return false;
	machine_init(&usual);
	m->sysctl[k] = usual.sysctl[k];
	return true;
}

static bool usual_env(struct machine *m, u32 k)
{
	struct env_config usual;

	if (k >= NR_ENV_KINDED + NR_ENV_CALLS)
		return false;
	env_config_init(&usual);
	if (k < NR_ENV_KINDED)
		m->env.kind[k] = usual.kind[k];
	else
		m->env.defaults[k - NR_ENV_KINDED] = usual.defaults[k - NR_ENV_KINDED];
	return true;
}

/* All switches, then one by one. */
static bool usual_policy(struct machine *m, u32 k)
{
	size_t nr;
	const struct policy_switch *switches = policy_switches(&nr);
	struct machine usual;

	if (k > nr)
		return false;
	machine_init(&usual);
	if (k)
		((u8 *)&m->policy)[switches[k - 1].offset] =
			((u8 *)&usual.policy)[switches[k - 1].offset];
	else
		m->policy = usual.policy;
	return true;
}

static bool (*const changes[])(struct machine *m, u32 k) = {
	plain,	      fewer_nodes, fewer_zones, fewer_cpus, fewer_ranges, usual_member,
	usual_sysctl, usual_env,   fewer_pages, usual_zone, fewer_holes,  usual_policy,
};

/* ---- trying -------------------------------------------------------------- */

static bool try_machine(struct shrinker *sh, bool (*change)(struct machine *m, u32 k), u32 k,
			bool *more)
{
	struct testcase changed;

	case_copy(&changed, &sh->best, true);
	*more = change(&changed.machine, k);
	if (*more && !machine_equal(&changed.machine, &sh->best.machine))
		return shrink_try(sh, &changed);
	case_free(&changed);
	return false;
}

bool shrink_machine(struct shrinker *sh)
{
	bool any = false, more;

	for (u32 i = 0; i < ARRAY_SIZE(changes); i++) {
		u32 k = 0;

		if (changes[i] == usual_policy && sh->s->keep_policy)
			continue;
		do {
			bool shows = try_machine(sh, changes[i], k, &more);

			any |= shows;
			/* The next one has taken the place of what went. */
			k += !shows;
		} while (more);
	}
	return any;
}
