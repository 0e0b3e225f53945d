/* SPDX-License-Identifier: GPL-2.0-only */
/* What properties look for among the events of a step. */
#include "properties/step.h"

/* Most steps cause few types of events: no need to look for the others. */
static bool has_seen(const struct step *s, enum event_type type)
{
	return s->seen & EV_BIT(type);
}

const struct event *step_find(const struct step *s, enum event_type type, u32 i)
{
	for (; has_seen(s, type) && i < s->nr_events; i++) {
		if (s->events[i].type == type)
			return &s->events[i];
	}
	return NULL;
}

u32 step_count(const struct step *s, enum event_type type)
{
	u32 nr = 0;

	for (u32 i = 0; has_seen(s, type) && i < s->nr_events; i++)
		nr += s->events[i].type == type;
	return nr;
}

u32 step_calls(const struct step *s, u32 env_call)
{
	u32 nr = 0;

	for (u32 i = 0; has_seen(s, EV_ENV_CALL) && i < s->nr_events; i++)
		nr += s->events[i].type == EV_ENV_CALL && s->events[i].a == env_call;
	return nr;
}
