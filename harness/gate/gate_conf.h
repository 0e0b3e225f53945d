/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the gate lets pass: limits of costs, and differences that somebody has accepted.
 *
 *      limit direct-reclaim 5% 20          worse by 5 % and by more than 20 fails; without the second
 *                                          number, by 5 %; `any`: never fails
 *      limit all 5% 20                     of every cost that is not named below
 *      accepted FILE                       a file of lines like the next; from where gate runs
 *      accept property nofail-costly-noretry of port:v7.3+V1* until 2027-06-30 because REASON
 *      accept cost failures-costly of port:v7.3+V1* until 2027-06-30 because REASON
 *
 * A cost is worse only if it is in more cases than it is better in: what follows from a difference in a
 * single case must not decide.
 *
 * `of` is the candidate, with wildcards as in the shell. `#` starts a comment. What has expired fails.
 */
#ifndef HARNESS_GATE_GATE_CONF_H
#define HARNESS_GATE_GATE_CONF_H

#include "harness/gate/gate_metrics.h"
#include "harness/text.h"

struct gate_limit {
	u32 percent, more; /* worse by both */
	bool any;
};

struct gate_accepted {
	bool is_property; /* else a cost */
	u32 which; /* index in properties, gate_metrics */
	char *candidate; /* a pattern */
	char *until; /* YYYY-MM-DD, the last day */
	char *reason;
	char *file; /* that says so, and where */
	u32 line;
};

struct gate_conf {
	struct gate_limit limits[NR_GATE_METRICS];
	struct gate_accepted *accepted;
	u64 nr_accepted, cap_accepted;
};

/* The defaults: 5 % and 20, nothing accepted. */
void gate_conf_init(struct gate_conf *conf);
void gate_conf_free(struct gate_conf *conf);
/* Read @path on top. False: `file:line: what (expected ...)` in @err. */
bool gate_conf_read(struct gate_conf *conf, const char *path, char err[CASE_ERROR_SIZE]);

#endif
