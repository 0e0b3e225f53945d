/* SPDX-License-Identifier: GPL-2.0-only */
/* The port as a subject: one small function for each kind of call. */
#include "harness/subject_port.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/journal.h"

struct port {
	struct subject subject;
	struct memory *m;
};

static struct memory *port_memory(struct subject *s)
{
	return ((struct port *)s)->m;
}

/* ---- allocation ---------------------------------------------------------- */

static void call_alloc(struct memory *m, const struct call *c, struct result *r)
{
	if (c->flags & OPF_FROZEN)
		r->pfn = alloc_frozen_pages(m, c->gfp, c->order, c->node, c->nodemask);
	else
		r->pfn = alloc_pages(m, c->gfp, c->order, c->node, c->nodemask);
}

static void call_alloc_nolock(struct memory *m, const struct call *c, struct result *r)
{
	r->pfn = alloc_pages_nolock(m, c->gfp, c->node, c->order);
}

static void call_alloc_bulk(struct memory *m, const struct call *c, struct result *r)
{
	r->nr = alloc_pages_bulk(m, c->gfp, c->node, c->nodemask, c->nr, c->pfns);
}

static void call_split(struct memory *m, const struct call *c, struct result *r)
{
	(void)r;
	split_page(m, c->pfn, c->order);
}

/* ---- free ---------------------------------------------------------------- */

static void call_free(struct memory *m, const struct call *c, struct result *r)
{
	bool frozen = c->flags & OPF_FROZEN;

	(void)r;
	if (c->flags & OPF_BATCH)
		free_unref_folios(m, c->pfns, c->orders, c->nr);
	else if (c->flags & OPF_NOLOCK && frozen)
		free_frozen_pages_nolock(m, c->pfn, c->order);
	else if (c->flags & OPF_NOLOCK)
		free_pages_nolock(m, c->pfn, c->order);
	else if (frozen)
		free_frozen_pages(m, c->pfn, c->order);
	else
		__free_pages(m, c->pfn, c->order);
}

static void call_free_piece(struct memory *m, const struct call *c, struct result *r)
{
	(void)r;
	free_frozen_pages(m, c->pfn, c->order);
}

static void call_contig_free(struct memory *m, const struct call *c, struct result *r)
{
	(void)r;
	if (c->flags & OPF_FROZEN)
		free_contig_frozen_range(m, c->pfn, c->a);
	else
		free_contig_range(m, c->pfn, c->a);
}

/* ---- pages in use -------------------------------------------------------- */

static void call_get(struct memory *m, const struct call *c, struct result *r)
{
	(void)r;
	get_page(m, c->pfn);
}

static void call_mark(struct memory *m, const struct call *c, struct result *r)
{
	bool clear = c->flags & OPF_CLEAR;

	(void)r;
	mark_page(m, c->pfn, c->order, clear ? 0 : c->a, clear ? c->a : 0);
}

/* ---- pcp, isolation, contig ---------------------------------------------- */

static void call_drain(struct memory *m, const struct call *c, struct result *r)
{
	struct zone *zone = zone_at(m, c->a);

	(void)r;
	switch ((enum drain)c->order) {
	case DRAIN_ALL:
		drain_all_pages(m, NULL);
		break;
	case DRAIN_ZONE:
		drain_all_pages(m, zone);
		break;
	case DRAIN_LOCAL:
		drain_local_pages(m, NULL);
		break;
	case DRAIN_CPU_ZONE:
		drain_pages_zone(m, c->b, zone);
		break;
	case DRAIN_EXPIRE:
		drain_zone_pages(m, zone, c->b);
		break;
	case DRAIN_DECAY:
		decay_pcp_high(m, zone, c->b);
		break;
	case DRAIN_PCP_DISABLE:
		zone_pcp_disable(m, zone);
		break;
	case DRAIN_PCP_ENABLE:
		zone_pcp_enable(m, zone);
		break;
	case NR_DRAINS:
		break;
	}
}

static void call_isolate(struct memory *m, const struct call *c, struct result *r)
{
	r->error = start_isolate_page_range(m, c->a, c->b, (enum pb_isolate_mode)c->order);
}

static void call_unisolate(struct memory *m, const struct call *c, struct result *r)
{
	(void)r;
	undo_isolate_page_range(m, c->a, c->b);
}

static void call_contig_range(struct memory *m, const struct call *c, struct result *r)
{
	u32 acr = c->flags & OPF_CMA ? ACR_FLAGS_CMA : 0;

	if (c->flags & OPF_FROZEN)
		r->error = alloc_contig_frozen_range(m, c->a, c->b, acr, c->gfp);
	else
		r->error = alloc_contig_range(m, c->a, c->b, acr, c->gfp);
}

static void call_contig_pages(struct memory *m, const struct call *c, struct result *r)
{
	if (c->flags & OPF_FROZEN)
		r->pfn = alloc_contig_frozen_pages(m, c->a, c->gfp, c->node, c->nodemask);
	else
		r->pfn = alloc_contig_pages(m, c->a, c->gfp, c->node, c->nodemask);
}

/* ---- the machine around it ----------------------------------------------- */

static void call_cpu(struct memory *m, const struct call *c, struct result *r)
{
	(void)r;
	set_cpu(m, c->a);
}

static void call_task(struct memory *m, const struct call *c, struct result *r)
{
	(void)r;
	set_task_flags(m, c->a);
}

static void call_cpuset(struct memory *m, const struct call *c, struct result *r)
{
	(void)r;
	set_mems_allowed(m, c->a, c->b);
}

static void call_sysctl(struct memory *m, const struct call *c, struct result *r)
{
	r->error = sysctl_write(m, (enum sysctl)c->order, c->a) ? 0 : -EINVAL;
}

static void call_kswapd(struct memory *m, const struct call *c, struct result *r)
{
	(void)r;
	kswapd_run(m, c->node, c->a);
}

static void call_kcompactd(struct memory *m, const struct call *c, struct result *r)
{
	(void)r;
	kcompactd_run(m, c->node, c->a);
}

/* Callers (OP_FILEMAP ...) sit above the subject and have no entry. */
static void (*const calls[NR_CALLS])(struct memory *, const struct call *, struct result *) = {
	[OP_ALLOC] = call_alloc,
	[OP_ALLOC_NOLOCK] = call_alloc_nolock,
	[OP_ALLOC_BULK] = call_alloc_bulk,
	[OP_FREE] = call_free,
	[OP_FREE_PIECE] = call_free_piece,
	[OP_GET] = call_get,
	[OP_MARK] = call_mark,
	[OP_DRAIN] = call_drain,
	[OP_ISOLATE] = call_isolate,
	[OP_UNISOLATE] = call_unisolate,
	[OP_CONTIG_RANGE] = call_contig_range,
	[OP_CONTIG_PAGES] = call_contig_pages,
	[OP_CPU] = call_cpu,
	[OP_TASK] = call_task,
	[OP_CPUSET] = call_cpuset,
	[OP_SYSCTL] = call_sysctl,
	[OP_KSWAPD] = call_kswapd,
	[OP_KCOMPACTD] = call_kcompactd,
	[CALL_CONTIG_FREE] = call_contig_free,
	[CALL_SPLIT] = call_split,
};

/* ---- struct subject_ops -------------------------------------------------- */

static void port_reset(struct subject *s)
{
	memory_reset(port_memory(s));
}

static bool port_is_pristine(struct subject *s)
{
	return memory_is_pristine(port_memory(s));
}

static void port_begin_op(struct subject *s, const struct answer *answers, u32 nr)
{
	memory_begin_op(port_memory(s), answers, nr);
}

static void port_apply(struct subject *s, const struct call *call, struct result *result)
{
	*result = (struct result){.pfn = PFN_NONE};
	calls[call->kind](port_memory(s), call, result);
}

static void port_end_op(struct subject *s, struct op_report *report)
{
	memory_end_op(port_memory(s), report);
}

static void port_observe(struct subject *s, const struct observer *observer)
{
	memory_observe(port_memory(s), observer);
}

static const struct view *port_view(struct subject *s)
{
	return memory_view(port_memory(s));
}

static const struct written *port_written(struct subject *s)
{
	return memory_written(port_memory(s));
}

static void port_nest(struct subject *s, const struct nester *nester)
{
	memory_nest(port_memory(s), nester);
}

static void port_begin_nested(struct subject *s, u32 cpu)
{
	memory_begin_nested(port_memory(s), cpu);
}

static void port_end_nested(struct subject *s, struct op_report *report)
{
	memory_end_nested(port_memory(s), report);
}

static void port_destroy(struct subject *s)
{
	memory_destroy(port_memory(s));
	free(s);
}

static const struct subject_ops port_ops = {
	.reset = port_reset,
	.is_pristine = port_is_pristine,
	.begin_op = port_begin_op,
	.apply = port_apply,
	.end_op = port_end_op,
	.observe = port_observe,
	.view = port_view,
	.written = port_written,
	.nest = port_nest,
	.begin_nested = port_begin_nested,
	.end_nested = port_end_nested,
	.destroy = port_destroy,
};

struct subject *subject_port_create(const struct machine *machine, const char **why)
{
	struct port *port = calloc(1, sizeof(*port));
	char policy[96];

	if (port)
		port->m = memory_create(machine);
	if (!port || !port->m) {
		free(port);
		*why = "expected memory for a machine of this size";
		return NULL;
	}
	policy_name(&machine->policy, policy, sizeof(policy));
	port->subject.ops = &port_ops;
	snprintf(port->subject.name, sizeof(port->subject.name), "port:%s", policy);
	return &port->subject;
}

const struct memory *subject_port_memory(struct subject *s)
{
	return port_memory(s);
}
