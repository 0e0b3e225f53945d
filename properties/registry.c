/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The registry: all properties in one table, and the judgement by all of them.
 */
#include <string.h>

#include "properties/list.h"
#include "properties/walk.h"

#define ADDRESS(name) &prop_##name,
const struct property *const properties[] = {EACH_PROPERTY(ADDRESS)};
#undef ADDRESS

const u32 nr_properties = ARRAY_SIZE(properties);

u32 check_moment(struct walk *walk, const struct moment *now, struct violation *violations, u32 max)
{
	/* Without a walk, list-links is the only one that can say anything. */
	u32 nr = walk_state(walk, now) ? nr_properties : 1;
	u32 found = 0, i;
	char why[WHY_SIZE];

	for (i = 0; i < nr; i++) {
		if (properties[i]->holds(walk, why))
			continue;
		if (found < max) {
			violations[found].property = properties[i];
			memcpy(violations[found].why, why, WHY_SIZE);
		}
		found++;
	}
	return found;
}
