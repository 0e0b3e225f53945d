/* SPDX-License-Identifier: GPL-2.0-only */
/* What fuzz executions may cost: the worst are cut, usual ones are left alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/budget.h"
#include "harness/bytes.h"
#include "harness/generate.h"
#include "harness/machine_fit.h"

/* @nr ops, which do nothing. */
static void add_ops(struct testcase *c, u32 nr)
{
	const struct op op = {.kind = OP_DRAIN, .out = SLOT_NONE};

	while (nr--)
		case_add_op(c, &op);
}

/* As many zones of @pages pages as a machine has places for. */
static void add_zones(struct testcase *c, u32 pages)
{
	machine_init(&c->machine);
	c->machine.nr_nodes = MACHINE_MAX_NODES;
	for (u32 node = 0; node < MACHINE_MAX_NODES; node++) {
		for (u32 type = 0; type < MAX_NR_ZONES; type++)
			machine_add_zone(&c->machine, (u8)node, (u8)type,
					 (node * MAX_NR_ZONES + type) * pages, pages);
	}
	machine_end_zones(&c->machine);
}

/* The longest body on the largest machine with the most fuel: each op gets its share of the rounds. */
static void worst_rounds(void **state)
{
	struct testcase c;

	(void)state;
	case_init(&c);
	add_zones(&c, 512);
	c.machine.nr_cpus = 128;
	c.machine.fuel = BYTES_MAX_FUEL;
	add_ops(&c, 516); /* (9216 - 960) / 16 */
	assert_int_equal(budget_round(&c.machine), 80 + 32 * (32 + 128));
	for (u32 again = 0; again < 2; again++) {
		budget_fit(&c);
		assert_int_equal(c.nr_ops, 516);
		assert_int_equal(c.machine.fuel, 25); /* 2^26 / 5200 / 516 */
	}
	case_free(&c);
}

/* On 64 Ki pages there are 2^24 / 2^16 ops. */
static void worst_pages(void **state)
{
	struct testcase c;

	(void)state;
	case_init(&c);
	add_zones(&c, 2048);
	c.machine.fuel = 100;
	add_ops(&c, 516);
	for (u32 again = 0; again < 2; again++) {
		budget_fit(&c);
		assert_int_equal(c.nr_ops, 256);
		assert_int_equal(c.machine.fuel, 100);
	}
	case_free(&c);
}

/* No op at all, and no zone: nothing is divided by them. */
static void nothing(void **state)
{
	struct testcase c;

	(void)state;
	case_init(&c);
	machine_init(&c.machine);
	budget_fit(&c);
	assert_int_equal(c.nr_ops, 0);
	assert_int_equal(c.machine.fuel, 512);
	case_free(&c);
}

/* What the generator makes is within the budget, eight times as long as usual as well. */
static void generated(void **state)
{
	(void)state;
	for (u32 seed = 0; seed < 200; seed++) {
		struct rng rng = {seed};
		struct testcase c, copy;

		case_init(&c);
		generate_machine(&rng, &c.machine);
		generate_ops(&rng, 500, &c);
		case_copy(&copy, &c, true);
		budget_fit(&copy);
		assert_true(case_equal(&c, &copy));
		case_free(&copy);
		case_free(&c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(worst_rounds),
		cmocka_unit_test(worst_pages),
		cmocka_unit_test(nothing),
		cmocka_unit_test(generated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
