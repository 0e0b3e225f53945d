/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gfp and alloc flags of 7.3.4 (spec 1.2, 1.5). The bit values are the
 * kernel's, so that a number seen in a trace means the same thing here.
 */
#ifndef MODEL_GFP_H
#define MODEL_GFP_H

#include "model/types.h"

#define __GFP_DMA BIT(0)
#define __GFP_HIGHMEM BIT(1)
#define __GFP_DMA32 BIT(2)
#define __GFP_MOVABLE BIT(3)
#define __GFP_RECLAIMABLE BIT(4)
#define __GFP_HIGH BIT(5)
#define __GFP_IO BIT(6)
#define __GFP_FS BIT(7)
#define __GFP_ZERO BIT(8)
#define __GFP_DIRECT_RECLAIM BIT(10)
#define __GFP_KSWAPD_RECLAIM BIT(11)
#define __GFP_WRITE BIT(12)
#define __GFP_NOWARN BIT(13)
#define __GFP_RETRY_MAYFAIL BIT(14)
#define __GFP_NOFAIL BIT(15)
#define __GFP_NORETRY BIT(16)
#define __GFP_MEMALLOC BIT(17)
#define __GFP_COMP BIT(18)
#define __GFP_NOMEMALLOC BIT(19)
#define __GFP_HARDWALL BIT(20)
#define __GFP_THISNODE BIT(21)
#define __GFP_ACCOUNT BIT(22)
#define __GFP_ZEROTAGS BIT(23)
#define __GFP_SKIP_ZERO BIT(24)
#define __GFP_SKIP_KASAN BIT(25)

/* Every bit above; any other bit in a case is bad input. */
#define GFP_BITS_MASK (BIT(26) - 1U - BIT(9))

#define __GFP_RECLAIM (__GFP_DIRECT_RECLAIM | __GFP_KSWAPD_RECLAIM)
#define GFP_ATOMIC (__GFP_HIGH | __GFP_KSWAPD_RECLAIM)
#define GFP_NOWAIT (__GFP_KSWAPD_RECLAIM | __GFP_NOWARN)
#define GFP_NOIO __GFP_RECLAIM
#define GFP_NOFS (__GFP_RECLAIM | __GFP_IO)
#define GFP_KERNEL (__GFP_RECLAIM | __GFP_IO | __GFP_FS)
#define GFP_USER (GFP_KERNEL | __GFP_HARDWALL)
#define GFP_HIGHUSER (GFP_USER | __GFP_HIGHMEM)
#define GFP_HIGHUSER_MOVABLE (GFP_HIGHUSER | __GFP_MOVABLE | __GFP_SKIP_KASAN)
#define GFP_TRANSHUGE_LIGHT \
	((GFP_HIGHUSER_MOVABLE | __GFP_COMP | __GFP_NOMEMALLOC | __GFP_NOWARN) & ~__GFP_RECLAIM)
#define GFP_TRANSHUGE (GFP_TRANSHUGE_LIGHT | __GFP_DIRECT_RECLAIM)
/* What the nolock API forces (spec 1.2, L5400). */
#define GFP_NOLOCK (__GFP_NOWARN | __GFP_ZERO | __GFP_NOMEMALLOC | __GFP_COMP)

/* Watermark indices; they are the low two bits of alloc_flags. */
enum zone_watermarks { WMARK_MIN, WMARK_LOW, WMARK_HIGH, WMARK_PROMO, NR_WMARK };

#define ALLOC_WMARK_MIN WMARK_MIN
#define ALLOC_WMARK_LOW WMARK_LOW
#define ALLOC_WMARK_HIGH WMARK_HIGH
#define ALLOC_WMARK_MASK 0x3U
#define ALLOC_NO_WATERMARKS 0x04U
#define ALLOC_OOM 0x08U
#define ALLOC_NON_BLOCK 0x10U
#define ALLOC_MIN_RESERVE 0x20U
#define ALLOC_CPUSET 0x40U
#define ALLOC_CMA 0x80U
/*
 * 0x100 here; on a machine without ZONE_DMA32 the kernel's constant is 0, so
 * the port never sets it there (spec 1.5). See alloc_nofragment().
 */
#define ALLOC_NOFRAGMENT 0x100U
#define ALLOC_HIGHATOMIC 0x200U
#define ALLOC_NOLOCK 0x400U
#define ALLOC_KSWAPD 0x800U
#define ALLOC_RESERVES (ALLOC_NON_BLOCK | ALLOC_MIN_RESERVE | ALLOC_HIGHATOMIC | ALLOC_OOM)

#define PAGE_ALLOC_COSTLY_ORDER 3
#define MAX_RECLAIM_RETRIES 16
#define MAX_COMPACT_RETRIES 16
#define SWAP_CLUSTER_MAX 32
#define COMPACT_CLUSTER_MAX 32
#define COMPACT_MAX_DEFER_SHIFT 6

enum compact_priority {
	COMPACT_PRIO_SYNC_FULL,
	COMPACT_PRIO_SYNC_LIGHT,
	COMPACT_PRIO_ASYNC,
};

/* Results are combined with max(), so the order matters (spec 1.1). */
enum compact_result {
	COMPACT_NOT_SUITABLE_ZONE,
	COMPACT_SKIPPED,
	COMPACT_DEFERRED,
	COMPACT_NO_SUITABLE_PAGE,
	COMPACT_CONTINUE,
	COMPACT_COMPLETE,
	COMPACT_PARTIAL_SKIPPED,
	COMPACT_CONTENDED,
	COMPACT_SUCCESS,
	NR_COMPACT_RESULTS,
};

#endif
