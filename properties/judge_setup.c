/* SPDX-License-Identifier: GPL-2.0-only */
/* Making a judge: its memory, and who is to be asked when. */
#include "properties/judge_internal.h"

#include <stdlib.h>

#include "properties/shot.h"

/* Every one may be asked about a slow path, ONLY_SLOW about nothing else. */
static bool wants_request(const struct property *p, u32 kind, bool slow)
{
	return p->step && (p->requests & REQUEST_BIT(kind)) && (slow || !p->only);
}

static bool wants_event(const struct property *p, u32 type, bool rare)
{
	return p->decision && (p->events & EV_BIT(type) & (DECISION_EVENTS | LOOK_EVENTS)) &&
	       (rare || !(p->only & ONLY_RARE));
}

static void sort_by_request(struct judge *j, u32 kind, bool slow)
{
	struct interest *interest = &j->by_request[kind][slow];

	interest->asked = j->next_asked;
	for (u32 i = 0; i < j->nr; i++) {
		if (wants_request(j->list[i], kind, slow))
			*j->next_asked++ = (struct asked){.step = j->list[i]->step, .which = i};
	}
	interest->nr = (u32)(j->next_asked - interest->asked);
}

static void sort_by_event(struct judge *j, u32 type, bool rare)
{
	struct interest *interest = &j->by_event[type][rare];

	interest->asked = j->next_asked;
	for (u32 i = 0; i < j->nr; i++) {
		if (wants_event(j->list[i], type, rare))
			*j->next_asked++ = (struct asked){.decision = j->list[i]->decision,
							  .only = j->list[i]->only,
							  .which = i};
	}
	interest->nr = (u32)(j->next_asked - interest->asked);
	if (interest->nr) {
		j->decision_events |= EV_BIT(type) & DECISION_EVENTS;
		j->look_events |= EV_BIT(type) & LOOK_EVENTS;
	}
}

static void sort_states(struct judge *j)
{
	j->states.asked = j->next_asked;
	for (u32 i = 0; i < j->nr; i++) {
		if (j->list[i]->holds)
			*j->next_asked++ = (struct asked){
				.holds = j->list[i]->holds, .only = j->list[i]->judges, .which = i};
	}
	j->states.nr = (u32)(j->next_asked - j->states.asked);
}

static void sort_by_occasion(struct judge *j)
{
	j->next_asked = j->asked;
	sort_states(j);
	for (u32 kind = 0; kind < NR_REQUESTS; kind++) {
		sort_by_request(j, kind, false);
		sort_by_request(j, kind, true);
	}
	for (u32 type = 0; type < NR_EVENTS; type++) {
		sort_by_event(j, type, false);
		sort_by_event(j, type, true);
	}
}

static bool init_frame(struct frame *f, const struct view *view)
{
	f->events = malloc(MAX_EVENTS * sizeof(*f->events));
	f->step = (struct step){.view = view, .events = f->events, .of = f->of};
	return f->events && shot_init(&f->shots[0], view) && shot_init(&f->shots[1], view);
}

struct judge *judge_create(const struct view *view, const struct property *const *list, u32 nr,
			   u32 promises)
{
	struct judge *j = calloc(1, sizeof(*j));
	bool ok;

	if (!j)
		return NULL;
	*j = (struct judge){.view = view, .list = list, .nr = nr};
	j->hold.now = &j->hold.shots[0];
	j->hold.before_claim = &j->hold.shots[1];
	j->counts = calloc(nr + 1, sizeof(*j->counts));
	j->promised = calloc(nr + 1, sizeof(*j->promised));
	j->asked = malloc(((size_t)nr + 1) * 2 * (NR_REQUESTS + NR_EVENTS + 1) * sizeof(*j->asked));
	ok = j->counts && j->promised && j->asked && zone_shot_init(&j->hold.shots[0], view) &&
	     zone_shot_init(&j->hold.shots[1], view);
	for (u32 i = 0; i < MAX_DEPTH; i++)
		ok = ok && init_frame(&j->frames[i], view);
	if (!ok) {
		judge_destroy(j);
		return NULL;
	}
	for (u32 i = 0; i < nr; i++)
		j->promised[i] = list[i]->promise & promises;
	sort_by_occasion(j);
	return j;
}

void judge_promise(struct judge *j, u32 i)
{
	j->promised[i] = true;
}

bool judge_is_promised(const struct judge *j, u32 i)
{
	return j->promised[i];
}

void judge_destroy(struct judge *j)
{
	if (!j)
		return;
	for (u32 i = 0; i < MAX_DEPTH; i++) {
		free(j->frames[i].events);
		shot_exit(&j->frames[i].shots[0]);
		shot_exit(&j->frames[i].shots[1]);
	}
	zone_shot_exit(&j->hold.shots[0]);
	zone_shot_exit(&j->hold.shots[1]);
	free(j->asked);
	free(j->promised);
	free(j->counts);
	free(j);
}
