/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recording: a run of a real allocator, op by op, with what each op gave and the state at the
 * end. As a case it is a conformance check:
 *
 *      recording 1                             header: kernel, task, configuration
 *      ...
 *      zone 0 Normal start 0 pages 4096 ...    the machine; these lines are expected of the boot
 *      alloc 0 order 2 node 0 gfp IO|FS => 8   ops with their results and calls
 *      free 0
 *      drain
 *      end
 *      final zone 0 Normal free 4096 ...       the state, expected after the last op
 *
 * The calling task is set by an op of its own if it is not an ordinary one.
 */
#ifndef HARNESS_RECORDING_H
#define HARNESS_RECORDING_H

#include "harness/case.h"
#include "harness/text.h"

#define RECORDING_FIRST_LINE "recording 1"

/*
 * Parse a recording into @c, which must be empty. Returns false with `file:line: what is wrong
 * (what was expected)` in @err; @c is then empty again.
 */
bool recording_parse(const char *file, const char *data, size_t len, struct testcase *c,
		     char err[CASE_ERROR_SIZE]);

#endif
