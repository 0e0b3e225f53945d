/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A subject: an allocator that cases are played on. The port and every kernel
 * stand behind this one interface; callers (harness/callers/) sit above it.
 */
#ifndef HARNESS_SUBJECT_H
#define HARNESS_SUBJECT_H

#include "harness/case.h"
#include "model/event.h"
#include "model/port.h"
#include "model/view.h"
#include "properties/properties.h"

/*
 * One call into the allocator: an op with its references resolved to pages.
 *
 * kind             uses
 * OP_ALLOC ..NOLOCK order, node, gfp, nodemask, flags           -> pfn
 * OP_ALLOC_BULK    node, gfp, nodemask, pfns[nr]                -> pfns, nr
 * OP_FREE          pfn, order, flags (FROZEN: it has no reference; NOLOCK)
 *                  or with BATCH pfns[nr], orders[nr]: at most a folio_batch of folios, of
 *                  which the last reference goes
 * OP_FREE_PIECE    pfn, order: frozen pages of a split allocation
 * OP_GET, OP_MARK  pfn, order, a: marks, flags CLEAR
 * OP_CONTIG_RANGE  start, end in a, b; gfp, flags               -> error
 * OP_CONTIG_PAGES  a: nr; node, gfp, nodemask, flags            -> pfn
 * CALL_CONTIG_FREE pfn, a: nr, flags FROZEN
 * CALL_SPLIT       pfn, order, flags FROZEN
 * the others       as in struct op
 */
enum { CALL_CONTIG_FREE = NR_OPS, CALL_SPLIT, NR_CALLS };

struct call {
	u8 kind; /* enum op_kind or CALL_* */
	u8 order; /* also sub-kind */
	u8 node;
	u8 flags;
	u32 gfp;
	u32 nodemask; /* or NODEMASK_NULL */
	u32 pfn;
	u32 a, b;
	u32 *pfns;
	u8 *orders;
	u32 nr;
};

struct result {
	u32 pfn; /* or PFN_NONE */
	u32 nr; /* bulk: slots filled at the end */
	s32 error; /* 0 or a negative errno */
};

struct subject;

struct subject_ops {
	/* Back to the state after boot. */
	void (*reset)(struct subject *s);
	/* Is the state, byte by byte, the one after boot? A look at all of it. */
	bool (*is_pristine)(struct subject *s);
	/* See memory_begin_op(), memory_end_op(). */
	void (*begin_op)(struct subject *s, const struct answer *answers, u32 nr);
	void (*apply)(struct subject *s, const struct call *call, struct result *result);
	void (*end_op)(struct subject *s, struct op_report *report);
	void (*observe)(struct subject *s, const struct observer *observer);
	const struct view *(*view)(struct subject *s);
	/*
	 * What was changed in the view since the last call or the reset; valid until the next call. NULL:
	 * it is not known. No such function: this subject never knows.
	 */
	const struct written *(*written)(struct subject *s);
	/*
	 * The next thing that it has reported of itself since begin_op, or NULL: no more. view and request are
	 * not filled in. No such function: it reports nothing.
	 */
	const struct trouble *(*trouble)(struct subject *s);
	/* See memory_nest() ...; NULL: this subject does not play nested ops. */
	void (*nest)(struct subject *s, const struct nester *nester);
	void (*begin_nested)(struct subject *s, u32 cpu);
	void (*end_nested)(struct subject *s, struct op_report *report);
	/* Does it play ops like @op? NULL: all of them. */
	bool (*plays)(const struct subject *s, const struct op *op);
	void (*destroy)(struct subject *s);
};

struct subject {
	const struct subject_ops *ops;
	char name[128]; /* "port:v7.3+V1", "kernel:FILE" */
	u32 lacks; /* of what the port promises (enum promise of properties.h) */
};

/*
 * Make the subject that @name ("port:POLICY", "port:POLICY@FILE", "kernel:FILE") names for @machine. NULL and a text in
 * *@why (what was expected) if there is none. The policy in @name wins over the machine's; a NULL
 * @name takes the machine's. A kernel has a policy of its own, whatever the machine says.
 */
struct subject *subject_create(const char *name, const struct machine *machine, const char **why);

#endif
