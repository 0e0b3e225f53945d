/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of mutants, and the one that is alive. */
#include "harness/mutants/selector.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct mutant mutants[] = {
#include "mutants.inc"
};
const u32 nr_mutants = ARRAY_SIZE(mutants);

u32 mutant_alive;
u64 mutant_reached;

const struct mutant *mutant_find(const char *id)
{
	for (u32 i = 0; i < nr_mutants; i++)
		if (!strcmp(mutants[i].id, id))
			return &mutants[i];
	return NULL;
}

/* Before main(), whatever program it is: an engine's, or buddycheck. */
__attribute__((constructor)) static void choose(void)
{
	const char *id = getenv(MUTANT_VARIABLE);
	const struct mutant *mutant;

	if (!id || !*id || !strcmp(id, "none"))
		return;
	mutant = mutant_find(id);
	if (!mutant) {
		fprintf(stderr, MUTANT_VARIABLE "=%s: expected none or a mutant of ci/mutants/\n",
			id);
		exit(2);
	}
	mutant_alive = mutant->number;
}
