/* SPDX-License-Identifier: GPL-2.0-only */
/* buddycheck show: the state in the middle of a case, as /proc would show it. */
#include <stdio.h>

#include "harness/cli/cli.h"
#include "harness/input.h"
#include "harness/run.h"
#include "harness/state_text.h"

static const char help[] =
	"Usage: buddycheck show [--step N] [--subject NAME] FILE\n"
	"\n"
	"Play a case and show the state of the allocator as /proc/buddyinfo and /proc/pagetypeinfo "
	"do, with\n"
	"a map of the pageblocks.\n"
	"\n"
	"  --step N        after the first N ops (0: after boot); without it after all of them\n"
	"  --subject NAME  play on this subject (port:POLICY, kernel:FILE), whatever the case "
	"names\n";

static void show_state(const struct view *view)
{
	puts("/proc/buddyinfo");
	write_buddyinfo(stdout, view);
	puts("\n/proc/pagetypeinfo");
	write_pagetypeinfo(stdout, view);
	puts("\npageblocks");
	write_pageblock_map(stdout, view);
}

/* Play the first @steps ops on @subject and show the state; a finding on the way ends it there. */
static int show_step(const struct testcase *c, struct subject *subject, u32 steps)
{
	int status = CLI_HOLDS;
	struct run r;

	run_init(&r, c, subject, CHECK_NONE, NULL);
	while (r.step < steps && run_step(&r))
		;
	show_state(subject->ops->view(subject));
	if (r.first.kind) {
		fprintf(stderr, "ended by op %u: %s\n", r.step, r.first.text);
		status = CLI_FAILS;
	}
	run_free(&r);
	return status;
}

static int show_case(const struct testcase *c, const char *file, const char *subject_name,
		     u64 steps)
{
	struct subject *subject;
	const char *why;
	int status;

	if (steps == UINT64_MAX)
		steps = c->nr_ops;
	if (steps > c->nr_ops)
		return cli_usage(&command_show, "--step %llu: expected at most %u, the ops of %s",
				 (unsigned long long)steps, c->nr_ops, file);
	subject = subject_create(subject_name ? subject_name : c->subject, &c->machine, &why);
	if (!subject)
		return cli_refuse(file, why);
	why = run_can_play(c, subject);
	status = why ? cli_refuse(file, why) : show_step(c, subject, (u32)steps);
	subject->ops->destroy(subject);
	return status;
}

static int run(int argc, char **argv)
{
	static const struct option options[] = {
		{"step", required_argument, NULL, 'n'},
		{"subject", required_argument, NULL, 's'},
		CLI_HELP_OPTION,
		{0},
	};
	const char *subject_name = NULL;
	char err[CASE_ERROR_SIZE];
	u64 steps = UINT64_MAX;
	struct testcase c;
	int option, status;

	while ((option = cli_option(&command_show, argc, argv, options)) >= 0) {
		if (option == 'n')
			steps = cli_number(&command_show, "--step", 0, UINT32_MAX);
		else
			subject_name = optarg;
	}
	if (optind + 1 != argc)
		return cli_usage(&command_show, "expected one file");

	case_init(&c);
	if (case_load(argv[optind], &c, err)) {
		fprintf(stderr, "%s\n", err);
		return CLI_BAD;
	}
	status = show_case(&c, argv[optind], subject_name, steps);
	case_free(&c);
	return status;
}

const struct command command_show = {
	.name = "show",
	.what = "show the state in the middle of a case",
	.help = help,
	.run = run,
};
