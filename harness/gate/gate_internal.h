/* SPDX-License-Identifier: GPL-2.0-only */
/* Between the files of the gate. */
#ifndef HARNESS_GATE_GATE_INTERNAL_H
#define HARNESS_GATE_GATE_INTERNAL_H

#include "harness/gate/gate.h"

/* Memory, or the end of the process. */
void *gate_zalloc(size_t nr, size_t size);
void *gate_grow(void *old, u64 *cap, size_t size);

/* What shows it last was @c: keep it, if nothing smaller was kept. */
void gate_example_offer(struct gate_example *e, const struct testcase *c, u32 nr_ops,
			const char *from);
void gate_example_free(struct gate_example *e);

/* The pool: cases to make mutants of. */
struct gate_pool *gate_pool_create(void);
void gate_pool_destroy(struct gate_pool *pool);
/* Keep @c if what the player has just seen of it is new. */
void gate_pool_offer(struct gate_pool *pool, const struct gate_player *p, const struct testcase *c);

#endif
