/* SPDX-License-Identifier: GPL-2.0-only */
/* Cases in lock step, and what becomes of those that diverge. */
#include "harness/conform.h"

#include <stdlib.h>
#include <string.h>

#include "harness/lockstep_show.h"
#include "harness/script.h"
#include "harness/shrink.h"

/* Cases with seeds side by side that share a machine: a kernel boots for longer than it plays one. */
#define CASES_A_MACHINE 8

/* A shrunk case should be found soon, and so should the end of a request that never ends. */
#define SHRINK_TRIES 5000
#define SHRINK_FUEL 24

void conform_init(struct conform *s, FILE *out, const char *left, const char *right)
{
	struct machine usual;

	machine_init(&usual);
	*s = (struct conform){.out = out, .policy = usual.policy};
	lockstep_init(&s->lockstep, left, right);
}

void conform_exit(struct conform *s)
{
	lockstep_exit(&s->lockstep);
	free(s->groups);
}

/* ---- sorts --------------------------------------------------------------- */

static bool same_sort(const struct divergence *x, const struct divergence *y)
{
	return x->kind == y->kind && !strcmp(x->what, y->what);
}

static void grow_groups(struct conform *s)
{
	u32 cap = s->cap_groups ? 2 * s->cap_groups : 8;
	struct conform_group *groups = realloc(s->groups, cap * sizeof(*groups));

	if (!groups) {
		fputs("buddycheck: out of memory\n", stderr);
		abort();
	}
	s->groups = groups;
	s->cap_groups = cap;
}

/* False: it is a new sort. */
static bool count_divergence(struct conform *s, const struct divergence *d)
{
	for (u32 i = 0; i < s->nr_groups; i++) {
		if (same_sort(&s->groups[i].first, d)) {
			s->groups[i].nr++;
			return true;
		}
	}
	if (s->nr_groups == s->cap_groups)
		grow_groups(s);
	s->groups[s->nr_groups++] = (struct conform_group){.first = *d, .nr = 1};
	return false;
}

/* ---- shrinking ----------------------------------------------------------- */

struct shrinking {
	struct lockstep *lockstep;
	const struct divergence *wanted;
	u32 fuel; /* of the machine at most */
};

/* @c with at most @fuel. */
static bool diverges(struct lockstep *l, const struct testcase *c, u32 fuel, struct divergence *d)
{
	struct testcase played = *c;

	played.machine.fuel = min_u32(c->machine.fuel, fuel);
	return !lockstep_play(l, &played, d) && d->kind;
}

static bool shows(void *ctx, const struct testcase *c)
{
	const struct shrinking *sh = ctx;
	struct divergence d;

	return diverges(sh->lockstep, c, sh->fuel, &d) && same_sort(&d, sh->wanted);
}

/* Make @c, which shows @d, small. Returns how many cases were played for it. */
static u32 shrink(struct conform *s, struct testcase *c, const struct divergence *d)
{
	struct shrinking sh = {&s->lockstep, d, SHRINK_FUEL};
	struct shrink config = {
		.shows = shows, .ctx = &sh, .max_tries = SHRINK_TRIES, .keep_policy = true};
	struct divergence again;

	c->nr_ops = d->step == STEP_MACHINE ? 0 : d->step + 1;
	if (!shows(&sh, c))
		sh.fuel = UINT32_MAX;
	shrink_case(&config, c);
	/* A script need not say how much, if that does not matter. */
	if (!(diverges(&s->lockstep, c, UINT32_MAX, &again) && same_sort(&again, d)))
		c->machine.fuel = min_u32(c->machine.fuel, sh.fuel);
	return config.tries;
}

/* ---- showing ------------------------------------------------------------- */

/* "a.script: op 12: result: pfn: 8, 16 (gpff.a)" */
static void show_headline(struct conform *s, const char *name, const struct divergence *d)
{
	fprintf(s->out, "%s: ", name);
	if (d->step != STEP_MACHINE)
		fprintf(s->out, "op %u: ", d->step + 1);
	fprintf(s->out, "%s: %s (%s)\n", divergence_kind_names[d->kind], d->text, d->what);
}

static void keep_script(struct conform *s, const struct testcase *c)
{
	char path[4096];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%u.script", s->dir, s->nr_groups);
	out = fopen(path, "w");
	if (out)
		script_write(out, c);
	if (!out || fclose(out))
		perror(path);
	else
		fprintf(s->out, "kept as %s\n", path);
}

/* A new sort of divergence, in @c. */
static void show_divergence(struct conform *s, struct testcase *c, const char *name,
			    const char *again, const struct divergence *d)
{
	u32 nr_ops = c->nr_ops, tries = shrink(s, c, d);
	struct divergence shrunk;

	show_headline(s, name, d);
	fprintf(s->out, "%u ops shrunk to %u, %u cases played\n", nr_ops, c->nr_ops, tries);
	lockstep_play(&s->lockstep, c, &shrunk);
	lockstep_show(s->out, &s->lockstep, c, &shrunk);
	fprintf(s->out, "play it again: buddycheck conform --kernel %s --subject %s %s\n",
		s->lockstep.sides[0].name, s->lockstep.sides[1].name, again);
	if (s->dir)
		keep_script(s, c);
	fflush(s->out);
}

/* The same case does not diverge again: that is about a subject, not about the case. */
static void show_unrepeatable(struct conform *s, const char *name, struct divergence *first)
{
	char text[sizeof(first->text)];

	memcpy(text, first->text, sizeof(text));
	snprintf(first->what, sizeof(first->what), "not the second time");
	snprintf(first->text, sizeof(first->text), "%.250s (not when it was played again)", text);
	if (!count_divergence(s, first))
		show_headline(s, name, first);
}

/* ---- playing ------------------------------------------------------------- */

static void take_divergence(struct conform *s, struct testcase *c, const char *name,
			    const char *again, struct divergence *first)
{
	struct lockstep *l = &s->lockstep;
	u32 view_every = l->view_every;
	struct divergence d;

	s->divergences++;
	l->view_every = 1;
	lockstep_play(l, c, &d);
	if (!d.kind)
		show_unrepeatable(s, name, first);
	else if (!count_divergence(s, &d))
		show_divergence(s, c, name, again, &d);
	l->view_every = view_every;
}

const char *conform_play(struct conform *s, struct testcase *c, const char *name, const char *again)
{
	u64 nr_ops = s->lockstep.nr_ops;
	struct divergence first;
	const char *why;

	c->machine.policy = s->policy;
	why = lockstep_play(&s->lockstep, c, &first);
	if (why)
		return why;
	s->cases++;
	s->ops += s->lockstep.nr_ops - nr_ops;
	if (first.kind)
		take_divergence(s, c, name, again, &first);
	return NULL;
}

const char *conform_generate(struct conform *s, u64 seed, struct testcase *c)
{
	static const u32 lengths[] = {32, 64, 64, 128, 256, 512};
	struct rng machine_rng = {seed / CASES_A_MACHINE}, rng = {~seed};
	const char *why;

	case_free(c);
	case_init(c);
	generate_machine_for(&machine_rng, &c->machine, s->fitter);
	c->machine.policy = s->policy;
	why = lockstep_ready(&s->lockstep, &c->machine);
	if (why)
		return why;
	generate_ops(&rng, rng_pick(&rng, lengths), c);
	return lockstep_fit(&s->lockstep, c) ? NULL : "expected subjects that play something";
}

void conform_summary(const struct conform *s)
{
	for (u32 i = 0; s->divergences > 1 && i < s->nr_groups; i++) {
		const struct conform_group *g = &s->groups[i];

		fprintf(s->out, "%8llu x %s: %s\n", (unsigned long long)g->nr,
			divergence_kind_names[g->first.kind], g->first.what);
	}
}
