/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls into the port, each judged as one step by a single property, and what a test
 * does to them by hand just before the property looks:
 *
 *      event of the port ---> spoil() ---> judge        at the events that spoil_at names
 *      end of a call     ---> spoil() ---> judge        SPOIL_END
 *
 * Without spoil() the calls are legal, and the property must hold.
 */
#ifndef PROPERTIES_TESTS_PORT_CASE_H
#define PROPERTIES_TESTS_PORT_CASE_H

#include "model/port.h"
#include "properties/judge.h"
#include "properties/list.h"

#define MOVABLE GFP_HIGHUSER_MOVABLE

struct port_case {
	struct memory *m;
	const struct view *view;
	struct judge *judge;
	struct observer observer;
	struct request request; /* of the call that runs */
	/* What is spoiled, once port_case_spoil() has been called. */
	bool armed;
	u32 spoil_at; /* event type, or SPOIL_END */
	void (*spoil)(struct port_case *c, struct event *event); /* NULL: nothing; event: or NULL */
	struct answer answers[8]; /* of the next call */
	u32 nr_answers;
};

#define SPOIL_END NR_EVENTS

/* One zone Normal of 4,096 pages, blocks of 512, no THP. */
void default_machine(struct machine *machine);

struct trial {
	const char *intent;
	void (*play)(struct port_case *c);
	/* The outcome for the property: it holds somewhere and fails nowhere; fails; is not asked. */
	int verdict;
	u32 spoil_at;
	void (*spoil)(struct port_case *c, struct event *event);
	void (*machine)(struct machine *machine); /* NULL: the default one */
};

/* The verdict comes last, and .machine may follow it. */
#define TRIAL(what, play_, ...) {.intent = (what), .play = (play_), .verdict = __VA_ARGS__}
#define SPOILED(what, play_, at, how, ...) \
	{.intent = (what),                 \
	 .play = (play_),                  \
	 .spoil_at = (at),                 \
	 .spoil = (how),                   \
	 .verdict = __VA_ARGS__}

/* Play each on a fresh port and compare what @property says. */
void judge_trials(const struct property *property, const struct trial *trials, u32 nr);
#define JUDGE(property, trials) judge_trials(&(property), (trials), ARRAY_SIZE(trials))

#define HOLDS VERDICT_HOLDS
#define FAILS VERDICT_FAILS
#define SILENT VERDICT_MEANINGLESS

/* The next calls are spoiled. */
void spoil_now(struct port_case *c);
/* The environment says @value to the next call that asks. */
void answer_next(struct port_case *c, u32 call, u32 value, u32 extra);

/* ---- steps --------------------------------------------------------------- */

u32 do_alloc(struct port_case *c, u32 gfp, u32 order); /* refcount 1, any failure returned */
void do_bulk(struct port_case *c, u32 gfp, u32 nr, u32 *pfns);
/* With the references that the page has. */
void do_free(struct port_case *c, u32 pfn, u32 order);
void do_free_nolock(struct port_case *c, u32 pfn, u32 order);
void do_free_batch(struct port_case *c, u32 pfn, u32 order);
void do_drain(struct port_case *c);
int do_isolate(struct port_case *c, u32 start, u32 end);
void do_unisolate(struct port_case *c, u32 start, u32 end);
int do_contig_range(struct port_case *c, u32 start, u32 end);
u32 do_contig_pages(struct port_case *c, u32 nr);

/* ---- the state, to be spoiled -------------------------------------------- */

static inline struct zone *the_zone(struct port_case *c)
{
	return (struct zone *)&c->view->zones[0];
}

static inline struct per_cpu_pages *the_pcp(struct port_case *c)
{
	return (struct per_cpu_pages *)&c->view->pcps[0];
}

static inline struct page *the_page(struct port_case *c, u32 pfn)
{
	return (struct page *)&c->view->pages[pfn];
}

static inline u8 *the_block(struct port_case *c, u32 pfn)
{
	return (u8 *)&c->view->pageblock_flags[pfn >> c->view->machine->pageblock_order];
}

#endif
