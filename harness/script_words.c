/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The words of every op, in one table that the reader and the writer go through:
 *
 *      free a [nolock] [batch]         form "free": an extent, then two flags
 *      drain cpu 1 zone 0 Normal       form "drain cpu": a number, then a zone behind "zone"
 */
#include "harness/script_internal.h"

enum presence {
	NEEDED,
	OPTIONAL, /* 0 if it is not there */
	WRITTEN, /* optional to read */
};

struct op_word {
	const char *name; /* NULL: the value stands alone, in its place before the others */
	u8 type; /* enum value_type; VALUE_NONE ends the words */
	u8 presence;
	u8 flag; /* VALUE_FLAG */
};

#define MAX_WORDS 12

struct op_form {
	const char *word; /* the first on the line */
	const char *second; /* and the one behind it, or NULL */
	u8 kind;
	u8 sub, flags; /* what the words stand for */
	struct op_word words[MAX_WORDS];
};

#define FORM(kind_, word_, ...)                                            \
	{                                                                  \
		.word = (word_), .kind = (kind_), .words = { __VA_ARGS__ } \
	}
#define DRAIN(sub_, second_, ...)                                                                 \
	{                                                                                         \
		.word = "drain", .second = (second_), .kind = OP_DRAIN, .sub = (sub_), .words = { \
			__VA_ARGS__                                                               \
		}                                                                                 \
	}

#define BARE(type) {NULL, type, NEEDED, 0}
#define NEED(name, type) {name, type, NEEDED, 0}
#define MAY(name, type) {name, type, OPTIONAL, 0}
#define FLAG(name, flag) {name, VALUE_FLAG, OPTIONAL, flag}

#define ORDER NEED("order", VALUE_SUB)
#define NODE NEED("node", VALUE_NODE)
#define GFP NEED("gfp", VALUE_GFP)
#define CPU NEED("cpu", VALUE_B)
#define ZONE NEED("zone", VALUE_ZONE)
#define NODEMASK MAY("nodemask", VALUE_NODES_B)
#define FROZEN FLAG("frozen", OPF_FROZEN)
#define SLOT BARE(VALUE_SLOT)
#define MARKS BARE(VALUE_MARKS)
#define RANGE BARE(VALUE_RANGE)

static const struct op_form op_forms[] = {
	FORM(OP_ALLOC, "alloc", ORDER, NODE, GFP, NODEMASK, FROZEN),
	FORM(OP_ALLOC_NOLOCK, "alloc_nolock", ORDER, NODE, GFP),
	FORM(OP_ALLOC_BULK, "alloc_bulk", NEED("nr", VALUE_A), NODE, GFP, NODEMASK,
	     MAY("filled", VALUE_FLAGS)),
	FORM(OP_FREE, "free", BARE(VALUE_EXTENT), FLAG("nolock", OPF_NOLOCK),
	     FLAG("batch", OPF_BATCH)),
	FORM(OP_FREE_PIECE, "free_piece", SLOT, BARE(VALUE_OFFSET), ORDER),
	FORM(OP_GET, "get", SLOT),
	FORM(OP_MARK, "mark", SLOT, MARKS),
	{.word = "unmark", .kind = OP_MARK, .flags = OPF_CLEAR, .words = {SLOT, MARKS}},
	DRAIN(DRAIN_ALL, "all", {0}),
	DRAIN(DRAIN_ZONE, "zone", BARE(VALUE_ZONE)),
	DRAIN(DRAIN_LOCAL, "local", {0}),
	DRAIN(DRAIN_CPU_ZONE, "cpu", BARE(VALUE_B), ZONE),
	DRAIN(DRAIN_EXPIRE, "expire", CPU, ZONE),
	DRAIN(DRAIN_DECAY, "decay", CPU, ZONE),
	{.word = "pcp_disable", .kind = OP_DRAIN, .sub = DRAIN_PCP_DISABLE, .words = {ZONE}},
	{.word = "pcp_enable", .kind = OP_DRAIN, .sub = DRAIN_PCP_ENABLE, .words = {ZONE}},
	FORM(OP_ISOLATE, "isolate", RANGE, MAY("mode", VALUE_MODE)),
	FORM(OP_UNISOLATE, "unisolate", RANGE),
	FORM(OP_CONTIG_RANGE, "contig_range", RANGE, GFP, FLAG("cma", OPF_CMA), FROZEN),
	FORM(OP_CONTIG_PAGES, "contig_pages", NEED("nr", VALUE_A), NODE, GFP, NODEMASK, FROZEN),
	FORM(OP_CPU, "cpu", BARE(VALUE_A)),
	FORM(OP_TASK, "task", BARE(VALUE_TASK)),
	FORM(OP_CPUSET, "cpuset", NEED("mems", VALUE_NODES_A), NEED("hardwall", VALUE_NODES_B)),
	FORM(OP_SYSCTL, "sysctl", BARE(VALUE_SYSCTL), BARE(VALUE_A)),
	FORM(OP_KSWAPD, "kswapd", NODE, MAY("max", VALUE_A)),
	FORM(OP_KCOMPACTD, "kcompactd", NODE, MAY("blocks", VALUE_A)),
	FORM(OP_FILEMAP, "filemap", NEED("index", VALUE_A), ORDER, MAY("min", VALUE_MIN),
	     {"max", VALUE_MAX, WRITTEN, 0}, NODE, GFP, FLAG("nofs", OPF_FGP_NOFS),
	     FLAG("nowait", OPF_FGP_NOWAIT), FLAG("write", OPF_FGP_WRITE), FLAG("p2", OPF_P2),
	     FLAG("lru", OPF_LRU)),
	FORM(OP_MPOL, "mpol", ORDER, NODE, GFP, NODEMASK, FLAG("no_interleave", OPF_NO_INTERLEAVE)),
	FORM(OP_HUGETLB, "hugetlb", NEED("pages", VALUE_A), MAY("order", VALUE_SUB), NODE,
	     FLAG("movable", OPF_MOVABLE)),
};

/* ---- reading ------------------------------------------------------------- */

/* Several forms may share their first word; then the second one decides. */
static const struct op_form *parse_form(struct text *t)
{
	const struct op_form *f = op_forms, *end = op_forms + ARRAY_SIZE(op_forms);
	struct word first, second;

	text_word(t, &first);
	while (f < end && !word_is(first, f->word))
		f++;
	if (f == end) {
		text_fail_word(t, "expected an op", first);
		return NULL;
	}
	if (!f->second)
		return f;
	text_word(t, &second);
	for (; f < end && f->second; f++)
		if (word_is(second, f->second))
			return f;
	text_fail_word(t, "expected all, zone, local, cpu, expire or decay", second);
	return NULL;
}

static const struct op_word *find_word(const struct op_form *form, struct word w)
{
	for (const struct op_word *o = form->words; o->type; o++)
		if (o->name && word_is(w, o->name))
			return o;
	return NULL;
}

/* The words with a name, in any order; ends at the first that is not one of them. */
static bool parse_named(struct script *s, const struct op_form *form, struct op *op, u32 *seen)
{
	struct word w;

	while (text_word(&s->text, &w)) {
		const struct op_word *o = find_word(form, w);

		if (!o) {
			s->text.at = w.s;
			break;
		}
		if (*seen & BIT(o - form->words))
			return text_fail(&s->text, EXPECTED_ONCE, "'%s' comes twice", o->name);
		*seen |= BIT(o - form->words);
		if (o->type == VALUE_FLAG)
			op->flags |= o->flag;
		else if (!script_parse_value(s, o->type, op))
			return false;
	}
	return true;
}

bool script_parse_op(struct script *s, struct op *op)
{
	const struct op_form *form = parse_form(&s->text);
	const struct op_word *o;
	u32 seen = 0;

	if (!form)
		return false;
	*op = (struct op){.kind = form->kind, .flags = form->flags, .out = SLOT_NONE};
	op->sub = form->sub;
	for (o = form->words; o->type && !o->name; o++)
		if (!script_parse_value(s, o->type, op))
			return false;
	if (!parse_named(s, form, op, &seen))
		return false;
	for (; o->type; o++) {
		if (seen & BIT(o - form->words))
			continue;
		if (o->presence == NEEDED)
			return text_fail(&s->text, "expected it with a value", "no '%s'", o->name);
		/* Nothing said: the mapping allows the order that is asked for. */
		if (o->type == VALUE_MAX)
			op->b |= max_u32(op->order, op->b & 0xff) << 8;
	}
	return true;
}

/* ---- writing ------------------------------------------------------------- */

/* Is it what an op has if nothing is said? */
static bool is_default(const struct op_word *o, const struct op *op)
{
	switch (o->type) {
	case VALUE_FLAG:
		return !(op->flags & o->flag);
	case VALUE_FLAGS:
		return !op->flags;
	case VALUE_SUB:
	case VALUE_MODE:
		return !op->sub;
	case VALUE_A:
		return !op->a;
	case VALUE_MIN:
		return !(op->b & 0xff);
	default:
		return !op->b;
	}
}

static const struct op_form *form_of(const struct op *op)
{
	const struct op_form *f = op_forms;

	while (f->kind != op->kind || (op->kind == OP_DRAIN && f->sub != op->sub) ||
	       (op->kind == OP_MARK && f->flags != op->flags))
		f++;
	return f;
}

void script_write_words(FILE *out, const struct testcase *c, const struct slot_names *names,
			const struct op *op)
{
	const struct op_form *form = form_of(op);

	fputs(form->word, out);
	if (form->second)
		fprintf(out, " %s", form->second);
	for (const struct op_word *o = form->words; o->type; o++) {
		if (o->presence == OPTIONAL && is_default(o, op))
			continue;
		if (o->name)
			fprintf(out, " %s", o->name);
		if (o->type == VALUE_FLAG)
			continue;
		fputc(' ', out);
		script_write_value(out, c, names, o->type, op);
	}
}
