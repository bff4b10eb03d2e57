#!/bin/sh
# SPDX-License-Identifier: MIT
# Every test: quick, long and package tests of what is shipped, the page of reports in a browser, the quick tests again under
# sanitizers, and the fuzzers over their corpus and a while beyond it. The last line says how many cases passed and failed; the exit code is 1 when
# any did, or when something does not build.
set -u
cd "$(dirname "$0")/.."
jobs=$(nproc 2>/dev/null || echo 2)
passed=0 failed=0

# count FILE ATTRIBUTE: a number of the <testsuite> element of a JUnit file.
count()
{
    sed -n "/<testsuite/,/>/s/.*[[:space:]]$2=\"\([0-9]*\)\".*/\1/p" "$1" | head -n 1
}

# suite PRESET FOLDER BUILD-ARGUMENTS...: builds one preset and runs its ctest cases.
suite()
{
    preset=$1 folder=$2
    shift 2
    if ! scripts/build.sh "$preset" "$@"; then
        failed=$((failed + 1))
        return
    fi
    echo "test: $preset"
    results=$PWD/$folder/results.xml
    rm -f "$results"
    ctest --preset "$preset" --parallel "$jobs" --output-junit "$results" 2>&1 |
        grep --line-buffered -vE '^$|^ *Start |^Test project|^Label Time|sec\*proc|^Total Test time|^Errors while'
    total=$(count "$results" tests)
    if [ "${total:-0}" -eq 0 ]; then
        echo "test: $preset ran nothing"
        failed=$((failed + 1))
        return
    fi
    wrong=$(($(count "$results" failures) + $(count "$results" disabled) + $(count "$results" skipped)))
    passed=$((passed + total - wrong))
    failed=$((failed + wrong))
}

# The page of reports in a browser, with what the tool writes; nothing is counted where there is no browser.
viewer()
{
    scripts/test_viewer.sh
    if [ -f build/viewer-results ]; then
        read -r good bad <build/viewer-results
        passed=$((passed + good))
        failed=$((failed + bad))
    fi
}

scripts/viewer.sh
suite release build -DGRAZE_TESTS=ON
viewer
suite asan build-asan -DGRAZE_TESTS=ON
suite fuzz build-fuzz
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
