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

LIB   := $(wildcard model/*.c properties/*.c harness/*.c harness/callers/*.c)
CLI   := $(wildcard harness/cli/*.c)
FUZZ  := $(wildcard harness/fuzz/*.c)
BENCH := $(wildcard harness/bench/*.c)

IN_TESTS   := $(wildcard model/tests/*.c properties/tests/*.c harness/tests/*.c harness/*/tests/*.c)
TESTS      := $(foreach f,$(IN_TESTS),$(if $(filter test_%,$(notdir $f)),$f))
TEST_PARTS := $(filter-out $(TESTS),$(IN_TESTS))

SOURCES := $(LIB) $(CLI) $(FUZZ) $(BENCH) $(IN_TESTS)
SCRIPTS    := $(wildcard corpus/seeds/*.script corpus/regressions/*.script)
RECORDINGS := $(wildcard corpus/recordings/*/*.gz)
HEADERS    := $(wildcard model/*.h properties/*.h harness/*.h harness/*/*.h */tests/*.h harness/*/tests/*.h)

COMMON := -std=gnu11 -g -Wall -Wextra $(if $(WERROR),-Werror) -I.
LIBS   := -lz

# ---- set-up: every part of the build first sees that its packages are there --------------------------

SETUP := $(addprefix setup-,build cmocka clang mutant lint format bench man)
.PHONY: $(SETUP)
$(SETUP): setup-%:
	@ci/setup $*

# ---- variants ------------------------------------------------------------------------------------

# $(call variant,NAME,COMPILER,FLAGS,SET-UP): objects, library, program and tests.
define variant
$(BUILD)/$1/%.o: %.c Makefile | setup-build setup-$4
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)$2 $$(COMMON) $3 $$(COVERAGE) $$(DEFINES) $$(CFLAGS) -MMD -MP -c -o $$@ $$<

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
$$(IN_TESTS:%.c=$(BUILD)/$1/%.o): | setup-cmocka

.PHONY: $1
$1: $(BUILD)/$1/buddycheck

-include $$(SOURCES:%.c=$(BUILD)/$1/%.d)
endef

SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

$(eval $(call variant,release,$(CC),-O2,build))
$(eval $(call variant,debug,$(CC),-O0,build))
$(eval $(call variant,clang,$(CLANG),-O2 -gdwarf-4,clang))
$(eval $(call variant,asan,$(CLANG),-O1 $(SANITIZE),clang))
$(eval $(call variant,libfuzzer,$(CLANG),-O1 $(SANITIZE),clang))

# The same final states are wanted from every one of these (ci/hash-check). Warnings are for the others to show.
HASH_VARIANTS :=
define hash_variant
HASH_VARIANTS += hash-$1-$3 hash-$1-$3-san
$(call variant,hash-$1-$3,$2,-$3 -w,$4)
$(call variant,hash-$1-$3-san,$2,-$3 -w $(SANITIZE),$4)
endef
$(foreach o,O0 O3,$(eval $(call hash_variant,gcc,$(CC),$o,build)) \
		  $(eval $(call hash_variant,clang,$(CLANG),$o,clang)))

# ---- fuzzing -------------------------------------------------------------------------------------

# Coverage of the port, the callers and the text parsers alone: that of checkers and of the total decoder
# tells nothing. No trace-cmp where cases are played: it costs a factor of 3 to 5.
COVER := -fsanitize=fuzzer-no-link
$(BUILD)/libfuzzer/model/%.o $(BUILD)/libfuzzer/harness/callers/%.o: \
	COVERAGE := $(COVER) -fno-sanitize-coverage=trace-cmp
$(addprefix $(BUILD)/libfuzzer/harness/,script%.o text.o recording.o): COVERAGE := $(COVER)

FUZZERS     := $(patsubst harness/fuzz/%.c,%,$(wildcard harness/fuzz/fuzz_*.c))
FUZZ_MAINS  := harness/fuzz/regression_main.c harness/fuzz/make_seeds.c
FUZZ_SHARED := $(filter-out harness/fuzz/fuzz_%.c $(FUZZ_MAINS),$(FUZZ))
link_fuzzer = $(call say,LD,$@)$(CLANG) $(SANITIZE) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^ $(LIBS)

$(FUZZERS:%=$(BUILD)/libfuzzer/%): $(BUILD)/libfuzzer/%: $(BUILD)/libfuzzer/harness/fuzz/%.o \
		$(FUZZ_SHARED:%.c=$(BUILD)/libfuzzer/%.o) $(BUILD)/libfuzzer/libbuddycheck.a
	$(link_fuzzer)

# Without an engine: the entries played on files, and the seeds made.
REGRESSIONS := $(FUZZERS:%=$(BUILD)/asan/%-regression)
$(REGRESSIONS): $(BUILD)/asan/%-regression: $(BUILD)/asan/harness/fuzz/%.o \
		$(BUILD)/asan/harness/fuzz/regression_main.o \
		$(FUZZ_SHARED:%.c=$(BUILD)/asan/%.o) $(BUILD)/asan/libbuddycheck.a
	$(call say,LD,$@)$(CLANG) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(LIBS)
$(BUILD)/release/make_seeds: $(BUILD)/release/harness/fuzz/make_seeds.o $(BUILD)/release/libbuddycheck.a
	$(call say,LD,$@)$(CC) $(LDFLAGS) -o $@ $^ $(LIBS)

# The canary: the fuzzer on a port with a defect.
$(BUILD)/canary/buddy.c: model/buddy.c ci/mutants/missed-merge.patch | setup-mutant
	@mkdir -p $(@D)
	$(call say,PATCH,$@)patch --silent --output=$@ $^
$(BUILD)/canary/buddy.o: $(BUILD)/canary/buddy.c | setup-clang
	$(call say,CC,$@)$(CLANG) $(COMMON) -O1 $(SANITIZE) $(COVER) -fno-sanitize-coverage=trace-cmp \
		$(CFLAGS) -c -o $@ $<
$(BUILD)/canary/fuzz_case: $(BUILD)/canary/buddy.o $(BUILD)/libfuzzer/harness/fuzz/fuzz_case.o \
		$(FUZZ_SHARED:%.c=$(BUILD)/libfuzzer/%.o) $(BUILD)/libfuzzer/libbuddycheck.a
	$(link_fuzzer)

# ---- targets -------------------------------------------------------------------------------------

.PHONY: all check recordings fuzz fuzz-smoke canary hash-check bench lint format format-check \
	man man-check install clean help

all: buddycheck ## build ./buddycheck (the default)
buddycheck: $(BUILD)/release/buddycheck
	@ln -sf $< $@

check: buddycheck asan $(TESTS_release) $(TESTS_asan) $(REGRESSIONS) $(SEEDS)/made ## all tests, plain and with ASan+UBSan, and the corpus
	@ci/run-tests $(TESTS_release)
	@ci/run-tests $(TESTS_asan)
	@ci/play $(BUILD)/release/buddycheck --full $(SCRIPTS)
	@ci/play $(BUILD)/asan/buddycheck --full $(SCRIPTS)
	@ci/play $(BUILD)/release/buddycheck $(RECORDINGS)
	@$(BUILD)/asan/fuzz_case-regression $(SEEDS)/case/*
	@$(BUILD)/asan/fuzz_script-regression $(SCRIPTS)
	@$(BUILD)/asan/fuzz_recording-regression $(SEEDS)/recording/*

recordings: buddycheck ## play the recordings of the real allocator
	@ci/play ./buddycheck $(RECORDINGS) $(wildcard ../shared/recordings/*/*.gz)

SEEDS := $(BUILD)/seeds
$(SEEDS)/made: $(BUILD)/release/make_seeds $(BUILD)/release/buddycheck $(SCRIPTS) $(RECORDINGS)
	$(call say,SEEDS,$(SEEDS))ci/seeds $(SEEDS) $(BUILD)/release

fuzz: buddycheck $(SEEDS)/made $(BUILD)/libfuzzer/fuzz_case ## fuzz the port for SECONDS=60
	@ci/fuzz $(BUILD)/libfuzzer/fuzz_case $(SEEDS)/case -max_total_time=$(SECONDS)
fuzz-smoke: buddycheck $(SEEDS)/made $(FUZZERS:%=$(BUILD)/libfuzzer/%) ## fuzz port and parsers for a fixed number of runs
	@ci/fuzz $(BUILD)/libfuzzer/fuzz_case $(SEEDS)/case -seed=1 -runs=20000
	@ci/fuzz $(BUILD)/libfuzzer/fuzz_script $(SEEDS)/script -seed=1 -runs=50000
	@ci/fuzz $(BUILD)/libfuzzer/fuzz_recording $(SEEDS)/recording -seed=1 -runs=50000

canary: buddycheck $(SEEDS)/made $(BUILD)/canary/fuzz_case ## see that the fuzzer finds a defect put in on purpose
	@ci/canary $(BUILD)/canary/fuzz_case $(SEEDS)/case

hash-check: $(HASH_VARIANTS) ## same final states from both compilers, -O0 and -O3, with sanitizers
	@ci/hash-check $(HASH_VARIANTS:%=$(BUILD)/%/buddycheck)

$(BUILD)/clang/bench: $(BENCH:%.c=$(BUILD)/clang/%.o) $(BUILD)/clang/libbuddycheck.a
	$(call say,LD,$@)$(CLANG) -O2 $(LDFLAGS) -o $@ $^ $(LIBS)
bench: $(BUILD)/clang/bench | setup-bench ## time and exact instructions, compared with ci/limits
	@ci/bench $<

lint: release | setup-lint ## clang-tidy, cppcheck, who may call whom
	@ci/lint $(BUILD)/release $(SOURCES)

format: | setup-format ## reformat all sources
	clang-format-19 -i $(SOURCES) $(HEADERS)
format-check: | setup-format ## see that all sources are formatted
	@clang-format-19 --dry-run -Werror $(SOURCES) $(HEADERS)

man: | setup-man ## show the manual page
	@mandoc -l harness/cli/buddycheck.1
man-check: | setup-man ## see that mandoc finds nothing wrong with it
	@mandoc -T lint harness/cli/buddycheck.1

install: buddycheck ## install program and manual page to PREFIX=/usr/local
	install -D -m 755 $(BUILD)/release/buddycheck $(DESTDIR)$(PREFIX)/bin/buddycheck
	install -D -m 644 harness/cli/buddycheck.1 $(DESTDIR)$(PREFIX)/share/man/man1/buddycheck.1

clean: ## remove everything that was built
	rm -rf $(BUILD) buddycheck

help: ## this list
	@echo 'make TARGET [VARIABLE=value]'
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' $(firstword $(MAKEFILE_LIST)) | \
		awk -F'|' '{ printf "  %-14s%s\n", $$1, $$2 }'
	@echo 'Variants of the program (make VARIANT gives build/VARIANT/buddycheck):'
	@echo '  release debug clang asan libfuzzer $(HASH_VARIANTS)' | fold -s -w 90 | sed '2,$$s/^/  /'
	@echo 'Variables: SECONDS, PREFIX, CC, CLANG, CFLAGS, LDFLAGS, WERROR=1, V=1 (show commands)'
