/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The walk over what was written. A page whose words were written may be another entry
 * than before, so it leaves, and enters as what it is now:
 *
 *      written         page 64, links 64, H1, H2
 *      before          H1 -> 64 -> 65 -> H1        H2 -> H2
 *      now             H1 -> 65 -> H1              H2 -> 64 -> H2
 *      queue           64: leaves list 1, enters list 2, because its prev is H2
 *      edges           of 64, H1, H2 and of what they pointed to before: next and prev must agree
 *
 * Which list a page is on is seen by going back along prev, to a head or to a page that was
 * not written and so still is where it was.
 */
#include <stdlib.h>
#include <string.h>

#include "properties/walk_internal.h"

/* What is known of an index of links[] in this round; what is less than round is of earlier ones. */
enum { QUEUED = 1, ON_PATH, RESOLVED, NR_STAMPS };

struct touch {
	u32 *stamp; /* [nr_pages] round + enum above */
	u32 *link_round; /* [nr_links] the round in which it was written last */
	const struct written **links; /* the first write of each link */
	u32 nr_links;
	u32 round;
	u32 *queue; /* PFNs that may be another entry than before, each once */
	u32 nr_queue;
	u32 *path; /* PFNs whose list is being looked for */
	struct entry *gone; /* what the queue was */
	u32 nr_gone;
	bool lru; /* what is on it may have changed */
	bool doubt; /* a page has lost its owner */
};

struct touch *touch_create(const struct view *view)
{
	struct touch *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->stamp = calloc(view->nr_pages, sizeof(*t->stamp));
	t->link_round = calloc(view->nr_links, sizeof(*t->link_round));
	t->links = (const struct written **)malloc(view->nr_links * sizeof(const struct written *));
	t->queue = malloc(view->nr_pages * sizeof(*t->queue));
	t->path = malloc(view->nr_pages * sizeof(*t->path));
	t->gone = malloc(view->nr_pages * sizeof(*t->gone));
	if (t->stamp && t->link_round && t->links && t->queue && t->path && t->gone)
		return t;
	touch_destroy(t);
	return NULL;
}

void touch_destroy(struct touch *t)
{
	if (!t)
		return;
	free(t->stamp);
	free(t->link_round);
	free((void *)t->links);
	free(t->queue);
	free(t->path);
	free(t->gone);
	free(t);
}

static void new_round(struct walk *w)
{
	struct touch *t = w->touch;

	t->nr_links = t->nr_queue = t->nr_gone = 0;
	t->lru = t->doubt = false;
	t->round += NR_STAMPS;
	if (t->round > UINT32_MAX - NR_STAMPS) {
		memset(t->stamp, 0, w->view->nr_pages * sizeof(*t->stamp));
		memset(t->link_round, 0, w->view->nr_links * sizeof(*t->link_round));
		t->round = NR_STAMPS;
	}
}

/* ---- what to look at ----------------------------------------------------- */

static bool is_page(const struct walk *w, u32 i)
{
	return i < w->view->nr_pages;
}

static bool is_listed(const struct walk *w, u32 pfn)
{
	const struct entry *e = entry_at(w, pfn);

	return e && entry_is_listed(e);
}

static bool is_queued(const struct walk *w, u32 pfn)
{
	return w->touch->stamp[pfn] >= w->touch->round;
}

static void queue(struct walk *w, u32 pfn)
{
	struct touch *t = w->touch;

	if (is_queued(w, pfn))
		return;
	t->stamp[pfn] = t->round + QUEUED;
	t->queue[t->nr_queue++] = pfn;
}

/*
 * What was behind @i and still says so, though @i does not, has lost its list, and all that is
 * behind it.
 *
 *      before   i -> r -> s -> H         now   i -> H    r -> s -> H
 */
static void queue_cut_off(struct walk *w, u32 i, u32 r)
{
	const struct link *links = w->view->links;

	if (links[i].next == r)
		return;
	while (is_page(w, r) && is_listed(w, r) && !is_queued(w, r) && links[r].prev == i) {
		queue(w, r);
		i = r;
		r = links[r].next;
	}
}

static void queue_link(struct walk *w, const struct written *t)
{
	const struct link *link = &w->view->links[t->index];
	struct link old;

	if (w->touch->link_round[t->index] == w->touch->round)
		return;
	w->touch->link_round[t->index] = w->touch->round;
	w->touch->links[w->touch->nr_links++] = t;
	memcpy(&old, &t->old, sizeof(old));
	if (is_page(w, t->index))
		queue(w, t->index);
	else if (t->index == w->view->global->lru_list)
		w->touch->lru = true;
	/* A page that was on no list has been linked to without a write of its own. */
	if (is_page(w, link->next) && !is_listed(w, link->next))
		queue(w, link->next);
	if (is_page(w, link->prev) && !is_listed(w, link->prev))
		queue(w, link->prev);
	queue_cut_off(w, t->index, old.next);
}

/* What lies in a block of another type must be looked at again. */
static void queue_block(struct walk *w, u32 block)
{
	u32 order = w->view->machine->pageblock_order;
	u32 pfn = block << order, end = min_u32((block + 1) << order, w->view->nr_pages);
	const struct entry *over = entry_over(w, pfn);

	if (over)
		queue(w, over->pfn);
	for (pfn = next_begin(w, pfn); pfn < end; pfn = next_begin(w, pfn + 1))
		queue(w, pfn);
}

static void queue_blocks(struct walk *w, const struct written *t)
{
	u32 nr_blocks = ((w->view->nr_pages - 1) >> w->view->machine->pageblock_order) + 1;

	for (u32 i = 0; i < 8 && t->index + i < nr_blocks; i++) {
		u8 was = (u8)(t->old >> (8 * i)), is = w->view->pageblock_flags[t->index + i];

		if ((was ^ is) & (u8)~PB_COMPACT_SKIP) {
			w->blocks_look = true;
			queue_block(w, t->index + i);
		}
	}
}

static void queue_written(struct walk *w)
{
	const struct moment *now = w->now;

	for (const struct written *t = now->written; t < now->written + now->nr_written; t++) {
		switch ((enum written_table)t->table) {
		case WRITTEN_ZONE:
			w->zones_look |= 1ULL << t->index;
			break;
		case WRITTEN_PAGE: /* a page inside of an entry comes out by a link, or by being held */
			if (entry_begins(w, t->index))
				queue(w, t->index);
			break;
		case WRITTEN_LINK:
			queue_link(w, t);
			break;
		case WRITTEN_BLOCKS:
			queue_blocks(w, t);
			break;
		}
	}
	for (u32 i = 0; i < now->nr_changed; i++)
		queue(w, now->changed[i]);
}

/* ---- from what it was to what it is -------------------------------------- */

static void leave_queue(struct walk *w)
{
	struct touch *t = w->touch;

	for (u32 i = 0; i < t->nr_queue; i++) {
		const struct entry *e = entry_at(w, t->queue[i]);

		if (!e)
			continue;
		t->lru |= e->lru;
		t->gone[t->nr_gone++] = *e;
		walk_leave(w, e->pfn);
	}
}

/*
 * Back along prev from @pfn, a page of the queue, to what knows the list; the pages in between
 * are noted in path. NULL: it is on no list.
 */
static const struct entry *list_before(struct walk *w, u32 pfn, u32 *nr_path)
{
	const struct view *v = w->view;
	struct touch *t = w->touch;
	u32 i = pfn, prev;

	for (*nr_path = 0;; i = prev) {
		t->stamp[i] = t->round + ON_PATH;
		t->path[(*nr_path)++] = i;
		prev = v->links[i].prev;
		if (prev >= v->nr_links || v->links[prev].next != i)
			return NULL;
		if (!is_page(w, prev))
			return &w->likes[prev - v->nr_pages];
		if (t->stamp[prev] != t->round + QUEUED)
			/* Its list is known, or it is none; or this is a ring without a head. */
			return is_listed(w, prev) ? &w->entries[prev] : NULL;
	}
}

static void enter_path(struct walk *w, const struct entry *like, u32 nr_path)
{
	struct touch *t = w->touch;

	for (u32 i = nr_path; i--;) {
		u32 pfn = t->path[i];
		struct entry held = held_entry(w, pfn);

		t->stamp[pfn] = t->round + RESOLVED;
		if (like && entry_is_listed(like))
			walk_enter(w, listed_entry(w, like, pfn));
		if (held.kind)
			walk_enter(w, held);
		t->lru |= entry_at(w, pfn) && w->entries[pfn].lru;
	}
}

static void enter_queue(struct walk *w)
{
	struct touch *t = w->touch;
	u32 nr_path;

	for (u32 i = 0; i < t->nr_queue; i++) {
		if (t->stamp[t->queue[i]] == t->round + QUEUED) {
			const struct entry *like = list_before(w, t->queue[i], &nr_path);
			struct entry copy = like ? *like : (struct entry){.kind = ENTRY_NONE};

			enter_path(w, &copy, nr_path);
		}
	}
}

/* ---- do next and prev agree? --------------------------------------------- */

/* Is @i a head, or a page on a list? */
static bool is_of_list(const struct walk *w, u32 i)
{
	if (is_page(w, i))
		return is_listed(w, i);
	return i < w->view->nr_links && entry_is_listed(&w->likes[i - w->view->nr_pages]);
}

static bool edge_holds(const struct walk *w, u32 i)
{
	const struct link *links = w->view->links;
	u32 next;

	if (!is_of_list(w, i))
		return true;
	next = links[i].next;
	return is_of_list(w, next) && links[next].prev == i;
}

static bool edges_hold(const struct walk *w)
{
	for (u32 i = 0; i < w->touch->nr_links; i++) {
		const struct written *t = w->touch->links[i];
		struct link old;

		memcpy(&old, &t->old, sizeof(old));
		if (!edge_holds(w, t->index) || !edge_holds(w, old.next) ||
		    !edge_holds(w, old.prev))
			return false;
	}
	for (u32 i = 0; i < w->touch->nr_queue; i++)
		if (!edge_holds(w, w->touch->queue[i]))
			return false;
	return true;
}

/* ---- what to judge besides ----------------------------------------------- */

/* A page that was written and begins no entry; @over: its entry, or NULL. */
static void look_at(struct walk *w, u32 pfn, const struct entry *over)
{
	const struct page *page = &w->view->pages[pfn];

	add_page(&w->rest[over ? over->kind : ENTRY_NONE], page);
	w->touch->doubt |= !over && !may_be_lost(page);
	/* The pages of a folio say that they belong to it. */
	if (over && over->kind == ENTRY_HELD && !is_queued(w, over->pfn)) {
		queue(w, over->pfn);
		w->look[w->nr_look++] = over->pfn;
	}
}

static void look_at_written(struct walk *w)
{
	const struct moment *now = w->now;
	const struct entry *over = NULL; /* of the page before: tails come one after the other */

	for (const struct written *t = now->written; t < now->written + now->nr_written; t++) {
		if (t->table != WRITTEN_PAGE || entry_begins(w, t->index))
			continue;
		if (!over || t->index < over->pfn || t->index >= entry_end(w, over))
			over = entry_over(w, t->index);
		look_at(w, t->index, over);
	}
}

/*
 * Whose are the pages of what left? What was free, and is free in another entry, looks as it has to;
 * what was handed out may have been left in any shape.
 */
static void look_behind(struct walk *w, const struct entry *gone)
{
	u32 pfn = gone->pfn, end = entry_end(w, gone);

	while (pfn < end) {
		const struct entry *over = entry_over(w, pfn);
		u32 stop = over ? min_u32(entry_end(w, over), end) : end;

		w->touch->doubt |= !over;
		if (over && gone->kind == ENTRY_HELD)
			for (pfn += pfn == over->pfn; pfn < stop; pfn++)
				add_page(&w->rest[over->kind], &w->view->pages[pfn]);
		pfn = stop;
	}
}

static void look_around(struct walk *w)
{
	look_at_written(w);
	for (u32 i = 0; i < w->touch->nr_gone; i++)
		look_behind(w, &w->touch->gone[i]);
}

static void begin(struct walk *w, const struct moment *now)
{
	w->now = now;
	w->broken[0] = '\0';
	w->nr_look = 0;
	w->clash[0].kind = ENTRY_NONE;
	w->lost = PFN_NONE;
	memset(w->rest, 0, sizeof(w->rest));
	w->zones_look = 0;
	w->blocks_look = false;
	w->followed = false;
	new_round(w);
}

bool walk_written(struct walk *w, const struct moment *now)
{
	u32 owned = w->owned;

	if (!w->followed || !now->written)
		return walk_state(w, now);
	begin(w, now);
	queue_written(w);
	leave_queue(w);
	enter_queue(w);
	look_around(w);
	/*
	 * As many pages as before have an owner, and those that had one have: then none has two. What
	 * looks broken is described by who sees all of it.
	 */
	if (w->touch->doubt || w->owned != owned || w->clash[0].kind || !edges_hold(w))
		return walk_state(w, now);
	add_up_rest(w);
	if (w->touch->lru)
		walk_lru(w);
	for (u32 zone = 0; w->blocks_look && zone < w->view->machine->nr_zones; zone++)
		walk_blocks(w, zone);
	/* A block may count for a zone that nothing else was written of. */
	if (w->blocks_look || w->touch->lru)
		w->zones_look = all_zones(w);
	w->followed = !w->lru_broken[0];
	return true;
}
