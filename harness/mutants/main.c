/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * `buddycheck mutants`: does the harness find the bugs that really happened? The program of its own that
 * buddycheck runs, because no other may hold mutants.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/cli/cli.h"
#include "harness/mutants/rows.h"

static const char help[] =
	"Usage: buddycheck mutants [OPTION]... [ID]...\n"
	"\n"
	"Put back the defects of ci/mutants/, one after the other, and see which of them are "
	"found: by the\n"
	"corpus, and by engines from an empty one. A mutant is reached if it is come upon where it "
	"makes a\n"
	"difference, infected if an answer or the final state differs from the port's, detected if "
	"a property\n"
	"fails, or a sanitizer. Executions and seconds (CPU time) are medians over seeds. What is "
	"known of this\n"
	"build already is not tried again. Shrunk scripts are in DIR/scripts/.\n"
	"\n"
	"  --engine NAME    random, libfuzzer or afl++; may be given several times (libfuzzer, "
	"random)\n"
	"  --seconds N      of CPU time for each trial of a guided engine (60); random gets 5 "
	"times the\n"
	"                   guided median, at most 20\n"
	"  --seeds N        trials for each engine (8); 3 where the mutant stays undetected\n"
	"  --jobs N         mutants at a time (number of CPUs)\n"
	"  --corpus DIR     with folders regressions and seeds (corpus)\n"
	"  --folder DIR     what is kept (mutants in the build folder)\n"
	"  --json FILE      the table as JSON\n"
	"  --markdown FILE  the table as Markdown\n"
	"  --known          no trials: only what is known already\n"
	"  --hardest N      of all, the N of which libfuzzer is known to need most\n"
	"  --no-scripts     do not shrink what is found\n"
	"\n"
	"Exit status: 0 all are detected, 1 some are not, 2 bad usage, or an engine could not be "
	"run.\n";

struct options {
	struct plan plan;
	u32 nr_engines;
	u32 jobs;
	u32 hardest; /* 0: all */
	bool known;
	const char *json, *markdown;
	const struct mutant **list; /* ended by NULL */
};

static void usage(const char *format, const char *word)
{
	fputs("buddycheck mutants: ", stderr);
	fprintf(stderr, "%s: %s\nTry 'buddycheck mutants --help'.\n", word, format);
	exit(CLI_BAD);
}

static u64 number(const char *word, u64 max)
{
	char *end;
	u64 n = strtoull(word, &end, 10);

	if (word[0] < '0' || word[0] > '9' || *end || !n || n > max)
		usage("expected a number that is not 0 nor that large", word);
	return n;
}

static void add_engine(struct options *o, const char *name)
{
	for (u32 i = 0; fuzz_engines[i]; i++) {
		if (strcmp(fuzz_engines[i]->name, name) != 0)
			continue;
		if (o->nr_engines == 3)
			usage("expected three engines at most", name);
		o->plan.engines[o->nr_engines++] = fuzz_engines[i];
		return;
	}
	usage("expected libfuzzer, afl++ or random", name);
}

/* A hash of the program that plays: everything that decides is in it. */
static void identify_build(struct plan *plan)
{
	static u8 data[1 << 16];
	FILE *self = fopen("/proc/self/exe", "rb");
	u64 hash = 0xcbf29ce484222325ULL;
	size_t len;

	while (self && (len = fread(data, 1, sizeof(data), self)))
		for (size_t i = 0; i < len; i++)
			hash = (hash ^ data[i]) * 0x100000001b3ULL;
	if (self)
		fclose(self);
	snprintf(plan->build, sizeof(plan->build), "%016llx", (unsigned long long)hash);
}

/* BUILD/mutants, where this program is. */
static const char *own_folder(void)
{
	static char folder[FUZZ_PATH_SIZE];
	ssize_t len = readlink("/proc/self/exe", folder, sizeof(folder) - 1);

	folder[len < 0 ? 0 : len] = '\0';
	if (strrchr(folder, '/'))
		*strrchr(folder, '/') = '\0';
	return folder;
}

static void read_options(struct options *o, int argc, char **argv)
{
	static const struct option options[] = {
		{"engine", required_argument, NULL, 'e'},
		{"seconds", required_argument, NULL, 's'},
		{"seeds", required_argument, NULL, 'n'},
		{"jobs", required_argument, NULL, 'j'},
		{"corpus", required_argument, NULL, 'c'},
		{"folder", required_argument, NULL, 'f'},
		{"json", required_argument, NULL, 'J'},
		{"markdown", required_argument, NULL, 'M'},
		{"known", no_argument, NULL, 'k'},
		{"hardest", required_argument, NULL, 'H'},
		{"no-scripts", no_argument, NULL, 'S'},
		{"help", no_argument, NULL, 'h'},
		{0},
	};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) >= 0) {
		switch (option) {
		case 'e':
			add_engine(o, optarg);
			break;
		case 's':
			o->plan.seconds = number(optarg, 86400);
			break;
		case 'n':
			o->plan.seeds = (u32)number(optarg, 64);
			break;
		case 'j':
			o->jobs = (u32)number(optarg, 256);
			break;
		case 'c':
			o->plan.corpus = optarg;
			break;
		case 'f':
			o->plan.folder = optarg;
			break;
		case 'J':
			o->json = optarg;
			break;
		case 'M':
			o->markdown = optarg;
			break;
		case 'k':
			o->known = true;
			break;
		case 'H':
			o->hardest = (u32)number(optarg, 1000);
			break;
		case 'S':
			o->plan.no_scripts = true;
			break;
		case 'h':
			fputs(help, stdout);
			exit(CLI_HOLDS);
		default:
			exit(CLI_BAD);
		}
	}
}

static void read_list(struct options *o, int argc, char **argv)
{
	u32 nr = 0;

	o->list = (const struct mutant **)calloc(nr_mutants + (size_t)argc + 1, sizeof(*o->list));
	if (!o->list)
		abort();
	for (int i = optind; i < argc; i++) {
		o->list[nr] = mutant_find(argv[i]);
		if (!o->list[nr++])
			usage("expected a mutant of ci/mutants/", argv[i]);
	}
	for (u32 i = 0; optind >= argc && i < nr_mutants; i++)
		o->list[nr++] = &mutants[i];
}

/* Seconds that libfuzzer is known to need; more than any trial takes, if it does not find it. */
static double hardness(const struct plan *plan, const struct mutant *mutant)
{
	json_t *row = row_load(plan, mutant);
	const json_t *engine = json_object_get(json_object_get(row, "engines"), "libfuzzer");
	const json_t *seconds = json_object_get(engine, "seconds");
	double hard = seconds ? json_real_value(seconds) : engine ? 1e9 : 0;

	json_decref(row);
	return hard;
}

/* Keep the hardest of the list, in its order. */
static void keep_hardest(struct options *o)
{
	u32 nr = 0, kept = 0;
	bool *keep;

	while (o->list[nr])
		nr++;
	keep = calloc(nr + 1, sizeof(*keep));
	for (u32 n = 0; keep && n < o->hardest && n < nr; n++) {
		u32 best = nr;

		for (u32 i = 0; i < nr; i++) {
			if (!keep[i] && (best == nr || hardness(&o->plan, o->list[i]) >
							       hardness(&o->plan, o->list[best])))
				best = i;
		}
		keep[best] = true;
	}
	for (u32 i = 0; keep && i < nr; i++) {
		if (keep[i])
			o->list[kept++] = o->list[i];
	}
	o->list[kept] = NULL;
	free(keep);
}

/* ---- all rows, some at a time -------------------------------------------- */

/* In a process of its own. */
_Noreturn static void make_one(const struct plan *plan, const struct mutant *mutant)
{
	json_t *row = row_make(plan, mutant);
	json_t *rows = json_pack("[o]", row);

	if (!row)
		_exit(CLI_BAD);
	fprintf(stderr, "%s %s\n", mutant->id,
		json_is_string(json_object_get(row, "detected"))
			? json_string_value(json_object_get(row, "detected"))
			: "not detected by an engine");
	json_decref(rows);
	_exit(CLI_HOLDS);
}

/* False: an engine could not be run. */
static bool make_rows(const struct options *o)
{
	u32 running = 0;
	bool ok = true;
	int status;

	for (const struct mutant **m = o->list; *m || running;) {
		if (*m && running < o->jobs && ok) {
			pid_t pid = fork();

			if (!pid)
				make_one(&o->plan, *m);
			running += pid > 0;
			m++;
			continue;
		}
		if (!running)
			break;
		wait(&status);
		running--;
		ok = ok && WIFEXITED(status) && WEXITSTATUS(status) == CLI_HOLDS;
	}
	return ok;
}

static json_t *collect(const struct options *o)
{
	json_t *rows = json_array();

	for (const struct mutant **m = o->list; *m; m++) {
		json_t *row = row_load(&o->plan, *m);

		if (row)
			json_array_append_new(rows, row);
	}
	return rows;
}

static bool write_markdown(const json_t *rows, const char *path)
{
	FILE *out = fopen(path, "w");

	if (!out)
		return false;
	rows_print_markdown(rows, out);
	return !fclose(out);
}

static int report(const struct options *o, const json_t *rows)
{
	size_t i;
	json_t *row;

	rows_print_text(rows, stdout);
	if (o->json && json_dump_file(rows, o->json, JSON_INDENT(1))) {
		perror(o->json);
		return CLI_BAD;
	}
	if (o->markdown && !write_markdown(rows, o->markdown)) {
		perror(o->markdown);
		return CLI_BAD;
	}
	json_array_foreach(rows, i, row)
	{
		if (!json_is_string(json_object_get(row, "detected")))
			return CLI_FAILS;
	}
	return CLI_HOLDS;
}

int main(int argc, char **argv)
{
	struct options o = {
		.plan = {.seconds = 60, .seeds = 8, .corpus = "corpus", .folder = own_folder()},
		.jobs = (u32)sysconf(_SC_NPROCESSORS_ONLN),
	};
	json_t *rows;
	int status;

	read_options(&o, argc, argv);
	if (!o.nr_engines) {
		add_engine(&o, "libfuzzer");
		add_engine(&o, "random");
	}
	read_list(&o, argc, argv);
	identify_build(&o.plan);
	if (o.hardest)
		keep_hardest(&o);
	if (!o.known && !make_rows(&o))
		return CLI_BAD;
	rows = collect(&o);
	status = report(&o, rows);
	json_decref(rows);
	free((void *)o.list);
	return fflush(stdout) ? CLI_BAD : status;
}
