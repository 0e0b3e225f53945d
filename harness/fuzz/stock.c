/* SPDX-License-Identifier: GPL-2.0-only */
/* A table of machines; the one that was not asked for longest makes room. */
#include "harness/fuzz/stock.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/fuzz/coverage.h"
#include "harness/subject_port.h"

/* As many as the mutants of a few hundred inputs have; about 1/4 MB each. */
#define NR_MACHINES 256U

/* Executions between two looks at the whole state after a reset. */
#define PRISTINE_EVERY 4096

struct place {
	u64 used; /* number of the execution; 0: never */
	struct machine machine;
	struct subject *subject;
	struct run run;
};

static struct {
	u64 hashes
		[NR_MACHINES]; /* of the places; side by side, because all of them are looked at */
	struct place places[NR_MACHINES];
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

	for (struct place *p = stock.places; p < stock.places + NR_MACHINES; p++) {
		if (p->used < oldest->used)
			oldest = p;
	}
	if (oldest->used) {
		run_free(&oldest->run);
		oldest->subject->ops->destroy(oldest->subject);
		oldest->used = 0;
	}
	return oldest;
}

/* The machine's, or else a free one. */
static struct place *find_place(const struct machine *machine, u64 hash)
{
	for (u32 i = 0; i < NR_MACHINES; i++) {
		struct place *p = &stock.places[i];

		if (stock.hashes[i] == hash && p->used && machine_equal(&p->machine, machine))
			return p;
	}
	return make_room();
}

/* Memory of a machine that is given up is for the next one: page faults cost more than to boot. */
static void keep_memory(void)
{
	mallopt(M_MMAP_THRESHOLD, 64 << 20);
	mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

struct run *stock_get(const struct testcase *c, u64 hash)
{
	struct place *p = find_place(&c->machine, hash);
	const char *why;

	if (!stock.executions)
		keep_memory();
	if (p->used) {
		run_again(&p->run, c);
	} else {
		p->subject = subject_port_create(&c->machine, &why);
		if (!p->subject)
			die(why);
		stock.hashes[p - stock.places] = hash;
		p->machine = c->machine;
		run_init(&p->run, c, p->subject, CHECK_WRITTEN, NULL);
	}
	coverage_forget();
	p->used = ++stock.executions;
	return &p->run;
}

/* A write that the journal did not see would reach the next execution. */
static void check_reset(struct subject *s)
{
	if (stock.executions % PRISTINE_EVERY == 0 && !memory_is_pristine(subject_port_memory(s)))
		die("a write bypassed the journal: the state after a reset is not the one after "
		    "boot");
}

void stock_put(struct run *r, struct property_count *counts)
{
	judge_take_counts(r->judge, counts);
	r->subject->ops->reset(r->subject);
	check_reset(r->subject);
}
