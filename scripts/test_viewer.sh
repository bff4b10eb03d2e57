#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests the page of reports in a real browser (viewer/test), with what build/graze writes too. Writes how many passed and
# failed into build/viewer-results. Where node, npm or a browser is missing, or npm cannot reach its registry, it says so
# and counts nothing; but a build server (CI=true) is to have a browser.
#
#     test_viewer.sh quick|rest      the page, its data, time and the tool (quick); camera and review (rest)
#
# The browser draws in software and shares the machine with whatever else runs there. So a test may take minutes before it
# counts as hanging, and when something fails, everything is run once more; both runs are told.
set -u
cd "$(dirname "$0")/.."
case ${1:-quick} in
quick) files="test/format.test.mjs test/page.test.mjs test/time.test.mjs test/tool.test.mjs" ;;
rest) files="test/camera.test.mjs test/review.test.mjs" ;;
*) echo "usage: test_viewer.sh quick|rest" >&2; exit 2 ;;
esac
results=$PWD/build/viewer-results
log=$PWD/build/viewer-test.log
mkdir -p build
rm -f "$results"

# skip WHY: ends here; with CI=true and a second word that is a failure.
skip()
{
    if [ "${CI:-}" = true ] && [ $# -gt 1 ]; then
        echo "viewer: failed: $1"
        echo "0 1" >"$results"
        exit 1
    fi
    echo "viewer: skipped: $1"
    exit 0
}

has_browser()
{
    [ -n "${CHROMIUM:-}" ] && return 0
    for browser in chromium chromium-browser google-chrome; do
        command -v "$browser" >/dev/null 2>&1 && return 0
    done
    return 1
}

# number WORD: what the summary of the last run says.
number()
{
    sed -n "s/^# $1 \([0-9]*\)$/\1/p" "$log" | tail -n 1
}

# once: runs the tests, each file after the other. Fifteen minutes are ten times what they take.
once()
{
    # shellcheck disable=SC2086 # several files
    (cd viewer && timeout 900 node --test --test-reporter=tap --test-concurrency=1 $files) >"$log" 2>&1
    passed=$(number pass) failed=$(($(number fail) + $(number cancelled) + 0))
    [ "${passed:-0}" -gt 0 ] || failed=$((failed > 0 ? failed : 1))
}

tell_failures()
{
    sed -n '/^ *not ok /,/^ *\.\.\.$/p' "$log" | head -n 60
}

command -v node >/dev/null 2>&1 && command -v npm >/dev/null 2>&1 || skip "node and npm are not installed" hard
has_browser || skip "no Chromium found" hard
if [ ! -d viewer/node_modules/playwright-core ]; then
    (cd viewer && timeout 600 npm ci --no-audit --no-fund --fetch-timeout=60000) >build/viewer.log 2>&1 ||
        skip "npm could not install what the tests need (build/viewer.log says why)"
fi
[ -f viewer/dist/report.html ] || skip "the page is not built (build/viewer.log says why)"

echo "test: viewer, ${1:-quick}"
once
if [ "$failed" -gt 0 ]; then
    tell_failures
    echo "viewer: $failed failed; once more, in case the machine was too busy"
    once
    [ "$failed" -eq 0 ] || tell_failures
fi
echo "${passed:-0} $failed" >"$results"
echo "viewer: ${passed:-0} passed, $failed failed"
[ "$failed" -eq 0 ]
