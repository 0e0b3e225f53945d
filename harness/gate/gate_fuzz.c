/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Looking for differences: what a case shows on both sides is a set of features; a case that shows a new
 * one is kept, and mutants of it are played.
 *
 *      generate ---------.
 *      pool --> mutate ----> play --> a new feature? --> pool
 */
#include <stdlib.h>
#include <string.h>

#include "harness/budget.h"
#include "harness/bytes.h"
#include "harness/case_fit.h"
#include "harness/gate/gate_internal.h"
#include "harness/mutate.h"

/* Mutants in a row of one case, and generated ones on one machine: booting costs more than playing. */
#define IN_A_ROW 8
#define MAX_BODIES 1024
/* Cases that no side plays, before it is said that there are none. */
#define MAX_IN_VAIN 256
#define NR_FEATURES (1U << 16)

struct gate_pool {
	struct bytes bodies[MAX_BODIES];
	u32 nr, next; /* the oldest goes first when it is full */
	u64 seen[NR_FEATURES / 64];
	bool news; /* in the case that is looked at */
};

struct gate_pool *gate_pool_create(void)
{
	return gate_zalloc(1, sizeof(struct gate_pool));
}

void gate_pool_destroy(struct gate_pool *pool)
{
	for (u32 i = 0; i < pool->nr; i++)
		free(pool->bodies[i].data);
	free(pool);
}

/* ---- features ------------------------------------------------------------ */

enum feature { FEATURE_FIRST, FEATURE_ALL, FEATURE_OP, FEATURE_CLASS, FEATURE_PROPERTY };

static void see(struct gate_pool *pool, enum feature what, u64 a, u64 b)
{
	struct rng hash = {(u64)what << 56 ^ a << 32 ^ b};
	u32 bit = (u32)(rng_next(&hash) % NR_FEATURES);

	pool->news |= !(pool->seen[bit / 64] >> bit % 64 & 1);
	pool->seen[bit / 64] |= 1ULL << bit % 64;
}

static void see_kinds(struct gate_pool *pool, const struct gate_shown *shown,
		      const struct testcase *c)
{
	for (u32 i = 0; i < NR_GATE_KINDS; i++) {
		if (shown->first_kinds >> i & 1)
			see(pool, FEATURE_FIRST, i, 0);
		if (shown->all_kinds >> i & 1)
			see(pool, FEATURE_ALL, i, 0);
	}
	if (shown->first < c->nr_ops)
		see(pool, FEATURE_OP, shown->first_kinds, c->ops[shown->first].kind);
}

/* How much, roughly; and on which side there is more. */
static void see_classes(struct gate_pool *pool, const struct gate_shown *shown)
{
	const struct gate_classes *x = &shown->classes[SIDE_BASE];
	const struct gate_classes *y = &shown->classes[SIDE_CANDIDATE];

	for (u32 i = 0; i < NR_GATE_CLASSES; i++) {
		for (u32 k = 0; k < NR_CLASS_COUNTS; k++) {
			u32 base = (u32)x->n[i][k], candidate = (u32)y->n[i][k];

			see(pool, FEATURE_CLASS, i * NR_CLASS_COUNTS + k,
			    (base ? ilog2(base) + 1 : 0) * 4 + (base < candidate) +
				    2 * (base > candidate));
		}
	}
}

static void see_properties(struct gate_pool *pool, const struct gate_shown *shown)
{
	for (u32 i = 0; i < nr_properties; i++)
		see(pool, FEATURE_PROPERTY, i,
		    (shown->counts[SIDE_BASE][i].failed > 0) +
			    2 * (shown->counts[SIDE_CANDIDATE][i].failed > 0) +
			    4 * (shown->counts[SIDE_BASE][i].meaningful > 0));
}

void gate_pool_offer(struct gate_pool *pool, const struct gate_player *p, const struct testcase *c)
{
	struct bytes *place, body;

	pool->news = false;
	see_kinds(pool, &p->shown, c);
	see_classes(pool, &p->shown);
	see_properties(pool, &p->shown);
	if (!pool->news || bytes_encode_body(c, &body))
		return;
	if (body.len > BUDGET_BODY) {
		free(body.data);
		return;
	}
	place = &pool->bodies[pool->next];
	if (pool->nr == MAX_BODIES)
		free(place->data);
	else
		pool->nr++;
	*place = body;
	pool->next = (pool->next + 1) % MAX_BODIES;
}

/* ---- cases --------------------------------------------------------------- */

struct fuzz {
	struct gate *g;
	struct rng rng;
	u64 machine_seed;
	u32 left; /* of those in a row */
	u32 parent; /* in the pool, or UINT32_MAX: generated */
	struct policy policy;
	struct testcase c;
};

static void choose_parent(struct fuzz *f)
{
	const struct gate_pool *pool = f->g->pool;

	f->left = IN_A_ROW;
	f->machine_seed = rng_next(&f->rng);
	f->parent = UINT32_MAX;
	if (pool->nr && rng_percent(&f->rng, 60))
		f->parent = rng_below(&f->rng, pool->nr);
}

static void generate(struct fuzz *f)
{
	static const u32 lengths[] = {32, 64, 64, 128};
	struct rng machine_rng = {f->machine_seed}, rng = {rng_next(&f->rng)};

	generate_machine_for(&machine_rng, &f->c.machine, f->g->fitter);
	generate_ops(&rng, rng_pick(&rng, lengths), &f->c);
}

static void mutate(struct fuzz *f)
{
	const struct gate_pool *pool = f->g->pool;
	const struct bytes *x = &pool->bodies[f->parent];
	const struct bytes *y = &pool->bodies[rng_below(&f->rng, pool->nr)];
	static u8 body[BUDGET_BODY];
	size_t size = x->len;

	memcpy(body, x->data, size);
	if (rng_percent(&f->rng, 20))
		size = mutate_splice(x->data, x->len, y->data, y->len, body, sizeof(body),
				     rng_next(&f->rng));
	else
		size = mutate_body(body, size, sizeof(body), rng_next(&f->rng));
	bytes_decode_body(body, size, &f->c);
}

/* Make @c one that both sides play. False: nothing is left. */
static bool fit(struct gate *g, struct testcase *c)
{
	struct testcase fitted;
	bool ok;

	if (g->fitter) {
		g->fitter->fit(g->fitter->ctx, &c->machine);
		case_init(&fitted);
		ok = case_fit(&fitted, c);
		case_free(c);
		*c = fitted;
		if (!ok)
			return false;
	}
	budget_fit(c);
	return !lockstep_ready(&g->player.lockstep, &c->machine) &&
	       lockstep_fit(&g->player.lockstep, c);
}

const char *gate_fuzz(struct gate *g, u64 seed, bool (*enough)(void *ctx, const struct gate *g),
		      void *ctx)
{
	struct fuzz f = {.g = g, .rng = {seed}};
	u64 before = g->nr_cases;
	const char *why = NULL;
	struct machine usual;
	char from[32];

	machine_init(&usual);
	f.policy = usual.policy;
	case_init(&f.c);
	for (u64 i = 1; !why && !enough(ctx, g); i++) {
		if (!f.left--)
			choose_parent(&f);
		case_free(&f.c);
		case_init(&f.c);
		if (f.parent == UINT32_MAX)
			generate(&f);
		else
			mutate(&f);
		f.c.machine.policy = f.policy;
		snprintf(from, sizeof(from), "case %llu", (unsigned long long)i);
		if (fit(g, &f.c))
			gate_take(g, &f.c, from);
		if (i == MAX_IN_VAIN && g->nr_cases == before)
			why = "expected subjects that play something";
	}
	case_free(&f.c);
	return why;
}
