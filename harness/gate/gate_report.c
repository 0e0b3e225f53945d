/* SPDX-License-Identifier: GPL-2.0-only */
/* What the forms of the report share. */
#include "harness/gate/gate_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/gate/gate_internal.h"

const char *gate_side_name(const struct gate *g, enum gate_side side)
{
	return g->player.lockstep.sides[side].name;
}

const char *gate_change_text(u64 base, u64 candidate, char text[32])
{
	double change = base ? ((double)candidate - (double)base) * 100 / (double)base : 0;

	if (base == candidate)
		snprintf(text, 32, "=");
	else if (!base)
		snprintf(text, 32, "new");
	else
		snprintf(text, 32, "%+.1f %%", change);
	return text;
}

/* ---- scripts ------------------------------------------------------------- */

struct gathering {
	struct gate_script *scripts;
	u64 cap;
	u32 nr;
};

static void append(char *shows, size_t size, const char *text)
{
	size_t n = strlen(shows);

	snprintf(shows + n, size - n, "%s%s", n ? "; " : "", text);
}

static void gather(void *ctx, const char *shows, const char *name, const struct gate_example *e)
{
	struct gathering *to = ctx;
	struct gate_script *s = NULL;

	for (u32 i = 0; i < to->nr && !s; i++) {
		if (!strcmp(to->scripts[i].example->script, e->script))
			s = &to->scripts[i];
	}
	if (!s) {
		if (to->nr == to->cap)
			to->scripts = gate_grow(to->scripts, &to->cap, sizeof(*to->scripts));
		s = &to->scripts[to->nr++];
		*s = (struct gate_script){.example = e};
		snprintf(s->name, sizeof(s->name), "%s", name);
	}
	append(s->shows, sizeof(s->shows), shows);
}

struct gate_script *gate_scripts(const struct gate *g, u32 *nr)
{
	struct gathering to = {0};

	gate_each_example(g, gather, &to);
	*nr = to.nr;
	return to.scripts;
}

const char *gate_script_of(const struct gate_script *scripts, u32 nr,
			   const struct gate_example *example)
{
	for (u32 i = 0; example->script && i < nr; i++) {
		if (!strcmp(scripts[i].example->script, example->script))
			return scripts[i].name;
	}
	return "";
}
