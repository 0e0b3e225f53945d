/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An op of another CPU in between (nest.h): what belongs to the op that waits is put
 * aside, the other one has a plain task and its own fuel, and no answers.
 */
#include "model/internal.h"

void memory_nest(struct memory *m, const struct nester *nester)
{
	m->nester = nester;
	m->nest_points = nester ? nester->points : 0;
}

void nest_at(struct memory *m, enum nest_point point)
{
	m->nester->at(m->nester->ctx, point);
}

static void set_task(struct memory *m, const struct task *task)
{
	set_task_flags(m, task->flags);
	set_mems_allowed(m, task->mems_allowed, task->mems_hardwall);
	set_cpu(m, task->cpu);
}

void memory_begin_nested(struct memory *m, u32 cpu)
{
	const u32 all = BIT(m->nr_nodes) - 1;
	const struct task plain = {.mems_allowed = all, .mems_hardwall = all, .cpu = cpu};

	m->outer = (struct outer_op){
		.env = m->env,
		.capture = m->capture,
		.fuel = m->fuel,
		.nest_points = m->nest_points,
		.task = m->global->task,
	};
	m->env = (struct environment){.answers = {.nr = 0}};
	m->capture = NULL;
	m->fuel = m->machine.fuel;
	m->nest_points = 0;
	set_task(m, &plain);
}

/* The background works after the op that waits. */
void memory_end_nested(struct memory *m, struct op_report *report)
{
	*report = m->env.report;
	m->env = m->outer.env;
	m->capture = m->outer.capture;
	m->fuel = m->outer.fuel;
	m->nest_points = m->outer.nest_points;
	set_task(m, &m->outer.task);
}
