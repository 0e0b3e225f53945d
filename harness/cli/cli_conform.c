/* SPDX-License-Identifier: GPL-2.0-only */
/* buddycheck conform: the same cases on two subjects, op by op. */
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/cli/cli.h"
#include "harness/cli/fuzz_run.h"
#include "harness/conform.h"
#include "harness/kernel/subject_kernel.h"
#include "harness/input.h"

static const char help[] =
	"Usage: buddycheck conform --kernel FILE [OPTION]... [FILE]...\n"
	"\n"
	"Play cases on the kernel in FILE and on the port, op by op, and compare everything that "
	"both do:\n"
	"results, calls to the environment, events, and the whole state at intervals. The cases "
	"are in\n"
	"files (scripts, bytes files, recordings, also gzipped), or random ones, or those of a "
	"fuzzing\n"
	"engine, for a minute. Nothing is judged, and expectations do not count. A line each "
	"second says\n"
	"how it gets on.\n"
	"A divergence is shrunk and shown side by side; the last line is 'N cases, N ops, N "
	"divergences'.\n"
	"\n"
	"  --kernel FILE        or any subject with its full name: port:POLICY, kernel:FILE\n"
	"  --subject NAME       the other one (port:v7.3)\n"
	"  --engine NAME        random (default), libfuzzer or afl++, guided by coverage\n"
	"  --seconds N          such cases for so long (60, if there is no file)\n"
	"  --ops N              such cases until so many ops were played\n"
	"  --seed N             of the engine; of the first random case, the next ones follow (the "
	"time)\n"
	"  --view-every N       compare the whole state after each N ops, and at the end (16)\n"
	"  --events NAME        all (default) or public: the kernel's tracepoints only\n"
	"  --all                go on after a divergence; of each sort the first one is shown\n"
	"  --max-divergences N  go on until there are N (1)\n"
	"  -o DIR               keep the shrunk scripts there\n"
	"\n"
	"Exit status: 0 no divergence, 1 there is one, 2 something could not be played.\n";

struct session {
	struct machine_fitter fitter; /* of the kernel, if there is one */
	struct conform conform;
	u64 max_divergences;
	const struct fuzz_engine *engine; /* NULL: random cases of our own */
	u64 seconds, ops, seed; /* of what is not in files */
	bool bad_input;
	struct timespec start;
	u64 shown_ms, shown_ops;
};

/* ---- progress ------------------------------------------------------------ */

static u64 elapsed_ms(const struct session *s)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (u64)(now.tv_sec - s->start.tv_sec) * 1000 +
	       (u64)((now.tv_nsec - s->start.tv_nsec) / 1000000);
}

/* A line a second. */
static void show_progress(struct session *s)
{
	const struct conform *c = &s->conform;
	u64 now = elapsed_ms(s);

	if (now < s->shown_ms + 1000)
		return;
	fprintf(stderr, "%4llu s: %llu cases, %llu ops, %llu ops/s, %llu divergences\n",
		(unsigned long long)now / 1000, (unsigned long long)c->cases,
		(unsigned long long)c->ops,
		(unsigned long long)((c->ops - s->shown_ops) * 1000 / (now - s->shown_ms)),
		(unsigned long long)c->divergences);
	s->shown_ms = now;
	s->shown_ops = c->ops;
}

/* ---- cases --------------------------------------------------------------- */

static bool has_enough(const struct session *s)
{
	return s->conform.divergences >= s->max_divergences;
}

static void play_file(struct session *s, const char *file)
{
	char err[CASE_ERROR_SIZE];
	struct testcase loaded, c;
	const char *why;

	case_init(&loaded);
	if (case_load(file, &loaded, err)) {
		fprintf(stderr, "%s\n", err);
		s->bad_input = true;
		return;
	}
	case_copy(&c, &loaded, true);
	case_free(&loaded);
	why = conform_play(&s->conform, &c, file, file);
	if (why) {
		cli_refuse(file, why);
		s->bad_input = true;
	}
	case_free(&c);
}

static bool play_random(struct session *s, u64 seed, struct testcase *c)
{
	char name[32], again[64];
	const char *why;

	snprintf(name, sizeof(name), "seed %llu", (unsigned long long)seed);
	snprintf(again, sizeof(again), "--ops 1 --%s", name);
	why = conform_generate(&s->conform, seed, c);
	if (!why)
		why = conform_play(&s->conform, c, name, again);
	if (why)
		fprintf(stderr, "buddycheck conform: %s is not played (%s)\n", name, why);
	show_progress(s);
	return !why;
}

/* Where machines diverge as they boot no op is ever played: a case counts as one at least. */
static bool is_time(const struct session *s, u64 first_op, u64 first_case)
{
	const struct conform *c = &s->conform;

	return (s->seconds && elapsed_ms(s) >= s->seconds * 1000) ||
	       (s->ops && (c->ops - first_op >= s->ops || c->cases - first_case >= s->ops));
}

static void play_randoms(struct session *s)
{
	u64 first_op = s->conform.ops, first_case = s->conform.cases;
	struct testcase c;

	case_init(&c);
	for (u64 seed = s->seed;
	     !has_enough(s) && !is_time(s, first_op, first_case) && !s->bad_input; seed++)
		s->bad_input = !play_random(s, seed, &c);
	case_free(&c);
}

/* ---- engines ------------------------------------------------------------- */

/* What a session found, now or before, is shrunk and shown; what does not diverge any more goes. */
static void show_findings(struct session *s, const char *folder)
{
	char pattern[FUZZ_PATH_SIZE + 32];
	glob_t found;

	snprintf(pattern, sizeof(pattern), "%s/divergence-*.bytes", folder);
	if (glob(pattern, 0, NULL, &found))
		return;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		u64 before = s->conform.divergences;

		play_file(s, found.gl_pathv[i]);
		if (s->conform.divergences == before)
			unlink(found.gl_pathv[i]);
	}
	globfree(&found);
}

/* Cases, ops and divergences are those of the engine. */
static void play_engine(struct session *s)
{
	static struct fuzz_options o;
	static struct fuzz_progress end;
	struct conform *c = &s->conform;
	u64 cases = c->cases, ops = c->ops, divergences = c->divergences;

	o = (struct fuzz_options){
		.engine = s->engine,
		.kernel = c->lockstep.sides[0].name,
		.subject = c->lockstep.sides[1].name,
		.seconds = s->seconds,
		.ops = s->ops,
		.divergences = s->max_divergences,
		.seed = s->seed,
	};
	if (!fuzz_prepare(&o, "conform") || fuzz_run(&o, &end) == CLI_BAD) {
		s->bad_input = true;
		return;
	}
	show_findings(s, o.findings);
	/* Those that an earlier session has left count, too. */
	if (end.divergences > c->divergences - divergences)
		c->divergences = divergences + end.divergences;
	c->cases = cases + end.executions;
	c->ops = ops + end.ops;
}

/* ---- all of it ----------------------------------------------------------- */

static int play_all(struct session *s, char **files)
{
	const struct conform *c = &s->conform;

	for (; *files && !has_enough(s); files++) {
		play_file(s, *files);
		show_progress(s);
	}
	if ((s->seconds || s->ops) && s->engine)
		play_engine(s);
	else if (s->seconds || s->ops)
		play_randoms(s);
	conform_summary(c);
	printf("%llu cases, %llu ops, %llu divergences\n", (unsigned long long)c->cases,
	       (unsigned long long)c->ops, (unsigned long long)c->divergences);
	if (s->bad_input)
		return CLI_BAD;
	return c->divergences ? CLI_FAILS : CLI_HOLDS;
}

/* ---- options ------------------------------------------------------------- */

/* The argument of --kernel as the name of a subject, in @name. */
static const char *kernel_name(const char *argument, char *name, size_t size)
{
	if (!strncmp(argument, "port:", 5) || !strncmp(argument, "kernel:", 7))
		return argument;
	if ((size_t)snprintf(name, size, "kernel:%s", argument) >= size)
		exit(cli_usage(&command_conform, "--kernel: expected a shorter path"));
	return name;
}

/* The policy that a script says that it was played with: what the names say. */
static struct policy policy_of(const char *left, const char *right)
{
	const char *name = strncmp(right, "port:", 5) ? left : right;
	struct machine usual;
	const char *why;

	machine_init(&usual);
	if (strncmp(name, "port:", 5) != 0)
		return usual.policy;
	why = policy_parse(name + 5, &usual.policy);
	if (why)
		exit(cli_usage(&command_conform, "%s: %s", name, why));
	return usual.policy;
}

/* NULL: random cases, which need no engine. */
static const struct fuzz_engine *find_engine(void)
{
	for (u32 i = 0; fuzz_engines[i]; i++) {
		if (!strcmp(fuzz_engines[i]->name, optarg))
			return fuzz_engines[i]->lockstep ? fuzz_engines[i] : NULL;
	}
	exit(cli_usage(&command_conform, "--engine %s: expected random, libfuzzer or afl++",
		       optarg));
}

static u64 event_mask(void)
{
	if (!strcmp(optarg, "all"))
		return EV_ALL;
	if (!strcmp(optarg, "public"))
		return EV_PUBLIC;
	exit(cli_usage(&command_conform, "--events %s: expected all or public", optarg));
}

static bool is_kernel(const char *name)
{
	return !strncmp(name, "kernel:", 7);
}

static int start(struct session *s, const char *left, const char *right, char **files)
{
	struct conform *c = &s->conform;
	int status;

	c->out = stdout;
	c->lockstep.sides[0].name = left;
	c->lockstep.sides[1].name = right;
	if (is_kernel(left) || is_kernel(right)) {
		s->fitter = subject_kernel_fitter((is_kernel(left) ? left : right) + 7);
		c->fitter = &s->fitter;
	}
	c->policy = policy_of(left, right);
	if (!*files && !s->seconds && !s->ops)
		s->seconds = 60;
	clock_gettime(CLOCK_MONOTONIC, &s->start);
	status = play_all(s, files);
	conform_exit(c);
	return status;
}

static int run(int argc, char **argv)
{
	static const struct option options[] = {
		{"kernel", required_argument, NULL, 'k'},
		{"subject", required_argument, NULL, 's'},
		{"engine", required_argument, NULL, 'E'},
		{"seconds", required_argument, NULL, 't'},
		{"ops", required_argument, NULL, 'n'},
		{"seed", required_argument, NULL, 'r'},
		{"view-every", required_argument, NULL, 'v'},
		{"events", required_argument, NULL, 'e'},
		{"all", no_argument, NULL, 'a'},
		{"max-divergences", required_argument, NULL, 'm'},
		CLI_HELP_OPTION,
		{0},
	};
	struct session s = {.max_divergences = 1, .seed = (u64)time(NULL)};
	const char *left = NULL, *right = "port:v7.3";
	char name[4096];
	int option;

	conform_init(&s.conform, stdout, NULL, NULL);
	while ((option = cli_option(&command_conform, argc, argv, options)) >= 0) {
		switch (option) {
		case 'k':
			left = kernel_name(optarg, name, sizeof(name));
			break;
		case 's':
			right = optarg;
			break;
		case 'E':
			s.engine = find_engine();
			break;
		case 't':
			s.seconds = cli_number(&command_conform, "--seconds", 1, 1U << 30);
			break;
		case 'n':
			s.ops = cli_number(&command_conform, "--ops", 1, 1ULL << 50);
			break;
		case 'r':
			s.seed = cli_number(&command_conform, "--seed", 0, UINT64_MAX);
			break;
		case 'v':
			s.conform.lockstep.view_every =
				(u32)cli_number(&command_conform, "--view-every", 1, UINT32_MAX);
			break;
		case 'e':
			s.conform.lockstep.events = event_mask();
			break;
		case 'a':
			s.max_divergences = UINT64_MAX;
			break;
		case 'm':
			s.max_divergences =
				cli_number(&command_conform, "--max-divergences", 1, UINT64_MAX);
			break;
		case 'o':
			s.conform.dir = optarg;
			break;
		}
	}
	if (!left)
		return cli_usage(&command_conform, "expected --kernel FILE");
	return start(&s, left, right, argv + optind);
}

const struct command command_conform = {
	.name = "conform",
	.what = "compare a kernel with the port, op by op",
	.help = help,
	.short_options = "o:",
	.run = run,
};
