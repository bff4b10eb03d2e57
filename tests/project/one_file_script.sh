#!/bin/sh
# SPDX-License-Identifier: MIT
# Plants one name at a time that two files define, and expects check_one_file.sh to point at the second one.
#     one_file_script.sh COMPILER SCRIPT
set -eu
CC=$1 script=$2
export CC
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/include" "$tree/src/base" "$tree/src/simd"

# What C keeps inside a file may have the same name in another one, also where a member is called so.
private='#define LIMIT(x) (x)
enum
{
    FEW = 3, /* a comment; with a semicolon */
    MANY
};
static const int table[] = {1, 2};
static int count(int x)
{
    return LIMIT(x) + FEW + table[1] + MANY;
}'
cat >"$tree/src/base/one.h" <<EOF
#ifndef ONE_H
#define ONE_H
typedef struct grz_pair
{
    int count, first;
} grz_pair;
int grz_one(grz_pair *p);
int grz_two(grz_pair *p);
#endif
EOF
printf '#include "base/one.h"\n%s\nint grz_one(grz_pair *p)\n{\n    return p->count + count(1);\n}\n' "$private" >"$tree/src/base/one.c"
printf '#include "base/one.h"\n%s\nint grz_two(grz_pair *p)\n{\n    return p->count + count(2);\n}\n' "$private" >"$tree/src/base/two.c"
printf 'typedef struct lanes\n{\n    int x;\n} lanes;\nstatic int sum(lanes l) {return l.x;}\n' >"$tree/src/simd/template.h"
for set in scalar sse2 avx2 avx512; do
    printf '#include "simd/template.h"\nint grz_%s(void);\nint grz_%s(void)\n{\n    return sum((lanes){1});\n}\n' \
        $set $set >"$tree/src/simd/kernels_$set.c"
done
sh "$script" "$tree" || { echo "a clean tree was refused"; exit 1; }

# expect_violation CODE CODE: in two files
expect_violation()
{
    printf '%s\n' "$1" >"$tree/src/base/planted_1.c"
    printf '%s\n' "$2" >"$tree/src/base/planted_2.c"
    if sh "$script" "$tree" >"$tree/out" 2>&1; then
        echo "not noticed: $1 $2"
        exit 1
    fi
    grep -q "src/base/planted_2.c:1:.*error" "$tree/out" || { echo "not named: $1 $2"; cat "$tree/out"; exit 1; }
}

expect_violation 'typedef struct item {int x;} item;' 'typedef struct item {int x;} item;'
expect_violation 'typedef int item;' 'typedef float item;'
expect_violation 'struct item {int x;};' 'struct item {int y;};'
expect_violation 'enum kind {A_KIND};' 'enum kind {B_KIND};'
expect_violation 'int grz_f(void); int grz_f(void) {return 1;}' 'int grz_f(void); int grz_f(void) {return 1;}'
expect_violation 'const int grz_level = 1;' 'const int grz_level = 1;'
expect_violation 'typedef int item;' 'static int item(void) {return 1;}'
echo "all planted violations were noticed"
