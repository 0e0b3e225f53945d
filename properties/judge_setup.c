/* SPDX-License-Identifier: GPL-2.0-only */
/* Making a judge: its memory, and who is to be asked when. */
#include "properties/judge_internal.h"

#include <stdlib.h>

#include "properties/shot.h"

static bool wants_request(const struct property *p, u32 kind)
{
	return p->step && (p->requests & REQUEST_BIT(kind));
}

static bool wants_event(const struct property *p, u32 type)
{
	return p->decision && (p->events & EV_BIT(type) & (DECISION_EVENTS | LOOK_EVENTS));
}

static void sort_by_occasion(struct judge *j)
{
	struct asked *next = j->asked;

	for (u32 i = 0; i < j->nr; i++) {
		if (j->list[i]->holds)
			j->states[j->nr_states++] = i;
	}

	for (u32 kind = 0; kind < NR_REQUESTS; kind++) {
		j->by_request[kind].asked = next;
		for (u32 i = 0; i < j->nr; i++) {
			if (wants_request(j->list[i], kind))
				*next++ = (struct asked){.step = j->list[i]->step,
							 .only = j->list[i]->only,
							 .which = i};
		}
		j->by_request[kind].nr = (u32)(next - j->by_request[kind].asked);
	}
	for (u32 type = 0; type < NR_EVENTS; type++) {
		j->by_event[type].asked = next;
		for (u32 i = 0; i < j->nr; i++) {
			if (wants_event(j->list[i], type))
				*next++ = (struct asked){.decision = j->list[i]->decision,
							 .only = j->list[i]->only,
							 .which = i};
		}
		j->by_event[type].nr = (u32)(next - j->by_event[type].asked);
		if (j->by_event[type].nr)
			j->decision_events |= EV_BIT(type) & DECISION_EVENTS;
	}
}

static bool init_frame(struct frame *f, const struct view *view)
{
	f->events = malloc(MAX_EVENTS * sizeof(*f->events));
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
	j->counts = calloc(nr + 1, sizeof(*j->counts));
	j->promised = calloc(nr + 1, sizeof(*j->promised));
	j->asked = malloc(((size_t)nr + 1) * (NR_REQUESTS + NR_EVENTS) * sizeof(*j->asked));
	j->states = malloc(((size_t)nr + 1) * sizeof(*j->states));
	ok = j->counts && j->promised && j->asked && j->states &&
	     zone_shot_init(&j->hold.shots[0], view) && zone_shot_init(&j->hold.shots[1], view);
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
	free(j->states);
	free(j->promised);
	free(j->counts);
	free(j);
}
