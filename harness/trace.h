/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An observer that prints events as a trace: public ones as the kernel's ftrace
 * prints them, inner ones as comments.
 *
 *      buddycheck-0       [000] .....     3.000001: mm_page_alloc: page=ffffea0000040000 ...
 *      # 3.000000 gpff zone=0 order=2 gfp=GFP_KERNEL alloc_flags=0x901 highest_idx=2 ...
 *
 * The seconds are the number of the op (from 1), the microseconds count its events.
 * Struct page lies at 0xffffea0000000000 + 64 * PFN, as on x86-64 without KASLR; gfp
 * flags have the names of a kernel without KASAN.
 */
#ifndef HARNESS_TRACE_H
#define HARNESS_TRACE_H

#include <stdio.h>

#include "model/event.h"
#include "model/view.h"

struct trace {
	FILE *out;
	const struct view *view;
	u32 op; /* number of the op that runs */
	u32 nr; /* events of it so far */
	struct observer observer; /* to be given to a run */
};

/* @mask: EV_PUBLIC, EV_ALL ... @t must stay where it is while it observes. */
void trace_init(struct trace *t, FILE *out, const struct view *view, u64 mask);
/* The next events belong to op number @op. */
void trace_op(struct trace *t, u32 op);

/* "mm_page_alloc: page=ffffea0000040000 ...", "gpff zone=0 order=2 ..."; no end of the line. */
void trace_write_event(FILE *out, const struct view *view, const struct event *event);

#endif
