/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The view: the state of an allocator as plain data, enough to judge it
 * without its help. The port keeps its state in these very tables; a kernel
 * subject copies its own into them.
 *
 * Pages are named by PFN, 0 to nr_pages-1. Lists are circular and doubly
 * linked by index: indices below nr_pages are pages, the ones above are list
 * heads, so that
 *
 *      head H of free_list[3][MOVABLE]     links[H].next = 4096
 *        |                                 links[4096].next = 8
 *        v                                 links[8].next = H
 *      4096 <-> 8 <-> (back to H)
 */
#ifndef MODEL_VIEW_H
#define MODEL_VIEW_H

#include "model/gfp.h"
#include "model/machine.h"
#include "model/types.h"

#define NR_ORDERS (MACHINE_MAX_ORDER + 1)

enum migratetype {
	MIGRATE_UNMOVABLE,
	MIGRATE_MOVABLE,
	MIGRATE_RECLAIMABLE,
	MIGRATE_PCPTYPES, /* number of types on the pcp lists */
	MIGRATE_HIGHATOMIC = MIGRATE_PCPTYPES,
	MIGRATE_CMA,
	MIGRATE_ISOLATE, /* an overlay, never stored (spec 2.3) */
	MIGRATE_TYPES,
};

/* ---- pages --------------------------------------------------------------- */

enum page_flags {
	PG_BUDDY = BIT(0), /* head of a free buddy; private is its order */
	PG_HEAD = BIT(1), /* head of a compound page */
	PG_TAIL = BIT(2), /* tail of one; compound_head is set */
	PG_LRU = BIT(3), /* head of a folio on the LRU */
	PG_MOVABLE_OPS = BIT(4),
	PG_HUGETLB = BIT(5), /* head of a hugetlb folio */
	PG_RESERVED = BIT(6),
	PG_HWPOISON = BIT(7),
	PG_PINNED = BIT(8), /* cannot migrate, not reclaimable */
	PG_CLEAN = BIT(9), /* clean page cache: contig drops it (spec 7.5) */
	PG_MLOCKED = BIT(10),
	PG_PFMEMALLOC = BIT(11), /* came with ALLOC_NO_WATERMARKS */
	PG_ONLINE = BIT(12), /* not in a hole */
};

struct page {
	u32 private; /* order: of a free buddy, or on the trylock list */
	s32 refcount;
	union {
		struct {
			u32 compound_head; /* PFN of the head, for PG_TAIL */
			u16 flags; /* enum page_flags */
			u8 compound_order; /* for PG_HEAD */
			u8 zone; /* index in zones[]; ZONE_ANY in a hole */
		};
		u64 word; /* these four at once: tails are written in bulk */
	};
};

struct link {
	u32 next, prev;
};

/* Pageblock flags: the low three bits are the stored migratetype. */
#define PB_MIGRATETYPE_MASK 0x7U
#define PB_ISOLATE 0x10U
#define PB_COMPACT_SKIP 0x08U

/* ---- per-cpu lists (spec 2.5) -------------------------------------------- */

#define NR_LOWORDER_PCP_LISTS (MIGRATE_PCPTYPES * (PAGE_ALLOC_COSTLY_ORDER + 1))
#define NR_PCP_LISTS (NR_LOWORDER_PCP_LISTS + 2)

#define PCPF_PREV_FREE_HIGH_ORDER BIT(0)
#define PCPF_FREE_HIGH_BATCH BIT(1)

struct per_cpu_pages {
	s32 count; /* pages on all lists */
	s32 high, high_min, high_max;
	s32 batch;
	u32 flags; /* PCPF_* */
	s32 alloc_factor;
	s32 free_count;
	u32 lists; /* index of the first of NR_PCP_LISTS list heads */
	u32 pad;
};

/* ---- zones --------------------------------------------------------------- */

enum zone_stat {
	NR_FREE_PAGES,
	NR_FREE_PAGES_BLOCKS,
	NR_FREE_CMA_PAGES,
	NR_MLOCK,
	NR_ZONE_LRU, /* pages on the LRU (reclaimable) */
	NUMA_HIT,
	NUMA_MISS,
	NUMA_FOREIGN,
	NUMA_LOCAL,
	NUMA_OTHER,
	NUMA_INTERLEAVE_HIT,
	NR_ZONE_STATS,
};

enum zone_flags {
	ZONE_BOOSTED_WATERMARK = BIT(0),
	ZONE_RECLAIM_ACTIVE = BIT(1),
	ZONE_BELOW_HIGH = BIT(2),
};

struct zone {
	u8 index, node, type; /* fixed at boot */
	u8 locked; /* zone->lock is held */
	u32 flags; /* enum zone_flags */
	u32 zone_start_pfn, spanned_pages, present_pages, managed_pages, cma_pages;
	u32 _watermark[NR_WMARK]; /* raw, without boost */
	u32 watermark_boost;
	u32 lowmem_reserve[MAX_NR_ZONES];
	u32 nr_reserved_highatomic;
	u32 nr_free_highatomic;
	u32 nr_isolate_pageblock;
	u32 pageset_high_min, pageset_high_max, pageset_batch;
	u32 compact_considered, compact_defer_shift;
	s32 compact_order_failed;
	u32 compact_blockskip_flush;
	u32 free_lists; /* index of the list head of order 0, type 0 */
	u32 trylock_list; /* index of the list head; last added first */
	u32 nr_free[NR_ORDERS];
	u32 pad;
	s64 vm_stat[NR_ZONE_STATS];
};

/* ---- nodes --------------------------------------------------------------- */

struct zonelist {
	u8 nr;
	u8 zones[MACHINE_MAX_ZONES]; /* indices in zones[] */
};

enum { ZONELIST_FALLBACK, ZONELIST_NOFALLBACK, MAX_ZONELISTS };

struct node {
	struct zonelist zonelists[MAX_ZONELISTS];
	u8 kswapd_awake; /* its wait queue is empty */
	u8 kswapd_highest_zoneidx;
	u8 kswapd_order;
	u8 kcompactd_max_order;
	u8 kcompactd_highest_zoneidx;
	u8 kcompactd_awake;
	u16 kswapd_failures;
};

/* ---- vm events (global, as in /proc/vmstat) ------------------------------ */

enum vm_event {
	PGALLOC, /* + zone type */
	PGFREE = PGALLOC + MAX_NR_ZONES,
	ALLOCSTALL, /* + zone type */
	COMPACTSTALL = ALLOCSTALL + MAX_NR_ZONES,
	COMPACTFAIL,
	COMPACTSUCCESS,
	PAGEOUTRUN,
	KCOMPACTD_WAKE,
	UNEVICTABLE_PGCLEARED,
	HTLB_BUDDY_PGALLOC,
	HTLB_BUDDY_PGALLOC_FAIL,
	NR_VM_EVENTS,
};

/* ---- the task that calls (spec 6.9) -------------------------------------- */

enum task_flags {
	TASK_PF_MEMALLOC = BIT(0),
	TASK_PF_EXITING = BIT(1),
	TASK_PF_DUMPCORE = BIT(2),
	TASK_PF_WQ_WORKER = BIT(3),
	TASK_OOM_VICTIM = BIT(4),
	TASK_RT = BIT(5), /* real-time or deadline priority */
	TASK_IN_INTERRUPT = BIT(6),
	TASK_IN_SOFTIRQ = BIT(7), /* serving a softirq; implies in interrupt */
	TASK_FATAL_SIGNAL = BIT(8),
	TASK_NOIO = BIT(9),
	TASK_NOFS = BIT(10),
	TASK_PIN = BIT(11),
	TASK_KTHREAD = BIT(12), /* no capture (spec 3.9) */
	TASK_STORAGE_SUSPENDED = BIT(13), /* spec 6.8 step 3 */
	TASK_CPUSETS_ENABLED = BIT(14),
	TASK_CPUSETS_INSANE = BIT(15),
	NR_TASK_FLAGS = 16,
};

struct task {
	u32 flags; /* enum task_flags */
	u32 mems_allowed; /* node mask of its cpuset; all nodes by default */
	u32 mems_hardwall; /* of the nearest hardwalled ancestor */
	u32 cpu; /* the CPU that it runs on */
};

/* ---- all of it ----------------------------------------------------------- */

struct global {
	struct task task;
	u32 page_group_by_mobility_disabled;
	u32 lru_list; /* index of the list head; oldest first */
	u32 isolated_list; /* privately isolated pages; empty between ops */
	u32 lru_pages; /* on lru_list */
	u32 drain_disabled_zones; /* zones in zone_pcp_disable(), one bit each */
	u32 pad;
	u32 sysctl[NR_SYSCTLS];
	u64 vm_event[NR_VM_EVENTS];
};

struct view {
	const struct machine *machine;
	const struct global *global;
	const struct node *nodes; /* [machine->nr_nodes] */
	const struct zone *zones; /* [machine->nr_zones] */
	const struct per_cpu_pages *pcps; /* [zone * nr_cpus + cpu] */
	const struct page *pages; /* [nr_pages] */
	const struct link *links; /* [nr_pages + list heads] */
	const u8 *pageblock_flags; /* [pfn >> pageblock_order] */
	u32 nr_pages;
	u32 nr_links;
};

static inline u32 free_list_head(const struct zone *z, u32 order, u32 mt)
{
	return z->free_lists + order * MIGRATE_TYPES + mt;
}

static inline u32 pcp_list_head(const struct per_cpu_pages *pcp, u32 pindex)
{
	return pcp->lists + pindex;
}

static inline const struct per_cpu_pages *view_pcp(const struct view *v, u32 zone, u32 cpu)
{
	return &v->pcps[zone * v->machine->nr_cpus + cpu];
}

static inline u32 zone_end_pfn(const struct zone *z)
{
	return z->zone_start_pfn + z->spanned_pages;
}

/* Short names as in /proc: "Normal"; "Unmovable". */
extern const char *const migratetype_names[MIGRATE_TYPES];
extern const char *const zone_stat_names[NR_ZONE_STATS];
extern const char *const vm_event_names[NR_VM_EVENTS];
extern const char *const task_flag_names[NR_TASK_FLAGS];

#endif
