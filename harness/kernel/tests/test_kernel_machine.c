/* SPDX-License-Identifier: GPL-2.0-only */
/* Which machines a kernel has, and machines changed until it has them. No kernel is needed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/generate.h"
#include "harness/kernel/kernel_machine.h"

/* What `make kernel` builds of 7.3 (harness/kernel/make/README.md). */
static const struct kernel_constants usual = {
	.block_order = 9,
	.top_order = 10,
	.max_nodes = 4,
	.max_cpus = 4,
	.batch_scale_max = 5,
	.pmd_order = 9,
	.dma = 1,
	.dma32 = 1,
	.cma = 1,
	.compaction = 1,
	.generation = {.isolate_bit = 1},
};

static struct machine usual_machine(void)
{
	struct machine m;

	machine_init(&m);
	m.nr_zones = 1;
	m.zones[0] = (struct machine_zone){.type = ZONE_NORMAL, .pages = 4096};
	return m;
}

/* ---- what is refused ----------------------------------------------------- */

#define CHANGE(name, ...)                   \
	static void name(struct machine *m) \
	{                                   \
		__VA_ARGS__;                \
	}

CHANGE(nothing, (void)m)
CHANGE(block_order, m->pageblock_order = 8)
CHANGE(top_order, m->max_page_order = 11)
CHANGE(no_thp, m->pmd_order = 0)
CHANGE(batch_scale, m->pcp_batch_scale_max = 4)
CHANGE(nodes_max, m->nr_nodes = 4)
CHANGE(nodes, m->nr_nodes = 5)
CHANGE(cpus_max, m->nr_cpus = 4)
CHANGE(cpus, m->nr_cpus = 5)
CHANGE(no_dma, m->config_dma = 0)
CHANGE(no_dma32, m->config_dma32 = 0)
CHANGE(no_cma, m->config_cma = 0)
CHANGE(no_compaction, m->config_compaction = 0)
CHANGE(compact_zone, m->env.kind[ENV_COMPACT] = ENV_ZONE)
CHANGE(compact_closed, m->env.kind[ENV_COMPACT] = ENV_CLOSED)
CHANGE(reclaim_closed, m->env.kind[ENV_RECLAIM] = m->env.kind[ENV_OOM] = ENV_CLOSED)
CHANGE(wake_closed, m->env.kind[ENV_WAKE] = ENV_CLOSED; m->env.kcompactd_blocks = 1)
CHANGE(kswapd_alone, m->env.kind[ENV_WAKE] = ENV_CLOSED; m->env.kcompactd_blocks = 0)

static void test_check(void **state)
{
	static const struct {
		void (*change)(struct machine *m);
		const char *why; /* some of it; NULL: it is played */
	} rows[] = {
		{nothing, NULL},
		{block_order, "pageblock_order"},
		{top_order, "max_page_order"},
		{no_thp, "pmd_order"},
		{batch_scale, "pcp_batch_scale_max"},
		{nodes_max, NULL},
		{nodes, "nodes"},
		{cpus_max, NULL},
		{cpus, "CPUs"},
		{no_dma, "own zones"},
		{no_dma32, "own zones"},
		{no_cma, "CMA"},
		{no_compaction, "compaction"},
		{compact_zone, "compaction that is answered as a whole"},
		{compact_closed, "compaction that is answered as a whole"},
		{reclaim_closed, NULL},
		{wake_closed, "kcompactd"},
		{kswapd_alone, NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct machine m = usual_machine();
		const char *why;

		rows[i].change(&m);
		why = kernel_machine_check(&usual, &m);
		if (!why != !rows[i].why || (why && !strstr(why, rows[i].why)))
			fail_msg("row %zu: %s, expected %s", i, why ? why : "played",
				 rows[i].why ? rows[i].why : "played");
	}
}

/* ---- what is changed ----------------------------------------------------- */

/* A machine that is played stays as it is. */
static void test_fit_keeps(void **state)
{
	struct machine m = usual_machine(), before;

	(void)state;
	m.nr_ranges = 2;
	m.ranges[0] = (struct machine_range){RANGE_RESERVED, 100, 12};
	m.ranges[1] = (struct machine_range){RANGE_CMA, 512, 512};
	m.nr_cpus = 4;
	m.env.kind[ENV_RECLAIM] = ENV_CLOSED;
	before = m;
	kernel_machine_fit(&usual, &m);
	assert_memory_equal(&m, &before, sizeof(m));
}

/* A CMA range is whole blocks: of [256, 1536) two of order 9 are left, of [2048, 2304) none. */
static void test_fit_of_cma(void **state)
{
	struct machine m = usual_machine();

	(void)state;
	m.pageblock_order = m.pmd_order = 8;
	m.nr_ranges = 2;
	m.ranges[0] = (struct machine_range){RANGE_CMA, 256, 1280};
	m.ranges[1] = (struct machine_range){RANGE_CMA, 2048, 256};
	assert_null(machine_check(&m));
	kernel_machine_fit(&usual, &m);
	assert_null(machine_check(&m));
	assert_int_equal(m.nr_ranges, 1);
	assert_int_equal(m.ranges[0].start, 512);
	assert_int_equal(m.ranges[0].pages, 1024);
}

/*
 * Blocks of 512 pages. With DEBUG_VM a zone takes the pages of a hole that are in its first block: [11, 600)
 * begins at 0, [700, 2048) where it ends, [2560, 3072) where it did; without it all stay.
 */
static void test_fit_of_starts(void **state)
{
	static const struct machine_zone zones[] = {
		{0, ZONE_DMA, 11, 589},
		{0, ZONE_NORMAL, 700, 1348},
		{0, ZONE_MOVABLE, 2560, 512},
	};
	struct kernel_constants checked = usual;
	struct machine m = usual_machine(), without;

	(void)state;
	memcpy(m.zones, zones, sizeof(zones));
	m.nr_zones = 3;
	assert_null(machine_check(&m));
	without = m;
	kernel_machine_fit(&usual, &without);
	assert_memory_equal(without.zones, zones, sizeof(zones));
	checked.debug_vm = 1;
	kernel_machine_fit(&checked, &m);
	assert_null(machine_check(&m));
	assert_int_equal(m.zones[0].start, 0);
	assert_int_equal(m.zones[0].pages, 600);
	assert_int_equal(m.zones[1].start, 600);
	assert_int_equal(m.zones[1].pages, 1448);
	assert_int_equal(m.zones[2].start, 2560);
	assert_int_equal(m.zones[2].pages, 512);
}

static void fit(void *ctx, struct machine *m)
{
	kernel_machine_fit(ctx, m);
}

/* Whatever is generated, for kernels of all sorts: legal, and played. */
static void test_fit_of_generated_machines(void **state)
{
	struct kernel_constants kernels[] = {usual, usual, usual, usual};

	(void)state;
	kernels[1].block_order = kernels[1].pmd_order = 6;
	kernels[2].dma = kernels[2].cma = kernels[2].compaction = 0;
	kernels[3].max_cpus = kernels[3].max_nodes = 1;
	kernels[3].pmd_order = 0;
	for (size_t i = 0; i < sizeof(kernels) / sizeof(*kernels); i++) {
		struct machine_fitter fitter = {.fit = fit, .ctx = &kernels[i]};

		for (u64 seed = 0; seed < 300; seed++) {
			struct rng rng = {seed};
			struct machine m;

			generate_machine_for(&rng, &m, &fitter);
			if (machine_check(&m) || kernel_machine_check(&kernels[i], &m))
				fail_msg("kernel %zu, seed %llu: %s", i, (unsigned long long)seed,
					 machine_check(&m) ? machine_check(&m) : "not played");
		}
	}
}

/* ---- in plain types ------------------------------------------------------ */

static void test_from(void **state)
{
	struct machine m = usual_machine();
	struct kernel_machine k;

	(void)state;
	m.nr_zones = 2;
	m.nr_nodes = 2;
	m.nr_cpus = 2;
	m.zones[1] = (struct machine_zone){
		.node = 1, .type = ZONE_MOVABLE, .start = 5000, .pages = 3000};
	m.nr_ranges = 2;
	m.ranges[0] = (struct machine_range){RANGE_RESERVED, 100, 12};
	m.ranges[1] = (struct machine_range){RANGE_CMA, 512, 1024};
	m.cpu_node[1] = 1;
	m.distance[0][1] = 33;
	m.sysctl[SYSCTL_DEFRAG_MODE] = 1;
	m.env.kind[ENV_OOM] = ENV_CLOSED;
	kernel_machine_from(&m, &k);
	assert_int_equal(k.nr_nodes, 2);
	assert_int_equal(k.nr_cpus, 2);
	assert_int_equal(k.nr_pages, 8000);
	assert_int_equal(k.nr_zones, 2);
	assert_int_equal(k.zones[0].pages, 4096);
	assert_int_equal(k.zones[1].node, 1);
	assert_int_equal(k.zones[1].type, ZONE_MOVABLE);
	assert_int_equal(k.zones[1].start, 5000);
	assert_int_equal(k.nr_ranges, 2);
	assert_false(k.ranges[0].cma);
	assert_true(k.ranges[1].cma);
	assert_int_equal(k.ranges[1].start, 512);
	assert_int_equal(k.ranges[1].pages, 1024);
	assert_int_equal(k.cpu_node[1], 1);
	assert_int_equal(k.distance[0][1], 33);
	assert_int_equal(k.sysctl[SYSCTL_DEFRAG_MODE], 1);
	assert_int_equal(k.env_kind[ENV_OOM], ENV_CLOSED);
}

/* A kernel without a number takes any; one whose isolation is a type plays with grouping only. */
static void test_older_kernel(void **state)
{
	struct kernel_constants old = usual;
	struct machine m = usual_machine();

	(void)state;
	old.batch_scale_max = KERNEL_NO_LIMIT;
	old.generation.isolate_bit = 0;
	m.pcp_batch_scale_max = 3;
	assert_null(kernel_machine_check(&old, &m));
	m.mobility = MOBILITY_OFF;
	kernel_machine_fit(&old, &m);
	assert_int_equal(m.pcp_batch_scale_max, 3);
	assert_int_equal(m.mobility, MOBILITY_ON);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_older_kernel),
		cmocka_unit_test(test_check),
		cmocka_unit_test(test_fit_of_starts),
		cmocka_unit_test(test_fit_keeps),
		cmocka_unit_test(test_fit_of_cma),
		cmocka_unit_test(test_fit_of_generated_machines),
		cmocka_unit_test(test_from),
	};

	return cmocka_run_group_tests_name("kernel_machine", tests, NULL, NULL);
}
