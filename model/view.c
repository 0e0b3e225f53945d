/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of what the view holds; those of the kernel's /proc files where they have one. */
#include "model/view.h"

const char *const migratetype_names[MIGRATE_TYPES] = {
	[MIGRATE_UNMOVABLE] = "Unmovable",
	[MIGRATE_MOVABLE] = "Movable",
	[MIGRATE_RECLAIMABLE] = "Reclaimable",
	[MIGRATE_HIGHATOMIC] = "HighAtomic",
	[MIGRATE_CMA] = "CMA",
	[MIGRATE_ISOLATE] = "Isolate",
};

const char *const zone_stat_names[NR_ZONE_STATS] = {
	[NR_FREE_PAGES] = "nr_free_pages",
	[NR_FREE_PAGES_BLOCKS] = "nr_free_pages_blocks",
	[NR_FREE_CMA_PAGES] = "nr_free_cma",
	[NR_MLOCK] = "nr_mlock",
	[NR_ZONE_LRU] = "nr_zone_lru",
	[NUMA_HIT] = "numa_hit",
	[NUMA_MISS] = "numa_miss",
	[NUMA_FOREIGN] = "numa_foreign",
	[NUMA_LOCAL] = "numa_local",
	[NUMA_OTHER] = "numa_other",
	[NUMA_INTERLEAVE_HIT] = "numa_interleave",
};

const char *const vm_event_names[NR_VM_EVENTS] = {
	[PGALLOC + ZONE_DMA] = "pgalloc_dma",
	[PGALLOC + ZONE_DMA32] = "pgalloc_dma32",
	[PGALLOC + ZONE_NORMAL] = "pgalloc_normal",
	[PGALLOC + ZONE_MOVABLE] = "pgalloc_movable",
	[PGFREE] = "pgfree",
	[ALLOCSTALL + ZONE_DMA] = "allocstall_dma",
	[ALLOCSTALL + ZONE_DMA32] = "allocstall_dma32",
	[ALLOCSTALL + ZONE_NORMAL] = "allocstall_normal",
	[ALLOCSTALL + ZONE_MOVABLE] = "allocstall_movable",
	[COMPACTSTALL] = "compact_stall",
	[COMPACTFAIL] = "compact_fail",
	[COMPACTSUCCESS] = "compact_success",
	[PAGEOUTRUN] = "pageoutrun",
	[KCOMPACTD_WAKE] = "compact_daemon_wake",
	[UNEVICTABLE_PGCLEARED] = "unevictable_pgs_cleared",
	[HTLB_BUDDY_PGALLOC] = "htlb_buddy_alloc_success",
	[HTLB_BUDDY_PGALLOC_FAIL] = "htlb_buddy_alloc_fail",
};

/* By bit number of enum task_flags. */
const char *const task_flag_names[NR_TASK_FLAGS] = {
	"pf_memalloc",
	"pf_exiting",
	"pf_dumpcore",
	"pf_wq_worker",
	"oom_victim",
	"rt",
	"in_interrupt",
	"in_softirq",
	"fatal_signal",
	"noio",
	"nofs",
	"pin",
	"kthread",
	"storage_suspended",
	"cpusets_enabled",
	"cpusets_insane",
};
