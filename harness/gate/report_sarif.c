/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The report as SARIF 2.1.0: a rule for each property and each cost; a result for each objection and for
 * each property that changed, at the line of the script that shows it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "harness/gate/gate_report.h"

#define SARIF_SCHEMA                                                          \
	"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/" \
	"sarif-schema-2.1.0.json"

static json_t *text_of_message(const char *text)
{
	return json_pack("{s:s}", "text", text);
}

static json_t *rules_of(void)
{
	json_t *rules = json_array();

	for (u32 i = 0; i < nr_properties; i++)
		json_array_append_new(rules, json_pack("{s:s, s:o, s:{s:s}}", "id",
						       properties[i]->id, "shortDescription",
						       text_of_message(properties[i]->sentence),
						       "properties", "rule", properties[i]->rule));
	for (u32 i = 0; i < NR_GATE_METRICS; i++)
		json_array_append_new(rules, json_pack("{s:s, s:o}", "id", gate_metrics[i].name,
						       "shortDescription",
						       text_of_message(gate_metrics[i].what)));
	return rules;
}

/* ---- where --------------------------------------------------------------- */

static void uri_of(const struct gate_report *r, const char *name, char *uri, size_t size)
{
	snprintf(uri, size, "%s/%s.script", r->scripts ? r->scripts : "scripts", name);
}

/* The scripts, with their text: they need not be kept as files. */
static json_t *artifacts_of(const struct gate_report *r, const struct gate_script *scripts, u32 nr)
{
	json_t *list = json_array();
	char uri[4096];

	for (u32 i = 0; i < nr; i++) {
		uri_of(r, scripts[i].name, uri, sizeof(uri));
		json_array_append_new(list,
				      json_pack("{s:{s:s}, s:{s:s}}", "location", "uri", uri,
						"contents", "text", scripts[i].example->script));
	}
	return list;
}

static json_t *location_of(const struct gate_report *r, const char *name, u32 line)
{
	char uri[4096];

	uri_of(r, name, uri, sizeof(uri));
	return json_pack("[{s:{s:{s:s}, s:{s:i}}}]", "physicalLocation", "artifactLocation", "uri",
			 uri, "region", "startLine", (int)line);
}

/* ---- results ------------------------------------------------------------- */

struct results {
	json_t *list;
	const struct gate_report *r;
	const struct gate_script *scripts;
	u32 nr;
};

/* @e: what shows it, or NULL. */
static json_t *add_result(struct results *to, const char *rule, const char *level, const char *text,
			  const struct gate_example *e)
{
	json_t *result = json_pack("{s:s, s:s, s:o}", "ruleId", rule, "level", level, "message",
				   text_of_message(text));

	if (e && e->script)
		json_object_set_new(result, "locations",
				    location_of(to->r, gate_script_of(to->scripts, to->nr, e),
						e->line));
	json_array_append_new(to->list, result);
	return result;
}

/* An objection that somebody has accepted is suppressed, with his reason. */
static void add_objection(struct results *to, const struct gate_objection *o)
{
	const char *rule = o->is_property ? properties[o->which]->id : gate_metrics[o->which].name;
	const struct gate_example *e =
		o->is_property ? &to->r->g->properties[o->which].broken : NULL;
	json_t *result = add_result(to, rule, "error", o->text, e);

	if (!gate_objection_fails(o))
		json_object_set_new(result, "suppressions",
				    json_pack("[{s:s, s:s}]", "kind", "external", "justification",
					      o->accepted->reason));
}

static void add_kept(struct results *to)
{
	char text[160];

	for (u32 i = 0; i < nr_properties; i++) {
		const struct gate_property_found *p = &to->r->g->properties[i];

		if (gate_property_state(p) != PROPERTY_NEWLY_KEPT)
			continue;
		snprintf(text, sizeof(text), "%s: newly kept, failed %llu times on the base",
			 properties[i]->id, (unsigned long long)p->failed[SIDE_BASE]);
		add_result(to, properties[i]->id, "note", text, &p->kept);
	}
}

bool gate_report_sarif(const char *path, const struct gate_report *r)
{
	struct results to = {.list = json_array(), .r = r};
	struct gate_script *scripts = gate_scripts(r->g, &to.nr);
	json_t *root;
	bool ok;

	to.scripts = scripts;
	for (u32 i = 0; i < r->v->nr; i++)
		add_objection(&to, &r->v->objections[i]);
	add_kept(&to);
	root = json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:o}}, s:o, s:o}]}", "$schema", SARIF_SCHEMA,
			 "version", "2.1.0", "runs", "tool", "driver", "name", "buddycheck gate",
			 "rules", rules_of(), "results", to.list, "artifacts",
			 artifacts_of(r, scripts, to.nr));
	errno = root ? 0 : EILSEQ;
	ok = root && !json_dump_file(root, path, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
	json_decref(root);
	free(scripts);
	return ok;
}
