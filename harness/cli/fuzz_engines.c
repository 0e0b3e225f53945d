/* SPDX-License-Identifier: GPL-2.0-only */
/* The engines: how they are started, and where they say how they get on. */
#define _GNU_SOURCE /* vasprintf */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/budget.h"
#include "harness/cli/fuzz_run.h"

#define MAX_ARGS 32

struct command_line {
	char *argv[MAX_ARGS + 1];
	int argc;
};

__attribute__((format(printf, 2, 3))) static void add(struct command_line *line, const char *format,
						      ...)
{
	va_list args;

	va_start(args, format);
	if (line->argc == MAX_ARGS || vasprintf(&line->argv[line->argc++], format, args) < 0)
		abort();
	va_end(args);
}

static void set(const char *name, const char *value)
{
	setenv(name, value, 1);
}

/* 0: no limit. */
static u64 executions_left(const struct fuzz_options *o, u64 done)
{
	if (!o->executions)
		return 0;
	return o->executions > done ? o->executions - done : 1;
}

static bool is_folder(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* ---- libFuzzer ----------------------------------------------------------- */

static void libfuzzer_exec(const struct fuzz_options *o, u64 done)
{
	struct command_line line = {.argc = 0};
	u64 left = executions_left(o, done);

	set("ASAN_OPTIONS", "detect_leaks=0:allocator_may_return_null=1");
	add(&line, "%s", o->target);
	add(&line, "-len_control=0"); /* long cases from the start */
	add(&line, "-max_len=%u", BUDGET_BODY);
	add(&line, "-timeout=25");
	add(&line, "-rss_limit_mb=4096");
	add(&line, "-detect_leaks=0");
	add(&line, "-entropic=0"); /* finds rare defects in half as many executions */
	add(&line, "-reload=0");
	add(&line, "-print_funcs=0"); /* names cost a process each, and nobody reads them */
	add(&line, "-artifact_prefix=%s/.libfuzzer-", o->findings);
	add(&line, "-seed=%llu", (unsigned long long)o->seed % UINT32_MAX + 1); /* 0: any */
	if (left)
		add(&line, "-runs=%llu", (unsigned long long)left);
	add(&line, "%s", o->corpus);
	if (is_folder(o->seeds))
		add(&line, "%s", o->seeds);
	execv(o->target, line.argv);
}

/* #4096	pulse  cov: 812 ft: 2034 corp: 187/96Kb ... */
static void libfuzzer_look(const struct fuzz_options *o, FILE *log, struct fuzz_figures *figures)
{
	char line[4096];

	(void)o;
	while (log && fgets(line, sizeof(line), log)) {
		const char *cov = strstr(line, " cov: "), *corp = strstr(line, " corp: ");

		if (line[0] != '#' || !cov || !corp)
			continue;
		figures->edges = strtoull(cov + 6, NULL, 10);
		figures->corpus = strtoull(corp + 7, NULL, 10);
	}
}

/* ---- AFL++ --------------------------------------------------------------- */

/* afl-fuzz wants one input at least: the first machine of the catalogue, without ops. */
static void afl_inputs(const struct fuzz_options *o, char inputs[FUZZ_PATH_SIZE])
{
	char path[FUZZ_PATH_SIZE];
	FILE *out;

	if (is_folder(o->seeds)) {
		snprintf(inputs, FUZZ_PATH_SIZE, "%s", o->seeds);
		return;
	}
	snprintf(inputs, FUZZ_PATH_SIZE, "%.*s.start", FUZZ_PATH_SIZE - 16, o->corpus);
	mkdir(inputs, 0777);
	snprintf(path, sizeof(path), "%.*s/0", FUZZ_PATH_SIZE - 8, inputs);
	out = fopen(path, "wb");
	if (!out || fputc(0, out) == EOF || fclose(out))
		perror(path);
}

static void afl_environment(const struct fuzz_options *o)
{
	set("ASAN_OPTIONS", "abort_on_error=1:symbolize=0:detect_leaks=0:"
			    "allocator_may_return_null=1");
	set("UBSAN_OPTIONS", "abort_on_error=1:symbolize=0");
	set("AFL_NO_UI", "1");
	set("AFL_AUTORESUME", "1");
	set("AFL_SKIP_CPUFREQ", "1");
	set("AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES", "1");
	set("AFL_TRY_AFFINITY", "1");
	set("AFL_DISABLE_TRIM", "1"); /* it would cut records into pieces */
	set("AFL_CUSTOM_MUTATOR_LIBRARY", o->mutator);
	set("AFL_CUSTOM_MUTATOR_ONLY", "1");
}

static void afl_exec(const struct fuzz_options *o, u64 done)
{
	struct command_line line = {.argc = 0};
	u64 left = executions_left(o, done);
	char inputs[FUZZ_PATH_SIZE];

	afl_inputs(o, inputs);
	afl_environment(o);
	add(&line, "afl-fuzz");
	add(&line, "-i");
	add(&line, "%s", inputs);
	add(&line, "-o");
	add(&line, "%s", o->corpus);
	add(&line, "-G");
	add(&line, "%u", BUDGET_BODY);
	add(&line, "-t");
	add(&line, "5000");
	add(&line, "-s");
	add(&line, "%llu", (unsigned long long)o->seed % INT32_MAX + 1);
	if (left) {
		add(&line, "-E");
		add(&line, "%llu", (unsigned long long)left);
	}
	add(&line, "--");
	add(&line, "%s", o->target);
	execvp("afl-fuzz", line.argv);
}

/*
 * Edges are in the last figure of plot_data, which afl-fuzz writes once in a while; its log tells the corpus
 * more often: "Fuzzing test case #473 (1196 total, ...".
 */
static void afl_look(const struct fuzz_options *o, FILE *log, struct fuzz_figures *figures)
{
	char path[FUZZ_PATH_SIZE + 32], line[512];
	FILE *plot;

	snprintf(path, sizeof(path), "%s/default/plot_data", o->corpus);
	plot = fopen(path, "r");
	while (plot && fgets(line, sizeof(line), plot)) {
		if (line[0] != '#' && strrchr(line, ','))
			figures->edges = strtoull(strrchr(line, ',') + 1, NULL, 10);
		sscanf(line, "%*u, %*u, %*u, %llu,", &figures->corpus);
	}
	if (plot)
		fclose(plot);
	while (log && fgets(line, sizeof(line), log)) {
		const char *total = strstr(line, "Fuzzing test case #");

		if (total)
			sscanf(total, "Fuzzing test case #%*u (%llu total", &figures->corpus);
	}
}

/* ---- weighted random ----------------------------------------------------- */

static void random_exec(const struct fuzz_options *o, u64 done)
{
	struct command_line line = {.argc = 0};
	u64 left = executions_left(o, done);

	set("ASAN_OPTIONS", "detect_leaks=0:allocator_may_return_null=1");
	add(&line, "%s", o->target);
	add(&line, "%llu", (unsigned long long)(o->seed + done));
	if (left)
		add(&line, "%llu", (unsigned long long)left);
	execv(o->target, line.argv);
}

static const struct fuzz_engine libfuzzer = {
	.name = "libfuzzer",
	.target = "libfuzzer/fuzz_case",
	.kernel_target = "libfuzzer-plain/fuzz_case",
	.lockstep = "libfuzzer-plain/lockstep",
	.guided = true,
	.exec = libfuzzer_exec,
	.look = libfuzzer_look,
	.dead = {".libfuzzer-*"},
};

static const struct fuzz_engine afl = {
	.name = "afl++",
	.target = "afl/fuzz_case",
	.kernel_target = "afl-plain/fuzz_case",
	.lockstep = "afl-plain/lockstep",
	.mutator = "afl/mutator.so",
	.guided = true,
	.exec = afl_exec,
	.look = afl_look,
	.dead_in_corpus = true,
	.dead = {"default/crashes/id:*", "default/hangs/id:*"},
};

static const struct fuzz_engine weighted_random = {
	.name = "random",
	.target = "asan/fuzz_case",
	.kernel_target = "clang/fuzz_case",
	.exec = random_exec,
	.dead = {".random-*"},
};

const struct fuzz_engine *const fuzz_engines[] = {&libfuzzer, &afl, &weighted_random, NULL};
