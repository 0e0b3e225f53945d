/* SPDX-License-Identifier: GPL-2.0-only */
/* The port (model/) as a subject. */
#ifndef HARNESS_SUBJECT_PORT_H
#define HARNESS_SUBJECT_PORT_H

#include "harness/subject.h"

/* For a machine that passes machine_check(). NULL and *@why without memory. */
struct subject *subject_port_create(const struct machine *machine, const char **why);

/* The port behind @s, which subject_port_create() made: for memory_is_pristine(). */
const struct memory *subject_port_memory(struct subject *s);

#endif
