/* SPDX-License-Identifier: GPL-2.0-only */
#include "model/answers.h"

#include <string.h>

void answers_begin(struct answers *a, const struct answer *list, u32 nr)
{
	a->list = list;
	a->nr = nr;
	a->armed = 0;
	memset(a->asked, 0, sizeof(a->asked));
	for (u32 i = nr; i-- > 0;) {
		a->next[list[i].call] = i;
		a->armed |= BIT(list[i].call);
	}
}

/* The next answer of @call, which must be armed; disarms the call with its last one. */
static struct answer take_own(struct answers *a, enum env_call call)
{
	const struct answer *taken = &a->list[a->next[call]];

	while (++a->next[call] < a->nr) {
		if (a->list[a->next[call]].call == call)
			return *taken;
	}
	a->armed &= ~BIT(call);
	return *taken;
}

/* The @nth call of an op, from 0: `extra` goes with `value`, `then` stands alone. */
static struct answer default_answer(const struct env_config *config, enum env_call call, u32 nth)
{
	const struct env_default *d = &config->defaults[call];
	bool early = nth < d->times;

	return (struct answer){
		.call = (u8)call,
		.kind = call < NR_ENV_KINDED ? config->kind[call] : ENV_WHOLE,
		.value = early ? d->value : d->then,
		.extra = early ? d->extra : 0,
	};
}

struct answer answers_take(struct answers *a, const struct env_config *config, enum env_call call)
{
	u32 nth = a->asked[call]++;

	return a->armed & BIT(call) ? take_own(a, call) : default_answer(config, call, nth);
}

u32 env_config_calls(const struct env_config *config)
{
	u32 calls = 0;

	for (u32 call = 0; call < NR_ENV_CALLS; call++)
		if (config->defaults[call].times || config->defaults[call].then)
			calls |= BIT(call);
	return calls;
}
