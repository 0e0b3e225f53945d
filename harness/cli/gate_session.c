/* SPDX-License-Identifier: GPL-2.0-only */
/* Playing the corpus and what looks for differences; writing the reports. */
#include "harness/cli/gate_session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/cli/case_files.h"
#include "harness/cli/cli.h"
#include "harness/cli/gate_guard.h"
#include "harness/kernel/subject_kernel.h"
#include "harness/machine_fit.h"

/* ---- progress ------------------------------------------------------------ */

static u64 elapsed_ms(const struct gate_session *s)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (u64)(now.tv_sec - s->start.tv_sec) * 1000 +
	       (u64)((now.tv_nsec - s->start.tv_nsec) / 1000000);
}

/* A line every two seconds. */
static void show_progress(void *ctx, const struct gate *g, const char *doing)
{
	struct gate_session *s = ctx;
	u64 now = elapsed_ms(s);

	if (now < s->shown_ms + 2000)
		return;
	s->shown_ms = now;
	fprintf(stderr, "%4llu s: %s, %llu cases, %llu ops, %llu cases differ\n",
		(unsigned long long)now / 1000, doing, (unsigned long long)g->nr_cases,
		(unsigned long long)g->nr_ops, (unsigned long long)g->nr_differ);
}

static bool enough(void *ctx, const struct gate *g)
{
	const struct gate_session *s = ctx;

	if (s->seconds)
		return elapsed_ms(s) - s->fuzz_from_ms >= s->seconds * 1000;
	return g->nr_ops - s->fuzz_from_ops >= s->ops;
}

/* ---- the corpus ---------------------------------------------------------- */

/* A file that one side does not play is counted; one that is wrong ends the gate. */
static bool take_folder(struct gate_session *s, const char *folder)
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

static void keep_scripts(const struct gate_session *s)
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

static bool write_reports(const struct gate_session *s, const struct gate_report *r)
{
	const struct {
		const char *path;
		bool (*write)(const char *path, const struct gate_report *r);
	} forms[] = {
		{s->markdown, write_markdown},
		{s->json, gate_report_json},
		{s->junit, gate_report_junit},
		{s->sarif, gate_report_sarif},
	};

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		if (!forms[i].path || forms[i].write(forms[i].path, r))
			continue;
		perror(forms[i].path);
		return false;
	}
	return true;
}

static bool play_all(struct gate_session *s)
{
	static const char *const usual[] = {"corpus"};
	const char *const *folders = s->nr_folders ? s->folders : usual;
	u32 nr = s->nr_folders ? s->nr_folders : ARRAY_SIZE(usual);
	const char *why;

	for (u32 i = 0; i < nr; i++) {
		if (!take_folder(s, folders[i]))
			return false;
	}
	s->fuzz_from_ops = s->gate.nr_ops;
	s->fuzz_from_ms = elapsed_ms(s);
	why = gate_fuzz(&s->gate, s->seed, enough, s);
	if (why)
		fprintf(stderr, "buddycheck gate: nothing is played (%s)\n", why);
	return !why;
}

static int run_gate(void *ctx)
{
	struct gate_session *s = ctx;
	const struct gate_conf *conf = &s->conf;
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

static void prepare(struct gate_session *s, struct gate_guard *guard)
{
	const char *kernel = is_kernel(s->base) ? s->base : s->candidate;

	gate_init(&s->gate, s->base, s->candidate);
	s->gate.progress = show_progress;
	s->gate.progress_ctx = s;
	s->gate.player.about = gate_guard_about;
	s->gate.player.about_ctx = guard;
	if (is_kernel(kernel)) {
		s->fitter = subject_kernel_fitter(kernel + strlen("kernel:"));
		s->gate.fitter = &s->fitter;
	}
	clock_gettime(CLOCK_MONOTONIC, &s->start);
}

int gate_session_run(struct gate_session *s)
{
	struct gate_guard *guard = gate_guard_create();
	char err[CASE_ERROR_SIZE];
	int status;

	if (!guard) {
		perror("buddycheck gate");
		return CLI_BAD;
	}
	if (!check_subject("--base", s->base) || !check_subject("--candidate", s->candidate))
		return CLI_BAD;
	gate_conf_init(&s->conf);
	if (s->config && !gate_conf_read(&s->conf, s->config, err)) {
		fprintf(stderr, "%s\n", err);
		return CLI_BAD;
	}
	prepare(s, guard);
	status = gate_guard_run(guard, run_gate, s);
	gate_exit(&s->gate);
	gate_conf_free(&s->conf);
	return status;
}
