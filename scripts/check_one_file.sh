#!/bin/sh
# SPDX-License-Identifier: MIT
# Compiles all of src as one file, which fails when a type name or an external name is defined twice.
#
#     check_one_file.sh [ROOT]
#
# Names that C keeps inside a file are set apart in the generated copy: static functions, static variables and
# constants of enums (not GRZ_ ones) of a .c file become name_in_<n> where another file has the same name, and its
# macros are undefined after it. Types, struct tags, external names and everything in headers stay as they are.
#
# There is one such file per instruction set, with the kernels of that set alone, because the kernels of all sets are
# made from the same templates; likewise of a template that is compiled for doubles and for twice their precision
# (_wide.c), the first alone. Sets that the compiler does not know (outside x86 all but scalar) are left out.
# Errors name the original files and lines; the exit code is 1 when there is any.
set -eu
cd "${1:-$(dirname "$0")/..}"
compiler=${CC:-cc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Names at file scope that only file $1 can see.
private_names_of()
{
    sed -nE -e 's/^static ([^=;({[]*[ *])?([A-Za-z_][A-Za-z0-9_]*)(\(|\[| =|;).*/\2/p' \
        -e '/^(typedef )?enum/,/^}/s/^ +([A-Z][A-Z0-9_]*)( =|,|$).*/\1/p' "$1" | grep -v '^GRZ_' | sort -u
}

# Prints file $1 as part $2 of the one file. Members (.name, ->name) and includes keep their names.
part_of()
{
    echo "#line 1 \"$1\""
    private_names_of "$1" | comm -12 - "$work/clashes" |
        sed -E "s/.*/\/^#include\/!s\/(^|[^.>A-Za-z0-9_])&\\\\b\/\\\\1&_in_$2\/g/" >"$work/rename.sed"
    sed -E -f "$work/rename.sed" "$1"
    # Macros that the C library reads, such as _POSIX_C_SOURCE, begin with an underscore and stay.
    sed -nE 's/^#define ([A-Za-z][A-Za-z0-9_]*).*/#undef \1/p' "$1"
}

# Flags of instruction set $1, as in CMakeLists.txt.
flags_of()
{
    case $1 in
    scalar) echo "" ;;
    sse2) echo "-DGRAZE_X86 -msse2" ;;
    avx2) echo "-DGRAZE_X86 -mavx2 -mfma -mpopcnt" ;;
    avx512) echo "-DGRAZE_X86 -mavx2 -mfma -mpopcnt -mavx512f -mavx512vl -mavx512dq -mavx512bw -mavx512vbmi2" ;;
    esac
}

find src -name '*.[ch]' | grep -Ev '_(sse2|avx2|avx512|wide)\.c$' | sort >"$work/files"
while read -r file; do
    private_names_of "$file"
done <"$work/files" | sort | uniq -d >"$work/clashes"

status=0
for set in scalar sse2 avx2 avx512; do
    # shellcheck disable=SC2046
    $compiler $(flags_of $set) -fsyntax-only -x c /dev/null 2>/dev/null || continue
    one=$work/one_$set.c
    number=0
    sed -n "s/_scalar\.c\$/_$set.c/; /\.c\$/p" "$work/files" | while read -r file; do
        number=$((number + 1))
        part_of "$file" $number
    done >"$one"
    # shellcheck disable=SC2046
    $compiler -std=c17 -D_XOPEN_SOURCE=700 $(flags_of $set) -Iinclude -Isrc -Werror -fsyntax-only "$one" || status=1
    echo "one file: $(grep -c '^#line 1 ' "$one") files together, $set"
done
exit $status
