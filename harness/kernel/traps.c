/* SPDX-License-Identifier: GPL-2.0-only */
#define _GNU_SOURCE
#include "harness/kernel/traps.h"

#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "harness/kernel/instance.h"

#define ARCH_SET_GS 0x1001
#define HWCAP2_FSGSBASE 2
#define MAX_WATCHED 128

static struct trap *catcher;
static struct sigaction old_ill, old_segv, old_bus;
static struct {
	struct instance *instance;
	bool (*note)(void *ctx, const char *address);
} watched[MAX_WATCHED];

/* ---- what is a kernel's -------------------------------------------------- */

/* Nobody unwinds: the kernel's stack frames are forgotten, and its state is reset. */
void instance_die(const char *why)
{
	struct trap *trap = catcher;

	if (!trap)
		abort();
	catcher = NULL;
	trap->why = why;
	siglongjmp(trap->out, 1);
}

static void pass_on(const struct sigaction *old, int signal, siginfo_t *info, void *context)
{
	if (old->sa_flags & SA_SIGINFO) {
		old->sa_sigaction(signal, info, context);
	} else if (old->sa_handler != SIG_DFL && old->sa_handler != SIG_IGN) {
		old->sa_handler(signal);
	} else {
		/* Once more, without us. */
		sigaction(signal, old, NULL);
	}
}

static void on_trap(int signal, siginfo_t *info, void *context)
{
	ucontext_t *c = context;
	greg_t *rip = &c->uc_mcontext.gregs[REG_RIP];
	int what = catcher ? catcher->in->side->trap((unsigned long)*rip) : -1;

	if (what < 0) {
		pass_on(&old_ill, signal, info, context);
		return;
	}
	if (what == 0)
		instance_die("BUG");
	*rip += 2; /* ud2 */
}

static void on_access(int signal, siginfo_t *info, void *context)
{
	for (size_t i = 0; i < MAX_WATCHED; i++)
		if (watched[i].instance && watched[i].note(watched[i].instance, info->si_addr))
			return;
	if (catcher)
		instance_die("invalid access to memory");
	pass_on(signal == SIGBUS ? &old_bus : &old_segv, signal, info, context);
}

/* SA_NODEFER: whoever jumps out of a handler leaves no signal blocked. */
static void install(void)
{
	struct sigaction trap = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_NODEFER};
	struct sigaction access = {.sa_sigaction = on_access,
				   .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};
	static bool installed;

	if (installed)
		return;
	installed = true;
	sigaction(SIGILL, &trap, &old_ill);
	sigaction(SIGSEGV, &access, &old_segv);
	sigaction(SIGBUS, &access, &old_bus);
}

void instance_catch(struct trap *trap)
{
	install();
	catcher = trap;
}

/* ---- writes -------------------------------------------------------------- */

void traps_forget(struct instance *instance)
{
	for (size_t i = 0; i < MAX_WATCHED; i++)
		if (watched[i].instance == instance)
			watched[i].instance = NULL;
}

void traps_watch_writes(struct instance *instance, bool (*note)(void *ctx, const char *address))
{
	traps_forget(instance);
	for (size_t i = 0; i < MAX_WATCHED; i++) {
		if (watched[i].instance)
			continue;
		watched[i].instance = instance;
		watched[i].note = note;
		return;
	}
	abort(); /* more kernels than anybody compares */
}

/* ---- the CPU ------------------------------------------------------------- */

void instance_set_gs(unsigned long base)
{
	static unsigned long set; /* by us; nobody else in a process uses gs */
	static int direct = -1;

	if (base == set)
		return;
	set = base;
	if (direct < 0)
		direct = !!(getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE);
	if (direct)
		__asm__ volatile("wrgsbase %0" : : "r"(base) : "memory");
	else
		syscall(SYS_arch_prctl, ARCH_SET_GS, base);
}
