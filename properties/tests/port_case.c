/* SPDX-License-Identifier: GPL-2.0-only */
/* Judged calls into the port. */
#include "properties/tests/port_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

void default_machine(struct machine *machine)
{
	machine_init(machine);
	machine->nr_nodes = machine->nr_zones = 1;
	machine->zones[0] = (struct machine_zone){.type = ZONE_NORMAL, .pages = 4096};
	machine->pmd_order = 0;
}

/* ---- trials -------------------------------------------------------------- */

static void port_event(void *ctx, const struct event *event)
{
	struct port_case *c = ctx;
	struct event e = *event;

	if (c->armed && c->spoil && e.type == c->spoil_at)
		c->spoil(c, &e);
	judge_event(c->judge, &e);
}

static void begin(struct port_case *c, const struct property *const *property,
		  const struct trial *trial)
{
	struct machine machine;

	default_machine(&machine);
	if (trial->machine)
		trial->machine(&machine);
	assert_null(machine_check(&machine));
	*c = (struct port_case){
		.m = memory_create(&machine),
		.spoil_at = trial->spoil_at,
		.spoil = trial->spoil,
		.observer = {.event = port_event, .ctx = c, .mask = JUDGE_EVENTS},
	};
	assert_non_null(c->m);
	c->view = memory_view(c->m);
	c->judge = judge_create(c->view, property, 1, UINT32_MAX);
	assert_non_null(c->judge);
	memory_observe(c->m, &c->observer);
}

static int verdict_of(const struct property_count *count)
{
	if (count->failed)
		return FAILS;
	return count->meaningful ? HOLDS : SILENT;
}

void judge_trials(const struct property *property, const struct trial *trials, u32 nr)
{
	for (u32 i = 0; i < nr; i++) {
		struct port_case c;
		int verdict;

		begin(&c, &property, &trials[i]);
		trials[i].play(&c);
		verdict = verdict_of(judge_counts(c.judge));
		if (verdict != trials[i].verdict)
			fail_msg("%s: %s: verdict %d, not %d; %s", property->id, trials[i].intent,
				 verdict, trials[i].verdict,
				 judge_nr_violations(c.judge) ? judge_violation(c.judge, 0)->why
							      : "");
		judge_destroy(c.judge);
		memory_destroy(c.m);
	}
}

void spoil_now(struct port_case *c)
{
	c->armed = true;
}

void answer_next(struct port_case *c, u32 call, u32 value, u32 extra)
{
	assert_true(c->nr_answers < ARRAY_SIZE(c->answers));
	c->answers[c->nr_answers++] =
		(struct answer){.call = (u8)call, .value = value, .extra = extra};
}

/* ---- steps --------------------------------------------------------------- */

static void begin_step(struct port_case *c, struct request request)
{
	c->request = request;
	c->request.result_pfn = PFN_NONE;
	memory_begin_op(c->m, c->answers, c->nr_answers);
	judge_begin(c->judge, &c->request);
}

static void end_step(struct port_case *c)
{
	struct op_report report;

	if (c->armed && c->spoil && c->spoil_at == SPOIL_END)
		c->spoil(c, NULL);
	judge_end(c->judge, &c->request);
	memory_end_op(c->m, &report);
	c->nr_answers = 0;
}

u32 do_alloc(struct port_case *c, u32 gfp, u32 order)
{
	u32 pfn;

	begin_step(c, (struct request){.kind = REQUEST_ALLOC,
				       .order = (u8)order,
				       .gfp = gfp,
				       .nodemask = NODEMASK_NULL});
	pfn = c->request.result_pfn = alloc_pages(c->m, gfp, order, 0, NODEMASK_NULL);
	end_step(c);
	return pfn;
}

void do_bulk(struct port_case *c, u32 gfp, u32 nr, u32 *pfns)
{
	begin_step(c,
		   (struct request){
			   .kind = REQUEST_BULK, .nr = nr, .gfp = gfp, .nodemask = NODEMASK_NULL});
	for (u32 i = 0; i < nr; i++)
		pfns[i] = PFN_NONE;
	c->request.result_nr = alloc_pages_bulk(c->m, gfp, 0, NODEMASK_NULL, nr, pfns);
	end_step(c);
}

void do_free(struct port_case *c, u32 pfn, u32 order)
{
	begin_step(c, (struct request){.kind = REQUEST_FREE,
				       .pfn = pfn,
				       .order = (u8)order,
				       .refs = (u32)c->view->pages[pfn].refcount});
	__free_pages(c->m, pfn, order);
	end_step(c);
}

void do_free_nolock(struct port_case *c, u32 pfn, u32 order)
{
	begin_step(c, (struct request){.kind = REQUEST_FREE,
				       .pfn = pfn,
				       .order = (u8)order,
				       .refs = 1,
				       .nolock = true});
	free_pages_nolock(c->m, pfn, order);
	end_step(c);
}

void do_free_batch(struct port_case *c, u32 pfn, u32 order)
{
	u8 small_order = (u8)order;

	begin_step(c, (struct request){.kind = REQUEST_FREE_BATCH, .nr = 1});
	free_unref_folios(c->m, &pfn, &small_order, 1);
	end_step(c);
}

void do_drain(struct port_case *c)
{
	begin_step(c,
		   (struct request){.kind = REQUEST_DRAIN, .sub = DRAINED_ALL, .zone = ZONE_ANY});
	drain_all_pages(c->m, NULL);
	end_step(c);
}

int do_isolate(struct port_case *c, u32 start, u32 end)
{
	int error;

	begin_step(c, (struct request){.kind = REQUEST_ISOLATE, .start = start, .end = end});
	error = c->request.error =
		start_isolate_page_range(c->m, start, end, PB_ISOLATE_MODE_OTHER);
	end_step(c);
	return error;
}

void do_unisolate(struct port_case *c, u32 start, u32 end)
{
	begin_step(c, (struct request){.kind = REQUEST_UNISOLATE, .start = start, .end = end});
	undo_isolate_page_range(c->m, start, end);
	end_step(c);
}

int do_contig_range(struct port_case *c, u32 start, u32 end)
{
	int error;

	begin_step(c, (struct request){.kind = REQUEST_CONTIG_RANGE,
				       .start = start,
				       .end = end,
				       .gfp = GFP_KERNEL});
	error = c->request.error = alloc_contig_range(c->m, start, end, 0, GFP_KERNEL);
	end_step(c);
	return error;
}

u32 do_contig_pages(struct port_case *c, u32 nr)
{
	u32 pfn;

	begin_step(c, (struct request){.kind = REQUEST_CONTIG_PAGES,
				       .nr = nr,
				       .gfp = GFP_KERNEL,
				       .nodemask = NODEMASK_NULL});
	pfn = c->request.result_pfn = alloc_contig_pages(c->m, nr, GFP_KERNEL, 0, NODEMASK_NULL);
	end_step(c);
	return pfn;
}
