#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds small libraries with one violation each and expects check_symbols.sh to point at it.
#     symbols_script.sh COMPILER SCRIPT
set -eu
compiler=$1 script=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# build CODE: makes planted.a and planted.so, with default visibility hidden as in the real build.
build()
{
    printf '#include <stdio.h>\n#include <stdlib.h>\n#define API __attribute__((visibility("default")))\n%s\n' "$1" >p.c
    # Fortified functions have names of their own.
    "$compiler" -O1 -U_FORTIFY_SOURCE -fPIC -fvisibility=hidden -c p.c -o p.o
    rm -f planted.a && ar rcs planted.a p.o
    "$compiler" -shared p.o -o planted.so
}

# expect_violation ROLE LIBRARY SYMBOL CODE
expect_violation()
{
    build "$4"
    if sh "$script" "$1" "$2" >out; then
        echo "not noticed in $2: $4"
        exit 1
    fi
    grep -q ": $3\$" out || { echo "not named in $2: $4"; cat out; exit 1; }
}

build 'static const char *const names[] = {"a", "b"}; int grz_inner(int i); int grz_inner(int i) {return names[i][0];}
       API int graze_answer(void); int graze_answer(void) {return grz_inner(1);}'
sh "$script" core planted.a planted.so || { echo "a clean library was refused"; exit 1; }

outer='API int graze_answer(int i); int graze_answer(int i)'
expect_violation core planted.so  helper        "API int helper(void); int helper(void) {return 1;} $outer {return i;}"
expect_violation core planted.so  grz_helper    "API int grz_helper(void); int grz_helper(void) {return 1;} $outer {return i;}"
expect_violation core planted.a   helper        "int helper(void); int helper(void) {return 1;} $outer {return i;}"
expect_violation core planted.a   abort         "$outer {if (i) abort(); return i;}"
expect_violation core planted.so  exit          "$outer {if (i) exit(i); return i;}"
expect_violation core planted.a   printf        "$outer {return printf(\"%d\", i);}"
expect_violation core planted.a   stderr        "$outer {return fflush(stderr) + i;}"
expect_violation core planted.a   rand          "$outer {return rand() + i;}"
expect_violation core planted.a   fopen         "$outer {return fopen(\"x\", \"r\") == NULL ? i : 0;}"
expect_violation io   planted.a   puts          "$outer {return puts(\"x\") + i;}"
expect_violation core planted.a   counter       "int *grz_at(void); static int counter; int *grz_at(void) {return &counter;}"
expect_violation core planted.a   grz_level     "int grz_level = 3;"
expect_violation core planted.a   grz_local     "_Thread_local int grz_local;"
echo "all planted violations were noticed"
