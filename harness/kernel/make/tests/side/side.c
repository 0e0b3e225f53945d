// SPDX-License-Identifier: GPL-2.0-only
/* The smallest kernel side: one function of the kernel that needs no machine, watched. */
#include <linux/mmzone.h>

#include "watched.h"

int calls;

int watch_zone_batchsize(struct zone *zone)
{
	calls++;
	return real_zone_batchsize(zone);
}

/* The batch of a zone of so many pages; negative: nobody watched. */
__attribute__((visibility("default"))) int batch_of(unsigned long pages);
int batch_of(unsigned long pages)
{
	static struct zone zone;
	int before = calls;

	atomic_long_set(&zone.managed_pages, pages);
	return watch_zone_batchsize(&zone) * (calls == before + 1 ? 1 : -1);
}
