/* SPDX-License-Identifier: GPL-2.0-only */
/* Machines for a kernel: what it was built for, and what its environment does. */
#ifndef HARNESS_KERNEL_MACHINE_H
#define HARNESS_KERNEL_MACHINE_H

#include "harness/kernel/abi.h"
#include "model/machine.h"

/* NULL, or what of @machine a kernel with @constants does not have: what was expected. */
const char *kernel_machine_check(const struct kernel_constants *constants,
				 const struct machine *machine);
/* Change @machine so that kernel_machine_check() passes, and machine_check() still does. */
void kernel_machine_fit(const struct kernel_constants *constants, struct machine *machine);
/* In plain types. */
void kernel_machine_from(const struct machine *machine, struct kernel_machine *to);

#endif
