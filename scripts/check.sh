#!/bin/sh
# SPDX-License-Identifier: MIT
# Everything about the code that no test run shows. Goes through all steps, whatever fails; the last line counts them.
set -u
cd "$(dirname "$0")/.."
passed=0 failed=0

step()
{
    if "$@"; then
        passed=$((passed + 1))
    else
        echo "check: failed: $*"
        failed=$((failed + 1))
    fi
}

step scripts/check_format.sh
step python3 scripts/check_layers.py
step python3 scripts/check_trust.py
step python3 scripts/check_tested.py
step python3 scripts/check_docs.py
step scripts/check_headers.sh
step scripts/check_one_file.sh
step scripts/build.sh release -DGRAZE_TESTS=OFF
step scripts/check_symbols.sh core build/libgraze.so build/libgraze.a
step scripts/check_symbols.sh core build/libgraze_clash.so build/libgraze_clash.a
step scripts/check_symbols.sh io build/libgraze_io.so build/libgraze_io.a
step scripts/build.sh asan -DGRAZE_TESTS=ON # the second compiler: clang
step scripts/check_tidy.sh build-asan
echo "$passed checks passed, $failed failed"
[ "$failed" -eq 0 ]
