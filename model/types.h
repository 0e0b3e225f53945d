/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The few integer types and helpers that every file uses, under the names
 * that kernel developers know.
 */
#ifndef MODEL_TYPES_H
#define MODEL_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int32_t s32;
typedef int64_t s64;

/* "No page": the NULL of functions that return a PFN. */
#define PFN_NONE UINT32_MAX

#define BIT(n) (1U << (n))
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static inline u32 min_u32(u32 a, u32 b)
{
	return a < b ? a : b;
}

static inline u32 max_u32(u32 a, u32 b)
{
	return a > b ? a : b;
}

static inline s32 min_s32(s32 a, s32 b)
{
	return a < b ? a : b;
}

static inline s32 max_s32(s32 a, s32 b)
{
	return a > b ? a : b;
}

/* Round @x down / up to a multiple of @a, a power of two. */
static inline u32 align_down(u32 x, u32 a)
{
	return x & ~(a - 1);
}

static inline u32 align_up(u32 x, u32 a)
{
	return (x + a - 1) & ~(a - 1);
}

/* Index of the highest set bit of @x; @x must not be 0. */
static inline unsigned int ilog2(u32 x)
{
	return 31U - (unsigned int)__builtin_clz(x);
}

/* Index of the lowest set bit of @x; @x must not be 0. */
static inline unsigned int ffs0(u32 x)
{
	return (unsigned int)__builtin_ctz(x);
}

/* x * n / d without the overflow that the plain product would have (spec 4.12). */
static inline u64 mult_frac(u64 x, u64 n, u64 d)
{
	return (x / d) * n + (x % d) * n / d;
}

#endif
