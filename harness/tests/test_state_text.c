/* SPDX-License-Identifier: GPL-2.0-only */
/* Views as text: the lines of recordings, /proc files, the map, canonical text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/state_text.h"
#include "harness/tests/fake_view.h"
#include "model/port.h"

static struct fake_view fake;

static int setup(void **state)
{
	(void)state;
	fake_view_init(&fake);
	return 0;
}

static void assert_text(void (*write)(FILE *, const struct view *), const struct view *v,
			const char *want)
{
	char *text = text_of(write, v);

	assert_string_equal(text, want);
	free(text);
}

/* ---- recordings ---------------------------------------------------------- */

/* Five zones on two nodes, booted: the zone lines are those of recording v7.3.4/001. */
static struct memory *boot_recorded_machine(void)
{
	static const struct machine_zone zones[] = {
		{0, ZONE_DMA32, 0, 1024},      {0, ZONE_NORMAL, 1024, 2048},
		{0, ZONE_MOVABLE, 3072, 1024}, {1, ZONE_NORMAL, 4096, 4096},
		{1, ZONE_MOVABLE, 8192, 6144},
	};
	struct machine machine;

	machine_init(&machine);
	machine.nr_nodes = 2;
	machine.nr_zones = ARRAY_SIZE(zones);
	memcpy(machine.zones, zones, sizeof(zones));
	return memory_create(&machine);
}

static void test_boot_state(void **state)
{
	struct memory *m = boot_recorded_machine();

	(void)state;
	assert_text(
		write_boot_state, memory_view(m),
		"zone 0 DMA32 start 0 pages 1024 min 24 low 30 high 36 promo 42 pcp_batch 1 "
		"pcp_high_min 30 pcp_high_max 128 lowmem_reserve 0 0 8 12\n"
		"zone 0 Normal start 1024 pages 2048 min 48 low 60 high 72 promo 84 pcp_batch 1 "
		"pcp_high_min 60 pcp_high_max 256 lowmem_reserve 0 0 0 32\n"
		"zone 0 Movable start 3072 pages 1024 min 32 low 38 high 44 promo 50 pcp_batch 1 "
		"pcp_high_min 38 pcp_high_max 128 lowmem_reserve 0 0 0 0\n"
		"zone 1 Normal start 4096 pages 4096 min 96 low 120 high 144 promo 168 "
		"pcp_batch 1 pcp_high_min 120 pcp_high_max 512 lowmem_reserve 0 0 0 192\n"
		"zone 1 Movable start 8192 pages 6144 min 32 low 68 high 104 promo 140 "
		"pcp_batch 1 pcp_high_min 68 pcp_high_max 768 lowmem_reserve 0 0 0 0\n");
	memory_destroy(m);
}

/* After boot: free blocks of the largest order in PFN order, all Movable, nothing else. */
static void test_final_state_after_boot(void **state)
{
	struct memory *m = boot_recorded_machine();
	char *text = text_of(write_final_state, memory_view(m));

	(void)state;
	assert_non_null(strstr(
		text, "final zone 1 Movable free 6144 reserved_highatomic 0 "
		      "free_highatomic 0 boost 0 flags 0 pcp_count 0 pcp_high 0 "
		      "pcp_free_count 0 pcp_alloc_factor 0 free_blocks 6144\n"
		      "freelist 1 Movable order 10 mt 1 : 8192 9216 10240 11264 12288 13312\n"
		      "pageblocks 1 Movable : 1 1 1 1 1 1 1 1 1 1 1 1\n"));
	free(text);
	memory_destroy(m);
}

/* Every kind of line, with the conditions under which it appears. */
static void test_final_state(void **state)
{
	struct zone *z = &fake.zones[0];

	(void)state;
	fake_free(&fake, 16, 3, MIGRATE_MOVABLE);
	fake_free(&fake, 8, 3, MIGRATE_MOVABLE);
	fake_free(&fake, 4, 1, MIGRATE_UNMOVABLE);
	fake_list_add(&fake, pcp_list_head(fake_pcp(&fake, 0), 1), 41);
	fake_list_add(&fake, pcp_list_head(fake_pcp(&fake, 0), 1), 40);
	fake_list_add(&fake, pcp_list_head(fake_pcp(&fake, 1), 13), 48);
	fake_list_add(&fake, z->trylock_list, 60);
	fake.blocks[0] = MIGRATE_UNMOVABLE;
	fake.blocks[3] = MIGRATE_CMA | PB_ISOLATE;
	fake.blocks[4] = MIGRATE_CMA | PB_COMPACT_SKIP;
	z->nr_reserved_highatomic = 8;
	z->nr_free_highatomic = 3;
	z->watermark_boost = 5;
	z->flags = ZONE_BELOW_HIGH;
	z->vm_stat[NR_FREE_PAGES_BLOCKS] = 16;
	*fake_pcp(&fake, 0) = (struct per_cpu_pages){.lists = fake_pcp(&fake, 0)->lists,
						     .count = 2,
						     .high = 10,
						     .free_count = 4,
						     .alloc_factor = 1};
	fake_pcp(&fake, 1)->count = -1;
	assert_text(write_final_state, &fake.view,
		    "final zone 0 Normal free 18 reserved_highatomic 8 free_highatomic 3 boost 5 "
		    "flags 4 pcp_count 2 pcp_high 10 pcp_free_count 4 pcp_alloc_factor 1 "
		    "free_blocks 16\n"
		    "freelist 0 Normal order 1 mt 0 : 4\n"
		    "freelist 0 Normal order 3 mt 1 : 16 8\n"
		    "pcplist 0 Normal index 1 : 41 40\n"
		    "final pcp 0 Normal cpu 1 count -1 high 0 free_count 0 alloc_factor 0\n"
		    "pcplist 0 Normal cpu 1 index 13 : 48\n"
		    "trylocklist 0 Normal : 60\n"
		    "pageblocks 0 Normal : 0 1 1 5 4 1 1 1\n");
}

/* A list that leads nowhere ends, and says so. */
static void test_broken_list(void **state)
{
	char *text;

	(void)state;
	fake_free(&fake, 8, 3, MIGRATE_MOVABLE);
	fake.links[8].next = 8;
	text = text_of(write_final_state, &fake.view);
	assert_non_null(strstr(text, " 8 8 (broken)\n"));
	free(text);
}

/* ---- /proc --------------------------------------------------------------- */

/*
 * The looks of sample-ftrace-7.3.before-buddyinfo: "Node 0, zone", the name in 8 columns, each
 * count in 6 and a blank.
 */
static void test_buddyinfo(void **state)
{
	(void)state;
	fake_free(&fake, 0, 4, MIGRATE_MOVABLE);
	fake_free(&fake, 16, 0, MIGRATE_UNMOVABLE);
	fake_free(&fake, 18, 0, MIGRATE_MOVABLE);
	assert_text(write_buddyinfo, &fake.view,
		    "Node 0, zone   Normal      2      0      0      0      1 \n");
}

/* The looks of sample-ftrace-7.3.before-pagetypeinfo. */
static void test_pagetypeinfo(void **state)
{
	(void)state;
	fake_free(&fake, 0, 4, MIGRATE_MOVABLE);
	fake_free(&fake, 16, 0, MIGRATE_UNMOVABLE);
	fake_free(&fake, 24, 3, MIGRATE_ISOLATE);
	fake.blocks[2] = MIGRATE_UNMOVABLE;
	fake.blocks[3] = MIGRATE_MOVABLE | PB_ISOLATE;
	assert_text(
		write_pagetypeinfo, &fake.view,
		"Page block order: 3\n"
		"Pages per block:  8\n"
		"\n"
		"Free pages count per migrate type at order       0      1      2      3      4 \n"
		"Node    0, zone   Normal, type    Unmovable      1      0      0      0      0 \n"
		"Node    0, zone   Normal, type      Movable      0      0      0      0      1 \n"
		"Node    0, zone   Normal, type  Reclaimable      0      0      0      0      0 \n"
		"Node    0, zone   Normal, type   HighAtomic      0      0      0      0      0 \n"
		"Node    0, zone   Normal, type          CMA      0      0      0      0      0 \n"
		"Node    0, zone   Normal, type      Isolate      0      0      0      1      0 \n"
		"\n"
		"Number of blocks type     Unmovable      Movable  Reclaimable   HighAtomic "
		"         CMA      Isolate \n"
		"Node 0, zone   Normal            1            6            0            0 "
		"           0            1 \n");
}

/* Without CONFIG_CMA there is no such type. */
static void test_pagetypeinfo_without_cma(void **state)
{
	char *text;

	(void)state;
	fake.machine.config_cma = 0;
	text = text_of(write_pagetypeinfo, &fake.view);
	assert_null(strstr(text, "CMA"));
	assert_non_null(strstr(text, "HighAtomic      Isolate \n"));
	free(text);
}

/* ---- the map ------------------------------------------------------------- */

/*
 *      0     8     16    24      32    40    48    56
 *      U     m     M     I       r     c     H     H
 *      free  used  half  isol.   <half used  \_ order 4 _/
 */
static void test_pageblock_map(void **state)
{
	char *text;

	(void)state;
	fake_free(&fake, 0, 3, MIGRATE_UNMOVABLE);
	fake_free(&fake, 20, 2, MIGRATE_MOVABLE);
	fake_free(&fake, 32, 1, MIGRATE_RECLAIMABLE);
	fake_free(&fake, 48, 4, MIGRATE_HIGHATOMIC);
	fake.blocks[0] = MIGRATE_UNMOVABLE;
	fake.blocks[3] |= PB_ISOLATE;
	fake.blocks[4] = MIGRATE_RECLAIMABLE;
	fake.blocks[5] = MIGRATE_CMA;
	fake.blocks[6] = fake.blocks[7] = MIGRATE_HIGHATOMIC;
	text = text_of(write_pageblock_map, &fake.view);
	assert_int_equal(strncmp(text, "Node 0, zone Normal\n         0 UmMIrcHH\n", 40), 0);
	free(text);
}

/* ---- difference of tables ------------------------------------------------ */

static void test_table_difference(void **state)
{
	const struct {
		const char *before, *after, *text;
	} rows[] = {
		{"a 1\nb 2\n", "a 1\nb 2\n", ""},
		{"a 1\nb 2\nc 3\n", "a 1\nb 7\nc 3\n", "- b 2\n+ b 7\n"},
		{"a 1\n", "a 1\nb 2\n", "+ b 2\n"},
		{"a 1\nb 2\n", "a 1\n", "- b 2\n"},
		{"a 1\n", "a 10\n", "- a 1\n+ a 10\n"},
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		char *text = NULL;
		size_t size;
		FILE *out = open_text(&text, &size);
		bool any = write_table_difference(out, rows[i].before, rows[i].after);

		close_text(out);
		assert_string_equal(text, rows[i].text);
		assert_int_equal(any, rows[i].text[0] != '\0');
		free(text);
	}
}

/* ---- canonical text ------------------------------------------------------ */

/* Pages that are alike and follow each other share a line; tails name their head. */
static void test_canonical_pages(void **state)
{
	char *text;

	(void)state;
	fake.pages[4].flags |= PG_HEAD;
	fake.pages[4].compound_order = 1;
	fake.pages[5].flags |= PG_TAIL;
	fake.pages[5].compound_head = 4;
	text = text_of(write_canonical, &fake.view);
	assert_non_null(strstr(
		text, "pages 0..3 zone 0 flags 0x1000 private 0 refcount 1 head 0 order 0\n"
		      "pages 4..4 zone 0 flags 0x1002 private 0 refcount 1 head 0 order 1\n"
		      "pages 5..5 zone 0 flags 0x1004 private 0 refcount 1 head 4 order 0\n"
		      "pages 6..63 zone 0 flags 0x1000 private 0 refcount 1 head 0 order 0\n"));
	free(text);
}

/* FNV-1a of the text, computed another way. */
static void test_hash_is_fnv1a(void **state)
{
	char *text = text_of(write_canonical, &fake.view);
	u64 hash = 14695981039346656037ULL;

	(void)state;
	for (size_t i = 0; text[i]; i++) {
		hash ^= (u8)text[i];
		hash *= 1099511628211ULL;
	}
	assert_true(state_hash(&fake.view) == hash);
	free(text);
}

/* Each member of the state, changed alone, changes the hash. */
static void test_hash_sees_everything(void **state)
{
	struct zone *z = &fake.zones[0];
	struct per_cpu_pages *pcp = &fake.pcps[1];
	struct node *n = &fake.nodes[0];
	struct global *g = &fake.global;
	u64 hash = state_hash(&fake.view);

	(void)state;
#define SEES(lvalue)                                         \
	do {                                                 \
		(lvalue)++;                                  \
		assert_true(state_hash(&fake.view) != hash); \
		(lvalue)--;                                  \
		assert_true(state_hash(&fake.view) == hash); \
	} while (0)
	SEES(fake.pages[9].private);
	SEES(fake.pages[9].refcount);
	SEES(fake.pages[9].compound_head);
	SEES(fake.pages[9].flags);
	SEES(fake.pages[9].compound_order);
	SEES(fake.pages[9].zone);
	SEES(fake.blocks[7]);
	SEES(pcp->count);
	SEES(pcp->high);
	SEES(pcp->high_min);
	SEES(pcp->high_max);
	SEES(pcp->batch);
	SEES(pcp->flags);
	SEES(pcp->alloc_factor);
	SEES(pcp->free_count);
	SEES(z->locked);
	SEES(z->flags);
	SEES(z->managed_pages);
	SEES(z->present_pages);
	SEES(z->cma_pages);
	SEES(z->_watermark[WMARK_PROMO]);
	SEES(z->watermark_boost);
	SEES(z->lowmem_reserve[3]);
	SEES(z->nr_reserved_highatomic);
	SEES(z->nr_free_highatomic);
	SEES(z->nr_isolate_pageblock);
	SEES(z->pageset_high_min);
	SEES(z->pageset_high_max);
	SEES(z->pageset_batch);
	SEES(z->compact_considered);
	SEES(z->compact_defer_shift);
	SEES(z->compact_order_failed);
	SEES(z->compact_blockskip_flush);
	SEES(z->nr_free[FAKE_MAX_ORDER]);
	SEES(z->vm_stat[NR_ZONE_STATS - 1]);
	SEES(n->kswapd_awake);
	SEES(n->kswapd_highest_zoneidx);
	SEES(n->kswapd_order);
	SEES(n->kswapd_failures);
	SEES(n->kcompactd_max_order);
	SEES(n->kcompactd_highest_zoneidx);
	SEES(n->kcompactd_awake);
	SEES(n->zonelists[ZONELIST_NOFALLBACK].nr);
	SEES(g->task.flags);
	SEES(g->task.mems_allowed);
	SEES(g->task.mems_hardwall);
	SEES(g->task.cpu);
	SEES(g->page_group_by_mobility_disabled);
	SEES(g->lru_pages);
	SEES(g->drain_disabled_zones);
	SEES(g->sysctl[NR_SYSCTLS - 1]);
	SEES(g->vm_event[NR_VM_EVENTS - 1]);
#undef SEES
}

/* The order of a list is part of the state, for each kind of list. */
static void test_hash_sees_list_order(void **state)
{
	u32 heads[5];

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(heads); i++) {
		u64 hash;

		setup(state);
		heads[0] = free_list_head(&fake.zones[0], 4, MIGRATE_ISOLATE);
		heads[1] = pcp_list_head(&fake.pcps[1], 13);
		heads[2] = fake.zones[0].trylock_list;
		heads[3] = fake.global.lru_list;
		heads[4] = fake.global.isolated_list;
		fake_list_add(&fake, heads[i], 1);
		fake_list_add(&fake, heads[i], 2);
		hash = state_hash(&fake.view);
		setup(state);
		fake_list_add(&fake, heads[i], 2);
		fake_list_add(&fake, heads[i], 1);
		assert_true(state_hash(&fake.view) != hash);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_boot_state, setup),
		cmocka_unit_test_setup(test_final_state_after_boot, setup),
		cmocka_unit_test_setup(test_final_state, setup),
		cmocka_unit_test_setup(test_broken_list, setup),
		cmocka_unit_test_setup(test_buddyinfo, setup),
		cmocka_unit_test_setup(test_pagetypeinfo, setup),
		cmocka_unit_test_setup(test_pagetypeinfo_without_cma, setup),
		cmocka_unit_test_setup(test_pageblock_map, setup),
		cmocka_unit_test_setup(test_table_difference, setup),
		cmocka_unit_test_setup(test_canonical_pages, setup),
		cmocka_unit_test_setup(test_hash_is_fnv1a, setup),
		cmocka_unit_test_setup(test_hash_sees_everything, setup),
		cmocka_unit_test_setup(test_hash_sees_list_order, setup),
	};

	return cmocka_run_group_tests_name("state_text", tests, NULL, NULL);
}
