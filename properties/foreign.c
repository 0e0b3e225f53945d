/* SPDX-License-Identifier: GPL-2.0-only */
/* Candidates for claims and steals. */
#include "properties/foreign.h"

static const u8 fallback_order[MIGRATE_PCPTYPES][2] = {
	[MIGRATE_UNMOVABLE] = {MIGRATE_RECLAIMABLE, MIGRATE_MOVABLE},
	[MIGRATE_MOVABLE] = {MIGRATE_RECLAIMABLE, MIGRATE_UNMOVABLE},
	[MIGRATE_RECLAIMABLE] = {MIGRATE_UNMOVABLE, MIGRATE_MOVABLE},
};

bool candidate_at(struct candidate *c, const struct zone_shot *was, u32 order, u32 mt)
{
	for (u32 i = 0; i < ARRAY_SIZE(fallback_order[mt]); i++) {
		u32 type = fallback_order[mt][i];
		u32 pfn = shot_first(was, order, type);

		if (pfn != PFN_NONE) {
			*c = (struct candidate){order, pfn, type};
			return true;
		}
	}
	return false;
}

bool claims_at(const struct view *view, u32 order, u32 mt)
{
	return order >= view->machine->pageblock_order / 2 || mt != MIGRATE_MOVABLE ||
	       view->global->page_group_by_mobility_disabled;
}

u32 claim_floor(const struct take *t)
{
	return t->flags & ALLOC_NOFRAGMENT ? max_u32(t->order, block_order(t)) : t->order;
}

struct block_count {
	u32 free, movable;
};

/* Pages of the block at @start, each on its own: folios may reach beyond the block. */
static struct block_count count_block(const struct take *t, u32 start)
{
	const struct view *view = t->d->view;
	u32 end = start + BIT(block_order(t));
	struct block_count count = {0};

	for (u32 pfn = start; pfn < end; pfn++) {
		const struct page *page = &view->pages[pfn];
		const struct page *head = page;

		if (pfn >= t->pfn && pfn < t->pfn + BIT(t->order)) {
			count.free++;
		} else if (page->flags & PG_BUDDY) {
			count.free += BIT(page->private);
			pfn += BIT(page->private) - 1;
		} else {
			if (page->flags & PG_TAIL)
				head = &view->pages[page->compound_head];
			count.movable += !!(head->flags & (PG_LRU | PG_MOVABLE_OPS));
		}
	}
	return count;
}

bool claim_is_due(const struct take *t, const struct candidate *c)
{
	const struct zone *z = t->d->zone;
	u32 block = BIT(block_order(t)), alike = 0;
	u32 start = align_down(c->pfn, block);
	struct block_count count;

	if (c->order >= block_order(t))
		return true;
	if (start < z->zone_start_pfn || start + block > zone_end_pfn(z))
		return false;
	count = count_block(t, start);
	if (t->mt == MIGRATE_MOVABLE)
		alike = count.movable;
	else if (c->type == MIGRATE_MOVABLE)
		alike = block - (count.free + count.movable);
	return count.free + alike >= block / 2 ||
	       t->d->view->global->page_group_by_mobility_disabled;
}

u32 small_candidates(const struct take *t)
{
	u32 least = t->kind == TAKE_CLAIM ? t->from : claim_floor(t);
	struct candidate c;
	u32 nr = 0;

	/* After a steal the next pages of the batch are stolen at once (spec 4.8). */
	if (t->d->stolen_before || !take_from_foreign(t))
		return 0;
	for (u32 order = block_order(t); order-- > least;) {
		if (!claims_at(t->d->view, order, t->mt))
			break;
		nr += candidate_at(&c, t->d->was, order, t->mt);
	}
	return nr;
}
