/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command line for tests: the built program is run in a folder that is there for the test
 * program alone. BUDDYCHECK is the program that the Makefile built with the test.
 */
#ifndef HARNESS_CLI_TESTS_CLI_FIXTURE_H
#define HARNESS_CLI_TESTS_CLI_FIXTURE_H

#include <stddef.h>

#define CLI_TEXT_SIZE (1 << 16)

extern char dir[]; /* the folder */
extern char out[CLI_TEXT_SIZE], err[CLI_TEXT_SIZE]; /* of the last run */

/* Group set-up and teardown. */
int make_dir(void **state);
int remove_dir(void **state);

/* Run `buddycheck ARGUMENTS` in the folder; fills in out and err, returns the exit status. */
__attribute__((format(printf, 1, 2))) int run(const char *format, ...);

/* Write @text to the file @name in the folder; read such a file. */
void put(const char *name, const char *text);
void slurp(const char *name, char *text, size_t size);

const char *last_line(const char *text);
/* How many there are. */
unsigned int lines(const char *text);

#endif
