/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A kernel as a subject. What needs one is skipped, and says so, unless BUDDYCHECK_KERNEL=FILE (or kernel:FILE)
 * names a shared object that `make kernel` has built of 7.3.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/conform.h"
#include "harness/kernel/subject_kernel.h"

#define NR_SEEDS 40

static void one_zone(struct machine *m)
{
	machine_init(m);
	m->nr_zones = 1;
	m->zones[0] = (struct machine_zone){.type = ZONE_NORMAL, .pages = 4096};
}

/* A file that is not there, and one that is something else. */
static void test_no_kernel(void **state)
{
	static const char *const files[] = {"no-such-file.so", "/dev/null", "/proc/self/exe"};
	struct machine m, before;

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		struct machine_fitter fitter = subject_kernel_fitter(files[i]);
		const char *why = NULL;

		one_zone(&m);
		assert_null(subject_kernel_create(files[i], &m, &why));
		assert_non_null(why);
		assert_int_equal(strncmp(why, "expected a", 10), 0);
		before = m;
		fitter.fit(fitter.ctx, &m);
		assert_memory_equal(&m, &before, sizeof(m));
	}
	assert_null(subject_create("kernel:no-such-file.so", &m, &(const char *){NULL}));
}

/* Generated cases, one op after the other: the port does what the kernel does. */
static void test_port_does_the_same(void **state)
{
	const char *file = getenv("BUDDYCHECK_KERNEL");
	struct machine_fitter fitter;
	struct conform conform;
	struct testcase c;
	char name[4096];

	(void)state;
	if (!file) {
		print_message("skipped: BUDDYCHECK_KERNEL=FILE is not set\n");
		skip();
	}
	file += strncmp(file, "kernel:", 7) ? 0 : 7;
	snprintf(name, sizeof(name), "kernel:%s", file);
	fitter = subject_kernel_fitter(file);
	conform_init(&conform, stdout, name, "port:v7.3");
	conform.fitter = &fitter;
	case_init(&c);
	for (u64 seed = 0; seed < NR_SEEDS; seed++) {
		const char *why = conform_generate(&conform, seed, &c);

		if (!why)
			why = conform_play(&conform, &c, "generated", "");
		if (why)
			fail_msg("seed %llu: %s", (unsigned long long)seed, why);
	}
	assert_int_equal(conform.cases, NR_SEEDS);
	assert_int_equal(conform.divergences, 0);
	case_free(&c);
	conform_exit(&conform);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_kernel),
		cmocka_unit_test(test_port_does_the_same),
	};

	return cmocka_run_group_tests_name("subject_kernel", tests, NULL, NULL);
}
