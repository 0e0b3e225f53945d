/* SPDX-License-Identifier: GPL-2.0-only */
/* The report as Markdown: for a cover letter, or the summary of a CI run. */
#include <stdio.h>
#include <stdlib.h>

#include "harness/gate/gate_report.h"

typedef unsigned long long ull;

static void show_verdict(FILE *out, const struct gate_verdict *v)
{
	fprintf(out, "**The candidate %s.**\n\n", v->fails ? "does not pass" : "passes");
	for (u32 i = 0; i < v->nr; i++) {
		const struct gate_objection *o = &v->objections[i];

		fprintf(out, "* %s %s", o->is_property ? "property" : "cost", o->text);
		if (o->accepted)
			fprintf(out, " (accepted until %s%s: %s)", o->accepted->until,
				o->expired ? ", which is over" : "", o->accepted->reason);
		fputc('\n', out);
	}
	if (v->nr)
		fputc('\n', out);
}

static void show_properties(FILE *out, const struct gate *g)
{
	u32 held = 0;

	fputs("### Properties\n\n"
	      "| property | | meaningful | failed | cases |\n|---|---|--:|--:|--:|\n",
	      out);
	for (u32 i = 0; i < nr_properties; i++) {
		const struct gate_property_found *p = &g->properties[i];
		enum gate_property_state state = gate_property_state(p);

		held += state == PROPERTY_HELD;
		if (state == PROPERTY_HELD || state == PROPERTY_UNSEEN)
			continue;
		fprintf(out, "| %s | %s | %llu, %llu | %llu → %llu | %llu |\n", properties[i]->id,
			gate_property_state_names[state], (ull)p->meaningful[SIDE_BASE],
			(ull)p->meaningful[SIDE_CANDIDATE], (ull)p->failed[SIDE_BASE],
			(ull)p->failed[SIDE_CANDIDATE],
			(ull)(state == PROPERTY_NEWLY_KEPT ? p->kept_cases : p->broken_cases));
	}
	fprintf(out, "\n%u properties are held by both.\n\n", held);
}

static void show_kinds(FILE *out, const struct gate *g)
{
	char name[64];

	fputs("### Differences in behaviour\n\n"
	      "| | of the candidate | first in | in cases |\n|---|---|--:|--:|\n",
	      out);
	for (u32 i = 0; i < NR_GATE_KINDS; i++) {
		const struct gate_kind_found *k = &g->kinds[i];

		if (k->all_cases)
			fprintf(out, "| %s | %s | %llu | %llu |\n", gate_kind_group(i),
				gate_kind_name(i, name), (ull)k->first_cases, (ull)k->all_cases);
	}
	fputc('\n', out);
}

static void show_classes(FILE *out, const struct gate_sums *s, enum gate_env env)
{
	fprintf(out,
		"### Costs by class of request, %s environment\n\n"
		"| request | | base | candidate |\n|---|---|--:|--:|\n",
		gate_env_names[env]);
	for (u32 i = 0; i < NR_GATE_CLASSES; i++) {
		for (u32 k = 0; k < NR_CLASS_COUNTS; k++) {
			u64 base = s->classes[SIDE_BASE].n[i][k];
			u64 candidate = s->classes[SIDE_CANDIDATE].n[i][k];

			if (base || candidate)
				fprintf(out, "| %s | %s | %llu | %llu |\n", gate_class_names[i],
					gate_class_count_names[k], (ull)base, (ull)candidate);
		}
	}
	fputc('\n', out);
}

static void show_costs(FILE *out, const struct gate_sums *s, enum gate_env env)
{
	u64 n[NR_SIDES][NR_GATE_METRICS];
	char change[32];

	fprintf(out,
		"### Costs, %s environment, %llu cases\n\n"
		"| | base | candidate | | worse, better in cases | base per case: median, "
		"p90, max | candidate |\n|---|--:|--:|--:|--:|--:|--:|\n",
		gate_env_names[env], (ull)s->nr_cases);
	for (u32 i = 0; i < NR_SIDES; i++)
		gate_metrics_of(&s->costs[i][IN_TOTAL], n[i]);
	for (u32 m = 0; m < NR_GATE_METRICS; m++) {
		fprintf(out, "| %s | %llu | %llu | %s | %llu, %llu |", gate_metrics[m].what,
			(ull)n[SIDE_BASE][m], (ull)n[SIDE_CANDIDATE][m],
			gate_change_text(n[SIDE_BASE][m], n[SIDE_CANDIDATE][m], change),
			(ull)s->worse_cases[m], (ull)s->better_cases[m]);
		for (u32 i = 0; i < NR_SIDES; i++)
			fprintf(out, " %u, %u, %u |", gate_spread(s, i, m, 50),
				gate_spread(s, i, m, 90), gate_spread(s, i, m, 100));
		fputc('\n', out);
	}
	fputc('\n', out);
}

static void show_scripts(FILE *out, const struct gate *g)
{
	u32 nr;
	struct gate_script *scripts = gate_scripts(g, &nr);

	if (nr)
		fputs("### Smallest scripts\n", out);
	for (u32 i = 0; i < nr; i++)
		fprintf(out, "\n%s\n\n```\n%s```\n", scripts[i].shows, scripts[i].example->script);
	free(scripts);
}

void gate_report_markdown(FILE *out, const struct gate_report *r)
{
	const struct gate *g = r->g;

	fprintf(out, "## %s → %s\n\n", gate_side_name(g, SIDE_BASE),
		gate_side_name(g, SIDE_CANDIDATE));
	show_verdict(out, r->v);
	fprintf(out, "%llu cases, %llu ops on each side, seed %llu; %llu cases differ.\n\n",
		(ull)g->nr_cases, (ull)g->nr_ops, (ull)r->seed, (ull)g->nr_differ);
	show_properties(out, g);
	for (u32 env = 0; env < NR_GATE_ENVS; env++) {
		if (g->sums[env].nr_cases)
			show_classes(out, &g->sums[env], env);
	}
	show_kinds(out, g);
	for (u32 env = 0; env < NR_GATE_ENVS; env++) {
		if (g->sums[env].nr_cases)
			show_costs(out, &g->sums[env], env);
	}
	show_scripts(out, g);
}
