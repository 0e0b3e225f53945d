/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a free does to the zone and to its blocks, and that it undoes an allocation
 * (spec 10.71 to 10.73).
 *
 *      in use ---- 2^order pages ----> free lists, pcp lists; with NOLOCK: trylock list
 */
#include "properties/list.h"
#include "properties/pages.h"
#include "properties/walk.h"

/* ---- 71: the pages ------------------------------------------------------- */

/* Pages that are to become free in each zone. */
struct freed {
	s64 pages[MACHINE_MAX_ZONES];
};

static bool is_poisoned(const struct view *view, u32 pfn, u32 order)
{
	return !order && (view->pages[pfn].flags & PG_HWPOISON);
}

/*
 * Spec 3.1. Somebody else may hold a reference: then a folio stays, and of pages that are no
 * folio the first one does. A poisoned page is taken out of service.
 */
static s64 pages_of_free(const struct view *view, const struct request *r)
{
	if (r->frozen || r->refs == 1)
		return is_poisoned(view, r->pfn, r->order) ? 0 : 1 << r->order;
	return view->pages[r->pfn].flags & PG_HEAD ? 0 : (1 << r->order) - 1;
}

/* Several at once: what is reported as freed. */
static void add_reported(struct freed *freed, const struct step *s)
{
	for (u32 i = 0; i < s->nr_events; i++) {
		const struct event *e = &s->events[i];

		if (e->type == EV_MM_PAGE_FREE && !is_poisoned(s->view, e->pfn, (u32)e->order))
			freed->pages[e->zone] += 1 << e->order;
	}
}

static int wrong_growth(const struct step *s, u32 zone, const char *what, s64 grown, s64 expected,
			char why[WHY_SIZE])
{
	char name[NAME_SIZE];

	return breaks(why, "%s: %s grew by %lld, expected %lld", zone_name(s->view, zone, name),
		      what, (long long)grown, (long long)expected);
}

static int free_adds_pages(const struct step *s, char why[WHY_SIZE])
{
	const struct request *r = s->request;
	struct freed freed = {0};

	if (step_is_blurred(s))
		return VERDICT_MEANINGLESS;
	if (r->kind == REQUEST_FREE)
		freed.pages[s->view->pages[r->pfn].zone] = pages_of_free(s->view, r);
	else
		add_reported(&freed, s);
	for (u32 z = 0; z < s->view->machine->nr_zones; z++) {
		struct unused growth = unused_growth(s, z);

		if (unused_pages(growth) != freed.pages[z])
			return wrong_growth(s, z, "unused pages", unused_pages(growth),
					    freed.pages[z], why);
		if (!r->nolock && growth.waiting > 0)
			return wrong_growth(s, z, "the trylock list", growth.waiting, 0, why);
	}
	return VERDICT_HOLDS;
}

const struct property prop_free_adds_pages = {
	.id = "free-adds-pages",
	.rule = "spec 10.71",
	.sentence =
		"A free of order o adds 2^o pages to what its zone has on free lists, pcp lists "
		"and trylock list together, the last only with NOLOCK; other zones stay as "
		"they are.",
	.needs = "view, public",
	.promise = PROMISE_HYGIENE,
	.requests = REQUEST_FREES,
	.step = free_adds_pages,
};

/* ---- 71: the blocks ------------------------------------------------------ */

/* What a decision did to blocks: the first one that has other flags than by merging, or PFN_NONE. */
static u32 wrongly_changed_block(const struct decision *d)
{
	for (u32 i = 0; d->blocks_changed && i < d->was->nr_blocks; i++) {
		u32 block = d->was->first_block + i;
		u8 was = d->was->blocks[i];

		if (block_changed(d->view, block, was) && !block_was_unified(d->view, block, was))
			return block << d->view->machine->pageblock_order;
	}
	return PFN_NONE;
}

/*
 * The page whose block has the last word: one that was just drained, or the last piece of what a
 * whole free gave to the buddy lists. PFN_NONE: there is none.
 */
static u32 last_freed(const struct decision *d)
{
	const struct request *r = d->request;

	if (d->event->type == EV_MM_PAGE_PCPU_DRAIN)
		return d->event->pfn;
	if (r->kind != REQUEST_FREE || (!r->frozen && r->refs != 1))
		return PFN_NONE;
	return r->pfn + BIT(r->order) - 1;
}

/*
 *        free            freed
 *      [ U          ][ M  x       ]  ->  [ M                       ]
 */
static int free_keeps_types(const struct decision *d, char why[WHY_SIZE])
{
	u32 order = d->view->machine->pageblock_order;
	u32 pfn;

	if (d->event->type == EV_ZONE_UNLOCK && !(REQUEST_BIT(d->request->kind) & REQUEST_FREES))
		return VERDICT_MEANINGLESS;
	pfn = wrongly_changed_block(d);
	if (pfn != PFN_NONE)
		return breaks(why,
			      "pages were freed, and block %u, which was not merged, became %s",
			      pfn, type_name(block_type(d->view, pfn)));
	pfn = last_freed(d);
	if (pfn == PFN_NONE)
		return VERDICT_HOLDS;
	if (block_changed(d->view, pfn >> order, zone_shot_block(d->was, pfn >> order)))
		return breaks(why, "page %u was freed, and its block, which was %s, became %s", pfn,
			      type_name(zone_shot_block(d->was, pfn >> order) &
					PB_MIGRATETYPE_MASK),
			      type_name(block_type(d->view, pfn)));
	return VERDICT_HOLDS;
}

const struct property prop_free_keeps_types = {
	.id = "free-keeps-types",
	.rule = "spec 10.71, 3.9",
	.sentence = "Pages that become free change no pageblock, but that a free buddy they merge "
		    "with gets the type of the freed page's block.",
	.needs = "view, public, inner",
	.promise = PROMISE_HYGIENE,
	.events = EV_BIT(EV_MM_PAGE_PCPU_DRAIN) | EV_BIT(EV_ZONE_UNLOCK),
	.decision = free_keeps_types,
};

/* ---- 72: alloc, free ----------------------------------------------------- */

/* Anything that changes counters besides a page being taken. */
#define OTHER_TRAFFIC                                                                         \
	(EV_BIT(EV_ENV_FREED) | EV_BIT(EV_ENV_MOVED) | EV_BIT(EV_MM_PAGE_FREE) |              \
	 EV_BIT(EV_MM_PAGE_PCPU_DRAIN) | EV_BIT(EV_CAPTURE) | EV_BIT(EV_RESERVE_HIGHATOMIC) | \
	 EV_BIT(EV_UNRESERVE_HIGHATOMIC))

/* Nothing is cached on the way, neither of the page nor before it. */
static bool bypasses_lists(const struct step *s, const struct shot *before, u32 zone)
{
	const struct machine *m = s->view->machine;
	const struct per_cpu_pages *pcp =
		&before->pcps[zone * m->nr_cpus + s->view->global->task.cpu];

	if (before->trylock[zone] || s->request->nolock)
		return false;
	return !pcp_allows_order(m, s->request->order) || (!pcp->high_max && !pcp->count);
}

static bool undoes_earlier(const struct step *s)
{
	const struct request *r = s->request;
	const struct earlier *earlier = s->earlier;

	return r->kind == REQUEST_FREE && !step_is_blurred(s) && earlier &&
	       (REQUEST_BIT(earlier->request.kind) & REQUEST_ALLOCATES) &&
	       earlier->request.result_pfn == r->pfn && earlier->request.order == r->order &&
	       !(earlier->seen & OTHER_TRAFFIC) && (r->frozen || r->refs == 1) &&
	       bypasses_lists(s, earlier->before, s->view->pages[r->pfn].zone);
}

static int alloc_free_restores(const struct step *s, char why[WHY_SIZE])
{
	if (!undoes_earlier(s))
		return VERDICT_MEANINGLESS;
	for (u32 z = 0; z < s->view->machine->nr_zones; z++) {
		const struct zone *before = &s->earlier->before->zones[z];
		const struct zone *now = &s->view->zones[z];

		for (u32 item = 0; item < NUMA_HIT; item++) {
			s64 grown = now->vm_stat[item] - before->vm_stat[item];

			if (grown)
				return wrong_growth(s, z, zone_stat_names[item], grown, 0, why);
		}
		if (now->nr_free_highatomic != before->nr_free_highatomic)
			return wrong_growth(
				s, z, "nr_free_highatomic",
				(s64)now->nr_free_highatomic - before->nr_free_highatomic, 0, why);
	}
	return VERDICT_HOLDS;
}

const struct property prop_alloc_free_restores = {
	.id = "alloc-free-restores",
	.rule = "spec 10.72",
	.sentence =
		"An allocation and the free of the same page right after it, where no pcp is in "
		"between, leave the counters of free pages as they were.",
	.needs = "view, public, inner",
	.promise = PROMISE_ALL,
	.requests = REQUEST_ALLOCATES | REQUEST_BIT(REQUEST_FREE),
	.step = alloc_free_restores,
};

/* ---- 73: blocks that change hands ---------------------------------------- */

static int move_keeps_free_pages(const struct decision *d, char why[WHY_SIZE])
{
	s64 before = d->was->zone.vm_stat[NR_FREE_PAGES];
	s64 now = d->zone->vm_stat[NR_FREE_PAGES];
	s64 taken = 0;

	if (d->event->type == EV_MM_PAGE_ALLOC_EXTFRAG) {
		if (!d->claimed)
			return VERDICT_MEANINGLESS;
		taken = 1 << d->event->order;
	}
	if (before - now != taken)
		return breaks(why,
			      "the block of page %u changed hands: NR_FREE_PAGES was %lld and is "
			      "%lld, %lld were taken",
			      d->event->pfn, (long long)before, (long long)now, (long long)taken);
	return VERDICT_HOLDS;
}

const struct property prop_move_keeps_free_pages = {
	.id = "move-keeps-free-pages",
	.rule = "spec 10.73",
	.sentence = "Moving the free pages of a block to another type, for a claim or for the "
		    "HighAtomic reserve, does not change how many are free.",
	.needs = "view, public, inner",
	.promise = PROMISE_ALL,
	.events = EV_BIT(EV_RESERVE_HIGHATOMIC) | EV_BIT(EV_UNRESERVE_HIGHATOMIC) |
		  EV_BIT(EV_MM_PAGE_ALLOC_EXTFRAG),
	.decision = move_keeps_free_pages,
};
