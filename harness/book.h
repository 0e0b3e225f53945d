/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The book of a run: what every op of a case was handed, and what became of it.
 * It is the caller's side of the truth: properties compare it with the subject's
 * own tables.
 *
 *      slot a (bulk of 3)         extents                 owner[pfn], held[pfn]
 *      objects[a] first 4 nr 3 -> [4] pfn 64 order 0 ->   64: 5, HELD(0)
 *                                 [5] gone
 *                                 [6] pfn 70 order 0 ->   70: 7, HELD(0)
 */
#ifndef HARNESS_BOOK_H
#define HARNESS_BOOK_H

#include "harness/case.h"
#include "model/event.h"
#include "model/view.h"

/* One extent of an object. */
struct extent {
	u32 pfn;
	u8 order;
	u8 flags; /* enum extent_flags */
	u16 refs; /* references that the caller holds; 0: gone, or frozen */
};

enum extent_flags {
	EXTENT_LIVE = BIT(0),
	EXTENT_FROZEN = BIT(1),
	EXTENT_COMPOUND = BIT(2),
	EXTENT_CONTIG = BIT(3), /* freed by free_contig_range */
	EXTENT_SPLIT = BIT(4), /* order-0 pages of a split allocation */
};

struct object {
	u32 first, nr; /* in book->extents */
};

/* Pages [start, end) that the allocator lost (spec 7.2 step 10). */
struct lost_range {
	u32 start, end;
};

/* Two free heads, pfn and pfn ^ 2^order, that may stay unmerged (rule 10). */
struct unmerged_pair {
	u32 pfn, order;
};

struct book {
	u32 nr_pages;
	u32 pageblock_order;
	struct object *objects; /* [nr_slots] */
	u32 cap_objects;
	struct extent *extents;
	u32 nr_extents, cap_extents;
	u32 *owner; /* [pfn] extent index + 1 at its first page, else 0 */
	u64 *taken; /* one bit for each PFN: some extent covers it */
	u8 *held; /* [pfn], properties.h */
	u8 *unmerged; /* [pfn], properties.h */
	struct unmerged_pair *pairs;
	u32 nr_pairs, cap_pairs;
	struct lost_range *lost;
	u32 nr_lost, cap_lost;
	u32 *changed; /* pages where held has changed since book_seen(), maybe more than once */
	u32 nr_changed, cap_changed;
	u32 clash; /* first page of an extent that cannot be ours, or PFN_NONE */
};

void book_init(struct book *b, u32 nr_slots, u32 nr_pages, u32 pageblock_order);
void book_free(struct book *b);
/* An empty book for a case of @nr_slots, at the cost of what is in it. */
void book_reset(struct book *b, u32 nr_slots);

/* The object of @slot: no extents yet, room for @room of them. */
void book_open_object(struct book *b, u32 slot, u32 room);
/*
 * Add the next extent of @slot, with one reference unless EXTENT_FROZEN. Without EXTENT_LIVE it only
 * takes a place (a bulk slot that stayed empty). If a page of it does not exist or is held already it
 * is a clash and takes a place only, so that nothing is freed twice.
 */
void book_add(struct book *b, u32 slot, u32 pfn, u32 order, u32 flags);

static inline bool extent_live(const struct extent *e)
{
	return e->flags & EXTENT_LIVE;
}

/* A folio as the kernel knows it: one page, or a compound page. */
static inline bool extent_is_folio(const struct extent *e)
{
	return !e->order || (e->flags & EXTENT_COMPOUND);
}

/*
 * The caller gave a reference (or a frozen extent) back. Of pages that are not compound,
 * __free_pages() keeps only the first one if references are left (spec 3.1).
 */
void book_put(struct book *b, struct extent *e);
/* The only extent of @slot becomes 2^order extents of one page, as split_page() makes them. */
void book_split(struct book *b, u32 slot);

/* changed has been looked at. */
static inline void book_seen(struct book *b)
{
	b->nr_changed = 0;
}

/* References held of the extent that begins at @pfn; 0: there is none, or it is frozen. */
u32 book_refs(const struct book *b, u32 pfn);

/* Types of the events that the book follows. */
#define BOOK_EVENTS                                                                      \
	(EV_BIT(EV_ENV_FREED) | EV_BIT(EV_ENV_MOVED) | EV_BIT(EV_UNRESERVE_HIGHATOMIC) | \
	 EV_BIT(EV_WARN))
void book_event(struct book *b, const struct event *event);
/* Between ops: forget the pairs of which a half was taken or merged. */
void book_settle(struct book *b, const struct view *view);

#endif
