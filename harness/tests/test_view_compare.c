/* SPDX-License-Identifier: GPL-2.0-only */
/* Two views: nothing that view.h has may differ unseen, and what differs is named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/tests/fake_view.h"
#include "harness/view_compare.h"

static struct fake_view x, y;
static struct view_difference first[4];

/* Free pages 8, 16, 24 and 32, of order 3, and two pages on a pcp list. */
static void fill(struct fake_view *f)
{
	fake_view_init(f);
	for (u32 pfn = 8; pfn <= 32; pfn += 8)
		fake_free(f, pfn, 3, MIGRATE_MOVABLE);
	fake_list_add(f, pcp_list_head(fake_pcp(f, 1), 1), 40);
	fake_list_add(f, pcp_list_head(fake_pcp(f, 1), 1), 41);
	fake_list_add(f, f->global.lru_list, 48);
}

static int setup(void **state)
{
	(void)state;
	fill(&x);
	fill(&y);
	return 0;
}

static u32 compare(void)
{
	memset(first, 0, sizeof(first));
	return view_compare(&x.view, &y.view, first, ARRAY_SIZE(first));
}

static void assert_difference(u32 i, const char *want)
{
	char text[400];

	view_difference_text(&first[i], text, sizeof(text));
	assert_string_equal(text, want);
}

static void test_equal(void **state)
{
	(void)state;
	assert_int_equal(compare(), 0);
}

/* ---- every byte counts --------------------------------------------------- */

struct range {
	size_t offset, size;
};
#define MEMBER(type, m) {offsetof(struct type, m), sizeof(((struct type *)0)->m)}

/* Each byte of the @size at @base, in y, is a difference by itself, but for those in @aside. */
static void check_bytes(void *base, size_t size, const struct range *aside, u32 nr_aside)
{
	for (size_t i = 0; i < size; i++) {
		u8 *byte = (u8 *)base + i;
		bool counts = true;

		for (u32 k = 0; k < nr_aside; k++)
			counts &= i < aside[k].offset || i >= aside[k].offset + aside[k].size;
		if (!counts)
			continue;
		*byte ^= 0x40;
		if (compare() != 1)
			fail_msg("byte %zu of %zu: %u differences", i, size, compare());
		*byte ^= 0x40;
	}
}

/* Set aside is where lists begin, which is the subject's own business, and the zonelists. */
static void test_all_members(void **state)
{
	static const struct range zone[] = {
		MEMBER(zone, free_lists),
		MEMBER(zone, trylock_list),
		{offsetof(struct zone, pad),
		 offsetof(struct zone, vm_stat) - offsetof(struct zone, pad)},
	};
	static const struct range pcp[] = {MEMBER(per_cpu_pages, lists),
					   MEMBER(per_cpu_pages, pad)};
	static const struct range node[] = {MEMBER(node, zonelists)};
	static const struct range global[] = {MEMBER(global, lru_list),
					      MEMBER(global, isolated_list), MEMBER(global, pad)};

	(void)state;
	check_bytes(&y.zones[0], sizeof(struct zone), zone, ARRAY_SIZE(zone));
	check_bytes(&y.pcps[1], sizeof(struct per_cpu_pages), pcp, ARRAY_SIZE(pcp));
	check_bytes(&y.nodes[0], sizeof(struct node), node, ARRAY_SIZE(node));
	check_bytes(&y.global, sizeof(struct global), global, ARRAY_SIZE(global));
	check_bytes(&y.pages[5], sizeof(struct page), NULL, 0);
	check_bytes(&y.blocks[3], 1, NULL, 0);
}

/* ---- what is said -------------------------------------------------------- */

static void test_members_are_named(void **state)
{
	(void)state;
	y.zones[0].vm_stat[NR_FREE_PAGES] -= 40; /* 32 are free */
	y.zones[0].nr_free[3] = 5;
	assert_int_equal(compare(), 2);
	assert_difference(0, "node 0 zone Normal order 3: nr_free: 4, 5");
	assert_difference(1, "node 0 zone Normal: nr_free_pages: 32, -8");
	setup(state);
	y.pcps[1].high = -1;
	y.blocks[2] = MIGRATE_CMA | PB_ISOLATE;
	assert_int_equal(compare(), 2);
	assert_difference(0, "node 0 zone Normal cpu 1: high: 0, -1");
	assert_difference(1, "pfn 16: pageblock: Movable, CMA isolated");
	setup(state);
	y.global.sysctl[SYSCTL_DEFRAG_MODE] = 1;
	assert_int_equal(compare(), 1);
	assert_difference(0, "defrag_mode: 0, 1");
}

/* Pages 50 to 53 have the same difference, 55 another one of the same sort. */
static void test_runs_of_pages(void **state)
{
	(void)state;
	for (u32 pfn = 50; pfn < 54; pfn++)
		y.pages[pfn].refcount = 0;
	y.pages[55].refcount = -3;
	y.pages[55].flags |= PG_LRU | PG_PINNED;
	assert_int_equal(compare(), 3);
	assert_difference(0, "pfn 55: page->flags: online, lru|pinned|online");
	assert_difference(1, "pfn 50..53: page->_refcount: 1, 0");
	assert_difference(2, "pfn 55: page->_refcount: 1, -3");
}

static void test_zonelists(void **state)
{
	(void)state;
	x.nodes[0].zonelists[1] = (struct zonelist){.nr = 2, .zones = {1, 0, 7}};
	y.nodes[0].zonelists[1] = (struct zonelist){.nr = 2, .zones = {1, 0, 8}};
	assert_int_equal(compare(), 0);
	y.nodes[0].zonelists[1].zones[1] = 2;
	assert_int_equal(compare(), 1);
	assert_difference(0, "node 0: node_zonelists: 1 0, 1 2");
}

/* ---- lists --------------------------------------------------------------- */

static u32 movable_3(const struct fake_view *f)
{
	return free_list_head(&f->zones[0], 3, MIGRATE_MOVABLE);
}

static void refill(struct fake_view *f, const u32 *pfns, u32 nr)
{
	u32 head = movable_3(f);

	f->links[head] = (struct link){head, head};
	for (u32 i = 0; i < nr; i++)
		fake_list_add(f, head, pfns[i]);
}

static void test_list_order(void **state)
{
	static const u32 swapped[] = {8, 24, 16, 32}, longer[] = {8, 16, 24, 32, 56};

	(void)state;
	refill(&y, swapped, 4);
	assert_int_equal(compare(), 1);
	assert_difference(0,
			  "node 0 zone Normal order 3 Movable entry 2: free_list: pfn 16, pfn 24");
	refill(&y, longer, 5);
	assert_int_equal(compare(), 1);
	assert_difference(0,
			  "node 0 zone Normal order 3 Movable entry 5: free_list: the end, pfn 56");
}

static void test_other_lists(void **state)
{
	(void)state;
	fake_list_add(&y, pcp_list_head(fake_pcp(&y, 1), 13), 60);
	fake_list_add(&y, y.zones[0].trylock_list, 61);
	fake_list_add(&y, y.global.lru_list, 62);
	fake_list_add(&y, y.global.isolated_list, 63);
	assert_int_equal(compare(), 4);
	assert_difference(0, "node 0 zone Normal entry 1: trylock_free_pages: the end, pfn 61");
	assert_difference(1,
			  "node 0 zone Normal cpu 1 list 13 entry 1: pcp->lists: the end, pfn 60");
	assert_difference(2, "entry 2: lru: the end, pfn 62");
	assert_difference(3, "entry 1: isolated pages: the end, pfn 63");
}

/* Links that leave the list, go round, or do not point back end it, on both sides. */
static void test_broken_lists(void **state)
{
	(void)state;
	y.links[16].next = y.view.nr_links + 5;
	assert_int_equal(compare(), 1);
	assert_difference(
		0, "node 0 zone Normal order 3 Movable entry 3: free_list: pfn 24, broken links");
	x.links[16].next = x.view.nr_links + 5;
	assert_int_equal(compare(), 0); /* the same tables */
	x.links[60].next = 1; /* on no list; but now the lists are walked */
	assert_int_equal(compare(), 1);
	setup(state);
	y.links[24].prev = 8;
	assert_int_equal(compare(), 1);
	assert_difference(
		0, "node 0 zone Normal order 3 Movable entry 3: free_list: pfn 24, broken links");
}

/* The links of pages on no list, and where the heads lie, are nobody's business. */
static void test_what_does_not_count(void **state)
{
	u32 old, new;

	(void)state;
	y.links[60] = (struct link){1, 2};
	old = y.global.lru_list;
	new = y.view.nr_links - 1; /* of the isolated list, which is empty: they change places */
	y.global.lru_list = new;
	y.global.isolated_list = old;
	y.links[new] = y.links[old];
	y.links[48] = (struct link){new, new};
	y.links[old] = (struct link){old, old};
	assert_int_equal(compare(), 0);
}

/* All are counted, and no more are told than there is room for. */
static void test_room(void **state)
{
	(void)state;
	for (u32 i = 0; i < NR_VM_EVENTS; i++)
		y.global.vm_event[i]++;
	assert_int_equal(compare(), NR_VM_EVENTS);
	assert_difference(3, "pgalloc_movable: 0, 1");
	assert_int_equal(view_compare(&x.view, &y.view, NULL, 0), NR_VM_EVENTS);
}

static void test_other_machine(void **state)
{
	(void)state;
	y.view.nr_pages = 32;
	assert_int_equal(compare(), 1);
	assert_difference(0, "machine: 64, 32");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_equal, setup),
		cmocka_unit_test_setup(test_all_members, setup),
		cmocka_unit_test_setup(test_members_are_named, setup),
		cmocka_unit_test_setup(test_runs_of_pages, setup),
		cmocka_unit_test_setup(test_zonelists, setup),
		cmocka_unit_test_setup(test_list_order, setup),
		cmocka_unit_test_setup(test_other_lists, setup),
		cmocka_unit_test_setup(test_broken_lists, setup),
		cmocka_unit_test_setup(test_what_does_not_count, setup),
		cmocka_unit_test_setup(test_room, setup),
		cmocka_unit_test_setup(test_other_machine, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
