/* SPDX-License-Identifier: GPL-2.0-only */
#define _GNU_SOURCE
#include "harness/kernel/instance.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/kernel/traps.h"
#include "model/types.h"

#define PAGE 4096UL
#define ARENA_SIZE (1UL << 30) /* of addresses; what is not touched costs nothing */
/* Resets by a copy of everything: protecting pages and catching writes to them pays off later. */
#define COPIED_RESETS 16U
/* A kernel may find the head of a compound page by a mask: the memory map, which comes first, is aligned. */
#define ARENA_ALIGN (1UL << 26)

static struct instance *unused; /* loaded, and nobody's */
static struct instance *booting; /* whose arena grows */

/* ---- loading ------------------------------------------------------------- */

static struct instance *take_unused(const char *file)
{
	for (struct instance **at = &unused; *at; at = &(*at)->next) {
		struct instance *found = *at;

		if (strcmp(found->file, file) != 0)
			continue;
		*at = found->next;
		return found;
	}
	return NULL;
}

/*
 * A second instance of one file needs a copy: the loader knows objects by their file. A copy in memory
 * has no name that a debugger could find, so the first instance is the file itself. The copy stays open: its
 * path, by which the loader would find it loaded, must not be the next one's.
 */
static void *open_copy(const char *file)
{
	char path[64];
	int from = open(file, O_RDONLY | O_CLOEXEC);
	int to = memfd_create("buddycheck-kernel", MFD_CLOEXEC);
	struct stat st;
	void *handle = NULL;

	if (from >= 0 && to >= 0 && !fstat(from, &st)) {
		ssize_t n;

		do {
			char buffer[65536];

			n = read(from, buffer, sizeof(buffer));
			if (n > 0 && write(to, buffer, (size_t)n) != n)
				n = -1;
		} while (n > 0);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", to);
		if (!n)
			handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	}
	if (from >= 0)
		close(from);
	if (to >= 0 && !handle)
		close(to);
	return handle;
}

static void *open_object(const char *file)
{
	void *loaded = dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);

	if (loaded) {
		dlclose(loaded);
		return open_copy(file);
	}
	return dlopen(file, RTLD_NOW | RTLD_LOCAL);
}

static const char *check_side(const struct kernel_side *side)
{
	if (!side)
		return "expected a kernel that make kernel has built";
	if (side->abi != KERNEL_ABI)
		return "expected a kernel that this version of make kernel has built";
	return NULL;
}

static struct region region_of(const struct instance *in, unsigned int which)
{
	char *start, *end;

	in->side->region(which, &start, &end);
	return (struct region){.start = start, .size = (size_t)(end - start)};
}

static bool set_up(struct instance *in, const char *file)
{
	struct region *data = &in->regions[REGION_DATA];
	void *arena = mmap(NULL, ARENA_SIZE + ARENA_ALIGN, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	*data = region_of(in, REGION_DATA);
	in->side->constants(&in->constants);
	in->file = strdup(file);
	in->loaded = malloc(data->size);
	in->arena = arena == MAP_FAILED ? NULL : arena;
	in->regions[REGION_ARENA].start = (char *)arena + (-(uintptr_t)arena & (ARENA_ALIGN - 1));
	if (!in->file || !in->loaded || arena == MAP_FAILED)
		return false;
	memcpy(in->loaded, data->start, data->size);
	return true;
}

static void drop(struct instance *in)
{
	if (in->handle)
		dlclose(in->handle);
	if (in->arena)
		munmap(in->arena, ARENA_SIZE + ARENA_ALIGN);
	free(in->file);
	free(in->loaded);
	free(in->image);
	free(in->hot);
	free(in);
}

struct instance *instance_get(const char *file, const char **why)
{
	struct instance *in = take_unused(file);

	if (in)
		return in;
	*why = "expected memory for a kernel";
	in = calloc(1, sizeof(*in));
	if (!in)
		return NULL;
	in->handle = open_object(file);
	if (!in->handle) {
		*why = "expected a kernel's shared object that can be loaded";
		drop(in);
		return NULL;
	}
	in->side = dlsym(in->handle, "buddycheck_kernel");
	*why = check_side(in->side);
	if (*why) {
		drop(in);
		return NULL;
	}
	if (!set_up(in, file)) {
		*why = "expected memory for a kernel";
		drop(in);
		return NULL;
	}
	return in;
}

void instance_put(struct instance *in)
{
	in->next = unused;
	unused = in;
}

/* ---- the state ----------------------------------------------------------- */

static size_t state_size(const struct instance *in)
{
	size_t size = 0;

	for (u32 r = 0; r < NR_REGIONS; r++)
		size += in->regions[r].size;
	return size;
}

/* Page @i of the state, numbered as in the image. */
static char *page_at(const struct instance *in, size_t i)
{
	size_t at = i * PAGE;
	u32 r = 0;

	while (at >= in->regions[r].size)
		at -= in->regions[r++].size;
	return in->regions[r].start + at;
}

static void protect(const struct instance *in, int protection)
{
	for (u32 r = 0; r < NR_REGIONS; r++)
		mprotect(in->regions[r].start, in->regions[r].size, protection);
}

/* True: @address was a page of the state that is written to for the first time. */
static bool note_write(void *ctx, const char *address)
{
	struct instance *in = ctx;
	size_t before = 0;

	for (u32 r = 0; r < NR_REGIONS; r++) {
		const struct region *region = &in->regions[r];
		size_t at = (size_t)(address - region->start);

		if (at >= region->size) {
			before += region->size;
			continue;
		}
		in->hot[in->nr_hot++] = (u32)((before + at) / PAGE);
		return !mprotect(region->start + at / PAGE * PAGE, PAGE, PROT_READ | PROT_WRITE);
	}
	return false;
}

void *instance_arena(unsigned long size)
{
	struct region *arena = &booting->regions[REGION_ARENA];
	char *memory = arena->start + arena->size;

	size = (size + PAGE - 1) & ~(PAGE - 1);
	if (arena->size + size > ARENA_SIZE)
		instance_die("no room for the machine");
	arena->size += size;
	return memory;
}

static void as_loaded(struct instance *in)
{
	struct region *data = &in->regions[REGION_DATA];
	struct region *units = &in->regions[REGION_UNITS];
	struct region *arena = &in->regions[REGION_ARENA];

	if (in->nr_resets > COPIED_RESETS) {
		protect(in, PROT_READ | PROT_WRITE);
		traps_forget(in);
	}
	in->nr_resets = 0;
	in->booted = false;
	memcpy(data->start, in->loaded, data->size);
	if (units->size)
		memset(units->start, 0, units->size);
	units->size = 0;
	/* Fresh pages are zero. */
	if (arena->size)
		madvise(arena->start, arena->size, MADV_DONTNEED);
	arena->size = 0;
}

static bool keep_image(struct instance *in)
{
	size_t size, at = 0;

	in->regions[REGION_UNITS] = region_of(in, REGION_UNITS);
	size = state_size(in);
	free(in->image);
	free(in->hot);
	in->image = malloc(size);
	in->hot = malloc(size / PAGE * sizeof(*in->hot));
	in->nr_hot = 0;
	if (!in->image || !in->hot)
		return false;
	for (u32 r = 0; r < NR_REGIONS; at += in->regions[r++].size)
		memcpy(in->image + at, in->regions[r].start, in->regions[r].size);
	in->nr_resets = 0;
	return true;
}

bool instance_boot(struct instance *in, const struct kernel_host *host,
		   const struct kernel_machine *machine, const char **why)
{
	struct trap trap = {.in = in};

	as_loaded(in);
	booting = in;
	if (sigsetjmp(trap.out, 0)) {
		instance_catch(NULL);
		*why = trap.why;
		return false;
	}
	instance_catch(&trap);
	in->side->boot(host, machine);
	instance_catch(NULL);
	booting = NULL;
	*why = "expected memory for a kernel";
	in->booted = keep_image(in);
	return in->booted;
}

static void copy_all_back(const struct instance *in)
{
	size_t at = 0;

	for (u32 r = 0; r < NR_REGIONS; at += in->regions[r++].size)
		memcpy(in->regions[r].start, in->image + at, in->regions[r].size);
}

void instance_reset(struct instance *in)
{
	if (in->nr_resets <= COPIED_RESETS) {
		copy_all_back(in);
		if (in->nr_resets++ == COPIED_RESETS) {
			traps_watch_writes(in, note_write);
			protect(in, PROT_READ);
		}
	}
	for (unsigned int i = 0; i < in->nr_hot; i++)
		memcpy(page_at(in, in->hot[i]), in->image + in->hot[i] * PAGE, PAGE);
	in->side->enter();
}

bool instance_is_pristine(const struct instance *in)
{
	for (size_t i = 0; i < state_size(in) / PAGE; i++)
		if (memcmp(page_at(in, i), in->image + i * PAGE, PAGE) != 0)
			return false;
	return true;
}
