/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a fuzz execution may cost. Engines give up on an input that takes too long (25 s, with
 * sanitizers, on a busy machine), and there are bytes for which each op takes a hundred thousand
 * times what an op usually takes: 4,096 rounds of the slow path, each over 32 zones and draining
 * 128 CPUs. Only such cases are touched.
 */
#ifndef HARNESS_BUDGET_H
#define HARNESS_BUDGET_H

#include "harness/case.h"

/* Bytes of a body: a machine and about 500 ops. More is too slow to fuzz. */
#define BUDGET_BODY 9216U
/* Ops times pages: a contiguous allocation looks at each. */
#define BUDGET_PAGES (1U << 24)
/* Ops times rounds of the slow path times budget_round(). */
#define BUDGET_ROUNDS (1U << 26)

/*
 * What a round of the slow path costs on @m at most, in units of about 5 ns: two looks at each zone of
 * the list, and each CPU's pages of each zone drained.
 */
u32 budget_round(const struct machine *m);

/* Cut ops off the end of @c, then its fuel, to what the budget grants. A second time changes nothing. */
void budget_fit(struct testcase *c);

#endif
