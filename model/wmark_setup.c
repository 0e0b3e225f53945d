/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lowmem_reserve, min_free_kbytes and the watermarks: computed at boot and again
 * when a sysctl changes (spec 5.5, 5.6).
 *
 *      0        MIN         LOW        HIGH       PROMO          free pages
 *      |---------|-----------|-----------|-----------|------------->
 *                      d           d           d
 */
#include <assert.h>

#include "model/internal.h"

#define MIN_FREE_KBYTES_LEAST 128
#define MIN_FREE_KBYTES_MOST 262144
#define KBYTES_OF_PAGE 4U

static bool is_lowmem(const struct zone *z)
{
	return z->type <= ZONE_NORMAL;
}

static u64 lowmem_pages(const struct memory *m)
{
	u64 pages = 0;

	for (u32 i = 0; i < m->nr_zones; i++)
		pages += is_lowmem(&m->zones[i]) ? m->zones[i].managed_pages : 0;
	return pages;
}

/* Managed pages of the node of @z in the zones above it, up to type @highest. */
static u32 managed_above(const struct memory *m, const struct zone *z, u32 highest)
{
	u32 pages = 0;

	for (u32 i = z->index + 1U; i < m->nr_zones; i++) {
		const struct zone *upper = &m->zones[i];

		if (upper->node == z->node && upper->type <= highest)
			pages += upper->managed_pages;
	}
	return pages;
}

void setup_per_zone_lowmem_reserve(struct memory *m)
{
	const u32 *ratios = &m->global->sysctl[SYSCTL_LOWMEM_RESERVE_DMA];

	for (u32 i = 0; i < m->nr_zones; i++) {
		struct zone *z = &m->zones[i];
		u32 ratio = z->managed_pages ? ratios[z->type] : 0;

		for (u32 j = z->type + 1U; j < MAX_NR_ZONES; j++)
			SET(m, z->lowmem_reserve[j], ratio ? managed_above(m, z, j) / ratio : 0);
	}
}

static u32 int_sqrt(u64 x)
{
	u64 root = 0;

	for (u64 bit = 1ULL << 31; bit; bit >>= 1)
		if ((root + bit) * (root + bit) <= x)
			root += bit;
	return (u32)root;
}

/* Boot only: the kernel subtracts the high marks, which are 0 then. */
void calculate_min_free_kbytes(struct memory *m)
{
	u32 kbytes = int_sqrt(lowmem_pages(m) * KBYTES_OF_PAGE * 16);

	/* A machine that names a value has it from its first moment, as if written there. */
	if (m->global->sysctl[SYSCTL_MIN_FREE_KBYTES])
		return;
	kbytes = min_u32(max_u32(kbytes, MIN_FREE_KBYTES_LEAST), MIN_FREE_KBYTES_MOST);
	SET(m, m->global->sysctl[SYSCTL_MIN_FREE_KBYTES], kbytes);
}

static void set_zone_wmarks(struct memory *m, struct zone *z, u32 share)
{
	u64 scaled = mult_frac(z->managed_pages, m->global->sysctl[SYSCTL_WATERMARK_SCALE_FACTOR],
			       10000);
	u32 mark = share;
	u32 distance = max_u32(share / 4, (u32)scaled);

	if (!is_lowmem(z))
		mark = min_u32(max_u32(z->managed_pages / 1024, SWAP_CLUSTER_MAX), 128);
	zone_lock(m, z);
	SET(m, z->watermark_boost, 0);
	for (u32 w = WMARK_MIN; w < NR_WMARK; w++) {
		SET(m, z->_watermark[w], mark);
		mark += distance;
	}
	EMIT(m, EV_MM_SETUP_PER_ZONE_WMARKS, .zone = z->index, .order = -1, .pfn = PFN_NONE,
	     .a = z->_watermark[WMARK_MIN], .b = z->_watermark[WMARK_LOW],
	     .c = z->_watermark[WMARK_HIGH]);
	zone_unlock(m, z);
}

void setup_per_zone_wmarks(struct memory *m)
{
	u64 pages_min = m->global->sysctl[SYSCTL_MIN_FREE_KBYTES] / KBYTES_OF_PAGE;
	u64 lowmem = lowmem_pages(m);

	assert(lowmem); /* machine_check() */
	for (u32 i = 0; i < m->nr_zones; i++) {
		struct zone *z = &m->zones[i];

		set_zone_wmarks(m, z, (u32)(pages_min * z->managed_pages / lowmem));
	}
	/* The pcp limits follow from the low marks. */
	for (u32 i = 0; i < m->nr_zones; i++)
		zone_set_pageset_high_and_batch(m, &m->zones[i]);
}
