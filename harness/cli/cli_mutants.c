/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * buddycheck mutants: runs BUILD/mutants/mutants. This program has no mutants in it, so that what it says of
 * the port is said of the port.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/cli/cli.h"

/* This program is BUILD/VARIANT/buddycheck. */
static void program_path(char path[PATH_MAX])
{
	static const char name[] = "/mutants/mutants";
	ssize_t len = readlink("/proc/self/exe", path, PATH_MAX - sizeof(name));

	path[len < 0 ? 0 : len] = '\0';
	for (int up = 0; up < 2 && strrchr(path, '/'); up++)
		*strrchr(path, '/') = '\0';
	strcat(path, name);
}

static int run(int argc, char **argv)
{
	char path[PATH_MAX];

	(void)argc;
	program_path(path);
	execv(path, argv);
	fprintf(stderr, "buddycheck mutants: %s: %s; `make mutants-check` builds it\n", path,
		strerror(errno));
	return CLI_BAD;
}

const struct command command_mutants = {
	.name = "mutants",
	.what = "put back defects that happened, and see which of them are found",
	.run = run,
};
