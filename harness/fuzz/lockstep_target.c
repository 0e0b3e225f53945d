/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fuzz entry for lock step: any bytes are a case, played on two subjects (harness/lockstep.h). Nothing
 * is judged. The first case of each sort of divergence is kept, for `buddycheck conform` to shrink.
 */
#include <stdio.h>
#include <stdlib.h>

#include "harness/budget.h"
#include "harness/bytes.h"
#include "harness/fuzz/coverage.h"
#include "harness/fuzz/target.h"
#include "harness/fuzz_subject.h"
#include "harness/lockstep.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

#define MAX_SORTS 256

static struct {
	bool ready;
	struct lockstep lockstep;
	struct fuzz_subject subjects[2]; /* each may want the machine to be another */
	u64 sorts[MAX_SORTS]; /* that were found */
	u32 nr_sorts;
} target;

static void take_subject(struct fuzz_subject *to, const char *name)
{
	const char *why = fuzz_subject_parse(to, name);

	if (!why)
		return;
	fprintf(stderr, "%s: %s\n", name, why);
	exit(2);
}

static void get_ready(void)
{
	const char *left = getenv(FUZZ_KERNEL), *right = getenv(FUZZ_SUBJECT);

	if (target.ready)
		return;
	if (!left || !right) {
		fprintf(stderr, "%s and %s: expected the names of two subjects\n", FUZZ_KERNEL,
			FUZZ_SUBJECT);
		exit(2);
	}
	take_subject(&target.subjects[0], left);
	take_subject(&target.subjects[1], right);
	lockstep_init(&target.lockstep, left, right);
	target.ready = true;
}

static u64 sort_of(const struct divergence *d)
{
	u64 hash = 0xcbf29ce484222325ULL ^ d->kind;

	for (const char *p = d->what; *p; p++)
		hash = (hash ^ (u8)*p) * 0x100000001b3ULL;
	return hash;
}

/* False: there was one like it, or there are too many. */
static bool is_new(u64 sort)
{
	for (u32 i = 0; i < target.nr_sorts; i++) {
		if (target.sorts[i] == sort)
			return false;
	}
	if (target.nr_sorts == MAX_SORTS)
		return false;
	target.sorts[target.nr_sorts++] = sort;
	return true;
}

static void take_divergence(const struct testcase *c, const struct divergence *d,
			    struct fuzz_progress *progress)
{
	u64 sort = sort_of(d);
	char name[64];

	progress->divergences++;
	if (!getenv(FUZZ_FINDINGS)) {
		fprintf(stderr, "op %u: %s: %s (%s)\n", d->step + 1, divergence_kind_names[d->kind],
			d->text, d->what);
		abort();
	}
	if (!is_new(sort))
		return;
	snprintf(name, sizeof(name), "divergence-%016llx", (unsigned long long)sort);
	target_save(c, name);
}

/* False: it is not played, or it diverges. */
static bool play(struct testcase *c)
{
	struct lockstep *l = &target.lockstep;
	struct fuzz_progress *progress = target_begin();
	u64 nr_ops = l->nr_ops;
	struct divergence d;

	if (lockstep_ready(l, &c->machine) || !lockstep_fit(l, c))
		return false;
	for (u32 i = 0; i < 2; i++)
		coverage_of(l->sides[i].subject);
	coverage_forget(); /* boot */
	if (lockstep_play(l, c, &d))
		return false;
	coverage_take();
	progress->ops += l->nr_ops - nr_ops;
	if (d.kind)
		take_divergence(c, &d, progress);
	return !d.kind;
}

/* -1: not worth a place in the corpus. */
int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static struct testcase c; /* its memory is for the next one */
	bool worth;

	get_ready();
	size = size < BUDGET_BODY ? size : BUDGET_BODY;
	case_clear(&c);
	bytes_decode_body(data, size, &c);
	worth = fuzz_subject_fit(&target.subjects[0], &c) &&
		fuzz_subject_fit(&target.subjects[1], &c) && play(&c);
	if (!worth)
		coverage_forget();
	return worth ? 0 : -1;
}
