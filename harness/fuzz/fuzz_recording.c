/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fuzz entry for the recording parser: any text either is refused with a message or
 * gives a case that can be played.
 */
#include <stdio.h>
#include <stdlib.h>

#include "harness/recording.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	char err[CASE_ERROR_SIZE] = "";
	const char *why = NULL;
	struct testcase c;
	bool parsed;
	u32 op;

	case_init(&c);
	parsed = recording_parse("fuzz", (const char *)data, size, &c, err);
	if (parsed)
		why = case_check(&c, &op);
	if (why || (!parsed && !err[0])) {
		fprintf(stderr, "%s\n", why ? why : "refused without a message");
		abort();
	}
	case_free(&c);
	return 0;
}
