/* SPDX-License-Identifier: GPL-2.0-only */
/* Starting an engine, waiting for it, and what its end means. */
#define _GNU_SOURCE /* memfd_create, nftw */
#include "harness/mutants/trial.h"

#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOOK_EVERY_MS 10

const char *detected_by(u32 how)
{
	if (how == DETECTED_CRASH)
		return "crash";
	return how == DETECTED_HANG ? "hang" : properties[how]->id;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

/* Folders of this build: WORK/corpus and so on; the targets are beside this program. */
static bool prepare(struct fuzz_options *o, const char *work)
{
	char self[FUZZ_PATH_SIZE - 32];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);

	self[len < 0 ? 0 : len] = '\0';
	if (!strrchr(self, '/'))
		return false;
	*strrchr(self, '/') = '\0';
	nftw(work, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	snprintf(o->target, sizeof(o->target), "%s/target-%s", self, o->engine->name);
	snprintf(o->mutator, sizeof(o->mutator), "%s/../afl/mutator.so", self);
	snprintf(o->corpus, sizeof(o->corpus), "%s/corpus", work);
	snprintf(o->findings, sizeof(o->findings), "%s/findings", work);
	snprintf(o->seeds, sizeof(o->seeds), "%s/none", work);
	return !mkdir(work, 0777) && !mkdir(o->corpus, 0777) && !mkdir(o->findings, 0777);
}

static void become_engine(const struct fuzz_options *o, const struct mutant *mutant,
			  const char *progress, const char *work)
{
	char log[FUZZ_PATH_SIZE];
	int fd;

	snprintf(log, sizeof(log), "%s/log", work);
	fd = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	setpgid(0, 0);
	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0 || dup2(fd, STDERR_FILENO) < 0)
		_exit(127);
	setenv(MUTANT_VARIABLE, mutant->id, 1);
	setenv(MUTANT_PROGRESS, progress, 1);
	setenv(FUZZ_FINDINGS, o->findings, 1);
	o->engine->exec(o, 0);
	_exit(127);
}

/* Until the engine has ended, or what it runs has said that it is done. */
static void wait_for(pid_t pid, const struct mutant_progress *p)
{
	const struct timespec pause = {.tv_nsec = LOOK_EVERY_MS * 1000000L};

	while (waitpid(pid, NULL, WNOHANG) == 0) {
		if (!p->detected_at && p->used_us <= p->limit_us) {
			nanosleep(&pause, NULL);
			continue;
		}
		kill(-pid, SIGKILL);
		waitpid(pid, NULL, 0);
		return;
	}
	kill(-pid, SIGKILL); /* what it has left behind */
}

bool trial_run(const struct mutant *mutant, const struct fuzz_engine *engine, u64 seed, u64 seconds,
	       const char *work, struct mutant_progress *end)
{
	static struct fuzz_options o;
	int fd = memfd_create("progress", 0);
	struct mutant_progress *p = MAP_FAILED;
	char path[64];
	pid_t pid;

	o = (struct fuzz_options){.engine = engine, .seed = seed};
	if (fd >= 0 && !ftruncate(fd, sizeof(*p)))
		p = mmap(NULL, sizeof(*p), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED || !prepare(&o, work)) {
		perror(work);
		return false;
	}
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", getpid(), fd);
	p->limit_us = seconds * 1000000;
	pid = fork();
	if (!pid)
		become_engine(&o, mutant, path, work);
	if (pid > 0)
		wait_for(pid, p);
	/* It has ended in the middle of an execution, by no decision of ours. */
	if (!p->detected_at && p->used_us <= p->limit_us && p->executions) {
		p->how = DETECTED_CRASH;
		p->detected_at = p->executions;
	}
	*end = *p;
	munmap(p, sizeof(*p));
	close(fd);
	if (!end->executions)
		fprintf(stderr, "%s: %s has played nothing, see %s/log\n", mutant->id, engine->name,
			work);
	return end->executions;
}
