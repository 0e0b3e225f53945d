# SPDX-License-Identifier: GPL-2.0-only
#
# `make help` lists the targets. What is built goes to build/VARIANT/; a variant is a compiler with
# flags (see "variants"). Sources are found by wildcard: a new file needs no line here.

BUILD   ?= build
PREFIX  ?= /usr/local
SECONDS ?= 60
# WERROR=1: warnings are errors, as in CI. V=1: show the commands.
WERROR  ?=
V       ?=

ifeq ($(origin CC),default)
CC := gcc
endif
CLANG ?= clang-19

MAKEFLAGS += --no-builtin-rules --jobs=$(shell nproc)
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all

say = $(if $(V),,@printf '  %-6s %s\n' '$1' '$2';)

# ---- sources -------------------------------------------------------------------------------------

LIB   := $(wildcard model/*.c properties/*.c harness/*.c harness/callers/*.c harness/kernel/*.c harness/gate/*.c)
CLI   := $(wildcard harness/cli/*.c)
FUZZ  := $(wildcard harness/fuzz/*.c)
BENCH := $(wildcard harness/bench/*.c)
TRIALS := $(wildcard harness/kernel/trials/*.c)

IN_TESTS   := $(wildcard model/tests/*.c properties/tests/*.c harness/tests/*.c harness/*/tests/*.c)
TESTS      := $(foreach f,$(IN_TESTS),$(if $(filter test_%,$(notdir $f)),$f))
TEST_PARTS := $(filter-out $(TESTS),$(IN_TESTS))

SOURCES := $(LIB) $(CLI) $(FUZZ) $(BENCH) $(TRIALS) $(IN_TESTS) $(wildcard harness/mutants/*.c)
# Only the build of mutants has what it includes.
NOT_LINTED := harness/mutants/selector.c
SCRIPTS    := $(wildcard corpus/seeds/*.script corpus/regressions/*.script)
RECORDINGS := $(wildcard corpus/recordings/*/*.gz)
HEADERS    := $(wildcard model/*.h properties/*.h harness/*.h harness/*/*.h */tests/*.h harness/*/tests/*.h)

COMMON := -std=gnu11 -g -Wall -Wextra $(if $(WERROR),-Werror) -I. -isystem /usr/include/libxml2
LIBS   := -lz -Wl,--as-needed -ljansson -lxml2

# ---- set-up: before anything else, see that the packages for what is made are there --------------------

NEEDS_check        := build cmocka clang
NEEDS_fuzz         := build clang $(if $(filter afl++,$(ENGINE)),afl) $(if $(KDIR)$(KVER),kernel)
NEEDS_fuzz-smoke   := build clang
NEEDS_fuzz-speed   := build clang afl
NEEDS_merge        := build clang
NEEDS_canary       := build clang afl
NEEDS_coverage     := build cmocka clang
NEEDS_oss-fuzz-check := build clang afl zip
NEEDS_hash-check   := build clang
NEEDS_bench        := build clang bench
NEEDS_mutants      := build clang json afl
NEEDS_mutants-check := build clang json
NEEDS_lint         := build cmocka lint
NEEDS_format       := format
NEEDS_format-check := format
NEEDS_man          := man
NEEDS_man-check    := man
NEEDS_gate         := build $(if $(KDIR)$(KDIR_BASE),kernel)
NEEDS_kernel       := build kernel $(if $(findstring clang,$(CC))$(findstring cover,$(FLAVOUR)),clang)
NEEDS_kernel-check := build kernel clang
NEEDS_kernel-coverage := build clang
NEEDS_conformance := build kernel
NEEDS_clang        := build clang
NEEDS_asan         := build clang
NEEDS_libfuzzer    := build clang
NEEDS_afl          := build clang afl

.PHONY: setup
setup:
	@ci/setup $(sort $(foreach g,$(or $(MAKECMDGOALS),all),$(or $(NEEDS_$g),build)))

# ---- variants ------------------------------------------------------------------------------------

# $(call variant,NAME,COMPILER,FLAGS): objects, library, program and tests.
define variant
$(BUILD)/$1/%.o: %.c Makefile | setup
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)$2 $$(COMMON) $3 $$(FOR_FUZZING) $$(DEFINES) $$(CFLAGS) -MMD -MP -c -o $$@ $$<

$(BUILD)/$1/libbuddycheck.a: $$(LIB:%.c=$(BUILD)/$1/%.o)
	@rm -f $$@
	$$(call say,AR,$$@)ar rcs $$@ $$^

$(BUILD)/$1/buddycheck: $$(CLI:%.c=$(BUILD)/$1/%.o) $(BUILD)/$1/libbuddycheck.a
	$$(call say,LD,$$@)$2 $3 $$(LDFLAGS) -o $$@ $$^ $$(LIBS)

$(BUILD)/$1/libtest.a: $$(TEST_PARTS:%.c=$(BUILD)/$1/%.o)
	@rm -f $$@
	$$(call say,AR,$$@)ar rcs $$@ $$^

TESTS_$1 := $$(TESTS:%.c=$(BUILD)/$1/%)
$$(TESTS_$1): %: %.o $(BUILD)/$1/libtest.a $(BUILD)/$1/libbuddycheck.a
	$$(call say,LD,$$@)$2 $3 $$(LDFLAGS) -o $$@ $$^ -lcmocka $$(LIBS)
$$(IN_TESTS:%.c=$(BUILD)/$1/%.o): DEFINES := -DBUDDYCHECK='"$(BUILD)/$1/buddycheck"'

.PHONY: $1
$1: $(BUILD)/$1/buddycheck

-include $$(SOURCES:%.c=$(BUILD)/$1/%.d)
endef

SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

$(eval $(call variant,release,$(CC),-O2))
$(eval $(call variant,debug,$(CC),-O0))
$(eval $(call variant,clang,$(CLANG),-O2 -gdwarf-4))
$(eval $(call variant,asan,$(CLANG),-O1 $(SANITIZE)))
# For fuzzing, see below. The plain ones are there to measure what sanitizers cost.
$(eval $(call variant,libfuzzer,$(CLANG),-O2 $(SANITIZE)))
$(eval $(call variant,libfuzzer-plain,$(CLANG),-O2))
$(eval $(call variant,afl,$(CLANG),-O2 $(SANITIZE)))
$(eval $(call variant,afl-plain,$(CLANG),-O2))

# The port as a shared object, for other programs to judge: port:POLICY@FILE.
PORT_SOURCES := $(wildcard model/*.c) harness/subject_port.c harness/gate/port/port_export.c
$(eval $(call variant,pic,$(CC),-O2 -fPIC -fvisibility=hidden))
$(BUILD)/port.so: $(PORT_SOURCES:%.c=$(BUILD)/pic/%.o)
	$(call say,LD,$@)$(CC) -shared -Wl,-Bsymbolic -Wl,-z,defs $(LDFLAGS) -o $@ $^
.PHONY: port
port: $(BUILD)/port.so ## the port as a shared object, which another revision can judge: port:POLICY@FILE

# For `make coverage`.
$(eval $(call variant,cover,$(CLANG),-O0 -fprofile-instr-generate -fcoverage-mapping))

# The same final states are wanted from every one of these (ci/hash-check). Warnings are for the others to show.
HASH_VARIANTS :=
define hash_variant
HASH_VARIANTS += hash-$1-$3 hash-$1-$3-san
NEEDS_hash-$1-$3 := build $(filter clang,$1)
NEEDS_hash-$1-$3-san := build $(filter clang,$1)
$(call variant,hash-$1-$3,$2,-$3 -w)
$(call variant,hash-$1-$3-san,$2,-$3 -w $(SANITIZE))
endef
$(foreach o,O0 O3,$(eval $(call hash_variant,gcc,$(CC),$o)) \
		  $(eval $(call hash_variant,clang,$(CLANG),$o)))

# ---- fuzzing -------------------------------------------------------------------------------------

# Coverage of the port, the callers and the text parsers alone: that of checkers and of the total decoder
# tells nothing. Neither do boot, looks and undo, which run in some executions of an input and not in others.
# No trace-cmp where cases are played: it costs a factor of 3 to 5.
COVERED := $(filter-out model/boot.c model/memory.c model/journal.c model/written.c,$(wildcard model/*.c harness/callers/*.c))
covered = $(foreach v,$1 $1-plain,$(COVERED:%.c=$(BUILD)/$v/%.o))
COVER_libfuzzer := -fsanitize-coverage=inline-8bit-counters,pc-table
COVER_afl       := -fsanitize-coverage=trace-pc-guard
# Sanitizers watch what is under test. Checkers, decoders and the rest are watched in `make check`.
$(foreach v,libfuzzer afl,$(addprefix $(BUILD)/$v/,properties/%.o harness/%.o)): FOR_FUZZING := -fno-sanitize=all
$(call covered,libfuzzer): FOR_FUZZING := $(COVER_libfuzzer)
$(call covered,afl): FOR_FUZZING := $(COVER_afl)
$(addprefix $(BUILD)/libfuzzer/harness/,script%.o text.o recording.o): FOR_FUZZING := -fsanitize=fuzzer-no-link

FUZZERS := $(patsubst harness/fuzz/%.c,%,$(wildcard harness/fuzz/fuzz_*.c))
PARTS   := $(addprefix harness/fuzz/,coverage stock target violations)
parts    = $(PARTS:%=$(BUILD)/$1/%.o) $(BUILD)/$1/libbuddycheck.a
AFL     := /usr/lib/afl/libAFLDriver.a /usr/lib/afl/afl-compiler-rt.o

# $(call engine,VARIANT,FLAGS,WHAT IT IS LINKED WITH,OBJECTS): VARIANT/fuzz_case. The mutator goes to
# fuzz_case alone: the other entries are no cases.
define engine
OBJECTS_$1 := $(addprefix $(BUILD)/$1/harness/fuzz/,fuzz_case.o $4) $(call parts,$1)
link_$1 = $$(call say,LD,$$@)$(CLANG) $2 $$(LDFLAGS) -o $$@ $$^ $3 $$(LIBS)
$(BUILD)/$1/fuzz_case: $$(OBJECTS_$1)
	$$(link_$1)
$(BUILD)/$1/lockstep: $(addprefix $(BUILD)/$1/harness/fuzz/,lockstep_target.o $4) $(call parts,$1)
	$$(link_$1)
endef
$(eval $(call engine,libfuzzer,$(SANITIZE),-fsanitize=fuzzer,mutator_libfuzzer.o))
$(eval $(call engine,libfuzzer-plain,,-fsanitize=fuzzer,mutator_libfuzzer.o))
$(eval $(call engine,afl,$(SANITIZE),$(AFL)))
$(eval $(call engine,afl-plain,,$(AFL)))
$(eval $(call engine,asan,$(SANITIZE),,random_main.o))
$(eval $(call engine,clang,,,random_main.o))

EMPTY := $(foreach e,libfuzzer libfuzzer-plain afl afl-plain,$(BUILD)/$e/empty)
$(EMPTY): $(BUILD)/%/empty: $(BUILD)/%/harness/fuzz/empty_target.o
	$(link_$*)

PARSERS := $(filter-out fuzz_case,$(FUZZERS))
$(PARSERS:%=$(BUILD)/libfuzzer/%): $(BUILD)/libfuzzer/%: $(BUILD)/libfuzzer/harness/fuzz/%.o $(call parts,libfuzzer)
	$(link_libfuzzer)

# AFL++ loads the mutator; sections, because no more of the port than machines and policies is wanted.
MUTATOR := $(addprefix harness/,fuzz/mutator_afl.c mutate.c $(notdir $(wildcard harness/generate*.c harness/bytes*.c)) \
	case.c case_equal.c live.c machine_fit.c op_rules.c text.c) \
	model/machine.c model/policy.c model/environment.c
$(BUILD)/afl/mutator.so: $(MUTATOR) $(HEADERS) | setup
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CLANG) $(COMMON) -O2 -fPIC -shared -fvisibility=hidden -ffunction-sections \
		-Wl,--gc-sections -Wl,-z,defs -o $@ $(MUTATOR)

# Without an engine: the entries played on files, and the seeds made.
REGRESSIONS := $(FUZZERS:%=$(BUILD)/asan/%-regression)
$(REGRESSIONS): $(BUILD)/asan/%-regression: $(BUILD)/asan/harness/fuzz/%.o \
		$(BUILD)/asan/harness/fuzz/regression_main.o \
		$(call parts,asan)
	$(call say,LD,$@)$(CLANG) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(LIBS)
# The same objects as under the engine, without it.
STABILITY := $(BUILD)/libfuzzer/stability $(BUILD)/libfuzzer-plain/stability
REPLAY    := $(BUILD)/libfuzzer/replay $(BUILD)/libfuzzer-plain/replay
define without_engine
$(BUILD)/$1/$3: $(addprefix $(BUILD)/$1/harness/fuzz/,$3_main.o fuzz_case.o) $(call parts,$1)
	$$(call say,LD,$$@)$(CLANG) $2 $$(LDFLAGS) -o $$@ $$^ $$(LIBS)
endef
$(foreach m,stability replay,$(eval $(call without_engine,libfuzzer,$(SANITIZE),$m)) \
	$(eval $(call without_engine,libfuzzer-plain,,$m)))
$(eval $(call without_engine,clang,,replay))
$(eval $(call without_engine,clang,,edges))
$(BUILD)/release/make_seeds $(BUILD)/release/workload: $(BUILD)/release/%: $(BUILD)/release/harness/fuzz/%.o \
		$(BUILD)/release/libbuddycheck.a
	$(call say,LD,$@)$(CC) $(LDFLAGS) -o $@ $^ $(LIBS)

# What the fuzzers start from: bytes, scripts and recordings in folders of their own.
SEEDS := $(BUILD)/seeds
$(SEEDS)/made: ci/seeds $(BUILD)/release/make_seeds $(BUILD)/release/buddycheck $(SCRIPTS) $(RECORDINGS)
	$(call say,SEEDS,$(SEEDS))ci/seeds $(SEEDS) $(BUILD)/release

# Canaries: the engines on ports with a defect each.
CANARIES := $(patsubst ci/canaries/%.defect,%,$(wildcard ci/canaries/*.defect))
define canary
$(BUILD)/canary/$1/defect.c: ci/canaries/$1.defect $(shell sed -n 's/^file //p' ci/canaries/$1.defect)
	@mkdir -p $$(@D)
	$$(call say,EDIT,$$@)ci/apply-defect $$< >$$@
$(call canary_engine,$1,libfuzzer,$(COVER_libfuzzer))
$(call canary_engine,$1,afl,$(COVER_afl))
$(call canary_engine,$1,asan,)
endef
define canary_engine
$(BUILD)/canary/$1/$2.o: $(BUILD)/canary/$1/defect.c $(HEADERS) | setup
	$$(call say,CC,$$@)$(CLANG) $(COMMON) -O2 $(SANITIZE) $3 $$(CFLAGS) -c -o $$@ $$<
$(BUILD)/canary/$1/$2: $(BUILD)/canary/$1/$2.o $(OBJECTS_$2)
	$$(link_$2)
endef
$(foreach c,$(CANARIES),$(eval $(call canary,$c)))

# ---- mutants ---------------------------------------------------------------------------------------

# The port once more, with all defects of ci/mutants/ in it, one of which is alive (harness/mutants/selector.h).
# Everything else is the fuzzers'. Programs: an engine's each, buddycheck with a mutant, and the table.
MUTANTS := $(BUILD)/mutants
WOVEN   := $(MUTANTS)/src/woven
$(WOVEN): ci/weave-mutants $(wildcard ci/mutants/*.mutant model/*.[ch])
	$(call say,WEAVE,$(@D))ci/weave-mutants $(@D) ci/mutants/*.mutant && touch $@
MUTANT_SRC := $(patsubst %,$(MUTANTS)/src/%,$(wildcard model/*.c)) $(MUTANTS)/src/mutants.inc
$(MUTANT_SRC): $(WOVEN) ;

# $(call mutant_objects,FOLDER,COVERAGE): the port's.
define mutant_objects
$(MUTANTS)/$1/model/%.o: $(MUTANTS)/src/model/%.c Makefile | setup
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)$(CLANG) -I$(MUTANTS)/src $$(COMMON) -O2 $(SANITIZE) $2 $$(CFLAGS) -MMD -MP -c -o $$@ $$<
-include $$(patsubst model/%.c,$(MUTANTS)/$1/model/%.d,$(wildcard model/*.c))
endef
$(eval $(call mutant_objects,libfuzzer,$(COVER_libfuzzer)))
$(eval $(call mutant_objects,afl,$(COVER_afl)))
IN_MUTANTS := $(wildcard harness/mutants/*.c)
$(IN_MUTANTS:%.c=$(MUTANTS)/%.o): $(MUTANTS)/%.o: %.c $(MUTANTS)/src/mutants.inc Makefile | setup
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CLANG) -I$(MUTANTS)/src $(COMMON) -O2 $(CFLAGS) -MMD -MP -c -o $@ $<
-include $(IN_MUTANTS:%.c=$(MUTANTS)/%.d)

# $(call mutant_lib,ENGINE): the port with mutants and all that is not the port, for the engine.
mutant_lib = $(patsubst model/%.c,$(MUTANTS)/$1/model/%.o,$(wildcard model/*.c)) $(MUTANTS)/harness/mutants/selector.o \
	$(patsubst %.c,$(BUILD)/$1/%.o,$(filter-out model/%,$(LIB)))
mutant_target = $(MUTANTS)/harness/mutants/mutant_case.o $(addprefix $(BUILD)/$1/harness/fuzz/,coverage.o stock.o target.o violations.o $2) $(call mutant_lib,$1)
$(MUTANTS)/target-libfuzzer: $(call mutant_target,libfuzzer,mutator_libfuzzer.o)
	$(call say,LD,$@)$(CLANG) $(SANITIZE) $(LDFLAGS) -o $@ $^ -fsanitize=fuzzer $(LIBS)
$(MUTANTS)/target-random: $(call mutant_target,libfuzzer,random_main.o)
	$(call say,LD,$@)$(CLANG) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(LIBS)
$(MUTANTS)/target-afl++: $(call mutant_target,afl,)
	$(call say,LD,$@)$(CLANG) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(AFL) $(LIBS)
$(MUTANTS)/buddycheck: $(CLI:%.c=$(BUILD)/libfuzzer/%.o) $(call mutant_lib,libfuzzer)
	$(call say,LD,$@)$(CLANG) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(LIBS)
$(MUTANTS)/mutants: $(filter-out %/mutant_case.o %/selector.o,$(IN_MUTANTS:%.c=$(MUTANTS)/%.o)) \
		$(BUILD)/libfuzzer/harness/cli/fuzz_engines.o $(call mutant_lib,libfuzzer)
	$(call say,LD,$@)$(CLANG) $(SANITIZE) $(LDFLAGS) -o $@ $^ -ljansson $(LIBS)

# ---- OSS-Fuzz and ClusterFuzzLite ------------------------------------------------------------------

# ci/oss-fuzz/build.sh says with which compilers, flags and engine (OSS_...), and where to (OUT). What has
# sanitizers and coverage is what has them above. AFL_NOOPT: afl-clang-fast compiles as clang does. The tools
# that make the seeds are built like the targets, and run at once: no leaks are looked for, no profile is kept.
ifdef OSS_CC
WATCHED := $(COVERED) $(wildcard harness/script*.c) harness/text.c harness/recording.c
UNWATCHED := $(filter-out $(WATCHED),$(LIB) $(CLI) $(FUZZ))
oss = $(patsubst %.c,$(BUILD)/oss-fuzz/%.o,$1)
$(eval $(call variant,oss-fuzz,$(OSS_CC),$(OSS_CFLAGS)))
$(call oss,$(COVERED)): FOR_FUZZING := -fno-sanitize-coverage=trace-cmp
$(call oss,$(filter model/%,$(UNWATCHED))): FOR_FUZZING := -fno-sanitize=fuzzer-no-link
$(call oss,$(filter-out model/%,$(UNWATCHED))): FOR_FUZZING := -O2 -fno-sanitize=all
$(call oss,$(UNWATCHED)): export AFL_NOOPT := 1

$(FUZZERS:%=$(OUT)/%): $(OUT)/%: $(BUILD)/oss-fuzz/harness/fuzz/%.o $(call parts,oss-fuzz)
	$(call say,LD,$@)$(OSS_CXX) $(OSS_CXXFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(OSS_ENGINE)
$(OUT)/fuzz_case: $(call oss,harness/fuzz/mutator_libfuzzer.c)
$(BUILD)/oss-fuzz/make_seeds: $(call oss,harness/fuzz/make_seeds.c) $(BUILD)/oss-fuzz/libbuddycheck.a
	$(call say,LD,$@)$(OSS_CC) $(OSS_CFLAGS) -o $@ $^ $(LIBS)

.PHONY: oss-fuzz
oss-fuzz: $(FUZZERS:%=$(OUT)/%) $(BUILD)/oss-fuzz/make_seeds $(BUILD)/oss-fuzz/buddycheck
	$(call say,PACK,$(OUT))ASAN_OPTIONS=detect_leaks=0 LLVM_PROFILE_FILE=/dev/null \
		ci/oss-fuzz/pack $(OUT) $(BUILD)/oss-fuzz $(FUZZERS)
endif

# ---- targets -------------------------------------------------------------------------------------

.PHONY: all check recordings defects mutants mutants-check vacuity fuzz fuzz-smoke merge fuzz-speed canary coverage oss-fuzz-check gate gate-check kernel kernel-check kernel-coverage kernel-trials hash-check \
	bench lint format format-check man man-check install clean help

all: buddycheck ## build ./buddycheck (the default)
buddycheck: $(BUILD)/release/buddycheck
	@ln -sf $< $@

check: buddycheck asan $(TESTS_release) $(TESTS_asan) $(REGRESSIONS) $(SEEDS)/made ## all tests, plain and with ASan+UBSan, and the corpus
	@ci/run-tests $(TESTS_release)
	@ci/run-tests $(TESTS_asan)
	@ci/play $(BUILD)/release/buddycheck --full $(SCRIPTS)
	@ci/play $(BUILD)/asan/buddycheck --full $(SCRIPTS)
	@ci/play $(BUILD)/release/buddycheck $(RECORDINGS)
	@sed -n '/^    buddycheck script 1/,/^$$/s/^    //p' README.md | ci/play $(BUILD)/release/buddycheck -
	@$(BUILD)/asan/fuzz_case-regression $(SEEDS)/case/*
	@$(BUILD)/asan/fuzz_script-regression $(SCRIPTS)
	@$(BUILD)/asan/fuzz_recording-regression $(SEEDS)/recording/*

recordings: buddycheck ## play the recordings of the real allocator
	@ci/play ./buddycheck $(RECORDINGS) $(wildcard ../shared/recordings/*/*.gz)

defects: buddycheck ## see that each property finds a defect of the port that is made for it
	@ci/check-defects $(BUILD)/release '$(CC)'
vacuity: buddycheck ## see that each property has something to judge, on the corpus and on generated cases
	@ci/vacuity $(BUILD)/release/buddycheck

ENGINE  ?= libfuzzer
SUBJECT ?= port:v7.3+V1+V2
TARGET_libfuzzer := $(BUILD)/libfuzzer/fuzz_case
TARGET_afl++     := $(BUILD)/afl/fuzz_case $(BUILD)/afl/mutator.so
TARGET_random    := $(BUILD)/asan/fuzz_case
# A kernel: kernel:FILE, or what KDIR or KVER names, built for coverage.
TARGET_kernel-libfuzzer := $(BUILD)/libfuzzer-plain/fuzz_case
TARGET_kernel-afl++     := $(BUILD)/afl-plain/fuzz_case $(BUILD)/afl/mutator.so
TARGET_kernel-random    := $(BUILD)/clang/fuzz_case
FUZZES_KERNEL := $(if $(filter kernel:%,$(SUBJECT))$(KDIR)$(KVER),kernel-)
fuzz: buddycheck $(SEEDS)/made $(TARGET_$(FUZZES_KERNEL)$(ENGINE)) ## fuzz the port or a kernel: SECONDS=60, ENGINE=libfuzzer|afl++|random, SUBJECT=port:POLICY|kernel:FILE, KDIR=, KVER=
	@$(if $(FUZZES_KERNEL),BUILD=$(BUILD) CLANG=$(CLANG) ci/fuzz-kernel '$(SUBJECT)',./buddycheck fuzz --subject $(SUBJECT)) \
		--engine $(ENGINE) --seconds $(SECONDS)
fuzz-smoke: buddycheck $(SEEDS)/made $(FUZZERS:%=$(BUILD)/libfuzzer/%) $(STABILITY) $(BUILD)/libfuzzer-plain/lockstep ## fuzz port and parsers for a fixed number of runs
	@ci/fuzz $(BUILD)
merge: $(SEEDS)/made $(TARGET_libfuzzer) ## keep of the fuzz corpus what adds coverage
	@ci/merge $(BUILD)
fuzz-speed: buddycheck $(BUILD)/release/make_seeds $(BUILD)/release/workload $(REPLAY) $(EMPTY) $(EMPTY:%empty=%fuzz_case) $(BUILD)/afl/mutator.so ## executions a second, compared with targets that do nothing
	@ci/fuzz-speed $(BUILD)

# SEEDS_EACH=8: medians, for the table in README.md.
SEEDS_EACH ?= 1
canary: buddycheck $(foreach c,$(CANARIES),$(foreach e,libfuzzer afl asan,$(BUILD)/canary/$c/$e)) $(BUILD)/afl/mutator.so ## see that the engines find defects put in on purpose
	@ci/canary $(BUILD) $(SEEDS_EACH) $(CANARIES)

MUTANT_PROGRAMS := $(addprefix $(MUTANTS)/,mutants buddycheck target-libfuzzer target-random)
# MUTANT_OPTIONS: of `buddycheck mutants`.
mutants: buddycheck $(MUTANT_PROGRAMS) $(MUTANTS)/target-afl++ $(BUILD)/afl/mutator.so ## put back the defects that happened, and see which are found: the whole table
	@ci/nightly $(BUILD) $(MUTANT_OPTIONS)
mutants-check: buddycheck $(MUTANT_PROGRAMS) ## the same, in short: what was found once is still found
	@ci/check-mutants $(BUILD)

# The program with all of the library, also what it does not use.
$(BUILD)/cover/all: $(LIB:%.c=$(BUILD)/cover/%.o) $(CLI:%.c=$(BUILD)/cover/%.o)
	$(call say,LD,$@)$(CLANG) -fprofile-instr-generate -o $@ $^ $(LIBS)
coverage: $(BUILD)/cover/all $(BUILD)/cover/buddycheck $(TESTS_cover) ## lines that corpus and tests reach, and floors; HTML in build/coverage
	@ci/coverage $(BUILD)/cover $(BUILD)/coverage $(TESTS_cover)
oss-fuzz-check: | setup ## build as OSS-Fuzz does, and run what was built
	@ci/oss-fuzz/test

# KERNEL=FILE.so...: with kernels that were built.
KERNEL_TRIALS := $(TRIALS:harness/kernel/trials/%.c=$(BUILD)/release/%)
$(KERNEL_TRIALS): $(BUILD)/release/%: $(BUILD)/release/harness/kernel/trials/%.o $(BUILD)/release/libbuddycheck.a
	$(call say,LD,$@)$(CC) $(LDFLAGS) -o $@ $^ $(LIBS)
kernel-trials: $(KERNEL_TRIALS) ## views of real kernels are exact, and all properties hold: KERNEL='FILE.so...'
	@for trial in $^; do $$trial $(KERNEL) || exit 1; done

# BASE, CANDIDATE, BASE_REV, KDIR_BASE, KDIR_CANDIDATE, OPS, CORPUS, CONFIG: see ci/gate.
export BASE CANDIDATE BASE_REV POLICY KDIR_BASE KDIR_CANDIDATE OPS CORPUS CONFIG
gate: buddycheck ## may a changed allocator replace another? BASE= and CANDIDATE=port:POLICY|kernel:FILE, BASE_REV=, KDIR= and PATCH=
	@SECONDS_OF=$(SECONDS) ci/gate $(BUILD)
gate-check: buddycheck port ## see that the gate tells good ports from bad ones
	@ci/gate-check $(BUILD) '$(CC)'

# KDIR, KVER, PATCH, NAME, FLAVOUR, VMSTAT, PAGEBLOCK_ORDER, KERNEL_CACHE: see harness/kernel/make/README.md.
export KDIR KVER PATCH NAME FLAVOUR VMSTAT PAGEBLOCK_ORDER KERNEL_CACHE
conformance: | setup ## the port in lock step with the real page_alloc.c of Debian's 7.3; OPS=2000000
	@ci/conformance

proposals: $(BUILD)/release/buddycheck ## P2, P3, P4 in numbers, on the port's generations and on edited real code
	@REAL=$(REAL) ci/proposals/check

kernel: | setup ## the real page allocator as a subject: KDIR=/path/to/linux or KVER=7.3, PATCH=a.mbox,b.diff
	@BUILD=$(BUILD) CC=$(CC) CLANG=$(CLANG) harness/kernel/make/build

KERNEL_CORPUS ?= $(BUILD)/corpus-kernel-libfuzzer
kernel-coverage: $(BUILD)/clang/edges $(SEEDS)/made | setup ## lines of page_alloc.c that seeds and the fuzzer's corpus reach: KERNEL=FILE-cover.so
	@ci/kernel-coverage $(BUILD) $(KERNEL) $(SEEDS)/case $(KERNEL_CORPUS)

kernel-check: | setup ## test how subjects are built, on a tree that is fetched (KVER=7.3)
	@BUILD=$(BUILD) harness/kernel/make/tests/run

hash-check: $(HASH_VARIANTS) ## same final states from both compilers, -O0 and -O3, with sanitizers
	@ci/hash-check $(HASH_VARIANTS:%=$(BUILD)/%/buddycheck)

$(BUILD)/clang/bench: $(BENCH:%.c=$(BUILD)/clang/%.o) $(BUILD)/clang/libbuddycheck.a
	$(call say,LD,$@)$(CLANG) -O2 $(LDFLAGS) -o $@ $^ $(LIBS)
bench: $(BUILD)/clang/bench $(BUILD)/clang/replay buddycheck $(BUILD)/release/make_seeds | setup ## time and exact instructions, compared with ci/limits
	@ci/bench $(BUILD)

lint: release | setup ## clang-tidy, cppcheck, who may call whom
	@ci/lint $(BUILD)/release $(filter-out $(NOT_LINTED),$(SOURCES))

format: | setup ## reformat all sources
	clang-format-19 -i $(SOURCES) $(HEADERS)
format-check: | setup ## see that all sources are formatted
	@clang-format-19 --dry-run -Werror $(SOURCES) $(HEADERS)

man: | setup ## show the manual page
	@mandoc -l harness/cli/buddycheck.1
man-check: | setup ## see that mandoc finds nothing wrong with it
	@mandoc -T lint harness/cli/buddycheck.1

install: buddycheck ## install program and manual page to PREFIX=/usr/local
	install -D -m 755 $(BUILD)/release/buddycheck $(DESTDIR)$(PREFIX)/bin/buddycheck
	install -D -m 644 harness/cli/buddycheck.1 $(DESTDIR)$(PREFIX)/share/man/man1/buddycheck.1

clean: ## remove everything that was built
	rm -rf $(BUILD) buddycheck

help: ## this list
	@echo 'make TARGET [VARIABLE=value]'
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1:\2/p' $(firstword $(MAKEFILE_LIST)) | \
		while IFS=: read -r target what; do printf '  %-16s%s\n' "$$target" "$$what"; done
	@echo 'Variants of the program (make VARIANT gives build/VARIANT/buddycheck):'
	@echo '  release debug clang asan libfuzzer afl $(HASH_VARIANTS)' | fold -s -w 90 | sed '2,$$s/^/  /'
	@echo 'Variables: SECONDS, ENGINE, SUBJECT, SEEDS_EACH, BUILD, PREFIX, CC, CLANG, CFLAGS, LDFLAGS, WERROR=1, V=1 (show commands)'
