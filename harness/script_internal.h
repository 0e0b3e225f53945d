/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of the script form share. */
#ifndef HARNESS_SCRIPT_INTERNAL_H
#define HARNESS_SCRIPT_INTERNAL_H

#include "harness/live.h"
#include "harness/script.h"

/* ---- script_names.c: which slot has a name ------------------------------- */

/* Open addressing; a name is its offset in a table of strings, 0: the place is free. */
struct name_table {
	struct named {
		u32 name, slot;
	} *places;
	u32 nr, cap; /* cap: a power of two */
};

void name_table_free(struct name_table *table);
/* The slot of @name, or SLOT_NONE. */
u32 name_table_find(const struct name_table *table, const char *strings, struct word name);
/* @name is not in it yet. */
void name_table_add(struct name_table *table, const char *strings, u32 name, u32 slot);
/* Letters, digits and _, no digit first. */
bool name_is_valid(struct word name);

#define EXPECTED_ONCE "expected each word once"

/* ---- a script while it is read ------------------------------------------- */

struct script {
	struct text text;
	struct testcase *c;
	struct live live;
	struct name_table names;
	bool nodes_said; /* the machine has a "nodes" line */
	u32 members_said, sysctls_said; /* a bit each: script_machine.c's members; sysctls */
	u32 first_answer, first_nested; /* those after them wait for the next op */
};

/* ---- script_machine.c ---------------------------------------------------- */

/* One line of the machine section. */
bool script_parse_machine_line(struct script *s);

/* ---- script_env.c -------------------------------------------------------- */

bool script_parse_env(struct script *s); /* behind "env" */
bool script_parse_default(struct script *s); /* behind "default" */
bool script_parse_answer(struct script *s); /* behind "answer" */
void script_write_env(FILE *out, const struct env_config *env);
void script_write_answer(FILE *out, const struct answer *answer);

/* ---- script_words.c: ops ------------------------------------------------- */

/* An op, from its first word on; what it does not know is left on the line. */
bool script_parse_op(struct script *s, struct op *op);
void script_write_words(FILE *out, const struct testcase *c, const struct slot_names *names,
			const struct op *op);

/* ---- script_values.c: the values behind an op's words -------------------- */

/* How a value is written, and which member of the op it is. */
enum value_type {
	VALUE_NONE,
	VALUE_SUB, /* a number */
	VALUE_NODE,
	VALUE_FLAGS,
	VALUE_A,
	VALUE_B,
	VALUE_MIN, /* a number in the low byte of b */
	VALUE_MAX, /* in its second byte */
	VALUE_FLAG, /* no value: the word sets a flag */
	VALUE_GFP,
	VALUE_NODES_A, /* 0,2 */
	VALUE_NODES_B,
	VALUE_SLOT, /* a name */
	VALUE_EXTENT, /* a name, or name[3] */
	VALUE_OFFSET, /* +4 */
	VALUE_RANGE, /* 512..1024 */
	VALUE_MARKS, /* lru|pinned */
	VALUE_TASK, /* plain, or rt|noio */
	VALUE_MODE, /* of isolation */
	VALUE_SYSCTL, /* its name */
	VALUE_ZONE, /* 0 Normal */
	NR_VALUES,
};

bool script_parse_value(struct script *s, enum value_type type, struct op *op);
void script_write_value(FILE *out, const struct testcase *c, const struct slot_names *names,
			enum value_type type, const struct op *op);

#endif
