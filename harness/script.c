/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading a script: its three sections, and the lines of the second. */
#include <stdlib.h>

#include "harness/op_rules.h"
#include "harness/script_internal.h"
#include "harness/state_lines.h"

#define DIVIDER "---"

/* ---- expectations -------------------------------------------------------- */

/* => PFN|none */
static bool parse_result(struct script *s, const struct op *op, struct expect *expect)
{
	struct word w;

	text_word(&s->text, &w);
	expect->has_result = true;
	expect->pfn = PFN_NONE;
	if (!op_infos[op->kind].creates)
		return text_fail(&s->text, "expected no '=>'", "%s gives no page",
				 op_infos[op->kind].name);
	return word_is(w, "none") || word_u32(w, &expect->pfn) ||
	       text_fail_word(&s->text, "expected a PFN or none", w);
}

/* [=> PFN|none] [kswapd N] [reclaim N] [compact N] [oom N], up to the end of the line */
static bool parse_expect(struct script *s, const struct op *op, struct expect *expect)
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
	u32 seen = 0;
	size_t i;

	while (text_word(&s->text, &w)) {
		if (word_is(w, "=>") && !expect->has_result) {
			if (!parse_result(s, op, expect))
				return false;
			continue;
		}
		for (i = 0; i < ARRAY_SIZE(calls) && !word_is(w, calls[i].name); i++)
			;
		if (i == ARRAY_SIZE(calls))
			return text_fail_word(&s->text, "expected a word of this op, or =>", w);
		if (seen & BIT(i))
			return text_fail(&s->text, EXPECTED_ONCE, "'%s' comes twice",
					 calls[i].name);
		seen |= BIT(i);
		if (!text_u32(&s->text, "expected a number of calls", calls[i].count))
			return false;
		expect->has_calls = true;
	}
	return true;
}

/* ---- ops ----------------------------------------------------------------- */

/* [NAME =]; the offset of the name, or 0 */
static bool parse_name(struct script *s, u32 *offset)
{
	struct text *t = &s->text;
	const char *start = t->at;
	struct word name, equals;
	char *copy;

	*offset = 0;
	text_word(t, &name);
	if (!text_word(t, &equals) || !word_is(equals, "=")) {
		t->at = start;
		return true;
	}
	if (!name_is_valid(name))
		return text_fail_word(t, "expected a name of letters, digits and _", name);
	if (name_table_find(&s->names, s->c->strings, name) != SLOT_NONE)
		return text_fail_word(t, "expected a name that is new", name);
	copy = word_copy(name);
	*offset = case_add_string(s->c, copy);
	free(copy);
	return true;
}

/* A slot and its name for an op that creates one. */
static bool open_slot(struct script *s, struct op *op, u32 name)
{
	if (!op_infos[op->kind].creates)
		return !name || text_fail(&s->text, "expected no name", "%s creates no object",
					  op_infos[op->kind].name);
	op->out = s->c->nr_slots++;
	if (name)
		name_table_add(&s->names, s->c->strings, name, op->out);
	return true;
}

static bool parse_op_line(struct script *s)
{
	struct testcase *c = s->c;
	struct op_origin origin = {.line = s->text.line};
	struct expect expect = {0};
	const char *why;
	struct op op;

	if (c->nr_ops == CASE_MAX_OPS)
		return text_fail(&s->text, "expected at most 1000000", "too many ops");
	if (!parse_name(s, &origin.name) || !script_parse_op(s, &op) ||
	    !parse_expect(s, &op, &expect))
		return false;
	why = op_check(&c->machine, &s->live, &op);
	if (why)
		return text_fail(&s->text, why, "this %s cannot be played", op_infos[op.kind].name);
	if (!open_slot(s, &op, origin.name))
		return false;
	live_apply(&s->live, &op);
	op.first_answer = s->first_answer;
	op.nr_answers = (u16)(c->nr_answers - s->first_answer);
	op.first_nested = s->first_nested;
	op.nr_nested = (u16)(c->nr_nested - s->first_nested);
	s->first_answer = c->nr_answers;
	s->first_nested = c->nr_nested;
	expect.op = case_add_op(c, &op);
	case_set_origin(c, expect.op, &origin);
	if (expect.has_result || expect.has_calls)
		case_add_expect(c, &expect);
	return true;
}

/* at POINT cpu N: OP */
static bool parse_nested(struct script *s)
{
	struct nested_op nested = {.origin.line = s->text.line};
	struct text *t = &s->text;
	const char *why;
	struct word w, cpu;
	u32 nr;

	text_word(t, &w);
	nested.point = (u8)word_index(w, nest_point_names, NR_NEST_POINTS);
	if (nested.point == NR_NEST_POINTS)
		return text_fail_word(t, "expected a point of nested ops", w);
	if (!text_literal(t, "cpu"))
		return false;
	text_word(t, &w);
	if (!word_cut(&w, ':', &cpu) || w.len || !word_u32(cpu, &nr) || nr > UINT8_MAX)
		return text_fail_word(t, "expected a CPU and ':'", w);
	nested.cpu = (u8)nr;
	if (s->c->nr_nested - s->first_nested == CASE_MAX_OP_PARTS)
		return text_fail(t, "expected at most 65535", "too many nested ops for one op");
	if (!parse_name(s, &nested.origin.name) || !script_parse_op(s, &nested.op) ||
	    !text_end_line(t))
		return false;
	why = nested_check(&s->c->machine, &s->live, &nested);
	if (why)
		return text_fail(t, why, "this nested %s cannot be played",
				 op_infos[nested.op.kind].name);
	if (!open_slot(s, &nested.op, nested.origin.name))
		return false;
	live_apply(&s->live, &nested.op);
	case_add_nested(s->c, &nested);
	return true;
}

/* An object may be named "at": what has '=' behind its first word is an op. */
static bool parse_line_of_ops(struct script *s)
{
	const char *start = s->text.at, *behind;
	struct word first, second;
	bool named;

	text_word(&s->text, &first);
	behind = s->text.at;
	named = text_word(&s->text, &second) && word_is(second, "=");
	s->text.at = behind;
	if (!named && word_is(first, "answer"))
		return script_parse_answer(s);
	if (!named && word_is(first, "at"))
		return parse_nested(s);
	s->text.at = start;
	return parse_op_line(s);
}

/* ---- sections ------------------------------------------------------------ */

static bool at_divider(struct text *t)
{
	const char *start = t->at;
	struct word w;

	text_word(t, &w);
	if (word_is(w, DIVIDER))
		return true;
	t->at = start;
	return false;
}

static bool parse_first_line(struct text *t)
{
	struct word rest = {.s = ""};

	if (text_line(t))
		rest = text_rest(t);
	return line_match(SCRIPT_FIRST_LINE, rest, NULL) ||
	       text_fail_word(t, "expected '" SCRIPT_FIRST_LINE "' first", rest);
}

static bool parse_machine(struct script *s)
{
	const char *why;

	while (text_line(&s->text)) {
		if (!at_divider(&s->text)) {
			if (!script_parse_machine_line(s))
				return false;
			continue;
		}
		why = machine_check(&s->c->machine);
		if (why)
			return text_fail(&s->text, why, "the machine cannot be booted");
		return text_end_line(&s->text);
	}
	return text_fail(&s->text, "expected '" DIVIDER "' behind the machine", "no ops");
}

/* Ends at the divider, which is taken, or at the end of the text. */
static bool parse_ops(struct script *s)
{
	bool more;

	while ((more = text_line(&s->text)) && !at_divider(&s->text))
		if (!parse_line_of_ops(s))
			return false;
	if (s->c->nr_answers > s->first_answer || s->c->nr_nested > s->first_nested)
		return text_fail(&s->text, "expected an op below", "answers without an op");
	return !more || text_end_line(&s->text);
}

static bool parse_final(struct script *s)
{
	while (text_line(&s->text)) {
		struct word line = text_rest(&s->text);
		char *copy;

		if (!final_line_known(line))
			return text_fail_word(&s->text, "expected a line of a final state", line);
		copy = word_copy(line);
		case_add_final(s->c, copy);
		free(copy);
	}
	return true;
}

bool script_parse(const char *file, const char *data, size_t len, struct testcase *c,
		  char err[CASE_ERROR_SIZE])
{
	struct script s = {.c = c};
	bool ok;

	text_init(&s.text, file, data, len, err);
	s.text.comments = true;
	live_init(&s.live);
	ok = parse_first_line(&s.text) && parse_machine(&s) && parse_ops(&s) && parse_final(&s);
	live_free(&s.live);
	name_table_free(&s.names);
	if (!ok)
		case_free(c);
	return ok;
}
