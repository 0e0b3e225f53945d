/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of the bytes form share: numbers, and members of a machine, as bytes. */
#ifndef HARNESS_BYTES_INTERNAL_H
#define HARNESS_BYTES_INTERNAL_H

#include "harness/bytes.h"

static inline u32 get_u32(const u8 *p)
{
	return p[0] | (u32)p[1] << 8 | (u32)p[2] << 16 | (u32)p[3] << 24;
}

/*
 * @width bytes, little endian; *@p goes on behind them. To read them takes no loop: there must be
 * BYTES_BEHIND more bytes, which do not matter.
 */
#define BYTES_BEHIND 3
static inline u32 bytes_get(const u8 **p, u32 width)
{
	u32 v = get_u32(*p) & UINT32_MAX >> (32 - 8 * width);

	*p += width;
	return v;
}
void bytes_put(u8 **p, u32 width, u32 v);

/* Which members a layout of the machine has (bytes_fields.c). */
enum bytes_layout { LAYOUT_COMPACT, LAYOUT_FULL, NR_LAYOUTS };

/* Each is stored as its difference from the default; @m holds the defaults. */
void bytes_get_fields(const u8 **p, enum bytes_layout layout, struct machine *m);
void bytes_put_fields(u8 **p, enum bytes_layout layout, const struct machine *m,
		      const struct machine *defaults);

#endif
