/* SPDX-License-Identifier: GPL-2.0-only */
/* Which allocator a name like "port:v7.3" stands for. */
#include "harness/subject.h"

#include <string.h>

#include "harness/kernel/subject_kernel.h"
#include "harness/subject_port.h"

static const char *after_prefix(const char *text, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncmp(text, prefix, n) ? NULL : text + n;
}

struct subject *subject_create(const char *name, const struct machine *machine, const char **why)
{
	struct machine m = *machine;
	const char *policy = name ? after_prefix(name, "port:") : NULL;

	const char *file = name ? after_prefix(name, "kernel:") : NULL;

	*why = NULL;
	if (policy)
		*why = policy_parse(policy, &m.policy);
	else if (name && !file)
		*why = "expected port:POLICY or kernel:FILE";
	if (!*why)
		*why = machine_check(&m);
	if (*why)
		return NULL;
	return file ? subject_kernel_create(file, &m, why) : subject_port_create(&m, why);
}
