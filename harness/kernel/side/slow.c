// SPDX-License-Identifier: GPL-2.0-only
/*
 * A request on the slow path: how many rounds it may go, and where it ends. The kernel does not say
 * which of its exits it took; what it called before and the request itself tell (spec 6.1).
 *
 * It loops without bound. When the machine's fuel is used up the request ends here, at a place where no
 * lock is held: at the beginning of a round.
 */
#include "side.h"
#include "watch.h"

enum came_to { NOWHERE, LOOKED, COMPACTED, KILLED };

struct slow {
	void *end[5]; /* __builtin_setjmp() */
	gfp_t gfp;
	gfp_t looked_with; /* a kernel may take something away first */
	unsigned int order, alloc_flags;
	struct alloc_context *ac;
	enum came_to came_to;
	enum slowpath_exit page_from;
	bool in_step; /* a step's own look, not the one that begins a round */
	bool round_counted; /* by the wake-up before the look */
	bool looked; /* since RESTART */
	bool reclaimed; /* in this round */
	bool used_reserves; /* that look was made */
};

static struct slow *slow, *waiting;

/* An op of another CPU runs in between. */
void side_slow_set_aside(void)
{
	waiting = slow;
	slow = NULL;
}

void side_slow_take_up(void)
{
	slow = waiting;
}

static void begin_round(void)
{
	if (!side.fuel) {
		side.out_of_fuel = 1;
		__builtin_longjmp(slow->end, 1);
	}
	side.fuel--;
	slow->reclaimed = false;
}

/*
 * Others may come in before each step of a round, as in the port. The kernel has no function for each: what comes
 * between two steps and depends on nothing that others change may run before or after them.
 */
static void before_step(void)
{
	side_nest(NEST_SLOWPATH);
}

static bool may_use_reserves(gfp_t gfp, unsigned int alloc_flags)
{
	return !slow->used_reserves && (!(alloc_flags & ALLOC_CPUSET) || gfp_pfmemalloc_allowed(gfp));
}

void side_slow_look(gfp_t gfp)
{
	if (!slow || slow->in_step)
		return;
	if (!slow->round_counted) {
		begin_round();
		before_step();
	}
	slow->round_counted = false;
	slow->looked = true;
	slow->looked_with = gfp;
	slow->came_to = LOOKED;
	slow->page_from = SLOW_EXIT_GPFF;
}

/* Before the reserves; before it is asked whether to block; before reclaim. */
void side_slow_looked(struct page *page, gfp_t gfp, unsigned int alloc_flags)
{
	if (!slow || slow->in_step || page)
		return;
	before_step();
	if (may_use_reserves(gfp, alloc_flags)) {
		slow->used_reserves = true;
		return;
	}
	before_step();
	if (gfp & __GFP_DIRECT_RECLAIM && !(side_task.flags & PF_MEMALLOC))
		before_step();
}

void watch_wake_all_kswapds(unsigned int order, gfp_t gfp, const struct alloc_context *ac)
{
	if (slow) {
		begin_round();
		slow->round_counted = true;
		before_step();
	}
	real_wake_all_kswapds(order, gfp, ac);
}

struct page *watch___alloc_pages_direct_reclaim(gfp_t gfp, unsigned int order,
						unsigned int alloc_flags,
						const struct alloc_context *ac,
						unsigned long *did_some_progress)
{
	struct page *page;

	slow->in_step = true;
	slow->reclaimed = true;
	slow->page_from = SLOW_EXIT_RECLAIM;
	page = real___alloc_pages_direct_reclaim(gfp, order, alloc_flags, ac, did_some_progress);
	slow->in_step = false;
	return page;
}

struct page *watch___alloc_pages_direct_compact(gfp_t gfp, unsigned int order,
						unsigned int alloc_flags,
						const struct alloc_context *ac,
						enum compact_priority priority,
						enum compact_result *result)
{
	struct page *page;

	slow->in_step = true;
	slow->came_to = COMPACTED;
	slow->page_from = SLOW_EXIT_COMPACT;
	slow->alloc_flags = alloc_flags;
	page = real___alloc_pages_direct_compact(gfp, order, alloc_flags, ac, priority, result);
	slow->in_step = false;
	/* Compaction that came first is tried again, with reclaim. */
	if (!page && slow->reclaimed)
		before_step();
	return page;
}

struct page *watch___alloc_pages_may_oom(gfp_t gfp, unsigned int order,
					 const struct alloc_context *ac,
					 unsigned long *did_some_progress)
{
	struct page *page;

	before_step();
	slow->in_step = true;
	slow->came_to = KILLED;
	slow->page_from = SLOW_EXIT_OOM_PAGE;
	page = real___alloc_pages_may_oom(gfp, order, ac, did_some_progress);
	slow->in_step = false;
	return page;
}

/* Of the OOM step, or the last resort of a request that must not fail. */
struct page *watch___alloc_pages_cpuset_fallback(gfp_t gfp, unsigned int order,
						 unsigned int alloc_flags,
						 const struct alloc_context *ac)
{
	bool in_step = slow->in_step;
	struct page *page;

	slow->in_step = true;
	if (!in_step)
		slow->page_from = SLOW_EXIT_NOFAIL_PAGE;
	page = real___alloc_pages_cpuset_fallback(gfp, order, alloc_flags, ac);
	slow->in_step = in_step;
	return page;
}

/* ---- the case may say that a cookie has changed -------------------------- */

static bool restart_if(bool changed)
{
	if (changed) {
		slow->looked = false;
		slow->came_to = NOWHERE;
	}
	return changed;
}

bool watch_check_retry_cpuset(int cookie, struct alloc_context *ac)
{
	/* Without a zone a round has no look. */
	if (!slow->looked) {
		begin_round();
		slow->looked = true;
	}
	return restart_if(real_check_retry_cpuset(cookie, ac) ||
			  env_ask(ENV_CPUSET_COOKIE, NULL, -1, 0, 0, NULL));
}

unsigned int watch_check_retry_zonelist(unsigned int cookie)
{
	return restart_if(real_check_retry_zonelist(cookie) ||
			  env_ask(ENV_ZONELIST_COOKIE, NULL, -1, 0, 0, NULL));
}

/* ---- the exit ------------------------------------------------------------ */

static enum slowpath_exit why_no_page(const struct slow *s)
{
	switch (s->came_to) {
	case NOWHERE:
		return zonelist_zone(s->ac->preferred_zoneref) ? SLOW_EXIT_CPUSET_INSANE :
								SLOW_EXIT_NO_ZONE;
	case LOOKED:
		return s->looked_with & __GFP_DIRECT_RECLAIM && side.task_flags & SIDE_PF_MEMALLOC ?
			       SLOW_EXIT_PF_MEMALLOC :
			       SLOW_EXIT_NO_DIRECT_RECLAIM;
	case COMPACTED:
		if (!s->reclaimed && s->gfp & __GFP_NORETRY && s->gfp & __GFP_THISNODE)
			return SLOW_EXIT_NORETRY_THISNODE;
		return s->gfp & __GFP_NORETRY ? SLOW_EXIT_NORETRY : SLOW_EXIT_COSTLY;
	case KILLED:
		if (side.task_flags & SIDE_OOM_VICTIM &&
		    (s->alloc_flags & ALLOC_OOM || s->gfp & __GFP_NOMEMALLOC))
			return SLOW_EXIT_OOM_VICTIM;
		return SLOW_EXIT_NO_OOM_PROGRESS;
	}
	return 0;
}

static struct page *run(struct slow *s)
{
	if (__builtin_setjmp(s->end))
		return NULL;
	return real___alloc_pages_slowpath(s->gfp, s->order, s->ac);
}

struct page *watch___alloc_pages_slowpath(gfp_t gfp, unsigned int order, struct alloc_context *ac)
{
	struct slow this = {.gfp = gfp, .order = order, .ac = ac};
	struct slow *outer = slow;
	struct page *page;
	unsigned int exit;

	slow = &this;
	page = run(&this);
	slow = outer;
	if (page)
		exit = this.page_from;
	else
		exit = side.out_of_fuel ? SLOW_EXIT_FUEL : why_no_page(&this);
	EMIT(EV_SLOWPATH_EXIT, .order = order, .gfp = gfp_from_kernel(gfp), .a = exit);
	return page;
}
