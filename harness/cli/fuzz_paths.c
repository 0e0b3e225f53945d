/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a session has its program and its files. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/cli/fuzz_run.h"

/* This program is BUILD/VARIANT/buddycheck. */
static void build_folder(char folder[PATH_MAX])
{
	ssize_t len = readlink("/proc/self/exe", folder, PATH_MAX - 1);

	folder[len < 0 ? 0 : len] = '\0';
	for (int up = 0; up < 2 && strrchr(folder, '/'); up++)
		*strrchr(folder, '/') = '\0';
}

/* @path, if it is still empty, becomes BUILD/NAME, relative to here if that is possible. False: it is too long. */
static bool default_path(char path[FUZZ_PATH_SIZE], const char *build, const char *name,
			 const char *more)
{
	char here[PATH_MAX];
	size_t len;

	if (path[0])
		return true;
	if (getcwd(here, sizeof(here)) && !strncmp(build, here, len = strlen(here)) &&
	    build[len] == '/')
		build += len + 1;
	return snprintf(path, FUZZ_PATH_SIZE, "%s/%s%s", build, name, more) < FUZZ_PATH_SIZE;
}

bool fuzz_plays_kernel(const struct fuzz_options *o)
{
	return !o->kernel && o->subject && !strncmp(o->subject, "kernel:", 7);
}

/* Where a kind of session has its files. */
struct places {
	const char *target, *corpus, *findings;
};

static struct places places_of(const struct fuzz_options *o)
{
	const struct fuzz_engine *e = o->engine;

	if (o->kernel)
		return (struct places){e->lockstep, "corpus-lockstep-", "divergences"};
	if (fuzz_plays_kernel(o))
		return (struct places){e->kernel_target, "corpus-kernel-", "findings-kernel"};
	return (struct places){e->target, "corpus-", "findings"};
}

static bool fill_paths(struct fuzz_options *o)
{
	const struct fuzz_engine *e = o->engine;
	const struct places places = places_of(o);
	char build[PATH_MAX];

	build_folder(build);
	return default_path(o->target, build, places.target, "") &&
	       (!e->mutator || default_path(o->mutator, build, e->mutator, "")) &&
	       default_path(o->corpus, build, places.corpus, e->name) &&
	       default_path(o->seeds, build, "seeds/case", "") &&
	       default_path(o->findings, build, places.findings, "");
}

/* False, with a message: nothing can be written there. */
static bool make_folder(const char *path, const char *command)
{
	struct stat st;
	bool made = !mkdir(path, 0777);

	if (!made && errno == EEXIST && !stat(path, &st)) {
		made = S_ISDIR(st.st_mode) && !access(path, W_OK | X_OK);
		if (!S_ISDIR(st.st_mode))
			errno = ENOTDIR;
	}
	if (!made)
		fprintf(stderr, "buddycheck %s: %s: %s\n", command, path, strerror(errno));
	return made;
}

bool fuzz_prepare(struct fuzz_options *o, const char *command)
{
	if (!fill_paths(o)) {
		fprintf(stderr, "buddycheck %s: expected a shorter path of the build folder\n",
			command);
		return false;
	}
	if (access(o->target, X_OK)) {
		fprintf(stderr, "buddycheck %s: %s is not there: run `make ", command, o->target);
		if (o->kernel || fuzz_plays_kernel(o))
			fprintf(stderr, "%s %s", o->target, o->mutator);
		else
			fprintf(stderr, "fuzz ENGINE=%s", o->engine->name);
		fputs("` once, which builds it\n", stderr);
		return false;
	}
	return make_folder(o->findings, command) &&
	       (!o->engine->guided || make_folder(o->corpus, command));
}
