/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The script form of a case: the text that people read, review, mail and keep.
 *
 *      buddycheck script 1
 *      zone 0 Normal start 0 pages 4096        the machine; the rest has its defaults
 *      ---
 *      a = alloc order 3 node 0 gfp GFP_KERNEL|__GFP_NORETRY => 8
 *      answer reclaim 3 frees 2                belongs to the next op
 *      b = alloc order 9 node 0 gfp GFP_KERNEL reclaim 1
 *      free a                                  # a comment
 *      ---
 *      pageblocks 0 Normal : 0 1 1 1 1 1 1 1   lines of the final state, if wanted
 */
#ifndef HARNESS_SCRIPT_H
#define HARNESS_SCRIPT_H

#include <stdio.h>

#include "harness/case.h"
#include "harness/text.h"

#define SCRIPT_FIRST_LINE "buddycheck script 1"

/*
 * Parse a script into @c, which must be empty. Returns false with `file:line: what is wrong (what
 * was expected)` in @err; @c is then empty again.
 */
bool script_parse(const char *file, const char *data, size_t len, struct testcase *c,
		  char err[CASE_ERROR_SIZE]);

/* Parsing it gives the same case, names, expectations and lines included. */
void script_write(FILE *out, const struct testcase *c);
/* The same without its first line. */
void script_write_body(FILE *out, const struct testcase *c);

/* A name for each slot: the case's own, else a, b, ..., z, aa, ... */
struct slot_names {
	char *strings;
	u32 *at; /* [slot] offset in strings */
};

void slot_names_init(struct slot_names *names, const struct testcase *c);
void slot_names_free(struct slot_names *names);

/* The lines of op @i: its answers, its nested ops, itself. */
void script_write_op(FILE *out, const struct testcase *c, const struct slot_names *names, u32 i);
/* Op @i alone, without the end of the line. */
void script_write_op_line(FILE *out, const struct testcase *c, const struct slot_names *names,
			  u32 i);
void script_write_machine(FILE *out, const struct testcase *c);

#endif
