/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether the candidate passes, and why not. */
#ifndef HARNESS_GATE_GATE_VERDICT_H
#define HARNESS_GATE_GATE_VERDICT_H

#include "harness/gate/gate.h"
#include "harness/gate/gate_conf.h"

struct gate_objection {
	bool is_property; /* else a cost */
	u32 which; /* index in properties, gate_metrics */
	enum gate_env env; /* of a cost */
	char text[160]; /* "direct-reclaim, closed: 10 -> 20" */
	const struct gate_accepted *accepted; /* or NULL */
	bool expired;
};

#define GATE_MAX_OBJECTIONS 256

struct gate_verdict {
	bool fails;
	struct gate_objection objections[GATE_MAX_OBJECTIONS];
	u32 nr;
};

/* @today: "2026-12-01". What it says of accepted differences points into @conf. */
void gate_judge(const struct gate *g, const struct gate_conf *conf, const char *today,
		struct gate_verdict *v);

static inline bool gate_objection_fails(const struct gate_objection *o)
{
	return !o->accepted || o->expired;
}

#endif
