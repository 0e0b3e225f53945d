/* SPDX-License-Identifier: GPL-2.0-only */
/* The mutator as libFuzzer calls it. */
#include "harness/mutate.h"

size_t LLVMFuzzerCustomMutator(u8 *data, size_t size, size_t max, unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const u8 *x, size_t x_size, const u8 *y, size_t y_size, u8 *out,
				 size_t max, unsigned int seed);

size_t LLVMFuzzerCustomMutator(u8 *data, size_t size, size_t max, unsigned int seed)
{
	return mutate_body(data, size, max, seed);
}

size_t LLVMFuzzerCustomCrossOver(const u8 *x, size_t x_size, const u8 *y, size_t y_size, u8 *out,
				 size_t max, unsigned int seed)
{
	return mutate_splice(x, x_size, y, y_size, out, max, seed);
}
