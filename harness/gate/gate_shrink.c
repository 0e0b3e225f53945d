/* SPDX-License-Identifier: GPL-2.0-only */
/* Examples made small. */
#include <stdlib.h>
#include <string.h>

#include "harness/gate/gate_internal.h"
#include "harness/script.h"
#include "harness/shrink.h"
#include "harness/state_text.h"

/* Cases played for one example at most, and rounds of a request while it is looked for. */
#define SHRINK_TRIES 1200
#define SHRINK_FUEL 24

struct shrinking {
	struct gate *g;
	/* The first difference is of this kind; or, if it is NR_GATE_KINDS: */
	u32 kind;
	u32 property; /* fails on one side, is held by the other */
	enum gate_side fails_on;
	u32 fuel; /* of the machine at most */
};

static bool shown_by(struct shrinking *sh, const struct testcase *c)
{
	const struct gate_shown *shown = &sh->g->player.shown;
	const struct property_count *good, *bad;
	struct testcase played = *c;

	played.machine.fuel = min_u32(c->machine.fuel, sh->fuel);
	if (gate_play(&sh->g->player, &played, sh->kind == NR_GATE_KINDS))
		return false;
	if (sh->kind < NR_GATE_KINDS)
		return shown->first_kinds >> sh->kind & 1;
	bad = &shown->counts[sh->fails_on][sh->property];
	good = &shown->counts[!sh->fails_on][sh->property];
	return bad->failed && !good->failed && (good->meaningful || sh->fails_on);
}

static bool shows(void *ctx, const struct testcase *c)
{
	struct shrinking *sh = ctx;

	if (sh->g->progress)
		sh->g->progress(sh->g->progress_ctx, sh->g, "shrinking");
	return shown_by(sh, c);
}

/* The line of op @op in @script: counted from behind, where nothing but ops is. */
static u32 line_of(const char *script, const struct testcase *c, u32 op)
{
	u32 line = 1, answers = 0;
	const char *ops = strstr(script, "\n---\n");

	for (const char *p = script; ops && p < ops + 5; p++)
		line += *p == '\n';
	for (u32 i = 0; i <= op && i < c->nr_ops; i++)
		answers += c->ops[i].nr_answers + c->ops[i].nr_nested;
	return line + op + answers;
}

static void write_example(struct shrinking *sh, struct gate_example *e)
{
	u32 first = e->c.nr_ops - 1;
	size_t size;
	FILE *out = open_text(&e->script, &size);

	shown_by(sh, &e->c);
	if (sh->g->player.shown.first < e->c.nr_ops)
		first = sh->g->player.shown.first;
	script_write(out, &e->c);
	close_text(out);
	e->line = line_of(e->script, &e->c, first);
}

static void shrink_example(struct shrinking *sh, struct gate_example *e)
{
	struct shrink config = {
		.shows = shows, .ctx = sh, .max_tries = SHRINK_TRIES, .keep_policy = true};
	u32 fuel = SHRINK_FUEL;

	if (!e->found || !e->c.nr_ops)
		return;
	sh->fuel = fuel;
	if (!shown_by(sh, &e->c))
		sh->fuel = fuel = UINT32_MAX;
	if (!shown_by(sh, &e->c))
		return; /* not a second time: a subject that does not repeat itself */
	shrink_case(&config, &e->c);
	/* A script need not say how much, if that does not matter. */
	sh->fuel = UINT32_MAX;
	if (!shown_by(sh, &e->c))
		e->c.machine.fuel = min_u32(e->c.machine.fuel, fuel);
	write_example(sh, e);
}

void gate_shrink(struct gate *g)
{
	struct shrinking sh = {.g = g, .kind = NR_GATE_KINDS};

	for (sh.property = 0; sh.property < nr_properties; sh.property++) {
		struct gate_property_found *p = &g->properties[sh.property];
		enum gate_property_state state = gate_property_state(p);

		sh.fails_on = SIDE_CANDIDATE;
		if (state == PROPERTY_NEWLY_BROKEN || gate_breaks_promise(p))
			shrink_example(&sh, &p->broken);
		sh.fails_on = SIDE_BASE;
		if (state == PROPERTY_NEWLY_KEPT)
			shrink_example(&sh, &p->kept);
	}
	for (sh.kind = 0; sh.kind < NR_GATE_KINDS; sh.kind++)
		shrink_example(&sh, &g->kinds[sh.kind].example);
}
