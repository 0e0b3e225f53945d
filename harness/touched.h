/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which ops touched the pages that a text names. Of each range the last two are
 * kept: they are what somebody who reads the text asks for next.
 *
 *      "free pages 8..15 (node 0 Normal, order 3, Movable), but the block of page 8 is ..."
 *                  8..15: op 4, before that op 1          8: op 4, before that op 1
 *
 * To touch is to be allocated, freed, moved, put on another list, isolated or marked
 * by one's own PFN, as the events report it. What happens to a buddy as its neighbours
 * merge with it is not seen.
 */
#ifndef HARNESS_TOUCHED_H
#define HARNESS_TOUCHED_H

#include "harness/run.h"

#define TOUCHED_NOBODY UINT32_MAX

struct touched_range {
	u32 start, end; /* pages [start, end) */
	u32 ops[2]; /* the last one, the one before; or TOUCHED_NOBODY */
};

struct touched {
	struct touched_range ranges[4]; /* in the order of the text, each once */
	u32 nr;
	u32 pageblock_order;
	u32 op; /* that runs */
	struct observer observer; /* to be given to the run */
};

/* Watch the pages that @text names in @view: "page 8", "pages 8..15", "buddy 8", "block 512". */
void touched_init(struct touched *t, const char *text, const struct view *view);
/* Before @r plays its next op. */
void touched_op(struct touched *t, const struct run *r);

#endif
