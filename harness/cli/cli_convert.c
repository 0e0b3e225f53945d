/* SPDX-License-Identifier: GPL-2.0-only */
/* buddycheck convert: a case in another form. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/bytes.h"
#include "harness/cli/cli.h"
#include "harness/input.h"
#include "harness/script.h"

static const char help[] =
	"Usage: buddycheck convert IN OUT\n"
	"\n"
	"Write the case in IN to OUT. The form follows from the name of OUT:\n"
	"\n"
	"  NAME.script, NAME.txt  a script\n"
	"  -                      a script, to standard output\n"
	"  NAME.bytes             a bytes file: names, comments and expectations are lost\n";

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text);

	return len >= strlen(end) && !strcmp(text + len - strlen(end), end);
}

static void render_script(const struct testcase *c, struct bytes *text)
{
	char *data;
	FILE *out = open_memstream(&data, &text->len);

	if (!out)
		abort();
	script_write(out, c);
	if (fclose(out))
		abort();
	text->data = (u8 *)data;
}

static bool write_file(const char *path, const struct bytes *bytes)
{
	FILE *out = strcmp(path, "-") ? fopen(path, "wb") : stdout;
	bool ok;

	if (!out)
		return false;
	ok = fwrite(bytes->data, 1, bytes->len, out) == bytes->len;
	return (out == stdout || !fclose(out)) && ok;
}

/* Nothing is written unless the whole case can be. */
static int convert(const struct testcase *c, const char *from, const char *to)
{
	const char *why = NULL;
	struct bytes bytes;
	int status = CLI_HOLDS;

	if (ends_with(to, ".bytes"))
		why = bytes_encode(c, &bytes);
	else
		render_script(c, &bytes);
	if (why) {
		fprintf(stderr, "%s:1: does not fit into bytes (%s)\n", from, why);
		return CLI_BAD;
	}
	if (!write_file(to, &bytes)) {
		perror(to);
		status = CLI_BAD;
	}
	free(bytes.data);
	return status;
}

static int run(int argc, char **argv)
{
	static const struct option options[] = {CLI_HELP_OPTION, {0}};
	const char *from, *to;
	char err[CASE_ERROR_SIZE];
	struct testcase c;
	int status;

	while (cli_option(&command_convert, argc, argv, options) >= 0)
		;
	if (optind + 2 != argc)
		return cli_usage(&command_convert, "expected IN and OUT");
	from = argv[optind];
	to = argv[optind + 1];
	if (strcmp(to, "-") && !ends_with(to, ".script") && !ends_with(to, ".txt") &&
	    !ends_with(to, ".bytes"))
		return cli_usage(&command_convert,
				 "%s: expected a name that ends in .script, .txt or .bytes, or -",
				 to);
	case_init(&c);
	if (case_load(from, &c, err)) {
		fprintf(stderr, "%s\n", err);
		return CLI_BAD;
	}
	status = convert(&c, from, to);
	case_free(&c);
	return status;
}

const struct command command_convert = {
	.name = "convert",
	.what = "write a case in another form",
	.help = help,
	.run = run,
};
