#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds a small program against the installed package, one way at a time, and runs it.
#     use_package.sh SOURCE-FOLDER BUILD-FOLDER PREFIX COMPILER HOW DETAIL
set -eu
here=$1 build=$2 prefix=$3 compiler=$4 how=$5 detail=$6
work=$build/$how-$(basename "$detail")
rm -rf "$work"
mkdir -p "$work"
library_folder=$(dirname "$(find "$prefix" -name libgraze.a)")
PKG_CONFIG_PATH=$library_folder/pkgconfig
export PKG_CONFIG_PATH

# with_cmake FOLDER ARGUMENTS...: builds target `consumer` of a small CMake project.
with_cmake()
{
    folder=$1
    shift
    cmake -S "$here/$folder" -B "$work" -DCMAKE_C_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Release "$@" >/dev/null
    cmake --build "$work" --target consumer >"$work/build.log" || { cat "$work/build.log"; exit 1; }
    "$work/consumer"
}

# block LANGUAGE: the first such block of a page.
block()
{
    awk -v fence="\`\`\`$1" '$0 == fence {inside = 1; next} /^```$/ && inside {exit} inside'
}

case "$how" in
find_package)
    with_cmake find_package -DCMAKE_PREFIX_PATH="$prefix" -DVARIANT="$detail"
    ;;
pkg_config)
    if [ "$detail" = static ]; then
        flags="-static $(pkg-config --static --cflags --libs graze_io)"
    else
        flags="$(pkg-config --cflags --libs graze_io) -Wl,-rpath,$library_folder"
    fi
    # shellcheck disable=SC2086
    "$compiler" -std=c17 "$here/consumer.c" -DWITH_IO $flags -o "$work/consumer"
    "$work/consumer"
    ;;
add_subdirectory)
    with_cmake add_subdirectory -DGRAZE_FOLDER="$detail"
    ;;
examples)
    # The programs of examples/ as C17 or as C++17 print what stands beside them.
    as_cxx=OFF
    [ "$detail" = cxx ] && as_cxx=ON
    cmake -S "$here/../../examples" -B "$work" -DCMAKE_C_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_COMPILE_WARNING_AS_ERROR=ON -DAS_CXX="$as_cxx" >/dev/null
    cmake --build "$work" >"$work/build.log" || { cat "$work/build.log"; exit 1; }
    ctest --test-dir "$work" --output-on-failure >"$work/tests.log" || { cat "$work/tests.log"; exit 1; }
    # Every example with expected output has run.
    grep "tests passed.* out of $(find "$here/../../examples" -maxdepth 1 -name '*.expected' | wc -l)\$" "$work/tests.log"
    ;;
readme)
    # The README shows examples/first_steps.c, without its licence line, and what it prints.
    block c <"$detail/README.md" >"$work/first_steps.c"
    tail -n +2 "$detail/examples/first_steps.c" | diff - "$work/first_steps.c"
    # shellcheck disable=SC2046
    "$compiler" -std=c17 -Wall -Wextra -Werror "$work/first_steps.c" $(pkg-config --cflags --libs graze) \
        -Wl,-rpath,"$library_folder" -o "$work/first_steps"
    "$work/first_steps" >"$work/printed"
    sed '1,/^```c$/d' "$detail/README.md" | block text | diff - "$work/printed"
    ;;
esac
