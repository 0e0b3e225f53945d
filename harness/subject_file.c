/* SPDX-License-Identifier: GPL-2.0-only */
/* Loading a port. It stays loaded: subjects come and go with every machine. */
#include "harness/subject_file.h"

#include <dlfcn.h>
#include <string.h>

static bool same_abi(const u32 *theirs)
{
	static const u32 ours[] = PORT_ABI;

	_Static_assert(ARRAY_SIZE(ours) == 16, "the first says how many follow");
	return theirs && theirs[0] == ours[0] && !memcmp(theirs, ours, sizeof(ours));
}

struct subject *subject_file_create(const char *file, const char *policy,
				    const struct machine *machine, const char **why)
{
	void *port = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	port_create_fn *create;

	*why = "expected a shared object that `make port` has built";
	if (!port)
		return NULL;
	if (!same_abi(dlsym(port, PORT_ABI_SYMBOL))) {
		if (dlsym(port, PORT_ABI_SYMBOL))
			*why = "expected a port with the same events, tables and ops";
		return NULL;
	}
	/* POSIX makes a function of it, C does not. */
	*(void **)&create = dlsym(port, PORT_CREATE_SYMBOL);
	*why = NULL;
	return create(policy, machine, why);
}
