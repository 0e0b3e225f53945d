/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is different in the tables of a view (view.h) since it was looked at last, so that a check can
 * look there and nowhere else. It is a hint where to look: what is there is read from the view.
 *
 *      op          free 64           written: page 64, link 64, link 7000 (a head), zone 1
 *      state  ... 63 64 65 ...
 *
 * What was written and is as it was before is not told.
 */
#ifndef MODEL_WRITTEN_H
#define MODEL_WRITTEN_H

#include "model/view.h"

/* A link, and what it was. */
struct written_link {
	u32 index; /* in links[] */
	struct link was;
};

/* A pageblock, and what its flags were. */
struct written_block {
	u32 block;
	u8 was;
};

struct written {
	const u32 *pages; /* PFNs */
	const struct written_link *links;
	const struct written_block *blocks;
	u32 nr_pages, nr_links, nr_blocks; /* each page, link and block once */
	u64 zones; /* one bit for each zone that has changed, or a pcp of it */
};

#endif
