/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What was written to the tables of a view (view.h), word by word, so that a check can
 * look there and nowhere else. It is a hint where to look: what is there is read from the view.
 *
 *      op          free 64           written: zone 1, page 64, link 64, link 7000 (a head), zone 1
 *      state  ... 63 64 65 ...
 */
#ifndef MODEL_WRITTEN_H
#define MODEL_WRITTEN_H

#include "model/types.h"

enum written_table {
	/*            index                      old */
	WRITTEN_ZONE, /* zone, or the zone of a pcp  - */
	WRITTEN_PAGE, /* PFN                         - */
	WRITTEN_LINK, /* in links[]                  the link as it was: next, then prev */
	WRITTEN_BLOCKS, /* first of 8 pageblocks     their flags as they were, a byte each */
};

/* One write. There may be several of a word: the first one of all has what it was. */
struct written {
	u32 table; /* enum written_table */
	u32 index;
	u64 old;
};

#endif
