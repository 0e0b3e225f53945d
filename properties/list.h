/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The list of all properties, in the order in which they are judged: prop_NAME
 * is defined in the family's file, its id is NAME with dashes.
 */
#ifndef PROPERTIES_LIST_H
#define PROPERTIES_LIST_H

#include "properties/properties.h"

/* clang-format off */
#define EACH_PROPERTY(X)                                       \
	/* structure.c; list_links must be the first */        \
	X(list_links)                                          \
	X(zone_range)                                          \
	X(partition)                                           \
	X(alignment)                                           \
	X(buddy_flag)                                          \
	X(private_zero)                                        \
	X(free_refcount)                                       \
	X(free_unmarked)                                       \
	X(compound)                                            \
	X(lru_list)                                            \
	/* freelists.c */                                      \
	X(nr_free)                                             \
	X(pageblock_type)                                      \
	X(free_list_type)                                      \
	X(merge_below_block)                                   \
	X(merge_above_block)                                   \
	/* counters.c */                                       \
	X(nr_free_pages)                                       \
	X(nr_free_cma)                                         \
	X(nr_free_highatomic)                                  \
	X(nr_free_blocks)                                      \
	X(free_bounds)                                         \
	X(highatomic_reserved)                                 \
	X(highatomic_free)                                     \
	X(highatomic_cap)                                      \
	X(isolated_blocks)                                     \
	/* pcp.c */                                            \
	X(pcp_count)                                           \
	X(pcp_order)                                           \
	X(pcp_drained)
/* clang-format on */

#define DECLARE_PROPERTY(name) extern const struct property prop_##name;
EACH_PROPERTY(DECLARE_PROPERTY)
#undef DECLARE_PROPERTY

#endif
