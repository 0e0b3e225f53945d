/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fuzz entry of a trial: as fuzz_case, with a mutant alive. In addition, a case that reaches the
 * mutant is played without judging, once with it and once without, until the two differ.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "harness/bytes.h"
#include "harness/fuzz/coverage.h"
#include "harness/fuzz/stock.h"
#include "harness/machine_fit.h"
#include "harness/mutants/progress.h"
#include "harness/mutants/selector.h"
#include "harness/state_text.h"
#include "harness/subject_port.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static struct mutant_progress *progress;

static void detected(u32 how)
{
	progress->how = how;
	progress->detected_at = progress->executions;
	_exit(0);
}

static void hangs(int signal)
{
	(void)signal;
	detected(DETECTED_HANG);
}

static void get_ready(void)
{
	const char *path = getenv(MUTANT_PROGRESS);
	int fd = path ? open(path, O_RDWR) : -1;

	progress = mmap(NULL, sizeof(*progress), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (progress == MAP_FAILED) {
		fprintf(stderr, MUTANT_PROGRESS ": expected a file to map\n");
		exit(2);
	}
	close(fd);
	signal(SIGVTALRM, hangs);
}

/* Of this process, since the last call. */
static u64 cpu_us(void)
{
	static u64 before;
	struct timespec t;
	u64 now, since;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	now = (u64)t.tv_sec * 1000000 + (u64)t.tv_nsec / 1000;
	since = now - before;
	before = now;
	return since;
}

static void begin(const u8 *data, size_t size)
{
	const struct itimerval hang = {.it_value = {.tv_sec = HANG_SECONDS}};

	if (!progress)
		get_ready();
	progress->used_us += cpu_us();
	if (progress->used_us > progress->limit_us)
		_exit(0);
	progress->executions++;
	progress->body_size = (u32)size;
	memcpy(progress->body, data, size);
	setitimer(ITIMER_VIRTUAL, &hang, NULL);
}

/* ---- infected? ----------------------------------------------------------- */

static void mix(u64 *hash, u64 word)
{
	*hash = (*hash ^ word) * 0x100000001b3ULL;
}

/* Everything that the ops of @c answer, and the state that they leave. */
static u64 answers_of(const struct testcase *c)
{
	const char *why;
	struct subject *s = subject_port_create(&c->machine, &why);
	u64 hash = 0xcbf29ce484222325ULL;
	struct run r;

	if (!s)
		abort();
	run_init(&r, c, s, CHECK_NONE, NULL);
	while (run_step(&r)) {
		mix(&hash, r.result.pfn);
		mix(&hash, r.result.nr);
		mix(&hash, (u32)r.result.error);
		mix(&hash, r.report.kswapd_wakes);
		mix(&hash, r.report.warnings);
		for (u32 i = 0; i < NR_ENV_CALLS; i++)
			mix(&hash, r.report.calls[i]);
	}
	mix(&hash, state_hash(s->ops->view(s)));
	run_free(&r);
	s->ops->destroy(s);
	return hash;
}

static bool infects(const struct testcase *c)
{
	const u32 alive = mutant_alive;
	u64 with = answers_of(c), without;

	mutant_alive = 0;
	without = answers_of(c);
	mutant_alive = alive;
	return with != without;
}

/* ---- one execution ------------------------------------------------------- */

static u64 hash_of(const u8 *data, size_t size)
{
	u64 h = size;

	for (size_t i = 0; i < size; i++)
		mix(&h, data[i]);
	return h;
}

static u32 property_index(const struct property *p)
{
	u32 i = 0;

	while (properties[i] != p)
		i++;
	return i;
}

/* False: not worth a place in the corpus. */
static bool play(struct testcase *c, u64 machine_hash)
{
	static struct property_count counts[256];
	u64 reached = mutant_reached;
	struct run *r = stock_get(c, machine_hash);

	if (!r)
		return false; /* it is not played at all */
	run_finish(r);
	if (mutant_reached != reached && !progress->reached_at)
		progress->reached_at = progress->executions;
	if (r->first.kind == FINDING_VIOLATION) {
		if (!progress->infected_at)
			progress->infected_at = progress->executions;
		detected(property_index(r->first.violation.property));
	}
	stock_put(r, counts);
	if (mutant_reached != reached && !progress->infected_at && infects(c))
		progress->infected_at = progress->executions;
	return true;
}

/* Boot alone may reach a mutant, and then a machine from stock does not: it counts from the first time. */
int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static struct testcase c; /* its memory is for the next one */

	size = size < BUDGET_BODY ? size : BUDGET_BODY;
	begin(data, size);
	case_clear(&c);
	bytes_decode_body(data, size, &c);
	budget_fit(&c);
	if (!machine_pcp_fits_block(&c.machine) ||
	    !play(&c, hash_of(data, bytes_machine_size(data, size)))) {
		coverage_forget();
		return -1;
	}
	return 0;
}
