/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Generated cases on real kernels, judged by all properties, in both strengths:
 *
 *      trial_judge [-d DIR] [-f FIRST] [-n CASES] FILE.so...
 *
 * Each property that fails is shown once, with its seed, and counted; DIR gets the script. Fails if there is
 * any, or if the strengths do not agree about a case.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/generate.h"
#include "harness/kernel/subject_kernel.h"
#include "harness/player.h"
#include "harness/run_fit.h"
#include "harness/script.h"

#define NR_OPS 64

struct trial {
	const char *file, *dir;
	struct player written, each;
	u64 *failed; /* [nr_properties] */
	u32 disagreements, cases, ops;
};

static bool make_case(struct trial *t, u64 seed, struct testcase *c)
{
	struct machine_fitter fitter = subject_kernel_fitter(t->file);
	struct rng rng = {seed};
	struct subject *s;
	const char *why;
	bool ok;

	generate_machine_for(&rng, &c->machine, &fitter);
	generate_ops(&rng, NR_OPS, c);
	s = subject_kernel_create(t->file, &c->machine, &why);
	if (!s) {
		printf("%s: seed %llu: %s\n", t->file, (unsigned long long)seed, why);
		return false;
	}
	ok = run_fit(c, &s, 1);
	s->ops->destroy(s);
	return ok;
}

static u32 index_of(const struct property *p)
{
	u32 i = 0;

	while (properties[i] != p)
		i++;
	return i;
}

static void keep_script(const struct trial *t, const struct testcase *c, const char *id)
{
	char path[4096];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s.script", t->dir, id);
	out = fopen(path, "w");
	if (!out) {
		perror(path);
		return;
	}
	script_write(out, c);
	fclose(out);
}

static void note(struct trial *t, const struct testcase *c, u64 seed, const struct finding *f)
{
	const struct property *p = f->violation.property;

	if (t->failed[index_of(p)]++)
		return;
	printf("seed %llu: op %u: %s\n", (unsigned long long)seed, f->step + 1, f->text);
	if (t->dir)
		keep_script(t, c, p->id);
}

static void try_case(struct trial *t, u64 seed)
{
	struct play_result written, each;
	struct testcase c;

	case_init(&c);
	if (make_case(t, seed, &c)) {
		player_play(&t->written, &c, "", &written);
		player_play(&t->each, &c, "", &each);
		t->cases++;
		t->ops += each.nr_ops;
		if (each.first.kind == FINDING_VIOLATION)
			note(t, &c, seed, &each.first);
		if (written.first.step != each.first.step ||
		    written.first.violation.property != each.first.violation.property) {
			t->disagreements++;
			printf("seed %llu: by what was written: op %u: %s\n",
			       (unsigned long long)seed, written.first.step + 1,
			       written.first.text);
			printf("seed %llu: by everything: op %u: %s\n", (unsigned long long)seed,
			       each.first.step + 1, each.first.text);
		}
	}
	case_free(&c);
}

/* How many cases were not as they should be. */
static u64 try_kernel(const char *file, const char *dir, u64 first, u64 nr)
{
	struct trial t = {.file = file, .dir = dir};
	u64 bad;
	char name[4096];

	snprintf(name, sizeof(name), "kernel:%s", file);
	t.failed = calloc(nr_properties, sizeof(*t.failed));
	player_init(&t.written, NULL, CHECK_WRITTEN);
	player_init(&t.each, NULL, CHECK_EACH);
	t.written.subject_name = t.each.subject_name = name;
	for (u64 seed = first; seed < first + nr; seed++)
		try_case(&t, seed);
	bad = t.disagreements;
	for (u32 i = 0; i < nr_properties; i++) {
		if (t.failed[i])
			printf("%s: %llu times\n", properties[i]->id,
			       (unsigned long long)t.failed[i]);
		bad += t.failed[i];
	}
	printf("%s: %u cases, %u ops, %llu bad\n", file, t.cases, t.ops, (unsigned long long)bad);
	player_exit(&t.written);
	player_exit(&t.each);
	free(t.failed);
	return t.cases ? bad : 1;
}

int main(int argc, char **argv)
{
	u64 first = 1, nr = 100, bad = 0;
	const char *dir = NULL;
	int option;

	while ((option = getopt(argc, argv, "d:f:n:")) >= 0) {
		if (option == 'd')
			dir = optarg;
		else if (option == 'f')
			first = strtoull(optarg, NULL, 0);
		else if (option == 'n')
			nr = strtoull(optarg, NULL, 0);
		else
			return 2;
	}
	for (int i = optind; i < argc; i++)
		bad += try_kernel(argv[i], dir, first, nr);
	return bad || optind == argc;
}
