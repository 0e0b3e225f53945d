/* SPDX-License-Identifier: GPL-2.0-only */
/* The members of the structs in a view that have one (model/view.h), as tables. */
#ifndef HARNESS_VIEW_MEMBERS_H
#define HARNESS_VIEW_MEMBERS_H

#include "model/view.h"

/* A number, or an array of them. */
struct view_member {
	const char *name;
	u16 offset;
	u8 size; /* of one number, in bytes */
	u8 nr; /* of them */
	bool is_signed;
	const char *index; /* what the elements of an array are, or NULL: they have names */
	const char *const *names;
};

/*
 * What is left out: where lists begin (the lists themselves are compared), padding, and the
 * zonelists, which are lists, too.
 */
extern const struct view_member zone_members[], pcp_members[], node_members[], global_members[];
extern const u32 nr_zone_members, nr_pcp_members, nr_node_members, nr_global_members;

/* Number @i of member @m of the struct at @base. */
s64 view_member_value(const struct view_member *m, const void *base, u32 i);

#endif
