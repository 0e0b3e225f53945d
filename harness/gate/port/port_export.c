/* SPDX-License-Identifier: GPL-2.0-only */
/* What a shared object with a port shows of itself (harness/subject_file.h). */
#include <stdio.h>

#include "harness/subject_file.h"
#include "harness/subject_port.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT extern const u32 buddycheck_port_abi[];
const u32 buddycheck_port_abi[] = PORT_ABI;

EXPORT port_create_fn buddycheck_port_create;
struct subject *buddycheck_port_create(const char *policy, const struct machine *machine,
				       const char **why)
{
	struct machine m = *machine;

	*why = policy_parse(policy, &m.policy);
	if (!*why)
		*why = machine_check(&m);
	return *why ? NULL : subject_port_create(&m, why);
}
