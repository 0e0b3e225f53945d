/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Does an execution cover the same whatever was executed before? An engine that keeps its
 * process takes anything else for news. Each file and a mutant of it are played in a process of
 * their own, and then in one that plays all of them:
 *
 *      there and back, twice each     1 1 2 2 ... n n n n ... 2 2 1 1
 *
 * so that a machine is booted, still there, given up in between and booted again. The coverage is
 * compared counter by counter with that of the fresh process.
 *
 *      stability FILE...
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/budget.h"
#include "harness/mutate.h"

#define MUTANTS 1 /* of each file */

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

struct input {
	const char *path;
	int mutant; /* 0: the file itself */
	u8 data[BUDGET_BODY];
	size_t size;
	u8 *fresh; /* coverage in a process of its own */
};

_Noreturn static void die(const char *what)
{
	perror(what);
	exit(2);
}

/* Memory that children share. */
static void *share(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		die("mmap");
	return p;
}

static void read_input(struct input *input, const char *path, int mutant)
{
	FILE *in = fopen(path, "rb");

	if (!in)
		die(path);
	input->path = path;
	input->mutant = mutant;
	input->size = fread(input->data, 1, BUDGET_BODY, in);
	fclose(in);
	if (mutant)
		input->size = mutate_body(input->data, input->size, BUDGET_BODY, (u64)mutant);
}

static void cover(const struct input *input)
{
	memset(counters, 0, nr_counters);
	LLVMFuzzerTestOneInput(input->data, input->size);
}

static void cover_alone(const struct input *input)
{
	int status;
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (!pid) {
		cover(input);
		memcpy(input->fresh, counters, nr_counters);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	if (status) {
		fprintf(stderr, "%s, mutant %d: cannot be played\n", input->path, input->mutant);
		exit(2);
	}
}

/* The number of executions, of two, that covered something else than in a fresh process. */
static int count_unstable(const struct input *input)
{
	int unstable = 0;

	for (int n = 0; n < 2; n++) {
		size_t i = 0;

		cover(input);
		while (i < nr_counters && counters[i] == input->fresh[i])
			i++;
		if (i == nr_counters)
			continue;
		unstable++;
		fprintf(stderr, "%s, mutant %d: the edge at %#lx was taken %u times, now %u\n",
			input->path, input->mutant, (unsigned long)pcs[2 * i], input->fresh[i],
			counters[i]);
	}
	return unstable;
}

int main(int argc, char **argv)
{
	int nr = (argc - 1) * (MUTANTS + 1), unstable = 0;
	struct input *inputs;

	if (argc < 2 || !nr_counters) {
		fprintf(stderr, "usage: %s FILE..., built with coverage\n", argv[0]);
		return 2;
	}
	inputs = share((size_t)nr * sizeof(*inputs));
	for (int i = 0; i < nr; i++) {
		read_input(&inputs[i], argv[1 + i / (MUTANTS + 1)], i % (MUTANTS + 1));
		inputs[i].fresh = share(nr_counters);
		cover_alone(&inputs[i]);
	}
	for (int i = 0; i < nr; i++)
		unstable += count_unstable(&inputs[i]);
	for (int i = nr; i-- > 0;)
		unstable += count_unstable(&inputs[i]);
	printf("%d inputs, %d executions: %d covered something else than in a fresh process\n", nr,
	       4 * nr, unstable);
	return unstable ? 1 : 0;
}
