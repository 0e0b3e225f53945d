/* SPDX-License-Identifier: GPL-2.0-only */
/* What a kernel promises: by the generation of its mechanisms, not by its number. */
#ifndef HARNESS_KERNEL_KERNEL_PROMISES_H
#define HARNESS_KERNEL_KERNEL_PROMISES_H

#include "harness/kernel/abi.h"
#include "model/policy.h"

/* enum promise bits of the port that the kernel takes back. */
u32 kernel_lacks(const struct kernel_generation *generation);
/* The switches of a policy that it has; the others as those of the port. */
void kernel_policy(const struct kernel_generation *generation, struct policy *policy);

#endif
