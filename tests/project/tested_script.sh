#!/bin/sh
# SPDX-License-Identifier: MIT
# Plants one violation at a time in a small tree and expects check_tested.py to point at it.
#     tested_script.sh PYTHON SCRIPT
set -eu
python=$1 script=$2
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/src/pair/hit" "$tree/tool/shell" "$tree/tests/pair/hit" "$tree/tests/tool/shell" "$tree/tests/support"

plant()
{
    printf 'int grz_inner(void)\n{\n    return 1;\n}\n' >"$tree/src/pair/hit/inner.c"
    printf 'static int helper(void)\n{\n    return grz_inner();\n}\n\nint grz_outer(void)\n{\n    return helper();\n}\n' \
        >"$tree/src/pair/hit/outer.c"
    printf 'int parse(void)\n{\n    return 1;\n}\n' >"$tree/tool/shell/parse.c"
    printf 'int main(void)\n{\n    return grz_outer();\n}\n' >"$tree/tests/pair/hit/test_outer.c"
    printf '#include "support/tool_process.h"\n' >"$tree/tests/tool/shell/test_usage.c"
    printf '# comment\nsrc/pair/hit/inner.c tests/pair/hit/test_outer.c\ntool/shell/parse.c tests/tool/shell/test_usage.c\n' \
        >"$tree/tests/covered.txt"
}

plant
"$python" "$script" "$tree" || { echo "a clean tree was refused"; exit 1; }

# expect_violation TEXT, after something was planted
expect_violation()
{
    if "$python" "$script" "$tree" >"$tree/out"; then
        echo "not noticed: $1"
        exit 1
    fi
    grep -qF "$1" "$tree/out" || { echo "not named: $1"; cat "$tree/out"; exit 1; }
    plant
}

sed -i /inner/d "$tree/tests/covered.txt"
expect_violation "src/pair/hit/inner.c: neither tests/pair/hit/test_inner.c nor a line"
sed -i s/grz_outer/helper/ "$tree/tests/pair/hit/test_outer.c"
expect_violation "tests/pair/hit/test_outer.c uses nothing of src/pair/hit/inner.c"
: >"$tree/tests/tool/shell/test_usage.c"
expect_violation "tests/tool/shell/test_usage.c uses nothing of tool/shell/parse.c"
echo "src/pair/hit/outer.c tests/pair/hit/test_outer.c" >>"$tree/tests/covered.txt"
expect_violation "src/pair/hit/outer.c has a test of its name"
sed -i s/test_usage/test_nothing/ "$tree/tests/covered.txt"
expect_violation "tests/tool/shell/test_nothing.c: no such test"
echo "src/pair/hit/gone.c tests/pair/hit/test_outer.c" >>"$tree/tests/covered.txt"
expect_violation "src/pair/hit/gone.c: no such file"
sed -n 2p "$tree/tests/covered.txt" >>"$tree/tests/covered.txt"
expect_violation "src/pair/hit/inner.c is listed twice"
