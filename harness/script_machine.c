/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The machine section of a script: one table of lines that are a word and a number
 * or a choice, and a function for each line that is more.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/script_internal.h"
#include "harness/state_lines.h"

/* Lines that may hold several members; and kinds of subjects. */
static const char config[] = "config", pcp[] = "pcp";
static const char port[] = "port:", kernel[] = "kernel:";

static const char *const off_on[] = {"off", "on", NULL};
static const char *const mobilities[] = {
	[MOBILITY_AUTO] = "auto",
	[MOBILITY_ON] = "on",
	[MOBILITY_OFF] = "off",
	NULL,
};

/* A member of struct machine that is a number or a choice. */
struct member {
	const char *group; /* first word of its line if that holds several, or NULL */
	const char *word;
	const char *const *choices; /* ended by NULL; or NULL: a number */
	u16 offset;
	u8 size;
};

#define AT(member) offsetof(struct machine, member), sizeof(((struct machine *)0)->member)

static const struct member members[] = {
	{NULL, "max_page_order", NULL, AT(max_page_order)},
	{NULL, "pageblock_order", NULL, AT(pageblock_order)},
	{NULL, "pmd_order", NULL, AT(pmd_order)},
	{NULL, "gigantic_order", NULL, AT(gigantic_order)},
	{NULL, "pcp_batch_scale_max", NULL, AT(pcp_batch_scale_max)},
	{NULL, "cache_pages", NULL, AT(cache_pages)},
	{NULL, "fuel", NULL, AT(fuel)},
	{config, "dma", off_on, AT(config_dma)},
	{config, "dma32", off_on, AT(config_dma32)},
	{config, "cma", off_on, AT(config_cma)},
	{config, "compaction", off_on, AT(config_compaction)},
	{NULL, "hugetlb_migration", off_on, AT(hugetlb_migration)},
	{NULL, "mobility", mobilities, AT(mobility)},
	{pcp, "batch", NULL, AT(pcp_batch)},
	{pcp, "high_min", NULL, AT(pcp_high_min)},
	{pcp, "high_max", NULL, AT(pcp_high_max)},
	{NULL, "nodes", NULL, AT(nr_nodes)},
	{NULL, "cpus", NULL, AT(nr_cpus)},
	{NULL, "kswapd_pages", NULL, AT(env.kswapd_pages)},
	{NULL, "kcompactd_blocks", NULL, AT(env.kcompactd_blocks)},
};

_Static_assert(ARRAY_SIZE(members) <= 32 && NR_SYSCTLS <= 32, "a bit each says what was said");

static const char *const range_names[] = {
	[RANGE_RESERVED] = "reserved",
	[RANGE_CMA] = "cma",
};

static u32 get_member(const struct machine *m, const struct member *member)
{
	const char *at = (const char *)m + member->offset;

	return member->size == sizeof(u8) ? *(const u8 *)at : *(const u32 *)at;
}

static void set_member(struct machine *m, const struct member *member, u32 v)
{
	char *at = (char *)m + member->offset;

	if (member->size == sizeof(u8))
		*(u8 *)at = (u8)v;
	else
		*(u32 *)at = v;
}

/* ---- reading: values ----------------------------------------------------- */

static bool bounded_u32(struct text *t, u32 max, u32 *value)
{
	char expected[48];
	struct word w;

	text_word(t, &w);
	if (word_u32(w, value) && *value <= max)
		return true;
	snprintf(expected, sizeof(expected), "expected a number of at most %u", max);
	return text_fail_word(t, expected, w);
}

static bool parse_choice(struct text *t, const char *const *choices, u32 *value)
{
	char expected[64] = "expected one of:";
	struct word w;

	text_word(t, &w);
	for (u32 i = 0; choices[i]; i++) {
		if (word_is(w, choices[i])) {
			*value = i;
			return true;
		}
		strcat(strcat(expected, " "), choices[i]);
	}
	return text_fail_word(t, expected, w);
}

/* One of two lines that say the same would be lost silently. */
static bool say_once(struct script *s, u32 *said, u32 which, const char *name)
{
	if (*said & BIT(which))
		return text_fail(&s->text, "expected it once", "%s is set twice", name);
	*said |= BIT(which);
	return true;
}

/* A node; the machine has it from now on. */
static bool parse_node(struct script *s, u32 *node)
{
	struct machine *m = &s->c->machine;

	if (!bounded_u32(&s->text, MACHINE_MAX_NODES - 1, node))
		return false;
	if (*node < m->nr_nodes)
		return true;
	if (s->nodes_said)
		return text_fail(&s->text, "expected a node below 'nodes'", "no node %u", *node);
	m->nr_nodes = (u8)(*node + 1);
	return true;
}

/* ---- reading: lines ------------------------------------------------------ */

/* subject port:POLICY, or a name that only the tools know */
static bool parse_subject(struct script *s)
{
	const char *why = NULL;
	struct word w;

	if (s->c->subject)
		return text_fail(&s->text, "expected it once", "subject is set twice");
	text_word(&s->text, &w);
	s->c->subject = word_copy(w);
	if (!strncmp(s->c->subject, port, sizeof(port) - 1))
		why = policy_parse(s->c->subject + sizeof(port) - 1, &s->c->machine.policy);
	else if (strncmp(s->c->subject, kernel, sizeof(kernel) - 1) != 0)
		why = "expected port:POLICY or kernel:FILE";
	if (why)
		return text_fail_word(&s->text, why, w);
	return text_end_line(&s->text);
}

static bool parse_node_line(struct script *s)
{
	u32 node, on;

	if (!parse_node(s, &node) || !text_literal(&s->text, "cpus") ||
	    !parse_choice(&s->text, off_on, &on))
		return false;
	s->c->machine.node_has_cpus[node] = (u8)on;
	return text_end_line(&s->text);
}

static bool parse_distance(struct script *s)
{
	u32 from, to, distance;

	if (!parse_node(s, &from) || !parse_node(s, &to) ||
	    !bounded_u32(&s->text, UINT8_MAX, &distance))
		return false;
	s->c->machine.distance[from][to] = (u8)distance;
	return text_end_line(&s->text);
}

static bool parse_cpu(struct script *s)
{
	u32 cpu, node;

	if (!bounded_u32(&s->text, MACHINE_MAX_CPUS - 1, &cpu))
		return false;
	if (cpu >= s->c->machine.nr_cpus)
		return text_fail(&s->text, "expected 'cpus' above, and less", "no CPU %u", cpu);
	if (!text_literal(&s->text, "node") || !parse_node(s, &node))
		return false;
	s->c->machine.cpu_node[cpu] = (u8)node;
	return text_end_line(&s->text);
}

/* start PFN pages N */
static bool parse_span(struct text *t, u32 *start, u32 *pages)
{
	return text_literal(t, "start") && bounded_u32(t, MACHINE_MAX_PAGES, start) &&
	       text_literal(t, "pages") && bounded_u32(t, MACHINE_MAX_PAGES, pages) &&
	       text_end_line(t);
}

static bool parse_zone(struct script *s)
{
	struct machine *m = &s->c->machine;
	struct machine_zone zone;
	struct word w;
	u32 node;

	if (m->nr_zones == MACHINE_MAX_ZONES)
		return text_fail(&s->text, "expected at most 32", "too many zones");
	if (!parse_node(s, &node))
		return false;
	text_word(&s->text, &w);
	zone = (struct machine_zone){.node = (u8)node,
				     .type = (u8)word_index(w, zone_type_names, MAX_NR_ZONES)};
	if (zone.type == MAX_NR_ZONES)
		return text_fail_word(&s->text, "expected DMA, DMA32, Normal or Movable", w);
	if (!parse_span(&s->text, &zone.start, &zone.pages))
		return false;
	m->zones[m->nr_zones++] = zone;
	return true;
}

static bool parse_range(struct script *s, enum machine_range_kind kind)
{
	struct machine *m = &s->c->machine;
	struct machine_range range = {.kind = (u8)kind};

	if (m->nr_ranges == MACHINE_MAX_RANGES)
		return text_fail(&s->text, "expected at most 16",
				 "too many reserved and CMA ranges");
	if (!parse_span(&s->text, &range.start, &range.pages))
		return false;
	m->ranges[m->nr_ranges++] = range;
	return true;
}

static bool parse_reserved(struct script *s)
{
	return parse_range(s, RANGE_RESERVED);
}

static bool parse_cma(struct script *s)
{
	return parse_range(s, RANGE_CMA);
}

static bool parse_sysctl(struct script *s)
{
	struct word w;
	u32 which;

	text_word(&s->text, &w);
	which = word_index(w, sysctl_names, NR_SYSCTLS);
	if (which == NR_SYSCTLS)
		return text_fail_word(&s->text, "expected the name of a sysctl", w);
	return say_once(s, &s->sysctls_said, which, sysctl_names[which]) &&
	       text_u32(&s->text, "expected a number", &s->c->machine.sysctl[which]) &&
	       text_end_line(&s->text);
}

/* boot zone ...: what the recording says of the machine */
static bool parse_boot(struct script *s)
{
	struct word line = text_rest(&s->text);
	char *copy;

	if (!line_match(boot_line_form, line, NULL))
		return text_fail_word(&s->text, "expected a zone line of a recording", line);
	copy = word_copy(line);
	case_add_boot(s->c, copy);
	free(copy);
	return true;
}

static const struct {
	const char *word;
	bool (*parse)(struct script *s);
} lines[] = {
	{"subject", parse_subject},   {"node", parse_node_line},
	{"distance", parse_distance}, {"cpu", parse_cpu},
	{"zone", parse_zone},	      {"reserved", parse_reserved},
	{"cma", parse_cma},	      {"sysctl", parse_sysctl},
	{"env", script_parse_env},    {"default", script_parse_default},
	{"boot", parse_boot},
};

static const struct member *find_member(struct word group, struct word w)
{
	for (size_t i = 0; i < ARRAY_SIZE(members); i++) {
		const char *of = members[i].group;

		if (word_is(w, members[i].word) && (group.len ? of && word_is(group, of) : !of))
			return &members[i];
	}
	return NULL;
}

static bool is_group(struct word w)
{
	for (size_t i = 0; i < ARRAY_SIZE(members); i++)
		if (members[i].group && word_is(w, members[i].group))
			return true;
	return false;
}

static bool parse_member(struct script *s, const struct member *member)
{
	u32 value = 0;

	if (!say_once(s, &s->members_said, (u32)(member - members), member->word))
		return false;
	if (member->choices) {
		if (!parse_choice(&s->text, member->choices, &value))
			return false;
	} else if (!bounded_u32(&s->text, member->size == sizeof(u8) ? UINT8_MAX : UINT32_MAX,
				&value)) {
		return false;
	}
	if (member->offset == offsetof(struct machine, nr_nodes))
		s->nodes_said = true;
	set_member(&s->c->machine, member, value);
	return true;
}

/* GROUP WORD VALUE [WORD VALUE]... */
static bool parse_group(struct script *s, struct word group)
{
	struct word w;

	text_word(&s->text, &w);
	do {
		const struct member *member = find_member(group, w);

		if (!member)
			return text_fail_word(&s->text, "expected a setting of this group", w);
		if (!parse_member(s, member))
			return false;
	} while (text_word(&s->text, &w));
	return true;
}

bool script_parse_machine_line(struct script *s)
{
	const struct member *member;
	struct word w;

	text_word(&s->text, &w);
	member = find_member((struct word){0}, w);
	if (member)
		return parse_member(s, member) && text_end_line(&s->text);
	if (is_group(w))
		return parse_group(s, w);
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		if (word_is(w, lines[i].word))
			return lines[i].parse(s);
	return text_fail_word(&s->text, "expected a line of the machine, or ---", w);
}

/* ---- writing ------------------------------------------------------------- */

/* The nodes that the lines of topology and zones name anyway. */
static u32 nodes_named(const struct machine *m, const struct machine *plain)
{
	u32 nr = plain->nr_nodes;

	for (u32 i = 0; i < m->nr_zones; i++)
		nr = max_u32(nr, m->zones[i].node + 1U);
	for (u32 cpu = 0; cpu < m->nr_cpus; cpu++)
		nr = max_u32(nr, m->cpu_node[cpu] + 1U);
	return nr;
}

/* Members of a group that stand one after the other share a line. */
static void write_members(FILE *out, const struct machine *m, const struct machine *plain)
{
	struct machine unsaid = *plain;
	const char *open = NULL; /* group of the line that is not ended yet */

	unsaid.nr_nodes = (u8)nodes_named(m, plain);
	for (size_t i = 0; i < ARRAY_SIZE(members); i++) {
		const struct member *member = &members[i];
		u32 v = get_member(m, member);

		if (open && open != member->group) {
			fputc('\n', out);
			open = NULL;
		}
		if (v == get_member(&unsaid, member))
			continue;
		if (member->group)
			fprintf(out, "%s ", open ? "" : member->group);
		if (member->choices)
			fprintf(out, "%s %s", member->word, member->choices[v]);
		else
			fprintf(out, "%s %u", member->word, v);
		open = member->group;
		if (!open)
			fputc('\n', out);
	}
}

static void write_topology(FILE *out, const struct machine *m, const struct machine *plain)
{
	for (u32 node = 0; node < m->nr_nodes; node++)
		if (m->node_has_cpus[node])
			fprintf(out, "node %u cpus on\n", node);
	for (u32 from = 0; from < m->nr_nodes; from++)
		for (u32 to = 0; to < m->nr_nodes; to++)
			if (m->distance[from][to] != plain->distance[from][to])
				fprintf(out, "distance %u %u %u\n", from, to,
					m->distance[from][to]);
	for (u32 cpu = 0; cpu < m->nr_cpus; cpu++)
		if (m->cpu_node[cpu])
			fprintf(out, "cpu %u node %u\n", cpu, m->cpu_node[cpu]);
}

static void write_memory(FILE *out, const struct machine *m)
{
	for (u32 i = 0; i < m->nr_zones; i++)
		fprintf(out, "zone %u %s start %u pages %u\n", m->zones[i].node,
			zone_type_names[m->zones[i].type], m->zones[i].start, m->zones[i].pages);
	for (u32 i = 0; i < m->nr_ranges; i++)
		fprintf(out, "%s start %u pages %u\n", range_names[m->ranges[i].kind],
			m->ranges[i].start, m->ranges[i].pages);
}

/* The policy is the machine's; only another kind of subject is known by its name alone. */
static void write_subject(FILE *out, const struct testcase *c, const struct machine *plain)
{
	char name[128], plain_name[128];

	policy_name(&c->machine.policy, name, sizeof(name));
	policy_name(&plain->policy, plain_name, sizeof(plain_name));
	if (c->subject && strncmp(c->subject, port, sizeof(port) - 1) != 0)
		fprintf(out, "subject %s\n", c->subject);
	else if (c->subject || strcmp(name, plain_name) != 0)
		fprintf(out, "subject %s%s\n", port, name);
}

void script_write_machine(FILE *out, const struct testcase *c)
{
	const struct machine *m = &c->machine;
	struct machine plain;

	machine_init(&plain);
	write_subject(out, c, &plain);
	write_members(out, m, &plain);
	write_topology(out, m, &plain);
	write_memory(out, m);
	for (u32 i = 0; i < NR_SYSCTLS; i++)
		if (m->sysctl[i] != plain.sysctl[i])
			fprintf(out, "sysctl %s %u\n", sysctl_names[i], m->sysctl[i]);
	script_write_env(out, &m->env);
	for (u32 i = 0; i < c->nr_boot; i++)
		fprintf(out, "boot %s\n", c->boot[i]);
}
