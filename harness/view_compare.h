/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two views of the same machine, member by member and list by list:
 *
 *      node 0 zone Normal order 3 Movable entry 2      free_list        pfn 8    pfn 16
 *      node 0 zone Normal cpu 1                        pcp->count       3        4
 *      pfn 512..1023                                   page->_refcount  1        0
 *
 * Equal views cost a memcmp() of each table. Where the tables lie, and which indices the list
 * heads have, does not count.
 */
#ifndef HARNESS_VIEW_COMPARE_H
#define HARNESS_VIEW_COMPARE_H

#include "model/view.h"

struct view_difference {
	char where[96];
	const char *what; /* a name that does not depend on the place */
	char values[2][128]; /* of the first view, of the second */
};

/*
 * How many differences there are; the first @room of them go to @to. A run of pages with the same
 * difference is one, and so is a list: what follows the first different entry is not looked at.
 */
u32 view_compare(const struct view *x, const struct view *y, struct view_difference *to, u32 room);

/* "node 0 zone Normal cpu 1: pcp->count: 3, 4" */
void view_difference_text(const struct view_difference *d, char *text, size_t size);

#endif
