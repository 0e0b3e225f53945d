/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Structure: who owns which page, and what a page that nobody uses looks like
 * (spec 10.1 to 10.6 and 10.11). What the free lists say about order, type and
 * merging is in freelists.c.
 */
#include "properties/list.h"
#include "properties/walk.h"

/*
 *      H -> 8 -> 40 -> H        each next is answered by the prev of the page
 *      H <- 8 <- 40 <- H        that it names, and only pages are on a list
 */
static bool list_links(const struct walk *w, char why[WHY_SIZE])
{
	return w->broken[0] ? fails(why, "%s", w->broken) : true;
}

const struct property prop_list_links = {
	.id = "list-links",
	.rule = "spec 2.4",
	.sentence = "Every list is a closed ring of pages that are on no other list.",
	.needs = "view",
	.promise = PROMISE_ALL,
	.holds = list_links,
};

static bool in_zone(const struct view *v, u32 first, u32 last, u32 zone)
{
	const struct zone *z = &v->zones[zone];

	return last < v->nr_pages && v->pages[first].zone == zone && v->pages[last].zone == zone &&
	       first >= z->zone_start_pfn && last < zone_end_pfn(z);
}

/*
 *      zone 0            zone 1
 *      |      [order 3 . | . . . ]    the entry crosses the border
 */
static bool zone_range(const struct walk *w, char why[WHY_SIZE])
{
	const struct machine *machine = w->view->machine;
	const struct entry *e;
	char name[NAME_SIZE];

	for_each_entry(w, e)
	{
		u32 last = e->pfn + (1U << e->order) - 1;

		if (e->order > machine->max_page_order &&
		    (e->kind == ENTRY_FREE || e->kind == ENTRY_PCP))
			return fails(why, "%s: larger than max_page_order %u",
				     entry_name(w, e, name), machine->max_page_order);
		if (e->zone >= machine->nr_zones || !in_zone(w->view, e->pfn, last, e->zone))
			return fails(why, "%s: page %u or %u is not in that zone",
				     entry_name(w, e, name), e->pfn, last);
	}
	return true;
}

const struct property prop_zone_range = {
	.id = "zone-range",
	.rule = "spec 10.6",
	.sentence = "What is on a zone's lists or handed out lies completely within one zone.",
	.needs = "view, held",
	.promise = PROMISE_ALL,
	.holds = zone_range,
	.judges = JUDGES_ENTRIES,
};

/*
 *      [ free, order 2 ][held][pcp][ free, order 1 ] R R      R: reserved
 *                    ^ never two owners, never none
 */
static bool partition(const struct walk *w, char why[WHY_SIZE])
{
	char name[NAME_SIZE], other[NAME_SIZE];

	if (w->clash[0].kind)
		return fails(why, "%s and %s share page %u", entry_name(w, &w->clash[0], name),
			     entry_name(w, &w->clash[1], other), w->clash[1].pfn);
	if (w->lost == PFN_NONE)
		return true;
	return fails(why, "page %u (%s) is on no list and not handed out", w->lost,
		     zone_name(w->view, w->view->pages[w->lost].zone, name));
}

const struct property prop_partition = {
	.id = "partition",
	.rule = "spec 10.1",
	.sentence =
		"Every page is free, on a pcp list, on the trylock list, isolated or handed out, "
		"and only one of these.",
	.needs = "view, held",
	.promise = PROMISE_ALL,
	.holds = partition,
};

/* An order-2 entry begins at 0, 4, 8, ...; a contig allocation may begin anywhere. */
static bool alignment(const struct walk *w, char why[WHY_SIZE])
{
	const struct entry *e;
	char name[NAME_SIZE];

	for_each_entry(w, e)
	{
		bool any = e->kind == ENTRY_HELD ? e->list & HELD_CONTIG
						 : e->kind != ENTRY_FREE && e->kind != ENTRY_PCP;

		if (!any && (e->pfn & ((1U << e->order) - 1)))
			return fails(why, "%s: %u is not a multiple of %u", entry_name(w, e, name),
				     e->pfn, 1U << e->order);
	}
	return true;
}

const struct property prop_alignment = {
	.id = "alignment",
	.rule = "spec 10.2",
	.sentence = "2^order free, cached or handed-out pages begin at a multiple of 2^order.",
	.needs = "view, held",
	.promise = PROMISE_ALL,
	.holds = alignment,
	.judges = JUDGES_ENTRIES,
};

/* ---- what pages look like ------------------------------------------------ */

#define KINDS_FREE (BIT(ENTRY_FREE) | BIT(ENTRY_PCP) | BIT(ENTRY_TRYLOCK) | BIT(ENTRY_ISOLATED))
#define KINDS_OWNED (KINDS_FREE | BIT(ENTRY_HELD))
#define KINDS_ALL (KINDS_OWNED | BIT(ENTRY_NONE))

/*
 * A page that waited on the trylock list keeps its order in private (L1581 reads it and leaves it) until it
 * heads a buddy or is freed by itself:
 *
 *      x   trylock, order 3        private 3
 *      [ free, order 4:    x    ]  private 3, as x is the upper half of a merge
 *      [ handed out, order 4    ]  L1832 clears private of the first page alone
 *
 * It lies there with all of its 2^order pages, because they are aligned; and it is smaller than the largest
 * buddy, which is never part of another one.
 */
static bool is_left_order(const struct walk *w, u32 pfn)
{
	u32 order = w->view->pages[pfn].private;

	return order < w->view->machine->max_page_order && !(pfn & (BIT(order) - 1));
}

static bool sum_has(const struct page *sum, const struct page *bad)
{
	return (sum->private & bad->private) || (sum->refcount & bad->refcount) ||
	       (sum->flags & bad->flags);
}

/* Has @page a bit of @bad, and nothing that excuses it? */
static bool is_bad(const struct walk *w, u32 pfn, const struct page *bad)
{
	const struct page *p = &w->view->pages[pfn];

	return sum_has(p, bad) && !(bad->private && is_left_order(w, pfn));
}

/* Blame the first page that begins no entry, belongs to one of @kinds and is bad; false: there is none. */
static bool blame(const struct walk *w, u32 kinds, const struct page *bad, const char *what,
		  char why[WHY_SIZE])
{
	const struct entry *e = NULL;
	char name[NAME_SIZE];
	u32 pfn, end = 0;

	for (pfn = 0; pfn < w->view->nr_pages; pfn++) {
		const struct page *p = &w->view->pages[pfn];

		if (pfn >= end) {
			e = entry_at(w, pfn);
			end = e ? entry_end(w, e) : pfn + 1;
			if (e)
				continue;
		}
		if (!(kinds & BIT(e ? e->kind : ENTRY_NONE)) || !is_bad(w, pfn, bad))
			continue;
		fails(why, "page %u of %s: %s (private %u, refcount %d, flags 0x%x)", pfn,
		      e ? entry_name(w, e, name) : "nobody", what, p->private, p->refcount,
		      p->flags);
		return true;
	}
	return false;
}

/* As blame(), but the sums of the walk say "none" without a look at the pages. */
static bool rest_fails(const struct walk *w, u32 kinds, struct page bad, const char *what,
		       char why[WHY_SIZE])
{
	u32 kind, guilty = 0;

	if (!sum_has(&w->any_rest, &bad))
		return false;
	for (kind = 0; kind < NR_ENTRY_KINDS; kind++)
		if ((kinds & BIT(kind)) && sum_has(&w->rest[kind], &bad))
			guilty |= BIT(kind);
	return guilty && blame(w, guilty, &bad, what, why);
}

static bool head_fails(const struct walk *w, const struct entry *e, const char *what,
		       char why[WHY_SIZE])
{
	const struct page *p = &w->view->pages[e->pfn];
	char name[NAME_SIZE];

	return fails(why, "%s: %s (private %u, refcount %d, flags 0x%x)", entry_name(w, e, name),
		     what, p->private, p->refcount, p->flags);
}

/* The same for the first pages of entries of one of @kinds, whose sum is @sum. */
static bool heads_fail(const struct walk *w, u32 kinds, const struct page *sum, struct page bad,
		       const char *what, char why[WHY_SIZE])
{
	const struct entry *e;

	if (!sum_has(sum, &bad))
		return false;
	for_each_entry(w, e)
	{
		const struct page *p = &w->view->pages[e->pfn];
		if ((kinds & BIT(e->kind)) && sum_has(p, &bad))
			return !head_fails(w, e, what, why);
	}
	return false;
}

/* Of what nobody uses, neither first pages nor others may have a bit of @bad. */
static bool unused_fail(const struct walk *w, struct page bad, const char *what, char why[WHY_SIZE])
{
	return heads_fail(w, KINDS_FREE, &w->unused_heads, bad, what, why) ||
	       rest_fails(w, KINDS_FREE, bad, what, why);
}

/*
 *      [B2 .  .  . ][B0]       B: buddy flag, with its order in private;
 *                              no other page has the flag
 */
static bool buddy_flag(const struct walk *w, char why[WHY_SIZE])
{
	const struct entry *e;

	for_each_entry(w, e)
	{
		const struct page *p = &w->view->pages[e->pfn];

		if (e->kind == ENTRY_FREE && (!(p->flags & PG_BUDDY) || p->private != e->order))
			return head_fails(w, e, "no buddy of the list's order", why);
	}
	for (u32 kind = ENTRY_PCP; kind < NR_ENTRY_KINDS; kind++) {
		if (heads_fail(w, BIT(kind), &w->heads[kind], (struct page){.flags = PG_BUDDY},
			       "has the buddy flag", why))
			return false;
	}
	return !rest_fails(w, KINDS_ALL, (struct page){.flags = PG_BUDDY},
			   "has the buddy flag, but is on no free list", why);
}

const struct property prop_buddy_flag = {
	.id = "buddy-flag",
	.rule = "spec 10.3",
	.sentence = "A page has the buddy flag if and only if it heads a buddy on the free list of "
		    "its order.",
	.needs = "view",
	.promise = PROMISE_ALL,
	.holds = buddy_flag,
	.judges = JUDGES_ENTRIES,
};

/*
 * May the first page of @e have something in private? Single pages may have come apart from larger ones (split_page(),
 * L7233); other first pages were cleared when they were freed or handed out (L1420, L1832).
 */
static bool head_has_private(const struct walk *w, const struct entry *e)
{
	if (!w->view->pages[e->pfn].private)
		return false;
	if (e->kind == ENTRY_HELD)
		return e->order || !is_left_order(w, e->pfn);
	return e->kind == ENTRY_PCP;
}

/* private is an order: of a buddy, of a page on the trylock list, or of one that was there. */
static bool private_zero(const struct walk *w, char why[WHY_SIZE])
{
	const struct page bad = {.private = UINT32_MAX};
	const struct entry *e;

	if (rest_fails(w, KINDS_OWNED, bad, "private is set", why))
		return false;
	if (!sum_has(&w->heads[ENTRY_PCP], &bad) && !sum_has(&w->heads[ENTRY_HELD], &bad))
		return true;
	for_each_entry(w, e)
	{
		if (head_has_private(w, e))
			return head_fails(w, e, "private is set", why);
	}
	return true;
}

const struct property prop_private_zero = {
	.id = "private-zero",
	.rule = "spec 10.4",
	.sentence = "private is 0 in every page but the head of a buddy and what is on the trylock "
		    "list, or was there and keeps its order.",
	.needs = "view, held",
	.promise = PROMISE_ALL,
	.holds = private_zero,
	.judges = JUDGES_ENTRIES,
};

static bool free_refcount(const struct walk *w, char why[WHY_SIZE])
{
	return !unused_fail(w, (struct page){.refcount = -1}, "has references", why);
}

const struct property prop_free_refcount = {
	.id = "free-refcount",
	.rule = "spec 10.5",
	.sentence = "No page that is free, cached or isolated has a reference.",
	.needs = "view",
	.promise = PROMISE_ALL,
	.holds = free_refcount,
	.judges = JUDGES_ENTRIES,
};

#define MARKS \
	(PG_LRU | PG_MOVABLE_OPS | PG_HUGETLB | PG_RESERVED | PG_PINNED | PG_CLEAN | PG_MLOCKED)

static bool free_unmarked(const struct walk *w, char why[WHY_SIZE])
{
	return !unused_fail(w, (struct page){.flags = MARKS}, "still has a mark of its last user",
			    why);
}

const struct property prop_free_unmarked = {
	.id = "free-unmarked",
	.rule = "spec 2.2",
	.sentence = "No page that is free, cached or isolated has a mark of its last user: LRU, "
		    "hugetlb, reserved, ...",
	.needs = "view",
	.promise = PROMISE_ALL,
	.holds = free_unmarked,
	.judges = JUDGES_ENTRIES,
};

/* ---- compound pages ------------------------------------------------------ */

static bool tail_fails(const struct walk *w, const struct entry *e, u32 pfn, char why[WHY_SIZE])
{
	const struct page *p = &w->view->pages[pfn];
	char name[NAME_SIZE];

	return fails(why, "%s: page %u is no tail of %u (flags 0x%x, head %u)",
		     entry_name(w, e, name), pfn, e->pfn, p->flags, p->compound_head);
}

/* @e must be a folio: H T T T, the tails point to the head, which knows the order. */
static bool folio_holds(const struct walk *w, const struct entry *e, char why[WHY_SIZE])
{
	const struct page tail = {.compound_head = e->pfn, .flags = PG_TAIL};
	const struct page bits = {.compound_head = UINT32_MAX, .flags = PG_HEAD | PG_TAIL};
	const struct page *pages = w->view->pages;
	u32 pfn, end = entry_end(w, e);
	u64 differ = 0;

	if ((pages[e->pfn].flags & (PG_HEAD | PG_TAIL)) != PG_HEAD ||
	    pages[e->pfn].compound_order != e->order)
		return head_fails(w, e, "is compound, but has no head of this order", why);
	for (pfn = e->pfn + 1; pfn < end; pfn++)
		differ |= pages[pfn].word ^ tail.word;
	if (!(differ & bits.word))
		return true;
	for (pfn = e->pfn + 1; !((pages[pfn].word ^ tail.word) & bits.word);)
		pfn++;
	return tail_fails(w, e, pfn, why);
}

/* The pages of @e must be separate ones. */
static bool plain_holds(const struct walk *w, const struct entry *e, char why[WHY_SIZE])
{
	u32 pfn, end = entry_end(w, e), flags = 0;

	for (pfn = e->pfn; pfn < end; pfn++)
		flags |= w->view->pages[pfn].flags;
	if (!(flags & (PG_HEAD | PG_TAIL)))
		return true;
	return head_fails(w, e, "is not compound, but has heads or tails", why);
}

/*
 *      handed out with COMP     H T T T     head at the first page, tails behind
 *      all others               . . . .
 */
static bool compound(const struct walk *w, char why[WHY_SIZE])
{
	const struct entry *e;

	for_each_entry(w, e)
	{
		if (e->kind == ENTRY_HELD) {
			bool folio = (e->list & HELD_COMPOUND) && e->order;

			if (!(folio ? folio_holds : plain_holds)(w, e, why))
				return false;
		}
	}
	return !unused_fail(w, (struct page){.flags = PG_HEAD | PG_TAIL},
			    "is free, but still compound", why);
}

const struct property prop_compound = {
	.id = "compound",
	.rule = "spec 10.11",
	.sentence = "Pages handed out with __GFP_COMP are one head and its tails; no others are "
		    "compound.",
	.needs = "view, held",
	.promise = PROMISE_ALL,
	.holds = compound,
	.judges = JUDGES_ENTRIES,
};

/* ---- the LRU ------------------------------------------------------------- */

static bool lru_list(const struct walk *w, char why[WHY_SIZE])
{
	const struct view *v = w->view;
	char name[NAME_SIZE];
	u32 zone, all = 0;

	if (w->lru_broken[0])
		return fails(why, "%s", w->lru_broken);
	if (w->marked != w->lru_folios)
		return fails(why, "%u folios have the LRU flag, %u are on the LRU", w->marked,
			     w->lru_folios);
	for_each_zone (w, zone) {
		if (w->zones[zone].lru != v->zones[zone].vm_stat[NR_ZONE_LRU])
			return fails(why, "%s: %u pages on the LRU, counted %lld",
				     zone_name(v, zone, name), w->zones[zone].lru,
				     (long long)v->zones[zone].vm_stat[NR_ZONE_LRU]);
	}
	for (zone = 0; zone < v->machine->nr_zones; zone++)
		all += w->zones[zone].lru;
	if (all != v->global->lru_pages)
		return fails(why, "%u pages on the LRU, counted %u", all, v->global->lru_pages);
	return !rest_fails(w, KINDS_ALL, (struct page){.flags = PG_LRU},
			   "has the LRU flag, but is no head", why);
}

const struct property prop_lru_list = {
	.id = "lru-list",
	.rule = "spec 6.9",
	.sentence = "The LRU holds the handed-out folios with the LRU flag, all of them, and is "
		    "counted right.",
	.needs = "view, held",
	.promise = PROMISE_ALL,
	.holds = lru_list,
};
