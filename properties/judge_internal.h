/* SPDX-License-Identifier: GPL-2.0-only */
/* Inside the judge: what judge.c, hold.c and judge_setup.c share. */
#ifndef PROPERTIES_JUDGE_INTERNAL_H
#define PROPERTIES_JUDGE_INTERNAL_H

#include "properties/judge.h"
#include "properties/take.h"

/* A step that reports more than this cannot be judged by what counts events. */
#define MAX_EVENTS 4096U
#define MAX_DEPTH 2
#define MAX_VIOLATIONS 16U /* whose texts are kept */

/* A decision, if the zone's lock is held. */
#define DECISION_EVENTS                                                                         \
	(EV_BIT(EV_MM_PAGE_ALLOC_EXTFRAG) | EV_BIT(EV_MM_PAGE_ALLOC_ZONE_LOCKED) |              \
	 EV_BIT(EV_CAPTURE) | EV_BIT(EV_RESERVE_HIGHATOMIC) | EV_BIT(EV_UNRESERVE_HIGHATOMIC) | \
	 EV_BIT(EV_MM_PAGE_PCPU_DRAIN) | EV_BIT(EV_ZONE_UNLOCK))

/* What tells a pass over the free lists, and a lock, from the next one. */
#define FRAME_EVENTS (EV_BIT(EV_GPFF) | EV_BIT(EV_GPFF_END) | EV_BIT(EV_ZONE_LOCK))

/* Asked about as well, though no lock is held there. */
#define LOOK_EVENTS                                                              \
	(EV_BIT(EV_GPFF) | EV_BIT(EV_GPFF_END) | EV_BIT(EV_RECLAIM_RETRY_ZONE) | \
	 EV_BIT(EV_TEST_PAGES_ISOLATED) | EV_BIT(EV_CONTIG_RANGE))

#define HEEDED_EVENTS (FRAME_EVENTS | DECISION_EVENTS | LOOK_EVENTS)

/* A property that wants to be asked on one occasion, with what asking needs. */
struct asked {
	union {
		int (*step)(const struct step *step, char why[WHY_SIZE]);
		int (*decision)(const struct decision *decision, char why[WHY_SIZE]);
		bool (*holds)(const struct walk *walk, char why[WHY_SIZE]);
	};
	u32 only; /* enum only; of states, what it judges */
	u32 which; /* index in the list */
};

struct interest {
	struct asked *asked;
	u32 nr;
};

/* A step that runs. */
struct frame {
	struct step step; /* as far as it has come */
	struct shot shots[2]; /* what it began with, and what the step before it did */
	u32 now; /* index of the former */
	struct event *events; /* [MAX_EVENTS], for the step */
	struct occurrence of[NR_EVENTS]; /* the same */
	bool looked, in_pass;
	u32 locks; /* taken in the pass */
	u32 ranges; /* tried by a contig allocation */
	struct event pass; /* EV_GPFF, of the last one if in_pass is false; none without looked */
};

/* A zone->lock that is held. */
struct hold {
	bool held;
	u8 zone;
	u32 nr_decisions, nr_stolen;
	struct zone_shot shots[2];
	struct zone_shot *now; /* the zone as it is, since the last decision */
	struct zone_shot *before_claim; /* as it was before a claim began; the other one */
	struct event last; /* the last decision; type EV_ZONE_LOCK: none yet */
	struct decision d; /* the one that is asked about */
	bool takes; /* decisions can be pages that are taken */
	struct take take; /* that it is */
	u32 occasion; /* of enum only, what is true of all of them */
};

struct judge {
	const struct view *view;
	const struct property *const *list;
	u32 nr;
	bool *promised;

	struct interest states;
	u64 nr_moments; /* judged, and not counted yet */
	struct interest by_request[NR_REQUESTS][2]; /* [1]: of requests on their slow path */
	struct interest by_event[NR_EVENTS][2]; /* [1]: of decisions that are ONLY_RARE */
	struct asked *asked, *next_asked; /* of all of them, and the end of that */
	u64 decision_events, look_events; /* that any property asks for */

	struct frame frames[MAX_DEPTH];
	u32 depth;
	struct frame *top; /* the innermost one that runs, or NULL */
	struct earlier earlier; /* of the outermost frame */
	bool has_earlier;
	struct hold hold;

	struct property_count *counts;
	u32 nr_violations;
	struct violation violations[MAX_VIOLATIONS]; /* the first ones */
};

/* Count what property number @which of the list says, which is not that it holds. */
void judge_note_other(struct judge *j, u32 which, int verdict, const char why[WHY_SIZE]);

static inline void judge_note(struct judge *j, u32 which, int verdict, const char why[WHY_SIZE])
{
	if (verdict == VERDICT_HOLDS)
		j->counts[which].meaningful++;
	else if (verdict != VERDICT_MEANINGLESS)
		judge_note_other(j, which, verdict, why);
}

/* hold.c: passes, lock holds and decisions begin and end with @event, one of HEEDED_EVENTS. */
void judge_heed(struct judge *j, const struct event *event);

#endif
