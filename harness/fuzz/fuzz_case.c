/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fuzz entry for whole cases: any bytes are a case (harness/bytes.h); it is played
 * on the port, and the whole state is judged at the end.
 *
 * Subjects are kept for the next case on their machine: undoing the journal costs as
 * much as the case wrote, booting as much as the machine has pages.
 */
#include <stdio.h>
#include <stdlib.h>

#include "harness/bytes.h"
#include "harness/fuzz/violations.h"
#include "harness/run.h"
#include "harness/subject_port.h"

/* Executions between two looks at the whole state after a reset. */
#define PRISTINE_EVERY 4096

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

/* Subjects in stock: inputs of one corpus have a few machines. */
#define NR_KEPT 16

struct kept {
	struct subject *subject;
	struct machine machine; /* that it was made for */
};

static struct {
	struct kept kept[NR_KEPT];
	u32 next; /* to be given up */
	u32 executions;
} fuzz;

static struct subject *ready_subject(const struct machine *machine)
{
	struct kept *k;
	const char *why;

	for (k = fuzz.kept; k < fuzz.kept + NR_KEPT; k++)
		if (k->subject && machine_equal(&k->machine, machine))
			return k->subject;
	k = &fuzz.kept[fuzz.next++ % NR_KEPT];
	if (k->subject)
		k->subject->ops->destroy(k->subject);
	k->subject = subject_port_create(machine, true, &why);
	k->machine = *machine;
	if (k->subject)
		return k->subject;
	fprintf(stderr, "%s\n", why);
	abort();
}

/* A write that the journal did not see would reach the next execution. */
static void check_reset(struct subject *s)
{
	if (++fuzz.executions % PRISTINE_EVERY || memory_is_pristine(subject_port_memory(s)))
		return;
	fputs("a write bypassed the journal: the state after a reset is not the one after boot\n",
	      stderr);
	abort();
}

/* The port does not play nested ops yet; a case without them is played the same. */
static void drop_nested(struct testcase *c)
{
	for (u32 i = 0; i < c->nr_ops; i++)
		c->ops[i].nr_nested = 0;
	c->nr_nested = 0;
}

/*
 * Where a page on a pcp list can be larger than a pageblock, draining it puts it on the list of
 * its first block alone (spec 3.4), and rule 10.8 does not hold.
 */
static bool self_check_holds(const struct machine *m)
{
	u32 largest = max_u32(min_u32(PAGE_ALLOC_COSTLY_ORDER, m->max_page_order), m->pmd_order);

	return largest <= m->pageblock_order;
}

static void play(const struct testcase *c)
{
	struct subject *s = ready_subject(&c->machine);
	struct run r;

	run_init(&r, c, s, CHECK_END, NULL);
	run_finish(&r);
	if (r.first.kind == FINDING_VIOLATION)
		abort_with(&r.first);
	run_free(&r);
	s->ops->reset(s);
	check_reset(s);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct testcase c;
	bool plays;

	case_init(&c);
	bytes_decode_body(data, size, &c);
	drop_nested(&c);
	plays = self_check_holds(&c.machine);
	if (plays)
		play(&c);
	case_free(&c);
	return plays ? 0 : -1; /* -1: not worth a place in the corpus */
}
