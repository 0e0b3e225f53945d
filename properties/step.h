/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What properties about transitions are judged by: one op with everything that
 * was seen while it ran, and each decision that was taken under a zone->lock.
 *
 *      request          op runs                                      result
 *        |--- events: gpff . lock [ extfrag, zone_locked ] unlock ... --|
 *        before                 was ^  ^ view: one decision         view: now
 *
 * Everything here is gathered by the judge (judge.h) from events, from the view
 * and from what the caller asked for; nothing is the subject's own verdict.
 */
#ifndef PROPERTIES_STEP_H
#define PROPERTIES_STEP_H

#include "properties/properties.h"

/* One call into the allocator, as its caller made it. */
enum request_kind {
	/*                    uses                                       result        */
	REQUEST_ALLOC, /* order node gfp nodemask, frozen             pfn           */
	REQUEST_NOLOCK, /* order node gfp                              pfn           */
	REQUEST_BULK, /* nr node gfp nodemask; filled: slots full before;  nr filled at the end */
	REQUEST_FREE, /* pfn order; nolock, frozen: no reference is held, refs: references held before */
	REQUEST_FREE_BATCH, /* nr folios                                                */
	REQUEST_GET,
	REQUEST_SPLIT, /* pfn order                                                 */
	REQUEST_MARK, /* pfn order                                                 */
	REQUEST_DRAIN, /* sub: enum drain_kind below; zone or ZONE_ANY, cpu         */
	REQUEST_ISOLATE, /* start end, sub: mode                        error         */
	REQUEST_UNISOLATE, /* start end                                                 */
	REQUEST_CONTIG_RANGE, /* start end gfp, sub: ACR flags, frozen    error         */
	REQUEST_CONTIG_PAGES, /* nr node gfp nodemask, frozen             pfn           */
	REQUEST_CONTIG_FREE, /* pfn nr, frozen                                          */
	REQUEST_MACHINE, /* cpu, task, cpuset, sysctl, kswapd_run, kcompactd_run       */
	NR_REQUESTS,
};
#define REQUEST_BIT(kind) (1U << (kind))
#define REQUEST_ANY (REQUEST_BIT(NR_REQUESTS) - 1U)
#define REQUEST_ALLOCATES (REQUEST_BIT(REQUEST_ALLOC) | REQUEST_BIT(REQUEST_NOLOCK))
#define REQUEST_FREES                                                  \
	(REQUEST_BIT(REQUEST_FREE) | REQUEST_BIT(REQUEST_FREE_BATCH) | \
	 REQUEST_BIT(REQUEST_CONTIG_FREE))
#define REQUEST_CONTIG (REQUEST_BIT(REQUEST_CONTIG_RANGE) | REQUEST_BIT(REQUEST_CONTIG_PAGES))
#define REQUEST_ISOLATES \
	(REQUEST_BIT(REQUEST_ISOLATE) | REQUEST_BIT(REQUEST_UNISOLATE) | REQUEST_CONTIG)

/* As in the harness's enum drain. */
enum drain_kind {
	DRAINED_ALL,
	DRAINED_ZONE,
	DRAINED_LOCAL,
	DRAINED_CPU_ZONE,
	DRAINED_EXPIRE,
	DRAINED_DECAY,
	DRAINED_PCP_DISABLE,
	DRAINED_PCP_ENABLE,
};

struct request {
	u8 kind; /* enum request_kind */
	u8 order;
	u8 node;
	u8 sub;
	u8 zone, cpu;
	bool frozen, nolock;
	u32 gfp; /* as the caller gave it */
	u32 nodemask; /* or NODEMASK_NULL */
	u32 pfn; /* of a free; result of an allocation: result_pfn */
	u32 start, end;
	u32 nr, filled, refs;
	/* result */
	u32 result_pfn; /* or PFN_NONE */
	u32 result_nr;
	s32 error;
	bool out_of_fuel; /* ended by the machine's fuel: says nothing about promises */
	bool died; /* it never returned */
};

/* The small state, copied before the op: all that a property compares but pages and links. */
struct shot {
	struct global global;
	struct zone *zones; /* [nr_zones] */
	struct per_cpu_pages *pcps; /* [zone * nr_cpus + cpu] */
	u32 *trylock; /* [nr_zones]: pages on the zone's trylock list */
	u8 *blocks; /* pageblock_flags; copied before requests of REQUEST_ISOLATES only */
};

/* The call right before a step, if nothing at all happened between the two. */
struct earlier {
	struct request request; /* with its result */
	const struct shot *before;
	u64 seen; /* EV_BIT of every type of event that it caused */
};

/* Where the events of one type are among those of a step. */
struct occurrence {
	u32 first, last; /* indices */
};

/* One op that has ended. */
struct step {
	const struct request *request;
	const struct shot *before;
	const struct view *view; /* now */
	const struct event *events; /* of this request only, in order */
	u32 nr_events;
	/* Ops of other CPUs ran inside: differences between before and now are not its own. */
	bool interleaved;
	/* Some of the events did not fit; what counts them cannot be judged. */
	bool events_lost;
	/* It runs inside an op of another CPU, which may hold the lock of a pcp. */
	bool nested;
	u64 seen; /* EV_BIT of every type of event, the lost ones included */
	const struct occurrence *of; /* [type] in events; there for types that were seen */
	/* The slow path of an allocation (slowpath.h); NULL: there was none, or not all of it is known. */
	const struct slow *slow;
	/* NULL: the first of a case, or nested; or what came before was interleaved, not all seen, or
	 * of a kind that no property asks for. */
	const struct earlier *earlier;
};

/*
 * One zone when its lock was taken, or right after the decision before. But where no page can be
 * taken (may_take()), heads are not there, and a drain leaves zone as it was before it.
 */
struct zone_shot {
	struct zone zone;
	/* The heads of its free lists, see shot_first(). */
	struct link heads[NR_ORDERS][MIGRATE_TYPES];
	/* pageblock_flags of the zone's blocks, from the block of zone_start_pfn on. */
	u8 *blocks;
	u32 first_block, nr_blocks;
	u32 nr_pages; /* of the view */
	/* The head of each pcp list: next is its first page, prev its last one. */
	struct link *pcp_ends; /* [cpu * NR_PCP_LISTS + list] */
};

/* First page of a free list, or PFN_NONE. Links beyond the pages are list heads (view.h). */
static inline u32 shot_first(const struct zone_shot *shot, u32 order, u32 mt)
{
	u32 first = shot->heads[order][mt].next;

	return first < shot->nr_pages ? first : PFN_NONE;
}

/* pageblock_flags of block number @block, before; 0xff if it is not the zone's. */
static inline u8 zone_shot_block(const struct zone_shot *shot, u32 block)
{
	u32 i = block - shot->first_block;

	return i < shot->nr_blocks ? shot->blocks[i] : 0xff;
}

/*
 * A page was taken, a block changed hands, or the lock was released: one of EXTFRAG, ZONE_LOCKED,
 * CAPTURE, RESERVE_HIGHATOMIC, UNRESERVE_HIGHATOMIC, PCPU_DRAIN, ZONE_UNLOCK, while zone->lock is held.
 *
 * A property may also ask for events at which no lock is held, to see the view at that
 * moment: EV_GPFF (a pass begins), EV_GPFF_END (it ends, with or without a page),
 * EV_RECLAIM_RETRY_ZONE, EV_TEST_PAGES_ISOLATED and EV_CONTIG_RANGE (a range is tried). There was
 * is NULL, zone is NULL where the event has ZONE_ANY, the two counts are 0, and pass is the EV_GPFF
 * of that pass (its last one, if it retried inside), or, for the others, of the last pass of the
 * request. For EV_CONTIG_RANGE nr_before is the number of ranges that the request has tried before.
 */
struct decision {
	const struct event *event;
	const struct zone_shot *was; /* before it */
	const struct view *view; /* after it */
	const struct zone *zone; /* in view */
	const struct request *request; /* on whose behalf; its result is not known yet */
	/* The get_page_from_freelist pass that it belongs to (EV_GPFF: effective flags), or NULL:
	 * bulk API, frees, contig. */
	const struct event *pass;
	/* Decisions of the same lock hold before this one, and of those the ones that stole
	 * (EXTFRAG of a buddy below pageblock_order whose block kept its type). */
	u32 nr_before, stolen_before;
	/* EXTFRAG of a claim of part of a block: the ZONE_LOCKED of the same page just before it. The
	 * two are one decision, and was is the zone before both. NULL elsewhere. */
	const struct event *claimed;
	/* What was taken off the free lists (take.h), or NULL. */
	const struct take *take;
	/* A pageblock of the zone has other flags than before. */
	bool blocks_changed;
	/* EV_GPFF_END: how often a zone->lock was taken since the pass began. */
	u32 locks;
	/* Ops of other CPUs have run inside the request; it runs inside another CPU's (struct step). */
	bool interleaved, nested;
};

/* Can pages be taken off the free lists for somebody? Nobody but a pass and the bulk API does. */
static inline bool may_take(const struct decision *d)
{
	return d->pass || d->request->kind == REQUEST_BULK;
}

enum verdict {
	VERDICT_MEANINGLESS, /* not a step that the property speaks of */
	VERDICT_HOLDS,
	VERDICT_EXCUSED, /* it speaks of such steps, but a stated exception applies: not meaningful */
	VERDICT_FAILS, /* why says which facts contradict each other */
};

/* ---- helpers for properties ---- */

/* Event number @i of a step is of @type: how step.of and step.seen are filled in, in order. */
static inline void occurrence_add(struct occurrence of[NR_EVENTS], u64 *seen, u32 type, u32 i)
{
	if (!(*seen & EV_BIT(type)))
		of[type].first = i;
	of[type].last = i;
	*seen |= EV_BIT(type);
}

static inline u32 step_index(const struct step *s, const struct event *e)
{
	return (u32)(e - s->events);
}

/* Next event of a type at or after @i, or NULL; for (e = step_find(s, T, 0); e; e = step_find(s, T, step_index(s, e) + 1)) */
static inline const struct event *step_find(const struct step *s, enum event_type type, u32 i)
{
	if (!(s->seen & EV_BIT(type)))
		return NULL;
	for (i = max_u32(i, s->of[type].first); i <= s->of[type].last; i++) {
		if (s->events[i].type == type)
			return &s->events[i];
	}
	return NULL;
}

static inline u32 step_count(const struct step *s, enum event_type type)
{
	u32 nr = 0;

	for (const struct event *e = step_find(s, type, 0); e;
	     e = step_find(s, type, step_index(s, e) + 1))
		nr++;
	return nr;
}

#endif
