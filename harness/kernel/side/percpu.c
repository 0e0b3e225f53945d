// SPDX-License-Identifier: GPL-2.0-only
/*
 * Per-CPU memory. The linker script gathers the objects' per-CPU section between two symbols; it is
 * the template of which every CPU gets a copy, with room for what the kernel allocates later:
 *
 *      template  [ static ]
 *      unit 0    [ static | dynamic . . . ]     gs base of CPU 0 = unit 0 - template
 *      unit 1    [ static | dynamic . . . ]
 *
 * so that %gs:symbol and per_cpu_ptr() agree. The units lie behind the template, in the object itself: a
 * gs base must be an address of user space. A dynamic object is named by the address that it would
 * have behind the template: nobody uses that address without a CPU's offset.
 */
#include "side.h"

#define UNIT_SIZE (40UL << 10)

static char units[NR_CPUS][UNIT_SIZE] __attribute__((section(".bss.kernel_units"), aligned(4096)));

extern char kernel_percpu_start[], kernel_percpu_end[];

unsigned long __per_cpu_offset[NR_CPUS];

#ifdef HAVE_PCPU_HOT
DEFINE_PER_CPU_ALIGNED(struct pcpu_hot, pcpu_hot) = {.current_task = &side_task};
asm(".globl const_pcpu_hot\n.set const_pcpu_hot, pcpu_hot\n");
#else
/* The kernel declares these with attributes of its own: plain names, attached to ours. */
DEFINE_PER_CPU(struct task_struct *, side_current) = &side_task;
asm(".globl const_current_task, current_task\n"
    ".set const_current_task, side_current\n"
    ".set current_task, side_current\n");
__attribute__((section(".data..percpu"))) typeof(__preempt_count) __preempt_count = PREEMPT_ENABLED;
#endif
DEFINE_PER_CPU(unsigned long, side_this_cpu_off);
DEFINE_PER_CPU(int, side_cpu_number);
asm(".globl this_cpu_off, cpu_number\n"
    ".set this_cpu_off, side_this_cpu_off\n"
    ".set cpu_number, side_cpu_number\n");

static unsigned long dynamic_used;

static void *percpu_get(size_t size, size_t align)
{
	unsigned long fixed = ALIGN(kernel_percpu_end - kernel_percpu_start, 64);
	unsigned long at = ALIGN(dynamic_used, align ? align : 1);

	if (fixed + at + size > UNIT_SIZE)
		side.host.die("no room for per-CPU memory");
	dynamic_used = at + size;
	return kernel_percpu_start + fixed + at;
}

#ifdef HAVE_PCPU_ALLOC_NOPROF
void *pcpu_alloc_noprof(size_t size, size_t align, bool reserved, gfp_t gfp)
{
	return percpu_get(size, align);
}
#else
void *__alloc_percpu(size_t size, size_t align)
{
	return percpu_get(size, align);
}

void *__alloc_percpu_gfp(size_t size, size_t align, gfp_t gfp)
{
	return percpu_get(size, align);
}
#endif

bool percpu_owns(const void *p)
{
	return (unsigned long)p - (unsigned long)units < UNIT_SIZE * side.machine.nr_cpus;
}

void side_units(char **start, char **end)
{
	*start = units[0];
	*end = units[side.machine.nr_cpus];
}

void side_set_cpu(unsigned int cpu)
{
	side.cpu = cpu;
	side.host.set_gs(__per_cpu_offset[cpu]);
}

/* A CPU's own value of a variable of the template. */
#define UNIT_VAR(var, cpu) ((typeof(&(var)))((char *)&(var) + __per_cpu_offset[cpu]))

void percpu_boot(unsigned int nr_cpus)
{
	unsigned long fixed = kernel_percpu_end - kernel_percpu_start;

	for (unsigned int cpu = 0; cpu < nr_cpus; cpu++) {
		char *unit = units[cpu];

		side.host.copy(unit, kernel_percpu_start, fixed);
		__per_cpu_offset[cpu] = unit - kernel_percpu_start;
		*UNIT_VAR(side_this_cpu_off, cpu) = __per_cpu_offset[cpu];
		*UNIT_VAR(side_cpu_number, cpu) = cpu;
#ifdef HAVE_PCPU_HOT
		UNIT_VAR(pcpu_hot, cpu)->cpu_number = cpu;
#endif
	}
	if (units[0] < kernel_percpu_start)
		side.host.die("per-CPU memory lies before its template");
	side_set_cpu(0);
}
