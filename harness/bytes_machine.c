/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The machine at the start of a body, in one of two layouts of fixed size:
 *
 *      compact  shape | config off | nodes with CPUs | CPUs spread | policy | members | 0
 *      full     0xff  | 0 0 0                                      | policy | members | zones | ranges
 *
 * A shape is a row of a catalogue, small and of use. A member is stored as its difference from
 * the default, so that zeros are the first shape with the defaults. The full layout starts from
 * machine_init() and holds every machine of up to BYTES_MAX_PAGES pages.
 */
#include <string.h>

#include "harness/bytes_internal.h"
#include "harness/machine_fit.h"
#include "harness/op_rules.h"

/* ---- shapes -------------------------------------------------------------- */

struct shape {
	struct machine_zone zones[6];
	struct machine_range ranges[3];
	u32 pcp_batch;
};

static const struct shape shapes[] = {
	/* the default */
	{.zones = {{0, ZONE_DMA32, 0, 1024},
		   {0, ZONE_NORMAL, 1024, 2048},
		   {0, ZONE_MOVABLE, 3072, 1024}},
	 .pcp_batch = 8},
	/* one zone */
	{.zones = {{0, ZONE_NORMAL, 0, 4096}}, .pcp_batch = 4},
	/* the zones of a PC */
	{.zones = {{0, ZONE_DMA, 0, 512}, {0, ZONE_DMA32, 512, 1536}, {0, ZONE_NORMAL, 2048, 2048}},
	 .pcp_batch = 6},
	/* two nodes */
	{.zones = {{0, ZONE_DMA32, 0, 1024},
		   {0, ZONE_NORMAL, 1024, 1024},
		   {1, ZONE_NORMAL, 2048, 1536},
		   {1, ZONE_MOVABLE, 3584, 512}},
	 .pcp_batch = 8},
	/* three nodes, the last for movable pages only */
	{.zones = {{0, ZONE_NORMAL, 0, 2048},
		   {1, ZONE_NORMAL, 2048, 2048},
		   {2, ZONE_MOVABLE, 4096, 1024}},
	 .pcp_batch = 8},
	/* CMA areas and reserved pages */
	{.zones = {{0, ZONE_DMA32, 0, 1024}, {0, ZONE_NORMAL, 1024, 4096}},
	 .ranges = {{RANGE_RESERVED, 0, 16}, {RANGE_CMA, 2048, 1024}, {RANGE_RESERVED, 4000, 100}},
	 .pcp_batch = 8},
	/* zones that begin and end inside a pageblock, and a hole */
	{.zones = {{0, ZONE_DMA32, 0, 1000},
		   {0, ZONE_NORMAL, 1000, 1700},
		   {0, ZONE_MOVABLE, 2900, 1300}},
	 .ranges = {{RANGE_RESERVED, 1500, 200}},
	 .pcp_batch = 4},
	/* so small that mobility grouping is off */
	{.zones = {{0, ZONE_NORMAL, 0, 1024}, {0, ZONE_MOVABLE, 1024, 512}}, .pcp_batch = 4},
	/* large zones, where lists get long */
	{.zones = {{0, ZONE_DMA32, 0, 4096},
		   {0, ZONE_NORMAL, 4096, 16384},
		   {0, ZONE_MOVABLE, 20480, 8192}},
	 .pcp_batch = 16},
};

/* ---- parts with rules of their own --------------------------------------- */

#define ZONE_SIZE 8UL /* bytes of one in the full layout: hole, pages */
#define POLICY_SIZE 16 /* bytes, one for each switch, in the order of policy_switches() */

static u8 *switch_of(struct policy *policy, const struct policy_switch *sw)
{
	return (u8 *)policy + sw->offset;
}

/* Place of the switch's value among those that it can have. */
static u32 switch_index(struct policy *policy, const struct policy_switch *sw)
{
	u32 i = 0;

	while (i < sw->nr_values && sw->values[i].value != *switch_of(policy, sw))
		i++;
	return i;
}

static void get_policy(const u8 **p, struct machine *m)
{
	size_t nr;
	const struct policy_switch *sw = policy_switches(&nr);

	for (size_t i = 0; i < nr && i < POLICY_SIZE; i++) {
		u32 v = (switch_index(&m->policy, &sw[i]) + (*p)[i]) % sw[i].nr_values;

		*switch_of(&m->policy, &sw[i]) = sw[i].values[v].value;
	}
	*p += POLICY_SIZE;
}

static void put_policy(u8 **p, struct machine *m, struct machine *defaults)
{
	size_t nr;
	const struct policy_switch *sw = policy_switches(&nr);

	for (size_t i = 0; i < nr && i < POLICY_SIZE; i++) {
		u32 from = switch_index(&defaults->policy, &sw[i]);
		u32 to = switch_index(&m->policy, &sw[i]);

		(*p)[i] = (u8)((to + sw[i].nr_values - from) % sw[i].nr_values);
	}
	*p += POLICY_SIZE;
}

/* Each (node, type) has a place: pages of hole before the zone, pages of the zone. */
static void get_zones(const u8 **p, struct machine *m)
{
	u32 end = 0;

	for (u32 node = 0; node < MACHINE_MAX_NODES; node++) {
		for (u32 type = 0; type < MAX_NR_ZONES; type++) {
			u32 hole = bytes_get(p, 4), pages = bytes_get(p, 4);

			if (!pages)
				continue;
			hole = range_fit(hole, 0, BYTES_MAX_PAGES - end);
			pages = range_fit(pages, 0, BYTES_MAX_PAGES - end - hole);
			machine_add_zone(m, (u8)node, (u8)type, end + hole, pages);
			if (m->nr_zones)
				end = m->zones[m->nr_zones - 1].start +
				      m->zones[m->nr_zones - 1].pages;
		}
	}
	machine_end_zones(m);
}

static void put_zones(u8 *p, const struct machine *m)
{
	u32 end = 0;

	for (u32 i = 0; i < m->nr_zones; i++) {
		const struct machine_zone *z = &m->zones[i];
		u8 *at = p + ZONE_SIZE * ((size_t)z->node * MAX_NR_ZONES + z->type);

		bytes_put(&at, 4, z->start - end);
		bytes_put(&at, 4, z->pages);
		end = z->start + z->pages;
	}
}

static void get_ranges(const u8 **p, struct machine *m)
{
	for (u32 i = 0; i < MACHINE_MAX_RANGES; i++) {
		u32 kind = bytes_get(p, 1) % (RANGE_CMA + 2); /* 0: none */
		u32 start = bytes_get(p, 4), pages = bytes_get(p, 4);

		if (kind)
			machine_add_range(m, (u8)(kind - 1), start, pages);
	}
}

static void put_ranges(u8 *p, const struct machine *m)
{
	for (u32 i = 0; i < m->nr_ranges; i++) {
		bytes_put(&p, 1, m->ranges[i].kind + 1U);
		bytes_put(&p, 4, m->ranges[i].start);
		bytes_put(&p, 4, m->ranges[i].pages);
	}
}

/* ---- the compact layout -------------------------------------------------- */

static void shape_init(struct machine *m, const struct shape *shape)
{
	machine_init(m);
	m->pcp_batch = shape->pcp_batch;
	for (u32 i = 0; i < ARRAY_SIZE(shape->zones) && shape->zones[i].pages; i++)
		m->nr_nodes = (u8)(shape->zones[i].node + 1);
}

static void add_shape(struct machine *m, const struct shape *shape)
{
	for (u32 i = 0; i < ARRAY_SIZE(shape->zones); i++)
		machine_add_zone(m, shape->zones[i].node, shape->zones[i].type,
				 shape->zones[i].start, shape->zones[i].pages);
	for (u32 i = 0; i < ARRAY_SIZE(shape->ranges); i++)
		machine_add_range(m, shape->ranges[i].kind, shape->ranges[i].start,
				  shape->ranges[i].pages);
}

/* One bit each; set: off. */
static const size_t configs[] = {
	offsetof(struct machine, config_dma32),	     offsetof(struct machine, config_dma),
	offsetof(struct machine, config_cma),	     offsetof(struct machine, config_compaction),
	offsetof(struct machine, hugetlb_migration),
};

static u8 *config_of(struct machine *m, u32 i)
{
	return (u8 *)m + configs[i];
}

static void decode_compact(const u8 *p, struct machine *m)
{
	const struct shape *shape = &shapes[p[0] % ARRAY_SIZE(shapes)];
	u8 off = p[1], with_cpus = p[2], spread = p[3] & 1;

	shape_init(m, shape);
	for (u32 i = 0; i < ARRAY_SIZE(configs); i++)
		*config_of(m, i) = !(off >> i & 1);
	for (u32 node = 0; node < m->nr_nodes; node++)
		m->node_has_cpus[node] = with_cpus >> node & 1;
	p += 4;
	get_policy(&p, m);
	bytes_get_fields(&p, LAYOUT_COMPACT, m);
	for (u32 cpu = 0; spread && cpu < m->nr_cpus; cpu++)
		m->cpu_node[cpu] = (u8)(cpu % m->nr_nodes);
	machine_fit(m);
	add_shape(m, shape);
}

/* False: @m is not of @shape, or out of the range of the layout. */
static bool encode_compact(struct machine *m, u8 shape, u8 header[BYTES_COMPACT_SIZE])
{
	struct machine defaults, back;
	u8 *p = header;

	shape_init(&defaults, &shapes[shape]);
	memset(header, 0, BYTES_COMPACT_SIZE);
	*p++ = shape;
	for (u32 i = 0; i < ARRAY_SIZE(configs); i++)
		*p |= (u8)(!*config_of(m, i) << i);
	p++;
	for (u32 node = 0; node < m->nr_nodes; node++)
		*p |= (u8)(m->node_has_cpus[node] << node);
	p++;
	for (u32 cpu = 0; cpu < m->nr_cpus; cpu++)
		*p |= m->cpu_node[cpu] != 0;
	p++;
	put_policy(&p, m, &defaults);
	bytes_put_fields(&p, LAYOUT_COMPACT, m, &defaults);
	decode_compact(header, &back);
	return machine_equal(m, &back);
}

/* ---- the full layout ----------------------------------------------------- */

static void decode_full(const u8 *p, struct machine *m)
{
	machine_init(m);
	p += 4;
	get_policy(&p, m);
	bytes_get_fields(&p, LAYOUT_FULL, m);
	machine_fit(m);
	get_zones(&p, m);
	get_ranges(&p, m);
}

static void encode_full(struct machine *m, u8 header[BYTES_FULL_SIZE])
{
	struct machine defaults;
	u8 *p = header;

	machine_init(&defaults);
	memset(header, 0, BYTES_FULL_SIZE);
	*p = BYTES_FULL;
	p += 4;
	put_policy(&p, m, &defaults);
	bytes_put_fields(&p, LAYOUT_FULL, m, &defaults);
	put_zones(p, m);
	put_ranges(p + (size_t)MACHINE_MAX_ZONES * ZONE_SIZE, m);
}

/* ---- either -------------------------------------------------------------- */

size_t bytes_machine_size(const u8 *body, size_t len)
{
	size_t size = len && body[0] == BYTES_FULL ? BYTES_FULL_SIZE : BYTES_COMPACT_SIZE;

	return size < len ? size : len;
}

void bytes_decode_machine(const u8 *body, size_t len, struct machine *m)
{
	u8 header[BYTES_FULL_SIZE + BYTES_BEHIND] = {0};

	memcpy(header, body, bytes_machine_size(body, len));
	if (header[0] == BYTES_FULL)
		decode_full(header, m);
	else
		decode_compact(header, m);
}

size_t bytes_encode_machine(const struct machine *m, u8 header[BYTES_FULL_SIZE])
{
	struct machine fitted = *m;

	machine_fit(&fitted);
	for (u32 shape = 0; shape < ARRAY_SIZE(shapes); shape++)
		if (encode_compact(&fitted, (u8)shape, header))
			return BYTES_COMPACT_SIZE;
	encode_full(&fitted, header);
	return BYTES_FULL_SIZE;
}
