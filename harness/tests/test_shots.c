/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a decision is compared with: the judge brings its copy of a zone up to date by
 * copying what a decision of that kind changes. On generated cases the copy must be what a
 * whole new one would be, before every decision.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/generate.h"
#include "harness/run.h"
#include "properties/shot.h"

#define NR_CASES 700
#define NR_OPS_EACH 64

static struct zone_shot whole[2]; /* of the locked zone: now, and before the last decision */
static u32 now;
static u32 nr_compared, nr_taking, nr_claims;

static int is_whole(const struct decision *d, char why[WHY_SIZE])
{
	const struct zone_shot *want = &whole[d->claimed ? !now : now];
	u32 ends = d->view->machine->nr_cpus * NR_PCP_LISTS * sizeof(struct link);

	(void)why;
	if (may_take(d)) {
		assert_memory_equal(&d->was->zone, &want->zone, sizeof(want->zone));
		assert_memory_equal(d->was->heads, want->heads, sizeof(want->heads));
		nr_taking++;
	}
	assert_int_equal(d->was->nr_blocks, want->nr_blocks);
	assert_memory_equal(d->was->blocks, want->blocks, want->nr_blocks);
	if (d->event->type == EV_MM_PAGE_PCPU_DRAIN)
		assert_memory_equal(d->was->pcp_ends, want->pcp_ends, ends);
	nr_compared++;
	nr_claims += d->claimed != NULL;
	return VERDICT_HOLDS;
}

struct listener {
	struct judge *judge;
	const struct view *view;
};

#define DECIDES                                                                                 \
	(EV_BIT(EV_MM_PAGE_ALLOC_EXTFRAG) | EV_BIT(EV_MM_PAGE_ALLOC_ZONE_LOCKED) |              \
	 EV_BIT(EV_CAPTURE) | EV_BIT(EV_RESERVE_HIGHATOMIC) | EV_BIT(EV_UNRESERVE_HIGHATOMIC) | \
	 EV_BIT(EV_MM_PAGE_PCPU_DRAIN) | EV_BIT(EV_ZONE_UNLOCK))

#define PASSES (EV_BIT(EV_GPFF) | EV_BIT(EV_GPFF_END))

static const struct property compare = {.id = "compare", .events = DECIDES, .decision = is_whole};

static void listen(void *ctx, const struct event *event)
{
	struct listener *l = ctx;

	if (event->type == EV_ZONE_LOCK)
		zone_shot_take(&whole[now], l->view, event->zone, true);
	/* Events without a lock have nothing to compare. */
	if (EV_BIT(event->type) & (DECIDES | PASSES | EV_BIT(EV_ZONE_LOCK)))
		judge_event(l->judge, event);
	if (EV_BIT(event->type) & DECIDES) {
		now = !now;
		zone_shot_take(&whole[now], l->view, event->zone, true);
	}
}

/* All of the case is one step, so that every decision is seen. */
static void play(u64 seed)
{
	static const struct property *const list[] = {&compare};
	const struct request request = {.kind = REQUEST_MACHINE};
	struct listener l;
	struct observer observer = {.event = listen, .ctx = &l, .mask = EV_ALL};
	struct subject *s;
	struct testcase c;
	const char *why;
	struct run r;

	case_init(&c);
	generate_case(seed, NR_OPS_EACH, &c);
	s = subject_create(NULL, &c.machine, &why);
	assert_non_null(s);
	l.view = s->ops->view(s);
	l.judge = judge_create(l.view, list, 1, 0);
	assert_non_null(l.judge);
	assert_true(zone_shot_init(&whole[0], l.view) && zone_shot_init(&whole[1], l.view));
	judge_begin(l.judge, &request);
	run_init(&r, &c, s, CHECK_NONE, &observer);
	run_finish(&r);
	run_free(&r);
	judge_destroy(l.judge);
	zone_shot_exit(&whole[0]);
	zone_shot_exit(&whole[1]);
	s->ops->destroy(s);
	case_free(&c);
}

static void test_whole(void **state)
{
	(void)state;
	for (u64 seed = 1; seed <= NR_CASES; seed++)
		play(seed);
	print_message("%u decisions, %u where pages are taken, %u claims\n", nr_compared, nr_taking,
		      nr_claims);
	assert_true(nr_compared > 10000);
	assert_true(nr_taking > 5000);
	assert_true(nr_claims > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
