/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finding a range that alloc_contig_frozen_range() may succeed on (spec 7.6, 7.7):
 *
 *      zone   |..[ nr pages ][ nr pages ][ nr pages ]..|   candidates, aligned, in turn
 *                  invalid     tried,      tried,
 *                              failed      success
 */
#include "model/internal.h"

/*
 * Is the page acceptable to releases before 7.2? They look at every page on its own;
 * what else it may be is found out by trying.
 */
static bool page_valid_before_twopass(const struct memory *m, u32 pfn)
{
	u32 head = compound_head(m, pfn);
	bool hugetlb = page_has(m, head, PG_HUGETLB);

	if (page_has(m, pfn, PG_RESERVED))
		return false;
	switch (m->machine.policy.contig_valid) {
	case CONTIG_VALID_PRE513:
		/* A range may begin inside of a folio: a tail counts as its head does. */
		return m->pages[head].refcount <= 0 && !hugetlb;
	case CONTIG_VALID_POST513:
		return true;
	default: /* CONTIG_VALID_HUGESKIP */
		return !hugetlb;
	}
}

/* 7.2 and later; *@step: pages that the answer covers. */
static bool page_valid_twopass(struct memory *m, const struct zone *z, u32 pfn, u32 nr,
			       bool skip_hugetlb, bool *skipped_hugetlb, u32 *step)
{
	u32 head = compound_head(m, pfn);

	if (page_is_unmovable(m, z, pfn, PB_ISOLATE_MODE_OTHER, step))
		return false;
	if (!page_has(m, head, PG_HUGETLB))
		return true;
	if (skip_hugetlb) {
		*skipped_hugetlb = true;
		return false;
	}
	/* Moving a large one to free a range that is not larger gains nothing. */
	return BIT(compound_order(m, head)) < nr;
}

bool pfn_range_valid_contig(struct memory *m, struct zone *z, u32 start, u32 nr, bool skip_hugetlb,
			    bool *skipped_hugetlb)
{
	bool twopass = m->machine.policy.contig_valid == CONTIG_VALID_TWOPASS;
	u32 step = 1;

	for (u32 pfn = start; pfn < start + nr; pfn += step) {
		if (!pfn_online(m, pfn) || page_zone(m, pfn) != z)
			return false;
		if (twopass ? !page_valid_twopass(m, z, pfn, nr, skip_hugetlb, skipped_hugetlb,
						  &step)
			    : !page_valid_before_twopass(m, pfn))
			return false;
	}
	return true;
}

/* PFN of a range of @z that was taken, or PFN_NONE. */
static u32 search_zone(struct memory *m, struct zone *z, u32 nr, u32 gfp, bool skip_hugetlb,
		       bool *skipped_hugetlb)
{
	/* The kernel aligns by mask, also where @nr is no power of two (rule 78). */
	u64 pfn = ((u64)z->zone_start_pfn + nr - 1) & ~((u64)nr - 1);

	zone_lock(m, z);
	for (; pfn + nr <= zone_end_pfn(z); pfn += nr) {
		u32 start = (u32)pfn;

		if (!pfn_range_valid_contig(m, z, start, nr, skip_hugetlb, skipped_hugetlb))
			continue;
		zone_unlock(m, z);
		nest(m, NEST_CONTIG_CANDIDATE);
		if (!alloc_contig_frozen_range(m, start, start + nr, 0, gfp))
			return start;
		zone_lock(m, z);
	}
	zone_unlock(m, z);
	return PFN_NONE;
}

static u32 search_zonelist(struct memory *m, u32 nr, u32 gfp, u32 nid, u32 nodemask,
			   bool skip_hugetlb, bool *skipped_hugetlb)
{
	const struct zonelist *zl = node_zonelist(m, nid, gfp);
	u32 highest = gfp_zone(m, gfp);

	for (u32 pos = next_zones_zonelist(m, zl, 0, highest, nodemask); pos < zl->nr;
	     pos = next_zones_zonelist(m, zl, pos + 1, highest, nodemask)) {
		u32 pfn = search_zone(m, zonelist_zone(m, zl, pos), nr, gfp, skip_hugetlb,
				      skipped_hugetlb);

		if (pfn != PFN_NONE)
			return pfn;
	}
	return PFN_NONE;
}

u32 alloc_contig_frozen_pages(struct memory *m, u32 nr, u32 gfp, u32 nid, u32 nodemask)
{
	bool skipped_hugetlb = false;
	u32 pfn;

	if (!nr)
		return PFN_NONE;
	pfn = search_zonelist(m, nr, gfp, nid, nodemask, true, &skipped_hugetlb);
	if (pfn == PFN_NONE && skipped_hugetlb)
		pfn = search_zonelist(m, nr, gfp, nid, nodemask, false, &skipped_hugetlb);
	return pfn;
}

u32 alloc_contig_pages(struct memory *m, u32 nr, u32 gfp, u32 nid, u32 nodemask)
{
	u32 pfn;

	if (gfp & __GFP_COMP) {
		warn(m, WARN_CONTIG_COMP);
		return PFN_NONE;
	}
	pfn = alloc_contig_frozen_pages(m, nr, gfp, nid, nodemask);
	for (u32 i = 0; pfn != PFN_NONE && i < nr; i++)
		set_page_count(m, pfn + i, 1);
	return pfn;
}
