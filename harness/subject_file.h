/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A port that is not this program's own: another revision of it, or one with a change, as a shared object
 * (`make port`). It brings model/ and subject_port.c along; cases, properties and everything else are ours,
 * so both must have the same idea of the tables in between.
 */
#ifndef HARNESS_SUBJECT_FILE_H
#define HARNESS_SUBJECT_FILE_H

#include "harness/subject.h"

/* Sizes of what crosses the border, and how many there are of what is numbered. */
#define PORT_ABI                       \
	{15,                           \
	 sizeof(struct view),          \
	 sizeof(struct page),          \
	 sizeof(struct zone),          \
	 sizeof(struct node),          \
	 sizeof(struct per_cpu_pages), \
	 sizeof(struct global),        \
	 sizeof(struct event),         \
	 sizeof(struct machine),       \
	 sizeof(struct call),          \
	 sizeof(struct result),        \
	 sizeof(struct op_report),     \
	 sizeof(struct subject_ops),   \
	 NR_EVENTS,                    \
	 NR_ENV_CALLS,                 \
	 NR_OPS}
#define PORT_ABI_SYMBOL "buddycheck_port_abi"

/* What the shared object exports under this name: the port with policy @policy ("v7.3+V1"). */
#define PORT_CREATE_SYMBOL "buddycheck_port_create"
typedef struct subject *port_create_fn(const char *policy, const struct machine *machine,
				       const char **why);

/* The port in @file with policy @policy; NULL and what was expected in *@why. */
struct subject *subject_file_create(const char *file, const char *policy,
				    const struct machine *machine, const char **why);

#endif
