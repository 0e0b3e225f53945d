/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which answer a call to the environment gets (environment.h): the op's own ones in their order, then
 * the machine's default.
 *
 *      answers of the op:   reclaim 32 | wake 1 | reclaim 1 |
 *      1st reclaim ---------^                    ^
 *      2nd reclaim ------------------------------'
 *      3rd reclaim: the machine's default
 */
#ifndef MODEL_ANSWERS_H
#define MODEL_ANSWERS_H

#include "model/environment.h"

struct answers {
	const struct answer *list;
	u32 nr;
	u32 armed; /* calls that have an answer left: a fast "none" */
	u32 next[NR_ENV_CALLS]; /* the next answer of an armed call */
	u32 asked[NR_ENV_CALLS]; /* calls answered so far: `times` of a default counts them */
};

/* An op begins; @list (@nr of them) must stay valid while it lasts. */
void answers_begin(struct answers *answers, const struct answer *list, u32 nr);
struct answer answers_take(struct answers *answers, const struct env_config *config,
			   enum env_call call);
/* Calls of which some default is not 0, one bit each. */
u32 env_config_calls(const struct env_config *config);

#endif
