/* SPDX-License-Identifier: GPL-2.0-only */
/* Patterns of state lines, and how a line is held against one. */
#include "harness/state_lines.h"

#include <string.h>

#include "model/machine.h"

const char boot_line_form[] = "zone # @ start # pages # min # low # high # promo # pcp_batch # "
			      "pcp_high_min # pcp_high_max # lowmem_reserve # # # #";

static const char *const final_line_forms[] = {
	("final zone # @ free ~ reserved_highatomic # free_highatomic # boost # flags # "
	 "pcp_count ~ pcp_high ~ pcp_free_count ~ pcp_alloc_factor ~ free_blocks ~"),
	"final pcp # @ cpu # count ~ high ~ free_count ~ alloc_factor ~",
	"freelist # @ order # mt # : *",
	"pcplist # @ index # : *",
	"pcplist # @ cpu # index # : *",
	"trylocklist # @ : *",
	"pageblocks # @ : *",
	"warnings #",
};

/* Cut the next word off @rest; false at the end. */
static bool next_word(struct word *rest, struct word *w)
{
	const char *end = rest->s + rest->len;

	while (rest->s < end && (*rest->s == ' ' || *rest->s == '\t'))
		rest->s++;
	w->s = rest->s;
	while (rest->s < end && *rest->s != ' ' && *rest->s != '\t')
		rest->s++;
	w->len = (size_t)(rest->s - w->s);
	rest->len = (size_t)(end - rest->s);
	return w->len;
}

static bool match_number(struct word w, bool negative, u32 *value)
{
	if (negative && w.len && *w.s == '-')
		w = (struct word){.s = w.s + 1, .len = w.len - 1};
	return word_u32(w, value);
}

static bool match_word(struct word form, struct word w, u32 *value)
{
	switch (*form.s) {
	case '#':
		return match_number(w, false, value);
	case '~':
		return match_number(w, true, value);
	case '@':
		*value = word_index(w, zone_type_names, MAX_NR_ZONES);
		return *value < MAX_NR_ZONES;
	default:
		return form.len == w.len && !memcmp(form.s, w.s, w.len);
	}
}

bool line_match(const char *form, struct word line, u32 *values)
{
	struct word forms = {.s = form, .len = strlen(form)};
	struct word f, w;
	u32 value;

	while (next_word(&forms, &f)) {
		if (*f.s == '*') {
			while (next_word(&line, &w))
				if (!word_u32(w, &value))
					return false;
			return true;
		}
		if (!next_word(&line, &w) || !match_word(f, w, &value))
			return false;
		if (values && (*f.s == '#' || *f.s == '@'))
			*values++ = value;
	}
	return !next_word(&line, &w);
}

bool final_line_known(struct word line)
{
	for (size_t i = 0; i < ARRAY_SIZE(final_line_forms); i++)
		if (line_match(final_line_forms[i], line, NULL))
			return true;
	return false;
}
