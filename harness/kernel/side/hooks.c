// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which pages were written to. In a checked build the compiler calls a function before every write of
 * the kernel's code (what it does for a race detector), and the kernel's own instrumentation names the
 * atomic ones. A page's descriptor that is written to is noted once until it is asked for:
 *
 *      write to &pages[5].refcount   ->   dirty[5] = 1, list: 5
 */
#include "side.h"

#ifdef HAVE_WRITE_HOOKS

#define DIRTY_MAX 65536

static unsigned int list[DIRTY_MAX];
static unsigned int nr; /* more than DIRTY_MAX: nobody knows */
static unsigned char dirty[1 << 22]; /* by PFN */

static inline void written(const volatile void *p, unsigned long size)
{
	unsigned long at = (unsigned long)p - vmemmap_base;
	unsigned long pfn = at / sizeof(struct page);

	if (at >= side.machine.nr_pages * sizeof(struct page) || dirty[pfn])
		return;
	dirty[pfn] = 1;
	if (nr < DIRTY_MAX)
		list[nr] = pfn;
	nr++;
}

unsigned int side_dirty(unsigned int *pfns, unsigned int max)
{
	unsigned int found = nr;

	for (unsigned int i = 0; i < min(nr, DIRTY_MAX); i++) {
		dirty[list[i]] = 0;
		if (i < max)
			pfns[i] = list[i];
	}
	if (nr > DIRTY_MAX)
		memset(dirty, 0, sizeof(dirty));
	nr = 0;
	return found > max || found > DIRTY_MAX ? KERNEL_NO_PFN : found;
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

unsigned int side_dirty(unsigned int *pfns, unsigned int max)
{
	return KERNEL_NO_PFN;
}

#endif
