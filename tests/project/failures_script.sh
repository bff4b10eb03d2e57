#!/bin/sh
# SPDX-License-Identifier: MIT
# Plants one violation at a time in a small tree and expects check_failures.py to point at it.
#     failures_script.sh PYTHON SCRIPT
set -eu
python=$1 script=$2
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/include/graze" "$tree/tests/failure"
cat >"$tree/include/graze/fine.h" <<END
GRAZE_API void graze_first(void); // GRAZE_API void graze_none(void);
GRAZE_API graze_status graze_second(const double a[3], void (*call)(void *user, int n), graze_hit_function visit,
                                    graze_thing *out_thing, int count);
END
rows='ROW(graze_first, 0, 0), ROW(graze_second, 4, 0)'
echo "$rows" >"$tree/tests/failure/test_fine.c"

"$python" "$script" "$tree" || { echo "a clean tree was refused"; exit 1; }

# expect_violation NAME ROWS
expect_violation()
{
    echo "$2" >"$tree/tests/failure/test_fine.c"
    if "$python" "$script" "$tree" >"$tree/out"; then
        echo "not noticed: $2"
        exit 1
    fi
    grep -q "$1" "$tree/out" || { echo "not named: $1"; exit 1; }
}

expect_violation graze_second 'ROW(graze_first, 0, 0)'
expect_violation graze_second 'ROW(graze_first, 0, 0), ROW(graze_second, 3, 0)'
expect_violation graze_first "$rows, ROW(graze_first, 0, 0)"
expect_violation graze_third "$rows, ROW(graze_third, 0, 0)"
expect_violation graze_first 'ROW(graze_second, 4, 0), /* ROW(graze_first, 0, 0) */'
echo "check_failures.py notices what is missing"
