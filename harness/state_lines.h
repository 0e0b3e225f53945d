/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lines of a recording that describe the machine and its state, as patterns. Scripts may
 * hold such lines as well (harness/state_text.h writes them).
 */
#ifndef HARNESS_STATE_LINES_H
#define HARNESS_STATE_LINES_H

#include "harness/text.h"

/* "zone 0 DMA32 start 0 pages 1024 min ...": node, zone_type, start, pages are the first values. */
extern const char boot_line_form[];
#define BOOT_LINE_VALUES 15

/*
 * Does @line have the words of @form? In a form, # is a number, ~ a number that may be negative,
 * @ a zone type, * any count of numbers at the end. The # and @ go to @values (NULL: not wanted).
 */
bool line_match(const char *form, struct word line, u32 *values);

/* Is this a line of a final state? */
bool final_line_known(struct word line);

#endif
