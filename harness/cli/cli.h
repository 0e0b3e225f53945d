/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command line: one row for each subcommand, and what they share.
 */
#ifndef HARNESS_CLI_CLI_H
#define HARNESS_CLI_CLI_H

#include <getopt.h>

#include "properties/judge.h"

/* Exit statuses of every subcommand. */
enum cli_exit {
	CLI_HOLDS = 0, /* nothing wrong */
	CLI_FAILS = 1, /* a divergence or a violation */
	CLI_BAD = 2, /* bad input or usage */
};

struct command {
	const char *name;
	const char *what; /* one line */
	const char *help; /* the text of `buddycheck NAME --help` */
	const char *short_options; /* as getopt() wants them, or NULL */
	/* argv[0] is the name of the subcommand; getopt starts afresh. */
	int (*run)(int argc, char **argv);
};

extern const struct command command_play;
extern const struct command command_show;
extern const struct command command_convert;
extern const struct command command_generate;
extern const struct command command_policy;
extern const struct command command_shrink;
extern const struct command command_properties;
extern const struct command command_fuzz;
extern const struct command command_conform;
extern const struct command command_gate;
extern const struct command command_mutants;

/* What --promise wants. */
#define CLI_EXPECTED_PROPERTY "expected a property that `buddycheck properties` lists"

/* "--help" of a subcommand; every table of long options ends with it. */
#define CLI_HELP_OPTION {"help", no_argument, NULL, 'h'}

/*
 * Next option of @command, or -1 at the end. `--help` prints the help and exits; an unknown option or
 * a missing argument is a usage error.
 */
int cli_option(const struct command *command, int argc, char **argv, const struct option *options);

/* "buddycheck NAME: what is wrong", and where the help is; returns CLI_BAD. */
__attribute__((format(printf, 2, 3))) int cli_usage(const struct command *command,
						    const char *format, ...);

/* Say that @file was read and is not played: @why is what was expected; returns CLI_BAD. */
int cli_refuse(const char *file, const char *why);

/* The argument of @option, a number in [@min, @max]; anything else is a usage error and exits. */
u64 cli_number(const struct command *command, const char *option, u64 min, u64 max);

/* The argument of @option, the id of a property; anything else is a usage error and exits. */
const struct property *cli_property(const struct command *command, const char *option);

#endif
