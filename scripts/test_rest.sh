#!/bin/sh
# SPDX-License-Identifier: MIT
# What make test-all adds to make test: long tests and packages, camera and review in the browser, the quick tests under the address and undefined-behaviour
# sanitizers, those that use threads under the thread sanitizer, the fuzzers over their corpus and a while beyond it, and a
# sample of the mutants that tests noticed before: they still must. The last line counts cases as that of test.sh.
#
#     test_rest.sh [SEED [MINUTES]]       of the sample of mutants; 1 and 2 by default
set -u
cd "$(dirname "$0")/.."
. scripts/suites.sh
seed=${1:-1}
minutes=${2:-2}

scripts/build.sh release -DGRAZE_TESTS=ON && start_viewer rest
suite long release build -DGRAZE_TESTS=ON
finish_viewer
suite asan asan build-asan -DGRAZE_TESTS=ON
suite tsan tsan build-tsan -DGRAZE_TESTS=ON
suite fuzz fuzz build-fuzz '-UGRAZE_FUZZ_*'
step python3 scripts/mutants.py --known tests/mutants/results.json --seed "$seed" --per-file 100 --count 200 \
    --minutes "$minutes" --patience 20 --json build-mutants/results.json
tell_counts
