/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Does an execution cover the same whatever was executed before? An engine that keeps its
 * process takes anything else for news. Each file is played several times, in a process that plays
 * all the others in between, and its coverage compared, counter by counter.
 *
 *      stability FILE...
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/types.h"

#define ROUNDS 3
#define MAX_SIZE (1U << 20)

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

/* What clang's instrumentation calls at start. */
void __sanitizer_cov_8bit_counters_init(u8 *start, u8 *end);
void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *end);

static u8 *counters;
static size_t nr_counters;
static const uintptr_t *pcs; /* of each counter, and its flags */

void __sanitizer_cov_8bit_counters_init(u8 *start, u8 *end)
{
	counters = start;
	nr_counters = (size_t)(end - start);
}

void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *end)
{
	(void)end;
	pcs = start;
}

static void cover(const char *path)
{
	static u8 data[MAX_SIZE];
	FILE *in = fopen(path, "rb");
	size_t size;

	if (!in) {
		perror(path);
		exit(2);
	}
	size = fread(data, 1, MAX_SIZE, in);
	fclose(in);
	memset(counters, 0, nr_counters);
	LLVMFuzzerTestOneInput(data, size);
}

static bool compare(const char *path, const u8 *first)
{
	for (size_t i = 0; i < nr_counters; i++) {
		if (counters[i] == first[i])
			continue;
		fprintf(stderr, "%s: the edge at %#lx was taken %u times, then %u times\n", path,
			(unsigned long)pcs[2 * i], first[i], counters[i]);
		return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	u8 *first;
	int unstable = 0;

	if (argc < 2 || !nr_counters) {
		fprintf(stderr, "usage: %s FILE..., built with coverage\n", argv[0]);
		return 2;
	}
	first = calloc((size_t)argc, nr_counters);
	if (!first) {
		perror(argv[0]);
		return 2;
	}
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 1; i < argc; i++) {
			u8 *mine = first + (size_t)i * nr_counters;

			cover(argv[i]);
			if (!round)
				memcpy(mine, counters, nr_counters);
			else
				unstable += !compare(argv[i], mine);
		}
	}
	free(first);
	printf("%d inputs, %d rounds: %d executions covered something else than before\n", argc - 1,
	       ROUNDS, unstable);
	return unstable ? 1 : 0;
}
