/* SPDX-License-Identifier: GPL-2.0-only */
/* The members of a machine that are stored one by one: two tables, both ways. */
#include "harness/bytes_internal.h"
#include "harness/op_rules.h"

/* Members of struct machine that follow each other at a distance of @stride. */
struct field {
	u16 offset, count, stride;
	u8 size; /* of a member: 1 or 4 */
	u8 width; /* bytes that are stored: 1, 2 or 4 */
	u32 lo, hi;
};

#define NR_DISTANCES (MACHINE_MAX_NODES * MACHINE_MAX_NODES)
#define SIZE(member) sizeof(((struct machine *)0)->member)
#define ONE(member, width, lo, hi) \
	{offsetof(struct machine, member), 1, 0, SIZE(member), width, lo, hi}
#define MANY(member, count, width, lo, hi) \
	{offsetof(struct machine, member), count, SIZE(member), SIZE(member), width, lo, hi}
/* The same member of the defaults of @count calls. */
#define DEFAULTS(call, count, member, width, hi)              \
	{offsetof(struct machine, env.defaults[call].member), \
	 count,                                               \
	 sizeof(struct env_default),                          \
	 SIZE(env.defaults[call].member),                     \
	 width,                                               \
	 0,                                                   \
	 hi}

/* Less than machine_check() allows where more gives machines that fail always, or loop. */
static const struct field compact_fields[] = {
	ONE(nr_cpus, 1, 1, 4),
	ONE(max_page_order, 1, 1, MACHINE_MAX_ORDER),
	ONE(pageblock_order, 1, 1, MACHINE_MAX_ORDER),
	ONE(pmd_order, 1, 0, MACHINE_MAX_ORDER),
	ONE(gigantic_order, 1, 1, MACHINE_MAX_GIGANTIC),
	ONE(pcp_batch_scale_max, 1, 0, 6),
	ONE(mobility, 1, MOBILITY_AUTO, MOBILITY_OFF),
	ONE(cache_pages, 2, 0, 1023),
	ONE(pcp_batch, 1, 0, 63),
	ONE(pcp_high_min, 2, 0, 1023),
	ONE(pcp_high_max, 2, 0, 4095),
	ONE(fuel, 2, 1, 1024),
	ONE(sysctl[SYSCTL_DEFRAG_MODE], 1, 0, 1),
	ONE(sysctl[SYSCTL_WATERMARK_BOOST_FACTOR], 2, 0, UINT16_MAX),
	ONE(sysctl[SYSCTL_WATERMARK_SCALE_FACTOR], 1, 1, UINT8_MAX),
	ONE(sysctl[SYSCTL_MIN_FREE_KBYTES], 1, 0, UINT8_MAX),
	ONE(sysctl[SYSCTL_PERCPU_PAGELIST_HIGH_FRACTION], 1, 0, UINT8_MAX),
	ONE(sysctl[SYSCTL_NODE_RECLAIM_MODE], 1, 0, 1),
	MANY(sysctl[SYSCTL_LOWMEM_RESERVE_DMA], MAX_NR_ZONES, 2, 0, UINT16_MAX),
	MANY(env.kind[0], NR_ENV_KINDED, 1, ENV_WHOLE, ENV_CLOSED),
	DEFAULTS(ENV_RECLAIM, NR_ENV_KINDED, value, 1, UINT8_MAX),
	DEFAULTS(ENV_RECLAIM, NR_ENV_KINDED, extra, 1, UINT8_MAX),
	DEFAULTS(ENV_RECLAIM, NR_ENV_KINDED, times, 1, 15),
	DEFAULTS(ENV_COMPACT, 2, then, 1, UINT8_MAX), /* and ENV_WAKE */
	ONE(env.kswapd_pages, 1, 0, UINT8_MAX),
	ONE(env.kcompactd_blocks, 1, 0, UINT8_MAX),
};

/* The ranges of machine_check(). */
static const struct field full_fields[] = {
	ONE(nr_nodes, 1, 1, MACHINE_MAX_NODES),
	ONE(nr_cpus, 1, 1, MACHINE_MAX_CPUS),
	ONE(max_page_order, 1, 1, MACHINE_MAX_ORDER),
	ONE(pageblock_order, 1, 1, MACHINE_MAX_ORDER),
	ONE(pmd_order, 1, 0, MACHINE_MAX_ORDER),
	ONE(gigantic_order, 1, 1, MACHINE_MAX_GIGANTIC),
	ONE(pcp_batch_scale_max, 1, 0, 6),
	ONE(mobility, 1, MOBILITY_AUTO, MOBILITY_OFF),
	ONE(config_dma32, 1, 0, 1),
	ONE(config_dma, 1, 0, 1),
	ONE(config_cma, 1, 0, 1),
	ONE(config_compaction, 1, 0, 1),
	ONE(hugetlb_migration, 1, 0, 1),
	ONE(cache_pages, 4, 0, UINT32_MAX),
	ONE(pcp_batch, 4, 0, 1U << 20),
	ONE(pcp_high_min, 4, 0, 1U << 28),
	ONE(pcp_high_max, 4, 0, 1U << 28),
	ONE(fuel, 4, 1, BYTES_MAX_FUEL),
	MANY(sysctl[0], NR_SYSCTLS, 4, 0, UINT32_MAX),
	MANY(env.kind[0], NR_ENV_KINDED, 1, ENV_WHOLE, ENV_CLOSED),
	DEFAULTS(0, NR_ENV_CALLS, value, 4, UINT32_MAX),
	DEFAULTS(0, NR_ENV_CALLS, extra, 4, UINT32_MAX),
	DEFAULTS(0, NR_ENV_CALLS, times, 4, UINT32_MAX),
	DEFAULTS(0, NR_ENV_CALLS, then, 4, UINT32_MAX),
	ONE(env.kswapd_pages, 4, 0, UINT32_MAX),
	ONE(env.kcompactd_blocks, 4, 0, UINT32_MAX),
	MANY(node_has_cpus[0], MACHINE_MAX_NODES, 1, 0, 1),
	MANY(cpu_node[0], MACHINE_MAX_CPUS, 1, 0, MACHINE_MAX_NODES - 1),
	MANY(distance[0][0], NR_DISTANCES, 1, 10, UINT8_MAX),
};

static const struct {
	const struct field *fields;
	size_t nr;
} layouts[NR_LAYOUTS] = {
	[LAYOUT_COMPACT] = {compact_fields, ARRAY_SIZE(compact_fields)},
	[LAYOUT_FULL] = {full_fields, ARRAY_SIZE(full_fields)},
};

void bytes_put(u8 **p, u32 width, u32 v)
{
	for (u32 i = 0; i < width; i++)
		*(*p)++ = (u8)(v >> 8 * i);
}

static u32 width_mask(u32 width)
{
	return UINT32_MAX >> (32 - 8 * width);
}

/* A member of @size bytes. */
static u32 get_member(const char *at, u32 size)
{
	return size == sizeof(u8) ? *(const u8 *)at : *(const u32 *)at;
}

static void set_member(char *at, u32 size, u32 v)
{
	if (size == sizeof(u8))
		*(u8 *)at = (u8)v;
	else
		*(u32 *)at = v;
}

/* @f by value: what is stored could be it, for all that the compiler knows. */
static const u8 *get_field(const u8 *p, struct field f, struct machine *m)
{
	char *at = (char *)m + f.offset;

	for (u32 i = 0; i < f.count; i++, at += f.stride) {
		u32 v = bytes_get(&p, f.width) + get_member(at, f.size);

		set_member(at, f.size, range_fit(v & width_mask(f.width), f.lo, f.hi));
	}
	return p;
}

void bytes_get_fields(const u8 **p, enum bytes_layout layout, struct machine *m)
{
	const struct field *f = layouts[layout].fields;

	for (; f < layouts[layout].fields + layouts[layout].nr; f++)
		*p = get_field(*p, *f, m);
}

void bytes_put_fields(u8 **p, enum bytes_layout layout, const struct machine *m,
		      const struct machine *defaults)
{
	const struct field *f = layouts[layout].fields;

	for (; f < layouts[layout].fields + layouts[layout].nr; f++) {
		const char *at = (const char *)m + f->offset;
		const char *from = (const char *)defaults + f->offset;

		for (u32 i = 0; i < f->count; i++, at += f->stride, from += f->stride)
			bytes_put(p, f->width, get_member(at, f->size) - get_member(from, f->size));
	}
}
