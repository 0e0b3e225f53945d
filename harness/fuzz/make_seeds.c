/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Seeds for fuzz_case: the body of each file's bytes form, one file each in DIR.
 *
 *      make_seeds DIR FILE...
 *
 * What is longer than WINDOW_OPS, or does not fit into bytes, is cut into windows, each played from
 * a fresh start on a machine with clipped zones: short ones, because a fuzzer lives from its number
 * of executions, and small zones, so that they come under pressure all the same.
 *
 *      |<- 500 ops ->|<- 500 ops ->|<- rest ->|
 *       alloc a  ..  free a                         both in one window: kept
 *                alloc b  ..    free b              the free has lost its object: dropped
 */
#include <stdio.h>
#include <stdlib.h>

#include "harness/bytes.h"
#include "harness/input.h"
#include "harness/machine_fit.h"

#define WINDOW_OPS 500
#define CLIPPED_PAGES 4096

/* Zones one behind the other, none of them large; no ranges, they have lost their places. */
static void clip_machine(const struct machine *from, struct machine *to)
{
	u32 start = 0;

	*to = *from;
	to->nr_zones = 0;
	to->nr_ranges = 0;
	for (u32 i = 0; i < from->nr_zones; i++) {
		const struct machine_zone *z = &from->zones[i];
		u32 pages = min_u32(z->pages, CLIPPED_PAGES);

		machine_add_zone(to, z->node, z->type, start, pages);
		start += align_up(pages, BIT(from->max_page_order));
	}
	machine_end_zones(to);
}

/* Up to WINDOW_OPS ops from @first on that have their objects; returns the op behind them. */
static u32 cut_window(const struct testcase *c, u32 first, struct testcase *window)
{
	u32 *slots = malloc((c->nr_slots + 1) * sizeof(*slots)); /* of @c, in @window */
	u32 i;

	if (!slots)
		abort();
	for (i = 0; i < c->nr_slots; i++)
		slots[i] = SLOT_NONE;
	clip_machine(&c->machine, &window->machine);
	for (i = first; i < c->nr_ops && window->nr_ops < WINDOW_OPS; i++) {
		struct op op = c->ops[i];

		if (op_infos[op.kind].refers) {
			if (slots[op.a] == SLOT_NONE)
				continue;
			op.a = slots[op.a];
		}
		if (op_infos[op.kind].creates) {
			slots[op.out] = window->nr_slots;
			op.out = window->nr_slots++;
		}
		op.first_answer = window->nr_answers;
		for (u32 a = 0; a < op.nr_answers; a++)
			case_add_answer(window, &c->answers[c->ops[i].first_answer + a]);
		op.nr_nested = 0;
		case_add_op(window, &op);
	}
	free(slots);
	return i;
}

/* Window @number of the @file'th file. */
static void write_seed(const char *dir, int file, u32 number, const struct bytes *body)
{
	char path[4096];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%d.%u", dir, file, number);
	out = fopen(path, "wb");
	if (!out || fwrite(body->data, 1, body->len, out) != body->len || fclose(out)) {
		perror(path);
		exit(2);
	}
}

static void write_windows(const char *dir, int file, const struct testcase *c)
{
	u32 number = 0;

	for (u32 first = 0; first < c->nr_ops; number++) {
		const char *why;
		struct testcase window;
		struct bytes body;
		u32 op;

		case_init(&window);
		first = cut_window(c, first, &window);
		why = case_check(&window, &op);
		if (!why)
			why = bytes_encode_body(&window, &body);
		if (why) {
			fprintf(stderr, "file %d: no window of it can be bytes (%s)\n", file, why);
			exit(2);
		}
		write_seed(dir, file, number, &body);
		free(body.data);
		case_free(&window);
	}
}

int main(int argc, char **argv)
{
	char err[CASE_ERROR_SIZE];

	if (argc < 3) {
		fprintf(stderr, "usage: %s DIR FILE...\n", argv[0]);
		return 2;
	}
	for (int i = 2; i < argc; i++) {
		struct testcase c;
		struct bytes body;

		case_init(&c);
		if (case_load(argv[i], &c, err)) {
			fprintf(stderr, "%s\n", err);
			return 2;
		}
		if (c.nr_ops > WINDOW_OPS || bytes_encode_body(&c, &body)) {
			write_windows(argv[1], i - 1, &c);
		} else {
			write_seed(argv[1], i - 1, 0, &body);
			free(body.data);
		}
		case_free(&c);
	}
	return 0;
}
