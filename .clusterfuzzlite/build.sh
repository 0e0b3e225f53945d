#!/bin/bash -eu
# SPDX-License-Identifier: GPL-2.0-only
exec bash -eu "$SRC/buddycheck/ci/oss-fuzz/build.sh"
