/* SPDX-License-Identifier: GPL-2.0-only */
/* Objections against the candidate, and those that were accepted. */
#include "harness/gate/gate_verdict.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

static const struct gate_accepted *
find_accepted(const struct gate_conf *conf, const struct gate_objection *o, const char *candidate)
{
	for (u64 i = 0; i < conf->nr_accepted; i++) {
		const struct gate_accepted *a = &conf->accepted[i];

		if (a->is_property == o->is_property && a->which == o->which &&
		    !fnmatch(a->candidate, candidate, 0))
			return a;
	}
	return NULL;
}

/* Dates are compared as text. */
static void object(const struct gate *g, const struct gate_conf *conf, const char *today,
		   struct gate_verdict *v, struct gate_objection o)
{
	const char *candidate = g->player.lockstep.sides[SIDE_CANDIDATE].name;

	o.accepted = find_accepted(conf, &o, candidate);
	o.expired = o.accepted && strcmp(o.accepted->until, today) < 0;
	v->fails |= gate_objection_fails(&o);
	if (v->nr < GATE_MAX_OBJECTIONS)
		v->objections[v->nr++] = o;
}

static bool is_worse(const struct gate_metric_info *info, const struct gate_limit *limit, u64 base,
		     u64 candidate)
{
	u64 worse = info->worse == WORSE_MORE ? candidate : base;
	u64 better = info->worse == WORSE_MORE ? base : candidate;

	return !limit->any && worse > better && worse - better > limit->more &&
	       (worse - better) * 100 > better * limit->percent;
}

static void judge_costs(const struct gate *g, const struct gate_conf *conf, const char *today,
			struct gate_verdict *v, enum gate_env env)
{
	const struct gate_sums *s = &g->sums[env];
	u64 base[NR_GATE_METRICS], candidate[NR_GATE_METRICS];

	gate_metrics_of(&s->costs[SIDE_BASE][IN_TOTAL], base);
	gate_metrics_of(&s->costs[SIDE_CANDIDATE][IN_TOTAL], candidate);
	for (u32 i = 0; i < NR_GATE_METRICS; i++) {
		struct gate_objection o = {.which = i, .env = env};

		if (!is_worse(&gate_metrics[i], &conf->limits[i], base[i], candidate[i]))
			continue;
		/* After a difference a single case may cost anything, on either side. */
		if (s->worse_cases[i] <= s->better_cases[i])
			continue;
		snprintf(o.text, sizeof(o.text), "%s, %s: %llu -> %llu (limit %u%% %u)",
			 gate_metrics[i].name, gate_env_names[env], (unsigned long long)base[i],
			 (unsigned long long)candidate[i], conf->limits[i].percent,
			 conf->limits[i].more);
		object(g, conf, today, v, o);
	}
}

void gate_judge(const struct gate *g, const struct gate_conf *conf, const char *today,
		struct gate_verdict *v)
{
	*v = (struct gate_verdict){0};
	for (u32 i = 0; i < nr_properties; i++) {
		const struct gate_property_found *p = &g->properties[i];
		struct gate_objection o = {.is_property = true, .which = i};

		if (!gate_breaks_promise(p))
			continue;
		snprintf(o.text, sizeof(o.text), "%s: promised by the %s, fails %llu times",
			 properties[i]->id, p->promised[SIDE_BASE] ? "base" : "candidate",
			 (unsigned long long)p->failed[SIDE_CANDIDATE]);
		object(g, conf, today, v, o);
	}
	for (u32 env = 0; env < NR_GATE_ENVS; env++)
		judge_costs(g, conf, today, v, env);
}
