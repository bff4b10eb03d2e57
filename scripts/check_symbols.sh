#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks what a library gives and takes.
#
#     check_symbols.sh core|io LIBRARY...
#
# A shared library (.so) exports graze_* only; a static one (.a) defines graze_* and grz_* only. Neither ends the
# process, prints, draws random numbers or keeps writable data; the core opens no file either.
# Prints one line per violation; the exit code is 1 when there is any.
set -eu

forbidden='abort|exit|_exit|_Exit|quick_exit|atexit|__assert_fail|raise|signal'
forbidden="$forbidden|printf|vprintf|puts|putchar|fputs|fputc|putc|fprintf|vfprintf|perror|stdout|stderr"
forbidden="$forbidden|__printf_chk|__vprintf_chk|__fprintf_chk|__vfprintf_chk"
forbidden="$forbidden|rand|srand|rand_r|random|srandom|drand48|getenv|setlocale|system"
case "$1" in
core) forbidden="$forbidden|fopen|fopen64|fdopen|freopen|open|open64|fread|fwrite" ;;
io) forbidden=$(printf '%s' "$forbidden" | sed 's/|fputs|fputc|putc|fprintf|vfprintf|/|/') ;;
*) echo "usage: check_symbols.sh core|io LIBRARY..." >&2; exit 2 ;;
esac
shift

violations=0

# Prints its input as violations of one library.
report()
{
    while read -r symbol; do
        [ -z "$symbol" ] || echo "$1: $2: $symbol"
    done
}

for library in "$@"; do
    case "$library" in
    *.so | *.so.*)
        defined=$(nm -D --defined-only "$library" | awk '{print $3}')
        allowed='^graze_'
        ;;
    *)
        defined=$(nm -g --defined-only "$library" | awk 'NF == 3 {print $3}')
        allowed='^(graze|grz)_'
        ;;
    esac
    if [ -z "$defined" ]; then
        echo "$library: defines nothing" && violations=1
    fi
    found=$(
        echo "$defined" | grep -Ev "$allowed" | report "$library" "defines a name that is not ours" || true
        nm --undefined-only "$library" | awk 'NF == 2 {sub("@.*", "", $2); print $2}' | sort -u |
            grep -Ex "($forbidden)" | report "$library" "uses what a library may not" || true
        # Constant tables of pointers sit in .data.rel.ro, which the loader makes read-only.
        [ "${library%.a}" = "$library" ] || objdump -t "$library" |
            awk '{sub(" .hidden ", " ")}
                 / (\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ && !/ \.data\.rel\.ro/ && $(NF-1) !~ /^0+$/ {print $NF}' |
            report "$library" "keeps writable data"
    )
    if [ -n "$found" ]; then
        echo "$found" && violations=1
    fi
done
[ "$violations" -eq 0 ] && echo "symbols: $# libraries, no violations"
exit "$violations"
