/* SPDX-License-Identifier: GPL-2.0-only */
/* buddycheck shrink: the shortest script that still breaks the same property. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "harness/cli/cli.h"
#include "harness/input.h"
#include "harness/player.h"
#include "harness/script.h"
#include "harness/shrink.h"

static const char help[] =
	"Usage: buddycheck shrink [OPTION]... FILE\n"
	"\n"
	"Make the case in FILE as small as possible, so that the property that fails first is "
	"still the\n"
	"first one to fail: fewer operations, simpler ones, a simpler machine. Expectations do not "
	"count,\n"
	"and are lost. The script goes to standard output, or to OUT; then it is played, and what "
	"fails is\n"
	"shown.\n"
	"\n"
	"  --subject NAME  of this subject (port:POLICY, kernel:FILE) instead of the one that the "
	"case names\n"
	"  --promise ID    this property counts as promised, whatever the policy of the subject "
	"is\n"
	"  --property ID   keep this failure, not the first; exit with 0 if the case does not show "
	"it\n"
	"  --tries N       play at most N cases (20000)\n"
	"  -o OUT          write the script there\n"
	"\n"
	"Exit status: 0 if nothing fails, 1 if something does, 2 for bad input.\n";

struct session {
	struct player player;
	const struct property *wanted; /* that failed first, or has to */
};

static const struct property *first_failure(struct player *player, const struct testcase *c,
					    struct play_result *result)
{
	player_play(player, c, "", result);
	return result->first.kind == FINDING_VIOLATION ? result->first.violation.property : NULL;
}

static bool shows(void *ctx, const struct testcase *c)
{
	struct session *s = ctx;
	struct play_result result;

	return first_failure(&s->player, c, &result) == s->wanted;
}

/* The state is looked at after each op, so that no broken one is played on, unless there are many. */
static enum check_strength strength_for(const struct testcase *c)
{
	return c->nr_ops > 512 ? CHECK_WRITTEN : CHECK_EACH;
}

/*
 * Play @c as strictly as shows what is wanted, or if nothing is in particular, what fails first. Fuzzers
 * look at what was written only, and may have come further.
 */
static bool find_failure(struct session *s, const struct testcase *c, struct play_result *result)
{
	const struct property *failure;

	s->player.strength = strength_for(c);
	failure = first_failure(&s->player, c, result);
	if (s->wanted && failure != s->wanted) {
		s->player.strength = CHECK_WRITTEN;
		failure = first_failure(&s->player, c, result);
	}
	if (!s->wanted)
		s->wanted = failure;
	return failure && failure == s->wanted;
}

/* The subject's policy becomes the machine's, so that the script alone shows the failure. */
static const char *take_policy(struct testcase *c, const char *subject)
{
	static const char port[] = "port:", kernel[] = "kernel:";

	if (!strncmp(subject, kernel, sizeof(kernel) - 1))
		return NULL;
	if (strncmp(subject, port, sizeof(port) - 1) != 0)
		return "expected port:POLICY or kernel:FILE";
	return policy_parse(subject + sizeof(port) - 1, &c->machine.policy);
}

/* The script says behind its first line what it shows. */
static bool write_script(const struct testcase *c, const struct property *property, FILE *out)
{
	fprintf(out, SCRIPT_FIRST_LINE "\n# %s (%s): %s\n", property->id, property->rule,
		property->sentence);
	script_write_body(out, c);
	return !ferror(out);
}

/* Write @c to @path, and play what is there for everybody to see. */
static int save(struct session *s, const struct testcase *c, const char *path)
{
	FILE *out = fopen(path, "w");
	char err[CASE_ERROR_SIZE];
	struct play_result result;
	struct testcase saved;
	bool ok = out && write_script(c, s->wanted, out);

	if (!out || fclose(out) || !ok) {
		perror(path);
		return CLI_BAD;
	}
	case_init(&saved);
	if (case_load(path, &saved, err)) {
		fprintf(stderr, "%s\n", err);
		return CLI_BAD;
	}
	s->player.out = stdout;
	player_play(&s->player, &saved, path, &result);
	case_free(&saved);
	return CLI_FAILS;
}

static int shrink(struct session *s, struct testcase *c, const char *file, const char *out,
		  struct shrink *shrink)
{
	struct play_result result;
	const u32 nr_ops = c->nr_ops;
	bool shown = find_failure(s, c, &result);

	if (result.status == PLAY_REFUSED)
		return cli_refuse(file, result.why);
	if (!shown) {
		fprintf(stderr, "%s: %s\n", file,
			s->wanted ? "the property does not fail" : "no property fails");
		return CLI_HOLDS;
	}
	/* What comes behind the failure has no part in it. */
	c->nr_ops = min_u32(c->nr_ops, result.first.step + 1);
	find_failure(s, c, &result); /* fewer ops may be played more strictly */
	shrink->shows = shows;
	shrink->ctx = s;
	shrink_case(shrink, c);
	fprintf(stderr, "%s: %s: %u ops shrunk to %u, %u cases played\n", file, s->wanted->id,
		nr_ops, c->nr_ops, shrink->tries);
	if (out)
		return save(s, c, out);
	return write_script(c, s->wanted, stdout) ? CLI_FAILS : CLI_BAD;
}

/* @c is read and made ready; false, with a message. */
static bool load(struct testcase *c, const char *file, const char *subject)
{
	char err[CASE_ERROR_SIZE];
	struct testcase loaded;
	const char *why;

	case_init(&loaded);
	if (case_load(file, &loaded, err)) {
		fprintf(stderr, "%s\n", err);
		return false;
	}
	case_copy(c, &loaded, true);
	case_free(&loaded);
	why = subject ? take_policy(c, subject) : NULL;
	if (!why)
		return true;
	cli_usage(&command_shrink, "--subject %s: %s", subject, why);
	case_free(c);
	return false;
}

static int run(int argc, char **argv)
{
	static const struct option options[] = {
		{"subject", required_argument, NULL, 's'},
		{"promise", required_argument, NULL, 'p'},
		{"property", required_argument, NULL, 'k'},
		{"tries", required_argument, NULL, 'n'},
		CLI_HELP_OPTION,
		{0},
	};
	struct shrink config = {.max_tries = SHRINK_MAX_TRIES};
	const char *subject = NULL, *out = NULL;
	int option, status = CLI_BAD;
	struct session s = {0};
	struct testcase c;

	player_init(&s.player, NULL, CHECK_WRITTEN);
	while ((option = cli_option(&command_shrink, argc, argv, options)) >= 0) {
		switch (option) {
		case 's':
			subject = optarg;
			/* A port's policy goes into the script. */
			if (!strncmp(optarg, "kernel:", 7))
				s.player.subject_name = optarg;
			config.keep_policy = true;
			break;
		case 'p':
			if (player_promise(&s.player, optarg))
				break;
			status = cli_usage(&command_shrink, "--promise %s: %s", optarg,
					   CLI_EXPECTED_PROPERTY);
			goto out;
		case 'k':
			s.wanted = cli_property(&command_shrink, "--property");
			break;
		case 'n':
			config.max_tries =
				(u32)cli_number(&command_shrink, "--tries", 1, UINT32_MAX);
			break;
		case 'o':
			out = optarg;
			break;
		}
	}
	if (optind + 1 != argc) {
		status = cli_usage(&command_shrink, "expected one file");
		goto out;
	}
	if (load(&c, argv[optind], subject)) {
		status = shrink(&s, &c, argv[optind], out, &config);
		case_free(&c);
	}
out:
	player_exit(&s.player);
	return status;
}

const struct command command_shrink = {
	.name = "shrink",
	.what = "make a failing case small",
	.help = help,
	.short_options = "o:",
	.run = run,
};
