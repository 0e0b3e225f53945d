/* SPDX-License-Identifier: GPL-2.0-only */
/* One run of the gate, as the command line asks for it. */
#ifndef HARNESS_CLI_GATE_SESSION_H
#define HARNESS_CLI_GATE_SESSION_H

#include <time.h>

#include "harness/gate/gate_report.h"

#define GATE_MAX_FOLDERS 16

struct gate_session {
	/* options; NULL: not given */
	const char *base, *candidate, *config, *markdown, *json, *junit, *sarif, *scripts;
	const char *folders[GATE_MAX_FOLDERS];
	u32 nr_folders;
	u64 ops, seconds, seed;
	bool has_ops;

	struct gate_conf conf;
	struct gate gate;
	struct machine_fitter fitter;
	struct timespec start;
	u64 shown_ms, fuzz_from_ops, fuzz_from_ms;
};

/* Returns an exit status. */
int gate_session_run(struct gate_session *s);

#endif
