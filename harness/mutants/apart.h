/* SPDX-License-Identifier: GPL-2.0-only */
/* Playing cases with a mutant alive in a process apart: it may crash, or never end. */
#ifndef HARNESS_MUTANTS_APART_H
#define HARNESS_MUTANTS_APART_H

#include "harness/mutants/progress.h"
#include "harness/mutants/selector.h"

/* What is wrong; false: nothing. */
struct judgement {
	bool detected;
	u32 how; /* as in struct mutant_progress */
};

/*
 * Play the files of @paths ([@nr]) one after the other with @mutant alive (NULL: none), judged after every op,
 * until one shows something. *@which is that one.
 */
struct judgement apart_play(const struct mutant *mutant, char *const *paths, u32 nr, u32 *which);

/* A death in the case in @p->body: is it the mutant's, so that the port lives through the same case? */
bool apart_confirm(const struct mutant *mutant, const struct mutant_progress *p);

/*
 * Make the case in @p->body small, so that @mutant is still detected by the same, and write it to @path
 * as a script that begins with the mutant's story. Returns its number of ops; 0: it does not show it.
 */
u32 apart_shrink(const struct mutant *mutant, const struct mutant_progress *p, const char *path);

#endif
