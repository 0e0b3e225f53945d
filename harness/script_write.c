/* SPDX-License-Identifier: GPL-2.0-only */
/* A case as a script. */
#include "harness/script_internal.h"

static void write_nested(FILE *out, const struct testcase *c, const struct slot_names *names,
			 const struct nested_op *nested)
{
	fprintf(out, "at %s cpu %u: ", nest_point_names[nested->point], nested->cpu);
	if (nested->op.out != SLOT_NONE)
		fprintf(out, "%s = ", names->strings + names->at[nested->op.out]);
	script_write_words(out, c, names, &nested->op);
	fputc('\n', out);
}

/* What is not there was not expected; "kswapd 0" says that no call is expected. */
static void write_expect(FILE *out, const struct expect *expect)
{
	if (expect->has_result && expect->pfn == PFN_NONE)
		fputs(" => none", out);
	else if (expect->has_result)
		fprintf(out, " => %u", expect->pfn);
	if (!expect->has_calls)
		return;
	if (expect->wakes || !(expect->reclaim || expect->compact || expect->oom))
		fprintf(out, " kswapd %u", expect->wakes);
	if (expect->reclaim)
		fprintf(out, " reclaim %u", expect->reclaim);
	if (expect->compact)
		fprintf(out, " compact %u", expect->compact);
	if (expect->oom)
		fprintf(out, " oom %u", expect->oom);
}

void script_write_op_line(FILE *out, const struct testcase *c, const struct slot_names *names,
			  u32 i)
{
	const struct op *op = &c->ops[i];

	if (op->out != SLOT_NONE)
		fprintf(out, "%s = ", names->strings + names->at[op->out]);
	script_write_words(out, c, names, op);
}

static void write_parts(FILE *out, const struct testcase *c, const struct slot_names *names,
			const struct op *op)
{
	for (u32 n = 0; n < op->nr_answers; n++)
		script_write_answer(out, &c->answers[op->first_answer + n]);
	for (u32 n = 0; n < op->nr_nested; n++)
		write_nested(out, c, names, &c->nested[op->first_nested + n]);
}

void script_write_op(FILE *out, const struct testcase *c, const struct slot_names *names, u32 i)
{
	write_parts(out, c, names, &c->ops[i]);
	script_write_op_line(out, c, names, i);
	fputc('\n', out);
}

void script_write_body(FILE *out, const struct testcase *c)
{
	struct slot_names names;
	u32 expect = 0;

	slot_names_init(&names, c);
	script_write_machine(out, c);
	fputs("---\n", out);
	for (u32 i = 0; i < c->nr_ops; i++) {
		write_parts(out, c, &names, &c->ops[i]);
		script_write_op_line(out, c, &names, i);
		if (expect < c->nr_expects && c->expects[expect].op == i)
			write_expect(out, &c->expects[expect++]);
		fputc('\n', out);
	}
	if (c->nr_final)
		fputs("---\n", out);
	for (u32 i = 0; i < c->nr_final; i++)
		fprintf(out, "%s\n", c->final[i]);
	slot_names_free(&names);
}

void script_write(FILE *out, const struct testcase *c)
{
	fputs(SCRIPT_FIRST_LINE "\n", out);
	script_write_body(out, c);
}
