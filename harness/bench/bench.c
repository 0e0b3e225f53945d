/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the port costs: one function for each workload, so that callgrind can count its instructions
 * alone (ci/bench). Without arguments every workload is timed, "NAME ns"; with the name of one it runs
 * once, for callgrind, and prints how many iterations that were.
 *
 * All run with the journal, as the fuzzers do.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "model/gfp.h"
#include "model/port.h"

#define SMALL 4096
#define LARGE 65536
#define ROUNDS 50 /* timed; the fastest counts */

/* A booted machine and what a workload holds. */
struct bench {
	struct memory *m;
	u32 pages;
	u32 pfns[1024];
};

struct workload {
	const char *name;
	u32 pages; /* of the machine's one zone */
	u32 iterations;
	void (*prepare)(struct bench *b); /* or NULL */
	void (*run)(struct bench *b, u32 iterations);
};

/* ---- one op each --------------------------------------------------------- */

static u32 do_alloc(struct bench *b, u32 order, u32 gfp)
{
	struct op_report report;
	u32 pfn;

	memory_begin_op(b->m, NULL, 0);
	pfn = alloc_pages(b->m, gfp, order, 0, NODEMASK_NULL);
	memory_end_op(b->m, &report);
	return pfn;
}

static void do_free(struct bench *b, u32 pfn, u32 order)
{
	struct op_report report;

	memory_begin_op(b->m, NULL, 0);
	__free_pages(b->m, pfn, order);
	memory_end_op(b->m, &report);
}

static void disable_pcp(struct bench *b)
{
	struct op_report report;

	memory_begin_op(b->m, NULL, 0);
	zone_pcp_disable(b->m, zone_at(b->m, 0));
	memory_end_op(b->m, &report);
}

/* ---- the workloads ------------------------------------------------------- */

/* An order-0 page from the per-cpu list and back. */
__attribute__((noinline)) static void bench_pcp_pair(struct bench *b, u32 iterations)
{
	for (u32 i = 0; i < iterations; i++)
		do_free(b, do_alloc(b, 0, GFP_KERNEL), 0);
}

/* An order-3 block without per-cpu lists: split from order 10 and merged back each time. */
__attribute__((noinline)) static void bench_order3_pair(struct bench *b, u32 iterations)
{
	for (u32 i = 0; i < iterations; i++)
		do_free(b, do_alloc(b, 3, GFP_KERNEL), 3);
}

/* Order-0 pages in a row, each batch of them a refill of the per-cpu list; then all back. */
__attribute__((noinline)) static void bench_bulk_refill(struct bench *b, u32 iterations)
{
	for (u32 i = 0; i < iterations; i++)
		b->pfns[i] = do_alloc(b, 0, GFP_KERNEL);
	for (u32 i = 0; i < iterations; i++)
		do_free(b, b->pfns[i], 0);
}

/* Every second page free, all in UNMOVABLE blocks: a MOVABLE request can only steal. */
static void prepare_fallback(struct bench *b)
{
	u32 *pfns = calloc(b->pages, sizeof(*pfns));
	u32 nr = 0;

	disable_pcp(b);
	while (nr < b->pages) {
		pfns[nr] = do_alloc(b, 0, GFP_KERNEL | __GFP_MEMALLOC);
		if (pfns[nr] == PFN_NONE)
			break;
		nr++;
	}
	for (u32 i = 0; i < nr; i++)
		if (pfns[i] % 2)
			do_free(b, pfns[i], 0);
	free(pfns);
}

__attribute__((noinline)) static void bench_fallback(struct bench *b, u32 iterations)
{
	for (u32 i = 0; i < iterations; i++)
		do_free(b, do_alloc(b, 0, GFP_HIGHUSER_MOVABLE), 0);
}

/* No block of order 10 to be had: two rounds of the slow path, then failure. */
static void prepare_slow_failure(struct bench *b)
{
	do_alloc(b, 0, GFP_KERNEL);
	while (do_alloc(b, 10, GFP_KERNEL) != PFN_NONE)
		;
}

__attribute__((noinline)) static void bench_slow_failure(struct bench *b, u32 iterations)
{
	for (u32 i = 0; i < iterations; i++)
		do_alloc(b, 10, GFP_KERNEL);
}

/* 64 ops of several orders and types, some of them freed: what one fuzz case leaves to undo. */
static void prepare_undo(struct bench *b)
{
	static const u32 gfps[] = {GFP_KERNEL, GFP_HIGHUSER_MOVABLE,
				   GFP_KERNEL | __GFP_RECLAIMABLE};

	for (u32 i = 0; i < 40; i++)
		b->pfns[i] = do_alloc(b, i % 5, gfps[i % 3]);
	for (u32 i = 0; i < 24; i++)
		do_free(b, b->pfns[i], i % 5);
}

__attribute__((noinline)) static void bench_undo(struct bench *b, u32 iterations)
{
	for (u32 i = 0; i < iterations; i++)
		memory_reset(b->m);
}

static const struct workload workloads[] = {
	{"pcp_pair", LARGE, 1000, NULL, bench_pcp_pair},
	{"order3_pair", LARGE, 1000, disable_pcp, bench_order3_pair},
	{"bulk_refill", LARGE, 1000, NULL, bench_bulk_refill},
	{"fallback", SMALL, 1000, prepare_fallback, bench_fallback},
	{"slow_failure", LARGE, 100, prepare_slow_failure, bench_slow_failure},
	{"undo_4k", SMALL, 1, prepare_undo, bench_undo},
	{"undo_64k", LARGE, 1, prepare_undo, bench_undo},
};

/* ---- running them -------------------------------------------------------- */

static void boot(struct bench *b, u32 pages)
{
	struct machine machine;

	machine_init(&machine);
	machine.nr_zones = 1;
	machine.zones[0] = (struct machine_zone){.type = ZONE_NORMAL, .pages = pages};
	machine.pcp_batch = 63;
	machine.pcp_high_min = 252;
	machine.pcp_high_max = 504;
	b->pages = pages;
	b->m = memory_create(&machine);
	if (!b->m) {
		fprintf(stderr, "bench: no memory\n");
		exit(2);
	}
}

static double run_timed(struct bench *b, const struct workload *w)
{
	struct timespec start, end;

	memory_reset(b->m);
	if (w->prepare)
		w->prepare(b);
	clock_gettime(CLOCK_MONOTONIC, &start);
	w->run(b, w->iterations);
	clock_gettime(CLOCK_MONOTONIC, &end);
	return ((double)(end.tv_sec - start.tv_sec) * 1e9 + (double)(end.tv_nsec - start.tv_nsec)) /
	       w->iterations;
}

static void time_workload(const struct workload *w)
{
	struct bench b = {0};
	double best = 0;

	boot(&b, w->pages);
	for (u32 i = 0; i < ROUNDS; i++) {
		double ns = run_timed(&b, w);

		if (!i || ns < best)
			best = ns;
	}
	printf("%s %.0f\n", w->name, best);
	memory_destroy(b.m);
}

/* One run. callgrind is told to count inside of the workload's function alone. */
static void count_workload(const struct workload *w)
{
	struct bench b = {0};

	boot(&b, w->pages);
	/* Let the journal grow to its size. */
	for (u32 i = 0; i < 10000; i++)
		do_free(&b, do_alloc(&b, 0, GFP_KERNEL), 0);
	memory_reset(b.m);
	if (w->prepare)
		w->prepare(&b);
	w->run(&b, w->iterations);
	printf("%u\n", w->iterations);
	memory_destroy(b.m);
}

/* Everything that a booted machine of LARGE pages keeps, by page. */
static void print_bytes_per_page(void)
{
	struct mallinfo2 before = mallinfo2(), after;
	struct bench b = {0};

	boot(&b, LARGE);
	after = mallinfo2();
	printf("bytes_per_page %zu\n",
	       (after.uordblks + after.hblkhd - before.uordblks - before.hblkhd + LARGE - 1) /
		       LARGE);
	memory_destroy(b.m);
}

int main(int argc, char **argv)
{
	if (argc < 2)
		print_bytes_per_page();
	for (size_t i = 0; i < ARRAY_SIZE(workloads); i++) {
		if (argc < 2)
			time_workload(&workloads[i]);
		else if (!strcmp(argv[1], workloads[i].name))
			count_workload(&workloads[i]);
	}
	return 0;
}
