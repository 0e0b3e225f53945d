/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between two looks at a kernel. Pages that were read since the first one are compared, the
 * rest is small and compared whole:
 *
 *      read       page 64, page 65                     since_told
 *      told       64: refcount 1     65: refcount 1    as it was
 *      now        64: refcount 0     65: refcount 1    written: page 64
 */
#include "harness/kernel/kernel_view.h"

#include <stdlib.h>
#include <string.h>

/* ---- pages that were read ------------------------------------------------ */

static bool pfn_set_init(struct pfn_set *s, u32 nr_pages)
{
	s->pfns = calloc(nr_pages, sizeof(*s->pfns));
	s->has = calloc(nr_pages, sizeof(*s->has));
	return s->pfns && s->has;
}

static void pfn_set_exit(struct pfn_set *s)
{
	free(s->pfns);
	free(s->has);
}

static void pfn_set_add(struct pfn_set *s, u32 pfn)
{
	if (s->has[pfn])
		return;
	s->has[pfn] = true;
	s->pfns[s->nr++] = pfn;
}

static void pfn_set_clear(struct pfn_set *s)
{
	for (u32 i = 0; i < s->nr; i++)
		s->has[s->pfns[i]] = false;
	s->nr = 0;
}

void kernel_written_note(struct kernel_view *v, u32 pfn)
{
	pfn_set_add(&v->since_kept, pfn);
	pfn_set_add(&v->since_told, pfn);
}

/* ---- memory -------------------------------------------------------------- */

bool kernel_written_init(struct kernel_view *v)
{
	v->written_pages = calloc(v->view.nr_pages, sizeof(*v->written_pages));
	v->written_links = calloc(v->view.nr_links, sizeof(*v->written_links));
	v->kept_seen = calloc(v->view.nr_pages, v->page_size);
	v->kept_marks = calloc(v->view.nr_pages, sizeof(*v->kept_marks));
	v->written_blocks = calloc(kernel_view_blocks(&v->view), sizeof(*v->written_blocks));
	return v->written_pages && v->written_links && v->written_blocks && v->kept_seen &&
	       v->kept_marks && pfn_set_init(&v->since_kept, v->view.nr_pages) &&
	       pfn_set_init(&v->since_told, v->view.nr_pages) &&
	       kernel_tables_init(&v->kept, &v->view) && kernel_tables_init(&v->told, &v->view);
}

void kernel_written_exit(struct kernel_view *v)
{
	kernel_tables_exit(&v->kept);
	kernel_tables_exit(&v->told);
	pfn_set_exit(&v->since_kept);
	pfn_set_exit(&v->since_told);
	free(v->kept_seen);
	free(v->kept_marks);
	free(v->written_pages);
	free(v->written_links);
	free(v->written_blocks);
}

/* ---- going back ---------------------------------------------------------- */

static size_t nr_pcps(const struct view *view)
{
	return (size_t)view->machine->nr_zones * view->machine->nr_cpus;
}

/* All but the pages and their links. */
static void copy_small(struct kernel_tables *to, const struct kernel_tables *from,
		       const struct view *view)
{
	memcpy(to->zones, from->zones, view->machine->nr_zones * sizeof(*to->zones));
	memcpy(to->pcps, from->pcps, nr_pcps(view) * sizeof(*to->pcps));
	memcpy(to->links + view->nr_pages, from->links + view->nr_pages,
	       (view->nr_links - view->nr_pages) * sizeof(*to->links));
	memcpy(to->blocks, from->blocks, kernel_view_blocks(view));
}

static void copy_page(struct kernel_tables *to, const struct kernel_tables *from, u32 pfn)
{
	to->pages[pfn] = from->pages[pfn];
	to->links[pfn] = from->links[pfn];
}

void kernel_view_keep(struct kernel_view *v)
{
	for (u32 pfn = 0; pfn < v->view.nr_pages; pfn++) {
		copy_page(&v->kept, &v->now, pfn);
		copy_page(&v->told, &v->now, pfn);
	}
	memcpy(v->kept_seen, v->seen, (size_t)v->view.nr_pages * v->page_size);
	memcpy(v->kept_marks, v->seen_marks, v->view.nr_pages * sizeof(*v->kept_marks));
	copy_small(&v->kept, &v->now, &v->view);
	copy_small(&v->told, &v->now, &v->view);
	pfn_set_clear(&v->since_kept);
	pfn_set_clear(&v->since_told);
}

void kernel_view_reset(struct kernel_view *v)
{
	for (u32 i = 0; i < v->since_kept.nr; i++) {
		u32 pfn = v->since_kept.pfns[i];
		size_t at = (size_t)pfn * v->page_size;

		copy_page(&v->now, &v->kept, pfn);
		copy_page(&v->told, &v->kept, pfn);
		memcpy(v->seen + at, v->kept_seen + at, v->page_size);
		v->seen_marks[pfn] = v->kept_marks[pfn];
	}
	copy_small(&v->now, &v->kept, &v->view);
	copy_small(&v->told, &v->kept, &v->view);
	pfn_set_clear(&v->since_kept);
	pfn_set_clear(&v->since_told);
	v->nr_waiting = 0;
}

/* ---- what has changed ---------------------------------------------------- */

/* As memory: padding is as it was allocated, zero. */
static bool differ(const void *x, const void *y, size_t size)
{
	return memcmp(x, y, size) != 0;
}

static void compare_link(struct kernel_view *v, u32 index)
{
	struct link was = v->told.links[index], is = v->now.links[index];

	if (was.next != is.next || was.prev != is.prev)
		v->written_links[v->written.nr_links++] =
			(struct written_link){.index = index, .was = was};
}

static void compare_pages(struct kernel_view *v)
{
	for (u32 i = 0; i < v->since_told.nr; i++) {
		u32 pfn = v->since_told.pfns[i];

		if (differ(&v->told.pages[pfn], &v->now.pages[pfn], sizeof(struct page)))
			v->written_pages[v->written.nr_pages++] = pfn;
		compare_link(v, pfn);
		copy_page(&v->told, &v->now, pfn);
	}
	pfn_set_clear(&v->since_told);
}

static void compare_blocks(struct kernel_view *v)
{
	u32 nr = kernel_view_blocks(&v->view);

	for (u32 block = 0; block < nr; block++)
		if (v->told.blocks[block] != v->now.blocks[block])
			v->written_blocks[v->written.nr_blocks++] = (struct written_block){
				.block = block, .was = v->told.blocks[block]};
}

static void compare_zones(struct kernel_view *v)
{
	u32 nr_cpus = v->view.machine->nr_cpus;

	for (u32 zone = 0; zone < v->view.machine->nr_zones; zone++) {
		size_t pcp = (size_t)zone * nr_cpus;

		if (differ(&v->told.zones[zone], &v->now.zones[zone], sizeof(struct zone)) ||
		    differ(&v->told.pcps[pcp], &v->now.pcps[pcp],
			   nr_cpus * sizeof(struct per_cpu_pages)))
			v->written.zones |= 1ULL << zone;
	}
}

const struct written *kernel_view_written(struct kernel_view *v)
{
	v->written = (struct written){
		.pages = v->written_pages,
		.links = v->written_links,
		.blocks = v->written_blocks,
	};
	compare_pages(v);
	for (u32 i = v->view.nr_pages; i < v->view.nr_links; i++)
		compare_link(v, i);
	compare_blocks(v);
	compare_zones(v);
	copy_small(&v->told, &v->now, &v->view);
	return &v->written;
}
