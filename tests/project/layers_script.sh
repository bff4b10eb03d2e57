#!/bin/sh
# SPDX-License-Identifier: MIT
# Plants one violation at a time in a small tree and expects check_layers.py to point at it.
#     layers_script.sh PYTHON SCRIPT
set -eu
python=$1 script=$2
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/include/graze" "$tree/src/base" "$tree/src/math" "$tree/src/exact" "$tree/src/io" "$tree/tool" "$tree/lab"
echo '#include "graze/export.h"' >"$tree/include/graze/status.h"
printf '#include <math.h>\n#include "base/array.h"\n#include "math/vector.h"\n#include "graze/exact.h"\n' \
    >"$tree/src/exact/fine.c"
printf '#include <zlib.h>\n#include "exact/fine.h"\n' >"$tree/src/io/fine.c"
printf '#include "tool.h"\n#include "graze/io.h"\n' >"$tree/tool/fine.c"
printf '#include "case.h"\n#include "base/clock.h"\n' >"$tree/lab/fine.c"
printf '#include "exact/contact.h"\n' >"$tree/lab/bench_fine.c"

"$python" "$script" "$tree" || { echo "a clean tree was refused"; exit 1; }

# expect_violation FILE INCLUDE
expect_violation()
{
    printf '#include %s\n' "$2" >"$tree/$1"
    if "$python" "$script" "$tree" >"$tree/out"; then
        echo "not noticed: $1 includes $2"
        exit 1
    fi
    grep -q "^$1:1: " "$tree/out" || { echo "not named: $1 includes $2"; exit 1; }
    rm "$tree/$1"
}

expect_violation src/base/planted.c '"math/vector.h"'
expect_violation src/math/planted.h '"exact/sign.h"'
expect_violation src/exact/planted.c '"graze/mesh.h"'
expect_violation src/exact/planted.c '"graze/graze.h"'
expect_violation src/exact/planted.c '<zlib.h>'
expect_violation src/exact/planted.c '<gmp.h>'
expect_violation src/exact/planted.c '"planted.h"'
expect_violation src/exact/planted.c '"../math/vector.h"'
expect_violation src/planted.c '"base/array.h"'
expect_violation tool/planted.c '"base/array.h"'
expect_violation tool/planted.c '"../src/base/array.h"'
expect_violation lab/planted.c '"exact/contact.h"'
expect_violation include/graze/pose.h '"graze/mesh.h"'
expect_violation include/graze/planted.h '"base/array.h"'
expect_violation include/graze/planted.h '<zlib.h>'
echo "all planted violations were noticed"
