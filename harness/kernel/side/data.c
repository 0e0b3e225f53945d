// SPDX-License-Identifier: GPL-2.0-only
/*
 * Data that other parts of the kernel own, and the counters: exact ones, that change at once. Whatever
 * a tree defines itself wins, since this object's symbols are weak.
 */
#include "side.h"

struct side side;

struct pglist_data *node_data[MAX_NUMNODES];
#ifdef CONFIG_SPARSEMEM_EXTREME
struct mem_section **mem_section;
#else
struct mem_section mem_section[NR_SECTION_ROOTS][SECTIONS_PER_ROOT];
#endif
unsigned long __highest_present_section_nr;
unsigned long vmemmap_base, page_offset_base, phys_base;
#ifndef HAVE_PAGE_TOTALRAM
atomic_long_t _totalram_pages;
#endif
#ifndef nr_cpu_ids
unsigned int nr_cpu_ids = NR_CPUS;
#endif
#ifndef HAVE_PAGE_TOTALRESERVE
unsigned long totalreserve_pages;
#endif
unsigned long volatile jiffies;
enum system_states system_state = SYSTEM_BOOTING;
struct cpumask __cpu_online_mask, __cpu_possible_mask;
atomic_t __num_online_cpus;
cpumask_var_t node_to_cpumask_map[MAX_NUMNODES];
#ifdef HAVE_CHECK_PAGES_ENABLED
DEFINE_STATIC_KEY_MAYBE(CONFIG_DEBUG_VM, check_pages_enabled);
#endif
DEFINE_STATIC_KEY_FALSE(init_on_alloc);
DEFINE_STATIC_KEY_FALSE(init_on_free);
struct static_key_false cpusets_enabled_key, cpusets_pre_enable_key, cpusets_insane_config_key;
#ifdef HAVE_SYSCTL_VALS
const int sysctl_vals[] = {0, 1, 2, 3, 4, 100, 200, 1000, 3000, INT_MAX, 65535, -1};
#endif
struct mutex oom_lock;
atomic_t lru_disable_count;
int node_reclaim_mode, sysctl_min_unmapped_ratio = 1, sysctl_min_slab_ratio = 5;
struct cpuinfo_x86 boot_cpu_data;
int hugetlb_max_hstate = 1;

/* ---- counters ------------------------------------------------------------ */

#ifndef HAVE_VMSTAT_real
atomic_long_t vm_zone_stat[NR_VM_ZONE_STAT_ITEMS];
atomic_long_t vm_node_stat[NR_VM_NODE_STAT_ITEMS];
#ifdef HAVE_VM_NUMA_EVENT
atomic_long_t vm_numa_event[NR_VM_NUMA_EVENT_ITEMS];
#endif
DEFINE_PER_CPU(struct vm_event_state, vm_event_states);

void mod_zone_page_state(struct zone *z, enum zone_stat_item item, long delta)
{
	zone_page_state_add(delta, z, item);
}

void __mod_zone_page_state(struct zone *z, enum zone_stat_item item, long delta)
{
	zone_page_state_add(delta, z, item);
}

void mod_node_page_state(struct pglist_data *node, enum node_stat_item item, long delta)
{
	node_page_state_add(delta, node, item);
}

void __mod_node_page_state(struct pglist_data *node, enum node_stat_item item, long delta)
{
	node_page_state_add(delta, node, item);
}

unsigned long node_page_state(struct pglist_data *node, enum node_stat_item item)
{
	long pages = atomic_long_read(&node->vm_stat[item]);

	return pages < 0 ? 0 : pages;
}

void refresh_zone_stat_thresholds(void)
{
}
#endif

void cpuset_init_current_mems_allowed(void)
{
	nodes_setall(side_task.mems_allowed);
}

/* ---- for plain/, which knows no kernel type ------------------------------ */

void side_die(const char *why)
{
	side.host.die(why);
}

void side_print(const char *format)
{
	side.host.print(format);
}
