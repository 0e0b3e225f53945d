/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fuzz entry for the script parser: any text either is refused with a message or
 * gives a case that can be played, and that is the same after it was written and read again.
 */
#include <stdio.h>
#include <stdlib.h>

#include "harness/script.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

/* Abort unless @ok. */
static void must(bool ok, const char *what, const char *err)
{
	if (ok)
		return;
	fprintf(stderr, "%s: %s\n", what, err);
	abort();
}

static void round_trip(const struct testcase *c)
{
	char err[CASE_ERROR_SIZE] = "";
	struct testcase again;
	char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	must(out, "open_memstream", "no memory");
	script_write(out, c);
	fclose(out);
	case_init(&again);
	must(script_parse("again", text, len, &again, err), "what was written is refused", err);
	must(case_equal(c, &again), "what was written is another case", "");
	case_free(&again);
	free(text);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	char err[CASE_ERROR_SIZE] = "";
	struct testcase c;
	const char *why;
	u32 op;

	case_init(&c);
	if (script_parse("fuzz", (const char *)data, size, &c, err)) {
		why = case_check(&c, &op);
		must(!why, "a case that cannot be played", why);
		round_trip(&c);
	} else {
		must(err[0], "refused without a message", "");
	}
	case_free(&c);
	return 0;
}
