/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where engines keep the coverage of an execution: clang's counters, one byte for each edge of
 * the program, for libFuzzer; a map in shared memory for AFL++. What is not linked is NULL here.
 */
#include "harness/fuzz/coverage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/kernel/subject_kernel.h"

extern u8 __start___sancov_cntrs[] __attribute__((weak));
extern u8 __stop___sancov_cntrs[] __attribute__((weak));
extern void __afl_coverage_discard(void) __attribute__((weak));
extern void __sanitizer_cov_8bit_counters_init(u8 *start, u8 *end) __attribute__((weak));
extern void __sanitizer_cov_pcs_init(const unsigned long *start, const unsigned long *end)
	__attribute__((weak));

static struct {
	struct kernel_counters told; /* to the engine */
	struct kernel_counters used; /* by the kernel that plays */
} kernel;

static size_t size_of(const struct kernel_counters *c)
{
	return (size_t)(c->end - c->start);
}

static void tell_engine(const struct kernel_counters *c)
{
	kernel.told = *c;
	if (__sanitizer_cov_8bit_counters_init)
		__sanitizer_cov_8bit_counters_init(c->start, c->end);
	if (__sanitizer_cov_pcs_init)
		__sanitizer_cov_pcs_init(c->table, c->table_end);
}

void coverage_of(struct subject *s)
{
	const struct kernel_side *side = subject_kernel_side(s);

	if (!side)
		return;
	side->counters(&kernel.used);
	if (!size_of(&kernel.used))
		return;
	if (!size_of(&kernel.told))
		tell_engine(&kernel.used);
	if (size_of(&kernel.told) == size_of(&kernel.used))
		return;
	fputs("two kernels that differ: expected copies of one\n", stderr);
	abort();
}

static void clear(u8 *start, const u8 *end)
{
	if (start != end)
		memset(start, 0, (uintptr_t)end - (uintptr_t)start);
}

void coverage_forget(void)
{
	clear(__start___sancov_cntrs, __stop___sancov_cntrs);
	clear(kernel.told.start, kernel.told.end);
	clear(kernel.used.start, kernel.used.end);
	if (__afl_coverage_discard)
		__afl_coverage_discard();
}

void coverage_take(void)
{
	size_t size = size_of(&kernel.used);

	if (!size || kernel.used.start == kernel.told.start)
		return;
	memcpy(kernel.told.start, kernel.used.start, size);
	memset(kernel.used.start, 0, size);
}
