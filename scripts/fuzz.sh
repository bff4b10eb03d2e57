#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the fuzzers and runs each of them for a while, beginning from its seed corpus and what earlier runs found.
#
#     fuzz.sh SECONDS [TARGET...]        targets: stl obj ply off gzip; all of them unless some are named
#
# New inputs go to build-fuzz/fuzz/corpus, findings to build-fuzz/fuzz/findings. The exit code is 0 when nothing was
# found, 1 when something was, 2 for a wrong call, 77 when there is no clang with a fuzzer in it.
set -eu
cd "$(dirname "$0")/.."
if [ $# -lt 1 ]; then
    echo "usage: fuzz.sh SECONDS [TARGET...]" >&2
    exit 2
fi
seconds=$1
shift
[ $# -gt 0 ] || set -- stl obj ply off gzip

probe=$(mktemp)
if ! echo 'int LLVMFuzzerTestOneInput(void); int LLVMFuzzerTestOneInput(void) { return 0; }' |
    clang -x c -fsanitize=fuzzer,address - -o "$probe" 2>/dev/null; then
    rm -f "$probe"
    echo "fuzz: skipped, there is no clang with a fuzzer in it" >&2
    exit 77
fi
rm -f "$probe"
scripts/build.sh fuzz

found=0
for target in "$@"; do
    folder=build-fuzz/fuzz
    log=$folder/$target.log
    if "$folder/fuzz_$target" -max_total_time="$seconds" -timeout=5 -rss_limit_mb=1024 -print_final_stats=1 \
        -artifact_prefix="$folder/findings/$target-" "$folder/corpus/$target" "fuzz/corpus/$target" >"$log" 2>&1; then
        runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
        echo "fuzz: $target: $runs inputs in $seconds s, nothing found"
    else
        tail -n 40 "$log" >&2
        echo "fuzz: $target: something was found, see $log"
        found=1
    fi
done
exit $found
