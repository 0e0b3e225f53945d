/* SPDX-License-Identifier: GPL-2.0-only */
/* ci/kernel-edit: an edit is applied where its line is exactly once, or not at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "harness/cli/tests/cli_fixture.h"

/* A kernel of our own, in which the edit V2 finds its line. */
#define LINE "\tif (a &&\n\t    (gfp_mask & __GFP_KSWAPD_RECLAIM)) {\n\t\tb();\n\t}\n"
#define NAME "struct page *\n__alloc_pages_slowpath(gfp_t gfp_mask,\n\t\tint order)"
#define SLOWPATH NAME "\n{\n" LINE
#define OTHER "int other(void)\n{\n" LINE "}\n\n"
#define PROTOTYPE NAME ";\n\n"

/* Exit status of `ci/kernel-edit TREE @names` on a tree with @source in page_alloc.c; fills in out, err. */
static int edit(const char *source, const char *names)
{
	char command[512];
	int status;

	snprintf(command, sizeof(command), "mkdir -p %s/tree/mm", dir);
	assert_int_equal(system(command), 0);
	put("tree/mm/page_alloc.c", source);
	snprintf(command, sizeof(command), "ci/kernel-edit %s/tree %s >%s/.out 2>%s/.err", dir,
		 names, dir, dir);
	status = system(command);
	slurp(".out", out, sizeof(out));
	slurp(".err", err, sizeof(err));
	return WEXITSTATUS(status);
}

static void test_applies(void **state)
{
	(void)state;
	assert_int_equal(edit(OTHER PROTOTYPE OTHER SLOWPATH "}\n" OTHER, "V2"), 0);
	assert_non_null(strstr(out, "--- a/mm/page_alloc.c\n+++ b/mm/page_alloc.c\n@@ "));
	assert_non_null(strstr(out, "\n-\t    (gfp_mask & __GFP_KSWAPD_RECLAIM)) {\n"
				    "+\t    (gfp_mask & __GFP_KSWAPD_RECLAIM) && "
				    "!(gfp_mask & __GFP_NORETRY)) {\n"));
	assert_null(strstr(strstr(out, "\n-\t") + 1, "\n-\t"));
	assert_string_equal(err, "");
}

static void test_fails(void **state)
{
	static const char *const sources[] = {
		SLOWPATH LINE "}\n", /* twice */
		OTHER PROTOTYPE OTHER, /* not there */
		SLOWPATH "}\n" SLOWPATH "}\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
		assert_int_not_equal(edit(sources[i], "V2"), 0);
		assert_string_equal(out, "");
		assert_non_null(strstr(err, "V2.edit: the line is there "));
	}
	assert_int_not_equal(edit(SLOWPATH "}\n", "no-such-edit"), 0);
	assert_string_equal(out, "");
	/* The second of two finds no more what the first has taken. */
	assert_int_not_equal(edit(SLOWPATH "}\n", "V2 V2"), 0);
	assert_string_equal(out, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_applies),
		cmocka_unit_test(test_fails),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
