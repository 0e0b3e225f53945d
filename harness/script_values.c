/* SPDX-License-Identifier: GPL-2.0-only */
/* Values of ops as text: for each type how it is read and, below, how it is written. */
#include <string.h>

#include "harness/gfp_text.h"
#include "harness/script_internal.h"
#include "model/view.h"

static const char *const isolate_mode_names[] = {"offline", "cma", "other"};

/* By bit number of enum page_flags; cases mark nothing else. */
static const char *const mark_names[] = {
	[3] = "lru",	  [4] = "movable_ops", [5] = "hugetlb", [6] = "reserved",
	[7] = "hwpoison", [8] = "pinned",      [9] = "clean",	[10] = "mlocked",
};

/* ---- reading: parts ------------------------------------------------------ */

/* The names in @w, joined by @by, as bits. */
static bool parse_bits(struct text *t, struct word w, char by, const char *const *names, u32 nr,
		       const char *expected, u32 *bits)
{
	bool more;

	*bits = 0;
	do {
		struct word name;
		u32 i = 0;

		more = word_cut(&w, by, &name);
		if (!more)
			name = w;
		while (i < nr && !(names[i] && word_is(name, names[i])))
			i++;
		if (i == nr)
			return text_fail_word(t, expected, name);
		*bits |= BIT(i);
	} while (more);
	return true;
}

static bool parse_nodes(struct text *t, struct word w, u32 *nodes)
{
	static const char *const digits[MACHINE_MAX_NODES] = {"0", "1", "2", "3",
							      "4", "5", "6", "7"};

	return parse_bits(t, w, ',', digits, MACHINE_MAX_NODES, "expected nodes joined by ','",
			  nodes);
}

static bool parse_number(struct text *t, struct word w, u32 max, u32 *value)
{
	char expected[48];

	if (word_u32(w, value) && *value <= max)
		return true;
	snprintf(expected, sizeof(expected), "expected a number of at most %u", max);
	return text_fail_word(t, expected, w);
}

static bool parse_byte(struct text *t, struct word w, u8 *value)
{
	u32 v;

	if (!parse_number(t, w, UINT8_MAX, &v))
		return false;
	*value = (u8)v;
	return true;
}

static bool parse_byte_of_b(struct text *t, struct word w, u32 shift, struct op *op)
{
	u32 v;

	if (!parse_number(t, w, UINT8_MAX, &v))
		return false;
	op->b |= v << shift;
	return true;
}

static bool parse_index(struct text *t, struct word w, const char *const *names, u32 nr,
			const char *expected, u8 *value)
{
	*value = (u8)word_index(w, names, nr);
	return *value < nr || text_fail_word(t, expected, w);
}

static bool parse_gfp(struct text *t, struct word w, u32 *gfp)
{
	struct word unknown;

	return gfp_parse(w, gfp, &unknown) ||
	       text_fail_word(t, "expected gfp flags joined by '|', or 0", unknown);
}

static bool parse_slot(struct script *s, struct word w, u32 *slot)
{
	*slot = name_table_find(&s->names, s->c->strings, w);
	return *slot != SLOT_NONE ||
	       text_fail_word(&s->text, "expected the name of an object above", w);
}

/* "a": all of it, or "a[3]". */
static bool parse_extent(struct script *s, struct word w, struct op *op)
{
	struct word name;

	op->b = EXTENT_ALL;
	if (!word_cut(&w, '[', &name))
		return parse_slot(s, w, &op->a);
	if (!w.len || w.s[w.len - 1] != ']')
		return text_fail_word(&s->text, "expected a number and ']' behind '['", w);
	w.len--;
	return parse_slot(s, name, &op->a) &&
	       parse_number(&s->text, w, CASE_MAX_EXTENTS - 1, &op->b);
}

static bool parse_offset(struct text *t, struct word w, u32 *offset)
{
	if (w.len && *w.s == '+' && word_u32((struct word){w.s + 1, w.len - 1}, offset))
		return true;
	return text_fail_word(t, "expected an offset in pages, like +4", w);
}

static bool parse_range(struct text *t, struct word w, struct op *op)
{
	struct word start, rest = w;

	if (word_cut(&rest, '.', &start) && rest.len && *rest.s == '.' && word_u32(start, &op->a) &&
	    word_u32((struct word){rest.s + 1, rest.len - 1}, &op->b))
		return true;
	return text_fail_word(t, "expected a range of PFNs, like 512..1024", w);
}

/* @w is the node; the type is the next word. */
static bool parse_zone(struct script *s, struct word w, struct op *op)
{
	const struct machine *m = &s->c->machine;
	u8 node, type;

	if (!parse_byte(&s->text, w, &node))
		return false;
	text_word(&s->text, &w);
	type = (u8)word_index(w, zone_type_names, MAX_NR_ZONES);
	for (op->a = 0; op->a < m->nr_zones; op->a++)
		if (m->zones[op->a].node == node && m->zones[op->a].type == type)
			return true;
	return text_fail_word(&s->text, "expected a node and the type of a zone on it", w);
}

bool script_parse_value(struct script *s, enum value_type type, struct op *op)
{
	struct text *t = &s->text;
	struct word w;

	text_word(t, &w);
	switch (type) {
	case VALUE_SUB:
		return parse_byte(t, w, &op->sub);
	case VALUE_NODE:
		return parse_byte(t, w, &op->node);
	case VALUE_FLAGS:
		return parse_byte(t, w, &op->flags);
	case VALUE_A:
		return parse_number(t, w, UINT32_MAX, &op->a);
	case VALUE_B:
		return parse_number(t, w, UINT32_MAX, &op->b);
	case VALUE_MIN:
		return parse_byte_of_b(t, w, 0, op);
	case VALUE_MAX:
		return parse_byte_of_b(t, w, 8, op);
	case VALUE_GFP:
		return parse_gfp(t, w, &op->gfp);
	case VALUE_NODES_A:
		return parse_nodes(t, w, &op->a);
	case VALUE_NODES_B:
		return parse_nodes(t, w, &op->b);
	case VALUE_SLOT:
		return parse_slot(s, w, &op->a);
	case VALUE_EXTENT:
		return parse_extent(s, w, op);
	case VALUE_OFFSET:
		return parse_offset(t, w, &op->b);
	case VALUE_RANGE:
		return parse_range(t, w, op);
	case VALUE_MARKS:
		return parse_bits(t, w, '|', mark_names, ARRAY_SIZE(mark_names),
				  "expected page marks joined by '|'", &op->b);
	case VALUE_TASK:
		return word_is(w, "plain") ||
		       parse_bits(t, w, '|', task_flag_names, NR_TASK_FLAGS,
				  "expected plain, or task flags joined by '|'", &op->a);
	case VALUE_MODE:
		return parse_index(t, w, isolate_mode_names, ARRAY_SIZE(isolate_mode_names),
				   "expected offline, cma or other", &op->sub);
	case VALUE_SYSCTL:
		return parse_index(t, w, sysctl_names, NR_SYSCTLS, "expected the name of a sysctl",
				   &op->sub);
	default:
		return parse_zone(s, w, op);
	}
}

/* ---- writing ------------------------------------------------------------- */

static void write_bits(FILE *out, u32 bits, const char *const *names)
{
	for (const char *between = ""; bits; bits &= bits - 1, between = "|")
		fprintf(out, "%s%s", between, names[ffs0(bits)]);
}

static void write_nodes(FILE *out, u32 nodes)
{
	for (const char *between = ""; nodes; nodes &= nodes - 1, between = ",")
		fprintf(out, "%s%u", between, ffs0(nodes));
}

static void write_object(FILE *out, const struct slot_names *names, u32 slot, u32 extent)
{
	fputs(names->strings + names->at[slot], out);
	if (extent != EXTENT_ALL)
		fprintf(out, "[%u]", extent);
}

static void write_number(FILE *out, enum value_type type, const struct op *op)
{
	u32 v = type == VALUE_SUB     ? op->sub
		: type == VALUE_NODE  ? op->node
		: type == VALUE_FLAGS ? op->flags
		: type == VALUE_A     ? op->a
		: type == VALUE_MIN   ? op->b & 0xff
		: type == VALUE_MAX   ? op->b >> 8
				      : op->b;

	fprintf(out, "%u", v);
}

void script_write_value(FILE *out, const struct testcase *c, const struct slot_names *names,
			enum value_type type, const struct op *op)
{
	char buf[GFP_TEXT_SIZE];

	switch (type) {
	case VALUE_GFP:
		fputs(gfp_print(op->gfp, buf), out);
		return;
	case VALUE_NODES_A:
	case VALUE_NODES_B:
		write_nodes(out, type == VALUE_NODES_A ? op->a : op->b);
		return;
	case VALUE_SLOT:
	case VALUE_EXTENT:
		write_object(out, names, op->a, type == VALUE_SLOT ? EXTENT_ALL : op->b);
		return;
	case VALUE_OFFSET:
		fprintf(out, "+%u", op->b);
		return;
	case VALUE_RANGE:
		fprintf(out, "%u..%u", op->a, op->b);
		return;
	case VALUE_MARKS:
		write_bits(out, op->b, mark_names);
		return;
	case VALUE_TASK:
		fputs(op->a ? "" : "plain", out);
		write_bits(out, op->a, task_flag_names);
		return;
	case VALUE_MODE:
		fputs(isolate_mode_names[op->sub], out);
		return;
	case VALUE_SYSCTL:
		fputs(sysctl_names[op->sub], out);
		return;
	case VALUE_ZONE:
		fprintf(out, "%u %s", c->machine.zones[op->a].node,
			zone_type_names[c->machine.zones[op->a].type]);
		return;
	default:
		write_number(out, type, op);
	}
}
