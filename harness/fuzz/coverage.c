/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where engines keep the coverage of an execution: clang's counters, one byte for each edge of
 * the program, for libFuzzer; a map in shared memory for AFL++. What is not linked is NULL here.
 */
#include "harness/fuzz/coverage.h"

#include <string.h>

#include "model/types.h"

extern u8 __start___sancov_cntrs[] __attribute__((weak));
extern u8 __stop___sancov_cntrs[] __attribute__((weak));
extern void __afl_coverage_discard(void) __attribute__((weak));

void coverage_forget(void)
{
	const uintptr_t end = (uintptr_t)__stop___sancov_cntrs;

	if (__start___sancov_cntrs)
		memset(__start___sancov_cntrs, 0, end - (uintptr_t)__start___sancov_cntrs);
	if (__afl_coverage_discard)
		__afl_coverage_discard();
}
