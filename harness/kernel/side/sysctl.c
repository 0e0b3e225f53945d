// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sysctls are written through the kernel's own table, with its handlers and limits: a tree that has
 * another rule for one of them shows it.
 */
#include "side.h"

/* enum sysctl of model/machine.h */
static const char *const names[] = {
	"defrag_mode",
	"watermark_boost_factor",
	"watermark_scale_factor",
	"min_free_kbytes",
	"percpu_pagelist_high_fraction",
	NULL, /* node_reclaim_mode: vmscan.c owns it */
	"lowmem_reserve_ratio",
	"lowmem_reserve_ratio",
	"lowmem_reserve_ratio",
	"lowmem_reserve_ratio",
};

enum { NODE_RECLAIM_MODE = 5, LOWMEM_RESERVE_DMA = 6 };

static const struct ctl_table *table;
static size_t table_size;

/* page_alloc_sysctl_init() registers the table here. */
void side_register_sysctl(const char *path, const struct ctl_table *t, const char *name, size_t nr)
{
	table = t;
	table_size = nr;
}
/* Its prototype differs from tree to tree. */
asm(".globl __register_sysctl_init\n.set __register_sysctl_init, side_register_sysctl\n");

#ifndef HAVE_PAGE_ALLOC_SYSCTL
/* The entries of kernel/sysctl.c that belong to page_alloc.c. */
#define ENTRY(variable, handler, min, max) \
	{ \
		.procname = #variable, .data = &variable, .maxlen = sizeof(variable), .proc_handler = handler, \
		.extra1 = min, .extra2 = max \
	}
void page_alloc_sysctl_init(void)
{
	static int zero, one = 1, scale_max = 3000;
	static struct ctl_table entries[] = {
		ENTRY(watermark_boost_factor, proc_dointvec_minmax, &zero, NULL),
		ENTRY(watermark_scale_factor, watermark_scale_factor_sysctl_handler, &one, &scale_max),
		ENTRY(min_free_kbytes, min_free_kbytes_sysctl_handler, &zero, NULL),
		ENTRY(percpu_pagelist_high_fraction, percpu_pagelist_high_fraction_sysctl_handler,
		      &zero, NULL),
		ENTRY(sysctl_lowmem_reserve_ratio, lowmem_reserve_ratio_sysctl_handler, NULL, NULL),
	};

	entries[4].procname = "lowmem_reserve_ratio";
	side_register_sysctl("vm", entries, "", ARRAY_SIZE(entries));
}
#endif

static const struct ctl_table *find(unsigned int which)
{
	for (size_t i = 0; names[which] && i < table_size; i++)
		if (table[i].procname && !strcmp(table[i].procname, names[which]))
			return &table[i];
	return NULL;
}

/* The value of an array is one of the four ratios. */
static int *value_of(unsigned int which)
{
	const struct ctl_table *entry = find(which);

	if (which == NODE_RECLAIM_MODE)
		return &node_reclaim_mode;
	if (!entry)
		return NULL;
	return (int *)entry->data + (which >= LOWMEM_RESERVE_DMA ? which - LOWMEM_RESERVE_DMA : 0);
}

/* @buffer holds as many ints as the entry has. */
int proc_dointvec_minmax(K_HANDLED_TABLE *entry, int write, void *buffer, size_t *length,
			 loff_t *position)
{
	size_t nr = entry->maxlen / sizeof(int);
	const int *from = buffer;

	for (size_t i = 0; i < nr; i++)
		if ((entry->extra1 && from[i] < *(int *)entry->extra1) ||
		    (entry->extra2 && from[i] > *(int *)entry->extra2))
			return -EINVAL;
	memcpy(entry->data, buffer, nr * sizeof(int));
	return 0;
}

int side_sysctl_write(unsigned int which, unsigned int value)
{
	const struct ctl_table *entry = find(which);
	int *at = value_of(which), buffer[8], old;
	size_t length = sizeof(buffer);
	loff_t position = 0;

	if (!at)
		return -ENOENT;
	if ((int)value < 0)
		return -EINVAL;
	if (!entry) {
		if (value > 1)
			return -EINVAL;
		*at = value;
		return 0;
	}
	old = at - (int *)entry->data;
	memcpy(buffer, entry->data, min_t(size_t, entry->maxlen, sizeof(buffer)));
	buffer[old] = value;
	return entry->proc_handler((struct ctl_table *)entry, 1, buffer, &length, &position);
}

/* Before anything is computed from it; 0 of min_free_kbytes means that it is computed. */
void side_sysctl_boot(unsigned int which, unsigned int value)
{
	int *at = value_of(which);

	if (at && which != SIDE_SYSCTL_MIN_FREE_KBYTES)
		*at = value;
}

int side_sysctl_read(unsigned int which)
{
	int *at = value_of(which);

	return at ? *at : 0;
}

bool side_defrag_mode(void)
{
	return side_sysctl_read(0);
}
