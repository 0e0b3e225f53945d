/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A policy is a set of named switches (spec 9.10). A preset names the switches
 * of a release that the port was compared with; everything else is composed
 * from a preset and named by mechanism: "v7.3+V1+V2", "v7.3+contig_valid=post513".
 *
 * To add a switch: one row in the table in policy.c, one member here, and the
 * code that it switches.
 */
#ifndef MODEL_POLICY_H
#define MODEL_POLICY_H

#include "model/types.h"

/* Generations of pfn_range_valid_contig() (spec 7.6). */
enum contig_valid {
	CONTIG_VALID_PRE513,
	CONTIG_VALID_POST513,
	CONTIG_VALID_HUGESKIP,
	CONTIG_VALID_TWOPASS,
};

/* What a request does whose own lists are empty (spec 9.1). */
enum fallback_policy {
	FALLBACK_D, /* claim a block, else steal a page; a batch remembers what it had to do */
	FALLBACK_C, /* the same, but each page is searched for from the start */
	FALLBACK_B, /* the largest buddy: its block, or else a page of it */
	FALLBACK_A, /* the same, but the block's free pages are moved before it is weighed */
};

struct policy {
	/* Costly NORETRY without THISNODE loses DIRECT_RECLAIM (spec 6.2, V1). */
	u8 v1;
	/* No defrag_mode relaxation for NORETRY (spec 6.2, V2). */
	u8 v2;
	/* enum contig_valid */
	u8 contig_valid;
	/* enum fallback_policy */
	u8 fallback;
};

/* One value that a switch can take: "twopass", 3. */
struct policy_value {
	const char *name;
	u8 value;
};

struct policy_switch {
	const char *name;
	const char *what; /* one sentence */
	const char *source; /* spec section, release or commit */
	const char *compared; /* what it was compared with */
	size_t offset; /* of the u8 in struct policy */
	const struct policy_value *values;
	size_t nr_values;
};

struct policy_preset {
	const char *name; /* "v7.3" */
	const char *what; /* the exact release */
	const char *compared; /* what it was compared with */
	struct policy policy;
};

/* The tables behind `buddycheck policy`; @nr receives their length. */
const struct policy_switch *policy_switches(size_t *nr);
const struct policy_preset *policy_presets(size_t *nr);

/* Name of the value that the switch has in @policy; NULL: it has none of its values. */
const char *policy_value_name(const struct policy_switch *sw, const struct policy *policy);

/*
 * Parse "PRESET[+V1][+V2][+SWITCH=VALUE]..." into @policy.
 * Returns NULL, or a static text that says what was expected.
 */
const char *policy_parse(const char *text, struct policy *policy);

/*
 * Write the shortest name of @policy into @buf; parsing it gives @policy back.
 * Returns the length as snprintf() would.
 */
int policy_name(const struct policy *policy, char *buf, size_t size);

#endif
