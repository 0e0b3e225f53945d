/* SPDX-License-Identifier: GPL-2.0-only */
/* Which zone and type a request gets, and in which order zones are tried (spec 1.3, 1.4, 2.1). */
#include "model/tests/zone_fixture.h"

/* A zone of 4096 pages on each of the nodes in @nodes, of @type. */
static struct memory *boot_nodes(struct machine *machine, u32 nodes, struct recorder *r,
				 struct observer *o)
{
	for (u32 nid = 0; nid < MACHINE_MAX_NODES; nid++)
		if (nodes & BIT(nid))
			add_zone(machine, (u8)nid, ZONE_NORMAL, 4096);
	return boot_machine(machine, r, o);
}

/* The nodes of a FALLBACK list of one zone a node are @expected: "120". */
static void assert_node_order(const struct memory *m, u32 nid, const char *expected)
{
	const struct zonelist *zl = node_zonelist(m, nid, 0);

	assert_int_equal(zl->nr, strlen(expected));
	for (u32 i = 0; i < zl->nr; i++)
		assert_int_equal(m->zones[zl->zones[i]].node, expected[i] - '0');
}

/* ---- node order ---------------------------------------------------------- */

/* Equal distances, no CPUs anywhere: the example of spec 2.1 and of the recordings. */
static void test_three_nodes(void **state)
{
	struct machine machine;
	struct recorder r;
	struct observer o;
	struct memory *m;

	(void)state;
	machine_init(&machine);
	m = boot_nodes(&machine, 7, &r, &o);
	assert_node_order(m, 0, "012");
	assert_node_order(m, 1, "120");
	assert_node_order(m, 2, "201");
	shut_down(m);
}

/* CPUs on every node make no difference; CPUs on node 0 only push it to the end (spec 2.1). */
static void test_cpu_penalty(void **state)
{
	struct machine machine;
	struct recorder r;
	struct observer o;
	struct memory *m;

	(void)state;
	machine_init(&machine);
	memset(machine.node_has_cpus, 1, 3);
	m = boot_nodes(&machine, 7, &r, &o);
	assert_node_order(m, 0, "012");
	assert_node_order(m, 1, "120");
	assert_node_order(m, 2, "201");
	shut_down(m);

	machine_init(&machine);
	machine.node_has_cpus[0] = 1;
	m = boot_nodes(&machine, 7, &r, &o);
	assert_node_order(m, 0, "012");
	assert_node_order(m, 1, "120");
	assert_node_order(m, 2, "210");
	shut_down(m);
}

/*
 * Two pairs of near nodes. The load breaks the ties between far nodes; by hand, with the
 * score written as (distance + lower id) : load,
 *
 *      0 --15-- 1     node 0: 0, 1 (load 1 -> 1), 2 20:0 before 3 20:0 (load 2 -> 1), 3
 *      |   20   |     node 1: 1, 0 (load 0 -> 1), 3 20:0 before 2 20:1 (load 3 -> 1), 2
 *      2 --15-- 3     node 2: 2, 3 (load 3 -> 2), 0 21:1 ties with 1 21:1 (load 0 -> 2), 1
 *                     node 3: 3, 2 (load 2 -> 2), 1 21:1 before 0 21:2, 0
 */
static void test_node_load_breaks_ties(void **state)
{
	struct machine machine;
	struct recorder r;
	struct observer o;
	struct memory *m;

	(void)state;
	machine_init(&machine);
	machine.distance[0][1] = machine.distance[1][0] = 15;
	machine.distance[2][3] = machine.distance[3][2] = 15;
	m = boot_nodes(&machine, 15, &r, &o);
	assert_node_order(m, 0, "0123");
	assert_node_order(m, 1, "1032");
	assert_node_order(m, 2, "2301");
	assert_node_order(m, 3, "3210");
	shut_down(m);
}

/* A node without memory has the others in its list, and nothing with THISNODE. */
static void test_node_without_memory(void **state)
{
	struct machine machine;
	struct recorder r;
	struct observer o;
	struct memory *m;

	(void)state;
	machine_init(&machine);
	m = boot_nodes(&machine, 5, &r, &o);
	/* From node 1: node 0 20 + 1 for the lower id, node 2 20. */
	assert_node_order(m, 1, "20");
	assert_int_equal(node_zonelist(m, 1, __GFP_THISNODE)->nr, 0);
	assert_node_order(m, 2, "20");
	shut_down(m);
}

/* ---- zones of a list ----------------------------------------------------- */

/*
 *      zones   0 DMA   1 DMA32   2 Normal   3 Movable | 4 Normal   5 Movable
 *                           node 0                    |      node 1
 */
static struct memory *boot_two_nodes(struct recorder *r, struct observer *o)
{
	struct machine machine;

	machine_init(&machine);
	add_zone(&machine, 0, ZONE_DMA, 1024);
	add_zone(&machine, 0, ZONE_DMA32, 1024);
	add_zone(&machine, 0, ZONE_NORMAL, 1024);
	add_zone(&machine, 0, ZONE_MOVABLE, 1024);
	add_zone(&machine, 1, ZONE_NORMAL, 1024);
	add_zone(&machine, 1, ZONE_MOVABLE, 1024);
	return boot_machine(&machine, r, o);
}

static void assert_zones(const struct zonelist *zl, const char *expected)
{
	assert_int_equal(zl->nr, strlen(expected));
	for (u32 i = 0; i < zl->nr; i++)
		assert_int_equal(zl->zones[i], expected[i] - '0');
}

/* Node by node, inside a node from the highest zone down; THISNODE: the own node only. */
static void test_zones_of_a_list(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_two_nodes(&r, &o);

	(void)state;
	assert_zones(node_zonelist(m, 0, 0), "321054");
	assert_zones(node_zonelist(m, 1, 0), "543210");
	assert_zones(node_zonelist(m, 0, __GFP_THISNODE), "3210");
	assert_zones(node_zonelist(m, 1, __GFP_THISNODE), "54");
	shut_down(m);
}

/* Zones above the highest allowed one and nodes outside of the mask are passed over. */
static void test_eligible_zones(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_two_nodes(&r, &o);
	const struct zonelist *zl = node_zonelist(m, 0, 0); /* 3 2 1 0 5 4 */

	(void)state;
	assert_int_equal(next_zones_zonelist(m, zl, 0, ZONE_MOVABLE, NODEMASK_NULL), 0);
	assert_int_equal(next_zones_zonelist(m, zl, 0, ZONE_NORMAL, NODEMASK_NULL), 1);
	assert_int_equal(next_zones_zonelist(m, zl, 2, ZONE_NORMAL, NODEMASK_NULL), 2);
	assert_int_equal(next_zones_zonelist(m, zl, 4, ZONE_NORMAL, NODEMASK_NULL), 5);
	assert_int_equal(next_zones_zonelist(m, zl, 0, ZONE_NORMAL, BIT(1)), 5);
	assert_int_equal(next_zones_zonelist(m, zl, 0, ZONE_DMA, NODEMASK_NULL), 3);
	assert_int_equal(next_zones_zonelist(m, zl, 4, ZONE_DMA, NODEMASK_NULL), zl->nr);
	assert_int_equal(next_zones_zonelist(m, zl, 0, ZONE_MOVABLE, BIT(2)), zl->nr);
	shut_down(m);
}

/* ---- what gfp asks for --------------------------------------------------- */

struct zone_choice {
	u32 gfp;
	u32 zone; /* everything configured */
	u32 unconfigured; /* neither DMA nor DMA32 */
	u32 warnings;
};

/* The table of spec 1.3; two selectors read as the first zone that is configured. */
static const struct zone_choice zone_choices[] = {
	{0, ZONE_NORMAL, ZONE_NORMAL, 0},
	{__GFP_MOVABLE, ZONE_NORMAL, ZONE_NORMAL, 0},
	{__GFP_DMA, ZONE_DMA, ZONE_NORMAL, 0},
	{__GFP_MOVABLE | __GFP_DMA, ZONE_DMA, ZONE_NORMAL, 0},
	{__GFP_DMA32, ZONE_DMA32, ZONE_NORMAL, 0},
	{__GFP_MOVABLE | __GFP_DMA32, ZONE_DMA32, ZONE_NORMAL, 0},
	{__GFP_HIGHMEM, ZONE_NORMAL, ZONE_NORMAL, 0},
	{__GFP_MOVABLE | __GFP_HIGHMEM, ZONE_MOVABLE, ZONE_MOVABLE, 0},
	{GFP_KERNEL | __GFP_RECLAIMABLE, ZONE_NORMAL, ZONE_NORMAL, 0},
	{__GFP_DMA | __GFP_DMA32, ZONE_DMA, ZONE_NORMAL, 1},
	{__GFP_DMA | __GFP_HIGHMEM, ZONE_DMA, ZONE_NORMAL, 1},
	{__GFP_DMA32 | __GFP_HIGHMEM | __GFP_MOVABLE, ZONE_DMA, ZONE_NORMAL, 1},
};

/* The highest zone that a request may use. */
static void test_gfp_zone(void **state)
{
	struct recorder r;
	struct observer o;

	(void)state;
	for (u32 config = 0; config < 2; config++) {
		struct machine machine;
		struct memory *m;

		machine_init(&machine);
		machine.config_dma = machine.config_dma32 = (u8)config;
		m = boot_nodes(&machine, 1, &r, &o);
		for (size_t i = 0; i < ARRAY_SIZE(zone_choices); i++) {
			const struct zone_choice *c = &zone_choices[i];

			r.nr = 0;
			assert_int_equal(gfp_zone(m, c->gfp), config ? c->zone : c->unconfigured);
			assert_int_equal(count_events(&r, EV_WARN), c->warnings);
			if (c->warnings)
				assert_int_equal(event_at(&r, EV_WARN, 0)->a, WARN_GFP_ZONE);
		}
		shut_down(m);
	}
}

/*
 * The type follows the mobility bits; with grouping off there is only one (spec 1.4). Both bits
 * are a caller's bug: a warning, and an unmovable request.
 */
static void test_gfp_migratetype(void **state)
{
	struct machine machine;
	struct recorder r;
	struct observer o;
	struct memory *m;

	(void)state;
	machine_init(&machine);
	m = boot_nodes(&machine, 1, &r, &o);
	assert_int_equal(gfp_migratetype(m, GFP_KERNEL), MIGRATE_UNMOVABLE);
	assert_int_equal(gfp_migratetype(m, GFP_HIGHUSER_MOVABLE), MIGRATE_MOVABLE);
	assert_int_equal(gfp_migratetype(m, GFP_KERNEL | __GFP_RECLAIMABLE), MIGRATE_RECLAIMABLE);
	assert_int_equal(count_events(&r, EV_WARN), 0);
	assert_int_equal(gfp_migratetype(m, __GFP_MOVABLE | __GFP_RECLAIMABLE), MIGRATE_UNMOVABLE);
	assert_int_equal(event_at(&r, EV_WARN, 0)->a, WARN_GFP_MOVABLE_RECLAIMABLE);
	shut_down(m);

	machine_init(&machine);
	machine.mobility = MOBILITY_OFF;
	m = boot_nodes(&machine, 1, &r, &o);
	assert_int_equal(gfp_migratetype(m, GFP_HIGHUSER_MOVABLE), MIGRATE_UNMOVABLE);
	assert_int_equal(gfp_migratetype(m, GFP_KERNEL | __GFP_RECLAIMABLE), MIGRATE_UNMOVABLE);
	shut_down(m);
}

/* ---- cpusets ------------------------------------------------------------- */

/*
 * Node 0 is in the task's cpuset, node 1 in that of its hardwalled ancestor only, node 2
 * in neither.
 */
static void test_cpuset(void **state)
{
	static const struct {
		u32 task;
		u32 gfp;
		u32 nodes; /* allowed */
	} rows[] = {
		{0, GFP_USER, 7}, /* cpusets are not in use */
		{TASK_CPUSETS_ENABLED, GFP_USER, 1},
		{TASK_CPUSETS_ENABLED, GFP_KERNEL, 3},
		{TASK_CPUSETS_ENABLED | TASK_IN_INTERRUPT, GFP_USER, 7},
		{TASK_CPUSETS_ENABLED | TASK_IN_SOFTIRQ, GFP_USER, 7},
		{TASK_CPUSETS_ENABLED | TASK_OOM_VICTIM, GFP_USER, 7},
		{TASK_CPUSETS_ENABLED | TASK_PF_EXITING, GFP_USER, 1},
		{TASK_CPUSETS_ENABLED | TASK_PF_EXITING, GFP_KERNEL, 7},
	};
	struct machine machine;
	struct recorder r;
	struct observer o;
	struct memory *m;

	(void)state;
	machine_init(&machine);
	m = boot_nodes(&machine, 7, &r, &o);
	for (u32 nid = 0; nid < 3; nid++)
		assert_true(cpuset_zone_allowed(m, &m->zones[nid], GFP_USER));
	set_mems_allowed(m, BIT(0), BIT(0) | BIT(1));
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		set_task_flags(m, rows[i].task);
		for (u32 nid = 0; nid < 3; nid++)
			assert_int_equal(cpuset_zone_allowed(m, &m->zones[nid], rows[i].gfp),
					 (rows[i].nodes >> nid) & 1);
	}
	shut_down(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_three_nodes),
		cmocka_unit_test(test_cpu_penalty),
		cmocka_unit_test(test_node_load_breaks_ties),
		cmocka_unit_test(test_node_without_memory),
		cmocka_unit_test(test_zones_of_a_list),
		cmocka_unit_test(test_eligible_zones),
		cmocka_unit_test(test_gfp_zone),
		cmocka_unit_test(test_gfp_migratetype),
		cmocka_unit_test(test_cpuset),
	};

	return cmocka_run_group_tests_name("zonelist", tests, NULL, NULL);
}
