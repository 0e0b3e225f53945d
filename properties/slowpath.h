/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the properties of the slow path share: the passes of a request over the
 * free lists, and what it did between them. "Look" is one pass of
 * get_page_from_freelist, from its EV_GPFF to its EV_GPFF_END.
 *
 *      fast look (LOW mark)     slow looks (MIN mark)       before OOM (HIGH mark)
 *      [ gpff .. gpff_end ]  W  [ gpff .. end ] R [ .. ]    [ gpff .. gpff_end ] O
 *                            ^ slow->first
 */
#ifndef PROPERTIES_SLOWPATH_H
#define PROPERTIES_SLOWPATH_H

#include "properties/walk.h"
#include "properties/wants.h"

struct look {
	const struct event
		*begin; /* EV_GPFF: flags at the start; the first, if it retried inside */
	const struct event *end; /* EV_GPFF_END: page or PFN_NONE */
};

static inline u32 look_mark(const struct look *look)
{
	return look->begin->a & ALLOC_WMARK_MASK;
}

/* The next look that ends at or after event @i. False: none. */
bool next_look(const struct step *s, u32 i, struct look *look);
/* Event index from which to ask for the one after @look. */
static inline u32 after_look(const struct step *s, const struct look *look)
{
	return step_index(s, look->end) + 1;
}

/* A request that its fast path did not serve. */
struct slow {
	const struct step *step;
	struct wants wants;
	struct look fast;
	u32 first; /* index of the first event of its slow path */
	u32 called; /* BIT(enum env_call) of what it asked the environment for */
	bool failed; /* it got no page at all */
	bool blocking; /* DIRECT_RECLAIM, as the caller asked */
	bool costly;
	bool can_compact;
};

/* For step.slow. False: no such request, or not all that it did is known. */
bool slow_read(struct slow *slow, const struct step *s);

/* NULL also when it ran out of fuel, which says nothing about promises. */
static inline const struct slow *slow_of(const struct step *s)
{
	return s->request->out_of_fuel ? NULL : s->slow;
}

static inline bool slow_called(const struct slow *slow, u32 env_call)
{
	return slow->called & BIT(env_call);
}

static inline bool slow_has(const struct slow *slow, u32 gfp)
{
	return wants_has(&slow->wants, gfp);
}

/* Costly NORETRY without THISNODE: what V1 speaks of ("class E" of spec 6.2). */
static inline bool slow_has_cheap_fallback(const struct slow *slow)
{
	return slow->costly && slow_has(slow, __GFP_NORETRY) && !slow_has(slow, __GFP_THISNODE);
}

static inline bool is_env_call(const struct event *e, u32 env_call)
{
	return e->type == EV_ENV_CALL && e->a == env_call;
}

/* One direct reclaim; its progress is e->c. */
static inline bool is_reclaim(const struct event *e)
{
	return is_env_call(e, ENV_RECLAIM);
}

/* One direct compaction, not its part in one zone; its priority is e->b, its result e->c. */
static inline bool is_compaction(const struct event *e)
{
	return is_env_call(e, ENV_COMPACT) && e->zone == ZONE_ANY;
}

/* The cpuset or the zonelists changed under the request: it begins anew (RESTART). */
static inline bool is_restart(const struct event *e)
{
	return (is_env_call(e, ENV_CPUSET_COOKIE) || is_env_call(e, ENV_ZONELIST_COOKIE)) && e->c;
}

static inline bool is_oom(const struct event *e)
{
	return is_env_call(e, ENV_OOM);
}

static inline bool is_drain(const struct event *e)
{
	return e->type == EV_DRAIN_ALL_PAGES;
}

/* Number of the slow path's events for which @is is true. */
static inline u32 slow_count(const struct slow *slow, bool (*is)(const struct event *e))
{
	const struct step *s = slow->step;
	u32 nr = 0;

	for (u32 i = slow->first; i < s->nr_events; i++)
		nr += is(&s->events[i]);
	return nr;
}

/* The last such event, or NULL. */
static inline const struct event *slow_last(const struct slow *slow,
					    bool (*is)(const struct event *e))
{
	const struct step *s = slow->step;

	for (u32 i = s->nr_events; i-- > slow->first;) {
		if (is(&s->events[i]))
			return &s->events[i];
	}
	return NULL;
}

/* Some zone of its list is in the caller's nodemask, and in an insane cpuset (6.1 steps 5, 6). */
bool slow_has_zone(const struct slow *slow);

#endif
