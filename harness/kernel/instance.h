/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A kernel in this process: a shared object, the memory of its machine, and the way back to the state
 * after boot.
 *
 *      data    [ .data and .bss of the kernel's objects ]     in the shared object
 *      units   [ CPU 0 | CPU 1 ... ]                          per-CPU memory, in the shared object
 *      arena   [ memory map | sections ... ]                  what boot asked for
 *      image   [ data          | units       | arena   ]      all of it, as it was after boot
 *
 * The first few times all of the image is copied back. A machine that is used more often is protected: the
 * first write to one of its pages unprotects that page for good and notes it, and what was ever noted is
 * copied back.
 */
#ifndef HARNESS_KERNEL_INSTANCE_H
#define HARNESS_KERNEL_INSTANCE_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

#include "harness/kernel/abi.h"

enum { REGION_DATA, REGION_UNITS, REGION_ARENA, NR_REGIONS };

struct instance {
	const struct kernel_side *side;
	struct kernel_constants constants;
	/* Private: */
	void *handle;
	char *file;
	struct region {
		char *start;
		size_t size;
	} regions[NR_REGIONS];
	char *loaded; /* the data as it was loaded */
	void *arena; /* addresses for the region */
	char *image; /* after boot */
	unsigned int *hot; /* pages that were written to, numbered as in the image */
	unsigned int nr_hot;
	unsigned int nr_resets;
	bool booted;
	struct instance *next; /* in the list of those that nobody uses */
};

/* What was not caught yet; a call into the kernel sets it. */
struct trap {
	sigjmp_buf out;
	struct instance *in;
	const char *why; /* "BUG", "invalid access"; set when @out was taken */
};

/* The kernel in @file, not booted. NULL and a text in *@why (static) if it cannot be loaded. */
struct instance *instance_get(const char *file, const char **why);
/* Nobody uses it any more: the next one who asks for this file gets it. */
void instance_put(struct instance *instance);

/* Boot @machine; false: the kernel did not survive it (*@why). */
bool instance_boot(struct instance *instance, const struct kernel_host *host,
		   const struct kernel_machine *machine, const char **why);
/* Exactly the state after boot. */
void instance_reset(struct instance *instance);
/* Compare all of the state with the one after boot. */
bool instance_is_pristine(const struct instance *instance);

/* Memory of the machine that boots, for struct kernel_host. */
void *instance_arena(unsigned long size);
/* Point gs at @base, for struct kernel_host. */
void instance_set_gs(unsigned long base);

/* From now on traps inside of a kernel's code come to @trap; NULL: they are nobody's. */
void instance_catch(struct trap *trap);
/* The kernel cannot go on: never returns. */
void instance_die(const char *why) __attribute__((noreturn));

#endif
