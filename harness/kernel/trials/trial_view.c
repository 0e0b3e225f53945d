/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A kernel's view is exact, after each op and at each event inside: what is read of it by and by (the pages
 * that were written to) is what a look at everything sees. trial_view FILE.so... says it for each kernel.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/generate.h"
#include "harness/kernel/kernel_view.h"
#include "harness/kernel/subject_kernel.h"
#include "harness/run.h"
#include "harness/run_fit.h"

#define NR_CASES 60
#define NR_OPS 48

struct trial {
	struct subject *subject;
	struct kernel_view fresh; /* read whole */
	struct kernel_tables before; /* as view.written() has told it last */
	struct observer observer;
	u64 looks, wrong;
};

static void complain(struct trial *t, const char *what, u32 index)
{
	if (!t->wrong++)
		printf("look %llu: %s %u differs\n", (unsigned long long)t->looks, what, index);
}

/* ---- equal to a whole look ----------------------------------------------- */

static void compare_table(struct trial *t, const char *what, const void *x, const void *y,
			  size_t size, u32 nr)
{
	for (u32 i = 0; i < nr; i++)
		if (memcmp((const char *)x + i * size, (const char *)y + i * size, size) != 0)
			complain(t, what, i);
}

/* @v has been brought up to date. */
static void look(struct trial *t, const struct view *v)
{
	const struct kernel_tables *now = &t->fresh.now;

	t->looks++;
	kernel_view_read(&t->fresh, subject_kernel_side(t->subject));
	compare_table(t, "page", v->pages, now->pages, sizeof(*now->pages), v->nr_pages);
	compare_table(t, "link", v->links, now->links, sizeof(*now->links), v->nr_links);
	compare_table(t, "zone", v->zones, now->zones, sizeof(*now->zones), v->machine->nr_zones);
	compare_table(t, "pcp", v->pcps, now->pcps, sizeof(*now->pcps),
		      (u32)v->machine->nr_zones * v->machine->nr_cpus);
	compare_table(t, "block", v->pageblock_flags, now->blocks, 1, kernel_view_blocks(v));
}

static void look_at_event(void *ctx, const struct event *event)
{
	struct trial *t = ctx;

	(void)event;
	look(t, subject_kernel_view(t->subject));
}

/* ---- what has changed is told -------------------------------------------- */

static bool tells_link(const struct written *w, u32 index, struct link was)
{
	for (u32 i = 0; i < w->nr_links; i++)
		if (w->links[i].index == index)
			return !memcmp(&w->links[i].was, &was, sizeof(was));
	return false;
}

static bool tells_page(const struct written *w, u32 pfn)
{
	for (u32 i = 0; i < w->nr_pages; i++)
		if (w->pages[i] == pfn)
			return true;
	return false;
}

static void check_written(struct trial *t, const struct view *v, const struct written *w)
{
	struct kernel_tables *was = &t->before;

	for (u32 i = 0; i < v->nr_pages; i++)
		if (memcmp(&was->pages[i], &v->pages[i], sizeof(*was->pages)) != 0 &&
		    !tells_page(w, i))
			complain(t, "written page", i);
	for (u32 i = 0; i < v->nr_links; i++)
		if (memcmp(&was->links[i], &v->links[i], sizeof(*was->links)) != 0 &&
		    !tells_link(w, i, was->links[i]))
			complain(t, "written link", i);
	memcpy(was->pages, v->pages, v->nr_pages * sizeof(*was->pages));
	memcpy(was->links, v->links, v->nr_links * sizeof(*was->links));
}

/* ---- cases --------------------------------------------------------------- */

static void play(struct trial *t, const struct testcase *c)
{
	const struct view *v = t->subject->ops->view(t->subject);
	struct run r;

	memcpy(t->before.pages, v->pages, v->nr_pages * sizeof(*v->pages));
	memcpy(t->before.links, v->links, v->nr_links * sizeof(*v->links));
	run_init(&r, c, t->subject, CHECK_NONE, NULL);
	r.observer = t->observer;
	while (run_step(&r)) {
		const struct written *w = t->subject->ops->written(t->subject);

		look(t, v);
		check_written(t, v, w);
	}
	run_free(&r);
}

/* Twice, the second time after a reset. */
static bool try_case(const char *file, u64 seed, u64 *looks)
{
	struct machine_fitter fitter = subject_kernel_fitter(file);
	struct trial t = {.observer = {.event = look_at_event, .mask = EV_ALL, .views = true}};
	struct testcase c;
	struct rng rng = {seed};
	const char *why;

	case_init(&c);
	generate_machine_for(&rng, &c.machine, &fitter);
	generate_ops(&rng, NR_OPS, &c);
	t.observer.ctx = &t;
	t.subject = subject_kernel_create(file, &c.machine, &why);
	if (!t.subject) {
		printf("%s: seed %llu: %s\n", file, (unsigned long long)seed, why);
		return false;
	}
	if (run_fit(&c, &t.subject, 1) && kernel_view_init(&t.fresh, &c.machine, 64) &&
	    kernel_tables_init(&t.before, &t.fresh.view)) {
		for (u32 time = 0; time < 2; time++) {
			t.subject->ops->reset(t.subject);
			play(&t, &c);
		}
	}
	*looks += t.looks;
	t.subject->ops->destroy(t.subject);
	kernel_view_exit(&t.fresh);
	kernel_tables_exit(&t.before);
	case_free(&c);
	if (t.wrong)
		printf("%s: seed %llu: %llu differences\n", file, (unsigned long long)seed,
		       (unsigned long long)t.wrong);
	return !t.wrong && t.looks;
}

int main(int argc, char **argv)
{
	u32 passed = 0, failed = 0;

	for (int i = 1; i < argc; i++) {
		u64 looks = 0;

		for (u64 seed = 1; seed <= NR_CASES; seed++)
			*(try_case(argv[i], seed, &looks) ? &passed : &failed) += 1;
		printf("%s: %llu looks\n", argv[i], (unsigned long long)looks);
	}
	printf("%u passed, %u failed\n", passed, failed);
	return failed || !passed;
}
