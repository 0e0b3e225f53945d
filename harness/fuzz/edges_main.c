/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which edges of a kernel the inputs take, for ci/kernel-coverage. A line for each edge that its table names:
 *
 *      1a2f0 3          the offset in the shared object, and how many inputs took it
 *
 *      BUDDYCHECK_SUBJECT=kernel:FILE BUDDYCHECK_FINDINGS=DIR edges FILE...
 */
#define _GNU_SOURCE /* dladdr */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/budget.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

/* What an engine is told of by coverage_of(). */
void __sanitizer_cov_8bit_counters_init(u8 *start, u8 *end);
void __sanitizer_cov_pcs_init(const unsigned long *start, const unsigned long *end);

static u8 *counters;
static size_t nr_counters;
static const unsigned long *table; /* (address, flags) of each */
static u32 *taken;

void __sanitizer_cov_8bit_counters_init(u8 *start, u8 *end)
{
	counters = start;
	nr_counters = (size_t)(end - start);
	taken = calloc(nr_counters, sizeof(*taken));
	if (!taken)
		abort();
}

void __sanitizer_cov_pcs_init(const unsigned long *start, const unsigned long *end)
{
	(void)end;
	table = start;
}

static void play(const char *path)
{
	static u8 data[BUDGET_BODY];
	FILE *in = fopen(path, "rb");
	size_t size;

	if (!in) {
		perror(path);
		exit(2);
	}
	size = fread(data, 1, sizeof(data), in);
	fclose(in);
	LLVMFuzzerTestOneInput(data, size);
	for (size_t i = 0; i < nr_counters; i++)
		taken[i] += !!counters[i];
}

int main(int argc, char **argv)
{
	const void *first = NULL; /* of the table: anything inside of the kernel */
	Dl_info object;

	for (int i = 1; i < argc; i++)
		play(argv[i]);
	if (table)
		memcpy((void *)&first, table, sizeof(first));
	if (!first || !dladdr(first, &object)) {
		fprintf(stderr, "usage: %s FILE..., with a kernel that is built for coverage\n",
			argv[0]);
		return 2;
	}
	for (size_t i = 0; i < nr_counters; i++)
		printf("%lx %u\n", table[2 * i] - (unsigned long)object.dli_fbase, taken[i]);
	return 0;
}
