/* SPDX-License-Identifier: GPL-2.0-only */
/* buddycheck policy: what presets and switches there are. */
#include <stdio.h>

#include "harness/cli/cli.h"
#include "model/policy.h"

static const char help[] =
	"Usage: buddycheck policy\n"
	"\n"
	"List the policies that the port can follow: presets, each compared with a release of the\n"
	"kernel, and switches, which change one mechanism. A policy is named PRESET[+SWITCH]...,\n"
	"as in `--subject port:v7.3+V1+V2` or `port:v7.3+contig_valid=hugeskip`.\n";

static void print_preset(const struct policy_preset *preset, const struct policy_switch *switches,
			 size_t nr_switches)
{
	printf("  %-14s%s\n", preset->name, preset->what);
	printf("  %-14scompared with %s\n", "", preset->compared);
	printf("  %-14s", "");
	for (size_t i = 0; i < nr_switches; i++)
		printf("%s=%s%s", switches[i].name,
		       policy_value_name(&switches[i], &preset->policy),
		       i + 1 < nr_switches ? " " : "\n");
}

static void print_switch(const struct policy_switch *sw)
{
	printf("  %-14s", sw->name);
	for (size_t i = 0; i < sw->nr_values; i++)
		printf("%s%s", sw->values[i].name, i + 1 < sw->nr_values ? " | " : "\n");
	printf("  %-14s%s\n", "", sw->what);
	printf("  %-14ssource: %s\n", "", sw->source);
	printf("  %-14scompared with %s\n", "", sw->compared);
}

static int run(int argc, char **argv)
{
	static const struct option options[] = {CLI_HELP_OPTION, {0}};
	const struct policy_preset *presets;
	const struct policy_switch *switches;
	size_t nr_presets, nr_switches;

	while (cli_option(&command_policy, argc, argv, options) >= 0)
		;
	if (optind < argc)
		return cli_usage(&command_policy, "'%s': expected no argument", argv[optind]);

	presets = policy_presets(&nr_presets);
	switches = policy_switches(&nr_switches);
	puts("Presets");
	for (size_t i = 0; i < nr_presets; i++)
		print_preset(&presets[i], switches, nr_switches);
	puts("\nSwitches");
	for (size_t i = 0; i < nr_switches; i++)
		print_switch(&switches[i]);
	return CLI_HOLDS;
}

const struct command command_policy = {
	.name = "policy",
	.what = "list presets and switches",
	.help = help,
	.run = run,
};
