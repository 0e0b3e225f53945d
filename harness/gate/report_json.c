/* SPDX-License-Identifier: GPL-2.0-only */
/* The report as JSON; README.md says what is in it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <jansson.h>

#include "harness/gate/gate_report.h"

/* Numbers of both sides. */
static json_t *both(u64 base, u64 candidate)
{
	return json_pack("{s:I, s:I}", "base", (json_int_t)base, "candidate",
			 (json_int_t)candidate);
}

static json_t *script_name(const char *name)
{
	return *name ? json_string(name) : json_null();
}

static json_t *properties_of(const struct gate_report *r, const struct gate_script *scripts, u32 nr)
{
	json_t *list = json_array();

	for (u32 i = 0; i < nr_properties; i++) {
		const struct gate_property_found *p = &r->g->properties[i];
		enum gate_property_state state = gate_property_state(p);
		const struct gate_example *e = state == PROPERTY_NEWLY_KEPT ? &p->kept : &p->broken;

		json_array_append_new(
			list,
			json_pack("{s:s, s:s, s:s, s:s, s:{s:b, s:b}, s:o, s:o, s:o}", "id",
				  properties[i]->id, "rule", properties[i]->rule, "sentence",
				  properties[i]->sentence, "state",
				  gate_property_state_names[state], "promised", "base",
				  p->promised[SIDE_BASE], "candidate", p->promised[SIDE_CANDIDATE],
				  "meaningful",
				  both(p->meaningful[SIDE_BASE], p->meaningful[SIDE_CANDIDATE]),
				  "failed", both(p->failed[SIDE_BASE], p->failed[SIDE_CANDIDATE]),
				  "script", script_name(gate_script_of(scripts, nr, e))));
	}
	return list;
}

static json_t *differences_of(const struct gate_report *r, const struct gate_script *scripts,
			      u32 nr)
{
	json_t *list = json_array();
	char name[64];

	for (u32 i = 0; i < NR_GATE_KINDS; i++) {
		const struct gate_kind_found *k = &r->g->kinds[i];

		if (!k->all_cases)
			continue;
		json_array_append_new(
			list,
			json_pack("{s:s, s:s, s:I, s:I, s:o}", "group", gate_kind_group(i), "kind",
				  gate_kind_name(i, name), "first_cases",
				  (json_int_t)k->first_cases, "any_cases", (json_int_t)k->all_cases,
				  "script", script_name(gate_script_of(scripts, nr, &k->example))));
	}
	return list;
}

/* ---- costs --------------------------------------------------------------- */

static json_t *cost_of(const struct gate_sums *s, enum gate_side side, u32 metric)
{
	u64 total[NR_GATE_METRICS], first[NR_GATE_METRICS];
	json_t *cost;

	gate_metrics_of(&s->costs[side][IN_TOTAL], total);
	gate_metrics_of(&s->costs[side][TO_FIRST], first);
	cost = json_pack("{s:I, s:i, s:i, s:i}", "total", (json_int_t)total[metric], "median",
			 (int)gate_spread(s, side, metric, 50), "p90",
			 (int)gate_spread(s, side, metric, 90), "max",
			 (int)gate_spread(s, side, metric, 100));
	if (!gate_metrics[metric].permille)
		json_object_set_new(cost, "to_first", json_integer((json_int_t)first[metric]));
	return cost;
}

static json_t *failures_of(const struct gate_sums *s)
{
	json_t *list = json_array();

	for (u32 order = 0; order <= MACHINE_MAX_ORDER; order++)
		json_array_append_new(
			list, both(s->costs[SIDE_BASE][IN_TOTAL].n[COUNT_FAILED + order],
				   s->costs[SIDE_CANDIDATE][IN_TOTAL].n[COUNT_FAILED + order]));
	return list;
}

static json_t *classes_of(const struct gate_sums *s)
{
	json_t *list = json_array();

	for (u32 i = 0; i < NR_GATE_CLASSES; i++) {
		json_t *class = json_pack("{s:s}", "class", gate_class_names[i]);

		for (u32 k = 0; k < NR_CLASS_COUNTS; k++)
			json_object_set_new(class, gate_class_count_names[k],
					    both(s->classes[SIDE_BASE].n[i][k],
						 s->classes[SIDE_CANDIDATE].n[i][k]));
		json_array_append_new(list, class);
	}
	return list;
}

static json_t *costs_of(const struct gate_sums *s)
{
	json_t *metrics = json_array();

	for (u32 i = 0; i < NR_GATE_METRICS; i++)
		json_array_append_new(metrics,
				      json_pack("{s:s, s:s, s:o, s:o}", "name",
						gate_metrics[i].name, "what", gate_metrics[i].what,
						"base", cost_of(s, SIDE_BASE, i), "candidate",
						cost_of(s, SIDE_CANDIDATE, i)));
	return json_pack("{s:I, s:o, s:o, s:o}", "cases", (json_int_t)s->nr_cases, "metrics",
			 metrics, "failures_by_order", failures_of(s), "classes", classes_of(s));
}

/* ---- scripts and verdict ------------------------------------------------- */

static json_t *scripts_of(const struct gate_script *scripts, u32 nr)
{
	json_t *list = json_array();

	for (u32 i = 0; i < nr; i++) {
		const struct gate_example *e = scripts[i].example;

		json_array_append_new(list,
				      json_pack("{s:s, s:s, s:s, s:i, s:s}", "name",
						scripts[i].name, "shows", scripts[i].shows, "from",
						e->from, "line", (int)e->line, "text", e->script));
	}
	return list;
}

static json_t *accepted_of(const struct gate_objection *o)
{
	if (!o->accepted)
		return json_null();
	return json_pack("{s:s, s:s, s:s, s:i, s:b}", "until", o->accepted->until, "reason",
			 o->accepted->reason, "file", o->accepted->file, "line",
			 (int)o->accepted->line, "expired", o->expired);
}

static json_t *verdict_of(const struct gate_verdict *v)
{
	json_t *list = json_array();

	for (u32 i = 0; i < v->nr; i++) {
		const struct gate_objection *o = &v->objections[i];

		json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:s, s:o}", "sort",
						      o->is_property ? "property" : "cost", "name",
						      o->is_property ? properties[o->which]->id
								     : gate_metrics[o->which].name,
						      "environment",
						      o->is_property
							      ? json_null()
							      : json_string(gate_env_names[o->env]),
						      "text", o->text, "accepted", accepted_of(o)));
	}
	return json_pack("{s:b, s:o}", "passes", !v->fails, "objections", list);
}

bool gate_report_json(const char *path, const struct gate_report *r)
{
	const struct gate *g = r->g;
	u32 nr;
	struct gate_script *scripts = gate_scripts(g, &nr);
	json_t *root = json_pack(
		"{s:s, s:i, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:{s:o, s:o}, "
		"s:o}",
		"schema", "buddycheck-gate", "version", GATE_SCHEMA, "base",
		gate_side_name(g, SIDE_BASE), "candidate", gate_side_name(g, SIDE_CANDIDATE),
		"seed", (json_int_t)r->seed, "cases", (json_int_t)g->nr_cases, "ops",
		(json_int_t)g->nr_ops, "cases_refused", (json_int_t)g->nr_refused,
		"cases_that_differ", (json_int_t)g->nr_differ, "skipped_ops",
		both(g->nr_skipped[SIDE_BASE], g->nr_skipped[SIDE_CANDIDATE]), "verdict",
		verdict_of(r->v), "properties", properties_of(r, scripts, nr), "differences",
		differences_of(r, scripts, nr), "costs", gate_env_names[ENV_ANSWERED],
		costs_of(&g->sums[ENV_ANSWERED]), gate_env_names[ENV_IS_CLOSED],
		costs_of(&g->sums[ENV_IS_CLOSED]), "scripts", scripts_of(scripts, nr));
	bool ok = root && !json_dump_file(root, path, JSON_INDENT(1) | JSON_PRESERVE_ORDER);

	if (!root)
		errno = EILSEQ;
	json_decref(root);
	free(scripts);
	return ok;
}
