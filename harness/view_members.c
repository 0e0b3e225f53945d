/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables of members, under the names that the kernel's source has for them. */
#include "harness/view_members.h"

#define SIZE(type, m) sizeof(((struct type *)0)->m)
#define ONE(type, m, sign)                   \
	{.name = #m,                         \
	 .offset = offsetof(struct type, m), \
	 .size = SIZE(type, m),              \
	 .nr = 1,                            \
	 .is_signed = sign}
#define U(type, m) ONE(type, m, false)
#define S(type, m) ONE(type, m, true)
#define ARRAY(type, m)                                                \
	.offset = offsetof(struct type, m), .size = SIZE(type, m[0]), \
	.nr = SIZE(type, m) / SIZE(type, m[0])

static const char *const wmark_names[NR_WMARK] = {
	[WMARK_MIN] = "_watermark[WMARK_MIN]",
	[WMARK_LOW] = "_watermark[WMARK_LOW]",
	[WMARK_HIGH] = "_watermark[WMARK_HIGH]",
	[WMARK_PROMO] = "_watermark[WMARK_PROMO]",
};

const struct view_member zone_members[] = {
	U(zone, index),
	U(zone, node),
	U(zone, type),
	U(zone, locked),
	U(zone, flags),
	U(zone, zone_start_pfn),
	U(zone, spanned_pages),
	U(zone, present_pages),
	U(zone, managed_pages),
	U(zone, cma_pages),
	{ARRAY(zone, _watermark), .names = wmark_names},
	U(zone, watermark_boost),
	{.name = "lowmem_reserve", ARRAY(zone, lowmem_reserve), .index = "for zone type"},
	U(zone, nr_reserved_highatomic),
	U(zone, nr_free_highatomic),
	U(zone, nr_isolate_pageblock),
	U(zone, pageset_high_min),
	U(zone, pageset_high_max),
	U(zone, pageset_batch),
	U(zone, compact_considered),
	U(zone, compact_defer_shift),
	S(zone, compact_order_failed),
	U(zone, compact_blockskip_flush),
	{.name = "nr_free", ARRAY(zone, nr_free), .index = "order"},
	{ARRAY(zone, vm_stat), .is_signed = true, .names = zone_stat_names},
};

const struct view_member pcp_members[] = {
	S(per_cpu_pages, count),	S(per_cpu_pages, high),	      S(per_cpu_pages, high_min),
	S(per_cpu_pages, high_max),	S(per_cpu_pages, batch),      U(per_cpu_pages, flags),
	S(per_cpu_pages, alloc_factor), S(per_cpu_pages, free_count),
};

const struct view_member node_members[] = {
	U(node, kswapd_awake),	      U(node, kswapd_highest_zoneidx),	  U(node, kswapd_order),
	U(node, kcompactd_max_order), U(node, kcompactd_highest_zoneidx), U(node, kcompactd_awake),
	U(node, kswapd_failures),
};

const struct view_member global_members[] = {
	U(global, task.flags),
	U(global, task.mems_allowed),
	U(global, task.mems_hardwall),
	U(global, task.cpu),
	U(global, page_group_by_mobility_disabled),
	U(global, lru_pages),
	U(global, drain_disabled_zones),
	{ARRAY(global, sysctl), .names = sysctl_names},
	{ARRAY(global, vm_event), .names = vm_event_names},
};

const u32 nr_zone_members = ARRAY_SIZE(zone_members);
const u32 nr_pcp_members = ARRAY_SIZE(pcp_members);
const u32 nr_node_members = ARRAY_SIZE(node_members);
const u32 nr_global_members = ARRAY_SIZE(global_members);

s64 view_member_value(const struct view_member *m, const void *base, u32 i)
{
	const char *at = (const char *)base + m->offset + (size_t)i * m->size;

	switch (m->size) {
	case 1:
		return *(const u8 *)at;
	case 2:
		return *(const u16 *)at;
	case 4:
		return m->is_signed ? (s64) * (const s32 *)at : (s64) * (const u32 *)at;
	default:
		return *(const s64 *)at;
	}
}
