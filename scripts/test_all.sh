#!/bin/sh
# SPDX-License-Identifier: MIT
# Everything of test.sh, and what is too long for every change: the quick tests under the thread sanitizer, five minutes of each
# fuzzer, a sample of mutants, and the mutants that docs/trust.md names. Goes through all steps, whatever fails; the last line counts them.
#
#     test_all.sh [SEED]       of the sample of mutants
set -u
cd "$(dirname "$0")/.."
seed=${1:-1}
passed=0 failed=0

step()
{
    if "$@"; then
        passed=$((passed + 1))
    else
        echo "test-all: failed: $*"
        failed=$((failed + 1))
    fi
}

threads()
{
    scripts/build.sh tsan -DGRAZE_TESTS=ON && ctest --preset tsan --parallel "$(nproc)"
}

step scripts/test.sh
step threads
step scripts/fuzz.sh 300
step make --no-print-directory mutants SEED="$seed"
[ ! -f docs/trust.md ] || step python3 scripts/mutants.py --ledger
echo "$passed steps passed, $failed failed"
[ "$failed" -eq 0 ]
