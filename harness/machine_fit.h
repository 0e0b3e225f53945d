/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Make a machine that machine_check() accepts out of members that hold anything: for bytes and
 * for whoever makes machines up. What is legal already stays as it is.
 */
#ifndef HARNESS_MACHINE_FIT_H
#define HARNESS_MACHINE_FIT_H

#include "model/machine.h"

/*
 * Bring the rules between members about; zones and ranges aside, and where every member by itself
 * is in its range. What the machine does not have (CPUs, nodes) gets the value of machine_init().
 */
void machine_fit(struct machine *m);

/*
 * Is what the pcp lists hold never larger than a pageblock? Where it is, draining puts it on the
 * list of its first block alone (spec 3.4), and rule 10.8 does not hold.
 */
bool machine_pcp_fits_block(const struct machine *m);

/* Behind the zones that are there. One without pages, or not configured, is left out. */
void machine_add_zone(struct machine *m, u8 node, u8 type, u32 start, u32 pages);
/* After the last zone: there is one, and memory that is not for movable pages only. */
void machine_end_zones(struct machine *m);

/* Behind the ranges that are there, inside one zone, CMA in whole pageblocks; or left out. */
void machine_add_range(struct machine *m, u8 kind, u32 start, u32 pages);

#endif
