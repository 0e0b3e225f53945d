/* SPDX-License-Identifier: GPL-2.0-only */
/* buddycheck properties: what is judged, and how often cases gave reason to. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/cli.h"
#include "harness/generate.h"
#include "harness/input.h"
#include "harness/player.h"
#include "model/gfp.h"

static const char help[] =
	"Usage: buddycheck properties [--decisions] [--generate N] [FILE]...\n"
	"\n"
	"List the properties: id, family (the source file in properties/), who promises it, rule, "
	"sentence,\n"
	"and what it is judged by. With cases to play (files, generated ones) there are three "
	"counts: how\n"
	"often it was meaningful, how often it failed then, and how often a stated exception "
	"excused it.\n"
	"\n"
	"  --generate N  play N generated cases of 64 operations, with seeds 1 to N\n"
	"  --decisions   instead of the list, where the slow paths of these cases ended, by order "
	"and gfp\n"
	"\n"
	"Exit status: 1 if something failed, 2 if a file cannot be played, else 0.\n";

#define GENERATED_OPS 64

/* ---- the list ------------------------------------------------------------ */

static const struct {
	u32 bit;
	const char *name;
} promises[] = {
	{PROMISE_ALL, "all"},
	{PROMISE_V1, "V1"},
	{PROMISE_V2, "V2"},
	{PROMISE_NOT_V1, "not-V1"},
	{PROMISE_NOT_V2, "not-V2"},
	{PROMISE_TWOPASS, "twopass"},
	{PROMISE_HUGESKIP, "hugeskip"},
	{PROMISE_KERNEL, "kernel"},
	{PROMISE_MODES, "modes"},
	{PROMISE_CLAIMS, "claims"},
	{PROMISE_HYGIENE, "hygiene"},
	{PROMISE_ACCOUNTS, "accounts"},
	{PROMISE_FREE_HIGHATOMIC, "free-highatomic"},
	{PROMISE_FREE_BLOCKS, "free-blocks"},
	{PROMISE_TUNED_PCP, "tuned-pcp"},
	{PROMISE_FREES_IN_STEPS, "frees-in-steps"},
	{PROMISE_ISOLATE_BIT, "isolate-bit"},
	{PROMISE_SLOW_7X, "slow-7.x"},
	{PROMISE_SLOW_73, "slow-7.3"},
};

/* One word. */
static const char *promised_by(const struct property *p, char text[64])
{
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(promises); i++) {
		if (p->promise & promises[i].bit)
			n += (size_t)snprintf(text + n, 64 - n, "%s%s", n ? "," : "",
					      promises[i].name);
	}
	return n ? text : "nobody";
}

/* @text in lines of at most 90 characters, behind a margin. */
static void print_wrapped(const char *text)
{
	const size_t width = 90;

	while (*text) {
		size_t n = strlen(text);

		if (n > width) {
			for (n = width; n && text[n] != ' '; n--)
				;
		}
		printf("    %.*s\n", (int)n, text);
		text += n + (text[n] == ' ');
	}
}

/* @counts: NULL, there are none. */
static void print_properties(const struct property_count *counts)
{
	printf("%-26s %-12s %-15s", "id", "family", "promise");
	if (counts)
		printf(" %11s %7s %9s", "meaningful", "failed", "excused");
	puts("  rule");
	for (u32 i = 0; i < nr_properties; i++) {
		const struct property *p = properties[i];
		char text[64];

		printf("%-26s %-12s %-15s", p->id, property_family(p), promised_by(p, text));
		if (counts)
			printf(" %11llu %7llu %9llu", (unsigned long long)counts[i].meaningful,
			       (unsigned long long)counts[i].failed,
			       (unsigned long long)counts[i].excused);
		printf("  %s\n", p->rule);
		print_wrapped(p->sentence);
		printf("    needs %s\n", p->needs);
	}
}

/* ---- decisions ----------------------------------------------------------- */

/* Steps of the slow path (spec 6.1) at which a request ends. */
static const struct {
	u32 step;
	const char *name;
} exits[] = {
	{SLOW_EXIT_NO_ZONE, "no zone is eligible"},
	{SLOW_EXIT_CPUSET_INSANE, "cpuset allows no zone"},
	{SLOW_EXIT_GPFF, "page from the lists"},
	{SLOW_EXIT_NO_DIRECT_RECLAIM, "may not reclaim"},
	{SLOW_EXIT_PF_MEMALLOC, "PF_MEMALLOC"},
	{SLOW_EXIT_RECLAIM, "page after reclaim"},
	{SLOW_EXIT_COMPACT, "page after compaction"},
	{SLOW_EXIT_NORETRY_THISNODE, "local NORETRY"},
	{SLOW_EXIT_NORETRY, "NORETRY"},
	{SLOW_EXIT_COSTLY, "costly, may fail"},
	{SLOW_EXIT_OOM_PAGE, "page before OOM"},
	{SLOW_EXIT_OOM_VICTIM, "OOM victim"},
	{SLOW_EXIT_NO_OOM_PROGRESS, "OOM refused"},
	{SLOW_EXIT_NOFAIL_PAGE, "NOFAIL's last resort"},
	{SLOW_EXIT_FUEL, "out of fuel"},
};

/* By what decides where a slow path goes on. The first that fits. */
static const struct {
	u32 all; /* flags that it has */
	const char *name;
} gfps[] = {
	{__GFP_NOFAIL | __GFP_DIRECT_RECLAIM, "NOFAIL"},
	{__GFP_NORETRY | __GFP_THISNODE | __GFP_DIRECT_RECLAIM, "NORETRY+NODE"},
	{__GFP_NORETRY | __GFP_DIRECT_RECLAIM, "NORETRY"},
	{__GFP_RETRY_MAYFAIL | __GFP_DIRECT_RECLAIM, "MAYFAIL"},
	{__GFP_DIRECT_RECLAIM, "blocking"},
	{0, "nonblocking"},
};

enum { ORDER_0, ORDER_SMALL, ORDER_COSTLY, ORDER_BLOCK, NR_ORDER_CLASSES };

static const char *const order_names[NR_ORDER_CLASSES] = {
	[ORDER_0] = "order 0",
	[ORDER_SMALL] = "orders 1 to 3",
	[ORDER_COSTLY] = "costly, less than a pageblock",
	[ORDER_BLOCK] = "a pageblock or more",
};

struct decisions {
	u64 nr[NR_ORDER_CLASSES][ARRAY_SIZE(exits)][ARRAY_SIZE(gfps)];
	const struct player *player; /* its machine is the one that plays */
	struct observer observer;
};

static u32 order_class(const struct machine *m, u32 order)
{
	if (order >= m->pageblock_order)
		return ORDER_BLOCK;
	if (order > PAGE_ALLOC_COSTLY_ORDER)
		return ORDER_COSTLY;
	return order ? ORDER_SMALL : ORDER_0;
}

static void count_decision(void *ctx, const struct event *event)
{
	struct decisions *d = ctx;
	u32 order = order_class(&d->player->machine, (u32)event->order);
	u32 exit = 0, gfp = 0;

	while (exit < ARRAY_SIZE(exits) - 1 && exits[exit].step != event->a)
		exit++;
	while ((event->gfp & gfps[gfp].all) != gfps[gfp].all)
		gfp++;
	d->nr[order][exit][gfp]++;
}

static void print_decisions(const struct decisions *d)
{
	u32 holes = 0;

	for (u32 order = 0; order < NR_ORDER_CLASSES; order++) {
		printf("%s%-30s", order ? "\n" : "", order_names[order]);
		for (u32 gfp = 0; gfp < ARRAY_SIZE(gfps); gfp++)
			printf(" %12s", gfps[gfp].name);
		putchar('\n');
		for (u32 exit = 0; exit < ARRAY_SIZE(exits); exit++) {
			printf("  %2u %-25s", exits[exit].step, exits[exit].name);
			for (u32 gfp = 0; gfp < ARRAY_SIZE(gfps); gfp++) {
				u64 nr = d->nr[order][exit][gfp];

				holes += !nr;
				if (nr)
					printf(" %12llu", (unsigned long long)nr);
				else
					printf(" %12s", "-");
			}
			putchar('\n');
		}
	}
	printf("\n%u of %zu places are holes (-): not reached by these cases, or not to be reached "
	       "at all\n",
	       holes, sizeof(d->nr) / sizeof(d->nr[0][0][0]));
}

/* ---- the cases ----------------------------------------------------------- */

struct session {
	struct player player;
	struct decisions decisions;
	bool failed, bad_input;
};

static void play_case(struct session *s, const struct testcase *c, const char *file)
{
	struct play_result result;

	player_play(&s->player, c, file, &result);
	if (result.status == PLAY_REFUSED) {
		cli_refuse(file, result.why);
		s->bad_input = true;
	}
	if (result.status != PLAY_FOUND)
		return;
	fprintf(stderr, "%s: op %u: %s\n", file, result.first.step + 1, result.first.text);
	s->failed = true;
}

static void play_file(struct session *s, const char *file)
{
	char err[CASE_ERROR_SIZE];
	struct testcase c;

	case_init(&c);
	if (case_load(file, &c, err)) {
		fprintf(stderr, "%s\n", err);
		s->bad_input = true;
		return;
	}
	play_case(s, &c, file);
	case_free(&c);
}

static void play_generated(struct session *s, u32 nr)
{
	struct testcase c;
	char name[32];

	case_init(&c);
	for (u32 seed = 1; seed <= nr; seed++) {
		snprintf(name, sizeof(name), "generated case %u", seed);
		generate_case(seed, GENERATED_OPS, &c);
		play_case(s, &c, name);
	}
	case_free(&c);
}

static int list(struct session *s, bool decisions, u32 generated, char **files, int nr_files)
{
	bool any = generated || nr_files;

	if (decisions && !any)
		return cli_usage(&command_properties, "expected cases for --decisions");
	play_generated(s, generated);
	for (int i = 0; i < nr_files; i++)
		play_file(s, files[i]);
	if (decisions)
		print_decisions(&s->decisions);
	else
		print_properties(any ? s->player.counts : NULL);
	if (s->bad_input)
		return CLI_BAD;
	return s->failed ? CLI_FAILS : CLI_HOLDS;
}

static int run(int argc, char **argv)
{
	static const struct option options[] = {
		{"decisions", no_argument, NULL, 'd'},
		{"generate", required_argument, NULL, 'g'},
		CLI_HELP_OPTION,
		{0},
	};
	struct session s = {.decisions.player = &s.player};
	bool decisions = false;
	u32 generated = 0;
	int option, status;

	s.decisions.observer = (struct observer){
		.event = count_decision, .ctx = &s.decisions, .mask = EV_BIT(EV_SLOWPATH_EXIT)};
	while ((option = cli_option(&command_properties, argc, argv, options)) >= 0) {
		if (option == 'd')
			decisions = true;
		else
			generated =
				(u32)cli_number(&command_properties, "--generate", 1, UINT32_MAX);
	}
	player_init(&s.player, NULL, CHECK_WRITTEN);
	if (decisions)
		s.player.listener = &s.decisions.observer;
	status = list(&s, decisions, generated, argv + optind, argc - optind);
	player_exit(&s.player);
	return status;
}

const struct command command_properties = {
	.name = "properties",
	.what = "list the properties and how often cases met them",
	.help = help,
	.run = run,
};
