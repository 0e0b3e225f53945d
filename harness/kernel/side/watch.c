// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions inside of page_alloc.c whose calls are watched. The builder turns every call of NAME into one
 * of watch_NAME and leaves the kernel's own function as real_NAME; nothing else of it changes.
 *
 *      page_alloc.c:  page = get_page_from_freelist(...)
 *                            |
 *      here:                 watch_get_page_from_freelist()   event
 *                              real_get_page_from_freelist()  the kernel's code
 *                            event
 */
#include "side.h"
#include "watch.h"

/* ---- a pass over the zones ----------------------------------------------- */

struct pass {
	unsigned int alloc_flags; /* in force */
	gfp_t gfp;
	unsigned int order;
	const struct alloc_context *ac;
};

static struct pass *pass;

static void emit_pass(void)
{
	const struct alloc_context *ac = pass->ac;
	struct zone *preferred = zonelist_zone(ac->preferred_zoneref);

	EMIT(EV_GPFF, .zone = zone_number(preferred), .order = pass->order,
	     .gfp = gfp_from_kernel(pass->gfp), .a = alloc_flags_from_kernel(pass->alloc_flags),
	     .b = ac->highest_zoneidx,
	     .c = ac->nodemask ? nodes_addr(*ac->nodemask)[0] : KERNEL_NO_PFN);
}

struct page *watch_get_page_from_freelist(gfp_t gfp, unsigned int order, int alloc_flags,
					  const struct alloc_context *ac)
{
	struct pass this = {.alloc_flags = alloc_flags, .gfp = gfp, .order = order, .ac = ac};
	struct pass *outer = pass;
	struct page *page;

	side_slow_look(gfp);
	pass = &this;
	emit_pass();
	page = real_get_page_from_freelist(gfp, order, alloc_flags, ac);
	EMIT(EV_GPFF_END, .zone = page ? zone_number(page_zone(page)) : KERNEL_NO_ZONE,
	     .order = order, .pfn = page ? page_to_pfn(page) : KERNEL_NO_PFN,
	     .gfp = gfp_from_kernel(gfp), .a = alloc_flags_from_kernel(this.alloc_flags));
	pass = outer;
	side_slow_looked(page, gfp, this.alloc_flags);
	return page;
}

/* A pass that begins anew with fewer flags shows at its next zone. */
bool watch_zone_watermark_fast(struct zone *z, unsigned int order, unsigned long mark,
			       int highest_zoneidx, unsigned int alloc_flags, gfp_t gfp)
{
	if (pass && pass->alloc_flags != alloc_flags) {
		pass->alloc_flags = alloc_flags;
		emit_pass();
	}
	return real_zone_watermark_fast(z, order, mark, highest_zoneidx, alloc_flags, gfp);
}

/* ---- the HIGHATOMIC reserve: told while the lock is still held ----------- */

static struct reserve {
	struct page *page; /* joins the reserve, or has left it */
	unsigned int order, mt;
	unsigned long before; /* reserved pages when the lock was taken */
	bool reserving, unreserving, force, moving;
} reserve;

void watch_reserve_highatomic_pageblock(K_RESERVE_PARAMS)
{
	reserve.reserving = true;
	reserve.page = page;
	reserve.order = order;
	real_reserve_highatomic_pageblock(K_RESERVE_ARGS);
	reserve.reserving = false;
}

bool watch_unreserve_highatomic_pageblock(const struct alloc_context *ac, bool force)
{
	bool done;

	reserve.unreserving = true;
	reserve.force = force;
	reserve.page = NULL;
	done = real_unreserve_highatomic_pageblock(ac, force);
	reserve.unreserving = false;
	return done;
}

int watch_move_freepages_block(K_MOVE_BLOCK_PARAMS)
{
	unsigned int order = reserve.unreserving ? buddy_order(page) : 0;
	int moved;

	reserve.moving = true;
	moved = real_move_freepages_block(K_MOVE_BLOCK_ARGS);
	reserve.moving = false;
	if (!reserve.unreserving)
		return moved;
	if (moved > 0) {
		reserve.page = page;
		reserve.order = order;
		reserve.mt = new_mt;
	} else {
		reserve.before = z->nr_reserved_highatomic;
	}
	return moved;
}

void watch_move_to_free_list(K_MOVE_PARAMS)
{
	if (reserve.unreserving && !reserve.moving) {
		reserve.page = page;
		reserve.order = order;
		reserve.mt = new_mt;
	}
	real_move_to_free_list(K_MOVE_ARGS);
}

void side_before_lock(struct zone *z)
{
	if (reserve.reserving)
		side_nest(NEST_SLOWPATH);
}

void side_after_lock(struct zone *z)
{
	reserve.before = z->nr_reserved_highatomic;
}

void side_before_unlock(struct zone *z)
{
	long change = z->nr_reserved_highatomic - reserve.before;

	if (reserve.reserving && change > 0)
		EMIT(EV_RESERVE_HIGHATOMIC, .zone = zone_number(z), .order = reserve.order,
		     .pfn = page_to_pfn(reserve.page), .a = change);
	if (reserve.unreserving && reserve.page) {
		EMIT(EV_UNRESERVE_HIGHATOMIC, .zone = zone_number(z), .order = reserve.order,
		     .pfn = page_to_pfn(reserve.page), .a = reserve.force, .b = reserve.mt,
		     .c = -change);
		reserve.page = NULL;
	}
}

/* ---- capture ------------------------------------------------------------- */

bool watch_compaction_capture(struct capture_control *capc, struct page *page, int order, int mt)
{
	bool captured = real_compaction_capture(capc, page, order, mt);

	if (captured)
		EMIT(EV_CAPTURE, .zone = zone_number(page_zone(page)), .order = order,
		     .pfn = page_to_pfn(page), .a = mt);
	return captured;
}

/* ---- draining, refilling ------------------------------------------------- */

static bool drain_runs = true;

/* ---- an op in between ---------------------------------------------------- */

static struct {
	struct pass *pass;
	struct reserve reserve;
} waiting;

void side_watch_set_aside(void)
{
	waiting.pass = pass;
	waiting.reserve = reserve;
	pass = NULL;
	reserve = (struct reserve){.page = NULL};
}

void side_watch_take_up(void)
{
	pass = waiting.pass;
	reserve = waiting.reserve;
}

/* ---- draining: one that needs a held list waits for it ------------------- */

void watch___drain_all_pages(struct zone *z, bool force_all_cpus)
{
	side_nest(NEST_DRAIN);
	drain_runs = z || !env_ask(ENV_LOCK_DRAIN, NULL, -1, 0, 0, NULL);
	EMIT(EV_DRAIN_ALL_PAGES, .zone = zone_number(z), .a = drain_runs);
	real___drain_all_pages(z, force_all_cpus);
	drain_runs = true;
}

/* Two mutexes are tried: the one of the OOM killer, and the one that is asked for above. */
int mutex_trylock(struct mutex *mutex)
{
	if (mutex == &oom_lock)
		return !env_ask(ENV_LOCK_OOM, NULL, -1, 0, 0, NULL);
	return drain_runs;
}

static struct per_cpu_pages *wanted; /* whose lock the op that waits holds */

void watch_drain_pages_zone(unsigned int cpu, struct zone *z)
{
	struct per_cpu_pages *pcp = per_cpu_ptr(z->per_cpu_pageset, cpu);

	if (side_lock_is_held(&pcp->lock))
		wanted = pcp;
	else
		real_drain_pages_zone(cpu, z);
}

void side_after_unlock(raw_spinlock_t *lock)
{
	if (!wanted || lock != &wanted->lock.rlock)
		return;
	wanted = NULL;
	for (unsigned int i = 0; i < side.machine.nr_zones; i++)
		if (&this_cpu_ptr(side.zones[i]->per_cpu_pageset)->lock.rlock == lock)
			real_drain_pages_zone(side.cpu, side.zones[i]);
}

int watch_rmqueue_bulk(struct zone *z, unsigned int order, unsigned long count,
		       struct list_head *list, int mt, unsigned int alloc_flags)
{
	int nr;

	side_nest(NEST_BULK_BEFORE);
	nr = real_rmqueue_bulk(z, order, count, list, mt, alloc_flags);
	side_nest(NEST_BULK_AFTER);
	return nr;
}

bool side_can_spin_trylock(void)
{
	return !env_ask(ENV_NO_TRYLOCK, NULL, -1, 0, 0, NULL);
}

/* ---- contiguous ranges --------------------------------------------------- */

int K_CONTIG_CORE(watch_)(unsigned long start, unsigned long end, K_CONTIG_HOW how, gfp_t gfp)
{
	int err;

	if (side.searching)
		side_nest(NEST_CONTIG_CANDIDATE);
	EMIT(EV_CONTIG_RANGE, .pfn = start, .gfp = gfp_from_kernel(gfp), .a = end,
	     .b = K_CONTIG_IS_CMA(how));
	err = K_CONTIG_CORE(real_)(start, end, how, gfp);
	EMIT(EV_CONTIG_RANGE_END, .pfn = start, .a = end);
	return err;
}

/* Nobody comes in between while folios are on their way. */
int watch___alloc_contig_migrate_range(K_CONTIG_MIGRATE_PARAMS)
{
	unsigned int points = side.nest_points;
	int err;

	side_nest(NEST_CONTIG_ISOLATED);
	side.nest_points = 0;
	err = real___alloc_contig_migrate_range(K_CONTIG_MIGRATE_ARGS);
	side.nest_points = points;
	return err;
}

/* ---- what the case says --------------------------------------------------- */

bool side_should_fail_alloc_page(gfp_t gfp, unsigned int order)
{
	return env_ask(ENV_FAULT, NULL, -1, 0, 0, NULL);
}

bool side_pm_suspended_storage(void)
{
	return side.task_flags & SIDE_STORAGE_SUSPENDED;
}

/* ---- alloc flags --------------------------------------------------------- */

/* The port's ALLOC_* of model/gfp.h, by their bits; the lowest two are the mark. */
unsigned int alloc_flags_from_kernel(unsigned int flags)
{
	unsigned int to = flags & ALLOC_WMARK_MASK;

#define FLAG(name, bit) to |= (flags & (name)) ? (bit) : 0;
	FLAG(ALLOC_NO_WATERMARKS, 0x04)
	FLAG(ALLOC_OOM, 0x08)
	FLAG(ALLOC_NON_BLOCK, 0x10)
	FLAG(ALLOC_MIN_RESERVE, 0x20)
	FLAG(ALLOC_CPUSET, 0x40)
	FLAG(ALLOC_CMA, 0x80)
	FLAG(ALLOC_NOFRAGMENT, 0x100)
	FLAG(ALLOC_HIGHATOMIC, 0x200)
#ifdef HAVE_ALLOC_NOLOCK
	FLAG(ALLOC_NOLOCK, 0x400)
#endif
	FLAG(ALLOC_KSWAPD, 0x800)
	return to;
}
