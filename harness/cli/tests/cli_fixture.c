/* SPDX-License-Identifier: GPL-2.0-only */
/* Running the built program in a folder of its own. */
#include "harness/cli/tests/cli_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

char dir[] = "/tmp/buddycheck-cli-XXXXXX";
char out[CLI_TEXT_SIZE], err[CLI_TEXT_SIZE];

static void path_of(char *path, size_t size, const char *name)
{
	snprintf(path, size, "%s/%s", dir, name);
}

void slurp(const char *name, char *text, size_t size)
{
	char path[128];
	FILE *f;

	path_of(path, sizeof(path), name);
	f = fopen(path, "r");
	assert_non_null(f);
	text[fread(text, 1, size - 1, f)] = '\0';
	fclose(f);
}

void put(const char *name, const char *text)
{
	char path[128];
	FILE *f;

	path_of(path, sizeof(path), name);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

int run(const char *format, ...)
{
	char arguments[1024], command[4096], program[1024];
	va_list args;
	int status;

	va_start(args, format);
	vsnprintf(arguments, sizeof(arguments), format, args);
	va_end(args);
	assert_non_null(realpath(BUDDYCHECK, program));
	snprintf(command, sizeof(command), "cd %s && { B=%s; $B %s; } >.out 2>.err </dev/null", dir,
		 program, arguments);
	status = system(command);
	slurp(".out", out, sizeof(out));
	slurp(".err", err, sizeof(err));
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

const char *last_line(const char *text)
{
	const char *line = text;

	for (const char *p = text; *p; p++)
		if (*p == '\n' && p[1])
			line = p + 1;
	return line;
}

unsigned int lines(const char *text)
{
	unsigned int n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

int make_dir(void **state)
{
	(void)state;
	return mkdtemp(dir) ? 0 : -1;
}

int remove_dir(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	return system(command);
}
