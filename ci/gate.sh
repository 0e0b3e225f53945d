#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# ci/gate.sh --repo DIR --range A..B: each commit of a kernel series on its own. Every commit that touches the
# allocator is built and must be fit to replace the one before it.
#
#   --out DIR     reports of each commit go to DIR/N-COMMIT/ (build/gate/series)
#   --ops N       how long to look for differences (100000)
#   --config F    limits and accepted differences (ci/gate.conf)
#
# Prints a line for each commit, appends the reports to $GITHUB_STEP_SUMMARY if that is set. Exit status: 0 all pass,
# 1 one does not, 2 something cannot be built or played.
set -u
cd "$(dirname "$0")/.." || exit 2
repo=
range=
out=build/gate/series
ops=100000
config=ci/gate.conf
usage() {
	echo "ci/gate.sh: $* (expected --repo DIR --range A..B [--out DIR] [--ops N] [--config FILE])" >&2
	exit 2
}
while [ $# -gt 0 ]; do
	[ $# -ge 2 ] || usage "$1 has no value"
	case $1 in
	--repo) repo=$2 ;;
	--range) range=$2 ;;
	--out) out=$2 ;;
	--ops) ops=$2 ;;
	--config) config=$2 ;;
	*) usage "$1" ;;
	esac
	shift 2
done
[ -n "$repo" ] || usage "no repository"
[ -n "$range" ] || usage "no range"
commits=$(git -C "$repo" rev-list --reverse --no-merges "$range") || usage "--range $range"
[ -n "$commits" ] || usage "--range $range has no commits"
program=build/release/buddycheck
make -s "$program" >/dev/null || exit 2
mkdir -p "$out"
tree=$(mktemp -d)
trap 'git -C "$repo" worktree remove --force "$tree/linux" 2>/dev/null; rm -rf "$tree"' EXIT
git -C "$repo" worktree add --detach --quiet "$tree/linux" "${commits%%$'\n'*}^" || exit 2

# What of a kernel ends up in a subject, besides headers.
is_about_us() { # COMMIT
	git -C "$repo" diff-tree --no-commit-id --name-only -r "$1" |
		grep -qE '^mm/(page_alloc|page_isolation|mmzone|compaction|cma|internal)\.|^include/|^arch/.*/include/'
}
# build FILE: the subject of the tree as it is now.
build() {
	BUILD=build/gate/work KDIR=$tree/linux NAME='' PATCH='' FLAVOUR=fast harness/kernel/make/build \
		>"$out/build.log" 2>&1 || return 1
	cp "$(sed -n 's/^kernel: \(.*\.so\)$/\1/p' "$out/build.log" | tail -n 1)" "$1"
}
fail_build() { # COMMIT
	tail -n 5 "$out/build.log"
	echo "$1: it is not built, see $out/build.log"
	exit 2
}

build "$out/before.so" || fail_build "the commit before $range"
n=0
failed=0
passed=0
for commit in $commits; do
	n=$((n + 1))
	title=$(git -C "$repo" log -1 --format='%h %s' "$commit")
	if ! is_about_us "$commit"; then
		echo "$title: not about the allocator"
		continue
	fi
	git -C "$tree/linux" checkout --quiet --detach "$commit" || exit 2
	build "$out/after.so" || fail_build "$title"
	to=$out/$n-${commit:0:12}
	mkdir -p "$to"
	"$program" gate --base "kernel:$out/before.so" --candidate "kernel:$out/after.so" --config "$config" \
		--ops "$ops" --json "$to/report.json" --markdown "$to/report.md" --junit "$to/report.xml" \
		--sarif "$to/report.sarif" --scripts "$to/scripts" >"$to/report.txt" 2>"$to/progress.txt"
	status=$?
	[ $status -le 1 ] || { cat "$to/progress.txt" && echo "$title: it is not played" && exit 2; }
	[ $status -eq 0 ] && passed=$((passed + 1)) || failed=$((failed + 1))
	echo "$title: $(sed -n 's/^verdict: //p' "$to/report.txt")"
	sed -n '/^verdict: fails/,$p' "$to/report.txt" | sed 1d
	[ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat "$to/report.md" >>"$GITHUB_STEP_SUMMARY"
	mv "$out/after.so" "$out/before.so"
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
