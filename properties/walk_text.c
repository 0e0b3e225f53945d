/* SPDX-License-Identifier: GPL-2.0-only */
/* What a failure calls things. */
#include <stdarg.h>
#include <stdio.h>

#include "properties/walk.h"

bool fails(char why[WHY_SIZE], const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why, WHY_SIZE, format, args);
	va_end(args);
	return false;
}

const char *type_name(u32 mt)
{
	return mt < MIGRATE_TYPES ? migratetype_names[mt] : "no type";
}

const char *zone_name(const struct view *v, u32 zone, char name[NAME_SIZE])
{
	if (zone < v->machine->nr_zones && v->zones[zone].type < MAX_NR_ZONES)
		snprintf(name, NAME_SIZE, "node %u %s", v->zones[zone].node,
			 zone_type_names[v->zones[zone].type]);
	else
		snprintf(name, NAME_SIZE, "zone %u", zone);
	return name;
}

const char *entry_name(const struct walk *w, const struct entry *e, char name[NAME_SIZE])
{
	static const char *const owners[NR_ENTRY_KINDS] = {
		"nobody's", "free", "pcp", "trylock-list", "isolated", "handed-out",
	};
	char zone[NAME_SIZE], extra[32] = "";

	if (e->kind == ENTRY_FREE)
		snprintf(extra, sizeof(extra), ", %s", type_name(e->list));
	if (e->kind == ENTRY_PCP)
		snprintf(extra, sizeof(extra), ", CPU %u, list %u", e->cpu, e->list);
	snprintf(name, NAME_SIZE, "%s pages %u..%u (%.20s, order %u%.24s)", owners[e->kind], e->pfn,
		 e->pfn + (1U << e->order) - 1, zone_name(w->view, e->zone, zone), e->order, extra);
	return name;
}
