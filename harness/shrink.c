/* SPDX-License-Identifier: GPL-2.0-only */
/* The shrinker: trying cases, and leaving out ops. */
#include "harness/shrink.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/case_fit.h"
#include "harness/machine_fit.h"
#include "harness/script.h"
#include "harness/shrink_internal.h"
#include "harness/state_text.h"

/* ---- what was tried ------------------------------------------------------ */

/* FNV-1a of the script: equal cases have equal scripts. */
static u64 case_hash(const struct testcase *c)
{
	u64 hash = 0xcbf29ce484222325ULL;
	char *text = NULL;
	size_t size;
	FILE *out = open_text(&text, &size);

	script_write(out, c);
	close_text(out);
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ (u8)text[i]) * 0x100000001b3ULL;
	free(text);
	return hash ? hash : 1;
}

static u64 *place_of(u64 *tried, u32 cap, u64 hash)
{
	u32 i = (u32)hash & (cap - 1);

	while (tried[i] && tried[i] != hash)
		i = (i + 1) & (cap - 1);
	return &tried[i];
}

static void grow_tried(struct shrinker *sh)
{
	u32 cap = sh->cap_tried ? 2 * sh->cap_tried : 1024;
	u64 *grown = calloc(cap, sizeof(*grown));

	if (!grown) {
		fputs("buddycheck: out of memory\n", stderr);
		abort();
	}
	for (u32 i = 0; i < sh->cap_tried; i++) {
		if (sh->tried[i])
			*place_of(grown, cap, sh->tried[i]) = sh->tried[i];
	}
	free(sh->tried);
	sh->tried = grown;
	sh->cap_tried = cap;
}

/* False: it was there already. */
static bool note_tried(struct shrinker *sh, u64 hash)
{
	u64 *place;

	if (2 * sh->nr_tried >= sh->cap_tried)
		grow_tried(sh);
	place = place_of(sh->tried, sh->cap_tried, hash);
	if (*place)
		return false;
	*place = hash;
	sh->nr_tried++;
	return true;
}

/* A machine on which all rules hold, and whose zones have a pageblock each. */
static bool is_usual(const struct machine *m)
{
	for (u32 i = 0; i < m->nr_zones; i++) {
		if (m->zones[i].pages < BIT(m->pageblock_order))
			return false;
	}
	return machine_pcp_fits_block(m);
}

bool shrink_try(struct shrinker *sh, struct testcase *changed)
{
	struct shrink *s = sh->s;
	struct testcase fitted;
	bool shows = false;

	case_init(&fitted);
	if (s->tries < s->max_tries && case_fit(&fitted, changed) &&
	    is_usual(&fitted.machine) >= sh->usual && note_tried(sh, case_hash(&fitted))) {
		s->tries++;
		shows = s->shows(s->ctx, &fitted);
	}
	case_free(changed);
	case_free(shows ? &sh->best : &fitted);
	if (shows)
		sh->best = fitted;
	return shows;
}

/* ---- ops ----------------------------------------------------------------- */

static bool drop_range(struct shrinker *sh, u32 start, u32 end)
{
	struct testcase changed;

	case_copy(&changed, &sh->best, true);
	for (u32 i = start; i < end; i++)
		changed.ops[i].kind = OP_DROPPED;
	return shrink_try(sh, &changed);
}

/* From the end on: what comes behind the op that shows it goes first, as a whole. */
static bool drop_ops(struct shrinker *sh)
{
	bool any = false;

	for (u32 size = sh->best.nr_ops; size; size /= 2) {
		for (u32 end = sh->best.nr_ops; end;) {
			u32 start = end - min_u32(size, end);

			any |= drop_range(sh, start, end);
			end = min_u32(start, sh->best.nr_ops);
		}
	}
	return any;
}

/* Ops @i and @k, which allocate, as one that takes at least as much. */
static bool merge_pair(struct shrinker *sh, u32 i, u32 k)
{
	struct testcase changed;
	struct op *ops;

	case_copy(&changed, &sh->best, true);
	ops = changed.ops;
	ops[i].order = (u8)(max_u32(ops[i].order, ops[k].order) + 1);
	ops[k].kind = OP_DROPPED;
	return shrink_try(sh, &changed);
}

/* Where many allocations only fill memory, few larger ones do. */
static bool merge_allocs(struct shrinker *sh)
{
	const struct testcase *c = &sh->best;
	bool any = false;
	u32 i = 0, k;

	while (i < c->nr_ops) {
		for (k = i + 1; k < c->nr_ops && c->ops[k].kind != OP_ALLOC; k++)
			;
		if (c->ops[i].kind == OP_ALLOC && k < c->nr_ops &&
		    c->ops[i].order < c->machine.max_page_order && merge_pair(sh, i, k))
			any = true;
		else
			i++;
	}
	return any;
}

/* ---- parts --------------------------------------------------------------- */

/* Take element @k (all: @nr) out of the @nr elements of @size bytes at @first. */
static u16 cut_out(void *first, size_t size, u16 nr, u32 k)
{
	char *at = (char *)first + k * size;

	if (k == nr)
		return 0;
	memmove(at, at + size, (nr - k - 1) * size);
	return (u16)(nr - 1);
}

static bool drop_answer(struct shrinker *sh, u32 i, u32 k)
{
	struct testcase changed;
	struct op *op;

	case_copy(&changed, &sh->best, true);
	op = &changed.ops[i];
	op->nr_answers = cut_out(&changed.answers[op->first_answer], sizeof(*changed.answers),
				 op->nr_answers, k);
	return shrink_try(sh, &changed);
}

static bool drop_nested(struct shrinker *sh, u32 i, u32 k)
{
	struct testcase changed;
	struct op *op;

	case_copy(&changed, &sh->best, true);
	op = &changed.ops[i];
	op->nr_nested = cut_out(&changed.nested[op->first_nested], sizeof(*changed.nested),
				op->nr_nested, k);
	return shrink_try(sh, &changed);
}

/* All parts of an op at once, then one by one from the last. */
static bool drop_parts(struct shrinker *sh)
{
	const struct testcase *c = &sh->best;
	bool any = false;

	for (u32 i = 0; i < c->nr_ops; i++) {
		for (u32 k = c->ops[i].nr_answers + 1U; k-- && c->ops[i].nr_answers;)
			any |= drop_answer(sh, i, k);
		/* An op may go with the object that a nested one made. */
		for (u32 k = c->ops[i].nr_nested + 1U; k-- && i < c->nr_ops;) {
			if (c->ops[i].nr_nested && k <= c->ops[i].nr_nested)
				any |= drop_nested(sh, i, k);
		}
	}
	return any;
}

/* ---- rounds -------------------------------------------------------------- */

void shrink_case(struct shrink *s, struct testcase *c)
{
	struct shrinker sh = {.s = s, .usual = is_usual(&c->machine)};
	bool any;

	s->tries = 0;
	case_copy(&sh.best, c, true);
	note_tried(&sh, case_hash(&sh.best));
	do {
		any = drop_ops(&sh);
		any |= merge_allocs(&sh);
		any |= drop_parts(&sh);
		any |= shrink_machine(&sh);
		any |= shrink_members(&sh);
	} while (any && s->tries < s->max_tries);
	free(sh.tried);
	case_free(c);
	*c = sh.best;
}
