/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Forced into the kernel's files of a checked build: writes that the compiler does not see, because they are
 * in inline assembly (atomic operations, bits). The kernel announces them to its sanitizers.
 */
#ifndef KERNEL_MAKE_INSTRUMENTED_H
#define KERNEL_MAKE_INSTRUMENTED_H

#include <linux/instrumented.h>

void side_written(const volatile void *address, unsigned long size);

#define instrument_write(address, size) side_written((address), (size))
#define instrument_read_write(address, size) side_written((address), (size))
#define instrument_atomic_write(address, size) side_written((address), (size))
#define instrument_atomic_read_write(address, size) side_written((address), (size))

#endif
