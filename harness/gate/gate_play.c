/* SPDX-License-Identifier: GPL-2.0-only */
/* Playing a case on both sides. */
#include "harness/gate/gate_play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "properties/list.h"

void gate_player_init(struct gate_player *p, const char *base, const char *candidate)
{
	*p = (struct gate_player){0};
	lockstep_init(&p->lockstep, base, candidate);
	for (u32 i = 0; i < NR_SIDES; i++) {
		p->shown.counts[i] = calloc(nr_properties, sizeof(*p->shown.counts[i]));
		if (!p->shown.counts[i]) {
			fputs("buddycheck: out of memory\n", stderr);
			abort();
		}
	}
}

void gate_player_exit(struct gate_player *p)
{
	lockstep_exit(&p->lockstep);
	for (u32 i = 0; i < NR_SIDES; i++)
		free(p->shown.counts[i]);
}

bool gate_promises(const struct gate_player *p, enum gate_side side, u32 i)
{
	const struct run *r = &p->lockstep.sides[side].run;

	return r->judge && judge_is_promised(r->judge, i);
}

/* ---- begin --------------------------------------------------------------- */

/* A page handed out twice is found by the run, not by the judge. */
static void note_violation(void *ctx, u32 step, const struct violation *violation)
{
	struct property_count *counts = ctx;
	u32 i = 0;

	(void)step;
	while (properties[i] != &prop_partition)
		i++;
	if (violation->property == &prop_partition && !counts[i].failed)
		counts[i].failed = 1;
}

static void begin_side(struct gate_player *p, u32 i, bool judged)
{
	enum check_strength strength = judged ? CHECK_WRITTEN : CHECK_NONE;
	struct lockstep_side *s = &p->lockstep.sides[i];

	if (s->has_run && s->run.strength != strength) {
		run_free(&s->run);
		s->has_run = false;
	}
	gate_tally_init(&p->tally[i], &s->run);
	if (s->has_run) {
		run_listen(&s->run, &p->tally[i].observer);
		run_again(&s->run, &p->lockstep.played);
	} else {
		run_init(&s->run, &p->lockstep.played, s->subject, strength, &p->tally[i].observer);
		s->has_run = true;
	}
	s->run.each_violation = note_violation;
	s->run.each_violation_ctx = p->shown.counts[i];
	gate_tally_begin_case(&p->tally[i]);
}

static const char *begin(struct gate_player *p, const struct testcase *c, bool judged)
{
	struct lockstep *l = &p->lockstep;
	const char *why = lockstep_ready(l, &c->machine);
	struct gate_shown *shown = &p->shown;
	struct property_count *counts[NR_SIDES] = {shown->counts[0], shown->counts[1]};

	for (u32 i = 0; i < NR_SIDES && !why; i++)
		why = run_can_play(c, l->sides[i].subject);
	if (why)
		return why;
	*shown = (struct gate_shown){.first = UINT32_MAX, .counts = {counts[0], counts[1]}};
	l->played = *c;
	l->played.nr_expects = l->played.nr_boot = l->played.nr_final = 0;
	for (u32 i = 0; i < NR_SIDES; i++) {
		memset(counts[i], 0, nr_properties * sizeof(*counts[i]));
		begin_side(p, i, judged);
	}
	return NULL;
}

/* ---- ops ----------------------------------------------------------------- */

static bool step_side(struct gate_player *p, u32 i, const struct op *op, struct gate_outcome *o)
{
	struct run *r = &p->lockstep.sides[i].run;
	struct gate_tally *t = &p->tally[i];
	u32 nr_skipped = r->nr_skipped;
	bool more;

	gate_tally_begin(t, op);
	more = run_step(r);
	gate_tally_end(t);
	*o = gate_outcome_of(r, op, &t->op, r->nr_skipped != nr_skipped && !op->nr_nested);
	gate_costs_add(&p->shown.costs[i][IN_TOTAL], &t->op);
	if (p->shown.first == UINT32_MAX)
		gate_costs_add(&p->shown.costs[i][TO_FIRST], &t->op);
	return more;
}

static void compare(struct gate_shown *shown, const struct gate_outcome o[NR_SIDES])
{
	u64 kinds = gate_differences(&o[SIDE_BASE], &o[SIDE_CANDIDATE]);

	for (u32 i = 0; i < NR_SIDES; i++)
		shown->nr_skipped[i] += o[i].skipped && !o[!i].skipped;
	shown->all_kinds |= kinds;
	if (!kinds || shown->first != UINT32_MAX)
		return;
	shown->first = shown->nr_ops;
	shown->first_kinds = kinds;
}

static void play_ops(struct gate_player *p)
{
	const struct testcase *c = &p->lockstep.played;
	struct gate_shown *shown = &p->shown;
	struct gate_outcome o[NR_SIDES];

	while (shown->nr_ops < c->nr_ops && !shown->broke_off) {
		for (u32 i = 0; i < NR_SIDES; i++) {
			if (!step_side(p, i, &c->ops[shown->nr_ops], &o[i]))
				shown->broke_off |= BIT(i);
		}
		compare(shown, o);
		shown->nr_ops++;
	}
}

const char *gate_play(struct gate_player *p, const struct testcase *c, bool judged)
{
	const char *why;

	if (p->about)
		p->about(p->about_ctx, c);
	why = begin(p, c, judged);
	if (why)
		return why;
	play_ops(p);
	for (u32 i = 0; i < NR_SIDES; i++) {
		struct run *r = &p->lockstep.sides[i].run;

		run_finish(r);
		gate_count_state(r, &p->shown.costs[i][IN_TOTAL]);
		p->shown.classes[i] = p->tally[i].classes;
		if (r->judge)
			judge_take_counts(r->judge, p->shown.counts[i]);
	}
	return NULL;
}
