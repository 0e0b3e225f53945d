/* SPDX-License-Identifier: GPL-2.0-only */
/* A fuzz entry that does nothing: what an engine itself costs (ci/fuzz-speed). */
#include "model/types.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	(void)data;
	(void)size;
	return 0;
}
