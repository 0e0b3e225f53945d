/* SPDX-License-Identifier: GPL-2.0-only */
/* What allocators do to lists, done to the world of world.h by the words of spec 4.9 - 4.13. */
#include "properties/tests/scene.h"

#include <assert.h>
#include <string.h>

#include "properties/slowpath.h"
#include "properties/take.h"
#include "properties/walk.h"

#define BLOCK_ORDER 2

void scene_begin(struct scene *s)
{
	memset(s, 0, sizeof(*s));
	world_build(&s->w);
	s->w.machine.config_cma = s->w.machine.config_dma32 = 1;
	s->request = (struct request){
		.kind = REQUEST_ALLOC, .nodemask = NODEMASK_NULL, .result_pfn = PFN_NONE};
	if (!zone_shot_init(&s->was, &s->w.view) || !shot_init(&s->before, &s->w.view))
		assert(false);
	s->d = (struct decision){
		.event = &s->event,
		.was = &s->was,
		.view = &s->w.view,
		.zone = &s->w.zones[0],
		.request = &s->request,
		.pass = &s->pass,
	};
	scene_ask(s, GFP_KERNEL, 0, ALLOC_WMARK_LOW);
	scene_lock(s);
}

void scene_end(struct scene *s)
{
	zone_shot_exit(&s->was);
	shot_exit(&s->before);
}

void scene_lock(struct scene *s)
{
	zone_shot_take(&s->was, &s->w.view, 0, true);
	shot_take(&s->before, &s->w.view, false);
}

void scene_ask(struct scene *s, u32 gfp, u32 order, u32 alloc_flags)
{
	s->request.gfp = gfp;
	s->request.order = (u8)order;
	s->pass = (struct event){.type = EV_GPFF,
				 .order = (s8)order,
				 .pfn = PFN_NONE,
				 .gfp = gfp,
				 .a = alloc_flags,
				 .b = ZONE_NORMAL,
				 .c = NODEMASK_NULL};
}

static void put_first(struct scene *s, u32 pfn, u32 order, u32 mt)
{
	u32 head = free_list_head(&s->w.zones[0], order, mt);

	put_free(&s->w, pfn, order, mt);
	unlink_page(&s->w, pfn);
	link_page(&s->w, pfn, s->w.links[head].next);
}

void cut(struct scene *s, u32 head, u32 order, u32 mt)
{
	u32 high = s->w.pages[head].private;

	take_free(&s->w, head);
	while (high-- > order)
		put_first(s, head + BIT(high), high, mt);
}

static void report_listed(struct scene *s, u32 pfn, u32 order, u32 mt)
{
	s->event = (struct event){
		.type = EV_MM_PAGE_ALLOC_ZONE_LOCKED, .order = (s8)order, .pfn = pfn, .a = mt};
}

static void report_extfrag(struct scene *s, u32 pfn, u32 order, u32 from, u32 start, u32 type)
{
	s->event = (struct event){.type = EV_MM_PAGE_ALLOC_EXTFRAG,
				  .order = (s8)order,
				  .pfn = pfn,
				  .a = from,
				  .b = start,
				  .c = type};
}

void take_listed(struct scene *s, u32 head, u32 order)
{
	u32 mt = block_type(&s->w.view, head);

	cut(s, head, order, mt);
	report_listed(s, head, order, mt);
}

void steal(struct scene *s, u32 head, u32 order, u32 start)
{
	u32 from = s->w.pages[head].private, mt = block_type(&s->w.view, head);

	cut(s, head, order, mt);
	report_extfrag(s, head, order, from, start, mt);
}

/* The free buddies of [@pfn, @end) change lists with the type of their blocks. */
static void retype(struct scene *s, u32 pfn, u32 end, u32 mt)
{
	u32 orders[32], heads[32], nr = 0;

	for (u32 p = pfn; p < end; p++) {
		if (!(s->w.pages[p].flags & PG_BUDDY))
			continue;
		assert(nr < 32);
		heads[nr] = p;
		orders[nr++] = s->w.pages[p].private;
		take_free(&s->w, p);
	}
	for (u32 p = pfn; p < end; p += BIT(BLOCK_ORDER))
		s->w.blocks[p >> BLOCK_ORDER] = (u8)mt;
	for (u32 i = 0; i < nr; i++)
		put_free(&s->w, heads[i], orders[i], mt);
}

void retype_block(struct scene *s, u32 pfn, u32 mt)
{
	u32 start = align_down(pfn, BIT(BLOCK_ORDER));

	retype(s, start, start + BIT(BLOCK_ORDER), mt);
}

/* The first of the smallest free buddies of the block that are large enough. */
static u32 smallest_in_block(const struct scene *s, u32 pfn, u32 order)
{
	u32 start = align_down(pfn, BIT(BLOCK_ORDER)), best = PFN_NONE;

	for (u32 p = start; p < start + BIT(BLOCK_ORDER); p++) {
		const struct page *page = &s->w.pages[p];

		if ((page->flags & PG_BUDDY) && page->private >= order &&
		    (best == PFN_NONE || page->private < s->w.pages[best].private))
			best = p;
	}
	return best;
}

void claim(struct scene *s, u32 head, u32 order, u32 start)
{
	u32 from = s->w.pages[head].private, mt = block_type(&s->w.view, head);
	u32 pfn = head;

	if (from >= BLOCK_ORDER) {
		retype(s, head, head + BIT(from), start);
	} else {
		retype_block(s, head, start);
		pfn = smallest_in_block(s, head, order);
		report_listed(s, pfn, order, start);
		s->claimed = s->event;
		s->d.claimed = &s->claimed;
	}
	cut(s, pfn, order, start);
	report_extfrag(s, pfn, order, from, start, mt);
}

int scene_verdict(struct scene *s, const struct property *property)
{
	struct take take;

	if (!(property->events & EV_BIT(s->event.type)))
		return -1;
	s->d.blocks_changed = zone_shot_blocks_changed(&s->was, &s->w.view);
	s->d.take = NULL;
	if ((EV_BIT(s->event.type) & TAKE_EVENTS) && take_request(&take, &s->d) && take_read(&take))
		s->d.take = &take;
	return property->decision(&s->d, s->why);
}

int scene_step_verdict(struct scene *s, const struct property *property)
{
	struct occurrence of[NR_EVENTS];
	struct step step = {
		.request = &s->request,
		.before = &s->before,
		.view = &s->w.view,
		.events = s->events,
		.nr_events = s->nr_events,
		.of = of,
	};
	struct slow slow;

	for (u32 i = 0; i < s->nr_events; i++)
		occurrence_add(of, &step.seen, s->events[i].type, i);
	if (slow_read(&slow, &step))
		step.slow = &slow;
	if (!(property->requests & REQUEST_BIT(s->request.kind)))
		return -1;
	return property->step(&step, s->why);
}

bool scene_holds(struct scene *s, const struct property *property)
{
	struct walk *walk = walk_create(&s->w.view);
	bool holds;

	assert(walk && walk_state(walk, &s->w.now));
	holds = property->holds(walk, s->why);
	walk_destroy(walk);
	return holds;
}
