/* SPDX-License-Identifier: GPL-2.0-only */
/* The start state of a machine, and coming back to it. */
#include <stdlib.h>

#include "model/tests/zone_fixture.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAVE_ASAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define HAVE_ASAN 1
#endif
#ifdef HAVE_ASAN
#include <sanitizer/asan_interface.h>
#endif

/* ---- marks, reserves and pcp sizes --------------------------------------- */

struct zone_line {
	u8 node, type;
	u32 start, pages;
	u32 min, low, high, promo;
	s32 batch, high_min, high_max;
	u32 reserve[MAX_NR_ZONES];
};

#define DMA ZONE_DMA
#define DMA32 ZONE_DMA32
#define NORMAL ZONE_NORMAL
#define MOVABLE ZONE_MOVABLE

/* The `zone` lines of recordings of 7.3.4, as the kernel itself computed them. */
static const struct zone_line recording_001[] = {
	{0, DMA32, 0, 1024, 24, 30, 36, 42, 1, 30, 128, {0, 0, 8, 12}},
	{0, NORMAL, 1024, 2048, 48, 60, 72, 84, 1, 60, 256, {0, 0, 0, 32}},
	{0, MOVABLE, 3072, 1024, 32, 38, 44, 50, 1, 38, 128, {0}},
	{1, NORMAL, 4096, 4096, 96, 120, 144, 168, 1, 120, 512, {0, 0, 0, 192}},
	{1, MOVABLE, 8192, 6144, 32, 68, 104, 140, 1, 68, 768, {0}},
};

static const struct zone_line recording_003[] = {
	{0, DMA32, 0, 2048, 16, 20, 24, 28, 1, 20, 256, {0, 0, 244, 244}},
	{0, NORMAL, 2048, 62464, 490, 612, 734, 856, 15, 612, 7808, {0}},
};

/* Node 1 has Movable memory only. */
static const struct zone_line recording_006[] = {
	{0, NORMAL, 0, 3072, 110, 137, 164, 191, 1, 137, 384, {0, 0, 0, 256}},
	{0, MOVABLE, 3072, 8192, 32, 105, 178, 251, 1, 105, 1024, {0}},
	{1, MOVABLE, 11264, 3072, 32, 59, 86, 113, 1, 59, 384, {0}},
};

static const struct zone_line recording_008[] = {
	{0, DMA, 0, 4096, 26, 32, 38, 44, 1, 32, 512, {0, 28, 344, 356}},
	{0, DMA32, 4096, 7168, 47, 58, 69, 80, 1, 58, 896, {0, 0, 316, 328}},
	{0, NORMAL, 11264, 80896, 532, 665, 798, 931, 15, 665, 10112, {0, 0, 0, 96}},
	{0, MOVABLE, 92160, 3072, 32, 37, 42, 47, 1, 37, 384, {0}},
};

static const struct zone_line recording_009[] = {
	{0, DMA, 0, 4096, 39, 48, 57, 66, 1, 48, 512, {0, 20, 112, 112}},
	{0, DMA32, 4096, 5120, 49, 61, 73, 85, 1, 61, 640, {0, 0, 92, 92}},
	{0, NORMAL, 9216, 23552, 226, 282, 338, 394, 3, 282, 2944, {0}},
	{1, NORMAL, 32768, 10240, 98, 122, 146, 170, 1, 122, 1280, {0}},
};

static void assert_zone_line(const struct memory *m, u32 i, const struct zone_line *line)
{
	const struct zone *z = &m->zones[i];
	const struct per_cpu_pages *pcp = view_pcp(&m->view, i, 0);

	assert_int_equal(z->managed_pages, line->pages);
	assert_int_equal(z->present_pages, line->pages);
	assert_int_equal(z->_watermark[WMARK_MIN], line->min);
	assert_int_equal(z->_watermark[WMARK_LOW], line->low);
	assert_int_equal(z->_watermark[WMARK_HIGH], line->high);
	assert_int_equal(z->_watermark[WMARK_PROMO], line->promo);
	assert_int_equal(z->watermark_boost, 0);
	assert_int_equal(z->pageset_batch, line->batch);
	assert_int_equal(pcp->batch, line->batch);
	assert_int_equal(pcp->high_min, line->high_min);
	assert_int_equal(pcp->high_max, line->high_max);
	assert_int_equal(pcp->high, 0);
	assert_int_equal(pcp->count, 0);
	assert_int_equal(pcp->flags, 0);
	for (u32 j = 0; j < MAX_NR_ZONES; j++)
		assert_int_equal(z->lowmem_reserve[j], line->reserve[j]);
}

static void check_recording(const struct zone_line *lines, u32 nr)
{
	struct machine machine;
	struct memory *m;

	machine_init(&machine);
	machine.nr_nodes = lines[nr - 1].node + 1;
	machine.nr_zones = (u8)nr;
	for (u32 i = 0; i < nr; i++)
		machine.zones[i] = (struct machine_zone){lines[i].node, lines[i].type,
							 lines[i].start, lines[i].pages};
	assert_null(machine_check(&machine));
	m = memory_create(&machine);
	for (u32 i = 0; i < nr; i++)
		assert_zone_line(m, i, &lines[i]);
	memory_destroy(m);
}

/* Everything computed at boot is what the kernel computed for the same zones. */
static void test_recorded_zones(void **state)
{
	(void)state;
	check_recording(recording_001, ARRAY_SIZE(recording_001));
	check_recording(recording_003, ARRAY_SIZE(recording_003));
	check_recording(recording_006, ARRAY_SIZE(recording_006));
	check_recording(recording_008, ARRAY_SIZE(recording_008));
	check_recording(recording_009, ARRAY_SIZE(recording_009));
}

/*
 * W15: managed 3840, MIN 34 -> d = max(34 / 4, 3840 * 10 / 10000) = 8, protection
 * 24819 / 256 = 96, batch 1, high_min 42, high_max 3840 / 8 = 480. The other zone is
 * Movable here, so that all of min_free_kbytes (34 pages) falls to DMA.
 */
static void test_w15_dma(void **state)
{
	static const struct zone_line dma = {0,	 DMA, 0, 3840, 34,  42,
					     50, 58,  1, 42,   480, {0, 0, 0, 96}};
	struct machine machine;
	struct memory *m;

	(void)state;
	machine_init(&machine);
	machine.nr_zones = 2;
	machine.zones[0] = (struct machine_zone){0, ZONE_DMA, 0, 3840};
	machine.zones[1] = (struct machine_zone){0, ZONE_MOVABLE, 3840, 24819};
	machine.sysctl[SYSCTL_MIN_FREE_KBYTES] = 34 * 4;
	m = memory_create(&machine);
	assert_zone_line(m, 0, &dma);
	memory_destroy(m);
}

/*
 * W15: DMA32 with MIN 203 -> d = max(50, 22 or 23) -> 253, 303, 353; with 22912 managed
 * pages batch m = 5, 5 + 2 = 7, 4 - 1 = 3, and high_max 2864. An empty Movable zone (all of
 * it reserved) has MIN 32 and d = 0.
 */
static void test_w15_dma32_and_empty_movable(void **state)
{
	static const struct zone_line dma32 = {0,   DMA32, 0, 22912, 203,  253,
					       303, 353,   3, 253,   2864, {0}};
	struct machine machine;
	struct memory *m;

	(void)state;
	machine_init(&machine);
	machine.nr_zones = 2;
	machine.zones[0] = (struct machine_zone){0, ZONE_DMA32, 0, 22912};
	machine.zones[1] = (struct machine_zone){0, ZONE_MOVABLE, 22912, 512};
	machine.nr_ranges = 1;
	machine.ranges[0] = (struct machine_range){RANGE_RESERVED, 22912, 512};
	machine.sysctl[SYSCTL_MIN_FREE_KBYTES] = 203 * 4;
	m = memory_create(&machine);
	assert_zone_line(m, 0, &dma32);
	assert_int_equal(m->zones[1].managed_pages, 0);
	for (u32 w = 0; w < NR_WMARK; w++)
		assert_int_equal(m->zones[1]._watermark[w], 32);
	memory_destroy(m);
}

/* One Normal zone of @pages. */
static void one_zone(struct machine *machine, u32 pages)
{
	machine_init(machine);
	machine->nr_zones = 1;
	machine->zones[0] = (struct machine_zone){.type = ZONE_NORMAL, .pages = pages};
}

/* min_free_kbytes is isqrt(16 * KiB of lowmem), at least 128 (spec 5.6). */
static void test_min_free_kbytes(void **state)
{
	static const struct {
		u32 pages, kbytes;
	} rows[] = {
		{128, 128}, /* isqrt(8192) = 90 */
		{256, 128}, /* isqrt(16384) = 128 */
		{260, 128}, /* isqrt(16640) = 128, 129^2 = 16641 */
		{4096, 512}, /* isqrt(262144) */
		{65536, 2048}, {65537, 2048}, /* isqrt(4194368), 2049^2 = 4198401 */
		{65601, 2049}, /* isqrt(4198464) */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct machine machine;
		struct memory *m;

		one_zone(&machine, rows[i].pages);
		m = memory_create(&machine);
		assert_int_equal(m->global->sysctl[SYSCTL_MIN_FREE_KBYTES], rows[i].kbytes);
		assert_int_equal(m->zones[0]._watermark[WMARK_MIN], rows[i].kbytes / 4);
		memory_destroy(m);
	}
}

/* ---- pcp sizes ----------------------------------------------------------- */

/* m = min(managed / 4096, 64); the largest power of two up to 1.5 m, less one (spec 5.7). */
static void test_pcp_batch(void **state)
{
	static const struct {
		u32 pages, batch;
	} rows[] = {
		{8191, 1}, /* m = 1 */
		{8192, 1}, /* m = 2: 3 -> 2 - 1 */
		{3 * 4096, 3}, /* 4 -> 4 - 1 */
		{5 * 4096, 3}, /* 7 -> 4 - 1 */
		{6 * 4096, 7}, /* 9 -> 8 - 1 */
		{64 * 4096, 63}, /* 96 -> 64 - 1 */
		{100 * 4096, 63}, /* m stays 64 */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct machine machine;
		struct memory *m;

		one_zone(&machine, rows[i].pages);
		m = memory_create(&machine);
		assert_int_equal(m->pcps[0].batch, rows[i].batch);
		memory_destroy(m);
	}
}

/*
 * A zone is shared by the CPUs of its node, or by all where the node has none. Both zones have
 * 8192 pages: min_free_kbytes 1024, so MIN 128 each, LOW 160; managed / 8 = 1024; 4 * batch = 4.
 */
static void test_pcp_high_by_cpus(void **state)
{
	struct machine machine;
	struct memory *m;

	(void)state;
	one_zone(&machine, 8192);
	machine.nr_nodes = 2;
	machine.nr_zones = 2;
	machine.zones[1] = (struct machine_zone){1, ZONE_NORMAL, 8192, 8192};
	machine.nr_cpus = 5;
	machine.cpu_node[3] = machine.cpu_node[4] = 1;
	machine.node_has_cpus[1] = 1;
	m = memory_create(&machine);
	for (u32 cpu = 0; cpu < 5; cpu++) {
		assert_int_equal(view_pcp(&m->view, 0, cpu)->high_min, 160 / 5);
		assert_int_equal(view_pcp(&m->view, 0, cpu)->high_max, 1024 / 5);
		assert_int_equal(view_pcp(&m->view, 1, cpu)->high_min, 160 / 2);
		assert_int_equal(view_pcp(&m->view, 1, cpu)->high_max, 1024 / 2);
	}
	memory_destroy(m);
}

/* With a fraction both limits are that part of the zone; 4 * batch is the least (spec 5.7). */
static void test_pcp_high_fraction(void **state)
{
	struct machine machine;
	struct memory *m;

	(void)state;
	one_zone(&machine, 12288);
	machine.sysctl[SYSCTL_PERCPU_PAGELIST_HIGH_FRACTION] = 100;
	m = memory_create(&machine);
	assert_int_equal(m->pcps[0].high_min, 122);
	assert_int_equal(m->pcps[0].high_max, 122);
	memory_destroy(m);

	machine.sysctl[SYSCTL_PERCPU_PAGELIST_HIGH_FRACTION] = 5000;
	m = memory_create(&machine);
	assert_int_equal(m->pcps[0].high_min, 4 * 3);
	assert_int_equal(m->pcps[0].high_max, 4 * 3);
	memory_destroy(m);
}

/* What the machine names wins; of two limits the computed one gives way. */
static void test_pcp_overrides(void **state)
{
	static const struct {
		u32 batch, high_min, high_max; /* in the machine */
		s32 expected_batch, expected_min, expected_max;
	} rows[] = {
		/* 4096 pages: LOW 128 + 32 = 160, 4096 / 8 = 512 */
		{0, 0, 0, 1, 160, 512},	    {7, 0, 0, 7, 160, 512},
		{63, 0, 0, 63, 252, 512}, /* 4 * 63 */
		{0, 20, 0, 1, 20, 512},	    {0, 600, 0, 1, 600, 600},
		{0, 0, 1000, 1, 160, 1000}, {0, 0, 100, 1, 100, 100},
		{5, 8, 9, 5, 8, 9},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct machine machine;
		struct memory *m;

		one_zone(&machine, 4096);
		machine.pcp_batch = rows[i].batch;
		machine.pcp_high_min = rows[i].high_min;
		machine.pcp_high_max = rows[i].high_max;
		m = memory_create(&machine);
		assert_int_equal(m->pcps[0].batch, rows[i].expected_batch);
		assert_int_equal(m->pcps[0].high_min, rows[i].expected_min);
		assert_int_equal(m->pcps[0].high_max, rows[i].expected_max);
		memory_destroy(m);
	}
}

/* FREE_HIGH_BATCH where the cache of a CPU exceeds three batches (spec 2.5). */
static void test_cache_pages(void **state)
{
	struct machine machine;
	struct memory *m;

	(void)state;
	one_zone(&machine, 12288); /* batch 3 */
	machine.cache_pages = 9;
	m = memory_create(&machine);
	assert_int_equal(m->pcps[0].flags, 0);
	memory_destroy(m);
	machine.cache_pages = 10;
	m = memory_create(&machine);
	assert_int_equal(m->pcps[0].flags, PCPF_FREE_HIGH_BATCH);
	memory_destroy(m);
}

/* ---- free memory --------------------------------------------------------- */

struct buddy {
	u32 pfn, order, mt;
};

static int compare_buddies(const void *a, const void *b)
{
	const struct buddy *x = a, *y = b;

	return (x->pfn > y->pfn) - (x->pfn < y->pfn);
}

/* The free buddies of @z are exactly @expected (ascending), each list in PFN order. */
static void assert_buddies(const struct memory *m, const struct zone *z,
			   const struct buddy *expected, u32 nr_expected)
{
	struct buddy found[64];
	u32 nr = 0, pages = 0, in_blocks = 0;

	for (u32 order = 0; order <= m->max_page_order; order++) {
		for (u32 mt = 0; mt < MIGRATE_TYPES; mt++) {
			u32 head = free_list_head(z, order, mt);
			u32 last = 0;

			for (u32 pfn = m->links[head].next; pfn != head; pfn = m->links[pfn].next) {
				assert_true(pfn >= last && nr < ARRAY_SIZE(found));
				assert_true(page_has(m, pfn, PG_BUDDY));
				assert_int_equal(m->pages[pfn].private, order);
				found[nr++] = (struct buddy){pfn, order, mt};
				pages += BIT(order);
				in_blocks += order >= m->pageblock_order ? BIT(order) : 0;
				last = pfn;
			}
		}
	}
	qsort(found, nr, sizeof(*found), compare_buddies);
	assert_int_equal(nr, nr_expected);
	for (u32 i = 0; i < nr; i++) {
		assert_int_equal(found[i].pfn, expected[i].pfn);
		assert_int_equal(found[i].order, expected[i].order);
		assert_int_equal(found[i].mt, expected[i].mt);
	}
	assert_int_equal(z->vm_stat[NR_FREE_PAGES], pages);
	assert_int_equal(z->vm_stat[NR_FREE_PAGES_BLOCKS], in_blocks);
	assert_int_equal(z->managed_pages, pages);
}

#define ASSERT_BUDDIES(m, z, ...)                                 \
	assert_buddies(m, z, (const struct buddy[]){__VA_ARGS__}, \
		       sizeof((const struct buddy[]){__VA_ARGS__}) / sizeof(struct buddy))

#define M MIGRATE_MOVABLE
#define C MIGRATE_CMA

/* A plain zone is a list of MOVABLE blocks of the largest order, in PFN order. */
static void test_plain_zone(void **state)
{
	struct machine machine;
	struct memory *m;

	(void)state;
	one_zone(&machine, 4096);
	m = memory_create(&machine);
	ASSERT_BUDDIES(m, &m->zones[0], {0, 10, M}, {1024, 10, M}, {2048, 10, M}, {3072, 10, M});
	assert_int_equal(m->zones[0].nr_free[10], 4);
	for (u32 pfn = 0; pfn < 4096; pfn++) {
		assert_int_equal(m->pages[pfn].refcount, 0);
		assert_int_equal(m->pages[pfn].zone, 0);
		assert_int_equal(m->pages[pfn].flags & ~(u32)PG_BUDDY, PG_ONLINE);
	}
	for (u32 i = 0; i < NR_VM_EVENTS; i++)
		assert_int_equal(m->global->vm_event[i], 0);
	memory_destroy(m);
}

/*
 * Zones that meet inside a block: each is freed in the largest chunks that are aligned and
 * fit, and nothing merges across the boundary.
 *
 *      0        1024  1280 1408 1472 1488 1496 | 1500 1504  1536     2048      3072  3584
 *      [  1024  ][256][128][ 64][ 16][  8][  4]|[  4][ 32 ][  512  ][  1024  ][ 512 ]
 *                    zone 0                    |             zone 1
 */
static void test_unaligned_zones(void **state)
{
	struct machine machine;
	struct memory *m;

	(void)state;
	one_zone(&machine, 1500);
	machine.nr_nodes = 2;
	machine.nr_zones = 2;
	machine.zones[1] = (struct machine_zone){1, ZONE_NORMAL, 1500, 2084};
	m = memory_create(&machine);
	ASSERT_BUDDIES(m, &m->zones[0], {0, 10, M}, {1024, 8, M}, {1280, 7, M}, {1408, 6, M},
		       {1472, 4, M}, {1488, 3, M}, {1496, 2, M});
	ASSERT_BUDDIES(m, &m->zones[1], {1500, 2, M}, {1504, 5, M}, {1536, 9, M}, {2048, 10, M},
		       {3072, 9, M});
	memory_destroy(m);
}

/*
 * Reserved pages are managed by nobody and keep a reference; they split what lies around.
 *
 *      0    64   96  100 103 104  112  128  256   512    1024
 *      [ 64 ][32][ 4] RRR [1][ 8 ][ 16][128][256][ 512  ][ ...
 */
static void test_reserved_range(void **state)
{
	struct machine machine;
	struct memory *m;

	(void)state;
	one_zone(&machine, 4096);
	machine.nr_ranges = 1;
	machine.ranges[0] = (struct machine_range){RANGE_RESERVED, 100, 3};
	m = memory_create(&machine);
	ASSERT_BUDDIES(m, &m->zones[0], {0, 6, M}, {64, 5, M}, {96, 2, M}, {103, 0, M}, {104, 3, M},
		       {112, 4, M}, {128, 7, M}, {256, 8, M}, {512, 9, M}, {1024, 10, M},
		       {2048, 10, M}, {3072, 10, M});
	assert_int_equal(m->zones[0].present_pages, 4096);
	assert_int_equal(m->zones[0].managed_pages, 4093);
	for (u32 pfn = 99; pfn <= 103; pfn++) {
		bool reserved = pfn >= 100 && pfn < 103;

		assert_int_equal(page_has(m, pfn, PG_RESERVED), reserved);
		assert_int_equal(m->pages[pfn].refcount, reserved);
	}
	memory_destroy(m);
}

/*
 * CMA blocks are free memory of their own type, counted as managed; they merge with each
 * other, not with what is beside them.
 *
 *      block   0    1    2    3    4    5    6    7
 *              [ M ][ C ][   C    ][ C ][ M ][    M   ]
 */
static void test_cma_range(void **state)
{
	struct machine machine;
	struct memory *m;

	(void)state;
	one_zone(&machine, 4096);
	machine.nr_ranges = 1;
	machine.ranges[0] = (struct machine_range){RANGE_CMA, 512, 2048};
	m = memory_create(&machine);
	ASSERT_BUDDIES(m, &m->zones[0], {0, 9, M}, {512, 9, C}, {1024, 10, C}, {2048, 9, C},
		       {2560, 9, M}, {3072, 10, M});
	assert_int_equal(m->zones[0].managed_pages, 4096);
	assert_int_equal(m->zones[0].cma_pages, 2048);
	assert_int_equal(m->zones[0].vm_stat[NR_FREE_CMA_PAGES], 2048);
	for (u32 block = 0; block < 8; block++)
		assert_int_equal(get_pfnblock_migratetype(m, block * BLOCK),
				 block >= 1 && block <= 4 ? C : M);
	memory_destroy(m);
}

/* Pages between zones are in no zone and on no list. */
static void test_hole(void **state)
{
	struct machine machine;
	struct memory *m;

	(void)state;
	one_zone(&machine, 2048);
	machine.nr_nodes = 2;
	machine.nr_zones = 2;
	machine.zones[1] = (struct machine_zone){1, ZONE_NORMAL, 3072, 2048};
	m = memory_create(&machine);
	assert_int_equal(m->nr_pages, 5120);
	ASSERT_BUDDIES(m, &m->zones[0], {0, 10, M}, {1024, 10, M});
	ASSERT_BUDDIES(m, &m->zones[1], {3072, 10, M}, {4096, 10, M});
	for (u32 pfn = 0; pfn < 5120; pfn++) {
		bool hole = pfn >= 2048 && pfn < 3072;

		assert_int_equal(pfn_online(m, pfn), !hole);
		assert_int_equal(m->pages[pfn].zone, hole ? ZONE_ANY : pfn >= 3072);
	}
	memory_destroy(m);
}

/* ---- mobility grouping (spec 1.4) ---------------------------------------- */

/* Off below six blocks of managed memory (five without CMA); then everything is UNMOVABLE. */
static void test_mobility(void **state)
{
	static const struct {
		u32 pages;
		u8 config_cma, mobility;
		bool off;
	} rows[] = {
		{3072, 1, MOBILITY_AUTO, false}, {3071, 1, MOBILITY_AUTO, true},
		{2560, 0, MOBILITY_AUTO, false}, {2559, 0, MOBILITY_AUTO, true},
		{2048, 1, MOBILITY_ON, false},	 {4096, 1, MOBILITY_OFF, true},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		u32 mt = rows[i].off ? MIGRATE_UNMOVABLE : MIGRATE_MOVABLE;
		struct machine machine;
		struct memory *m;

		one_zone(&machine, rows[i].pages);
		machine.config_cma = rows[i].config_cma;
		machine.mobility = rows[i].mobility;
		m = memory_create(&machine);
		assert_int_equal(m->global->page_group_by_mobility_disabled, rows[i].off);
		assert_int_equal(get_pfnblock_migratetype(m, 0), mt);
		assert_int_equal(head_of(m, &m->zones[0], 10, mt), 0);
		memory_destroy(m);
	}
}

/* Reserved pages count for nothing: 3072 pages of which one is reserved are too few. */
static void test_mobility_of_managed_pages(void **state)
{
	struct machine machine;
	struct memory *m;

	(void)state;
	one_zone(&machine, 3072);
	machine.nr_ranges = 1;
	machine.ranges[0] = (struct machine_range){RANGE_RESERVED, 0, 1};
	m = memory_create(&machine);
	assert_true(m->global->page_group_by_mobility_disabled);
	memory_destroy(m);
}

/* ---- coming back --------------------------------------------------------- */

/* Everything that a run may change: pages, lists, pcp, types, marks, sysctls, the task. */
static void disturb(struct memory *m)
{
	u32 pfns[64];

	memory_begin_op(m, NULL, 0);
	for (u32 i = 0; i < ARRAY_SIZE(pfns); i++)
		pfns[i] = alloc_pages(m, i & 1 ? GFP_KERNEL : GFP_HIGHUSER_MOVABLE | __GFP_COMP,
				      i % 10, 0, NODEMASK_NULL);
	mark_page(m, pfns[0], 0, PG_LRU, 0);
	for (u32 i = 8; i < ARRAY_SIZE(pfns); i++)
		if (pfns[i] != PFN_NONE)
			__free_pages(m, pfns[i], i % 10);
	start_isolate_page_range(m, 3584, 4096, PB_ISOLATE_MODE_OTHER);
	sysctl_write(m, SYSCTL_WATERMARK_SCALE_FACTOR, 100);
	sysctl_write(m, SYSCTL_LOWMEM_RESERVE_DMA, 1);
	set_cpu(m, 1);
	set_task_flags(m, TASK_RT);
	set_mems_allowed(m, 0, 0);
	memory_end_op(m, &(struct op_report){0});
}

/* memory_reset() restores every byte, whether or not somebody looks in between; again and again. */
static void test_reset(void **state)
{
	(void)state;
	for (u32 looks = 0; looks < 2; looks++) {
		struct machine machine;
		struct memory *m;

		one_zone(&machine, 4096);
		machine.nr_cpus = 2;
		m = memory_create(&machine);
		assert_true(memory_is_pristine(m));
		for (u32 round = 0; round < 3; round++) {
			disturb(m);
			if (looks)
				memory_written(m);
			set_cpu(m, 1);
			assert_false(memory_is_pristine(m));
			memory_reset(m);
			assert_true(memory_is_pristine(m));
		}
		memory_destroy(m);
	}
}

/* A store past SET() is seen by the comparison after a reset, in every table. */
static void test_bypassed_journal(void **state)
{
	struct machine machine;
	struct memory *m;

	(void)state;
	one_zone(&machine, 4096);
	m = memory_create(&machine);
	u8 *const bytes[] = {
		(u8 *)m->global,
		(u8 *)&m->nodes[0],
		(u8 *)&m->zones[0],
		(u8 *)&m->pcps[0],
		(u8 *)&m->pages[4095].zone,
		(u8 *)&m->links[m->view.nr_links - 1].prev,
		&m->pageblock_flags[7],
	};

	for (size_t i = 0; i < ARRAY_SIZE(bytes); i++) {
		*bytes[i] ^= 1;
		memory_reset(m);
		assert_false(memory_is_pristine(m));
		*bytes[i] ^= 1;
		assert_true(memory_is_pristine(m));
	}
	memory_destroy(m);
}

/* The state with its template takes at most 64 bytes a page on a large machine. */
static void test_size_of_state(void **state)
{
	struct machine machine;
	struct memory *m;

	(void)state;
	one_zone(&machine, 1U << 18);
	m = memory_create(&machine);
	assert_true(2 * m->arena_size <= (size_t)64 << 18);
	memory_destroy(m);
}

#ifdef HAVE_ASAN
/* An index past the end of a table is caught, also where the next table begins. */
static void test_gaps(void **state)
{
	struct machine machine;
	struct memory *m;

	(void)state;
	one_zone(&machine, 4096);
	m = memory_create(&machine);
	assert_true(__asan_address_is_poisoned(&m->global[1]));
	assert_true(__asan_address_is_poisoned(&m->nodes[2]));
	assert_true(__asan_address_is_poisoned(&m->zones[1]));
	assert_true(__asan_address_is_poisoned(&m->pcps[1]));
	assert_true(__asan_address_is_poisoned(&m->pages[4096]));
	assert_true(__asan_address_is_poisoned(&m->links[m->view.nr_links]));
	assert_true(__asan_address_is_poisoned(&m->pageblock_flags[8]));
	assert_false(__asan_address_is_poisoned(&m->pageblock_flags[7]));
	memory_destroy(m);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recorded_zones),
		cmocka_unit_test(test_w15_dma),
		cmocka_unit_test(test_w15_dma32_and_empty_movable),
		cmocka_unit_test(test_min_free_kbytes),
		cmocka_unit_test(test_pcp_batch),
		cmocka_unit_test(test_pcp_high_by_cpus),
		cmocka_unit_test(test_pcp_high_fraction),
		cmocka_unit_test(test_pcp_overrides),
		cmocka_unit_test(test_cache_pages),
		cmocka_unit_test(test_plain_zone),
		cmocka_unit_test(test_unaligned_zones),
		cmocka_unit_test(test_reserved_range),
		cmocka_unit_test(test_cma_range),
		cmocka_unit_test(test_hole),
		cmocka_unit_test(test_mobility),
		cmocka_unit_test(test_mobility_of_managed_pages),
		cmocka_unit_test(test_reset),
		cmocka_unit_test(test_bypassed_journal),
		cmocka_unit_test(test_size_of_state),
#ifdef HAVE_ASAN
		cmocka_unit_test(test_gaps),
#endif
	};

	return cmocka_run_group_tests_name("boot", tests, NULL, NULL);
}
