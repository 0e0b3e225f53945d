/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Generated cases: the same seed gives the same case, every case can be played,
 * all kinds of ops and answers occur, and most ops do something.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/generate.h"
#include "harness/run.h"

#define NR_SEEDS 400
#define NR_OPS_EACH 64

/* Every member of a case follows from (seed, ops); another seed gives another case. */
static void test_deterministic(void **state)
{
	struct testcase x, y;

	(void)state;
	case_init(&x);
	case_init(&y);
	for (u64 seed = 0; seed < 50; seed++) {
		generate_case(seed, NR_OPS_EACH, &x);
		generate_case(seed, NR_OPS_EACH, &y);
		assert_true(case_equal(&x, &y));
		assert_int_equal(x.nr_ops, NR_OPS_EACH);
		generate_case(seed + 1, NR_OPS_EACH, &y);
		assert_false(case_equal(&x, &y));
	}
	case_free(&x);
	case_free(&y);
}

/* A longer case begins like the shorter one: ops are drawn one after the other. */
static void test_prefix(void **state)
{
	struct testcase x, y;

	(void)state;
	case_init(&x);
	case_init(&y);
	generate_case(7, 20, &x);
	generate_case(7, 200, &y);
	y.nr_ops = 20;
	assert_true(machine_equal(&x.machine, &y.machine));
	assert_memory_equal(x.ops, y.ops, 20 * sizeof(*x.ops));
	case_free(&x);
	case_free(&y);
}

/* Every case can be played. */
static void test_legal(void **state)
{
	struct testcase c;
	const char *why;
	u32 op;

	(void)state;
	case_init(&c);
	for (u64 seed = 0; seed < 2000; seed++) {
		generate_case(seed, NR_OPS_EACH, &c);
		why = case_check(&c, &op);
		if (why)
			fail_msg("seed %llu, op %u: %s", (unsigned long long)seed, op, why);
	}
	case_free(&c);
}

/* All kinds of ops, drains, sysctls and answers occur. */
static void test_coverage(void **state)
{
	u32 kinds[NR_OPS] = {0}, drains[NR_DRAINS] = {0}, sysctls[NR_SYSCTLS] = {0};
	u32 calls[NR_ENV_CALLS] = {0};
	struct testcase c;
	u32 i;

	(void)state;
	case_init(&c);
	for (u64 seed = 0; seed < NR_SEEDS; seed++) {
		generate_case(seed, NR_OPS_EACH, &c);
		for (i = 0; i < c.nr_ops; i++) {
			kinds[c.ops[i].kind]++;
			if (c.ops[i].kind == OP_DRAIN)
				drains[c.ops[i].sub]++;
			if (c.ops[i].kind == OP_SYSCTL)
				sysctls[c.ops[i].sub]++;
		}
		for (i = 0; i < c.nr_answers; i++)
			calls[c.answers[i].call]++;
	}
	case_free(&c);
	for (i = 0; i < NR_OPS; i++)
		if (kinds[i] < 20)
			fail_msg("%s: %u", op_infos[i].name, kinds[i]);
	for (i = 0; i < NR_DRAINS; i++)
		assert_true(drains[i]);
	for (i = 0; i < NR_SYSCTLS; i++)
		assert_true(sysctls[i]);
	for (i = 0; i < NR_ENV_CALLS; i++)
		assert_true(calls[i]);
}

/* Machines differ in what decides: zones, nodes, CPUs, block sizes, kinds of environment. */
static void test_machines(void **state)
{
	u32 types = 0, nodes = 0, cpus = 0, blocks = 0, batches = 0, reserved = 0, cma = 0;
	u32 unaligned = 0, defrag = 0, kinds[NR_ENV_KINDED] = {0};
	struct rng rng = {1};
	struct machine m;
	u32 i;

	(void)state;
	for (u32 n = 0; n < 500; n++) {
		generate_machine(&rng, &m);
		assert_null(machine_check(&m));
		nodes |= BIT(m.nr_nodes);
		cpus |= BIT(m.nr_cpus);
		blocks |= BIT(m.pageblock_order);
		batches |= m.pcp_batch < 32 ? BIT(m.pcp_batch) : BIT(31);
		defrag |= BIT(m.sysctl[SYSCTL_DEFRAG_MODE]);
		for (i = 0; i < m.nr_zones; i++) {
			types |= BIT(m.zones[i].type);
			unaligned += (m.zones[i].start & (BIT(m.pageblock_order) - 1)) != 0;
		}
		for (i = 0; i < m.nr_ranges; i++)
			*(m.ranges[i].kind == RANGE_CMA ? &cma : &reserved) += 1;
		for (i = 0; i < NR_ENV_KINDED; i++)
			kinds[i] |= BIT(m.env.kind[i]);
	}
	assert_int_equal(types, BIT(MAX_NR_ZONES) - 1);
	assert_int_equal(nodes, BIT(1) | BIT(2) | BIT(3));
	assert_int_equal(cpus, BIT(1) | BIT(2) | BIT(3) | BIT(4));
	assert_int_equal(blocks, BIT(3) | BIT(4) | BIT(5) | BIT(6) | BIT(9));
	assert_int_equal(batches, BIT(0) | BIT(1) | BIT(4) | BIT(16) | BIT(31));
	assert_int_equal(defrag, BIT(0) | BIT(1));
	assert_true(unaligned && reserved && cma);
	assert_int_equal(kinds[ENV_RECLAIM], BIT(ENV_WHOLE) | BIT(ENV_CLOSED));
	assert_int_equal(kinds[ENV_COMPACT], BIT(ENV_WHOLE) | BIT(ENV_ZONE) | BIT(ENV_CLOSED));
	assert_int_equal(kinds[ENV_WAKE], BIT(ENV_WHOLE) | BIT(ENV_ZONE) | BIT(ENV_CLOSED));
	assert_int_equal(kinds[ENV_OOM], BIT(ENV_WHOLE) | BIT(ENV_CLOSED));
}

/* ---- what the ops do ----------------------------------------------------- */

struct effect {
	u32 slow, fallback; /* in this op */
};

static void note(void *ctx, const struct event *event)
{
	struct effect *effect = ctx;

	effect->slow |= event->type == EV_SLOWPATH_EXIT;
	effect->fallback |= event->type == EV_MM_PAGE_ALLOC_EXTFRAG;
}

static u64 hash(u64 h, const void *data, size_t size)
{
	const u8 *bytes = data;

	while (size--)
		h = (h ^ *bytes++) * 0x100000001b3ULL;
	return h;
}

/* All that a view shows and that an op can change. */
static u64 state_hash(const struct view *v)
{
	size_t nr_zones = v->machine->nr_zones;
	u64 h = 0xcbf29ce484222325ULL;

	h = hash(h, v->global, sizeof(*v->global));
	h = hash(h, v->nodes, v->machine->nr_nodes * sizeof(*v->nodes));
	h = hash(h, v->zones, nr_zones * sizeof(*v->zones));
	h = hash(h, v->pcps, nr_zones * v->machine->nr_cpus * sizeof(*v->pcps));
	h = hash(h, v->pages, v->nr_pages * sizeof(*v->pages));
	h = hash(h, v->links, v->nr_links * sizeof(*v->links));
	return hash(h, v->pageblock_flags, ((v->nr_pages - 1) >> v->machine->pageblock_order) + 1);
}

struct tally {
	u32 ops, changed, slow, fallback;
};

/* Play @c with the self-check after each op; nothing may be wrong. */
static void play(const struct testcase *c, struct tally *tally)
{
	struct effect effect = {0};
	struct observer observer = {.event = note,
				    .ctx = &effect,
				    .mask = EV_BIT(EV_SLOWPATH_EXIT) |
					    EV_BIT(EV_MM_PAGE_ALLOC_EXTFRAG)};
	const char *why;
	struct subject *s = subject_create(NULL, &c->machine, &why);
	u64 before, after;
	struct run r;

	assert_non_null(s);
	run_init(&r, c, s, CHECK_EACH, &observer);
	before = state_hash(s->ops->view(s));
	while (r.step < c->nr_ops && !r.first.kind) {
		effect = (struct effect){0};
		run_step(&r);
		after = state_hash(s->ops->view(s));
		tally->ops++;
		tally->changed += after != before;
		tally->slow += effect.slow;
		tally->fallback += effect.fallback;
		before = after;
	}
	if (r.first.kind)
		fail_msg("step %u: %s", r.first.step, r.first.text);
	run_free(&r);
	s->ops->destroy(s);
}

/* Of 64 ops at least 70 % change the state, 5 % enter the slow path and 2 % fall back. */
static void test_effect(void **state)
{
	struct tally tally = {0};
	struct testcase c;

	(void)state;
	case_init(&c);
	for (u64 seed = 0; seed < NR_SEEDS; seed++) {
		generate_case(seed, NR_OPS_EACH, &c);
		play(&c, &tally);
	}
	case_free(&c);
	print_message("%u ops: %.1f %% change the state, %.1f %% slow path, %.1f %% fall back\n",
		      tally.ops, 100.0 * tally.changed / tally.ops, 100.0 * tally.slow / tally.ops,
		      100.0 * tally.fallback / tally.ops);
	assert_int_equal(tally.ops, NR_SEEDS * NR_OPS_EACH);
	assert_true(tally.changed * 100 >= tally.ops * 70);
	assert_true(tally.slow * 100 >= tally.ops * 5);
	assert_true(tally.fallback * 100 >= tally.ops * 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_deterministic), cmocka_unit_test(test_prefix),
		cmocka_unit_test(test_legal),	      cmocka_unit_test(test_coverage),
		cmocka_unit_test(test_machines),      cmocka_unit_test(test_effect),
	};

	return cmocka_run_group_tests_name("generate", tests, NULL, NULL);
}
