/* SPDX-License-Identifier: GPL-2.0-only */
/* The tables of switches and presets, and the names that are composed from them. */
#include <stdio.h>
#include <string.h>

#include "model/policy.h"

static const struct policy_value off_on[] = {{"off", 0}, {"on", 1}};

static const struct policy_value contig_valid[] = {
	{"pre513", CONTIG_VALID_PRE513},
	{"post513", CONTIG_VALID_POST513},
	{"hugeskip", CONTIG_VALID_HUGESKIP},
	{"twopass", CONTIG_VALID_TWOPASS},
};

static const struct policy_value fallback[] = {
	{"A", FALLBACK_A},
	{"B", FALLBACK_B},
	{"C", FALLBACK_C},
	{"D", FALLBACK_D},
};

#define COMPARED_V6 "7.3.4 with the patch: in lock step; with V1+V2, 30 recordings"

#define VALUES(v) .values = (v), .nr_values = ARRAY_SIZE(v)

static const struct policy_switch switches[] = {
	{
		.name = "V1",
		.what = "A costly NORETRY request without THISNODE never reclaims or compacts.",
		.source = "spec 6.2; first half of the v6 patch",
		.compared = COMPARED_V6,
		.offset = offsetof(struct policy, v1),
		VALUES(off_on),
	},
	{
		.name = "V2",
		.what = "A NORETRY request is not let off defrag_mode's ban on mixing types.",
		.source = "spec 6.2; second half of the v6 patch",
		.compared = COMPARED_V6,
		.offset = offsetof(struct policy, v2),
		VALUES(off_on),
	},
	{
		.name = "contig_valid",
		.what = "Which candidate ranges alloc_contig_pages tries.",
		.source = "spec 7.6; pfn_range_valid_contig() of about 5.12, 5.13, 6.12, 7.3",
		.compared = "twopass: 7.3.4; the others: 7.3.4 with that search (ci/kernel-edits), "
			    "200,442 "
			    "ops in lock step",
		.offset = offsetof(struct policy, contig_valid),
		VALUES(contig_valid),
	},
	{
		.name = "fallback",
		.what = "What a request does whose own lists are empty.",
		.source = "spec 9.1 - 9.5; A 6.1, B 6.10 - 6.14, C 6.15, D 7.3",
		.compared = "D: 7.3.4; the others: 7.3.4 with that fallback (ci/kernel-edits), "
			    "200,442 ops in lock step",
		.offset = offsetof(struct policy, fallback),
		VALUES(fallback),
	},
};

static const struct policy_preset presets[] = {
	{
		.name = "v7.3",
		.what = "Linux 7.3.4",
		.compared = "7.3.4: 100,000,007 ops in lock step, 74 recordings page by page",
		.policy = {.contig_valid = CONTIG_VALID_TWOPASS},
	},
};

const struct policy_switch *policy_switches(size_t *nr)
{
	*nr = ARRAY_SIZE(switches);
	return switches;
}

const struct policy_preset *policy_presets(size_t *nr)
{
	*nr = ARRAY_SIZE(presets);
	return presets;
}

static u8 get_switch(const struct policy *policy, const struct policy_switch *sw)
{
	return ((const u8 *)policy)[sw->offset];
}

const char *policy_value_name(const struct policy_switch *sw, const struct policy *policy)
{
	for (size_t i = 0; i < sw->nr_values; i++)
		if (sw->values[i].value == get_switch(policy, sw))
			return sw->values[i].name;
	return NULL;
}

/* ---- text to policy ------------------------------------------------------ */

static bool is_name(const char *text, size_t len, const char *name)
{
	return strlen(name) == len && !memcmp(text, name, len);
}

/* "V1" and "contig_valid=post513"; "V1" alone means "V1=on". */
static const char *parse_switch(const char *text, size_t len, struct policy *policy)
{
	const char *equals = memchr(text, '=', len);
	size_t name_len = equals ? (size_t)(equals - text) : len;
	const char *value = equals ? equals + 1 : "on";
	size_t value_len = equals ? len - name_len - 1 : strlen(value);

	for (size_t i = 0; i < ARRAY_SIZE(switches); i++) {
		const struct policy_switch *sw = &switches[i];

		if (!is_name(text, name_len, sw->name))
			continue;
		for (size_t v = 0; v < sw->nr_values; v++) {
			if (!is_name(value, value_len, sw->values[v].name))
				continue;
			((u8 *)policy)[sw->offset] = sw->values[v].value;
			return NULL;
		}
		return "expected a value that the switch has";
	}
	return "expected a switch after '+': V1, V2 or contig_valid=VALUE";
}

const char *policy_parse(const char *text, struct policy *policy)
{
	size_t len = strcspn(text, "+");
	struct policy parsed;
	const char *why;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(presets); i++)
		if (is_name(text, len, presets[i].name))
			break;
	if (i == ARRAY_SIZE(presets))
		return "expected a preset first: v7.3";
	parsed = presets[i].policy;
	for (text += len; *text; text += len) {
		text++;
		len = strcspn(text, "+");
		why = parse_switch(text, len, &parsed);
		if (why)
			return why;
	}
	*policy = parsed;
	return NULL;
}

/* ---- policy to text ------------------------------------------------------ */

/* Name @policy by its differences from @preset. */
static int name_from(const struct policy_preset *preset, const struct policy *policy, char *buf,
		     size_t size)
{
	int len = snprintf(buf, size, "%s", preset->name);

	for (size_t i = 0; i < ARRAY_SIZE(switches); i++) {
		const struct policy_switch *sw = &switches[i];
		const char *value = policy_value_name(sw, policy);
		bool plain = value && !strcmp(value, "on");
		size_t used = min_u32((u32)len, (u32)size);

		if (get_switch(policy, sw) == get_switch(&preset->policy, sw))
			continue;
		len += snprintf(buf + used, size - used, "+%s%s%s", sw->name, plain ? "" : "=",
				plain ? "" : value);
	}
	return len;
}

int policy_name(const struct policy *policy, char *buf, size_t size)
{
	const struct policy_preset *best = NULL;
	int best_len = 0;
	char none[1];

	for (size_t i = 0; i < ARRAY_SIZE(presets); i++) {
		int len = name_from(&presets[i], policy, none, 0);

		if (best && len >= best_len)
			continue;
		best = &presets[i];
		best_len = len;
	}
	return name_from(best, policy, buf, size);
}
