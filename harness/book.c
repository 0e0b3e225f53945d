/* SPDX-License-Identifier: GPL-2.0-only */
/* The book of a run: extents, who owns a page, what may stay unmerged. */
#include "harness/book.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "properties/properties.h"

static void *book_alloc(void *old, size_t bytes)
{
	void *p = realloc(old, bytes ? bytes : 1);

	if (!p) {
		fputs("buddycheck: out of memory\n", stderr);
		abort();
	}
	return p;
}

static void *book_zalloc(size_t bytes)
{
	return memset(book_alloc(NULL, bytes), 0, bytes);
}

void book_init(struct book *b, u32 nr_slots, u32 nr_pages, u32 pageblock_order)
{
	*b = (struct book){
		.nr_pages = nr_pages, .pageblock_order = pageblock_order, .clash = PFN_NONE};
	b->owner = book_zalloc(nr_pages * sizeof(*b->owner));
	b->taken = book_zalloc((nr_pages + 63) / 64 * sizeof(*b->taken));
	b->held = book_zalloc(nr_pages);
	b->unmerged = book_zalloc(nr_pages);
	book_reset(b, nr_slots);
}

void book_free(struct book *b)
{
	free(b->objects);
	free(b->extents);
	free(b->owner);
	free(b->taken);
	free(b->held);
	free(b->unmerged);
	free(b->pairs);
	free(b->lost);
	free(b->changed);
	*b = (struct book){0};
}

/* Make room for one more element of @size bytes in @array, which has @nr of them. */
static void *one_more(void *array, u32 nr, u32 *cap, size_t size)
{
	if (nr < *cap)
		return array;
	*cap = *cap ? 2 * *cap : 8;
	return book_alloc(array, *cap * size);
}

/* ---- maps by PFN --------------------------------------------------------- */

/* Most extents are one block of up to 64 pages: aligned, so all in one word. */
static bool in_one_word(u32 pfn, u32 nr)
{
	return pfn % 64 + nr <= 64;
}

static u64 bits_of(u32 pfn, u32 nr)
{
	return ~0ULL >> (64 - nr) << (pfn % 64);
}

/* Bits of @pfn and the next ones in its word of the map, at most @nr; *@n: how many. */
static u64 word_bits(u32 pfn, u32 nr, u32 *n)
{
	*n = min_u32(nr, 64 - pfn % 64);
	return bits_of(pfn, *n);
}

static bool any_taken(const struct book *b, u32 pfn, u32 nr)
{
	if (in_one_word(pfn, nr))
		return b->taken[pfn / 64] & bits_of(pfn, nr);
	for (u32 n; nr; pfn += n, nr -= n) {
		if (b->taken[pfn / 64] & word_bits(pfn, nr, &n))
			return true;
	}
	return false;
}

static void set_taken(struct book *b, u32 pfn, u32 nr)
{
	if (in_one_word(pfn, nr)) {
		b->taken[pfn / 64] |= bits_of(pfn, nr);
		return;
	}
	for (u32 n; nr; pfn += n, nr -= n)
		b->taken[pfn / 64] |= word_bits(pfn, nr, &n);
}

static void clear_taken(struct book *b, u32 pfn, u32 nr)
{
	if (in_one_word(pfn, nr)) {
		b->taken[pfn / 64] &= ~bits_of(pfn, nr);
		return;
	}
	for (u32 n; nr; pfn += n, nr -= n)
		b->taken[pfn / 64] &= ~word_bits(pfn, nr, &n);
}

static void set_held(struct book *b, u32 pfn, u32 held)
{
	b->held[pfn] = (u8)held;
	b->changed = one_more(b->changed, b->nr_changed, &b->cap_changed, sizeof(*b->changed));
	b->changed[b->nr_changed++] = pfn;
}

/* Can the 2^order pages at @pfn be handed out? */
static bool can_enter(const struct book *b, u32 pfn, u32 order)
{
	return pfn < b->nr_pages && BIT(order) <= b->nr_pages - pfn &&
	       !any_taken(b, pfn, BIT(order));
}

static void enter(struct book *b, const struct extent *e)
{
	u32 held = HELD(e->order);

	if (e->flags & EXTENT_COMPOUND)
		held |= HELD_COMPOUND;
	if (e->flags & EXTENT_CONTIG)
		held |= HELD_CONTIG;
	set_held(b, e->pfn, held);
	b->owner[e->pfn] = (u32)(e - b->extents) + 1;
	set_taken(b, e->pfn, BIT(e->order));
}

static void leave(struct book *b, const struct extent *e)
{
	set_held(b, e->pfn, HELD_NONE);
	b->owner[e->pfn] = 0;
	clear_taken(b, e->pfn, BIT(e->order));
}

/* ---- extents ------------------------------------------------------------- */

static void gone(struct book *b, struct extent *e)
{
	leave(b, e);
	e->flags &= (u8)~EXTENT_LIVE;
	e->refs = 0;
}

/* Places for @nr extents in a row, all of them gone; returns the first one. */
static u32 new_extents(struct book *b, u32 nr)
{
	u32 first = b->nr_extents;

	b->nr_extents += nr;
	if (b->nr_extents > b->cap_extents) {
		b->cap_extents = max_u32(2 * b->cap_extents, max_u32(b->nr_extents, 64));
		b->extents = book_alloc(b->extents, b->cap_extents * sizeof(*b->extents));
	}
	if (nr)
		memset(b->extents + first, 0, nr * sizeof(*b->extents));
	return first;
}

void book_open_object(struct book *b, u32 slot, u32 room)
{
	b->objects[slot] = (struct object){.first = new_extents(b, room)};
}

void book_add(struct book *b, u32 slot, u32 pfn, u32 order, u32 flags)
{
	struct object *object = &b->objects[slot];
	struct extent *e = &b->extents[object->first + object->nr++];

	*e = (struct extent){.pfn = pfn, .order = (u8)order};
	if (!(flags & EXTENT_LIVE))
		return;
	if (!can_enter(b, pfn, order)) {
		b->clash = pfn;
		return;
	}
	e->flags = (u8)flags;
	e->refs = flags & EXTENT_FROZEN ? 0 : 1;
	enter(b, e);
}

void book_put(struct book *b, struct extent *e)
{
	if (e->refs <= 1) {
		gone(b, e);
		return;
	}
	e->refs--;
	if (extent_is_folio(e))
		return;
	leave(b, e);
	e->order = 0;
	enter(b, e);
}

void book_split(struct book *b, u32 slot)
{
	struct extent whole = b->extents[b->objects[slot].first];

	leave(b, &whole);
	b->extents[b->objects[slot].first].flags = 0;
	book_open_object(b, slot, BIT(whole.order));
	b->objects[slot].nr = BIT(whole.order);
	for (u32 i = 0; i < BIT(whole.order); i++) {
		struct extent *e = &b->extents[b->objects[slot].first + i];

		*e = whole;
		e->pfn += i;
		e->order = 0;
		e->flags |= EXTENT_SPLIT;
		/* The head keeps what it had, the others get one each. */
		if (i && !(whole.flags & EXTENT_FROZEN))
			e->refs = 1;
		enter(b, e);
	}
}

u32 book_refs(const struct book *b, u32 pfn)
{
	return pfn < b->nr_pages && b->owner[pfn] ? b->extents[b->owner[pfn] - 1].refs : 0;
}

/* ---- what happens inside an op ------------------------------------------- */

static struct extent *extent_at(struct book *b, u32 pfn)
{
	if (pfn >= b->nr_pages || !b->owner[pfn])
		return NULL;
	return &b->extents[b->owner[pfn] - 1];
}

static void follow_move(struct book *b, struct extent *e, u32 to)
{
	leave(b, e);
	if (!can_enter(b, to, e->order)) {
		b->clash = to;
		e->flags &= (u8)~EXTENT_LIVE;
		return;
	}
	e->pfn = to;
	e->flags &= (u8)~EXTENT_CONTIG; /* its new pages came from the buddy lists */
	enter(b, e);
}

static u32 pair_buddy(const struct unmerged_pair *pair)
{
	return pair->pfn ^ BIT(pair->order);
}

static void add_pair(struct book *b, u32 pfn, u32 order)
{
	struct unmerged_pair pair = {.pfn = pfn, .order = order};

	if (order < b->pageblock_order || pfn >= b->nr_pages || pair_buddy(&pair) >= b->nr_pages)
		return;
	b->pairs = one_more(b->pairs, b->nr_pairs, &b->cap_pairs, sizeof(*b->pairs));
	b->pairs[b->nr_pairs++] = pair;
	b->unmerged[pfn] = b->unmerged[pair_buddy(&pair)] = 1;
}

/*
 * A contig allocation took [start, end) out of the lists and gave it to nobody (spec 7.2 step 10):
 * the allocator leaks what it says in its warning. From now on the pages count as handed out.
 */
static void lose(struct book *b, u32 start, u32 end)
{
	b->lost = one_more(b->lost, b->nr_lost, &b->cap_lost, sizeof(*b->lost));
	b->lost[b->nr_lost++] = (struct lost_range){.start = start, .end = end};
	for (u32 pfn = start; pfn < end; pfn++) {
		if (!can_enter(b, pfn, 0)) {
			b->clash = pfn;
			return;
		}
		set_held(b, pfn, HELD(0));
		set_taken(b, pfn, 1);
	}
}

void book_event(struct book *b, const struct event *event)
{
	struct extent *e = extent_at(b, event->pfn);

	if (event->type == EV_WARN && event->a == WARN_CONTIG_COMP_MISMATCH)
		lose(b, event->pfn, event->b);
	else if (event->type == EV_UNRESERVE_HIGHATOMIC)
		add_pair(b, event->pfn, (u32)event->order);
	else if (e && event->type == EV_ENV_FREED)
		gone(b, e);
	else if (e && event->type == EV_ENV_MOVED)
		follow_move(b, e, event->a);
}

static bool is_free_head(const struct view *view, u32 pfn, u32 order)
{
	return (view->pages[pfn].flags & PG_BUDDY) && view->pages[pfn].private == order;
}

static bool pair_stands(const struct view *view, const struct unmerged_pair *pair)
{
	return is_free_head(view, pair->pfn, pair->order) &&
	       is_free_head(view, pair_buddy(pair), pair->order);
}

void book_settle(struct book *b, const struct view *view)
{
	u32 kept = 0;

	for (u32 i = 0; i < b->nr_pairs; i++) {
		const struct unmerged_pair *pair = &b->pairs[i];

		b->unmerged[pair->pfn] = b->unmerged[pair_buddy(pair)] = 0;
		if (pair_stands(view, pair))
			b->pairs[kept++] = *pair;
	}
	/* One head may be in two pairs: set what was kept after all was cleared. */
	b->nr_pairs = kept;
	for (u32 i = 0; i < kept; i++) {
		const struct unmerged_pair *pair = &b->pairs[i];

		b->unmerged[pair->pfn] = b->unmerged[pair_buddy(pair)] = 1;
	}
}

/* ---- the next case ------------------------------------------------------- */

static void clear_lost(struct book *b)
{
	for (u32 i = 0; i < b->nr_lost; i++) {
		const struct lost_range *range = &b->lost[i];

		for (u32 pfn = range->start; pfn < range->end; pfn++) {
			b->held[pfn] = HELD_NONE;
			clear_taken(b, pfn, 1);
		}
	}
	b->nr_lost = 0;
}

void book_reset(struct book *b, u32 nr_slots)
{
	for (u32 i = 0; i < b->nr_extents; i++) {
		if (extent_live(&b->extents[i]))
			leave(b, &b->extents[i]);
	}
	b->nr_extents = 0;
	clear_lost(b);
	for (u32 i = 0; i < b->nr_pairs; i++)
		b->unmerged[b->pairs[i].pfn] = b->unmerged[pair_buddy(&b->pairs[i])] = 0;
	b->nr_pairs = 0;
	b->clash = PFN_NONE;
	if (nr_slots >= b->cap_objects) {
		b->cap_objects = nr_slots + 1;
		b->objects = book_alloc(b->objects, b->cap_objects * sizeof(*b->objects));
	}
	memset(b->objects, 0, nr_slots * sizeof(*b->objects));
}
