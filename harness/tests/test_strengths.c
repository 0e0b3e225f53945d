/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The two strengths of checking say the same: what is followed from write to write is what a
 * look at everything sees, and a write that breaks something is reported as the same violations.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <setjmp.h>

#include <cmocka.h>

#include "harness/generate.h"
#include "harness/input.h"
#include "harness/run.h"
#include "harness/subject_port.h"
#include "model/internal.h"
#include "properties/walk.h"

#define NR_CASES 100
#define NR_OPS 48
#define NR_BREAKS_EACH 12

/* ---- the same sums ------------------------------------------------------- */

static void assert_same_entry(const struct walk *followed, const struct walk *whole, u32 pfn)
{
	const struct entry *a = entry_at(followed, pfn), *b = entry_at(whole, pfn);

	if (!a != !b)
		fail_msg("page %u: an entry begins for one look only", pfn);
	if (a && (a->kind != b->kind || a->order != b->order || a->zone != b->zone ||
		  a->list != b->list || a->cpu != b->cpu || a->lru != b->lru))
		fail_msg("page %u: entries differ", pfn);
}

static void assert_same_walk(const struct walk *followed, const struct walk *whole)
{
	const struct machine *machine = whole->view->machine;

	for (u32 pfn = 0; pfn < whole->view->nr_pages; pfn++)
		assert_same_entry(followed, whole, pfn);
	assert_memory_equal(followed->zones, whole->zones,
			    machine->nr_zones * sizeof(*whole->zones));
	assert_memory_equal(followed->pcp_pages, whole->pcp_pages,
			    (size_t)machine->nr_zones * machine->nr_cpus *
				    sizeof(*whole->pcp_pages));
	assert_int_equal(followed->marked, whole->marked);
	assert_int_equal(followed->lru_folios, whole->lru_folios);
}

static struct subject *make_subject(const struct testcase *c)
{
	const char *why;
	struct subject *s = subject_create(NULL, &c->machine, &why);

	assert_non_null(s);
	return s;
}

/* Play @c twice on one machine, the second time after going back. */
static void compare_walks(const struct testcase *c)
{
	struct subject *s = make_subject(c);
	struct walk *whole = walk_create(s->ops->view(s));
	struct moment now;
	struct run r;

	assert_non_null(whole);
	run_init(&r, c, s, CHECK_WRITTEN, NULL);
	for (u32 time = 0; time < 2; time++) {
		while (run_step(&r)) {
			now = run_moment(&r);
			assert_true(walk_state(whole, &now));
			assert_same_walk(r.walk, whole);
		}
		if (time)
			run_finish(&r);
		if (r.first.kind)
			fail_msg("step %u: %s", r.first.step, r.first.text);
		s->ops->reset(s);
		run_again(&r, c);
	}
	walk_destroy(whole);
	run_free(&r);
	s->ops->destroy(s);
}

static void test_same_sums(void **state)
{
	struct testcase c;

	(void)state;
	case_init(&c);
	for (u64 seed = 0; seed < NR_CASES; seed++) {
		generate_case(seed, NR_OPS, &c);
		compare_walks(&c);
	}
	case_free(&c);
}

/* One by one, so that they are in the same order again: in the middle of the list nothing has changed. */
static void move_list(struct memory *m, u32 from, u32 to)
{
	while (m->links[from].next != from && from != to) {
		u32 pfn = m->links[from].next;

		list_del(m, pfn);
		list_add_tail(m, pfn, to);
	}
}

/* Of five pages that go to another list in their order, three have nothing written that is different. */
static void test_moved_list(void **state)
{
	struct testcase c;
	struct subject *s;
	struct walk *whole;
	struct memory *m;
	struct moment now;
	struct run r;
	u32 from, to;

	(void)state;
	case_init(&c);
	c.machine.nr_zones = c.machine.nr_nodes = 1;
	c.machine.zones[0] = (struct machine_zone){.type = ZONE_NORMAL, .pages = 5 << 10};
	s = make_subject(&c);
	m = (struct memory *)subject_port_memory(s);
	whole = walk_create(s->ops->view(s));
	run_init(&r, &c, s, CHECK_WRITTEN, NULL);
	run_step(&r);
	from = free_list_head(&m->zones[0], 10, MIGRATE_MOVABLE);
	to = free_list_head(&m->zones[0], 10, MIGRATE_UNMOVABLE);
	move_list(m, from, to);
	now = run_moment(&r);
	now.written = s->ops->written(s);
	assert_int_equal(now.written->nr_links, 4); /* two pages and two heads */
	assert_true(walk_written(r.walk, &now));
	assert_true(walk_state(whole, &now));
	assert_same_walk(r.walk, whole);
	walk_destroy(whole);
	run_free(&r);
	s->ops->destroy(s);
	case_free(&c);
}

/*
 * A page that was handed out is put behind a list that has moved, and is the first one that is looked at:
 *
 *      before   A -> 1 -> 2 -> 3 -> A        now   T -> 1 -> 2 -> 3 -> n -> T       T: the trylock list
 *      n        back to 2, of which nothing has changed, and which seems to be where it was
 */
static void test_behind_moved_list(void **state)
{
	struct testcase c;
	struct subject *s;
	struct walk *whole;
	struct memory *m;
	struct moment now;
	struct run r;
	u8 *nothing_held;
	u32 n, trylock;

	(void)state;
	case_init(&c);
	c.machine.nr_zones = c.machine.nr_nodes = 1;
	c.machine.zones[0] = (struct machine_zone){.type = ZONE_NORMAL, .pages = 6 << 10};
	c.nr_slots = 1;
	case_add_op(&c, &(struct op){.kind = OP_ALLOC, .order = 10, .gfp = GFP_HIGHUSER_MOVABLE});
	s = make_subject(&c);
	m = (struct memory *)subject_port_memory(s);
	whole = walk_create(s->ops->view(s));
	nothing_held = calloc(m->nr_pages, 1);
	run_init(&r, &c, s, CHECK_WRITTEN, NULL);
	run_step(&r);
	n = r.result.pfn;
	trylock = m->zones[0].trylock_list;
	SET(m, m->pages[n].private, 10);
	move_list(m, free_list_head(&m->zones[0], 10, MIGRATE_MOVABLE), trylock);
	list_add_tail(m, n, trylock);
	now = run_moment(&r);
	now.held = nothing_held;
	now.changed = &n;
	now.nr_changed = 1;
	now.written = s->ops->written(s);
	assert_true(walk_written(r.walk, &now));
	assert_true(walk_state(whole, &now));
	assert_same_walk(r.walk, whole);
	walk_destroy(whole);
	free(nothing_held);
	run_free(&r);
	s->ops->destroy(s);
	case_free(&c);
}

/* What a look at one case has seen excuses nothing in the next one on the same machine. */
static void test_next_case(void **state)
{
	const enum check_strength strengths[] = {CHECK_WRITTEN, CHECK_EACH};
	struct testcase c;

	(void)state;
	case_init(&c);
	generate_case(1, 0, &c);
	for (u32 i = 0; i < 2; i++) {
		struct subject *s = make_subject(&c);
		struct run r;

		run_init(&r, &c, s, strengths[i], NULL);
		run_finish(&r);
		r.walk->strays = 1;
		s->ops->reset(s);
		run_again(&r, &c);
		run_finish(&r);
		assert_int_equal(r.walk->strays, 0);
		run_free(&r);
		s->ops->destroy(s);
	}
	case_free(&c);
}

/* ---- the same violations ------------------------------------------------- */

struct breaker {
	struct memory *m;
	struct rng rng;
};

static u32 below(struct breaker *b, u32 n)
{
	return rng_below(&b->rng, n);
}

static u32 any_page(struct breaker *b)
{
	return below(b, b->m->nr_pages);
}

/* A page that is free, as far as there is one near a random place. */
static u32 free_page(struct breaker *b)
{
	u32 pfn = any_page(b);

	for (u32 i = 0; i < b->m->nr_pages; i++, pfn = (pfn + 1) % b->m->nr_pages)
		if (b->m->pages[pfn].flags & PG_BUDDY)
			return pfn;
	return pfn;
}

static u32 any_list_head(struct breaker *b)
{
	return b->m->nr_pages + below(b, b->m->view.nr_links - b->m->nr_pages);
}

static void break_page(struct breaker *b)
{
	u32 pfn = below(b, 2) ? any_page(b) : free_page(b);
	struct page *p = &b->m->pages[pfn];

	switch (below(b, 4)) {
	case 0:
		SET(b->m, p->private, below(b, 16));
		break;
	case 1:
		SET(b->m, p->refcount, (s32)below(b, 3));
		break;
	case 2:
		SET(b->m, p->flags, (u16)(p->flags ^ BIT(below(b, 12))));
		break;
	default:
		SET(b->m, p->compound_order, (u8)below(b, 11));
	}
}

/* As list_del(), list_add() and halves of them do it. */
static void break_link(struct breaker *b)
{
	u32 pfn = free_page(b), next = b->m->links[pfn].next, head = any_list_head(b);

	switch (below(b, 7)) {
	case 0:
		list_del(b->m, pfn);
		break;
	case 1:
		list_del(b->m, pfn);
		list_add(b->m, pfn, head);
		break;
	case 2:
		list_add(b->m, any_page(b), head);
		break;
	case 3:
		SET(b->m, b->m->links[pfn].next, b->m->links[next].next);
		break;
	case 4:
		SET(b->m, b->m->links[pfn].prev, any_page(b));
		break;
	case 5:
		move_list(b->m, any_list_head(b), head);
		break;
	default:
		SET(b->m, b->m->links[head].next, below(b, b->m->view.nr_links));
	}
}

static void break_counter(struct breaker *b)
{
	struct zone *z = &b->m->zones[below(b, b->m->nr_zones)];
	u32 order = below(b, NR_ORDERS), item = below(b, NR_MLOCK);
	struct per_cpu_pages *pcp = &b->m->pcps[below(b, b->m->nr_zones * b->m->nr_cpus)];

	switch (below(b, 5)) {
	case 0:
		SET(b->m, z->nr_free[order], below(b, 9));
		break;
	case 1:
		SET(b->m, z->vm_stat[item], below(b, 2000));
		break;
	case 2:
		SET(b->m, z->nr_free_highatomic, z->nr_free_highatomic + 1);
		break;
	case 3:
		SET(b->m, z->nr_isolate_pageblock, z->nr_isolate_pageblock + 1);
		break;
	default:
		SET(b->m, pcp->count, pcp->count + 1);
	}
}

static void break_block(struct breaker *b)
{
	u8 *flags = &b->m->pageblock_flags[any_page(b) >> b->m->pageblock_order];

	SET(b->m, *flags, (u8)(*flags ^ BIT(below(b, 5))));
}

static void break_something(struct breaker *b)
{
	void (*const ways[])(struct breaker *) = {break_page, break_link, break_counter,
						  break_block};

	ways[below(b, 4)](b);
}

/* "free-list-type nr-free": what is violated at @now. */
static void violated(struct judge *j, struct walk *walk, const struct moment *now, char *ids,
		     size_t size)
{
	ids[0] = '\0';
	judge_reset(j);
	judge_moment(j, walk, now);
	for (u32 i = 0; i < judge_nr_violations(j); i++) {
		const struct violation *v = judge_violation(j, i);

		assert_non_null(v);
		snprintf(ids + strlen(ids), size - strlen(ids), " %s", v->property->id);
	}
}

/* One write more than the run knows of, and both looks at it. Returns whether it has broken something. */
static bool compare_break(struct run *r, struct judge *j, struct walk *whole, u64 seed)
{
	struct breaker b = {.m = (struct memory *)subject_port_memory(r->subject),
			    .rng = {.state = seed}};
	struct moment now = run_moment(r);
	char followed_ids[1024], whole_ids[1024];

	break_something(&b);
	whole->strays = r->walk->strays; /* what earlier looks have seen */
	violated(j, whole, &now, whole_ids, sizeof(whole_ids));
	now.written = r->subject->ops->written(r->subject);
	assert_non_null(now.written);
	assert_true(r->walk->followed);
	violated(j, r->walk, &now, followed_ids, sizeof(followed_ids));
	if (strcmp(followed_ids, whole_ids) != 0)
		fail_msg("seed %llu: what was written:%s; everything:%s", (unsigned long long)seed,
			 followed_ids, whole_ids);
	return whole_ids[0];
}

/* A case of another length each time, then a write that no allocator makes. */
static u32 break_case(u64 seed)
{
	struct subject *s;
	struct judge *j;
	struct walk *whole;
	struct testcase c;
	struct run r;
	u32 nr_broken = 0;

	case_init(&c);
	generate_case(seed, NR_OPS, &c);
	s = make_subject(&c);
	j = judge_create(s->ops->view(s), properties, nr_properties,
			 PROMISE_PORT | PROMISE_HYGIENE);
	whole = walk_create(s->ops->view(s));
	assert_true(j && whole);
	run_init(&r, &c, s, CHECK_WRITTEN, NULL);
	for (u32 i = 0; i < NR_BREAKS_EACH; i++) {
		for (u32 op = 0; op < (i * 7) % NR_OPS; op++)
			run_step(&r);
		if (!r.step)
			run_step(&r);
		nr_broken += compare_break(&r, j, whole, seed * NR_BREAKS_EACH + i);
		s->ops->reset(s);
		run_again(&r, &c);
	}
	run_free(&r);
	walk_destroy(whole);
	judge_destroy(j);
	s->ops->destroy(s);
	case_free(&c);
	return nr_broken;
}

static void test_same_violations(void **state)
{
	u32 nr_broken = 0;

	(void)state;
	for (u64 seed = 0; seed < NR_CASES; seed++)
		nr_broken += break_case(seed);
	print_message("%u writes, %u have broken something\n", NR_CASES * NR_BREAKS_EACH,
		      nr_broken);
	assert_true(nr_broken > NR_CASES * NR_BREAKS_EACH / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_sums),	  cmocka_unit_test(test_moved_list),
		cmocka_unit_test(test_behind_moved_list), cmocka_unit_test(test_same_violations),
		cmocka_unit_test(test_next_case),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
