/* SPDX-License-Identifier: GPL-2.0-only */
/* A kernel's own allocator as a subject: a shared object that `make kernel` has built. */
#ifndef HARNESS_KERNEL_SUBJECT_KERNEL_H
#define HARNESS_KERNEL_SUBJECT_KERNEL_H

#include "harness/generate.h"
#include "harness/kernel/abi.h"
#include "harness/subject.h"

/*
 * Boot @machine, which passes machine_check(), with the kernel in @file. NULL and a text in *@why if
 * there is no such kernel, or if it cannot play the machine.
 */
struct subject *subject_kernel_create(const char *file, const struct machine *machine,
				      const char **why);

/*
 * For generators: changes a machine as little as is needed for the kernel in @file, which must stay
 * valid: what is fixed when a kernel is built, and what its environment does not do. A machine for a
 * kernel that cannot be loaded stays as it is.
 */
struct machine_fitter subject_kernel_fitter(const char *file);

/* The way into it: for its counters, and for tests. NULL: @s is no kernel. */
const struct kernel_side *subject_kernel_side(struct subject *s);
/* For tests: its view as it was read last. */
const struct view *subject_kernel_view(struct subject *s);

#endif
