/* SPDX-License-Identifier: GPL-2.0-only */
/* What a write to a sysctl changes, and what it leaves alone (spec 5.5 - 5.7). */
#include "model/tests/zone_fixture.h"

/*
 * DMA32 with 2048 and Normal with 10240 managed pages on one node:
 *
 *      min_free_kbytes isqrt(64 * 12288) = 886, 221 pages: DMA32 MIN 36, Normal MIN 184
 *      d: 9 and 46; LOW 45 and 230; lowmem_reserve of DMA32 10240 / 256 = 40
 */
static struct memory *boot_two_zones(struct recorder *r, struct observer *o)
{
	struct machine machine;

	machine_init(&machine);
	add_zone(&machine, 0, ZONE_DMA32, 2048);
	add_zone(&machine, 0, ZONE_NORMAL, 10240);
	return boot_machine(&machine, r, o);
}

static void assert_marks(const struct zone *z, u32 min, u32 low, u32 high, u32 promo)
{
	assert_int_equal(z->_watermark[WMARK_MIN], min);
	assert_int_equal(z->_watermark[WMARK_LOW], low);
	assert_int_equal(z->_watermark[WMARK_HIGH], high);
	assert_int_equal(z->_watermark[WMARK_PROMO], promo);
}

/* A new min_free_kbytes sets all marks, drops the boost, resizes the pcps, tells each zone. */
static void test_min_free_kbytes(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_two_zones(&r, &o);

	(void)state;
	assert_marks(&m->zones[0], 36, 45, 54, 63);
	assert_marks(&m->zones[1], 184, 230, 276, 322);
	SET(m, m->zones[1].watermark_boost, 500);

	/* 4800 KiB, 1200 pages: 200 and 1000, d 50 and 250. */
	assert_true(sysctl_write(m, SYSCTL_MIN_FREE_KBYTES, 4800));
	assert_marks(&m->zones[0], 200, 250, 300, 350);
	assert_marks(&m->zones[1], 1000, 1250, 1500, 1750);
	assert_int_equal(m->zones[1].watermark_boost, 0);
	assert_int_equal(m->pcps[0].high_min, 250);
	assert_int_equal(m->pcps[1].high_min, 1250);
	assert_int_equal(m->pcps[1].high_max, 1280);

	assert_int_equal(count_events(&r, EV_MM_SETUP_PER_ZONE_WMARKS), 2);
	assert_int_equal(event_at(&r, EV_MM_SETUP_PER_ZONE_WMARKS, 1)->zone, 1);
	assert_int_equal(event_at(&r, EV_MM_SETUP_PER_ZONE_WMARKS, 1)->a, 1000);
	assert_int_equal(event_at(&r, EV_MM_SETUP_PER_ZONE_WMARKS, 1)->b, 1250);
	assert_int_equal(event_at(&r, EV_MM_SETUP_PER_ZONE_WMARKS, 1)->c, 1500);
	shut_down(m);
}

/* Written, 0 is a value like others: d alone is left (2048 and 10240 thousandths). */
static void test_min_free_kbytes_of_zero(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_two_zones(&r, &o);

	(void)state;
	assert_true(sysctl_write(m, SYSCTL_MIN_FREE_KBYTES, 0));
	assert_marks(&m->zones[0], 0, 2, 4, 6);
	assert_marks(&m->zones[1], 0, 10, 20, 30);
	shut_down(m);
}

/* d = max(MIN / 4, managed * factor / 10000): 204 and 1024 with a factor of 1000. */
static void test_watermark_scale_factor(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_two_zones(&r, &o);

	(void)state;
	assert_true(sysctl_write(m, SYSCTL_WATERMARK_SCALE_FACTOR, 1000));
	assert_marks(&m->zones[0], 36, 240, 444, 648);
	assert_marks(&m->zones[1], 184, 1208, 2232, 3256);
	assert_int_equal(m->pcps[1].high_min, 1208);
	shut_down(m);
}

/* A ratio sets the reserves of its own type; 0: no reserve. Marks stay. */
static void test_lowmem_reserve_ratio(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_two_zones(&r, &o);

	(void)state;
	assert_int_equal(m->zones[0].lowmem_reserve[ZONE_NORMAL], 40);
	assert_int_equal(m->zones[0].lowmem_reserve[ZONE_MOVABLE], 40);
	assert_true(sysctl_write(m, SYSCTL_LOWMEM_RESERVE_DMA32, 3));
	assert_int_equal(m->zones[0].lowmem_reserve[ZONE_NORMAL], 3413);
	assert_true(sysctl_write(m, SYSCTL_LOWMEM_RESERVE_DMA32, 0));
	assert_int_equal(m->zones[0].lowmem_reserve[ZONE_NORMAL], 0);
	assert_true(sysctl_write(m, SYSCTL_LOWMEM_RESERVE_NORMAL, 1));
	assert_int_equal(m->zones[1].lowmem_reserve[ZONE_MOVABLE], 0);
	assert_int_equal(count_events(&r, EV_MM_SETUP_PER_ZONE_WMARKS), 0);
	shut_down(m);
}

/*
 * A fraction fixes both limits, 0 gives them back to the LOW mark, which by then may carry a
 * boost (230 + 70). Writing the value that is there already looks at nothing.
 */
static void test_high_fraction(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_two_zones(&r, &o);

	(void)state;
	SET(m, m->zones[1].watermark_boost, 70);
	assert_true(sysctl_write(m, SYSCTL_PERCPU_PAGELIST_HIGH_FRACTION, 0));
	assert_int_equal(m->pcps[1].high_min, 230);
	assert_true(sysctl_write(m, SYSCTL_PERCPU_PAGELIST_HIGH_FRACTION, 10));
	assert_int_equal(m->pcps[1].high_min, 1024);
	assert_int_equal(m->pcps[1].high_max, 1024);
	assert_true(sysctl_write(m, SYSCTL_PERCPU_PAGELIST_HIGH_FRACTION, 0));
	assert_int_equal(m->pcps[1].high_min, 300);
	assert_int_equal(m->pcps[1].high_max, 1280);
	assert_int_equal(m->zones[1].watermark_boost, 70);
	shut_down(m);
}

/* In zone_pcp_disable() the lists stay off; zone_pcp_enable() has what was computed meanwhile. */
static void test_write_while_pcp_disabled(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_two_zones(&r, &o);

	(void)state;
	zone_pcp_disable(m, &m->zones[1]);
	sysctl_write(m, SYSCTL_MIN_FREE_KBYTES, 4800);
	assert_int_equal(m->pcps[0].high_min, 250);
	assert_int_equal(m->pcps[1].high_min, 0);
	assert_int_equal(m->pcps[1].high_max, 0);
	assert_int_equal(m->pcps[1].batch, 1);
	zone_pcp_enable(m, &m->zones[1]);
	assert_int_equal(m->pcps[1].high_min, 1250);
	assert_int_equal(m->pcps[1].high_max, 1280);
	shut_down(m);
}

/* The others are read where they are used. */
static void test_plain_values(void **state)
{
	static const enum sysctl plain[] = {SYSCTL_DEFRAG_MODE, SYSCTL_WATERMARK_BOOST_FACTOR,
					    SYSCTL_NODE_RECLAIM_MODE};
	struct recorder r;
	struct observer o;
	struct memory *m = boot_two_zones(&r, &o);

	(void)state;
	SET(m, m->zones[1].watermark_boost, 70);
	for (size_t i = 0; i < ARRAY_SIZE(plain); i++) {
		assert_true(sysctl_write(m, plain[i], 1));
		assert_int_equal(m->global->sysctl[plain[i]], 1);
	}
	assert_int_equal(m->zones[1].watermark_boost, 70);
	shut_down(m);
}

/* Out of range: nothing is done. */
static void test_out_of_range(void **state)
{
	struct recorder r;
	struct observer o;
	struct memory *m = boot_two_zones(&r, &o);

	(void)state;
	assert_false(sysctl_write(m, SYSCTL_DEFRAG_MODE, 2));
	assert_false(sysctl_write(m, SYSCTL_WATERMARK_SCALE_FACTOR, 0));
	assert_false(sysctl_write(m, SYSCTL_WATERMARK_SCALE_FACTOR, 3001));
	assert_false(sysctl_write(m, SYSCTL_PERCPU_PAGELIST_HIGH_FRACTION, 7));
	assert_false(sysctl_write(m, SYSCTL_MIN_FREE_KBYTES, 1U << 31));
	assert_false(sysctl_write(m, NR_SYSCTLS, 0));
	assert_true(memory_is_pristine(m));
	shut_down(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_min_free_kbytes),
		cmocka_unit_test(test_min_free_kbytes_of_zero),
		cmocka_unit_test(test_watermark_scale_factor),
		cmocka_unit_test(test_lowmem_reserve_ratio),
		cmocka_unit_test(test_high_fraction),
		cmocka_unit_test(test_write_while_pcp_disabled),
		cmocka_unit_test(test_plain_values),
		cmocka_unit_test(test_out_of_range),
	};

	return cmocka_run_group_tests_name("sysctl", tests, NULL, NULL);
}
