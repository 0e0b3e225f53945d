/* SPDX-License-Identifier: GPL-2.0-only */
/* Everything goes to a port; what comes back is changed once. */
#include "harness/tests/lying_subject.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct liar {
	struct subject subject; /* first */
	struct subject *port;
	enum lie lie;
	u32 op; /* that it lies about */
	u32 now; /* ops that have ended */
	bool told;
	bool was_reset;
	const struct observer *listener;
	struct observer observer;
	struct view view; /* that it shows */
	void *copy; /* of the table that it lies in */
};

static enum lie next_lie;
static u32 next_op;

void lie_about(enum lie lie, u32 op)
{
	next_lie = lie;
	next_op = op;
}

static struct liar *liar_of(struct subject *s)
{
	return (struct liar *)s;
}

/* Is now the time for @lie? */
static bool lies(const struct liar *l, enum lie lie)
{
	return l->lie == lie && l->now == l->op && !(lie == LIE_ONCE && l->was_reset);
}

/* ---- while an op runs ---------------------------------------------------- */

static void hear(void *ctx, const struct event *event)
{
	struct liar *l = ctx;
	struct event told = *event;

	if (event->type == EV_MM_PAGE_ALLOC && !l->told) {
		l->told = lies(l, LIE_EVENT_DROPPED) || lies(l, LIE_EVENT_FIELD);
		if (lies(l, LIE_EVENT_DROPPED))
			return;
		told.gfp ^= lies(l, LIE_EVENT_FIELD) ? __GFP_WRITE : 0;
	}
	l->listener->event(l->listener->ctx, &told);
}

static void liar_observe(struct subject *s, const struct observer *observer)
{
	struct liar *l = liar_of(s);

	l->listener = observer;
	if (observer)
		l->observer = (struct observer){.event = hear, .ctx = l, .mask = observer->mask};
	l->port->ops->observe(l->port, observer ? &l->observer : NULL);
}

static void liar_reset(struct subject *s)
{
	struct liar *l = liar_of(s);

	l->port->ops->reset(l->port);
	l->now = 0;
	l->told = false;
	l->was_reset = true;
}

static void liar_begin_op(struct subject *s, const struct answer *answers, u32 nr)
{
	liar_of(s)->port->ops->begin_op(liar_of(s)->port, answers, nr);
}

static void liar_apply(struct subject *s, const struct call *call, struct result *result)
{
	struct liar *l = liar_of(s);

	l->port->ops->apply(l->port, call, result);
	if (lies(l, LIE_PFN) || lies(l, LIE_ONCE))
		result->pfn++;
	if (lies(l, LIE_NR))
		result->nr++;
	if (lies(l, LIE_ERROR))
		result->error = -EBUSY;
	if (lies(l, LIE_ONE_OF_BULK))
		call->pfns[call->nr - 1] += 100;
}

static void liar_end_op(struct subject *s, struct op_report *report)
{
	struct liar *l = liar_of(s);
	struct event wake = {.type = EV_WAKEUP_KSWAPD, .zone = ZONE_ANY, .pfn = PFN_NONE};

	if (lies(l, LIE_EVENT_MORE))
		hear(l, &wake);
	l->port->ops->end_op(l->port, report);
	report->calls[ENV_RECLAIM] += lies(l, LIE_RECLAIM);
	report->kswapd_wakes += lies(l, LIE_WAKES);
	report->warnings += lies(l, LIE_WARNINGS);
	report->out_of_fuel |= lies(l, LIE_FUEL);
	l->now++;
}

/* ---- the state ----------------------------------------------------------- */

/* A copy of the @size bytes at @from in place of the last one. */
static void *copy(struct liar *l, const void *from, size_t size)
{
	free(l->copy);
	l->copy = malloc(size);
	if (!l->copy)
		abort();
	return memcpy(l->copy, from, size);
}

static void swap_first(struct link *links, u32 head)
{
	u32 a = links[head].next, b = links[a].next, c = links[b].next;

	links[head].next = b;
	links[b] = (struct link){.next = a, .prev = head};
	links[a] = (struct link){.next = c, .prev = b};
	links[c].prev = a;
}

static void lie_about_zone(struct liar *l)
{
	struct zone *zones = copy(l, l->view.zones, sizeof(*zones) * l->view.machine->nr_zones);

	zones[0].vm_stat[NR_FREE_PAGES]++;
	l->view.zones = zones;
}

static void lie_about_pcp(struct liar *l)
{
	const struct machine *m = l->view.machine;
	struct per_cpu_pages *pcps =
		copy(l, l->view.pcps, sizeof(*pcps) * m->nr_zones * m->nr_cpus);

	pcps[0].count--;
	l->view.pcps = pcps;
}

static void lie_about_list(struct liar *l)
{
	u32 order = l->view.machine->max_page_order;
	struct link *links = copy(l, l->view.links, sizeof(*links) * l->view.nr_links);

	swap_first(links, free_list_head(&l->view.zones[0], order, MIGRATE_MOVABLE));
	l->view.links = links;
}

static void lie_about_page(struct liar *l)
{
	struct page *pages = copy(l, l->view.pages, sizeof(*pages) * l->view.nr_pages);

	pages[l->view.nr_pages - 1].refcount += 7;
	l->view.pages = pages;
}

static void lie_about_block(struct liar *l)
{
	u32 nr = ((l->view.nr_pages - 1) >> l->view.machine->pageblock_order) + 1;
	u8 *blocks = copy(l, l->view.pageblock_flags, nr);

	blocks[nr - 1] = MIGRATE_RECLAIMABLE;
	l->view.pageblock_flags = blocks;
}

static void lie_about_sysctl(struct liar *l)
{
	struct global *global = copy(l, l->view.global, sizeof(*global));

	global->sysctl[SYSCTL_DEFRAG_MODE] ^= 1;
	l->view.global = global;
}

static const struct view *liar_view(struct subject *s)
{
	static void (*const about[])(struct liar *l) = {
		[LIE_STATE_COUNTER] = lie_about_zone, [LIE_STATE_PCP] = lie_about_pcp,
		[LIE_STATE_LIST] = lie_about_list,    [LIE_STATE_PAGE] = lie_about_page,
		[LIE_STATE_BLOCK] = lie_about_block,  [LIE_STATE_SYSCTL] = lie_about_sysctl,
		[LIE_BOOT] = lie_about_zone,	      [LIE_ONCE] = NULL,
	};
	struct liar *l = liar_of(s);

	l->view = *l->port->ops->view(l->port);
	if (about[l->lie] && (l->lie == LIE_BOOT ? !l->now : l->now > l->op))
		about[l->lie](l);
	return &l->view;
}

static bool liar_plays(const struct subject *s, const struct op *op)
{
	(void)s;
	return op->kind != OP_KCOMPACTD;
}

static void liar_destroy(struct subject *s)
{
	struct liar *l = liar_of(s);

	l->port->ops->destroy(l->port);
	free(l->copy);
	free(l);
}

static const struct subject_ops liar_ops = {
	.reset = liar_reset,
	.begin_op = liar_begin_op,
	.apply = liar_apply,
	.end_op = liar_end_op,
	.observe = liar_observe,
	.view = liar_view,
	.plays = liar_plays,
	.destroy = liar_destroy,
};

struct subject *lying_subject_create(const char *name, const struct machine *machine,
				     const char **why)
{
	struct liar *l;

	if (strcmp(name, "lying") != 0)
		return subject_create(name, machine, why);
	l = calloc(1, sizeof(*l));
	if (!l)
		abort();
	l->subject.ops = &liar_ops;
	snprintf(l->subject.name, sizeof(l->subject.name), "lying");
	l->lie = next_lie;
	l->op = next_op;
	l->port = subject_create("port:v7.3", machine, why);
	return &l->subject;
}
