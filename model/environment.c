/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Begin and end of an op, and the answers that a case gives to the calls that
 * leave the allocator (environment.h says what can be asked).
 *
 *      answers of the op:   reclaim 32 | wake 1 | reclaim 1 |
 *      1st reclaim ---------^                    ^
 *      2nd reclaim ------------------------------'
 *      3rd reclaim: the machine's default
 */
#include <string.h>

#include "model/internal.h"

const char *const env_call_names[NR_ENV_CALLS] = {
	[ENV_RECLAIM] = "reclaim",
	[ENV_COMPACT] = "compact",
	[ENV_WAKE] = "wake",
	[ENV_OOM] = "oom",
	[ENV_NODE_RECLAIM] = "node_reclaim",
	[ENV_NODE_DIRTY] = "node_dirty",
	[ENV_LOCK_PCP] = "lock_pcp",
	[ENV_LOCK_ZONE] = "lock_zone",
	[ENV_LOCK_OOM] = "lock_oom",
	[ENV_LOCK_DRAIN] = "lock_drain",
	[ENV_NO_TRYLOCK] = "no_trylock",
	[ENV_CPUSET_COOKIE] = "cpuset_cookie",
	[ENV_ZONELIST_COOKIE] = "zonelist_cookie",
	[ENV_FAULT] = "fault",
	[ENV_MIGRATE] = "migrate",
};

const char *const env_kind_names[] = {
	[ENV_WHOLE] = "whole",
	[ENV_ZONE] = "zone",
	[ENV_CLOSED] = "closed",
};

const char *const compact_result_names[] = {
	[COMPACT_NOT_SUITABLE_ZONE] = "NOT_SUITABLE_ZONE",
	[COMPACT_SKIPPED] = "SKIPPED",
	[COMPACT_DEFERRED] = "DEFERRED",
	[COMPACT_NO_SUITABLE_PAGE] = "NO_SUITABLE_PAGE",
	[COMPACT_CONTINUE] = "CONTINUE",
	[COMPACT_COMPLETE] = "COMPLETE",
	[COMPACT_PARTIAL_SKIPPED] = "PARTIAL_SKIPPED",
	[COMPACT_CONTENDED] = "CONTENDED",
	[COMPACT_SUCCESS] = "SUCCESS",
};

void env_config_init(struct env_config *config)
{
	*config = (struct env_config){
		.kswapd_pages = SWAP_CLUSTER_MAX,
		.kcompactd_blocks = 1,
	};
	config->defaults[ENV_COMPACT].then = COMPACT_SKIPPED;
}

/* ---- answers ------------------------------------------------------------- */

/* The next answer of @call, which must be armed; disarms the call with its last one. */
static struct answer take_answer(struct environment *env, enum env_call call)
{
	const struct answer *taken = &env->answers[env->next[call]];

	while (++env->next[call] < env->nr) {
		if (env->answers[env->next[call]].call == call)
			return *taken;
	}
	env->armed &= ~BIT(call);
	return *taken;
}

/* The @nth call of an op, from 0: `extra` goes with `value`, `then` stands alone. */
static struct answer default_answer(const struct memory *m, enum env_call call, u32 nth)
{
	const struct env_default *d = &m->machine.env.defaults[call];
	bool early = nth < d->times;

	return (struct answer){
		.call = (u8)call,
		.kind = call < NR_ENV_KINDED ? m->machine.env.kind[call] : ENV_WHOLE,
		.value = early ? d->value : d->then,
		.extra = early ? d->extra : 0,
	};
}

void env_note_call(struct memory *m, enum env_call call, const struct zone *z, s32 order, u32 gfp,
		   u32 arg, u32 answer)
{
	/* The zones of one compaction are asked for one by one, yet it is one call. */
	if (call != ENV_COMPACT || !z)
		m->env.report.calls[call]++;
	EMIT(m, EV_ENV_CALL, .zone = z ? z->index : ZONE_ANY, .order = (s8)order, .pfn = PFN_NONE,
	     .gfp = gfp, .a = call, .b = arg, .c = answer);
}

struct answer env_ask(struct memory *m, enum env_call call, const struct zone *z, s32 order,
		      u32 gfp, u32 arg)
{
	u32 nth = m->env.asked[call]++;
	struct answer answer = m->env.armed & BIT(call) ? take_answer(&m->env, call)
							: default_answer(m, call, nth);

	env_note_call(m, call, z, order, gfp, arg, answer.value);
	return answer;
}

/* ---- ops ----------------------------------------------------------------- */

void memory_begin_op(struct memory *m, const struct answer *answers, u32 nr)
{
	m->env.answers = answers;
	m->env.nr = nr;
	m->env.armed = 0;
	memset(m->env.asked, 0, sizeof(m->env.asked));
	m->env.report = (struct op_report){.kswapd_wakes = 0};
	for (u32 i = nr; i-- > 0;) {
		m->env.next[answers[i].call] = i;
		m->env.armed |= BIT(answers[i].call);
	}
	m->fuel = m->machine.fuel;
}

/* Closed wakes: whoever was woken works a little after each op (spec 6.9). */
static void run_background(struct memory *m)
{
	const struct env_config *config = &m->machine.env;

	if (config->kind[ENV_WAKE] != ENV_CLOSED)
		return;
	for (u32 nid = 0; nid < m->nr_nodes; nid++) {
		if (m->nodes[nid].kswapd_awake && config->kswapd_pages)
			kswapd_run(m, nid, config->kswapd_pages);
		if (m->nodes[nid].kcompactd_awake && config->kcompactd_blocks)
			kcompactd_run(m, nid, config->kcompactd_blocks);
	}
}

void memory_end_op(struct memory *m, struct op_report *report)
{
	/* Answers that nobody asked for are not the background's. */
	m->env.armed = 0;
	run_background(m);
	*report = m->env.report;
}
