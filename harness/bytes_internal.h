/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of the bytes form share: numbers, and members of a machine, as bytes. */
#ifndef HARNESS_BYTES_INTERNAL_H
#define HARNESS_BYTES_INTERNAL_H

#include "harness/bytes.h"

/* @width bytes, little endian; *@p goes on behind them. */
u32 bytes_get(const u8 **p, u32 width);
void bytes_put(u8 **p, u32 width, u32 v);

/* Which members a layout of the machine has (bytes_fields.c). */
enum bytes_layout { LAYOUT_COMPACT, LAYOUT_FULL, NR_LAYOUTS };

/* Each is stored as its difference from the default; @m holds the defaults. */
void bytes_get_fields(const u8 **p, enum bytes_layout layout, struct machine *m);
void bytes_put_fields(u8 **p, enum bytes_layout layout, const struct machine *m,
		      const struct machine *defaults);

#endif
