/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the ops of fuzz inputs do, so that a speed can be judged: an execution that does nothing
 * is fast.
 *
 *      workload FILE...
 */
#include <stdio.h>
#include <stdlib.h>

#include "harness/bytes.h"
#include "harness/run.h"
#include "harness/state_text.h"

#define MAX_SIZE (1U << 20)

static struct {
	u32 cases;
	u32 ops, changed, slow, fell_back;
	bool is_slow, falls_back; /* the op that runs */
} tally;

static void note(void *ctx, const struct event *event)
{
	(void)ctx;
	tally.is_slow |= event->type == EV_SLOWPATH_EXIT;
	tally.falls_back |= event->type == EV_MM_PAGE_ALLOC_EXTFRAG;
}

static void play(const struct testcase *c)
{
	const struct observer observer = {
		.event = note, .mask = EV_BIT(EV_SLOWPATH_EXIT) | EV_BIT(EV_MM_PAGE_ALLOC_EXTFRAG)};
	const char *why;
	struct subject *s = subject_create(NULL, &c->machine, &why);
	struct run r;

	if (!s) {
		fprintf(stderr, "%s\n", why);
		exit(2);
	}
	run_init(&r, c, s, CHECK_NONE, &observer);
	for (u32 i = 0; i < c->nr_ops; i++) {
		u64 before = state_hash(s->ops->view(s));

		tally.is_slow = tally.falls_back = false;
		run_step(&r);
		tally.ops++;
		tally.changed += state_hash(s->ops->view(s)) != before;
		tally.slow += tally.is_slow;
		tally.fell_back += tally.falls_back;
	}
	tally.cases++;
	run_free(&r);
	s->ops->destroy(s);
}

static void play_file(const char *path)
{
	static u8 data[MAX_SIZE];
	FILE *in = fopen(path, "rb");
	struct testcase c;

	if (!in) {
		perror(path);
		exit(2);
	}
	case_init(&c);
	bytes_decode_body(data, fread(data, 1, MAX_SIZE, in), &c);
	fclose(in);
	play(&c);
	case_free(&c);
}

static double percent(u32 n)
{
	return tally.ops ? 100.0 * n / tally.ops : 0;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		play_file(argv[i]);
	printf("%u cases, %u ops: %.1f %% change the state, %.1f %% enter the slow path, "
	       "%.1f %% fall back\n",
	       tally.cases, tally.ops, percent(tally.changed), percent(tally.slow),
	       percent(tally.fell_back));
	return 0;
}
