/* SPDX-License-Identifier: GPL-2.0-only */
/* When a small request finds nothing left to reclaim: the OOM killer (spec 6.8, 1.6 d, e). */
#include "model/internal.h"

#define OOM_CURRENT_IS_VICTIM BIT(31)

/*
 * The closed killer ends a process that holds the oldest reclaimable pages,
 * wherever they are: reclaim saw only the zones that the request may use.
 */
static bool out_of_memory(struct memory *m, u32 gfp, u32 order)
{
	struct answer answer;
	bool killed;

	if (m->machine.env.kind[ENV_OOM] == ENV_CLOSED) {
		killed = reclaim_lru(m, UINT32_MAX, SWAP_CLUSTER_MAX);
		env_note_call(m, ENV_OOM, NULL, (s32)order, gfp, 0, killed);
		return killed;
	}
	answer = env_ask(m, ENV_OOM, NULL, (s32)order, gfp, 0);
	if (answer.extra & OOM_CURRENT_IS_VICTIM)
		SET(m, m->global->task.flags, m->global->task.flags | TASK_OOM_VICTIM);
	reclaim_lru(m, UINT32_MAX, answer.extra & ~OOM_CURRENT_IS_VICTIM);
	return answer.value;
}

/* Killing would not help this request, or should not happen for it. */
static bool must_not_kill(const struct memory *m, u32 gfp, u32 order,
			  const struct alloc_context *ac)
{
	return task_is(m, TASK_PF_DUMPCORE) || order > PAGE_ALLOC_COSTLY_ORDER ||
	       (gfp & (__GFP_RETRY_MAYFAIL | __GFP_THISNODE)) ||
	       ac->highest_zoneidx < ZONE_NORMAL || task_is(m, TASK_STORAGE_SUSPENDED);
}

u32 __alloc_pages_cpuset_fallback(struct memory *m, u32 gfp, u32 order, u32 alloc_flags,
				  const struct alloc_context *ac)
{
	u32 pfn;

	alloc_flags |= ac->alloc_flags;
	pfn = get_page_from_freelist(m, gfp, order, alloc_flags | ALLOC_CPUSET, ac);
	if (pfn == PFN_NONE)
		pfn = get_page_from_freelist(m, gfp, order, alloc_flags, ac);
	return pfn;
}

u32 __alloc_pages_may_oom(struct memory *m, u32 gfp, u32 order, const struct alloc_context *ac,
			  u32 *did_some_progress)
{
	u32 pfn;

	/* Somebody else kills at this moment: as good as progress. */
	if (env_says(m, ENV_LOCK_OOM, NULL)) {
		*did_some_progress = 1;
		return PFN_NONE;
	}
	*did_some_progress = 0;
	/* Only a look for what a parallel kill has freed, hence the HIGH mark. */
	pfn = get_page_from_freelist(m, (gfp | __GFP_HARDWALL) & ~__GFP_DIRECT_RECLAIM, order,
				     ac->alloc_flags | ALLOC_WMARK_HIGH | ALLOC_CPUSET, ac);
	if (pfn != PFN_NONE || must_not_kill(m, gfp, order, ac))
		return pfn;

	if (!out_of_memory(m, gfp, order)) {
		if (!(gfp & __GFP_NOFAIL))
			return PFN_NONE;
		if (!(gfp & __GFP_NOWARN))
			warn(m, WARN_OOM_NOFAIL);
	}
	*did_some_progress = 1;
	if (!(gfp & __GFP_NOFAIL))
		return PFN_NONE;
	return __alloc_pages_cpuset_fallback(m, gfp, order, ALLOC_NO_WATERMARKS, ac);
}
