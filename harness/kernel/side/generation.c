// SPDX-License-Identifier: GPL-2.0-only
/* Which generation of its mechanisms a tree has (spec 9), as the builder has seen it in the sources. */
#include "side.h"

void side_generation(struct kernel_generation *to)
{
	*to = (struct kernel_generation){
		.typed_lists = IS_ENABLED(HAVE_MOVE_FROM_TYPE),
		.claims = IS_ENABLED(HAVE_CLAIM),
		.modes = IS_ENABLED(HAVE_RMQUEUE_MODE),
		.accounts = IS_ENABLED(HAVE_ACCOUNT_FREEPAGES),
		.free_highatomic = IS_ENABLED(HAVE_FREE_HIGHATOMIC),
		.free_blocks = IS_ENABLED(HAVE_FREE_PAGES_BLOCKS),
		.tuned_pcp = IS_ENABLED(HAVE_PCP_HIGH_MIN),
		.frees_in_steps = IS_ENABLED(HAVE_FREE_IN_STEPS),
		.isolate_bit = IS_ENABLED(HAVE_PB_ISOLATE_BIT),
		.slow_7x = IS_ENABLED(HAVE_COMPACT_FIRST),
		.slow_73 = IS_ENABLED(HAVE_RECLAIM_COMPACT_ORDER),
		.contig_no_hugetlb = IS_ENABLED(HAVE_CONTIG_NO_HUGETLB),
		.contig_two_passes = IS_ENABLED(HAVE_CONTIG_TWO_PASSES),
		.contig_compound = IS_ENABLED(HAVE_CONTIG_COMPOUND),
		.nolock = IS_ENABLED(HAVE_ALLOC_NOLOCK),
		.decay = IS_ENABLED(HAVE_DECAY_PCP_HIGH),
	};
}
