/* SPDX-License-Identifier: GPL-2.0-only */
/* Processes of which the end alone may tell what has happened. */
#include "harness/mutants/apart.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/bytes.h"
#include "harness/input.h"
#include "harness/mutants/trial.h"
#include "harness/player.h"
#include "harness/script.h"
#include "harness/shrink.h"

/* CPU time. */
#define PLAY_SECONDS 20
#define TRY_SECONDS 1
#define SHRINK_SECONDS 60
#define TRIES 2500U
#define TRIES_APART 300U /* where each try is a process */

/* Shared with the process. */
struct told {
	bool done; /* it has come to its end */
	struct judgement verdict;
	u32 which; /* file */
	u32 ops;
};

static struct told *share(void)
{
	struct told *told = mmap(NULL, sizeof(*told), PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (told == MAP_FAILED)
		abort();
	return told;
}

/* Wait for @pid; what its end means where it has not told. */
static void wait_for(pid_t pid, struct told *told)
{
	int status = 0;

	waitpid(pid, &status, 0);
	if (told->done)
		return;
	told->verdict.detected = true;
	told->verdict.how =
		WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU ? DETECTED_HANG : DETECTED_CRASH;
}

/* In the process: what a sanitizer has to say is not for the user, and it has so long. */
static void be_apart(const struct mutant *mutant, u32 seconds)
{
	const struct rlimit cpu = {.rlim_cur = seconds, .rlim_max = seconds + 1};
	const struct rlimit core = {0};

	setrlimit(RLIMIT_CPU, &cpu);
	setrlimit(RLIMIT_CORE, &core);
	if (!freopen("/dev/null", "w", stderr))
		_exit(1);
	mutant_alive = mutant ? mutant->number : 0;
}

static u32 property_index(const struct property *p)
{
	u32 i = 0;

	while (properties[i] != p)
		i++;
	return i;
}

/* Expectations do not count: what a recording or a seed says is not a property. */
static struct judgement judge(struct player *player, const struct testcase *c)
{
	struct play_result result;

	player_play(player, c, "", &result);
	if (result.first.kind != FINDING_VIOLATION)
		return (struct judgement){false, 0};
	return (struct judgement){true, property_index(result.first.violation.property)};
}

static struct judgement judge_file(struct player *player, const char *path)
{
	char err[CASE_ERROR_SIZE];
	struct testcase loaded, c;
	struct judgement verdict;

	case_init(&loaded);
	if (case_load(path, &loaded, err))
		return (struct judgement){false, 0};
	case_copy(&c, &loaded, true);
	verdict = judge(player, &c);
	case_free(&c);
	case_free(&loaded);
	return verdict;
}

struct judgement apart_play(const struct mutant *mutant, char *const *paths, u32 nr, u32 *which)
{
	struct told *told = share();
	struct judgement verdict;
	pid_t pid = fork();

	if (!pid) {
		struct player player;

		be_apart(mutant, PLAY_SECONDS);
		player_init(&player, NULL, CHECK_EACH);
		for (u32 i = 0; i < nr && !told->verdict.detected; i++) {
			told->which = i;
			told->verdict = judge_file(&player, paths[i]);
		}
		told->done = true;
		_exit(0);
	}
	wait_for(pid, told);
	verdict = told->verdict;
	*which = told->which;
	munmap(told, sizeof(*told));
	return verdict;
}

/* ---- shrinking ----------------------------------------------------------- */

struct shrinking {
	const struct mutant *mutant;
	struct player player;
	u32 how;
};

static bool is_property(u32 how)
{
	return how < nr_properties;
}

/* Play @c with @mutant alive (NULL: none), in a process of its own. */
static struct judgement judge_apart(const struct mutant *mutant, const struct testcase *c)
{
	struct told *told = share();
	struct judgement verdict;
	pid_t pid = fork();

	if (!pid) {
		struct player player;

		be_apart(mutant, TRY_SECONDS);
		player_init(&player, NULL, CHECK_EACH);
		told->verdict = judge(&player, c);
		told->done = true;
		_exit(0);
	}
	wait_for(pid, told);
	verdict = told->verdict;
	munmap(told, sizeof(*told));
	return verdict;
}

static bool shows(void *ctx, const struct testcase *c)
{
	struct shrinking *s = ctx;
	struct judgement v = is_property(s->how) ? judge(&s->player, c) : judge_apart(s->mutant, c);

	return v.detected && v.how == s->how;
}

static bool write_script(const struct mutant *mutant, const struct testcase *c, u32 how,
			 const char *path)
{
	FILE *out = fopen(path, "w");

	if (!out)
		return false;
	fprintf(out, SCRIPT_FIRST_LINE "\n%s#\n# Detected by: %s\n", mutant->story,
		detected_by(how));
	script_write_body(out, c);
	return !fclose(out);
}

/* In the process. Returns ops, or 0. */
static u32 shrink(const struct mutant *mutant, const struct mutant_progress *p, const char *path)
{
	struct shrinking s = {.mutant = mutant, .how = p->how};
	struct shrink config = {
		.shows = shows, .ctx = &s, .max_tries = is_property(p->how) ? TRIES : TRIES_APART};
	struct testcase c;

	player_init(&s.player, NULL, CHECK_EACH);
	case_init(&c);
	bytes_decode_body(p->body, p->body_size, &c);
	budget_fit(&c);
	if (!shows(&s, &c)) {
		s.player.strength = CHECK_WRITTEN;
		if (!shows(&s, &c))
			return 0;
	}
	shrink_case(&config, &c);
	return write_script(mutant, &c, p->how, path) ? c.nr_ops : 0;
}

bool apart_confirm(const struct mutant *mutant, const struct mutant_progress *p)
{
	struct testcase c;
	bool dies;

	case_init(&c);
	bytes_decode_body(p->body, p->body_size, &c);
	budget_fit(&c);
	dies = judge_apart(mutant, &c).detected && !judge_apart(NULL, &c).detected;
	case_free(&c);
	return dies;
}

u32 apart_shrink(const struct mutant *mutant, const struct mutant_progress *p, const char *path)
{
	struct told *told = share();
	pid_t pid = fork();
	u32 ops;

	if (!pid) {
		be_apart(mutant, SHRINK_SECONDS);
		told->ops = shrink(mutant, p, path);
		told->done = true;
		_exit(0);
	}
	wait_for(pid, told);
	ops = told->done ? told->ops : 0;
	munmap(told, sizeof(*told));
	return ops;
}
