/* SPDX-License-Identifier: GPL-2.0-only */
/* For tests of the forms of a case: a script with every word in it, and small helpers. */
#ifndef HARNESS_TESTS_FORMS_H
#define HARNESS_TESTS_FORMS_H

#include "harness/case.h"
#include "harness/text.h"

/* Every line of the machine, every op with every option, as script_write() spells them. */
extern const char every_word[];

/* A machine of one zone; its ops begin at line 4. */
#define ONE_ZONE "buddycheck script 1\nzone 0 Normal start 0 pages 4096\n---\n"

/* Parse; the test fails with the message if the text is not good. */
void must_parse(const char *text, struct testcase *c);
void must_decode(const char *data, size_t len, struct testcase *c);

/* The case as a script; the caller frees it. */
char *script_text(const struct testcase *c);

/* Decoding gives this error, and an empty case. */
void must_fail(const char *data, size_t len, const char *error);

#endif
