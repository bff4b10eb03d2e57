#!/bin/sh
# SPDX-License-Identifier: MIT
# What a change may break, in some minutes: the quick tests of library and tool, and the page of reports in a browser. The
# rest is in test_rest.sh. The last line says how many cases passed and failed; the exit code is 1 when any did, or when
# something does not build.
set -u
cd "$(dirname "$0")/.."
. scripts/suites.sh

# The page of reports in a browser, with what the tool writes; nothing is counted where there is no browser. It waits for
# frames half of the time, so the quick tests run beside it.
start_viewer()
{
    scripts/test_viewer.sh >build/viewer-said 2>&1 &
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

scripts/viewer.sh
scripts/build.sh release -DGRAZE_TESTS=ON && start_viewer
suite quick release build -DGRAZE_TESTS=ON
finish_viewer
tell_counts
