# SPDX-License-Identifier: MIT
# Sourced by test.sh and test_rest.sh: suites of tests, each counted. Sets passed and failed.
jobs=$(nproc 2>/dev/null || echo 2)
passed=0 failed=0

# count FILE ATTRIBUTE: a number of the <testsuite> element of a JUnit file.
count()
{
    sed -n "/<testsuite/,/>/s/.*[[:space:]]$2=\"\([0-9]*\)\".*/\1/p" "$1" | head -n 1
}

# suite TEST-PRESET BUILD-PRESET FOLDER BUILD-ARGUMENTS...: builds one preset and runs ctest cases of it.
suite()
{
    cases=$1 preset=$2 folder=$3
    shift 3
    if ! scripts/build.sh "$preset" "$@"; then
        failed=$((failed + 1))
        return
    fi
    echo "test: $cases"
    results=$PWD/$folder/results-$cases.xml
    rm -f "$results"
    ctest --preset "$cases" --parallel "$jobs" --output-junit "$results" 2>&1 |
        grep --line-buffered -vE '^$|^ *Start |^Test project|^Label Time|sec\*proc|^Total Test time|^Errors while'
    total=$(count "$results" tests)
    if [ "${total:-0}" -eq 0 ]; then
        echo "test: $cases ran nothing"
        failed=$((failed + 1))
        return
    fi
    wrong=$(($(count "$results" failures) + $(count "$results" disabled) + $(count "$results" skipped)))
    passed=$((passed + total - wrong))
    failed=$((failed + wrong))
}

# start_viewer PART, finish_viewer: the page of reports in a browser, with what the tool writes; nothing is counted where
# there is no browser. It waits for frames half of the time, so other tests run beside it.
start_viewer()
{
    scripts/test_viewer.sh "$1" >build/viewer-said 2>&1 &
}

finish_viewer()
{
    wait
    cat build/viewer-said
    if [ -f build/viewer-results ]; then
        read -r good bad <build/viewer-results
        passed=$((passed + good))
        failed=$((failed + bad))
    fi
}

# step COMMAND...: counts as one case.
step()
{
    if "$@"; then
        passed=$((passed + 1))
    else
        echo "test: failed: $*"
        failed=$((failed + 1))
    fi
}

# The last line of a script of tests, and its exit code.
tell_counts()
{
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
}
