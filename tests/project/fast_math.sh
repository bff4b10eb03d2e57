#!/bin/sh
# SPDX-License-Identifier: MIT
# Every source that computes must refuse to compile under -ffast-math and the like, and for that reason alone.
# (Of src/base, which knows no geometry, it is the memory that every other room stands on.)
#     fast_math.sh COMPILER ROOT
set -eu
compiler=$1 root=$2
count=0
for source in "$root"/src/*/*.c; do
    case "$source" in
    */src/base/memory.c) ;;
    */src/base/*) continue ;;
    esac
    "$compiler" -std=c17 -I"$root/include" -I"$root/src" -fsyntax-only "$source"
    for flag in -ffast-math -Ofast -ffinite-math-only; do
        if message=$("$compiler" -std=c17 -I"$root/include" -I"$root/src" $flag -fsyntax-only "$source" 2>&1); then
            echo "${source#"$root"/} compiles with $flag"
            exit 1
        fi
        case "$message" in
        *"without fast-math"*) ;;
        *) echo "${source#"$root"/} fails with $flag, but says: $message"; exit 1 ;;
        esac
    done
    count=$((count + 1))
done
[ "$count" -gt 0 ] || { echo "no sources"; exit 1; }
echo "$count sources refuse fast-math"
