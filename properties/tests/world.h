/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A small legal state built by hand, without any allocator, for tests that then
 * break one thing in it.
 *
 * pageblocks of 4 pages, buddies up to 16, THP of 16, one node, two CPUs:
 *
 *   zone 0 Normal, pages 0..511                zone 1 Movable, 520..583
 *
 *   0..3    reserved                           512..519 are a hole
 *   4..7    handed out, COMP, on the LRU       520      free 3
 *   8..9    pcp of CPU 0, list 4               528      free 4   (three)
 *   10      pcp of CPU 1, list 1               576      free 3
 *   11      handed out
 *   12..13  free 1                             blocks are Movable, but
 *   14      handed out                         8        HighAtomic
 *   15      on the trylock list                10       Unmovable, isolated
 *   16..31  free 4                             11       Unmovable
 *   32..35  free 2 HighAtomic                  16       CMA
 *   36..39  free 2
 *   40..43  free 2 Isolate
 *   44..45  free 1 Unmovable
 *   46..47  handed out, two separate pages
 *   48..63  pcp of CPU 0, list 13 (THP)
 *   64..67  free 2 CMA
 *   68..69  free 1
 *   70      handed out, hwpoison
 *   71      hwpoison, nobody's
 *   72..79  free 3
 *   80..511 free 4 (27 of them)
 */
#ifndef PROPERTIES_TESTS_WORLD_H
#define PROPERTIES_TESTS_WORLD_H

#include "properties/properties.h"

#define WORLD_PAGES 584
#define WORLD_ZONES 2
#define WORLD_CPUS 2
#define WORLD_HEADS (WORLD_ZONES * (NR_ORDERS * MIGRATE_TYPES + 1 + WORLD_CPUS * NR_PCP_LISTS) + 2)

struct world {
	struct machine machine;
	struct global global;
	struct node nodes[1];
	struct zone zones[WORLD_ZONES];
	struct per_cpu_pages pcps[WORLD_ZONES * WORLD_CPUS];
	struct page pages[WORLD_PAGES];
	struct link links[WORLD_PAGES + WORLD_HEADS];
	u8 blocks[WORLD_PAGES / 4];
	u8 held[WORLD_PAGES];
	u8 unmerged[WORLD_PAGES];
	struct drained drained[1];
	struct view view;
	struct moment now;
	u32 nr_heads;
};

/* The state in the picture. */
void world_build(struct world *w);

static inline struct per_cpu_pages *world_pcp(struct world *w, u32 zone, u32 cpu)
{
	return &w->pcps[zone * WORLD_CPUS + cpu];
}

/* One page group more or less in the state, with every counter right. */
void put_free(struct world *w, u32 pfn, u32 order, u32 mt);
void take_free(struct world *w, u32 pfn);
void put_pcp(struct world *w, u32 cpu, u32 list, u32 pfn, u32 order);
void put_trylock(struct world *w, u32 pfn, u32 order);
void put_held(struct world *w, u32 pfn, u32 order, u32 flags);
void put_lru(struct world *w, u32 pfn);
/* Link @e at the tail of the list of @head. */
void link_page(struct world *w, u32 e, u32 head);
void unlink_page(struct world *w, u32 e);

#endif
