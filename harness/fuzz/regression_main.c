/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Plays files through a fuzz entry without an engine, with any compiler: for
 * regressions, and to see a crash under a debugger. Each file is the input as it is.
 *
 *      fuzz_case-regression FILE...
 */
#include <stdio.h>
#include <stdlib.h>

#include "model/types.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

/* Play what is in @in, in memory of exactly its size: so a sanitizer sees a read behind the end. */
static bool play(FILE *in)
{
	long size = fseek(in, 0, SEEK_END) ? -1 : ftell(in);
	u8 *data = size < 0 ? NULL : malloc(size ? (size_t)size : 1);
	bool ok =
		data && !fseek(in, 0, SEEK_SET) && fread(data, 1, (size_t)size, in) == (size_t)size;

	if (ok)
		LLVMFuzzerTestOneInput(data, (size_t)size);
	free(data);
	return ok;
}

static bool play_file(const char *path)
{
	FILE *in = fopen(path, "rb");
	bool ok = in && play(in);

	if (!ok)
		perror(path);
	if (in)
		fclose(in);
	return ok;
}

int main(int argc, char **argv)
{
	int failed = 0;

	if (argc < 2) {
		fprintf(stderr, "usage: %s FILE...\n", argv[0]);
		return 2;
	}
	for (int i = 1; i < argc; i++)
		failed += !play_file(argv[i]);
	printf("%d passed, %d failed\n", argc - 1 - failed, failed);
	return failed ? 1 : 0;
}
