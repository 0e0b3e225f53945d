/* SPDX-License-Identifier: GPL-2.0-only */
/* Machines made legal: each rule once, on a machine of one node. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/case.h"
#include "harness/machine_fit.h"
#include "model/gfp.h"

/* Orders come down to max_page_order; a pmd_order below 4 is none. Gigantic pages may be larger. */
static void orders(void **state)
{
	struct machine m;

	(void)state;
	machine_init(&m);
	m.max_page_order = 6;
	machine_fit(&m);
	assert_int_equal(m.pageblock_order, 6);
	assert_int_equal(m.pmd_order, 6);
	m.max_page_order = 3;
	machine_fit(&m);
	assert_int_equal(m.pageblock_order, 3);
	assert_int_equal(m.pmd_order, 0);
	assert_int_equal(m.gigantic_order, 11);
	m.gigantic_order = 3;
	m.max_page_order = 2;
	machine_fit(&m);
	assert_int_equal(m.gigantic_order, 2);
}

/* Other rules between members. */
static void members(void **state)
{
	struct machine m;

	(void)state;
	machine_init(&m);
	m.pcp_high_min = 9;
	m.pcp_high_max = 4;
	m.sysctl[SYSCTL_PERCPU_PAGELIST_HIGH_FRACTION] = 3;
	m.sysctl[SYSCTL_DEFRAG_MODE] = 6;
	m.env.kind[ENV_OOM] = m.env.kind[ENV_WAKE] = ENV_ZONE;
	m.env.defaults[ENV_COMPACT].then = NR_COMPACT_RESULTS;
	m.nr_cpus = 2;
	m.cpu_node[0] = m.cpu_node[1] = m.cpu_node[2] = 5;
	m.distance[0][0] = 30;
	machine_fit(&m);
	machine_add_zone(&m, 0, ZONE_NORMAL, 0, 4096);
	assert_int_equal(m.pcp_high_min, 4);
	assert_int_equal(m.sysctl[SYSCTL_DEFRAG_MODE], 0);
	assert_int_equal(m.env.kind[ENV_OOM], ENV_WHOLE);
	assert_int_equal(m.env.kind[ENV_WAKE], ENV_ZONE);
	assert_int_equal(m.cpu_node[1], 0);
	assert_null(machine_check(&m));
}

/* A zone without pages, or of a type that is not configured, is left out; there is always one. */
static void zones(void **state)
{
	struct machine m;

	(void)state;
	machine_init(&m);
	m.config_dma = 0;
	machine_add_zone(&m, 0, ZONE_DMA, 0, 64);
	machine_add_zone(&m, 0, ZONE_DMA32, 64, 0);
	machine_add_zone(&m, 1, ZONE_NORMAL, 64, 64);
	assert_int_equal(m.nr_zones, 0);
	machine_end_zones(&m);
	assert_int_equal(m.nr_zones, 1);
	assert_null(machine_check(&m));
}

/* Memory for movable pages only cannot boot: the first zone becomes Normal. */
static void only_movable(void **state)
{
	struct machine m;

	(void)state;
	machine_init(&m);
	machine_add_zone(&m, 0, ZONE_MOVABLE, 0, 4096);
	assert_non_null(machine_check(&m));
	machine_end_zones(&m);
	assert_int_equal(m.zones[0].type, ZONE_NORMAL);
	assert_null(machine_check(&m));
}

/*
 *      | 100 .. DMA32 .. 1124 | hole | 1200 .. Normal .. 3248 |       blocks of 512
 *
 *      reserved 0..50         moves into the zone: 100..150
 *      reserved 1100..1300    ends with the zone: 1100..1124
 *      CMA 1150..2100         1536..2048: whole blocks of the Normal zone
 *      reserved 2000..2100    behind the last range: 2048..2148
 *      CMA 2200..2900         holds no whole block (the next is 2560..3072): left out
 */
static void ranges(void **state)
{
	static const struct machine_range want[] = {
		{RANGE_RESERVED, 100, 50},
		{RANGE_RESERVED, 1100, 24},
		{RANGE_CMA, 1536, 512},
		{RANGE_RESERVED, 2048, 100},
	};
	struct machine m;

	(void)state;
	machine_init(&m);
	machine_add_zone(&m, 0, ZONE_DMA32, 100, 1024);
	machine_add_zone(&m, 0, ZONE_NORMAL, 1200, 2048);
	machine_end_zones(&m);
	machine_add_range(&m, RANGE_RESERVED, 0, 50);
	machine_add_range(&m, RANGE_RESERVED, 1100, 200);
	machine_add_range(&m, RANGE_CMA, 1150, 950);
	machine_add_range(&m, RANGE_RESERVED, 2000, 100);
	machine_add_range(&m, RANGE_CMA, 2200, 700);
	machine_add_range(&m, RANGE_RESERVED, 4000, 1);
	assert_int_equal(m.nr_ranges, ARRAY_SIZE(want));
	for (u32 i = 0; i < m.nr_ranges; i++) {
		assert_int_equal(m.ranges[i].kind, want[i].kind);
		assert_int_equal(m.ranges[i].start, want[i].start);
		assert_int_equal(m.ranges[i].pages, want[i].pages);
	}
	assert_null(machine_check(&m));
}

/* A reserved range that takes the last page for requests that are not movable is left out. */
static void all_reserved(void **state)
{
	struct machine m;

	(void)state;
	machine_init(&m);
	machine_add_zone(&m, 0, ZONE_NORMAL, 0, 1024);
	machine_add_zone(&m, 0, ZONE_MOVABLE, 1024, 1024);
	machine_end_zones(&m);
	machine_add_range(&m, RANGE_RESERVED, 0, 1000);
	machine_add_range(&m, RANGE_RESERVED, 1000, 24);
	machine_add_range(&m, RANGE_RESERVED, 1024, 1024);
	assert_int_equal(m.nr_ranges, 2);
	assert_int_equal(m.ranges[1].start, 1024);
	assert_null(machine_check(&m));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(orders), cmocka_unit_test(members),
		cmocka_unit_test(zones),  cmocka_unit_test(only_movable),
		cmocka_unit_test(ranges), cmocka_unit_test(all_reserved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
