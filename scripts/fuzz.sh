#!/bin/sh
# Builds the fuzz targets with clang and runs each of them for a while over its seed corpus.
#
#   scripts/fuzz.sh SECONDS [TARGET...]      targets: stl obj ply off gzip (default: all)
#
# New inputs go to build-fuzz/corpus, findings to build-fuzz/findings. Exit status: 0 nothing found, 1 found,
# 2 usage, 77 when there is no clang with a fuzzer runtime.
set -eu

if [ $# -lt 1 ]; then
    sed -n '2,7p' "$0" | sed 's/^# \{0,1\}//' >&2
    exit 2
fi
seconds=$1
shift
root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build-fuzz
compiler=${CLANG:-clang}

mkdir -p "$build/findings"
cat > "$build/probe.c" <<'PROBE'
#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return data == NULL && size > 0; }
PROBE
if ! "$compiler" -fsanitize=fuzzer,address "$build/probe.c" -o "$build/probe" 2> "$build/probe.log"; then
    echo "fuzz.sh: no clang with a fuzzer runtime; nothing was run" >&2
    exit 77
fi

cmake -S "$root" -B "$build" -DCMAKE_C_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    -DGRAZE_FUZZ=ON -DGRAZE_TESTS=OFF > "$build/configure.log"
cmake --build "$build" --parallel 2 > "$build/build.log" 2>&1 || { cat "$build/build.log" >&2; exit 1; }

found=0
[ $# -gt 0 ] || set -- stl obj ply off gzip
for target in "$@"; do
    corpus=$build/corpus/$target
    mkdir -p "$corpus"
    log=$build/fuzz_$target.log
    if "$build/fuzz/fuzz_$target" -max_total_time="$seconds" -timeout=5 -rss_limit_mb=1024 -print_final_stats=1 \
        -artifact_prefix="$build/findings/$target-" "$corpus" "$root/fuzz/corpus/$target" > "$log" 2>&1; then
        runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
        echo "fuzz $target: $runs inputs in $seconds s, nothing found"
    else
        echo "fuzz $target: FOUND SOMETHING, see $log"
        tail -n 40 "$log" >&2
        found=1
    fi
done
exit $found
