/* SPDX-License-Identifier: GPL-2.0-only */
/* A table of machines; the one that was not asked for longest makes room. */
#include "harness/fuzz/stock.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/fuzz/coverage.h"
#include "harness/fuzz/target.h"
#include "harness/run_fit.h"

/* As many as the mutants of a few hundred inputs have; about 1/4 MB each. */
#define NR_MACHINES 256U
/* A kernel needs some 3 MB, and its code is there once for each. */
#define NR_KERNELS 64U

/* Executions between two looks at the whole state after a reset. */
#define PRISTINE_EVERY 4096

struct place {
	u64 used; /* number of the execution; 0: never */
	struct machine machine;
	struct subject *subject;
	struct run run;
	bool has_run;
};

static struct {
	u64 hashes
		[NR_MACHINES]; /* of the places; side by side, because all of them are looked at */
	struct place places[NR_MACHINES];
	u32 nr_places;
	u64 executions;
} stock;

_Noreturn static void die(const char *why)
{
	fprintf(stderr, "%s\n", why);
	abort();
}

/* Free the place that was not asked for longest. */
static struct place *make_room(void)
{
	struct place *oldest = stock.places;

	for (struct place *p = stock.places; p < stock.places + stock.nr_places; p++) {
		if (p->used < oldest->used)
			oldest = p;
	}
	if (oldest->used) {
		if (oldest->has_run)
			run_free(&oldest->run);
		oldest->subject->ops->destroy(oldest->subject);
		oldest->used = 0;
	}
	return oldest;
}

/* The machine's, or else a free one. */
static struct place *find_place(const struct machine *machine, u64 hash)
{
	for (u32 i = 0; i < stock.nr_places; i++) {
		struct place *p = &stock.places[i];

		if (stock.hashes[i] == hash && p->used && machine_equal(&p->machine, machine))
			return p;
	}
	return make_room();
}

/* Memory of a machine that is given up is for the next one: page faults cost more than to boot. */
static void begin(void)
{
	mallopt(M_MMAP_THRESHOLD, 64 << 20);
	mallopt(M_TRIM_THRESHOLD, 1 << 30);
	stock.nr_places = target_kernel() ? NR_KERNELS : NR_MACHINES;
}

static void boot(struct place *p, const struct machine *machine, u64 hash)
{
	const char *why;

	p->subject = subject_create(target_kernel(), machine, &why);
	if (!p->subject)
		die(why);
	stock.hashes[p - stock.places] = hash;
	p->machine = *machine;
	p->has_run = false;
}

static void begin_run(struct place *p, const struct testcase *c)
{
	if (p->has_run)
		run_again(&p->run, c);
	else
		run_init(&p->run, c, p->subject, CHECK_WRITTEN, NULL);
	p->has_run = true;
}

struct run *stock_get(struct testcase *c, u64 hash)
{
	struct place *p;

	if (!stock.executions)
		begin();
	p = find_place(&c->machine, hash);
	if (!p->used)
		boot(p, &c->machine, hash);
	p->used = ++stock.executions;
	coverage_of(p->subject);
	if (!run_fit(c, &p->subject, 1))
		return NULL;
	begin_run(p, c);
	coverage_forget();
	return &p->run;
}

/* A write that nobody noted would reach the next execution. */
static void check_reset(struct subject *s)
{
	if (stock.executions % PRISTINE_EVERY == 0 && !s->ops->is_pristine(s))
		die("a write was not noted: the state after a reset is not the one after boot");
}

void stock_put(struct run *r, struct property_count *counts)
{
	coverage_take();
	judge_take_counts(r->judge, counts);
	r->subject->ops->reset(r->subject);
	check_reset(r->subject);
}
