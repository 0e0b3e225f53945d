#!/bin/bash -eu
# SPDX-License-Identifier: GPL-2.0-only
#
# OSS-Fuzz and ClusterFuzzLite call this in the root of the sources, with their compilers, flags, engine and
# folders in the environment. The Makefile knows what is to be built and which of the flags are for which file.
# It gets them under names of its own, because CFLAGS are for all that it compiles.
engine_cc=$CC engine_cflags=$CFLAGS
unset CC CFLAGS
exec make oss-fuzz BUILD="$WORK/build" OUT="$OUT" OSS_ENGINE="$LIB_FUZZING_ENGINE" \
	OSS_CC="$engine_cc" OSS_CFLAGS="$engine_cflags" OSS_CXX="$CXX" OSS_CXXFLAGS="$CXXFLAGS"
