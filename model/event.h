/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a subject reports while an op runs. Two classes: public events are the
 * kernel's tracepoints under their own names; inner events are decisions and
 * lock sections that no tracepoint shows. Counters are in the view.
 *
 * An observer is called at the moment of the event; one that says so may read the view.
 */
#ifndef MODEL_EVENT_H
#define MODEL_EVENT_H

#include "model/types.h"

enum event_type {
	/* ---- public: spec 11 ------------------------------------------------
	 *                         order  pfn      gfp   a                b             c */
	EV_MM_PAGE_ALLOC, /* order  pfn|NONE gfp   migratetype                      */
	EV_MM_PAGE_FREE, /* order  pfn                                             */
	EV_MM_PAGE_FREE_BATCHED, /*       pfn                                             */
	EV_MM_PAGE_PCPU_DRAIN, /* order  pfn            migratetype                      */
	EV_MM_PAGE_ALLOC_ZONE_LOCKED, /* order pfn       migratetype      percpu_refill   */
	EV_MM_PAGE_ALLOC_EXTFRAG, /* order pfn           fallback_order   start mt      fallback mt
				 * gfp holds change_ownership (0, 1) */
	EV_RECLAIM_RETRY_ZONE, /* order                 available        min_wmark     no_progress_loops
				 * gfp holds wmark_check; zone is set; pfn holds reclaimable */
	EV_COMPACT_RETRY, /* order                 priority         result        retries
				 * gfp holds the answer (0, 1); pfn holds max_retries */
	EV_MM_VMSCAN_WAKEUP_KSWAPD, /* order         gfp  node             highest idx     */
	EV_MM_VMSCAN_DIRECT_RECLAIM_BEGIN, /* order  gfp                                  */
	EV_MM_VMSCAN_DIRECT_RECLAIM_END, /*              nr reclaimed                     */
	EV_TEST_PAGES_ISOLATED, /*        start          end              first bad pfn or end */
	EV_MM_SETUP_PER_ZONE_WMARKS, /*                  min low high in a b c; zone is set */
	EV_LAST_PUBLIC = EV_MM_SETUP_PER_ZONE_WMARKS,

	/* ---- inner: where decisions are made ------------------------------- */
	EV_GPFF, /* order           gfp   alloc_flags      highest idx   nodemask
				 * zone is the preferred zone: a get_page_from_freelist pass begins
				 * (again at its internal RETRY, with what is left of the flags) */
	EV_GPFF_END, /* order  pfn|NONE gfp   alloc_flags in force at the end  */
	EV_WAKEUP_KSWAPD, /* order           gfp   highest idx      node; zone: called, whatever it does */
	EV_WAKEUP_KCOMPACTD, /* order                 highest idx      node            */
	EV_DRAIN_ALL_PAGES, /* zone or ZONE_ANY      1: it ran, 0: another drain was running */
	EV_UNRESERVE_HIGHATOMIC, /* order pfn            force            new type      pages;
				 * zone: this buddy's block(s) left the reserve */
	EV_RESERVE_HIGHATOMIC, /* order  pfn            pages; zone                      */
	EV_ZONE_LOCK, /* zone                                                   */
	EV_ZONE_UNLOCK, /* zone                  looks            scans: the work since the lock was
			 * taken. A look for a free buddy is one at a list
			 * (get_page_from_free_area) or at the fallback lists of an order
			 * (find_suitable_fallback), a scan goes through a block (counting in
			 * prep_move_freepages_block, __move_freepages_block). The lock is still
			 * held in the eyes of the view */
	EV_SLOWPATH_EXIT, /* order           gfp   enum slowpath_exit               */
	EV_CAPTURE, /* order  pfn            migratetype: given to the capture control */
	EV_WARN, /*              pfn            enum warn_id     end: a WARN of the kernel would fire;
		  * pages [pfn, end) if it names some */
	EV_CONTIG_RANGE, /*      start    gfp   end              ACR flags: alloc_contig_frozen_range() begins */
	EV_CONTIG_RANGE_END, /*  start          end: it returns, whether it got the range or not */

	/* ---- environment: calls with arguments, and what they did ---------- */
	EV_ENV_CALL, /* order           gfp   enum env_call    argument      answer; zone */
	/* ^ A compaction has ZONE_ANY; each zone that is asked for on its way, before it, has its
	 * own. Closed calls are reported when their answer is known. */
	EV_ENV_FREED, /* order  pfn: the environment freed this handed-out page          */
	EV_ENV_MOVED, /* order  pfn            new pfn: contents moved, pfn is now free   */
	NR_EVENTS,
};

#define ZONE_ANY 0xff

/* Where a slow path ended (spec 6.1; the number is the step). */
enum slowpath_exit {
	SLOW_EXIT_NO_ZONE = 5,
	SLOW_EXIT_CPUSET_INSANE = 6,
	SLOW_EXIT_GPFF = 8, /* page */
	SLOW_EXIT_NO_DIRECT_RECLAIM = 11,
	SLOW_EXIT_PF_MEMALLOC = 12,
	SLOW_EXIT_RECLAIM = 15, /* page */
	SLOW_EXIT_COMPACT = 16, /* page */
	SLOW_EXIT_NORETRY_THISNODE = 17,
	SLOW_EXIT_NORETRY = 18,
	SLOW_EXIT_COSTLY = 19,
	SLOW_EXIT_OOM_PAGE = 25, /* page */
	SLOW_EXIT_OOM_VICTIM = 26,
	SLOW_EXIT_NO_OOM_PROGRESS = 27, /* nothing left to try */
	SLOW_EXIT_NOFAIL_PAGE = 29, /* page from the last resort */
	SLOW_EXIT_FUEL = 31, /* bounded here, unbounded in the kernel */
};

enum warn_id {
	WARN_GFP_MOVABLE_RECLAIMABLE, /* both mobility bits */
	WARN_ORDER_TOO_LARGE,
	WARN_NOFAIL_NO_RECLAIM,
	WARN_NOFAIL_PF_MEMALLOC,
	WARN_OOM_NOFAIL,
	WARN_HIGHATOMIC_CLAMP, /* nr_reserved_highatomic would go negative */
	WARN_ISOLATE_STATE, /* block already in the wanted isolate state */
	WARN_CONTIG_COMP_MISMATCH, /* spec 7.2 step 10: the pages it names are lost */
	WARN_BAD_ALLOC_FLAGS,
	WARN_GFP_ZONE, /* two zone selectors */
	WARN_CONTIG_COMP, /* __GFP_COMP where a range is to be of single pages */
	WARN_KERNEL, /* some WARN of a kernel; end: its line */
	NR_WARNS,
};

struct event {
	u8 type; /* enum event_type */
	u8 cpu;
	u8 zone; /* index in the view, or ZONE_ANY */
	s8 order; /* or -1 */
	u32 pfn; /* or PFN_NONE */
	u32 gfp;
	u32 a, b, c;
};

/* Bit of an event type in an observer's mask. */
#define EV_BIT(type) (1ULL << (type))
#define EV_ALL ((1ULL << NR_EVENTS) - 1)
#define EV_PUBLIC ((2ULL << EV_LAST_PUBLIC) - 1)

struct observer {
	/* Called for every event whose bit is in @mask. */
	void (*event)(void *ctx, const struct event *event);
	void *ctx;
	u64 mask;
	bool views; /* it reads the view then: the subject must bring it up to date before */
};

/* "mm_page_alloc", "gpff"; in the order of enum event_type. */
extern const char *const event_names[NR_EVENTS];
extern const char *const warn_names[NR_WARNS];

#endif
