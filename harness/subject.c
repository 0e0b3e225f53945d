/* SPDX-License-Identifier: GPL-2.0-only */
/* Which allocator a name like "port:v7.3" stands for. */
#include "harness/subject.h"

#include <string.h>

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

	*why = NULL;
	if (name && after_prefix(name, "kernel:"))
		*why = "expected port:POLICY; a kernel as the subject is not available in this "
		       "build";
	else if (name && !policy)
		*why = "expected port:POLICY";
	else if (policy)
		*why = policy_parse(policy, &m.policy);
	if (!*why)
		*why = machine_check(&m);
	return *why ? NULL : subject_port_create(&m, why);
}
