/* SPDX-License-Identifier: GPL-2.0-only */
/* buddycheck gate: two allocators, and whether the second may take the place of the first. */
#include <stdio.h>

#include "harness/cli/cli.h"
#include "harness/cli/gate_session.h"

/* clang-format off */
static const char help[] =
	"Usage: buddycheck gate --base SUBJECT --candidate SUBJECT [OPTION]...\n"
	"\n"
	"Play the same cases on two allocators and say which properties the candidate newly breaks\n"
	"or keeps, in what it behaves differently, what that costs, and whether it passes. A SUBJECT\n"
	"is port:POLICY, kernel:FILE, or port:POLICY@FILE, a port that `make port` has built. First\n"
	"the corpus is played, as it is and under the closed environment; then cases that look for\n"
	"differences between the two.\n"
	"\n"
	"  --corpus DIR      scripts, bytes files and recordings below DIR, again for more folders;\n"
	"                    by default corpus/\n"
	"  --ops N           look for differences for N operations (default 200000; 0: do not look)\n"
	"  --seconds N       ... for N seconds instead\n"
	"  --seed N          of the cases that look for differences (default 1); equal seeds and\n"
	"                    operations give equal reports\n"
	"  --config FILE     limits and accepted differences, see ci/gate.conf; the default is that\n"
	"                    nothing promised may break and no cost may grow by more than 5 % and 20\n"
	"  --costs           list the costs by name, and end\n"
	"  --markdown FILE   also write the report as Markdown\n"
	"  --json FILE       ... as JSON (harness/gate/README.md)\n"
	"  --junit FILE      ... as JUnit XML\n"
	"  --sarif FILE      ... as SARIF 2.1.0\n"
	"  --scripts DIR     keep the smallest scripts there\n"
	"  --help            show this help\n"
	"\n"
	"The day that decides what is no longer accepted is today, or that of SOURCE_DATE_EPOCH.\n"
	"Exit status: 0 the candidate passes, 1 it does not, 2 bad input or usage.\n";
/* clang-format on */

#define DEFAULT_OPS 200000

static int list_costs(void)
{
	for (u32 i = 0; i < NR_GATE_METRICS; i++)
		printf("%-18s %s\n", gate_metrics[i].name, gate_metrics[i].what);
	return CLI_HOLDS;
}

enum {
	OPT_BASE = 256,
	OPT_CANDIDATE,
	OPT_CORPUS,
	OPT_OPS,
	OPT_SECONDS,
	OPT_SEED,
	OPT_CONFIG,
	OPT_COSTS,
	OPT_MARKDOWN,
	OPT_JSON,
	OPT_JUNIT,
	OPT_SARIF,
	OPT_SCRIPTS
};

static int take_option(struct gate_session *s, int option)
{
	switch (option) {
	case OPT_BASE:
		s->base = optarg;
		break;
	case OPT_CANDIDATE:
		s->candidate = optarg;
		break;
	case OPT_CORPUS:
		if (s->nr_folders == GATE_MAX_FOLDERS)
			return cli_usage(&command_gate, "--corpus: expected %u folders at most",
					 GATE_MAX_FOLDERS);
		s->folders[s->nr_folders++] = optarg;
		break;
	case OPT_OPS:
		s->ops = cli_number(&command_gate, "--ops", 0, 1ULL << 50);
		s->has_ops = true;
		break;
	case OPT_SECONDS:
		s->seconds = cli_number(&command_gate, "--seconds", 1, 1U << 30);
		break;
	case OPT_SEED:
		s->seed = cli_number(&command_gate, "--seed", 0, UINT64_MAX);
		break;
	case OPT_CONFIG:
		s->config = optarg;
		break;
	case OPT_MARKDOWN:
		s->markdown = optarg;
		break;
	case OPT_JSON:
		s->json = optarg;
		break;
	case OPT_JUNIT:
		s->junit = optarg;
		break;
	case OPT_SARIF:
		s->sarif = optarg;
		break;
	case OPT_SCRIPTS:
		s->scripts = optarg;
		break;
	}
	return CLI_HOLDS;
}

static int run(int argc, char **argv)
{
	static const struct option options[] = {
		{"base", required_argument, NULL, OPT_BASE},
		{"candidate", required_argument, NULL, OPT_CANDIDATE},
		{"corpus", required_argument, NULL, OPT_CORPUS},
		{"ops", required_argument, NULL, OPT_OPS},
		{"seconds", required_argument, NULL, OPT_SECONDS},
		{"seed", required_argument, NULL, OPT_SEED},
		{"config", required_argument, NULL, OPT_CONFIG},
		{"costs", no_argument, NULL, OPT_COSTS},
		{"markdown", required_argument, NULL, OPT_MARKDOWN},
		{"json", required_argument, NULL, OPT_JSON},
		{"junit", required_argument, NULL, OPT_JUNIT},
		{"sarif", required_argument, NULL, OPT_SARIF},
		{"scripts", required_argument, NULL, OPT_SCRIPTS},
		CLI_HELP_OPTION,
		{0},
	};
	static struct gate_session s = {.ops = DEFAULT_OPS, .seed = 1};
	int option;

	while ((option = cli_option(&command_gate, argc, argv, options)) >= 0) {
		if (option == OPT_COSTS)
			return list_costs();
		if (take_option(&s, option))
			return CLI_BAD;
	}
	if (optind < argc)
		return cli_usage(&command_gate, "'%s': expected options only", argv[optind]);
	if (!s.base || !s.candidate)
		return cli_usage(&command_gate, "expected --base SUBJECT and --candidate SUBJECT");
	if (s.has_ops && s.seconds)
		return cli_usage(&command_gate, "expected --ops or --seconds, not both");
	return gate_session_run(&s);
}

const struct command command_gate = {
	.name = "gate",
	.what = "say whether a changed allocator may replace another",
	.help = help,
	.run = run,
};
