/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * buddycheck: the table of subcommands, and the help.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/cli.h"

#define VERSION "0.1"

static const struct command *const commands[] = {
	&command_play,	   &command_shrink, &command_show,	 &command_convert,
	&command_generate, &command_policy, &command_properties, &command_fuzz,
	&command_conform,  &command_gate,   &command_mutants,
};

static void print_help(FILE *out)
{
	fputs("buddycheck plays cases on a page allocator and judges every step.\n"
	      "\n"
	      "Usage: buddycheck COMMAND [ARGUMENT]...\n"
	      "\n",
	      out);
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		fprintf(out, "  %-12s%s\n", commands[i]->name, commands[i]->what);
	fputs("\n"
	      "`buddycheck COMMAND --help` tells more. Exit status: 0 everything holds, 1 a "
	      "divergence\n"
	      "or a violation, 2 bad input or usage.\n",
	      out);
}

int cli_option(const struct command *command, int argc, char **argv, const struct option *options)
{
	const char *short_options = command->short_options ? command->short_options : "";
	int option = getopt_long(argc, argv, short_options, options, NULL);

	if (option == 'h') {
		fputs(command->help, stdout);
		exit(fflush(stdout) ? CLI_BAD : CLI_HOLDS);
	}
	if (option == '?') { /* getopt_long has said what is wrong */
		fprintf(stderr, "Try 'buddycheck %s --help'.\n", command->name);
		exit(CLI_BAD);
	}
	return option;
}

int cli_usage(const struct command *command, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "buddycheck %s: ", command->name);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, "\nTry 'buddycheck %s --help'.\n", command->name);
	return CLI_BAD;
}

int cli_refuse(const char *file, const char *why)
{
	fprintf(stderr, "%s:1: not played by this subject (%s)\n", file, why);
	return CLI_BAD;
}

u64 cli_number(const struct command *command, const char *option, u64 min, u64 max)
{
	u64 number;
	char *end;

	errno = 0;
	number = strtoull(optarg, &end, 10);
	if (optarg[0] < '0' || optarg[0] > '9' || errno || *end || number < min || number > max)
		exit(cli_usage(command, "%s %s: expected a number, %llu to %llu", option, optarg,
			       (unsigned long long)min, (unsigned long long)max));
	return number;
}

const struct property *cli_property(const struct command *command, const char *option)
{
	for (u32 i = 0; i < nr_properties; i++)
		if (!strcmp(properties[i]->id, optarg))
			return properties[i];
	exit(cli_usage(command, "%s %s: " CLI_EXPECTED_PROPERTY, option, optarg));
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		print_help(stderr);
		return CLI_BAD;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "help")) {
		print_help(stdout);
		return CLI_HOLDS;
	}
	if (!strcmp(argv[1], "--version")) {
		puts("buddycheck " VERSION);
		return CLI_HOLDS;
	}
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		int status;

		if (strcmp(argv[1], commands[i]->name))
			continue;
		status = commands[i]->run(argc - 1, argv + 1);
		if (fflush(stdout) || ferror(stdout)) {
			perror("buddycheck: standard output");
			return CLI_BAD;
		}
		return status;
	}
	fprintf(stderr, "buddycheck: no command '%s'. Try 'buddycheck --help'.\n", argv[1]);
	return CLI_BAD;
}
