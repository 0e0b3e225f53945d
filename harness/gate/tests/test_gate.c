/* SPDX-License-Identifier: GPL-2.0-only */
/* Cases on two ports: what is found, how small, and what the reports say of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>
#include <libxml/parser.h>

#include "harness/gate/gate_report.h"
#include "harness/script.h"
#include "harness/state_text.h"

static struct gate g;
static struct gate_conf conf;
static struct gate_verdict v;

static void begin(const char *base, const char *candidate)
{
	gate_init(&g, base, candidate);
	gate_conf_init(&conf);
}

static int teardown(void **state)
{
	(void)state;
	gate_exit(&g);
	gate_conf_free(&conf);
	return 0;
}

static void take(const char *script)
{
	char err[CASE_ERROR_SIZE];
	struct testcase c;
	const char *why;

	case_init(&c);
	if (!script_parse("a", script, strlen(script), &c, err))
		fail_msg("%s", err);
	why = gate_take(&g, &c, "a");
	if (why)
		fail_msg("%s", why);
	case_free(&c);
}

static bool enough(void *ctx, const struct gate *gate)
{
	return gate->nr_ops >= *(const u64 *)ctx;
}

static void fuzz(u64 ops)
{
	assert_null(gate_fuzz(&g, 1, enough, &ops));
	gate_shrink(&g);
	gate_judge(&g, &conf, "2026-12-01", &v);
}

static struct gate_property_found *found(const char *id)
{
	for (u32 i = 0; i < nr_properties; i++) {
		if (!strcmp(properties[i]->id, id))
			return &g.properties[i];
	}
	fail_msg("no property %s", id);
	return NULL;
}

/* ---- cases --------------------------------------------------------------- */

#define FULL                                                           \
	"buddycheck script 1\nzone 0 Normal start 0 pages 1024\n---\n" \
	"a = alloc order 9 node 0 gfp GFP_KERNEL|__GFP_COMP\n"

/*
 * Spec 6.3: 7.3.4 goes W G C; W G R C before it gives up, v6 goes W G. Both fail, so that their heaps stay
 * equal.
 */
static void test_costs(void **state)
{
	const struct gate_costs *base, *candidate;

	(void)state;
	begin("port:v7.3", "port:v7.3+V1+V2");
	take(FULL "b = alloc order 9 node 0 gfp GFP_KERNEL|__GFP_NORETRY\n"
		  "c = alloc order 9 node 0 gfp GFP_KERNEL|__GFP_NORETRY\n");
	base = g.sums[ENV_ANSWERED].costs[SIDE_BASE];
	candidate = g.sums[ENV_ANSWERED].costs[SIDE_CANDIDATE];
	assert_int_equal(base[TO_FIRST].n[COUNT_RECLAIM], 1);
	assert_int_equal(base[TO_FIRST].n[COUNT_COMPACT], 2);
	assert_int_equal(base[IN_TOTAL].n[COUNT_RECLAIM], 2);
	assert_int_equal(base[IN_TOTAL].n[COUNT_COMPACT], 4);
	assert_int_equal(candidate[IN_TOTAL].n[COUNT_RECLAIM], 0);
	assert_int_equal(candidate[IN_TOTAL].n[COUNT_COMPACT], 0);
	assert_int_equal(g.player.shown.first, 1);
	assert_int_equal(g.nr_skipped[SIDE_BASE] + g.nr_skipped[SIDE_CANDIDATE], 0);
}

/* NOFAIL: 7.3.4 goes on until reclaim has freed enough, V1 returns NULL; what is not there is not freed. */
static void test_skips(void **state)
{
	(void)state;
	begin("port:v7.3", "port:v7.3+V1");
	take(FULL "mark a lru\nanswer reclaim 1 frees 1\n"
		  "b = alloc order 9 node 0 gfp GFP_KERNEL|__GFP_NORETRY|__GFP_NOFAIL\nfree b\n");
	assert_int_equal(g.nr_skipped[SIDE_BASE], 0);
	assert_int_equal(g.nr_skipped[SIDE_CANDIDATE], 1);
	assert_true(g.player.shown.first_kinds & KIND_BIT(KIND_FAILS));
	assert_int_equal(found("nofail-costly-noretry")->broken_cases, 1);
}

/*
 * d is unmovable and goes to a movable block that it may not claim: 7 pages of 16 are free and none is of
 * d's kind. One of two blocks is mixed then.
 */
static void test_mixed_blocks(void **state)
{
	u64 m[NR_GATE_METRICS];

	(void)state;
	begin("port:v7.3", "port:v7.3");
	take("buddycheck script 1\nmobility on\npageblock_order 4\nmax_page_order 4\npmd_order 0\n"
	     "zone 0 Normal start 0 pages 32\npcp batch 1 high_min 1 high_max 1\n---\n"
	     "task pf_memalloc\n"
	     "a = alloc order 4 node 0 gfp GFP_HIGHUSER_MOVABLE\n"
	     "b = alloc order 3 node 0 gfp GFP_HIGHUSER_MOVABLE|__GFP_COMP\nmark b lru\n"
	     "c = alloc order 0 node 0 gfp GFP_HIGHUSER_MOVABLE\nmark c lru\n"
	     "d = alloc order 0 node 0 gfp GFP_KERNEL\n");
	gate_metrics_of(&g.sums[ENV_ANSWERED].costs[SIDE_BASE][IN_TOTAL], m);
	assert_int_equal(m[METRIC_POLLUTE], 1);
	assert_int_equal(m[METRIC_MIXED], 500);
	assert_int_equal(m[METRIC_LARGE_FREE], 0);
}

/* ---- campaigns ----------------------------------------------------------- */

static void test_identical(void **state)
{
	(void)state;
	begin("port:v7.3", "port:v7.3");
	fuzz(20000);
	assert_true(g.nr_cases > 100);
	assert_in_range(g.nr_ops, 20000, 20512); /* up to the end of a case */
	assert_int_equal(g.nr_differ, 0);
	assert_false(v.fails);
	assert_int_equal(v.nr, 0);
	for (u32 i = 0; i < NR_GATE_KINDS; i++)
		assert_int_equal(g.kinds[i].all_cases, 0);
}

/* The promises of V1 and V2 are newly kept, one of 7.3.4 is newly broken, each with a script. */
static void test_v6(void **state)
{
	char err[CASE_ERROR_SIZE];

	(void)state;
	begin("port:v7.3", "port:v7.3+V1+V2");
	assert_null(gate_take_file(&g, "corpus/seeds/mixing.script", err));
	fuzz(20000);
	assert_int_equal(gate_property_state(found("no-stall-costly-noretry")),
			 PROPERTY_NEWLY_KEPT);
	assert_int_equal(gate_property_state(found("no-fragment-noretry")), PROPERTY_NEWLY_KEPT);
	assert_int_equal(gate_property_state(found("nofail-costly-noretry")),
			 PROPERTY_NEWLY_BROKEN);
	assert_int_equal(found("no-stall-costly-noretry")->kept.c.nr_ops, 1);
	assert_non_null(strstr(found("nofail-costly-noretry")->broken.script, "__GFP_NOFAIL"));
	assert_true(v.fails);
	for (u32 i = 0; i < NR_GATE_KINDS; i++)
		assert_true(!g.kinds[i].first_cases || g.kinds[i].example.script);
}

/* The line that is named is that of the op. */
static void test_line(void **state)
{
	const struct gate_example *e;
	const char *line;

	(void)state;
	begin("port:v7.3", "port:v7.3+V1");
	take("buddycheck script 1\nzone 0 Normal start 0 pages 512\nenv compact zone\n---\n"
	     "answer compact zone NO_SUITABLE_PAGE\nanswer reclaim 1\n"
	     "a = alloc order 9 node 0 gfp GFP_KERNEL|__GFP_NORETRY\n");
	gate_shrink(&g);
	e = &found("costly-noretry-looks")->kept;
	assert_non_null(e->script);
	line = e->script;
	for (u32 i = 1; i < e->line; i++)
		line = strchr(line, '\n') + 1;
	assert_int_equal(strncmp(line, "a = alloc", 9), 0);
}

/* ---- reports ------------------------------------------------------------- */

static struct gate_report report(void)
{
	return (struct gate_report){.g = &g, .v = &v, .conf = &conf, .seed = 1};
}

static const char *string_of(const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));

	return s ? s : "";
}

/* The object of @list whose @key is @value. */
static json_t *item(const json_t *root, const char *list, const char *key, const char *value)
{
	json_t *o;
	size_t i;

	json_array_foreach(json_object_get(root, list), i, o)
	{
		if (!strcmp(string_of(o, key), value))
			return o;
	}
	fail_msg("no %s %s in %s", key, value, list);
	return NULL;
}

static void test_json(void **state)
{
	char path[] = "/tmp/gate.XXXXXX";
	struct gate_report r;
	json_t *root, *o;
	int fd = mkstemp(path);

	(void)state;
	close(fd);
	begin("port:v7.3", "port:v7.3+V1+V2");
	fuzz(20000);
	r = report();
	assert_true(gate_report_json(path, &r));
	root = json_load_file(path, 0, NULL);
	unlink(path);
	assert_non_null(root);
	assert_string_equal(string_of(root, "schema"), "buddycheck-gate");
	assert_int_equal(json_integer_value(json_object_get(root, "version")), GATE_SCHEMA);
	assert_string_equal(string_of(root, "candidate"), "port:v7.3+V1+V2");
	assert_int_equal(json_array_size(json_object_get(root, "properties")), nr_properties);
	assert_true(json_is_false(json_object_get(json_object_get(root, "verdict"), "passes")));
	o = item(root, "properties", "id", "no-stall-costly-noretry");
	assert_string_equal(string_of(o, "state"), "newly kept");
	o = item(root, "scripts", "name", string_of(o, "script"));
	assert_non_null(strstr(string_of(o, "text"), "buddycheck script 1\n"));
	assert_non_null(json_object_get(json_object_get(root, "costs"), "closed"));
	json_decref(root);
	assert_false(gate_report_json("/nowhere/at/all", &r));
}

/* ---- forms that others define -------------------------------------------- */

/*
 * Debian has no package with the schema of either form. What is checked here are the members that their
 * readers require: JUnit's attributes and counts, the required properties of SARIF 2.1.0 (3.13, 3.14, 3.19,
 * 3.27, 3.29, 3.30, 3.35).
 */
static char written[] = "/tmp/gate.XXXXXX";

static void write_form(bool (*write)(const char *path, const struct gate_report *r))
{
	struct gate_report r = report();

	strcpy(written + strlen(written) - 6, "XXXXXX");
	close(mkstemp(written));
	assert_true(write(written, &r));
	assert_false(write("/nowhere/at/all", &r));
}

static u32 number_of(xmlNodePtr node, const char *name)
{
	xmlChar *text = xmlGetProp(node, (const xmlChar *)name);
	u32 number;

	assert_non_null(text);
	number = (u32)atoi((const char *)text);
	xmlFree(text);
	return number;
}

static bool is_element(xmlNodePtr node, const char *name)
{
	return node->type == XML_ELEMENT_NODE && !strcmp((const char *)node->name, name);
}

static bool has_child(xmlNodePtr node, const char *name)
{
	xmlNodePtr child = node->children;

	while (child && !is_element(child, name))
		child = child->next;
	return child;
}

/* The numbers at its top are those of its cases. */
static void check_suite(xmlNodePtr suite)
{
	u32 tests = 0, failures = 0, skipped = 0;

	assert_true(is_element(suite, "testsuite"));
	for (xmlNodePtr c = suite->children; c; c = c->next) {
		if (c->type != XML_ELEMENT_NODE)
			continue;
		assert_true(is_element(c, "testcase"));
		assert_true(xmlHasProp(c, (const xmlChar *)"name") &&
			    xmlHasProp(c, (const xmlChar *)"classname"));
		tests++;
		failures += has_child(c, "failure");
		skipped += has_child(c, "skipped");
	}
	assert_int_equal(number_of(suite, "tests"), tests);
	assert_int_equal(number_of(suite, "failures"), failures);
	assert_int_equal(number_of(suite, "skipped"), skipped);
	assert_int_equal(number_of(suite, "errors"), 0);
}

static void test_junit(void **state)
{
	u32 suites = 0, failures = 0;
	xmlNodePtr root;
	xmlDocPtr doc;

	(void)state;
	begin("port:v7.3", "port:v7.3+V1+V2");
	fuzz(20000);
	write_form(gate_report_junit);
	doc = xmlReadFile(written, NULL, 0);
	unlink(written);
	assert_non_null(doc);
	root = xmlDocGetRootElement(doc);
	assert_true(is_element(root, "testsuites"));
	for (xmlNodePtr s = root->children; s; s = s->next) {
		if (s->type != XML_ELEMENT_NODE)
			continue;
		check_suite(s);
		failures += number_of(s, "failures");
		suites++;
	}
	assert_int_equal(suites, 2);
	assert_int_equal(failures, v.nr); /* nothing is accepted here */
	assert_true(failures > 0);
	xmlFreeDoc(doc);
	xmlCleanupParser();
}

static bool has_rule(json_t *rules, const char *id)
{
	json_t *rule;
	size_t i;

	json_array_foreach(rules, i, rule)
	{
		assert_true(string_of(rule, "id")[0]);
		if (!strcmp(string_of(rule, "id"), id))
			return true;
	}
	return false;
}

static const char *text_in(json_t *o, const char *key)
{
	return string_of(json_object_get(o, key), "text");
}

/* It names an artifact, and a line of it. */
static void check_location(json_t *location, json_t *artifacts)
{
	json_t *physical = json_object_get(location, "physicalLocation"), *artifact;
	const char *uri = string_of(json_object_get(physical, "artifactLocation"), "uri");
	json_int_t line = json_integer_value(
		json_object_get(json_object_get(physical, "region"), "startLine"));
	size_t i;

	json_array_foreach(artifacts, i, artifact)
	{
		const char *text = text_in(artifact, "contents");

		if (strcmp(string_of(json_object_get(artifact, "location"), "uri"), uri) != 0)
			continue;
		for (; line > 1 && text; line--)
			text = strchr(text, '\n') ? strchr(text, '\n') + 1 : NULL;
		assert_true(text && *text);
		return;
	}
	fail_msg("no artifact %s", uri);
}

static void check_result(json_t *result, json_t *run)
{
	json_t *driver = json_object_get(json_object_get(run, "tool"), "driver");
	json_t *locations = json_object_get(result, "locations");
	const char *level = string_of(result, "level");

	assert_true(has_rule(json_object_get(driver, "rules"), string_of(result, "ruleId")));
	assert_true(!strcmp(level, "error") || !strcmp(level, "note"));
	assert_true(text_in(result, "message")[0]);
	for (size_t i = 0; i < json_array_size(locations); i++)
		check_location(json_array_get(locations, i), json_object_get(run, "artifacts"));
}

static void test_sarif(void **state)
{
	json_t *root, *run, *result;
	u32 located = 0;
	size_t i;

	(void)state;
	begin("port:v7.3", "port:v7.3+V1+V2");
	fuzz(20000);
	write_form(gate_report_sarif);
	root = json_load_file(written, 0, NULL);
	unlink(written);
	assert_non_null(root);
	assert_string_equal(string_of(root, "version"), "2.1.0");
	run = json_array_get(json_object_get(root, "runs"), 0);
	assert_true(string_of(json_object_get(json_object_get(run, "tool"), "driver"), "name")[0]);
	json_array_foreach(json_object_get(run, "results"), i, result)
	{
		check_result(result, run);
		located += json_array_size(json_object_get(result, "locations")) > 0;
	}
	assert_true(i >= v.nr && located > 0);
	json_decref(root);
}

/* ---- texts --------------------------------------------------------------- */

static void assert_says(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("not said: %s\nbut: %s", part, text);
}

static void test_texts(void **state)
{
	void (*const forms[])(FILE *, const struct gate_report *) = {gate_report_text,
								     gate_report_markdown};
	static const char *const verdicts[] = {"verdict: fails", "The candidate does not pass"};
	struct gate_report r;

	(void)state;
	begin("port:v7.3", "port:v7.3+V1");
	fuzz(20000);
	r = report();
	for (u32 i = 0; i < 2; i++) {
		char *text;
		size_t size;
		FILE *out = open_text(&text, &size);

		forms[i](out, &r);
		close_text(out);
		assert_says(text, "no-stall-costly-noretry");
		assert_says(text, "direct reclaim: fewer");
		assert_says(text, "NORETRY, order > 3");
		assert_says(text, "buddycheck script 1\n");
		assert_says(text, verdicts[i]);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_costs, teardown),
		cmocka_unit_test_teardown(test_skips, teardown),
		cmocka_unit_test_teardown(test_mixed_blocks, teardown),
		cmocka_unit_test_teardown(test_identical, teardown),
		cmocka_unit_test_teardown(test_v6, teardown),
		cmocka_unit_test_teardown(test_line, teardown),
		cmocka_unit_test_teardown(test_json, teardown),
		cmocka_unit_test_teardown(test_junit, teardown),
		cmocka_unit_test_teardown(test_sarif, teardown),
		cmocka_unit_test_teardown(test_texts, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
