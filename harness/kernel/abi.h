/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The border between the harness and a kernel that runs in its process.
 *
 *      host   harness/kernel/ *.c      libc, model/ *.h        loads, answers, reads, resets
 *      -----  abi.h  ---------------------------------------------------------------------
 *      side   harness/kernel/side/     kernel headers          boots, calls, observes
 *             mm/page_alloc.c ...      unmodified
 *
 * Plain C types only: both a kernel file and a harness file include it. Pages are PFNs, zones are
 * indices in the order of (node, type), as in a view. gfp masks and alloc flags that cross the border
 * are those of model/gfp.h; events are those of model/event.h.
 */
#ifndef HARNESS_KERNEL_ABI_H
#define HARNESS_KERNEL_ABI_H

#define KERNEL_ABI 6U
#define KERNEL_NO_PFN 0xffffffffU
#define KERNEL_NO_ZONE 0xffU
#define KERNEL_NO_LIMIT 0xffU /* of a number that this kernel does not have */
#define KERNEL_PCP_LISTS 14 /* of a view */

/* ---- the machine to boot (struct machine in plain types) ----------------- */

struct kernel_zone_layout {
	unsigned char node, type;
	unsigned int start, pages;
};

struct kernel_range {
	unsigned char cma; /* or reserved */
	unsigned int start, pages;
};

struct kernel_machine {
	unsigned int nr_nodes, nr_zones, nr_cpus, nr_ranges;
	unsigned int nr_pages; /* last PFN + 1 */
	unsigned int mobility; /* enum machine_mobility */
	unsigned int hugetlb_migration;
	unsigned int cache_pages;
	unsigned int pcp_batch, pcp_high_min, pcp_high_max; /* 0: as the kernel computes them */
	unsigned int fuel;
	unsigned int sysctl[10]; /* enum sysctl */
	struct kernel_zone_layout zones[32];
	struct kernel_range ranges[16];
	unsigned char node_has_cpus[8];
	unsigned char distance[8][8];
	unsigned char cpu_node[128];
	/* The environment: enum env_kind of reclaim, compact, wake, oom; closed ones' work per op. */
	unsigned char env_kind[4];
	unsigned int kswapd_pages, kcompactd_blocks;
};

/* ---- the state, copied out ----------------------------------------------- */

/* Where a list continues: a PFN, or nr_pages + the head's number, counted as in a view. */
struct kernel_link {
	unsigned int next, prev;
};

struct kernel_page {
	unsigned int private;
	int refcount;
	unsigned int compound_head;
	unsigned short flags; /* enum page_flags */
	unsigned char compound_order, zone;
	struct kernel_link link; /* {0, 0} if the page is on no list */
};

struct kernel_pcp {
	int count, high, high_min, high_max, batch;
	unsigned int flags; /* 1: PREV_FREE_HIGH_ORDER, 2: FREE_HIGH_BATCH */
	int alloc_factor, free_count;
};

struct kernel_zone {
	unsigned char locked;
	unsigned int flags; /* enum zone_flags */
	unsigned int start, spanned, present, managed, cma;
	unsigned int watermark[4], watermark_boost;
	unsigned int lowmem_reserve[4];
	unsigned int nr_reserved_highatomic, nr_free_highatomic, nr_isolate_pageblock;
	unsigned int pageset_high_min, pageset_high_max, pageset_batch;
	unsigned int compact_considered, compact_defer_shift;
	int compact_order_failed;
	unsigned int compact_blockskip_flush;
	unsigned int nr_free[14];
	long long vm_stat[11]; /* enum zone_stat */
	struct kernel_link free_list[14][6]; /* by order and type */
};

struct kernel_node {
	unsigned char nr[2]; /* of the fallback and the no-fallback list */
	unsigned char zones[2][32];
	unsigned char kswapd_awake, kswapd_highest_zoneidx, kswapd_order;
	unsigned char kcompactd_max_order, kcompactd_highest_zoneidx, kcompactd_awake;
	unsigned short kswapd_failures;
};

struct kernel_global {
	unsigned int task_flags, mems_allowed, mems_hardwall, cpu;
	unsigned int mobility_disabled;
	struct kernel_link lru_list;
	unsigned int lru_pages;
	unsigned int drain_disabled_zones;
	unsigned int sysctl[10];
	unsigned long long vm_event[17]; /* enum vm_event */
};

/* ---- what the host offers ------------------------------------------------ */

struct event; /* model/event.h */

struct kernel_host {
	/*
	 * Zeroed memory, a multiple of the page size, that belongs to the state. The first call's is
	 * aligned as the memory map of a kernel must be.
	 */
	void *(*arena)(unsigned long size);
	void (*set_gs)(unsigned long base);
	/* Something happened; what nobody listens to is not sent (kernel_side.mask). */
	void (*event)(const struct event *event);
	/* The answer to enum env_call @call; *@extra may be 0. */
	unsigned int (*ask)(unsigned int call, unsigned int zone, int order, unsigned int gfp,
			    unsigned int arg, unsigned int *extra);
	/* A call that the closed environment answered, to be counted. */
	void (*note)(unsigned int call, unsigned int zone, int order, unsigned int gfp,
		     unsigned int arg, unsigned int answer);
	void (*nest)(unsigned int point); /* enum nest_point */
	/* @format: what a WARN says, or its condition, or ""; @args: four that it says it of, or NULL. */
	void (*warn)(const char *file, unsigned int line, int bug, const char *format,
		     const unsigned long *args);
	void (*print)(const char *format);
	/* Never returns: the kernel cannot go on. */
	__attribute__((noreturn)) void (*die)(const char *why);
	void *(*copy)(void *to, const void *from, unsigned long size); /* memcpy */
};

/* What an op asks for (struct call in plain types). */
struct kernel_call {
	unsigned char kind; /* enum op_kind or CALL_* */
	unsigned char order, flags;
	unsigned int node, gfp, nodemask, pfn, a, b;
	unsigned int *pfns;
	const unsigned char *orders;
	unsigned int nr;
};

struct kernel_result {
	unsigned int pfn, nr;
	int error;
	int unknown; /* this kernel has no such call */
};

/* Which mechanisms are those of 7.3, and which of an older kernel (spec 9). */
struct kernel_generation {
	unsigned char typed_lists, claims, modes; /* fallback policies B-D; C, D; D */
	unsigned char accounts; /* each change of a free list at once */
	unsigned char free_highatomic, free_blocks; /* are counted */
	unsigned char tuned_pcp; /* limits move between high_min and high_max */
	unsigned char frees_in_steps; /* a free gives back what is due in several holds */
	unsigned char isolate_bit; /* or a type */
	unsigned char slow_7x, slow_73; /* the slow path of 7.2, of 7.3 */
	unsigned char contig_no_hugetlb, contig_two_passes;
	unsigned char contig_compound, nolock, decay; /* there are such calls */
};

struct kernel_constants {
	unsigned int block_order, top_order, max_nodes, max_cpus, batch_scale_max, pmd_order;
	unsigned int pcp_lists; /* of a CPU and zone */
	unsigned int page_size; /* of a page's descriptor, in bytes */
	unsigned char dma, dma32, cma, compaction, debug_vm, hooks, hotremove;
	struct kernel_generation generation;
};

struct kernel_counters {
	unsigned char *start, *end;
	const unsigned long *table, *table_end; /* (address, 1: of a function's first edge) */
};

/* ---- what the kernel side offers: the one symbol of the shared object ---- */

struct kernel_side {
	unsigned int abi;
	void (*constants)(struct kernel_constants *to);
	/*
	 * Memory in the shared object that is part of the state, whole pages: 0 the objects' data,
	 * 1 the per-CPU units of the machine that is booted (zero before).
	 */
	void (*region)(unsigned int which, char **start, char **end);
	/*
	 * A build for coverage: clang's counters, a byte for each edge of the kernel's code, and its table
	 * of what these are. They are no part of the state. Otherwise nothing.
	 */
	void (*counters)(struct kernel_counters *to);
	/* Boot once; the state before it is all zero (arena) and as loaded (data). */
	void (*boot)(const struct kernel_host *host, const struct kernel_machine *machine);
	void (*begin_op)(void);
	void (*call)(const struct kernel_call *call, struct kernel_result *result);
	void (*end_op)(void); /* what the woken daemons of a closed environment do */
	void (*begin_nested)(unsigned int cpu);
	void (*end_nested)(void);
	/* Point gs at the CPU that runs: whoever called another subject in between has moved it. */
	void (*enter)(void);
	/* Event types that somebody listens to; nest points that somebody waits at. */
	unsigned long long *mask;
	unsigned int *nest_points;
	/* Read the state. */
	void (*pages)(unsigned int start, unsigned int nr, struct kernel_page *to);
	void (*blocks)(unsigned char *to); /* one byte each, as in a view */
	void (*zone)(unsigned int index, struct kernel_zone *to);
	void (*pcp)(unsigned int zone, unsigned int cpu, struct kernel_pcp *to,
		    struct kernel_link *lists);
	/* What waits on the zone's trylock list, first to last; returns how many pages. */
	unsigned int (*trylock)(unsigned int zone, unsigned int *pfns, unsigned int max);
	void (*node)(unsigned int nid, struct kernel_node *to);
	void (*global)(struct kernel_global *to);
	/* Page descriptors and marks as they lie in memory, of PFN 0 and on: what kernel_page is read from. */
	const void *(*map)(void);
	const unsigned short *(*marks)(void);
	/*
	 * Write hooks (a checked build): the pages that were written to since the last call or the reset,
	 * each once; returns how many, or KERNEL_NO_PFN: there are no hooks. There is room for all pages.
	 */
	unsigned int (*dirty)(unsigned int *pfns);
	int *out_of_fuel; /* the request was ended by the machine's fuel */
	unsigned int *cpu; /* that runs */
	unsigned int *kswapd_wakes; /* calls of wakeup_kswapd() in this op */
	/* The processor trapped at @address: 1 a warning, which was told; 0 a BUG; -1 not the kernel's. */
	int (*trap)(unsigned long address);
};

#endif
