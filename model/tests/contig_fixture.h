/* SPDX-License-Identifier: GPL-2.0-only */
/* For tests of contiguous ranges: take one, and what is left then. */
#ifndef MODEL_TESTS_CONTIG_FIXTURE_H
#define MODEL_TESTS_CONTIG_FIXTURE_H

#include <errno.h>

#include "model/tests/folio_fixture.h"

/* Contents of [512, 1024) as most tests ask for them. */
#define START 512
#define END 1024

static inline int contig(struct memory *m, u32 start, u32 end)
{
	return alloc_contig_range(m, start, end, 0, GFP_KERNEL);
}

/* Rule 76: the range is the caller's, frozen or with one reference; nothing is isolated. */
static inline void assert_taken(const struct memory *m, u32 start, u32 end, s32 refs)
{
	for (u32 pfn = start; pfn < end; pfn++) {
		assert_int_equal(m->pages[pfn].refcount, refs);
		assert_int_equal(m->pages[pfn].private, 0);
		assert_int_equal(m->pages[pfn].flags, PG_ONLINE);
		assert_int_equal(find_large_buddy(m, pfn), pfn);
	}
	assert_nothing_isolated(m);
}

/* The call fails with @err, and no page is lost by it (rule 77). */
static inline void assert_contig_fails(struct memory *m, u32 start, u32 end, int err)
{
	s64 pages = m->zones[0].vm_stat[NR_FREE_PAGES] + m->pcps[0].count;

	assert_int_equal(contig(m, start, end), err);
	assert_int_equal(m->zones[0].vm_stat[NR_FREE_PAGES] + m->pcps[0].count, pages);
	assert_nothing_isolated(m);
}

#endif
