/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The walk over what was changed. A page that was changed may be another entry than before, so it
 * leaves, and enters as what it is now:
 *
 *      changed         page 64, links 64, H1, H2
 *      before          H1 -> 64 -> 65 -> H1        H2 -> H2
 *      now             H1 -> 65 -> H1              H2 -> 64 -> H2
 *      queue           64: leaves list 1, enters list 2, because its prev is H2
 *      edges           of 64, H1, H2 and of what they pointed to before: next and prev must agree
 *
 * Which list a page is on is seen by going back along prev, to a head or to a page whose list is
 * known. What follows a page that has come to another list has come along, though nothing of its own has
 * changed:
 *
 *      before          H1 -> 64 -> 65 -> 66 -> H1      H2 -> H2
 *      now             H1 -> H1                        H2 -> 64 -> 65 -> 66 -> H2
 *      changed         links H1, H2, 64, 66; not 65
 */
#include <stdlib.h>
#include <string.h>

#include "properties/walk_internal.h"

/* What is known of a page in this round; what is less than round is of earlier ones. */
enum { QUEUED = 1, ON_PATH, RESOLVED, NR_STAMPS };

struct touch {
	u32 *stamp; /* [nr_pages] round + enum above */
	u32 *judged; /* [nr_pages] the round in which the entry was judged last */
	u32 round;
	struct entry *
		list; /* [nr_pages] of a RESOLVED page: what is on its list; kind NONE: it is on none */
	u32 *queue; /* PFNs that may be another entry than before, each once */
	u32 nr_queue;
	u32 *path; /* PFNs whose list is being looked for */
	struct entry *gone; /* what the queue was */
	u32 nr_gone;
	u64 blocks; /* one bit for each zone: some of its pageblocks */
	bool lru; /* what is on it may have changed */
	bool doubt; /* a page has lost its owner */
};

struct touch *touch_create(const struct view *view)
{
	struct touch *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->stamp = calloc(view->nr_pages, sizeof(*t->stamp));
	t->judged = calloc(view->nr_pages, sizeof(*t->judged));
	t->list = malloc(view->nr_pages * sizeof(*t->list));
	t->queue = malloc(view->nr_pages * sizeof(*t->queue));
	t->path = malloc(view->nr_pages * sizeof(*t->path));
	t->gone = malloc(view->nr_pages * sizeof(*t->gone));
	if (t->stamp && t->judged && t->list && t->queue && t->path && t->gone)
		return t;
	touch_destroy(t);
	return NULL;
}

void touch_destroy(struct touch *t)
{
	if (!t)
		return;
	free(t->stamp);
	free(t->judged);
	free(t->list);
	free(t->queue);
	free(t->path);
	free(t->gone);
	free(t);
}

static void new_round(struct walk *w)
{
	struct touch *t = w->touch;

	t->nr_queue = t->nr_gone = 0;
	t->blocks = 0;
	t->lru = t->doubt = false;
	t->round += NR_STAMPS;
	if (t->round > UINT32_MAX - NR_STAMPS) {
		memset(t->stamp, 0, w->view->nr_pages * sizeof(*t->stamp));
		memset(t->judged, 0, w->view->nr_pages * sizeof(*t->judged));
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

/* Whatever becomes of it, it is judged: more than its list may be another one. */
static void queue_judged(struct walk *w, u32 pfn)
{
	queue(w, pfn);
	w->touch->judged[pfn] = w->touch->round;
}

static void queue_link(struct walk *w, const struct written_link *t)
{
	const struct link *link = &w->view->links[t->index];
	u32 behind;

	if (is_page(w, t->index))
		queue(w, t->index);
	else if (t->index == w->view->global->lru_list)
		w->touch->lru = true;
	/* A page that was on no list has been linked to without a write of its own. */
	if (is_page(w, link->next) && !is_listed(w, link->next))
		queue(w, link->next);
	if (is_page(w, link->prev) && !is_listed(w, link->prev))
		queue(w, link->prev);
	/* What was behind it and still says so, though it does not, has lost its list. */
	behind = t->was.next;
	if (behind != link->next && is_page(w, behind) && is_listed(w, behind) &&
	    w->view->links[behind].prev == t->index)
		queue(w, behind);
}

/* What lies in a block of another type must be looked at again. */
static void queue_block(struct walk *w, const struct written_block *t)
{
	u32 order = w->view->machine->pageblock_order;
	u32 pfn = t->block << order, end = min_u32((t->block + 1) << order, w->view->nr_pages);
	const struct entry *over = entry_over(w, pfn);

	if (!((t->was ^ w->view->pageblock_flags[t->block]) & (u8)~PB_COMPACT_SKIP))
		return;
	w->blocks_look = true;
	for (u32 zone = 0; zone < w->view->machine->nr_zones; zone++) {
		const struct zone *z = &w->view->zones[zone];

		if (pfn < zone_end_pfn(z) && end > z->zone_start_pfn)
			w->touch->blocks |= 1ULL << zone;
	}
	if (over)
		queue_judged(w, over->pfn);
	for (pfn = next_begin(w, pfn); pfn < end; pfn = next_begin(w, pfn + 1))
		queue_judged(w, pfn);
}

static void queue_written(struct walk *w)
{
	const struct moment *now = w->now;
	const struct written *t = now->written;

	for (u32 i = 0; i < t->nr_pages; i++) {
		/* A page inside of an entry comes out by a link, or by being held. */
		if (entry_begins(w, t->pages[i]))
			queue_judged(w, t->pages[i]);
	}
	for (u32 i = 0; i < t->nr_links; i++)
		queue_link(w, &t->links[i]);
	for (u32 i = 0; i < t->nr_blocks; i++)
		queue_block(w, &t->blocks[i]);
	for (u32 i = 0; i < now->nr_changed; i++)
		queue_judged(w, now->changed[i]);
}

/* ---- whose list? ---------------------------------------------------------- */

static bool same_list(const struct entry *a, const struct entry *b)
{
	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
	case ENTRY_FREE:
	case ENTRY_PCP:
		return a->zone == b->zone && a->order == b->order && a->list == b->list &&
		       a->cpu == b->cpu;
	case ENTRY_TRYLOCK:
		return a->zone == b->zone;
	default:
		return true;
	}
}

static bool is_resolved(const struct touch *t, u32 pfn, const struct entry *like)
{
	return t->stamp[pfn] == t->round + RESOLVED && same_list(&t->list[pfn], like);
}

static void resolve(struct touch *t, u32 pfn, const struct entry *like)
{
	t->stamp[pfn] = t->round + RESOLVED;
	t->list[pfn] = *like;
}

/*
 * What follows @pfn is where it is, on the list of @like. So is what has come to the list now: if it was resolved
 * before, then back to a page that had not been carried along yet.
 */
static void carry_along(struct walk *w, u32 pfn, const struct entry *like)
{
	const struct link *links = w->view->links;
	u32 i = pfn, next = links[i].next;

	while (is_page(w, next) && (is_listed(w, next) || is_queued(w, next)) &&
	       links[next].prev == i && !is_resolved(w->touch, next, like)) {
		queue(w, next);
		resolve(w->touch, next, like);
		i = next;
		next = links[i].next;
	}
}

/* What is on the list of @prev, if it is not QUEUED. A page ON_PATH is on a ring without a head. */
static struct entry list_of(const struct walk *w, u32 prev)
{
	const struct entry none = {.kind = ENTRY_NONE};
	const struct touch *t = w->touch;

	if (!is_page(w, prev))
		return w->likes[prev - w->view->nr_pages];
	if (is_queued(w, prev))
		return t->stamp[prev] == t->round + RESOLVED ? t->list[prev] : none;
	return is_listed(w, prev) ? w->entries[prev] : none;
}

/*
 * Back along prev from @pfn, a page of the queue, to what knows the list; the pages in between
 * are noted in path.
 */
static struct entry list_before(struct walk *w, u32 pfn, u32 *nr_path)
{
	const struct view *v = w->view;
	struct touch *t = w->touch;
	u32 i = pfn, prev;

	for (*nr_path = 0;; i = prev) {
		t->stamp[i] = t->round + ON_PATH;
		t->path[(*nr_path)++] = i;
		prev = v->links[i].prev;
		if (prev >= v->nr_links || v->links[prev].next != i)
			return (struct entry){.kind = ENTRY_NONE};
		if (!is_page(w, prev) || t->stamp[prev] != t->round + QUEUED)
			return list_of(w, prev);
	}
}

/* The queue grows meanwhile. */
static void resolve_queue(struct walk *w)
{
	struct touch *t = w->touch;
	u32 nr_path;

	for (u32 i = 0; i < t->nr_queue; i++) {
		struct entry like;

		if (t->stamp[t->queue[i]] != t->round + QUEUED)
			continue;
		like = list_before(w, t->queue[i], &nr_path);
		if (!entry_is_listed(&like))
			like.kind = ENTRY_NONE;
		while (nr_path--) {
			u32 pfn = t->path[nr_path];

			resolve(t, pfn, &like);
			if (is_listed(w, pfn) && !same_list(&w->entries[pfn], &like))
				carry_along(w, pfn, &like);
		}
	}
}

/* ---- from what it was to what it is -------------------------------------- */

/* Only its neighbours on its list have changed, or on the LRU. */
static bool stays(const struct touch *t, const struct entry *e)
{
	const struct entry *like = &t->list[e->pfn];

	if (t->judged[e->pfn] == t->round)
		return false;
	return e->kind == ENTRY_HELD ? !like->kind : same_list(e, like);
}

static void leave_queue(struct walk *w)
{
	struct touch *t = w->touch;

	for (u32 i = 0; i < t->nr_queue; i++) {
		const struct entry *e = entry_at(w, t->queue[i]);

		if (!e)
			continue;
		t->lru |= e->lru;
		if (stays(t, e))
			continue;
		t->gone[t->nr_gone++] = *e;
		walk_leave(w, e->pfn);
	}
}

static void enter_queue(struct walk *w)
{
	struct touch *t = w->touch;

	for (u32 i = 0; i < t->nr_queue; i++) {
		u32 pfn = t->queue[i];
		struct entry held;

		if (entry_begins(w, pfn))
			continue;
		t->judged[pfn] = t->round;
		held = held_entry(w, pfn);
		if (t->list[pfn].kind)
			walk_enter(w, listed_entry(w, &t->list[pfn], pfn));
		if (held.kind)
			walk_enter(w, held);
		t->lru |= entry_at(w, pfn) && w->entries[pfn].lru;
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

/* What is on no list has none. */
static bool edge_holds(const struct walk *w, u32 i)
{
	const struct view *v = w->view;
	u32 next = i < v->nr_links ? v->links[i].next : v->nr_links;

	return (next < v->nr_links && v->links[next].prev == i && is_of_list(w, next)) ||
	       !is_of_list(w, i);
}

/*
 * Between two that were not changed an edge is what it was:
 *
 *      was     p -> i -> n         of i, which is queued if it is a page, and of p
 */
static bool edges_hold(const struct walk *w)
{
	const struct written *written = w->now->written;

	for (u32 i = 0; i < written->nr_links; i++) {
		const struct written_link *t = &written->links[i];

		if (!is_page(w, t->index) && !edge_holds(w, t->index))
			return false;
		if (t->was.prev != w->view->links[t->index].prev && !edge_holds(w, t->was.prev))
			return false;
	}
	for (u32 i = 0; i < w->touch->nr_queue; i++)
		if (!edge_holds(w, w->touch->queue[i]))
			return false;
	return true;
}

/* ---- what to judge besides ----------------------------------------------- */

/* The entry that a changed page is inside of, or NULL. The pages of a folio say that they belong to it. */
static const struct entry *look_over(struct walk *w, u32 pfn)
{
	const struct entry *over = entry_over(w, pfn);

	if (!over) {
		w->touch->doubt |= !may_be_lost(&w->view->pages[pfn]);
	} else if (over->kind == ENTRY_HELD && w->touch->judged[over->pfn] != w->touch->round) {
		w->touch->judged[over->pfn] = w->touch->round;
		w->look[w->nr_look++] = over->pfn;
		add_page(&w->heads[ENTRY_HELD], &w->view->pages[over->pfn]);
	}
	return over;
}

static void look_at_written(struct walk *w)
{
	const struct written *written = w->now->written;
	struct page *sum = NULL;
	u32 begin = 0,
	    pages = 0; /* of the entry around the page before: tails come one after the other */

	for (u32 i = 0; i < written->nr_pages; i++) {
		u32 pfn = written->pages[i];

		if (entry_begins(w, pfn))
			continue;
		if (pfn - begin >= pages) {
			const struct entry *over = look_over(w, pfn);

			begin = over ? over->pfn : pfn;
			pages = over ? 1U << over->order : 1;
			sum = &w->rest[over ? over->kind : ENTRY_NONE];
		}
		add_page(sum, &w->view->pages[pfn]);
	}
}

/* Pages [@pfn, @end) belong to @over now. */
static void add_rest(struct walk *w, const struct entry *over, u32 pfn, u32 end)
{
	const struct page *pages = w->view->pages;

	add_pages(&w->rest[over->kind], &pages[pfn + (pfn == over->pfn)], &pages[end]);
}

/*
 * Whose are the pages of what left? What was free, and is free in another entry, looks as it has to, but for
 * its first page; what was handed out may have been left in any shape.
 */
static void look_behind(struct walk *w, const struct entry *gone)
{
	u32 pfn = gone->pfn, end = entry_end(w, gone);
	bool held = gone->kind == ENTRY_HELD;

	while (pfn < end) {
		const struct entry *over =
			entry_begins(w, pfn) ? &w->entries[pfn] : entry_over(w, pfn);
		u32 stop = over ? min_u32(entry_end(w, over), end) : end;

		if (!over)
			w->touch->doubt = true;
		else if (held || pfn == gone->pfn)
			add_rest(w, over, pfn, held ? stop : pfn + 1);
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
	clear_look(w);
	w->zones_look = now->written->zones;
	w->blocks_look = false;
	new_round(w);
}

bool walk_written(struct walk *w, const struct moment *now)
{
	u32 owned = w->owned;

	if (!w->followed || !now->written)
		return walk_state(w, now);
	begin(w, now);
	queue_written(w);
	resolve_queue(w);
	leave_queue(w);
	enter_queue(w);
	look_around(w);
	/*
	 * As many pages as before have an owner, and those that had one have: then none has two. What
	 * looks broken is described by who sees all of it.
	 */
	if (w->touch->doubt || w->owned != owned || w->clash[0].kind || !edges_hold(w))
		return walk_state(w, now);
	add_up(w);
	if (w->touch->lru)
		walk_lru(w);
	for (u64 zones = w->touch->blocks; zones; zones &= zones - 1)
		walk_blocks(w, (u32)__builtin_ctzll(zones));
	/* A block may count for a zone that nothing else was written of. */
	w->zones_look |= w->touch->lru ? all_zones(w) : w->touch->blocks;
	w->followed = !w->lru_broken[0];
	return true;
}
