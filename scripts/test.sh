#!/bin/sh
# SPDX-License-Identifier: MIT
# What a change may break, in some minutes: the quick tests of library and tool, and the page of reports in a browser. The
# rest is in test_rest.sh. The last line says how many cases passed and failed; the exit code is 1 when any did, or when
# something does not build.
set -u
cd "$(dirname "$0")/.."
. scripts/suites.sh

scripts/viewer.sh
scripts/build.sh release -DGRAZE_TESTS=ON && start_viewer quick
suite quick release build -DGRAZE_TESTS=ON
finish_viewer
tell_counts
