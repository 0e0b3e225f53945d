/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A fuzzing session: runs an engine until it is time, shows how it gets on, and keeps
 * what it finds.
 *
 *      buddycheck fuzz ---- starts, stops ----> engine (libFuzzer, afl-fuzz, random) ---> target
 *          ^   ^                                  |  log, statistics                         |
 *          |   +----------------------------------+                                          |
 *          +------- findings/PROPERTY.bytes, progress (harness/fuzz/session.h) --------------+
 */
#ifndef HARNESS_CLI_FUZZ_RUN_H
#define HARNESS_CLI_FUZZ_RUN_H

#include <stdio.h>

#include "harness/fuzz/session.h"

#define FUZZ_PATH_SIZE 4096

struct fuzz_options {
	const struct fuzz_engine *engine;
	char target[FUZZ_PATH_SIZE]; /* the program that the engine runs, or is */
	char mutator[FUZZ_PATH_SIZE]; /* shared object for AFL++ */
	char corpus[FUZZ_PATH_SIZE]; /* folder; goes on from there */
	char seeds[FUZZ_PATH_SIZE]; /* folder; it need not exist */
	char findings[FUZZ_PATH_SIZE]; /* folder */
	const char *subject; /* port:POLICY, or NULL: the cases' own */
	const char *kernel; /* NULL, or in lock step the left subject, @subject is the right one */
	u64 seconds, executions; /* 0: no limit */
	u64 ops, divergences; /* in lock step; 0: no limit */
	u64 seed;
	const struct property *until; /* stop when it is broken; or NULL */
	bool as_found; /* do not shrink */
	bool counts; /* say in the end how often each property was meaningful */
};

/* What an engine says about itself. */
struct fuzz_figures {
	unsigned long long edges, corpus; /* 0: not told yet */
};

struct fuzz_engine {
	const char *name;
	/*
	 * Below the build folder; NULL: there is none. With a kernel as the subject nothing of ours is under
	 * test, and no sanitizer is needed.
	 */
	const char *target, *kernel_target, *lockstep, *mutator;
	bool guided; /* has edges and a corpus */
	/*
	 * In a process of its own, with its output in the log; returns only if it cannot be run. @done:
	 * executions of this session before.
	 */
	void (*exec)(const struct fuzz_options *o, u64 done);
	/* Look at its log (from where it was read last) or its files. */
	void (*look)(const struct fuzz_options *o, FILE *log, struct fuzz_figures *figures);
	/* Bodies at which the target died, as patterns below the corpus or the findings. */
	bool dead_in_corpus;
	const char *dead[2];
};

/* The table; ended by a NULL. */
extern const struct fuzz_engine *const fuzz_engines[];

/*
 * Fill in the paths that are empty, and make the folders. False, with a message of the command with
 * this name: there is no target, or nothing can be written.
 */
bool fuzz_prepare(struct fuzz_options *o, const char *command);

/* Is the subject a kernel, which is judged? */
bool fuzz_plays_kernel(const struct fuzz_options *o);

/* The exit status of the command. In lock step @end receives how far it got; else it is NULL. */
int fuzz_run(const struct fuzz_options *o, struct fuzz_progress *end);

#endif
