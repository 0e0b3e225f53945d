/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The weighted-random baseline: the generator of the other engines, without coverage and without
 * memory of what it has played. What an engine finds has to be compared with this.
 *
 *      fuzz_case SEED [EXECUTIONS]
 */
#include <stdio.h>
#include <stdlib.h>

#include "harness/budget.h"
#include "harness/fuzz/session.h"
#include "harness/mutate.h"
#include "harness/rng.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static u8 body[BUDGET_BODY];
static size_t body_size;

/* As an engine would, keep the body at which we die. */
static void save_body(void)
{
	const char *findings = getenv(FUZZ_FINDINGS);
	char path[4096];
	FILE *out;

	snprintf(path, sizeof(path), "%s/.random-%zu", findings ? findings : ".", body_size);
	out = fopen(path, "wb");
	if (!out || fwrite(body, 1, body_size, out) != body_size || fclose(out))
		perror(path);
}

int main(int argc, char **argv)
{
	struct rng seeds = {argc > 1 ? strtoull(argv[1], NULL, 0) : 0};
	u64 left = argc > 2 ? strtoull(argv[2], NULL, 0) : UINT64_MAX;

	if (argc < 2) {
		fprintf(stderr, "usage: %s SEED [EXECUTIONS]\n", argv[0]);
		return 2;
	}
	if (__sanitizer_set_death_callback)
		__sanitizer_set_death_callback(save_body);
	while (left--) {
		body_size = mutate_nothing(body, BUDGET_BODY, rng_next(&seeds));
		LLVMFuzzerTestOneInput(body, body_size);
	}
	return 0;
}
