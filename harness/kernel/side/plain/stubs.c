// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the allocator calls and cannot tell from a function that does nothing: printing, statistics,
 * scheduling, locks of others, registration at boot. No kernel header is included, because prototypes
 * differ from tree to tree while the calling convention does not. All are weak: a tree's own wins.
 */
void side_die(const char *why) __attribute__((noreturn));
void side_print(const char *format);
void side_warn_call(const void *bug, const unsigned long *args);

#define WEAK __attribute__((weak))
#define RETURNS_0(name)       \
	WEAK long name(void); \
	WEAK long name(void)  \
	{                     \
		return 0;     \
	}

/* Whatever was not foreseen stops here, by name (the builder makes the callers). */
__attribute__((noreturn)) void stub_called(const char *name);
void stub_called(const char *name)
{
	side_die(name);
}

int _printk(const char *format, ...);
WEAK int _printk(const char *format, ...)
{
	side_print(format);
	return 0;
}

/*
 * Where a warning is a call and not a trap; directly, or through a static call. Four arguments are in
 * registers, whether there are that many or not.
 */
#define WARN_TRAP(name)                                                     \
	void name(const void *bug, ...);                                    \
	WEAK void name(const void *bug, ...)                                \
	{                                                                   \
		unsigned long args[4];                                      \
		__builtin_va_list list;                                     \
                                                                            \
		__builtin_va_start(list, bug);                              \
		for (int i = 0; i < 4; i++)                                 \
			args[i] = __builtin_va_arg(list, unsigned long);    \
		__builtin_va_end(list);                                     \
		side_warn_call(bug, args);                                  \
	}
WARN_TRAP(__WARN_trap)
WARN_TRAP(__SCT__WARN_trap)
WEAK void *__SCK__WARN_trap[4];

/* ---- printing ---- */
RETURNS_0(___ratelimit)
RETURNS_0(__printk_deferred_enter)
RETURNS_0(__printk_deferred_exit)
RETURNS_0(__printk_safe_enter)
RETURNS_0(__printk_safe_exit)
RETURNS_0(__show_mem)
RETURNS_0(__warn_printk)
RETURNS_0(add_taint)
RETURNS_0(cpuset_print_current_mems_allowed)
RETURNS_0(dump_page)
RETURNS_0(dump_stack)
RETURNS_0(mem_dump_obj)

/* ---- registration at boot ---- */
RETURNS_0(__cpuhp_setup_state)
RETURNS_0(__init_waitqueue_head)
RETURNS_0(device_create_file)
RETURNS_0(device_remove_file)
RETURNS_0(free_percpu)
RETURNS_0(init_timer_key)
RETURNS_0(timer_init_key)

/* ---- locks and waiting: one thread, nothing to wait for ---- */
RETURNS_0(__cond_resched)
RETURNS_0(__wake_up)
RETURNS_0(finish_wait)
RETURNS_0(init_wait_entry)
RETURNS_0(mutex_lock)
RETURNS_0(mutex_unlock)
RETURNS_0(prepare_to_wait_event)
RETURNS_0(reclaim_throttle)
RETURNS_0(schedule_timeout)
RETURNS_0(schedule_timeout_uninterruptible)
RETURNS_0(wake_up_process)

/* ---- daemons that are not there ---- */
RETURNS_0(housekeeping_cpumask)
RETURNS_0(kthread_create_on_node)
RETURNS_0(kthread_should_stop)
RETURNS_0(kthread_stop)
RETURNS_0(set_cpus_allowed_ptr)

/* ---- caches in front of the LRU, of which there are none ---- */
RETURNS_0(lru_add_drain)
RETURNS_0(lru_add_drain_all)
RETURNS_0(lru_add_drain_cpu)
RETURNS_0(lru_add_drain_cpu_zone)
RETURNS_0(lru_cache_disable)
RETURNS_0(mlock_drain_remote)
RETURNS_0(mlock_page_drain_remote)

/* ---- statistics of others ---- */
RETURNS_0(__cpuset_memory_pressure_bump)
RETURNS_0(cpu_vm_stats_fold)
RETURNS_0(drain_zonestat)
RETURNS_0(khugepaged_min_free_kbytes_update)
RETURNS_0(proc_dointvec)
RETURNS_0(proc_dostring)
RETURNS_0(vm_events_fold_cpu)

/* ---- facts ---- */
RETURNS_0(cpuset_cpu_is_isolated)
RETURNS_0(folio_mapping) /* anonymous: nothing to ask a file system for */
RETURNS_0(page_mapping)
RETURNS_0(wait_for_freed_hugetlb_folios)

/* A nodemask that does not meet the cpuset is the case's business (cpuset_cookie). */
long cpuset_nodemask_valid_mems_allowed(void);
WEAK long cpuset_nodemask_valid_mems_allowed(void)
{
	return 1;
}

WEAK int pgdir_shift = 39, ptrs_per_p4d = 1, policy_zone;
WEAK char static_key_initialized = 1;

/*
 * Called from inline assembly that says nothing of what a call destroys: these must leave every
 * register alone but their result.
 */
__asm__(".text\n"
	".weak __sw_hweight64, __sw_hweight32\n"
	".weak preempt_schedule_thunk, preempt_schedule_notrace_thunk\n"
	".weak clear_page_rep, clear_page_erms, clear_page_orig, __clear_pages_unrolled\n"
	"__sw_hweight64: popcntq %rdi, %rax; ret\n"
	"__sw_hweight32: popcntl %edi, %eax; ret\n"
	"preempt_schedule_thunk: ret\n"
	"preempt_schedule_notrace_thunk: ret\n"
	/* Pages have no contents here. */
	"clear_page_rep: clear_page_erms: clear_page_orig: __clear_pages_unrolled: ret\n");
