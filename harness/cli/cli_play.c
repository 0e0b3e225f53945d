/* SPDX-License-Identifier: GPL-2.0-only */
/* buddycheck play: play files, show what goes wrong first in each, and sum up. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/cli/cli.h"
#include "harness/input.h"
#include "harness/player.h"
#include "harness/state_text.h"

static const char help[] =
	"Usage: buddycheck play [OPTION]... FILE...\n"
	"\n"
	"Play cases: scripts, bytes files or recordings, also gzipped; '-' is standard input. What "
	"first\n"
	"differs from the expectations of a case, or the first rule that fails, is shown with the "
	"ops that\n"
	"lead to it, what happened, the state before and after, and a command that plays it "
	"again. The\n"
	"last line is 'N cases, N ops, N divergences, N violations'; before it, how many of the "
	"ops "
	"had\n"
	"nothing to work on.\n"
	"\n"
	"  --subject NAME  play on this subject (port:POLICY, kernel:FILE), whatever the case "
	"names\n"
	"  --full          look at the whole state after every op, not only at what it wrote\n"
	"  --promise ID    this property counts as promised, whatever the policy of the subject "
	"is\n"
	"                  (again for more; `buddycheck properties` lists them)\n"
	"  --all           go on after a violation, and list all of them, a line each\n"
	"  --trace[=all]   print events as ftrace does; all: those inside of the allocator too, as "
	"comments\n"
	"  --hash          print a hash of the final state of each case that holds\n"
	"\n"
	"A file that cannot be played is one line on standard error; the others are played. Exit "
	"status:\n"
	"2 if there is such a file, else 1 if anything was found, else 0.\n";

struct session {
	struct player player;
	bool hash;
	/* Counted over all files. */
	u32 cases;
	u64 ops, skipped, divergences, violations;
	bool bad_input;
	/* For the progress on a terminal. */
	int files;
	time_t start, shown;
};

static time_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
	return t.tv_sec;
}

/* A line a second, from the third second on. */
static void show_progress(void *ctx, u32 step)
{
	struct session *s = ctx;
	time_t t = now();

	if (t == s->shown || t < s->start + 2)
		return;
	s->shown = t;
	fprintf(stderr, "%u of %d cases, %llu ops\n", s->cases, s->files,
		(unsigned long long)s->ops + step);
}

static void play_case(struct session *s, const struct testcase *c, const char *file)
{
	struct play_result result;

	player_play(&s->player, c, file, &result);
	if (result.status == PLAY_REFUSED) {
		cli_refuse(file, result.why);
		s->bad_input = true;
		return;
	}
	if (s->hash && result.status == PLAY_PASSED) {
		struct subject *subject = s->player.subject;

		printf("%016llx  %s\n", (unsigned long long)state_hash(subject->ops->view(subject)),
		       file);
	}
	s->cases++;
	s->ops += result.nr_ops;
	s->skipped += result.nr_skipped;
	s->divergences += result.nr_divergences;
	s->violations += result.nr_violations;
}

static void play_file(struct session *s, const char *file)
{
	char err[CASE_ERROR_SIZE];
	struct testcase c;

	case_init(&c);
	if (case_load(file, &c, err)) {
		fprintf(stderr, "%s\n", err);
		s->bad_input = true;
		return;
	}
	play_case(s, &c, file);
	case_free(&c);
}

static int play_files(struct session *s, char **files)
{
	if (isatty(STDERR_FILENO)) {
		s->start = now();
		s->player.each_op = show_progress;
		s->player.each_op_ctx = s;
	}
	for (int i = 0; i < s->files; i++)
		play_file(s, files[i]);
	if (s->skipped)
		printf("%llu ops skipped: nothing there to work on, or their point did not come\n",
		       (unsigned long long)s->skipped);
	printf("%u cases, %llu ops, %llu divergences, %llu violations\n", s->cases,
	       (unsigned long long)s->ops, (unsigned long long)s->divergences,
	       (unsigned long long)s->violations);
	if (s->bad_input)
		return CLI_BAD;
	return s->divergences || s->violations ? CLI_FAILS : CLI_HOLDS;
}

static int run(int argc, char **argv)
{
	static const struct option options[] = {
		{"subject", required_argument, NULL, 's'},
		{"full", no_argument, NULL, 'f'},
		{"promise", required_argument, NULL, 'p'},
		{"all", no_argument, NULL, 'a'},
		{"trace", optional_argument, NULL, 't'},
		{"hash", no_argument, NULL, 'H'},
		CLI_HELP_OPTION,
		{0},
	};
	struct session s = {0};
	int option, status;

	player_init(&s.player, stdout, CHECK_WRITTEN);
	while ((option = cli_option(&command_play, argc, argv, options)) >= 0) {
		switch (option) {
		case 's':
			s.player.subject_name = optarg;
			break;
		case 'f':
			s.player.strength = CHECK_EACH;
			break;
		case 'p':
			if (player_promise(&s.player, optarg))
				break;
			status = cli_usage(&command_play, "--promise %s: %s", optarg,
					   CLI_EXPECTED_PROPERTY);
			goto out;
		case 'a':
			s.player.all = true;
			break;
		case 't':
			if (optarg && strcmp(optarg, "all") != 0) {
				status = cli_usage(&command_play, "--trace=%s: expected all",
						   optarg);
				goto out;
			}
			s.player.trace = stdout;
			s.player.trace_mask = optarg ? EV_ALL : EV_PUBLIC;
			break;
		case 'H':
			s.hash = true;
			break;
		}
	}
	if (optind == argc) {
		status = cli_usage(&command_play, "expected a file");
		goto out;
	}
	s.files = argc - optind;
	status = play_files(&s, argv + optind);
out:
	player_exit(&s.player);
	return status;
}

const struct command command_play = {
	.name = "play",
	.what = "play cases and judge every step",
	.help = help,
	.run = run,
};
