/* SPDX-License-Identifier: GPL-2.0-only */
/* What a kernel promises: by what it has of the port's mechanisms (spec 9). No kernel is needed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/kernel/kernel_promises.h"
#include "properties/properties.h"

static const struct kernel_generation v73 = {
	.typed_lists = 1,
	.claims = 1,
	.modes = 1,
	.accounts = 1,
	.free_highatomic = 1,
	.free_blocks = 1,
	.tuned_pcp = 1,
	.frees_in_steps = 1,
	.isolate_bit = 1,
	.slow_7x = 1,
	.slow_73 = 1,
	.contig_no_hugetlb = 1,
	.contig_two_passes = 1,
};

static void test_lacks(void **state)
{
	struct kernel_generation g = v73;

	(void)state;
	assert_int_equal(kernel_lacks(&g), 0);
	g.isolate_bit = 0;
	assert_int_equal(kernel_lacks(&g), PROMISE_ISOLATE_BIT);
	g.slow_73 = 0;
	assert_int_equal(kernel_lacks(&g), PROMISE_ISOLATE_BIT | PROMISE_SLOW_73);
	/* What every release promises nobody takes back. */
	g = (struct kernel_generation){.typed_lists = 0};
	assert_int_equal(kernel_lacks(&g), PROMISE_PORT & ~PROMISE_ALL);
}

static void expect_policy(const struct kernel_generation *g, u8 fallback, u8 contig_valid)
{
	struct policy policy = {.v1 = 0};

	kernel_policy(g, &policy);
	assert_int_equal(policy.fallback, fallback);
	assert_int_equal(policy.contig_valid, contig_valid);
}

/* Spec 9.1 and 7.6: 7.3.4, 6.12.117, 6.12.0, 6.1.192 and what is older. */
static void test_policies(void **state)
{
	struct kernel_generation g = v73;

	(void)state;
	expect_policy(&g, FALLBACK_D, CONTIG_VALID_TWOPASS);
	g.contig_two_passes = 0;
	expect_policy(&g, FALLBACK_D, CONTIG_VALID_HUGESKIP);
	g.modes = 0;
	expect_policy(&g, FALLBACK_C, CONTIG_VALID_HUGESKIP);
	g.claims = 0;
	expect_policy(&g, FALLBACK_B, CONTIG_VALID_HUGESKIP);
	g.typed_lists = 0;
	expect_policy(&g, FALLBACK_A, CONTIG_VALID_HUGESKIP);
	g.contig_no_hugetlb = 0;
	expect_policy(&g, FALLBACK_A, CONTIG_VALID_POST513);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lacks),
		cmocka_unit_test(test_policies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
