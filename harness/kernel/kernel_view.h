/* SPDX-License-Identifier: GPL-2.0-only */
/* The tables of a view, filled from a kernel's state (abi.h). Laid out and numbered as the port's. */
#ifndef HARNESS_KERNEL_VIEW_H
#define HARNESS_KERNEL_VIEW_H

#include "harness/kernel/abi.h"
#include "model/view.h"

struct kernel_view {
	struct view view;
	/* Private: what the view shows, and room to read into. */
	struct global *global;
	struct node *nodes;
	struct zone *zones;
	struct per_cpu_pages *pcps;
	struct page *pages;
	struct link *links;
	u8 *blocks;
	struct kernel_page *from;
	u32 *dirty;
	u32 page_size;
	u8 *seen; /* page descriptors and */
	u16 *seen_marks; /* marks that pages[] shows */
};

/* False without memory. @machine must stay valid; @page_size: of a kernel's page descriptor. */
bool kernel_view_init(struct kernel_view *v, const struct machine *machine, u32 page_size);
void kernel_view_exit(struct kernel_view *v);

/* Read everything. */
void kernel_view_read(struct kernel_view *v, const struct kernel_side *side);
/* Read what has changed since the last time: of the pages only those that somebody wrote to. */
void kernel_view_update(struct kernel_view *v, const struct kernel_side *side);

#endif
