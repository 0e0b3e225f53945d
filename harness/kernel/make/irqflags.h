/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A process has no interrupt flag: interrupts are always on, and turning them off does nothing. In place of
 * asm/irqflags.h, whose guard it takes.
 */
#ifndef _X86_IRQFLAGS_H_
#define _X86_IRQFLAGS_H_

#include <linux/types.h>
#include <asm/processor-flags.h>

#define RETURNS_ON(name) \
	static __always_inline unsigned long name(void) \
	{ \
		return X86_EFLAGS_IF; \
	}
#define DOES_NOTHING(name) \
	static __always_inline void name(void) \
	{ \
	}
#define SETS_NOTHING(name) \
	static __always_inline void name(unsigned long flags) \
	{ \
	}

RETURNS_ON(native_save_fl)
RETURNS_ON(native_local_irq_save)
RETURNS_ON(arch_local_save_flags)
RETURNS_ON(arch_local_irq_save)
DOES_NOTHING(native_irq_disable)
DOES_NOTHING(native_irq_enable)
DOES_NOTHING(native_safe_halt)
DOES_NOTHING(native_halt)
DOES_NOTHING(arch_local_irq_disable)
DOES_NOTHING(arch_local_irq_enable)
DOES_NOTHING(arch_safe_halt)
DOES_NOTHING(halt)
SETS_NOTHING(native_local_irq_restore)
SETS_NOTHING(arch_local_irq_restore)

static __always_inline int arch_irqs_disabled_flags(unsigned long flags)
{
	return !(flags & X86_EFLAGS_IF);
}

static __always_inline int native_irqs_disabled_flags(unsigned long flags)
{
	return arch_irqs_disabled_flags(flags);
}

static __always_inline int arch_irqs_disabled(void)
{
	return 0;
}

#undef RETURNS_ON
#undef DOES_NOTHING
#undef SETS_NOTHING
#endif
