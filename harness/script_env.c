/* SPDX-License-Identifier: GPL-2.0-only */
/* The environment in scripts: kinds and defaults of the machine, answers of ops. */
#include <string.h>

#include "harness/op_rules.h"
#include "harness/script_internal.h"
#include "model/gfp.h"

#define OOM_VICTIM BIT(31) /* in the extra of ENV_OOM */
#define COMPACT_PREFIX "COMPACT_"

static bool parse_call(struct text *t, u32 nr, const char *expected, u8 *call)
{
	struct word w;

	text_word(t, &w);
	*call = (u8)word_index(w, env_call_names, nr);
	return *call < nr || text_fail_word(t, expected, w);
}

/* A compact_result by its name, other values are numbers. */
static bool parse_answer_value(struct text *t, u8 call, u32 *value)
{
	size_t prefix = sizeof(COMPACT_PREFIX) - 1;
	struct word w;

	if (call != ENV_COMPACT)
		return text_u32(t, "expected a number", value);
	text_word(t, &w);
	if (w.len > prefix && !memcmp(w.s, COMPACT_PREFIX, prefix))
		w = (struct word){.s = w.s + prefix, .len = w.len - prefix};
	*value = word_index(w, compact_result_names, NR_COMPACT_RESULTS);
	return *value < NR_COMPACT_RESULTS ||
	       text_fail_word(t, "expected a compact_result like SUCCESS", w);
}

static void write_answer_value(FILE *out, u32 call, u32 value)
{
	if (call == ENV_COMPACT)
		fprintf(out, " %s", compact_result_names[value]);
	else
		fprintf(out, " %u", value);
}

/* [frees N] [victim] */
static bool parse_extra(struct text *t, u8 call, u32 *extra)
{
	struct word w;

	*extra = 0;
	while (text_word(t, &w)) {
		u32 frees;

		if (word_is(w, "victim") && call == ENV_OOM) {
			*extra |= OOM_VICTIM;
			continue;
		}
		if (!word_is(w, "frees") || !answer_infos[call].max_extra)
			return text_fail_word(t, "expected the end of the line", w);
		if (!text_u32(t, "expected a number of pages", &frees))
			return false;
		if (call == ENV_OOM && frees >= OOM_VICTIM)
			return text_fail(t, "expected less than 2147483648",
					 "oom cannot free %u pages", frees);
		*extra |= frees;
	}
	return true;
}

static void write_extra(FILE *out, u32 call, u32 extra)
{
	bool victim = call == ENV_OOM && (extra & OOM_VICTIM);

	if (victim)
		extra &= ~OOM_VICTIM;
	if (extra)
		fprintf(out, " frees %u", extra);
	if (victim)
		fputs(" victim", out);
}

/* ---- the machine's lines ------------------------------------------------- */

/* env CALL whole|zone|closed */
bool script_parse_env(struct script *s)
{
	struct text *t = &s->text;
	struct word w;
	u32 kind;
	u8 call;

	if (!parse_call(t, NR_ENV_KINDED, "expected reclaim, compact, wake or oom", &call))
		return false;
	text_word(t, &w);
	kind = word_index(w, env_kind_names, ENV_CLOSED + 1);
	if (kind > ENV_CLOSED)
		return text_fail_word(t, "expected whole, zone or closed", w);
	s->c->machine.env.kind[call] = (u8)kind;
	return text_end_line(t);
}

/* default CALL VALUE, or default CALL VALUE xTIMES then VALUE [frees N] [victim] */
bool script_parse_default(struct script *s)
{
	struct text *t = &s->text;
	struct env_default d = {0};
	struct word w;
	u8 call;

	if (!parse_call(t, NR_ENV_CALLS, "expected a call of the environment", &call) ||
	    !parse_answer_value(t, call, &d.value))
		return false;
	if (!text_word(t, &w)) {
		s->c->machine.env.defaults[call] = (struct env_default){.then = d.value};
		return true;
	}
	if (*w.s != 'x' || !word_u32((struct word){w.s + 1, w.len - 1}, &d.times) || !d.times)
		return text_fail_word(t, "expected a number of calls, like x3", w);
	if (!text_literal(t, "then") || !parse_answer_value(t, call, &d.then) ||
	    !parse_extra(t, call, &d.extra))
		return false;
	s->c->machine.env.defaults[call] = d;
	return true;
}

static void write_default(FILE *out, u32 call, const struct env_default *d)
{
	fprintf(out, "default %s", env_call_names[call]);
	if (d->times) {
		write_answer_value(out, call, d->value);
		fprintf(out, " x%u then", d->times);
	}
	write_answer_value(out, call, d->then);
	if (d->times)
		write_extra(out, call, d->extra);
	fputc('\n', out);
}

void script_write_env(FILE *out, const struct env_config *env)
{
	struct env_config plain;

	env_config_init(&plain);
	for (u32 call = 0; call < NR_ENV_KINDED; call++)
		if (env->kind[call] != plain.kind[call])
			fprintf(out, "env %s %s\n", env_call_names[call],
				env_kind_names[env->kind[call]]);
	for (u32 call = 0; call < NR_ENV_CALLS; call++) {
		const struct env_default *d = &env->defaults[call];

		if (d->times || d->then != plain.defaults[call].then)
			write_default(out, call, d);
	}
}

/* ---- answers ------------------------------------------------------------- */

/* answer CALL [zone] VALUE [frees N] [victim] */
bool script_parse_answer(struct script *s)
{
	struct text *t = &s->text;
	struct answer answer = {0};
	const char *why;
	struct word w;

	if (!parse_call(t, NR_ENV_CALLS, "expected a call of the environment", &answer.call))
		return false;
	text_word(t, &w);
	if (word_is(w, env_kind_names[ENV_ZONE]))
		answer.kind = ENV_ZONE;
	else
		t->at = w.s;
	if (!parse_answer_value(t, answer.call, &answer.value) ||
	    !parse_extra(t, answer.call, &answer.extra))
		return false;
	why = answer_check(&s->c->machine, &answer);
	if (why)
		return text_fail(t, why, "the answer cannot be given");
	if (s->c->nr_answers - s->first_answer == CASE_MAX_OP_PARTS)
		return text_fail(t, "expected at most 65535", "too many answers for one op");
	case_add_answer(s->c, &answer);
	return true;
}

void script_write_answer(FILE *out, const struct answer *answer)
{
	fprintf(out, "answer %s%s", env_call_names[answer->call],
		answer->kind == ENV_ZONE ? " zone" : "");
	write_answer_value(out, answer->call, answer->value);
	write_extra(out, answer->call, answer->extra);
	fputc('\n', out);
}
