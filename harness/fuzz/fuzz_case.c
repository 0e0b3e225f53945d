/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fuzz entry for whole cases: any bytes are a case (harness/bytes.h); it is played
 * on the port, every op and decision is judged, and the whole state at the end.
 */
#include "harness/budget.h"
#include "harness/bytes.h"
#include "harness/fuzz/coverage.h"
#include "harness/fuzz/stock.h"
#include "harness/fuzz/target.h"
#include "harness/machine_fit.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static u64 hash(const u8 *data, size_t size)
{
	u64 h = size;

	for (size_t i = 0; i < size; i++)
		h = (h ^ data[i]) * 0x100000001b3ULL;
	return h;
}

/* False: nothing of it can be played, or something is wrong with it. */
static bool play(struct testcase *c, u64 machine_hash)
{
	struct fuzz_progress *progress = target_begin();
	struct run *r = stock_get(c, machine_hash);
	bool violated;

	if (!r)
		return false;
	run_finish(r);
	violated = r->first.kind == FINDING_VIOLATION;
	if (violated)
		target_violation(c, &r->first);
	stock_put(r, progress->counts);
	return !violated;
}

/* -1: not worth a place in the corpus, because nothing can be played, or everything fails. */
int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static struct testcase c; /* its memory is for the next one */
	bool worth;

	size = size < BUDGET_BODY ? size : BUDGET_BODY;
	case_clear(&c);
	bytes_decode_body(data, size, &c);
	worth = target_fit(&c) && machine_pcp_fits_block(&c.machine) &&
		play(&c, hash(data, bytes_machine_size(data, size)));
	if (!worth)
		coverage_forget(); /* AFL++ does not ask; and the first finding of a kind is saved */
	return worth ? 0 : -1;
}
