/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the allocator calls but does not contain: reclaim, compaction, OOM,
 * kswapd, locks that may be taken, cookies that may change (spec 6.9). The case
 * answers these calls; nothing is random at run time.
 *
 * Reclaim, compact, wake and OOM are answered in one of three ways, chosen by
 * the machine for each:
 *
 *   whole   the call returns the answer, nothing below it runs
 *   zone    (compact and wake) our driver runs, with deferral and the wake
 *           decision; the answer is what happens in one zone or to one node
 *   closed  a deterministic function of the state: reclaim frees the machine's
 *           own LRU pages oldest first, woken kswapd and kcompactd do a stated
 *           amount of work after each op, compaction moves what is movable, the OOM
 *           killer frees LRU pages of any zone (vmscan.c, kswapd.c, compact_zone.c and
 *           oom.c state the rules)
 *
 * An answer belongs to one op: the first call of its sort within the op takes
 * the first answer, and so on; then the machine's default follows.
 */
#ifndef MODEL_ENVIRONMENT_H
#define MODEL_ENVIRONMENT_H

#include "model/types.h"

enum env_call {
	/* call             value                       extra                    */
	ENV_RECLAIM, /* progress returned            oldest LRU pages to free  */
	ENV_COMPACT, /* enum compact_result          oldest LRU pages to free
			 *                              (whole call: anywhere; zone: in it) with
			 *                              capture armed, then drain this CPU   */
	ENV_WAKE, /* 1: kswapd becomes awake      -                         */
	ENV_OOM, /* 1: out_of_memory says killed oldest LRU pages it frees;
			 *                              bit 31: current is the victim */
	NR_ENV_KINDED, /* the calls above have a kind */
	ENV_NODE_RECLAIM =
		NR_ENV_KINDED, /* pages reclaimed  oldest LRU pages of the node to free */
	ENV_NODE_DIRTY, /* 1: node_dirty_ok is false    -                         */
	ENV_LOCK_PCP, /* 1: the trylock fails         -                         */
	ENV_LOCK_ZONE, /* 1: the trylock (nolock only) fails                     */
	ENV_LOCK_OOM, /* 1: oom_lock is busy          -                         */
	ENV_LOCK_DRAIN, /* 1: another drain holds the mutex                       */
	ENV_NO_TRYLOCK, /* 1: the context of a nolock call cannot trylock at all  */
	ENV_CPUSET_COOKIE, /* 1: cpuset changed (spec 6.1 steps 20, 24, 28)  */
	ENV_ZONELIST_COOKIE, /* 1: zonelists changed                           */
	ENV_FAULT, /* 1: should_fail_alloc_page    -                         */
	ENV_MIGRATE, /* 1: this page fails to migrate (contig, compaction)     */
	NR_ENV_CALLS,
};

enum env_kind { ENV_WHOLE, ENV_ZONE, ENV_CLOSED };

/* One answer; fixed width. */
struct answer {
	u8 call; /* enum env_call */
	u8 kind; /* enum env_kind; ENV_WHOLE for calls without a kind */
	u16 pad;
	u32 value;
	u32 extra;
};

/* "value and extra, for the first `times` calls of an op; then `then`, with extra 0". */
struct env_default {
	u32 value;
	u32 extra;
	u32 times; /* 0: only `then` */
	u32 then;
};

struct env_config {
	u8 kind[NR_ENV_KINDED];
	struct env_default defaults[NR_ENV_CALLS]; /* all zero but compact: SKIPPED */
	u32 kswapd_pages; /* closed: pages that an awake kswapd frees after each op */
	u32 kcompactd_blocks; /* closed: pageblocks that a woken kcompactd scans after each op */
};

/* Whole calls; reclaim fails, compaction is SKIPPED, nobody is woken or killed; locks are free. */
void env_config_init(struct env_config *config);

/* "reclaim", "lock_pcp"; as scripts write them. */
extern const char *const env_call_names[NR_ENV_CALLS];
extern const char *const env_kind_names[];
extern const char *const compact_result_names[]; /* without "COMPACT_" */

#endif
