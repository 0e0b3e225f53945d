/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * splitmix64: a small generator of pseudo-random numbers. The same seed gives the
 * same numbers on every machine; used to make cases, never to play them.
 */
#ifndef HARNESS_RNG_H
#define HARNESS_RNG_H

#include "model/types.h"

struct rng {
	u64 state; /* the seed */
};

static inline u64 rng_next(struct rng *r)
{
	u64 x = r->state += 0x9e3779b97f4a7c15ULL;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return x ^ (x >> 31);
}

/* 0..n-1; n must not be 0. The bias of 2^-32 does not matter here. */
static inline u32 rng_below(struct rng *r, u32 n)
{
	return (u32)(((rng_next(r) >> 32) * n) >> 32);
}

/* lo..hi, both included. */
static inline u32 rng_between(struct rng *r, u32 lo, u32 hi)
{
	return lo + rng_below(r, hi - lo + 1);
}

static inline bool rng_percent(struct rng *r, u32 percent)
{
	return rng_below(r, 100) < percent;
}

/* One element of an array of u32. */
#define rng_pick(r, array) ((array)[rng_below((r), ARRAY_SIZE(array))])

#endif
