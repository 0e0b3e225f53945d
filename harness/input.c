/* SPDX-License-Identifier: GPL-2.0-only */
/* Files into memory, plain or gzip, and from there to the decoder of their form. */
#include "harness/input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "harness/bytes.h"
#include "harness/recording.h"
#include "harness/script.h"

#define FIRST_ROOM (256UL << 10)
#define EXPECTED_FILE "expected a file that can be read, plain or gzip"

/* Nothing was read, so it is line 1 that cannot be. */
static bool fail(char err[CASE_ERROR_SIZE], const char *path, const char *what,
		 const char *expected)
{
	snprintf(err, CASE_ERROR_SIZE, "%.512s:1: %.128s (%.128s)", path, what, expected);
	return false;
}

/* ---- reading ------------------------------------------------------------- */

static gzFile open_input(const char *path)
{
	gzFile in;
	int fd;

	if (strcmp(path, "-") != 0)
		return gzopen(path, "rb");
	fd = dup(STDIN_FILENO); /* gzclose() closes it */
	in = fd < 0 ? NULL : gzdopen(fd, "rb");
	if (!in && fd >= 0)
		close(fd);
	return in;
}

/* Make room for more, up to one byte above the limit. */
static void more_room(char **data, size_t *room)
{
	size_t larger = *room ? *room * 2 : FIRST_ROOM;
	char *grown;

	if (larger > INPUT_MAX_SIZE)
		larger = INPUT_MAX_SIZE + 1;
	grown = realloc(*data, larger);
	if (!grown)
		abort();
	*data = grown;
	*room = larger;
}

/* What zlib says is wrong, without the name that it puts in front. */
static const char *why_of(gzFile in)
{
	int code;
	const char *why = gzerror(in, &code);

	for (const char *colon; (colon = strstr(why, ": "));)
		why = colon + 2;
	return why;
}

static bool read_all(gzFile in, const char *path, char **data, size_t *len, char *err)
{
	size_t room = 0;
	int got, code;

	do {
		if (*len == room)
			more_room(data, &room);
		got = gzread(in, *data + *len, (unsigned int)(room - *len));
		if (got < 0)
			return fail(err, path, why_of(in), EXPECTED_FILE);
		*len += (size_t)got;
		if (*len > INPUT_MAX_SIZE)
			return fail(err, path, "too large", "expected at most 64 MiB");
	} while (got);
	gzerror(in, &code);
	/* The end came before that of the gzip stream. */
	if (code == Z_BUF_ERROR)
		return fail(err, path, "the gzip data is cut off", "expected all of it");
	return true;
}

bool input_read(const char *path, char **data, size_t *len, char err[CASE_ERROR_SIZE])
{
	gzFile in = open_input(path);
	bool ok;

	*data = NULL;
	*len = 0;
	err[0] = '\0';
	if (!in)
		return fail(err, path, strerror(errno), EXPECTED_FILE);
	ok = read_all(in, path, data, len, err);
	gzclose(in);
	if (!ok) {
		free(*data);
		*data = NULL;
	}
	return ok;
}

/* ---- decoding ------------------------------------------------------------ */

enum case_form case_form(const char *data, size_t len)
{
	char err[CASE_ERROR_SIZE];
	struct text t;
	struct word w;

	if (len >= BYTES_MAGIC_SIZE && !memcmp(data, BYTES_MAGIC, BYTES_MAGIC_SIZE))
		return FORM_BYTES;
	text_init(&t, "", data, len, err);
	t.comments = true;
	if (!text_line(&t) || !text_word(&t, &w))
		return FORM_UNKNOWN;
	if (word_is(w, "buddycheck"))
		return FORM_SCRIPT;
	return word_is(w, "recording") ? FORM_RECORDING : FORM_UNKNOWN;
}

int case_decode(const char *name, const char *data, size_t len, struct testcase *c,
		char err[CASE_ERROR_SIZE])
{
	bool ok;

	switch (case_form(data, len)) {
	case FORM_SCRIPT:
		ok = script_parse(name, data, len, c, err);
		break;
	case FORM_BYTES:
		ok = bytes_decode(name, (const u8 *)data, len, c, err);
		break;
	case FORM_RECORDING:
		ok = recording_parse(name, data, len, c, err);
		break;
	default:
		snprintf(err, CASE_ERROR_SIZE,
			 "%.512s:1: no case (expected '" SCRIPT_FIRST_LINE
			 "', '" RECORDING_FIRST_LINE "' or bytes that begin with " BYTES_MAGIC ")",
			 name);
		ok = false;
	}
	return ok ? 0 : -1;
}

int case_load(const char *path, struct testcase *c, char err[CASE_ERROR_SIZE])
{
	size_t len;
	char *data;
	int ret;

	if (!input_read(path, &data, &len, err))
		return -1;
	ret = case_decode(path, data, len, c, err);
	free(data);
	return ret;
}
