/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The list of all properties, in the order in which they are judged: prop_NAME
 * is defined in the family's file (FAMILY(slowpath): slowpath.c), its id is NAME
 * with dashes.
 */
#ifndef PROPERTIES_LIST_H
#define PROPERTIES_LIST_H

#include "properties/properties.h"

/* clang-format off */
#define EACH_IN_FAMILIES(FAMILY, X)                            \
	FAMILY(structure) /* list_links must be the first */   \
	X(list_links)                                          \
	X(zone_range)                                          \
	X(partition)                                           \
	X(alignment)                                           \
	X(buddy_flag)                                          \
	X(private_zero)                                        \
	X(free_refcount)                                       \
	X(free_unmarked)                                       \
	X(compound)                                            \
	X(lru_list)                                            \
	FAMILY(freelists)                                      \
	X(nr_free)                                             \
	X(pageblock_type)                                      \
	X(free_list_type)                                      \
	X(merge_below_block)                                   \
	X(merge_above_block)                                   \
	FAMILY(counters)                                       \
	X(nr_free_pages)                                       \
	X(nr_free_cma)                                         \
	X(highatomic_free)                                     \
	X(nr_free_highatomic)                                  \
	X(nr_free_blocks)                                      \
	X(free_bounds)                                         \
	X(highatomic_reserved)                                 \
	X(highatomic_cap)                                      \
	X(isolated_blocks)                                     \
	FAMILY(pcp)                                            \
	X(pcp_count)                                           \
	X(pcp_order)                                           \
	X(pcp_drained)                                         \
	FAMILY(watermark)                                      \
	X(wmark_order)                                         \
	X(lowmem_reserve)                                      \
	X(marks_follow)                                        \
	X(reserve_follows)                                     \
	X(boost_bound)                                         \
	X(low_mark_strict)                                     \
	X(reserves_kept)                                       \
	X(admission)                                           \
	FAMILY(eligibility)                                    \
	X(eligible_zone)                                       \
	X(isolated_untouched)                                  \
	X(cma_rights)                                          \
	X(highatomic_rights)                                   \
	X(cma_stays)                                           \
	FAMILY(fallback)                                       \
	X(claim_whole_blocks)                                  \
	X(claim_complete)                                      \
	X(steal_in_place)                                      \
	X(steal_smallest)                                      \
	X(claim_largest)                                       \
	X(boost_per_candidate)                                 \
	X(boosted_flag)                                        \
	FAMILY(batch)                                          \
	X(batch_steals_on)                                     \
	X(batch_modes)                                         \
	X(own_type_first)                                      \
	X(refill_count)                                        \
	X(split_law)                                           \
	FAMILY(mixing)                                         \
	X(nofragment)                                          \
	X(no_fragment_noretry)                                 \
	FAMILY(events)                                         \
	X(event_conservation)                                  \
	X(alloc_event)                                         \
	X(extfrag_serves)                                      \
	FAMILY(pcp_steps)                                      \
	X(pcp_list_type)                                       \
	X(isolated_not_cached)                                 \
	X(isolated_drained)                                    \
	X(pcp_high_band)                                       \
	X(pcp_factors)                                         \
	X(free_halves_alloc_factor)                            \
	X(alloc_halves_free_count)                             \
	X(drain_from_tail)                                     \
	FAMILY(pcp_excess)                                     \
	X(pcp_excess)                                          \
	X(pcp_off_keeps_nothing)                               \
	FAMILY(free)                                           \
	X(free_adds_pages)                                     \
	X(free_keeps_types)                                    \
	X(alloc_free_restores)                                 \
	X(move_keeps_free_pages)                               \
	FAMILY(isolation)                                      \
	X(isolate_fails_clean)                                 \
	X(isolate_undone)                                      \
	X(free_range_isolates)                                 \
	FAMILY(contig)                                         \
	X(contig_has_range)                                    \
	X(contig_loses_nothing)                                \
	X(contig_place)                                        \
	FAMILY(contig_search)                                  \
	X(contig_second_pass)                                  \
	X(no_hugetlb_tried)                                    \
	X(hugetlb_tried_last)                                  \
	FAMILY(slowpath)                                       \
	X(nonblocking_never_stalls)                            \
	X(nofail_never_null)                                   \
	X(nofail_costly_noretry)                               \
	X(null_only_after_oom)                                 \
	X(oom_only_if_allowed)                                 \
	X(compact_priority)                                    \
	X(wake_once_per_node)                                  \
	X(promoted_order)                                      \
	FAMILY(noretry)                                        \
	X(no_stall_costly_noretry)                             \
	X(costly_noretry_looks)                                \
	X(noretry_once)                                        \
	X(local_noretry_no_reclaim)                            \
	FAMILY(rounds)                                         \
	X(progress_loops)                                      \
	X(retry_zone)                                          \
	X(rounds_have_a_cause)                                 \
	X(compact_retry)                                       \
	FAMILY(progress)                                       \
	X(look_takes_own_type)                                 \
	X(small_null_tried_all)                                \
	X(wake_every_node)                                     \
	X(defrag_mixes_before_null)                            \
	X(costly_noretry_null)                                 \
	FAMILY(derived)                                        \
	X(pcp_follows)                                         \
	FAMILY(looks)                                          \
	X(nofragment_asked)                                    \
	X(kswapd_kept)                                         \
	X(reserve_before_null)                                 \
	FAMILY(locks)                                          \
	X(hold_bounded)                                        \
	X(trylock_forbidden)                                   \
	FAMILY(closed)                                         \
	X(compaction_takes)                                    \
	X(reclaim_counts)                                      \
	FAMILY(bulk)                                           \
	X(bulk_tries)                                          \
	X(bulk_eligible)                                       \
	FAMILY(kernel)                                         \
	X(kernel_warn)                                         \
	X(kernel_bad_page)                                     \
	X(kernel_bug)
/* clang-format on */

#define NO_FAMILY(name)
#define EACH_PROPERTY(X) EACH_IN_FAMILIES(NO_FAMILY, X)

#define DECLARE_PROPERTY(name) extern const struct property prop_##name;
EACH_PROPERTY(DECLARE_PROPERTY)
#undef DECLARE_PROPERTY

#endif
