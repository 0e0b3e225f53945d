/* SPDX-License-Identifier: GPL-2.0-only */
/* The limits of a machine: what is refused, and the nearest that is not. */
#include "model/tests/zone_fixture.h"

/*
 *      0        2048      4096            8192       9216   PFN
 *      | DMA32   | Normal  |    (hole)     | Movable  |
 *           node 0                           node 1
 */
static void two_nodes(struct machine *machine)
{
	machine_init(machine);
	machine->nr_nodes = 2;
	machine->nr_zones = 3;
	machine->zones[0] = (struct machine_zone){0, ZONE_DMA32, 0, 2048};
	machine->zones[1] = (struct machine_zone){0, ZONE_NORMAL, 2048, 2048};
	machine->zones[2] = (struct machine_zone){1, ZONE_MOVABLE, 8192, 1024};
}

static void add_range(struct machine *machine, u8 kind, u32 start, u32 pages)
{
	machine->ranges[machine->nr_ranges++] =
		(struct machine_range){.kind = kind, .start = start, .pages = pages};
}

static void assert_refused(const struct machine *machine, const char *text)
{
	const char *why = machine_check(machine);

	if (!why || strncmp(why, "expected ", 9) != 0 || !strstr(why, text))
		fail_msg("expected a text that speaks of \"%s\", got \"%s\"", text,
			 why ? why : "(accepted)");
}

/* Refuse the two_nodes() machine in which @lvalue is @bad, accept it with @good. */
#define CHECK_LIMIT(lvalue, good, bad, text)    \
	do {                                    \
		struct machine m;               \
		two_nodes(&m);                  \
		m.lvalue = (good);              \
		assert_null(machine_check(&m)); \
		m.lvalue = (bad);               \
		assert_refused(&m, text);       \
	} while (0)

/* The documented defaults (machine.h); without zones it cannot boot. */
static void test_defaults(void **state)
{
	struct machine m;

	(void)state;
	machine_init(&m);
	assert_int_equal(m.max_page_order, 10);
	assert_int_equal(m.pageblock_order, 9);
	assert_int_equal(m.pmd_order, 9);
	assert_int_equal(m.gigantic_order, 11);
	assert_int_equal(m.pcp_batch_scale_max, 5);
	assert_int_equal(m.fuel, 512);
	assert_int_equal(m.distance[2][2], 10);
	assert_int_equal(m.distance[2][3], 20);
	assert_int_equal(m.sysctl[SYSCTL_DEFRAG_MODE], 0);
	assert_int_equal(m.sysctl[SYSCTL_WATERMARK_BOOST_FACTOR], 15000);
	assert_int_equal(m.sysctl[SYSCTL_WATERMARK_SCALE_FACTOR], 10);
	assert_int_equal(m.sysctl[SYSCTL_LOWMEM_RESERVE_DMA], 256);
	assert_int_equal(m.sysctl[SYSCTL_LOWMEM_RESERVE_DMA32], 256);
	assert_int_equal(m.sysctl[SYSCTL_LOWMEM_RESERVE_NORMAL], 32);
	assert_int_equal(m.sysctl[SYSCTL_LOWMEM_RESERVE_MOVABLE], 0);
	assert_int_equal(m.policy.contig_valid, CONTIG_VALID_TWOPASS);
	assert_refused(&m, "zones");
	two_nodes(&m);
	assert_null(machine_check(&m));
	assert_int_equal(machine_end_pfn(&m), 9216);
}

/* Orders and switches of the configuration. */
static void test_config(void **state)
{
	(void)state;
	CHECK_LIMIT(max_page_order, 13, 14, "max_page_order");
	CHECK_LIMIT(max_page_order, 9, 0, "max_page_order");
	CHECK_LIMIT(pageblock_order, 10, 11, "pageblock_order");
	CHECK_LIMIT(pageblock_order, 1, 0, "pageblock_order");
	CHECK_LIMIT(pmd_order, 4, 3, "pmd_order");
	CHECK_LIMIT(pmd_order, 10, 11, "pmd_order");
	CHECK_LIMIT(pmd_order, 0, 1, "pmd_order");
	CHECK_LIMIT(gigantic_order, 20, 21, "gigantic_order");
	CHECK_LIMIT(gigantic_order, 1, 0, "gigantic_order");
	CHECK_LIMIT(pcp_batch_scale_max, 6, 7, "pcp_batch_scale_max");
	CHECK_LIMIT(config_cma, 0, 2, "config_*");
	CHECK_LIMIT(config_compaction, 0, 2, "config_*");
	CHECK_LIMIT(hugetlb_migration, 0, 2, "config_*");
	CHECK_LIMIT(mobility, MOBILITY_OFF, MOBILITY_OFF + 1, "mobility");
	CHECK_LIMIT(pcp_batch, 1U << 20, (1U << 20) + 1, "pcp_batch");
	CHECK_LIMIT(pcp_high_max, 1U << 28, (1U << 28) + 1, "pcp_high");
	CHECK_LIMIT(fuel, 1, 0, "fuel");
}

/* A gigantic page is larger than what pcp lists hold; tiny machines have no such pages below order 4. */
static void test_gigantic_order(void **state)
{
	struct machine m;

	(void)state;
	two_nodes(&m);
	m.max_page_order = m.pageblock_order = 2;
	m.pmd_order = 0;
	m.gigantic_order = 3;
	assert_refused(&m, "gigantic_order");
	m.gigantic_order = 4;
	assert_null(machine_check(&m));
	m.gigantic_order = 2;
	assert_null(machine_check(&m));
}

/* Of two given pcp limits the lower one is not above the higher one. */
static void test_pcp_high(void **state)
{
	struct machine m;

	(void)state;
	two_nodes(&m);
	m.pcp_high_max = 100;
	m.pcp_high_min = 100;
	assert_null(machine_check(&m));
	m.pcp_high_min = 101;
	assert_refused(&m, "pcp_high_min");
}

static void test_topology(void **state)
{
	(void)state;
	CHECK_LIMIT(nr_nodes, 8, 9, "nodes");
	CHECK_LIMIT(nr_nodes, 2, 0, "nodes");
	CHECK_LIMIT(nr_cpus, 128, 129, "CPUs");
	CHECK_LIMIT(nr_cpus, 1, 0, "CPUs");
	CHECK_LIMIT(cpu_node[0], 1, 2, "CPU");
	CHECK_LIMIT(node_has_cpus[1], 1, 2, "node_has_cpus");
	CHECK_LIMIT(distance[1][1], 10, 11, "distance");
	CHECK_LIMIT(distance[0][1], 10, 9, "distance");
}

static void test_zones(void **state)
{
	(void)state;
	CHECK_LIMIT(zones[2].node, 1, 2, "node");
	CHECK_LIMIT(zones[2].type, ZONE_MOVABLE, MAX_NR_ZONES, "type");
	CHECK_LIMIT(config_dma32, 1, 0, "configured");
	CHECK_LIMIT(zones[0].type, ZONE_DMA, ZONE_MOVABLE, "ascending order of node and type");
	CHECK_LIMIT(zones[1].type, ZONE_NORMAL, ZONE_DMA32, "ascending order of node and type");
	CHECK_LIMIT(zones[2].pages, (4U << 20) - 8192, (4U << 20) - 8191, "below PFN 4194304");
	CHECK_LIMIT(zones[2].pages, 1, 0, "pages");
	CHECK_LIMIT(zones[0].pages, 1, 2049, "not overlapping");
	CHECK_LIMIT(zones[2].start, 4096, 4095, "not overlapping");
	/* A zone's end that does not fit 32 bits is no small number. */
	CHECK_LIMIT(zones[2].start, 8192, UINT32_MAX - 1000, "below PFN 4194304");
}

/* Reserved and CMA ranges lie inside one zone each, in order; CMA in whole blocks. */
static void test_ranges(void **state)
{
	struct machine m;

	(void)state;
	two_nodes(&m);
	add_range(&m, RANGE_RESERVED, 100, 3);
	add_range(&m, RANGE_CMA, 512, 1024);
	add_range(&m, RANGE_RESERVED, 8192, 1024);
	assert_null(machine_check(&m));
	m.config_cma = 0;
	assert_refused(&m, "config_cma");
	m.config_cma = 1;
	m.ranges[1].start = 500;
	assert_refused(&m, "whole pageblocks");
	m.ranges[1].start = 512;
	m.ranges[1].pages = 511;
	assert_refused(&m, "whole pageblocks");
	m.ranges[1].pages = 1536;
	assert_null(machine_check(&m));
	m.ranges[1].pages = 2048; /* 512 pages of it in Normal */
	assert_refused(&m, "inside one zone");
	m.ranges[1].pages = 512;
	m.ranges[1].start = 4096; /* in the hole */
	assert_refused(&m, "inside one zone");
	m.ranges[1].start = 0;
	assert_refused(&m, "ascending order");
	m.ranges[1].start = 512;
	m.ranges[0].pages = 413;
	assert_refused(&m, "ascending order");
	m.ranges[0].pages = 0;
	assert_refused(&m, "inside one zone");
	m.ranges[0].pages = 412;
	assert_null(machine_check(&m));
	m.ranges[2].kind = RANGE_CMA + 1;
	assert_refused(&m, "reserved or CMA");
	m.nr_ranges = MACHINE_MAX_RANGES + 1;
	assert_refused(&m, "at most 16");
}

/* The minimum marks are shares of the memory outside of Movable, so there must be some. */
static void test_lowmem(void **state)
{
	struct machine m;

	(void)state;
	two_nodes(&m);
	add_range(&m, RANGE_RESERVED, 0, 2048);
	add_range(&m, RANGE_RESERVED, 2048, 2047);
	assert_null(machine_check(&m));
	m.ranges[1].pages = 2048;
	assert_refused(&m, "other than Movable");
	/* CMA pages are managed ones. */
	m.ranges[1].kind = RANGE_CMA;
	assert_null(machine_check(&m));
}

static void test_sysctls(void **state)
{
	(void)state;
	CHECK_LIMIT(sysctl[SYSCTL_DEFRAG_MODE], 1, 2, "sysctl");
	CHECK_LIMIT(sysctl[SYSCTL_WATERMARK_BOOST_FACTOR], 0, 1U << 31, "sysctl");
	CHECK_LIMIT(sysctl[SYSCTL_WATERMARK_SCALE_FACTOR], 1, 0, "sysctl");
	CHECK_LIMIT(sysctl[SYSCTL_WATERMARK_SCALE_FACTOR], 3000, 3001, "sysctl");
	CHECK_LIMIT(sysctl[SYSCTL_PERCPU_PAGELIST_HIGH_FRACTION], 8, 7, "sysctl");
	CHECK_LIMIT(sysctl[SYSCTL_PERCPU_PAGELIST_HIGH_FRACTION], 0, 1, "sysctl");
	CHECK_LIMIT(sysctl[SYSCTL_NODE_RECLAIM_MODE], 1, 2, "sysctl");
	CHECK_LIMIT(sysctl[SYSCTL_LOWMEM_RESERVE_DMA], 0, 1U << 31, "sysctl");
	assert_false(sysctl_in_range(NR_SYSCTLS, 0));
}

/* Compact and wake can be answered zone by zone, reclaim and OOM cannot. */
static void test_environment(void **state)
{
	(void)state;
	CHECK_LIMIT(env.kind[ENV_RECLAIM], ENV_CLOSED, ENV_ZONE, "kind zone");
	CHECK_LIMIT(env.kind[ENV_OOM], ENV_CLOSED, ENV_ZONE, "kind zone");
	CHECK_LIMIT(env.kind[ENV_COMPACT], ENV_ZONE, ENV_CLOSED + 1, "closed");
	CHECK_LIMIT(env.kind[ENV_WAKE], ENV_ZONE, ENV_CLOSED + 1, "closed");
	CHECK_LIMIT(env.defaults[ENV_COMPACT].value, COMPACT_SUCCESS, NR_COMPACT_RESULTS,
		    "compact");
	CHECK_LIMIT(env.defaults[ENV_COMPACT].then, COMPACT_SUCCESS, NR_COMPACT_RESULTS, "compact");
	CHECK_LIMIT(policy.contig_valid, CONTIG_VALID_PRE513, CONTIG_VALID_TWOPASS + 1, "policy");
	CHECK_LIMIT(policy.v1, 1, 2, "policy");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults),       cmocka_unit_test(test_config),
		cmocka_unit_test(test_gigantic_order), cmocka_unit_test(test_pcp_high),
		cmocka_unit_test(test_topology),       cmocka_unit_test(test_zones),
		cmocka_unit_test(test_ranges),	       cmocka_unit_test(test_lowmem),
		cmocka_unit_test(test_sysctls),	       cmocka_unit_test(test_environment),
	};

	return cmocka_run_group_tests_name("machine", tests, NULL, NULL);
}
