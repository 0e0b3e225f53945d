/* SPDX-License-Identifier: GPL-2.0-only */
/* buddycheck play: play files, show what goes wrong first in each, and sum up. */
#include <stdbool.h>
#include <stdio.h>
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
	"state\n"
	"before and after it. The last line is 'N cases, N ops, N divergences, N violations'.\n"
	"\n"
	"  --subject NAME  play on this subject (port:POLICY) instead of the one that the case "
	"names\n"
	"  --full          check the whole state after every op, not only at the end\n"
	"  --trace         print events as ftrace does\n"
	"  --hash          print a hash of the final state of each case that holds\n"
	"\n"
	"A file that cannot be played is one line on standard error; the others are played. Exit "
	"status:\n"
	"2 if there is such a file, else 1 if anything was found, else 0.\n";

/* Counted over all files. */
struct totals {
	u32 cases;
	u64 ops;
	u64 divergences, violations;
	bool bad_input;
};

/* A line a second on a terminal, from the third second on. */
struct progress {
	const struct totals *totals;
	int files;
	time_t start, last;
};

static void show_progress(void *ctx, u32 step)
{
	struct progress *progress = ctx;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	if (now.tv_sec <= progress->last || now.tv_sec < progress->start + 2)
		return;
	progress->last = now.tv_sec;
	fprintf(stderr, "%u of %d cases, %llu ops\n", progress->totals->cases, progress->files,
		(unsigned long long)progress->totals->ops + step);
}

static void play_file(struct player *player, const char *file, bool hash, struct totals *totals)
{
	char err[CASE_ERROR_SIZE];
	struct play_result result;
	struct testcase c;

	case_init(&c);
	if (case_load(file, &c, err)) {
		fprintf(stderr, "%s\n", err);
		totals->bad_input = true;
		return;
	}
	player_play(player, &c, file, &result);
	case_free(&c);
	if (result.status == PLAY_REFUSED) {
		fprintf(stderr, "%s: %s\n", file, result.why);
		totals->bad_input = true;
		return;
	}
	if (hash && result.status == PLAY_PASSED)
		printf("%016llx  %s\n",
		       (unsigned long long)state_hash(player->subject->ops->view(player->subject)),
		       file);
	totals->cases++;
	totals->ops += result.nr_ops;
	totals->divergences += result.nr_divergences;
	totals->violations += result.nr_violations;
}

static int play_files(struct player *player, int nr, char **files, bool hash)
{
	struct totals totals = {0};
	struct progress progress = {.totals = &totals, .files = nr};
	struct timespec now;

	if (isatty(STDERR_FILENO)) {
		clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
		progress.start = now.tv_sec;
		player->each_op = show_progress;
		player->each_op_ctx = &progress;
	}
	for (int i = 0; i < nr; i++)
		play_file(player, files[i], hash, &totals);
	printf("%u cases, %llu ops, %llu divergences, %llu violations\n", totals.cases,
	       (unsigned long long)totals.ops, (unsigned long long)totals.divergences,
	       (unsigned long long)totals.violations);
	if (totals.bad_input)
		return CLI_BAD;
	return totals.divergences || totals.violations ? CLI_FAILS : CLI_HOLDS;
}

static int run(int argc, char **argv)
{
	static const struct option options[] = {
		{"subject", required_argument, NULL, 's'},
		{"full", no_argument, NULL, 'f'},
		{"trace", no_argument, NULL, 't'},
		{"hash", no_argument, NULL, 'H'},
		CLI_HELP_OPTION,
		{0},
	};
	struct player player;
	bool hash = false;
	int option, status;

	player_init(&player, stdout, CHECK_END);
	while ((option = cli_option(&command_play, argc, argv, options)) >= 0) {
		switch (option) {
		case 's':
			player.subject_name = optarg;
			break;
		case 'f':
			player.strength = CHECK_EACH;
			break;
		case 't':
			player.trace = stdout;
			break;
		case 'H':
			hash = true;
			break;
		}
	}
	if (optind == argc)
		return cli_usage(&command_play, "expected a file");
	status = play_files(&player, argc - optind, argv + optind, hash);
	player_exit(&player);
	return status;
}

const struct command command_play = {
	.name = "play",
	.what = "play cases and judge every step",
	.help = help,
	.run = run,
};
