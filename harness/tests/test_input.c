/* SPDX-License-Identifier: GPL-2.0-only */
/* Files: plain, gzip, standard input, limits; and hostile data for every form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <zlib.h>

#include "harness/bytes.h"
#include "harness/input.h"
#include "harness/rng.h"
#include "harness/tests/forms.h"

static const char script[] = ONE_ZONE "a = alloc order 0 node 0 gfp 0\nfree a\n";

/* A file in the directory for temporary ones, gone at the end of the test. */
static char path[256];

static int make_path(void **state)
{
	const char *dir = getenv("TMPDIR");
	int fd;

	(void)state;
	snprintf(path, sizeof(path), "%s/test_input.XXXXXX", dir ? dir : "/tmp");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
	return 0;
}

static int remove_path(void **state)
{
	(void)state;
	unlink(path);
	return 0;
}

static FILE *must_open(const char *mode)
{
	FILE *file = fopen(path, mode);

	if (!file)
		abort();
	return file;
}

/* Texts made by hand have no NUL at their end. */
static void put(char *to, const char *text, size_t len)
{
	memcpy(to, text, len);
}

static void write_plain(const char *data, size_t len)
{
	FILE *out = must_open("wb");

	assert_int_equal(fwrite(data, 1, len, out), len);
	fclose(out);
}

static void write_gz(const char *data, size_t len)
{
	gzFile out = gzopen(path, "wb");

	assert_non_null(out);
	assert_int_equal(gzwrite(out, data, (unsigned int)len), (int)len);
	gzclose(out);
}

static void load(const char *from, u32 nr_ops)
{
	char err[CASE_ERROR_SIZE];
	struct testcase c;

	case_init(&c);
	if (case_load(from, &c, err))
		fail_msg("%s", err);
	assert_int_equal(c.nr_ops, nr_ops);
	case_free(&c);
}

/* @tail comes behind the path in the message. */
static void load_fails(const char *from, const char *tail)
{
	char err[CASE_ERROR_SIZE];
	struct testcase c;

	case_init(&c);
	assert_int_equal(case_load(from, &c, err), -1);
	assert_memory_equal(err, from, strlen(from));
	assert_string_equal(err + strlen(from), tail);
	assert_null(c.ops);
	case_free(&c);
}

/* The same case, plain and compressed, in all three forms; the form is told by the content. */
static void forms(void **state)
{
	static const char recording[] =
		"recording 1\nkernel 7.3.4\ntask plain\npageblock_order 9\nmax_page_order 10\n"
		"cpus 1\ndefrag_mode 0\nreclaim_returns 0 on its first 3 calls within one alloc, "
		"then 0 (it frees nothing)\ncompaction_returns COMPACT_COMPLETE\nseed 1\n"
		"zone 0 Normal start 0 pages 4096 min 1 low 1 high 1 promo 1 pcp_batch 1 "
		"pcp_high_min 1 pcp_high_max 1 lowmem_reserve 0 0 0 0\n"
		"drain\nend\npageblocks 0 Normal : 1\n";
	static const char bytes[BYTES_PREFIX_SIZE + BYTES_COMPACT_SIZE + 3 * BYTES_RECORD_SIZE] =
		"BCKB\1";

	(void)state;
	assert_int_equal(case_form(script, sizeof(script)), FORM_SCRIPT);
	assert_int_equal(case_form(recording, sizeof(recording)), FORM_RECORDING);
	assert_int_equal(case_form(bytes, sizeof(bytes)), FORM_BYTES);
	assert_int_equal(case_form("", 0), FORM_UNKNOWN);
	write_plain(script, strlen(script));
	load(path, 2);
	write_gz(script, strlen(script));
	load(path, 2);
	write_plain(recording, strlen(recording));
	load(path, 1);
	write_gz(recording, strlen(recording));
	load(path, 1);
	write_plain(bytes, sizeof(bytes));
	load(path, 3);
	write_gz(bytes, sizeof(bytes));
	load(path, 3);
}

/* "-" is the standard input, plain or compressed. */
static void standard_input(void **state)
{
	int saved = dup(STDIN_FILENO);

	(void)state;
	if (saved < 0)
		abort();
	write_gz(script, strlen(script));
	assert_non_null(freopen(path, "rb", stdin));
	load("-", 2);
	dup2(saved, STDIN_FILENO);
	close(saved);
}

/* No file, a directory, an empty file, something else. */
static void no_case(void **state)
{
	(void)state;
	load_fails(
		"/nonexistent",
		":1: No such file or directory (expected a file that can be read, plain or gzip)");
	load_fails("/", ":1: Is a directory (expected a file that can be read, plain or gzip)");
	write_plain("", 0);
	load_fails(path, ":1: no case (expected 'buddycheck script 1', 'recording 1' or bytes that "
			 "begin with BCKB)");
	write_plain("hello\n", 6);
	load_fails(path, ":1: no case (expected 'buddycheck script 1', 'recording 1' or bytes that "
			 "begin with BCKB)");
}

/* A gzip file that lost its end, at every length, and one with a wrong byte. */
static void broken_gzip(void **state)
{
	char data[256], err[CASE_ERROR_SIZE];
	struct testcase c;
	size_t len;
	FILE *in;

	(void)state;
	write_gz(script, strlen(script));
	in = must_open("rb");
	len = fread(data, 1, sizeof(data), in);
	fclose(in);
	if (len < 30 || len == sizeof(data))
		abort();
	for (size_t cut = 0; cut < len; cut++) {
		write_plain(data, cut);
		case_init(&c);
		assert_int_equal(case_load(path, &c, err), -1);
		case_free(&c);
	}
	write_plain(data, len - 4);
	load_fails(path, ":1: the gzip data is cut off (expected all of it)");
	data[len - 6] ^= 1; /* of the CRC */
	write_plain(data, len);
	load_fails(path,
		   ":1: incorrect data check (expected a file that can be read, plain or gzip)");
}

/* 64 MiB are read, one byte more is not, though the file has only 64 KiB. */
static void size_limit(void **state)
{
	static char blanks[1 << 20];
	gzFile out = gzopen(path, "wb1");

	(void)state;
	assert_non_null(out);
	memset(blanks, '\n', sizeof(blanks));
	gzwrite(out, script, (unsigned int)strlen(script));
	for (u32 i = 0; i < 63; i++)
		gzwrite(out, blanks, sizeof(blanks));
	gzwrite(out, blanks, (unsigned int)(sizeof(blanks) - strlen(script)));
	gzclose(out);
	load(path, 2);
	out = gzopen(path, "ab1");
	assert_non_null(out);
	gzwrite(out, "\n", 1);
	gzclose(out);
	load_fails(path, ":1: too large (expected at most 64 MiB)");
}

/* 1,000,000 ops are read, one more is not. */
static void op_limit(void **state)
{
	static const char drain[] = "drain all\n";
	size_t head = strlen(ONE_ZONE), size = strlen(drain);
	size_t len = head + (CASE_MAX_OPS + 1) * size;
	char *text = malloc(len);
	struct testcase c;

	(void)state;
	assert_non_null(text);
	put(text, ONE_ZONE, head);
	for (size_t at = head; at < len; at += size)
		put(text + at, drain, size);
	must_decode(text, len - size, &c);
	assert_int_equal(c.nr_ops, CASE_MAX_OPS);
	case_free(&c);
	must_fail(text, len, "t:1000004: too many ops (expected at most 1000000)");
	free(text);
}

/* Answers and nested ops of one op are limited to 65,535. */
static void part_limit(void **state)
{
	static const char *const parts[] = {"answer fault 1\n", "at drain cpu 0: drain all\n"};
	static const char *const errors[] = {
		"t:65539: too many answers for one op (expected at most 65535)",
		"t:65539: too many nested ops for one op (expected at most 65535)",
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(parts); i++) {
		size_t head = strlen(ONE_ZONE), size = strlen(parts[i]);
		size_t len = head + (CASE_MAX_OP_PARTS + 1UL) * size;
		char *text = malloc(len);

		assert_non_null(text);
		put(text, ONE_ZONE, head);
		for (size_t at = head; at < len; at += size)
			put(text + at, parts[i], size);
		must_fail(text, len, errors[i]);
		free(text);
	}
}

/* A line, a word and a name of 10 MB. */
static void long_lines(void **state)
{
	size_t head = strlen(ONE_ZONE), len = head + (10 << 20);
	char *text = malloc(len);
	char err[CASE_ERROR_SIZE];
	struct testcase c;

	(void)state;
	assert_non_null(text);
	put(text, ONE_ZONE, head);
	memset(text + head, 'x', len - head);
	must_fail(text, len,
		  "t:4: 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...' is not known here (expected "
		  "an op)");
	for (size_t at = head; at < len; at += 2)
		text[at] = ' ';
	put(text + head, "drain all ", 10);
	must_fail(text, len, "t:4: 'x' is not known here (expected a word of this op, or =>)");
	memset(text + head, '|', len - head);
	put(text + head, "alloc order 0 node 0 gfp IO", 27);
	must_fail(text, len, "t:4: the line ends early (expected gfp flags joined by '|', or 0)");
	memset(text + head, 'n', len - head);
	put(text + len - 34, " = alloc order 0 node 0 gfp 0 => 1", 34);
	case_init(&c);
	assert_int_equal(case_decode("t", text, len, &c, err), 0);
	assert_int_equal(c.nr_ops, 1);
	case_free(&c);
	free(text);
}

/*
 * Texts with random bytes changed, cut, doubled: whatever comes out, it is a case that can be
 * played, or an error with "expected" and an empty case. What is read can be written and read.
 */
static void decode_anything(const char *data, size_t len)
{
	char *copy = malloc(len + !len);
	char err[CASE_ERROR_SIZE];
	struct testcase c, back;
	u32 op;

	assert_non_null(copy);
	put(copy, data, len);
	case_init(&c);
	if (case_decode("t", copy, len, &c, err)) {
		assert_non_null(strstr(err, "expected"));
		assert_null(strchr(err, '\n'));
		assert_null(c.ops);
		assert_null(c.strings);
	} else {
		char *text = script_text(&c);

		assert_null(case_check(&c, &op));
		must_parse(text, &back);
		assert_true(case_equal(&c, &back));
		case_free(&back);
		free(text);
	}
	case_free(&c);
	free(copy);
}

static void mutated(const char *text, u32 runs)
{
	static const char *const words[] = {"4294967295",
					    "4294967296",
					    "-1",
					    "0",
					    "|",
					    "=",
					    "[",
					    "]",
					    "..",
					    "+",
					    ":",
					    "#",
					    "---",
					    "node",
					    "zone",
					    "gfp",
					    "99999999999999999999"};
	size_t size = strlen(text);
	char *copy = malloc(2 * size + 64);
	struct rng r = {3};

	assert_non_null(copy);
	for (u32 i = 0; i < runs; i++) {
		size_t len = size, at;

		put(copy, text, size);
		for (u32 n = rng_between(&r, 1, 3); n > 0; n--) {
			const char *word = rng_pick(&r, words);

			at = rng_below(&r, (u32)len);
			switch (rng_below(&r, 4)) {
			case 0:
				copy[at] = (char)rng_next(&r);
				break;
			case 1:
				if (at + strlen(word) < len)
					put(copy + at, word, strlen(word));
				break;
			case 2: /* a piece is lost */
				memmove(copy + at, copy + at + (len - at) / 2,
					len - at - (len - at) / 2);
				len -= (len - at) / 2;
				break;
			default:
				len = at + 1;
			}
		}
		decode_anything(copy, len);
	}
	free(copy);
}

static void hostile_scripts(void **state)
{
	(void)state;
	mutated(every_word, 4000);
	mutated(script, 4000);
}

static void hostile_bytes(void **state)
{
	static char data[2000] = "BCKB\1";
	struct rng r = {5};

	(void)state;
	for (u32 i = 0; i < 2000; i++) {
		for (size_t k = BYTES_PREFIX_SIZE; k < sizeof(data); k++)
			data[k] = (char)rng_next(&r);
		decode_anything(data, rng_below(&r, sizeof(data)));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(forms, make_path, remove_path),
		cmocka_unit_test_setup_teardown(standard_input, make_path, remove_path),
		cmocka_unit_test_setup_teardown(no_case, make_path, remove_path),
		cmocka_unit_test_setup_teardown(broken_gzip, make_path, remove_path),
		cmocka_unit_test_setup_teardown(size_limit, make_path, remove_path),
		cmocka_unit_test(op_limit),
		cmocka_unit_test(part_limit),
		cmocka_unit_test(long_lines),
		cmocka_unit_test(hostile_scripts),
		cmocka_unit_test(hostile_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
