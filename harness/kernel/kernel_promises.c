/* SPDX-License-Identifier: GPL-2.0-only */
#include "harness/kernel/kernel_promises.h"

#include "properties/properties.h"

u32 kernel_lacks(const struct kernel_generation *g)
{
	const struct {
		bool has;
		u32 promise;
	} mechanisms[] = {
		{g->accounts, PROMISE_ACCOUNTS},
		{g->free_highatomic, PROMISE_FREE_HIGHATOMIC},
		{g->free_blocks, PROMISE_FREE_BLOCKS},
		{g->tuned_pcp, PROMISE_TUNED_PCP},
		{g->frees_in_steps, PROMISE_FREES_IN_STEPS},
		{g->isolate_bit, PROMISE_ISOLATE_BIT},
		{g->slow_7x, PROMISE_SLOW_7X},
		{g->slow_73, PROMISE_SLOW_73},
	};
	u32 lacks = 0;

	for (size_t i = 0; i < ARRAY_SIZE(mechanisms); i++)
		lacks |= mechanisms[i].has ? 0 : mechanisms[i].promise;
	return lacks;
}

void kernel_policy(const struct kernel_generation *g, struct policy *policy)
{
	if (g->modes)
		policy->fallback = FALLBACK_D;
	else if (g->claims)
		policy->fallback = FALLBACK_C;
	else
		policy->fallback = g->typed_lists ? FALLBACK_B : FALLBACK_A;
	if (g->contig_two_passes)
		policy->contig_valid = CONTIG_VALID_TWOPASS;
	else if (g->contig_no_hugetlb)
		policy->contig_valid = CONTIG_VALID_HUGESKIP;
	else
		policy->contig_valid = CONTIG_VALID_POST513;
}
