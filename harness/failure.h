/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A finding, shown to a person:
 *
 *      a.script: op 3 (line 12): free b: free-list-type: free pages 512..1023 (...), but ...
 *      rule free-list-type (spec 10.8): A free page is on the list of its block's type.
 *      the script that shows it:
 *          buddycheck script 1
 *          ...
 *      pages 512..1023 were last touched by op 2 (line 11): b = alloc order 9 ...
 *                               before that op 1 (line 10): a = alloc order 9 ...
 *      events of op 3:
 *          buddycheck-0       [000] .....     3.000000: mm_page_free: ...
 *      /proc/buddyinfo before (-) and after (+) op 3:
 *      - Node 0, zone   Normal      0      1 ...
 *      + Node 0, zone   Normal      1      0 ...
 *      play it again: buddycheck play a.script
 *
 * Ops are counted from 1; op 0 is the machine as it boots.
 */
#ifndef HARNESS_FAILURE_H
#define HARNESS_FAILURE_H

#include <stdio.h>

#include "harness/run.h"

struct failure {
	const struct testcase *c;
	const char *file; /* that it came from */
	const char *command; /* that plays it again */
	const struct finding *finding;
};

/* The first line. */
void failure_write_headline(FILE *out, const struct failure *f);
/* All of it; @subject, made for the case, is reset and played on. */
void failure_show(FILE *out, const struct failure *f, struct subject *subject);

#endif
