/* SPDX-License-Identifier: GPL-2.0-only */
/* Gathering what cases show. */
#include "harness/gate/gate.h"

#include <stdlib.h>
#include <string.h>

#include "harness/case_fit.h"
#include "harness/gate/gate_internal.h"
#include "harness/input.h"

const char *const gate_env_names[NR_GATE_ENVS] = {"answered", "closed"};

const char *const gate_property_state_names[] = {
	[PROPERTY_UNSEEN] = "not seen",	      [PROPERTY_HELD] = "held",
	[PROPERTY_FAILS] = "fails on both",   [PROPERTY_NEWLY_BROKEN] = "newly broken",
	[PROPERTY_NEWLY_KEPT] = "newly kept",
};

void *gate_zalloc(size_t nr, size_t size)
{
	void *p = calloc(nr, size);

	if (!p) {
		fputs("buddycheck: out of memory\n", stderr);
		abort();
	}
	return p;
}

void *gate_grow(void *old, u64 *cap, size_t size)
{
	void *grown;

	*cap = *cap ? 2 * *cap : 256;
	grown = realloc(old, *cap * size);
	if (!grown) {
		fputs("buddycheck: out of memory\n", stderr);
		abort();
	}
	return grown;
}

void gate_init(struct gate *g, const char *base, const char *candidate)
{
	*g = (struct gate){0};
	gate_player_init(&g->player, base, candidate);
	g->properties = gate_zalloc(nr_properties, sizeof(*g->properties));
	g->pool = gate_pool_create();
}

void gate_exit(struct gate *g)
{
	gate_player_exit(&g->player);
	for (u32 i = 0; i < NR_GATE_ENVS; i++)
		free(g->sums[i].values);
	for (u32 i = 0; i < NR_GATE_KINDS; i++)
		gate_example_free(&g->kinds[i].example);
	for (u32 i = 0; i < nr_properties; i++) {
		gate_example_free(&g->properties[i].broken);
		gate_example_free(&g->properties[i].kept);
	}
	free(g->properties);
	gate_pool_destroy(g->pool);
}

/* ---- examples ------------------------------------------------------------ */

void gate_example_free(struct gate_example *e)
{
	if (e->found)
		case_free(&e->c);
	free(e->script);
}

void gate_example_offer(struct gate_example *e, const struct testcase *c, u32 nr_ops,
			const char *from)
{
	if (e->found && e->c.nr_ops <= nr_ops)
		return;
	if (e->found)
		case_free(&e->c);
	case_copy(&e->c, c, true);
	e->c.nr_ops = nr_ops;
	e->was_ops = c->nr_ops;
	e->found = true;
	snprintf(e->from, sizeof(e->from), "%s", from);
}

/* ---- what a case shows --------------------------------------------------- */

static void gather_kinds(struct gate *g, const struct testcase *c, const char *from)
{
	const struct gate_shown *shown = &g->player.shown;

	for (u32 i = 0; i < NR_GATE_KINDS; i++) {
		struct gate_kind_found *k = &g->kinds[i];

		k->all_cases += shown->all_kinds >> i & 1;
		if (!(shown->first_kinds >> i & 1))
			continue;
		k->first_cases++;
		gate_example_offer(&k->example, c, shown->first + 1, from);
	}
}

static void gather_properties(struct gate *g, const struct testcase *c, const char *from)
{
	const struct gate_shown *shown = &g->player.shown;

	for (u32 i = 0; i < nr_properties; i++) {
		const struct property_count *base = &shown->counts[SIDE_BASE][i];
		const struct property_count *candidate = &shown->counts[SIDE_CANDIDATE][i];
		struct gate_property_found *p = &g->properties[i];

		for (u32 k = 0; k < NR_SIDES; k++) {
			p->promised[k] = gate_promises(&g->player, k, i);
			p->meaningful[k] += shown->counts[k][i].meaningful;
			p->failed[k] += shown->counts[k][i].failed;
		}
		if (candidate->failed && !base->failed) {
			p->broken_cases++;
			gate_example_offer(&p->broken, c, c->nr_ops, from);
		}
		if (base->failed && !candidate->failed) {
			p->kept_cases++;
			if (candidate->meaningful)
				gate_example_offer(&p->kept, c, c->nr_ops, from);
		}
	}
}

static void count_change(struct gate_sums *s, u32 metric, u32 base, u32 candidate)
{
	bool more_is_worse = gate_metrics[metric].worse == WORSE_MORE;

	if (base != candidate)
		((candidate > base) == more_is_worse ? s->worse_cases : s->better_cases)[metric]++;
}

static void gather_costs(struct gate *g, const struct machine *m)
{
	enum gate_env env = m->env.kind[ENV_RECLAIM] == ENV_CLOSED ? ENV_IS_CLOSED : ENV_ANSWERED;
	const struct gate_shown *shown = &g->player.shown;
	struct gate_sums *s = &g->sums[env];
	u64 values[NR_GATE_METRICS];

	if (s->nr_cases == s->cap_values)
		s->values = gate_grow(s->values, &s->cap_values, sizeof(*s->values));
	for (u32 i = 0; i < NR_SIDES; i++) {
		for (u32 k = 0; k < NR_PHASES; k++)
			gate_costs_add(&s->costs[i][k], &shown->costs[i][k]);
		gate_classes_add(&s->classes[i], &shown->classes[i]);
		gate_metrics_of(&shown->costs[i][IN_TOTAL], values);
		for (u32 k = 0; k < NR_GATE_METRICS; k++)
			s->values[s->nr_cases][i][k] = (u32)values[k];
	}
	for (u32 k = 0; k < NR_GATE_METRICS; k++) {
		const u32(*v)[NR_GATE_METRICS] = s->values[s->nr_cases];

		count_change(s, k, v[SIDE_BASE][k], v[SIDE_CANDIDATE][k]);
	}
	s->nr_cases++;
}

const char *gate_take(struct gate *g, const struct testcase *c, const char *from)
{
	const struct gate_shown *shown = &g->player.shown;
	const char *why = gate_play(&g->player, c, true);

	if (why) {
		g->nr_refused++;
		return why;
	}
	g->nr_cases++;
	g->nr_ops += shown->nr_ops;
	g->nr_differ += shown->first != UINT32_MAX;
	for (u32 i = 0; i < NR_SIDES; i++)
		g->nr_skipped[i] += shown->nr_skipped[i];
	g->nr_broke_off += shown->broke_off != 0;
	gather_kinds(g, c, from);
	gather_properties(g, c, from);
	gather_costs(g, &c->machine);
	gate_pool_offer(g->pool, &g->player, c);
	if (g->progress)
		g->progress(g->progress_ctx, g, "playing");
	return NULL;
}

/* ---- files --------------------------------------------------------------- */

/* Make @c a case for the machine that it has now, whatever it was made for. */
static bool refit(struct gate *g, struct testcase *c)
{
	struct testcase fitted;

	if (g->fitter)
		g->fitter->fit(g->fitter->ctx, &c->machine);
	case_init(&fitted);
	if (!case_fit(&fitted, c))
		return false;
	case_free(c);
	*c = fitted;
	return !lockstep_ready(&g->player.lockstep, &c->machine) &&
	       lockstep_fit(&g->player.lockstep, c);
}

static const char *take_both_ways(struct gate *g, struct testcase *c, const char *path)
{
	const char *why = gate_take(g, c, path);

	/* A kernel was built for some machines: as much of the case as one of these plays. */
	if (why && g->fitter && refit(g, c) && !gate_take(g, c, path)) {
		g->nr_refused--;
		g->nr_refitted++;
		why = NULL;
	}
	if (c->machine.env.kind[ENV_RECLAIM] == ENV_CLOSED)
		return why;
	for (u32 i = 0; i < NR_ENV_KINDED; i++)
		c->machine.env.kind[i] = ENV_CLOSED;
	if (refit(g, c))
		gate_take(g, c, path);
	return why;
}

const char *gate_take_file(struct gate *g, const char *path, char err[CASE_ERROR_SIZE])
{
	struct testcase loaded, c;
	struct machine usual;
	const char *why;

	machine_init(&usual);
	case_init(&loaded);
	if (case_load(path, &loaded, err))
		return err;
	case_copy(&c, &loaded, true);
	case_free(&loaded);
	c.machine.policy = usual.policy; /* the names of the sides say more */
	why = take_both_ways(g, &c, path);
	case_free(&c);
	if (why)
		snprintf(err, CASE_ERROR_SIZE, "%s:1: not played (%s)", path, why);
	return why ? err : NULL;
}

/* ---- conclusions --------------------------------------------------------- */

enum gate_property_state gate_property_state(const struct gate_property_found *p)
{
	const u64 *failed = p->failed;

	if (failed[SIDE_CANDIDATE] && failed[SIDE_BASE])
		return PROPERTY_FAILS;
	if (failed[SIDE_CANDIDATE])
		return PROPERTY_NEWLY_BROKEN;
	if (!p->meaningful[SIDE_BASE] || !p->meaningful[SIDE_CANDIDATE])
		return PROPERTY_UNSEEN;
	return failed[SIDE_BASE] ? PROPERTY_NEWLY_KEPT : PROPERTY_HELD;
}

bool gate_breaks_promise(const struct gate_property_found *p)
{
	bool before = p->promised[SIDE_BASE] && !p->failed[SIDE_BASE];
	bool claimed = p->promised[SIDE_CANDIDATE] && !p->promised[SIDE_BASE];

	return p->failed[SIDE_CANDIDATE] && (before || claimed);
}

static int compare_u32(const void *x, const void *y)
{
	u32 a = *(const u32 *)x, b = *(const u32 *)y;

	return a < b ? -1 : a > b;
}

u32 gate_spread(const struct gate_sums *s, enum gate_side side, enum gate_metric metric,
		u32 percent)
{
	u32 *sorted, value;

	if (!s->nr_cases)
		return 0;
	sorted = gate_zalloc(s->nr_cases, sizeof(*sorted));
	for (u64 i = 0; i < s->nr_cases; i++)
		sorted[i] = s->values[i][side][metric];
	qsort(sorted, s->nr_cases, sizeof(*sorted), compare_u32);
	value = sorted[(s->nr_cases - 1) * percent / 100];
	free(sorted);
	return value;
}

/* "direct reclaim: fewer" -> "direct-reclaim-fewer" */
static void name_file(char name[128], const char *shows)
{
	u32 n = 0;

	for (const char *p = shows; *p && n < 127; p++) {
		if ((*p | 32) >= 'a' && (*p | 32) <= 'z')
			name[n++] = *p;
		else if (n && name[n - 1] != '-')
			name[n++] = '-';
	}
	name[n] = '\0';
}

void gate_each_example(const struct gate *g,
		       void (*each)(void *ctx, const char *shows, const char *name,
				    const struct gate_example *e),
		       void *ctx)
{
	char shows[128], name[128], kind[64];

	for (u32 i = 0; i < nr_properties; i++) {
		const struct gate_property_found *p = &g->properties[i];
		const struct gate_example *of[] = {&p->broken, &p->kept};

		for (u32 k = 0; k < 2; k++) {
			if (!of[k]->script)
				continue;
			snprintf(shows, sizeof(shows), "%s newly %s", properties[i]->id,
				 k ? "kept" : "broken");
			snprintf(name, sizeof(name), "%s-%s", k ? "kept" : "broken",
				 properties[i]->id);
			each(ctx, shows, name, of[k]);
		}
	}
	for (u32 i = 0; i < NR_GATE_KINDS; i++) {
		if (!g->kinds[i].example.script)
			continue;
		name_file(name, gate_kind_name(i, kind));
		each(ctx, kind, name, &g->kinds[i].example);
	}
}
