/* SPDX-License-Identifier: GPL-2.0-only */
/* Which allocator a name like "port:v7.3" stands for. */
#include "harness/subject.h"

#include <string.h>

#include "harness/kernel/subject_kernel.h"
#include "harness/subject_file.h"
#include "harness/subject_port.h"

static const char *after_prefix(const char *text, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncmp(text, prefix, n) ? NULL : text + n;
}

/* "POLICY@FILE": a port of somebody else's. */
static struct subject *create_from_file(const char *policy, const char *at,
					const struct machine *machine, const char **why)
{
	char text[128];

	if (at - policy >= (ptrdiff_t)sizeof(text)) {
		*why = "expected a shorter policy";
		return NULL;
	}
	memcpy(text, policy, (size_t)(at - policy));
	text[at - policy] = '\0';
	return subject_file_create(at + 1, text, machine, why);
}

struct subject *subject_create(const char *name, const struct machine *machine, const char **why)
{
	struct machine m = *machine;
	const char *policy = name ? after_prefix(name, "port:") : NULL;
	const char *at = policy ? strchr(policy, '@') : NULL;
	const char *file = name ? after_prefix(name, "kernel:") : NULL;

	*why = NULL;
	if (policy && !at)
		*why = policy_parse(policy, &m.policy);
	else if (name && !file && !at)
		*why = "expected port:POLICY, port:POLICY@FILE or kernel:FILE";
	if (!*why)
		*why = machine_check(&m);
	if (*why)
		return NULL;
	if (at)
		return create_from_file(policy, at, &m, why);
	return file ? subject_kernel_create(file, &m, why) : subject_port_create(&m, why);
}
