/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Signals that a kernel's code raises: a trap instruction is a WARN or a BUG, a write to a protected page
 * of the state is its first one, everything else ends the case. Signals that are not a kernel's go on to
 * whoever was there before (a sanitizer, a fuzzer).
 */
#ifndef HARNESS_KERNEL_TRAPS_H
#define HARNESS_KERNEL_TRAPS_H

#include <stdbool.h>

struct instance;

/* Ask @note about every invalid access, while @instance is booted; true: go on. */
void traps_watch_writes(struct instance *instance, bool (*note)(void *ctx, const char *address));
void traps_forget(struct instance *instance);

#endif
