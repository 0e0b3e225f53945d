/* SPDX-License-Identifier: GPL-2.0-only */
/* buddycheck gate: two allocators, and whether the second may take the place of the first. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "harness/cli/case_files.h"
#include "harness/cli/cli.h"
#include "harness/gate/gate_report.h"
#include "harness/kernel/subject_kernel.h"
#include "harness/machine_fit.h"

static const char help[] =
	"Usage: buddycheck gate --base SUBJECT --candidate SUBJECT [OPTION]...\n"
	"\n"
	"Play the same cases on two allocators and say which properties the candidate newly "
	"breaks\n"
	"or keeps, in what it behaves differently, what that costs, and whether it passes. A "
	"SUBJECT\n"
	"is port:POLICY or kernel:FILE. First the corpus is played, as it is and under the closed\n"
	"environment; then cases that look for differences between the two.\n"
	"\n"
	"  --corpus DIR      scripts, bytes files and recordings below DIR, again for more "
	"folders;\n"
	"                    by default corpus/ (a DIR that is empty: none)\n"
	"  --ops N           look for differences for N operations (default 200000; 0: do not "
	"look)\n"
	"  --seconds N       ... for N seconds instead\n"
	"  --seed N          of the cases that look for differences (default 1); equal seeds and\n"
	"                    operations give equal reports\n"
	"  --config FILE     limits and accepted differences, see ci/gate.conf; the default is "
	"that\n"
	"                    nothing promised may break and no cost may grow by more than 5 % and "
	"20\n"
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

#define MAX_FOLDERS 16
#define DEFAULT_OPS 200000

struct session {
	const char *base, *candidate, *config, *markdown, *json, *junit, *sarif, *scripts;
	const char *folders[MAX_FOLDERS];
	u32 nr_folders;
	u64 ops, seconds, seed;
	bool has_ops;

	struct gate gate;
	struct machine_fitter fitter;
	struct timespec start;
	u64 shown_ms, fuzz_from_ops, fuzz_from_ms;
};

/* ---- progress ------------------------------------------------------------ */

static u64 elapsed_ms(const struct session *s)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (u64)(now.tv_sec - s->start.tv_sec) * 1000 +
	       (u64)((now.tv_nsec - s->start.tv_nsec) / 1000000);
}

/* A line every two seconds. */
static void show_progress(void *ctx, const struct gate *g, const char *doing)
{
	struct session *s = ctx;
	u64 now = elapsed_ms(s);

	if (now < s->shown_ms + 2000)
		return;
	s->shown_ms = now;
	fprintf(stderr, "%4llu s: %s, %llu cases, %llu ops, %llu cases differ\n",
		(unsigned long long)now / 1000, doing, (unsigned long long)g->nr_cases,
		(unsigned long long)g->player.nr_ops, (unsigned long long)g->nr_differ);
}

static bool enough(void *ctx, const struct gate *g)
{
	const struct session *s = ctx;

	if (s->seconds)
		return elapsed_ms(s) - s->fuzz_from_ms >= s->seconds * 1000;
	return g->player.nr_ops - s->fuzz_from_ops >= s->ops;
}

/* ---- the corpus ---------------------------------------------------------- */

/* A file that one side does not play is counted; one that is wrong ends the gate. */
static bool take_folder(struct session *s, const char *folder)
{
	u64 refused = s->gate.nr_refused;
	struct case_files files;
	char err[CASE_ERROR_SIZE];
	bool ok = true;

	if (!case_files_find(&files, folder)) {
		perror(folder);
		return false;
	}
	for (u64 i = 0; ok && i < files.nr; i++) {
		if (gate_take_file(&s->gate, files.list[i].path, err) &&
		    s->gate.nr_refused == refused) {
			fprintf(stderr, "%s\n", err);
			ok = false;
		}
		refused = s->gate.nr_refused;
	}
	case_files_free(&files);
	return ok;
}

/* ---- all of it ----------------------------------------------------------- */

static const char *today(char text[16])
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	time_t now = epoch ? (time_t)strtoll(epoch, NULL, 10) : time(NULL);
	struct tm tm;

	strftime(text, 16, "%Y-%m-%d", gmtime_r(&now, &tm));
	return text;
}

static bool write_markdown(const char *path, const struct gate_report *r)
{
	FILE *out = fopen(path, "w");

	if (!out)
		return false;
	gate_report_markdown(out, r);
	return !fclose(out);
}

static void keep_script(void *ctx, const struct gate_script *script)
{
	const char *folder = ctx;
	char path[4096];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s.script", folder, script->name);
	out = fopen(path, "w");
	if (!out || fputs(script->example->script, out) < 0 || fclose(out)) {
		perror(path);
		exit(CLI_BAD);
	}
}

static void keep_scripts(const struct session *s)
{
	u32 nr;
	struct gate_script *scripts = gate_scripts(&s->gate, &nr);

	if (mkdir(s->scripts, 0777) && errno != EEXIST) {
		perror(s->scripts);
		exit(CLI_BAD);
	}
	for (u32 i = 0; i < nr; i++)
		keep_script((void *)s->scripts, &scripts[i]);
	free(scripts);
}

static bool write_reports(const struct session *s, const struct gate_report *r)
{
	const struct {
		const char *path;
		bool (*write)(const char *path, const struct gate_report *r);
	} forms[] = {
		{s->markdown, write_markdown},
		{s->json, gate_report_json},
	};

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		if (!forms[i].path || forms[i].write(forms[i].path, r))
			continue;
		perror(forms[i].path);
		return false;
	}
	return true;
}

static bool play_all(struct session *s)
{
	static const char *const usual[] = {"corpus"};
	const char *const *folders = s->nr_folders ? s->folders : usual;
	u32 nr = s->nr_folders ? s->nr_folders : ARRAY_SIZE(usual);
	const char *why;

	for (u32 i = 0; i < nr; i++) {
		if (!take_folder(s, folders[i]))
			return false;
	}
	s->fuzz_from_ops = s->gate.player.nr_ops;
	s->fuzz_from_ms = elapsed_ms(s);
	why = gate_fuzz(&s->gate, s->seed, enough, s);
	if (why)
		fprintf(stderr, "buddycheck gate: nothing is played (%s)\n", why);
	return !why;
}

static int run_gate(struct session *s, const struct gate_conf *conf)
{
	static struct gate_verdict v;
	struct gate_report report = {
		.g = &s->gate, .v = &v, .conf = conf, .seed = s->seed, .scripts = s->scripts};
	char day[16];

	if (!play_all(s))
		return CLI_BAD;
	gate_shrink(&s->gate);
	gate_judge(&s->gate, conf, today(day), &v);
	gate_report_text(stdout, &report);
	if (s->scripts)
		keep_scripts(s);
	if (!write_reports(s, &report))
		return CLI_BAD;
	return v.fails ? CLI_FAILS : CLI_HOLDS;
}

/* A name that no machine can make a subject of is found before anything is played. */
static bool check_subject(const char *option, const char *name)
{
	struct machine m;
	struct subject *subject;
	const char *why;

	if (!strncmp(name, "kernel:", 7))
		return true;
	machine_init(&m);
	machine_add_zone(&m, 0, ZONE_NORMAL, 0, 1024);
	subject = subject_create(name, &m, &why);
	if (subject)
		subject->ops->destroy(subject);
	else
		cli_usage(&command_gate, "%s %s: %s", option, name, why);
	return subject;
}

static bool is_kernel(const char *name)
{
	return !strncmp(name, "kernel:", 7);
}

static int start(struct session *s)
{
	char err[CASE_ERROR_SIZE];
	struct gate_conf conf;
	int status;

	if (!check_subject("--base", s->base) || !check_subject("--candidate", s->candidate))
		return CLI_BAD;
	gate_conf_init(&conf);
	if (s->config && !gate_conf_read(&conf, s->config, err)) {
		fprintf(stderr, "%s\n", err);
		return CLI_BAD;
	}
	gate_init(&s->gate, s->base, s->candidate);
	s->gate.progress = show_progress;
	s->gate.progress_ctx = s;
	if (is_kernel(s->base) || is_kernel(s->candidate)) {
		s->fitter =
			subject_kernel_fitter((is_kernel(s->base) ? s->base : s->candidate) + 7);
		s->gate.fitter = &s->fitter;
	}
	clock_gettime(CLOCK_MONOTONIC, &s->start);
	status = run_gate(s, &conf);
	gate_exit(&s->gate);
	gate_conf_free(&conf);
	return status;
}

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

static int take_option(struct session *s, int option)
{
	switch (option) {
	case OPT_BASE:
		s->base = optarg;
		break;
	case OPT_CANDIDATE:
		s->candidate = optarg;
		break;
	case OPT_CORPUS:
		if (s->nr_folders == MAX_FOLDERS)
			return cli_usage(&command_gate, "--corpus: expected %u folders at most",
					 MAX_FOLDERS);
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
	static struct session s = {.ops = DEFAULT_OPS, .seed = 1};
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
	return start(&s);
}

const struct command command_gate = {
	.name = "gate",
	.what = "say whether a changed allocator may replace another",
	.help = help,
	.run = run,
};
