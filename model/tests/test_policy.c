/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of policies: what they mean, what is refused, and that they read back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/policy.h"

#define NAME_SIZE 64

struct example {
	const char *text;
	struct policy policy;
};

/* Spec 9.10; v6 is V1 and V2 together. */
static const struct example examples[] = {
	{"v7.3", {0, 0, CONTIG_VALID_TWOPASS, 0}},
	{"v7.3+V1", {1, 0, CONTIG_VALID_TWOPASS, 0}},
	{"v7.3+V2", {0, 1, CONTIG_VALID_TWOPASS, 0}},
	{"v7.3+V1+V2", {1, 1, CONTIG_VALID_TWOPASS, 0}},
	{"v7.3+contig_valid=pre513", {0, 0, CONTIG_VALID_PRE513, 0}},
	{"v7.3+contig_valid=post513", {0, 0, CONTIG_VALID_POST513, 0}},
	{"v7.3+V1+V2+contig_valid=hugeskip", {1, 1, CONTIG_VALID_HUGESKIP, 0}},
	{"v7.3+fallback=A", {0, 0, CONTIG_VALID_TWOPASS, FALLBACK_A}},
	{"v7.3+V1+contig_valid=pre513+fallback=B", {1, 0, CONTIG_VALID_PRE513, FALLBACK_B}},
};

/* Texts that are not the shortest name still mean something exact. */
static const struct example long_forms[] = {
	{"v7.3+V2+V1", {1, 1, CONTIG_VALID_TWOPASS, 0}},
	{"v7.3+V1=on", {1, 0, CONTIG_VALID_TWOPASS, 0}},
	{"v7.3+V1=off", {0, 0, CONTIG_VALID_TWOPASS, 0}},
	{"v7.3+contig_valid=twopass", {0, 0, CONTIG_VALID_TWOPASS, 0}},
	{"v7.3+contig_valid=pre513+contig_valid=hugeskip", {0, 0, CONTIG_VALID_HUGESKIP, 0}},
};

static const char *const refused[] = {
	"",
	"V1",
	"+V1",
	"v7.3.4",
	"v7",
	"v7.3 +V1",
	"v7.3+",
	"v7.3++V1",
	"v7.3+V1+",
	"v7.3+V",
	"v7.3+V3",
	"v7.3+v1",
	"v7.3+V1=",
	"v7.3+V1=yes",
	"v7.3+contig_valid",
	"v7.3+contig_valid=",
	"v7.3+contig_valid=post5",
	"v7.3+contig_valid=post5130",
};

static void assert_policy(const struct policy *policy, const struct policy *expected)
{
	assert_int_equal(policy->v1, expected->v1);
	assert_int_equal(policy->v2, expected->v2);
	assert_int_equal(policy->contig_valid, expected->contig_valid);
}

/* A name means the switches that it says, on top of the preset's. */
static void test_parse(void **state)
{
	struct policy policy;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(examples); i++) {
		assert_null(policy_parse(examples[i].text, &policy));
		assert_policy(&policy, &examples[i].policy);
	}
	for (size_t i = 0; i < ARRAY_SIZE(long_forms); i++) {
		assert_null(policy_parse(long_forms[i].text, &policy));
		assert_policy(&policy, &long_forms[i].policy);
	}
}

/* The name of a policy is the shortest text that means it. */
static void test_name(void **state)
{
	char name[NAME_SIZE];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(examples); i++) {
		int len = policy_name(&examples[i].policy, name, sizeof(name));

		assert_string_equal(name, examples[i].text);
		assert_int_equal(len, strlen(name));
	}
}

/* Every combination of values has a name of its own that reads back. */
static void test_round_trip(void **state)
{
	(void)state;
	for (u32 bits = 0; bits < 64; bits++) {
		struct policy policy = {.v1 = bits & 1,
					.v2 = (bits >> 1) & 1,
					.contig_valid = (bits >> 2) & 3,
					.fallback = (u8)(bits >> 4)};
		struct policy again = {.contig_valid = 0xff};
		char name[NAME_SIZE];

		policy_name(&policy, name, sizeof(name));
		assert_null(policy_parse(name, &again));
		assert_policy(&again, &policy);
	}
}

/* What is not a name is refused with a text, and the policy stays as it was. */
static void test_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		struct policy policy = {.v1 = 77};
		const char *why = policy_parse(refused[i], &policy);

		if (!why)
			fail_msg("accepted: \"%s\"", refused[i]);
		assert_memory_equal(why, "expected ", 9);
		assert_int_equal(policy.v1, 77);
	}
}

/* A buffer that is too small gets what fits, and the length is that of the whole name. */
static void test_small_buffer(void **state)
{
	struct policy policy = {.v1 = 1, .v2 = 1, .contig_valid = CONTIG_VALID_TWOPASS};
	char name[NAME_SIZE];

	(void)state;
	for (size_t size = 0; size <= 12; size++) {
		memset(name, '#', sizeof(name));
		assert_int_equal(policy_name(&policy, name, size), strlen("v7.3+V1+V2"));
		assert_int_equal(name[size], '#');
		if (size) {
			size_t shown = size - 1 < 10 ? size - 1 : 10;

			assert_memory_equal(name, "v7.3+V1+V2", shown);
			assert_int_equal(name[shown], '\0');
		}
	}
}

/* Every switch and preset says what it is, and a value outside of the table has no name. */
static void test_tables(void **state)
{
	size_t nr_switches, nr_presets;
	const struct policy_switch *sw = policy_switches(&nr_switches);
	const struct policy_preset *preset = policy_presets(&nr_presets);
	struct policy unknown = {.v1 = 2, .v2 = 2, .contig_valid = 4, .fallback = 4};

	(void)state;
	assert_int_equal(nr_switches, 4);
	for (size_t i = 0; i < nr_switches; i++) {
		assert_true(sw[i].what && sw[i].source && sw[i].compared);
		assert_null(policy_value_name(&sw[i], &unknown));
		for (size_t p = 0; p < nr_presets; p++)
			assert_non_null(policy_value_name(&sw[i], &preset[p].policy));
	}
	assert_int_equal(nr_presets, 1);
	assert_string_equal(preset->name, "v7.3");
	assert_non_null(strstr(preset->compared, "7.3.4"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse),	     cmocka_unit_test(test_name),
		cmocka_unit_test(test_round_trip),   cmocka_unit_test(test_refused),
		cmocka_unit_test(test_small_buffer), cmocka_unit_test(test_tables),
	};

	return cmocka_run_group_tests_name("policy", tests, NULL, NULL);
}
