/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the port's mechanisms offer each other, file by file. "spec N" is the
 * section of the behavioural description of 7.3.4 that a function follows;
 * Lnnnn is the line in mm/page_alloc.c of that release.
 */
#ifndef MODEL_INTERNAL_H
#define MODEL_INTERNAL_H

#include "model/memory.h"

typedef u32 fpi_t;
#define FPI_NONE 0U
#define FPI_SKIP_REPORT_NOTIFY BIT(0)
#define FPI_TO_TAIL BIT(1)
#define FPI_NOLOCK BIT(2)
#define FPI_PREPARED BIT(3)

/* ---- boot.c: the start state, in fresh tables ---- */
#define GLOBAL_LIST_HEADS 2 /* LRU, privately isolated pages */
#define ZONE_LIST_HEADS (NR_ORDERS * MIGRATE_TYPES + 1) /* free lists, trylock list */
void boot(struct memory *m);

/* ---- environment.c ---- */
/*
 * The answer to a call: of the op if one is left, else the default's. Counts the call and
 * emits EV_ENV_CALL with @arg. @z may be NULL.
 */
struct answer env_ask(struct memory *m, enum env_call call, const struct zone *z, s32 order,
		      u32 gfp, u32 arg);
/*
 * Count and report a call that was answered otherwise: by the closed environment, or zone by
 * zone. A zone's part of a compaction is reported but not counted.
 */
void env_note_call(struct memory *m, enum env_call call, const struct zone *z, s32 order, u32 gfp,
		   u32 arg, u32 answer);

/* For yes/no calls on hot paths: nothing armed and a zero default cost one test. */
static inline bool env_says(struct memory *m, enum env_call call, const struct zone *z)
{
	if (!((m->env.answers.armed | m->env_defaults) & BIT(call)))
		return false;
	return env_ask(m, call, z, -1, 0, 0).value;
}

/* May a NOLOCK caller take locks at all? (spec 3.2 step 4) */
static inline bool can_trylock(struct memory *m)
{
	return !env_says(m, ENV_NO_TRYLOCK, NULL);
}

/* A request on its way through the zones (spec 2.1, 4.1). */
struct alloc_context {
	const struct zonelist *zonelist;
	u32 nodemask; /* or NODEMASK_NULL */
	u32 preferred; /* position in zonelist, or its nr: no zone */
	u32 migratetype;
	u32 highest_zoneidx;
	u32 reclaim_compact_order; /* spec 6.1 step 14 */
	u32 alloc_flags; /* the caller's: ALLOC_NOLOCK or 0 */
	bool spread_dirty_pages;
};

/* How a folio is taken hold of. No folio of the kernel is two of these. */
#define FOLIO_KINDS (PG_LRU | PG_MOVABLE_OPS | PG_HUGETLB)

/* ---- page.c: one page, prepared for use and for the lists (spec 2.2, 3.1, 4.3) ---- */
void prep_new_page(struct memory *m, u32 pfn, u32 order, u32 gfp, u32 alloc_flags);
void prep_compound_page(struct memory *m, u32 pfn, u32 order);
/* Private 0: what post_alloc_hook leaves. */
void post_alloc_hook(struct memory *m, u32 pfn);
/* False: the page never reaches the lists (hwpoison). Takes it off the LRU, drops all marks. */
bool __free_pages_prepare(struct memory *m, u32 pfn, u32 order, fpi_t fpi);

/* Head of the compound page that @pfn is part of, or @pfn. */
static inline u32 compound_head(const struct memory *m, u32 pfn)
{
	return page_has(m, pfn, PG_TAIL) ? m->pages[pfn].compound_head : pfn;
}

/* Order of the compound page headed by @pfn; 0 if it is none. */
static inline u32 compound_order(const struct memory *m, u32 pfn)
{
	return page_has(m, pfn, PG_HEAD) ? m->pages[pfn].compound_order : 0;
}

/* Pages of a hole are linked to the zone that comes next, or to the last one. */
u32 hole_zone_link(const struct memory *m, u32 pfn);

/* Index of the zone that the page says it is in. */
static inline u32 page_zone_link(const struct memory *m, u32 pfn)
{
	u32 zone = m->pages[pfn].zone;

	return zone == ZONE_ANY ? hole_zone_link(m, pfn) : zone;
}

void lru_add(struct memory *m, u32 pfn); /* young end; counts its pages in the zone */
void lru_del(struct memory *m, u32 pfn);

/* ---- pageblock.c: types, the isolate overlay, moving blocks (spec 2.3, 3.12, 7.4) ---- */
static inline u8 *pageblock_flags(const struct memory *m, u32 pfn)
{
	return &m->pageblock_flags[pfn >> m->pageblock_order];
}

static inline u32 get_pageblock_stored_type(const struct memory *m, u32 pfn)
{
	return *pageblock_flags(m, pfn) & PB_MIGRATETYPE_MASK;
}

static inline bool get_pageblock_isolate(const struct memory *m, u32 pfn)
{
	return *pageblock_flags(m, pfn) & PB_ISOLATE;
}

/* ISOLATE if the bit is set. */
static inline u32 get_pfnblock_migratetype(const struct memory *m, u32 pfn)
{
	u8 flags = *pageblock_flags(m, pfn);

	return flags & PB_ISOLATE ? MIGRATE_ISOLATE : flags & PB_MIGRATETYPE_MASK;
}

/* Writes UNMOVABLE for the pcp types while mobility grouping is off; clears the isolate bit. */
void set_pageblock_migratetype(struct memory *m, u32 pfn, u32 mt);
void set_pageblock_isolate(struct memory *m, u32 pfn, bool on);
/* Every block touched by the 2^order pages at @pfn, order >= pageblock_order. */
void change_pageblock_range(struct memory *m, u32 pfn, u32 order, u32 mt);
bool migratetype_is_mergeable(u32 mt);
/* False at a zone boundary. @num_free and @num_movable may be NULL together: no scan. */
bool prep_move_freepages_block(struct memory *m, struct zone *z, u32 pfn, u32 *start, u32 *num_free,
			       u32 *num_movable);
u32 __move_freepages_block(struct memory *m, struct zone *z, u32 start, u32 old_mt, u32 new_mt);
/* Pages moved, or -1 at a zone boundary; sets the type. */
s32 move_freepages_block(struct memory *m, struct zone *z, u32 pfn, u32 old_mt, u32 new_mt);
/* 7.4: move a block between its type and ISOLATE; false: nothing was done. */
bool pageblock_isolate_and_move_free_pages(struct memory *m, struct zone *z, u32 pfn);
bool pageblock_unisolate_and_move_free_pages(struct memory *m, struct zone *z, u32 pfn);

/* ---- freelist.c: lists with their counters (spec 2.4) ---- */
void account_freepages(struct memory *m, struct zone *z, s32 nr_pages, u32 mt);
void __add_to_free_list(struct memory *m, struct zone *z, u32 pfn, u32 order, u32 mt, bool tail);
void move_to_free_list(struct memory *m, struct zone *z, u32 pfn, u32 order, u32 old_mt,
		       u32 new_mt);
void __del_page_from_free_list(struct memory *m, struct zone *z, u32 pfn, u32 order, u32 mt);
/* With accounting. */
void del_page_from_free_list(struct memory *m, struct zone *z, u32 pfn, u32 order, u32 mt);

static inline bool free_area_empty(const struct memory *m, const struct zone *z, u32 order, u32 mt)
{
	return list_empty(m, free_list_head(z, order, mt));
}

static inline u32 get_page_from_free_area(struct memory *m, const struct zone *z, u32 order, u32 mt)
{
	m->looks++;
	return list_first(m, free_list_head(z, order, mt));
}

/* ---- buddy.c: merge, expand, split (spec 3.5, 3.6, 3.9, 4.9) ---- */
static inline bool page_is_buddy(const struct memory *m, u32 pfn, u32 order, u32 zone)
{
	const struct page *page;

	if (pfn >= m->nr_pages)
		return false;
	page = &m->pages[pfn];
	return (page->flags & PG_BUDDY) && page->private == order && page->zone == zone;
}

/* Order of the free buddy headed by @pfn. */
static inline u32 buddy_order(const struct memory *m, u32 pfn)
{
	return m->pages[pfn].private;
}

void __free_one_page(struct memory *m, u32 pfn, struct zone *z, u32 order, u32 mt, fpi_t fpi);
/* Upper halves of 2^high at @pfn go back as @mt, down to order @low; returns pages freed. */
u32 expand(struct memory *m, struct zone *z, u32 pfn, u32 low, u32 high, u32 mt);
/* Unlink a buddy of @high, keep the lowest 2^low, give back the rest as @mt, account for it. */
void page_del_and_expand(struct memory *m, struct zone *z, u32 pfn, u32 low, u32 high, u32 mt);
void split_large_buddy(struct memory *m, struct zone *z, u32 pfn, u32 order, fpi_t fpi);
void free_one_page(struct memory *m, struct zone *z, u32 pfn, u32 order, fpi_t fpi);
/* 3.6: the page waits on the zone's trylock list. */
void add_page_to_zone_llist(struct memory *m, struct zone *z, u32 pfn, u32 order);
/* 3.11: 1 << order of the buddy taken out, or 0: refused. The page keeps its order in private. */
u32 __isolate_free_page(struct memory *m, u32 pfn, u32 order);
void __putback_isolated_page(struct memory *m, u32 pfn, u32 order, u32 mt);
/* 7.2: pfn of the free buddy that contains @pfn, or @pfn. */
u32 find_large_buddy(const struct memory *m, u32 pfn);

/* ---- free.c: the entries of the free path (spec 3.1, 3.2, 3.7) ---- */
void __free_frozen_pages(struct memory *m, u32 pfn, u32 order, fpi_t fpi);
/* Drop a reference; the page goes when none is left. */
void put_page(struct memory *m, u32 pfn, u32 order);

/* ---- pcp.c, pcp_drain.c: per-cpu lists (spec 2.5, 3.3, 3.4, 3.10, 4.5, 4.6) ---- */
static inline bool pcp_allowed_order(const struct memory *m, u32 order)
{
	return order <= PAGE_ALLOC_COSTLY_ORDER || (m->pmd_order && order == m->pmd_order);
}

/* UNMOVABLE and RECLAIMABLE share the list of the PMD order (L656). */
static inline u32 order_to_pindex(u32 mt, u32 order)
{
	if (order > PAGE_ALLOC_COSTLY_ORDER)
		return NR_LOWORDER_PCP_LISTS + (mt == MIGRATE_MOVABLE);
	return MIGRATE_PCPTYPES * order + mt;
}

static inline u32 pindex_to_order(const struct memory *m, u32 pindex)
{
	return pindex < NR_LOWORDER_PCP_LISTS ? pindex / MIGRATE_PCPTYPES : m->pmd_order;
}

/* Asks the environment. */
static inline bool pcp_trylock(struct memory *m, const struct per_cpu_pages *pcp)
{
	return pcp != m->held.pcp && !env_says(m, ENV_LOCK_PCP, NULL);
}

/* This CPU's pcp of @z, that was locked: whoever waits for it gets it now. */
static inline void pcp_unlock(struct memory *m, struct zone *z)
{
	if (!m->held.wanted || m->held.wanted != this_pcp(m, z))
		return;
	m->held.wanted = NULL;
	drain_pages_zone(m, m->global->task.cpu, z);
}

/* False: nothing more may be done with this pcp. */
bool free_frozen_page_commit(struct memory *m, struct zone *z, struct per_cpu_pages *pcp, u32 pfn,
			     u32 mt, u32 order, fpi_t fpi);
void free_pcppages_bulk(struct memory *m, struct zone *z, s32 count, struct per_cpu_pages *pcp,
			s32 pindex);
u32 rmqueue_bulk(struct memory *m, struct zone *z, u32 order, u32 count, u32 list_head, u32 mt,
		 u32 alloc_flags);
u32 __rmqueue_pcplist(struct memory *m, struct zone *z, u32 order, u32 mt, u32 alloc_flags,
		      struct per_cpu_pages *pcp, u32 list_head);
u32 rmqueue_pcplist(struct memory *m, struct zone *preferred, struct zone *z, u32 order, u32 mt,
		    u32 alloc_flags);

/* ---- rmqueue.c, fallback.c (spec 4.4, 4.7 - 4.13) ---- */
enum rmqueue_mode { RMQUEUE_NORMAL, RMQUEUE_CMA, RMQUEUE_CLAIM, RMQUEUE_STEAL };

u32 rmqueue(struct memory *m, struct zone *preferred, struct zone *z, u32 order, u32 alloc_flags,
	    u32 mt);
u32 __rmqueue(struct memory *m, struct zone *z, u32 order, u32 mt, u32 alloc_flags,
	      enum rmqueue_mode *mode);
u32 __rmqueue_smallest(struct memory *m, struct zone *z, u32 order, u32 mt);
void zone_statistics(struct memory *m, struct zone *preferred, struct zone *z, u32 nr);

#define FALLBACK_EMPTY (-1)
#define FALLBACK_NOCLAIM (-2)
/* A migratetype, FALLBACK_EMPTY or FALLBACK_NOCLAIM. */
s32 find_suitable_fallback(struct memory *m, const struct zone *z, u32 order, u32 mt,
			   bool claimable);
bool should_try_claim_block(const struct memory *m, u32 order, u32 start_mt);
u32 try_to_claim_block(struct memory *m, struct zone *z, u32 pfn, u32 current_order, u32 order,
		       u32 start_mt, u32 block_mt, u32 alloc_flags);
void emit_extfrag(struct memory *m, const struct zone *z, u32 pfn, u32 order, u32 fallback_order,
		  u32 start_mt, u32 fallback_mt);
u32 __rmqueue_claim(struct memory *m, struct zone *z, u32 order, u32 start_mt, u32 alloc_flags);
u32 __rmqueue_steal(struct memory *m, struct zone *z, u32 order, u32 start_mt);
bool boost_watermark(struct memory *m, struct zone *z);

/* ---- fallback_old.c: the fallback of policies A and B (spec 9.2, 9.3) ---- */
/* B: a page of another type, or PFN_NONE. */
u32 __rmqueue_fallback_page(struct memory *m, struct zone *z, u32 order, u32 start_mt,
			    u32 alloc_flags);
/* A: the lists of @start_mt got something; false: there was nothing. */
bool __rmqueue_fallback(struct memory *m, struct zone *z, u32 order, u32 start_mt, u32 alloc_flags);

/* ---- highatomic.c (spec 4.14) ---- */
void reserve_highatomic_pageblock(struct memory *m, u32 pfn, u32 order, struct zone *z);
bool unreserve_highatomic_pageblock(struct memory *m, const struct alloc_context *ac, bool force);

/* ---- watermark.c: checks (spec 5.1 - 5.4) ---- */
bool __zone_watermark_ok(const struct memory *m, const struct zone *z, u32 order, u32 mark,
			 u32 highest_zoneidx, u32 alloc_flags, s64 free_pages);
bool zone_watermark_ok(const struct memory *m, const struct zone *z, u32 order, u32 mark,
		       u32 highest_zoneidx, u32 alloc_flags);
bool zone_watermark_fast(const struct memory *m, const struct zone *z, u32 order, u32 mark,
			 u32 highest_zoneidx, u32 alloc_flags);

/* ---- wmark_setup.c, pcp_size.c: what boot and sysctls compute (spec 5.5 - 5.7, W15) ---- */
void setup_per_zone_lowmem_reserve(struct memory *m);
/* min_free_kbytes as computed, or the sysctl's value (spec 5.6). */
void calculate_min_free_kbytes(struct memory *m);
void setup_per_zone_wmarks(struct memory *m);
void zone_set_pageset_high_and_batch(struct memory *m, struct zone *z);
/* These limits for every CPU's pcp of @z. */
void __zone_set_pageset_high_and_batch(struct memory *m, struct zone *z, u32 high_min, u32 high_max,
				       u32 batch);

/* ---- zonelist.c: zone choice and iteration (spec 1.3, 1.4, 2.1) ---- */
u32 gfp_zone(struct memory *m, u32 gfp);
u32 gfp_migratetype(struct memory *m, u32 gfp);

static inline const struct zonelist *node_zonelist(const struct memory *m, u32 nid, u32 gfp)
{
	const struct zonelist *lists = m->nodes[nid].zonelists;

	return &lists[gfp & __GFP_THISNODE ? ZONELIST_NOFALLBACK : ZONELIST_FALLBACK];
}

/* First position >= @pos that is eligible, or zonelist->nr. */
static inline u32 next_zones_zonelist(const struct memory *m, const struct zonelist *zl, u32 pos,
				      u32 highest_zoneidx, u32 nodemask)
{
	for (; pos < zl->nr; pos++) {
		const struct zone *z = &m->zones[zl->zones[pos]];

		if (z->type <= highest_zoneidx && (nodemask & BIT(z->node)))
			break;
	}
	return pos;
}

void build_all_zonelists(struct memory *m);

static inline struct zone *zonelist_zone(struct memory *m, const struct zonelist *zl, u32 pos)
{
	return &m->zones[zl->zones[pos]];
}

/* for (pos = ...) over the eligible zones of @ac, from @start on. */
#define for_each_zone_ac(m, ac, start, pos)                                                     \
	for ((pos) = next_zones_zonelist((m), (ac)->zonelist, (start), (ac)->highest_zoneidx,   \
					 (ac)->nodemask);                                       \
	     (pos) < (ac)->zonelist->nr;                                                        \
	     (pos) = next_zones_zonelist((m), (ac)->zonelist, (pos) + 1, (ac)->highest_zoneidx, \
					 (ac)->nodemask))

static inline bool cpusets_enabled(const struct memory *m)
{
	return task_is(m, TASK_CPUSETS_ENABLED);
}

/* spec 6.9 env.cpuset_allowed: may the task use this zone's node? */
bool cpuset_zone_allowed(const struct memory *m, const struct zone *z, u32 gfp);

/* ---- alloc.c: the fast path (spec 1.6 a, 4.1, 4.2) ---- */
u32 get_page_from_freelist(struct memory *m, u32 gfp, u32 order, u32 alloc_flags,
			   const struct alloc_context *ac);
/* Masked by the task's NOIO, NOFS and PIN scopes (spec 1.2). */
u32 current_gfp_context(const struct memory *m, u32 gfp);
/* The whole of 4.1, for the NOLOCK API as well: @alloc_flags is 0 or ALLOC_NOLOCK. */
u32 __alloc_frozen_pages(struct memory *m, u32 gfp, u32 order, u32 nid, u32 nodemask,
			 u32 alloc_flags);
/* 4.1 step 5; false: fail without event. */
bool prepare_alloc_pages(struct memory *m, u32 gfp, u32 nid, u32 nodemask, struct alloc_context *ac,
			 u32 *alloc_gfp, u32 *alloc_flags);
u32 alloc_flags_nofragment(struct memory *m, const struct zone *preferred, u32 gfp);

/* ---- slowpath.c, retry.c (spec 1.6 b-f, 6.1 - 6.8) ---- */
u32 __alloc_pages_slowpath(struct memory *m, u32 gfp, u32 order, struct alloc_context *ac);
bool should_reclaim_retry(struct memory *m, u32 gfp, u32 order, struct alloc_context *ac,
			  u32 alloc_flags, bool did_some_progress, u32 *no_progress_loops);
bool should_compact_retry(struct memory *m, struct alloc_context *ac, u32 order,
			  enum compact_result result, enum compact_priority *priority,
			  u32 *compaction_retries);

/* ---- direct.c, oom.c (spec 6.4, 6.5, 6.8): a page, or PFN_NONE ---- */
u32 __alloc_pages_direct_reclaim(struct memory *m, u32 gfp, u32 order, u32 alloc_flags,
				 const struct alloc_context *ac, u32 *did_some_progress);
u32 __alloc_pages_direct_compact(struct memory *m, u32 gfp, u32 order, u32 alloc_flags,
				 const struct alloc_context *ac, enum compact_priority priority,
				 enum compact_result *result);
u32 __alloc_pages_may_oom(struct memory *m, u32 gfp, u32 order, const struct alloc_context *ac,
			  u32 *did_some_progress);
/* With the cpuset, then without it; ac->alloc_flags are added. */
u32 __alloc_pages_cpuset_fallback(struct memory *m, u32 gfp, u32 order, u32 alloc_flags,
				  const struct alloc_context *ac);

/* ---- compact.c, compact_zone.c: driver, deferral, suitability, kcompactd (spec 6.5) ---- */
/* What a compaction is for. */
struct compact_control {
	u32 order; /* of the buddy that is wanted */
	u32 migratetype; /* of the request */
	u32 gfp;
	u32 alloc_flags;
	u32 highest_zoneidx;
	enum compact_priority priority;
	bool direct; /* for a request, else for kcompactd */
	u32 blocks; /* pageblocks to move pages out of before a break; 0: no break */
};

/* The order-0 pages that moving pages around needs besides a watermark (spec 5.8). */
static inline u32 compact_gap(u32 order)
{
	return min_u32(2U << order, COMPACT_CLUSTER_MAX);
}

/* Closed: move folios of @z until the wanted buddy is there. CONTINUE: there was a break. */
enum compact_result compact_zone(struct memory *m, struct zone *z,
				 const struct compact_control *cc);
/* Whole call, per zone or closed, as the machine says. */
enum compact_result try_to_compact_pages(struct memory *m, u32 gfp, u32 order, u32 alloc_flags,
					 const struct alloc_context *ac,
					 enum compact_priority priority,
					 struct capture_control *capc);
bool compaction_zonelist_suitable(struct memory *m, const struct alloc_context *ac, u32 order);
void compaction_defer_reset(struct memory *m, struct zone *z, u32 order, bool alloc_success);

/* ---- vmscan.c: reclaim; kswapd.c: its wakes and passes (spec 5.4, 6.1, 6.4) ---- */
u32 try_to_free_pages(struct memory *m, const struct alloc_context *ac, u32 order, u32 gfp);
u32 node_reclaim(struct memory *m, u32 nid, u32 gfp, u32 order);
void wakeup_kswapd(struct memory *m, struct zone *z, u32 gfp, u32 order, u32 highest_zoneidx);
void wakeup_kcompactd(struct memory *m, u32 nid, u32 order, u32 highest_zoneidx);
/* Pages on the LRU of @z; those that reclaim cannot free count as well, as in the kernel. */
u64 zone_reclaimable_pages(const struct zone *z);
/*
 * Free the oldest unpinned LRU pages of the zones in @zone_mask until @nr pages are freed;
 * every one goes through the free path and is reported with EV_ENV_FREED. Returns pages freed.
 */
u32 reclaim_lru(struct memory *m, u32 zone_mask, u32 nr);

/* ---- isolation.c, contig.c, contig_search.c, contig_migrate.c, migrate.c (spec 7) ---- */
/* True: the block was not isolated, and is now. [start, end) limits the search for pages in the way. */
bool set_migratetype_isolate(struct memory *m, u32 block, enum pb_isolate_mode mode, u32 start,
			     u32 end);
void unset_migratetype_isolate(struct memory *m, u32 block);
/* 0 or -EBUSY. */
int test_pages_isolated(struct memory *m, u32 start, u32 end, enum pb_isolate_mode mode);
/* 7.3; *@step: pages that the answer covers. */
bool page_is_unmovable(struct memory *m, const struct zone *z, u32 pfn, enum pb_isolate_mode mode,
		       u32 *step);
bool pfn_range_valid_contig(struct memory *m, struct zone *z, u32 start, u32 nr, bool skip_hugetlb,
			    bool *skipped_hugetlb);
/* 7.5: 0 or a negative errno. */
int __alloc_contig_migrate_range(struct memory *m, u32 start, u32 end, u32 gfp);
/* 7.2 step 6: 0 or a negative errno. */
int replace_free_hugepage_folios(struct memory *m, u32 start, u32 end);
/*
 * Move the folio at @src: allocate a destination with @gfp on its node, or take @dst if that is
 * a page; report EV_ENV_MOVED; free the source. False: it stays where it is.
 */
bool migrate_folio(struct memory *m, u32 src, u32 dst, u32 gfp);
/* Nothing holds the folio at @pfn in place; the environment may still say that it fails. */
bool folio_can_migrate(const struct memory *m, u32 pfn);

#endif
