/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A case: a machine and a sequence of operations. Plain data; a case alone
 * decides everything that happens. Every form (script, bytes, recording) decodes to
 * this struct, everything else works on it.
 *
 * An op that allocates creates one *slot*; the object in it is what the op
 * handed out, one or more extents of 2^order pages. Later ops name objects by
 * slot. An op whose object does not exist any more (the allocation failed, reclaim
 * took it) does nothing and is counted as skipped. Dropping an op therefore
 * never changes what the others mean.
 */
#ifndef HARNESS_CASE_H
#define HARNESS_CASE_H

#include "model/environment.h"
#include "model/machine.h"
#include "model/nest.h"
#include "model/types.h"

#define SLOT_NONE UINT32_MAX
#define EXTENT_ALL UINT32_MAX

#define CASE_MAX_OPS 1000000U
#define CASE_MAX_EXTENTS 512U /* of one object: pages of a bulk or hugetlb op */
#define CASE_MAX_OP_PARTS UINT16_MAX /* answers, nested ops of one op */

enum op_kind {
	/*                 order/sub   node  gfp  flags         a           b             creates */
	OP_ALLOC, /* order       x     x    FROZEN        -           nodemask|0    slot */
	OP_ALLOC_NOLOCK, /* order      x     x    -             -           -             slot */
	OP_ALLOC_BULK, /* -           x     x    -             nr          nodemask|0    slot of nr
			 *                                      flags: number of leading slots that are
			 *                                      filled already (0..255) */
	OP_FREE, /* -           -     -    NOLOCK BATCH  slot        extent|ALL         */
	OP_FREE_PIECE, /* order       -     -    -             slot        page offset; splits a
			 *                                      non-compound extent first          */
	OP_GET, /* take one more reference on every extent: slot in a                  */
	OP_MARK, /* -           -     -    CLEAR         slot        PG_* marks         */
	OP_DRAIN, /* enum drain  -     -    -             zone index  cpu                */
	OP_ISOLATE, /* mode        -     -    -             start PFN   end PFN            */
	OP_UNISOLATE, /* -           -     -    -             start PFN   end PFN            */
	OP_CONTIG_RANGE, /* -          -     x    FROZEN CMA    start PFN   end PFN       slot */
	OP_CONTIG_PAGES, /* -          x     x    FROZEN        nr          nodemask|0    slot */
	OP_CPU, /* -           -     -    -             cpu         -                  */
	OP_TASK, /* -           -     -    -             task flags  -                  */
	OP_CPUSET, /* -           -     -    -             mems_allowed mems_hardwall     */
	OP_SYSCTL, /* enum sysctl -     -    -             value       -                  */
	OP_KSWAPD, /* -           x     -    -             max pages   -                  */
	OP_KCOMPACTD, /* -           x     -    -             blocks      -                  */
	/* callers (spec 8); they issue allocations themselves */
	OP_FILEMAP, /* order hint  x     x    FGP_* P2 LRU  page index  min | max << 8 orders  slot */
	OP_MPOL, /* order       x     x    NO_INTERLEAVE -           nodemask|0    slot */
	OP_HUGETLB, /* order or 0: gigantic; node: first node; flags MOVABLE; a: pages    slot of a */
	NR_OPS,
};

enum op_flags {
	OPF_FROZEN = BIT(0), /* allocation without a reference */
	OPF_NOLOCK = BIT(1),
	OPF_BATCH = BIT(2), /* free through free_unref_folios */
	OPF_CLEAR = BIT(3),
	OPF_CMA = BIT(4), /* ACR_FLAGS_CMA */
	/* OP_FILEMAP */
	OPF_FGP_NOFS = BIT(0),
	OPF_FGP_NOWAIT = BIT(1),
	OPF_FGP_WRITE = BIT(2), /* writable mapping with writeback */
	OPF_P2 = BIT(3), /* the P2 variant of the order loop (spec 8.1) */
	OPF_LRU = BIT(4), /* the folio goes to the LRU */
	/* OP_MPOL */
	OPF_NO_INTERLEAVE = BIT(0), /* NO_INTERLEAVE_INDEX: no local-first attempt */
	/* OP_HUGETLB */
	OPF_MOVABLE = BIT(0),
};

enum drain {
	DRAIN_ALL, /* drain_all_pages(NULL) */
	DRAIN_ZONE, /* drain_all_pages(zone) */
	DRAIN_LOCAL, /* drain_local_pages(NULL): this CPU */
	DRAIN_CPU_ZONE, /* drain_pages_zone(cpu, zone) */
	DRAIN_EXPIRE, /* drain_zone_pages(zone, cpu) */
	DRAIN_DECAY, /* decay_pcp_high(zone, cpu) */
	DRAIN_PCP_DISABLE,
	DRAIN_PCP_ENABLE,
	NR_DRAINS,
};

struct op {
	u8 kind; /* enum op_kind */
	union {
		u8 order;
		u8 sub; /* enum drain, enum sysctl, isolate mode */
	};
	u8 node;
	u8 flags; /* enum op_flags */
	u32 gfp;
	u32 a, b;
	u32 out; /* slot that it creates, or SLOT_NONE */
	u32 first_answer; /* in case.answers; they belong to this op */
	u32 first_nested; /* in case.nested */
	u16 nr_answers;
	u16 nr_nested;
};

/* Names and line numbers that a script gave; for messages and for writing it again. */
struct op_origin {
	u32 line; /* in the file; 0: none */
	u32 name; /* offset in case.strings of the slot's name; 0: none */
};

struct nested_op {
	u8 point; /* enum nest_point */
	u8 cpu; /* the CPU that runs it */
	struct op op; /* has no answers and no nested ops */
	struct op_origin origin; /* may be lost, as those of ops */
};

/* What a script or a recording says that an op gives. */
struct expect {
	u32 op; /* index in ops */
	u32 pfn; /* first page, or PFN_NONE: the allocation fails */
	bool has_result;
	bool has_calls;
	u32 wakes, reclaim, compact, oom; /* calls made (recordings/README.md) */
};

struct testcase {
	struct machine machine;
	struct op *ops;
	u32 nr_ops;
	u32 nr_slots;
	struct answer *answers;
	u32 nr_answers;
	struct nested_op *nested;
	u32 nr_nested;
	/* What may be lost on the way through bytes: */
	struct expect *expects; /* ascending by op */
	u32 nr_expects;
	struct op_origin *origins; /* [nr_ops], or NULL */
	char *strings; /* names, each ended by NUL; offset 0 is "" */
	u32 strings_size;
	char **boot; /* expected `zone` lines of the state after boot, as in a recording */
	u32 nr_boot;
	char **final; /* expected lines of the final state, in order */
	u32 nr_final;
	char *subject; /* "port:v7.3+V1" if the form names one, or NULL */
	/* allocated sizes of the arrays above */
	u32 cap_ops, cap_answers, cap_nested, cap_expects, cap_strings, cap_boot, cap_final;
	u32 skipped_answers; /* bytes: answers of a kind that the machine does not play */
};

/* One row for each op kind: drives every decoder, encoder and generator. */
struct op_info {
	const char *name; /* as in scripts */
	bool creates; /* a slot */
	bool refers; /* a names a slot */
	bool nests; /* may be a nested op */
	bool node, gfp; /* are used */
	u8 sub, flags, a, b; /* enum op_use: what may be there */
};
extern const struct op_info op_infos[NR_OPS];

/* What an answer to a call may say. */
struct answer_info {
	u32 max_value, max_extra;
};
extern const struct answer_info answer_infos[NR_ENV_CALLS];

/* Does the machine ask for answers of this kind? (model/environment.h) */
bool answer_played(const struct machine *machine, const struct answer *answer);
extern const char *const drain_names[NR_DRAINS];
extern const char *const nest_point_names[NR_NEST_POINTS];

void case_init(struct testcase *c);
void case_free(struct testcase *c);
/* Take everything out of a case that has nothing but what bytes hold; keep its memory for the next. */
void case_clear(struct testcase *c);
/* Make room for @more ops. */
void case_reserve(struct testcase *c, u32 more);

/* Append; return the new element's index. They abort the process without memory. */
u32 case_add_op(struct testcase *c, const struct op *op);
u32 case_add_answer(struct testcase *c, const struct answer *answer);
u32 case_add_nested(struct testcase *c, const struct nested_op *nested);
u32 case_add_expect(struct testcase *c, const struct expect *expect);
u32 case_add_string(struct testcase *c, const char *text);
void case_add_boot(struct testcase *c, const char *line);
void case_add_final(struct testcase *c, const char *line);
/* Say where op @op, already added, comes from. */
void case_set_origin(struct testcase *c, u32 op, const struct op_origin *origin);

/* A copy that shares nothing; without what bytes lose if @plain. */
void case_copy(struct testcase *to, const struct testcase *from, bool plain);

/* Same machine, ops, answers and nested ops (names, expectations, lines aside; slots compared by
 * their creating op). */
bool case_equal(const struct testcase *x, const struct testcase *y);

/* In all that can be seen when they are played: unused members of the tables do not count. */
bool machine_equal(const struct machine *x, const struct machine *y);

/*
 * NULL if every op of @c can be played on its machine: orders, nodes, zones, PFNs, gfp bits,
 * slots (created before, not freed before), zero in what an op does not use. Otherwise what was
 * expected; *@op is the op, or UINT32_MAX for the machine. What decoders give passes, so that
 * nothing half-played ever happens.
 */
const char *case_check(const struct testcase *c, u32 *op);

#endif
