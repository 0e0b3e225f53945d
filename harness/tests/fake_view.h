/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A view without an allocator behind it: tables that a test fills in by hand.
 *
 *      node 0, zone Normal: pages 0..63, pageblocks of 8 pages, orders 0..4, two CPUs
 */
#ifndef HARNESS_TESTS_FAKE_VIEW_H
#define HARNESS_TESTS_FAKE_VIEW_H

#include "model/view.h"

#define FAKE_PAGES 64
#define FAKE_ZONES 4
#define FAKE_CPUS 2
#define FAKE_BLOCK_ORDER 3
#define FAKE_MAX_ORDER 4
#define FAKE_LINKS \
	(FAKE_PAGES + FAKE_ZONES * (NR_ORDERS * MIGRATE_TYPES + 1 + FAKE_CPUS * NR_PCP_LISTS) + 2)

struct fake_view {
	struct view view;
	struct machine machine;
	struct global global;
	struct node nodes[MACHINE_MAX_NODES];
	struct zone zones[FAKE_ZONES];
	struct per_cpu_pages pcps[FAKE_ZONES * FAKE_CPUS];
	struct page pages[FAKE_PAGES];
	struct link links[FAKE_LINKS];
	u8 blocks[FAKE_PAGES >> FAKE_BLOCK_ORDER];
};

/* One zone, every page in use, all blocks Movable. */
void fake_view_init(struct fake_view *f);
/* Append @entry to the list @head. */
void fake_list_add(struct fake_view *f, u32 head, u32 entry);
/* Make 2^order pages at @pfn a free buddy at the end of its list. */
void fake_free(struct fake_view *f, u32 pfn, u32 order, u32 mt);
struct per_cpu_pages *fake_pcp(struct fake_view *f, u32 cpu);

#endif
