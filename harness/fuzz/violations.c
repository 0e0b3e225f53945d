/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * violation_ID() for each property, from the registry:
 *
 *      #4 abort
 *      #5 violation_free_list_type
 *      #6 abort_with
 *      #7 LLVMFuzzerTestOneInput
 */
#include <stdio.h>
#include <stdlib.h>

#include "harness/fuzz/violations.h"
#include "properties/list.h"

#define DEFINE_VIOLATION(name)                                                 \
	_Noreturn __attribute__((noinline)) static void violation_##name(void) \
	{                                                                      \
		fputs("in violation_" #name "\n", stderr);                     \
		abort();                                                       \
	}
EACH_PROPERTY(DEFINE_VIOLATION)

_Noreturn void abort_with(const struct finding *finding)
{
	const struct property *property = finding->violation.property;

	fprintf(stderr, "op %u: %s (%s)\n    %s\n    %s\n", finding->step + 1, property->id,
		property->rule, property->sentence, finding->violation.why);
#define CALL_IT_IF_IT_IS(name)        \
	if (property == &prop_##name) \
		violation_##name();
	EACH_PROPERTY(CALL_IT_IF_IT_IS)
	abort();
}
