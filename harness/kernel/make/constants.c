// SPDX-License-Identifier: GPL-2.0-only
/* Compiled to assembly with kernel flags: the lines "constant NAME VALUE" are read from it. */
#include <linux/mmzone.h>
#include <linux/pageblock-flags.h>

#define CONSTANT(name, value) __asm__("\n.ascii \"constant " #name " %c0\"" : : "i"(value))

void constants(void)
{
	CONSTANT(pageblock_order, pageblock_order);
#ifdef HAVE_NR_PAGE_ORDERS
	CONSTANT(max_page_order, MAX_PAGE_ORDER);
#else
	CONSTANT(max_page_order, MAX_ORDER - 1);
#endif
}
