/* SPDX-License-Identifier: GPL-2.0-only */
/* buddycheck fuzz: let an engine look for cases that break a property. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/cli/cli.h"
#include "harness/cli/fuzz_run.h"
#include "harness/fuzz_subject.h"

static const char help[] =
	"Usage: buddycheck fuzz [OPTION]...\n"
	"\n"
	"Let an engine make cases and play them on the port, for a minute. A line each second says "
	"how\n"
	"it gets on. What breaks a property is saved at once, shrunk in the end, shown, and can be "
	"played\n"
	"again with `buddycheck play`. The corpus is kept: the next run goes on from there. "
	"`make fuzz`\n"
	"builds what is needed and runs this.\n"
	"\n"
	"  --engine NAME    libfuzzer (default), afl++, or random: cases of the same generator "
	"without\n"
	"                   coverage, the baseline that the others are compared with\n"
	"  --seconds N      how long; 0: until Ctrl-C (60)\n"
	"  --executions N   at most so many; 0: no limit (0)\n"
	"  --subject NAME   the port with this policy (port:v7.3+V1+V2); 'any': each case's own;\n"
	"                   kernel:FILE, of flavour cover (`make kernel`): guided by the kernel's "
	"code\n"
	"  --seed N         of the engine (the time)\n"
	"  --until ID       stop when this property is broken\n"
	"  --as-found       do not shrink\n"
	"  --counts         say how often each property was meaningful\n"
	"  --corpus DIR     (corpus-ENGINE in the build folder)\n"
	"  --seeds DIR      to start from (seeds/case in the build folder)\n"
	"  --findings DIR   (findings in the build folder)\n"
	"  --target FILE    the program that plays (in the build folder)\n"
	"  --mutator FILE   the mutator for AFL++ (in the build folder)\n"
	"\n"
	"Exit status: 0 nothing was found, 1 something was, 2 the engine could not be run.\n";

static const struct fuzz_engine *find_engine(const char *name)
{
	for (u32 i = 0; fuzz_engines[i]; i++)
		if (!strcmp(fuzz_engines[i]->name, name))
			return fuzz_engines[i];
	exit(cli_usage(&command_fuzz, "--engine %s: expected libfuzzer, afl++ or random", name));
}

static const char *find_subject(const char *name)
{
	struct fuzz_subject subject;
	const char *why;

	if (!strcmp(name, "any"))
		return NULL;
	why = fuzz_subject_parse(&subject, name);
	if (why)
		exit(cli_usage(&command_fuzz, "--subject %s: %s", name, why));
	return name;
}

static int start(struct fuzz_options *o)
{
	return fuzz_prepare(o, "fuzz") ? fuzz_run(o, NULL) : CLI_BAD;
}

static void take_path(char path[FUZZ_PATH_SIZE])
{
	if (snprintf(path, FUZZ_PATH_SIZE, "%s", optarg) >= FUZZ_PATH_SIZE)
		exit(cli_usage(&command_fuzz, "%s: expected a shorter path", optarg));
}

static int run(int argc, char **argv)
{
	static const struct option options[] = {
		{"engine", required_argument, NULL, 'e'},
		{"seconds", required_argument, NULL, 's'},
		{"executions", required_argument, NULL, 'x'},
		{"subject", required_argument, NULL, 'S'},
		{"seed", required_argument, NULL, 'r'},
		{"until", required_argument, NULL, 'u'},
		{"as-found", no_argument, NULL, 'a'},
		{"counts", no_argument, NULL, 'c'},
		{"corpus", required_argument, NULL, 'C'},
		{"seeds", required_argument, NULL, 'i'},
		{"findings", required_argument, NULL, 'f'},
		{"target", required_argument, NULL, 't'},
		{"mutator", required_argument, NULL, 'm'},
		CLI_HELP_OPTION,
		{0},
	};
	static struct fuzz_options o;
	int option;

	o = (struct fuzz_options){.engine = fuzz_engines[0],
				  .seconds = 60,
				  .subject = "port:v7.3+V1+V2",
				  .seed = (u64)time(NULL)};
	while ((option = cli_option(&command_fuzz, argc, argv, options)) >= 0) {
		switch (option) {
		case 'e':
			o.engine = find_engine(optarg);
			break;
		case 's':
			o.seconds = cli_number(&command_fuzz, "--seconds", 0, 1U << 30);
			break;
		case 'x':
			o.executions = cli_number(&command_fuzz, "--executions", 0, 1ULL << 50);
			break;
		case 'S':
			o.subject = find_subject(optarg);
			break;
		case 'r':
			o.seed = cli_number(&command_fuzz, "--seed", 0, UINT64_MAX);
			break;
		case 'u':
			o.until = cli_property(&command_fuzz, "--until");
			break;
		case 'a':
			o.as_found = true;
			break;
		case 'c':
			o.counts = true;
			break;
		case 'C':
			take_path(o.corpus);
			break;
		case 'i':
			take_path(o.seeds);
			break;
		case 'f':
			take_path(o.findings);
			break;
		case 't':
			take_path(o.target);
			break;
		case 'm':
			take_path(o.mutator);
			break;
		}
	}
	if (optind < argc)
		return cli_usage(&command_fuzz, "expected no more than options");
	return start(&o);
}

const struct command command_fuzz = {
	.name = "fuzz",
	.what = "let an engine look for cases that break a property",
	.help = help,
	.run = run,
};
