/* SPDX-License-Identifier: GPL-2.0-only */
/* A row of the table: what is known of one mutant, as a JSON object that is kept in a file. */
#ifndef HARNESS_MUTANTS_ROWS_H
#define HARNESS_MUTANTS_ROWS_H

#include <jansson.h>
#include <stdio.h>

#include "harness/mutants/trial.h"

struct plan {
	const char *folder; /* rows, scripts and what engines leave */
	const char *corpus; /* "corpus" */
	const struct fuzz_engine *engines[4]; /* ended by NULL */
	u64 seconds; /* of CPU time, for each trial of a guided engine */
	u32 seeds;
	bool no_scripts; /* do not shrink */
	char build[20]; /* rows of another build are made again */
};

/*
 * The row of @mutant: what the file says already, and what is missing after it was tried. The caller
 * gives it back. NULL, with a message: an engine could not be run.
 */
json_t *row_make(const struct plan *plan, const struct mutant *mutant);
/* What the file says, or NULL. */
json_t *row_load(const struct plan *plan, const struct mutant *mutant);

/* All rows, in order. */
void rows_print_text(const json_t *rows, FILE *out);
void rows_print_markdown(const json_t *rows, FILE *out);

#endif
