/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the kernel side share. They are compiled with the kernel's headers and flags, and
 * offer to the kernel what it calls, in three ways:
 *
 *      no-op         nothing can be observed by an allocator (plain/stubs.c)
 *      environment   the case answers, as the port asks it to (env.c, migrate.c, locks.c)
 *      observer      the kernel's own function runs, and what it did is told (observe.c)
 */
#ifndef KERNEL_SIDE_H
#define KERNEL_SIDE_H

#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/gfp.h>
#include <linux/sched.h>
#include <linux/cpumask.h>
#include <linux/vmstat.h>
#include <linux/compaction.h>
#include <linux/swap.h>
#include <linux/oom.h>
#include <linux/cpuset.h>
#include <linux/hugetlb.h>
#include <linux/page-isolation.h>
#include <linux/memory_hotplug.h>
#include <linux/cacheinfo.h>
#include <linux/sched/signal.h>
#include <linux/migrate.h>
#include <linux/mm_inline.h>
#include <linux/sysctl.h>
#include <linux/fault-inject.h>

#include "internal.h"
#ifdef HAVE_MM_PAGE_ALLOC_H
#include "page_alloc.h"
#endif
#ifdef HAVE_MM_MM_INIT_H
#include "mm_init.h"
#endif
#ifdef HAVE_MM_SWAP_H
#include "swap.h"
#endif

/* The kernel has the integer types that these two need. */
#define MODEL_TYPES_H
#include "model/event.h"
#include "model/environment.h"
#include "model/nest.h"
#include "harness/kernel/abi.h"

#include "trees.h"

#define SIDE_MAX_NODES 8

/* Everything that this side remembers; a part of the state. */
struct side {
	struct kernel_host host;
	struct kernel_machine machine;
	unsigned long long mask; /* event types that somebody listens to */
	unsigned int nest_points;
	struct zone *zones[32]; /* by index */
	unsigned char zone_index[SIDE_MAX_NODES][MAX_NR_ZONES];
	unsigned int cpu; /* that runs */
	unsigned int task_flags; /* enum task_flags of model/view.h */
	nodemask_t mems_hardwall;
	bool nolock; /* the call is one that must not spin */
	bool searching; /* the call looks for a range of contiguous pages */
	int out_of_fuel;
	unsigned int fuel;
	unsigned int kswapd_wakes; /* calls of wakeup_kswapd() in this op */
	unsigned int drain_disabled_zones;
	unsigned short *marks; /* [nr_pages] marks that only the environment knows */
	struct list_head lru; /* every folio on the LRU, oldest first */
	struct side_daemons {
		unsigned char kswapd_awake, kswapd_highest_zoneidx, kswapd_order;
		unsigned char kcompactd_max_order, kcompactd_highest_zoneidx, kcompactd_awake;
		unsigned short kswapd_failures;
	} daemons[SIDE_MAX_NODES];
	bool nested; /* an op runs inside of another one */
	/* What an op that waits for a nested one finds again. */
	struct {
		unsigned int cpu, task_flags, nest_points, fuel, kswapd_wakes;
		nodemask_t mems_allowed, mems_hardwall;
		struct capture_control *capture;
		int out_of_fuel, preempt;
		unsigned int task_pf;
	} outer;
};
extern struct side side;

#define MAX_SIDE_ZONES 4 /* MAX_NR_ZONES of model/machine.h */

/* ---- names of view.h, which cannot be included here ---- */
enum {
	SIDE_PG_BUDDY = 1 << 0,
	SIDE_PG_HEAD = 1 << 1,
	SIDE_PG_TAIL = 1 << 2,
	SIDE_PG_LRU = 1 << 3,
	SIDE_PG_MOVABLE_OPS = 1 << 4,
	SIDE_PG_HUGETLB = 1 << 5,
	SIDE_PG_RESERVED = 1 << 6,
	SIDE_PG_HWPOISON = 1 << 7,
	SIDE_PG_PINNED = 1 << 8,
	SIDE_PG_CLEAN = 1 << 9,
	SIDE_PG_MLOCKED = 1 << 10,
	SIDE_PG_PFMEMALLOC = 1 << 11,
	SIDE_PG_ONLINE = 1 << 12,
};

enum {
	SIDE_PF_MEMALLOC = 1 << 0,
	SIDE_PF_EXITING = 1 << 1,
	SIDE_PF_DUMPCORE = 1 << 2,
	SIDE_PF_WQ_WORKER = 1 << 3,
	SIDE_OOM_VICTIM = 1 << 4,
	SIDE_RT = 1 << 5,
	SIDE_IN_INTERRUPT = 1 << 6,
	SIDE_IN_SOFTIRQ = 1 << 7,
	SIDE_FATAL_SIGNAL = 1 << 8,
	SIDE_NOIO = 1 << 9,
	SIDE_NOFS = 1 << 10,
	SIDE_PIN = 1 << 11,
	SIDE_KTHREAD = 1 << 12,
	SIDE_STORAGE_SUSPENDED = 1 << 13,
	SIDE_CPUSETS_ENABLED = 1 << 14,
	SIDE_CPUSETS_INSANE = 1 << 15,
};

/* ---- percpu.c ---- */
void percpu_boot(unsigned int nr_cpus);
void side_units(char **start, char **end);
void side_set_cpu(unsigned int cpu);
/* Is @p in the memory of some CPU? */
bool percpu_owns(const void *p);

/* ---- boot.c ---- */
void side_boot(const struct kernel_host *host, const struct kernel_machine *machine);

static inline unsigned int zone_number(const struct zone *z)
{
	return z ? side.zone_index[zone_to_nid((struct zone *)z)][zone_idx((struct zone *)z)] : KERNEL_NO_ZONE;
}

/* ---- task.c ---- */
void side_set_task(unsigned int flags);
void side_set_cpuset(unsigned int mems_allowed, unsigned int mems_hardwall);
extern struct task_struct side_task;

/* ---- locks.c ---- */
bool side_lock_is_held(const spinlock_t *lock);

/* ---- env.c ---- */
unsigned int env_ask(unsigned int call, struct zone *z, int order, gfp_t gfp, unsigned int arg,
		     unsigned int *extra);
unsigned int reclaim_lru(unsigned int zone_mask, unsigned int nr);
void side_kswapd_boot(unsigned int nid);
void side_kswapd_run(unsigned int nid, unsigned int max);
void side_end_op(void);

/* ---- marks.c: folios in use ---- */
void side_mark(struct page *page, unsigned int order, unsigned int set, unsigned int clear);
/* Every mark goes away; the page is about to be freed. */
void side_unmark(struct page *page, unsigned int order);
unsigned int side_marks(struct page *page);
/* A folio that compaction.c isolated is nobody's any more; or it joins the LRU. */
void side_forget_lru(struct folio *folio);
void side_lru_add(struct folio *folio);
void side_put_page(struct page *page, unsigned int order);
bool side_defrag_mode(void);
unsigned int side_order(struct page *page); /* of the compound page headed by it, or 0 */

/* ---- calls.c ---- */
void side_call(const struct kernel_call *call, struct kernel_result *result);
int side_sysctl_write(unsigned int which, unsigned int value);
void side_sysctl_boot(unsigned int which, unsigned int value);
int side_sysctl_read(unsigned int which);
#define SIDE_SYSCTL_MIN_FREE_KBYTES 3
unsigned int gfp_from_kernel(gfp_t gfp);
gfp_t gfp_to_kernel(unsigned int gfp);
unsigned int alloc_flags_from_kernel(unsigned int flags);

/* ---- observe.c ---- */
void side_emit(struct event event);

static inline void side_nest(unsigned int point)
{
	if (unlikely(side.nest_points & (1U << point)))
		side.host.nest(point);
}

#define EMIT(type_, ...)                                                                   \
	do {                                                                               \
		if (side.mask & (1ULL << (type_)))                                         \
			side_emit((struct event){.type = (type_), .pfn = KERNEL_NO_PFN,    \
						 .zone = KERNEL_NO_ZONE, .order = -1,      \
						 __VA_ARGS__});                            \
	} while (0)

int side_trap(unsigned long address);

/* ---- generation.c ---- */
void side_generation(struct kernel_generation *to);

/* ---- state.c, hooks.c ---- */
void side_init_block(unsigned long pfn, unsigned int mt);
void side_watch_pages(void); /* from now on */
unsigned int side_dirty(unsigned int *pfns);

#endif
