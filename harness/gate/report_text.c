/* SPDX-License-Identifier: GPL-2.0-only */
/* The report for a terminal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/gate/gate_report.h"
#include "harness/state_text.h"

typedef unsigned long long ull;

static void show_head(FILE *out, const struct gate_report *r)
{
	const struct gate *g = r->g;

	fprintf(out, "base %s, candidate %s\n", gate_side_name(g, SIDE_BASE),
		gate_side_name(g, SIDE_CANDIDATE));
	fprintf(out, "%llu cases, %llu ops on each side, seed %llu; %llu cases differ\n",
		(ull)g->nr_cases, (ull)g->nr_ops, (ull)r->seed, (ull)g->nr_differ);
	if (g->nr_skipped[0] + g->nr_skipped[1])
		fprintf(out,
			"ops without their object on one side: %llu on the base, %llu on the "
			"candidate\n",
			(ull)g->nr_skipped[SIDE_BASE], (ull)g->nr_skipped[SIDE_CANDIDATE]);
	if (g->nr_refitted)
		fprintf(out, "%llu files were fitted to the machines that a kernel is built for\n",
			(ull)g->nr_refitted);
	if (g->nr_refused)
		fprintf(out, "%llu cases are not played by one of them\n", (ull)g->nr_refused);
	if (g->nr_broke_off)
		fprintf(out, "%llu cases ended early on a side\n", (ull)g->nr_broke_off);
}

/* ---- properties ---------------------------------------------------------- */

static void show_property(FILE *out, const struct gate_report *r, u32 i,
			  const struct gate_script *scripts, u32 nr)
{
	const struct gate_property_found *p = &r->g->properties[i];
	enum gate_property_state state = gate_property_state(p);
	const struct gate_example *e = state == PROPERTY_NEWLY_KEPT ? &p->kept : &p->broken;
	const char *script = gate_script_of(scripts, nr, e);

	fprintf(out, "  %-13s %-28s %9llu %9llu %9llu %9llu  %-9s",
		gate_property_state_names[state], properties[i]->id, (ull)p->meaningful[SIDE_BASE],
		(ull)p->meaningful[SIDE_CANDIDATE], (ull)p->failed[SIDE_BASE],
		(ull)p->failed[SIDE_CANDIDATE],
		p->promised[0] && p->promised[1] ? "both"
		: p->promised[SIDE_BASE]	 ? "base"
		: p->promised[SIDE_CANDIDATE]	 ? "candidate"
						 : "nobody");
	fprintf(out, "%s%s\n", *script ? " " : "", script);
}

static void show_properties(FILE *out, const struct gate_report *r,
			    const struct gate_script *scripts, u32 nr)
{
	u32 held = 0, unseen = 0;

	fprintf(out, "\nproperties %44s %19s\n", "meaningful", "failed");
	fprintf(out, "  %-42s %9s %9s %9s %9s  %-9s %s\n", "", "base", "candidate", "base",
		"candidate", "promised", "script");
	for (u32 i = 0; i < nr_properties; i++) {
		switch (gate_property_state(&r->g->properties[i])) {
		case PROPERTY_HELD:
			held++;
			break;
		case PROPERTY_UNSEEN:
			unseen++;
			break;
		default:
			show_property(out, r, i, scripts, nr);
		}
	}
	fprintf(out, "  %u are held by both, %u had nothing to judge on a side\n", held, unseen);
}

/* ---- differences --------------------------------------------------------- */

static void show_kinds(FILE *out, const struct gate_report *r, const struct gate_script *scripts,
		       u32 nr)
{
	const char *group = "";
	char name[64];

	fprintf(out, "\ndifferences in behaviour %17s %9s\n", "cases:", "");
	fprintf(out, "  %-30s %9s %9s  %s\n", "of the candidate", "first", "any",
		"smallest script");
	for (u32 i = 0; i < NR_GATE_KINDS; i++) {
		const struct gate_kind_found *k = &r->g->kinds[i];
		const char *script = gate_script_of(scripts, nr, &k->example);

		if (!k->all_cases)
			continue;
		if (strcmp(group, gate_kind_group(i)) != 0)
			fprintf(out, "  %s\n", group = gate_kind_group(i));
		fprintf(out, "    %-28s %9llu %9llu  %s\n", gate_kind_name(i, name),
			(ull)k->first_cases, (ull)k->all_cases, script);
	}
	if (!r->g->nr_differ)
		fputs("  none\n", out);
}

/* ---- costs --------------------------------------------------------------- */

/* "3 / 12 / 40" */
static const char *spread_text(const struct gate_sums *s, enum gate_side side, u32 metric,
			       char text[48])
{
	snprintf(text, 48, "%u/%u/%u", gate_spread(s, side, metric, 50),
		 gate_spread(s, side, metric, 90), gate_spread(s, side, metric, 100));
	return text;
}

static void show_costs(FILE *out, const struct gate_report *r, enum gate_env env)
{
	const struct gate_sums *s = &r->g->sums[env];
	u64 n[NR_SIDES][NR_PHASES][NR_GATE_METRICS];
	char change[32], spread[NR_SIDES][48];

	for (u32 i = 0; i < NR_SIDES; i++)
		for (u32 k = 0; k < NR_PHASES; k++)
			gate_metrics_of(&s->costs[i][k], n[i][k]);
	fprintf(out, "\ncosts, environment %s, %llu cases\n", gate_env_names[env],
		(ull)s->nr_cases);
	fprintf(out, "  %-18s %10s %10s %9s  %6s %6s  %10s %10s   %s\n", "", "base", "candidate",
		"change", "worse", "better", "to first", "difference",
		"per case, median/p90/max: base, candidate");
	for (u32 m = 0; m < NR_GATE_METRICS; m++) {
		fprintf(out, "  %-18s %10llu %10llu %9s", gate_metrics[m].name,
			(ull)n[SIDE_BASE][IN_TOTAL][m], (ull)n[SIDE_CANDIDATE][IN_TOTAL][m],
			gate_change_text(n[SIDE_BASE][IN_TOTAL][m], n[SIDE_CANDIDATE][IN_TOTAL][m],
					 change));
		if (gate_metrics[m].permille)
			fprintf(out, "  %10s %10s", "", "");
		else
			fprintf(out, "  %10llu %10llu", (ull)n[SIDE_BASE][TO_FIRST][m],
				(ull)n[SIDE_CANDIDATE][TO_FIRST][m]);
		fprintf(out, "   %s, %s\n", spread_text(s, SIDE_BASE, m, spread[0]),
			spread_text(s, SIDE_CANDIDATE, m, spread[1]));
	}
}

/* Each line says all, so that it can be looked for. */
static void show_classes(FILE *out, const struct gate_report *r, enum gate_env env)
{
	const struct gate_classes *base = &r->g->sums[env].classes[SIDE_BASE];
	const struct gate_classes *candidate = &r->g->sums[env].classes[SIDE_CANDIDATE];

	fprintf(out, "\ncosts by class of request, environment %s: base -> candidate\n",
		gate_env_names[env]);
	for (u32 i = 0; i < NR_GATE_CLASSES; i++) {
		for (u32 k = 0; k < NR_CLASS_COUNTS; k++) {
			if (!base->n[i][k] && !candidate->n[i][k])
				continue;
			fprintf(out, "  %-8s  %-29s %-27s %llu -> %llu\n", gate_env_names[env],
				gate_class_names[i], gate_class_count_names[k], (ull)base->n[i][k],
				(ull)candidate->n[i][k]);
		}
	}
}

/* ---- scripts and verdict ------------------------------------------------- */

static void show_scripts(FILE *out, const struct gate_script *scripts, u32 nr)
{
	for (u32 i = 0; i < nr; i++) {
		const struct gate_example *e = scripts[i].example;

		fprintf(out, "\n%s (%s, %u ops shrunk to %u; line %u)\n  shows: %s\n",
			scripts[i].name, e->from, e->was_ops, e->c.nr_ops, e->line,
			scripts[i].shows);
		write_indented(out, e->script);
	}
}

static void show_verdict(FILE *out, const struct gate_verdict *v)
{
	fprintf(out, "\nverdict: %s\n", v->fails ? "fails" : "passes");
	for (u32 i = 0; i < v->nr; i++) {
		const struct gate_objection *o = &v->objections[i];

		fprintf(out, "  %s %s\n", o->is_property ? "property" : "cost", o->text);
		if (o->accepted)
			fprintf(out, "    accepted until %s%s (%s:%u): %s\n", o->accepted->until,
				o->expired ? ", which is over" : "", o->accepted->file,
				o->accepted->line, o->accepted->reason);
	}
}

void gate_report_text(FILE *out, const struct gate_report *r)
{
	u32 nr;
	struct gate_script *scripts = gate_scripts(r->g, &nr);

	show_head(out, r);
	show_properties(out, r, scripts, nr);
	show_kinds(out, r, scripts, nr);
	for (u32 env = 0; env < NR_GATE_ENVS; env++) {
		if (!r->g->sums[env].nr_cases)
			continue;
		show_costs(out, r, env);
		show_classes(out, r, env);
	}
	show_scripts(out, scripts, nr);
	show_verdict(out, r->v);
	free(scripts);
}
