/* SPDX-License-Identifier: GPL-2.0-only */
/* The tables of a view, filled from a kernel's state (abi.h). Laid out and numbered as the port's. */
#ifndef HARNESS_KERNEL_VIEW_H
#define HARNESS_KERNEL_VIEW_H

#include "harness/kernel/abi.h"
#include "model/view.h"
#include "model/written.h"

/* PFNs, each once. */
struct pfn_set {
	u32 *pfns; /* [nr], room for all */
	bool *has; /* [pfn] */
	u32 nr;
};

/* What the tables were at some time. */
struct kernel_tables {
	struct zone *zones;
	struct per_cpu_pages *pcps;
	struct page *pages;
	struct link *links;
	u8 *blocks;
};

struct kernel_view {
	struct view view;
	/* Private: what the view shows, and room to read into. */
	struct global *global;
	struct node *nodes;
	struct kernel_tables now;
	struct kernel_page *from;
	u32 *dirty;
	u32 *waiting; /* [nr_waiting] pages of trylock lists at the last look */
	u32 nr_waiting;
	/* Private: page descriptors and marks that the pages were read from, and to be compared with. */
	u32 page_size;
	u8 *seen, *kept_seen;
	u16 *seen_marks, *kept_marks;
	/* Private: what has changed (kernel_written.c). */
	struct kernel_tables kept, told; /* by kernel_view_keep(), by kernel_view_written() */
	struct pfn_set since_kept, since_told; /* pages that were read */
	struct written written;
	u32 *written_pages;
	struct written_link *written_links;
	struct written_block *written_blocks;
};

/* False without memory. @machine must stay valid; @page_size: of a kernel's page descriptor. */
bool kernel_view_init(struct kernel_view *v, const struct machine *machine, u32 page_size);
void kernel_view_exit(struct kernel_view *v);

/* Read everything. */
void kernel_view_read(struct kernel_view *v, const struct kernel_side *side);
/* Read what has changed since the last time: of the pages only those that somebody wrote to. */
void kernel_view_update(struct kernel_view *v, const struct kernel_side *side);

/* Everything has been read: remember it, and go back to it when the kernel was reset. */
void kernel_view_keep(struct kernel_view *v);
void kernel_view_reset(struct kernel_view *v);
/*
 * How what was read last differs from what it was at the last call, at kernel_view_keep() or
 * kernel_view_reset(); valid until the next call.
 */
const struct written *kernel_view_written(struct kernel_view *v);

/* ---- between the two files ---- */

u32 kernel_view_blocks(const struct view *view);
/* Tables for @view's machine; false without memory (then they are to be freed as well). */
bool kernel_tables_init(struct kernel_tables *t, const struct view *view);
void kernel_tables_exit(struct kernel_tables *t);
bool kernel_written_init(struct kernel_view *v);
void kernel_written_exit(struct kernel_view *v);
/* Page @pfn has been read. */
void kernel_written_note(struct kernel_view *v, u32 pfn);

#endif
