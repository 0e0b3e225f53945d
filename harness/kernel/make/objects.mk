# SPDX-License-Identifier: GPL-2.0-only
#
# make -C OBJ -f objects.mk SRC=... OUT=... : one subject out of a configured kernel tree. Works in kbuild's
# folder, because kbuild's flags are relative to it; all other paths are absolute.
#
#   SRC      sources of the kernel              OUT      where everything goes; $(OUT)/subject.so is the result
#   MAKE_DIR this folder                        SIDE     the kernel side of the harness
#   CC       the compiler                       FLAVOUR  fast, checked, cover
#   VMSTAT   exact, real

MAKEFLAGS += --no-builtin-rules
.DELETE_ON_ERROR:
.PHONY: all
.DEFAULT_GOAL := all
.SECONDARY:

# What is real. A file that a tree does not have is left out.
KERNEL := $(patsubst $(SRC)/%.c,%,$(wildcard $(addprefix $(SRC)/, \
	mm/page_alloc.c mm/page_isolation.c mm/mmzone.c mm/compaction.c mm/cma.c \
	lib/math/int_sqrt.c lib/find_bit.c lib/bitmap.c \
	$(if $(filter real,$(VMSTAT)),mm/vmstat.c) $(if $(filter checked cover,$(FLAVOUR)),lib/list_debug.c))))
GLUE   := $(patsubst $(SIDE)/%.c,%,$(wildcard $(SIDE)/*.c))
PLAIN  := $(patsubst $(SIDE)/plain/%.c,%,$(wildcard $(SIDE)/plain/*.c))

kernel_objects := $(KERNEL:%=$(OUT)/kernel/%.o)
glue_objects   := $(GLUE:%=$(OUT)/side/%.o)
plain_objects  := $(PLAIN:%=$(OUT)/plain/%.o)

# Debug options that change no answer: on every object, as if configured.
CHECKED := DEBUG_VM DEBUG_VM_PGFLAGS LIST_HARDENED DEBUG_LIST
OPTIONS_checked := $(CHECKED:%=-DCONFIG_%=1) -DHAVE_WRITE_HOOKS=1
# Ahead of every other header, because any may bring atomic operations in.
FIRST_checked := -include $(MAKE_DIR)/instrumented.h
FIRST_cover := $(FIRST_checked)
# On the kernel's own objects; the write hooks on the side's as well, which writes to pages, too.
CLANG := $(findstring clang,$(CC))
HOOKS_checked := -fsanitize=thread -U__SANITIZE_THREAD__ \
	$(if $(CLANG),-mllvm -tsan-instrument-func-entry-exit=0, \
	--param tsan-instrument-func-entry-exit=0 --param tsan-distinguish-volatile=1)
# A fuzzer sees all that a checked build does; what counts is the kernel's own code.
OPTIONS_cover := $(OPTIONS_checked) -DHAVE_COUNTERS=1
HOOKS_cover := $(HOOKS_checked)
# Each block by itself, so that lines can be told of it, too (ci/kernel-coverage).
COUNTERS_cover := -fsanitize-coverage=inline-8bit-counters,pc-table,no-prune
hooks_of_side = $(if $(filter-out hooks,$*),$(HOOKS_$(FLAVOUR)))

# WARN and BUG say where they are, and on what condition if the tree can.
PLACES := -DCONFIG_DEBUG_BUGVERBOSE=1 -DCONFIG_DEBUG_BUGVERBOSE_DETAILED=1
FLAGS := @$(OUT)/flags -include $(OUT)/features.h -include $(MAKE_DIR)/pic.h \
	$(FIRST_$(FLAVOUR)) -include $(MAKE_DIR)/irqflags.h $(OPTIONS_$(FLAVOUR)) $(PLACES) -DHAVE_VMSTAT_$(VMSTAT)=1
name   = $(subst -,_,$(notdir $*))
NAMED  = -DKBUILD_MODFILE='"$*"' -DKBUILD_BASENAME='"$(name)"' -DKBUILD_MODNAME='"$(name)"' \
	-D__KBUILD_MODNAME=$(name)
DEPS   = -MMD -MP -MF $(@:.o=.d) -MT $@
SELF  := $(MAKE_DIR)/objects.mk $(OUT)/flags $(OUT)/features.h

# In place of tracepoints and the like, in the kernel's own files.
OBSERVE := $(addprefix -include ,$(wildcard $(SIDE)/observe.h))

compile_kernel = $(call say,CC,$@)$(CC) $(FLAGS) -I$(SRC)/$(*D) $(NAMED) $(OBSERVE) $(HOOKS_$(FLAVOUR)) \
	$(COUNTERS_$(FLAVOUR)) $(DEPS) -c -o $@ $<

say = @printf '  %-6s %s\n' '$1' '$(patsubst $(OUT)/%,%,$2)';

all: $(OUT)/subject.so $(OUT)/constants
$(OUT)/subject.so: $(OUT)/whole.o $(OUT)/stubs.o
	$(call say,LINK,$@)$(CC) -shared -nostdlib -Wl,-Bsymbolic -Wl,-z,defs -Wl,-z,noexecstack -o $@ $^

# What the machine is like: lines "NAME VALUE".
$(OUT)/constants: $(MAKE_DIR)/constants.c $(SELF)
	@$(CC) $(FLAGS) $(NAMED) -S -o $@.s $<
	@sed -n 's/^.*"constant \(.*\) \$$\{0,1\}\([0-9]*\)"$$/\1 \2/p' $@.s >$@

$(OUT)/kernel/%.o: $(SRC)/%.c $(SELF)
	@mkdir -p $(@D)
	$(compile_kernel)

# Functions in these files that the kernel side watches (see watch.awk), by another linkage in a copy.
INTERPOSE := $(wildcard $(SIDE)/interpose)
REDIRECT  := $(wildcard $(SIDE)/redirect)
NAMES   := $(if $(INTERPOSE),$(shell sed '/^\#/d' $(INTERPOSE)))
WATCHED := $(filter $(addprefix $(OUT)/kernel/mm/,page_alloc.o page_isolation.o compaction.o),$(kernel_objects))
$(WATCHED:.o=.c): $(OUT)/kernel/%.c: $(SRC)/%.c $(INTERPOSE) $(MAKE_DIR)/watch.awk
	@mkdir -p $(@D)
	@awk -v names='$(NAMES)' -v protos=$(@:.c=.protos) -f $(MAKE_DIR)/watch.awk $< >$@
$(WATCHED): $(OUT)/kernel/%.o: $(OUT)/kernel/%.c $(SELF) $(REDIRECT)
	$(compile_kernel)
	@$(if $(REDIRECT),$(MAKE_DIR)/redirect $(REDIRECT) $* $@)
# The header keeps its time if it stays the same.
$(OUT)/watched: $(WATCHED) $(MAKE_DIR)/watched
	@$(MAKE_DIR)/watched '$(NAMES)' $(WATCHED) >$@
	@cmp -s $@ $@.h || cp $@ $@.h
$(OUT)/watched.h: $(OUT)/watched ;

# What the kernel's own objects define themselves wins over ours, but not over what watches them.
$(OUT)/side/%.o: $(SIDE)/%.c $(SELF) $(OUT)/watched.h
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CC) $(FLAGS) -I$(SIDE) -I$(SIDE)/../../.. -I$(OUT) -I$(SRC)/mm $(NAMED) \
		$(hooks_of_side) $(DEPS) -c -o $@ $<
	@nm -g --defined-only $@ | awk '{ print $$3 }' | grep -vxF -e '' $(NAMES:%=-e %) >$@.weak || :
	@[ ! -s $@.weak ] || objcopy --weaken-symbols=$@.weak $@

# No header of the kernel; no header of libc that needs a library.
$(OUT)/plain/%.o: $(SIDE)/plain/%.c $(MAKE_DIR)/objects.mk
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CC) -std=gnu11 -O2 -g -Wall -Wextra -fPIC -fvisibility=hidden -ffreestanding -fno-builtin \
		-mno-sse -fno-stack-protector -I$(SIDE) -I$(SIDE)/.. $(DEPS) -c -o $@ $<

$(OUT)/kernel.o: $(kernel_objects) $(glue_objects) $(MAKE_DIR)/kernel.lds
	$(call say,LD,$@)ld -r --force-group-allocation -T $(MAKE_DIR)/kernel.lds -o $@ $(kernel_objects) $(glue_objects)

$(OUT)/whole.o: $(OUT)/kernel.o $(plain_objects)
	$(call say,LD,$@)ld -r -o $@ $^

$(OUT)/stubs.c $(OUT)/stubs.txt: $(OUT)/whole.o $(MAKE_DIR)/stubs
	$(call say,STUBS,$@)$(MAKE_DIR)/stubs $< $(OUT)/stubs.txt >$(OUT)/stubs.c
$(OUT)/stubs.o: $(OUT)/stubs.c
	@$(CC) -O1 -fPIC -w -ffreestanding -fno-builtin -fno-stack-protector -c -o $@ $<

-include $(kernel_objects:.o=.d) $(glue_objects:.o=.d) $(plain_objects:.o=.d)
