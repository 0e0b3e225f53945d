/* SPDX-License-Identifier: GPL-2.0-only */
/* Writing a sysctl: the value, and what the kernel computes again because of it (spec 5.5 - 5.7). */
#include "model/internal.h"

bool sysctl_write(struct memory *m, enum sysctl which, u32 value)
{
	u32 old;

	if (!sysctl_in_range(which, value))
		return false;
	old = m->global->sysctl[which];
	SET(m, m->global->sysctl[which], value);
	switch (which) {
	case SYSCTL_MIN_FREE_KBYTES:
	case SYSCTL_WATERMARK_SCALE_FACTOR:
		setup_per_zone_wmarks(m);
		break;
	case SYSCTL_PERCPU_PAGELIST_HIGH_FRACTION:
		/* The low marks may carry a boost now: a write of the same value must not see it. */
		for (u32 i = 0; value != old && i < m->nr_zones; i++)
			zone_set_pageset_high_and_batch(m, &m->zones[i]);
		break;
	case SYSCTL_LOWMEM_RESERVE_DMA:
	case SYSCTL_LOWMEM_RESERVE_DMA32:
	case SYSCTL_LOWMEM_RESERVE_NORMAL:
	case SYSCTL_LOWMEM_RESERVE_MOVABLE:
		setup_per_zone_lowmem_reserve(m);
		break;
	default: /* read where it is used */
		break;
	}
	return true;
}
