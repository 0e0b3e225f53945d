/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The report as JUnit XML: a test case for each property and each cost. What was accepted, and what nobody
 * promises, is skipped.
 */
#include <stdio.h>
#include <stdlib.h>

#include <libxml/xmlwriter.h>

#include "harness/gate/gate_report.h"

#define XML(text) ((const xmlChar *)(text))

/* Number @value under @name. */
static void write_number(xmlTextWriterPtr w, const char *name, u64 value)
{
	xmlTextWriterWriteFormatAttribute(w, XML(name), "%llu", (unsigned long long)value);
}

static void write_element(xmlTextWriterPtr w, const char *name, const char *message,
			  const char *text)
{
	xmlTextWriterStartElement(w, XML(name));
	xmlTextWriterWriteAttribute(w, XML("message"), XML(message));
	if (text)
		xmlTextWriterWriteString(w, XML(text));
	xmlTextWriterEndElement(w);
}

static const struct gate_objection *find_objection(const struct gate_verdict *v, bool is_property,
						   u32 which, enum gate_env env)
{
	for (u32 i = 0; i < v->nr; i++) {
		const struct gate_objection *o = &v->objections[i];

		if (o->is_property == is_property && o->which == which &&
		    (is_property || o->env == env))
			return o;
	}
	return NULL;
}

/* @skipped: why there is nothing to say, or NULL; @script of what fails, or NULL. */
static void write_case(xmlTextWriterPtr w, const char *suite, const char *name,
		       const struct gate_objection *o, const char *skipped, const char *script)
{
	xmlTextWriterStartElement(w, XML("testcase"));
	xmlTextWriterWriteAttribute(w, XML("classname"), XML(suite));
	xmlTextWriterWriteAttribute(w, XML("name"), XML(name));
	if (o && gate_objection_fails(o))
		write_element(w, "failure", o->text, script);
	else if (o)
		write_element(w, "skipped", o->accepted->reason, NULL);
	else if (skipped)
		write_element(w, "skipped", skipped, NULL);
	xmlTextWriterEndElement(w);
}

/* ---- suites -------------------------------------------------------------- */

/* Why property @i has no verdict; NULL: it has one. */
static const char *why_skipped(const struct gate_property_found *p)
{
	if (!p->promised[SIDE_BASE] && !p->promised[SIDE_CANDIDATE])
		return "nobody promises it";
	if (gate_property_state(p) == PROPERTY_UNSEEN)
		return "there was nothing to judge";
	return NULL;
}

static u32 count_failures(const struct gate_verdict *v, bool is_property)
{
	u32 nr = 0;

	for (u32 i = 0; i < v->nr; i++)
		nr += v->objections[i].is_property == is_property &&
		      gate_objection_fails(&v->objections[i]);
	return nr;
}

/* Objections that were accepted; properties that have no verdict count, too. */
static u32 count_skipped(const struct gate_report *r, bool is_property)
{
	u32 nr = 0;

	for (u32 i = 0; i < r->v->nr; i++)
		nr += r->v->objections[i].is_property == is_property &&
		      !gate_objection_fails(&r->v->objections[i]);
	for (u32 i = 0; is_property && i < nr_properties; i++)
		nr += !find_objection(r->v, true, i, ENV_ANSWERED) &&
		      why_skipped(&r->g->properties[i]);
	return nr;
}

static void begin_suite(xmlTextWriterPtr w, const struct gate_report *r, const char *name,
			bool is_property, u32 tests)
{
	xmlTextWriterStartElement(w, XML("testsuite"));
	xmlTextWriterWriteAttribute(w, XML("name"), XML(name));
	write_number(w, "tests", tests);
	write_number(w, "failures", count_failures(r->v, is_property));
	write_number(w, "errors", 0);
	write_number(w, "skipped", count_skipped(r, is_property));
}

static void write_properties(xmlTextWriterPtr w, const struct gate_report *r)
{
	begin_suite(w, r, "properties", true, nr_properties);
	for (u32 i = 0; i < nr_properties; i++) {
		const struct gate_property_found *p = &r->g->properties[i];

		write_case(w, "properties", properties[i]->id,
			   find_objection(r->v, true, i, ENV_ANSWERED), why_skipped(p),
			   p->broken.script);
	}
	xmlTextWriterEndElement(w);
}

static void write_costs(xmlTextWriterPtr w, const struct gate_report *r)
{
	char name[64];

	begin_suite(w, r, "costs", false, NR_GATE_ENVS * NR_GATE_METRICS);
	for (u32 env = 0; env < NR_GATE_ENVS; env++) {
		for (u32 i = 0; i < NR_GATE_METRICS; i++) {
			snprintf(name, sizeof(name), "%s, %s", gate_metrics[i].name,
				 gate_env_names[env]);
			write_case(w, "costs", name, find_objection(r->v, false, i, env), NULL,
				   NULL);
		}
	}
	xmlTextWriterEndElement(w);
}

static bool write_file(const char *path, xmlBufferPtr text)
{
	FILE *out = fopen(path, "w");

	if (!out)
		return false;
	fputs((const char *)xmlBufferContent(text), out);
	return !fclose(out);
}

bool gate_report_junit(const char *path, const struct gate_report *r)
{
	xmlBufferPtr text = xmlBufferCreate();
	xmlTextWriterPtr w = xmlNewTextWriterMemory(text, 0);
	bool ok;

	xmlTextWriterSetIndent(w, 1);
	xmlTextWriterStartDocument(w, NULL, "UTF-8", NULL);
	xmlTextWriterStartElement(w, XML("testsuites"));
	xmlTextWriterWriteFormatAttribute(w, XML("name"), "buddycheck gate: %s, %s",
					  gate_side_name(r->g, SIDE_BASE),
					  gate_side_name(r->g, SIDE_CANDIDATE));
	write_properties(w, r);
	write_costs(w, r);
	xmlTextWriterEndDocument(w);
	xmlFreeTextWriter(w);
	ok = write_file(path, text);
	xmlBufferFree(text);
	return ok;
}
