#!/bin/sh
# SPDX-License-Identifier: MIT
# No room may be built under -ffast-math and the like: some source of it must refuse, and say why.
#     fast_math.sh COMPILER ROOT
set -eu
compiler=$1 root=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for room in "$root"/src/*/; do
    for flag in -ffast-math -Ofast -ffinite-math-only; do
        refused=
        for source in "$room"*.c; do
            if "$compiler" -std=c17 -I"$root/include" -I"$root/src" $flag -E "$source" >/dev/null 2>"$work/message"; then
                continue
            fi
            grep -q 'without fast-math' "$work/message" || { cat "$work/message"; exit 1; }
            refused=${source##*/}
            break
        done
        [ -n "$refused" ] || { echo "all of $room compiles with $flag"; exit 1; }
    done
    echo "${room#"$root"/}: $refused refuses fast-math"
done
