/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Inside the port: the memory that everything works on, and the small inline
 * helpers that every mechanism needs. Nothing outside model/ includes this.
 */
#ifndef MODEL_MEMORY_H
#define MODEL_MEMORY_H

#include "model/journal.h"
#include "model/answers.h"
#include "model/port.h"

/* Answers of the op being played; outside the journal, reset with each op. */
struct environment {
	struct answers answers;
	struct op_report report;
};

/* Capture control of the compaction that runs (spec 3.9 step 2a). */
struct capture_control {
	struct zone *zone; /* that may be captured from, or NULL: none */
	u32 order; /* of the request */
	u32 migratetype; /* of the request */
	u32 pfn; /* captured page, or PFN_NONE */
};

/* What lives for one op only, put aside while an op of another CPU runs in between. */
struct outer_op {
	struct environment env;
	struct capture_control *capture;
	u32 fuel;
	u32 nest_points;
	struct task task;
};

/*
 * The pcp whose lock is held by the op that waits, while another one runs in between: a trylock of
 * it fails, a drain waits until it is released.
 */
struct held_pcp {
	const struct per_cpu_pages *pcp; /* or NULL */
	const struct per_cpu_pages *wanted; /* by a drain that waits, or NULL */
};

/* What memory_written() needs (written.c). */
struct looker {
	void *seen; /* the arena as it was at the last look; NULL: nobody looks */
	struct written told;
	u32 *pages; /* what it consists of; room for @cap cards */
	struct written_link *links;
	struct written_block *blocks; /* room for all there are */
	u32 cap;
};

void looker_exit(struct looker *l);

struct memory {
	/* The state: tables in one arena, written with SET() only. */
	struct global *global;
	struct node *nodes;
	struct zone *zones;
	struct per_cpu_pages *pcps;
	struct page *pages;
	struct link *links;
	u8 *pageblock_flags;

	u32 nr_pages;
	u32 nr_zones;
	u32 nr_nodes;
	u32 nr_cpus;
	/* Copies of machine parameters that the hot paths read. */
	u32 max_page_order;
	u32 pageblock_order;
	u32 pageblock_nr_pages;
	u32 pmd_order; /* 0 without THP */
	u32 env_defaults; /* calls of which some default is not 0; bits */
	u32 alloc_nofragment; /* ALLOC_NOFRAGMENT, or 0 without DMA32 (spec 1.5) */

	/* Not state: what is fixed, and what lives for one op only. */
	struct machine machine;
	struct view view;
	struct journal journal;
	struct looker looker;
	void *arena;
	void *pristine; /* copy of the arena after boot */
	size_t arena_size;
	u64 observe_mask;
	const struct observer *observer;
	struct environment env;
	struct capture_control *capture;
	u32 fuel; /* slow-path rounds left for this op */
	const struct nester *nester;
	u32 nest_points; /* where it is called */
	struct outer_op outer;
	struct held_pcp held;
	u32 looks, scans; /* see EV_ZONE_UNLOCK */
};

/* ---- events -------------------------------------------------------------- */

/* Cold half of EMIT: member by member, so that no function that emits has an event on its stack. */
void emit_event(struct memory *m, enum event_type type, u8 zone, s8 order, u32 pfn, u32 gfp, u32 a,
		u32 b, u32 c);

/*
 * EMIT(m, EV_MM_PAGE_FREE, .order = 3, .pfn = pfn): what is not named is 0, but
 * zone, order and pfn must be given their "none" values where they mean nothing.
 */
#define EMIT(m, ev_type, ...)                                                                    \
	do {                                                                                     \
		if ((m)->observe_mask & EV_BIT(ev_type)) {                                       \
			const struct event ev_ = {__VA_ARGS__};                                  \
			emit_event((m), (ev_type), ev_.zone, ev_.order, ev_.pfn, ev_.gfp, ev_.a, \
				   ev_.b, ev_.c);                                                \
		}                                                                                \
	} while (0)

/* Let another CPU in. */
void nest_at(struct memory *m, enum nest_point point);

static inline void nest(struct memory *m, enum nest_point point)
{
	if (m->nest_points & BIT(point))
		nest_at(m, point);
}

/* Count a WARN and report it. */
void warn(struct memory *m, u32 warn_id);
/* A WARN that names pages, [start, end). */
void warn_range(struct memory *m, u32 warn_id, u32 start, u32 end);

static inline void count_vm_events(struct memory *m, u32 which, u64 n)
{
	SET(m, m->global->vm_event[which], m->global->vm_event[which] + n);
}

/* ---- pages --------------------------------------------------------------- */

static inline struct page *pfn_page(struct memory *m, u32 pfn)
{
	return &m->pages[pfn];
}

static inline bool pfn_online(const struct memory *m, u32 pfn)
{
	return pfn < m->nr_pages && (m->pages[pfn].flags & PG_ONLINE);
}

static inline struct zone *page_zone(struct memory *m, u32 pfn)
{
	return &m->zones[m->pages[pfn].zone];
}

static inline bool page_has(const struct memory *m, u32 pfn, u32 flag)
{
	return m->pages[pfn].flags & flag;
}

static inline void page_set_flags(struct memory *m, u32 pfn, u32 set, u32 clear)
{
	SET(m, m->pages[pfn].flags, (u16)((m->pages[pfn].flags & ~clear) | set));
}

static inline void set_page_private(struct memory *m, u32 pfn, u32 private)
{
	if (m->pages[pfn].private != private)
		SET(m, m->pages[pfn].private, private);
}

static inline void set_page_count(struct memory *m, u32 pfn, s32 count)
{
	SET(m, m->pages[pfn].refcount, count);
}

static inline bool zone_spans_pfn(const struct zone *z, u32 pfn)
{
	return pfn >= z->zone_start_pfn && pfn < zone_end_pfn(z);
}

/* ---- lists (view.h shows the picture) ------------------------------------ */

static inline bool list_empty(const struct memory *m, u32 head)
{
	return m->links[head].next == head;
}

/* First / last entry, or PFN_NONE. */
static inline u32 list_first(const struct memory *m, u32 head)
{
	u32 e = m->links[head].next;

	return e == head ? PFN_NONE : e;
}

static inline u32 list_last(const struct memory *m, u32 head)
{
	u32 e = m->links[head].prev;

	return e == head ? PFN_NONE : e;
}

static inline void list_insert_(struct memory *m, u32 e, u32 prev, u32 next)
{
	struct link both = {.next = next, .prev = prev};
	struct link *links = m->links; /* not loaded again after each write */

	SET(m, links[e], both);
	SET(m, links[prev].next, e);
	SET(m, links[next].prev, e);
}

static inline void list_add(struct memory *m, u32 e, u32 head)
{
	list_insert_(m, e, head, m->links[head].next);
}

static inline void list_add_tail(struct memory *m, u32 e, u32 head)
{
	list_insert_(m, e, m->links[head].prev, head);
}

static inline void list_del(struct memory *m, u32 e)
{
	struct link *links = m->links;
	struct link l = links[e];

	SET(m, links[l.prev].next, l.next);
	SET(m, links[l.next].prev, l.prev);
}

/* ---- zones and nodes ----------------------------------------------------- */

static inline u64 zone_page_state(const struct zone *z, u32 item)
{
	return z->vm_stat[item] < 0 ? 0 : (u64)z->vm_stat[item];
}

static inline void mod_zone_page_state(struct memory *m, struct zone *z, u32 item, s64 delta)
{
	SET(m, z->vm_stat[item], z->vm_stat[item] + delta);
}

static inline u32 wmark_pages(const struct zone *z, u32 w)
{
	return z->_watermark[w] + z->watermark_boost;
}

static inline void zone_set_flags(struct memory *m, struct zone *z, u32 set, u32 clear)
{
	u32 flags = (z->flags & ~clear) | set;

	if (flags != z->flags)
		SET(m, z->flags, flags);
}

static inline struct per_cpu_pages *zone_pcp(struct memory *m, const struct zone *z, u32 cpu)
{
	return &m->pcps[z->index * m->nr_cpus + cpu];
}

static inline struct per_cpu_pages *this_pcp(struct memory *m, const struct zone *z)
{
	return zone_pcp(m, z, m->global->task.cpu);
}

static inline u32 numa_node_id(const struct memory *m)
{
	return m->machine.cpu_node[m->global->task.cpu];
}

static inline bool task_is(const struct memory *m, u32 flags)
{
	return m->global->task.flags & flags;
}

static inline bool defrag_mode(const struct memory *m)
{
	return m->global->sysctl[SYSCTL_DEFRAG_MODE];
}

/* zone->lock: one thread plays, so a held lock is a bug of the port. */
static inline void zone_lock(struct memory *m, struct zone *z)
{
	SET(m, z->locked, 1);
	m->looks = m->scans = 0;
	EMIT(m, EV_ZONE_LOCK, .zone = z->index, .order = -1, .pfn = PFN_NONE);
}

static inline void zone_unlock(struct memory *m, struct zone *z)
{
	EMIT(m, EV_ZONE_UNLOCK, .zone = z->index, .order = -1, .pfn = PFN_NONE, .a = m->looks,
	     .b = m->scans);
	SET(m, z->locked, 0);
}

#endif
