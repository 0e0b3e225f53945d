/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Begin and end of an op, and the calls that leave the allocator (environment.h says what can be
 * asked, answers.h who answers).
 */
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
	struct answer answer = answers_take(&m->env.answers, &m->machine.env, call);

	env_note_call(m, call, z, order, gfp, arg, answer.value);
	return answer;
}

/* ---- ops ----------------------------------------------------------------- */

void memory_begin_op(struct memory *m, const struct answer *answers, u32 nr)
{
	answers_begin(&m->env.answers, answers, nr);
	m->env.report = (struct op_report){.kswapd_wakes = 0};
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
	m->env.answers.armed = 0;
	run_background(m);
	*report = m->env.report;
}
