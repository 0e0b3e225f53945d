/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What `buddycheck fuzz --subject` names, and the cases that it plays. An engine makes bytes and knows no
 * subject; the same bytes must become the same case in the target and in the program that shows what it found.
 */
#ifndef HARNESS_FUZZ_SUBJECT_H
#define HARNESS_FUZZ_SUBJECT_H

#include "harness/generate.h"

struct fuzz_subject {
	const char *kernel; /* kernel:FILE; NULL: the port */
	struct machine_fitter fitter; /* of the kernel */
	bool has_policy; /* of the port: all machines get this one */
	struct policy policy;
};

/* NULL, or why @name (port:POLICY, kernel:FILE; NULL: each case's own port) is none. @name must stay. */
const char *fuzz_subject_parse(struct fuzz_subject *to, const char *name);

/* Cut @c to the budget, and to what the subject can be. False: nothing is left of it. */
bool fuzz_subject_fit(const struct fuzz_subject *s, struct testcase *c);

#endif
