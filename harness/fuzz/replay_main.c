/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Microseconds of CPU time that the fuzz entry takes for an execution: the files, from memory, over
 * and over. What an engine costs beside is measured by itself (ci/fuzz-speed).
 *
 *      replay ROUNDS FILE...
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "harness/budget.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

/* What clang's instrumentation calls at start; nobody looks at the counters. */
void __sanitizer_cov_8bit_counters_init(u8 *start, u8 *end);
void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *end);

void __sanitizer_cov_8bit_counters_init(u8 *start, u8 *end)
{
	(void)start;
	(void)end;
}

void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *end)
{
	(void)start;
	(void)end;
}

struct input {
	u8 data[BUDGET_BODY];
	size_t size;
};

static void read_input(struct input *input, const char *path)
{
	FILE *in = fopen(path, "rb");

	if (!in) {
		perror(path);
		exit(2);
	}
	input->size = fread(input->data, 1, BUDGET_BODY, in);
	fclose(in);
}

/* Its instructions are counted as well (ci/bench). */
__attribute__((noinline)) static void replay(const struct input *inputs, int nr,
					     unsigned long rounds)
{
	while (rounds--)
		for (int i = 0; i < nr; i++)
			LLVMFuzzerTestOneInput(inputs[i].data, inputs[i].size);
}

static double cpu_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

int main(int argc, char **argv)
{
	unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	int nr = argc - 2;
	struct input *inputs;
	double start;

	if (nr < 1 || !rounds) {
		fprintf(stderr, "usage: %s ROUNDS FILE...\n", argv[0]);
		return 2;
	}
	inputs = malloc((size_t)nr * sizeof(*inputs));
	if (!inputs) {
		perror(argv[0]);
		return 2;
	}
	for (int i = 0; i < nr; i++)
		read_input(&inputs[i], argv[2 + i]);
	for (int i = 0; i < nr; i++) /* boots the machines */
		LLVMFuzzerTestOneInput(inputs[i].data, inputs[i].size);
	start = cpu_us();
	replay(inputs, nr, rounds);
	printf("%.3f\n", (cpu_us() - start) / (double)rounds / nr);
	free(inputs);
	return 0;
}
