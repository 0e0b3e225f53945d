/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a request is owed. An allocator that always says NULL breaks no rule about
 * what must not happen; these are the rules that it breaks.
 *
 *      zone    free |======================| above the mark     -> admits the request
 *      list    order 3, Movable: [........]                     -> and has something for it
 *      a look that ends without a page, or a request that fails, contradicts both
 */
#include "properties/slowpath.h"
#include "properties/wmark.h"

/* ---- a zone that could serve --------------------------------------------- */

/* A look, as far as a zone is concerned. */
struct ask {
	const struct wants *wants;
	u32 flags; /* ALLOC flags, with the mark */
	u32 gfp; /* of the look, for the cpuset */
	u32 nodemask;
};

enum kinds { OWN_TYPE, FOREIGN_TYPES, ANY_TYPE };

/* BIT(mt) of the lists of @order that such a look may take from; the own one is one of ANY_TYPE. */
static inline u32 types_to_take(const struct ask *ask, u32 order, enum kinds kinds)
{
	const u32 main_types = BIT(MIGRATE_PCPTYPES) - 1;
	const u32 own = BIT(ask->wants->mt);
	u32 types = kinds == FOREIGN_TYPES ? 0 : own;

	/* NOFRAGMENT leaves whole blocks to be claimed (spec 4.11). */
	if (!(ask->flags & ALLOC_NOFRAGMENT) || order >= ask->wants->view->machine->pageblock_order)
		types |= main_types & ~own;
	if (kinds == FOREIGN_TYPES)
		return types;
	if (ask->flags & ALLOC_CMA)
		types |= BIT(MIGRATE_CMA);
	if (ask->flags & (ALLOC_HIGHATOMIC | ALLOC_OOM | ALLOC_NON_BLOCK))
		types |= BIT(MIGRATE_HIGHATOMIC);
	return types;
}

static bool has_something(const struct ask *ask, const struct wmark *mark, enum kinds kinds)
{
	u32 max = ask->wants->view->machine->max_page_order, mt = ask->wants->mt;

	for (u32 order = ask->wants->order; order <= max; order++) {
		if (kinds == OWN_TYPE ? wmark_has_type(mark, order, mt)
				      : wmark_has(mark, order, types_to_take(ask, order, kinds)))
			return true;
	}
	return false;
}

/* A zone that admits @ask and has something of @kinds for it, in the view as it is; or NULL. */
static const struct zone *zone_that_could(const struct ask *ask, enum kinds kinds)
{
	const struct wants *w = ask->wants;
	u32 pos;

	for_each_wanted_zone(w, ask->nodemask, pos)
	{
		const struct zone *z = wants_zone(w, pos);
		struct wmark mark;

		if ((ask->flags & ALLOC_CPUSET) && !cpuset_admits(w->view, z, ask->gfp))
			continue;
		mark = wmark_look(w->view, z->index);
		if (has_something(ask, &mark, kinds) &&
		    wmark_admits(&mark, w->order, w->hidx, ask->flags))
			return z;
	}
	return NULL;
}

/* ---- a look takes what lies there ---------------------------------------- */

/*
 * Nothing changes the lists during a look that fails, so at its end they show what it saw; a
 * boost that it caused only makes the marks stricter.
 */
static int look_takes_own_type(const struct decision *d, char why[WHY_SIZE])
{
	const struct event *end = d->event;
	const struct zone *z;
	struct wants wants;
	struct ask ask;
	char name[NAME_SIZE];

	if (!d->pass || d->interleaved || d->request->kind != REQUEST_ALLOC)
		return VERDICT_MEANINGLESS;
	/* A page that was cached says nothing about the lists. */
	if (end->pfn != PFN_NONE && !d->locks)
		return VERDICT_MEANINGLESS;
	if (!wants_read(&wants, d->view, d->request, d->view->global->task.flags))
		return VERDICT_MEANINGLESS;
	ask = (struct ask){
		.wants = &wants, .flags = end->a, .gfp = end->gfp, .nodemask = d->pass->c};
	z = zone_that_could(&ask, OWN_TYPE);
	if (!z)
		return VERDICT_MEANINGLESS;
	if (end->pfn != PFN_NONE)
		return VERDICT_HOLDS;
	/* Node reclaim may have freed pages of a zone that was looked at before. */
	if (d->view->global->sysctl[SYSCTL_NODE_RECLAIM_MODE] && (end->gfp & __GFP_DIRECT_RECLAIM))
		return VERDICT_EXCUSED;
	/* The fast path of a writer passes over nodes at their dirty limit. */
	if ((end->gfp & __GFP_WRITE) && (end->a & ALLOC_WMARK_MASK) == ALLOC_WMARK_LOW)
		return VERDICT_EXCUSED;
	return breaks(why, "order %d, flags %#x: no page, but %s is above the mark and has %s ones",
		      end->order, end->a, zone_name(d->view, z->index, name), type_name(wants.mt));
}

const struct property prop_look_takes_own_type = {
	.id = "look-takes-own-type",
	.rule = "spec 4.2, 4.8",
	.sentence = "A look at the free lists that ends while a zone of its list is above the mark "
		    "and has a large enough buddy of the request's own type, has got a page.",
	.needs = "view, inner",
	.promise = PROMISE_ALL,
	.events = EV_BIT(EV_GPFF_END),
	.decision = look_takes_own_type,
};

/* ---- all was tried, in order --------------------------------------------- */

static bool is_last_look(const struct event *e)
{
	return e->type == EV_GPFF && (e->a & ALLOC_WMARK_MASK) == ALLOC_WMARK_HIGH;
}

/* What a small request without NORETRY has failed without, though it must not; or NULL. */
static const char *first_missing(const struct slow *slow)
{
	const struct event *reclaim = slow_last(slow, is_reclaim);
	const struct event *compaction = slow_last(slow, is_compaction);
	const struct event *look = slow_last(slow, is_last_look);

	if (!reclaim)
		return "reclaim";
	if (slow->wants.order && slow->step->view->machine->config_compaction) {
		if (!compaction || compaction < reclaim)
			return "compaction after it";
		reclaim = compaction;
	}
	return look && look > reclaim ? NULL : "a look with the HIGH mark, and OOM, after them";
}

static int small_null_tried_all(const struct step *s, char why[WHY_SIZE])
{
	const char *missing;
	const struct slow *slow = slow_of(s);
	u32 task;

	if (!slow || !slow->failed || !slow->blocking || slow->costly ||
	    slow_has(slow, __GFP_NORETRY))
		return VERDICT_MEANINGLESS;
	/* The exceptions of rule 65 that end a request before it got there. */
	task = s->before->global.task.flags | s->view->global->task.flags;
	if ((task & (TASK_PF_MEMALLOC | TASK_OOM_VICTIM)) || !slow_has_zone(slow))
		return VERDICT_EXCUSED;
	missing = first_missing(slow);
	if (missing)
		return breaks(why, "order %u, gfp %#x got no page without %s", s->request->order,
			      s->request->gfp, missing);
	return VERDICT_HOLDS;
}

const struct property prop_small_null_tried_all = {
	.id = "small-null-tried-all",
	.rule = "spec 10.65, 6.1",
	.sentence =
		"A blocking request up to order 3 without NORETRY fails only after reclaim, then "
		"(above order 0) compaction, then a last look with the HIGH mark, where the OOM "
		"killer is asked.",
	.needs = "view, inner",
	.promise = PROMISE_ALL,
	.requests = REQUEST_BIT(REQUEST_ALLOC),
	.only = ONLY_SLOW,
	.step = small_null_tried_all,
};

/* ---- kswapd is told ------------------------------------------------------ */

/* Nodes of the list, one bit each. */
static u32 nodes_to_wake(const struct wants *w)
{
	u32 nodes = 0;
	u32 pos;

	for_each_wanted_zone(w, w->nodemask, pos)
	{
		if (wants_zone(w, pos)->managed_pages)
			nodes |= BIT(wants_zone(w, pos)->node);
	}
	return nodes;
}

static int wake_every_node(const struct step *s, char why[WHY_SIZE])
{
	const struct slow *slow = slow_of(s);
	u32 missing;

	if (!slow || !slow_has(slow, __GFP_KSWAPD_RECLAIM) || !slow_has_zone(slow))
		return VERDICT_MEANINGLESS;
	missing = nodes_to_wake(&slow->wants);
	/* Before the first look of the slow path. */
	for (u32 i = slow->first; i < s->nr_events && s->events[i].type != EV_GPFF; i++) {
		if (s->events[i].type == EV_WAKEUP_KSWAPD)
			missing &= ~BIT(s->events[i].b);
	}
	if (missing)
		return breaks(why, "gfp %#x: the slow path begins without calling kswapd %u",
			      s->request->gfp, ffs0(missing));
	return VERDICT_HOLDS;
}

const struct property prop_wake_every_node = {
	.id = "wake-every-node",
	.rule = "spec 6.1 step 7",
	.sentence =
		"With KSWAPD_RECLAIM, whatever else the gfp has, a slow path begins with a call "
		"of the kswapd of every node that it may use.",
	.needs = "view, inner",
	.promise = PROMISE_ALL,
	.requests = REQUEST_BIT(REQUEST_ALLOC),
	.only = ONLY_SLOW,
	.step = wake_every_node,
};

/* ---- failure with memory above the mark ---------------------------------- */

static bool changes_lists(const struct event *e)
{
	const u64 types = EV_BIT(EV_ENV_FREED) | EV_BIT(EV_ENV_MOVED) | EV_BIT(EV_MM_PAGE_FREE) |
			  EV_BIT(EV_MM_PAGE_PCPU_DRAIN) | EV_BIT(EV_UNRESERVE_HIGHATOMIC);

	return EV_BIT(e->type) & types;
}

/*
 * The last look with the MIN mark; without one the fast path's with that mark instead. False if
 * what it saw is not there any more: the lists or the task have changed since.
 */
static bool last_ask(const struct slow *slow, struct ask *ask)
{
	const struct step *s = slow->step;
	struct look look, last = slow->fast;

	for (u32 i = slow->first; next_look(s, i, &look); i = after_look(s, &look)) {
		if (look_mark(&look) == ALLOC_WMARK_MIN)
			last = look;
	}
	*ask = (struct ask){
		.wants = &slow->wants,
		.flags = (last.end->a & ~ALLOC_WMARK_MASK) | ALLOC_WMARK_MIN,
		.gfp = last.end->gfp,
		.nodemask = last.begin->c,
	};
	for (u32 i = after_look(s, &last); i < s->nr_events; i++) {
		if (changes_lists(&s->events[i]))
			return false;
	}
	return s->before->global.task.flags == s->view->global->task.flags;
}

/* Spec 6.1 steps 11, 12, 18, 19: does it reach a point where it may mix types? */
static bool may_drop_nofragment(const struct slow *slow)
{
	if (slow_has(slow, __GFP_NORETRY))
		return false;
	if (!slow->blocking)
		return slow_has(slow, __GFP_KSWAPD_RECLAIM);
	if (slow->step->before->global.task.flags & TASK_PF_MEMALLOC)
		return false;
	return !slow->costly || (slow->can_compact && slow_has(slow, __GFP_RETRY_MAYFAIL));
}

/* Every slow path under defrag_mode begins with NOFRAGMENT; this look comes without. */
static bool is_mixing_look(const struct event *e)
{
	return e->type == EV_GPFF && (e->a & ALLOC_WMARK_MASK) == ALLOC_WMARK_MIN &&
	       !(e->a & ALLOC_NOFRAGMENT);
}

/*
 * Reserve rights take NOFRAGMENT away (step 9) for a look that there is only once (step 10): a request that
 * begins anew has had it, and if it may not block it gives up at step 11 without another.
 *
 *      look (NOFRAGMENT)  rights  look   RESTART   look (NOFRAGMENT)  rights  NULL
 */
static bool rights_come_late(const struct slow *slow)
{
	const u32 rights = TASK_OOM_VICTIM | TASK_PF_MEMALLOC;

	return slow_last(slow, is_restart) &&
	       (slow_has(slow, __GFP_MEMALLOC) || (slow->step->before->global.task.flags & rights));
}

static int defrag_mixes_before_null(const struct step *s, char why[WHY_SIZE])
{
	const struct zone *z;
	char name[NAME_SIZE];
	const struct slow *slow = slow_of(s);
	struct ask ask;

	if (!slow || !s->view->global->sysctl[SYSCTL_DEFRAG_MODE] ||
	    !s->view->machine->config_dma32 || !may_drop_nofragment(slow))
		return VERDICT_MEANINGLESS;
	if (!slow->failed)
		return slow_last(slow, is_mixing_look) ? VERDICT_HOLDS : VERDICT_MEANINGLESS;
	if (rights_come_late(slow) || !last_ask(slow, &ask))
		return VERDICT_EXCUSED;
	ask.flags &= ~ALLOC_NOFRAGMENT;
	z = zone_that_could(&ask, FOREIGN_TYPES);
	if (z)
		return breaks(why,
			      "order %u, gfp %#x got no page, but %s is above MIN and has pages "
			      "of other types than %s",
			      s->request->order, s->request->gfp,
			      zone_name(s->view, z->index, name), type_name(slow->wants.mt));
	return VERDICT_HOLDS;
}

const struct property prop_defrag_mixes_before_null = {
	.id = "defrag-mixes-before-null",
	.rule = "spec 6.1 steps 11, 23",
	.sentence = "Under defrag_mode a request that may give up NOFRAGMENT does not fail while a "
		    "zone above the MIN mark has a page of another type for it.",
	.needs = "view, inner",
	.promise = PROMISE_ALL,
	.requests = REQUEST_BIT(REQUEST_ALLOC),
	.only = ONLY_SLOW,
	.step = defrag_mixes_before_null,
};

static int costly_noretry_null(const struct step *s, char why[WHY_SIZE])
{
	const struct zone *z;
	char name[NAME_SIZE];
	const struct slow *slow = slow_of(s);
	struct ask ask;

	if (!slow || !slow->failed || !slow->costly || !slow_has(slow, __GFP_NORETRY) ||
	    !slow_has_zone(slow))
		return VERDICT_MEANINGLESS;
	if (!last_ask(slow, &ask))
		return VERDICT_EXCUSED;
	z = zone_that_could(&ask, ANY_TYPE);
	if (z)
		return breaks(why,
			      "order %u, gfp %#x, flags %#x got no page, but %s is above MIN "
			      "and has some",
			      s->request->order, s->request->gfp, ask.flags,
			      zone_name(s->view, z->index, name));
	return VERDICT_HOLDS;
}

const struct property prop_costly_noretry_null = {
	.id = "costly-noretry-null",
	.rule = "spec 6.1, 6.2",
	.sentence = "A costly NORETRY request fails only if no zone of its list is above the MIN "
		    "mark with a page that it may take.",
	.needs = "view, inner",
	.promise = PROMISE_ALL,
	.requests = REQUEST_BIT(REQUEST_ALLOC),
	.only = ONLY_SLOW,
	.step = costly_noretry_null,
};
