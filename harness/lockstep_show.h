/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A divergence, side by side:
 *
 *      the script that shows it:
 *          buddycheck script 1
 *          ...
 *      op 2: b = alloc order 0 node 0 gfp GFP_KERNEL
 *        kernel:build/kernel/7.3.so               port:v7.3
 *      * returns 8                                returns 16
 *        reclaim 1                                reclaim 1
 *        12 events are equal
 *      * gpff zone=0 order=0 alloc_flags=0x901    gpff zone=0 order=0 alloc_flags=0x801
 *      the state: 2 differences
 *          node 0 zone Normal: nr_free_pages: 17, 25
 */
#ifndef HARNESS_LOCKSTEP_SHOW_H
#define HARNESS_LOCKSTEP_SHOW_H

#include <stdio.h>

#include "harness/lockstep.h"

/* What lockstep_play(@l, @c, ...) has left, which found @d. */
void lockstep_show(FILE *out, struct lockstep *l, const struct testcase *c,
		   const struct divergence *d);

#endif
