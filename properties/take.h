/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A page that was taken off a zone's free lists under its lock, read from the
 * events that report it:
 *
 *      zone_locked                    LIST    from the list of one type
 *      zone_locked, extfrag of it     CLAIM   a block that is partly free changes hands first
 *      extfrag, buddy >= a block      CLAIM   so do whole blocks
 *      extfrag                        STEAL   one page, the block keeps its type
 *
 * A capture by compaction reports an extfrag as well, but takes nothing: its page was
 * never on a list.
 */
#ifndef PROPERTIES_TAKE_H
#define PROPERTIES_TAKE_H

#include "properties/walk.h"
#include "properties/wmark.h"

enum take_kind { TAKE_LIST, TAKE_CLAIM, TAKE_STEAL };

#define TAKE_EVENTS (EV_BIT(EV_MM_PAGE_ALLOC_ZONE_LOCKED) | EV_BIT(EV_MM_PAGE_ALLOC_EXTFRAG))

struct take {
	const struct decision *d;
	enum take_kind kind;
	u32 pfn, order;
	u32 mt; /* what the request wants */
	u32 flags; /* its ALLOC flags in this pass */
	u32 type; /* of the list that the page was found on */
	u32 from; /* CLAIM, STEAL: order of the buddy that was found */
	u32 least; /* LIST: the smallest order that the list had a buddy of */
};

/*
 * The request's part, for all decisions of one lock hold: d, mt and flags. False: nobody takes pages
 * here, or nobody knows of which type.
 */
bool take_request(struct take *t, const struct decision *d);

/*
 * The rest, from the event of t->d, one of TAKE_EVENTS. False: it takes nothing, or is the first half
 * of a claim (its extfrag follows).
 */
bool take_read(struct take *t);

/* Is @d the extfrag of a capture? Then free pages have become more, not less. */
bool is_capture(const struct decision *d);

static inline bool take_from_foreign(const struct take *t)
{
	return t->kind != TAKE_LIST;
}

static inline u32 block_order(const struct take *t)
{
	return t->d->view->machine->pageblock_order;
}

/* ---- the zone before ----------------------------------------------------- */

/* The smallest order >= @order with a buddy on the list of @mt, or NR_ORDERS. */
u32 shot_smallest(const struct zone_shot *was, u32 order, u32 mt);

static inline bool shot_has(const struct zone_shot *was, u32 order, u32 mt)
{
	return shot_smallest(was, order, mt) < NR_ORDERS;
}

/* ---- the zone after ------------------------------------------------------ */

/* The first block outside of pages [@start, @end) whose effective type has changed, or PFN_NONE. */
u32 retyped_outside(const struct decision *d, u32 start, u32 end);
#define retyped_block(d) retyped_outside((d), 0, 0)

/* The type of the list of @order in @zone that the free page @pfn is on, or MIGRATE_TYPES. */
u32 list_type(const struct view *view, const struct zone *zone, u32 pfn, u32 order);

#endif
