/* SPDX-License-Identifier: GPL-2.0-only */
/* Whole cases on the port, with every property after each op. */
#include "harness/tests/run_fixture.h"

static struct subject *port;

/* Zone Normal: pages 0..4095, all Movable, in four free buddies of order 10. */
static int setup_port(void **state)
{
	(void)state;
	case_init(&c);
	machine_init(&c.machine);
	c.machine.nr_nodes = c.machine.nr_zones = 1;
	c.machine.zones[0] = (struct machine_zone){.type = ZONE_NORMAL, .pages = 4096};
	return 0;
}

/* Boot the machine, play all of the case and judge every step. */
static void play_on_port(void)
{
	const char *why;

	port = subject_create(NULL, &c.machine, &why);
	assert_non_null(port);
	run_init(&r, &c, port, CHECK_EACH, NULL);
	assert_int_equal(run_finish(&r), 0);
	assert_string_equal(r.first.text, "");
}

static int teardown_port(void **state)
{
	teardown(state);
	port->ops->destroy(port);
	return 0;
}

#define MOVABLE (GFP_HIGHUSER_MOVABLE | __GFP_COMP)

static void expect_pfn(u32 pfn)
{
	struct expect e = {.op = c.nr_ops - 1, .pfn = pfn, .has_result = true};

	case_add_expect(&c, &e);
}

/*
 * Order 4 is not cached: the first is cut off the front of the buddy at 0, the second comes from
 * the smallest buddy that is large enough, which is the other half of what was split (W1):
 *
 *      0 [4] 16 [4] 32 [5] 64 [6] ... 512 [9] 1024 [10] ...
 *
 * Freed in any order they merge into the four buddies again.
 */
static void test_port_split_and_merge(void **state)
{
	u32 a, b;

	(void)state;
	a = add_alloc(4, MOVABLE, 0);
	expect_pfn(0);
	b = add_alloc(4, MOVABLE, 0);
	expect_pfn(16);
	add_alloc(4, MOVABLE, 0);
	expect_pfn(32);
	add_free(a, 0);
	add_free(b, 0);
	play_on_port();
	/* 0 and 16 are one buddy of order 5 again, beside 32, which is held. */
	assert_true(run_moment(&r).view->pages[0].flags & PG_BUDDY);
	assert_int_equal(run_moment(&r).view->pages[0].private, 5);
	assert_int_equal(run_moment(&r).held[32], HELD(4) | HELD_COMPOUND);
}

/* All kinds of frees in one run, with every property after each op, and nothing left over. */
static void test_port_frees_everything(void **state)
{
	const u32 flags[] = {0, OPF_NOLOCK, OPF_BATCH};
	u32 slot;

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(flags); i++) {
		add_free(add_alloc(0, GFP_KERNEL, 0), flags[i]);
		add_free(add_alloc(2, MOVABLE, 0), flags[i]);
		add_free(add_alloc(3, GFP_KERNEL, OPF_FROZEN), flags[i]);
		add_free(add((struct op){.kind = OP_ALLOC_NOLOCK, .order = 2}), flags[i]);
		add_free(add((struct op){.kind = OP_ALLOC_BULK, .a = 40, .gfp = GFP_KERNEL}),
			 flags[i]);
	}
	slot = add_alloc(4, GFP_KERNEL, 0);
	add_piece(slot, 8, 3);
	add_free(slot, 0);
	slot = add_alloc(4, GFP_KERNEL, OPF_FROZEN);
	add_piece(slot, 4, 2);
	add_free(slot, 0);
	slot = add_alloc(2, GFP_KERNEL, 0);
	add_get(slot);
	add_free(slot, 0);
	add_free(slot, 0);
	add_free(add((struct op){.kind = OP_CONTIG_RANGE, .a = 1000, .b = 1100, .gfp = GFP_KERNEL}),
		 0);
	add_free(add((struct op){.kind = OP_CONTIG_PAGES,
				 .a = 512,
				 .flags = OPF_FROZEN,
				 .gfp = GFP_KERNEL | __GFP_COMP}),
		 0);
	add_free(add((struct op){.kind = OP_HUGETLB, .a = 2, .order = 9, .flags = OPF_MOVABLE}), 0);
	add((struct op){.kind = OP_DRAIN, .sub = DRAIN_ALL});
	play_on_port();
	assert_int_equal(r.nr_skipped, 0);
	assert_int_equal(run_moment(&r).view->zones[0].vm_stat[NR_FREE_PAGES], 4096);
	assert_int_equal(run_moment(&r).nr_drained, 1);
}

/*
 * The first page is on the LRU. Three requests take the buddies of order 10 that are left whole;
 * the fourth finds none and reclaims, and that takes the page away from the case: its free is
 * skipped.
 *
 *      0 L ........ | 1024 taken | 2048 taken | 3072 taken
 */
static void test_port_reclaim_takes_lru(void **state)
{
	u32 slot;

	(void)state;
	c.machine.env.kind[ENV_RECLAIM] = ENV_CLOSED;
	slot = add_alloc(0, MOVABLE, 0);
	add((struct op){.kind = OP_MARK, .a = slot, .b = PG_LRU});
	for (u32 i = 0; i < 4; i++) {
		add_alloc(10, MOVABLE | __GFP_NORETRY, 0);
		expect_pfn(i < 3 ? 1024 * (i + 1) : PFN_NONE);
	}
	add_free(slot, 0);
	play_on_port();
	assert_int_equal(r.nr_skipped, 1);
}

#define port_test(f) cmocka_unit_test_setup_teardown(f, setup_port, teardown_port)

int main(void)
{
	const struct CMUnitTest tests[] = {
		port_test(test_port_split_and_merge),
		port_test(test_port_frees_everything),
		port_test(test_port_reclaim_takes_lru),
	};

	return cmocka_run_group_tests_name("run", tests, NULL, NULL);
}
