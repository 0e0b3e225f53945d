/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The port of the Linux page allocator, as its users see it. Functions carry
 * the kernel's names and take the memory that they work on first; a page is
 * named by its PFN, "no page" is PFN_NONE, node masks are bits.
 *
 * A run is: memory_create(); then for each op memory_begin_op(), one call,
 * memory_end_op(); then memory_reset() or memory_destroy().
 */
#ifndef MODEL_PORT_H
#define MODEL_PORT_H

#include "model/event.h"
#include "model/nest.h"
#include "model/written.h"
#include "model/view.h"

struct memory;

/*
 * Boot @machine, which must pass machine_check(): zones wholly free in blocks of
 * max_page_order at the list tails in PFN order, reserved and CMA ranges set
 * aside, marks and pcp sizes computed. Returns NULL without memory.
 */
struct memory *memory_create(const struct machine *machine);
void memory_destroy(struct memory *m);

/* Back to the state after boot, exactly, at a cost of O(writes). */
void memory_reset(struct memory *m);

/*
 * Compare the state with the one after boot, byte by byte, in uninstrumented
 * code. False after a memory_reset() means that a write bypassed the journal.
 */
bool memory_is_pristine(const struct memory *m);

const struct view *memory_view(const struct memory *m);

/* @observer must stay valid; NULL: nobody listens. */
void memory_observe(struct memory *m, const struct observer *observer);

/* What one op did besides its result. */
struct op_report {
	u32 calls[NR_ENV_CALLS]; /* calls made to the environment */
	u32 kswapd_wakes; /* calls of wakeup_kswapd */
	u32 warnings; /* WARNs that the kernel would have fired */
	bool out_of_fuel; /* the request was ended by the machine's fuel */
};

/* @answers (@nr of them) must stay valid until memory_end_op(). */
void memory_begin_op(struct memory *m, const struct answer *answers, u32 nr);
/* Runs the closed environment's background work. */
void memory_end_op(struct memory *m, struct op_report *report);

/* @nester must stay valid; NULL: nothing comes in between. */
void memory_nest(struct memory *m, const struct nester *nester);
/*
 * Inside of nester->at(), around the calls of one op that @cpu runs: as a plain task, without answers,
 * with its own fuel and report. Afterwards the op that waits goes on as if nothing had been.
 */
void memory_begin_nested(struct memory *m, u32 cpu);
void memory_end_nested(struct memory *m, struct op_report *report);

/*
 * What was changed since the last call, or since boot or memory_reset(); valid until the next call. NULL without memory.
 */
const struct written *memory_written(struct memory *m);

/* ---- allocation (spec 4) ---- */

/* 4.1; the page is returned with refcount 1, or frozen (0). */
u32 alloc_pages(struct memory *m, u32 gfp, u32 order, u32 nid, u32 nodemask);
u32 alloc_frozen_pages(struct memory *m, u32 gfp, u32 order, u32 nid, u32 nodemask);
/* 4.16; refcount 1. */
u32 alloc_pages_nolock(struct memory *m, u32 gfp, u32 nid, u32 order);
/*
 * 4.15: fill the PFN_NONE slots of @pfns[0..nr-1]. Returns how far it got, as the
 * kernel does: all slots before are filled; filled ones behind do not count.
 */
u32 alloc_pages_bulk(struct memory *m, u32 gfp, u32 nid, u32 nodemask, u32 nr, u32 *pfns);
/* Make 2^order separate pages of a non-compound allocation; refcount 1 each unless frozen. */
void split_page(struct memory *m, u32 pfn, u32 order);

/* ---- free (spec 3.1) ---- */

void get_page(struct memory *m, u32 pfn);
void __free_pages(struct memory *m, u32 pfn, u32 order);
void free_frozen_pages(struct memory *m, u32 pfn, u32 order);
void free_pages_nolock(struct memory *m, u32 pfn, u32 order);
void free_frozen_pages_nolock(struct memory *m, u32 pfn, u32 order);
/* 3.7: a batch of folios with no references left; orders[i] belongs to pfns[i]. */
void free_unref_folios(struct memory *m, const u32 *pfns, const u8 *orders, u32 nr);

/* ---- page marks ---- */

/*
 * Set and clear the marks PG_LRU, PG_MOVABLE_OPS, PG_HUGETLB, PG_RESERVED, PG_HWPOISON,
 * PG_PINNED, PG_CLEAN, PG_MLOCKED of a handed-out page of @order. PG_LRU links the head at
 * the young end of the LRU (or takes it off). A folio has one of PG_LRU, PG_MOVABLE_OPS (of order 0 only), PG_HUGETLB (not of order 0):
 * of several the first, and none more where it has one. Marks go away when the page is freed.
 */
void mark_page(struct memory *m, u32 pfn, u32 order, u32 set, u32 clear);

/* ---- pcp (spec 3.10) ---- */

void drain_all_pages(struct memory *m, struct zone *zone); /* NULL: all zones */
void drain_local_pages(struct memory *m, struct zone *zone); /* this CPU; NULL: all zones */
void drain_pages_zone(struct memory *m, u32 cpu, struct zone *zone);
void drain_zone_pages(struct memory *m, struct zone *zone, u32 cpu);
void decay_pcp_high(struct memory *m, struct zone *zone, u32 cpu);
void zone_pcp_disable(struct memory *m, struct zone *zone);
void zone_pcp_enable(struct memory *m, struct zone *zone);

/* ---- isolation and contiguous allocation (spec 7) ---- */

enum pb_isolate_mode {
	PB_ISOLATE_MODE_MEM_OFFLINE,
	PB_ISOLATE_MODE_CMA_ALLOC,
	PB_ISOLATE_MODE_OTHER,
};

/* Return 0 or a negative errno, as in the kernel. Ranges are [start, end), start < end <= nr_pages. */
int start_isolate_page_range(struct memory *m, u32 start, u32 end, enum pb_isolate_mode mode);
void undo_isolate_page_range(struct memory *m, u32 start, u32 end);

#define ACR_FLAGS_CMA BIT(0)
int alloc_contig_frozen_range(struct memory *m, u32 start, u32 end, u32 flags, u32 gfp);
int alloc_contig_range(struct memory *m, u32 start, u32 end, u32 flags, u32 gfp);
/* PFN of the first page, or PFN_NONE. */
u32 alloc_contig_frozen_pages(struct memory *m, u32 nr, u32 gfp, u32 nid, u32 nodemask);
u32 alloc_contig_pages(struct memory *m, u32 nr, u32 gfp, u32 nid, u32 nodemask);
void free_contig_range(struct memory *m, u32 pfn, u32 nr);
void free_contig_frozen_range(struct memory *m, u32 pfn, u32 nr);

/* ---- the machine around it ---- */

void set_cpu(struct memory *m, u32 cpu);
void set_task_flags(struct memory *m, u32 flags); /* enum task_flags */
void set_mems_allowed(struct memory *m, u32 allowed, u32 hardwall);
/* Write a sysctl and recompute what the kernel recomputes; false: out of range, nothing done. */
bool sysctl_write(struct memory *m, enum sysctl which, u32 value);
/*
 * One pass of the node's kswapd (spec 5.4, 6.9): frees at most @max oldest unpinned LRU pages
 * (0: until the node is balanced), lowers the boost, goes back to sleep when balanced.
 */
void kswapd_run(struct memory *m, u32 nid, u32 max);
/* One pass of the node's kcompactd over at most @blocks pageblocks a zone (0: all). */
void kcompactd_run(struct memory *m, u32 nid, u32 blocks);

/* PFNs are handed in by a case: the zone of a type on a node, or NULL. */
struct zone *find_zone(struct memory *m, u32 nid, u32 type);
struct zone *zone_at(struct memory *m, u32 index);

#endif
