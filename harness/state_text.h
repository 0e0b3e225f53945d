/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A view as text: as the final state of a recording, as canonical text of all of
 * it, as the kernel's /proc files show it, and as a map for the terminal.
 */
#ifndef HARNESS_STATE_TEXT_H
#define HARNESS_STATE_TEXT_H

#include <stdio.h>

#include "model/view.h"

/*
 * What a recording says of the machine after boot, and of the state at its end; the same lines in
 * the same order. A recording has one CPU: for others (and for a trylock list that is not empty)
 * there are lines of the same kind,
 *
 *      final pcp 0 Normal cpu 1 count 3 high 60 free_count 0 alloc_factor 0
 *      pcplist 0 Normal cpu 1 index 1 : 8 9 10
 *      trylocklist 0 Normal : 77
 *
 * and the words pcp_... of `final zone` are those of CPU 0.
 */
void write_boot_state(FILE *out, const struct view *v);
void write_final_state(FILE *out, const struct view *v);

/* Every member of @v, equal pages in one line; equal states have equal text. */
void write_canonical(FILE *out, const struct view *v);
/* FNV-1a of the canonical text. */
u64 state_hash(const struct view *v);

/* /proc/buddyinfo and /proc/pagetypeinfo as 7.3 prints them. */
void write_buddyinfo(FILE *out, const struct view *v);
void write_pagetypeinfo(FILE *out, const struct view *v);

/*
 * One character for each pageblock, 64 in a row: the letter of its type, upper case if at least
 * half of its pages are free (in the buddy lists), I if it is isolated, with a legend.
 */
void write_pageblock_map(FILE *out, const struct view *v);

/* The lines in which two tables differ, as `- before` and `+ after`; false: there is none. */
bool write_table_difference(FILE *out, const char *before, const char *after);

/* " : 8 9 10" and the end of the line; a list that does not come back to @head is "(broken)". */
void write_list(FILE *out, const struct view *v, u32 head);

/* @text, every line behind a margin. */
void write_indented(FILE *out, const char *text);

/* Effective migratetype of the block of @pfn (spec 2.3). */
static inline u32 view_block_type(const struct view *v, u32 pfn)
{
	u8 flags = v->pageblock_flags[pfn >> v->machine->pageblock_order];

	return flags & PB_ISOLATE ? (u32)MIGRATE_ISOLATE : flags & PB_MIGRATETYPE_MASK;
}

/*
 * A stream into a string, which the caller frees; *@text is valid after close_text(). They abort
 * the process without memory.
 */
FILE *open_text(char **text, size_t *size);
void close_text(FILE *out);
/* What @write prints of @v, as such a string. */
char *text_of(void (*write)(FILE *out, const struct view *v), const struct view *v);

#endif
