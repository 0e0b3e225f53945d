/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Freeing a contiguous range whose pages are not one folio (spec 3.8): every page is
 * prepared on its own, then runs of them go in the largest chunks that fit:
 *
 *      pfn   5   6     8             12   13
 *            [ 0 ][ 1 ][      2      ][ 0 ]          order of each chunk
 */
#include "model/internal.h"

#define PAGES_PER_SECTION (1U << 15)

/* [start, end) is prepared. */
static void free_run(struct memory *m, u32 start, u32 end)
{
	for (u32 pfn = start, order; pfn < end; pfn += BIT(order)) {
		order = min_u32(pfn ? ffs0(pfn) : m->max_page_order, m->max_page_order);
		order = min_u32(order, ilog2(end - pfn));
		__free_frozen_pages(m, pfn, order, FPI_PREPARED);
	}
}

/* Drop the reference of the page and prepare it; false: it stays out of the free lists. */
static bool prepare_page(struct memory *m, u32 pfn, bool frozen)
{
	if (!frozen) {
		set_page_count(m, pfn, m->pages[pfn].refcount - 1);
		if (m->pages[pfn].refcount)
			return false;
	}
	return __free_pages_prepare(m, pfn, 0, FPI_NONE);
}

static void __free_contig_range(struct memory *m, u32 start, u32 nr, bool frozen)
{
	u32 end = start + nr;
	u32 run = start; /* [run, pfn) is prepared and not freed yet */

	for (u32 pfn = start; pfn < end; pfn++) {
		if (!(pfn & (PAGES_PER_SECTION - 1))) {
			free_run(m, run, pfn);
			run = pfn;
		}
		if (!prepare_page(m, pfn, frozen)) {
			free_run(m, run, pfn);
			run = pfn + 1;
		}
	}
	free_run(m, run, end);
}

void free_contig_range(struct memory *m, u32 pfn, u32 nr)
{
	__free_contig_range(m, pfn, nr, false);
}

void free_contig_frozen_range(struct memory *m, u32 pfn, u32 nr)
{
	if (!nr || page_has(m, pfn, PG_TAIL))
		return;
	if (page_has(m, pfn, PG_HEAD))
		free_frozen_pages(m, pfn, ilog2(nr));
	else
		__free_contig_range(m, pfn, nr, true);
}
