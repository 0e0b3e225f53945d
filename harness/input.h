/* SPDX-License-Identifier: GPL-2.0-only */
/* A case out of a file, whatever its form. */
#ifndef HARNESS_INPUT_H
#define HARNESS_INPUT_H

#include "harness/case.h"
#include "harness/text.h"

#define INPUT_MAX_SIZE (64UL << 20) /* after decompression */

enum case_form { FORM_SCRIPT, FORM_BYTES, FORM_RECORDING, FORM_UNKNOWN };

/* By the magic, or the first word that counts. */
enum case_form case_form(const char *data, size_t len);

/*
 * Read @path, plain or gzip, "-" for the standard input. The caller frees *@data. False: one line
 * in @err.
 */
bool input_read(const char *path, char **data, size_t *len, char err[CASE_ERROR_SIZE]);

/*
 * Read and decode @path into @c, which must be empty. Returns 0, or -1 with one line
 * `file:line: what is wrong (what was expected)` in @err; @c is then empty.
 */
int case_load(const char *path, struct testcase *c, char err[CASE_ERROR_SIZE]);

/* The same from memory; @name stands for the file in messages. */
int case_decode(const char *name, const char *data, size_t len, struct testcase *c,
		char err[CASE_ERROR_SIZE]);

#endif
