/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The bytes form of a case: what fuzzers mutate. A file is
 *
 *      "BCKB"  version 1   body
 *
 * and only the first five bytes can be refused. The body is total: every string of bytes is a
 * case that can be played. It is a machine (bytes_machine.c) and then records of 16 bytes,
 * numbers little endian:
 *
 *      0     1     2                3      4    8  12
 *      kind  sub   node|point << 4  flags  gfp  a  b
 *
 *      kind 0x00..0x7f   an op: enum op_kind; sub, flags, gfp, a and b are those of struct op
 *           0x80..0xbf   an answer for the next op: call in the low bits; sub: kind, a: value,
 *                        b: extra
 *           0xc0..0xff   an op nested in the next op: op_kind in the low five bits; its CPU is in
 *                        gfp bits 26..31, bit 5 of kind is 64 more
 *
 * An object is an index into the live slots (live.h), modulo their number; the extent of a free is
 * its index + 1, or 0 for all. What else is out of range is brought into it (op_rules.h).
 * A rest shorter than a record, and answers and nested ops without an op behind them, are ignored.
 *
 * canon(b) = encode(decode(b)) has the same case, and canon(canon(b)) = canon(b).
 */
#ifndef HARNESS_BYTES_H
#define HARNESS_BYTES_H

#include "harness/case.h"
#include "harness/text.h"

#define BYTES_MAGIC "BCKB"
#define BYTES_MAGIC_SIZE 4
#define BYTES_VERSION 1
#define BYTES_PREFIX_SIZE (BYTES_MAGIC_SIZE + 1)

#define BYTES_RECORD_SIZE 16UL
#define BYTES_MAX_OPS 4096U
#define BYTES_MAX_RECORDS 16384U /* ops, answers and nested ops */
#define BYTES_MAX_PAGES (64U << 10)
#define BYTES_MAX_FUEL 4096U

/* A machine that is one of the shapes of bytes_machine.c with small changes; any machine. */
#define BYTES_COMPACT_SIZE 80
#define BYTES_FULL_SIZE 960
#define BYTES_FULL 0xff /* first byte of the latter */

struct bytes {
	u8 *data; /* the caller frees it */
	size_t len;
};

/* Total. @c must be empty; it passes case_check(). */
void bytes_decode_body(const u8 *body, size_t len, struct testcase *c);

/*
 * Encode @c, which must pass case_check(). NULL, or what bytes can hold ("expected at most 4096
 * ops"); @out is then empty.
 */
const char *bytes_encode_body(const struct testcase *c, struct bytes *out);

/*
 * The records of the ops of @c from @first on, as they follow the records of those before them; for a
 * case of any length. @out must be empty.
 */
void bytes_encode_records(const struct testcase *c, u32 first, struct bytes *out);

/* Where the members of a record are, and which record is an op of its own. */
enum bytes_member {
	RECORD_KIND = 0,
	RECORD_SUB = 1,
	RECORD_NODE = 2,
	RECORD_FLAGS = 3,
	RECORD_GFP = 4,
	RECORD_A = 8,
	RECORD_B = 12,
};
#define RECORD_IS_OP(record) ((record)[RECORD_KIND] < 0x80)

/* The same with magic and version: a file. */
bool bytes_decode(const char *file, const u8 *data, size_t len, struct testcase *c,
		  char err[CASE_ERROR_SIZE]);
const char *bytes_encode(const struct testcase *c, struct bytes *out);

/* ---- bytes_machine.c: the start of a body -------------------------------- */

/* Bytes of the machine at the start of @body, which may be shorter: zeros follow then. */
size_t bytes_machine_size(const u8 *body, size_t len);
void bytes_decode_machine(const u8 *body, size_t len, struct machine *m);
/* Writes to @header; returns its size, the compact one if that holds @m. */
size_t bytes_encode_machine(const struct machine *m, u8 header[BYTES_FULL_SIZE]);

#endif
