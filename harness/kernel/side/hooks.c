// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which pages were written to. In a checked build the compiler calls a function before every write of
 * the kernel's code and of this side's (what it does for a race detector), and the kernel's own
 * instrumentation names the atomic ones. A page that is written to is noted once until it is asked for:
 *
 *      write to &pages[5].refcount   ->   dirty[5] = 1, list: 5
 *
 * The notes are a part of the state: a reset forgets them, and what the host knows of the pages goes back
 * by itself.
 */
#include "side.h"

#ifdef HAVE_WRITE_HOOKS

static unsigned int *list; /* [nr], room for every page */
static unsigned int nr;
static unsigned char *dirty; /* by PFN; NULL: not yet */

static inline void note(unsigned long pfn)
{
	if (pfn >= side.machine.nr_pages || dirty[pfn])
		return;
	dirty[pfn] = 1;
	list[nr++] = pfn;
}

static inline void written(const volatile void *p, unsigned long size)
{
	unsigned long in_map = (unsigned long)p - vmemmap_base;
	unsigned long in_marks = (unsigned long)p - (unsigned long)side.marks;

	if (!dirty)
		return;
	if (in_map < side.machine.nr_pages * sizeof(struct page)) {
		note(in_map / sizeof(struct page));
		note((in_map + size - 1) / sizeof(struct page));
	} else if (in_marks < side.machine.nr_pages * sizeof(*side.marks)) {
		note(in_marks / sizeof(*side.marks));
	}
}

void side_watch_pages(void)
{
	unsigned long nr_pages = side.machine.nr_pages;

	list = side.host.arena(PAGE_ALIGN(nr_pages * sizeof(*list)));
	dirty = side.host.arena(PAGE_ALIGN(nr_pages));
}

unsigned int side_dirty(unsigned int *pfns)
{
	unsigned int found = nr;

	for (unsigned int i = 0; i < found; i++) {
		dirty[list[i]] = 0;
		pfns[i] = list[i];
	}
	nr = 0;
	return found;
}

void side_written(const volatile void *p, unsigned long size)
{
	written(p, size);
}

#define READ(bytes)                              \
	void __tsan_read##bytes(void *p)         \
	{                                        \
	}                                        \
	void __tsan_unaligned_read##bytes(void *p) \
	{                                        \
	}                                        \
	void __tsan_volatile_read##bytes(void *p) \
	{                                        \
	}                                        \
	void __tsan_unaligned_volatile_read##bytes(void *p) \
	{                                        \
	}
#define WRITE(prefix, bytes)                     \
	void __tsan_##prefix##bytes(void *p)     \
	{                                        \
		written(p, bytes);               \
	}
#define ALL(bytes)                               \
	READ(bytes)                              \
	WRITE(write, bytes)                      \
	WRITE(unaligned_write, bytes)            \
	WRITE(volatile_write, bytes)             \
	WRITE(unaligned_volatile_write, bytes)   \
	WRITE(read_write, bytes)                 \
	WRITE(unaligned_read_write, bytes)
ALL(1)
ALL(2)
ALL(4)
ALL(8)
ALL(16)

void __tsan_read_range(void *p, unsigned long size)
{
}

void __tsan_write_range(void *p, unsigned long size)
{
	for (unsigned long at = 0; at < size; at += sizeof(struct page))
		written((char *)p + at, 1);
	written((char *)p + size - 1, 1);
}

/* clang's, in place of the functions themselves. */
void *__tsan_memcpy(void *to, const void *from, unsigned long size)
{
	if (size)
		__tsan_write_range(to, size);
	return memcpy(to, from, size);
}

void *__tsan_memmove(void *to, const void *from, unsigned long size)
{
	if (size)
		__tsan_write_range(to, size);
	return memmove(to, from, size);
}

void *__tsan_memset(void *to, int c, unsigned long size)
{
	if (size)
		__tsan_write_range(to, size);
	return memset(to, c, size);
}

void __tsan_func_entry(void *pc)
{
}

void __tsan_func_exit(void)
{
}

void __tsan_init(void)
{
}

#else

void side_watch_pages(void)
{
}

unsigned int side_dirty(unsigned int *pfns)
{
	return KERNEL_NO_PFN;
}

#endif
