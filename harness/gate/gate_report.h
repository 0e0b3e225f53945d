/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the gate has found, for a terminal, a cover letter and machines. All forms say the same; every one
 * is written from these two.
 */
#ifndef HARNESS_GATE_GATE_REPORT_H
#define HARNESS_GATE_GATE_REPORT_H

#include "harness/gate/gate_verdict.h"

struct gate_report {
	const struct gate *g;
	const struct gate_verdict *v;
	const struct gate_conf *conf;
	u64 seed;
	const char *scripts; /* folder that they are kept in, or NULL */
};

/* Version of the JSON report; harness/gate/README.md describes it. */
#define GATE_SCHEMA 1

void gate_report_text(FILE *out, const struct gate_report *r);
void gate_report_markdown(FILE *out, const struct gate_report *r);
/* These return false with errno set if @path cannot be written. */
bool gate_report_json(const char *path, const struct gate_report *r);
bool gate_report_junit(const char *path, const struct gate_report *r);
bool gate_report_sarif(const char *path, const struct gate_report *r);

/* ---- shared by the forms (gate_report.c) --------------------------------- */

const char *gate_side_name(const struct gate *g, enum gate_side side);
/* "-100 %", "=", "new" */
const char *gate_change_text(u64 base, u64 candidate, char text[32]);

/* A script, and everything that it is the smallest example of. */
struct gate_script {
	const struct gate_example *example; /* the first of them */
	char name[128]; /* "kept-no-fragment-noretry" */
	char shows[512]; /* "no-fragment-noretry newly kept; direct reclaim: fewer" */
};
/* All of them, each script once; the caller frees it. */
struct gate_script *gate_scripts(const struct gate *g, u32 *nr);
/* In which of @scripts @example is; its name. */
const char *gate_script_of(const struct gate_script *scripts, u32 nr,
			   const struct gate_example *example);

#endif
