/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The watermark checks of spec 5.1 - 5.4, computed from a view or from a zone as it
 * was under its lock. Written from the spec, apart from the subject's own checks.
 *
 *      NR_FREE_PAGES
 *      |<----------------------------------------------------------------->|
 *      | unusable (5.1) | lowmem_reserve[hidx] | mark after discounts | > 0 |
 */
#ifndef PROPERTIES_WMARK_H
#define PROPERTIES_WMARK_H

#include "properties/step.h"

/* What a check looks at: a zone, and its lists as they are or as they were. */
struct wmark {
	const struct zone *zone;
	const struct link *heads; /* from that of order 0, type 0 on */
	u32 nr_pages; /* of the view; links beyond are heads */
};

/* Zone number @zone of @view as it is now. */
static inline struct wmark wmark_look(const struct view *view, u32 zone)
{
	const struct zone *z = &view->zones[zone];

	return (struct wmark){
		.zone = z, .heads = &view->links[z->free_lists], .nr_pages = view->nr_pages};
}

/* As it was before a decision. */
static inline struct wmark wmark_look_back(const struct zone_shot *was)
{
	return (struct wmark){
		.zone = &was->zone, .heads = was->heads[0], .nr_pages = was->nr_pages};
}

/* Is there a buddy of @order on the list of @mt? */
static inline bool wmark_has_type(const struct wmark *w, u32 order, u32 mt)
{
	return w->heads[order * MIGRATE_TYPES + mt].next < w->nr_pages;
}

/* The same for one of @types (BIT(mt)). */
static inline bool wmark_has(const struct wmark *w, u32 order, u32 types)
{
	for (; types; types &= types - 1) {
		if (wmark_has_type(w, order, ffs0(types)))
			return true;
	}
	return false;
}

/* 5.4: min, low or high mark with the boost. */
static inline u32 wmark_boosted(const struct zone *z, enum zone_watermarks which)
{
	return z->_watermark[which] + z->watermark_boost;
}

/* 4.12: what boosting never goes beyond; 0 where the zone is not boosted at all. */
u64 wmark_boost_limit(const struct view *view, const struct zone *z);

/* 5.1: free pages that a request of @order with these ALLOC flags may not use. */
s64 wmark_unusable(const struct zone *z, u32 order, u32 alloc_flags);

/* 5.2: @mark after the discounts of the flags. */
s64 wmark_discounted(u32 mark, u32 alloc_flags);

/* BIT(mt) of the lists whose buddies satisfy the order part of 5.2 (step 5). */
u32 wmark_usable_types(u32 alloc_flags);

/* 5.2 with @free_pages, which may be hypothetical. */
bool wmark_ok(const struct wmark *w, u32 order, u32 mark, u32 hidx, u32 alloc_flags,
	      s64 free_pages);

/* 5.3, the check of a get_page_from_freelist pass. */
bool wmark_fast(const struct wmark *w, u32 order, u32 mark, u32 hidx, u32 alloc_flags);

/*
 * 4.2 steps 5-7 without node reclaim: would a pass with these flags be let into the zone? It tests
 * the HIGH mark first where the zone is not known to be below it, then the requested one.
 */
bool wmark_admits(const struct wmark *w, u32 order, u32 hidx, u32 alloc_flags);

#endif
