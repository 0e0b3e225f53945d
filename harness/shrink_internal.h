/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of the shrinker share. */
#ifndef HARNESS_SHRINK_INTERNAL_H
#define HARNESS_SHRINK_INTERNAL_H

#include "harness/shrink.h"

struct shrinker {
	struct shrink *s;
	struct testcase best; /* shows it */
	bool usual; /* the first case's machine is; then all are */
	/* Hashes of the cases that were tried; open addressing, 0: the place is free. */
	u64 *tried;
	u32 nr_tried, cap_tried; /* cap: a power of two */
};

/*
 * Is what can be played of @changed, a changed copy of the best case, new, and does it show it? Then
 * it is the best one from now on. Frees @changed.
 */
bool shrink_try(struct shrinker *sh, struct testcase *changed);

/* A pass each; true if it found a smaller case. */
bool shrink_machine(struct shrinker *sh);
bool shrink_members(struct shrinker *sh); /* of ops, nested ops and answers */

#endif
