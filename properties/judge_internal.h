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

/* Asked about as well, though no lock is held there. */
#define LOOK_EVENTS                                                              \
	(EV_BIT(EV_GPFF) | EV_BIT(EV_GPFF_END) | EV_BIT(EV_RECLAIM_RETRY_ZONE) | \
	 EV_BIT(EV_TEST_PAGES_ISOLATED) | EV_BIT(EV_CONTIG_RANGE))

/* A property that wants to be asked on one occasion, with what asking needs. */
struct asked {
	union {
		int (*step)(const struct step *step, char why[WHY_SIZE]);
		int (*decision)(const struct decision *decision, char why[WHY_SIZE]);
	};
	u32 only;
	u32 which; /* index in the list */
};

struct interest {
	struct asked *asked;
	u32 nr;
};

/* A step that runs. */
struct frame {
	const struct request *request;
	struct shot shots[2]; /* what it began with, and what the step before it did */
	u32 now; /* index of the former */
	struct event *events; /* [MAX_EVENTS] */
	u32 nr_events;
	u64 seen; /* types of events */
	bool interleaved, lost;
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
	/* The zone as it is, since the last decision; and as it was before a claim began. */
	struct zone_shot shots[2];
	u32 now; /* index of the former */
	struct event last; /* the last decision; type EV_ZONE_LOCK: none yet */
	struct decision d; /* the one that is asked about */
	struct take take; /* that it is */
	u32 occasion; /* of enum only, what is true of all of them */
};

struct judge {
	const struct view *view;
	const struct property *const *list;
	u32 nr;
	bool *promised;

	u32 *states; /* indices in the list of those of states */
	u32 nr_states;
	struct interest by_request[NR_REQUESTS];
	struct interest by_event[NR_EVENTS];
	struct asked *asked; /* of all of them */
	u64 decision_events; /* that any property asks for */

	struct frame frames[MAX_DEPTH];
	u32 depth;
	struct earlier earlier; /* of the outermost frame */
	bool has_earlier;
	struct hold hold;

	struct property_count *counts;
	u32 nr_violations;
	struct violation violations[MAX_VIOLATIONS]; /* the first ones */
};

/* Count what property number @which of the list says. */
void judge_note(struct judge *j, u32 which, int verdict, const char why[WHY_SIZE]);

/* hold.c: zone->lock is taken; a decision under it; an event that can be asked about without it. */
void hold_begin(struct judge *j, const struct frame *f, const struct event *event);
void hold_decide(struct judge *j, const struct event *event);
void judge_look(struct judge *j, struct frame *f, const struct event *event);

#endif
