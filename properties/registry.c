/* SPDX-License-Identifier: GPL-2.0-only */
/* The registry: all properties in one table, and which family each belongs to. */
#include "properties/list.h"

#define ADDRESS(name) &prop_##name,
const struct property *const properties[] = {EACH_PROPERTY(ADDRESS)};
#undef ADDRESS

const u32 nr_properties = ARRAY_SIZE(properties);

/* The list again, with the lines that begin a family. */
static const struct line {
	const char *family;
	const struct property *property;
} lines[] = {
#define FAMILY(name) {.family = #name},
#define MEMBER(name) {.property = &prop_##name},
	EACH_IN_FAMILIES(FAMILY, MEMBER)
#undef FAMILY
#undef MEMBER
};

const char *property_family(const struct property *property)
{
	const char *family = NULL;

	for (u32 i = 0; i < ARRAY_SIZE(lines) && lines[i].property != property; i++)
		if (lines[i].family)
			family = lines[i].family;
	return family;
}
