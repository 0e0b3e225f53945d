/* SPDX-License-Identifier: GPL-2.0-only */
/* How a fuzz entry ends a run in which something is wrong. */
#ifndef HARNESS_FUZZ_VIOLATIONS_H
#define HARNESS_FUZZ_VIOLATIONS_H

#include "harness/run.h"

/*
 * Print @finding and abort in a function that is named after the property, so that whatever sorts
 * crashes by their stack sorts them by property.
 */
_Noreturn void abort_with(const struct finding *finding);

#endif
