#!/bin/sh
# SPDX-License-Identifier: MIT
# Every public header must compile alone, without a warning, as C17 and as C++17, with gcc and with clang.
set -eu
cd "$(dirname "$0")/.."
warnings='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Werror'

# A program of one header, taken twice, so that a missing guard shows.
includes()
{
    printf '#include "%s"\n#include "%s"\nint main(void) {return 0;}\n' "$1" "$1"
}

count=0
for header in include/graze/*.h; do
    name=graze/${header##*/}
    for compiler in gcc clang; do
        # shellcheck disable=SC2086
        includes "$name" | $compiler -std=c17 -x c $warnings -Wstrict-prototypes -Iinclude -fsyntax-only -
    done
    for compiler in g++ clang++; do
        # shellcheck disable=SC2086
        includes "$name" | $compiler -std=c++17 -x c++ $warnings -Wold-style-cast -Iinclude -fsyntax-only -
    done
    count=$((count + 1))
done
echo "headers: $count compile alone as C17 and C++17 with gcc and clang"
