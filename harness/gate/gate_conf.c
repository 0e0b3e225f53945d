/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading configurations. */
#include "harness/gate/gate_conf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/gate/gate_internal.h"
#include "harness/input.h"

#define DEFAULT_LIMIT ((struct gate_limit){.percent = 5, .more = 20})

struct reader {
	struct gate_conf *conf;
	struct text text;
	bool in_accepted; /* a file of an `accepted` line */
};

void gate_conf_init(struct gate_conf *conf)
{
	*conf = (struct gate_conf){0};
	for (u32 i = 0; i < NR_GATE_METRICS; i++)
		conf->limits[i] = DEFAULT_LIMIT;
}

void gate_conf_free(struct gate_conf *conf)
{
	for (u64 i = 0; i < conf->nr_accepted; i++) {
		free(conf->accepted[i].candidate);
		free(conf->accepted[i].until);
		free(conf->accepted[i].reason);
		free(conf->accepted[i].file);
	}
	free(conf->accepted);
}

/* ---- words --------------------------------------------------------------- */

/* "5%" */
static bool is_percent(struct word w, u32 *percent)
{
	struct word number;

	return word_cut(&w, '%', &number) && !w.len && word_u32(number, percent);
}

/* Index of the metric, or NR_GATE_METRICS. */
static u32 find_metric(struct word w)
{
	u32 i = 0;

	while (i < NR_GATE_METRICS && !word_is(w, gate_metrics[i].name))
		i++;
	return i;
}

static u32 find_property(struct word w)
{
	u32 i = 0;

	while (i < nr_properties && !word_is(w, properties[i]->id))
		i++;
	return i;
}

static bool is_date(const char *text)
{
	u32 year, month, day;
	int n = 0;

	return sscanf(text, "%4u-%2u-%2u%n", &year, &month, &day, &n) == 3 && n == 10 &&
	       !text[10] && month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/* ---- lines --------------------------------------------------------------- */

#define EXPECTED_COST "expected a cost that `buddycheck gate --costs` lists"

/* "limit COST N% [N]", "limit COST any"; behind the first word. */
static bool read_limit(struct reader *r)
{
	struct text *t = &r->text;
	struct gate_limit limit = {0};
	struct word cost, much, more;
	bool all;

	text_word(t, &cost);
	text_word(t, &much);
	limit.any = word_is(much, "any");
	all = word_is(cost, "all");
	if (!all && find_metric(cost) == NR_GATE_METRICS)
		return text_fail_word(t, EXPECTED_COST ", or all", cost);
	if (!limit.any && !is_percent(much, &limit.percent))
		return text_fail_word(t, "expected N% or any", much);
	if (!limit.any && text_word(t, &more) && !word_u32(more, &limit.more))
		return text_fail_word(t, "expected a number", more);
	for (u32 i = 0; i < NR_GATE_METRICS; i++) {
		if (all || word_is(cost, gate_metrics[i].name))
			r->conf->limits[i] = limit;
	}
	return text_end_line(t);
}

/* "property ID" or "cost NAME" */
static bool read_what(struct text *t, struct gate_accepted *a)
{
	struct word sort, name;

	text_word(t, &sort);
	text_word(t, &name);
	a->is_property = word_is(sort, "property");
	if (!a->is_property && !word_is(sort, "cost"))
		return text_fail_word(t, "expected property or cost", sort);
	a->which = a->is_property ? find_property(name) : find_metric(name);
	if (a->is_property && a->which == nr_properties)
		return text_fail_word(t, "expected a property that `buddycheck properties` lists",
				      name);
	if (!a->is_property && a->which == NR_GATE_METRICS)
		return text_fail_word(t, EXPECTED_COST, name);
	return true;
}

/* "of CANDIDATE until DATE because REASON" */
static bool read_terms(struct text *t, struct gate_accepted *a)
{
	struct word w;

	if (!text_literal(t, "of") || !text_word(t, &w))
		return text_fail(t, "expected of CANDIDATE", "the line ends early");
	a->candidate = word_copy(w);
	if (!text_literal(t, "until"))
		return false;
	text_word(t, &w);
	a->until = word_copy(w);
	if (!is_date(a->until))
		return text_fail_word(t, "expected YYYY-MM-DD", w);
	if (!text_literal(t, "because"))
		return false;
	w = text_rest(t);
	a->reason = word_copy(w);
	return w.len || text_fail(t, "expected because REASON", "there is no reason");
}

/* Behind the first word. */
static bool read_accept(struct reader *r)
{
	struct gate_conf *conf = r->conf;
	struct gate_accepted *a;

	if (conf->nr_accepted == conf->cap_accepted)
		conf->accepted =
			gate_grow(conf->accepted, &conf->cap_accepted, sizeof(*conf->accepted));
	a = &conf->accepted[conf->nr_accepted++];
	*a = (struct gate_accepted){.line = r->text.line};
	a->file = word_copy((struct word){r->text.file, strlen(r->text.file)});
	return read_what(&r->text, a) && read_terms(&r->text, a);
}

static bool read_file(struct gate_conf *conf, const char *path, bool in_accepted, char *err);

static bool read_accepted(struct reader *r)
{
	struct word w;
	char *path;
	bool ok;

	if (!text_word(&r->text, &w))
		return text_fail_word(&r->text, "expected accepted FILE", w);
	path = word_copy(w);
	ok = text_end_line(&r->text) && read_file(r->conf, path, true, r->text.err);
	free(path);
	return ok;
}

static bool read_line(struct reader *r)
{
	struct word w;

	text_word(&r->text, &w);
	if (word_is(w, "accept"))
		return read_accept(r);
	if (r->in_accepted)
		return text_fail_word(&r->text, "expected accept", w);
	if (word_is(w, "limit"))
		return read_limit(r);
	if (word_is(w, "accepted"))
		return read_accepted(r);
	return text_fail_word(&r->text, "expected limit, accept or accepted", w);
}

static bool read_file(struct gate_conf *conf, const char *path, bool in_accepted, char *err)
{
	struct reader r = {.conf = conf, .in_accepted = in_accepted};
	bool ok = true;
	size_t len;
	char *data;

	if (!input_read(path, &data, &len, err))
		return false;
	text_init(&r.text, path, data, len, err);
	r.text.comments = true;
	while (ok && text_line(&r.text))
		ok = read_line(&r);
	free(data);
	return ok && !*err;
}

bool gate_conf_read(struct gate_conf *conf, const char *path, char err[CASE_ERROR_SIZE])
{
	return read_file(conf, path, false, err);
}
