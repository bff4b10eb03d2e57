#!/bin/sh
# SPDX-License-Identifier: MIT
# Plants one violation at a time in a small tree and expects check_layers.py to point at it.
#     layers_script.sh PYTHON SCRIPT
set -eu
python=$1 script=$2
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/include/graze" "$tree/src/base" "$tree/src/math" "$tree/src/exact" "$tree/src/pair/hit" "$tree/src/clash" \
    "$tree/src/io" "$tree/tool/shell" "$tree/tool/scene" "$tree/lab"

# readme ROOM ROOMS: the README of a room that may use these rooms.
readme()
{
    printf '# %s\n\nMay use: %s.\n' "$1" "$2" >"$tree/$1/README.md"
}
readme src/base nothing
readme src/math base
readme src/exact 'base, math'
readme src/pair 'base, math, exact, simd, mesh, tree'
readme src/pair/hit 'base, math, exact, simd, mesh, tree, pair, pair/distance'
readme src/clash 'base, text, math, exact, mesh, tree, pair, shape, broad, scene, motion'
readme src/io 'base, text, math, mesh, tree, shape, motion, certificate'
readme tool/shell nothing
readme tool/scene shell
echo '#include "graze/export.h"' >"$tree/include/graze/status.h"
printf '#include <math.h>\n#include "base/array.h"\n#include "math/vector.h"\n#include "graze/exact.h"\n' \
    >"$tree/src/exact/fine.c"
printf '#include "exact/sign.h"\n#include "pair/distance/proximity.h"\n#include "graze/pair.h"\n' \
    >"$tree/src/pair/hit/fine.c"
printf '#include <zlib.h>\n#include "base/fine.h"\n' >"$tree/src/io/fine.c"
printf '#include "text/json.h"\n#include "base/array.h"\n#include "graze/depth.h"\n' >"$tree/src/clash/fine.c"
printf '#include "shell/tool.h"\n#include "graze/io.h"\n#include "text/json.h"\n' >"$tree/tool/scene/fine.c"
: >"$tree/tool/shell/tool.h"
: >"$tree/tool/scene/scene.h"
printf '#include "case.h"\n#include "base/clock.h"\n' >"$tree/lab/fine.c"
printf '#include "exact/contact.h"\n' >"$tree/lab/bench_fine.c"

"$python" "$script" "$tree" || { echo "a clean tree was refused"; exit 1; }

# expect_violation FILE INCLUDE
expect_violation()
{
    mkdir -p "$(dirname "$tree/$1")"
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
expect_violation src/pair/hit/planted.c '"pair/solid/body.h"'
expect_violation src/pair/planted.c '"pair/hit/query.h"'
expect_violation src/pair/unknown/planted.c '"base/array.h"'
expect_violation tool/shell/planted.c '"scene/scene.h"'
expect_violation tool/scene/planted.c '"scene/elsewhere.h"'
expect_violation src/exact/planted.c '"graze/graze.h"'
expect_violation src/exact/planted.c '<zlib.h>'
expect_violation src/exact/planted.c '<gmp.h>'
expect_violation src/exact/planted.c '"planted.h"'
expect_violation src/exact/planted.c '"../math/vector.h"'
expect_violation src/clash/planted.c '"pair/aabb.h"'
expect_violation src/clash/planted.c '"graze/io.h"'
expect_violation src/exact/planted.c '"text/json.h"'
expect_violation src/planted.c '"base/array.h"'
expect_violation tool/planted.c '"base/array.h"'
expect_violation tool/planted.c '"../src/base/array.h"'
expect_violation lab/planted.c '"exact/contact.h"'
expect_violation include/graze/pose.h '"graze/mesh.h"'
expect_violation include/graze/planted.h '"base/array.h"'
expect_violation include/graze/planted.h '<zlib.h>'
# expect_readme_violation ROOM: after its README was spoilt
expect_readme_violation()
{
    if "$python" "$script" "$tree" >"$tree/out"; then
        echo "not noticed: README of $1"
        exit 1
    fi
    grep -q "^$1.*README" "$tree/out" || { echo "not named: README of $1"; exit 1; }
}

rm "$tree/src/exact/README.md"
expect_readme_violation src/exact
readme src/exact base
expect_readme_violation src/exact
readme src/exact 'base, math'
seq 20 >>"$tree/src/exact/README.md"
expect_readme_violation src/exact
echo "all planted violations were noticed"
