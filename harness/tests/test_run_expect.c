/* SPDX-License-Identifier: GPL-2.0-only */
/* What a case expects: of the machine, of each op, at the end; and what cannot be played. */
#include "harness/tests/run_fixture.h"

/* ---- what the case expects ----------------------------------------------- */

static void assert_divergence(u32 step, const char *text)
{
	assert_int_equal(r.first.kind, FINDING_DIVERGENCE);
	assert_int_equal(r.first.step, step);
	assert_string_equal(r.first.text, text);
}

/* The second allocation is wrong: found there, and the third is not played. */
static void test_wrong_pfn(void **state)
{
	const struct {
		u32 want, got;
		const char *text;
	} rows[] = {
		{16, 17, "expected 16, got 17"},
		{16, PFN_NONE, "expected 16, got none"},
		{PFN_NONE, 17, "expected none, got 17"},
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		struct expect first = {.op = 0, .pfn = 8, .has_result = true};
		struct expect second = {.op = 1, .pfn = rows[i].want, .has_result = true};

		if (i) {
			teardown(state);
			setup(state);
		}
		fake_give(&fake, 8);
		fake_give(&fake, rows[i].got);
		for (u32 n = 0; n < 3; n++)
			add_alloc(0, GFP_KERNEL, 0);
		case_add_expect(&c, &first);
		case_add_expect(&c, &second);
		play();
		assert_divergence(1, rows[i].text);
		assert_int_equal(fake.nr_calls, 2);
		assert_int_equal(r.nr_divergences, 1);
	}
}

static void test_right_pfn_and_calls(void **state)
{
	struct expect e = {.op = 0,
			   .pfn = 8,
			   .has_result = true,
			   .has_calls = true,
			   .wakes = 1,
			   .reclaim = 2,
			   .compact = 3,
			   .oom = 4};

	(void)state;
	fake.report.kswapd_wakes = 1;
	fake.report.calls[ENV_RECLAIM] = 2;
	fake.report.calls[ENV_COMPACT] = 3;
	fake.report.calls[ENV_OOM] = 4;
	fake_give(&fake, 8);
	add_alloc(0, GFP_KERNEL, 0);
	case_add_expect(&c, &e);
	play();
	assert_int_equal(r.first.kind, FINDING_NONE);
}

/* One of the four counts is off by one, each in turn. */
static void test_wrong_calls(void **state)
{
	for (u32 i = 0; i < 4; i++) {
		struct expect e = {.op = 1, .has_calls = true};
		u32 *counts[] = {&e.wakes, &e.reclaim, &e.compact, &e.oom};

		if (i) {
			teardown(state);
			setup(state);
		}
		*counts[i] = 1;
		add_alloc(0, GFP_KERNEL, 0);
		add_alloc(0, GFP_KERNEL, 0);
		case_add_expect(&c, &e);
		play();
		assert_int_equal(r.first.kind, FINDING_DIVERGENCE);
		assert_int_equal(r.first.step, 1);
	}
	assert_string_equal(r.first.text, "expected kswapd 0 reclaim 0 compact 0 oom 1, "
					  "got kswapd 0 reclaim 0 compact 0 oom 0");
}

/* The state of fake_view_init() with one free buddy and one cached page. */
static const char *const final_lines[] = {
	("final zone 0 Normal free 4 reserved_highatomic 0 free_highatomic 0 boost 0 flags 0 "
	 "pcp_count 1 pcp_high 0 pcp_free_count 0 pcp_alloc_factor 0 free_blocks 0"),
	"freelist 0 Normal order 2 mt 1 : 8",
	"pcplist 0 Normal index 1 : 20",
	"final pcp 0 Normal cpu 1 count 0 high 0 free_count 0 alloc_factor 0",
	"pageblocks 0 Normal : 1 1 1 1 1 1 1 1",
};

static void set_final_state(void)
{
	fake_free(&fake.v, 8, 2, MIGRATE_MOVABLE);
	fake_pcp(&fake.v, 0)->count = 1;
	fake_list_add(&fake.v, pcp_list_head(fake_pcp(&fake.v, 0), 1), 20);
	add_alloc(0, GFP_KERNEL, 0);
}

static void test_right_final(void **state)
{
	(void)state;
	set_final_state();
	for (u32 i = 0; i < ARRAY_SIZE(final_lines); i++)
		case_add_final(&c, final_lines[i]);
	play();
	assert_int_equal(r.first.kind, FINDING_NONE);
}

/* One line is wrong, missing or too much. */
static void test_wrong_final(void **state)
{
	const struct {
		u32 line;
		const char *want; /* NULL: nothing in its place */
		const char *text;
	} rows[] = {
		{1, "freelist 0 Normal order 2 mt 1 : 8 12",
		 "freelist 0 Normal order 2 mt 1: entry 2: expected 12, got nothing"},
		{1, "freelist 0 Normal order 2 mt 1 : 12",
		 "freelist 0 Normal order 2 mt 1: entry 1: expected 12, got 8"},
		{1, "freelist 0 Normal order 2 mt 0 : 8",
		 "expected \"freelist 0 Normal order 2 mt 0 : 8\", "
		 "got \"freelist 0 Normal order 2 mt 1 : 8\""},
		{3, "final pcp 0 Normal cpu 1 count 0 high 7 free_count 0 alloc_factor 0",
		 "final pcp 0 Normal: high: expected 7, got 0"},
		{4, "pageblocks 0 Normal : 1 1 1 0 1 1 1 1",
		 "pageblocks 0 Normal: entry 4: expected 0, got 1"},
		{4, NULL, "expected \"\", got \"pageblocks 0 Normal : 1 1 1 1 1 1 1 1\""},
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		if (i) {
			teardown(state);
			setup(state);
		}
		set_final_state();
		for (u32 n = 0; n < ARRAY_SIZE(final_lines); n++) {
			const char *line = n == rows[i].line ? rows[i].want : final_lines[n];

			if (line)
				case_add_final(&c, line);
		}
		play();
		assert_divergence(1, rows[i].text);
	}
}

/* A WARN that the case does not expect is a line too much. */
static void test_warnings(void **state)
{
	(void)state;
	set_final_state();
	fake.report.warnings = 2;
	for (u32 i = 0; i < ARRAY_SIZE(final_lines); i++)
		case_add_final(&c, final_lines[i]);
	play();
	assert_divergence(1, "expected \"\", got \"warnings 2\"");
	teardown(state);
	setup(state);
	set_final_state();
	fake.report.warnings = 2;
	for (u32 i = 0; i < ARRAY_SIZE(final_lines); i++)
		case_add_final(&c, final_lines[i]);
	case_add_final(&c, "warnings 2");
	play();
	assert_int_equal(r.first.kind, FINDING_NONE);
}

/* The machine is compared before anything is played. */
static void test_wrong_machine(void **state)
{
	(void)state;
	add_alloc(0, GFP_KERNEL, 0);
	case_add_boot(&c, "zone 0 Normal start 0 pages 64 min 5 low 0 high 0 promo 0 pcp_batch 0 "
			  "pcp_high_min 0 pcp_high_max 0 lowmem_reserve 0 0 0 0");
	play();
	assert_divergence(STEP_MACHINE, "zone 0 Normal: min: expected 5, got 0");
	assert_int_equal(fake.nr_calls, 0);
}

/* Another case on the same run: of the first one, with all kinds of things left, nothing remains. */
static void test_again(void **state)
{
	struct expect wrong = {.op = 2, .pfn = 63, .has_result = true};
	struct testcase other;

	(void)state;
	fake_give(&fake, 8);
	fake_give(&fake, 16);
	fake_free(&fake.v, 32, 3, MIGRATE_MOVABLE);
	fake_free(&fake.v, 40, 3, MIGRATE_MOVABLE);
	fake_event(&fake, 0,
		   (struct event){.type = EV_UNRESERVE_HIGHATOMIC, .pfn = 32, .order = 3});
	add_piece(add_alloc(3, GFP_KERNEL, OPF_FROZEN), 0, 2);
	add_alloc(2, GFP_KERNEL, 0);
	case_add_expect(&c, &wrong);
	play();
	assert_int_equal(r.nr_divergences, 1);
	assert_true(r.book.unmerged[40]);

	case_init(&other);
	other.machine = c.machine;
	other.nr_slots = 1;
	case_add_op(&other, &(struct op){.kind = OP_ALLOC, .order = 3});
	fake_give(&fake, 8);
	run_again(&r, &other);
	assert_nothing_held();
	assert_false(r.book.unmerged[32]);
	assert_false(r.book.unmerged[40]);
	assert_int_equal(run_finish(&r), 0);
	assert_int_equal(r.book.held[8], HELD(3));
	assert_int_equal(r.first.kind, FINDING_NONE);
	case_free(&other);
}

/* ---- refusals ------------------------------------------------------------ */

static void test_nested_is_refused(void **state)
{
	struct nested_op nested = {.op = {.kind = OP_DRAIN, .out = SLOT_NONE}};

	(void)state;
	play();
	assert_null(run_can_play(&c, &fake.subject));
	case_add_nested(&c, &nested);
	assert_string_equal(run_can_play(&c, &fake.subject),
			    "expected no ops of other CPUs inside an op");
}

static void test_subject_names(void **state)
{
	static const char *const refused[] = {"kernel:vmlinux.so", "port", "port:v99", "x"};
	struct machine machine;
	const char *why;
	struct subject *s;

	(void)state;
	machine_init(&machine);
	machine.nr_nodes = machine.nr_zones = 1;
	machine.zones[0] = (struct machine_zone){.type = ZONE_NORMAL, .pages = 4096};
	for (u32 i = 0; i < ARRAY_SIZE(refused); i++) {
		assert_null(subject_create(refused[i], &machine, &why));
		assert_int_equal(strncmp(why, "expected", strlen("expected")), 0);
	}
	s = subject_create("port:v7.3+V1", &machine, &why);
	assert_string_equal(s->name, "port:v7.3+V1");
	assert_int_equal(s->ops->view(s)->machine->policy.v1, 1);
	s->ops->destroy(s);
	machine.policy.v2 = 1;
	s = subject_create(NULL, &machine, &why);
	assert_string_equal(s->name, "port:v7.3+V2");
	s->ops->destroy(s);
	play();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		fake_test(test_wrong_pfn),	   fake_test(test_right_pfn_and_calls),
		fake_test(test_wrong_calls),	   fake_test(test_right_final),
		fake_test(test_wrong_final),	   fake_test(test_warnings),
		fake_test(test_wrong_machine),	   fake_test(test_again),
		fake_test(test_nested_is_refused), fake_test(test_subject_names),
	};

	return cmocka_run_group_tests_name("run_expect", tests, NULL, NULL);
}
