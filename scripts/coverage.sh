#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the quick tests of a build that counts lines, and prints for every source file which share of them ran.
set -eu
cd "$(dirname "$0")/.."
scripts/build.sh coverage -DGRAZE_TESTS=ON
echo "test: coverage"
find build-coverage -name '*.gcda' -delete
ctest --preset coverage --parallel "$(nproc)" >build-coverage/test.log 2>&1 || { cat build-coverage/test.log; exit 1; }

# gcov speaks of every header a file includes as well; only the file itself is taken.
cd build-coverage
find . -name '*.c.gcda' | grep -E '/graze(_io)?_objects\.dir/|/graze_tool\.dir/' | while read -r data; do
    gcov -n "$data" 2>/dev/null
done | awk -v root="$(cd .. && pwd)/" '
    /^File / {name = substr($2, 2, length($2) - 2); sub(root, "", name); next}
    /^Lines executed:/ && name ~ /\.c$/ {
        split($0, part, /[:% ]+/); share[name] = part[3]; lines[name] = part[5]
    }
    {name = ""}
    END {
        for (name in share) {
            printf "%6.1f %%  %5d lines  %s\n", share[name], lines[name], name | "sort -k5"
            run += share[name] * lines[name]; all += lines[name]
        }
        close("sort -k5")
        printf "%6.1f %%  %5d lines  in all\n", all ? run / all : 0, all
    }'
