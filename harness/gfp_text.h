/* SPDX-License-Identifier: GPL-2.0-only */
/* gfp masks as text: GFP_KERNEL|__GFP_NORETRY; recordings leave "__GFP_" out. */
#ifndef HARNESS_GFP_TEXT_H
#define HARNESS_GFP_TEXT_H

#include "harness/text.h"

/* Room for every mask. */
#define GFP_TEXT_SIZE 512

/* Names joined by "|", or "0". False: @unknown is the name that is not known. */
bool gfp_parse(struct word text, u32 *gfp, struct word *unknown);

/* The largest masks first, then single flags; only bits of GFP_BITS_MASK have names. */
const char *gfp_print(u32 gfp, char buf[GFP_TEXT_SIZE]);

#endif
