/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading a recording: header, ops, final state. */
#include "harness/recording.h"

#include <stdlib.h>
#include <string.h>

#include "harness/gfp_text.h"
#include "harness/live.h"
#include "harness/op_rules.h"
#include "harness/state_lines.h"
#include "model/gfp.h"
#include "model/view.h"

struct recording {
	struct text text;
	struct testcase *c;
	struct live live;
	u32 task; /* enum task_flags */
	u32 task_line;
	/* gfp of the alloc before: most repeat it */
	struct word gfp_text;
	u32 gfp;
};

/* What was recorded, and the policy that plays it. */
static const struct {
	const char *kernel, *policy;
} kernels[] = {
	{"7.3.4", "v7.3"},
	{"7.3.4+v6", "v7.3+V1+V2"},
};

/* ---- header -------------------------------------------------------------- */

static bool parse_kernel(struct recording *r)
{
	static const char port[] = "port:";
	struct machine *m = &r->c->machine;
	struct word w;

	if (!text_line(&r->text) || !text_literal(&r->text, "kernel"))
		return text_fail(&r->text, "expected 'kernel VERSION'", "no kernel");
	text_word(&r->text, &w);
	for (size_t i = 0; i < ARRAY_SIZE(kernels); i++) {
		const char *policy = kernels[i].policy;
		size_t size = sizeof(port) + strlen(policy);

		if (!word_is(w, kernels[i].kernel))
			continue;
		if (policy_parse(policy, &m->policy))
			return text_fail(&r->text, "expected it built in", "no policy %s", policy);
		r->c->subject = malloc(size);
		if (!r->c->subject)
			abort();
		strcat(strcpy(r->c->subject, port), policy);
		return text_end_line(&r->text);
	}
	return text_fail_word(&r->text, "expected kernel 7.3.4 or 7.3.4+v6", w);
}

static bool parse_task(struct recording *r)
{
	struct word w = {.s = ""};

	if (text_line(&r->text))
		w = text_rest(&r->text);
	r->task = word_is(w, "task realtime") ? TASK_RT : 0;
	r->task_line = r->text.line;
	return r->task || word_is(w, "task plain") ||
	       text_fail_word(&r->text, "expected 'task plain' or 'task realtime'", w);
}

/* The next line must have the words of @form. */
static bool parse_form(struct recording *r, const char *form, u32 *values)
{
	struct word line = {.s = ""};

	if (text_line(&r->text))
		line = text_rest(&r->text);
	if (line_match(form, line, values))
		return true;
	return text_fail(&r->text,
			 strchr(form, '#') ? "expected numbers in the place of #"
					   : "expected it first",
			 "no line '%s'", form);
}

static bool parse_byte(struct recording *r, const char *form, u8 *value)
{
	u32 v;

	if (!parse_form(r, form, &v))
		return false;
	*value = (u8)v;
	return v <= UINT8_MAX || text_fail(&r->text, "expected at most 255", "%u is too much", v);
}

static bool parse_compaction(struct recording *r)
{
	static const char prefix[] = "COMPACT_";
	struct env_default *d = &r->c->machine.env.defaults[ENV_COMPACT];
	struct word w;

	if (!text_line(&r->text) || !text_literal(&r->text, "compaction_returns"))
		return text_fail(&r->text, "expected it", "no compaction_returns");
	text_word(&r->text, &w);
	for (u32 i = 0; i < NR_COMPACT_RESULTS; i++) {
		if (w.len < sizeof(prefix) || memcmp(w.s, prefix, sizeof(prefix) - 1) != 0)
			break;
		d->then = i;
		if (word_is((struct word){w.s + sizeof(prefix) - 1, w.len - sizeof(prefix) + 1},
			    compact_result_names[i]))
			return text_end_line(&r->text);
	}
	return text_fail_word(&r->text, "expected a compact_result like COMPACT_COMPLETE", w);
}

static bool parse_header(struct recording *r)
{
	struct machine *m = &r->c->machine;
	struct env_default *reclaim = &m->env.defaults[ENV_RECLAIM];
	u32 returns[3], seed;

	if (!parse_form(r, RECORDING_FIRST_LINE, NULL) || !parse_kernel(r) || !parse_task(r) ||
	    !parse_byte(r, "pageblock_order #", &m->pageblock_order) ||
	    !parse_byte(r, "max_page_order #", &m->max_page_order) ||
	    !parse_byte(r, "cpus #", &m->nr_cpus) ||
	    !parse_form(r, "defrag_mode #", &m->sysctl[SYSCTL_DEFRAG_MODE]) ||
	    !parse_form(r,
			"reclaim_returns # on its first # calls within one alloc, then # "
			"(it frees nothing)",
			returns) ||
	    !parse_compaction(r) || !parse_form(r, "seed #", &seed))
		return false;
	*reclaim =
		(struct env_default){.value = returns[0], .times = returns[1], .then = returns[2]};
	return true;
}

/* ---- zones --------------------------------------------------------------- */

static bool parse_zone(struct recording *r, struct word line)
{
	u32 values[BOOT_LINE_VALUES];
	struct machine *m = &r->c->machine;
	char *copy;

	if (!line_match(boot_line_form, line, values))
		return text_fail(&r->text, "expected 'zone NODE TYPE start PFN pages N min ...'",
				 "this zone line is not complete");
	if (m->nr_zones == MACHINE_MAX_ZONES || values[0] >= MACHINE_MAX_NODES)
		return text_fail(&r->text, "expected at most 8 nodes with 4 zones",
				 "no room for node %u", values[0]);
	m->zones[m->nr_zones++] = (struct machine_zone){.node = (u8)values[0],
							.type = (u8)values[1],
							.start = values[2],
							.pages = values[3]};
	m->nr_nodes = (u8)max_u32(m->nr_nodes, values[0] + 1);
	copy = word_copy(line);
	case_add_boot(r->c, copy);
	free(copy);
	return true;
}

/* Up to the first line that is no zone, which is left to be read. */
static bool parse_zones(struct recording *r)
{
	const char *start, *why;
	struct word w;

	while (text_line(&r->text)) {
		start = r->text.at;
		text_word(&r->text, &w);
		r->text.at = start;
		if (!word_is(w, "zone"))
			break;
		if (!parse_zone(r, text_rest(&r->text)))
			return false;
	}
	why = machine_check(&r->c->machine);
	return !why || text_fail(&r->text, why, "the machine cannot be booted");
}

/* ---- ops ----------------------------------------------------------------- */

static bool add_op(struct recording *r, struct op *op, u32 line)
{
	struct op_origin origin = {.line = line};
	const char *why = op_check(&r->c->machine, &r->live, op);

	if (why)
		return text_fail(&r->text, why, "this %s cannot be played",
				 op_infos[op->kind].name);
	if (r->c->nr_ops == CASE_MAX_OPS)
		return text_fail(&r->text, "expected at most 1000000", "too many ops");
	op->out = op_infos[op->kind].creates ? r->c->nr_slots++ : SLOT_NONE;
	live_apply(&r->live, op);
	case_set_origin(r->c, case_add_op(r->c, op), &origin);
	return true;
}

static bool parse_keyed(struct recording *r, const char *key, u32 max, u32 *value)
{
	if (!text_literal(&r->text, key) || !text_u32(&r->text, "expected a number", value))
		return false;
	return *value <= max ||
	       text_fail(&r->text, "expected less", "%s %u is too much", key, *value);
}

static bool parse_gfp(struct recording *r, u32 *gfp)
{
	struct word w, unknown;

	text_word(&r->text, &w);
	if (w.len != r->gfp_text.len || memcmp(w.s, r->gfp_text.s, w.len) != 0) {
		if (!gfp_parse(w, &r->gfp, &unknown))
			return text_fail_word(&r->text, "expected gfp flags joined by '|'",
					      unknown);
		r->gfp_text = w;
	}
	*gfp = r->gfp;
	return true;
}

/* => PFN|none [kswapd N] [reclaim N] [compact N] [oom N] */
static bool parse_expect(struct recording *r, struct expect *expect)
{
	const struct {
		const char *name;
		u32 *count;
	} calls[] = {
		{"kswapd", &expect->wakes},
		{"reclaim", &expect->reclaim},
		{"compact", &expect->compact},
		{"oom", &expect->oom},
	};
	struct word w;
	size_t i = 0;

	if (!text_literal(&r->text, "=>"))
		return false;
	text_word(&r->text, &w);
	if (!word_is(w, "none") && !word_u32(w, &expect->pfn))
		return text_fail_word(&r->text, "expected a PFN or none", w);
	while (text_word(&r->text, &w)) {
		while (i < ARRAY_SIZE(calls) && !word_is(w, calls[i].name))
			i++;
		if (i == ARRAY_SIZE(calls))
			return text_fail_word(&r->text, "expected kswapd, reclaim, compact or oom",
					      w);
		if (!text_u32(&r->text, "expected a number of calls", calls[i++].count))
			return false;
	}
	return true;
}

/* alloc ID order O node N gfp FLAGS => ... */
static bool parse_alloc(struct recording *r)
{
	struct expect expect = {
		.op = r->c->nr_ops, .pfn = PFN_NONE, .has_result = true, .has_calls = true};
	struct op op = {.kind = OP_ALLOC};
	u32 id, order, node;

	if (!text_u32(&r->text, "expected a number", &id))
		return false;
	if (id != r->c->nr_slots)
		return text_fail(&r->text, "expected allocs numbered from 0 on",
				 "alloc %u follows alloc %d", id, (int)r->c->nr_slots - 1);
	if (!parse_keyed(r, "order", UINT8_MAX, &order) ||
	    !parse_keyed(r, "node", UINT8_MAX, &node) || !text_literal(&r->text, "gfp") ||
	    !parse_gfp(r, &op.gfp) || !parse_expect(r, &expect))
		return false;
	op.order = (u8)order;
	op.node = (u8)node;
	if (!add_op(r, &op, r->text.line))
		return false;
	case_add_expect(r->c, &expect);
	return true;
}

static bool parse_free(struct recording *r)
{
	struct op op = {.kind = OP_FREE, .b = EXTENT_ALL};

	return text_u32(&r->text, "expected the number of an alloc", &op.a) &&
	       text_end_line(&r->text) && add_op(r, &op, r->text.line);
}

static bool parse_drain(struct recording *r)
{
	struct op op = {.kind = OP_DRAIN, .sub = DRAIN_ALL};

	return text_end_line(&r->text) && add_op(r, &op, r->text.line);
}

/* From the line that parse_zones() stopped at to "end". */
static bool parse_ops(struct recording *r)
{
	struct op task = {.kind = OP_TASK, .a = r->task};
	struct word w;

	if (r->task && !add_op(r, &task, r->task_line))
		return false;
	do {
		bool ok;

		text_word(&r->text, &w);
		if (word_is(w, "end"))
			return text_end_line(&r->text);
		if (word_is(w, "alloc"))
			ok = parse_alloc(r);
		else if (word_is(w, "free"))
			ok = parse_free(r);
		else if (word_is(w, "drain"))
			ok = parse_drain(r);
		else
			ok = text_fail_word(&r->text, "expected alloc, free, drain or end", w);
		if (!ok)
			return false;
	} while (text_line(&r->text));
	return text_fail(&r->text, "expected 'end' and the final state",
			 "the recording is cut off");
}

/* ---- final state --------------------------------------------------------- */

static bool parse_final(struct recording *r)
{
	static const char last[] = "pageblocks "; /* of each zone */
	u32 zones = 0;

	while (text_line(&r->text)) {
		struct word line = text_rest(&r->text);
		char *copy;

		if (!final_line_known(line))
			return text_fail_word(&r->text, "expected a line of a final state", line);
		copy = word_copy(line);
		zones += !strncmp(copy, last, sizeof(last) - 1);
		case_add_final(r->c, copy);
		free(copy);
	}
	return zones == r->c->machine.nr_zones ||
	       text_fail(&r->text, "expected a 'pageblocks' line for each zone",
			 "the final state is not complete");
}

bool recording_parse(const char *file, const char *data, size_t len, struct testcase *c,
		     char err[CASE_ERROR_SIZE])
{
	struct recording r = {.c = c};
	bool ok;

	text_init(&r.text, file, data, len, err);
	r.gfp_text = (struct word){.s = ""};
	live_init(&r.live);
	ok = parse_header(&r) && parse_zones(&r) && parse_ops(&r) && parse_final(&r);
	live_free(&r.live);
	if (!ok)
		case_free(c);
	return ok;
}
