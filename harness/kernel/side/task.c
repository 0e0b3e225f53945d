// SPDX-License-Identifier: GPL-2.0-only
/* The task that calls, and its cpuset (spec 6.9). */
#include "side.h"

static struct signal_struct side_signal;
static struct mm_struct *victim_mm = (struct mm_struct *)&side_signal; /* only compared with NULL */
struct task_struct side_task = {.signal = &side_signal};

/* A static key that can be read as a variable: nothing here patches code. */
static void set_key(struct static_key_false *key, bool on)
{
	atomic_set(&key->key.enabled, on);
}

static unsigned int pf_flags(unsigned int flags)
{
	unsigned int pf = 0;

	if (flags & SIDE_PF_MEMALLOC)
		pf |= PF_MEMALLOC;
	if (flags & SIDE_PF_EXITING)
		pf |= PF_EXITING;
	if (flags & SIDE_PF_DUMPCORE)
		pf |= PF_DUMPCORE;
	if (flags & SIDE_PF_WQ_WORKER)
		pf |= PF_WQ_WORKER;
	if (flags & SIDE_NOIO)
		pf |= PF_MEMALLOC_NOIO;
	if (flags & SIDE_NOFS)
		pf |= PF_MEMALLOC_NOFS;
	if (flags & SIDE_PIN)
		pf |= PF_MEMALLOC_PIN;
	if (flags & SIDE_KTHREAD)
		pf |= PF_KTHREAD;
	return pf;
}

void side_set_task(unsigned int flags)
{
	int preempt = 0;

	side.task_flags = flags;
	side_task.flags = pf_flags(flags);
	side_task.prio = flags & SIDE_RT ? 10 : 120;
	side_task.policy = flags & SIDE_RT ? SCHED_FIFO : SCHED_NORMAL;
	side_signal.oom_mm = flags & SIDE_OOM_VICTIM ? victim_mm : NULL;
	side_task.pending.signal.sig[0] = flags & SIDE_FATAL_SIGNAL ? 1UL << (SIGKILL - 1) : 0;
	if (flags & SIDE_FATAL_SIGNAL)
		set_tsk_thread_flag(&side_task, TIF_SIGPENDING);
	else
		clear_tsk_thread_flag(&side_task, TIF_SIGPENDING);
	if (flags & SIDE_IN_INTERRUPT)
		preempt += HARDIRQ_OFFSET;
	if (flags & SIDE_IN_SOFTIRQ)
		preempt += SOFTIRQ_OFFSET;
	preempt_count_set(preempt);
	set_key(&cpusets_enabled_key, flags & SIDE_CPUSETS_ENABLED);
	set_key(&cpusets_insane_config_key, flags & SIDE_CPUSETS_INSANE);
}

void side_set_cpuset(unsigned int mems_allowed, unsigned int mems_hardwall)
{
	nodes_clear(side_task.mems_allowed);
	nodes_clear(side.mems_hardwall);
	for (unsigned int nid = 0; nid < side.machine.nr_nodes; nid++) {
		if (mems_allowed & (1U << nid))
			node_set(nid, side_task.mems_allowed);
		if (mems_hardwall & (1U << nid))
			node_set(nid, side.mems_hardwall);
	}
}

/* The rule of kernel/cgroup/cpuset.c, with the nearest hardwalled ancestor given (spec 6.9). */
bool side_cpuset_allowed(int nid, gfp_t gfp)
{
	if (side.task_flags & (SIDE_IN_INTERRUPT | SIDE_IN_SOFTIRQ))
		return true;
	if (node_isset(nid, side_task.mems_allowed))
		return true;
	if (side.task_flags & SIDE_OOM_VICTIM)
		return true;
	if (gfp & __GFP_HARDWALL)
		return false;
	return side.task_flags & SIDE_PF_EXITING || node_isset(nid, side.mems_hardwall);
}
/* Its name differs from tree to tree. */
asm(".globl cpuset_current_node_allowed, cpuset_node_allowed, __cpuset_node_allowed\n"
    ".set cpuset_current_node_allowed, side_cpuset_allowed\n"
    ".set cpuset_node_allowed, side_cpuset_allowed\n"
    ".set __cpuset_node_allowed, side_cpuset_allowed\n");
