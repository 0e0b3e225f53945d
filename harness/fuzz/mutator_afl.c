/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The mutator as AFL++ calls it, in a shared object: AFL_CUSTOM_MUTATOR_LIBRARY names it. Only what it
 * calls is declared here, so that it is built without AFL++.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/mutate.h"
#include "harness/rng.h"

struct afl_state;

/* All that can be seen from outside. */
#pragma GCC visibility push(default)
void *afl_custom_init(struct afl_state *afl, unsigned int seed);
void afl_custom_deinit(void *data);
size_t afl_custom_fuzz(void *data, u8 *buf, size_t size, u8 **out, u8 *add, size_t add_size,
		       size_t max);
#pragma GCC visibility pop

struct mutator {
	struct rng rng; /* of seeds */
	u8 *out;
	size_t room;
};

void *afl_custom_init(struct afl_state *afl, unsigned int seed)
{
	struct mutator *m = calloc(1, sizeof(*m));

	(void)afl;
	if (m)
		m->rng.state = seed;
	return m;
}

void afl_custom_deinit(void *data)
{
	struct mutator *m = data;

	free(m->out);
	free(m);
}

/* @add is another input of the queue, or NULL. */
size_t afl_custom_fuzz(void *data, u8 *buf, size_t size, u8 **out, u8 *add, size_t add_size,
		       size_t max)
{
	struct mutator *m = data;
	u64 seed = rng_next(&m->rng);

	if (m->room < max) {
		free(m->out);
		m->out = malloc(max);
		m->room = m->out ? max : 0;
	}
	*out = m->out;
	if (!m->out)
		return 0;
	if (add && rng_percent(&m->rng, 10))
		return mutate_splice(buf, size, add, add_size, m->out, max, seed);
	size = size < max ? size : max;
	memcpy(m->out, buf, size);
	return mutate_body(m->out, size, max, seed);
}
