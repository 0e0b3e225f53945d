// SPDX-License-Identifier: GPL-2.0-only
/* Limits of the per-CPU lists that a machine names: they win over what the kernel computes. */
#include "side.h"
#include "watch.h"

int watch_zone_batchsize(struct zone *z)
{
	return side.machine.pcp_batch ? side.machine.pcp_batch : real_zone_batchsize(z);
}

static bool lists_are_off(struct zone *z)
{
	return side.drain_disabled_zones & (1U << zone_number(z));
}

#ifdef HAVE_PAGESET_HIGH_MIN

/* Computed ones give way (the port's pcp_size.c). */
static void fix_limits(struct zone *z)
{
	const struct kernel_machine *m = &side.machine;

	if (m->pcp_high_min)
		z->pageset_high_min = m->pcp_high_min;
	if (m->pcp_high_max) {
		z->pageset_high_max = m->pcp_high_max;
		z->pageset_high_min = min(z->pageset_high_min, z->pageset_high_max);
	} else if (m->pcp_high_min) {
		z->pageset_high_max = max(z->pageset_high_min, z->pageset_high_max);
	}
}

void watch___zone_set_pageset_high_and_batch(struct zone *z, unsigned long high_min,
					     unsigned long high_max, unsigned long batch)
{
	/* zone_pcp_disable() names limits of its own. */
	if (batch == z->pageset_batch && high_min == z->pageset_high_min &&
	    high_max == z->pageset_high_max) {
		fix_limits(z);
		/* Whoever computes limits waits until the lists are on again. */
		if (lists_are_off(z))
			return;
		high_min = z->pageset_high_min;
		high_max = z->pageset_high_max;
	}
	real___zone_set_pageset_high_and_batch(z, high_min, high_max, batch);
}

#else

/* There is one limit, which never moves: the higher one, up to which others may let a list grow. */
static void fix_limit(struct zone *z)
{
	const struct kernel_machine *m = &side.machine;

	if (m->pcp_high_max || m->pcp_high_min)
		z->pageset_high = max(m->pcp_high_min, m->pcp_high_max);
}

void watch___zone_set_pageset_high_and_batch(struct zone *z, unsigned long high,
					     unsigned long batch)
{
	if (batch == z->pageset_batch && high == z->pageset_high) {
		fix_limit(z);
		if (lists_are_off(z))
			return;
		high = z->pageset_high;
	}
	real___zone_set_pageset_high_and_batch(z, high, batch);
}

#endif
