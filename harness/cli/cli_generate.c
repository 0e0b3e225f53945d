/* SPDX-License-Identifier: GPL-2.0-only */
/* buddycheck generate: random cases as scripts. */
#include <stdbool.h>
#include <stdio.h>

#include "harness/cli/cli.h"
#include "harness/generate.h"
#include "harness/script.h"

static const char help[] =
	"Usage: buddycheck generate --seed N --ops N [--count N -o DIR]\n"
	"\n"
	"Write a random case as a script to standard output: a small machine of any shape, and "
	"weighted\n"
	"operations that soon bring it under memory pressure. Equal arguments give equal cases.\n"
	"\n"
	"  --seed N     of the generator\n"
	"  --ops N      operations of each case, at most 1000000\n"
	"  --count N    N cases, with seeds SEED, SEED+1, ..., into the files DIR/SEED.script\n"
	"  -o DIR       where they go; the folder must exist\n";

#define MAX_OPS 1000000

static bool write_case(u64 seed, u32 ops, FILE *out)
{
	struct testcase c;

	case_init(&c);
	generate_case(seed, ops, &c);
	script_write(out, &c);
	case_free(&c);
	return !ferror(out);
}

static bool write_file(u64 seed, u32 ops, const char *dir)
{
	char path[4096];
	FILE *out;
	bool ok;

	snprintf(path, sizeof(path), "%s/%llu.script", dir, (unsigned long long)seed);
	out = fopen(path, "w");
	if (!out) {
		perror(path);
		return false;
	}
	ok = write_case(seed, ops, out);
	if (fclose(out) || !ok) {
		perror(path);
		return false;
	}
	return true;
}

static int run(int argc, char **argv)
{
	static const struct option options[] = {
		{"seed", required_argument, NULL, 's'},
		{"ops", required_argument, NULL, 'n'},
		{"count", required_argument, NULL, 'c'},
		CLI_HELP_OPTION,
		{0},
	};
	u64 seed = 0, count = 0;
	u32 ops = 0;
	const char *dir = NULL;
	bool has_seed = false;
	int option;

	while ((option = cli_option(&command_generate, argc, argv, options)) >= 0) {
		switch (option) {
		case 's':
			has_seed = true;
			seed = cli_number(&command_generate, "--seed", 0, UINT64_MAX);
			break;
		case 'n':
			ops = (u32)cli_number(&command_generate, "--ops", 1, MAX_OPS);
			break;
		case 'c':
			count = cli_number(&command_generate, "--count", 1, UINT32_MAX);
			break;
		case 'o':
			dir = optarg;
			break;
		}
	}
	if (!has_seed || !ops || optind < argc)
		return cli_usage(&command_generate, "expected --seed N --ops N");
	if (!count != !dir)
		return cli_usage(&command_generate, "expected --count N and -o DIR together");

	if (!dir)
		return write_case(seed, ops, stdout) ? CLI_HOLDS : CLI_BAD;
	for (u64 i = 0; i < count; i++)
		if (!write_file(seed + i, ops, dir))
			return CLI_BAD;
	return CLI_HOLDS;
}

const struct command command_generate = {
	.name = "generate",
	.what = "write random cases as scripts",
	.help = help,
	.short_options = "o:",
	.run = run,
};
