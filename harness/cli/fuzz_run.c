/* SPDX-License-Identifier: GPL-2.0-only */
/* A session from its start to the summary. */
#define _GNU_SOURCE /* memfd_create */
#include "harness/cli/fuzz_run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/cli/cli.h"
#include "harness/cli/fuzz_findings.h"

#define LOOK_EVERY_MS 20
#define STOP_AFTER_MS 10000 /* from the polite signal to the other one */
#define MAX_DEATHS 3 /* of an engine, one after the other, without a new finding */

struct session {
	const struct fuzz_options *o;
	struct fuzz_progress *progress;
	char progress_path[64];
	char log_path[FUZZ_PATH_SIZE + 8];
	FILE *log;
	struct fuzz_figures figures;
	u64 start_ms, shown_ms;
	u64 shown_executions;
	u32 nr_dead; /* bodies at which the target died */
	bool found[FUZZ_MAX_PROPERTIES]; /* and told */
	bool left[FUZZ_MAX_PROPERTIES]; /* by a run that was killed */
};

static volatile sig_atomic_t interrupted;

static void interrupt(int signal)
{
	interrupted = signal;
}

static u64 now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (u64)t.tv_sec * 1000 + (u64)t.tv_nsec / 1000000;
}

static void sleep_ms(u32 ms)
{
	struct timespec t = {.tv_nsec = ms * 1000000L};

	nanosleep(&t, NULL);
}

/* ---- what is shared with the target -------------------------------------- */

/* Memory that the target finds by a path for as long as we live. */
static bool share_progress(struct session *s)
{
	int fd = memfd_create("progress", 0);
	void *map;

	if (fd < 0 || ftruncate(fd, sizeof(*s->progress)))
		return false;
	map = mmap(NULL, sizeof(*s->progress), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		return false;
	s->progress = map;
	snprintf(s->progress_path, sizeof(s->progress_path), "/proc/%d/fd/%d", getpid(), fd);
	return true;
}

static u32 property_index(const struct property *p)
{
	u32 i = 0;

	while (properties[i] != p)
		i++;
	return i;
}

static u32 nr_found(const struct session *s)
{
	u32 nr = s->nr_dead;

	for (u32 i = 0; i < nr_properties; i++)
		nr += s->progress->found_at[i] || s->left[i];
	return nr + (u32)s->progress->divergences;
}

static void look_for_left(struct session *s)
{
	for (u32 i = 0; i < nr_properties; i++) {
		s->left[i] = fuzz_is_left(s->o, properties[i]->id);
		if (s->left[i])
			printf("found by a run that was killed: %s\n", properties[i]->id);
	}
}

/* ---- the engine's process ------------------------------------------------ */

static void become_engine(const struct session *s)
{
	int log = open(s->log_path, O_WRONLY | O_CREAT | O_APPEND, 0666);

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	setpgid(0, 0); /* Ctrl-C is for us: we stop it */
	if (log < 0 || dup2(log, STDOUT_FILENO) < 0 || dup2(log, STDERR_FILENO) < 0)
		_exit(127);
	setenv(FUZZ_FINDINGS, s->o->findings, 1);
	setenv(FUZZ_PROGRESS, s->progress_path, 1);
	setenv(FUZZ_SUBJECT, s->o->subject ? s->o->subject : "", 1);
	if (s->o->kernel)
		setenv(FUZZ_KERNEL, s->o->kernel, 1);
	s->o->engine->exec(s->o, s->progress->executions);
	fprintf(stderr, "%s: %s\n", s->o->engine->name, strerror(errno));
	_exit(127);
}

static void stop_engine(pid_t pid)
{
	u64 end = now_ms() + STOP_AFTER_MS;

	kill(-pid, SIGINT);
	while (waitpid(pid, NULL, WNOHANG) == 0) {
		if (now_ms() > end)
			kill(-pid, SIGKILL);
		sleep_ms(LOOK_EVERY_MS);
	}
}

/* ---- while it runs ------------------------------------------------------- */

static void look(struct session *s)
{
	const struct fuzz_options *o = s->o;

	if (!s->log)
		s->log = fopen(s->log_path, "r");
	if (o->engine->look)
		o->engine->look(o, s->log, &s->figures);
	if (s->log)
		clearerr(s->log); /* more may follow behind the end */
	s->nr_dead += fuzz_take_dead(o);
	for (u32 i = 0; i < nr_properties; i++) {
		if (!s->progress->found_at[i] || s->found[i])
			continue;
		s->found[i] = true;
		printf("found: %s, after %llu executions\n", properties[i]->id,
		       (unsigned long long)s->progress->found_at[i]);
	}
}

static void print_figures(const struct session *s)
{
	if (s->o->engine->guided && !s->figures.edges)
		printf("edges not told yet, ");
	else if (s->o->engine->guided)
		printf("%llu edges, ", s->figures.edges);
	if (s->o->engine->guided)
		printf("corpus %llu, ", s->figures.corpus);
	printf("%u findings\n", nr_found(s));
	fflush(stdout);
}

static void show_progress(struct session *s)
{
	u64 now = now_ms(), executions = s->progress->executions;

	if (now < s->shown_ms + 1000)
		return;
	look(s);
	printf("%4llu s: %llu executions, %llu/s, ", (unsigned long long)(now - s->start_ms) / 1000,
	       (unsigned long long)executions,
	       (unsigned long long)((executions - s->shown_executions) * 1000 /
				    (now - s->shown_ms)));
	print_figures(s);
	s->shown_ms = now;
	s->shown_executions = executions;
}

static bool is_time(const struct session *s)
{
	const struct fuzz_options *o = s->o;

	return interrupted || (o->seconds && now_ms() >= s->start_ms + o->seconds * 1000) ||
	       (o->executions && s->progress->executions >= o->executions) ||
	       (o->ops && s->progress->ops >= o->ops) ||
	       (o->divergences && s->progress->divergences >= o->divergences) ||
	       (o->until && s->progress->found_at[property_index(o->until)]);
}

/* Until it is time or the engine ends; its wait status, 0 if we ended it. */
static int watch(struct session *s, pid_t pid)
{
	int status;

	while (waitpid(pid, &status, WNOHANG) == 0) {
		if (is_time(s)) {
			stop_engine(pid);
			return 0;
		}
		show_progress(s);
		sleep_ms(LOOK_EVERY_MS);
	}
	return status;
}

/*
 * An engine that dies has come to a case at which the target dies, or was killed; it starts again.
 * False: it dies before it has played anything, or again and again at what is known.
 */
static bool run_engine(struct session *s)
{
	u32 deaths = 0;
	int status;

	do {
		u64 before = s->progress->executions;
		u32 nr_dead = s->nr_dead;
		pid_t pid = fork();

		if (!pid)
			become_engine(s);
		status = pid < 0 ? -1 : watch(s, pid);
		look(s);
		deaths = s->nr_dead == nr_dead ? deaths + 1 : 0;
		if (status && (s->progress->executions == before || deaths == MAX_DEATHS))
			return false;
	} while (status && !is_time(s));
	return true;
}

/* ---- the end ------------------------------------------------------------- */

static void print_counts(const struct session *s)
{
	for (u32 i = 0; i < nr_properties; i++)
		printf("meaningful %-28s %llu\n", properties[i]->id,
		       (unsigned long long)s->progress->counts[i].meaningful);
}

static void print_summary(const struct session *s)
{
	u64 ms = now_ms() - s->start_ms, executions = s->progress->executions;

	printf("%s: %llu executions in %llu s, %llu/s, ", s->o->engine->name,
	       (unsigned long long)executions, (unsigned long long)ms / 1000,
	       (unsigned long long)(executions * 1000 / (ms ? ms : 1)));
	print_figures(s);
}

static void listen_to_signals(void)
{
	struct sigaction action = {.sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND};

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
}

/* Begin an empty log: a place where none can be is told before anything runs. */
static bool begin_log(struct session *s)
{
	int fd;

	snprintf(s->log_path, sizeof(s->log_path), "%s.log", s->o->corpus);
	fd = open(s->log_path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

int fuzz_run(const struct fuzz_options *o, struct fuzz_progress *end)
{
	struct session s = {.o = o};
	bool ran;

	if (!share_progress(&s)) {
		perror("buddycheck fuzz");
		return CLI_BAD;
	}
	if (!begin_log(&s)) {
		fprintf(stderr, "buddycheck fuzz: %s: %s\n", s.log_path, strerror(errno));
		return CLI_BAD;
	}
	listen_to_signals();
	look_for_left(&s);
	s.start_ms = s.shown_ms = now_ms();
	ran = run_engine(&s);
	if (s.log)
		fclose(s.log);
	if (!ran) {
		fprintf(stderr, "buddycheck fuzz: %s ended by itself, see %s\n", o->engine->name,
			s.log_path);
		if (!s.progress->executions)
			return CLI_BAD;
	}
	for (u32 i = 0; i < nr_properties; i++)
		if (s.progress->found_at[i] || s.left[i])
			fuzz_show_finding(o, properties[i]->id);
	if (o->counts)
		print_counts(&s);
	print_summary(&s);
	if (end)
		*end = *s.progress;
	if (nr_found(&s))
		return CLI_FAILS;
	return ran ? CLI_HOLDS : CLI_BAD;
}
