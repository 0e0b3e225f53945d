/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * First of all in every file that is compiled with kernel flags: nothing is visible outside of the shared
 * object, so everything is addressed relative to the program counter, as kernel code is written for.
 */
#pragma GCC visibility push(hidden)

#ifdef PERCPU_STABLE_ABSOLUTE
/* Addresses %gs:variable absolutely here; the plain read does not. */
#include <asm/percpu.h>
#undef percpu_stable_op
#define percpu_stable_op(size, op, var) percpu_from_op(size, , op, var)
#endif
